"""Parts of the rules by themselves: calendar, notation, switches of builds and removals, duties, options, routes."""

from copy import copy
from dataclasses import replace
from typing import Any

import pytest

from judge.board import Location
from judge.rules import (
    BadNotation,
    Calendar,
    ImpossiblePosition,
    Phase,
    Position,
    Rulebook,
    Step,
    Unit,
    adjudicate,
    duties,
    legal_orders,
    read_case,
    read_location,
    read_order,
    read_phase,
    read_position,
    read_unit,
    retreat_choices,
    retreats_of,
    write_order,
    write_phase,
    write_unit,
)
from judge.rules.adjustments import building_sites
from judge.rules.convoys import has_route, is_needed
from judge.rules.movement import resolve_movement
from judge.rules.rulebook import CHOICES
from judge.rules.strengths import NO, OPEN, YES, Contest
from judge.rules.victory import winner
from tests.support.judged import board, cases_of, judged, units_of

M, R, A = Step.MOVEMENT, Step.RETREAT, Step.ADJUSTMENT
ROUND = (("S", M), ("S", R), ("F", M), ("F", R), ("W", A))


@pytest.mark.parametrize(
    ("calendar", "phase", "following"),
    [
        (Calendar(ROUND, ("F", R)), "S1901M", "S1901R"),
        (Calendar(ROUND, ("F", R)), "S1901R", "F1901M"),
        (Calendar(ROUND, ("F", R)), "W1901A", "S1902M"),
        (Calendar(ROUND, ("F", R), year_step=-1), "W480A", "S479M"),
        (Calendar(ROUND, ("F", R), year_step=10, season_offsets=(("F", 5), ("W", 5))), "S100R", "F105M"),
        (Calendar(ROUND, ("F", R), year_step=10, season_offsets=(("F", 5), ("W", 5))), "F105R", "W105A"),
        (Calendar(ROUND, ("F", R), year_step=10, season_offsets=(("F", 5), ("W", 5))), "W105A", "S110M"),
    ],
)
def test_calendar(calendar: Calendar, phase: str, following: str) -> None:
    assert str(calendar.next(read_phase(phase))) == following


def test_a_phase_of_another_calendar() -> None:
    with pytest.raises(ValueError):
        Calendar(ROUND, ("F", R)).next(read_phase("W1901M"))
    with pytest.raises(ImpossiblePosition) as caught:
        adjudicate(Position(read_phase("W1M"), {}, {}), {}, board("warcraft"))
    assert caught.value.fault == "unknown_phase"
    with pytest.raises(ImpossiblePosition):
        adjudicate(board("standard").start, {"NARNIA": []}, board("standard"))


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("a par - bur", "A PAR - BUR"),
        ("A LON - NWY VIA", "A LON - NWY VIA"),
        ("A PAR H", "A PAR H"),
        ("A MAR S A PAR - BUR", "A MAR S A PAR - BUR"),
        ("A MAR S A PAR - BUR VIA", "A MAR S A PAR - BUR"),
        ("A MAR S A PAR", "A MAR S A PAR"),
        ("A MAR S A PAR H", "A MAR S A PAR"),
        ("F NTH C A LON - NWY", "F NTH C A LON - NWY"),
        ("F NTH C A LON - NWY VIA", "F NTH C A LON - NWY"),
        ("F BLA R RUM", "F BLA R RUM"),
        ("F BLA D", "F BLA D"),
        ("REMOVE F BLA", "F BLA D"),
        ("D F BLA", "F BLA D"),
        ("F STP/SC B", "F STP/SC B"),
        ("BUILD F STP/SC", "F STP/SC B"),
        ("B F STP/SC", "F STP/SC B"),
        ("WAIVE", "WAIVE"),
    ],
)
def test_reading_and_writing(text: str, canonical: str) -> None:
    order = read_order(text, board("standard").board)
    assert write_order(order) == canonical
    assert read_order(canonical) == order


