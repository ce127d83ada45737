"""Lints a map folder for its author: everything `read_variant` refuses, and what is only probably a mistake."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from math import hypot
from pathlib import Path
from typing import Any

from judge.board import Board, Location, Province
from judge.errors import JudgeError
from judge.language import fold
from judge.library.boards import BORDER_COLUMNS, BORDER_EXTRAS, PROVINCE_COLUMNS, PROVINCE_EXTRAS
from judge.library.drawings import ANCHORS, GEOMETRY, STYLE, is_number, read_drawing, read_json
from judge.library.findings import BadMap, Faults, Finding
from judge.library.folders import search_path
from judge.library.names import aliases_of, scan_gazetteers
from judge.library.tables import Row, TomlFile, read_csv, read_toml
from judge.library.variants import MapFolder, VariantReader, open_map
from judge.picture import why_unfit
from judge.rules import Phase, Variant, read_order, read_phase, read_unit

ANCHOR_KEYS = ("unit", "label", "dislodged")
"""What every anchor has."""
CORNER = 6.0
"""Pixels of common edge up to which two areas only meet at a corner, which is no border."""


def check_map(folder: Path, search: Sequence[Path] = ()) -> tuple[Finding, ...]:
    """All faults of one map folder, by file and line; empty means that a game can be played on it.

    Bases are looked for beside the folder, then along `search` (the shipped maps if left out).
    """
    faults = Faults()
    source = open_map(folder, search or search_path("maps"), faults)
    if source is not None:
        variant = VariantReader(source, faults).read()
        MapChecker(source, variant, faults).check()
    return tuple(sorted(faults.found))


class MapChecker:
    """The checks beyond what reading finds, one method each."""

    def __init__(self, source: MapFolder, variant: Variant, faults: Faults) -> None:
        self.source, self.variant, self.faults = source, variant, faults
        self.board: Board = variant.board
        self.provinces = self.rows("provinces.csv", PROVINCE_COLUMNS, PROVINCE_EXTRAS)
        self.borders = self.rows("borders.csv", BORDER_COLUMNS, BORDER_EXTRAS)
        self.row_of = {row["id"]: row for row in self.provinces}

    def check(self) -> None:
        """All of them."""
        self.check_one_way()
        self.check_reach()
        self.check_powers()
        self.check_names()
        self.check_places()
        self.check_geometry()
        self.check_anchors()
        self.check_drawing()
        self.check_cases()

    def rows(self, name: str, needed: tuple[str, ...], optional: tuple[str, ...]) -> list[Row]:
        """The rows of a table along the chain; its own faults were noted when it was read."""
        return list(chain.from_iterable(read_csv(path, needed, optional, Faults()) for path in self.source.files(name)))

    def fault(self, row: Row, text: str, remedy: str) -> None:
        """Note a fault of a row."""
        self.faults.add(row.path, row.line, text, remedy)

    def check_one_way(self) -> None:
        """A border open one way only says why in its note, or it is a slip."""
        for row in self.borders:
            if row["way"] == "one-way" and not row["note"]:
                remedy = "Leave way empty if units may come back; else say in the column note why they may not."
                self.fault(row, f"{row['units']} {row['from']} - {row['to']} is one-sided", remedy)

    def check_reach(self) -> None:
        """Every province can be entered or left by something, and all hang together."""
        touching: dict[str, set[str]] = {place: set() for place in self.board.provinces}
        for table in self.board.passages.values():
            for start, ends in table.items():
                for end in ends:
                    touching[start.province].add(end.province)
                    touching[end.province].add(start.province)
        for place in sorted(place for place, others in touching.items() if not others):
            self.fault(self.row_of[place], f"no border leads to {place}", "Add its borders to borders.csv, or make it impassable.")
        reached = reached_from(next(iter(touching), ""), touching)
        islands = sorted(place for place, others in touching.items() if others and place not in reached)
        if islands:
            self.fault(self.row_of[islands[0]], f"no way leads from here to {next(iter(touching))}", "Add the borders that join them.")

    def check_powers(self) -> None:
        """Every power has something to begin with."""
        for power in self.board.powers:
            if not self.variant.start.units.get(power) and power not in self.variant.start.owners.values():
                path, line = self.source.place("powers", power)
                self.faults.add(path, line, f"{power} begins without a unit and without a centre", "Give it one in [start], or a home.")

    def check_names(self) -> None:
        """No name, alias or code means two provinces, in any language."""
        rows = list(self.row_of.values())
        words = chain(
            ((row, row["id"], row["id"]) for row in rows),
            ((row, row["id"], row["name"]) for row in rows),
            ((row, row["id"], alias) for row in rows for alias in aliases_of(row)),
        )
        self.clash(words)
        scan_gazetteers(self.source, self.board, self.faults)

    def clash(self, words: Iterable[tuple[Row, str, str]]) -> None:
        """Find a word that stands for two provinces."""
        meaning: dict[str, tuple[str, Row]] = {}
        for row, place, word in words:
            other, where = meaning.setdefault(fold(word), (place, row))
            if other != place:
                self.fault(row, f"“{word}” means {place} here and {other} in line {where.line}", "Names must be told apart; change one.")

    def check_places(self) -> None:
        """Either every province that can be entered has x and y, or none."""
        rows = [row for place, row in self.row_of.items() if place in self.board.provinces]
        placed = [row for row in rows if row["x"] or row["y"]]
        for row in rows:
            if placed and not (is_number(row["x"]) and is_number(row["y"])) and not self.source.file(GEOMETRY):
                self.fault(
                    row, f"{row['id']} has no place on the map (x and y)", "Write both as pixels from the top left, for all or for none."
                )

    def check_geometry(self) -> None:
        """Each province has an area, and two areas touch where, and only where, the board has a border."""
        path = self.source.file(GEOMETRY)
        data = read_json(path, self.faults)
        if path is None or not data:
            return
        shapes = data.get("objects", {}).get("provinces", {}).get("geometries", [])
        playable = {str(shape.get("id")) for shape in shapes if shape.get("properties", {}).get("kind") != "neutral"}
        self.compare(path, playable, "area", "objects")
        last_borders = self.source.files("borders.csv")[-1:]
        if last_borders and last_borders[0].parent == path.parent:  # a board based on another may mend borders of its picture
            self.compare_edges(path, shared_edges(data), bool(data.get("x_links")))

    def compare_edges(self, path: Path, edges: Mapping[tuple[str, str], float], has_links: bool) -> None:
        """Borders against edges of the picture; where it has links (bridges, straits), a border needs no common edge."""
        listed = {}
        for row in self.borders:
            a, b = Location(row["from"]).province, Location(row["to"]).province
            listed[min(a, b), max(a, b)] = row
        known = self.board.provinces
        for a, b in sorted(edges.keys() - listed.keys()):
            if a in known and b in known and edges[a, b] > CORNER:
                near = next((row for pair, row in listed.items() if a in pair), None)
                file, line = (near.path, near.line) if near else (self.source.files("borders.csv")[-1], 1)
                remedy = "Add the border here (with way closed if nobody may cross it)."
                self.faults.add(file, line, f"{a} and {b} touch in {path.name} but share no border", remedy)
        for pair, row in listed.items():
            if pair not in edges and row["way"] != "closed" and not has_links and known.keys() >= set(pair):
                self.fault(row, f"{pair[0]} and {pair[1]} do not touch in {path.name}", "Take out the border, or mend the picture.")

    def check_anchors(self) -> None:
        """Each province has an anchor, with one for each coast, and no anchor is for an unknown place."""
        path = self.source.file(ANCHORS)
        data = read_json(path, self.faults)
        if path is None or not data:
            return
        anchors = data.get("provinces")
        if not isinstance(anchors, dict) or not all(isinstance(anchor, dict) for anchor in anchors.values()):
            self.faults.add(path, json_line(path, "provinces"), "provinces is no table of tables", "Write it like that of maps/standard.")
            return
        self.compare(path, set(anchors), "anchor", "provinces")
        is_own = path.parent == self.source.chain[-1]
        for place, province in self.board.provinces.items():
            if place in anchors:
                for missing in lacking_anchors(province, anchors[place], needs_dot=province.is_centre and is_own):
                    remedy = "Add it, in pixels from the top left: [x, y]."
                    self.faults.add(path, json_line(path, place), f"{place} has no anchor for {missing}", remedy)

    def check_drawing(self) -> None:
        """A picture can be drawn from the files, and every place has its own on it."""
        if self.faults or not (self.source.file(GEOMETRY) or self.source.file(STYLE)):
            return  # what cannot be read cannot be drawn; a diagram of a sound board always can
        try:
            faults = why_unfit(read_drawing(self.source, self.board), self.board)
        except BadMap as bad:
            self.faults.found += [finding for finding in bad.findings if finding not in self.faults.found]
            return
        for fault in faults:
            what, _, text = fault.partition(": ")
            path = self.source.file({"anchors": ANCHORS, "geometry": GEOMETRY, "style": STYLE}.get(what, ANCHORS)) or self.source.chain[-1]
            self.faults.add(path, 0, text or fault, "See docs/maps.md, “The picture”.")

    def compare(self, path: Path, found: set[str], what: str, key: str) -> None:
        """The places of a picture file against those of the board."""
        for place in sorted(set(self.board.provinces) - found):
            self.faults.add(path, json_line(path, key), f"{place} has no {what}", f"Add one for it under “{key}”.")
        for place in sorted(found - set(self.board.provinces) - set(self.row_of)):
            self.faults.add(path, json_line(path, place), f"the place {place} is unknown", "Take it out, or add it to provinces.csv.")

    def check_cases(self) -> None:
        """The variant's own cases name units, places and phases of this board."""
        for path in sorted((self.source.chain[-1] / "cases").glob("*.toml")):
            file = read_toml(path, self.faults)
            for number, case in enumerate(file.data.get("case", []) if file else []):
                self.check_case(path, case_line(file, number), case)

    def check_case(self, path: Path, line: int, case: Mapping[str, Any]) -> None:
        """One case."""
        for text in chain.from_iterable(case.get("units", {}).values()):
            self.try_reading(path, line, text, lambda text: read_unit(text, self.board))
        for text in chain.from_iterable(case.get("orders", {}).values()):
            self.try_reading(path, line, text, lambda text: read_order(text, self.board))
        if "phase" in case:
            self.try_reading(path, line, str(case["phase"]), self.read_phase)
        for power in {*case.get("units", {}), *case.get("orders", {})} - set(self.board.powers):
            self.faults.add(path, line, f"the power {power} is unknown", "Name a power of variant.toml.")

    def read_phase(self, text: str) -> Phase:
        """A phase of this board's calendar."""
        phase = read_phase(text)
        if (phase.season, phase.step) not in self.variant.calendar.round:
            raise JudgeError(text)
        return phase

    def try_reading(self, path: Path, line: int, text: str, read: Any) -> None:
        """Note a text that cannot be read."""
        try:
            read(text)
        except JudgeError:
            self.faults.add(path, line, f"case: “{text}” means nothing on this board", "Write it in canonical notation.")


