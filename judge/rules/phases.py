"""Seasons, steps and phases, and the calendar of a variant that puts them in order."""

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache


class Step(StrEnum):
    """What is done in a phase."""

    MOVEMENT = "M"
    RETREAT = "R"
    ADJUSTMENT = "A"


@dataclass(frozen=True, slots=True)
class Phase:
    """Year, season letter and step; written ``S1901M``.  Phases are put in order by a `Calendar`, not by themselves."""

    year: int
    season: str
    step: Step

    def __str__(self) -> str:
        return f"{self.season}{self.year}{self.step}"


@dataclass(frozen=True, slots=True)
class Calendar:
    """The phases of one game year in order, and how years count.

    `round` lists (season, step) pairs, e.g. S M, S R, F M, F R, W A; `counts_after` is the pair after which centres change hands
    (owners are taken when that step is over); `year_step` is added at the end of each round (-1 for years BC);
    `season_offsets` says what is added to the round's year for a season (ten-year turns with autumn five years on).
    """

    round: tuple[tuple[str, Step], ...]
    counts_after: tuple[str, Step]
    year_step: int = 1
    season_offsets: tuple[tuple[str, int], ...] = ()

    def place(self, phase: Phase) -> tuple[int, int]:
        """The year in which the round of a phase began, and where in the round the phase stands.

        Raises `ValueError` for a phase that this calendar does not have.
        """
        index = self.round.index((phase.season, phase.step))
        for season, offset in self.season_offsets:
            if season == phase.season:
                return phase.year - offset, index
        return phase.year, index

    def phase(self, year: int, index: int) -> Phase:
        """The phase at a place of the round that began in `year`."""
        season, step = self.round[index]
        for shifted, offset in self.season_offsets:
            if season == shifted:
                year += offset
        return Phase(year, season, step)

    def next(self, phase: Phase) -> Phase:
        """The phase that follows in the calendar, whether or not anybody has anything to order in it."""
        year, index = self.place(phase)
        if index + 1 == len(self.round):
            return self.phase(year + self.year_step, 0)
        return self.phase(year, index + 1)


class Almanac:
    """A calendar looked up instead of worked out.

    `index` where in the round each (season, step) stands; `phase` as the calendar's own.  By place in the round, `onward`: what comes
    next, its step, the years that pass, and whether centres change hands before.
    """

    __slots__ = ("_offsets", "index", "onward", "phase")

    def __init__(self, calendar: Calendar) -> None:
        """Look up in `calendar`."""
        self.index = {pair: calendar.round.index(pair) for pair in calendar.round}
        size = len(calendar.round)
        self.onward: tuple[tuple[int, Step, int, bool], ...] = tuple(
            ((n + 1) % size, calendar.round[(n + 1) % size][1], calendar.year_step * (n + 1 == size), pair == calendar.counts_after)
            for n, pair in enumerate(calendar.round)
        )
        self.phase = lru_cache(maxsize=1_000)(calendar.phase)
        self._offsets = dict(calendar.season_offsets)

    def place(self, phase: Phase) -> tuple[int, int]:
        """As the calendar's own, for a phase that it has."""
        season = phase.season
        return phase.year - self._offsets.get(season, 0), self.index[season, phase.step]
