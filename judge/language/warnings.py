"""Warnings that save games: orders that cannot be, and orders that do not go together."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from judge.board import Location, Power
from judge.language.complaints import (
    CoastNeeded,
    ConvoyMissing,
    ConvoyUnmatched,
    Impossible,
    NoOrder,
    OrderedTwice,
    OwnTarget,
    RemovalsMissing,
    SameTarget,
    SupportUnmatched,
    UnusedBuilds,
    Warned,
)
from judge.rules import (
    Build,
    Convoy,
    Disband,
    Illegal,
    Move,
    Order,
    Phase,
    Position,
    Retreat,
    Step,
    SupportHold,
    SupportMove,
    Unit,
    UnitOrder,
    Variant,
    Waive,
    duties,
    why_illegal,
)


def order_warnings(order: Order, power: Power, position: Position | None, variant: Variant) -> tuple[Warned, ...]:
    """What is wrong with one order whatever else is ordered.

    Without a position only a missing coast can be told; without a power the owner of the unit is taken for it.
    """
    if isinstance(order, Waive):
        return ()
    if position is None:
        return tuple(_unnamed_coast(order, variant)) or _on_an_empty_board(order, variant)
    owner = power or _owner(order, position)
    if not owner:
        return tuple(_unnamed_coast(order, variant)) or _on_an_empty_board(order, variant)
    why = why_illegal(order, owner, position, variant) or _nobody_helped(order, position)
    if why is None:
        return ()
    if why.code == "coast_missing":
        return (CoastNeeded(order, why.places),)
    return (Impossible(order, why),)


def _nobody_helped(order: UnitOrder, position: Position) -> Illegal | None:
    """That a support or convoy names a unit where none stands: the rules allow it, but it can never do anything."""
    if not isinstance(order, SupportHold | SupportMove | Convoy):
        return None
    if any(unit.at.province == order.of.at.province for units in position.units.values() for unit in units):
        return None
    return Illegal("no_unit", places=(order.of.at,))


def _on_an_empty_board(order: UnitOrder, variant: Variant) -> tuple[Warned, ...]:
    """Why an order is impossible wherever other units stand, told by the board alone; a coast left open may be any."""
    if isinstance(order, Retreat | Disband | Build):
        return ()
    one, other = variant.powers[0], variant.powers[-1]
    helped = order.of if isinstance(order, SupportHold | SupportMove | Convoy) else None
    for unit in (order.unit, helped):
        if unit is not None and not _spots(unit, variant):
            return (Impossible(order, Illegal("wrong_terrain", places=(unit.at,))),)
    season = next(season for season, step in variant.calendar.round if step is Step.MOVEMENT)
    why = None
    for unit, of in product(_spots(order.unit, variant), _spots(helped, variant) if helped else (None,)):
        units = {one: (unit,)}
        if of is not None and of.at.province != unit.at.province:
            units[other] = (of,)
        why = why_illegal(order, one, Position(Phase(1, season, Step.MOVEMENT), units, {}), variant)
        if why is None or why.code in NEEDS_FLEETS:
            return ()
    return (Impossible(order, why),) if why is not None else ()


def _spots(unit: Unit, variant: Variant) -> tuple[Unit, ...]:
    """Where on the board a unit can be that is said to stand there: itself, or on each coast if it should name one."""
    table = variant.board.passages.get(unit.kind, {})
    if unit.at in table:
        return (unit,)
    return tuple(Unit(unit.kind, at) for at in sorted(table) if at.province == unit.at.province and not unit.at.coast)


NEEDS_FLEETS = frozenset({"no_route", "not_on_route", "coast_missing"})
"""Reasons that hang on where other units stand, or are told otherwise."""


def _owner(order: UnitOrder, position: Position) -> Power:
    """Whose unit stands (or fell) where the ordered unit is said to be; for a build, whose centre it is."""
    province = order.unit.at.province
    if isinstance(order, Build):
        return position.owners.get(province, "")
    for fallen in position.dislodged:
        if fallen.unit.at.province == province and position.phase.step is Step.RETREAT:
            return fallen.power
    return next((power for power, units in position.units.items() if any(unit.at.province == province for unit in units)), "")


def _unnamed_coast(order: UnitOrder, variant: Variant) -> Iterator[Warned]:
    """A move or build that must name one of several coasts, as far as the board alone tells."""
    board = variant.board
    match order:
        case Move(unit, to, _) | Retreat(unit, to):
            froms = [at for at in board.passages.get(unit.kind, {}) if at.province == unit.at.province and unit.at.coast in ("", at.coast)]
            reached = {at for start in froms for at in board.neighbours(unit.kind, start) if at.province == to.province and at.coast}
            if not to.coast and len(reached) > 1:
                yield CoastNeeded(order, tuple(sorted(reached)))
        case Build(unit):
            coasts = tuple(sorted(at for at in board.passages.get(unit.kind, {}) if at.province == unit.at.province and at.coast))
            if coasts and not unit.at.coast:
                yield CoastNeeded(order, coasts)
        case _:
            return


def warnings_for(orders: Iterable[Order], power: Power, position: Position, variant: Variant) -> tuple[Warned, ...]:
    """What a power should know about its orders on file before the phase closes; empty if they go together.

    Impossible orders come first, then what does not match, then what is missing.
    """
    given = list(orders)
    told: list[Warned] = []
    for order in given:
        told += order_warnings(order, power, position, variant)
    match position.phase.step:
        case Step.MOVEMENT:
            told += _movement(given, power, position, variant)
        case Step.RETREAT:
            told += _retreats(given, power, position)
        case Step.ADJUSTMENT:
            told += _adjustments(given, power, position, variant)
    return tuple(dict.fromkeys(told))


def _movement(orders: Sequence[Order], power: Power, position: Position, variant: Variant) -> Iterator[Warned]:
    units = {unit.at.province: unit for unit in position.units.get(power, ())}
    last: dict[str, UnitOrder] = {}
    for order in orders:
        if isinstance(order, Waive):
            continue
        province = order.unit.at.province
        if province in last:
            yield OrderedTwice(order, last[province])
        last[province] = order
    yield from _unmatched(last, units)
    yield from _convoys_missing(last, units, position, variant)
    yield from _targets(last, units)
    for province, unit in units.items():
        if province not in last:
            yield NoOrder(unit)


def _unmatched(orders: dict[str, UnitOrder], units: dict[str, Unit]) -> Iterator[Warned]:
    """Supports and convoys of own units that do something else; what other powers do cannot be known."""
    for order in orders.values():
        if isinstance(order, SupportHold) and order.of.at.province in units:
            does = orders.get(order.of.at.province)
            if isinstance(does, Move):
                yield SupportUnmatched(order, does)
        elif isinstance(order, SupportMove) and order.of.at.province in units:
            does = orders.get(order.of.at.province)
            if not (isinstance(does, Move) and _same(does.to, order.to)):
                yield SupportUnmatched(order, does)
        elif isinstance(order, Convoy) and order.of.at.province in units:
            does = orders.get(order.of.at.province)
            if not (isinstance(does, Move) and does.to.province == order.to.province):
                yield ConvoyUnmatched(order, does)


def _same(one: Location, other: Location) -> bool:
    return one.province == other.province and (one == other or not one.coast or not other.coast)


def _convoys_missing(orders: dict[str, UnitOrder], units: dict[str, Unit], position: Position, variant: Variant) -> Iterator[Warned]:
    """Armies that can only go by sea while no own fleet carries them; a foreign fleet may, but it should be told."""
    board = variant.board
    carried = {(order.of.at.province, order.to.province) for order in orders.values() if isinstance(order, Convoy)}
    for province, order in orders.items():
        if isinstance(order, Move) and province in units and board.kinds[order.unit.kind].convoyed:
            by_land = board.touches(order.unit.kind, order.unit.at, order.to.province)
            alone = (order.via or not by_land) and (province, order.to.province) not in carried
            if alone and not why_illegal(order, _owner(order, position), position, variant):
                yield ConvoyMissing(order)


def _targets(orders: dict[str, UnitOrder], units: dict[str, Unit]) -> Iterator[Warned]:
    going: dict[str, list[UnitOrder]] = {}
    for province, order in orders.items():
        if isinstance(order, Move) and province in units:
            going.setdefault(order.to.province, []).append(order)
    for target, moves in going.items():
        if len(moves) > 1:
            yield SameTarget(tuple(moves))
        unit = units.get(target)
        if unit is not None and not isinstance(orders.get(target), Move):
            for order in moves:
                yield OwnTarget(order, unit)


def _retreats(orders: Sequence[Order], power: Power, position: Position) -> Iterator[Warned]:
    fallen = [each.unit for each in position.dislodged if each.power == power and each.retreats]
    ordered: dict[str, UnitOrder] = {}
    for order in orders:
        if not isinstance(order, Waive):
            if order.unit.at.province in ordered:
                yield OrderedTwice(order, ordered[order.unit.at.province])
            ordered[order.unit.at.province] = order
    going: dict[str, list[UnitOrder]] = {}
    for order in ordered.values():
        if isinstance(order, Retreat | Move):
            going.setdefault(order.to.province, []).append(order)
    for moves in going.values():
        if len(moves) > 1:
            yield SameTarget(tuple(moves))
    for unit in fallen:
        if unit.at.province not in ordered:
            yield NoOrder(unit)


def _adjustments(orders: Sequence[Order], power: Power, position: Position, variant: Variant) -> Iterator[Warned]:
    duty = duties(position, variant).get(power)
    if duty is None:
        return
    builds = sum(1 for order in orders if isinstance(order, Build | Waive))
    removals = len({order.unit for order in orders if isinstance(order, Disband)})
    if duty.builds > builds:
        yield UnusedBuilds(duty.builds - builds)
    if duty.removals > removals:
        yield RemovalsMissing(duty.removals - removals)
