"""Where the dislodged may go, and the retreat step."""

from collections.abc import Collection, Iterable, Set
from dataclasses import dataclass, replace

from judge.board.graph import Board
from judge.board.places import Location
from judge.board.powers import Power
from judge.rules.orders import Disband, Move, Order, Retreat, Unit
from judge.rules.position import Dislodgement, Position
from judge.rules.variant import Variant
from judge.rules.verdicts import Illegal, OrderOf, Outcome, Refused, Verdict, Why


def retreat_choices(
    fallen: Dislodgement, occupied: Set[str], standoffs: Set[str], attacked: Set[str], variant: Variant
) -> tuple[Location, ...]:
    """Where a dislodged unit may go, sorted; empty means it is destroyed.

    `occupied`, `standoffs` and `attacked` are provinces after all moves are made.
    Source: rulebook "Retreats"; DATC 6.H; source text "Ústup" where the rulebook bars attacked spaces.
    """
    number = variant.tables.number
    closed = {*occupied, *standoffs, *(attacked if variant.rulebook.attacked_bars_retreat else ())}
    came_from = number.get(fallen.attacked_from, NOWHERE)
    return retreats_for(variant.tables.unit_number[fallen.unit], came_from, {number[each] for each in closed}, variant)


NOWHERE = -1
"""Where an attacker came from that bars no retreat: one that came by convoy (DATC 4.A.5)."""


def retreats_for(unit: int, came_from: int, closed: Collection[int], variant: Variant) -> tuple[Location, ...]:
    """Where a unit dislodged from the province `came_from` may go; `closed` are the provinces that are barred.  All are numbers."""
    tables, ports = variant.tables, variant.board.ports
    if not ports:
        return tuple([to for there, to in tables.steps[unit] if there != came_from and there not in closed])
    found = [to for there, to in tables.steps[unit] if there != came_from and there not in closed]
    here = tables.units[unit].at.province
    if here in ports:
        attacked_from = tables.provinces[came_from] if came_from >= 0 else ""
        return tuple(to for to in found if _leaves_by_other_port(here, to.province, attacked_from, variant.board))
    return tuple(to for to in found if to.province not in ports)


def _leaves_by_other_port(waterway: str, to: str, attacked_from: str, board: Board) -> bool:
    """Whether going to `to` leaves by the port away from the attack; an attack from another waterway comes by the port both share (A14).

    Source: source text "Vodní cesty".
    """
    attacked_ends = {attacked_from, *board.ports.get(attacked_from, ())}
    exits = {port for port in board.ports[waterway] if port not in attacked_ends}
    return not exits.isdisjoint({to, *board.ports.get(to, ())})


def retreats_of(position: Position, variant: Variant) -> tuple[Dislodgement, ...]:
    """The dislodgements of `position` with their `retreats` worked out anew from its units, standoffs and attacked spaces."""
    occupied = {unit.at.province for units in position.units.values() for unit in units}
    return tuple(
        replace(fallen, retreats=retreat_choices(fallen, occupied, position.standoffs, position.attacked, variant))
        for fallen in position.dislodged
    )


def why_no_retreat(order: Order, power: Power, position: Position) -> Illegal | None:
    """Why `power` cannot give this order in a retreat phase; None if it can."""
    found = _retreat(order, power, position)
    return found if isinstance(found, Illegal) else None


def _retreat(order: Order, power: Power, position: Position) -> tuple[Dislodgement, Location | None] | Illegal:
    """The unit meant and where it goes (None: it disbands), or why not."""
    if not isinstance(order, Retreat | Move | Disband):
        return Illegal("wrong_phase")
    place = order.unit.at.province
    at_place = [fallen for fallen in position.dislodged if fallen.unit.at.province == place]
    mine = [fallen for fallen in at_place if fallen.power == power]
    if not mine:
        return _why_not_mine(place, power, at_place, position)
    fallen = mine[0]
    if not fallen.retreats:
        return Illegal("retreat_barred")
    if isinstance(order, Disband):
        return fallen, None
    to = order.to
    choices = [choice for choice in fallen.retreats if choice.province == to.province]
    if to.coast and any(choice.coast for choice in choices):
        choices = [choice for choice in choices if choice == to]
    if not choices:
        return Illegal("retreat_barred", places=fallen.retreats)
    if len(choices) > 1:
        return Illegal("coast_missing", places=tuple(choices))
    return fallen, choices[0]


