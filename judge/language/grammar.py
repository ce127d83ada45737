"""Recursive descent over the items of a line: every way in which it can be orders, before any place is looked at on the board."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from judge.board import Board, Power
from judge.language.tokens import Item
from judge.language.vocabulary import LETTER, PlaceSense, Sense, role_of

ARROWS = frozenset({"dash", "arrow", ":"})
"""What may stand for "goes to", and as mere punctuation between the parts of an order."""
BETWEEN = frozenset({",", ";", ".", "|", "&", "!", "*", "other"})
"""What may stand between two orders of a line."""
EITHER = "either"
"""Role of a unit word that can be the one who acts as well as the one who is helped."""
COAST_LETTERS = {"n": "NC", "s": "SC", "e": "EC", "w": "WC"}
"""Coasts by one letter, understood after a slash and in brackets."""


@dataclass(frozen=True, slots=True)
class PlacePhrase:
    """A place as written: what it can mean, after which prepositions, on which coast ("" for none named)."""

    senses: tuple[PlaceSense, ...]
    preps: frozenset[str]
    coast: str
    text: str
    sense: Sense
    end: int

    def can_be(self, role: str) -> bool:
        """Whether this can be where a unit is or comes from ("from"), or where it goes ("to")."""
        return any(self._fits(sense, role) for sense in self.senses)

    def as_role(self, role: str) -> "PlacePhrase":
        """The same with only the meanings that can have that role."""
        fitting = tuple(sense for sense in self.senses if self._fits(sense, role))
        return self if len(fitting) == len(self.senses) else replace(self, senses=fitting)

    def _fits(self, sense: PlaceSense, role: str) -> bool:
        roles = role_of(sense, self.preps)
        return not roles or role in roles or (role == "from" and bool(roles & {"in", "of"}))


@dataclass(frozen=True, slots=True)
class UnitPhrase:
    """A unit as written: `kind` "" if not said, `role` of the word for it (as in `Sense.units`, or `EITHER`), where, and whose if said."""

    kind: str
    role: str
    place: PlacePhrase
    power: Power = ""


@dataclass(frozen=True, slots=True)
class Draft:
    """An order as written, by its verb ("unit" for a unit alone); several `targets` are a route.

    `power` is whose order it is, if the line says so; `count` how many builds are waived.
    """

    verb: str
    unit: UnitPhrase | None = None
    of: UnitPhrase | None = None
    targets: tuple[PlacePhrase, ...] = ()
    via: bool = False
    power: Power = ""
    count: int = 1
    leads: bool = False
    """Whether its verb came first and may govern the units after it: "Build A Par, F Bre"."""


Found = list[tuple[Draft, int]]


class Grammar:
    """Reads orders out of items; `articles` are letters that are articles as well as units in this language (Hungarian "a")."""

    def __init__(self, items: tuple[Item, ...], board: Board, letter_articles: frozenset[str], after: bool) -> None:
        self.items = items
        self.count = len(items)
        self.board = board
        self.letter_articles = letter_articles
        self.after = after
        self.shouts = all(item.text.isupper() for item in items if item.kind == "word" and len(item.text) > 1)
        self._places: dict[int, tuple[PlacePhrase, int] | None] = {}
        self._units: dict[int, list[tuple[UnitPhrase, int]]] = {}

    # --- words ------------------------------------------------------------------------------------------------------

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
        while (sense := self.sense(at)) and sense.small & small and not _means_more(sense):
            at += 1
        return at

    # --- places -----------------------------------------------------------------------------------------------------

    def place(self, at: int) -> tuple[PlacePhrase, int] | None:
        """A place with its prepositions and coast, and where it ends."""
        if at not in self._places:
            self._places[at] = self._place(at)
        return self._places[at]

    def _place(self, at: int) -> tuple[PlacePhrase, int] | None:
        preps: frozenset[str] = frozenset()
        start = at
        while (sense := self.sense(at)) and not sense.places and not sense.coasts and at - start < 4:
            if self._is_unit_letter(at):
                break
            if sense.preps:
                preps = preps & sense.preps or (preps | sense.preps) - {"of"}
                if preps >= {"from", "to"}:
                    return None
            elif not (sense.small & {"of", "by", "articles"} and not sense.verbs):
                break
            elif not preps and "articles" not in sense.small:
                preps = frozenset({"of"})
            at += 1
        sense, coast = self.sense(at), ""
        if sense and sense.coasts and not sense.places:
            named = self.skip_small(at + 1, frozenset({"of", "articles"}))
            behind = self.sense(named)
            if not behind or not any(sense.coasts[0] in self.board.provinces[each.place].coasts for each in behind.places):
                return None
            coast, at, sense = sense.coasts[0], named, behind
        if not sense or not sense.places:
            return None
        item = self.items[at]
        end = at + 1
        if not coast:
            coast, end = self.coast(end, sense.places)
        if self.after and (post := self.sense(end)) and post.preps and not post.places and not preps:
            preps, end = post.preps, end + 1
        return PlacePhrase(sense.places, preps, coast, item.text, sense, end), end

    def _is_unit_letter(self, at: int) -> bool:
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

    def coast(self, at: int, places: tuple[PlaceSense, ...]) -> tuple[str, int]:
        """The coast named behind a place, and where it ends; "" and `at` if none is."""
        has = {coast for each in places for coast in self.board.provinces[each.place].coasts}
        kind = self.kind(at)
        if kind == "open":
            inner = self._skip_into_coast(at + 1)
            coast = self._coast_word(inner, letters=True)
            if coast and self.kind(inner + 1) in ("close", ""):
                return coast, min(inner + 2, self.count)
            if coast and self.kind(inner + 1) == "." and self.kind(inner + 2) == "close":
                return coast, inner + 3
            return "", at
        if kind == "/":
            coast = self._coast_word(at + 1, letters=True)
            return (coast, at + 2) if coast else ("", at)
        if kind == "," or (kind == "dash" and self.items[at].tight):
            inner = self._skip_into_coast(at + 1)
            coast = self._coast_word(inner)
            return (coast, inner + 1) if coast in has and not self._is_place(inner) else ("", at)
        inner = self._skip_into_coast(at)
        coast = self._coast_word(inner)
        plain = inner == at and coast and len(self.items[inner].text) == 2 and self.items[inner].text.lower().endswith("c")
        if (coast in has and (inner == at or len(self.items[inner].text) > 2)) or plain:
            return coast, inner + 1
        return "", at

    def _skip_into_coast(self, at: int) -> int:
        while (sense := self.sense(at)) and (sense.preps or sense.small & {"of", "articles"}) and not sense.coasts and not sense.places:
            at += 1
        return at

    def _coast_word(self, at: int, letters: bool = False) -> str:
        if self.kind(at) != "word":
            return ""
        text, sense = self.items[at].text, self.sense(at)
        if sense and sense.coasts and (len(text) > 1 or letters):
            return sense.coasts[0]
        return COAST_LETTERS.get(text.lower(), "") if letters else ""

    def _is_place(self, at: int) -> bool:
        sense = self.sense(at)
        return bool(sense and sense.places)

    # --- units ------------------------------------------------------------------------------------------------------

    def units(self, at: int) -> list[tuple[UnitPhrase, int]]:
        """Every way to read a unit at `at`, and where it ends."""
        if at not in self._units:
            self._units[at] = []
            self._units[at] = list(dict.fromkeys(self._unit(at, "")))
        return self._units[at]

    def _unit(self, at: int, power: Power) -> Iterator[tuple[UnitPhrase, int]]:
        sense = self.sense(at)
        if sense is None:
            return
        article = self.items[at].text.lower() if len(self.items[at].text) == 1 else ""
        if article in self.letter_articles | {"a"} and self._word_follows(at + 1):
            yield from self._unit(at + 1, power)
            return
        if sense.units:
            yield from self._kind_first(at, power)
        if article in self.letter_articles and self._full_name_follows(at + 1):
            yield from self._unit(at + 1, power)
        if sense.small & {"articles", "filler"} and not _means_more(sense):
            yield from self._unit(at + 1, power)
        if sense.powers and not power:
            yield from self._unit(self.skip_marks(at + 1), sense.powers[0])
        if sense.places or sense.adjectives:
            yield from self._place_first(at, power)
        if sense.places or sense.preps or sense.coasts:
            found = self.place(at)
            if found and found[0].can_be("from"):
                yield UnitPhrase("", "", found[0].as_role("from"), power), found[1]

    def _word_follows(self, at: int) -> bool:
        """Whether a word for a unit, not a letter, comes next, perhaps behind an adjective, a power or a name."""
        for step in range(3):
            sense = self.sense(at + step)
            if sense is None:
                return False
            if any(role != LETTER for _, role in sense.units) and not sense.places:
                return True
            if not (sense.places or sense.adjectives or sense.powers or sense.small):
                return False
            if sense.places and self.coast(at + step + 1, sense.places)[0]:
                end = self.coast(at + step + 1, sense.places)[1]
                behind = self.sense(end)
                return bool(behind and any(role != LETTER for _, role in behind.units))
            if sense.places and step:
                return bool((behind := self.sense(at + step + 1)) and any(role != LETTER for _, role in behind.units))
        return False

    def _full_name_follows(self, at: int) -> bool:
        """Whether a whole name comes next, and not the notation with letters and arrows ("A Velence - Trieszt", "A Velence H")."""
        sense = self.sense(at)
        if not (sense and sense.places and len(self.items[at].text) > 3):
            return False
        before = self.items[at - 2] if at > 1 else None
        if before and ((self.items[at - 1].text.isupper() and not self.shouts) or (before.kind == "word" and len(before.text) == 1)):
            return False
        end = self.coast(at + 1, sense.places)[1]
        return self.kind(end) not in ARROWS and not (self.kind(end) == "word" and len(self.items[end].text) == 1)

    def _kind_first(self, at: int, power: Power) -> Iterator[tuple[UnitPhrase, int]]:
        sense = self.sense(at)
        assert sense is not None
        for kind, role in _once(sense.units):
            end = self.skip_marks(at + 1)
            if self.kind(end) == ".":
                end += 1
            end = self.skip_small(end, frozenset({"articles"}))
            behind = self.sense(end)
            if role != LETTER and behind and behind.preps and self._is_unit_letter(end):
                end += 1
            if behind and behind.powers and not behind.places and not power:
                yield from self._kind_of_power(end, kind, role, behind.powers[0])
                continue
            place = self.place(end)
            if place and place[0].can_be("from"):
                yield UnitPhrase(kind, role, place[0].as_role("from"), power), place[1]

    def _kind_of_power(self, at: int, kind: str, role: str, power: Power) -> Iterator[tuple[UnitPhrase, int]]:
        """ "Army of France in Paris"."""
        place = self.place(at + 1)
        if place and place[0].can_be("from"):
            yield UnitPhrase(kind, role, place[0].as_role("from"), power), place[1]

    def _place_first(self, at: int, power: Power) -> Iterator[tuple[UnitPhrase, int]]:
        """ "Kiel flotta", "Mnichovská armáda", "St. Petersburg (SC) fleet"."""
        sense = self.sense(at)
        assert sense is not None
        senses = sense.places + tuple(each for each in sense.adjectives if all(each.place != other.place for other in sense.places))
        coast, end = self.coast(at + 1, senses)
        behind = self.sense(end)
        if behind is None:
            return
        for kind, role in _once(behind.units):
            if role == LETTER:
                continue
            after = end + 1
            if not coast:
                coast, after = self.coast(after, senses)
            place = PlacePhrase(senses, frozenset(), coast, self.items[at].text, sense, after)
            if place.can_be("from"):
                yield UnitPhrase(kind, role, place.as_role("from"), power), after

    # --- where to ---------------------------------------------------------------------------------------------------

    def targets(self, at: int) -> tuple[tuple[PlacePhrase, ...], bool, int] | None:
        """Where a unit goes, over which places if a route is written out, and whether it says "by convoy"."""
        via, at = self._via(at)
        first = self.place(self.skip_marks(at))
        if first is None or not first[0].can_be("to"):
            return None
        places, end = [first[0].as_role("to")], first[1]
        while self.kind(end) in ("dash", "arrow"):
            following = self.place(self.skip_marks(end))
            if following is None or not following[0].can_be("to"):
                break
            places.append(following[0].as_role("to"))
            end = following[1]
        more, end = self._via(end)
        return tuple(places), via or more, end

    def _via(self, at: int) -> tuple[bool, int]:
        """ "via convoy", "VIA", "via Nth and Nwg", and where that ends."""
        start = at
        at = self.skip_small(at, frozenset({"articles"}))
        if self.kind(at) == "," and "via" in self.verbs(at + 1):
            at += 1
        if "via" not in self.verbs(at):
            return False, start
        at += 1
        while "via" in self.verbs(at) and not self._is_place(at):
            at += 1
        listed = at
        while True:
            sense = self.sense(listed)
            if sense and sense.units and self._is_place(listed + 1):
                listed += 1
                continue
            found = self.place(listed)
            if found is None or (sense and sense.preps and "to" in sense.preps) or not self._is_sea(found[0]):
                break
            at = found[1]
            joint = self.sense(at)
            listed = at + 1 if self.kind(at) in (",", "dash", "&") or (joint and "and" in joint.small) else at
        return True, at

    def _is_sea(self, phrase: PlacePhrase) -> bool:
        return all(self.board.provinces[each.place].terrain == "sea" for each in phrase.senses)

    # --- orders -----------------------------------------------------------------------------------------------------

    def orders(self, at: int) -> Found:
        """Every way to read one order at `at`, and where it ends."""
        found: Found = []
        sense = self.sense(at)
        if sense and sense.powers:
            behind = self.skip_marks(at + 1)
            found += [(replace(draft, power=draft.power or sense.powers[0]), end) for draft, end in self._without_unit(behind)]
            if self.kind(at + 1) == ":" or self.kind(at) == "open":
                found += [(replace(draft, power=sense.powers[0]), end) for draft, end in self._with_unit(behind)]
        found += self._without_unit(self.skip_small(at, frozenset({"articles", "filler"})))
        found += self._with_unit(at)
        return list(dict.fromkeys(found))

    def _without_unit(self, at: int) -> Found:
        """Orders that begin with their verb: "Build A Par", "Move army Paris to Burgundy", "waive"."""
        verbs = frozenset({"build"}) if self.kind(at) == "+" else self.verbs(at)
        found: Found = []
        if "waive" in verbs:
            found.append(self._waive(at + 1))
        for verb in sorted(verbs & {"build", "disband", "hold", "move", "retreat"}):
            if verb in ("hold", "move", "retreat") and len(self.items[at].text) == 1:
                continue
            begin = self.skip_small(self.skip_marks(at + 1), frozenset({"articles", "of"}))
            for unit, end in self.units(begin):
                if verb in ("move", "retreat"):
                    where = self.targets(self.skip_marks(end))
                    if where:
                        found.append((Draft(verb, unit, targets=where[0], via=where[1], power=unit.power), where[2]))
                else:
                    found.append((Draft(verb, unit, power=unit.power, leads=True), end))
            if verb == "build":
                found += self._build_place_first(begin)
        return found

    def _build_place_first(self, at: int) -> Found:
        """ "Build Paris A"."""
        place = self.place(at)
        if place is None:
            return []
        sense = self.sense(place[1])
        return [
            (Draft("build", UnitPhrase(kind, role, place[0].as_role("from"))), place[1] + 1)
            for kind, role in (sense.units if sense else ())
            if role == LETTER and not self._is_place(place[1] + 1)
        ]

    def _waive(self, at: int) -> tuple[Draft, int]:
        count = 1
        if self.kind(at) == "word" and self.items[at].text.isdigit():
            count, at = max(1, min(99, int(self.items[at].text))), at + 1
        if "build" in self.verbs(at):
            at += 1
        return Draft("waive", count=count), at

    def _with_unit(self, at: int) -> Found:
        found: Found = []
        for unit, end in self.units(at):
            found += [(replace(draft, power=draft.power or unit.power), stop) for draft, stop in self._tail(unit, end)]
        return found

    def _tail(self, unit: UnitPhrase, at: int) -> Found:
        """What a unit shall do, from behind it."""
        found: Found = [(Draft("unit", unit), at)]
        via, begin = self._via(at)
        if self.kind(begin) == "," and self.verbs(begin + 1) - {"via"} and not self._is_place(begin + 1):
            begin += 1
        begin = self.skip_small(self.skip_marks(begin), frozenset({"articles", "filler"}))
        verbs = self.verbs(begin)
        if "hold" in verbs:
            found.append((Draft("hold", unit), self._behind_hold(begin)))
        for verb in ("move", "retreat"):
            if verb in verbs:
                behind = self.skip_small(self.skip_marks(begin + 1), frozenset({"articles", "filler"}))
                if verb == "retreat" and "disband" in self.verbs(behind):
                    found.append((Draft("disband", unit), behind + 1))
                found += self._going(verb, unit, behind, via)
        if "disband" in verbs:
            found.append((Draft("disband", unit), begin + 1))
        if "build" in verbs:
            found.append((Draft("build", unit), begin + 1))
        if "support" in verbs:
            found += self._support(unit, begin + 1)
        if "convoy" in verbs:
            found += self._convoy(unit, begin + 1)
        if not verbs & {"support", "convoy", "retreat", "disband"} or self._is_place(begin):
            found += self._going("move", unit, begin, via)
        found += self._object_first(unit, at)
        found += self._verb_last(unit, begin)
        return found

    def _behind_hold(self, at: int) -> int:
        """Behind a word for holding, said once or twice ("Drž pozici (Holds)")."""
        while "hold" in self.verbs(at):
            at = self.skip_small(at + 1, frozenset({"articles"}))
        return at

    def _going(self, verb: str, unit: UnitPhrase, at: int, via: bool) -> Found:
        """A move or retreat; its verb may also come last ("a Fekete-tengerre hajózik")."""
        where = self.targets(at)
        if where is None:
            return []
        places, more, end = where
        via = via or more
        while (verbs := self.verbs(end)) & {"move", "retreat", "via"} and not self._is_place(end) and len(self.items[end].text) > 1:
            verb = "retreat" if "retreat" in verbs and "move" not in verbs else verb
            via = via or ("via" in verbs and "move" not in verbs)
            end += 1
        return [(Draft(verb, unit, targets=places, via=via), end)]

    def _helped(self, at: int) -> Iterator[tuple[bool, UnitPhrase, int]]:
        """The unit that is supported or carried, and whether a word before it says that it attacks."""
        attacks = False
        if self.kind(at) == ".":
            at += 1
        for _ in range(3):
            at = self.skip_small(self.skip_marks(at), frozenset({"articles", "of", "by", "filler"}))
            verbs, sense = self.verbs(at), self.sense(at)
            if sense is None or sense.places or sense.units:
                break
            if "move" in verbs:
                attacks = True
            elif not ("hold" in verbs and len(self.items[at].text) > 1):
                break
            at += 1
        for unit, end in self.units(at):
            yield attacks, unit, end

    def _support(self, unit: UnitPhrase, at: int) -> Found:
        found: Found = []
        for attacks, of, end in self._helped(at):
            begin = self.skip_small(self.skip_marks(end), frozenset({"articles", "filler", "by"}))
            verbs = self.verbs(begin)
            if not attacks:
                found.append((Draft("support", unit, of), end))
                held = self._skip_prep(begin)
                if "hold" in self.verbs(held):
                    found.append((Draft("support", unit, of), self._behind_hold(held)))
            if "move" in verbs and not self._is_place(begin):
                begin += 1
            where = self.targets(begin)
            if where:
                end = self._behind_move(where[2])
                found.append((Draft("support", unit, of, where[0]), end))
        return found

    def _skip_prep(self, at: int) -> int:
        sense = self.sense(at)
        return at + 1 if sense and sense.preps and not sense.places and not sense.verbs else at

    def _behind_move(self, at: int) -> int:
        while self.verbs(at) & {"move", "via"} and not self._is_place(at) and len(self.items[at].text) > 1:
            at += 1
        return at

    def _convoy(self, unit: UnitPhrase, at: int) -> Found:
        found: Found = []
        for _, of, end in self._helped(at):
            begin = self.skip_small(self.skip_marks(end), frozenset({"articles", "filler"}))
            if "move" in self.verbs(begin) and not self._is_place(begin):
                begin += 1
            where = self.targets(begin)
            if where:
                found.append((Draft("convoy", unit, of, where[0]), self._behind_move(where[2])))
        return found

    def _object_first(self, of: UnitPhrase, at: int) -> Found:
        """ "Armádu z Paříže do Burgundska podporuje armáda v Gaskoňsku": the helped unit comes first, in the accusative."""
        if of.role not in ("object", EITHER):
            return []
        where = self.targets(self.skip_marks(at))
        places, end = (where[0], where[2]) if where else ((), at)
        verbs = self.verbs(end)
        verb = "support" if "support" in verbs else "convoy" if "convoy" in verbs and places else ""
        if not verb:
            return []
        subjects = ("subject",) if of.role == EITHER else ("subject", EITHER)
        return [(Draft(verb, unit, of, places), stop) for unit, stop in self.units(end + 1) if unit.role in subjects]

    def _verb_last(self, unit: UnitPhrase, at: int) -> Found:
        """ "Kiel flotta a Ruhr hadsereget Hollandiába támogatja"."""
        found: Found = []
        for of, end in self.units(at):
            if of.role not in ("object", "other", EITHER):
                continue
            where = self.targets(end)
            places, stop = (where[0], where[2]) if where else ((), end)
            verbs = self.verbs(stop)
            if "support" in verbs:
                after = self.targets(stop + 1) if not places else None
                found.append((Draft("support", unit, of, after[0] if after else places), after[2] if after else stop + 1))
            if "convoy" in verbs:
                after = self.targets(stop + 1) if not places else None
                if places or after:
                    found.append((Draft("convoy", unit, of, after[0] if after else places), after[2] if after else stop + 1))
        return found


def _once(units: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """Kinds and roles, a word that is both subject and object named once."""
    both = {kind for kind, role in units if role == "object"} & {kind for kind, role in units if role == "subject"}
    return tuple(dict.fromkeys((kind, EITHER if kind in both and role in ("subject", "object") else role) for kind, role in units))


def _means_more(sense: Sense) -> bool:
    """Whether a small word can also be part of an order."""
    return sense.is_meaty


def paths(grammar: Grammar, most: int = 6) -> list[tuple[tuple[Draft, ...], ...]]:
    """The ways to read all items as orders, each way a list of orders, each order a list of alternatives; the fewest orders win.

    An order without separator before it must begin with a word for a unit, a power or a verb.
    """
    best: dict[int, list[tuple[tuple[Draft, ...], ...]]] = {}
    start = _skip_between(grammar, 0)[0]
    best[start] = [()]
    for at in range(start, grammar.count):
        ways = best.pop(at, None)
        if not ways:
            continue
        ends: dict[int, list[Draft]] = {}
        for draft, end in grammar.orders(at):
            ends.setdefault(end, []).append(draft)
        for end, drafts in ends.items():
            following, separated = _skip_between(grammar, end)
            if following < grammar.count and not separated and not _may_begin(grammar, following):
                continue
            group = tuple(drafts)
            longer = [(*way, group) for way in ways]
            known = best.get(following)
            if known is None or len(known[0]) > len(longer[0]):
                best[following] = longer[:most]
            elif len(known[0]) == len(longer[0]):
                best[following] = (known + longer)[:most]
    return best.get(grammar.count, [])


def _skip_between(grammar: Grammar, at: int) -> tuple[int, bool]:
    """Behind whatever may stand between two orders, and whether something did."""
    start = at
    while at < grammar.count:
        sense = grammar.sense(at)
        means_nothing = sense is not None and bool(sense.small & {"and", "filler"}) and not _means_more(sense)
        behind = grammar.sense(at + 1)
        is_word = sense is not None and not (sense.units and not (behind and behind.units))
        joins = sense is not None and "and" in sense.small and not sense.places and is_word
        if not (grammar.kind(at) in BETWEEN or grammar.kind(at) in ("open", "close") or means_nothing or joins):
            break
        at += 1
    return at, at > start


def _may_begin(grammar: Grammar, at: int) -> bool:
    sense = grammar.sense(at)
    return bool(grammar.kind(at) == "+" or (sense and (sense.units or sense.powers or sense.verbs or sense.adjectives)))
