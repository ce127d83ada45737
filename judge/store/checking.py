"""Whether a database is sound: its own checks, and every value read once."""

import zlib
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import TypeVar

from sqlalchemy import Connection, select, text

from judge.errors import OperatorError
from judge.game import due_at, next_reminder
from judge.store.engines import told_plainly
from judge.store.moving import Progress, silent
from judge.store.sql import LEASE, SqlStore, Transaction
from judge.store.tables import game, inbox, outbox, person, variant

_Key = TypeVar("_Key")
_FAULTS = (OperatorError, LookupError, ValueError, TypeError, zlib.error)


def check_store(store: SqlStore, progress: Progress = silent) -> tuple[str, ...]:
    """What is wrong with a database, in words for the operator; nothing if all is well.  The judge may go on working meanwhile."""
    with told_plainly(), store.snapshot() as connection:
        tx = Transaction(connection, store.worker, LEASE)
        return (*_own_checks(connection), *_games(connection, tx, progress), *_others(connection, tx, progress))


def _own_checks(connection: Connection) -> Iterator[str]:
    """What SQLite finds; PostgreSQL checks such things all the time."""
    if connection.dialect.name != "sqlite":
        return
    for (said,) in connection.execute(text("PRAGMA integrity_check")):
        if said != "ok":
            yield f"the file is damaged: {said}"
    for table, row, parent, _ in connection.execute(text("PRAGMA foreign_key_check")):
        yield f"{table} {row} belongs to a {parent} that is not there"


def _games(connection: Connection, tx: Transaction, progress: Progress) -> Iterator[str]:
    """Every game with its turns, verdicts, press, orders and events."""
    hashes = set(connection.execute(select(variant.c.hash)).scalars())
    rows = connection.execute(select(game.c.id, game.c.ruleset, game.c.due_at, game.c.remind_at).order_by(game.c.id)).all()
    for done, (number, ruleset, due, remind) in enumerate(rows, 1):
        if ruleset not in hashes:
            yield f"game {number}: its rules {ruleset} are not kept"
        try:
            yield from _game_faults(tx, number, (due, remind))
        except _FAULTS as fault:
            yield f"game {number}: {fault}"
        progress("game", done, len(rows))


def _game_faults(tx: Transaction, number: int, moments: tuple[object, object]) -> Iterator[str]:
    """One game: what its row repeats of it, its turns without a gap and with their verdicts, and all else read once."""
    kept = tx.games.get(number)
    assert kept is not None
    if kept.game.id != number:
        yield f"game {number} calls itself {kept.game.id}"
    if moments != (due_at(kept.game), next_reminder(kept.game)):
        yield f"game {number}: the row says it is due or reminds at another time than the game"
    turns = tx.turns.of(number, withdrawn=True)
    if any(later.number != turn.number + 1 for turn, later in pairwise(turns)):
        yield f"game {number}: turns are missing: there are {', '.join(str(turn.number) for turn in turns)}"
    yield from (
        f"game {number}: turn {turn.number} has no verdicts" for turn in turns if turn.before.units and not turn.adjudication.outcomes
    )
    tx.press.of(number)
    tx.submissions.of(number)
    tx.events.of(number)


def _others(connection: Connection, tx: Transaction, progress: Progress) -> Iterator[str]:
    """People, mails and letters, each read once."""
    yield from _each("person", connection.execute(select(person.c.id)).scalars().all(), tx.people.get, progress)
    yield from _each("mail", connection.execute(select(inbox.c.number)).scalars().all(), tx.inbox.get, progress)
    yield from _each("letter", connection.execute(select(outbox.c.message_id)).scalars().all(), tx.outbox.get, progress)


def _each(what: str, keys: Sequence[_Key], read: Callable[[_Key], object], progress: Progress) -> Iterator[str]:
    """Every row of a table read by its key."""
    for done, key in enumerate(keys, 1):
        try:
            read(key)
        except _FAULTS as fault:
            yield f"{what} {key}: {fault}"
        if done % 500 == 0 or done == len(keys):
            progress(what, done, len(keys))
