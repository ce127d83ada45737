"""Is this order possible, not knowing any other order?"""

from judge.board.places import Location
from judge.board.powers import Power
from judge.rules.adjustments import why_no_adjustment
from judge.rules.fitting import NOBODY, why_no_route
from judge.rules.orders import Order
from judge.rules.phases import Step
from judge.rules.placement import place_units
from judge.rules.position import Position
from judge.rules.retreats import why_no_retreat
from judge.rules.variant import Variant
from judge.rules.verdicts import Illegal


def why_illegal(order: Order, power: Power, position: Position, variant: Variant) -> Illegal | None:
    """Why `power` cannot give `order` in this position, whatever others do; None if it can.

    What hangs on other orders of the same power (two builds in one place, more than are due) is not looked at.
    """
    match position.phase.step:
        case Step.MOVEMENT:
            return _why_not_moved(order, power, position, variant)
        case Step.RETREAT:
            return why_no_retreat(order, power, position)
        case Step.ADJUSTMENT:
            return why_no_adjustment(order, power, position, variant)


def _why_not_moved(order: Order, power: Power, position: Position, variant: Variant) -> Illegal | None:
    known = variant.fitting.know(order)
    if known is None:
        return Illegal("unknown_place")
    if known.here == NOBODY:
        return Illegal("wrong_phase")
    tables = variant.tables
    placement = place_units(position, variant)
    at, own = placement.at, placement.own
    unit = at[known.here]
    place = (Location(tables.provinces[known.here]),)
    if unit < 0:
        return Illegal("no_unit", places=place)
    owner = variant.powers[own[known.here]]
    if owner != power:
        return Illegal("not_yours", places=place, power=owner)
    fitted, asks, illegal = variant.fitting.fit_others(known, unit, at[known.there])
    if asks:
        return why_no_route(fitted, known.here, placement.afloat, placement.links, tables, unit)
    return illegal
