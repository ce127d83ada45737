"""Random games: two years on a few boards, ten on each in the long form (`make prove`), twenty on Warcraft."""

import pytest

from judge.library import Library
from tests.support.chancegames import faults_of, play_at_random

LIBRARY = Library()
QUICK = ("standard", "warcraft", "pure", "chaos", "hundred", "northseawars", "ancientmediterranean", "seven_islands", "classical")


def faults_in_game(name: str, years: int, seed: int) -> list[str]:
    variant = LIBRARY.variant(name)
    faults: list[str] = []
    phases = 0
    for result, _ in play_at_random(variant, years, seed):
        phases += 1
        faults += faults_of(result, variant)
    assert phases >= min(years, 2)
    return faults


@pytest.mark.parametrize("name", QUICK)
def test_two_years_of_chance(name: str) -> None:
    assert faults_in_game(name, 2, seed=1901) == []


@pytest.mark.prove
@pytest.mark.parametrize("name", LIBRARY.variants())
def test_ten_years_of_chance(name: str) -> None:
    assert faults_in_game(name, 10, seed=20261129) == []


@pytest.mark.prove
@pytest.mark.parametrize("seed", range(3))
def test_twenty_years_of_warcraft(seed: int) -> None:
    assert faults_in_game("warcraft", 20, seed) == []
