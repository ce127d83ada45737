"""Names of the places and powers of one variant in one language: `maps/<variant>/names/<lang>.toml`, already read."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from judge.board import Board, Power
from judge.errors import OperatorError


@dataclass(eq=False)
class BadNames(OperatorError):
    """A names file that cannot be used: which language, which key, what is wrong."""

    language: str
    key: str
    fault: str

    def __str__(self) -> str:
        return f"names/{self.language}.toml, {self.key}: {self.fault}"


@dataclass(frozen=True, slots=True)
class Name:
    """One name in the forms of its cases, in the order of `Gazetteer.cases`; a language without cases has one form."""

    forms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlaceNames:
    """How a place is called: `names` (the first is what the judge writes), `adjectives` in all endings, `short` forms."""

    names: tuple[Name, ...]
    adjectives: tuple[Name, ...] = ()
    short: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Gazetteer:
    """Place and power names of one variant in one language.

    `cases` names the columns of each name's forms; `ambiguous` short forms that fit several places (asked back unless the position
    decides); `custom` short forms that fit several places and by custom mean the first (taken with a warning).
    """

    language: str
    cases: tuple[str, ...]
    places: Mapping[str, PlaceNames]
    powers: Mapping[Power, PlaceNames]
    ambiguous: Mapping[str, tuple[str, ...]]
    custom: Mapping[str, tuple[str, ...]]
    titles: Mapping[str, str]

    def name(self, place: str, case: str = "") -> str:
        """What the judge calls a place (province id), in `case` where this language has it; the board's own name where it has none."""
        return self._form(self.places.get(place), case) or self.titles.get(place, place)

    def power_name(self, power: Power, case: str = "") -> str:
        """What the judge calls a power, in `case` where this language has it."""
        return self._form(self.powers.get(power), case) or power.capitalize()

    def short_name(self, place: str) -> str:
        """The usual abbreviation of a place in this language; the board's code where it has none of its own."""
        found = self.places.get(place)
        return found.short[0] if found and found.short else place

    def _form(self, names: PlaceNames | None, case: str) -> str:
        if names is None or not names.names:
            return ""
        forms = names.names[0].forms
        column = self.cases.index(case) if case in self.cases else 0
        return forms[column] if column < len(forms) and forms[column] else forms[0]


def parse_gazetteer(data: Mapping[str, Any], board: Board, language: str = "") -> Gazetteer:
    """The names of a variant in one language out of its file, already read as TOML; an empty file gives the board's own names.

    Raises `BadNames` for a place or power that the board does not have, or a wrong shape.
    """
    language = str(data.get("language", language)) or "en"
    cases = tuple(str(case) for case in data.get("cases", ["nominative"]))
    places = {place: _names(language, f"places.{place}", table) for place, table in _table(language, data, "places").items()}
    powers = {power: _names(language, f"powers.{power}", table) for power, table in _table(language, data, "powers").items()}
    ambiguous = {str(short): _ids(language, f"ambiguous.{short}", ids) for short, ids in _table(language, data, "ambiguous").items()}
    custom = {str(short): _ids(language, f"custom.{short}", ids) for short, ids in _table(language, data, "custom").items()}
    for key, ids in (("places", places), ("ambiguous", _all(ambiguous)), ("custom", _all(custom))):
        for place in ids:
            if place not in board.provinces:
                raise BadNames(language, f"{key}.{place}", "the board has no such place")
    for power in powers:
        if power not in board.powers:
            raise BadNames(language, f"powers.{power}", "the board has no such power")
    titles = {province.id: province.name for province in board.provinces.values()}
    return Gazetteer(language, cases, places, powers, ambiguous, custom, titles)


def _all(table: Mapping[str, tuple[str, ...]]) -> list[str]:
    return [place for ids in table.values() for place in ids]


def _table(language: str, data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = data.get(key, {})
    if not isinstance(found, Mapping):
        raise BadNames(language, key, "must be a table")
    return found


def _strings(language: str, key: str, found: object) -> tuple[str, ...]:
    if not isinstance(found, list) or not all(isinstance(text, str) and text.strip() for text in found):
        raise BadNames(language, key, "must be a list of texts")
    return tuple(found)


def _ids(language: str, key: str, found: object) -> tuple[str, ...]:
    ids = _strings(language, key, found)
    if len(ids) < 2:
        raise BadNames(language, key, "must list at least two places")
    return ids


def _names(language: str, key: str, table: object) -> PlaceNames:
    if not isinstance(table, Mapping) or set(table) - {"names", "adjectives", "short"}:
        raise BadNames(language, key, "must be a table with names, adjectives, short")
    return PlaceNames(
        tuple(_name(text) for text in _strings(language, f"{key}.names", table.get("names", []))),
        tuple(_name(text) for text in _strings(language, f"{key}.adjectives", table.get("adjectives", []))),
        _strings(language, f"{key}.short", table.get("short", [])),
    )


def _name(text: str) -> Name:
    return Name(tuple(form.strip() for form in text.split(",")))
