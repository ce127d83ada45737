"""Greetings, thanks and closings are comments in every language; what looks like an order beside them is read."""

import pytest

from judge.language import LineKind
from judge.language.requests import PressText, read_request
from tests.support.readers import LANGUAGES, LIBRARY, position_of, reader, spelled

WORDS = LIBRARY.command_words
GREETINGS = [(language, text) for language in LANGUAGES for text in LIBRARY.tongue(language).lexicon.small["greetings"]]


@pytest.mark.parametrize(("language", "text"), GREETINGS)
def test_every_greeting_is_passed_over(language: str, text: str) -> None:
    readings = reader().read_lines([f"{text.capitalize()},", f"{text} Petr!", text.upper()], prefer=(language,))
    assert [reading.kind for reading in readings] == [LineKind.COMMENT] * 3


@pytest.mark.parametrize(("language", "text"), GREETINGS)
def test_no_greeting_is_taken_for_a_command(language: str, text: str) -> None:
    request = read_request(f"{text}!\nA Par - Bur", "", WORDS, lambda _: False)
    assert [entry.command for block in request.blocks for entry in block.entries] == ["", ""]
    assert not any(isinstance(entry, PressText) for block in request.blocks for entry in block.entries)


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("Hello, A Par - Bur", ["A PAR - BUR"]),
        ("Ahoj Petře, A Par - Bur", ["A PAR - BUR"]),
        ("Sziasztok! A Párizs - Burgundia", ["A PAR - BUR"]),
        ("Добрый день! Армия Париж - Бургундия", ["A PAR - BUR"]),
        ("A Par - Bur, thanks", ["A PAR - BUR"]),
        ("F Best - Mao", ["F BRE - MAO"]),
    ],
)
def test_orders_beside_a_greeting_are_read(text: str, orders: list[str]) -> None:
    (reading,) = reader().read_lines([text], position=position_of(["A PAR", "F BRE"]))
    assert spelled(reading) == orders


@pytest.mark.parametrize(
    "text", ["Hello, A Prr - Brr", "Thanks, F Lonn Nth", "Ahoj, neútočit na Paříž", "Dear all, 3 builds", "LIST thanks"]
)
def test_what_may_be_more_than_a_greeting_is_answered(text: str) -> None:
    (reading,) = reader().read_lines([text], position=position_of(["A PAR", "F LON"]), commands=WORDS)
    assert reading.kind is not LineKind.COMMENT


def test_a_name_below_a_closing_is_a_signature_and_elsewhere_is_not() -> None:
    kinds = [reading.kind for reading in reader().read_lines(["A Par - Bur", "S pozdravem", "", "Petr Novák", "A Mar H", "Petr Novák"])]
    assert kinds == [LineKind.ORDER, LineKind.COMMENT, LineKind.BLANK, LineKind.COMMENT, LineKind.ORDER, LineKind.UNKNOWN]


def test_a_greeting_is_no_heading() -> None:
    readings = reader().read_lines(["Dear Germany,", "A Mun H"])
    assert [reading.power for reading in readings] == [None, None]
