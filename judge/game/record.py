"""A game as another program tells it, judged anew as far as it tells: what is taken over when a game moves here."""

from dataclasses import dataclass, replace
from datetime import datetime

from judge.board import Power
from judge.game.model import Ending, PressRule, Turn
from judge.game.notices import PressItem
from judge.rules import Adjudication, Position, Unit


@dataclass(frozen=True, slots=True)
class Record:
    """The closed phases, the position as it stands, messages, and the end if the game is over.

    `deadline` is when the open phase was to end, if the record says so.  `remarks` say, for whoever takes the game over, where this
    judge decides otherwise (the record's position was taken then), what could not be read, and what the record does not tell.
    """

    name: str
    position: Position
    turns: tuple[Turn, ...] = ()
    press: tuple[PressItem, ...] = ()
    press_rule: PressRule = PressRule.WHITE
    gunboat: bool = False
    deadline: datetime | None = None
    ending: Ending | None = None
    remarks: tuple[str, ...] = ()


def agree(one: Position, other: Position) -> bool:
    """Whether two programs see the same: the phase, units, owners, and who was driven out."""
    return _stands(one) == _stands(other)


def _stands(position: Position) -> tuple[object, ...]:
    units = tuple((power, tuple(sorted(units))) for power, units in sorted(position.units.items()) if units)
    driven: tuple[tuple[Power, Unit], ...] = tuple(sorted((each.power, each.unit) for each in position.dislodged))
    return (position.phase, units, tuple(sorted(position.owners.items())), driven)


def as_recorded(done: Adjudication, recorded: Position) -> Adjudication:
    """An adjudication after which the game goes on from the recorded position."""
    return replace(done, after=recorded, winner=None)
