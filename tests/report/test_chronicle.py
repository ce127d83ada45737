"""A whole game as one text, in every language; a game that runs tells no secret in it."""

from pathlib import Path
from typing import Any

import pytest

from judge.game import Person
from judge.library import shipped_folder
from judge.report.exhibits import GameFile
from judge.report.pages import Pages
from tests.support import shelf
from tests.support.golden_game import NOW, library

GOLDEN = Path(__file__).parents[1] / "golden" / "games"
PEOPLE = {
    number: Person(number, name, f"{shelf.CANARY}{number}@example.org")
    for number, name in enumerate((*shelf.NAMES, *shelf.HIDDEN_NAMES), 1)
} | {shelf.MASTER: Person(shelf.MASTER, "Margit Sándor", f"gm.{shelf.CANARY}@example.org")}


def told(made: Any, language: str) -> str:
    """The text of a game of the shelf."""
    game, turns, press = made()
    variant = library().variant(game.variant)
    drawing = library().pack(game.variant).drawing
    file = GameFile(game, variant, tuple(turns), tuple(press), drawing.style.looks(variant.powers), drawing.size)
    pages = Pages(library(), shipped_folder("templates"), judge_name="Chancery", address="judge@chancery.example")
    return pages.chronicle(language, file, PEOPLE, NOW)


@pytest.mark.parametrize("language", ["en", "cs", "hu", "ru"])
def test_a_whole_game_as_agreed(language: str, renew: bool) -> None:
    path, text = GOLDEN / f"danube-{language}.txt", told(shelf.danube, language)
    if renew:
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")


@pytest.mark.parametrize("made", [made for made in shelf.GAMES if made is not shelf.unlisted], ids=lambda made: made.__name__)
def test_no_secret_and_no_line_too_long(made: Any) -> None:
    text = told(made, "en")
    assert shelf.CANARY not in text
    assert "@" not in text
    assert max(map(len, text.splitlines())) <= 72