@pytest.mark.parametrize("text", ["P 60 - 61", "L 63 S P 60 - 61", "P W5-7 R 5", "P 60 B", "L 89 D", "P 5 - W5-7", "P W5-7 - W5-46"])
def test_notation_of_waterways(text: str) -> None:
    assert write_order(read_order(text, board("warcraft").board)) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "A",
        "A PAR",
        "A PAR X",
        "A PAR -",
        "A PAR - BUR - MUN",
        "A P!R H",
        "1 PAR H",
        "A PAR S BUR",
        "WAIVE 2",
        "B B",
        "A PAR - BUR VIA SEA",
    ],
)
def test_what_is_no_order(text: str) -> None:
    with pytest.raises(BadNotation) as caught:
        read_order(text)
    assert caught.value.text == text
    assert text in str(caught.value)


def test_what_the_board_does_not_have() -> None:
    on = board("standard").board
    for text in ("A XXX H", "P PAR H", "F STP/EC H", "F PAR/NC H", "A PAR - XXX"):
        with pytest.raises(BadNotation):
            read_order(text, on)
    with pytest.raises(BadNotation):
        read_location("PAR/")
    with pytest.raises(BadNotation):
        read_unit("A PAR BUR")
    with pytest.raises(BadNotation):
        read_phase("1901S")


def test_units_and_phases() -> None:
    assert write_unit(Unit("F", Location("STP/SC"))) == "F STP/SC"
    assert write_phase(read_phase("f1b")) == "F1A"
    assert read_location("w7-5") == read_location("W5-7")


def position(case: dict[str, Any], name: str = "standard") -> Position:
    return read_position(case, board(name))


@pytest.mark.parametrize(
    ("switch", "owned", "sites"),
    [
        ("home", ["PAR", "SPA", "ROM"], ("PAR",)),
        ("any", ["PAR", "SPA", "ROM"], ("PAR", "ROM", "SPA")),
        ("any_if_home", ["PAR", "SPA", "ROM"], ("PAR", "ROM", "SPA")),
        ("any_if_home", ["SPA", "ROM"], ()),
        ("any_home", ["PAR", "SPA", "ROM"], ("PAR", "ROM")),
    ],
)
def test_building_sites(switch: str, owned: list[str], sites: tuple[str, ...]) -> None:
    variant = board("standard", build_sites=switch)
    begun = position({"phase": "W1901A", "units": {"FRANCE": ["A MAR"]}, "centers": {"FRANCE": owned}})
    assert building_sites(begun, "FRANCE", variant) == sites


def test_a_free_home_that_is_not_owned() -> None:
    """Reading A8, other value."""
    begun = position({"phase": "W1901A", "units": {}, "centers": {"FRANCE": ["SPA"], "ITALY": ["PAR"]}})
    assert building_sites(begun, "FRANCE", board("standard")) == ()
    assert building_sites(begun, "FRANCE", board("standard", build_needs_ownership=False)) == ("BRE", "MAR", "PAR")


def removed(case: dict[str, Any], name: str = "standard", **switches: Any) -> list[str]:
    variant = board(name, **switches)
    result = adjudicate(read_position(case, variant), {}, variant)
    return [str(outcome.order).removesuffix(" D") for outcome in result.outcomes]


def test_removals_counted_from_home() -> None:
    """Case C053: the editions before 2023 count to home centres."""
    case = {"phase": "W1908A", "units": {"AUSTRIA": ["A TUN", "A VIE"]}, "centers": {"AUSTRIA": ["TUN"]}}
    assert removed(case) == ["A VIE"]
    assert removed(case, removal="home") == ["A TUN"]


def test_removals_counted_by_the_unit_itself() -> None:
    """Over borders open to the unit: an army does not walk to Britain."""
    case = {"phase": "W1908A", "units": {"ENGLAND": ["A NWY", "F SYR"]}, "centers": {"ENGLAND": ["LON"]}}
    # The army in Norway cannot walk to London at all; over any border it is two steps away, the fleet in Syria seven.
    assert removed(case) == ["F SYR"]
    assert removed(case, removal_distance="unit") == ["A NWY"]


def test_removals_in_warcraft_go_by_number() -> None:
    """Readings A16, A27: farthest in infantry moves from home; then wings; then waterways, then the higher number."""
    case = {"phase": "F2A", "units": {"HUMANS": ["P 86", "P 87", "L 88"]}, "centers": {"HUMANS": ["86", "87"]}}
    assert removed(case, "warcraft") == ["L 88"]
    case = {"phase": "F2A", "units": {"HUMANS": ["P 86", "P 87", "P 88"]}, "centers": {"HUMANS": ["86", "87"]}}
    assert removed(case, "warcraft") == ["P 88"]
    case = {"phase": "F2A", "units": {"DRAENEI": ["P W1-46", "P 2", "P 46"]}, "centers": {"DRAENEI": ["1"]}}
    assert removed(case, "warcraft") == ["P 46", "P W1-46"]


