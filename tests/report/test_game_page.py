"""The address of a game's page in its letters: for listed games only, the same for every reader, in the reader's language."""

import re
from dataclasses import replace

import pytest

from judge.library import shipped_folder
from judge.mail import Letter
from judge.report import Scribe, SecretPostage
from judge.report.sitemap import game_folder, game_path
from tests.support.golden_game import NOW, OWN, autumn_game, closed, library, people, scribe, variant

BASE = "https://games.example.org/diplomacy/"
LINES = {"en": "The game on the web: ", "cs": "Hra na webu: ", "hu": "A játszma a weben: ", "ru": "Партия в интернете: "}


def linking() -> Scribe:
    """A scribe of a judge whose archive has an address."""
    return Scribe(
        library(),
        SecretPostage(OWN, b"key"),
        shipped_folder("templates"),
        judge_name="Chancery",
        address="judge@chancery.example",
        archive=BASE,
    )


def results(writer: Scribe, language: str = "en", **settings: object) -> list[Letter]:
    """The letters of a closed phase."""
    game, notice = closed(autumn_game())
    game = replace(game, settings=replace(game.settings, **settings))  # type: ignore[arg-type]  # fields of Settings by name
    return writer.letters(game, notice, people(language), variant(), NOW)


@pytest.mark.parametrize("language", LINES)
def test_a_result_names_the_page_of_its_game_in_the_readers_language(language: str) -> None:
    page = f"{BASE}{language}/games/danube.1/"
    letters = results(linking(), language)
    assert len(letters) == 8
    for letter in letters:
        assert " ".join(letter.text.split()).count(f"{LINES[language]}{page}") == 1
        assert (letter.html or "").count(f'href="{page}"') == 1


def test_the_address_is_that_of_the_page() -> None:
    page = re.search(r'href="(https:[^"]+)"', results(linking())[0].html or "")
    assert page is not None
    assert page[1] + "index.html" == BASE + game_path("en", game_folder(1, "danube"))


def test_a_private_game_has_no_page_and_a_judge_without_archive_none_at_all() -> None:
    for letter in (*results(linking(), listed=False), *results(scribe())):
        assert "on the web" not in letter.text
        assert "https:" not in (letter.html or "")


def test_nothing_secret_stands_in_a_link() -> None:
    letters = results(linking())
    assert {tuple(re.findall(r"https?:[^\s\"<]+", letter.html or "")) for letter in letters} == {(f"{BASE}en/games/danube.1/",)}
    for letter in letters:
        token = letter.reply_to.partition("@")[0].rpartition(".")[2]
        assert len(token) > 8
        assert token not in letter.text
        assert token not in (letter.html or "")
