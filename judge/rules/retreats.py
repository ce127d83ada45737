"""Where the dislodged may go, and the retreat step."""

from collections.abc import Set

from judge.board.places import Location
from judge.rules.position import Dislodgement, Position
from judge.rules.variant import Variant


def retreat_choices(
    fallen: Dislodgement, occupied: Set[str], standoffs: Set[str], attacked: Set[str], variant: Variant
) -> tuple[Location, ...]:
    """Where a dislodged unit may go, sorted; empty means it is destroyed.

    `occupied`, `standoffs` and `attacked` are provinces after all moves are made.
    """
    raise NotImplementedError


def retreats_of(position: Position, variant: Variant) -> tuple[Dislodgement, ...]:
    """The dislodgements of `position` with their `retreats` worked out anew from its units, standoffs and attacked spaces."""
    raise NotImplementedError
