"""The cases that map folders bring along, all of them."""

import pytest

from judge.library import Library, shipped_folder
from tests.support.casework import Case, differences, play_case, read_cases

LIBRARY = Library()
CASES = [case for path in sorted(shipped_folder("maps").glob("*/cases/*.toml")) for case in read_cases(path)]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_case_comes_out_as_its_file_says(case: Case) -> None:
    variant = LIBRARY.variant(case.path.parent.parent.name)
    assert differences(case, play_case(case, variant)) == []


@pytest.mark.parametrize("case", [case for case in CASES if "rules" in case.table], ids=str)
def test_a_case_for_a_switch_comes_out_otherwise_without_it(case: Case) -> None:
    variant = LIBRARY.variant(case.path.parent.parent.name)
    unswitched = Case(case.path, {key: value for key, value in case.table.items() if key != "rules"})
    assert differences(unswitched, play_case(unswitched, variant)) != []