def _why_not_mine(place: str, power: Power, fallen: list[Dislodgement], position: Position) -> Illegal:
    owners = [owner for owner, units in position.units.items() for unit in units if unit.at.province == place]
    if power in owners:
        return Illegal("not_dislodged", places=(Location(place),))
    others = [*(each.power for each in fallen), *owners]
    if others:
        return Illegal("not_yours", places=(Location(place),), power=others[0])
    return Illegal("no_unit", places=(Location(place),))


REACHES_NOBODY = {"not_dislodged": "not_due", "retreat_barred": "not_due"}
"""Codes of orders that reach no unit owing a retreat, as `Refused` names them."""


@dataclass(slots=True)
class Flight:
    """One dislodged unit in the retreat step, with the order that stands for it."""

    fallen: Dislodgement
    order: Order
    given: bool = False
    to: Location | None = None
    illegal: Illegal | None = None


@dataclass(frozen=True, slots=True)
class Retreats:
    """The retreat step done: who got where, who was lost, what became of each order."""

    arrived: tuple[tuple[Power, Unit], ...]
    destroyed: tuple[tuple[Power, Unit], ...]
    refused: tuple[Refused, ...]
    outcomes: tuple[Outcome, ...]


def resolve_retreats(position: Position, orders: Iterable[tuple[Power, Order | str, Order]], variant: Variant) -> Retreats:
    """Carry out a retreat phase; `orders` are power, the order as it came, and as it was read.

    Two or more to one province are all lost; no order and an impossible order disband (rulebook "Retreats"; DATC 6.H).
    """
    flights = {
        (fallen.power, fallen.unit.at.province): Flight(fallen, Disband(fallen.unit))
        for fallen in sorted(position.dislodged, key=lambda each: (variant.powers.index(each.power), each.unit))
    }
    refused = [each for item in orders if (each := _give(flights, *item, position)) is not None]
    owing = [flight for flight in flights.values() if flight.fallen.retreats]
    targets = [flight.to.province for flight in owing if flight.to is not None]
    clashes = {province for province in targets if targets.count(province) > 1}
    arrived, outcomes = [], []
    lost = [(flight.fallen.power, flight.fallen.unit) for flight in flights.values() if not flight.fallen.retreats]
    for flight in owing:
        outcome = _outcome(flight, owing, clashes)
        outcomes.append(outcome)
        if outcome.verdict is Verdict.RETREATS and flight.to is not None:
            arrived.append((outcome.power, Unit(flight.fallen.unit.kind, flight.to)))
        else:
            lost.append((outcome.power, flight.fallen.unit))
    return Retreats(tuple(arrived), tuple(lost), tuple(refused), tuple(outcomes))


def _give(flights: dict[tuple[Power, str], Flight], power: Power, item: Order | str, order: Order, position: Position) -> Refused | None:
    """Let an order stand for its unit; the last possible one counts."""
    found = _retreat(order, power, position)
    flight = flights.get((power, order.unit.at.province)) if isinstance(order, Retreat | Move | Disband) else None
    if flight is None or not flight.fallen.retreats:
        assert isinstance(found, Illegal)
        code = REACHES_NOBODY.get(found.code, found.code)
        if code == "not_due" and isinstance(order, Move):
            code = "wrong_phase"
        return Refused(power, item, code, found)
    illegal = found if isinstance(found, Illegal) else None
    if illegal is not None and flight.given and flight.illegal is None:
        return Refused(power, item, "replaced", illegal)
    refused = Refused(power, flight.order, "replaced", flight.illegal) if flight.given else None
    flight.given, flight.illegal = True, illegal
    flight.to = None if isinstance(found, Illegal) else found[1]
    flight.order = _as_given(order, flight)
    return refused


def _as_given(order: Order, flight: Flight) -> Order:
    match order:
        case Retreat(_, to) | Move(_, to):
            return Retreat(flight.fallen.unit, flight.to or to)
    return Disband(flight.fallen.unit)


def _outcome(flight: Flight, owing: list[Flight], clashes: set[str]) -> Outcome:
    if flight.illegal is not None:
        verdict, why = Verdict.ILLEGAL, flight.illegal
    elif flight.to is None:
        verdict, why = Verdict.DISBANDS, Why("as_ordered" if flight.given else "no_order")
    elif flight.to.province in clashes:
        others = [each for each in owing if each is not flight and each.to and each.to.province == flight.to.province]
        verdict, why = Verdict.BOUNCES, Why("retreat_clash", by=tuple(OrderOf(each.fallen.power, each.order) for each in others))
    else:
        verdict, why = Verdict.RETREATS, Why("retreated")
    return Outcome(flight.fallen.power, flight.order, flight.given, verdict, False, why)
