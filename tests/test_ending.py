"""A process that is told to end does so, whatever its main thread is doing at that moment."""

import subprocess
import sys

PROGRAM = """
import os, signal
from threading import Event
from judge.cli.ending import when_told_to_end

stop = Event()
when_told_to_end(stop.set)
with stop._cond:  # as inside wait() and clear(), for a moment
    os.kill(os.getpid(), signal.{name})
print(stop.wait(10))
"""


def test_a_signal_in_the_middle_of_a_wait() -> None:
    for name in ("SIGTERM", "SIGINT"):
        done = subprocess.run([sys.executable, "-c", PROGRAM.format(name=name)], capture_output=True, text=True, timeout=60, check=True)
        assert done.stdout == "True\n"
