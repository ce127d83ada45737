"""`judge map`: list, check and draw the boards in maps/."""

import json
import sys
from pathlib import Path
from typing import TextIO

import click

from judge.errors import JudgeError
from judge.library import BadMap, Library, check_map, map_folder, search_path

FOLDERS = click.option(
    "--maps",
    "folders",
    multiple=True,
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="A folder of boards, searched first.",
)


ROW = "{name:24} {title:36} {powers:3} powers {provinces:4} provinces {centers:4} centres, {victory:3} win, from {start}"


@click.group("map")
def map_command() -> None:
    """List, check and draw boards."""


@map_command.command("list")
@FOLDERS
@click.option("--jsonl", is_flag=True, help="One JSON object a line.")
def list_maps(folders: tuple[Path, ...], jsonl: bool) -> None:
    """The boards there are: name, title, powers, provinces, centres, centres that win, first phase."""
    library = Library(folders)
    broken = False
    for name in library.variants():
        try:
            variant = library.variant(name)
        except BadMap as bad:
            broken = True
            click.echo(str(bad), err=True)
            continue
        facts = {
            "name": name,
            "title": library.title(name),
            "powers": len(variant.powers),
            "provinces": len(variant.board.provinces),
            "centers": len(variant.board.centres),
            "victory": variant.victory,
            "start": str(variant.start.phase),
        }
        click.echo(json.dumps(facts, ensure_ascii=False) if jsonl else ROW.format(**facts))
    sys.exit(1 if broken else 0)


@map_command.command("check")
@FOLDERS
@click.argument("boards", nargs=-1, required=True, metavar="NAME|FOLDER...")
def check_maps(folders: tuple[Path, ...], boards: tuple[str, ...]) -> None:
    """Find the faults of boards, each with file and line; exit status 1 if there are any."""
    sys.exit(0 if all([report_board(board, folders) for board in boards]) else 1)  # noqa: C419 -- every board is reported, not only the first


@map_command.command("draw")
@FOLDERS
@click.argument("board", metavar="NAME|FOLDER")
@click.option("--position", type=click.File(encoding="utf-8"), help="A case as JSON; without one the start is drawn.")
@click.option("--orders", type=click.File(encoding="utf-8"), help="Order lines under the powers' ids, or a JSON object of them by power.")
@click.option("--lang", default="en", show_default=True, metavar="LANG", help="Language of the title and the key.")
@click.option("--planned", is_flag=True, help="Show the orders as they are meant, not as they go.")
@click.option("--bare", is_flag=True, help="Only the map, as in letters.")
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path, dir_okay=False, writable=True), help="OUT.svg or OUT.png.")
def draw_board(
    folders: tuple[Path, ...], board: str, position: TextIO | None, orders: TextIO | None, lang: str, planned: bool, bare: bool, out: Path
) -> None:
    """Draw a board, a position, or a turn with its orders."""
    from judge.cli.draw import draw_map  # what draws is imported only to draw

    position_text, order_text = (file.read() if file else "" for file in (position, orders))
    try:
        draw_map(board, folders, out, position_text, order_text, lang, planned=planned, bare=bare)
    except (JudgeError, ValueError) as fault:
        raise click.ClickException(str(fault)) from fault


def report_board(board: str, folders: tuple[Path, ...] = ()) -> bool:
    """Print what is wrong with one board, or that nothing is; True if it is clean.  `judge check map` calls this too."""
    search = search_path("maps", folders)
    try:
        folder = map_folder(board, search)
        findings = check_map(folder, search)
    except BadMap as bad:
        findings = bad.findings
    for finding in findings:
        click.echo(str(finding))
    click.echo(f"{board}: {len(findings)} faults" if len(findings) > 1 else f"{board}: {'1 fault' if findings else 'no faults'}")
    return not findings
