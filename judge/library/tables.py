"""TOML and CSV files read with the lines their values stand on."""

import csv
import io
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from judge.library.findings import Faults

HEADER = re.compile(r"\s*\[\[?\s*([^\]]+?)\s*\]\]?")
KEY = re.compile(r"""\s*((?:"[^"]*"|'[^']*'|[\w-]+)(?:\s*\.\s*(?:"[^"]*"|'[^']*'|[\w-]+))*)\s*=""")
PART = re.compile(r""""[^"]*"|'[^']*'|[\w-]+""")


def dotted(text: str) -> tuple[str, ...]:
    """The parts of a TOML key.

    >>> dotted('start . units."60"')
    ('start', 'units', '60')
    """
    return tuple(part.strip("\"'") for part in PART.findall(text))


def read_text(path: Path, faults: Faults) -> str | None:
    """The file's text (UTF-8, with or without a mark), or None and a fault."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        faults.add(path, 0, "the file is missing", "Write it; docs/maps.md shows what belongs in it.")
    except UnicodeDecodeError as error:
        faults.add(path, path.read_bytes()[: error.start].count(b"\n") + 1, "is not UTF-8", "Save the file as UTF-8.")
    except OSError as error:
        faults.add(path, 0, f"cannot be read ({error.strerror})", "Check the file and its permissions.")
    return None


@dataclass(frozen=True)
class TomlFile:
    """A TOML file: its tables, and on which line a key stands."""

    path: Path
    text: str
    data: Mapping[str, Any]

    @cached_property
    def key_lines(self) -> tuple[tuple[int, tuple[str, ...]], ...]:
        """Line and full key of each header and each assignment, in the order of the file."""
        table: tuple[str, ...] = ()
        found = []
        for number, line in enumerate(self.text.splitlines(), 1):
            if header := HEADER.fullmatch(line.split("#")[0].rstrip()):
                table = dotted(header[1])
                found.append((number, table))
            elif key := KEY.match(line):
                found.append((number, table + dotted(key[1])))
        return tuple(found)

    def line(self, *keys: str, value: str = "") -> int:
        """The line of a key (or of the nearest table round it); with `value`, the first line from there on that holds that text."""
        best, length = 1, 0
        for number, key in self.key_lines:
            if length < len(key) <= len(keys) and key == keys[: len(key)]:
                best, length = number, len(key)
        if value:
            for number, line in enumerate(self.text.splitlines()[best - 1 :], best):
                if value in line:
                    return number
        return best


def read_toml(path: Path, faults: Faults) -> TomlFile | None:
    """The file read, or None and a fault."""
    text = read_text(path, faults)
    if text is None:
        return None
    try:
        return TomlFile(path, text, tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"line (\d+)", str(error))
        line = int(place[1]) if place else text.count("\n") + 1
        faults.add(path, line, f"is no TOML: {error}", "See https://toml.io for the format.")
        return None


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a CSV file by column name; a column that the file lacks reads as empty."""

    path: Path
    line: int
    cells: Mapping[str, str]

    def __getitem__(self, column: str) -> str:
        return self.cells.get(column, "")


def read_csv(path: Path, needed: tuple[str, ...], optional: tuple[str, ...], faults: Faults) -> tuple[Row, ...]:
    """The rows of a CSV file with a header line; blank lines and lines that begin with `#` are skipped.

    `needed` and `optional` name the columns; their order in the file is free.
    """
    text = read_text(path, faults)
    if text is None:
        return ()
    header: list[str] = []
    rows = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = [cell.strip() for cell in next(csv.reader(io.StringIO(line)))]
        if not header:
            header = cells
            for column in needed:
                if column not in header:
                    faults.add(path, number, f"the column {column} is missing", f"The first line names the columns: {','.join(needed)}.")
            for column in header:
                if column not in needed + optional:
                    faults.add(path, number, f"the column “{column}” is unknown", f"Known are: {', '.join(needed + optional)}.")
        elif len(cells) > len(header):
            faults.add(path, number, f"has {len(cells)} cells, the first line {len(header)}", "Put a cell that holds a comma in quotes.")
        else:
            rows.append(Row(path, number, dict(zip(header, cells, strict=False))))
    return tuple(rows)
