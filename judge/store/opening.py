"""A store from a URL: connected, its tables made where there are none, its schema known to this program."""

from datetime import timedelta

from sqlalchemy import Connection, Engine, inspect, text

from judge.errors import OperatorError
from judge.store.engines import make_engine, read_url, told_plainly, writing
from judge.store.site import keep_from_readers
from judge.store.sql import LEASE, SqlStore
from judge.store.tables import metadata

REVISIONS: tuple[str, ...] = ("0001", "0002")
"""The migrations this program knows, oldest first; the last one is what `tables.py` says."""

_LOCK = 0x6A75646765  # "judge", for PostgreSQL's advisory lock


def open_store(url: str, *, readonly: bool = False, lease: timedelta = LEASE) -> SqlStore:
    """The store at that URL (``sqlite:///spool/judge.db``, ``sqlite://`` in memory, ``postgresql://user@host/name``).

    An empty database gets its tables.  Raises `OperatorError` if the URL, the database or its schema is wrong, and `StoreBusy` if it
    does not answer.
    """
    engine = make_engine(read_url(url), readonly=readonly)
    try:
        found = current_revision(engine)
        if found is None and not readonly:
            make_tables(engine)
        else:
            _check(found, url)
    except BaseException:
        engine.dispose()
        raise
    return SqlStore(engine, lease=lease)


def current_revision(engine: Engine) -> str | None:
    """The migration the database is at; None if it holds nothing of a judge."""
    with told_plainly(), engine.connect() as connection:
        return _revision(connection)


def behind(revision: str | None) -> tuple[str, ...]:
    """The migrations that a database at this one still needs.  Raises `OperatorError` for one from a newer judge.

    >>> behind(None) == REVISIONS, behind(REVISIONS[-1])
    (True, ())
    """
    if revision is None:
        return REVISIONS
    if revision not in REVISIONS:
        raise OperatorError(
            f"the database is of a newer judge (schema {revision}, this one knows up to {REVISIONS[-1]}): install that one again"
        )
    return REVISIONS[REVISIONS.index(revision) + 1 :]


def make_tables(engine: Engine) -> None:
    """All tables of this program in an empty database; nothing if another process was quicker.

    The same as all migrations one after another, which a test compares, but without loading what runs them.
    """
    with told_plainly(), writing(engine) as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        if _revision(connection) is not None:
            return
        strange = sorted(set(inspect(connection).get_table_names()) & set(metadata.tables))
        if strange:
            raise OperatorError(f"the database has tables that are not the judge's ({', '.join(strange)}): give the judge one of its own")
        metadata.create_all(connection)
        keep_from_readers(connection)
        connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"))
        connection.execute(text("INSERT INTO alembic_version (version_num) VALUES (:head)"), {"head": REVISIONS[-1]})


def _revision(connection: Connection) -> str | None:
    """What the version table says, if there is one."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def _check(revision: str | None, url: str) -> None:
    """Raises `OperatorError` unless the database is exactly at this program's schema."""
    if missing := behind(revision):
        what = "is empty" if revision is None else f"is older than this judge (schema {revision}, wanted {missing[-1]})"
        raise OperatorError(f"the database {read_url(url)!r} {what}: run `judge db upgrade`")
