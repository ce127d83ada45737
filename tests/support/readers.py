"""Readers of the shipped boards in all languages, and positions to read against."""

import gzip
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from judge.cli.orders import Tongues
from judge.language import LineReading, Reader
from judge.library import Library
from judge.rules import Phase, Position, Step, read_position, write_order

LANGUAGES = ("en", "cs", "hu", "ru", "de", "fr", "pl")
ROOT = Path(__file__).parent.parent
LIBRARY = Library()


@cache
def reader(name: str = "standard") -> Reader:
    """The reader of a board."""
    pack = LIBRARY.pack(name)
    return Reader(pack.variant, Tongues(LIBRARY, pack))


def position_of(units: Sequence[str] | Mapping[str, Sequence[str]], phase: str = "", name: str = "standard") -> Position:
    """A position of some units, all of one power if none is named."""
    powers = units if isinstance(units, Mapping) else {reader(name).variant.powers[0]: units}
    case: dict[str, Any] = {"units": powers}
    if phase:
        case["phase"] = phase
    return read_position(case, reader(name).variant)


def phase_of(step: str) -> Phase | None:
    """Some phase of a step, "" for none known."""
    return Phase(1901, "W" if step == "A" else "S", Step(step)) if step else None


def spelled(reading: LineReading) -> list[str]:
    """The orders of a line in canonical notation."""
    return [write_order(order) for order in reading.orders]


def recorded_positions(count: int, seed: int = 7) -> Iterator[Position]:
    """Positions of movement and adjustment phases of recorded games."""
    phases: list[dict[str, Any]] = []
    with gzip.open(ROOT / "games" / "droidippy.jsonl.gz") as lines:
        for number, line in enumerate(lines):
            if number >= max(5, count // 4):
                break
            phases += [phase for phase in json.loads(line)["phases"] if not phase["phase"].endswith("R") and phase["centers"]]
    random.Random(seed).shuffle(phases)
    for phase in phases[:count]:
        case = {"phase": phase["phase"], "units": phase["units"], "centers": phase["centers"]}
        yield read_position(case, reader().variant)
