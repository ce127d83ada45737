"""Pictures of one's own orders in answers, and pictures drawn in processes of their own while letters go on leaving."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from judge.config import LimitsConfig
from judge.library import Library
from judge.rules import read_order, read_phase
from judge.service import gallery as gallery_module
from judge.service.gallery import Gallery, drawing_pool, orders_key, picture_key
from judge.service.pictures import OrdersPicture, PictureFacts, Pictures, PositionPicture, TurnPicture
from judge.store import SqlStore, open_store
from tests.support import shelf
from tests.support.duel import Duel
from tests.support.table import Read

PNG = b"\x89PNG\r\n\x1a\n"


class Drawn(Pictures):
    """Notes what is asked for, and gives a tiny PNG."""

    def __init__(self) -> None:
        super().__init__(Path("nowhere"), Library())
        self.asked: list[PictureFacts] = []

    def picture(self, facts: PictureFacts) -> bytes:
        self.asked.append(facts)
        return PNG + b"tiny"


@pytest.fixture
def drawn() -> Drawn:
    return Drawn()


def duel_with_pictures(folder: Path, drawn: Drawn, limits: LimitsConfig | None = None) -> Duel:
    duel = Duel(folder, options="")
    config = replace(duel.s.config, judge=replace(duel.s.config.judge, pictures=True), limits=limits or LimitsConfig())
    duel.s = duel.table.s = replace(duel.s, config=config, pictures=Gallery(duel.s.store, drawn))
    return duel


@pytest.fixture
def duel(tmp_path: Path, drawn: Drawn) -> Duel:
    return duel_with_pictures(tmp_path, drawn)


def pictures_in(letter: Read) -> list[str]:
    return [part.get_content_type() for part in letter.headers.walk() if part.get_content_maintype() == "image"]


def test_without_a_wish_answers_have_no_picture(duel: Duel, drawn: Drawn) -> None:
    (answer,) = duel.write("ENGLAND", duel.holds("ENGLAND"))
    assert pictures_in(answer) == []
    assert "picture" not in answer.text
    assert drawn.asked == []


def test_an_answer_shows_the_orders_of_its_reader_and_of_nobody_else(duel: Duel, drawn: Drawn) -> None:
    duel.write("TURKEY", duel.holds("TURKEY"))
    duel.write("ENGLAND", "SET PICTURES ON")
    (answer,) = duel.write("ENGLAND", "A Lon - Wal")
    assert pictures_in(answer) == ["image/png"]
    assert 'src="cid:' in answer.html
    assert "A picture of these orders comes with this letter." in answer.text
    (facts,) = drawn.asked
    assert isinstance(facts, OrdersPicture)
    assert list(facts.orders) == ["ENGLAND"]
    assert facts.orders["ENGLAND"] == (read_order("A LON - WAL"),)
    assert facts.position == duel.game.position


def test_what_is_not_about_orders_has_no_picture(duel: Duel) -> None:
    (wish,) = duel.write("ENGLAND", "SET PICTURES ON")
    (status,) = duel.write("ENGLAND", "STATUS")
    assert pictures_in(wish) == pictures_in(status) == []
    (off,) = duel.write("ENGLAND", f"SET PICTURES OFF\n{duel.holds('ENGLAND')}")
    assert pictures_in(off) == []


def test_a_dry_run_shows_guesses_too(duel: Duel, drawn: Drawn) -> None:
    duel.write("ENGLAND", "SET PICTURES ON")
    duel.write("ENGLAND", duel.holds("ENGLAND"))
    guess = duel.holds("TURKEY").splitlines()[0]
    (answer,) = duel.write("ENGLAND", f"PREVIEW\n{guess}")
    assert pictures_in(answer) == ["image/png"]
    facts = drawn.asked[-1]
    assert isinstance(facts, OrdersPicture)
    assert set(facts.orders) == {"ENGLAND", "TURKEY"}


def test_so_many_an_hour_and_no_more(tmp_path: Path, drawn: Drawn) -> None:
    duel = duel_with_pictures(tmp_path, drawn, LimitsConfig(pictures_per_hour=2))
    duel.write("ENGLAND", "SET PICTURES ON")
    shown = [bool(pictures_in(duel.write("ENGLAND", duel.holds("ENGLAND"), subject=f"orders {n}")[0])) for n in range(3)]
    assert shown == [True, True, False]
    duel.clock.at += timedelta(hours=1)
    (later,) = duel.write("ENGLAND", duel.holds("ENGLAND"), subject="later")
    assert pictures_in(later) == ["image/png"]


def test_the_picture_is_of_the_orders_that_were_sent_even_if_the_letter_leaves_late(duel: Duel, drawn: Drawn) -> None:
    """The key holds the orders; the position is that of their phase, also when it is closed by then."""
    key = orders_key(duel.game.id, duel.game.phase, {"ENGLAND": (read_order("F LON - NTH"),)})
    began = duel.game.position
    for power in ("ENGLAND", "TURKEY"):
        duel.write(power, duel.holds(power))
    duel.table.wait(timedelta(days=4))
    assert duel.game.phase != began.phase
    duel.s.pictures.fetch(key)
    facts = drawn.asked[-1]
    assert isinstance(facts, OrdersPicture)
    assert (facts.position, facts.orders) == (began, {"ENGLAND": (read_order("F LON - NTH"),)})


def test_a_picture_that_cannot_be_drawn_holds_no_letter_up(duel: Duel, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: str) -> bytes:
        raise RuntimeError("no ink")

    duel.write("ENGLAND", "SET PICTURES ON")
    monkeypatch.setattr(duel.s.pictures, "fetch", broken)
    (answer,) = duel.write("ENGLAND", duel.holds("ENGLAND"))
    assert pictures_in(answer) == []
    assert "cid:" not in answer.html


def test_keys_are_read_back() -> None:
    orders = {"FRANCE": (read_order("A PAR - BUR"), read_order("F BRE H")), "ITALY": ()}
    key = orders_key(3, read_phase("S1901M"), orders)
    assert key == "orders:3:S1901M:FRANCE=A PAR - BUR,F BRE H"
    assert gallery_module._read_orders(key.split(":", 3)[3]) == {"FRANCE": orders["FRANCE"]}
    assert gallery_module._read_orders("") == {}


# ---- processes


class Slow(Executor):
    """A pool of one thread that draws when it is told to."""

    def __init__(self, draw: Callable[[PictureFacts], object]) -> None:
        self.go = threading.Event()
        self.submitted = 0
        self._draw = draw

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> "Future[Any]":
        future: Future[Any] = Future()
        self.submitted += 1

        def work() -> None:
            self.go.wait(20)
            future.set_result(self._draw(args[0]))

        threading.Thread(target=work, daemon=True).start()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self.go.set()


@pytest.fixture
def store(tmp_path: Path) -> SqlStore:
    return open_store(f"sqlite:///{tmp_path / 'judge.db'}")


def facts(number: int) -> PictureFacts:
    start = Library().variant("standard").start
    return PositionPicture("standard", replace(start, phase=replace(start.phase, year=1901 + number)))


def test_few_pictures_start_no_process(store: SqlStore, drawn: Drawn) -> None:
    pool = Slow(drawn.picture)
    gallery = Gallery(store, drawn, lambda: pool)
    for number in range(gallery_module.ALONE):
        gallery.begin(picture_key(1, number), facts(number))
        assert gallery.is_ready(picture_key(1, number))
    assert pool.submitted == 0
    assert gallery.fetch(picture_key(1, 0)).startswith(PNG)
    assert drawn.asked == [facts(0)]


def test_many_are_drawn_elsewhere_and_letters_without_them_are_ready(store: SqlStore, drawn: Drawn) -> None:
    pool = Slow(drawn.picture)
    gallery = Gallery(store, drawn, lambda: pool)
    for number in range(10):
        gallery.begin(picture_key(1, number), facts(number))
    assert pool.submitted == 10
    assert not gallery.is_ready(picture_key(1, 9))
    assert gallery.is_ready(None)
    assert gallery.is_ready(picture_key(2, 1))
    pool.go.set()
    assert gallery.fetch(picture_key(1, 9)).startswith(PNG)
    end = time.monotonic() + 10
    while not all(gallery.is_ready(picture_key(1, number)) for number in range(10)):
        assert time.monotonic() < end
        time.sleep(0.01)
    gallery.close()


def test_without_processes_everything_is_drawn_here(store: SqlStore, drawn: Drawn) -> None:
    def none_left() -> Executor:
        raise OSError("no more processes")

    gallery = Gallery(store, drawn, none_left)
    for number in range(10):
        gallery.begin(picture_key(1, number), facts(number))
    assert all(gallery.is_ready(picture_key(1, number)) for number in range(10))
    assert gallery.fetch(picture_key(1, 7)) == PNG + b"tiny"
    assert drawn.asked == [facts(7)]


def test_processes_draw_into_the_folder(tmp_path: Path) -> None:
    """The real thing: four phases of a game, drawn by processes, fetched from the folder."""
    config = shelf.fill(tmp_path, (shelf.tatry,))
    store = open_store(config.database_url)
    folder = tmp_path / "drawn"
    Pictures(shelf.pictures(), Library()).press("standard")
    shelf.lend_boards(folder)
    gallery = Gallery(store, Pictures(folder, Library()), drawing_pool(folder, ()))
    with store.reading() as tx:
        turns = tx.turns.of(1, withdrawn=True)
    for turn in turns:
        gallery.begin(
            picture_key(1, turn.number), TurnPicture("standard", turn.before, turn.adjudication.outcomes, turn.adjudication.after)
        )
    assert not gallery.is_ready(picture_key(1, 1))
    assert all(gallery.fetch(picture_key(1, turn.number)).startswith(PNG) for turn in turns)
    assert len([path for path in folder.glob("*.png") if not path.name.startswith("board-")]) == len(turns)
    gallery.close()
    store.close()
