"""What need not be kept for ever is let go, a little at a time, so that a store does not grow with mere age."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, Table, Text, UpdateBase, cast, delete, literal, null, select, tuple_, update

from judge.store.engines import told_plainly
from judge.store.marks import Marks
from judge.store.sql import SqlStore
from judge.store.tables import EPOCH, code, game, inbox, outbox, tally

AT_ONCE = 500
"""Rows in one transaction, so that nobody waits long."""
ERASED = "erased:"
"""Begins the names of marks that hold the addresses of somebody who had everything erased, and when: JSON."""


@dataclass(frozen=True, slots=True)
class Retention:
    """How long things are kept.

    `mails`: the bytes of a mail, after its game has ended (or after it was handled, where it belongs to no game); `letters`: the text
    of a letter that was sent or given up; `traces`: what is left of both, by which repeats are known; `codes`: codes and counts
    that have run out; `erased`: mails and letters of a person who had everything erased.
    """

    mails: timedelta = timedelta(days=90)
    letters: timedelta = timedelta(days=30)
    traces: timedelta = timedelta(days=400)
    codes: timedelta = timedelta(days=30)
    erased: timedelta = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Tidied:
    """How many rows lost their contents or were let go whole, and how many erased people nothing is left of."""

    mails_emptied: int
    letters_emptied: int
    mails_gone: int
    letters_gone: int
    codes_gone: int
    counts_gone: int
    people_forgotten: int = 0


KEEP = Retention()
GoOn = Callable[[], bool]


def tidy(store: SqlStore, now: datetime, retention: Retention = KEEP, go_on: GoOn = lambda: True) -> Tidied:
    """Let go what `retention` says, in many short transactions; safe while the judge works, and on many machines at once.

    The mails of a game that is not over are never touched, nor the traces of its mails and letters: they keep what was done from being
    done twice.  `go_on` is asked after each transaction; what is left is done the next time.
    """
    old_mails, old_letters, old_traces, old_codes = (
        now - span for span in (retention.mails, retention.letters, retention.traces, retention.codes)
    )
    forgotten = sum(_forget(store, name, addresses, go_on) for name, addresses in _erased(store, now - retention.erased) if go_on())
    in_game = literal("g") + cast(game.c.id, Text)
    mail_lanes = select(in_game).where(game.c.ended_at.is_(None) | (game.c.ended_at >= old_mails))
    trace_lanes = select(in_game).where(game.c.ended_at.is_(None) | (game.c.ended_at >= old_traces))
    trace_games = select(game.c.id).where(game.c.ended_at.is_(None) | (game.c.ended_at >= old_traces))
    return Tidied(
        mails_emptied=_empty(store, inbox, inbox.c.raw, old_mails, inbox.c.lane.not_in(mail_lanes), go_on),
        letters_emptied=_empty(store, outbox, outbox.c.letter, old_letters, literal(True), go_on),
        mails_gone=_drop(store, inbox, inbox.c.raw, old_traces, inbox.c.lane.not_in(trace_lanes), go_on),
        letters_gone=_drop(store, outbox, outbox.c.letter, old_traces, outbox.c.game.is_(None) | outbox.c.game.not_in(trace_games), go_on),
        codes_gone=_once(store, delete(code).where(code.c.until < old_codes)) if go_on() else 0,
        counts_gone=_once(store, delete(tally).where(tally.c.since < old_codes)) if go_on() else 0,
        people_forgotten=forgotten,
    )


def remember_erased(marks: Marks, number: int, addresses: Sequence[str], now: datetime) -> None:
    """Note whose mails and letters are to go, for the person's own row no longer says it."""
    marks.set(f"{ERASED}{number}", json.dumps({"at": now.isoformat(), "addresses": [each.lower() for each in addresses]}))


def _erased(store: SqlStore, before: datetime) -> list[tuple[str, tuple[str, ...]]]:
    """The marks of people whose time is over, with their addresses."""
    with told_plainly(), store.snapshot() as connection:
        kept = Marks(connection).named(ERASED)
    read = [(name, json.loads(value)) for name, value in kept.items()]
    return [(name, tuple(plain["addresses"])) for name, plain in read if datetime.fromisoformat(plain["at"]) <= before]


