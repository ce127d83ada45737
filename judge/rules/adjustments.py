"""The adjustment step: builds and removals, and removals by rule."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from judge.board.places import Location
from judge.board.powers import Power
from judge.rules.orders import Build, Disband, Order, Unit, Waive
from judge.rules.position import Position
from judge.rules.tables import bits
from judge.rules.variant import Variant
from judge.rules.verdicts import Illegal, Outcome, Refused, Verdict, Why

FAR = 1_000_000
"""Steps to a centre that cannot be reached at all."""


def units_due(position: Position, power: Power) -> int:
    """Centres owned less units on the board: builds if positive, removals if negative.  Source: rulebook "Gaining and losing units"."""
    owned = sum(owner == power for owner in position.owners.values())
    return owned - len(position.units.get(power, ()))


def building_sites(position: Position, power: Power, variant: Variant) -> tuple[str, ...]:
    """Provinces where `power` may build now, sorted; the edition decides which centres serve (`Rulebook.build_sites`)."""
    occupied = {unit.at.province for units in position.units.values() for unit in units}
    return tuple(
        centre
        for centre in sorted(variant.board.centres)
        if centre not in occupied and _why_no_site(centre, power, position, variant) is None
    )


def _why_no_site(centre: str, power: Power, position: Position, variant: Variant) -> str | None:
    """Why a centre is no building site of `power`, whoever stands there: ``not_home`` or ``not_owned``."""
    board, rules = variant.board, variant.rulebook
    is_owned = position.owners.get(centre) == power
    home_of = board.provinces[centre].home_of
    match rules.build_sites:
        case "any":
            serves = True
        case "any_if_home":
            serves = any(position.owners.get(home) == power for home in board.homes[power])
        case "any_home":
            serves = bool(home_of)
        case _:
            serves = home_of == power
            is_owned = is_owned or not rules.build_needs_ownership
    if not serves:
        return "not_home"
    return None if is_owned else "not_owned"


def builds_due(position: Position, power: Power, variant: Variant) -> int:
    """How many units `power` may build now: what is due, as far as there are sites."""
    return max(0, min(units_due(position, power), len(building_sites(position, power, variant))))


def removals_due(position: Position, power: Power) -> int:
    """How many units `power` must remove."""
    return max(0, -units_due(position, power))


def buildable(province: str, variant: Variant) -> tuple[Unit, ...]:
    """Every unit that could be built in a province, one for each coast a kind tells apart."""
    tables = variant.tables
    number = tables.number[province]
    return tuple(tables.units[n] for kind in sorted(variant.board.kinds) for n in tables.standing.get((kind, number), ()))


def why_no_adjustment(order: Order, power: Power, position: Position, variant: Variant) -> Illegal | None:
    """Why `power` cannot give this order in an adjustment phase, other orders left aside; None if it can."""
    due = units_due(position, power)
    match order:
        case Build(unit):
            found = _build(unit, power, position, variant) if due > 0 else Illegal("not_due")
        case Disband(unit):
            found = _removal(unit, power, position) if due < 0 else Illegal("not_due")
        case Waive():
            return None if due > 0 else Illegal("not_due")
        case _:
            return Illegal("wrong_phase")
    return found if isinstance(found, Illegal) else None


def _build(wanted: Unit, power: Power, position: Position, variant: Variant) -> Unit | Illegal:
    """The unit to be built, its coast left out where it has no meaning; or why it cannot be."""
    board = variant.board
    province = wanted.at.province
    sites = tuple(Location(site) for site in building_sites(position, power, variant))
    if province not in board.centres:
        return Illegal("not_home", places=sites)
    problem = _why_no_site(province, power, position, variant)
    if problem is not None:
        return Illegal(problem, places=sites, power=position.owners.get(province, "") if problem == "not_owned" else "")
    for owner, units in position.units.items():
        if any(unit.at.province == province for unit in units):
            return Illegal("occupied", places=sites, power=owner)
    choices = [unit for unit in buildable(province, variant) if unit.kind == wanted.kind]
    if not choices:
        return Illegal("wrong_terrain", places=(Location(province),))
    if not any(unit.at.coast for unit in choices):
        return choices[0]
    if wanted not in choices:  # DATC 4.B.7: without its coast the build fails and is not used up
        return Illegal("coast_missing", places=tuple(unit.at for unit in choices))
    return wanted


def _removal(named: Unit, power: Power, position: Position) -> Unit | Illegal:
    """The unit to be removed, meant by its province; or why there is none."""
    place = named.at.province
    for owner, units in position.units.items():
        for unit in units:
            if unit.at.province == place:
                return unit if owner == power else Illegal("not_yours", places=(Location(place),), power=owner)
    return Illegal("no_unit", places=(Location(place),))


@dataclass(slots=True)
class Adjusting:
    """One power's adjustments while its orders are read from the top."""

    power: Power
    builds: int
    removals: int
    built: list[Unit] = field(default_factory=list)
    removed: list[Unit] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)

    def note(self, order: Order, verdict: Verdict, why: Why, given: bool = True) -> None:
        """Set down what became of one adjustment."""
        self.outcomes.append(Outcome(self.power, order, given, verdict, False, why))


@dataclass(frozen=True, slots=True)
class Adjustments:
    """The adjustment step done: units by power as they then stand, and what became of each order."""

    units: Mapping[Power, tuple[Unit, ...]]
    refused: tuple[Refused, ...]
    outcomes: tuple[Outcome, ...]


