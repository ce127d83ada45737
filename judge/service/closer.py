"""A process that closes games for the daemon beside which it was started, and ends with it."""

import os
import signal
from collections.abc import Callable, Sequence
from multiprocessing import parent_process
from threading import Thread

from judge.service.closers import Closed
from judge.service.context import Services
from judge.service.deadlines import close_games

_OURS: list[Services] = []
"""What this process works with."""


def start_closer(build: Callable[[], Services]) -> None:
    """Be such a process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the daemon ends us
    Thread(target=_end_with_parent, name="parent", daemon=True).start()
    _OURS[:] = [build()]


def _end_with_parent() -> None:
    """A daemon that is killed cannot say so."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def close_here(games: Sequence[int]) -> Closed:
    """Close what is due of these games."""
    (s,) = _OURS
    return Closed(close_games(s, games), s.pictures.hand_on())
