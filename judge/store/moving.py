"""A whole installation carried from one database into another, of whatever kind: what `judge db move`, backup and restore do."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from sqlalchemy import Column, Connection, Table, TypeDecorator, column, delete, func, insert, select, table, text

from judge.errors import OperatorError
from judge.store.engines import told_plainly
from judge.store.sql import LEASE, SqlStore, Transaction
from judge.store.tables import mark, metadata

AT_ONCE = 500
"""Rows written together."""

Progress = Callable[[str, int, int], None]
"""Told the table, how many of its rows are done, and how many there are."""


def silent(name: str, done: int, of: int) -> None:
    """No progress shown."""


def copy_all(source: SqlStore, target: SqlStore, *, replace: bool = False, progress: Progress = silent) -> dict[str, int]:
    """Carry every row of `source`, as they are at one moment, into `target`, in one transaction; how many rows of each table.

    The target must hold nothing, unless `replace` says that it is to be emptied first; `OperatorError` otherwise.  Claims and
    leases are given back in the copy.
    """
    with told_plainly(), source.snapshot() as old, target.writing() as new:
        held = [name for name in metadata.tables if _count(new, metadata.tables[name])]
        if held and not replace:
            raise OperatorError(f"the database to be filled holds something already ({', '.join(sorted(held))}); nothing was changed")
        for each in reversed(metadata.sorted_tables):
            new.execute(delete(each))
        done = {each.name: _copy(old, new, each, progress) for each in metadata.sorted_tables}
        for each in metadata.sorted_tables:
            if (numbered := _numbered(each)) is not None:
                _set_last_number(new, numbered, _last_number(old, numbered))
        carried = Transaction(new, target.worker, LEASE)
        carried.inbox.release_all()
        carried.outbox.release_all()
        new.execute(delete(mark).where(mark.c.until.is_not(None)))  # leases: whoever held one does not work with the copy
    return done


def _count(connection: Connection, each: Table) -> int:
    """How many rows a table has."""
    return connection.execute(select(func.count()).select_from(each)).scalar_one()


def _copy(old: Connection, new: Connection, each: Table, progress: Progress) -> int:
    """Copy one table; how many rows it had."""
    bare = _bare(each)
    total, done = _count(old, each), 0
    progress(each.name, 0, total)
    for rows in _batches(old, select(bare).order_by(*(bare.c[key.name] for key in each.primary_key))):
        new.execute(insert(bare), rows)
        done += len(rows)
        progress(each.name, done, total)
    return done


def _batches(old: Connection, found: Any) -> Iterator[Sequence[dict[str, object]]]:
    """The rows of a query, some at a time, so that a table of any size fits into memory."""
    result = old.execution_options(yield_per=AT_ONCE).execute(found)
    for part in result.mappings().partitions():
        yield [dict(row) for row in part]


def _bare(each: Table) -> Any:
    """The same table with the types of the database itself, so that nothing is unpacked and packed again on the way."""
    columns = [column(c.name, c.type.impl_instance if isinstance(c.type, TypeDecorator) else c.type) for c in each.columns]
    return table(each.name, *columns)


def _numbered(each: Table) -> Column[Any] | None:
    """The column of a table that the database numbers."""
    key = each.autoincrement_column
    return key if key is not None and each.dialect_options["sqlite"]["autoincrement"] else None


def _last_number(connection: Connection, numbered: Column[Any]) -> int:
    """The highest number ever given, whether its row still exists or not: numbers name letters and must not be given again."""
    name = numbered.table.name
    if connection.dialect.name == "sqlite":
        return connection.execute(text("SELECT seq FROM sqlite_sequence WHERE name = :name"), {"name": name}).scalar() or 0
    last = text("SELECT pg_sequence_last_value(CAST(pg_get_serial_sequence(:name, :key) AS regclass))")
    return connection.execute(last, {"name": name, "key": numbered.name}).scalar() or 0


def _set_last_number(connection: Connection, numbered: Column[Any], last: int) -> None:
    """Go on counting behind that number."""
    values = {"name": numbered.table.name, "key": numbered.name, "last": last}
    if connection.dialect.name == "sqlite":
        connection.execute(text("DELETE FROM sqlite_sequence WHERE name = :name"), values)
        connection.execute(text("INSERT INTO sqlite_sequence (name, seq) VALUES (:name, :last)"), values)
    else:
        connection.execute(text("SELECT setval(pg_get_serial_sequence(:name, :key), :last + 1, false)"), values)
