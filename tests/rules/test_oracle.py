"""The resolver against the oracle: the same outcomes on random small positions, on both boards."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.rules import Outcome, Variant, adjudicate
from tests.support.judged import board
from tests.support.oracle import Stage, resolve, verdicts
from tests.support.skirmishes import Skirmish, skirmish, tangle

BOARDS = ["standard", "warcraft"]


def compare(drawn: Skirmish, variant: Variant) -> None:
    """Successes, dislodged units and every verdict."""
    result = adjudicate(drawn.position, drawn.orders, variant)
    units = {unit.at.province: unit for each in drawn.position.units.values() for unit in each}
    powers = {unit.at.province: power for power, each in drawn.position.units.items() for unit in each}
    orders = {order.unit.at.province: order for each in drawn.orders.values() for order in each if hasattr(order, "unit")}
    stage = Stage(variant.board, variant.rulebook, powers, units, orders)
    won = resolve(stage)
    found = {place_of(outcome): str(outcome.verdict) for outcome in result.outcomes}
    assert found == verdicts(stage, won), str(drawn)
    assert result.verdicts == found
    fallen = {place_of(outcome) for outcome in result.outcomes if outcome.dislodged}
    assert fallen == {place for place in units if stage.dislodged(place, won)}, str(drawn)
    after = {unit.at.province: power for power, each in result.after.units.items() for unit in each}
    moved = {stage.target[start]: powers[start] for start in won}
    stayed = {place: power for place, power in powers.items() if place not in won and place not in fallen}
    assert after == moved | stayed, str(drawn)


def place_of(outcome: Outcome) -> str:
    assert hasattr(outcome.order, "unit")
    return str(outcome.order.unit.at.province)


def compare_many(name: str, seed: int, count: int, **switches: object) -> None:
    variant = board(name, **switches)
    chance = random.Random(f"{name} {seed} {sorted(switches)}")
    for _ in range(count):
        compare(skirmish(variant, chance), variant)


@pytest.mark.parametrize("name", BOARDS)
def test_a_thousand(name: str) -> None:
    compare_many(name, 1, 1_000)


@pytest.mark.parametrize("name", BOARDS)
@settings(max_examples=50, deadline=None)
@given(seed=st.integers(0, 2**32), units=st.integers(3, 12))
def test_drawn_by_hypothesis(name: str, seed: int, units: int) -> None:
    variant = board(name)
    compare(skirmish(variant, random.Random(seed), units, moves=6), variant)


def tangle_many(seed: int, count: int) -> None:
    variant = board("standard")
    chance = random.Random(f"tangle {seed}")
    for _ in range(count):
        compare(tangle(variant, chance, chance.choice((1, 2, 2, 3, 4))), variant)


def test_paradoxes() -> None:
    """A third of these positions is a convoy paradox."""
    tangle_many(1, 200)


@pytest.mark.prove
def test_paradoxes_at_length(seed: int) -> None:
    tangle_many(seed + 3_000, 20_000)


OTHER_RULES: list[tuple[str, dict[str, object]]] = [
    ("standard", {"own_attack_counts": True}),
    ("standard", {"cut_exception": False}),
    ("standard", {"beaten_attack_ties_everywhere": True}),
    ("standard", {"failed_attacker_defends": 0}),
    ("standard", {"swap_allowed": True}),
    ("standard", {"via_without_convoy": "land"}),
    ("warcraft", {"own_attack_counts": False}),
    ("warcraft", {"failed_attacker_defends": 0}),
    ("warcraft", {"swap_allowed": True}),
    ("warcraft", {"beaten_attack_ties_everywhere": False}),
]


IDS = [f"{name}-{switch}" for name, switches in OTHER_RULES for switch in switches]


@pytest.mark.parametrize(("name", "switches"), OTHER_RULES, ids=IDS)
def test_other_rules(name: str, switches: dict[str, object]) -> None:
    compare_many(name, 2, 100, **switches)


@pytest.mark.prove
@pytest.mark.parametrize("name", BOARDS)
def test_a_hundred_thousand(name: str, seed: int) -> None:
    compare_many(name, seed + 1_000, 100_000)


@pytest.mark.prove
@pytest.mark.parametrize(("name", "switches"), OTHER_RULES, ids=IDS)
def test_other_rules_at_length(name: str, switches: dict[str, object], seed: int) -> None:
    compare_many(name, seed + 2_000, 2_000, **switches)
