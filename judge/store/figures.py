"""Figures about a store that cost the same however much it keeps: what waits, what is due, how large it is."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, func, select, text

from judge.store.engines import database_file, told_plainly
from judge.store.sql import SqlStore
from judge.store.tables import game, inbox, outbox, turn


@dataclass(frozen=True, slots=True)
class StoreFigures:
    """Mails and letters that wait, with the time of the oldest, and how many there ever were; games due; octets on the disk.

    `deferred` are letters that were tried and wait for another try.
    """

    mails: int
    oldest_mail: datetime | None
    mails_ever: int
    letters: int
    deferred: int
    oldest_letter: datetime | None
    letters_ever: int
    due: int
    due_since: datetime | None
    octets: int


def read_figures(store: SqlStore, now: datetime) -> StoreFigures:
    """The figures at this moment."""
    with told_plainly(), store.snapshot() as connection:
        mails, oldest_mail = connection.execute(
            select(func.count(), func.min(inbox.c.arrived_at)).where(inbox.c.finished_at.is_(None))
        ).one()
        tried = func.count().filter(outbox.c.tries > 0, outbox.c.claimed_by.is_(None))
        letters, deferred, oldest_letter = connection.execute(
            select(func.count(), tried, func.min(outbox.c.added_at)).where(outbox.c.finished_at.is_(None))
        ).one()
        due, since = connection.execute(select(func.count(), func.min(game.c.due_at)).where(game.c.due_at <= now)).one()
        ever = [connection.execute(select(func.max(rows.c.number))).scalar() or 0 for rows in (inbox, outbox)]
        octets = _octets(store, connection)
    return StoreFigures(mails, oldest_mail, ever[0], letters, deferred, oldest_letter, ever[1], due, since, octets)


def count_turns(store: SqlStore) -> int:
    """How many turns are stored, withdrawn ones too."""
    with told_plainly(), store.snapshot() as connection:
        return connection.execute(select(func.count()).select_from(turn)).scalar_one()


def _octets(store: SqlStore, connection: Connection) -> int:
    """What the database takes on the disk; 0 in memory."""
    if connection.dialect.name == "postgresql":
        return int(connection.execute(text("SELECT pg_database_size(current_database())")).scalar_one())
    file = database_file(store.engine.url)
    files = [] if file is None else [file, file.with_name(f"{file.name}-wal")]
    return sum(each.stat().st_size for each in files if each.exists())
