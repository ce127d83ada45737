"""Orders in the judge's own notation, read at once where nothing about them wants a second look."""

import re
from collections.abc import Mapping

from judge.board import Location, Power
from judge.language.scene import VERBS_OF, Scene
from judge.rules import (
    BadNotation,
    Convoy,
    Disband,
    Hold,
    Move,
    Retreat,
    Step,
    SupportHold,
    SupportMove,
    Unit,
    UnitOrder,
    read_order,
)

_PLACE = r"[A-Z0-9]+(?:-[0-9]+)?(?:/[A-Z]{2})?"
_CANONICAL = re.compile(rf"[A-Z] {_PLACE}(?: [HD]| (?:-|R) {_PLACE}(?: VIA)?| [SC] [A-Z] {_PLACE}(?: - {_PLACE})?)")


def plain_order(text: str, scene: Scene) -> UnitOrder | None:
    """An order in canonical notation, if nothing about it wants a second look: the right step, units that stand there, known coasts.

    Everything else is left to the grammar, which knows what to say about it; so is what no code of the board is.
    """
    if not _CANONICAL.fullmatch(text):
        return None
    try:
        order = read_order(text, scene.board)
    except BadNotation:
        return None
    match order:
        case Hold(unit):
            return _in_step(Hold(_there(unit, scene.acting, scene)), scene)
        case Disband(unit):
            return _in_step(Disband(_there(unit, scene.acting, scene)), scene)
        case Move(unit, to, via) if not via or scene.board.kinds[unit.kind].convoyed:
            actor = _there(unit, scene.acting, scene)
            return _in_step(Retreat(actor, to) if scene.step is Step.RETREAT else Move(actor, to, via), scene)
        case Retreat(unit, to):
            return _in_step(Retreat(_there(unit, scene.acting, scene), to), scene)
        case SupportHold(unit, of):
            return _in_step(SupportHold(_there(unit, scene.acting, scene), _there(of, scene.standing, scene)), scene)
        case SupportMove(unit, of, to):
            return _in_step(SupportMove(_there(unit, scene.acting, scene), _there(of, scene.standing, scene), to), scene)
        case Convoy(unit, of, to):
            return _in_step(Convoy(_there(unit, scene.acting, scene), _there(of, scene.standing, scene), to), scene)
    return None


NOBODY = Unit("", Location(""))
"""Stands for a unit that wants a second look."""


def _there(unit: Unit, there: Mapping[str, tuple[Power, Unit]], scene: Scene) -> Unit:
    """The unit as it stands in the position; `NOBODY` if it does not stand there so."""
    coastal = (unit.kind, unit.at.province) in scene.coastal_kinds
    if scene.position is None:
        return unit if coastal or not unit.at.coast else NOBODY
    _, standing = there.get(unit.at.province, ("", NOBODY))
    return standing if standing.kind == unit.kind and unit.at.coast in ("", standing.at.coast) else NOBODY


def _in_step(order: UnitOrder, scene: Scene) -> UnitOrder | None:
    """The order, if its units stand, its target's coast means something, and it belongs to the phase."""
    mover = order.of if isinstance(order, SupportHold | SupportMove | Convoy) else order.unit
    if NOBODY in (order.unit, mover):
        return None
    to = getattr(order, "to", None)
    if to is not None and to.coast and (mover.kind, to.province) not in scene.coastal_kinds:
        return None
    verb = _VERB[type(order)]
    return order if scene.step is None or verb in VERBS_OF[scene.step] else None


_VERB = {
    Hold: "hold",
    Move: "move",
    SupportHold: "support",
    SupportMove: "support",
    Convoy: "convoy",
    Retreat: "retreat",
    Disband: "disband",
}
