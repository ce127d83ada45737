"""Whole games of random legal orders, with what must hold after every phase of any game on any board."""

import random
from collections.abc import Iterator

from judge.board import Power
from judge.rules import (
    Adjudication,
    Convoy,
    Move,
    Order,
    Position,
    Step,
    SupportMove,
    Variant,
    adjudicate,
    duties,
    legal_orders,
)


def random_orders(position: Position, variant: Variant, chance: random.Random) -> dict[Power, list[Order | str]]:
    """Some legal order for every unit, dislodged unit and adjustment; half of the units move, the others mostly help them."""
    possible = legal_orders(position, variant)
    if position.phase.step is Step.MOVEMENT:
        return random_movement({power: dict(choices) for power, choices in possible.items()}, chance)
    orders: dict[Power, list[Order | str]] = {}
    for power, duty in duties(position, variant).items():
        choices = possible[power]
        count = len(choices)
        if position.phase.step is Step.ADJUSTMENT:
            count = min(count, duty.removals or duty.builds)
        orders[power] = [chance.choice(choices[key]) for key in chance.sample(sorted(choices), count)]
    return orders


def random_movement(possible: dict[Power, dict[str, tuple[Order, ...]]], chance: random.Random) -> dict[Power, list[Order | str]]:
    """Orders of a movement phase: first who moves, then who helps with what is really ordered."""
    moves: dict[str, str] = {}
    orders: dict[Power, list[Order | str]] = {power: [] for power in possible}
    helpers: list[tuple[Power, tuple[Order, ...]]] = []
    for power, choices in possible.items():
        for unit in sorted(choices):
            going = [order for order in choices[unit] if isinstance(order, Move)]
            if going and chance.random() < 0.5:
                move = chance.choice(going)
                moves[str(move.unit)] = move.to.province
                orders[power].append(move)
            else:
                helpers.append((power, choices[unit]))
    for power, known in helpers:
        useful = [order for order in known if isinstance(order, SupportMove | Convoy) and moves.get(str(order.of)) == order.to.province]
        orders[power].append(chance.choice(useful if useful and chance.random() < 0.9 else known))
    return orders


def play_at_random(variant: Variant, years: int, seed: int) -> Iterator[tuple[Adjudication, int]]:
    """The phases of a game of so many rounds of the calendar, or up to a victory, and the round of each."""
    chance = random.Random(seed)
    position, rounds = variant.start, 0
    index = {step: number for number, step in enumerate(variant.calendar.round)}
    while rounds < years:
        result = adjudicate(position, random_orders(position, variant, chance), variant)
        yield result, rounds
        if result.winner:
            return
        before, after = position.phase, result.after.phase
        rounds += index[after.season, after.step] <= index[before.season, before.step]
        position = result.after


def faults_of(result: Adjudication, variant: Variant) -> list[str]:
    """What no phase may do, whatever the board: refuse a legal order, lose or double a unit, leave one where it cannot stand."""
    before, after = result.before, result.after
    faults = [f"{before.phase}: refused {refused.text} ({refused.code})" for refused in result.refused]
    faults += [f"{before.phase}: illegal {outcome.order}" for outcome in result.outcomes if outcome.verdict == "illegal"]
    standing = [unit for units in after.units.values() for unit in units]
    if len({unit.at.province for unit in standing}) < len(standing):
        faults.append(f"{before.phase}: two units in one province")
    faults += [f"{before.phase}: {unit} cannot stand there" for unit in standing if unit.at not in variant.board.passages[unit.kind]]
    change = sum(map(len, after.units.values())) + len(after.dislodged) - sum(map(len, before.units.values())) - len(before.dislodged)
    built = sum(outcome.verdict == "builds" for outcome in result.outcomes) - sum(
        outcome.verdict == "removes" for outcome in result.outcomes
    )
    if change != built - len(result.destroyed) - len(given_up(result)):
        faults.append(f"{before.phase}: {change:+} units, {built} built, {len(result.destroyed)} destroyed")
    if before.phase.step is Step.ADJUSTMENT:
        for power in variant.powers:
            units, centres = len(after.units.get(power, ())), sum(owner == power for owner in after.owners.values())
            if units > centres:
                faults.append(f"{before.phase}: {power} has {units} units and {centres} centres")
    return faults


def given_up(result: Adjudication) -> list[str]:
    """Units disbanded in a retreat phase that do not stand among the destroyed."""
    destroyed = {(power, unit) for power, unit in result.destroyed}
    return [
        str(outcome.order)
        for outcome in result.outcomes
        if outcome.verdict == "disbands" and (outcome.power, getattr(outcome.order, "unit", None)) not in destroyed
    ]