def _forget(store: SqlStore, mark: str, addresses: Sequence[str], go_on: GoOn) -> int:
    """Empty all finished mails from these addresses, and all finished letters to them; 1 once the last of them is empty."""
    named = [re.compile(rb"^(?:from|sender|reply-to):(?:.*\n[ \t])*.*" + re.escape(each.encode()), re.I | re.M) for each in addresses]

    def is_from(row: Row[Any]) -> bool:
        head = re.split(rb"\r?\n\r?\n", row.raw, maxsplit=1)[0]
        return (row.envelope_from or "").lower() in addresses or any(pattern.search(head) for pattern in named)

    def is_to(row: Row[Any]) -> bool:
        return str(json.loads(row.letter).get("to", "")).lower() in addresses

    mails = select(inbox.c.finished_at, inbox.c.number, inbox.c.raw, inbox.c.envelope_from).where(inbox.c.raw.is_not(None))
    letters = select(outbox.c.finished_at, outbox.c.number, outbox.c.letter).where(
        outbox.c.letter.is_not(None), outbox.c.domain.in_({each.rpartition("@")[2] for each in addresses})
    )
    for rows, content, found, is_theirs in ((inbox, inbox.c.raw, mails, is_from), (outbox, outbox.c.letter, letters, is_to)):
        for part in _walk(store, rows, found):
            _empty_rows(store, rows, content, [row.number for row in part if is_theirs(row)])
            if not go_on():
                return 0
    with told_plainly(), store.writing() as connection:
        Marks(connection).drop(mark)
    return 1


def _empty(store: SqlStore, rows: Table, content: ColumnElement[Any], before: datetime, may_go: ColumnElement[bool], go_on: GoOn) -> int:
    """Let the content of old rows go, while the rows stay; how many."""
    found = select(rows.c.finished_at, rows.c.number).where(content.is_not(None), rows.c.finished_at < before, may_go)
    total = 0
    for part in _walk(store, rows, found):
        total += _empty_rows(store, rows, content, [row.number for row in part])
        if not go_on():
            break
    return total


def _empty_rows(store: SqlStore, rows: Table, content: ColumnElement[Any], numbers: Sequence[int]) -> int:
    """Let the content of these rows go; how many."""
    return _once(store, update(rows).where(rows.c.number.in_(numbers)).values({content: null()})) if numbers else 0


def _drop(store: SqlStore, rows: Table, content: ColumnElement[Any], before: datetime, may_go: ColumnElement[bool], go_on: GoOn) -> int:
    """Let old rows go whole that have lost their content; how many.

    Rows are numbered as they come, so the walk ends at the first stretch in which nothing is old.
    """
    last, total = 0, 0
    while go_on():
        stretch = select(rows.c.number, (rows.c.finished_at < before).label("old")).where(rows.c.number > last)
        with told_plainly(), store.snapshot() as connection:
            part = connection.execute(stretch.order_by(rows.c.number).limit(AT_ONCE)).all()
        if not any(row.old for row in part):
            break
        within = rows.c.number.between(last + 1, part[-1].number)
        total += _once(store, delete(rows).where(within, rows.c.finished_at < before, content.is_(None), may_go))
        last = part[-1].number
    return total


def _walk(store: SqlStore, rows: Table, found: Select[Any]) -> Iterator[Sequence[Row[Any]]]:
    """What is found among finished rows, part by part in the order in which they were finished, each read in a transaction of its own."""
    finished_at, number = EPOCH, 0
    while True:
        further = found.where(tuple_(rows.c.finished_at, rows.c.number) > tuple_(literal(finished_at, rows.c.finished_at.type), number))
        with told_plainly(), store.snapshot() as connection:
            part = connection.execute(further.order_by(rows.c.finished_at, rows.c.number).limit(AT_ONCE)).all()
        if not part:
            return
        yield part
        finished_at, number = part[-1].finished_at, part[-1].number


def _once(store: SqlStore, statement: UpdateBase) -> int:
    """A statement in a transaction of its own; how many rows it met."""
    with told_plainly(), store.writing() as connection:
        return connection.execute(statement).rowcount
