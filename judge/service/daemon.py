"""The loop: what is due now, then a pause until something may be; pollers and the sender run beside it."""

import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from threading import Event, Thread

import structlog
from apscheduler.schedulers.background import BackgroundScheduler

from judge.errors import TryLater
from judge.mail import MailSource, MailThrottled, push_read_until
from judge.service.context import Services
from judge.service.deadlines import close_due, remind_due
from judge.service.deliver import deliver_waiting
from judge.service.handle import handle_next
from judge.service.receive import receive_new

log = structlog.get_logger()

MAILS_AT_ONCE = 100
"""Mails handled before the loop looks at what is due again, so that no flood holds up a deadline."""
ALIVE_EVERY = timedelta(seconds=30)
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 300.0
WAKE_JOB = "wake"


def one_round(s: Services) -> bool:
    """Everything that can be done now: mail handled, due games closed, reminders sent; whether there was anything to do."""
    mails = 0
    while mails < MAILS_AT_ONCE and handle_next(s):
        mails += 1
    closed = close_due(s)
    reminded = remind_due(s)
    if mails or closed or reminded:
        s.letters.set()
    return bool(mails or closed or reminded)


def run(s: Services, stop: Event) -> None:
    """Serve until `stop` is set; what was begun is finished first."""
    up_since = s.clock.now()
    with s.store.reading() as tx:
        alive_before = tx.marks.get("alive")
    threads = [Thread(target=_poll, args=(s, source, stop), name=f"poll {source.name}", daemon=True) for source in s.sources]
    threads.append(Thread(target=_send, args=(s, stop), name="send", daemon=True))
    for thread in threads:
        thread.start()
    scheduler = BackgroundScheduler(timezone=UTC)
    scheduler.start()
    log.info("judge runs", address=s.config.judge.address)
    alive = _Alive(s, up_since, datetime.fromisoformat(alive_before) if alive_before else None)
    try:
        while not stop.is_set():
            s.wake.clear()
            worked = _guarded(lambda: _turn(s, alive))
            _schedule_wake(s, scheduler)
            if not worked:
                s.wake.wait(s.config.judge.tick)
    finally:
        scheduler.shutdown(wait=False)
        s.wake.set()
        s.letters.set()
        for thread in threads:
            thread.join(timeout=10)
        log.info("judge stopped")


def _turn(s: Services, alive: "_Alive") -> bool:
    """One round, after noting that doors are open."""
    alive.note()
    return one_round(s)


class _Alive:
    """Keeps the note until when doors were known to listen, from which follows how far they have been read."""

    def __init__(self, s: Services, up_since: datetime, alive_before: datetime | None) -> None:
        self._s = s
        self._up_since = up_since
        self._alive_before = alive_before
        self._noted: datetime | None = None

    def note(self) -> None:
        """Write the note, not more often than is useful; at once where a deadline waits for it."""
        now = self._s.clock.now()
        if self._noted is not None and timedelta(0) <= now - self._noted < ALIVE_EVERY and not self._waited_for(now):
            return
        door = self._s.config.mail_in.door
        with self._s.store.transaction() as tx:
            tx.marks.set("alive", now.isoformat())
            if door is not None:
                gap = timedelta(minutes=door.retry_gap)
                tx.marks.set("read:door", push_read_until(now, self._up_since, self._alive_before, gap).isoformat())
        self._noted = now

    def _waited_for(self, now: datetime) -> bool:
        """Whether a game is due, which may wait for the note."""
        with self._s.store.reading() as tx:
            return bool(tx.games.due(now, 1))


def _poll(s: Services, source: MailSource, stop: Event) -> None:
    """Read one mailbox for ever; a mailbox out of reach is tried again with growing pauses."""
    pause = FIRST_PAUSE
    while not stop.is_set():
        try:
            came = receive_new(s, source)
            until = source.read_until()
            if until is not None:
                with s.store.transaction() as tx:
                    tx.marks.set(f"read:{source.name}", until.isoformat())
            if came:
                s.wake.set()
            pause = FIRST_PAUSE
            source.wait(s.config.judge.tick, stop)
        except MailThrottled as fault:
            log.warning("mailbox asks for patience", source=source.name, fault=str(fault))
            stop.wait(fault.pause.total_seconds())
        except TryLater as fault:
            log.warning("mailbox not reached", source=source.name, fault=str(fault), pause=round(pause))
            stop.wait(pause * (0.75 + random.random() / 2))  # noqa: S311 - jitter, no secret
            pause = min(pause * 2, LONGEST_PAUSE)
        except Exception:
            log.exception("poller failed", source=source.name)
            stop.wait(pause)
            pause = min(pause * 2, LONGEST_PAUSE)


def _send(s: Services, stop: Event) -> None:
    """Hand letters over for ever."""
    while not stop.is_set():
        s.letters.clear()
        if not _guarded(lambda: bool(deliver_waiting(s))):
            s.letters.wait(s.config.judge.tick)
    _guarded(lambda: bool(deliver_waiting(s)))
    s.sink.close()


def _guarded(work: Callable[[], bool]) -> bool:
    """One piece of work; whatever it raises is logged, and the loop goes on after a pause."""
    try:
        return work()
    except TryLater as fault:
        log.warning("later", fault=str(fault))
    except Exception:
        log.exception("round failed")
    return False


def _schedule_wake(s: Services, scheduler: BackgroundScheduler) -> None:
    """Have APScheduler wake the loop at the nearest deadline or reminder; a missed wake costs one tick at most."""
    if s.config.judge.clock != "system":
        return
    with s.store.reading() as tx:
        nearest = tx.games.next_wake()
    if nearest is not None and nearest > s.clock.now():
        scheduler.add_job(s.wake.set, "date", run_date=nearest, id=WAKE_JOB, replace_existing=True, coalesce=True, misfire_grace_time=None)
