"""The words of all languages on one board, each made ready when a line first needs it."""

from collections.abc import Mapping

from judge.language.courtesies import Courtesies
from judge.language.linereading import ENGLISH
from judge.language.vocabulary import Tongue, Vocabulary
from judge.rules import Variant


class BoardWords:
    """What lines of one variant are read with.

    `tongues` by language code; each is asked for only when a line needs it.  Keep it: indexes take time to make.
    """

    def __init__(self, variant: Variant, tongues: Mapping[str, Tongue]) -> None:
        self.variant = variant
        self.tongues = tongues
        self._vocabularies: dict[str, Vocabulary] = {}
        self._courtesies: Courtesies | None = None
        self.waterways = {frozenset(ports): way for way, ports in variant.board.ports.items()}

    def vocabulary(self, language: str) -> Vocabulary:
        """The words of a language on this board."""
        found = self._vocabularies.get(language)
        if found is None:
            tongue = self.tongues[language]
            english = None if language == ENGLISH or ENGLISH not in self.tongues else self.vocabulary(ENGLISH)
            found = Vocabulary(tongue.lexicon, tongue.gazetteer, self.variant.board, english)
            self._vocabularies[language] = found
        return found

    @property
    def courtesies(self) -> Courtesies:
        """The greetings of all languages."""
        if self._courtesies is None:
            self._courtesies = Courtesies([tongue.lexicon for tongue in self.tongues.values()])
        return self._courtesies
