"""All words that mean something on one board in one language, indexed by their folded spelling."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Protocol

from judge.board import Board, Power
from judge.language.folding import fold, look_alikes, marked, without_joints
from judge.language.gazetteer import Gazetteer, PlaceNames
from judge.language.lexicon import COASTS, Lexicon

WORD = re.compile(r"[^\W_]+")
"""A word inside a name: letters and figures."""

EXACT, SHORTENED, MISSPELT = 0, 1, 2
"""How a name was found: as it is listed, by its beginning, by a near spelling."""

LETTER = "letter"
"""Role of a unit written as one letter."""

LOCAL_CASES: Mapping[str, str] = {
    "illative": "to",
    "sublative": "to",
    "allative": "to",
    "elative": "from",
    "delative": "from",
    "ablative": "from",
    "inessive": "in",
    "superessive": "in",
    "adessive": "in",
}
"""Cases that alone say whether a place is where a unit comes from, stands, or goes."""
CASE_OF_ENDING: Mapping[str, str] = {"to": "illative", "from": "elative", "in": "inessive", "object": ""}
"""The case that an ending of `Lexicon.endings` stands for."""
TO_CASES = frozenset({"accusative"})
"""Cases that say "to" after a preposition that can mean both "to" and "in"; `IN_CASES` say "in"."""
IN_CASES = frozenset({"locative", "prepositional"})


@dataclass(frozen=True, slots=True)
class PlaceSense:
    """One place a word can mean: in which cases (empty: any), how it was found, and whether other places share the spelling.

    `shared` is "" or how that is settled: "ambiguous" or "custom" (the first listed by custom).
    """

    place: str
    cases: frozenset[str] = frozenset()
    found: int = EXACT
    shared: str = ""
    weak: bool = False
    """A short form of this language alone, which proves nothing about the language of a line."""


@dataclass(frozen=True, slots=True)
class Sense:
    """Everything a word, or several words together, can mean."""

    places: tuple[PlaceSense, ...] = ()
    adjectives: tuple[PlaceSense, ...] = ()
    units: tuple[tuple[str, str], ...] = ()
    """Kind and role: "letter", "subject", "object", "other"."""
    verbs: frozenset[str] = frozenset()
    preps: frozenset[str] = frozenset()
    coasts: tuple[str, ...] = ()
    powers: tuple[Power, ...] = ()
    season: str = ""
    step: str = ""
    small: frozenset[str] = frozenset()
    """Of: article, and, of, by, filler, greeting, doubt, heading."""
    own: bool = True
    """Whether this language (and not English alone) has the word."""
    repaired: str = ""
    """The spelling it has without look-alike letters or slips, if it held any."""
    slip: bool = False
    """Whether it was found by a near spelling."""

    @property
    def is_meaty(self) -> bool:
        """Whether it can be part of an order, not only a small word."""
        return bool(self.places or self.adjectives or self.units or self.verbs or self.preps or self.coasts or self.powers)

    @property
    def is_small(self) -> bool:
        """Whether it can be an article, a preposition or a filler."""
        return bool(self.preps or self.small & {"articles", "of", "by", "and", "filler"})

    def __or__(self, other: "Sense") -> "Sense":
        """Both meanings; places of the first come first, and hide those of the second."""
        return Sense(
            self.places or other.places,
            self.adjectives + other.adjectives,
            self.units + tuple(unit for unit in other.units if unit not in self.units),
            self.verbs | other.verbs,
            self.preps | other.preps,
            self.coasts or other.coasts,
            self.powers or other.powers,
            self.season or other.season,
            self.step or other.step,
            self.small | other.small,
            self.own or other.own,
        )


NOTHING = Sense()


class Tongue(Protocol):
    """What is needed of a language: its words, and the names of the variant in it."""

    @property
    def lexicon(self) -> Lexicon:
        """Words of orders."""

    @property
    def gazetteer(self) -> Gazetteer:
        """Names of places and powers."""


@dataclass(frozen=True, slots=True)
class _Form:
    """A listed spelling: its accents, how many words it has, its meaning."""

    accented: str
    words: int
    sense: Sense


def count_words(text: str) -> int:
    """Of how many words a name is made.

    >>> count_words("Mid-Atlantic Ocean"), count_words("d'Irlande")
    (3, 2)
    """
    return len(WORD.findall(text))


@dataclass
class Vocabulary:
    """The words of one language on one board; `english` stands in where the language has no word of its own.

    Indexes are made when first asked for, and answers are remembered.
    """

    lexicon: Lexicon
    gazetteer: Gazetteer
    board: Board
    english: "Vocabulary | None" = None
    _known: dict[str, Sense | None] = field(default_factory=dict, repr=False)
    _known_runs: dict[str, Sense | None] = field(default_factory=dict, repr=False)

    @property
    def language(self) -> str:
        """Its code (``cs``)."""
        return self.lexicon.language

    @cached_property
    def _forms(self) -> Mapping[str, tuple[_Form, ...]]:
        forms: dict[str, list[_Form]] = {}
        for text, sense in self._listed():
            forms.setdefault(fold(text), []).append(_Form(without_joints(marked(text)), count_words(text), sense))
        return {key: tuple(found) for key, found in forms.items()}

    @cached_property
    def codes(self) -> Mapping[str, str]:
        """Spellings that in capitals mean one place, whatever else the letters may begin.

        They are the board's own codes, and short forms that a names file lists with a place as well as under `ambiguous`.
        """
        if self.english:
            return self.english.codes
        gazetteer = self.gazetteer
        shared = {fold(text) for text in (*gazetteer.ambiguous, *gazetteer.custom)}
        codes = {fold(short): place for place, names in gazetteer.places.items() for short in names.short if fold(short) in shared}
        return codes | {fold(province): province for province in self.board.provinces if province.isalpha()}

    @cached_property
    def longest(self) -> Mapping[str, int]:
        """First words of names of several words, each with the most words that such a name has."""
        longest: dict[str, int] = dict(self.english.longest) if self.english else {}
        for text, _ in self._listed():
            words = WORD.findall(text)
            if len(words) > 1:
                first = fold(words[0])
                longest[first] = max(longest.get(first, 0), len(words))
        return longest

    @cached_property
    def parts(self) -> frozenset[str]:
        """Every word, folded, that is a name or a phrase or part of one."""
        parts = {fold(word) for text, _ in self._listed() for word in WORD.findall(text)} | self._forms.keys()
        return frozenset(parts | self.english.parts if self.english else parts)

    def strangers(self, words: Iterable[str]) -> int:
        """How many of these words are at least unknown: neither a name nor part of one."""
        parts = self.parts
        return sum(1 for word in words if not self._is_part(fold(word), parts))

    def _is_part(self, key: str, parts: frozenset[str]) -> bool:
        if key in parts or self.denies(key):
            return True
        if any(other in parts for other in look_alikes(key)) or any(stem in parts for stem, _ in self._stems(key)):
            return True
        return any(set(cut) <= parts for cut in _glued(key))

    @cached_property
    def place_keys(self) -> tuple[str, ...]:
        """Every folded spelling of a place, sorted."""
        return tuple(sorted(key for key, forms in self._forms.items() if any(form.sense.places for form in forms)))

    @cached_property
    def verb_keys(self) -> tuple[str, ...]:
        """Every folded spelling of a verb or unit of four letters or more, sorted."""
        keys = (key for key, forms in self._forms.items() if any(form.sense.verbs or form.sense.units for form in forms))
        return tuple(sorted(key for key in keys if len(key) > 3))

    def look_up(self, text: str, words: int = 1, tight: bool = True) -> Sense | None:
        """What `text` (of so many words) means; None for nothing.

        Words written apart are one name only if a listed name is of as many words; joined by hyphens (`tight`) they may be any.
        """
        known = self._known if words == 1 else self._known_runs
        key = text if words == 1 else f"{words}{tight}{text}"
        if key not in known:
            if len(known) > 50_000:
                known.clear()
            known[key] = self._find(text, words, tight)
        return known[key]

    def _find(self, text: str, words: int, tight: bool) -> Sense | None:
        key = fold(text)
        if words == 1 and text.isupper() and key in self.codes:
            return Sense(places=(PlaceSense(self.codes[key]),), own=False) | (self._match(key, text, words, tight) or NOTHING)
        own = self._match(key, text, words, tight)
        shared = self.english.look_up(text, words, tight) if self.english else None
        if own and shared and (text.isascii() or not self.has_exactly(text)):
            found: Sense | None = own | replace(shared, own=False)
        else:
            found = own or (replace(shared, own=False) if shared else None)
        if found is not None and (found.is_meaty or len(text) < 2):
            return found
        if found is None and words == 1 and self.denies(key):
            return Sense(small=frozenset({"doubt"}))
        if found is None and (found := self._without_ending(key, words, tight)):
            return found
        for other in look_alikes(key):
            meant = self._match(other, other, words, tight) or (self.english.look_up(other, words, tight) if self.english else None)
            if meant and (found is None or meant.places):
                return replace(meant if found is None else meant | found, repaired=other)
        return found

    def denies(self, key: str, near: bool = False) -> bool:
        """Whether a folded word is a verb with a denial grown to it ("nepodporuje"); `near`: or something like one."""
        for prefix in self.lexicon.small.get("denials", ()):
            rest = key.removeprefix(fold(prefix))
            if rest != key and len(rest) > 2:
                forms = self._forms.get(rest, ())
                if any(form.sense.verbs for form in forms) or (near and any(is_slip(rest, verb) for verb in self.verb_keys)):
                    return True
        return False

    def _without_ending(self, key: str, words: int, tight: bool) -> Sense | None:
        """A name that is listed without the ending it has here ("Stratholmeba"): the places, as the ending lets them be; it is told."""
        for stem, case in self._stems(key):
            meant = self._match(stem, stem, words, tight) or (self.english._match(stem, stem, words, tight) if self.english else None)
            if meant and meant.places:
                return Sense(tuple(replace(each, cases=frozenset({case} if case else ()), found=SHORTENED) for each in meant.places))
        return None

    def _stems(self, key: str) -> Iterable[tuple[str, str]]:
        """A folded word without each ending it may have, and the case that the ending stands for; a name keeps four letters."""
        for says, endings in self.lexicon.endings.items():
            for ending in endings:
                stem = key.removesuffix(fold(ending))
                if stem != key and len(stem) > 3:
                    yield stem, CASE_OF_ENDING[says]

    def _match(self, key: str, text: str, words: int, tight: bool) -> Sense | None:
        forms = self._forms.get(key, ())
        if words > 1 and not tight:
            forms = tuple(form for form in forms if form.words == words)
        if len(forms) > 1 and not text.isascii():
            accented = without_joints(marked(text))
            forms = tuple(form for form in forms if form.accented == accented) or forms
        return _joined([form.sense for form in forms]) if forms else None

    def has_exactly(self, text: str) -> bool:
        """Whether this language lists the word with just these accents."""
        accented = without_joints(marked(text))
        return any(form.accented == accented for form in self._forms.get(fold(text), ()))

    def coast_near(self, text: str) -> tuple[str, ...]:
        """Coasts that a misspelt word may name: one letter wrong, or two changed about."""
        key = fold(text)
        near = {form.sense.coasts[0] for other, forms in self._forms.items() for form in forms if form.sense.coasts and is_slip(key, other)}
        return tuple(sorted(near))

    def beginnings(self, text: str) -> tuple[PlaceSense, ...]:
        """The places whose name begins with `text` (three letters or more), found by this language's names, else by English ones."""
        key = fold(text)
        if len(key) < 3:
            return ()
        keys, places = self.place_keys, []
        at = bisect_left(keys, key)
        while at < len(keys) and keys[at].startswith(key):
            places += [sense.place for form in self._forms[keys[at]] for sense in form.sense.places]
            at += 1
        if not places and self.english:
            return self.english.beginnings(text)
        unique = sorted(set(places))
        return tuple(PlaceSense(place, found=SHORTENED, shared="ambiguous" if len(unique) > 1 else "") for place in unique)

    def abbreviated(self, words: Sequence[str]) -> tuple[PlaceSense, ...]:
        """The places with a name of as many words each of which begins so ("сев море", "É-tenger"), else those with such an English one."""
        keys = [fold(word) for word in words]
        places = {
            place
            for name, place in self._long_names_by_shape.get((len(keys), "".join(keys[:1])[:1]), ())
            if all(part.startswith(key) for part, key in zip(name, keys, strict=True))
        }
        if not places and self.english:
            return self.english.abbreviated(words)
        return tuple(PlaceSense(place, found=SHORTENED, shared="ambiguous" if len(places) > 1 else "") for place in sorted(places))

    @cached_property
    def long_keys(self) -> tuple[str, ...]:
        """Every folded spelling of a place of several words, sorted."""
        return tuple(sorted({"".join(name) for name, _ in self._long_names}))

    @cached_property
    def _long_names_by_shape(self) -> Mapping[tuple[int, str], Sequence[tuple[tuple[str, ...], str]]]:
        """Names of several words by how many they have and their first letter, or "" for any."""
        found: dict[tuple[int, str], list[tuple[tuple[str, ...], str]]] = {}
        for name, place in self._long_names:
            for first in ("", name[0][:1]):
                found.setdefault((len(name), first), []).append((name, place))
        return found

    @cached_property
    def _long_names(self) -> tuple[tuple[tuple[str, ...], str], ...]:
        """Names of several words, word by word, each with its place."""
        found = {
            (tuple(fold(word) for word in words), sense.places[0].place)
            for text, sense in self._listed()
            if len(sense.places) == 1 and len(words := WORD.findall(text)) > 1
        }
        return tuple(sorted(found))

    def places_of(self, key: str) -> tuple[str, ...]:
        """The places that a folded spelling names."""
        return tuple(dict.fromkeys(sense.place for form in self._forms.get(key, ()) for sense in form.sense.places))

    def verbs_of(self, key: str) -> Sense | None:
        """The verbs and units that a folded spelling names."""
        forms = self._forms.get(key)
        return _joined([form.sense for form in forms]) if forms else None

    def _listed(self) -> Iterable[tuple[str, Sense]]:
        yield from self._listed_words()
        yield from self._listed_names()

    def _listed_words(self) -> Iterable[tuple[str, Sense]]:
        lexicon, board = self.lexicon, self.board
        coasts = {coast for province in board.provinces.values() for coast in province.coasts}
        for letter, words in lexicon.units.items():
            if letter not in board.kinds:
                continue
            for role, listed in ((LETTER, words.letters), ("subject", words.subject), ("object", words.object), ("other", words.other)):
                for text in listed:
                    yield text, Sense(units=((letter, role),))
        for verb, found in lexicon.verbs.items():
            for text in (*found.letters, *found.words):
                yield text, Sense(verbs=frozenset({verb}))
        for name in ("from", "to", "in"):
            for text in lexicon.small.get(name, ()):
                yield text, Sense(preps=frozenset({name}))
        for name in ("articles", "and", "of", "by", "filler", "doubt", "headings"):
            for text in lexicon.small.get(name, ()):
                yield text, Sense(small=frozenset({name}))
        for name in ("conditions", "leads", "later"):
            for text in lexicon.small.get(name, ()):
                yield text, Sense(small=frozenset({name, "doubt"}))
        for text in lexicon.small.get("greetings", ()):
            yield text, Sense(small=frozenset({"greetings", "filler"}))
        for coast, listed in lexicon.coasts.items():
            if coasts:
                for text in listed:
                    yield text, Sense(coasts=(coast,))
        for season, listed in lexicon.seasons.items():
            for text in listed:
                yield text, Sense(season=season)
        for step, listed in lexicon.steps.items():
            for text in listed:
                yield text, Sense(step=step)

    def _listed_names(self) -> Iterable[tuple[str, Sense]]:
        gazetteer, board = self.gazetteer, self.board
        clashes = {fold(text) for text in (*gazetteer.ambiguous, *gazetteer.custom)}
        for how, table in (("ambiguous", gazetteer.ambiguous), ("custom", gazetteer.custom)):
            for text, ids in table.items():
                yield text, Sense(places=tuple(PlaceSense(place, shared=how, weak=len(text) < 4) for place in ids))
        if not self.english:
            for province in board.provinces.values():
                other_way = "W" + "-".join(reversed(province.id[1:].split("-"))) if province.id in board.ports else province.id
                title = () if province.id in board.ports else (province.name,)
                for text in dict.fromkeys((province.id, other_way, *title)):
                    if fold(text) not in clashes:
                        yield text, Sense(places=(PlaceSense(province.id),))
        for place, names in gazetteer.places.items():
            if place not in board.ports:
                yield from self._listed_place(place, names, clashes)
        if not self.english:
            for power in board.powers:
                yield power, Sense(powers=(power,))
        for power, names in gazetteer.powers.items():
            for name in (*names.names, *names.adjectives):
                for text in dict.fromkeys(name.forms):
                    yield text, Sense(powers=(power,))
            for text in names.short:
                yield text, Sense(powers=(power,))

    def _listed_place(self, place: str, names: PlaceNames, clashes: set[str]) -> Iterable[tuple[str, Sense]]:
        cases = self.gazetteer.cases
        for name in names.names:
            by_form: dict[str, set[str]] = {}
            for index, text in enumerate(name.forms):
                by_form.setdefault(text, set()).add(cases[index] if index < len(cases) else "")
            for text, found in list(by_form.items()):
                if "(" in text and (bare := text.partition("(")[0].strip()):
                    by_form.setdefault(bare, found)
            for text, found in by_form.items():
                if fold(text) not in clashes:
                    known = frozenset(found) if len(cases) > 1 and "" not in found else frozenset()
                    yield text, Sense(places=(PlaceSense(place, known, weak=len(fold(text)) < 4),))
        for name in names.adjectives:
            for text in dict.fromkeys(name.forms):
                yield text, Sense(adjectives=(PlaceSense(place),))
        english = self.english.gazetteer if self.english else self.gazetteer
        shared = clashes | {fold(text) for text in (*english.ambiguous, *english.custom)}
        for text in names.short:
            if fold(text) not in shared:
                yield text, Sense(places=(PlaceSense(place, weak=True),))


