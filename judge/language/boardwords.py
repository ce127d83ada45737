"""The words of all languages on one board, each made ready when a line first needs it."""

import re
from collections.abc import Iterator, Mapping
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
        """What joins orders of one line: a comma, a sign, "and" of any language, the end of a sentence.

        A single Latin letter, which may be a unit, is a word only in small letters before a unit or a long name.
        """
        said = {word for tongue in self.tongues.values() for word in tongue.lexicon.small.get("and", ())}
        words = "|".join(sorted(re.escape(word) for word in said if len(word) > 1 or not word.isascii()))
        letters = "".join(sorted(word for word in said if len(word) == 1 and word.isascii()))
        word = rf"(?:{words}|(?-i:[{letters}])(?=\s+(?:(?-i:[A-Z])\s|\w{{4}})))" if letters else f"(?:{words})"
        return re.compile(rf"\s*,\s*(?:{word}\s+)?|\s*[&+]\s*|\s+{word}\s+|\s*;\s*|\.\s+", re.IGNORECASE)

    @cached_property
    def _pronouns(self) -> re.Pattern[str]:
        """Words that point back to an order, of all languages."""
        said = {word for tongue in self.tongues.values() for word in tongue.lexicon.small.get("it", ())}
        words = "|".join(re.escape(word) for word in sorted(said, key=lambda word: (-len(word), word)))
        return re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE) if words else re.compile("(?!)")

    def without_pronoun(self, text: str) -> Iterator[str]:
        """A text without one word or another that points back ("Mar supports it")."""
        for found in self._pronouns.finditer(text):
            yield f"{text[: found.start()]}{text[found.end() :]}".strip()
