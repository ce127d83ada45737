"""Headings above orders: whose they are, and for which season ("Jaro 1901", "–Németország–", "Orders for France")."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from judge.board import Power
from judge.language.tokens import Item
from judge.rules import BadNotation, Phase, Step, read_phase

_CODE = re.compile(r"(?<!\w)([SFWU]\d{1,4}[MRAB])(?!\w)")
_SHORT_CODE = re.compile(r"(?<!\w)([SFWU])\s?(\d{4})(?!\w)", re.IGNORECASE)
"""A season and its year: of four figures, for ``F12`` may be a fleet in the place 12."""
_ORDINAL = re.compile(r"\d{1,4}(?:st|nd|rd|th|er)?")
LEAST_YEAR_ALONE = 1000
"""A number from here on is a year even with nothing beside it; smaller ones number lines, and places of some boards."""
STEPS = {"M": Step.MOVEMENT, "R": Step.RETREAT, "A": Step.ADJUSTMENT}


@dataclass(frozen=True, slots=True)
class Heading:
    """What a heading says: a power, a season letter, a year, a step; "" , 0 and None where it says nothing of it."""

    power: Power = ""
    season: str = ""
    year: int = 0
    step: Step | None = None

    @property
    def names_season(self) -> bool:
        """Whether it speaks of a time at all."""
        return bool(self.season or self.year or self.step)

    def fits(self, phase: Phase) -> bool:
        """Whether a phase is the one that this heading names, as far as it does."""
        return self.season in ("", phase.season) and self.year in (0, phase.year) and self.step in (None, phase.step)

    def __str__(self) -> str:
        """Its season, year and step as a phase is written.

        >>> str(Heading(season="S", year=1901))
        'S1901'
        """
        return f"{self.season}{self.year or ''}{self.step or ''}"


def heading_of(items: Sequence[Item], text: str) -> Heading | None:
    """What a line says if it is nothing but a heading; None if it is something else.

    A line is a heading if it names a power or a season and every other word may stand in headings; one that says "orders" may hold
    one more word, such as a game's name.
    """
    code, short = _CODE.search(text), _SHORT_CODE.search(text)
    power, season, year, step = "", "", 0, None
    says_so = any(item.sense and "headings" in item.sense.small and len(item.text) > 3 for item in items)
    strangers = 1 if says_so and len(items) < 10 else 0
    for item in items:
        if item.kind != "word":
            if item.kind not in ("dash", ":", ",", ".", "open", "close", "!", "/", "other", "*", "~", ";", "+", "|", "arrow"):
                return None
            continue
        if (code and item.text == code[1]) or (short and item.text in (short[0], short[1], short[2])):
            continue
        sense = item.sense
        if sense and "greetings" in sense.small and not says_so:
            return None  # "Dear Germany" greets, and says nothing of whose orders follow
        if _ORDINAL.fullmatch(item.text):
            if year or not item.text.isdigit():
                return None
            year = int(item.text)
        elif sense is None:
            strangers -= 1
            if strangers < 0:
                return None
        elif sense.units or (sense.places and not sense.powers):
            return None
        elif sense.powers:
            if power and power != sense.powers[0]:
                return None
            power = sense.powers[0]
        elif sense.season and (not season or not sense.small):
            if season and season != sense.season:
                return None
            season = sense.season
        elif sense.step:
            step = STEPS[sense.step]
        elif not (sense.preps or sense.small & {"headings", "filler", "articles", "and", "of", "by"}):
            return None
    if code:
        try:
            phase = read_phase(code[1])
        except BadNotation:
            return None
        return Heading(power, phase.season, phase.year, phase.step)
    if short and not season and not year:
        return Heading(power, short[1].upper(), int(short[2]), step)
    if not power and not season and not (year and step) and not year >= LEAST_YEAR_ALONE:
        return None
    return Heading(power, season, year if season or step or year > 99 else 0, step)
