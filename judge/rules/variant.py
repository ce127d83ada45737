"""Board, start, calendar, rulebook and victory: all that decides a game."""

from dataclasses import dataclass
from functools import cached_property

from judge.board.graph import Board
from judge.board.powers import Power
from judge.rules.fitting import Fitting
from judge.rules.phases import Almanac, Calendar
from judge.rules.position import Position
from judge.rules.rulebook import Rulebook
from judge.rules.tables import Tables


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

    @cached_property
    def tables(self) -> Tables:
        """The board in numbers, worked out when it is first needed."""
        return Tables(self.board)

    @cached_property
    def almanac(self) -> Almanac:
        """The calendar, quick to look up in."""
        return Almanac(self.calendar)

    @cached_property
    def fitting(self) -> Fitting:
        """How movement orders fit this board and rulebook."""
        return Fitting(self.tables, self.rulebook)
