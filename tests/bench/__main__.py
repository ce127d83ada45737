"""`make bench`: every measurement, one after another; figures beside their targets."""

import subprocess
import sys

PARTS = ("tests.bench.adjudication", "tests.bench.reading", "tests.bench.letters", "tests.bench.mail", "tests.bench.pictures")


def main() -> int:
    """Run each part in a process of its own, so that none warms another's caches; the worst exit status."""
    worst = 0
    for part in PARTS:
        print(f"\n=== {part}", flush=True)
        worst = max(worst, subprocess.run([sys.executable, "-m", part]).returncode)
    return worst


if __name__ == "__main__":
    sys.exit(main())
