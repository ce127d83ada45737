"""Cases from public trouble reports about other judges."""

from typing import Any

import pytest

from judge.rules import adjudicate, write_result
from tests.support.judged import board, cases_of, ids_of, judged, units_of

REPORTS = cases_of("reports.jsonl")
MOVED = [case for case in REPORTS if case["type"].startswith("movement")]
ADJUSTED = [case for case in REPORTS if case["type"] == "adjustment"]


def test_all_cases_are_here() -> None:
    assert (len(MOVED), len(ADJUSTED)) == (23, 7)


def check_movement(told: dict[str, Any], expect: dict[str, Any]) -> None:
    assert told["units"] == units_of(expect["units_after"])
    fallen = {each["unit"]: (each["power"], each["retreats"]) for each in told["dislodged"]}
    assert fallen == {unit: (facts["power"], sorted(facts["retreats"])) for unit, facts in expect["dislodged"].items()}
    assert told["standoffs"] == sorted(expect["contested"])


@pytest.mark.parametrize("case", MOVED, ids=ids_of(MOVED))
def test_movement(case: dict[str, Any]) -> None:
    orders = case.get("orders_as_written", case["orders"])
    result, told = judged({**case, "orders": orders, "dislodged": []}, board("standard"))
    expect = case["expect"]
    check_movement(told, expect.get("after_movement", expect))
    if case["type"] == "movement":
        return
    after, told = result, write_result(adjudicate(result.after, case["retreat_orders"], board("standard")))
    assert after.after.dislodged
    assert told["units"] == units_of(expect["units_after_retreats"])
    assert sorted(each["unit"] for each in told["destroyed"]) == sorted(expect["disbanded"])
    if "centers_after_fall" in expect:
        assert told["centers"] == units_of(expect["centers_after_fall"])
    for text in expect.get("refused_orders", []):
        # Impossible as a retreat: it stands as the unit's order and is told as such.
        assert [(entry["verdict"], entry["given"]) for entry in told["orders"] if entry["order"] == text] == [("illegal", True)]


@pytest.mark.parametrize("case", ADJUSTED, ids=ids_of(ADJUSTED))
def test_adjustment(case: dict[str, Any]) -> None:
    _, told = judged(case, board("standard"))
    expect = case["expect"]
    assert told["units"] == units_of(expect["units_after"])
    assert [each["text"] for each in told["refused"]] == expect["refused_orders"]
    by_rule = [entry["order"].removesuffix(" D") for entry in told["orders"] if entry["why"]["code"] == "civil_disorder"]
    assert by_rule == expect["removed_by_rule"]
