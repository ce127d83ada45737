"""What every process does that the daemon starts beside itself: leave signals to the daemon, and end when it does."""

import os
import signal
from multiprocessing import parent_process
from threading import Thread


def serve_parent() -> None:
    """End with the process that started this one; a daemon that is killed cannot say so.  To be called first thing, in the main thread."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the daemon ends us
    Thread(target=_end_with_parent, name="parent", daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
