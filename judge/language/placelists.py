"""Lists of places behind a command's word, as CLEAR takes them: names in any language, codes, a unit's letter in front of each."""

from collections.abc import Mapping
from dataclasses import dataclass

from judge.language.commandwords import CommandWords
from judge.language.complaints import UnknownPlace
from judge.language.folding import fold
from judge.language.slips import near_keys

MOST_WORDS = 4
"""Words of the longest name that is looked for."""
MOST_NEAR = 3
"""Places that are suggested for a name that is none."""


@dataclass(frozen=True, slots=True)
class PlaceLists:
    """Reads lists of places; `places` are provinces by every spelling, folded, `kinds` the letters of units by the words for them."""

    words: CommandWords
    places: Mapping[str, str]
    kinds: Mapping[str, str]

    def read(self, text: str) -> tuple[str, ...]:
        """The provinces that a text names, each once; none where it says "all" or nothing.  Raises `UnknownPlace`."""
        parts = [part.rstrip(".!") for part in text.replace(",", " ").replace(";", " ").split()]
        if len(parts) == 1 and self.words.means(parts[0], "all"):
            return ()
        found: dict[str, None] = {}
        at = 0
        while at < len(parts):
            taken = self._longest(parts, at)
            if taken is not None:
                found[taken[0]] = None
                at = taken[1]
            elif at + 1 < len(parts) and (fold(parts[at]) in self.kinds or self.words.means(parts[at], "and")):
                at += 1
            else:
                raise UnknownPlace(parts[at], self._near(parts[at]))
        return tuple(found)

    def _longest(self, parts: list[str], at: int) -> tuple[str, int] | None:
        """The province of the longest name that begins with word `at`, and the number of the word behind it; a coast does not count."""
        for end in range(min(len(parts), at + MOST_WORDS), at, -1):
            name = " ".join(parts[at:end])
            place = self.places.get(fold(name)) or self.places.get(fold(name.partition("/")[0]))
            if place:
                return place, end
        return None

    def _near(self, text: str) -> tuple[str, ...]:
        """Places whose names come close to a word."""
        near = near_keys(fold(text), tuple(self.places))
        return tuple(dict.fromkeys(self.places[key] for key, _ in near))[:MOST_NEAR]
