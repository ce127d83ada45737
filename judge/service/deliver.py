"""Outbox rows to the mail sink: claimed, composed, handed over, marked."""

from datetime import datetime, timedelta

import structlog

from judge.errors import TryLater
from judge.mail import Deferred, Delivered, Letter, Rejected, compose
from judge.service.context import Services
from judge.store import WaitingLetter

log = structlog.get_logger()

AT_ONCE = 64
"""Letters claimed together."""
FIRST_PAUSE = timedelta(minutes=1)
LONGEST_PAUSE = timedelta(hours=4)
GIVE_UP = timedelta(days=5)
"""A letter that no relay takes for so long is given up; the same as mail servers do."""


def deliver_waiting(s: Services) -> int:
    """Hand over the letters whose time has come; returns how many were claimed."""
    with s.store.transaction() as tx:
        waiting = tx.outbox.claim(s.clock.now(), AT_ONCE)
    for number, letter in enumerate(waiting):
        try:
            _hand_over(s, letter)
        except TryLater as fault:
            log.warning("relay not reached", fault=str(fault))
            for left in waiting[number:]:
                _later(s, left, str(fault))
            break
    return len(waiting)


def _hand_over(s: Services, waiting: WaitingLetter) -> None:
    """One letter.  Raises `TryLater` if nothing is known of it."""
    letter = waiting.letter
    raw = compose(letter, picture=_picture(s, letter))
    for outcome in s.sink.send(letter.envelope_from, (letter.to,), raw):
        now = s.clock.now()
        match outcome:
            case Delivered():
                with s.store.transaction() as tx:
                    tx.outbox.sent(waiting.message_id, now)
            case Rejected(_, code, text):
                log.warning("letter refused", message_id=waiting.message_id, code=code)
                with s.store.transaction() as tx:
                    tx.outbox.dead(waiting.message_id, f"{code} {text}"[:500], now)
            case Deferred(_, code, text):
                _later(s, waiting, f"{code} {text}")


def _later(s: Services, waiting: WaitingLetter, why: str) -> None:
    """Try a letter again after a pause that doubles; give it up after days."""
    now = s.clock.now()
    with s.store.transaction() as tx:
        if now - waiting.added_at > GIVE_UP:
            tx.outbox.dead(waiting.message_id, why[:500], now)
        else:
            tx.outbox.failed(waiting.message_id, why[:500], now + pause_after(waiting.tries))


def pause_after(tries: int) -> timedelta:
    """How long to wait after so many tries.

    >>> pause_after(1), pause_after(3), pause_after(30)
    (datetime.timedelta(seconds=60), datetime.timedelta(seconds=240), datetime.timedelta(seconds=14400))
    """
    return min(FIRST_PAUSE * (1 << min(tries - 1, 12)), LONGEST_PAUSE)


def _picture(s: Services, letter: Letter) -> bytes | None:
    """The picture a letter names, drawn now; a letter leaves without it rather than not at all."""
    if letter.picture is None:
        return None
    try:
        return s.pictures.fetch(letter.picture)
    except Exception:
        log.exception("picture failed", key=letter.picture)
        return None


def undelivered_since(s: Services) -> datetime | None:
    """When the oldest letter that still waits was added."""
    with s.store.reading() as tx:
        return tx.outbox.counts().oldest
