"""Units as a line writes them: "A Par", "Kiel flotta", "the French army in Burgundy"."""

from collections.abc import Iterator

from judge.board import Power
from judge.language.drafts import EITHER, PlacePhrase, UnitPhrase
from judge.language.linewords import ARROWS, LineWords
from judge.language.placephrases import PlacePhrases
from judge.language.vocabulary import LETTER


class UnitPhrases:
    """Reads units out of a line."""

    def __init__(self, words: LineWords, places: PlacePhrases) -> None:
        self.words = words
        self.places = places
        self._shouts = all(item.text.isupper() for item in words.items if item.kind == "word" and len(item.text) > 1)
        self._units: dict[int, list[tuple[UnitPhrase, int]]] = {}

    def units(self, at: int) -> list[tuple[UnitPhrase, int]]:
        """Every way to read a unit at `at`, and where it ends."""
        if at not in self._units:
            self._units[at] = []
            found = list(self._unit(at, ""))
            self._units[at] = list(dict.fromkeys(found)) if len(found) > 1 else found
        return self._units[at]

    def _unit(self, at: int, power: Power) -> Iterator[tuple[UnitPhrase, int]]:
        sense = self.words.sense(at)
        if sense is None:
            return
        article = self.words.items[at].text.lower() if len(self.words.items[at].text) == 1 else ""
        if article in self.words.letter_articles | {"a"} and self._word_follows(at + 1):
            yield from self._unit(at + 1, power)
            return
        if sense.units:
            yield from self._kind_first(at, power)
        if article in self.words.letter_articles and self._full_name_follows(at + 1):
            yield from self._unit(at + 1, power)
        if sense.small & {"articles", "filler"} and not sense.is_meaty:
            yield from self._unit(at + 1, power)
        if sense.powers and not power:
            begin = at + 2 if self.words.kind(at + 1) == "." else at + 1  # "franc. A Bur"
            yield from self._unit(self.words.skip_marks(begin), sense.powers[0])
        if sense.places or sense.adjectives:
            yield from self._place_first(at, power)
        if sense.places or sense.preps or sense.coasts:
            found = self.places.place(at)
            if found and found[0].can_be("from"):
                yield UnitPhrase("", "", found[0].as_role("from"), power), found[1]

    def _word_follows(self, at: int) -> bool:
        """Whether a word for a unit, not a letter, comes next, perhaps behind an adjective, a power or a name."""
        for step in range(3):
            sense = self.words.sense(at + step)
            if sense is None:
                return False
            if any(role != LETTER for _, role in sense.units) and not sense.places:
                return True
            if not (sense.places or sense.adjectives or sense.powers or sense.small):
                return False
            if sense.places and self.places.coast(at + step + 1, sense.places)[0]:
                end = self.places.coast(at + step + 1, sense.places)[1]
                behind = self.words.sense(end)
                return bool(behind and any(role != LETTER for _, role in behind.units))
            if sense.places and step:
                return bool((behind := self.words.sense(at + step + 1)) and any(role != LETTER for _, role in behind.units))
        return False

    def _full_name_follows(self, at: int) -> bool:
        """Whether a whole name comes next, and not the notation with letters and arrows ("A Velence - Trieszt", "A Velence H")."""
        sense = self.words.sense(at)
        if not (sense and sense.places and len(self.words.items[at].text) > 3):
            return False
        before = self.words.items[at - 2] if at > 1 else None
        if before and ((self.words.items[at - 1].text.isupper() and not self._shouts) or (before.kind == "word" and len(before.text) == 1)):
            return False
        end = self.places.coast(at + 1, sense.places)[1]
        return self.words.kind(end) not in ARROWS and not (self.words.kind(end) == "word" and len(self.words.items[end].text) == 1)

    def _kind_first(self, at: int, power: Power) -> Iterator[tuple[UnitPhrase, int]]:
        sense = self.words.sense(at)
        assert sense is not None
        for kind, role in _once(sense.units):
            end = self.words.skip_marks(at + 1)
            if self.words.kind(end) == ".":
                end += 1
            end = self.words.skip_small(end, frozenset({"articles"}))
            behind = self.words.sense(end)
            if role != LETTER and behind and behind.preps and self.words.is_unit_letter(end):
                end += 1
            if role != LETTER and behind and "move" in behind.verbs and not behind.places and not behind.preps:
                yield from self._moving_from(end + 1, kind, role, power)
            if behind and behind.powers and not behind.places and not power:
                yield from self._kind_of_power(end, kind, role, behind.powers[0])
                continue
            place = self.places.place(end)
            if place and place[0].can_be("from"):
                yield UnitPhrase(kind, role, place[0].as_role("from"), power), place[1]

    def _moving_from(self, at: int, kind: str, role: str, power: Power) -> Iterator[tuple[UnitPhrase, int]]:
        """ "the army moving from Berlin", behind "moving"."""
        place = self.places.place(at)
        if place and "from" in place[0].preps and place[0].can_be("from"):
            yield UnitPhrase(kind, role, place[0].as_role("from"), power), place[1]

    def _kind_of_power(self, at: int, kind: str, role: str, power: Power) -> Iterator[tuple[UnitPhrase, int]]:
        """ "Army of France in Paris"."""
        place = self.places.place(at + 1)
        if place and place[0].can_be("from"):
            yield UnitPhrase(kind, role, place[0].as_role("from"), power), place[1]

    def _place_first(self, at: int, power: Power) -> Iterator[tuple[UnitPhrase, int]]:
        """ "Kiel flotta", "Mnichovská armáda", "St. Petersburg (SC) fleet"."""
        sense = self.words.sense(at)
        assert sense is not None
        senses = sense.places + tuple(each for each in sense.adjectives if all(each.place != other.place for other in sense.places))
        coast, end = self.places.coast(at + 1, senses)
        end = self.words.skip_small(end, frozenset({"filler"}))
        behind = self.words.sense(end)
        if behind and behind.powers and not behind.places and not behind.units and not power:  # "a burgundiai francia hadsereg"
            power, end = behind.powers[0], end + 1
            behind = self.words.sense(end)
        if behind is None:
            return
        for kind, role in _once(behind.units):
            if role == LETTER:
                continue
            after = end + 1
            if not coast:
                coast, after = self.places.coast(after, senses)
            place = PlacePhrase(senses, frozenset(), coast, self.words.items[at].text, sense, after)
            if place.can_be("from"):
                yield UnitPhrase(kind, role, place.as_role("from"), power), after


def _once(units: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """Kinds and roles, a word that is both subject and object named once."""
    if len(units) < 2:
        return units
    both = {kind for kind, role in units if role == "object"} & {kind for kind, role in units if role == "subject"}
    return tuple(dict.fromkeys((kind, EITHER if kind in both and role in ("subject", "object") else role) for kind, role in units))
