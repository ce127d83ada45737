"""Several games in one mail: a heading that names one opens a block, a misspelt one is asked back; misspelt commands are named."""

import pytest

from judge.language.requests import Line, read_request
from tests.support.golden_game import library

WORDS = library().command_words
GAMES = {"danube", "rhine"}


def blocks(text: str) -> list[tuple[str, list[str]]]:
    """The blocks of a mail in a reply about the game danube, from somebody who plays rhine too: each game, and the lines below it."""

    def meant(word: str) -> str:
        return {"rhien": "rhien", "dnaube": "danube"}.get(word, word if word in GAMES else "")

    found = read_request(text, "", WORDS, GAMES.__contains__, meant).blocks
    return [(block.game, [entry.text for entry in block.entries if isinstance(entry, Line)]) for block in found]


@pytest.mark.parametrize(
    "heading",
    [
        "rhine",
        "RHINE:",
        "[rhine]",
        "== Rhine ==",
        "rhine.",
        "Orders for rhine",
        "My orders for the game rhine:",
        "Game: rhine",
        "GAME rhine",
        "for rhine:",
        "Hra rhine",
        "Rozkazy pro rhine:",
        "Партия rhine",
        "Приказы для rhine",
        "rhine játszma",
        "SINGON rhine",
        "# rhine",
    ],
)
def test_what_stands_below_the_name_of_a_game_is_meant_for_it(heading: str) -> None:
    cut = blocks(f"A Par - Bur\n{heading}\nA Par - Pic\ndanube\nA Mar - Spa")
    assert [lines for _, lines in cut] == [["A Par - Bur"], ["A Par - Pic"], ["A Mar - Spa"]]
    assert cut[2][0] == "danube"


@pytest.mark.parametrize("line", ["Rhine is going badly", "A Par - Rhine", "Rhine, Danube", "thanks from rhine players", "A Rhine H"])
def test_a_line_that_only_mentions_a_game_opens_nothing(line: str) -> None:
    assert blocks(f"{line}\nA Par - Bur") == [("", [line, "A Par - Bur"])]


def test_the_misspelt_name_of_another_game_is_no_game_and_that_of_this_one_is() -> None:
    assert blocks("rhien:\nA Par - Pic") == [("rhien", ["A Par - Pic"])]
    assert blocks("dnaube:\nA Par - Pic") == [("danube", ["A Par - Pic"])]


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("staus", "status"),
        ("wiat", "wait"),
        ("Summry", "summary"),
        ("hlep", "help"),
        ("my gmaes", "mygames"),
        ("histroy", "history"),
        ("napoveda", "help"),
        ("nápovědda", "help"),
        ("стаутс", ""),
        ("Thanks", ""),
        ("Anna", ""),
        ("A Par", ""),
        ("Paris", ""),
    ],
)
def test_a_misspelt_command_is_known_by_its_word(text: str, command: str) -> None:
    assert WORDS.near(text) == command
