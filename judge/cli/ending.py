"""Told to end, by SIGTERM or SIGINT: what is to be done then is done outside the handler of the signal."""

import os
from collections.abc import Callable
from contextlib import suppress
from signal import SIGINT, SIGTERM, signal
from threading import Thread


def when_told_to_end(act: Callable[[], None]) -> None:
    """Have `act` called at each SIGTERM and SIGINT, in a thread of its own.

    A handler runs in the middle of whatever the main thread is doing, which may hold the very lock that setting an event needs
    (`threading.Event` cannot be entered twice): the process would then never end.  So the handler only writes into a pipe.
    """
    told, tell = os.pipe()
    os.set_blocking(tell, False)

    def wait() -> None:
        while os.read(told, 1):
            act()

    def note(*_: object) -> None:
        with suppress(BlockingIOError):  # the pipe is full of the same
            os.write(tell, b"!")

    Thread(target=wait, name="ending", daemon=True).start()
    for number in (SIGTERM, SIGINT):
        signal(number, note)
