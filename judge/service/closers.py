"""Processes that close games beside this one where many fall due at once; each game in a transaction of its own, there as here."""

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice
from typing import TypeAlias

import structlog

from judge.service.pictures import PictureFacts

log = structlog.get_logger()

MANY = 100
"""So many games due soon are worth processes of their own; fewer are closed before those have started."""
AHEAD = timedelta(seconds=30)
"""How long before the games fall due they are started."""
UNUSED = 300.0
"""Seconds without work after which they are ended."""
REST = 600.0
"""Seconds without them after they have died."""
TOGETHER = 5
"""Games given to a process in one piece."""


@dataclass(frozen=True, slots=True)
class Closed:
    """What came of some games: how many were closed, and the pictures their letters name."""

    games: int
    pictures: tuple[tuple[str, PictureFacts], ...]


Close: TypeAlias = Callable[[Sequence[int]], Closed]


def _nothing(_: Sequence[int]) -> Closed:
    return Closed(0, ())


class Closers:
    """Starts them when they are wanted, gives them games, and ends them.  Should they die, games are closed where they always are.

    `open_pool` makes `count` of them, and says what they do with the ids of some games; None: there are none.
    """

    def __init__(self, open_pool: Callable[[], tuple[Executor, Close]] | None = None, count: int = 0) -> None:
        self._open_pool = open_pool if count > 1 else None
        self.count = count
        self._pool: Executor | None = None
        self._close: Close = _nothing
        self._started: list[Future[Closed]] = []
        self._used_at = 0.0
        self._rests_until = 0.0

    def expect(self, games: int) -> None:
        """So many games fall due soon: start the processes if that is worth it, end them if they were not wanted for long."""
        at = time.monotonic()
        if games >= MANY:
            self._used_at = at
            if self._pool is None and at >= self._rests_until:
                self._start()
        elif self._pool is not None and at - self._used_at > UNUSED:
            self.end()

    def _start(self) -> None:
        if self._open_pool is None:
            return
        try:
            self._pool, self._close = self._open_pool()
            self._started = [self._pool.submit(self._close, ()) for _ in range(self.count)]
        except (OSError, RuntimeError):
            self._give_up()

    @property
    def ready(self) -> bool:
        """Whether at least one of them can take work."""
        return self._pool is not None and any(each.done() for each in self._started)

    def close(self, games: Sequence[int], most: int, go_on: Callable[[], bool]) -> Iterator[Closed]:
        """Have games closed, what is due longest first, until `most` of them were; what came of them, piece by piece."""
        waiting = iter(games)
        running: set[Future[Closed]] = set()
        closed = 0
        while self._pool is not None:
            try:
                while len(running) < 2 * self.count and closed < most and go_on() and (some := tuple(islice(waiting, TOGETHER))):
                    running.add(self._pool.submit(self._close, some))
                done, running = wait(running, return_when=FIRST_COMPLETED)
                results = [each.result() for each in done]
            except (OSError, RuntimeError):  # they have died: what they began is undone, and due as before
                self._give_up()
                return
            if not results:
                return
            self._used_at = time.monotonic()
            closed += sum(each.games for each in results)
            yield from results

    def _give_up(self) -> None:
        log.exception("no processes that close games")
        self._rests_until = time.monotonic() + REST
        self.end()

    def end(self) -> None:
        """End them; what they are at is finished first."""
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=False, cancel_futures=True)
