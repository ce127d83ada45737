"""What is seen of an installation at one moment: figures, and which are out of order; no secret and no address is in them."""

import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog

from judge.errors import OperatorError, TryLater
from judge.service.alarms import GAMES_LATE, LEAST_ROOM, LETTERS_LATE
from judge.service.context import Services
from judge.service.workers import PREFIX
from judge.store.figures import StoreFigures, read_figures

log = structlog.get_logger()

MAILBOX_LATE = timedelta(minutes=15)
"""How long a mailbox may be out of reach."""
ROUND_LATE = 300.0
"""Seconds after which a loop that did not go round stands still."""


@dataclass(frozen=True, slots=True)
class Seen:
    """The figures of one moment.

    `last_round` is when any process last noted that it lives, `pulse` how many seconds ago the loop of this process went round;
    `read_until` is how far each mailbox was read, by its kind (imap, maildir, door); `room` are octets free in the spool.
    """

    at: datetime
    store: StoreFigures
    games: Mapping[str, int]
    last_round: datetime | None
    pulse: float
    read_until: Mapping[str, datetime | None]
    workers: int
    room: int


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that must be so: its name, whether it is, and what is seen, in words."""

    name: str
    well: bool
    says: str


def look(s: Services) -> Seen:
    """The figures now.  Raises `TryLater` while the database does not answer."""
    now = s.clock.now()
    store = read_figures(s.store, now)
    with s.store.reading() as tx:
        games = {status.value: count for status, count in tx.games.counts().items()}
        alive = tx.marks.get("alive")
        read = {name: tx.marks.get(f"read:{name}") for name in s.mailboxes}
        workers = len(tx.marks.holders(PREFIX, now)) or 1
    return Seen(
        at=now,
        store=store,
        games=games,
        last_round=_moment(alive),
        pulse=s.pulse.age(),
        read_until={kind_of(name): _moment(until) for name, until in read.items()},
        workers=workers,
        room=shutil.disk_usage(s.config.spool).free,
    )


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def kind_of(mailbox: str) -> str:
    """The kind of a mailbox, which is no secret, out of its name, which holds an address.

    >>> kind_of("imap:judge@mail.example.org:INBOX"), kind_of("door")
    ('imap', 'door')
    """
    return mailbox.partition(":")[0]


def is_live(s: Services) -> Check:
    """Whether the loop of this process goes round."""
    age = s.pulse.age()
    return Check("round", age < ROUND_LATE, f"{age:.0f} s ago")


def checks(s: Services) -> Iterator[Check]:
    """Everything that must be so; first what a process needs to be of use, then what an operator should hear of."""
    yield is_live(s)
    try:
        seen = look(s)
    except (TryLater, OperatorError) as fault:
        log.warning("database not seen", fault=str(fault))  # may name hosts and users
        yield Check("database", False, "does not answer")
        return
    yield Check("database", True, f"{seen.store.octets / 1e6:.1f} MB")
    lately = seen.last_round is not None and seen.at - seen.last_round < timedelta(seconds=ROUND_LATE)
    yield Check("last_round", lately, f"{seen.last_round:%Y-%m-%d %H:%M} UTC" if seen.last_round else "never")
    polled = {kind_of(source.name) for source in s.sources}
    for kind, until in seen.read_until.items():
        if kind in polled:
            yield _mailbox(kind, until, seen.at)
    yield _waiting("letters", seen.store.letters, seen.store.oldest_letter, seen.at, LETTERS_LATE)
    yield _waiting("games", seen.store.due, seen.store.due_since, seen.at, GAMES_LATE)
    yield Check("disk", seen.room >= LEAST_ROOM, f"{seen.room / 1e6:.0f} MB free")


NEEDED = ("round", "database", "mailbox")
"""The checks that say whether a process is of use; a name goes up to the first space."""


def _mailbox(kind: str, until: datetime | None, now: datetime) -> Check:
    """Whether a mailbox was read lately."""
    if until is None:
        return Check(f"mailbox {kind}", False, "not read yet")
    return Check(f"mailbox {kind}", now - until < MAILBOX_LATE, f"read until {until:%Y-%m-%d %H:%M} UTC")


def _waiting(name: str, count: int, oldest: datetime | None, now: datetime, late: timedelta) -> Check:
    """Whether what waits does not wait too long."""
    since = f", the oldest since {oldest:%Y-%m-%d %H:%M} UTC" if oldest is not None else ""
    return Check(name, oldest is None or now - oldest <= late, f"{count} wait{since}")