def test_duties_of_each_step() -> None:
    variant = board("standard")
    case = {"phase": "S1901R", "units": {}, "dislodged": [{"power": "ITALY", "unit": "A VEN", "retreats": ["TYR"]}]}
    owing = duties(position(case), variant)
    assert {power: duty.units for power, duty in owing.items()} == {"ITALY": (Unit("A", Location("VEN")),)}
    assert owing["ITALY"].is_owed
    case = {"phase": "W1901A", "units": {"ITALY": ["A VEN"]}, "centers": {"ITALY": ["VEN"], "RUSSIA": ["STP"], "FRANCE": ["SPA"]}}
    owing = duties(position(case), variant)
    assert list(owing) == ["RUSSIA"]
    assert (owing["RUSSIA"].builds, owing["RUSSIA"].sites) == (1, (Location("STP"), Location("STP/NC"), Location("STP/SC")))
    assert not owing["RUSSIA"].is_owed
    assert list(duties(variant.start, variant)) == list(variant.powers)


def test_options_of_retreats_and_removals() -> None:
    variant = board("standard")
    case = {"phase": "S1901R", "units": {}, "dislodged": [{"power": "ITALY", "unit": "A VEN", "attacked_from": "TYR"}]}
    options = legal_orders(position(case), variant)
    assert [str(order) for order in options["ITALY"]["A VEN"]] == [
        *("A VEN R APU", "A VEN R PIE", "A VEN R ROM", "A VEN R TRI", "A VEN R TUS", "A VEN D"),
    ]
    case = {"phase": "W1901A", "units": {"ITALY": ["A VEN", "F NAP"]}, "centers": {"ITALY": ["VEN"]}}
    options = legal_orders(position(case), variant)
    assert {unit: [str(order) for order in orders] for unit, orders in options["ITALY"].items()} == {
        "A VEN": ["A VEN D"],
        "F NAP": ["F NAP D"],
    }


def test_retreat_choices_by_themselves() -> None:
    begun = position({"phase": "S1901R", "units": {"FRANCE": ["A MUN"]}, "dislodged": [{"power": "GERMANY", "unit": "A MUN"}]})
    (fallen,) = retreats_of(begun, board("standard"))
    assert fallen.retreats == ("BER", "BOH", "BUR", "KIE", "RUH", "SIL", "TYR")
    barred = retreat_choices(fallen, {"BOH"}, {"BER"}, {"KIE"}, board("standard"))
    assert barred == ("BUR", "KIE", "RUH", "SIL", "TYR")
    assert retreat_choices(fallen, set(), set(), {"KIE"}, board("standard", attacked_bars_retreat=True)) == (
        *("BER", "BOH", "BUR", "RUH", "SIL", "TYR"),
    )


def test_no_winner_while_two_are_level() -> None:
    variant = replace(board("standard"), victory=2)
    assert winner({"FRANCE": 2, "ITALY": 2}, variant) is None
    assert winner({"FRANCE": 2, "ITALY": 1}, variant) == "FRANCE"
    assert winner({}, variant) is None


def test_a_game_without_units_comes_to_an_end() -> None:
    """No unit is left and no site free: the calendar goes once around and stops."""
    variant = board("standard")
    result = adjudicate(Position(read_phase("S1901M"), {}, {"SPA": "FRANCE"}), {}, variant)
    assert result.next_phase == Phase(1902, "S", M)


def test_routes_of_fleets() -> None:
    """Fleets 1 - 2 - 3 in a row from shore 0 to shore 4; fleet 5 beside 1 and 2 only lengthens the way."""
    links = {1: 1 << 0 | 1 << 2 | 1 << 5, 2: 1 << 1 | 1 << 3 | 1 << 5, 3: 1 << 2 | 1 << 4, 5: 1 << 1 | 1 << 2}
    fleets = 1 << 1 | 1 << 2 | 1 << 3 | 1 << 5
    assert has_route(links, fleets, 0, 4)
    assert not has_route(links, fleets & ~(1 << 2), 0, 4)
    assert [fleet for fleet in (1, 2, 3, 5) if is_needed(links, fleets, fleet, 0, 4)] == [1, 2, 3]
    assert not is_needed(links, fleets, 0, 0, 4)


