"""The Warcraft cases W01 to W72 and the examples of the source texts on both boards."""

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from judge.rules import Position, duties, legal_orders, read_location, read_order, read_position, read_unit, write_result
from judge.rules.adjudication import adjudicate
from judge.rules.duties import centres_held
from judge.rules.victory import winner
from tests.support.judged import board, cases_of, dislodged_units, ids_of, judged, unit_in, verdicts

WARCRAFT = cases_of("warcraft.jsonl")
SEEDS = cases_of("seeds.jsonl")
MOVED = [case for case in WARCRAFT if case["phase"].endswith("M") and case["id"] != "W72"]
RETREATED = [case for case in WARCRAFT if case["phase"].endswith("R")]
ADJUSTED = [case for case in WARCRAFT if "before" in case]
PLAYED = [case for case in SEEDS if case.get("kind") is None]
REACHES = [case for case in SEEDS if case.get("kind") == "reach"]
WORDS = {"no-convoy": "no_convoy"}
OURS = {
    # A convoy that another power's fleet offers is available, though the army goes by land: DATC 6.G.2.
    ("002-kidnap", "F NTH"): "convoys",
    # With no fleet at sea at all the move is impossible on the board: DATC 6.D.32.
    ("002-convoy-coastal", "A YOR"): "illegal",
}
"""Where a seed's word is not DATC's, which counts."""


def test_all_cases_are_here() -> None:
    assert (len(WARCRAFT), len(MOVED), len(RETREATED), len(ADJUSTED)) == (72, 59, 3, 8)
    assert (len(SEEDS), len(PLAYED), len(REACHES)) == (86, 77, 8)


@pytest.mark.parametrize("case", MOVED + PLAYED, ids=ids_of(MOVED + PLAYED))
def test_movement(case: dict[str, Any]) -> None:
    """Each verdict, the dislodged with their retreats, standoffs, attacked and destroyed."""
    result, told = judged({**case, "orders": case["canonical"], "dislodged": []}, board(case["map"]))
    found = verdicts(told)
    for unit, word in case["expect"].items():
        # "void" is a support that matches nothing or cannot reach.
        word = OURS.get((case["id"], unit), word)
        allowed = ("no_effect", "illegal") if word == "void" else (WORDS.get(word, word),)
        assert found[unit] in allowed, (unit, found)
    assert dislodged_units(told) == sorted(case["dislodged"])
    retreats = {each["unit"]: each["retreats"] for each in told["dislodged"]}
    for unit, places in case.get("retreats", {}).items():
        assert retreats[unit] == sorted(places)
    if "destroyed" in case:
        assert sorted(each["unit"] for each in told["destroyed"]) == sorted(case["destroyed"])
    if "standoffs" in case:
        assert told["standoffs"] == sorted(case["standoffs"])
    if "attacked" in case:
        assert told["attacked"] == sorted(case["attacked"])
    standing = {unit.at.province for units in result.after.units.values() for unit in units}
    for place in case.get("empty", []):
        assert place not in standing
        assert place not in told["standoffs"]


@pytest.mark.parametrize("case", REACHES, ids=ids_of(REACHES))
def test_reach(case: dict[str, Any]) -> None:
    variant = board(case["map"])
    for text, places in case.get("reach", {}).items():
        unit = read_unit(text, variant.board)
        assert sorted(variant.board.neighbours(unit.kind, unit.at)) == sorted(places)
    for text, places in case.get("reach_includes", {}).items():
        unit = read_unit(text, variant.board)
        assert variant.board.neighbours(unit.kind, unit.at) >= set(places)
    for text, places in case.get("not_reach", {}).items():
        unit = read_unit(text, variant.board)
        assert not any(variant.board.touches(unit.kind, unit.at, place) for place in places)


