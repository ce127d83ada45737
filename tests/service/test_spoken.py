"""Everybody is answered in the language of the mail, from the first letter to a stranger on."""

import re
from pathlib import Path

import pytest

from tests.support.table import Read, Table

JUDGE = "judge@judge.example"
HELLO = {"en": "Questions: reply HELP", "cs": "Nevíte si rady?", "hu": "Kérdésed van?", "ru": "Вопросы? Ответьте"}
"""What stands at the foot of every letter of a language."""


def language(letter: Read) -> str:
    (found,) = (lang for lang, foot in HELLO.items() if foot in letter.text)
    return found


def code(letters: list[Read]) -> str:
    found = next(match for letter in letters if (match := re.search(r"\b[a-z0-9]{5}-[a-z0-9]{5}\b", letter.text)))
    return found[0]


@pytest.fixture
def table(tmp_path: Path) -> Table:
    table = Table(tmp_path)
    asked = table.mail("gm@masters.example", JUDGE, "CREATE danube")
    table.mail("gm@masters.example", JUDGE, f"CONFIRM {code(asked)}")
    return table


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ("přihlásit danube", "cs"),
        ("sledovat danube", "cs"),
        ("nápověda", "cs"),
        ("přihlásit dunaj", "cs"),
        ("založ hru dyje", "cs"),
        ("Ahoj, rád bych hrál, jak se přihlásím?", "cs"),
        ("jelentkezem danube", "hu"),
        ("súgó", "hu"),
        ("Szeretnék játszani, hová írjak? Őszintén", "hu"),
        ("вступаю danube", "ru"),
        ("список партий", "ru"),
        ("Хочу играть, что делать?", "ru"),
        ("chci hrat, jak se prihlasim", "cs"),
        ("Kérek segítséget, nem megy", "hu"),
        ("Is there anybody there?", "en"),
        ("I would like to play. Jiří", "en"),
        ("SIGNON danube\n\nХочу играть!", "ru"),
        ("SIGNON danube", "en"),
        ("HELP", "en"),
    ],
)
def test_a_stranger_is_answered_in_the_language_of_the_mail(table: Table, text: str, spoken: str) -> None:
    letters = [letter for letter in table.mail("stranger@example.org", JUDGE, text) if letter.to == "stranger@example.org"]
    assert letters
    assert {language(letter) for letter in letters} == {spoken}


@pytest.mark.parametrize("reply", ["CONFIRM {}", "potvrzuji {}"])
def test_the_first_letters_of_a_seat_speak_as_its_player_does(table: Table, reply: str) -> None:
    asked = table.mail("eva@players.example", JUDGE, "přihlásit danube Francie")
    letters = table.mail("eva@players.example", JUDGE, reply.format(code(asked)))
    letters = [letter for letter in letters if letter.to == "eva@players.example"]
    assert {language(letter) for letter in letters} == {"cs"}
    seat = letters[-1].reply_to
    for text, spoken in (("STATUS", "cs"), ("állapot", "hu"), ("STATUS", "hu"), ("SET LANGUAGE en", "en"), ("stav", "en")):
        (answer,) = table.mail("eva@players.example", seat, text)
        assert (text, language(answer)) == (text, spoken)