def test_the_search_for_a_route_ends() -> None:
    """In a grid of seas with ever so many routes the search stops and lets the fleet convoy."""
    side = 9
    cells = {(x, y): x * side + y for x in range(side) for y in range(side)}
    links = {
        n: sum(1 << cells[x + dx, y + dy] for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0)) if (x + dx, y + dy) in cells)
        for (x, y), n in cells.items()
    }
    start, end = side * side, side * side + 1
    links[cells[0, 0]] |= 1 << start
    links[cells[side - 1, side - 1]] |= 1 << end
    spur = side * side + 2  # touches one fleet only: no route runs through it
    links[cells[4, 4]] |= 1 << spur
    links[spur] = 1 << cells[4, 4]
    assert is_needed(links, sum(1 << n for n in links), spur, start, end)


def test_every_switch_that_is_a_word_has_its_values() -> None:
    words = {name for name in Rulebook.__slots__ if isinstance(getattr(Rulebook(), name), str)}
    assert words == set(CHOICES)
    for name, values in CHOICES.items():
        assert getattr(Rulebook(), name) in values


def test_a_position_of_numbers_is_worked_out_for_each_board() -> None:
    start = board("standard").start
    first = adjudicate(start, {}, board("standard"))
    second = adjudicate(start, {}, board("standard", swap_allowed=True))
    assert first.after == second.after
    with pytest.raises(ImpossiblePosition):
        adjudicate(Position(start.phase, start.units, {}), {}, board("warcraft"))


def test_a_reader_for_other_wordings() -> None:
    begun, _ = read_case({"units": {"FRANCE": ["A PAR"]}}, board("standard"))

    def read(text: str) -> Any:
        return read_order("A PAR - BUR") if text == "Paris to Burgundy" else None

    result = adjudicate(begun, {"FRANCE": ["Paris to Burgundy", "Paris to the moon"]}, board("standard"), read)
    assert result.after.units == {"FRANCE": (Unit("A", Location("BUR")),)}
    assert [(refused.text, refused.code) for refused in result.refused] == [("Paris to the moon", "unreadable")]
    begun = position({"phase": "W1901A", "units": {}, "centers": {"FRANCE": ["PAR"]}})
    result = adjudicate(begun, {"FRANCE": ["stavba"]}, board("standard"), lambda _: read_order("A PAR B"))
    assert result.after.units == {"FRANCE": (Unit("A", Location("PAR")),)}


def test_orders_of_another_board_are_unreadable() -> None:
    result = adjudicate(board("standard").start, {"FRANCE": [read_order("P 60 - 61"), read_order("A PAR S P 60 - 61")]}, board("standard"))
    assert [refused.code for refused in result.refused] == ["unreadable", "unreadable"]


def test_verdicts_of_retreats_and_adjustments() -> None:
    case = {"phase": "S1901R", "units": {}, "dislodged": [{"power": "ITALY", "unit": "A VEN", "attacked_from": "TYR"}]}
    assert adjudicate(position(case), {"ITALY": ["A VEN R ROM"]}, board("standard")).verdicts == {"VEN": "retreats"}
    case = {"phase": "W1901A", "units": {}, "centers": {"RUSSIA": ["STP", "MOS"]}}
    result = adjudicate(position(case), {"RUSSIA": ["F STP/SC B"]}, board("standard"))
    assert result.verdicts == {"STP": "builds"}
    assert result.after.units == {"RUSSIA": (Unit("F", Location("STP/SC")),)}


def test_owners_must_be_known_to_adjust() -> None:
    with pytest.raises(ImpossiblePosition) as caught:
        adjudicate(Position(read_phase("W1901A"), {}, {}), {}, board("standard"))
    assert caught.value.fault == "owners_missing"


def test_a_lost_centre_makes_an_adjustment_due() -> None:
    case = {"phase": "F1901R", "units": {"ITALY": ["A VEN", "A TYR"]}, "centers": {"ITALY": ["VEN"]}, "dislodged": []}
    assert str(adjudicate(position(case), {}, board("standard")).next_phase) == "W1901A"