@pytest.mark.parametrize("case", RETREATED, ids=ids_of(RETREATED))
def test_retreat(case: dict[str, Any]) -> None:
    dislodged = [
        {"power": power, "unit": unit, "retreats": case["retreat_options"][unit]}
        for power, units in case["units"].items()
        for unit in units
    ]
    _, told = judged({"phase": case["phase"], "dislodged": dislodged, "orders": case["canonical"]}, board("warcraft"))
    destroyed = {each["unit"] for each in told["destroyed"]}
    found = {unit: "destroyed" if unit in destroyed else verdict for unit, verdict in verdicts(told).items()}
    assert found == case["expect"]


def begun(case: dict[str, Any]) -> Position:
    """The adjustment case as its phase begins: centres counted where it says what they then are."""
    variant = board("warcraft")
    centers = {power: list(map(str, places)) for power, places in case["before"]["owners"].items()}
    position = read_position({"phase": case["phase"], "units": case["before"]["units"], "centers": centers}, variant)
    if "after_update" in case:
        position = replace(position, owners={**position.owners, **centres_held(position.units, variant)})
        wanted = {str(centre): power for power, centres in case["after_update"]["owners"].items() for centre in centres}
        assert position.owners == wanted
    return position


@pytest.mark.parametrize("case", ADJUSTED, ids=ids_of(ADJUSTED))
def test_adjustment(case: dict[str, Any]) -> None:
    variant = board("warcraft")
    position = begun(case)
    owing = duties(position, variant)
    sites = case.get("sites", {})
    for power, number in case.get("may_build", {}).items():
        assert owing[power].builds == min(number, sites.get(power, number))
    for power, homes in case.get("free_homes", {}).items():
        assert owing[power].sites == tuple(read_location(str(home)) for home in homes)
    assert {power: duty.removals for power, duty in owing.items() if duty.removals} == case.get("must_disband", {})
    told = write_result(adjudicate(position, case.get("canonical", {}), variant))
    done: dict[str, list[str]] = {power: [] for power in case["expect"]}
    for power, texts in case.get("canonical", {}).items():
        refused = {each["text"]: each["code"] for each in told["refused"]}
        for text in texts:
            if text in refused:
                done[power].append(f"rejected: {REFUSALS[refused[text]]}")
            else:
                verb = "builds" if text.startswith("B") else "disbands"
                done[power].append(f"{verb} {unit_in(text[2:])}")
    assert done == {power: words if isinstance(words, list) else [words] for power, words in case["expect"].items()}


REFUSALS = {"occupied": "occupied", "not_home": "not a home centre", "not_owned": "not owned"}


def test_victory_w71() -> None:
    variant = board("warcraft")
    centres = sorted(variant.board.centres, key=int)
    assert len(centres) == 50
    for count, wins in ((26, "ORCS"), (25, None)):
        assert winner({"ORCS": count, "HUMANS": 50 - count}, variant) == wins


def test_start_w72() -> None:
    case = WARCRAFT[71]
    start = board("warcraft").start
    assert {power: sorted(map(str, units)) for power, units in start.units.items()} == {p: sorted(u) for p, u in case["units"].items()}
    assert str(start.phase) == case["phase"]


def test_start_of_the_standard_game() -> None:
    (case,) = [case for case in SEEDS if case.get("kind") == "setup"]
    start = board("standard").start
    assert {power: sorted(map(str, units)) for power, units in start.units.items()} == {p: sorted(u) for p, u in case["units"].items()}
    assert Counter(start.owners.values()) == {power: len(units) for power, units in case["units"].items()}


def test_canonical_orders_of_the_cases_are_offered() -> None:
    """What a case orders and does not call illegal is among the options."""
    for case in MOVED:
        variant = board("warcraft")
        options = legal_orders(read_position({"phase": case["phase"], "units": case["units"]}, variant), variant)
        for power, texts in case["canonical"].items():
            for text in texts:
                order = read_order(text, variant.board)
                unit = unit_in(text)
                if case["expect"][unit] not in ("illegal", "void"):
                    assert order in options[power][unit], (case["id"], text)
