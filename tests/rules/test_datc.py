"""The DATC cases, and the movement cases of other judges: positions, dislodged, retreats, standoffs, removals and each verdict."""

from typing import Any

import pytest

from judge.rules import read_case, write_result
from judge.rules.adjudication import adjudicate
from tests.support.judged import board, cases_of, dislodged_units, ids_of, judged, unit_in, units_of

DATC = cases_of("datc.jsonl")
EXTRA = cases_of("extra.jsonl")
MOVEMENT = [case for case in DATC if case["phase"].endswith("M")]
RETREATS = [case for case in DATC if "retreat" in case]
ADJUSTMENTS = [case for case in DATC if case["phase"].endswith("A")]

TOKENS = {
    "moves": ["succeeds"],
    "bounces": ["bounces"],
    "holds": ["holds"],
    "supports": ["succeeds"],
    "cut": ["cut"],
    "no_effect": ["void"],
    "convoys": ["succeeds"],
    "disrupted": ["disrupted"],
    "no_convoy": ["no_convoy"],
    "illegal": ["void"],
    "retreats": ["succeeds"],
    "disbands": ["disbanded"],
}
"""Our verdicts in the words of the cases; a unit that held and was dislodged is called just that there."""

RETREAT_WORDS = {"succeeds": ("retreats",), "bounces": ("bounces",), "void": ("illegal", "disbands")}
"""A void order of another step reaches nobody, and the unit disbands for want of one (6.H.2)."""

LABELS = {"illegal": "illegal", "no_effect": "invalid"}
"""DATC 3.2 tells an order that is impossible on the board from one that no other order fits."""

CALLED_OTHERWISE = {"6.B.11", "6.B.14"}
"""Cases whose label in DATC 3.2 is a plain "fails"."""


def test_all_cases_are_here() -> None:
    assert (len(DATC), len(MOVEMENT), len(RETREATS), len(ADJUSTMENTS), len(EXTRA)) == (176, 156, 17, 20, 27)


def fallen(result: dict[str, Any]) -> list[tuple[str, str, str, list[str]]]:
    return sorted((each["unit"], each["power"], each["dislodged_by"], each["retreats"]) for each in result["dislodged"])


def wanted_fallen(expect: dict[str, Any]) -> list[tuple[str, str, str, list[str]]]:
    return sorted((each["unit"], each["power"], each["dislodged_by"], sorted(each["retreats"])) for each in expect["dislodged"])


@pytest.mark.parametrize("case", MOVEMENT + EXTRA, ids=ids_of(MOVEMENT + EXTRA))
def test_movement(case: dict[str, Any]) -> None:
    _, told = judged(case, board("standard"))
    expect = case["expect"]
    assert told["units"] == units_of(expect["positions_after"])
    assert fallen(told) == wanted_fallen(expect)
    assert dislodged_units(told) == sorted(each["unit"] for each in expect["dislodged"])
    assert told["standoffs"] == sorted(expect.get("standoffs", told["standoffs"]))
    assert len(told["orders"]) == sum(map(len, case["units"].values()))


@pytest.mark.parametrize("case", MOVEMENT, ids=ids_of(MOVEMENT))
def test_each_verdict(case: dict[str, Any]) -> None:
    _, told = judged(case, board("standard"))
    destroyed = {each["unit"] for each in told["destroyed"]}
    found = {}
    for entry in told["orders"]:
        unit = unit_in(entry["order"])
        tokens = [] if entry["verdict"] == "holds" and entry["dislodged"] else list(TOKENS[entry["verdict"]])
        found[unit] = tokens + ["dislodged"] * entry["dislodged"] + ["destroyed"] * (unit in destroyed)
    assert found == case["expect"]["results"]


@pytest.mark.parametrize("case", MOVEMENT, ids=ids_of(MOVEMENT))
def test_impossible_is_told_from_unmatched(case: dict[str, Any]) -> None:
    _, told = judged(case, board("standard"))
    labels = {
        order: label
        for power in case["orders"]
        for order, label in zip(case["orders"][power], case["expect"]["datc_labels"][power], strict=True)
    }
    by_unit = {unit_in(order): label for order, label in labels.items()}
    for entry in told["orders"]:
        label = by_unit.get(unit_in(entry["order"]))
        if entry["verdict"] in LABELS and label is not None and case["id"] not in CALLED_OTHERWISE:
            assert label.startswith(LABELS[entry["verdict"]]), entry


@pytest.mark.parametrize("case", RETREATS, ids=ids_of(RETREATS))
def test_retreat(case: dict[str, Any]) -> None:
    result, told = judged(case, board("standard"))
    part = case["retreat"]
    if result.after.dislodged:
        assert str(result.after.phase) == part["phase"]
        told = write_result(adjudicate(result.after, part["orders"], board("standard")))
        given = {unit_in(entry["order"]): entry["verdict"] for entry in told["orders"]}
        for unit, tokens in part["expect"]["results"].items():
            if unit in given and tokens != ["disbanded"]:
                assert given[unit] in RETREAT_WORDS[tokens[0]]
    assert told["units"] == units_of(part["expect"]["positions_after"])
    assert sorted(each["unit"] for each in told["destroyed"]) == sorted(each["unit"] for each in part["expect"]["disbanded"])


@pytest.mark.parametrize("case", ADJUSTMENTS, ids=ids_of(ADJUSTMENTS))
def test_adjustment(case: dict[str, Any]) -> None:
    position, orders = read_case(case, board("standard"))
    told = write_result(adjudicate(position, orders, board("standard")))
    expect = case["expect"]
    assert told["units"] == units_of(expect["positions_after"])
    by_rule = [unit_in(entry["order"]) for entry in told["orders"] if entry["why"]["code"] == "civil_disorder"]
    assert by_rule == sorted(each["unit"] for each in expect["auto_disbanded"])
    refused = [(each["power"], each["text"]) for each in told["refused"]]
    wanted = [
        (power, order)
        for power, texts in case["orders"].items()
        for order, tokens in zip(texts, expect["order_results"][power], strict=True)
        if tokens == ["void"]
    ]
    assert refused == wanted
    due = {power: abs(number) for power, number in case["adjustment"].items()}
    assert len(told["orders"]) <= sum(due.values())
