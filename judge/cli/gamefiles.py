"""`judge game export` and `judge game import`: games to files and out of files."""

from pathlib import Path
from typing import BinaryIO, TextIO

import click

from judge.cli.games import find_game, game_command, opened
from judge.cli.run import config_option
from judge.errors import OperatorError, PlayerError

__all__ = ["game_command"]

FORMS = ("json", "saved-game", "text")


@game_command.command("export")
@config_option
@click.argument("name")
@click.option("--as", "form", type=click.Choice(FORMS), default="json", show_default=True, help="The form; docs/interfaces.md tells them.")
@click.option("--public", is_flag=True, help="JSON of what everybody may see: no people, no orders on file, no secret messages.")
@click.option("--language", default="", help="The language of the text; the judge's own if none is named.")
@click.option("-o", "--output", type=click.File("w", encoding="utf-8"), default="-", help="Where to write.")
def export_one(file: Path, name: str, form: str, public: bool, language: str, output: TextIO) -> None:
    """A whole game as a file.

    json: everything, with people, messages, orders on file: to move it to another installation, and as secret as the database.
    saved-game: for the PyPI package `diplomacy`; also as secret while the game runs. text: a readable archive of what everybody may know.
    """
    from judge.service.gamefiles import export_json, export_saved_game, export_text
    from judge.wiring import build_pages

    with opened(file) as services:
        game = find_game(services, name)
        try:
            match form:
                case "json":
                    text = export_json(services, game, public=public)
                case "saved-game":
                    text = export_saved_game(services, game)
                case _:
                    pages = build_pages(services.config, services.library)
                    lang = language or services.config.judge.language
                    if lang not in pages.languages:
                        raise OperatorError(f"nothing is written in {lang!r}; there are {', '.join(pages.languages)}")
                    text = export_text(services, game, pages, lang)
        except OperatorError as fault:
            raise click.ClickException(str(fault)) from fault
    output.write(text)


@game_command.command("import")
@config_option
@click.argument("sources", nargs=-1, required=True, type=click.File("rb"))
@click.option("--name", default="", help="Another name for the game.")
@click.option("--map", "board", default="", help="The board, where the file does not tell it.")
@click.option("--master", default="", metavar="ADDRESS", help="Who is to be its master; is written to at once.")
@click.option("--player", "players", multiple=True, metavar="POWER=ADDRESS", help="Who plays a power; may be given for each.")
def import_some(file: Path, sources: tuple[BinaryIO, ...], name: str, board: str, master: str, players: tuple[str, ...]) -> None:
    """A game out of a file: an export, a saved game of the package `diplomacy`, or result letters of nJudge or DPjudge (mails, mbox, text).

    A game that was running is paused until its master lets it go on. What could not be taken over is said line by line.
    """
    from judge.service.gamefiles import import_files, read_company

    with opened(file) as services:
        try:
            company = read_company(services, master, players)
            done = import_files(services, [source.read() for source in sources], name, board, company)
        except (OperatorError, PlayerError) as fault:
            raise click.ClickException(str(fault) or type(fault).__name__) from fault
    click.echo(f"{done.game.name}: {done.game.turns} phases, {done.game.presses} messages, now {done.game.phase}, {done.game.status}")
    for remark in done.remarks:
        click.echo(f"  {remark}")
