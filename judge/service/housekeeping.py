"""What is done once a day by whoever comes first: what need not be kept for ever is let go."""

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from threading import Event, Thread

import structlog

from judge.errors import TryLater
from judge.service.context import Services
from judge.store.tidying import Retention, tidy

log = structlog.get_logger()

TIDIED = "tidied"
"""The mark that says when the store was tidied last."""
EVERY = timedelta(days=1)
LEASE = timedelta(hours=1)
LOOK_EVERY = 60.0
"""Seconds between two questions whether it is time."""


def retention_of(s: Services) -> Retention:
    """How long this installation keeps things."""
    keep = s.config.keep
    return Retention(
        mails=timedelta(days=keep.mail_days),
        letters=timedelta(days=keep.letter_days),
        traces=timedelta(days=keep.trace_days),
        erased=timedelta(days=keep.erased_days),
    )


def tidy_store(s: Services, go_on: Callable[[], bool] = lambda: True) -> bool:
    """Tidy the database if that was not done today, and no other process is at it; whether it was done."""
    now = s.clock.now()
    with s.store.reading() as tx:
        if not _is_time(tx.marks.get(TIDIED), now):
            return False
    with s.store.transaction() as tx:
        if not tx.marks.lease("tidying", now, LEASE):
            return False
    done = tidy(s.store, now, retention_of(s), go_on)
    with s.store.transaction() as tx:
        if go_on():  # else what is left is done after the next start
            tx.marks.set(TIDIED, now.isoformat())
        tx.marks.end_lease("tidying")
    log.info(
        "tidied",
        mails_emptied=done.mails_emptied,
        letters_emptied=done.letters_emptied,
        mails_gone=done.mails_gone,
        letters_gone=done.letters_gone,
        codes_gone=done.codes_gone,
        counts_gone=done.counts_gone,
        people_forgotten=done.people_forgotten,
    )
    return True


def _is_time(last: str | None, now: datetime) -> bool:
    return last is None or not timedelta(0) <= now - datetime.fromisoformat(last) < EVERY


def tidy_spool(s: Services) -> int:
    """Remove old pictures, and old copies of mails that were set aside, from this machine's spool; how many files."""
    keep, now = s.config.keep, s.clock.now().timestamp()
    gone = sum(
        _remove_old(s.config.spool / name, now - days * 86_400) for name, days in (("pictures", keep.picture_days), ("bad", keep.mail_days))
    )
    if gone:
        log.info("spool tidied", files=gone)
    return gone


def _remove_old(folder: Path, before: float) -> int:
    """Remove the files of a folder, and of those in it, that were written before that time; how many."""
    count = 0
    for file in folder.rglob("*"):
        try:
            if file.is_file() and file.stat().st_mtime < before:
                file.unlink()
                count += 1
        except FileNotFoundError:  # another process was quicker
            continue
        except OSError as fault:
            log.warning("not removed", file=str(file), fault=str(fault))
    return count


class Housekeeper:
    """Does this in a thread of its own, so that no deadline waits for it."""

    def __init__(self, s: Services) -> None:
        self._s = s
        self._stop = Event()
        self._thread = Thread(target=self._run, name="housekeeper", daemon=True)
        self._spool_at: datetime | None = None

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self, patience: float) -> None:
        """Leave off after the transaction that is being made."""
        self._stop.set()
        self._thread.join(patience)

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self._once()
            except TryLater as fault:
                log.warning("tidied later", fault=str(fault))
            except Exception:
                log.exception("tidying failed")
            self._stop.wait(LOOK_EVERY)

    def _once(self) -> None:
        """What is to be done today."""
        now = self._s.clock.now()
        if self._spool_at is None or not timedelta(0) <= now - self._spool_at < EVERY:
            self._spool_at = now
            tidy_spool(self._s)
        tidy_store(self._s, lambda: not self._stop.is_set())
