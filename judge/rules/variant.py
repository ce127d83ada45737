"""Board, start, calendar, rulebook and victory: all that decides a game."""

from dataclasses import dataclass

from judge.board.graph import Board
from judge.board.powers import Power
from judge.rules.phases import Calendar
from judge.rules.position import Position
from judge.rules.rulebook import Rulebook


@dataclass(frozen=True)
class Variant:
    """One variant as the rules see it; `name` is its folder in maps/, `victory` the centres that win alone."""

    name: str
    board: Board
    start: Position
    calendar: Calendar
    rulebook: Rulebook
    victory: int

    @property
    def powers(self) -> tuple[Power, ...]:
        """The contending powers in the board's order."""
        return self.board.powers
