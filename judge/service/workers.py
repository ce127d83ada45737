"""Several processes on one store: each holds a lease while it lives, and what the dead had claimed is given back by the others."""

from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from threading import Event, Thread

import structlog

from judge.errors import TryLater
from judge.service.context import Services, Signal
from judge.store import Transaction
from judge.store.bell import Bell

log = structlog.get_logger()

LEASE = timedelta(seconds=30)
"""How long a worker that is heard of no more counts as alive."""
BEAT = 5.0
PREFIX = "worker:"
POLLERS = "poll:"
MAIL, LETTERS = "mail", "letters"
"""What processes hint at to each other."""


class Heart:
    """Beats in a thread of its own, so that no long piece of work is taken for death; only where there may be other workers."""

    def __init__(self, s: Services) -> None:
        self._s = s
        self._stop = Event()
        self._thread = Thread(target=self._run, name="heart", daemon=True)

    def start(self) -> None:
        """Be known to live before anything is claimed.  Raises `TryLater`."""
        beat(self._s)
        self._thread.start()

    def stop(self) -> bool:
        """Leave: what is still claimed is free at once."""
        self._stop.set()
        self._thread.join(2.0)
        with self._s.store.transaction() as tx:
            alive = [name for name in tx.marks.holders(PREFIX, self._s.clock.now()) if name != self._s.store.worker]
            _bury(tx, alive)
        return True

    def _run(self) -> None:
        while not self._stop.wait(BEAT):
            try:
                beat(self._s)
            except TryLater as fault:
                log.warning("heart beats later", fault=str(fault))
            except Exception:
                log.exception("heart failed")


def hints(s: Services) -> Bell:
    """Tells other processes when mail or letters wait, and is told by them."""
    waiting = {MAIL: s.wake, LETTERS: s.letters}
    bell = Bell(s.store, {name: partial(Event.set, event) for name, event in waiting.items()})  # set here alone, or hints would echo
    for name, event in waiting.items():
        if isinstance(event, Signal):
            event.ring = partial(bell.ring, name)
    return bell


def beat(s: Services) -> int:
    """Renew one's own lease, and free what is claimed by nobody who lives.  How many claims that were."""
    now = s.clock.now()
    with s.store.transaction() as tx:
        tx.marks.lease(PREFIX + s.store.worker, now, LEASE)
        alive = tx.marks.holders(PREFIX, now)
        freed = _bury(tx, alive)
    s.pacer.share = max(1, len(alive))
    if freed:
        log.warning("workers died", freed=freed)
        s.wake.set()
        s.letters.set()
    return freed


def _bury(tx: Transaction, alive: Sequence[str]) -> int:
    """Free the claims and leases of everybody else."""
    for prefix in (PREFIX, POLLERS):
        tx.marks.end_other_leases(prefix, alive)
    return tx.inbox.release_others(alive) + tx.outbox.release_others(alive)
