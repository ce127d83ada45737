"""Recursive descent over the items of a line: every way in which one order can be read at a word of it."""

from collections.abc import Iterator
from dataclasses import replace

from judge.board import Board
from judge.language.drafts import EITHER, Draft, PlacePhrase, UnitPhrase
from judge.language.linewords import LineWords
from judge.language.placephrases import PlacePhrases
from judge.language.tokens import Item
from judge.language.unitphrases import UnitPhrases
from judge.language.vocabulary import LETTER

Found = list[tuple[Draft, int]]


class Grammar:
    """Reads orders out of items; for `letter_articles` and `after` see `LineWords` and `PlacePhrases`."""

    def __init__(self, items: tuple[Item, ...], board: Board, letter_articles: frozenset[str], after: bool) -> None:
        self.words = LineWords(items, letter_articles)
        self.places = PlacePhrases(self.words, board, after)
        self.units = UnitPhrases(self.words, self.places)

    @property
    def items(self) -> tuple[Item, ...]:
        """The line."""
        return self.words.items

    def over(self, items: tuple[Item, ...]) -> "Grammar":
        """The same for another line, or a part of this one."""
        return Grammar(items, self.places.board, self.words.letter_articles, self.places.after)

    def orders(self, at: int) -> Found:
        """Every way to read one order at `at`, and where it ends."""
        found: Found = []
        sense = self.words.sense(at)
        if sense and sense.powers:
            behind = self.words.skip_marks(at + 1)
            found += [(replace(draft, power=draft.power or sense.powers[0]), end) for draft, end in self._without_unit(behind)]
            if self.words.kind(at + 1) == ":" or self.words.kind(at) == "open":
                found += [(replace(draft, power=sense.powers[0]), end) for draft, end in self._with_unit(behind)]
        found += self._without_unit(self.words.skip_small(at, frozenset({"articles", "filler"})))
        found += self._with_unit(at + 1 if self.words.kind(at) == "+" else at)
        found += self._verb_between(at)
        found += self._goal_first(at)
        return list(dict.fromkeys(found)) if len(found) > 1 else found

    def _without_unit(self, at: int) -> Found:
        """Orders that begin with their verb: "Build A Par", "Move army Paris to Burgundy", "waive"."""
        verbs = frozenset({"build"}) if self.words.kind(at) == "+" else self.words.verbs(at)
        found: Found = []
        if "waive" in verbs:
            found.append(self._waive(at + 1))
        for verb in sorted(verbs & {"build", "disband", "hold", "move", "retreat"}):
            if verb in ("hold", "move", "retreat") and len(self.words.items[at].text) == 1:
                continue
            begin = self.words.skip_small(self.words.skip_marks(at + 1), frozenset({"articles", "of"}))
            for unit, end in self.units.units(begin):
                if verb in ("move", "retreat"):
                    where = self.places.targets(self.words.skip_marks(end))
                    if where:
                        found.append((Draft(verb, unit, targets=where[0], via=where[1], power=unit.power), where[2]))
                else:
                    found.append((Draft(verb, unit, power=unit.power, leads=True), end))
            if verb == "build":
                found += self._build_place_first(begin)
        return found

    def _verb_between(self, at: int) -> Found:
        """ "Hadsereget építek Párizsban": the verb stands between the word for the unit and the place."""
        sense, place = self.words.sense(at), self.places.place(at + 2)
        verbs = self.words.verbs(at + 1) & {"build", "disband"}
        if sense is None or not verbs or self.words.is_place(at + 1) or place is None or not place[0].can_be("from"):
            return []
        return [
            (Draft(verb, UnitPhrase(kind, role, place[0].as_role("from"))), place[1])
            for verb in sorted(verbs)
            for kind, role in sense.units
            if role != LETTER
        ]

    def _goal_first(self, at: int) -> Found:
        """ "Do Burgundska jde armáda z Paříže", "Into Burgundy goes A Par": where to, the verb, and who."""
        goal = self.places.place(at)
        if goal is None or not (goal[0].can_be_only("to") or _is_accusative(goal[0])):
            return []
        verb_at = self.words.skip_small(goal[1], frozenset({"filler"}))
        verbs = self.words.verbs(verb_at) & {"move", "retreat"}
        if len(verbs) != 1 or self.words.is_place(verb_at) or len(self.words.items[verb_at].text) == 1:
            return []
        return [(Draft(min(verbs), unit, targets=(goal[0].as_role("to"),)), end) for unit, end in self.units.units(verb_at + 1)]

    def _build_place_first(self, at: int) -> Found:
        """ "Build Paris A"."""
        place = self.places.place(at)
        if place is None:
            return []
        sense = self.words.sense(place[1])
        return [
            (Draft("build", UnitPhrase(kind, role, place[0].as_role("from"))), place[1] + 1)
            for kind, role in (sense.units if sense else ())
            if role == LETTER and not self.words.is_place(place[1] + 1)
        ]

    def _waive(self, at: int) -> tuple[Draft, int]:
        count = 1
        if self.words.kind(at) == "word" and self.words.items[at].text.isdigit():
            count, at = max(1, min(99, int(self.words.items[at].text))), at + 1
        if "build" in self.words.verbs(at):
            at += 1
        return Draft("waive", count=count), at

    def _with_unit(self, at: int) -> Found:
        found: Found = []
        for unit, end in self.units.units(at):
            tails = self._tail(unit, end)
            found += [(replace(draft, power=draft.power or unit.power), stop) for draft, stop in tails] if unit.power else tails
        return found

    def _tail(self, unit: UnitPhrase, at: int) -> Found:
        """What a unit shall do, from behind it."""
        found: Found = [(Draft("unit", unit), at)]
        via, begin = self.places.via(at)
        if self.words.kind(begin) == "," and self.words.verbs(begin + 1) - {"via"} and not self.words.is_place(begin + 1):
            begin += 1
        begin = self.words.skip_small(self.words.skip_marks(begin), frozenset({"articles", "filler"}))
        verbs = self.words.verbs(begin)
        if "hold" in verbs:
            found.append((Draft("hold", unit), self._behind_hold(begin)))
        for verb in ("move", "retreat"):
            if verb in verbs:
                behind = self.words.skip_small(self.words.skip_marks(begin + 1), frozenset({"articles", "filler"}))
                if verb == "retreat" and "disband" in self.words.verbs(behind):
                    found.append((Draft("disband", unit), behind + 1))
                found += self._going(verb, unit, behind, via)
        if "disband" in verbs:
            found.append((Draft("disband", unit), begin + 1))
        if "build" in verbs:
            found.append((Draft("build", unit), begin + 1))
        if "support" in verbs and not _is_object(unit):
            found += self._support(unit, begin + 1)
        for verb_at in sorted({begin, self.words.skip_small(self.words.skip_marks(at), frozenset({"articles", "filler"}))}):
            if "convoy" in self.words.verbs(verb_at) and not _is_object(unit):  # a word for "by convoy" may be the verb itself
                found += self._convoy(unit, verb_at + 1)
                found += self._convoyed(unit, verb_at)
        if not verbs & {"support", "convoy", "retreat", "disband"} or self.words.is_place(begin):
            found += self._going("move", unit, begin, via)
        found += self._object_first(unit, at)
        found += self._verb_last(unit, begin)
        return found

    def _convoyed(self, unit: UnitPhrase, at: int) -> Found:
        """ "A Lon convoy to Bel", from its verb: what cannot convoy is convoyed itself.  A mere letter is not enough to go by sea."""
        kind = self.places.board.kinds.get(unit.kind)
        where = self.places.targets(self.words.skip_marks(at + 1))
        if kind is None or kind.convoys or not kind.convoyed or where is None or len(self.words.items[at].text) < 3:
            return []
        return [(Draft("move", unit, targets=where[0], via=True), where[2])]

    def _behind_hold(self, at: int) -> int:
        """Behind a word for holding, said once or twice ("Drž pozici (Holds)")."""
        while "hold" in self.words.verbs(at):
            at = self.words.skip_small(at + 1, frozenset({"articles"}))
        return at

    def _going(self, verb: str, unit: UnitPhrase, at: int, via: bool) -> Found:
        """A move or retreat; its verb may also come last ("a Fekete-tengerre hajózik")."""
        where = self.places.targets(at)
        if where is None:
            return []
        places, more, end = where
        via = via or more
        while (
            (verbs := self.words.verbs(end)) & {"move", "retreat", "via"}
            and not self.words.is_place(end)
            and len(self.words.items[end].text) > 1
        ):
            verb = "retreat" if "retreat" in verbs and "move" not in verbs else verb
            via = via or ("via" in verbs and "move" not in verbs)
            end += 1
        return [(Draft(verb, unit, targets=places, via=via), end)]

    def _helped(self, at: int) -> Iterator[tuple[bool, UnitPhrase, int]]:
        """The unit that is supported or carried, and whether a word before it says that it attacks."""
        attacks = False
        if self.words.kind(at) == ".":
            at += 1
        for _ in range(3):
            at = self.words.skip_small(self.words.skip_marks(at), frozenset({"articles", "of", "by", "filler"}))
            at = self._behind_to(at)
            verbs, sense = self.words.verbs(at), self.words.sense(at)
            if sense is None or sense.places or sense.units:
                break
            if "move" in verbs:
                attacks = True
            elif not ("hold" in verbs and len(self.words.items[at].text) > 1):
                break
            at += 1
        for unit, end in self.units.units(at):
            yield attacks, unit, end

    def _behind_to(self, at: int) -> int:
        """Behind a "to" before a word for a unit ("support to A Par")."""
        sense, behind = self.words.sense(at), self.words.sense(at + 1)
        is_prep = sense is not None and "to" in sense.preps and not (sense.places or sense.units or sense.verbs)
        return at + 1 if is_prep and behind is not None and behind.units and not behind.places else at

    def _support(self, unit: UnitPhrase, at: int) -> Found:
        found: Found = []
        for attacks, of, end in self._helped(at):
            begin = self.words.skip_small(self.words.skip_marks(end), frozenset({"articles", "filler", "by"}))
            begin = self._behind_possessive(begin)
            verbs = self.words.verbs(begin)
            if not attacks:
                found.append((Draft("support", unit, of), end))
                held = self._skip_prep(begin)
                if "hold" in self.words.verbs(held):
                    found.append((Draft("support", unit, of), self._behind_hold(held)))
            if "move" in verbs and not self.words.is_place(begin):
                begin += 1
            where = self.places.targets(begin)
            if where:
                end = self._behind_move(where[2])
                found.append((Draft("support", unit, of, where[0]), end))
        return found

    def _behind_possessive(self, at: int) -> int:
        """Behind the "s" of "Berlin's move to Kiel"."""
        sense, behind = self.words.sense(at), self.words.sense(at + 1)
        owns = sense is not None and "of" in sense.small and not sense.preps
        return at + 1 if owns and behind is not None and "move" in behind.verbs and not behind.places else at

    def _skip_prep(self, at: int) -> int:
        sense = self.words.sense(at)
        return at + 1 if sense and sense.preps and not sense.places and not sense.verbs else at

    def _behind_move(self, at: int) -> int:
        while self.words.verbs(at) & {"move", "via"} and not self.words.is_place(at) and len(self.words.items[at].text) > 1:
            at += 1
        return at

    def _convoy(self, unit: UnitPhrase, at: int) -> Found:
        found: Found = []
        for _, of, end in self._helped(at):
            begin = self.words.skip_small(self.words.skip_marks(end), frozenset({"articles", "filler"}))
            if "move" in self.words.verbs(begin) and not self.words.is_place(begin):
                begin += 1
            where = self.places.targets(begin)
            if where:
                found.append((Draft("convoy", unit, of, where[0]), self._behind_move(where[2])))
        return found

    def _object_first(self, of: UnitPhrase, at: int) -> Found:
        """ "Armádu z Paříže do Burgundska podporuje armáda v Gaskoňsku": the helped unit comes first, in the accusative."""
        if of.role not in ("object", EITHER):
            return []
        where = self.places.targets(self.words.skip_marks(at))
        places, end = (where[0], where[2]) if where else ((), at)
        verbs = self.words.verbs(end)
        verb = "support" if "support" in verbs else "convoy" if "convoy" in verbs and places else ""
        if not verb:
            return []
        subjects = ("subject",) if of.role == EITHER else ("subject", EITHER)
        return [(Draft(verb, unit, of, places), stop) for unit, stop in self.units.units(end + 1) if unit.role in subjects]

    def _verb_last(self, unit: UnitPhrase, at: int) -> Found:
        """ "Kiel flotta a Ruhr hadsereget Hollandiába támogatja"."""
        found: Found = []
        for of, end in self.units.units(at):
            if of.role not in ("object", "other", EITHER):
                continue
            where = self.places.targets(end)
            places, stop = (where[0], where[2]) if where else ((), end)
            verbs = self.words.verbs(stop)
            if "support" in verbs:
                after = self.places.targets(stop + 1) if not places else None
                found.append((Draft("support", unit, of, after[0] if after else places), after[2] if after else stop + 1))
            if "convoy" in verbs:
                after = self.places.targets(stop + 1) if not places else None
                if places or after:
                    found.append((Draft("convoy", unit, of, after[0] if after else places), after[2] if after else stop + 1))
        return found


def _is_object(unit: UnitPhrase) -> bool:
    """Whether a unit can only be the one that something is done to: by the word for it, or by the accusative of its place ("A Párizst")."""
    return unit.role == "object" or (unit.role in (LETTER, "") and _is_accusative(unit.place))


def _is_accusative(place: PlacePhrase) -> bool:
    """Whether a place is written as what something is done to, and can be nothing else."""
    return all(sense.cases == ACCUSATIVE for sense in place.senses)


ACCUSATIVE = frozenset({"accusative"})
"""Of a place that is neither where a unit stands nor where it comes from."""
