"""Phases adjudicated a second, against two other packages, in one run: medians of interleaved rounds and their ratios.

Run by `make bench`.  The others are installed in a virtual environment of their own; without network or with `--alone` only this
judge is measured.  The workload is `data/phases.jsonl.gz` (its SOURCE.md says how it was made); positions and orders are those of
2,000 movement phases.  Row B: from order text of seven powers to positions, verdicts, dislodged units and retreats, legality
checked.  Row A: the same from parsed orders.  The correctness gate runs first: a speed that costs one wrong phase is not counted.
"""

import argparse
import gc
import gzip
import json
import os
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
DATA = HERE / "data" / "phases.jsonl.gz"
WRONG_IN_PEER = {137, 375, 1652, 1958}
"""Phases in which the package whose outcomes the file holds is itself wrong: it counts support by the attacked unit's own power."""

PEERS = ("diplomacy==1.1.2", "pydip==0.1.8")


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--alone", action="store_true", help="measure this judge only")
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--stride", type=int, default=3, help="take every n-th phase of 2,000; an odd number, or all are in spring")
    arguments.add_argument("--venv", type=Path, default=Path(tempfile.gettempdir()) / "judge-bench-peers")
    chosen = arguments.parse_args()
    sys.path.insert(0, str(ROOT))
    ours = Ours(chosen.stride)
    print(f"correctness gate: {ours.gate()}")
    ours.settle()
    peers = None if chosen.alone else start_peers(chosen.venv, chosen.stride)
    mine: dict[str, list[Times]] = {"A": [], "B": []}
    theirs: list[dict[str, Times]] = []
    for _ in range(chosen.rounds):
        # Who comes second finds the positions in the processor's cache: each is first once and second once.
        for row in "ABBA":
            mine[row].append(ours.times(ours.parsed if row == "A" else ours.texts))
        if peers is not None:
            theirs.append(ask(peers))
    row_a, row_b = map(rate, mine.values())
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    print(f"phases a second of CPU, medians of {chosen.rounds} interleaved rounds over {len(ours.texts)} phases; load average {load}")
    print(f"this judge: A, from parsed orders {row_a:.0f}   B, from order text {row_b:.0f}")
    if theirs:
        process, both, pydip = (rate([each[name] for each in theirs]) for name in ("process", "set_orders and process", "resolve_turn"))
        print(f"diplomacy:  A, process() {process:.0f}   B, set_orders() and process() {both:.0f}   pydip: A, resolve_turn() {pydip:.0f}")
        print(f"A / diplomacy A: {row_a / process:.1f} (wanted 30)")
        print(f"A / pydip A:     {row_a / pydip:.1f} (wanted 5)")
        print(f"B / diplomacy B: {row_b / both:.1f} (wanted 60)")
    print(f"worst case: {ours.worst():.1f} ms (wanted 50), the slowest of 34 units, a convoy of 19 fleets, nested paradoxes")
    print(f"memory: {memory():.0f} MB (wanted 40) after one turn in a process of its own")
    print(f"start: {start():.2f} s (wanted 0.4), `judge adjudicate` on one case, median of 5")


Times = list[float]
"""Seconds of CPU of each phase in one round."""


def rate(rounds: list[Times]) -> float:
    """Phases a second, each phase taken as the median of its rounds, so that what else the machine does counts little."""
    seconds: float = sum(map(median, zip(*rounds, strict=True)))
    return len(rounds[0]) / seconds


