"""How long pictures of recorded turns take, and how many bytes they have: ``python -m tests.bench.pictures``."""

import gzip
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from judge.library import Library
from judge.picture import lay_turn, write_svg
from judge.rules import Position, Step, adjudicate, read_phase, read_unit
from judge.service.pictures import Pictures, TurnPicture

GAMES = Path(__file__).parents[1] / "games" / "droidippy.jsonl.gz"
SVG_GOAL_MS, PNG_GOAL_MS, PNG_GOAL_BYTES = 60.0, 100.0, 180_000


def recorded_turns(library: Library, wanted: int, least_units: int = 22) -> Iterator[TurnPicture]:
    """Movement phases with many units, one from each game."""
    variant = library.variant("standard")
    with gzip.open(GAMES, "rt", encoding="utf-8") as lines:
        for line in lines:
            phases = json.loads(line)["phases"]
            busy = [phase for phase in phases if phase["phase"].endswith("M") and sum(map(len, phase["units"].values())) >= least_units]
            if not busy:
                continue
            phase = busy[len(busy) // 2]
            units = {power: tuple(sorted(map(read_unit, texts))) for power, texts in phase["units"].items()}
            owners = {centre: power for power, centres in phase["centers"].items() for centre in centres}
            before = Position(read_phase(phase["phase"]), units, owners)
            assert before.phase.step is Step.MOVEMENT
            done = adjudicate(before, phase["orders"], variant)
            yield TurnPicture("standard", before, done.outcomes, done.after)
            wanted -= 1
            if not wanted:
                return


def measure(count: int = 60) -> dict[str, float]:
    """CPU ms and bytes: medians and the worst, each picture new to a press that has printed a few others."""
    library = Library()
    drawing, board = library.pack("standard").drawing, library.variant("standard").board
    turns = list(recorded_turns(library, count))
    with TemporaryDirectory() as folder:
        pictures = Pictures(Path(folder), library)
        begun = time.process_time()
        press = pictures.press("standard")
        first_press = time.process_time() - begun
        begun = time.process_time()
        pictures.picture(turns[0])
        first_picture = time.process_time() - begun
        svg, png, sizes = [], [], []
        for turn in turns[1:]:
            begun = time.process_time()
            sheet = lay_turn(drawing, board, turn.before, turn.outcomes, turn.after)
            write_svg(sheet)
            svg.append((time.process_time() - begun) * 1000)
            begun = time.process_time()
            sizes.append(len(press.print_png(lay_turn(drawing, board, turn.before, turn.outcomes, turn.after))))
            png.append((time.process_time() - begun) * 1000)
    return {
        "press, first time, ms": first_press * 1000,
        "first picture of a process, ms": first_picture * 1000,
        "SVG, median ms": median(svg),
        "SVG, worst ms": max(svg),
        "PNG with its layout, median ms": median(png),
        "PNG with its layout, worst ms": max(png),
        "PNG, median bytes": median(sizes),
        "PNG, worst bytes": max(sizes),
    }


def main() -> None:
    """Print the figures; exit status 1 if a goal is missed."""
    found = measure()
    for name, value in found.items():
        print(f"{name:34} {value:12,.1f}")
    missed = (
        found["SVG, median ms"] > SVG_GOAL_MS
        or found["PNG with its layout, median ms"] > PNG_GOAL_MS
        or found["PNG, worst bytes"] > PNG_GOAL_BYTES
    )
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
