"""What need not be kept for ever is let go, a little at a time, so that a store does not grow with mere age."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Table, Text, UpdateBase, cast, delete, literal, null, select, update

from judge.store.engines import told_plainly
from judge.store.sql import SqlStore
from judge.store.tables import code, game, inbox, outbox, tally

AT_ONCE = 500
"""Rows in one transaction, so that nobody waits long."""


@dataclass(frozen=True, slots=True)
class Retention:
    """How long things are kept.

    `mails`: the bytes of a mail, after its game has ended (or after it was handled, where it belongs to no game); `letters`: the text
    of a letter that was sent or given up; `traces`: what is left of both, by which repeats are known; `codes`: codes and counts
    that have run out.
    """

    mails: timedelta = timedelta(days=90)
    letters: timedelta = timedelta(days=30)
    traces: timedelta = timedelta(days=400)
    codes: timedelta = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Tidied:
    """How many rows lost their contents or were let go whole."""

    mails_emptied: int
    letters_emptied: int
    mails_gone: int
    letters_gone: int
    codes_gone: int
    counts_gone: int


KEEP = Retention()


def tidy(store: SqlStore, now: datetime, retention: Retention = KEEP) -> Tidied:
    """Let go what `retention` says, in many short transactions; safe while the judge works, and on many machines at once."""
    old_mails, old_letters, old_traces, old_codes = (
        now - span for span in (retention.mails, retention.letters, retention.traces, retention.codes)
    )
    needed = select(literal("g") + cast(game.c.id, Text)).where(game.c.ended_at.is_(None) | (game.c.ended_at >= old_mails))
    done_with = (inbox.c.finished_at < old_mails) & inbox.c.lane.not_in(needed)
    return Tidied(
        mails_emptied=_empty(store, inbox, inbox.c.raw, done_with),
        letters_emptied=_empty(store, outbox, outbox.c.letter, outbox.c.finished_at < old_letters),
        mails_gone=_drop(store, inbox, (inbox.c.finished_at < old_traces) & inbox.c.raw.is_(None)),
        letters_gone=_drop(store, outbox, (outbox.c.finished_at < old_traces) & outbox.c.letter.is_(None)),
        codes_gone=_once(store, delete(code).where(code.c.until < old_codes)),
        counts_gone=_once(store, delete(tally).where(tally.c.since < old_codes)),
    )


def _empty(store: SqlStore, rows: Table, content: ColumnElement[Any], old: ColumnElement[bool]) -> int:
    """Let the content of old rows go, while the rows stay; how many."""
    some = select(rows.c.number).where(content.is_not(None), old).limit(AT_ONCE)
    return _repeat(store, update(rows).where(rows.c.number.in_(some)).values({content: null()}))


def _drop(store: SqlStore, rows: Table, old: ColumnElement[bool]) -> int:
    """Let old rows go whole; how many."""
    return _repeat(store, delete(rows).where(rows.c.number.in_(select(rows.c.number).where(old).limit(AT_ONCE))))


def _repeat(store: SqlStore, some: UpdateBase) -> int:
    """A statement that does a part of its work each time, until nothing is left to do; how many rows."""
    total = 0
    while done := _once(store, some):
        total += done
    return total


def _once(store: SqlStore, statement: UpdateBase) -> int:
    """A statement in a transaction of its own; how many rows it met."""
    with told_plainly(), store.writing() as connection:
        return connection.execute(statement).rowcount
