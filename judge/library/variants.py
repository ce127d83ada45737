"""`variant.toml`, with the tables beside it, to a `Variant`."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from judge.board import Board, Power, Terrain, UnitKind
from judge.library.boards import BoardFiles, places_of, read_board
from judge.library.findings import BadMap, Faults, Finding
from judge.library.folders import find_folder, search_path
from judge.library.tables import TomlFile, read_toml
from judge.rules import (
    CHOICES,
    EDITIONS,
    BadNotation,
    Calendar,
    Phase,
    Position,
    Rulebook,
    Step,
    Unit,
    Variant,
    read_phase,
    read_unit,
)

VARIANT_FILE = "variant.toml"
TOP_KEYS = frozenset(
    {"title", "description", "version", "based_on", "powers", "kinds", "calendar", "start", "victory", "convoy_coasts", "rules"}
)
CALENDAR_KEYS = ("counts_after", "era", "round", "season_offsets", "year_step")
START_KEYS = ("owners", "phase", "units")
MERGED = frozenset({"rules", "start"})
"""Tables of which a board that is based on another gives only the keys that differ; every other key replaces the base's whole."""
POWER_ID = re.compile(r"[A-Z][A-Z0-9_]*")


@dataclass(frozen=True)
class MapFolder:
    """A folder of `maps/` and the folders it is based on, nearest last; a file that it lacks is taken from them."""

    name: str
    chain: tuple[Path, ...]
    settings: tuple[TomlFile, ...]

    def file(self, name: str) -> Path | None:
        """The nearest file of that name."""
        return next((folder / name for folder in reversed(self.chain) if (folder / name).is_file()), None)

    def files(self, name: str) -> list[Path]:
        """All files of that name, the base's first."""
        return [folder / name for folder in self.chain if (folder / name).is_file()]

    def value(self, *keys: str) -> Any:
        """The nearest value of a key; None if no folder of the chain gives it."""
        layer = self.layer(*keys)
        return None if layer is None else pick(layer.data, keys)

    def layer(self, *keys: str) -> TomlFile | None:
        """The nearest variant.toml that gives a key; of keys that are not merged, only the nearest table counts."""
        if keys[0] not in MERGED:
            top = next((layer for layer in reversed(self.settings) if keys[0] in layer.data), None)
            return top if top is not None and pick(top.data, keys) is not None else None
        return next((layer for layer in reversed(self.settings) if pick(layer.data, keys) is not None), None)

    def place(self, *keys: str, value: str = "") -> tuple[Path, int]:
        """File and line of a key, for a finding."""
        layer = self.layer(*keys) or self.settings[-1]
        return layer.path, layer.line(*keys, value=value)


def pick(data: Mapping[str, Any], keys: Sequence[str]) -> Any:
    """The value at the end of a path of keys, or None."""
    for key in keys:
        if not isinstance(data, Mapping) or key not in data:
            return None
        data = data[key]
    return data


def open_map(folder: Path, search: Sequence[Path], faults: Faults) -> MapFolder | None:
    """The folder with its chain of bases; None, with a fault, if a variant.toml cannot be read or a base is not there."""
    chain: list[Path] = []
    settings: list[TomlFile] = []
    here: Path | None = folder
    while here is not None:
        file = read_toml(here / VARIANT_FILE, faults)
        if file is None:
            return None
        chain.insert(0, here)
        settings.insert(0, file)
        base = file.data.get("based_on")
        if base is None:
            break
        beside = [folder.parent, *search]
        here = find_folder(str(base), beside, VARIANT_FILE)
        if here is None:
            faults.add(file.path, file.line("based_on"), f"there is no variant “{base}” to be based on", "`judge map list` names them.")
            return None
        if here.resolve() in [known.resolve() for known in chain]:
            faults.add(file.path, file.line("based_on"), f"“{base}” is based on this variant itself", "Break the circle.")
            return None
    return MapFolder(folder.resolve().name, tuple(chain), tuple(settings))


