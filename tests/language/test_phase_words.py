"""Phases by their tags and in words of every language, as PHASE, PROCESS and ROLLBACK take them."""

import pytest

from judge.game import BadMoment, ProcessNow, RollBack
from judge.language.commands import CommandReader
from judge.language.powerindex import PowerIndex
from judge.language.requests import Line
from tests.support.readers import LIBRARY

WORDS = LIBRARY.command_words
READER = CommandReader(WORDS, PowerIndex({}, ()))


@pytest.mark.parametrize(
    ("text", "phase"),
    [
        ("PHASE F1901M", "F1901M"),
        ("PHASE f 1901 m", "F1901M"),
        ("PHASE F1901", "F1901M"),
        ("PHASE W1901", "W1901A"),
        ("PHASE F1M", "F1M"),
        ("PHASE spring 3", "S3M"),
        ("PHASE fall 1901", "F1901M"),
        ("for phase: Spring 1902 retreats", "S1902R"),
        ("PHASE the retreats of spring 1902", "S1902R"),
        ("PHASE Winter 1903", "W1903A"),
        ("PHASE pro fázi podzim 1901", "F1901M"),
        ("PRO FÁZI podzim 1901", "F1901M"),
        ("fáze jaro roku 1902", "S1902M"),
        ("PHASE ústupy podzimu 1901", "F1901R"),
        ("PHASE zima 1901", "W1901A"),
        ("PHASE podzimní kolo 1901", "F1901M"),
        ("PHASE 1901 ősz", "F1901M"),
        ("fázis: ősz 1901-ben", "F1901M"),
        ("erre a fázisra: 1903 őszi visszavonulás", "F1903R"),
        ("fázis 1903 tél", "W1903A"),
        ("PHASE осень 1901", "F1901M"),
        ("для фазы весна 1905 года", "S1905M"),
        ("фаза осень 1905-го, отступления", "F1905R"),
        ("PHASE Herbst 1902", "F1902M"),
        ("PHASE automne 1902", "F1902M"),
        ("PHASE jesień roku 1902", "F1902M"),
    ],
)
def test_a_phase_in_words(text: str, phase: str) -> None:
    match = WORDS.match(text)
    assert match is not None
    assert match.name == "phase"
    assert str(READER.options.phase(match.rest)) == phase


@pytest.mark.parametrize("text", ["podzim", "1901", "X1901", "podzim 1901 jaro", "jaro 1901 1902", "podzim 1901 v Paříži", "tomorrow"])
def test_what_names_no_phase_is_refused(text: str) -> None:
    with pytest.raises(BadMoment):
        READER.options.phase(text)


def test_masters_name_phases_in_words_too() -> None:
    assert READER.read(Line(1, "", "process", "jaro 1901")) == ProcessNow(READER.options.phase("S1901M"))
    assert READER.read(Line(1, "", "rollback", "весна 1902")) == RollBack(READER.options.phase("S1902M"))
