"""The store: transactions over the tables, written once for SQLite and PostgreSQL."""

import os
import secrets
import socket
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from datetime import timedelta

from sqlalchemy import Connection, Engine

from judge.store.base import StoreBusy
from judge.store.engines import BUSY_SECONDS, database_file, is_memory, only_reading, told_plainly, writing
from judge.store.folk import Codes, People
from judge.store.lock import DaemonLock
from judge.store.mails import Inbox, Outbox
from judge.store.marks import Limits, Marks
from judge.store.plays import Events, Games, Press, Submissions, Turns, Variants

LEASE = timedelta(minutes=5)
"""How long a claim lasts if the worker that made it is heard of no more."""


class Transaction:
    """Everything that is kept, as one transaction sees it; whatever is changed counts when the transaction is committed."""

    __slots__ = ("codes", "events", "games", "inbox", "limits", "marks", "outbox", "people", "press", "submissions", "turns", "variants")

    def __init__(self, db: Connection, worker: str, lease: timedelta) -> None:
        self.inbox = Inbox(db, worker, lease)
        self.outbox = Outbox(db, worker, lease)
        self.games = Games(db)
        self.variants = Variants(db)
        self.turns = Turns(db)
        self.submissions = Submissions(db)
        self.events = Events(db)
        self.press = Press(db)
        self.people = People(db)
        self.codes = Codes(db)
        self.marks = Marks(db, worker)
        self.limits = Limits(db)


class _Turnstile:
    """Lets one thread of this process through at a time, so that SQLite's own waiting, which is a slow guess, is hardly needed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._holder: int | None = None

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for one's turn.  Raises `StoreBusy` after a while, RuntimeError in the thread that is inside already."""
        me = threading.get_ident()
        if self._holder == me:
            raise RuntimeError("a transaction within a transaction")
        if not self._lock.acquire(timeout=BUSY_SECONDS):
            raise StoreBusy("the database is busy")
        self._holder = me
        try:
            yield
        finally:
            self._holder = None
            self._lock.release()


class SqlStore:
    """A database that keeps the judge's things; may be used by many threads, each with transactions of its own."""

    def __init__(self, engine: Engine, *, lease: timedelta = LEASE) -> None:
        self.engine = engine
        self.worker = f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"
        self._lease = lease
        self._reading = only_reading(engine)
        self._writers = _Turnstile() if engine.dialect.name == "sqlite" else None
        self._readers = self._writers if is_memory(engine.url) else None  # one connection for all

    @contextmanager
    def transaction(self) -> Iterator[Transaction]:
        """Change things: committed at the end, undone by any exception.  Raises `StoreBusy` (a `TryLater`) if it must wait too long."""
        with told_plainly(), self.writing() as connection:
            yield Transaction(connection, self.worker, self._lease)

    @contextmanager
    def reading(self) -> Iterator[Transaction]:
        """Read things as they are at one moment; nothing may be changed."""
        with told_plainly(), self.snapshot() as connection:
            yield Transaction(connection, self.worker, self._lease)

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """The bare connection of a transaction that writes; for `store` itself."""
        with _turn(self._writers), writing(self.engine) as connection:
            yield connection

    @contextmanager
    def snapshot(self) -> Iterator[Connection]:
        """The bare connection of a transaction that sees one moment; for `store` itself."""
        with _turn(self._readers), self._reading.connect() as connection, connection.begin():
            yield connection

    def claim_daemon(self, *, delivers: bool = True, rest: bool = True) -> DaemonLock:
        """Be the one daemon of an SQLite store, until the lock is released or the process ends; `OperatorError` if another one is.

        One process may deliver and another do the rest.  What a daemon that died had claimed is free at once.  Any number of daemons may
        share a PostgreSQL store, where claims run out.
        """
        with ExitStack() as stack:
            lock = stack.enter_context(DaemonLock(database_file(self.engine.url), delivers=delivers, rest=rest))
            if self.engine.dialect.name == "sqlite":
                with self.transaction() as tx:
                    if rest:
                        tx.inbox.release_all()
                    if delivers:
                        tx.outbox.release_all()
            stack.pop_all()  # held on, unless that failed
        return lock

    def lock_daemon(self) -> DaemonLock:
        """Keep daemons away from an SQLite store, without touching anything in it."""
        return DaemonLock(database_file(self.engine.url))

    def close(self) -> None:
        """Close all connections."""
        self._reading.dispose()
        self.engine.dispose()


def _turn(stile: _Turnstile | None) -> AbstractContextManager[None]:
    """One's turn at the turnstile, if there is one."""
    return nullcontext() if stile is None else stile.turn()
