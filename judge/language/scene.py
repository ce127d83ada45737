"""Where orders are read: the board, the position if it is known, and what is possible there."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from judge.board import Board, Location, Power
from judge.rules import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Phase,
    Position,
    Retreat,
    Step,
    SupportHold,
    SupportMove,
    Unit,
    Variant,
    Waive,
)

VERBS_OF = {
    Step.MOVEMENT: frozenset({"hold", "move", "support", "convoy"}),
    Step.RETREAT: frozenset({"move", "retreat", "disband"}),
    Step.ADJUSTMENT: frozenset({"build", "disband", "waive"}),
}
"""What can be ordered in each step."""

IMPOSSIBLE, ON_BOARD, STANDS, OWN = 0, 1, 2, 3
"""How well an order fits: not on this board; on the board; the units stand there; and the unit is the player's own."""


@dataclass(frozen=True)
class Scene:
    """Where orders are read: the variant, and if known the position, whose orders they are, and the phase."""

    variant: Variant
    position: Position | None = None
    power: Power = ""
    phase: Phase | None = None

    @property
    def board(self) -> Board:
        """The board of the variant."""
        return self.variant.board

    @property
    def step(self) -> Step | None:
        """The step of the phase, if known."""
        return self.phase.step if self.phase else None

    @cached_property
    def standing(self) -> dict[str, tuple[Power, Unit]]:
        """Who stands in each province."""
        units = self.position.units if self.position else {}
        return {unit.at.province: (power, unit) for power, listed in units.items() for unit in listed}

    @cached_property
    def acting(self) -> dict[str, tuple[Power, Unit]]:
        """Units that may be ordered in this phase, by province: the dislodged in a retreat phase."""
        if self.position is None or self.step is not Step.RETREAT:
            return self.standing
        return {fallen.unit.at.province: (fallen.power, fallen.unit) for fallen in self.position.dislodged}

    @property
    def kinds_at(self) -> Mapping[str, tuple[str, ...]]:
        """Letters of the kinds of unit that can stand in each province."""
        return self.board.kinds_at

    @property
    def coastal_kinds(self) -> frozenset[tuple[str, str]]:
        """(kind, province) where that kind stands on a coast, not in the province as a whole."""
        return self.board.coastal_kinds

    def stops(self, kind: str, province: str) -> tuple[Location, ...]:
        """Where a unit of that kind can stand in a province."""
        if (kind, province) in self.coastal_kinds:
            return tuple(Location(f"{province}/{coast}") for coast in self.board.provinces[province].coasts)
        return (Location(province),) if kind in self.kinds_at.get(province, ()) else ()


def is_afloat(province: str, scene: Scene) -> bool:
    """Whether fleets can convoy from there."""
    return scene.board.provinces[province].terrain == "sea" or province in scene.board.convoy_coasts


def is_possible(order: Order, scene: Scene) -> bool:
    """Whether the board allows an order, whatever stands where; a fleet may leave its coast, or the target's, unnamed."""
    match order:
        case Waive():
            return True
        case Hold(unit) | Disband(unit) | Build(unit):
            return _can_stand(unit, scene)
        case Move(unit, to, _):
            return can_go(unit, to, scene, by_sea=True)
        case Retreat(unit, to):
            return can_go(unit, to, scene, by_sea=False) and _is_open(unit, to, scene)
        case SupportHold(unit, of):
            return _can_stand(of, scene) and _touches(unit, of.at.province, scene)
        case SupportMove(unit, of, to):
            return of.at.province != unit.at.province and _touches(unit, to.province, scene) and can_go(of, to, scene, by_sea=True)
        case Convoy(unit, of, to):
            return _carries(unit, scene) and _by_sea(of, to, scene)


def _froms(unit: Unit, scene: Scene) -> tuple[Location, ...]:
    return (unit.at,) if unit.at.coast else scene.stops(unit.kind, unit.at.province)


def _can_stand(unit: Unit, scene: Scene) -> bool:
    return unit.at.province in scene.board.provinces and bool(_froms(unit, scene))


def _touches(unit: Unit, province: str, scene: Scene) -> bool:
    return unit.at.province != province and any(scene.board.touches(unit.kind, at, province) for at in _froms(unit, scene))


def can_go(unit: Unit, to: Location, scene: Scene, by_sea: bool) -> bool:
    """Whether a unit could go somewhere in one step, or `by_sea` if fleets carried it."""
    if to.coast and scene.stops(unit.kind, to.province):
        near = any(to in scene.board.neighbours(unit.kind, at) for at in _froms(unit, scene))
    else:
        near = _touches(unit, to.province, scene)
    return near or (by_sea and _by_sea(unit, to, scene))


def _by_sea(unit: Unit, to: Location, scene: Scene) -> bool:
    """Whether a unit could be carried, some fleets given: both ends must lie at the sea."""
    if not scene.board.kinds[unit.kind].convoyed or unit.at.province == to.province:
        return False
    carriers = [letter for letter, kind in scene.board.kinds.items() if kind.convoys]
    ends = (unit.at.province, to.province)
    return all(
        unit.kind in scene.kinds_at.get(province, ()) and any(letter in scene.kinds_at.get(province, ()) for letter in carriers)
        for province in ends
    )


def _carries(unit: Unit, scene: Scene) -> bool:
    return scene.board.kinds[unit.kind].convoys and is_afloat(unit.at.province, scene)


def _is_open(unit: Unit, to: Location, scene: Scene) -> bool:
    if scene.position is None:
        return True
    fallen = next((each for each in scene.position.dislodged if each.unit == unit), None)
    return fallen is None or any(place.province == to.province for place in fallen.retreats)
