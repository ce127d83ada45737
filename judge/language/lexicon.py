"""The words of one language: `templates/languages/<lang>/words.toml`, already read."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from judge.errors import OperatorError

VERBS = ("hold", "move", "support", "convoy", "via", "retreat", "disband", "build", "waive")
"""The verbs of orders; every language has words for each."""
COASTS = ("NC", "SC", "EC", "WC", "NE", "NW", "SE", "SW")
"""Coasts a board may have."""
SMALL = (
    "from",
    "to",
    "in",
    "of",
    "and",
    "articles",
    "filler",
    "greetings",
    "doubt",
    "denials",
    "headings",
    "by",
    "it",
    "conditions",
    "leads",
    "later",
    "common",
)
"""Lists of small words; a language may leave one empty."""
ENDINGS = ("from", "to", "in", "object")
"""What an ending can say of a place."""

HOSTS = ("all", "rest", "hold", "disband")
"""Words for many units at once, and verbs in the plural where they are others."""

Words = tuple[str, ...]


@dataclass(eq=False)
class BadWords(OperatorError):
    """A words file that cannot be used: which language, which key, what is wrong."""

    language: str
    key: str
    fault: str

    def __str__(self) -> str:
        return f"languages/{self.language}/words.toml, {self.key}: {self.fault}"


@dataclass(frozen=True, slots=True)
class UnitWords:
    """Names of one kind of unit: `letters` alone before a place, `subject` forms (who acts), `object` forms (who is helped), `other` forms.

    A language without cases puts everything into `subject`.  The first letter and the first subject are what the judge writes.
    """

    letters: Words
    subject: Words
    object: Words = ()
    other: Words = ()


@dataclass(frozen=True, slots=True)
class VerbWords:
    """One verb: `letters` that stand for it between units and places, `words` (the first is what the judge writes)."""

    letters: Words
    words: Words


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Words players may write in one language, on any map.

    `units` by letter of the kind; `verbs` by `VERBS`; `small` by `SMALL`; `coasts` by coast, `seasons` by season letter,
    `steps` by the letter of a phase's step.
    """

    language: str
    units: Mapping[str, UnitWords]
    verbs: Mapping[str, VerbWords]
    small: Mapping[str, Words]
    coasts: Mapping[str, Words]
    seasons: Mapping[str, Words]
    steps: Mapping[str, Words]
    endings: Mapping[str, Words] = field(default_factory=dict)
    """Endings that names of any board can take, by what they say: "from", "to", "in", "object" (nothing of the way)."""
    hosts: Mapping[str, Words] = field(default_factory=dict)
    """Words for all units and for what is left of them, by `HOSTS`."""


def parse_lexicon(data: Mapping[str, Any]) -> Lexicon:
    """The words of a language out of its file, already read as TOML.  Raises `BadWords`.

    >>> parse_lexicon({"language": "xx", "verbs": {"hold": {"letters": ["H"], "words": ["holds"]}}}).verbs["hold"].words
    ('holds',)
    """
    language = str(data.get("language", ""))
    if not language:
        raise BadWords("?", "language", "missing")
    return Lexicon(
        language,
        {str(letter): _unit_words(language, f"units.{letter}", table) for letter, table in _table(language, data, "units").items()},
        {verb: _verb_words(language, verb, table) for verb, table in _table(language, data, "verbs").items()},
        {key: _words(language, f"small.{key}", words) for key, words in _known(language, data, "small", SMALL).items()},
        {key: _words(language, f"coasts.{key}", words) for key, words in _known(language, data, "coasts", COASTS).items()},
        {key: _words(language, f"seasons.{key}", words) for key, words in _table(language, data, "seasons").items()},
        {key: _words(language, f"steps.{key}", words) for key, words in _known(language, data, "steps", ("M", "R", "A")).items()},
        {key: _words(language, f"endings.{key}", words) for key, words in _known(language, data, "endings", ENDINGS).items()},
        {key: _words(language, f"hosts.{key}", words) for key, words in _known(language, data, "hosts", HOSTS).items()},
    )


def _table(language: str, data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = data.get(key, {})
    if not isinstance(found, Mapping):
        raise BadWords(language, key, "must be a table")
    return found


def _known(language: str, data: Mapping[str, Any], key: str, names: tuple[str, ...]) -> Mapping[str, Any]:
    table = _table(language, data, key)
    for name in table:
        if name not in names:
            raise BadWords(language, f"{key}.{name}", f"no such key; known are {', '.join(names)}")
    return table


def _words(language: str, key: str, found: object) -> Words:
    if not isinstance(found, list) or not all(isinstance(word, str) and word.strip() for word in found):
        raise BadWords(language, key, "must be a list of words")
    return tuple(found)


def _unit_words(language: str, key: str, table: object) -> UnitWords:
    if not isinstance(table, Mapping):
        raise BadWords(language, key, "must be a table with letters, subject, object, other")
    lists = {name: _words(language, f"{key}.{name}", words) for name, words in table.items() if name in UnitWords.__slots__}
    for name in table:
        if name not in lists:
            raise BadWords(language, f"{key}.{name}", "no such key; known are letters, subject, object, other")
    return UnitWords(lists.get("letters", ()), lists.get("subject", ()), lists.get("object", ()), lists.get("other", ()))


def _verb_words(language: str, verb: str, table: object) -> VerbWords:
    key = f"verbs.{verb}"
    if verb not in VERBS:
        raise BadWords(language, key, f"no such verb; known are {', '.join(VERBS)}")
    if not isinstance(table, Mapping) or set(table) - {"letters", "words"}:
        raise BadWords(language, key, "must be a table with letters and words")
    return VerbWords(_words(language, f"{key}.letters", table.get("letters", [])), _words(language, f"{key}.words", table.get("words", [])))
