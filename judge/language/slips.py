"""Near names: what a misspelt word may have been."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, product

from rapidfuzz.distance import OSA
from rapidfuzz.process import extract

from judge.language.complaints import BadLine, UnknownPlace, UnknownWord
from judge.language.folding import fold
from judge.language.tokens import Item
from judge.language.vocabulary import LETTER, MISSPELT, PlaceSense, Sense, Vocabulary

MOST_NEAR = 6
"""So many near names are offered."""
MOST_WINDOWS = 2
"""So many names of several words are tried around an unknown word."""


def allowed(length: int) -> int:
    """How many letters may be wrong in a word of so many letters.

    >>> [allowed(length) for length in (2, 3, 5, 6, 9, 12)]
    [0, 1, 1, 2, 2, 3]
    """
    return 0 if length < 3 else 1 if length < 6 else 2 if length < 10 else 3


def near_keys(key: str, keys: Sequence[str]) -> tuple[tuple[str, int], ...]:
    """Spellings close to `key` with how many letters differ, the nearest first."""
    most = allowed(len(key))
    if not most:
        return ()
    found = extract(key, keys, scorer=OSA.distance, score_cutoff=most, limit=40)
    return tuple(sorted(((near, int(distance)) for near, distance, _ in found if len(near) >= 3), key=lambda each: (each[1], each[0])))


def near_places(text: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    """The places whose names come close to `text`, the nearest first."""
    key = fold(text)
    found = [(distance, place) for near, distance in near_keys(key, vocabulary.place_keys) for place in vocabulary.places_of(near)]
    if vocabulary.english:
        keys = vocabulary.english.place_keys
        found += [(distance, place) for near, distance in near_keys(key, keys) for place in vocabulary.english.places_of(near)]
    return tuple(dict.fromkeys(place for _, place in sorted(found)))


def near_sense(text: str, vocabulary: Vocabulary) -> Sense | None:
    """What a misspelt word can mean: the places it begins or comes near, and if it comes near one, a verb or a unit."""
    begun = vocabulary.beginnings(text)
    if begun:
        return Sense(places=begun)
    key = fold(text)
    places = near_places(text, vocabulary)
    sense = Sense(places=tuple(PlaceSense(place, found=MISSPELT, shared="ambiguous" if len(places) > 1 else "") for place in places))
    if len(key) > 3 and not vocabulary.denies(key, near=True):
        for words in (vocabulary, vocabulary.english):
            for near, _ in near_keys(key, words.verb_keys)[:1] if words else ():
                found = words.verbs_of(near) if words else None
                if found:
                    units = tuple((letter, role) for letter, role in found.units if role != LETTER)
                    return replace(sense, verbs=found.verbs, units=units, repaired=near, slip=True)
    return sense if places else None


def mended(items: Sequence[Item], vocabulary: Vocabulary, knows_position: bool) -> Iterator[tuple[Item, ...]]:
    """The line with its unknown words replaced by what they can mean, alone or together with their neighbours.

    Short words are repaired only where a position can tell which of many near codes is meant, and never where a verb may stand.
    """
    unknown = [index for index, item in enumerate(items) if item.kind == "word" and item.sense is None]
    if not unknown or len(unknown) > 3:
        return
    windows = [_windows(items, index, vocabulary, knows_position) for index in unknown]
    for choice in product(*windows):
        repaired = _replaced(items, choice)
        if repaired is not None:
            yield repaired


Window = tuple[int, int, Sense]


def _windows(items: Sequence[Item], index: int, vocabulary: Vocabulary, knows_position: bool) -> list[Window]:
    """Stretches around an unknown word that come near a name, the longest first; last the word alone."""
    found: list[Window] = []
    for start, end in _stretches(items, index):
        if places := _named(items[start:end], vocabulary):
            found.append((start, end, Sense(places=places)))
    found = found[:MOST_WINDOWS]
    alone = near_sense(items[index].text, vocabulary)
    short = len(fold(items[index].text)) < 4 and (not knows_position or _may_be_verb(items, index))
    if alone is not None and not (short and any(each.found == MISSPELT for each in alone.places)):
        found.append((index, index + 1, alone))
    return found


def _may_be_verb(items: Sequence[Item], index: int) -> bool:
    """Whether a word stands right behind a place, where a verb may stand: ``A Spa pod A Par - Bur`` is no move to Portugal."""
    before = items[index - 1] if index else None
    return before is not None and before.kind == "word" and before.sense is not None and bool(before.sense.places)


def _stretches(items: Sequence[Item], index: int) -> Iterator[tuple[int, int]]:
    """Where several words that include one may be one name: two or three side by side or joined by hyphens, the longest first.

    No verb and no unit stands in a name.
    """
    words = [at for at in range(max(0, index - 4), min(len(items), index + 5)) if items[at].kind == "word"]
    here = words.index(index)
    for first, last in ((here - 2, here), (here - 1, here + 1), (here, here + 2), (here - 1, here), (here, here + 1)):
        if first < 0 or last >= len(words):
            continue
        stretch = items[words[first] : words[last] + 1]
        parts = [item for item in stretch if item.kind == "word"]
        joints = [item for item in stretch if item.kind != "word"]
        if any(_is_busy(item, items[at + 1] if at + 1 < len(items) else None) for at, item in zip(words[first:], parts, strict=False)):
            continue
        dashes = [item for item in joints if item.kind != "."]
        tight = all(item.kind == "dash" and item.tight for item in dashes) and (not dashes or all(item.tight for item in parts[1:]))
        if tight:
            yield words[first], words[last] + 1


def _is_busy(item: Item, behind: Item | None) -> bool:
    """Whether a word is a verb or a unit, or a letter that abbreviates nothing (``С.`` and ``É-`` may)."""
    if len(item.text) == 1:
        return behind is None or behind.kind not in (".", "dash") or not behind.tight
    return bool(item.sense and (item.sense.verbs or item.sense.units))


def _named(stretch: Sequence[Item], vocabulary: Vocabulary) -> tuple[PlaceSense, ...]:
    """What several words can name together: a name whose words they begin (four letters in all), else one that comes near.

    Words joined by hyphens of which one is a place are no name of one word: ``Par-Bru`` is a move, ``Mid-Atlntic`` none.
    """
    parts = [item for item in stretch if item.kind == "word"]
    begun = vocabulary.abbreviated([item.text for item in parts]) if sum(len(item.text) for item in parts) > 3 else ()
    joined = len(parts) < len(stretch)
    return begun or _near_of_many(_text(parts), vocabulary, joined and any(item.sense and item.sense.places for item in parts))


def _text(items: Sequence[Item]) -> str:
    """The words of a stretch as one text."""
    return " ".join(item.text for item in items if item.kind == "word")


def _near_of_many(text: str, vocabulary: Vocabulary, long: bool) -> tuple[PlaceSense, ...]:
    """Places with a name that comes near to several words; if `long`, with a name of several words itself."""
    key = fold(text)
    found: dict[str, int] = {}
    for words in (vocabulary, vocabulary.english):
        for near, distance in near_keys(key, words.long_keys if long else words.place_keys) if words else ():
            if len(near) > 5 and distance <= 2:
                for place in words.places_of(near) if words else ():
                    found.setdefault(place, distance)
    if not found:
        return ()
    best = min(found.values())
    kept = [place for place, distance in found.items() if distance == best]
    return tuple(PlaceSense(place, found=MISSPELT, shared="ambiguous" if len(kept) > 1 else "") for place in kept)


def _replaced(items: Sequence[Item], windows: Sequence[Window]) -> tuple[Item, ...] | None:
    """The items with each stretch made one; None if stretches overlap."""
    ordered = sorted({(start, end): (start, end, sense) for start, end, sense in windows}.values(), key=lambda window: window[0])
    if any(one[1] > other[0] for one, other in pairwise(ordered)):
        return None
    repaired: list[Item] = []
    at = 0
    for start, end, sense in ordered:
        repaired += [replace(item) for item in items[at:start]]
        text = _text(items[start:end])
        repaired.append(Item("word", text, items[start].at, items[end - 1].end, sense, items[start].tight))
        at = end
    return (*repaired, *(replace(item) for item in items[at:]))


def nearest(items: Sequence[Item], index: int, vocabulary: Vocabulary) -> BadLine:
    """What to say of a word of a line that nothing could be made of."""
    item = items[index]
    for start, end in _stretches(items, index):
        if named := _named(items[start:end], vocabulary):
            return UnknownPlace(_text(items[start:end]), tuple(each.place for each in named)[:MOST_NEAR])
    places = near_places(item.text, vocabulary)[:MOST_NEAR]
    if not places and len(item.text) > 3:
        words = near_keys(fold(item.text), vocabulary.verb_keys)
        if words:
            return UnknownWord(item.text, tuple(word for word, _ in words[:MOST_NEAR]))
    return UnknownPlace(item.text, places)
