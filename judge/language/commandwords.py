"""The words of commands in one or more languages (`templates/languages/<lang>/commands.toml`, already read)."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from rapidfuzz.distance import OSA

from judge.errors import OperatorError
from judge.game import OWN_SETTINGS
from judge.language.courtesies import NO_COURTESIES, Courtesies
from judge.language.folding import fold
from judge.language.lexicon import Lexicon
from judge.language.phasewords import NO_PHASES, PhaseWords, index_phases
from judge.language.vocabulary import WORD

_WORD = re.compile(r"[ \t]*([^ \t:]*)(:?)")
_SPAN = re.compile(r"(?<![\w.:-])(\d{1,4}) ?([^\W\d_]+)")
_UNITS = {"minutes": "min", "hour": "h", "days": "d", "weeks": "w"}
"""Spans of time by what their words mean here, and how the core writes them."""
_LEAST_NEAR, _SHORT_WORD, _MOST_NEAR_WORDS = 3, 5, 3
"""Shorter words come near too much; so many letters still allow one slip only; longer lines are no slips of a command."""

OLD = "old:"
"""Stands before the name of a word of other judges that means nothing here."""


@dataclass(frozen=True, slots=True)
class Match:
    """A command found at the start of a line: its name, the language of the word, and the rest of the line as written."""

    name: str
    language: str
    rest: str


@dataclass(frozen=True, slots=True)
class CommandWords:
    """Spellings (as tuples of folded words) to command names, for all languages together.

    The same spelling may stand in several languages only for the same command; a word of English wins otherwise.
    """

    spellings: Mapping[tuple[str, ...], tuple[str, str]]
    words: Mapping[str, Mapping[str, str]]
    """Small words by meaning set: ``words["all"]["everybody"] == "en"``."""
    weekdays: Mapping[str, int]
    """First letters of weekdays, folded; 0 is Monday."""
    longest: int
    written: Mapping[tuple[str, str], str]
    """What the judge itself writes, by (language, command)."""
    months: Mapping[str, int] = field(default_factory=dict)
    """First letters of months, folded; 1 is January."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """Names of wishes and settings in other languages, folded, to our own."""
    phases: PhaseWords = NO_PHASES
    """What reads phases in words."""
    courtesies: Courtesies = NO_COURTESIES
    """What knows greetings."""
    openers: tuple[str, ...] = ()
    """The longer single words in front of a game's name, folded: "signon" and its like."""

    def match(self, line: str) -> Match | None:
        """The command a line begins with, the longest spelling first; None if it begins with none.

        A word ends at white space or a colon, so that ``press: to all`` and ``Clear`` are found and ``waiting`` is not.
        """
        parts = _split(line, self.longest)
        for count in range(len(parts), 0, -1):
            found = self.spellings.get(tuple(fold(word) for word, _ in parts[:count]))
            if found is not None:
                return Match(found[0], found[1], line[parts[count - 1][1] :].strip(" \t:"))
        return None

    def near(self, text: str) -> str:
        """The one command whose word a short line comes near, "" if none or several do."""
        spoken = fold(" ".join(WORD.findall(text)[:_MOST_NEAR_WORDS]))
        found: dict[str, int] = {}
        for key, (name, _) in self.spellings.items():
            written = " ".join(key)
            most = 1 + (len(written) > _SHORT_WORD)
            if len(written) > _LEAST_NEAR and not name.startswith(OLD) and (far := OSA.distance(spoken, written)) <= most:
                found[name] = min(far, found.get(name, far))
        least = min(found.values(), default=0)
        nearest = [name for name, far in found.items() if far == least]
        return nearest[0] if len(nearest) == 1 else ""

    def means(self, word: str, meaning: str) -> bool:
        """Whether a small word has this meaning in some language."""
        return fold(word) in self.words.get(meaning, {})

    def plain_spans(self, text: str) -> str:
        """A text with its spans in words, ``2 days``, ``48 hodin``, as the core has them: ``2d``, ``48h``."""
        return _SPAN.sub(
            lambda found: next((found[1] + unit for word, unit in _UNITS.items() if self.means(found[2], word)), found[0]), text
        )

    def spell(self, name: str, language: str) -> str:
        """How the judge writes a command in a language, in capitals; English where that language has no word."""
        return (self.written.get((language, name)) or self.written.get(("en", name)) or name).upper()


def _split(line: str, most: int) -> list[tuple[str, int]]:
    """The first words of a line, each with where it ends."""
    parts: list[tuple[str, int]] = []
    for found in islice(_WORD.finditer(line), most):
        if not found[1]:
            break
        parts.append((found[1].rstrip("!.;,"), found.end(1)))
        if found[2]:
            break
    return parts


def parse_command_words(files: Iterable[tuple[str, Mapping[str, Any]]], lexicons: Sequence[Lexicon] = ()) -> CommandWords:
    """All languages' commands.toml as one table; `files` are (language, contents), English first; `lexicons` name the phases.

    Raises `OperatorError` where one spelling means two commands.
    """
    spellings: dict[tuple[str, ...], tuple[str, str]] = {}
    words: dict[str, dict[str, str]] = {}
    written: dict[tuple[str, str], str] = {}
    weekdays: dict[str, int] = {}
    months: dict[str, int] = {}
    settings: dict[str, str] = {}
    for language, data in files:
        for name, forms in data.get("commands", {}).items():
            written.setdefault((language, name), forms[0])
            for form in forms:
                key = tuple(fold(word) for word in form.split())
                known = spellings.setdefault(key, (name, language))
                if known[0] != name and known[1] == language:
                    raise OperatorError(f"languages/{language}/commands.toml: {form!r} stands for {known[0]} and for {name}; keep one")
        for names in (data.get("weekdays", ()), data.get("short_weekdays", ())):
            weekdays.update({fold(day): number for number, day in enumerate(names) if fold(day) not in weekdays})
        months.update({fold(first): number for number, first in enumerate(data.get("months", ()), 1) if fold(first) not in months})
        for word, forms in data.get("old", {}).items():
            for form in forms:
                spellings.setdefault(tuple(fold(part) for part in form.split()), (f"{OLD}{word}", language))
        for meaning, forms in data.get("words", {}).items():
            for form in forms:
                words.setdefault(meaning, {}).setdefault(fold(form), language)
        settings.update({fold(own): name for name, own in zip(OWN_SETTINGS, data.get("words", {}).get("wishes", ()), strict=False)})
        for name, forms in data.get("settings", {}).items():
            settings.update({fold(form): name for form in forms})
    longest = max((len(key) for key in spellings), default=1)
    openers = tuple(key[0] for key, (name, _) in spellings.items() if name in ("game", "signon") and len(key) == 1 and len(key[0]) > 4)
    phases = index_phases(lexicons, (" ".join(key) for key, (name, _) in spellings.items() if name == "phase"))
    return CommandWords(spellings, words, weekdays, longest, written, months, settings, phases, Courtesies(lexicons), openers)
