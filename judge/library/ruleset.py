"""The rule part of a variant as JSON and back, and its content hash: a game is played to the end by the rules it began with."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from judge.board import Board, Location, Province, Terrain, UnitKind
from judge.errors import OperatorError
from judge.rules import Calendar, Phase, Position, Rulebook, Step, Unit, Variant

FORMAT = 1
"""Goes up when the shape changes; `load_variant` goes on reading the older ones."""


def dump_variant(variant: Variant) -> dict[str, Any]:
    """Board, start, calendar, rulebook and victory as JSON values.

    What has an order is a list, so that a database may keep the objects in any order.  Every switch is written out: a default that
    changes later does not change a game that has begun.
    """
    board, start, calendar = variant.board, variant.start, variant.calendar
    return {
        "format": FORMAT,
        "name": variant.name,
        "victory": variant.victory,
        "powers": list(board.powers),
        "kinds": [asdict(kind) | {"terrains": sorted(kind.terrains)} for kind in board.kinds.values()],
        "provinces": [asdict(province) | {"coasts": list(province.coasts)} for province in board.provinces.values()],
        "passages": {
            letter: {str(place): sorted(str(end) for end in ends) for place, ends in sorted(table.items())}
            for letter, table in board.passages.items()
        },
        "convoy_coasts": sorted(board.convoy_coasts),
        "ports": {way: list(ends) for way, ends in sorted(board.ports.items())},
        "start": {
            "phase": dump_phase(start.phase),
            "units": {power: [[unit.kind, str(unit.at)] for unit in units] for power, units in start.units.items()},
            "owners": dict(sorted(start.owners.items())),
        },
        "calendar": {
            "round": [[season, step.value] for season, step in calendar.round],
            "counts_after": [calendar.counts_after[0], calendar.counts_after[1].value],
            "year_step": calendar.year_step,
            "season_offsets": dict(calendar.season_offsets),
        },
        "rulebook": asdict(variant.rulebook),
    }


def load_variant(data: Mapping[str, Any]) -> Variant:
    """The variant that `dump_variant` wrote.  Raises `OperatorError` for a format this judge does not know."""
    if data.get("format") != FORMAT:
        raise OperatorError(f"a variant is kept in format {data.get('format')!r}; this judge reads {FORMAT}. Upgrade the judge.")
    start, calendar = data["start"], data["calendar"]
    kinds = {kind["letter"]: UnitKind(**kind | {"terrains": frozenset(map(Terrain, kind["terrains"]))}) for kind in data["kinds"]}
    provinces = {p["id"]: Province(**p | {"terrain": Terrain(p["terrain"]), "coasts": tuple(p["coasts"])}) for p in data["provinces"]}
    passages = {
        letter: {Location(place): frozenset(map(Location, ends)) for place, ends in data["passages"][letter].items()} for letter in kinds
    }
    powers = tuple(data["powers"])
    ports = {way: (ends[0], ends[1]) for way, ends in data["ports"].items()}
    board = Board(kinds, provinces, passages, powers, frozenset(data["convoy_coasts"]), ports)
    units = {power: tuple(Unit(kind, Location(at)) for kind, at in start["units"].get(power, ())) for power in powers}
    year, season, step = start["phase"]
    rounds = tuple((season, Step(step)) for season, step in calendar["round"])
    counts_after = (calendar["counts_after"][0], Step(calendar["counts_after"][1]))
    return Variant(
        data["name"],
        board,
        Position(Phase(year, season, Step(step)), units, start["owners"]),
        Calendar(rounds, counts_after, calendar["year_step"], tuple(sorted(calendar["season_offsets"].items()))),
        Rulebook(**data["rulebook"]),
        data["victory"],
    )


def dump_phase(phase: Phase) -> list[int | str]:
    """Year, season and step."""
    return [phase.year, phase.season, phase.step.value]


def variant_hash(variant: Variant) -> str:
    """A stable hash of the rule part: 64 hexadecimal digits, the same on every machine and after every round trip."""
    return rules_hash(dump_variant(variant))


def rules_hash(rules: Mapping[str, Any]) -> str:
    """The same of a rule part as it was dumped, by whatever version of this program."""
    text = json.dumps(rules, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
