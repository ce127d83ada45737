"""Phases in words: "podzim 1901", "the retreats of spring 1902", "1903 ősz", "весна 1905 года"."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from judge.language.folding import fold
from judge.language.lexicon import Lexicon
from judge.language.vocabulary import WORD
from judge.rules import BadNotation, Phase, Step, read_phase

_PIECES = re.compile(r"(?P<year>\d{1,4})(?:-?[^\W\d_]{1,4}\b)?|[^\W\d_]+")
_CODE = re.compile(r"\b([^\W\d_])\s?(\d{1,4})\s?([^\W\d_])\b")
_SHORT = re.compile(r"([A-Z])\s?(\d{1,4})")
WINTER = "W"
"""The season that has no movement: it is the adjustment phase."""


@dataclass(frozen=True, slots=True)
class PhaseWords:
    """Words for seasons and steps in all languages, folded and word by word, each with its letter; words that mean nothing more."""

    seasons: Mapping[tuple[str, ...], str]
    steps: Mapping[tuple[str, ...], str]
    small: frozenset[str]
    longest: int

    def read(self, text: str) -> Phase | None:
        """The phase that a text names by its tag or in words; None if it names none, or says anything else.

        Without a step it is the movement phase, in winter the adjustments.
        """
        code = _CODE.fullmatch(text.strip().upper())
        try:
            return read_phase("".join(code.groups()) if code else text.strip().upper())
        except BadNotation:
            return self._in_words(text)

    def names_season(self, text: str) -> bool:
        """Whether some word of a text is a season: "for fall", "na podzim 1901"."""
        pieces = [fold(found.group()) for found in _PIECES.finditer(text)]
        return any(self._longest(pieces, at, self.seasons)[1] for at in range(len(pieces)))

    def _in_words(self, text: str) -> Phase | None:
        season, step, year = "", "", 0
        short = _SHORT.fullmatch(text.strip().upper())
        if short and short[1] in self.seasons.values():
            season, year, pieces = short[1], int(short[2]), []
        else:
            pieces = [found["year"] or fold(found.group()) for found in _PIECES.finditer(text)]
        at = 0
        while at < len(pieces):
            size, letter = self._longest(pieces, at, self.steps)
            if letter and step in ("", letter):
                step, at = letter, at + size
                continue
            size, letter = self._longest(pieces, at, self.seasons)
            if letter and season in ("", letter):
                season, at = letter, at + size
            elif pieces[at].isdigit() and not year:
                year, at = int(pieces[at]), at + 1
            elif pieces[at] in self.small:
                at += 1
            else:
                return None
        if not season or not year:
            return None
        return Phase(year, season, Step(step or ("A" if season == WINTER else "M")))

    def _longest(self, pieces: list[str], at: int, table: Mapping[tuple[str, ...], str]) -> tuple[int, str]:
        """How many pieces the longest entry of a table takes here, and what it means."""
        for size in range(min(self.longest, len(pieces) - at), 0, -1):
            found = table.get(tuple(pieces[at : at + size]))
            if found:
                return size, found
        return 0, ""


def index_phases(lexicons: Iterable[Lexicon], phrases: Iterable[str] = ()) -> PhaseWords:
    """The words for phases of several languages; `phrases` are words for "phase" itself.  What means two things is left out."""
    seasons: dict[tuple[str, ...], set[str]] = {}
    steps: dict[tuple[str, ...], set[str]] = {}
    small = {fold(word) for phrase in phrases for word in WORD.findall(phrase)}
    for lexicon in lexicons:
        for table, listed in ((seasons, lexicon.seasons), (steps, lexicon.steps)):
            for letter, texts in listed.items():
                for text in texts:
                    table.setdefault(tuple(fold(word) for word in WORD.findall(text)), set()).add(letter)
        for name in ("headings", "articles", "of", "in", "to", "from", "and"):
            small |= {fold(word) for word in lexicon.small.get(name, ())}
    keys = {**_single(seasons), **_single(steps)}
    return PhaseWords(_single(seasons), _single(steps), frozenset(small), max((len(key) for key in keys), default=1))


def _single(table: Mapping[tuple[str, ...], set[str]]) -> dict[tuple[str, ...], str]:
    return {key: next(iter(letters)) for key, letters in table.items() if len(letters) == 1}


NO_PHASES = PhaseWords({}, {}, frozenset(), 1)
"""Reads tags only."""
