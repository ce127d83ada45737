"""`names/<lang>.toml`, over the names of `provinces.csv`, to the gazetteers of a variant."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from judge.board import Board
from judge.language import BadNames, Gazetteer, parse_gazetteer
from judge.language.folding import marked
from judge.library.boards import PROVINCE_COLUMNS, PROVINCE_EXTRAS
from judge.library.findings import Faults
from judge.library.tables import Row, TomlFile, dotted, read_csv, read_toml
from judge.library.variants import MapFolder

FALLBACK = "en"
"""The language of the names in `provinces.csv` and `variant.toml`."""
NAMES = "names"

Tables = dict[str, dict[str, Any]]
"""The tables of a names file: places, powers, ambiguous, custom."""


def scan_gazetteers(source: MapFolder, board: Board, faults: Faults) -> dict[str, Gazetteer]:
    """A gazetteer for each language that has a names file, and for English; faults of the files and clashes of names are noted."""
    own = board_names(source, board)
    found = {}
    for language in sorted({path.stem for folder in source.chain for path in (folder / NAMES).glob("*.toml")} | {FALLBACK}):
        layers = [read_toml(path, faults) for path in source.files(f"{NAMES}/{language}.toml")]
        files = [layer for layer in layers if layer is not None]
        top = files[-1] if files and files[-1].path.parent.parent == source.chain[-1] else None
        try:
            gazetteer = parse_gazetteer(lay_over(own, files, board, top), board, language)
        except BadNames as bad:
            blamed = top or files[-1] if files else None
            path = blamed.path if blamed else source.chain[-1]
            line = blamed.line(*dotted(bad.key)) if blamed else 0
            faults.add(path, line, f"{bad.key}: {bad.fault}", "See docs/maps.md for what a names file holds.")
            continue
        found[language] = gazetteer
        if files:  # names of provinces.csv alone are compared there, where their lines are known
            find_clashes(gazetteer, files, faults)
    return found


def board_names(source: MapFolder, board: Board) -> Tables:
    """The names that `provinces.csv` and `variant.toml` give, in the shape of a names file."""
    places: dict[str, Any] = {}
    for path in source.files("provinces.csv"):
        for row in read_csv(path, PROVINCE_COLUMNS, PROVINCE_EXTRAS, Faults()):
            if row["id"] in board.provinces:
                codes = [alias for alias in aliases_of(row) if is_code(alias)]
                names = [row["name"], *(alias for alias in aliases_of(row) if alias not in codes)]
                places[row["id"]] = {"names": [name.replace(",", " ") for name in names], "short": codes}
    powers = {}
    for power in board.powers:
        table = source.value("powers", power)
        name = table.get("name") if isinstance(table, Mapping) else None
        powers[power] = {"names": [str(name or power.replace("_", " ").title())]}
    return {"places": places, "powers": powers}


def aliases_of(row: Row) -> list[str]:
    """The other spellings in a row of `provinces.csv`."""
    return [alias.strip() for alias in row["aliases"].split(";") if alias.strip()]


def is_code(alias: str) -> bool:
    """Whether another spelling is an abbreviation, which is only taken whole, and not a name.

    >>> is_code("GOB"), is_code("Cold Sea")
    (True, False)
    """
    return alias.isupper() and " " not in alias


def lay_over(own: Tables, files: Iterable[TomlFile], board: Board, top: TomlFile | None) -> Mapping[str, Any]:
    """The tables of the files, the later over the earlier, all over the board's own names.

    What a base names and this board does not have is left out; in the variant's own file (`top`) it stays, to be found fault with.
    """
    merged: dict[str, Any] = {key: {place: dict(table) for place, table in tables.items()} for key, tables in own.items()}
    known = {"places": board.provinces, "powers": board.powers}
    for file in files:
        for key, value in file.data.items():
            if not isinstance(value, Mapping):
                merged[key] = value
                continue
            into = merged.setdefault(key, {})
            for name, entry in value.items():
                if file is not top and not belongs(name, entry, known.get(key), board):
                    continue
                into[name] = {**into.get(name, {}), **entry} if key in known and isinstance(entry, Mapping) else entry
    return merged


def belongs(name: str, entry: object, known: Iterable[str] | None, board: Board) -> bool:
    """Whether an entry of a base's file is about places or powers that this board has."""
    if known is not None:
        return name in known
    return not isinstance(entry, list) or all(place in board.provinces for place in entry)


def find_clashes(gazetteer: Gazetteer, files: list[TomlFile], faults: Faults) -> None:
    """A form that means two places, unless the file says so itself under `ambiguous` or `custom`.

    Forms that differ only by accents (Hungarian "Rómán", "román") are told apart by whoever writes the accents.
    """
    told = {plain(short) for short in (*gazetteer.ambiguous, *gazetteer.custom)}
    meaning = {plain(place): place for place in gazetteer.titles}
    for place, names in gazetteer.places.items():
        forms = [form for name in (*names.names, *names.adjectives) for form in name.forms]
        for form in (*forms, *names.short):
            word = plain(form)
            other = meaning.setdefault(word, place) if word and word not in told else place
            if other != place:
                path, line = where_named(files, place)
                beside, other_line = where_named(files, other)
                where = f"line {other_line}" if beside == path else f"{beside}, line {other_line}"
                remedy = "Change one of them, or list it under [ambiguous] or [custom]."
                faults.add(path, line, f"“{form}” means {place} here and {other} ({where})", remedy)


def plain(form: str) -> str:
    """A form without case, dots, spaces and hyphens, but with its accents.

    >>> plain("St. Petersburg"), plain("Mid-Atlantic")
    ('stpetersburg', 'midatlantic')
    """
    return marked(form).replace(" ", "").replace("-", "")


def where_named(files: list[TomlFile], place: str) -> tuple[Path, int]:
    """File and line of a place's names."""
    file = next((file for file in reversed(files) if place in file.data.get("places", {})), files[-1])
    return file.path, file.line("places", place)