def test_units_of_a_power_that_the_board_does_not_have() -> None:
    with pytest.raises(ImpossiblePosition) as caught:
        adjudicate(Position(read_phase("S1901M"), {"ATLANTIS": (Unit("A", Location("PAR")),)}, {}), {}, board("standard"))
    assert (caught.value.fault, caught.value.text) == ("unknown_power", "ATLANTIS")


def test_what_is_worked_out_on_demand_is_there_in_copies_too() -> None:
    units = {"FRANCE": ["A PAR"], "GERMANY": ["A MUN"]}
    case = {"units": units, "orders": {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR"]}}
    result = adjudicate(*read_case(case, board("standard")), board("standard"))
    again = copy(result)
    assert again.standoffs == again.attacked == frozenset({"BUR"})
    assert result == again
    with pytest.raises(AttributeError):
        again.nothing  # type: ignore[attr-defined]  # noqa: B018  # that is the point


def test_no_adjustment_is_due_where_everybody_has_as_many_units_as_centres() -> None:
    case = {"phase": "F1901M", "units": {"ITALY": ["A VEN"], "FRANCE": ["A PAR"]}, "centers": {"ITALY": ["VEN"], "FRANCE": ["PAR"]}}
    assert str(adjudicate(position(case), {}, board("standard")).next_phase) == "S1902M"
    free = case | {"centers": {"ITALY": ["VEN"], "FRANCE": ["PAR", "BRE"]}}
    assert str(adjudicate(position(free), {}, board("standard")).next_phase) == "W1901A"
    moved_out = case | {"units": {"ITALY": ["A VEN"], "FRANCE": ["A BUR"]}}
    assert str(adjudicate(position(moved_out), {}, board("standard")).next_phase) == "S1902M"  # a free home alone is no build
    abroad = case | {"centers": {"ITALY": ["VEN"], "FRANCE": ["PAR", "BEL"]}}
    assert str(adjudicate(position(abroad), {}, board("standard")).next_phase) == "S1902M"  # a build, but nowhere to build it


def test_an_adjustment_is_due_if_one_of_those_with_builds_has_a_site() -> None:
    """By "any_if_home" France builds in Belgium, for it owns Paris; Italy owns no home and builds nowhere."""
    case = {"units": {"FRANCE": ["A PAR"], "ITALY": ["A TUN"]}, "centers": {"FRANCE": ["PAR", "BEL"], "ITALY": ["TUN", "GRE"]}}
    variant = board("standard", build_sites="any_if_home")
    assert str(adjudicate(position(case | {"phase": "F1901M"}), {}, variant).next_phase) == "W1901A"
    owing = duties(position(case | {"phase": "W1901A"}), variant)
    assert {power: (duty.builds, duty.sites) for power, duty in owing.items()} == {"FRANCE": (1, (Location("BEL"),))}


def test_the_phase_of_a_case_that_names_none() -> None:
    assert str(read_position({"units": {}}, board("standard")).phase) == "S1901M"
    assert str(read_position({"units": {}}, board("chaos")).phase) == "S1900M"  # that game begins with builds


def test_orders_of_another_step_in_a_movement_phase() -> None:
    result = adjudicate(board("standard").start, {"FRANCE": ["A PAR R BUR", "WAIVE", "A PAR B"]}, board("standard"))
    assert [refused.code for refused in result.refused] == ["wrong_phase"] * 3


def test_the_last_possible_order_counts() -> None:
    """Of several for one unit: an impossible one after it changes nothing, a possible one does."""
    texts = ["A PAR - BUR", "A PAR - LON"]
    for given, stands in ((texts, "A PAR - BUR"), (texts[::-1], "A PAR - BUR"), ([*texts, "A PAR - PIC"], "A PAR - PIC")):
        result = adjudicate(board("standard").start, {"FRANCE": given}, board("standard"))
        assert str(result.outcomes[7].order) == stands
        assert {refused.code for refused in result.refused} == {"replaced"}


def test_an_impossible_order_met_before_still_gives_way_to_a_possible_one() -> None:
    """However often both were met: an order once found impossible must not take the place of the one that counts."""
    for _ in range(3):
        result = adjudicate(board("standard").start, {"FRANCE": ["A PAR - BUR", "A PAR - LON"]}, board("standard"))
        assert (result.verdicts["PAR"], str(result.outcomes[7].order)) == ("moves", "A PAR - BUR")
        assert [(refused.code, refused.text) for refused in result.refused] == [("replaced", "A PAR - LON")]


def test_a_unit_of_the_first_power_of_the_board_is_somebody_elses_too() -> None:
    result = adjudicate(board("standard").start, {"FRANCE": ["A VIE H"]}, board("standard"))
    assert [(refused.code, refused.why and refused.why.power) for refused in result.refused] == [("not_yours", "AUSTRIA")]


def test_the_memory_of_orders_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judge.rules.fitting.MEMO_LIMIT", 2)
    variant = replace(board("standard"))
    for text in ("A PAR H", "A PAR - BUR", "A PAR - PIC", "A PAR - GAS", "A PAR - BUR"):
        assert str(adjudicate(variant.start, {"FRANCE": [text]}, variant).outcomes[7].order) == text
    assert len(variant.fitting.known) <= 2


def test_paradoxes_do_not_hang_on_the_number_of_decisions_tried_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Above `FEW`, all decisions that are looked at are taken to matter: in these cases to the same end."""
    monkeypatch.setattr("judge.rules.movement.FEW", 0)
    for case in cases_of("datc.jsonl"):
        if case["section"] == "6.F" and case["phase"].endswith("M"):
            _, told = judged(case, board("standard"))
            assert told["units"] == units_of(case["expect"]["positions_after"]), case["id"]


def test_units_that_no_board_has() -> None:
    with pytest.raises(ImpossiblePosition) as caught:
        adjudicate(Position(read_phase("S1901M"), {"FRANCE": (Unit("A", Location("ENG")),)}, {}), {}, board("standard"))
    assert (caught.value.fault, caught.value.text) == ("unknown_unit", "A ENG")


def test_a_wing_follows_into_a_place_that_only_a_beaten_unit_attacked() -> None:
    """Reading A6, other value: a beaten attack is nothing, not even against the 0 of a wing (A7)."""
    units = {"DRAENEI": ["L 67"], "UNDEAD": ["P 68", "P 73"], "HUMANS": ["P 69"]}
    orders = {"DRAENEI": ["L 67 - 68"], "UNDEAD": ["P 68 - 69", "P 73 S P 68 - 69"], "HUMANS": ["P 69 - 68"]}
    for ties, verdict in ((False, "moves"), (True, "bounces")):
        variant = board("warcraft", beaten_attack_ties_everywhere=ties)
        result = adjudicate(position({"phase": "S1M", "units": units}, "warcraft"), orders, variant)
        assert result.verdicts == {"67": verdict, "68": "moves", "73": "supports", "69": "bounces"}
        assert result.standoffs == (frozenset({"68"}) if ties else frozenset())


def test_a_kind_that_attacks_better_than_it_defends() -> None:
    """No shipped board has one; strengths are facts of the kind all the same (layout of maps, `attack` and `defence`)."""
    variant = board("standard")
    strong = replace(variant.board.kinds["A"], attack=2)
    variant = replace(variant, board=replace(variant.board, kinds={**variant.board.kinds, "A": strong}))
    units = {"ITALY": ["A VEN", "A APU"], "AUSTRIA": ["F TRI", "A ROM"]}
    orders = {"ITALY": ["A VEN - TRI"], "AUSTRIA": ["A ROM - APU"]}
    case = {"units": units, "orders": orders}
    result = adjudicate(*read_case(case, variant), variant)
    assert result.verdicts == {"VEN": "moves", "APU": "holds", "TRI": "holds", "ROM": "moves"}
    assert [str(fallen.unit) for fallen in result.dislodged] == ["F TRI", "A APU"]
    # A unit that failed to leave defends with 1.
    case = {
        "units": {"ITALY": ["A VEN", "F ION"], "AUSTRIA": ["F TRI"]},
        "orders": {"ITALY": ["A VEN - TRI", "F ION - ALB"], "AUSTRIA": ["F TRI - ALB"]},
    }
    result = adjudicate(*read_case(case, variant), variant)
    assert result.verdicts == {"VEN": "moves", "ION": "bounces", "TRI": "bounces"}
    assert [str(fallen.unit) for fallen in result.dislodged] == ["F TRI"]


def test_a_kind_that_attacks_with_nothing_is_stronger_than_an_army_that_never_arrives() -> None:
    """Warcraft's reading A7 on a board with convoys, which none is: 0 counts as an attack, an army without a convoy is none."""
    variant = board("standard")
    weak = replace(variant.board.kinds["F"], attack=0)
    variant = replace(variant, board=replace(variant.board, kinds={**variant.board.kinds, "F": weak}))
    units = {"ENGLAND": ["A LON", "F NTH"], "FRANCE": ["F ENG"]}
    for convoy, told in (
        ("F NTH H", {"LON": "no_convoy", "NTH": "holds", "ENG": "moves"}),
        ("F NTH C A LON - BEL", {"LON": "moves", "NTH": "convoys", "ENG": "bounces"}),
    ):
        orders = {"ENGLAND": ["A LON - BEL", convoy], "FRANCE": ["F ENG - BEL"]}
        assert adjudicate(position({"units": units}), orders, variant).verdicts == told


@pytest.mark.parametrize(
    ("fleet", "start", "end", "told"),
    [
        ("F SPA/SC", "MAR", "POR", ("convoys", "moves")),
        ("F SPA/SC", "GAS", "POR", ("illegal", "illegal")),
        ("F SPA/SC", "GAS", "MAR", ("illegal", "moves")),  # by land
        ("F SPA/NC", "GAS", "POR", ("convoys", "moves")),
        ("F SPA/NC", "MAR", "POR", ("illegal", "illegal")),
    ],
)
def test_a_fleet_on_one_of_two_coasts_carries_between_the_places_that_coast_touches(
    fleet: str, start: str, end: str, told: tuple[str, str]
) -> None:
    """No shipped board has such a place, yet docs/maps.md allows it (`convoy_coasts`)."""
    variant = board("standard")
    variant = replace(variant, board=replace(variant.board, convoy_coasts=frozenset({"SPA"})))
    case = {"units": {"FRANCE": [fleet, f"A {start}"]}, "orders": {"FRANCE": [f"{fleet} C A {start} - {end}", f"A {start} - {end}"]}}
    result = adjudicate(*read_case(case, variant), variant)
    assert (result.verdicts["SPA"], result.verdicts[start]) == told


class Riddle(Contest):
    """Two convoys and a move that hang together, yet with one consistent resolution: the move succeeds if either convoy arrives; the
    first arrives if the move fails, the second if it succeeds.  So it must succeed.  (No position is known that does this.)"""

    def decide_move(self, here: int) -> int:
        if YES in (self.route[0], self.route[1]):
            return YES
        return OPEN if OPEN in (self.route[0], self.route[1]) else NO

    def decide_route(self, here: int) -> int:
        return -self.success[2] if here == 0 else self.success[2]


def test_what_has_one_resolution_is_no_paradox() -> None:
    """DATC 4.A.2: the paradox rule is for what has no resolution, or several."""
    variant = board("standard")
    nobody = [-1] * len(variant.tables.provinces)
    riddle = Riddle(variant.tables, variant.rulebook, nobody, nobody)
    riddle.to[2], riddle.route[0], riddle.route[1] = 3, OPEN, OPEN
    riddle.comers[3], riddle.comers[5], riddle.comers[6] = (2, 0, 1), (2,), (2,)
    riddle.clashes = {3}
    riddle.backers[2] = (7,)
    riddle.carriers = {0: 1 << 5, 1: 1 << 6}
    resolve_movement(riddle, [2], [], [0, 1])
    assert (riddle.success[2], riddle.route[0], riddle.route[1], riddle.failed) == (YES, NO, YES, 0)


def test_orders_that_two_boards_meet_in_turn() -> None:
    """An order remembers how it fitted the last board that met it; another rulebook must not take that for its own."""
    case = {"units": {"ENGLAND": ["A LON", "F NTH"], "FRANCE": ["A BEL"]}}
    orders = {"ENGLAND": [read_order("A LON - NWY VIA"), read_order("F NTH H")], "FRANCE": [read_order("A BEL - HOL VIA")]}
    fails, walks = board("standard"), replace(board("standard", via_without_convoy="land"))
    for _ in range(3):
        for variant, verdict in ((fails, "no_convoy"), (walks, "moves")):
            result = adjudicate(position(case), orders, variant)
            assert result.verdicts == {"LON": "no_convoy", "NTH": "holds", "BEL": verdict}
            assert result.verdicts == {outcome.order.unit.at.province: outcome.verdict for outcome in result.outcomes}  # type: ignore[union-attr]


def test_an_order_that_a_bigger_board_met_last() -> None:
    """Its number there is beyond the end of every list here."""
    order = read_order("A YOR H")
    for name in ("abstraction3", "standard"):
        variant = board(name)
        here = replace(variant.start, units={"FRANCE": (Unit("A", Location("YOR")),)}, owners={})
        assert adjudicate(here, {"FRANCE": [order]}, variant).verdicts == {"YOR": "holds"}


def test_texts_and_orders_mixed() -> None:
    start = board("standard").start
    for mixed in (["A PAR - BUR", read_order("A MAR H")], [read_order("A MAR H"), "A PAR - BUR"]):
        for _ in range(2):
            result = adjudicate(start, {"FRANCE": mixed}, board("standard"))
            assert (result.verdicts["PAR"], result.refused) == ("moves", ())


@pytest.mark.parametrize(
    ("fleets", "told"),
    [
        (("F ENG", "F MAO"), {"LON": "moves", "WES": "supports", "ENG": "convoys", "MAO": "convoys"}),
        # Both touch London and each other, and neither touches the other shore: nobody could carry the army (DATC 6.D.32).
        (("F ENG", "F NTH"), {"LON": "illegal", "WES": "illegal", "ENG": "illegal", "NTH": "illegal"}),
        # Likewise at the far end: nobody touches London.
        (("F MAO", "F IRI"), {"LON": "illegal", "WES": "illegal", "MAO": "illegal", "IRI": "illegal"}),
    ],
)
def test_an_order_met_before_still_needs_its_fleets(fleets: tuple[str, str], told: dict[str, str]) -> None:
    """What two fleets make possible is remembered with the order; which fleets are there is asked each time."""
    units = {"ENGLAND": ["A LON", *fleets], "ITALY": ["F WES"]}
    orders = {"ENGLAND": ["A LON - NAF", *(f"{fleet} C A LON - NAF" for fleet in fleets)], "ITALY": ["F WES S A LON - NAF"]}
    for _ in range(3):
        assert adjudicate(position({"units": units}), orders, board("standard")).verdicts == told


def test_an_order_for_anothers_unit_does_not_touch_it() -> None:
    """What a power orders a unit of another to do is refused, in whatever order the powers come."""
    orders = {"AUSTRIA": ["A MUN - TYR"], "GERMANY": ["A MUN - BUR"], "TURKEY": ["A MUN H"]}
    for _ in range(2):
        result = adjudicate(board("standard").start, orders, board("standard"))
        assert (result.verdicts["MUN"], [(refused.power, refused.code) for refused in result.refused]) == (
            "moves",
            [("AUSTRIA", "not_yours"), ("TURKEY", "not_yours")],
        )
        assert [str(outcome.order) for outcome in result.outcomes if outcome.given] == ["A MUN - BUR"]


def test_verdicts_without_reasons_are_those_with_reasons() -> None:
    """A support that matches nothing, one for nobody, an impossible order, a convoy for nobody."""
    units = {"FRANCE": ["A PAR", "A MAR", "F BRE"], "GERMANY": ["A MUN"], "ENGLAND": ["F NTH"]}
    orders = {
        "FRANCE": ["A PAR S A MUN - BUR", "A MAR S A BUR", "F BRE - PAR"],
        "GERMANY": ["A MUN - RUH"],
        "ENGLAND": ["F NTH C A YOR - NWY"],
    }
    for _ in range(2):
        result = adjudicate(position({"units": units}), orders, board("standard"))
        assert result.verdicts == {"PAR": "no_effect", "MAR": "no_effect", "BRE": "illegal", "MUN": "moves", "NTH": "no_effect"}
        assert {outcome.order.unit.at.province: outcome.verdict for outcome in result.outcomes} == result.verdicts  # type: ignore[union-attr]
