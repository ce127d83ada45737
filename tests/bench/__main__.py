"""`make bench`: every measurement, one after another; figures beside their targets."""

import subprocess
import sys

PARTS = (
    ("-m", "tests.bench.mail"),
    ("-m", "tests.bench.pictures"),
    ("-m", "pytest", "-q", "-s", "-m", "bench", "tests/report", "tests/mail"),
    ("-m", "tests.bench.adjudication"),
    ("-m", "tests.bench.reading"),
)
"""What is handed to Python, the quick parts first."""


def main() -> int:
    """Run each part in a process of its own, so that none warms another's caches; the worst exit status."""
    worst = 0
    for part in PARTS:
        print(f"\n=== {' '.join(part)}", flush=True)
        worst = max(worst, subprocess.run([sys.executable, *part]).returncode)
    return worst


if __name__ == "__main__":
    sys.exit(main())
