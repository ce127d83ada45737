"""Seasons, steps and phases, and the calendar of a variant that puts them in order."""

from dataclasses import dataclass
from enum import StrEnum


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

    def next(self, phase: Phase) -> Phase:
        """The phase that follows in the calendar, whether or not anybody has anything to order in it."""
        offsets = dict(self.season_offsets)
        index = self.round.index((phase.season, phase.step))
        base = phase.year - offsets.get(phase.season, 0)
        if index + 1 == len(self.round):
            base += self.year_step
        season, step = self.round[(index + 1) % len(self.round)]
        return Phase(base + offsets.get(season, 0), season, step)
