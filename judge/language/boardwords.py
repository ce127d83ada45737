"""The words of all languages on one board, each made ready when a line first needs it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from judge.language.courtesies import Courtesies
from judge.language.hosts import Hosts
from judge.language.linereading import ENGLISH
from judge.language.orderlists import Ways
from judge.language.tokens import Item
from judge.language.vocabulary import Tongue, Vocabulary
from judge.rules import Variant

MOST_KNOWN, LONGEST_KNOWN = 2000, 60
"""So many lines of so many characters are remembered."""


@dataclass(frozen=True, slots=True)
class Understood:
    """How a line is to be read in one language, whatever stands on the board: its words, the ways to take them as orders, the evidence."""

    items: tuple[Item, ...]
    ways: Ways
    evidence: int


class BoardWords:
    """What lines of one variant are read with.

    `tongues` by language code; each is asked for only when a line needs it.  Keep it: indexes take time to make.
    """

    def __init__(self, variant: Variant, tongues: Mapping[str, Tongue]) -> None:
        self.variant = variant
        self.tongues = tongues
        self._vocabularies: dict[str, Vocabulary] = {}
        self._understood: dict[tuple[str, str], Understood] = {}
        self.waterways = {frozenset(ports): way for way, ports in variant.board.ports.items()}

    def understood(self, language: str, text: str) -> Understood | None:
        """How a line is to be read in a language, if it came before: players send the same orders again, and others send them too."""
        return self._understood.get((language, text))

    def remember(self, language: str, text: str, line: Understood) -> None:
        """Keep how a line is to be read; the longer ones hardly come again."""
        if len(text) <= LONGEST_KNOWN:
            if len(self._understood) >= MOST_KNOWN:
                self._understood.clear()
            self._understood[language, text] = line

    def vocabulary(self, language: str) -> Vocabulary:
        """The words of a language on this board."""
        found = self._vocabularies.get(language)
        if found is None:
            tongue = self.tongues[language]
            english = None if language == ENGLISH or ENGLISH not in self.tongues else self.vocabulary(ENGLISH)
            found = Vocabulary(tongue.lexicon, tongue.gazetteer, self.variant.board, english)
            self._vocabularies[language] = found
        return found

    @cached_property
    def courtesies(self) -> Courtesies:
        """The greetings of all languages."""
        return Courtesies([tongue.lexicon for tongue in self.tongues.values()])

    @cached_property
    def hosts(self) -> Hosts:
        """The words of all languages for many units at once."""
        return Hosts([tongue.lexicon for tongue in self.tongues.values()])

    @cached_property
    def joints(self) -> re.Pattern[str]:
        """What joins units that do the same: a comma, a sign, or "and" of any language; a single Latin letter is none, it may be a unit."""
        first = [tongue.lexicon.small["and"][0] for tongue in self.tongues.values() if tongue.lexicon.small.get("and")]
        words = "|".join(sorted(re.escape(word) for word in first if len(word) > 1 or not word.isascii()))
        return re.compile(rf"\s*,\s*(?:(?:{words})\s+)?|\s*[&+]\s*|\s+(?:{words})\s+", re.IGNORECASE)
