"""Pictures as PNG: cached by what they show, small, exact in their colours, usable from many processes."""

import subprocess
import sys
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from judge.board import Location
from judge.library import Library
from judge.picture import channels, lay_position, write_svg
from judge.rules import Move, Position, Unit, adjudicate
from judge.service.pictures import (
    OrdersPicture,
    Pictures,
    PositionPicture,
    TurnPicture,
    drawing_of,
    open_picture_pool,
    picture_in_pool,
    picture_name,
)
from judge.service.raster import Press, print_once, rastered
from tests.support import islets, shelf
from tests.support.places import wait_until

LIBRARY = Library()
START = LIBRARY.variant("standard").start


@pytest.fixture(scope="module")
def pictures() -> Pictures:
    return Pictures(shelf.pictures(), LIBRARY)


def opened(png: bytes) -> Image.Image:
    image = Image.open(BytesIO(png))
    image.load()
    return image


def test_picture_is_drawn_once(pictures: Pictures, tmp_path: Path) -> None:
    """The second time the file is taken, whatever it holds."""
    facts = PositionPicture("standard", START)
    pictures.press("standard")
    shelf.lend_boards(tmp_path)
    pictures = Pictures(tmp_path, LIBRARY)
    first = pictures.picture(facts)
    path = pictures.folder / f"{picture_name(facts)}.png"
    assert path.read_bytes() == first
    path.write_bytes(b"kept")
    assert pictures.picture(facts) == b"kept"
    path.unlink()
    assert pictures.picture(facts) == first


def test_opening_is_small_and_of_few_colours(pictures: Pictures) -> None:
    """The opening position stays far under what a letter may carry; its tints are those of the style."""
    png = pictures.picture(PositionPicture("standard", START))
    image = opened(png)
    assert len(png) < 180_000
    assert image.size == (1200, 1032)
    assert image.mode == "P"
    colours = {colour for _, colour in image.convert("RGB").getcolors(1 << 20) or []}
    assert {channels("#E9B7AB"), channels("#DFEAEE"), channels("#F3EEE1"), channels("#AE3B2E")} <= colours


@pytest.mark.parametrize("board", ["standard", "warcraft"])
def test_print_equals_the_svg(board: str, pictures: Pictures) -> None:
    """What is laid together of kept pieces looks like the whole SVG rastered at once."""
    pack = LIBRARY.pack(board)
    sheet = lay_position(pack.drawing, pack.variant.board, pack.variant.start)
    press = pictures.press(board)
    laid = opened(press.print_png(sheet)).convert("RGB")
    width, height = sheet.size
    svg = write_svg(sheet).replace(f'width="{width}" height="{height}"', f'width="{laid.width}" height="{laid.height}"', 1)
    whole = rastered(svg).convert("RGB")
    assert laid.size == whole.size
    assert max(ImageStat.Stat(ImageChops.difference(laid, whole)).mean) < 2.5  # of 255: the palette, and corners where two bands meet


def test_wide_board_is_printed_smaller(pictures: Pictures) -> None:
    """Warcraft is 1560 px wide and goes out at 1400."""
    png = pictures.picture(PositionPicture("warcraft", LIBRARY.variant("warcraft").start))
    assert opened(png).size == (1400, 1050)
    assert len(png) < 180_000


def test_name_tells_all_that_is_shown() -> None:
    """Any fact that changes the picture changes its name; the order of a mapping does not."""
    order = Move(Unit("A", Location("PAR")), Location("BUR"))
    done = adjudicate(START, {"FRANCE": [order]}, LIBRARY.variant("standard"))
    turn = TurnPicture("standard", START, done.outcomes, done.after)
    moved = tuple(replace(outcome, dislodged=True) for outcome in done.outcomes)
    names = {
        picture_name(facts)
        for facts in (
            PositionPicture("standard", START),
            PositionPicture("fleet_rome", START),
            PositionPicture("standard", replace(START, owners={})),
            OrdersPicture("standard", START, {"FRANCE": (order,)}),
            OrdersPicture("standard", START, {}),
            turn,
            replace(turn, outcomes=moved),
            replace(turn, after=START),
        )
    }
    assert len(names) == 8
    backwards = Position(START.phase, dict(reversed(list(START.units.items()))), dict(reversed(list(START.owners.items()))))
    assert picture_name(PositionPicture("standard", backwards)) == picture_name(PositionPicture("standard", START))


def test_other_processes_share_the_folder(tmp_path: Path) -> None:
    """A pool draws the same bytes and leaves them where this process finds them."""
    facts = PositionPicture("northseawars", LIBRARY.variant("northseawars").start)
    with open_picture_pool(tmp_path, processes=2) as pool:
        pngs = {future.result() for future in [pool.submit(picture_in_pool, facts) for _ in range(2)]}
    assert pngs == {Pictures(tmp_path, LIBRARY).picture(facts)}
    assert not list(tmp_path.glob(".new-*"))


def test_a_pool_ends_with_the_process_that_opened_it(tmp_path: Path) -> None:
    """Even if that one is killed and can say nothing."""
    script = (
        "import os, sys, time\nfrom pathlib import Path\nfrom judge.service.pictures import open_picture_pool\n"
        "if __name__ == '__main__':\n"
        "    print(open_picture_pool(Path(sys.argv[1]), processes=1).submit(os.getpid).result(), flush=True)\n"
        "    time.sleep(60)\n"
    )
    file = tmp_path / "opener.py"
    file.write_text(script, "utf-8")
    opener = subprocess.Popen([sys.executable, file, tmp_path], stdout=subprocess.PIPE, text=True)
    assert opener.stdout is not None
    beside = int(opener.stdout.readline())
    opener.kill()
    opener.wait()
    opener.stdout.close()
    wait_until(lambda: not is_running(beside))


def is_running(process: int) -> bool:
    """Whether there is such a process, and not only what is left of it until somebody asks."""
    try:
        return Path(f"/proc/{process}/stat").read_text("ascii", "replace").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_torn_board_is_made_again(tmp_path: Path) -> None:
    """A kept board that cannot be read is replaced, not believed."""
    Press(islets.drawing(), islets.board(), folder=tmp_path)
    kept = sorted(tmp_path.glob("board-*.png"))
    assert len(kept) == 3
    kept[0].write_bytes(kept[0].read_bytes()[:40])
    sheet = lay_position(islets.drawing(), islets.board(), islets.position("S1M", {"REDS": ["A WST"]}))
    assert opened(Press(islets.drawing(), islets.board(), folder=tmp_path).print_png(sheet)).size == (300, 200)


def test_broken_map_still_gives_a_picture(tmp_path: Path) -> None:
    """A map folder whose geometry is broken is drawn as a diagram, so that the letter goes out with something."""
    folder = tmp_path / "torn"
    folder.mkdir()
    (folder / "variant.toml").write_text('title = "Torn"\nversion = 1\nbased_on = "standard"\n', encoding="utf-8")
    (folder / "geometry.topo.json").write_text('{"objects": {}}', encoding="utf-8")
    library = Library((tmp_path,))
    assert drawing_of(library, "torn").is_diagram


def test_single_print_with_title() -> None:
    """`print_once` needs no press and gives the size asked for."""
    sheet = lay_position(islets.drawing(), islets.board(), islets.position("S1M", {"REDS": ["A WST"]}))
    assert opened(print_once(sheet, 600)).size == (600, 400)
