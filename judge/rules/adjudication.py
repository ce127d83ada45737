"""The front door: one phase from orders to the next position."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from judge.board.powers import Power
from judge.rules.orders import Order, Unit
from judge.rules.phases import Phase
from judge.rules.position import Dislodgement, Position
from judge.rules.variant import Variant
from judge.rules.verdicts import Outcome, Refused


@dataclass(frozen=True)
class Adjudication:
    """Everything that became of one phase.

    `after` is the position as the next phase begins in which somebody owes or may give an order; its units, owners and (before a
    retreat phase) `dislodged`, `standoffs`, `attacked` are final.  `dislodged` lists all units driven out in a movement phase, also
    those without a retreat; those, and units lost in retreats, stand in `destroyed`.  `standoffs` and `attacked` are those of this
    phase, even if nobody retreats.  `winner` ends the game.
    """

    before: Position
    after: Position
    refused: tuple[Refused, ...] = ()
    dislodged: tuple[Dislodgement, ...] = ()
    destroyed: tuple[tuple[Power, Unit], ...] = ()
    standoffs: frozenset[str] = frozenset()
    attacked: frozenset[str] = frozenset()
    winner: Power | None = None
    account: Callable[[], tuple[Outcome, ...]] = field(default=tuple, compare=False, repr=False)

    @cached_property
    def outcomes(self) -> tuple[Outcome, ...]:
        """What became of each order: exactly one entry for each unit (or adjustment) that had to act, powers in board order."""
        return self.account()

    @property
    def next_phase(self) -> Phase | None:
        """The next phase in which somebody owes or may give an order; None when the game is won."""
        return None if self.winner else self.after.phase


def adjudicate(
    position: Position,
    orders: Mapping[Power, Sequence[Order | str]],
    variant: Variant,
    read: Callable[[str], Order | None] | None = None,
) -> Adjudication:
    """Carry out one phase: from `orders` (values, or texts in canonical notation) to verdicts and the next position.

    A text that is not canonical is given to `read`, if there is one; what stays unreadable is refused.
    """
    raise NotImplementedError
