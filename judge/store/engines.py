"""Engines from a URL: SQLite (WAL, every commit on the disk, writers in turn) and PostgreSQL."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, PoolProxiedConnection, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, InterfaceError, OperationalError
from sqlalchemy.pool import StaticPool

from judge.errors import OperatorError
from judge.store.base import StoreBusy

BUSY_SECONDS = 20
"""How long a writer waits for its turn on SQLite before the step is tried later."""

_HOW_TO_BEGIN = "judge.begin"
_PASSING = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL}
_NOT_ALLOWED = {"42501", "25006"}
"""PostgreSQL: insufficient privilege, read-only transaction."""
_TO_MEND = {sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_NOTADB}


def read_url(text: str) -> URL:
    """The database a URL means.  Raises `OperatorError` for one that is no URL, or of a kind the judge does not use.

    >>> read_url("postgresql://judge@db/judge").drivername
    'postgresql+psycopg'
    """
    try:
        url = make_url(text)
    except ArgumentError as bad:
        raise OperatorError("the database setting is no URL; write sqlite:///spool/judge.db or postgresql://user@host/name") from bad
    kind = url.get_backend_name()
    if kind == "postgresql":
        return url.set(drivername="postgresql+psycopg")
    if kind == "sqlite" and url.drivername in ("sqlite", "sqlite+pysqlite"):
        return url
    raise OperatorError(f'databases of the kind "{url.drivername}" are not supported; use sqlite:///... or postgresql://...')


def safe_url(text: str) -> str:
    """A database URL as it may be shown: without its password.

    >>> safe_url("postgresql://judge:secret@db/judge"), safe_url("no URL: secret")
    ('postgresql://judge:***@db/judge', '(no database URL)')
    """
    try:
        return make_url(text).render_as_string(hide_password=True)
    except ArgumentError:
        return "(no database URL)"


def is_memory(url: URL) -> bool:
    """Whether the database is SQLite in memory, gone with its engine."""
    return url.get_backend_name() == "sqlite" and url.database in (None, "", ":memory:")


def database_file(url: URL) -> Path | None:
    """The file of an SQLite database; None for the others."""
    return Path(url.database) if url.get_backend_name() == "sqlite" and url.database and not is_memory(url) else None


def make_engine(url: URL, *, readonly: bool = False) -> Engine:
    """An engine for that database.  Nothing is connected yet, but the folder of an SQLite file must exist, and the file for `readonly`."""
    if url.get_backend_name() == "postgresql":
        return _postgres_engine(url)
    file = database_file(url)
    if file and readonly and not file.exists():
        raise OperatorError(f"there is no database {file}")
    if file and not file.absolute().parent.is_dir():
        raise OperatorError(f"the folder {file.absolute().parent} of the database does not exist; make it")
    return _sqlite_engine(url, readonly=readonly)


def _postgres_engine(url: URL) -> Engine:
    """PostgreSQL by psycopg 3; a lost connection is told as such and renewed at the next step."""
    try:
        return create_engine(url, pool_size=8, max_overflow=8, connect_args={"connect_timeout": 10})
    except ModuleNotFoundError as missing:
        raise OperatorError("PostgreSQL needs the package psycopg: pip install 'chancery-judge[postgres]'") from missing


def _sqlite_engine(url: URL, *, readonly: bool) -> Engine:
    """SQLite, with transactions begun by us: the module's own way would read first and fail on the write (research/mail.md 5.4)."""
    file = database_file(url)
    if file is None:
        engine = create_engine(url, poolclass=StaticPool, connect_args={"check_same_thread": False})
    else:
        engine = create_engine(url, connect_args={"timeout": BUSY_SECONDS, "check_same_thread": False})

    @event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _: Any) -> None:
        connection.isolation_level = None
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA cache_size = -8000")
        if readonly:
            connection.execute("PRAGMA query_only = ON")
        elif file is not None:
            connection.execute("PRAGMA journal_mode = WAL")

    engine.dialect.do_begin = _begin  # type: ignore[assignment]  # a listener would slow every statement down
    return engine


def _begin(connection: PoolProxiedConnection) -> None:
    """A transaction on SQLite, of the kind that was wished for this connection."""
    connection.execute(connection.info.pop(_HOW_TO_BEGIN, "BEGIN"))


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """A transaction that writes: committed at the end, undone by any exception."""
    with engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            connection.connection.info[_HOW_TO_BEGIN] = "BEGIN IMMEDIATE"
        with connection.begin():
            yield connection


def only_reading(engine: Engine) -> Engine:
    """The engine whose transactions see one moment of the database and write nothing; it has connections of its own on SQLite."""
    if engine.dialect.name != "sqlite":
        return engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
    return engine if is_memory(engine.url) else _sqlite_engine(engine.url, readonly=True)


@contextmanager
def told_plainly() -> Iterator[None]:
    """Faults of the database as the judge's own: `StoreBusy` for what passes, `OperatorError` for what somebody must mend.

    What is neither, such as a statement that the database does not understand, is a bug and goes on as it is.
    """
    try:
        yield
    except DBAPIError as fault:
        text = str(fault.orig).strip().partition("\n")[0] or type(fault.orig).__name__
        if isinstance(fault.orig, sqlite3.Error):
            code = getattr(fault.orig, "sqlite_errorcode", 0) & 0xFF  # the kind, without its particulars
            if code in _TO_MEND:
                raise OperatorError(f"the database cannot be used: {text}") from fault
            passes = code in _PASSING
        else:
            if getattr(fault.orig, "sqlstate", "") in _NOT_ALLOWED:
                raise OperatorError(f"the database does not allow it: {text}") from fault
            passes = fault.connection_invalidated or isinstance(fault, (OperationalError, InterfaceError))
        if passes:
            raise StoreBusy(f"the database does not answer: {text}") from fault
        raise