class VariantReader:
    """Reads one map folder piece by piece; every piece notes its own faults and goes on with something sensible."""

    def __init__(self, source: MapFolder, faults: Faults) -> None:
        self.source, self.faults = source, faults

    def read(self) -> Variant:
        """The variant; good only if no fault was noted."""
        self.check_keys()
        kinds, powers = self.kinds(), self.powers()
        convoy_coasts = self.texts("convoy_coasts")
        tables = BoardFiles(self.tables("provinces.csv"), self.tables("borders.csv"))
        board = read_board(tables, kinds, powers, frozenset(convoy_coasts), self.faults)
        for place in convoy_coasts:
            if place not in board.provinces or board.provinces[place].terrain is not Terrain.COAST:
                self.fault(f"{place} is no coast of this board", "Name provinces of kind coast.", "convoy_coasts", value=place)
        calendar = self.calendar()
        start = self.start(board, calendar)
        return Variant(self.source.name, board, start, calendar, self.rulebook(), self.victory(board))

    def fault(self, text: str, remedy: str, *keys: str, value: str = "") -> None:
        """Note a fault at a key of variant.toml."""
        path, line = self.source.place(*keys, value=value)
        self.faults.add(path, line, text, remedy)

    def tables(self, name: str) -> list[Path]:
        """The files of that name along the chain; a board based on nothing must have it, so its absence is found on reading."""
        return self.source.files(name) or [self.source.chain[0] / name]

    def check_keys(self) -> None:
        """Find keys that mean nothing, which are mostly misspelt ones."""
        for layer in self.source.settings:
            for key in layer.data:
                if key not in TOP_KEYS:
                    remedy = f"Known are: {', '.join(sorted(TOP_KEYS))}."
                    self.faults.add(layer.path, layer.line(key), f"the key {key} is unknown", remedy)

    def texts(self, *keys: str) -> tuple[str, ...]:
        """A list of texts; empty if the key is missing."""
        value = self.source.value(*keys)
        if value is None:
            return ()
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            self.fault(f"{'.'.join(keys)} is no list of texts", 'Write it like ["A", "B"].', *keys)
            return ()
        return tuple(value)

    def table(self, *keys: str) -> Mapping[str, Any]:
        """A table; empty if the key is missing."""
        value = self.source.value(*keys)
        if value is None or isinstance(value, Mapping):
            return value or {}
        self.fault(f"{'.'.join(keys)} is no table", f"Write it as [{'.'.join(keys)}] with keys below.", *keys)
        return {}

    def number(self, default: int, *keys: str) -> int:
        """A whole number; `default` if the key is missing."""
        value = self.source.value(*keys)
        if value is None:
            return default
        if not isinstance(value, int) or isinstance(value, bool):
            self.fault(f"{'.'.join(keys)} is no whole number", "Write a number without quotes.", *keys)
            return default
        return value

    def flag(self, *keys: str) -> bool:
        """True or false; false if the key is missing."""
        value = self.source.value(*keys)
        if value not in (None, True, False):
            self.fault(f"{'.'.join(keys)} is neither true nor false", "Write true or false, without quotes.", *keys)
        return value is True

    def powers(self) -> tuple[Power, ...]:
        """Ids of the powers in the order of the file."""
        powers = tuple(self.table("powers"))
        for power in powers:
            if not POWER_ID.fullmatch(power):
                self.fault(f"“{power}” is no id of a power", "Use capitals, with _ between words.", "powers", power)
            if not isinstance(self.table("powers", power).get("name", ""), str):
                self.fault(f"the name of {power} is no text", "Put it in quotes.", "powers", power)
        if not powers:
            self.fault("no powers are named", "Add a table [powers] with a line for each.", "powers")
        return powers

    def kinds(self) -> dict[str, UnitKind]:
        """The kinds of unit by letter."""
        found = {}
        for letter in self.table("kinds"):
            table = self.table("kinds", letter)
            known = {field.name for field in fields(UnitKind)} - {"letter"}
            for key in table:
                if key not in known:
                    remedy = f"Known are: {', '.join(sorted(known))}."
                    self.fault(f"the key {key} of a kind of unit is unknown", remedy, "kinds", letter, key)
            if len(letter) != 1 or not letter.isupper():
                self.fault(f"“{letter}” cannot stand for a kind of unit", "Use one capital letter.", "kinds", letter)
                continue
            terrains = self.terrains(letter)
            found[letter] = UnitKind(
                letter,
                str(table.get("name", letter)),
                terrains,
                self.number(1, "kinds", letter, "attack"),
                self.number(1, "kinds", letter, "defence"),
                self.flag("kinds", letter, "convoys"),
                self.flag("kinds", letter, "convoyed"),
                self.number(0, "kinds", letter, "removal_rank"),
            )
        if not found:
            self.fault("no kind of unit is given", "Add a table [kinds.A] (letter of the kind) with name and terrains.", "kinds")
        return found

    def terrains(self, letter: str) -> frozenset[Terrain]:
        """Where a kind of unit may stand."""
        names = self.texts("kinds", letter, "terrains")
        for name in names:
            if name not in list(Terrain):
                self.fault(f"the terrain “{name}” is unknown", f"Known are: {', '.join(Terrain)}.", "kinds", letter, "terrains", value=name)
        if not names:
            self.fault(f"kind {letter} can stand nowhere", f"Add terrains, of: {', '.join(Terrain)}.", "kinds", letter)
        return frozenset(Terrain(name) for name in names if name in list(Terrain))

    def calendar(self) -> Calendar:
        """The phases of a year and how years count."""
        steps = tuple(self.season_step(text, "round") for text in self.texts("calendar", "round"))
        counts = self.source.value("calendar", "counts_after")
        if not steps:
            self.fault("the calendar has no round", 'Add round = ["SM", "SR", "FM", "FR", "WA"] to [calendar].', "calendar")
        after = self.season_step(str(counts), "counts_after")
        if after not in steps:
            self.fault(
                f"counts_after “{counts}” is not in the round",
                "Name the step after which centres change hands.",
                "calendar",
                "counts_after",
            )
        for key in self.table("calendar"):
            if key not in CALENDAR_KEYS:
                self.fault(f"the key {key} of the calendar is unknown", f"Known are: {', '.join(CALENDAR_KEYS)}.", "calendar", key)
        offsets = self.table("calendar", "season_offsets")
        for season, years in offsets.items():
            if season not in [step[0] for step in steps] or not isinstance(years, int):
                remedy = "Write a season of the round and a number of years."
                self.fault(f"the offset {season} = {years} is wrong", remedy, "calendar", "season_offsets", season)
        numbers = tuple(sorted((season, years) for season, years in offsets.items() if isinstance(years, int)))
        return Calendar(steps, after, self.number(1, "calendar", "year_step"), numbers)

    def season_step(self, text: str, key: str) -> tuple[str, Step]:
        """``SM`` as spring, movement."""
        if len(text) == 2 and text[0].isupper() and text[1] in list(Step):
            return text[0], Step(text[1])
        remedy = f"Write a season letter and one of {', '.join(Step)}: SM."
        self.fault(f"“{text}” is no step of a year", remedy, "calendar", key, value=text)
        return text[:1], Step.MOVEMENT

    def start(self, board: Board, calendar: Calendar) -> Position:
        """The position a game begins with."""
        text = str(self.source.value("start", "phase") or "")
        try:
            phase = read_phase(text)
        except BadNotation:
            phase = Phase(1, "", Step.MOVEMENT)
        if (phase.season, phase.step) not in calendar.round:
            self.fault(f"the first phase “{text}” is none of this calendar", "Write it like S1901M.", "start", "phase", value=text)
        for key in self.table("start"):
            if key not in START_KEYS:
                self.fault(f"the key {key} of the start is unknown", f"Known are: {', '.join(START_KEYS)}.", "start", key)
        return Position(phase, self.units(board), self.owners(board))

    def units(self, board: Board) -> dict[Power, tuple[Unit, ...]]:
        """The units of each power at the start."""
        taken: dict[str, str] = {}
        found: dict[Power, tuple[Unit, ...]] = dict.fromkeys(board.powers, ())
        for power in self.table("start", "units"):
            if power not in board.powers:
                self.fault(f"the power {power} is unknown", "Name a power of the table [powers].", "start", "units", power)
                continue
            units = []
            for text in self.texts("start", "units", power):
                unit = self.unit(text, board, power)
                if unit is None:
                    continue
                if unit.at.province in taken:
                    other = taken[unit.at.province]
                    self.fault(f"{text} stands where {other} stands", "One province holds one unit.", "start", "units", power, value=text)
                taken[unit.at.province] = text
                units.append(unit)
            found[power] = tuple(sorted(units))
        return found

    def unit(self, text: str, board: Board, power: Power) -> Unit | None:
        """One unit in canonical spelling, standing where its kind can stand."""
        try:
            unit = read_unit(text, board)
        except BadNotation:
            remedy = "Write a kind of unit and a place of this board: A PAR, F STP/SC."
            self.fault(f"“{text}” is no unit of this board", remedy, "start", "units", power, value=text)
            return None
        kind = board.kinds[unit.kind]
        allowed = places_of(kind, board.provinces[unit.at.province])
        if unit.at not in allowed:
            remedy = f"Write one of: {', '.join(allowed)}." if allowed else "Move it elsewhere, or make it another kind."
            self.fault(f"{text}: {kind.name} cannot stand at {unit.at}", remedy, "start", "units", power, value=text)
            return None
        return unit

    def owners(self, board: Board) -> dict[str, Power]:
        """The owner of each owned centre at the start: as the file says, else every power owns its homes."""
        if self.source.value("start", "owners") is None:
            return {province.id: province.home_of for province in board.provinces.values() if province.home_of}
        found: dict[str, Power] = {}
        for power in self.table("start", "owners"):
            if power not in board.powers:
                self.fault(f"the power {power} is unknown", "Name a power of the table [powers].", "start", "owners", power)
            for place in self.texts("start", "owners", power):
                if place not in board.centres:
                    self.fault(f"{place} is no centre", "Name provinces with centre yes.", "start", "owners", power, value=place)
                elif place in found:
                    remedy = "A centre has one owner."
                    self.fault(f"{place} belongs to {found[place]} and {power}", remedy, "start", "owners", power, value=place)
                else:
                    found[place] = power
        return dict(sorted(found.items()))

    def rulebook(self) -> Rulebook:
        """The edition named, with the switches given."""
        table = self.table("rules")
        edition = str(table.get("edition", self.source.value("rules", "edition") or "standard"))
        if edition not in EDITIONS:
            self.fault(f"the edition “{edition}” is unknown", f"Known are: {', '.join(EDITIONS)}.", "rules", "edition")
            edition = "standard"
        given = {key: self.source.value("rules", key) for layer in self.source.settings for key in pick(layer.data, ["rules"]) or {}}
        given.pop("edition", None)
        switches = {}
        base = EDITIONS[edition]
        known = {field.name for field in fields(Rulebook)}
        for key, value in given.items():
            if key not in known:
                self.fault(f"the switch {key} is unknown", f"Known are: {', '.join(sorted(known))}.", "rules", key)
            elif type(value) is not type(getattr(base, key)):
                self.fault(f"the switch {key} cannot be {value!r}", f"It is {getattr(base, key)!r} by default.", "rules", key)
            elif value not in CHOICES.get(key, (value,)):
                self.fault(f"the switch {key} cannot be “{value}”", f"Write one of: {', '.join(CHOICES[key])}.", "rules", key)
            else:
                switches[key] = value
        unchanged = {field.name: getattr(base, field.name) for field in fields(Rulebook)}
        return Rulebook(**{**unchanged, **switches})

    def victory(self, board: Board) -> int:
        """How many centres win."""
        victory = self.number(0, "victory")
        if not 0 < victory <= len(board.centres):
            self.fault(f"victory at {victory} of {len(board.centres)} centres", "Write how many centres win alone.", "victory")
        return victory


