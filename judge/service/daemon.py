"""The loop: what is due now, then a pause until something may be; pollers and carriers run beside it."""

import gc
import random
import time
from collections.abc import Callable, Collection
from datetime import UTC, datetime, timedelta
from functools import partial
from threading import Event, Thread

import structlog
from apscheduler.schedulers.background import BackgroundScheduler

from judge.errors import TryLater
from judge.mail import MailboxTaken, MailSink, MailSource, MailThrottled, push_read_until
from judge.mail.backoff import Backoff
from judge.service.alarms import raise_alarms
from judge.service.context import Services
from judge.service.deadlines import call_standby, close_due, expect_due, remind_due
from judge.service.deliver import Postman
from judge.service.digest import send_digests
from judge.service.failpoints import failpoint
from judge.service.handle import handle_next
from judge.service.housekeeping import Housekeeper
from judge.service.letters import operator_note
from judge.service.outages import note_outage
from judge.service.receive import receive_new
from judge.service.renewing import tell_new_addresses
from judge.service.workers import POLLERS, Heart, hints

log = structlog.get_logger()

ROLES = ("receive", "handle", "close", "deliver", "poll")
"""What a process may be there for; all of them if nothing is said."""
MAILS_AT_ONCE = 100
"""Mails handled before the loop looks at what is due again, so that no flood holds up a deadline."""
ALIVE_EVERY = timedelta(seconds=30)
ALARM_AFTER = timedelta(minutes=15)
"""How long a mailbox is out of reach before the keeper hears of it."""
POLL_LEASE = timedelta(minutes=2)
CLOCK_STEP = timedelta(minutes=1)
"""A difference between the clocks that no slow round explains."""
PATIENCE = 6.0
"""Seconds in which what was begun is finished, when the judge is told to stop."""
LOOK_EVERY = 60.0
"""Seconds between two looks at what the keeper must hear of."""
WAKE_JOB = "wake"
YOUNG_OBJECTS = 10_000
"""So many new objects, not 700, before garbage is looked for: a mail makes thousands, of which nearly all are gone by themselves."""


