"""Nonsense, prose and floods are answered in linear time, and never guessed at."""

import random
import time

import pytest

from judge.language import LineKind
from tests.support.readers import reader

WORDS = [
    "the",
    "of",
    "army",
    "fleet",
    "paris",
    "burgundy",
    "supports",
    "xyz",
    "qwerty",
    "north",
    "sea",
    "moves",
    "holds",
    "attack",
    "foo",
    "bar",
    "армия",
    "tart",
]


def seconds(lines: list[str]) -> float:
    start = time.process_time()
    reader().read_lines(lines)
    return time.process_time() - start


def test_ten_thousand_lines_of_orders() -> None:
    assert seconds([f"A Par - Bur {'S' * (number % 2)}" for number in range(10_000)]) < 5


def test_ten_thousand_lines_of_word_salad() -> None:
    chance = random.Random(1)
    salad = [" ".join(chance.choice(WORDS) for _ in range(chance.randint(3, 14))) for _ in range(10_000)]
    assert seconds(salad) < 5


def test_ten_thousand_misspelt_lines() -> None:
    chance = random.Random(2)
    letters = "abcdefghijklmnopqrstuvwxyz"
    assert seconds([f"A Par{chance.choice(letters)}{chance.choice(letters)} - Burgu{chance.choice(letters)}dy" for _ in range(10_000)]) < 5


@pytest.mark.parametrize(
    "piece", ["A PAR - BUR ", "A PAR S ", "x", "ж ", "(", "Paris ", "a ", "- ", "S ", "North ", "a hadsereg ", "A PAR - BUR; ", "😀"]
)
def test_a_line_of_a_hundred_kilobytes(piece: str) -> None:
    line = piece * (100_000 // len(piece))
    start = time.process_time()
    (reading,) = reader().read_lines([line])
    assert time.process_time() - start < 5
    assert (reading.kind, reading.error and reading.error.code) == (LineKind.UNKNOWN, "too_long")


@pytest.mark.parametrize(
    "piece", ["A PAR - BUR ", "A PAR S ", "ж ", "(", "Paris ", "a ", "- ", "S ", "North ", "a hadsereg ", "A PAR - BUR; ", "S A "]
)
def test_a_line_just_short_enough(piece: str) -> None:
    start = time.process_time()
    reader().read_lines([piece * (3900 // len(piece))])
    assert time.process_time() - start < 1


@pytest.mark.parametrize(
    "line",
    [
        "😀😀 🎉",
        "?!?!",
        "----------",
        "As promised, our fleets will meet off the coast; I shall tell you more when the snow is gone.",
        "Díky moc za hru, bylo to skvělé!",
        "Köszönöm szépen a játékot.",
        "Спасибо за игру, до встречи весной!",
        "P Goldshire -> Northshire",
        "C2-C4 e7e5",
        "SELECT * FROM units;",
    ],
)
def test_what_is_no_order_gives_none(line: str) -> None:
    (reading,) = reader().read_lines([line])
    assert reading.orders == ()
    assert reading.kind in (LineKind.UNKNOWN, LineKind.COMMENT)