def scan_variant(folder: Path, search: Sequence[Path], faults: Faults) -> Variant | None:
    """The variant of a folder as far as it can be read, all its faults noted; None if it cannot be read at all."""
    source = open_map(folder, search, faults)
    return None if source is None else VariantReader(source, faults).read()


def read_variant_folder(folder: Path, search: Sequence[Path] = ()) -> Variant:
    """The rule part of one map folder; bases are looked for beside it, then along `search`.  Raises `BadMap`."""
    faults = Faults()
    variant = scan_variant(folder, search or search_path("maps"), faults)
    if variant is None or faults:
        raise BadMap(tuple(faults.found))
    return variant


def read_variant(name: str, search: Sequence[Path] = ()) -> Variant:
    """The rule part of the variant of that name: board, start, calendar, rulebook and victory.  Raises `BadMap`.

    `search` are the folders to look in, the shipped one if left out; the path of a map folder is taken as well.
    """
    folders = tuple(search) or search_path("maps")
    return read_variant_folder(map_folder(name, folders), folders)


def map_folder(name: str, search: Sequence[Path] = ()) -> Path:
    """The folder of a variant given by its name, or by the path of its folder.  Raises `BadMap` if there is none."""
    found = find_folder(name, search or search_path("maps"), VARIANT_FILE)
    if found is None and (Path(name) / VARIANT_FILE).is_file():
        found = Path(name).resolve()
    if found is None:
        raise no_such_variant(name)
    return found


def no_such_variant(name: str) -> BadMap:
    """The error for a name that no folder has."""
    return BadMap((Finding(name, 0, "there is no such variant", "`judge map list` names those there are."),))
