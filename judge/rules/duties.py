"""Who owes or may give what in a phase."""

from collections.abc import Mapping
from dataclasses import dataclass

from judge.board.places import Location
from judge.board.powers import Power
from judge.rules.orders import Unit
from judge.rules.position import Position
from judge.rules.variant import Variant


@dataclass(frozen=True, slots=True)
class Duty:
    """What one power may order in a phase.

    `units`: units to be moved, or the dislodged that have a retreat, or (with `removals`) those that may be removed;
    `builds` how many units it may build, on `sites` (locations, with coasts where a kind needs one; a site is used once);
    `removals` how many it must remove.
    """

    units: tuple[Unit, ...] = ()
    builds: int = 0
    sites: tuple[Location, ...] = ()
    removals: int = 0

    @property
    def is_owed(self) -> bool:
        """Whether a missing order counts as missed (builds may be left unused without asking)."""
        return bool(self.units)


def duties(position: Position, variant: Variant) -> Mapping[Power, Duty]:
    """What each power that has anything to order may or must order, powers in board order."""
    raise NotImplementedError
