"""Several processes on one store: each holds a lease while it lives, and what the dead had claimed is given back by the others."""

from datetime import timedelta
from threading import Event, Thread

import structlog

from judge.errors import TryLater
from judge.service.context import Services

log = structlog.get_logger()

LEASE = timedelta(seconds=30)
"""How long a worker that is heard of no more counts as alive."""
BEAT = 5.0
PREFIX = "worker:"


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
            tx.inbox.release_of([self._s.store.worker])
            tx.outbox.release_of([self._s.store.worker])
            tx.marks.end_leases_of([self._s.store.worker])
        return True

    def _run(self) -> None:
        while not self._stop.wait(BEAT):
            try:
                beat(self._s)
            except TryLater as fault:
                log.warning("heart beats later", fault=str(fault))
            except Exception:
                log.exception("heart failed")


def beat(s: Services) -> int:
    """Renew one's own lease and bury the dead: what they had claimed is free again.  How many there were."""
    now = s.clock.now()
    with s.store.transaction() as tx:
        tx.marks.lease(PREFIX + s.store.worker, now, LEASE)
        dead = tx.marks.lapsed(PREFIX, now)
        if dead:
            names = [name.removeprefix(PREFIX) for name in dead]
            freed = tx.inbox.release_of(names) + tx.outbox.release_of(names)
            tx.marks.end_leases_of(names)
            log.warning("workers died", workers=len(dead), freed=freed)
        s.pacer.share = max(1, tx.marks.held(PREFIX, now))
    if dead:
        s.wake.set()
        s.letters.set()
    return len(dead)