def resolve_adjustments(position: Position, orders: Iterable[tuple[Power, Order | str, Order]], variant: Variant) -> Adjustments:
    """Carry out an adjustment phase; `orders` are power, the order as it came, and as it was read.

    Orders are read from the top: the first that can be done are (DATC 4.D.4 to 4.D.6).  Builds not used are waived; removals not
    ordered are chosen by rule.
    """
    adjusting = {power: Adjusting(power, builds_due(position, power, variant), removals_due(position, power)) for power in variant.powers}
    for power, item, order in orders:
        _take(adjusting[power], item, order, position, variant)
    units: dict[Power, tuple[Unit, ...]] = {}
    for power in variant.powers:
        each = adjusting[power]
        _remove_by_rule(each, position, variant)
        for _ in range(each.builds - len([outcome for outcome in each.outcomes if outcome.verdict in (Verdict.BUILDS, Verdict.WAIVES)])):
            each.note(Waive(), Verdict.WAIVES, Why("no_order"), given=False)
        left = sorted({*position.units.get(power, ()), *each.built} - {*each.removed})
        if left:
            units[power] = tuple(left)
    return Adjustments(
        units,
        tuple(refused for each in adjusting.values() for refused in each.refused),
        tuple(outcome for each in adjusting.values() for outcome in each.outcomes),
    )


def _take(each: Adjusting, item: Order | str, order: Order, position: Position, variant: Variant) -> None:
    problem = _grant(each, order, position, variant)
    if problem is not None:
        each.refused.append(Refused(each.power, item, problem.code, problem))


def _grant(each: Adjusting, order: Order, position: Position, variant: Variant) -> Illegal | None:
    """Grant one adjustment, or say why not."""
    problem = why_no_adjustment(order, each.power, position, variant)
    if problem is not None:
        return problem
    match order:
        case Disband(named):
            unit = _removal(named, each.power, position)
            assert isinstance(unit, Unit)
            if unit in each.removed:
                return Illegal("twice")
            if len(each.removed) == each.removals:
                return Illegal("too_many")
            each.removed.append(unit)
            each.note(Disband(unit), Verdict.REMOVES, Why("as_ordered"))
        case Build(wanted):
            unit = _build(wanted, each.power, position, variant)
            assert isinstance(unit, Unit)
            if any(built.at.province == unit.at.province for built in each.built):
                return Illegal("twice")
            if len(each.outcomes) == each.builds:
                return Illegal("too_many")
            each.built.append(unit)
            each.note(Build(unit), Verdict.BUILDS, Why("as_ordered"))
        case _:
            if len(each.outcomes) == each.builds:
                return Illegal("too_many")
            each.note(Waive(), Verdict.WAIVES, Why("as_ordered"))
    return None


def _remove_by_rule(each: Adjusting, position: Position, variant: Variant) -> None:
    """Remove what was not ordered: farthest from the centres that count, then by rank, then by name or number.

    Source: rulebook of 2023 "Civil disorder" (DATC 4.D.8 c, 6.J); reading A16 of the source text where distance is counted from home.
    """
    missing = each.removals - len(each.removed)
    if missing <= 0:
        return
    if variant.rulebook.removal == "owned":
        centres = sorted(centre for centre, owner in position.owners.items() if owner == each.power)
    else:
        centres = sorted(variant.board.homes[each.power])
    left = [unit for unit in position.units[each.power] if unit not in each.removed]
    steps = {unit: _distance(unit, centres, variant) for unit in left}
    left.sort(key=lambda unit: (-steps[unit][0], *_tie_break(unit, variant)))
    for unit in left[:missing]:
        distance, nearest = steps[unit]
        each.removed.append(unit)
        facts = Why("civil_disorder", places=nearest, distance=distance if distance < FAR else -1)
        each.note(Disband(unit), Verdict.REMOVES, facts, given=False)


def _tie_break(unit: Unit, variant: Variant) -> tuple[int, tuple[int, ...], str]:
    """What goes first among units equally far: the lower rank (fleets, wings), then the name or the higher number."""
    rank = variant.board.kinds[unit.kind].removal_rank
    province = variant.board.provinces[unit.at.province]
    if variant.rulebook.removal_tie == "number":
        # A waterway counts after all regions, by the numbers of its ports (A27).
        ports = variant.board.ports.get(province.id)
        numbers = [1, *map(int, ports)] if ports else [0, int(province.id)]
        return rank, tuple(-number for number in numbers), ""
    return rank, (), province.name


def _distance(unit: Unit, centres: list[str], variant: Variant) -> tuple[int, tuple[Location, ...]]:
    """Steps from a unit to the nearest of `centres`, and which those are."""
    tables = variant.tables
    goals = sum(1 << tables.number[centre] for centre in centres)
    reached = grown = 1 << tables.number[unit.at.province]
    standing = {tables.unit_number[unit]}
    steps = 0
    while grown and not reached & goals:
        steps += 1
        match variant.rulebook.removal_distance:
            case "any":
                grown = _or(tables.borders[here] for here in bits(grown)) & ~reached
            case "unit":
                standing = {to for number in standing for choices in tables.goes[number].values() for to in choices}
                grown = _or(1 << tables.province_of[number] for number in standing) & ~reached
            case _:
                walker = next(iter(variant.board.kinds))
                grown = _or(tables.reach[number] for here in bits(grown) for number in tables.standing.get((walker, here), ())) & ~reached
        reached |= grown
    return (steps, tables.named(reached & goals)) if reached & goals else (FAR, ())


def _or(masks: Iterable[int]) -> int:
    whole = 0
    for mask in masks:
        whole |= mask
    return whole
