"""The picture files of a map folder to a `Drawing`."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from judge.board import Board
from judge.library.boards import PROVINCE_COLUMNS, PROVINCE_EXTRAS
from judge.library.findings import BadMap, Faults, Finding
from judge.library.folders import shipped_folder
from judge.library.tables import read_csv, read_text, read_toml
from judge.library.variants import MapFolder
from judge.picture import BadDrawing, Drawing, diagram, parse_drawing, parse_lettering, parse_style

GEOMETRY, ANCHORS, GLYPHS, STYLE = "geometry.topo.json", "anchors.json", "glyphs.json", "style.toml"
STANDARD = "standard"
"""The board whose lettering serves all that have none."""


def read_drawing(source: MapFolder, board: Board) -> Drawing:
    """The drawing of an opened map folder: its map, or a diagram if it has none.  Raises `BadMap`.

    A board without a lettering of its own uses that of the standard board.
    """
    faults = Faults()
    glyphs = read_json(source.file(GLYPHS) or shipped_folder("maps") / STANDARD / GLYPHS, faults)
    geometry, anchors = read_json(source.file(GEOMETRY), faults), read_json(source.file(ANCHORS), faults)
    style = read_style(source.file(STYLE), faults)
    if faults:
        raise BadMap(tuple(faults.found))
    try:
        if geometry:
            return parse_drawing(geometry, anchors, glyphs, style)
        return diagram(board, parse_lettering(glyphs), parse_style(style), places_on_map(source))
    except BadDrawing as bad:
        raise BadMap(tuple(Finding(str(source.chain[-1]), 0, fault, "See docs/maps.md.") for fault in bad.faults)) from bad


def places_on_map(source: MapFolder) -> dict[str, tuple[float, float]]:
    """The x and y of `provinces.csv`, where there are any."""
    found = {}
    for path in source.files("provinces.csv"):
        for row in read_csv(path, PROVINCE_COLUMNS, PROVINCE_EXTRAS, Faults()):
            if is_number(row["x"]) and is_number(row["y"]):
                found[row["id"]] = (float(row["x"]), float(row["y"]))
    return found


def is_number(text: str) -> bool:
    """Whether a cell holds a number.

    >>> is_number("12.5"), is_number(""), is_number("x")
    (True, False, False)
    """
    return re.fullmatch(r"-?\d+(\.\d+)?", text) is not None


def read_style(path: Path | None, faults: Faults) -> Mapping[str, Any]:
    """The colours and symbols of a board; empty if it names none."""
    file = None if path is None else read_toml(path, faults)
    return {} if file is None else file.data


def read_json(path: Path | None, faults: Faults) -> dict[str, Any]:
    """A JSON object; empty if there is no such file, or with a fault if it cannot be read."""
    text = None if path is None else read_text(path, faults)
    if path is None or text is None:
        return {}
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        faults.add(path, error.lineno, f"is no JSON: {error.msg}", "Mend it there or just before.")
        return {}
    if not isinstance(data, dict):
        faults.add(path, 1, "is no JSON object", "See docs/maps.md.")
        return {}
    return data
