"""Small dense positions with orders that get in each other's way, drawn from a seed."""

import random
from dataclasses import dataclass

from judge.board import Power, Terrain
from judge.rules import (
    Convoy,
    Hold,
    Move,
    Order,
    Phase,
    Position,
    Step,
    SupportHold,
    SupportMove,
    Unit,
    Variant,
    legal_orders,
)


@dataclass(frozen=True)
class Skirmish:
    """A position and the orders given, all of them legal; a unit may have none."""

    position: Position
    orders: dict[Power, list[Order]]

    def __str__(self) -> str:
        units = {power: [str(unit) for unit in units] for power, units in self.position.units.items()}
        return f"units {units} orders {self.orders}"


def corner(variant: Variant, chance: random.Random, size: int) -> list[str]:
    """Some provinces close to each other."""
    tables = variant.tables
    here = chance.randrange(len(tables.provinces))
    found = [here]
    while len(found) < size:
        edge = [n for n in range(len(tables.provinces)) if any(tables.borders[p] >> n & 1 for p in found) and n not in found]
        if not edge:
            break
        found.append(chance.choice(edge))
    return [tables.provinces[n] for n in found]


def place(variant: Variant, chance: random.Random, provinces: list[str], powers: list[Power]) -> dict[Power, tuple[Unit, ...]]:
    """A unit in most of the provinces."""
    units: dict[Power, list[Unit]] = {}
    for province in provinces:
        if chance.random() < 0.85:
            standing = [unit for unit in variant.tables.units if unit.at.province == province]
            units.setdefault(chance.choice(powers), []).append(chance.choice(standing))
    return {power: tuple(sorted(each)) for power, each in units.items()}


def skirmish(variant: Variant, chance: random.Random, units: int = 9, moves: int = 7) -> Skirmish:
    """Up to `units` units of two or three powers, at most `moves` of them moving; supports and convoys mostly fit."""
    provinces = corner(variant, chance, units)
    powers = chance.sample(list(variant.powers), chance.choice((2, 3)))
    position = Position(Phase(1901, variant.calendar.round[0][0], Step.MOVEMENT), place(variant, chance, provinces, powers), {})
    options = {unit: choices for by_unit in legal_orders(position, variant).values() for unit, choices in by_unit.items()}
    given: dict[str, Order] = {}
    targets = chance.sample(provinces, min(len(provinces), 3))
    is_sea = {p.id for p in variant.board.provinces.values() if p.terrain is Terrain.SEA}
    movers = [unit for unit in sorted(options) if chance.random() < (0.25 if unit.split()[1] in is_sea else 0.6)]
    for unit in chance.sample(movers, min(len(movers), moves)):
        possible = [order for order in options[unit] if isinstance(order, Move) and order.to.province in provinces]
        wanted = [order for order in possible if order.to.province in targets or order.via]
        if possible:
            given[unit] = chance.choice(wanted if wanted and chance.random() < 0.6 else possible)
    wishes = set(given.values())
    for unit in sorted(options):
        if unit not in given and chance.random() < 0.95:
            fitting = [order for order in options[unit] if fits(order, given, wishes)]
            given[unit] = chance.choice(fitting if fitting and chance.random() < 0.9 else options[unit])
            if isinstance(given[unit], Move) and sum(isinstance(order, Move) for order in given.values()) > moves:
                given[unit] = options[unit][0]
    orders = {power: [given[str(unit)] for unit in each if str(unit) in given] for power, each in position.units.items()}
    return Skirmish(position, orders)


def fits(order: Order, given: dict[str, Order], wishes: set[Order]) -> bool:
    """Whether a support or convoy helps an order that was given."""
    match order:
        case SupportMove(_, of, to) | Convoy(_, of, to):
            return any(isinstance(wish, Move) and wish.unit == of and wish.to.province == to.province for wish in wishes)
        case SupportHold(_, of):
            return not isinstance(given.get(str(of), Hold(of)), Move)
    return False


def tangle(variant: Variant, chance: random.Random, convoys: int = 2) -> Skirmish:
    """Convoys whose landings meet units that help to sink the fleets: most paradoxes are found here.

    Each convoy is an army, a fleet or two that carry it, a unit at the landing that supports an attack on a fleet, and the attacker;
    where places are taken already, units serve twice.
    """
    tables, board = variant.tables, variant.board
    powers = chance.sample(list(variant.powers), 3)
    units: dict[str, tuple[Power, Unit]] = {}
    wanted: dict[str, Order] = {}
    seas = [unit for number, unit in enumerate(tables.units) if tables.can_carry[number]]

    def put(unit: Unit, power: Power) -> Unit:
        return units.setdefault(unit.at.province, (power, unit))[1]

    def beside(province: str, kinds: str) -> list[Unit]:
        return [unit for unit in tables.units if unit.kind in kinds and board.touches(unit.kind, unit.at, province)]

    sea = chance.choice(seas)
    for _ in range(convoys):
        fleets = [sea]
        onward = [unit for unit in seas if unit in beside(sea.at, "F")]
        if onward and chance.random() < 0.4:
            fleets.append(chance.choice(onward))
        coasts = [
            unit
            for number, unit in enumerate(tables.units)
            if tables.is_carried[number] and any(board.touches("F", fleet.at, unit.at.province) for fleet in fleets)
        ]
        start, landing = chance.sample(coasts, 2)
        mine = powers[0] if chance.random() < 0.7 else chance.choice(powers)
        army = put(start, mine)
        fleets = [put(fleet, mine) for fleet in fleets]
        target = chance.choice(fleets)
        foe = chance.choice(powers[1:])
        helper = put(chance.choice([u for u in beside(target.at.province, "AF") if u.at.province == landing.at.province] or [landing]), foe)
        attacker = put(chance.choice(beside(target.at.province, "F")), foe)
        wanted.setdefault(army.at.province, Move(army, landing.at, via=chance.random() < 0.5))
        for fleet in fleets:
            wanted.setdefault(fleet.at.province, Convoy(fleet, army, landing.at))
        wanted.setdefault(attacker.at.province, Move(attacker, target.at))
        wanted.setdefault(helper.at.province, SupportMove(helper, attacker, target.at))
        if chance.random() < 0.4:
            friend = put(chance.choice(beside(landing.at.province, "AF")), mine)
            wanted.setdefault(friend.at.province, SupportMove(friend, army, landing.at))
        nearby = [unit for unit in seas if unit in beside(landing.at.province, "F")]
        sea = chance.choice(nearby or seas)
    by_power = {power: tuple(sorted(unit for owner, unit in units.values() if owner == power)) for power in powers}
    position = Position(Phase(1901, "S", Step.MOVEMENT), {power: each for power, each in by_power.items() if each}, {})
    options = {unit: choices for by_unit in legal_orders(position, variant).values() for unit, choices in by_unit.items()}
    orders: dict[Power, list[Order]] = {}
    for power, each in position.units.items():
        for unit in each:
            wish = wanted.get(unit.at.province)
            if wish in options[str(unit)] and chance.random() < 0.9:
                orders.setdefault(power, []).append(wish)
            elif chance.random() < 0.5:
                orders.setdefault(power, []).append(chance.choice(options[str(unit)]))
    return Skirmish(position, orders)
