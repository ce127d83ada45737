"""`provinces.csv` and `borders.csv` to a `Board`."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from judge.board import Board, Location, Province, Terrain, UnitKind
from judge.library.findings import Faults
from judge.library.tables import Row, read_csv

PROVINCE_COLUMNS = ("id", "name", "kind")
PROVINCE_EXTRAS = ("coasts", "centre", "home", "aliases", "ports", "x", "y")
BORDER_COLUMNS = ("from", "to", "units")
BORDER_EXTRAS = ("way", "note")
IMPASSABLE = "impassable"
KINDS = (*(terrain.value for terrain in Terrain), IMPASSABLE)
WAYS = ("", "one-way", "closed")
PLACE_ID = re.compile(r"[A-Z0-9]+|W\d+-\d+")
COAST_ID = re.compile(r"[A-Z]+")

Step = tuple[str, Location, Location]
"""A passage in one direction: letter of the unit kind, from, to."""


@dataclass
class BoardFiles:
    """The two tables of a board, those of the boards it is based on first."""

    provinces: list[Path] = field(default_factory=list)
    borders: list[Path] = field(default_factory=list)


def province_rows(files: Iterable[Path], faults: Faults) -> dict[str, Row]:
    """The rows by province id; a row of a later file replaces that of an earlier one whole, in its place."""
    rows: dict[str, Row] = {}
    for path in files:
        for row in read_csv(path, PROVINCE_COLUMNS, PROVINCE_EXTRAS, faults):
            place = row["id"]
            if not PLACE_ID.fullmatch(place):
                faults.add(path, row.line, f"the id “{place}” is no id", "Use capitals and digits: STP, 60; a waterway may be W5-7.")
            elif place in rows and rows[place].path == path:
                faults.add(path, row.line, f"{place} stands here and in line {rows[place].line}", "Give each province one line.")
            else:
                rows[place] = row
    return rows


def read_province(row: Row, powers: Iterable[str], faults: Faults) -> Province | None:
    """One province; None for what nobody can enter and for a row with a fault."""
    kind, coasts = row["kind"], tuple(row["coasts"].split())
    if kind == IMPASSABLE:
        return None
    if kind not in KINDS:
        faults.add(row.path, row.line, f"the kind “{kind}” is unknown", f"Known are: {', '.join(KINDS)}.")
        return None
    if not row["name"]:
        faults.add(row.path, row.line, f"{row['id']} has no name", "Fill in the column name.")
    if coasts and (kind != Terrain.COAST or len(coasts) < 2 or len(set(coasts)) < len(coasts) or not all(map(COAST_ID.fullmatch, coasts))):
        remedy = "Only a province of kind coast has coasts, and only if they are two or more: NC SC."
        faults.add(row.path, row.line, f"{row['id']} cannot have the coasts “{row['coasts']}”", remedy)
        coasts = ()
    if row["centre"] not in ("", "yes"):
        faults.add(row.path, row.line, f"the column centre says “{row['centre']}”", "Write yes, or leave it empty.")
    home, is_centre = row["home"], row["centre"] == "yes"
    if home and home not in powers:
        faults.add(row.path, row.line, f"the home power {home} is unknown", "Name a power of variant.toml.")
    if home and not is_centre:
        faults.add(row.path, row.line, f"{row['id']} is a home but no centre", "Write yes under centre, or leave home empty.")
    return Province(row["id"], row["name"], Terrain(kind), coasts, is_centre, home)


def read_ports(rows: Mapping[str, Row], provinces: Mapping[str, Province], faults: Faults) -> dict[str, tuple[str, str]]:
    """The two ports of each waterway; nothing else has ports."""
    found = {}
    for place, province in provinces.items():
        row, ports = rows[place], tuple(rows[place]["ports"].split())
        if province.terrain is Terrain.WATERWAY:
            known = [port for port in ports if port in provinces and provinces[port].terrain is not Terrain.WATERWAY]
            if len(ports) == len(known) == len(set(known)) == 2:
                found[place] = (known[0], known[1])
            else:
                remedy = "Name the two provinces where the waterway ends, with a space between."
                faults.add(row.path, row.line, f"{place} cannot have the ports “{row['ports']}”", remedy)
        elif ports:
            faults.add(row.path, row.line, f"{place} is no waterway and has no ports", "Leave the column ports empty.")
    return found


def stands_on_coasts(kind: UnitKind) -> bool:
    """Whether units of this kind stand on one coast of a province that has several: those that can go to sea."""
    return Terrain.SEA in kind.terrains


def places_of(kind: UnitKind, province: Province) -> tuple[Location, ...]:
    """Where in a province a unit of this kind may stand."""
    if province.terrain not in kind.terrains:
        return ()
    if province.coasts and stands_on_coasts(kind):
        return tuple(Location(f"{province.id}/{coast}") for coast in province.coasts)
    return (Location(province.id),)


class Passages:
    """Gathers the steps of `borders.csv`, row by row, each checked against the provinces."""

    def __init__(self, kinds: Mapping[str, UnitKind], provinces: Mapping[str, Province], faults: Faults) -> None:
        self.kinds, self.provinces, self.faults = kinds, provinces, faults
        self.steps: dict[Step, Row] = {}
        self.closed: dict[Step, Row] = {}

    def add_row(self, row: Row) -> None:
        """Take in one row: open in both directions, in one (``one-way``), or in none (``closed``: an edge that nobody crosses)."""
        ends = (row["from"], row["to"])
        if row["way"] not in WAYS:
            self.fault(row, f"the column way says “{row['way']}”", "Leave it empty, or write one-way or closed.")
        elif not row["units"]:
            self.fault(row, "names no kind of unit", f"Write their letters in the column units: {''.join(self.kinds)}.")
        elif all(self.is_known(row, end) for end in ends):
            if Location(ends[0]).province == Location(ends[1]).province:
                self.fault(row, f"{ends[0]} borders itself", "Name two different provinces.")
            else:
                for letter in row["units"]:
                    self.add_passage(row, letter, Location(ends[0]), Location(ends[1]))

    def add_passage(self, row: Row, letter: str, start: Location, end: Location) -> None:
        """Open (or close) one passage for one kind of unit."""
        if letter not in self.kinds:
            self.fault(row, f"no kind of unit is called {letter}", f"The kinds of variant.toml are: {', '.join(self.kinds)}.")
            return
        if not all(self.may_stand(row, letter, place) for place in (start, end)):
            return
        steps = [(letter, start, end)] if row["way"] == "one-way" else [(letter, start, end), (letter, end, start)]
        for step in steps:
            known = self.steps.get(step) or self.closed.get(step)
            if known is not None and known.path == row.path:
                self.fault(row, f"{letter} {step[1]} - {step[2]} stands also in line {known.line}", "Keep one of the two lines.")
            elif row["way"] == "closed":
                self.steps.pop(step, None)
                self.closed[step] = row
            else:
                self.steps[step] = row

    def is_known(self, row: Row, place: str) -> bool:
        """Whether the place is on the board; a fault if not."""
        location = Location(place)
        province = self.provinces.get(location.province)
        if province is None:
            self.fault(row, f"the place {place or '(empty)'} is unknown", "Name provinces of provinces.csv that are not impassable.")
        elif location.coast and location.coast not in province.coasts:
            self.fault(row, f"the place {place} is unknown", f"The coasts of {province.id} are: {', '.join(province.coasts) or 'none'}.")
        return province is not None and (not location.coast or location.coast in province.coasts)

    def may_stand(self, row: Row, letter: str, place: Location) -> bool:
        """Whether a unit of that kind can stand at a known place; a fault if not."""
        kind, province = self.kinds[letter], self.provinces[place.province]
        allowed = places_of(kind, province)
        if place in allowed:
            return True
        if not allowed:
            self.fault(row, f"{kind.name} ({letter}) cannot stand in {place}, which is {province.terrain}", "Leave that letter out.")
        else:
            self.fault(row, f"{kind.name} ({letter}) cannot stand at {place}", f"Write one of: {', '.join(allowed)}.")
        return False

    def fault(self, row: Row, text: str, remedy: str) -> None:
        """Note a fault of this row."""
        self.faults.add(row.path, row.line, text, remedy)


def waterway_steps(kinds: Mapping[str, UnitKind], ports: Mapping[str, tuple[str, str]]) -> Iterable[Step]:
    """Passages of the waterways: to both ports, and to every other waterway that ends in one of them."""
    for letter, kind in kinds.items():
        if Terrain.WATERWAY in kind.terrains:
            for way, ends in ports.items():
                for port in ends:
                    yield letter, Location(way), Location(port)
                    yield letter, Location(port), Location(way)
                for other, far in ports.items():
                    if other != way and set(ends) & set(far):
                        yield letter, Location(way), Location(other)


def read_board(
    files: BoardFiles, kinds: Mapping[str, UnitKind], powers: tuple[str, ...], convoy_coasts: frozenset[str], faults: Faults
) -> Board:
    """The board of the two tables; what is wrong with them goes to `faults`."""
    rows = province_rows(files.provinces, faults)
    read = {place: read_province(row, powers, faults) for place, row in rows.items()}
    provinces = {place: province for place, province in read.items() if province is not None}
    ports = read_ports(rows, provinces, faults)
    passages = Passages(kinds, provinces, faults)
    for path in files.borders:
        for row in read_csv(path, BORDER_COLUMNS, BORDER_EXTRAS, faults):
            passages.add_row(row)
    reached: dict[str, dict[Location, set[Location]]] = {
        letter: {place: set() for province in provinces.values() for place in places_of(kind, province)} for letter, kind in kinds.items()
    }
    for letter, start, end in (*passages.steps, *waterway_steps(kinds, ports)):
        reached[letter][start].add(end)
    frozen = {letter: {place: frozenset(ends) for place, ends in table.items()} for letter, table in reached.items()}
    return Board(kinds, provinces, frozen, powers, convoy_coasts, ports)
