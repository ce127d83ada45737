"""Warnings that save games: what an acknowledgement tells about orders that are impossible or do not go together."""

import pytest

from judge.language import warnings_for
from judge.rules import read_order, read_phase, read_position
from tests.support.readers import position_of, reader

UNITS = {"FRANCE": ["A PAR", "A MAR", "F BRE", "F MAO"], "ITALY": ["A VEN"]}


def codes(orders: list[str], phase: str = "S1901M", **case: object) -> list[str]:
    variant = reader().variant
    position = read_position({"phase": phase, "units": UNITS, "centers": {"FRANCE": ["PAR", "MAR", "BRE"]}, **case}, variant)
    given = [read_order(order, variant.board) for order in orders]
    return [warning.code for warning in warnings_for(given, "FRANCE", position, variant)]


REST = ["F BRE H", "F MAO H"]


@pytest.mark.parametrize(
    ("orders", "expected"),
    [
        (["A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - ENG", "F MAO H"], []),
        (["A PAR - PIC", "A MAR S A PAR - BUR", *REST], ["support_unmatched"]),
        (["A PAR H", "A MAR S A PAR - BUR", *REST], ["support_unmatched"]),
        (["A PAR - BUR", "A MAR H", "F BRE S F MAO", "F MAO - SPA/NC"], ["support_unmatched"]),
        (["A PAR H", "A MAR - SPA", "F BRE H", "F MAO C A MAR - POR"], ["impossible", "convoy_unmatched"]),
        (["A PAR - BUR", "A MAR - BUR", *REST], ["same_target"]),
        (["A PAR - BRE", "A MAR H", *REST], ["own_target"]),
        (["A PAR - BUR", "A MAR H", "F BRE H"], ["no_order"]),
        (["A PAR - MOS", "A MAR H", *REST], ["impossible"]),
        (["A PAR H", "A MAR H", "F BRE H", "F MAO - SPA"], ["coast_needed"]),
        (["A PAR H", "A PAR - BUR", "A MAR H", *REST], ["ordered_twice"]),
        (["A VEN H", "A PAR H", "A MAR H", *REST], ["impossible"]),
        (["A PAR H", "A MAR S A PIE", *REST], ["impossible"]),
        (["A PAR H", "A MAR S A TYR - PIE", *REST], ["impossible"]),
        (["A PAR H", "A MAR H", "F BRE H", "F MAO C A GAS - LON"], ["impossible"]),
    ],
)
def test_movement(orders: list[str], expected: list[str]) -> None:
    assert codes(orders) == expected


def test_supports_of_others_are_not_doubted() -> None:
    assert codes(["A MAR S A VEN - PIE", "A PAR H", *REST]) == []


def test_a_unit_without_orders_in_a_retreat_phase() -> None:
    fallen = [{"power": "FRANCE", "unit": "A BUR", "attacked_from": "MUN", "retreats": ["GAS", "PIC"]}]
    assert codes([], "S1901R", dislodged=fallen) == ["no_order"]
    assert codes(["A BUR R GAS"], "S1901R", dislodged=fallen) == []


def test_builds_and_removals() -> None:
    units = {"FRANCE": ["A BUR"]}
    assert codes([], "W1901A", units=units) == ["unused_builds"]
    assert codes(["A PAR B", "A MAR B"], "W1901A", units=units) == []
    assert codes(["A PAR B", "WAIVE"], "W1901A", units=units) == []
    assert codes([], "W1901A", centers={"FRANCE": ["PAR"]}) == ["removals_missing"]


def test_a_bare_unit_in_an_adjustment_phase_is_read_as_what_is_due() -> None:
    variant = reader().variant
    building = read_position({"phase": "W1901A", "units": {"FRANCE": ["A BUR"]}, "centers": {"FRANCE": ["PAR", "MAR"]}}, variant)
    removing = read_position({"phase": "W1901A", "units": {"FRANCE": ["A BUR", "A PAR"]}, "centers": {"FRANCE": ["PAR"]}}, variant)
    (built,) = reader().read_lines(["A Par"], position=building, power="FRANCE")
    (removed,) = reader().read_lines(["A Bur"], position=removing, power="FRANCE")
    assert [str(order) for order in built.orders] == [str(read_order("A PAR B"))]
    assert [str(order) for order in removed.orders] == [str(read_order("A BUR D"))]
    assert "assumed" in [warning.code for warning in (*built.warnings, *removed.warnings)]


@pytest.mark.parametrize(
    ("line", "phase", "code", "suggested"),
    [
        ("A BUR R PAR", "S1901M", "wrong_phase", ("A BUR - PAR",)),
        ("build A par", "S1901M", "wrong_phase", ()),
        ("A PAR - BUR", "W1901A", "wrong_phase", ()),
        ("A PAR S A MAR", "S1901R", "wrong_phase", ()),
    ],
)
def test_an_order_of_another_step_is_asked_back(line: str, phase: str, code: str, suggested: tuple[str, ...]) -> None:
    (reading,) = reader().read_lines([line], phase=read_phase(phase))
    assert reading.error is not None
    assert (reading.orders, reading.error.code, reading.suggestions) == ((), code, suggested)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("F Stp - Bot", []),
        ("A Fin S F Stp - Nwy", []),
        ("F Stp - Con", ["impossible"]),
        ("A Nth - Lon", ["impossible"]),
        ("A Lvn S A Eas - Pru", ["impossible"]),
        ("A Lon - Nwy", []),
        ("F Con - Bul", ["coast_needed"]),
    ],
)
def test_what_the_board_alone_makes_impossible(line: str, expected: list[str]) -> None:
    (reading,) = reader().read_lines([line])
    assert (len(reading.orders), [warning.code for warning in reading.warnings]) == (1, expected)


@pytest.mark.parametrize("line", ["A Livónia S A Kel - Poroszország", "A Lvn S F Eas - Pru", "A Lvn S A War"])
def test_a_support_of_nobody_is_told(line: str) -> None:
    """A slip ("Kel" for Kiel) that names a place where nothing stands is no order in silence."""
    position = position_of(["A LVN", "A KIE"])
    (reading,) = reader().read_lines([line], position=position, prefer=("hu",))
    assert [warning.code for warning in reading.warnings] == ["impossible"]
    assert "no_unit" in str(reading.warnings[0].facts())


def test_a_move_in_a_retreat_phase_is_a_retreat() -> None:
    variant = reader().variant
    fallen = [{"power": "TURKEY", "unit": "F BLA", "attacked_from": "CON", "retreats": ["ARM", "RUM"]}]
    position = read_position({"phase": "F1901R", "units": {}, "dislodged": fallen}, variant)
    (reading,) = reader().read_lines(["F Bla - Rum"], position=position, power="TURKEY")
    assert reading.orders == (read_order("F BLA R RUM"),)
