"""Phases adjudicated a second, against another package, in one run: medians of interleaved rounds and their ratios.

Run by `make bench`.  The other one is installed in a virtual environment of its own; without network or with `--alone` only this
judge is measured.  The workload is `data/phases.jsonl.gz` (its SOURCE.md says how it was made); positions and orders are those of
2,000 movement phases.  Row B: from order text of seven powers to positions, verdicts, dislodged units and retreats, legality
checked.  Row A: the same from parsed orders.  The correctness gate runs first: a speed that costs one wrong phase is not counted.
"""

import argparse
import gc
import gzip
import json
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

PEER = """
import gzip, json, sys, time
data, stride = sys.argv[1], int(sys.argv[2])
rows = [json.loads(line) for line in gzip.open(data)][::stride]
def diplomacy():
    from diplomacy import Game
    def ready(row):
        game = Game()
        game.set_current_phase(row["phase"])
        for power in game.powers.values():
            power.clear_units(); power.clear_centers()
        for power, units in row["units"].items():
            game.set_units(power, units, reset=True)
        for power, centers in row["centers"].items():
            game.set_centers(power, centers, reset=True)
        return game
    bare, whole = [], []
    for row in rows:
        game = ready(row)
        begin = time.process_time()
        for power, orders in row["orders"].items():
            game.set_orders(power, orders)
        middle = time.process_time()
        game.process()
        end = time.process_time()
        bare.append(end - middle); whole.append(end - begin)
    return bare, whole
import gc
import diplomacy as warm
gc.collect(); gc.freeze()
for line in sys.stdin:
    print(json.dumps(diplomacy()), flush=True)
"""


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--alone", action="store_true", help="measure this judge only")
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--stride", type=int, default=4, help="take every n-th phase (of 2,000)")
    arguments.add_argument("--venv", type=Path, default=Path(tempfile.gettempdir()) / "judge-bench-peers")
    chosen = arguments.parse_args()
    sys.path.insert(0, str(ROOT))
    ours = Ours(chosen.stride)
    print(f"correctness gate: {ours.gate()}")
    ours.settle()
    peer = None if chosen.alone else start_peer(chosen.venv, chosen.stride)
    mine: list[tuple[Times, Times]] = []
    theirs: list[tuple[Times, Times]] = []
    for _ in range(chosen.rounds):
        mine.append((ours.times(ours.parsed), ours.times(ours.texts)))
        if peer is not None:
            theirs.append(ask(peer))
    row_a, row_b = (rate([each[n] for each in mine]) for n in (0, 1))
    print(f"judge:          A (parsed orders) {row_a:8.0f}/s   B (order text) {row_b:8.0f}/s   (CPU, medians of {chosen.rounds})")
    if theirs:
        peer_a, peer_b = (rate([each[n] for each in theirs]) for n in (0, 1))
        print(f"PyPI diplomacy: A (process only)  {peer_a:8.0f}/s   B (+ set_orders)  {peer_b:8.0f}/s")
        print(f"ratio:          A {row_a / peer_a:.1f}x   B {row_b / peer_b:.1f}x")
    print(f"worst case:     {ours.worst():.1f} ms (34 units, a convoy of 19 fleets, nested paradoxes; the slowest of them)")
    print(f"memory:         {memory():.0f} MB after one turn in a process of its own")
    print(f"start:          {start():.2f} s, `judge adjudicate` on one case (median of 5)")


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


def start_peer(folder: Path, stride: int) -> "subprocess.Popen[str] | None":
    """The other package, ready to be asked for a round at a time; None if it cannot be installed."""
    python = folder / "bin" / "python"
    if not (folder / "ready").exists():
        venv.create(folder, with_pip=True, clear=True)
        done = subprocess.run([python, "-m", "pip", "install", "-q", "diplomacy==1.1.2"], check=False)
        if done.returncode:
            print("the other package could not be installed; measuring alone")
            return None
        (folder / "ready").touch()
    command = [str(python), "-c", PEER, str(DATA), str(stride)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def ask(peer: "subprocess.Popen[str]") -> tuple[Times, Times]:
    """One round of the other package."""
    assert peer.stdin is not None
    assert peer.stdout is not None
    peer.stdin.write("\n")
    peer.stdin.flush()
    bare, whole = json.loads(peer.stdout.readline())
    return bare, whole


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