def _joined(senses: list[Sense]) -> Sense:
    """One sense out of all listed for a spelling: the same place in several cases is one place."""
    if len(senses) == 1:
        return senses[0]
    places: dict[str, PlaceSense] = {}
    for sense in senses:
        for each in sense.places:
            old = places.get(each.place)
            cases = each.cases if old is None else old.cases | each.cases if old.cases and each.cases else frozenset()
            places[each.place] = replace(each, cases=cases, shared=each.shared or (old.shared if old else ""))
    if len(places) > 1:
        places = {place: replace(sense, shared=sense.shared or "ambiguous") for place, sense in places.items()}
    adjectives = {each.place: each for sense in senses for each in sense.adjectives}
    return Sense(
        tuple(places.values()),
        tuple(adjectives.values()),
        tuple(dict.fromkeys(unit for sense in senses for unit in sense.units)),
        frozenset().union(*(sense.verbs for sense in senses)),
        frozenset().union(*(sense.preps for sense in senses)),
        tuple(dict.fromkeys(coast for sense in senses for coast in sense.coasts)),
        tuple(dict.fromkeys(power for sense in senses for power in sense.powers)),
        next((sense.season for sense in senses if sense.season), ""),
        next((sense.step for sense in senses if sense.step), ""),
        frozenset().union(*(sense.small for sense in senses)),
    )


