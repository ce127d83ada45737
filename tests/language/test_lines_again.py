"""A line that was read before is read by the board, the writer and the language of now; only how its words go together is remembered."""

from collections.abc import Sequence

import pytest

from judge.language.complaints import WrongPhase
from judge.language.linereading import LineReading
from judge.language.reader import Reader
from judge.rules import read_phase, write_order
from tests.support.readers import position_of, reader


def read(line: str, units: Sequence[str], phase: str = "S1901M", prefer: str = "en") -> LineReading:
    """One line of France with these units, by a reader that has read the other lines of these tests."""
    position = position_of({"FRANCE": units}, "S1901M")
    (found,) = reader().read_lines([line], position=position, power="FRANCE", phase=read_phase(phase), prefer=[prefer])
    return found


def orders(found: LineReading) -> list[str]:
    return [write_order(order) for order in found.orders]


def test_by_the_units_of_now() -> None:
    assert [orders(read("Mar -> Spa", units)) for units in (["A MAR"], ["F MAR"], ["A PAR"], ["A MAR"])] == [
        ["A MAR - SPA"],
        ["F MAR - SPA"],
        [],
        ["A MAR - SPA"],
    ]


def test_by_the_phase_of_now() -> None:
    found = [read("army Par holds", ["A PAR"], phase) for phase in ("S1901M", "F1901R", "F1902M")]
    assert [orders(each) for each in found] == [["A PAR H"], [], ["A PAR H"]]
    assert isinstance(found[1].error, WrongPhase)


def test_with_its_own_place_in_the_letter() -> None:
    lines = ["A Par -> Bur", "A Mar hold", "A Par ->  Bur", "A Par -> Bur"]
    found = reader().read_lines(lines, position=position_of({"FRANCE": ["A PAR", "A MAR"]}, "S1901M"), power="FRANCE")
    assert [(each.n, each.line) for each in found] == list(enumerate(lines, 1))


def test_by_the_language_of_now() -> None:
    found = [read("A Par -> Burgundsko", ["A PAR"], prefer=prefer) for prefer in ("cs", "en", "cs")]
    assert [(orders(each), each.lang) for each in found] == [(["A PAR - BUR"], "cs")] * 3
    found = [read("A Par -> Bur", ["A PAR"], prefer=prefer) for prefer in ("cs", "en", "hu", "cs")]
    assert [(orders(each), each.lang) for each in found] == [(["A PAR - BUR"], prefer) for prefer in ("cs", "en", "hu", "cs")]


def test_only_so_many_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judge.language.boardwords.MOST_KNOWN", 3)
    own = Reader(reader().variant, reader().tongues)
    for line in ("A Par -> Bur", "A Par -> Pic", "A Par -> Bre", "A Par -> Gas", "A Par holds" + " now" * 20):
        own.read_lines([line], position=position_of({"FRANCE": ["A PAR"]}, "S1901M"), power="FRANCE")
    assert (own.understood("en", "A Par -> Bur"), own.understood("en", "A Par -> Gas") is None) == (None, False)
