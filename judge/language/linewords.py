"""The items of a line by their number, and what each can be by itself."""

from judge.language.tokens import Item
from judge.language.vocabulary import Sense, role_of

ARROWS = frozenset({"dash", "arrow", ":"})
"""What may stand for "goes to", and as mere punctuation between the parts of an order."""


class LineWords:
    """The items of a line; `letter_articles` are letters that are articles as well as units in this language (Hungarian "a")."""

    def __init__(self, items: tuple[Item, ...], letter_articles: frozenset[str]) -> None:
        self.items = items
        self.count = len(items)
        self.letter_articles = letter_articles

    def sense(self, at: int) -> Sense | None:
        """What stands at `at`, if it is a word that means something."""
        return self.items[at].sense if at < self.count and self.items[at].kind == "word" else None

    def kind(self, at: int) -> str:
        """Kind of the item at `at`, "" behind the end."""
        return self.items[at].kind if at < self.count else ""

    def verbs(self, at: int) -> frozenset[str]:
        """Verbs that the item at `at` can be."""
        if self.kind(at) == "~":
            return frozenset({"support"})
        sense = self.sense(at)
        return sense.verbs if sense else frozenset()

    def skip_marks(self, at: int) -> int:
        """Behind dashes, arrows and colons."""
        while self.kind(at) in ARROWS:
            at += 1
        return at

    def skip_small(self, at: int, small: frozenset[str]) -> int:
        """Behind words that mean nothing else than one of `small`."""
        while (sense := self.sense(at)) and sense.small & small and not sense.is_meaty:
            at += 1
        return at

    def is_place(self, at: int) -> bool:
        """Whether the item at `at` can be a place."""
        sense = self.sense(at)
        return bool(sense and sense.places)

    def is_unit_letter(self, at: int) -> bool:
        """Whether a letter that is an article or a preposition as well stands for a unit.

        An article in capitals does, unless a word with the ending of "to" or "from" follows.
        """
        sense, text = self.sense(at), self.items[at].text
        if not (sense and sense.units and len(text) == 1):
            return False
        if text.lower() not in self.letter_articles:
            return True
        if text.islower():
            return False
        behind = self.sense(at + 1)
        return not (behind and behind.places and all(role_of(each, frozenset()) for each in behind.places))