def lacking_anchors(province: Province, anchor: Mapping[str, Any], needs_dot: bool) -> list[str]:
    """What a province's anchor leaves out; a board that made a centre of a base's province has its dot drawn beside the unit."""
    coasts = {coast.upper() for coast in anchor.get("coasts") or {}}
    lacking = [f"its {key}" for key in ANCHOR_KEYS if key not in anchor]
    lacking += ["its centre (sc)"] if needs_dot and "sc" not in anchor else []
    return lacking + [f"its coast {coast}" for coast in province.coasts if coast not in coasts]


def reached_from(start: str, touching: Mapping[str, set[str]]) -> set[str]:
    """Everything that hangs together with `start`."""
    reached, waiting = {start}, [start]
    while waiting:
        new = touching.get(waiting.pop(), set()) - reached
        reached |= new
        waiting += sorted(new)
    return reached


def json_line(path: Path, key: str) -> int:
    """The line on which a key (or an id) of a JSON file stands first; the first line if nowhere."""
    mark = re.compile(rf'"{re.escape(key)}"')
    lines = path.read_text(encoding="utf-8-sig").splitlines()
    return next((number for number, line in enumerate(lines, 1) if mark.search(line)), 1)


def case_line(file: TomlFile | None, number: int) -> int:
    """The line of the `[[case]]` with that number (from 0)."""
    lines = [line for line, key in file.key_lines if key == ("case",)] if file else []
    return lines[number] if number < len(lines) else 1


def shared_edges(geometry: Mapping[str, Any]) -> dict[tuple[str, str], float]:
    """Pairs of areas that share arcs, and how many pixels of them."""
    shapes = geometry.get("objects", {}).get("provinces", {}).get("geometries", [])
    sides: dict[int, set[str]] = {}
    for shape in shapes:
        polygons = shape.get("arcs", []) if shape.get("type") == "MultiPolygon" else [shape.get("arcs", [])]
        for number in chain.from_iterable(chain.from_iterable(polygons)):
            sides.setdefault(number if number >= 0 else ~number, set()).add(str(shape.get("id")))
    arcs, scale = geometry.get("arcs", []), geometry.get("transform", {}).get("scale", [1, 1])
    lengths: dict[tuple[str, str], float] = {}
    for number, areas in sides.items():
        if len(areas) == 2 and number < len(arcs):
            pair = (min(areas), max(areas))
            steps = (hypot(dx * scale[0], dy * scale[1]) for dx, dy in arcs[number][1:])
            lengths[pair] = lengths.get(pair, 0.0) + sum(steps)
    return lengths
