"""What a variant says about itself."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from judge.library.findings import BadMap, Faults
from judge.library.folders import search_path
from judge.library.variants import MapFolder, open_map

SOURCE_FILE = "SOURCE.md"


@dataclass(frozen=True, slots=True)
class About:
    """Title, one sentence, version (a changed board gets a new one), the text of SOURCE.md, and what is written after a year (BC)."""

    title: str
    description: str
    version: int
    source: str
    era: str = ""


def about_map(source: MapFolder) -> About:
    """What an opened map folder says about itself; what it leaves out has a sensible default."""
    path, version = source.file(SOURCE_FILE), source.value("version")
    return About(
        str(source.value("title") or source.name),
        str(source.value("description") or ""),
        version if isinstance(version, int) else 1,
        path.read_text(encoding="utf-8-sig") if path else "",
        str(source.value("calendar", "era") or ""),
    )


def read_about(folder: Path, search: Sequence[Path] = ()) -> About:
    """What a map folder says about itself.  Raises `BadMap` if its variant.toml cannot be read."""
    faults = Faults()
    source = open_map(folder, search or search_path("maps"), faults)
    if source is None:
        raise BadMap(tuple(faults.found))
    return about_map(source)
