"""Positions worked out by hand, in which one detail decides: mostly a decision that must wait for another."""

import pytest

from tests.support.casework import Case, differences, play_case, read_cases
from tests.support.judged import CASES, board

WORKED = read_cases(CASES / "worked.toml")


@pytest.mark.parametrize("case", WORKED, ids=[case.table["id"] for case in WORKED])
def test_a_position_worked_out_by_hand(case: Case) -> None:
    assert differences(case, play_case(case, board("standard"))) == []


SWITCHED = [case for case in WORKED if "rules" in case.table]


@pytest.mark.parametrize("case", SWITCHED, ids=[case.table["id"] for case in SWITCHED])
def test_a_switch_makes_the_difference(case: Case) -> None:
    unswitched = Case(case.path, {key: value for key, value in case.table.items() if key != "rules"})
    assert differences(unswitched, play_case(unswitched, board("standard"))) != []
