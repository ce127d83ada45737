"""Places as a line writes them: with prepositions, coasts, and the way by sea."""

from dataclasses import replace

from judge.board import Board
from judge.language.drafts import PlacePhrase
from judge.language.linewords import LineWords
from judge.language.vocabulary import PlaceSense

COAST_LETTERS = {"n": "NC", "s": "SC", "e": "EC", "w": "WC"}
"""Coasts by one letter, understood after a slash and in brackets."""


class PlacePhrases:
    """Reads places out of a line; `after` where prepositions may stand behind them (Hungarian)."""

    def __init__(self, words: LineWords, board: Board, after: bool) -> None:
        self.words = words
        self.board = board
        self.after = after
        self._places: dict[int, tuple[PlacePhrase, int] | None] = {}

    def place(self, at: int) -> tuple[PlacePhrase, int] | None:
        """A place with its prepositions and coast, and where it ends."""
        if at not in self._places:
            self._places[at] = self._place(at)
        return self._places[at]

    def _place(self, at: int) -> tuple[PlacePhrase, int] | None:
        preps: frozenset[str] = frozenset()
        start = at
        while (sense := self.words.sense(at)) and not sense.places and not sense.coasts and at - start < 4:
            if self.words.is_unit_letter(at):
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
        sense, coast = self.words.sense(at), ""
        if sense and sense.coasts and not sense.places:
            named = self.words.skip_small(at + 1, frozenset({"of", "articles"}))
            behind = self.words.sense(named)
            if not behind or not any(sense.coasts[0] in self.board.provinces[each.place].coasts for each in behind.places):
                return None
            free = tuple(replace(each, cases=frozenset()) for each in behind.places)  # "the coast of Spain": the case is the coast's
            coast, at, sense = sense.coasts[0], named, replace(behind, places=free)
        if not sense or not sense.places:
            return None
        item = self.words.items[at]
        end = at + 1
        if not coast:
            coast, end = self.coast(end, sense.places)
        if self.after and (post := self.words.sense(end)) and post.preps and not post.places and not preps:
            preps, end = post.preps, end + 1
        return PlacePhrase(sense.places, preps, coast, item.text, sense, end), end

    def coast(self, at: int, places: tuple[PlaceSense, ...]) -> tuple[str, int]:
        """The coast named behind a place, and where it ends; "" and `at` if none is."""
        has = {coast for each in places for coast in self.board.provinces[each.place].coasts}
        kind = self.words.kind(at)
        if kind == "open":
            inner = self._skip_into_coast(at + 1)
            coast = self._coast_word(inner, letters=True)
            if coast and self.words.kind(inner + 1) in ("close", ""):
                return coast, min(inner + 2, self.words.count)
            if coast and self.words.kind(inner + 1) == "." and self.words.kind(inner + 2) == "close":
                return coast, inner + 3
            return "", at
        if kind == "/":
            coast = self._coast_word(at + 1, letters=True)
            return (coast, at + 2) if coast else ("", at)
        if kind == "," or (kind == "dash" and self.words.items[at].tight):
            inner = self._skip_into_coast(at + 1)
            coast = self._coast_word(inner)
            return (coast, inner + 1) if coast in has and not self.words.is_place(inner) else ("", at)
        inner = self._skip_into_coast(at)
        coast = self._coast_word(inner)
        plain = inner == at and coast and len(self.words.items[inner].text) == 2 and self.words.items[inner].text.lower().endswith("c")
        if (coast in has and (inner == at or len(self.words.items[inner].text) > 2)) or plain:
            return coast, inner + 1
        return "", at

    def _skip_into_coast(self, at: int) -> int:
        while (
            (sense := self.words.sense(at)) and (sense.preps or sense.small & {"of", "articles"}) and not sense.coasts and not sense.places
        ):
            at += 1
        return at

    def _coast_word(self, at: int, letters: bool = False) -> str:
        if self.words.kind(at) != "word":
            return ""
        text, sense = self.words.items[at].text, self.words.sense(at)
        if sense and sense.coasts and (len(text) > 1 or letters):
            return sense.coasts[0]
        return COAST_LETTERS.get(text.lower(), "") if letters else ""

    def targets(self, at: int) -> tuple[tuple[PlacePhrase, ...], bool, int] | None:
        """Where a unit goes, over which places if a route is written out, and whether it says "by convoy"."""
        via, at = self.via(at)
        first = self.place(self.words.skip_marks(at))
        if first is None or not first[0].can_be("to"):
            return None
        places, end = [first[0].as_role("to")], first[1]
        while self.words.kind(end) in ("dash", "arrow"):
            following = self.place(self.words.skip_marks(end))
            if following is None or not following[0].can_be("to"):
                break
            places.append(following[0].as_role("to"))
            end = following[1]
        more, end = self.via(end)
        return tuple(places), via or more, end

    def via(self, at: int) -> tuple[bool, int]:
        """ "via convoy", "VIA", "via Nth and Nwg", "az Északi-tengeren át", and where that ends."""
        start = at
        if (
            self.after
            and (over := self.place(at))
            and over[0].can_be_only("in")
            and self._is_sea(over[0])
            and "via" in self.words.verbs(over[1])
        ):
            return True, over[1] + 1
        at = self.words.skip_small(at, frozenset({"articles"}))
        if self.words.kind(at) == "," and "via" in self.words.verbs(at + 1):
            at += 1
        if "via" not in self.words.verbs(at):
            return False, start
        at += 1
        while "via" in self.words.verbs(at) and not self.words.is_place(at):
            at += 1
        listed = at
        while True:
            sense = self.words.sense(listed)
            if sense and sense.units and self.words.is_place(listed + 1):
                listed += 1
                continue
            found = self.place(listed)
            if found is None or (sense and sense.preps and "to" in sense.preps) or not self._is_sea(found[0]):
                break
            at = found[1]
            joint = self.words.sense(at)
            listed = at + 1 if self.words.kind(at) in (",", "dash", "&") or (joint and "and" in joint.small) else at
        return True, at

    def _is_sea(self, phrase: PlacePhrase) -> bool:
        return all(self.board.provinces[each.place].terrain == "sea" for each in phrase.senses)
