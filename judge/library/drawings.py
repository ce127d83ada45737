"""The picture files of a map folder to a `Drawing`."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from judge.board import Board
from judge.library.findings import BadMap, Faults, Finding
from judge.library.folders import shipped_folder
from judge.library.tables import read_text, read_toml
from judge.library.variants import MapFolder
from judge.picture.drawing import Drawing, parse_drawing
from judge.picture.faults import BadDrawing

GEOMETRY, ANCHORS, GLYPHS, STYLE = "geometry.topo.json", "anchors.json", "glyphs.json", "style.toml"


def read_drawing(source: MapFolder, board: Board) -> Drawing:
    """The drawing of an opened map folder.  Raises `BadMap`.

    A board without a lettering of its own uses that of the standard board.
    """
    faults = Faults()
    glyphs = read_json(source.file(GLYPHS) or shipped_folder("maps") / "standard" / GLYPHS, faults)
    geometry, anchors = read_json(source.file(GEOMETRY), faults), read_json(source.file(ANCHORS), faults)
    style = read_style(source.file(STYLE), faults)
    if faults:
        raise BadMap(tuple(faults.found))
    try:
        return parse_drawing(geometry, anchors, glyphs, style)
    except BadDrawing as bad:
        raise BadMap(tuple(Finding(str(source.chain[-1]), 0, fault, "See docs/maps.md.") for fault in bad.faults)) from bad


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
