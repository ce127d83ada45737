"""Conditions on the board, as IF lines write them: ``IF NOT A MUN AND (FRANCE OWNS BEL OR F NTH DISLODGED)``."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from judge.board import Board, Power
from judge.game import BadCondition, Condition, Test, both, opposite
from judge.language.commandwords import CommandWords
from judge.language.folding import fold
from judge.language.gazetteer import Gazetteer
from judge.language.lexicon import Lexicon

_TOKENS = re.compile(r"[()]|[^\s(),;]+")

FindPlace = Callable[[str], str]
"""A province's id for a name or code, "" for none."""
FindPower = Callable[[str], Power | None]


@dataclass
class ConditionReader:
    """Reads one condition; `kinds` are the letters of units by the words for them, folded."""

    words: CommandWords
    power: FindPower
    place: FindPlace
    kind: Callable[[str], str]

    def read(self, text: str) -> Condition:
        """The condition of a text.  Raises `BadCondition`."""
        tokens = _TOKENS.findall(text)
        while tokens and self.words.means(tokens[-1], "then"):
            tokens.pop()
        if not tokens:
            raise BadCondition(text)
        found, rest = self._any(tokens, text)
        while rest and set(rest) <= {")"}:
            rest = []
        if rest:
            raise BadCondition(" ".join(rest))
        return found

    def _any(self, tokens: list[str], text: str) -> tuple[Condition, list[str]]:
        """Alternatives joined by OR."""
        found, rest = self._all(tokens, text)
        while rest and self._joins(rest[0]) and self.words.means(rest[0], "or"):
            more, rest = self._all(rest[1:], text)
            found = (*found, *more)
        return found, rest

    def _all(self, tokens: list[str], text: str) -> tuple[Condition, list[str]]:
        """Tests joined by AND."""
        found, rest = self._one(tokens, text)
        while rest and self._joins(rest[0]) and self.words.means(rest[0], "and"):
            more, rest = self._one(rest[1:], text)
            found = both(found, more)
        return found, rest

    def _one(self, tokens: list[str], text: str) -> tuple[Condition, list[str]]:
        """One test, or what stands in brackets; NOT turns it round.  A bracket that is not closed ends with the line."""
        if not tokens:
            raise BadCondition(text)
        if tokens[0] == "(":
            found, rest = self._any(tokens[1:], text)
            return found, rest[1:] if rest and rest[0] == ")" else rest
        if self.words.means(tokens[0], "not"):
            found, rest = self._one(tokens[1:], text)
            return opposite(found), rest
        return self._test(tokens)

    def _test(self, tokens: list[str]) -> tuple[Condition, list[str]]:
        """``[power] [kind] place``, with DISLODGED behind it; or ``power OWNS place``."""
        end = next((i for i, word in enumerate(tokens) if word in ("(", ")") or self._joins(word)), len(tokens))
        words, rest = tokens[:end], tokens[end:]
        power, kind, owned, fallen = "", "", False, False
        if len(words) > 1 and len(words[0]) > 1 and (found := self.power(words[0])) is not None:
            power, words = found, words[1:]
        if len(words) > 1 and self.words.means(words[0], "owns"):
            owned, words = True, words[1:]
        if len(words) > 1 and self.words.means(words[-1], "dislodged"):
            fallen, words = True, words[:-1]
        if len(words) > 1 and (letter := self.kind(words[0])):
            kind, words = letter, words[1:]
        place = self.place(" ".join(words))
        if not place or (owned and not power):
            raise BadCondition(" ".join(tokens))
        what = "owns" if owned else "dislodged" if fallen else "at"
        return ((Test(True, what, place, power, kind),),), rest

    def _joins(self, token: str) -> bool:
        """Whether a word joins tests; a capital A is an army, not the Czech "and"."""
        return (len(token) > 1 or token.islower()) and (self.words.means(token, "and") or self.words.means(token, "or"))


@dataclass(frozen=True)
class Branch:
    """One open IF: what must hold around it, what its earlier branches were, what this branch wants."""

    around: Condition
    before: Condition
    now: Condition

    @property
    def holds(self) -> Condition:
        """When the lines of this branch count."""
        return both(self.around, both(self.before, self.now))


def enter(stack: Sequence[Branch], condition: Condition) -> tuple[Branch, ...]:
    """The branches after an IF."""
    around = stack[-1].holds if stack else ()
    return (*stack, Branch(around, (), condition))


def turn(stack: Sequence[Branch], condition: Condition) -> tuple[Branch, ...]:
    """The branches after an ELSE (`condition` empty) or an ELSE IF.  Raises `BadCondition` where no IF is open."""
    if not stack:
        raise BadCondition("")
    last = stack[-1]
    before = both(last.before, opposite(last.now))
    return (*stack[:-1], Branch(last.around, before, condition))


def index_places(gazetteers: Iterable[Gazetteer], board: Board) -> Mapping[str, str]:
    """Every name, code and short form of a province in every language at hand, folded; what fits several is left out."""
    found: dict[str, set[str]] = {}
    for province in board.provinces:
        found.setdefault(fold(province), set()).add(province)
    for gazetteer in gazetteers:
        for place, names in gazetteer.places.items():
            for text in (*(form for name in names.names for form in name.forms if form), *names.short):
                found.setdefault(fold(text), set()).add(place)
    codes = {fold(province): province for province in board.provinces}
    return {text: codes.get(text) or next(iter(places)) for text, places in found.items() if text in codes or len(places) == 1}


def index_kinds(lexicons: Iterable[Lexicon]) -> Mapping[str, str]:
    """The letter of each kind of unit by the words and letters for it in every language at hand, folded; the first language wins."""
    found: dict[str, str] = {}
    for lexicon in lexicons:
        for letter, words in lexicon.units.items():
            for text in (letter, *words.letters, *words.subject, *words.object, *words.other):
                found.setdefault(fold(text), letter)
    return found