def settle_memory() -> None:
    """Once all is loaded: boards, words and templates stay as long as the process, so garbage need not be looked for among them."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS)


def one_round(s: Services, only: Collection[str] = ROLES, go_on: Callable[[], bool] = lambda: True) -> bool:
    """Everything that can be done now: mail handled, due games closed, reminders sent; whether there was anything to do."""
    mails = 0
    while "handle" in only and mails < MAILS_AT_ONCE and go_on() and handle_next(s):
        mails += 1
    closed = close_due(s, go_on) if "close" in only else 0
    reminded = remind_due(s, go_on) if "close" in only else 0
    digests = send_digests(s) if "close" in only else 0
    asked = call_standby(s) if "close" in only else 0
    worked = bool(mails or closed or reminded or digests or asked)
    if worked:
        s.letters.set()
    return worked


def run(s: Services, stop: Event, only: Collection[str] = ROLES) -> None:
    """Serve until `stop` is set; what was begun is finished first.

    Raises `TryLater` if the store cannot be reached at the start.
    """
    with s.store.reading() as tx:
        alive_before = tx.marks.get("alive")
    alive = _Alive(s, datetime.fromisoformat(alive_before) if alive_before else None)
    shared = s.store.engine.dialect.name != "sqlite"
    heart, bell = (Heart(s), hints(s)) if shared else (None, None)
    if heart is not None and bell is not None:
        heart.start()
        bell.start()
    sources = s.sources if "poll" in only else ()
    threads = [Thread(target=_poll, args=(s, source, stop), name=f"poll {source.name}", daemon=True) for source in sources]
    postman = Postman(s, _sinks(s)) if "deliver" in only else None
    scheduler = BackgroundScheduler(timezone=UTC)
    housekeeper = Housekeeper(s) if "close" in only else None
    for thread in (*threads, *([postman] if postman else []), *([housekeeper] if housekeeper else []), scheduler):
        thread.start()
    log.info("judge runs", address=s.config.judge.address, roles=sorted(only))
    try:
        looked = -LOOK_EVERY
        ready = heart is None  # alone, what is made for the first mail is made once in any case
        _guarded(lambda: bool(tell_new_addresses(s)))
        while not stop.is_set():
            s.pulse.beat()
            s.wake.clear()
            if "close" in only and time.monotonic() - looked >= LOOK_EVERY:
                looked = time.monotonic()
                _guarded(lambda: bool(raise_alarms(s)))
            worked = _guarded(lambda: _turn(s, alive, only, stop))
            _guarded(lambda: _schedule_wake(s, scheduler))
            if "close" in only:
                _guarded(lambda: expect_due(s))
            if not worked and not ready:  # of several, each is to be ready when much comes at once
                ready = True
                _guarded(lambda: _warm_up(s))
            elif not worked:
                s.wake.wait(s.config.judge.tick)
    finally:
        failpoint("shutdown_begun")
        _end(s, threads, postman, scheduler)
        if housekeeper is not None:
            housekeeper.stop(PATIENCE)
        failpoint("shutdown_threads_done")
        if heart is not None and bell is not None:
            bell.stop()
            _guarded(heart.stop)
        _guarded(lambda: alive.note(door="receive" in only, last=True))
        failpoint("shutdown_end")
        log.info("judge stopped")


def _sinks(s: Services) -> list[MailSink]:
    """The ways out: as many as letters may leave at the same time."""
    more = s.config.mail_out.connections - 1 if s.open_sink is not None else 0
    return [s.sink, *(s.open_sink() for _ in range(more) if s.open_sink is not None)]


def _end(s: Services, threads: list[Thread], postman: Postman | None, scheduler: BackgroundScheduler) -> None:
    """Stop what runs beside the loop."""
    end = time.monotonic() + PATIENCE
    scheduler.shutdown(wait=False)
    s.wake.set()
    s.letters.set()
    if postman is not None:
        postman.stop(PATIENCE)
    for thread in threads:
        thread.join(max(0.1, end - time.monotonic()))


def _turn(s: Services, alive: "_Alive", only: Collection[str], stop: Event) -> bool:
    """One round, after noting that doors are open."""
    alive.note(door="receive" in only)
    return one_round(s, only, lambda: not stop.is_set())


class _Alive:
    """Keeps the note until when doors were known to listen, from which follows how far they have been read; and minds the clock."""

    def __init__(self, s: Services, alive_before: datetime | None) -> None:
        self._s = s
        self._up_since = s.clock.now()
        self._alive_before = alive_before
        self._noted: datetime | None = None
        self._seen = (s.clock.now(), time.monotonic())

    def note(self, *, door: bool = True, last: bool = False) -> bool:
        """Write the note, not more often than is useful; at once where a deadline waits for it."""
        now = self._s.clock.now()
        self._mind_clock(now)
        if not last and self._noted is not None and timedelta(0) <= now - self._noted < ALIVE_EVERY and not self._waited_for(now):
            return False
        settings = self._s.config.mail_in.door
        with self._s.store.transaction() as tx:
            if self._noted is None and self._alive_before is not None:
                note_outage(self._s, tx, self._alive_before, now)
            tx.marks.set("alive", now.isoformat())
            if settings is not None and door:
                gap = timedelta(minutes=settings.retry_gap)
                tx.marks.set("read:door", push_read_until(now, self._up_since, self._alive_before, gap).isoformat())
            failpoint("alive_before_commit")
        self._noted = now
        return True

    def _waited_for(self, now: datetime) -> bool:
        """Whether a game is due, which may wait for the note."""
        with self._s.store.reading() as tx:
            return bool(tx.games.due(now, 1))

    def _mind_clock(self, now: datetime) -> None:
        """Notice that the clock was moved, or that the machine slept: waits are ended, an outage is noted, the keeper is told."""
        (before, then), at = self._seen, time.monotonic()
        step = (now - before) - timedelta(seconds=at - then)
        self._seen = (now, at)
        if abs(step) < CLOCK_STEP or self._s.config.judge.clock != "system":
            return
        log.warning("the clock moved", seconds=round(step.total_seconds()))
        lines = (f"It went from {before:%Y-%m-%d %H:%M:%S} to {now:%Y-%m-%d %H:%M:%S} UTC in {at - then:.0f} seconds.",)
        with self._s.store.transaction() as tx:
            tx.inbox.wake(now)
            tx.outbox.wake(now)
            if step > timedelta(0) and note_outage(self._s, tx, before, now):  # nobody listened, and senders must try again
                self._alive_before, self._up_since = before, now
            tx.outbox.add(operator_note(self._s, "The clock was moved", lines, f"clock{int(now.timestamp())}", now), now)


def _poll(s: Services, source: MailSource, stop: Event) -> None:
    """Read one mailbox for ever; a mailbox out of reach is tried again with growing pauses."""
    backoff, good = Backoff(), s.clock.now()
    told = False
    while not stop.is_set():
        taken = ""
        try:
            if not _may_poll(s, source):
                stop.wait(s.config.judge.tick)
                continue
            look_into(s, source, stop, good)
            backoff, good, told = Backoff(), s.clock.now(), False
            source.wait(s.config.judge.tick, stop)
            continue
        except MailThrottled as fault:
            log.warning("mailbox asks for patience", source=source.name, fault=str(fault))
            wait = fault.pause.total_seconds()
        except Exception as fault:
            backoff = backoff.failed(0.0, random.random())  # noqa: S311 - jitter, no secret
            wait = backoff.pause(0.0)
            taken = str(fault) if isinstance(fault, MailboxTaken) else ""
            if taken:
                log.error("mailbox is not read", source=source.name, fault=taken)
            elif isinstance(fault, TryLater):
                log.warning("mailbox not reached", source=source.name, fault=str(fault), pause=round(wait, 1))
            else:
                log.exception("poller failed", source=source.name)
        if not told and (taken or s.clock.now() - good >= ALARM_AFTER):
            told = _guarded(partial(_alarm, s, source, good, taken))
        stop.wait(wait)
    source.close()


def _may_poll(s: Services, source: MailSource) -> bool:
    """Whether this process reads the mailbox now: of several, one does."""
    if s.store.engine.dialect.name == "sqlite":
        return True
    with s.store.transaction() as tx:
        return tx.marks.lease(f"{POLLERS}{source.name}", s.clock.now(), POLL_LEASE)


def look_into(s: Services, source: MailSource, stop: Event, good: datetime) -> None:
    """One look into a mailbox: what is new is kept, and how far it has been read."""
    came = receive_new(s, source, lambda: not stop.is_set() and _may_poll(s, source))
    until = source.read_until()
    if until is not None:
        with s.store.transaction() as tx:
            note_outage(s, tx, good, s.clock.now())
            tx.marks.set(f"read:{source.name}", until.isoformat())
    if came or until is not None:
        s.wake.set()


def _alarm(s: Services, source: MailSource, since: datetime, taken: str) -> bool:
    """The keeper hears that a mailbox is out of reach, or that another judge reads it (`taken` says which)."""
    now = s.clock.now()
    subject = "Another judge reads this mailbox" if taken else "A mailbox is out of reach"
    lines = (
        taken or f"{source.name} could not be read since {since:%Y-%m-%d %H:%M} UTC.",
        "Games that fall due wait for it.",
    )
    with s.store.transaction() as tx:
        tx.outbox.add(operator_note(s, subject, lines, f"box{int(since.timestamp())}", now), now)
    s.letters.set()
    return True


def _warm_up(s: Services) -> None:
    """Load what is otherwise loaded for the first mail."""
    s.scribe.warm_up()
    settle_memory()


def _guarded(work: Callable[[], bool | None]) -> bool:
    """One piece of work; whatever it raises is logged, and the loop goes on after a pause."""
    try:
        return bool(work())
    except TryLater as fault:
        log.warning("later", fault=str(fault))
    except Exception:
        log.exception("round failed")
    return False


def _schedule_wake(s: Services, scheduler: BackgroundScheduler) -> bool:
    """Have APScheduler wake the loop at the nearest deadline or reminder; a missed wake costs one tick at most.

    Other processes have schedulers of their own, so they are not told.
    """
    if s.config.judge.clock != "system":
        return False
    now = s.clock.now()
    with s.store.reading() as tx:
        nearest = tx.games.next_wake(now)
    if nearest is not None:
        scheduler.add_job(
            lambda: Event.set(s.wake), "date", run_date=nearest, id=WAKE_JOB, replace_existing=True, coalesce=True, misfire_grace_time=None
        )
    return True