def _glued(key: str) -> Iterator[tuple[str, str]]:
    """Two words that one may be made of: ``p60``, ``sa``, ``spanc``."""
    if len(key) == 2 or key[1:].isdigit():
        yield key[0], key[1:]
    if len(key) > 4 and key[-2:].upper() in COASTS:
        yield key[:-2], key[-2:]


def is_slip(one: str, other: str) -> bool:
    """Whether two words differ by one letter too many, too few or other, or by two neighbours changed about.

    >>> is_slip("cs", "sc"), is_slip("eastern", "eatern"), is_slip("nc", "sc"), is_slip("north", "south")
    (True, True, True, False)
    """
    if abs(len(one) - len(other)) > 1 or one == other:
        return False
    start = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    rest, other_rest = one[start:], other[start:]
    return (
        rest[1:] == other_rest
        or rest == other_rest[1:]
        or rest[1:] == other_rest[1:]
        or (rest[:2] == other_rest[1::-1] and rest[2:] == other_rest[2:])
    )


def role_of(sense: PlaceSense, preps: frozenset[str]) -> frozenset[str]:
    """What a place can be after such prepositions, in such a case: "from", "to", "in"; empty for anything.

    >>> sorted(role_of(PlaceSense("UKR", frozenset({"accusative"})), frozenset({"to", "in"})))
    ['to']
    """
    local = {LOCAL_CASES[case] for case in sense.cases if case in LOCAL_CASES}
    if not preps:
        return frozenset(local) if local and not sense.cases - LOCAL_CASES.keys() else frozenset()
    if {"to", "in"} <= preps and sense.cases:
        to, inside = bool(sense.cases & TO_CASES), bool(sense.cases & IN_CASES)
        if to != inside:
            return preps - {"in"} if to else preps - {"to"}
    return preps
