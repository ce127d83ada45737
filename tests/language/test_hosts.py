"""Lines that speak of many units at once ("all hold", "A Par - Bur, rest hold"): whom they mean, and when it is asked back."""

from collections.abc import Mapping

import pytest

from judge.rules import read_position
from tests.support.readers import reader

MOVEMENT = {"phase": "S1901M", "units": {"FRANCE": ["A PAR", "A MAR", "F BRE"], "GERMANY": ["A MUN", "F KIE"]}}
RETREAT = {
    "phase": "S1901R",
    "units": {"FRANCE": ["A PAR"], "GERMANY": ["A BUR", "A GAS"]},
    "dislodged": [
        {"power": "FRANCE", "unit": "A MAR", "retreats": ["SPA", "PIE"]},
        {"power": "FRANCE", "unit": "F BRE", "retreats": ["MAO", "ENG"]},
    ],
}
WINTER = {"phase": "W1901A", "units": {"FRANCE": ["A PAR"]}, "centers": {"FRANCE": ["PAR", "MAR"]}}


def told(lines: list[str], case: Mapping[str, object], power: str = "FRANCE") -> list[tuple[list[str], str]]:
    """Of each line its orders, sorted, and the code of what is asked back."""
    board = reader()
    readings = board.read_lines(lines, position=read_position(case, board.variant), power=power)
    return [(sorted(map(str, reading.orders)), reading.error.code if reading.error else "") for reading in readings]


ALL = ["A MAR H", "A PAR H", "F BRE H"]
REST = ["A MAR H", "F BRE H"]


@pytest.mark.parametrize(
    "line",
    [
        "All units hold", "all hold", "ALL MY UNITS HOLD!", "Everyone holds", "hold all", "please hold all units",
        "Hello, all units hold please",
        "všechny jednotky drží", "Všechny moje jednotky stojí.", "vše drží",
        "Minden egység tart", "minden egységem tart", "mindenki marad",
        "Все войска стоят", "все держат позиции", "все стоят",
        "Alle Einheiten halten", "alles bleibt", "toutes les unités tiennent", "wszystkie jednostki stoją",
    ],
)  # fmt: skip
def test_all_units_hold(line: str) -> None:
    assert told([line], MOVEMENT) == [(ALL, "")]


@pytest.mark.parametrize(
    "line",
    [
        "rest hold", "the rest holds", "All other units hold.", "everything else holds", "hold everything else", "All hold",
        "remaining units: hold", "ostatní drží", "všechny ostatní jednotky stojí", "zbytek drží",
        "a többi tart", "minden más egység marad", "остальные стоят", "все остальные держат позиции",
        "der Rest hält", "alle anderen Einheiten halten", "les autres unités tiennent", "reszta stoi",
    ],
)  # fmt: skip
def test_the_rest_are_the_units_that_no_other_line_names(line: str) -> None:
    assert told(["A Par - Bur", line], MOVEMENT) == [(["A PAR - BUR"], ""), (REST, "")]
    assert told([line, "A Par - Bur"], MOVEMENT) == [(REST, ""), (["A PAR - BUR"], "")]
    assert told([f"A Par - Bur, {line}"], MOVEMENT) == [(["A MAR H", "A PAR - BUR", "F BRE H"], "")]


@pytest.mark.parametrize(
    ("line", "orders"),
    [
        ("all armies hold", ["A MAR H", "A PAR H"]),
        ("the fleets hold", []),  # no word says which
        ("všechny armády stojí", ["A MAR H", "A PAR H"]),
        ("все армии стоят", ["A MAR H", "A PAR H"]),
        ("minden hadsereg tart", ["A MAR H", "A PAR H"]),
        ("all fleets hold", ["F BRE H"]),
    ],
)
def test_one_kind_of_unit(line: str, orders: list[str]) -> None:
    assert told([line], MOVEMENT)[0][0] == orders


@pytest.mark.parametrize(
    "line",
    [
        "all units do not hold", "all hold or move", "all hold if attacked", "not all hold",
        "all units support A Par", "all units move", "hold", "Hold everything!", "all units disband",
        "rest hold unless attacked", "> all units hold", "(all units hold)",
    ],
)  # fmt: skip
def test_what_says_more_is_asked_back(line: str) -> None:
    ((orders, _),) = told([line], MOVEMENT)
    assert orders == []


def test_the_rest_of_nothing_is_asked_back() -> None:
    assert told(["rest hold"], MOVEMENT) == [([], "rest_unclear")]


def test_no_unit_holds_whose_line_is_asked_back() -> None:
    """Else the phase might close on it before it is put right."""
    assert told(["A Parxx - Bur", "rest hold"], MOVEMENT)[1] == ([], "rest_unclear")  # nobody knows whose line that is
    assert told(["F Bre - MAO", "A Par - Brg", "all hold"], MOVEMENT)[2] == (["A MAR H"], "")
    asked, rest = told(["Par supports Bre - Gas if possible", "F Bre - MAO, rest hold"], MOVEMENT)
    assert asked == ([], "doubtful")
    assert "A PAR H" not in rest[0]


def test_nobody_is_left() -> None:
    assert told(["A Par - Bur", "A Mar H", "F Bre - MAO", "rest hold"], MOVEMENT)[3] == ([], "")


def test_the_dislodged_disband() -> None:
    assert told(["all units disband"], RETREAT) == [(["A MAR D", "F BRE D"], "")]
    assert told(["A Mar R Spa", "rest disband"], RETREAT) == [(["A MAR R SPA"], ""), (["F BRE D"], "")]
    assert told(["všichni drží"], RETREAT)[0][0] == []


def test_nothing_of_the_kind_in_winter() -> None:
    assert told(["all units disband"], WINTER)[0][0] == []


def test_a_wrong_season_above() -> None:
    (_, (orders, code)) = told(["Fall 1901", "all hold"], MOVEMENT)
    assert (orders, code) == ([], "wrong_season")


def test_a_master_names_the_power_above() -> None:
    assert told(["Germany", "all hold", "France", "A Par - Bur", "rest hold"], MOVEMENT, "") == [
        ([], ""), (["A MUN H", "F KIE H"], ""), ([], ""), (["A PAR - BUR"], ""), (REST, ""),
    ]  # fmt: skip
    assert told(["all hold"], MOVEMENT, "")[0][0] == []


@pytest.mark.parametrize(
    ("line", "orders"),
    [
        ("A Par, A Mar, F Bre hold", ALL),
        ("Paris, Marseilles and Brest hold", ALL),
        ("A Par & A Mar H", ["A MAR H", "A PAR H"]),
        ("A Par - Bur, A Mar, F Bre hold", ["A MAR H", "A PAR - BUR", "F BRE H"]),
        ("Paříž, Marseille a Brest drží", ALL),
        ("Paříž, Marseille, Brest drží", ALL),
        ("Párizs, Marseille és Brest tart", ALL),
        ("А Пар, А Мар и Ф Бре стоят", ALL),
        ("Paris, Marseille und Brest halten", ALL),
    ],
)
def test_several_units_hold_by_one_verb(line: str, orders: list[str]) -> None:
    assert told([line], MOVEMENT)[0][0] == orders


@pytest.mark.parametrize(
    "line",
    [
        "A Par, A Mar - Bur",
        "A Par, F Bre - Mao, A Mar H",
        "A Par or A Mar hold",
        "A Par, not A Mar hold",
        "A Par, A Mar S A Par",
        "Par hold, Mar",
    ],
)
def test_no_unit_borrows_another_verb(line: str) -> None:
    ((orders, code),) = told([line], MOVEMENT)
    assert "A PAR H" not in orders
    assert code