class Ours:
    """The workload ready for this judge."""

    def __init__(self, stride: int) -> None:
        from judge.library import read_variant
        from judge.rules import adjudicate, read_case, read_order

        variant = read_variant("standard")
        # The peers send a VIA move without a convoy by land.
        self.variant = replace(variant, rulebook=replace(variant.rulebook, via_without_convoy="land"))
        self.adjudicate: Callable[..., Any] = adjudicate
        self.rows = [json.loads(line) for line in gzip.decompress(DATA.read_bytes()).splitlines()]
        chosen = [read_case(row, self.variant) for row in self.rows[::stride]]
        self.texts: list[Any] = chosen
        self.parsed: list[Any] = [
            (position, {power: [read_order(text) for text in texts] for power, texts in orders.items()}) for position, orders in chosen
        ]

    def gate(self) -> str:
        """Positions and retreats against the outcomes in the file; raises where they differ and should not."""
        from judge.rules import read_case

        positions = retreats = 0
        for row in self.rows:
            result = self.adjudicate(*read_case(row, self.variant), self.variant)
            same = {p: sorted(map(str, u)) for p, u in result.after.units.items()} == {p: sorted(u) for p, u in row["after"].items() if u}
            assert same != (row["id"] in WRONG_IN_PEER), row["id"]
            positions += same
            for fallen in result.dislodged if same else ():
                told = row["dislodged"][str(fallen.unit)]
                if [str(place) for place in fallen.retreats] != sorted(told["retreats"]):
                    assert not fallen.attacked_from, row["id"]  # the peer is wrong after convoyed attacks only
                    retreats += 1
        assert (positions, retreats) == (1996, 21)
        self.rows = []
        return f"positions as expected in all 2,000 phases ({positions} as in the file), retreats too ({retreats} where the file is wrong)"

    def settle(self) -> None:
        """Fill the memory of orders, then keep the workload itself out of the garbage collector's rounds (the peer does the same)."""
        for cases in (self.texts, self.parsed):
            self.times(cases)
        gc.collect()
        gc.freeze()

    def times(self, cases: list[Any]) -> Times:
        """Seconds of each phase, verdicts asked for."""
        found = []
        for position, orders in cases:
            begin = time.process_time()
            result = self.adjudicate(position, orders, self.variant)
            result.verdicts, result.after, result.dislodged  # noqa: B018  # what a caller reads
            found.append(time.process_time() - begin)
            del result  # put away between the phases, as the peers' games are
        return found

    def worst(self) -> float:
        """Milliseconds of the slowest of some hard positions, each the best of 3."""
        from judge.rules import read_case

        slowest = 0.0
        for line in (HERE / "data" / "hard.jsonl").read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            times = []
            for _ in range(3):
                position, orders = read_case(case, self.variant)
                begin = time.process_time()
                self.adjudicate(position, orders, self.variant).outcomes  # noqa: B018  # with every reason
                times.append(time.process_time() - begin)
            slowest = max(slowest, min(times))
        return slowest * 1000


def start_peers(folder: Path, stride: int) -> "subprocess.Popen[str] | None":
    """The other packages, ready to be asked for a round at a time; None if they cannot be installed."""
    python = folder / "bin" / "python"
    mark = folder / "ready"
    if not mark.exists() or mark.read_text(encoding="utf-8").split() != list(PEERS):
        venv.create(folder, with_pip=True, clear=True)
        if subprocess.run([python, "-m", "pip", "install", "-q", "setuptools", "wheel", *PEERS], check=False).returncode:
            print("the other packages could not be installed; measuring alone")
            return None
        mark.write_text(" ".join(PEERS), encoding="utf-8")
    command = [str(python), str(HERE / "peers.py"), str(DATA), str(stride)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def ask(peers: "subprocess.Popen[str]") -> dict[str, Times]:
    """One round of the others."""
    assert peers.stdin is not None
    assert peers.stdout is not None
    peers.stdin.write("\n")
    peers.stdin.flush()
    answer: dict[str, Times] = json.loads(peers.stdout.readline())
    return answer


ONE = json.dumps({"units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["A PAR - BUR"]}})


def memory() -> float:
    """Largest resident size, in MB, of a process that adjudicated one case."""
    program = (
        "import sys; from judge.cli import main\n"
        "try: main(['adjudicate'])\n"
        "except SystemExit: print(*[l.split()[1] for l in open('/proc/self/status') if l.startswith('VmHWM')], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], input=ONE, text=True, capture_output=True, check=True, cwd=ROOT)
    return int(done.stderr) / 1024


def start() -> float:
    """Seconds from the start of the command to its end, on one case."""
    times = []
    for _ in range(5):
        begin = time.perf_counter()
        subprocess.run([sys.executable, "-m", "judge", "adjudicate"], input=ONE, text=True, capture_output=True, check=True, cwd=ROOT)
        times.append(time.perf_counter() - begin)
    return median(times)


if __name__ == "__main__":
    main()
