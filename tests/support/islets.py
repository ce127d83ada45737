"""A tiny board of its own, with a drawing: two lands, a two-coast land, three seas; small enough for golden pictures to be read."""

import json
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from judge.board import Board, Location, Province, Terrain, UnitKind
from judge.picture import Drawing, parse_drawing
from judge.rules import Order, Outcome, Position, Verdict, Why, read_order, read_phase, read_unit

MAPS = Path(__file__).parents[2] / "maps"

_CORNERS = {
    "a": (0, 0), "b": (1500, 0), "c": (3000, 0), "d": (0, 2000), "e": (3000, 2000), "f": (1500, 2000),
    "p": (600, 700), "q": (1300, 600), "r": (2300, 650), "s": (2300, 1400), "t": (1300, 1350), "u": (600, 1300),
}  # fmt: skip
_ARCS: list[tuple[str, str | None, str | None]] = [
    ("pq", "WST", "NOR"),
    ("qt", "MID", "WST"),
    ("tup", "WST", "SOU"),
    ("qr", "MID", "NOR"),
    ("rs", "MID", "NOR"),
    ("st", "MID", "SOU"),
    ("dacr", "NOR", None),
    ("pd", "NOR", "SOU"),
    ("se", "NOR", "SOU"),
    ("ce", "NOR", None),
    ("ed", "SOU", None),
]
"""Corners of each arc and the areas beside it."""


def geometry() -> dict[str, Any]:
    """The board as TopoJSON with the judge's additions."""
    lines = [[_CORNERS[corner] for corner in ("dac" if name == "dacr" else name)] for name, _, _ in _ARCS]
    rings = {"WST": [0, 1, 2], "MID": [3, 4, 5, ~1], "NOR": [6, 9, ~8, ~4, ~3, ~0, 7], "SOU": [~7, ~2, ~5, 8, 10]}
    shapes = [
        {"type": "MultiPolygon", "id": name, "arcs": [[ring]], "properties": {"kind": "land" if name in ("WST", "MID") else "sea"}}
        for name, ring in rings.items()
    ]
    return {
        "type": "Topology",
        "transform": {"scale": [0.1, 0.1], "translate": [0, 0]},
        "arcs": [[line[0], *((b[0] - a[0], b[1] - a[1]) for a, b in pairwise(line))] for line in lines],
        "objects": {"provinces": {"type": "GeometryCollection", "geometries": shapes}},
        "x_size": [300, 200],
        "x_arc_sides": [[left, right] for _, left, right in _ARCS],
        "x_decor": {"water": [[[1700, 900], [1800, 900], [1800, 960]]]},
    }


def anchors() -> dict[str, Any]:
    """Where things of the board go."""
    return {
        "provinces": {
            "WST": {"unit": [95, 88], "label": [95, 110], "name_lines": ["Western Isle"], "sc": [72, 95], "dislodged": [116, 80]},
            "MID": {
                "unit": [175, 95], "label": [175, 118], "name_lines": ["Middle"], "sc": [205, 112], "dislodged": [198, 88],
                "coasts": {"nc": [180, 72], "sc": [172, 130]},
            },
            "NOR": {"unit": [150, 25], "label": [200, 30], "name_lines": ["Northern", "Sea"], "dislodged": [125, 25]},
            "SOU": {"unit": [150, 172], "label": [210, 172], "name_lines": [], "dislodged": [125, 172]},
        }
    }  # fmt: skip


def style() -> dict[str, Any]:
    """Colours of one of its powers; the other takes a spare look."""
    return {"powers": {"REDS": {"tint": "#E9B7AB", "strong": "#AE3B2E"}}, "symbols": {"A": "cannon", "F": "ship"}}


def glyphs() -> dict[str, Any]:
    """The shipped lettering."""
    read: dict[str, Any] = json.loads((MAPS / "standard" / "glyphs.json").read_text(encoding="utf-8"))
    return read


@lru_cache(maxsize=1)
def drawing() -> Drawing:
    """The board's drawing."""
    return parse_drawing(geometry(), anchors(), glyphs(), style())


@lru_cache(maxsize=1)
def board() -> Board:
    """The board itself: armies walk between the lands, fleets sail round them."""
    kinds = {
        "A": UnitKind("A", "army", frozenset({Terrain.LAND, Terrain.COAST}), convoyed=True),
        "F": UnitKind("F", "fleet", frozenset({Terrain.SEA, Terrain.COAST}), convoys=True),
    }
    provinces = {
        "WST": Province("WST", "Western Isle", Terrain.COAST, (), True, "REDS"),
        "MID": Province("MID", "Middle", Terrain.COAST, ("NC", "SC"), True, "BLUES"),
        "NOR": Province("NOR", "Northern Sea", Terrain.SEA),
        "SOU": Province("SOU", "Southern Sea", Terrain.SEA),
    }
    walks = {Location("WST"): frozenset({Location("MID")}), Location("MID"): frozenset({Location("WST")})}
    sails = {
        Location("WST"): frozenset(map(Location, ("MID/NC", "MID/SC", "NOR", "SOU"))),
        Location("MID/NC"): frozenset(map(Location, ("WST", "NOR"))),
        Location("MID/SC"): frozenset(map(Location, ("WST", "SOU"))),
        Location("NOR"): frozenset(map(Location, ("WST", "MID/NC", "SOU"))),
        Location("SOU"): frozenset(map(Location, ("WST", "MID/SC", "NOR"))),
    }
    return Board(kinds, provinces, {"A": walks, "F": sails}, ("REDS", "BLUES"))


def position(phase: str, units: dict[str, list[str]], owners: dict[str, str] | None = None) -> Position:
    """A position in canonical words."""
    stand = {power: tuple(read_unit(text) for text in texts) for power, texts in units.items()}
    return Position(read_phase(phase), stand, owners or {"WST": "REDS", "MID": "BLUES"})


def outcomes(told: dict[str, list[str]], dislodged: tuple[str, ...] = ()) -> tuple[Outcome, ...]:
    """Outcomes as ``"A WST - MID: bounces"`` by power."""
    out = []
    for power, lines in told.items():
        for line in lines:
            text, _, verdict = line.partition(": ")
            order: Order = read_order(text)
            out.append(Outcome(power, order, True, Verdict(verdict), text[:5] in dislodged, Why("as_ordered")))
    return tuple(out)
