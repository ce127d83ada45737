"""Statements that run for every mail: written in SQLAlchemy like all others, turned into text once, then given to the driver as they are.

Building what SQLAlchemy keeps of each execution costs ten times what SQLite needs for the statement itself.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Delete, Dialect, Insert, Select, Update
from sqlalchemy.sql.compiler import SQLCompiler

Convert = Callable[[Any], Any]
Values = Mapping[str, object]
Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class _Form:
    """A statement as one kind of database wants it: its text, its constants, the order of its values if they have no names."""

    text: str
    constants: Mapping[str, object]
    order: tuple[str, ...] | None
    into: tuple[tuple[str, Convert], ...]
    """What makes values of Python into values of the driver, for the names of those with which something must be done."""
    back: tuple[tuple[int, Convert], ...]
    """The way back, by column."""

    def bound(self, values: Values) -> Any:
        """The values of one execution as the driver wants them."""
        given = {**self.constants, **values}
        for name, convert in self.into:
            given[name] = convert(given[name])
        return given if self.order is None else list(map(given.__getitem__, self.order))

    def read(self, row: Row) -> Row:
        """A row of the driver with values of Python."""
        if not self.back:
            return row
        cells = list(row)
        for column, convert in self.back:
            cells[column] = convert(cells[column])
        return tuple(cells)


class Prepared:
    """One statement; the values it is run with always have the same names.  It must not hold lists of changing length (``IN``)."""

    __slots__ = ("_forms", "statement")

    def __init__(self, statement: Select[Any] | Insert | Update | Delete) -> None:
        self.statement = statement
        self._forms: dict[str, _Form] = {}

    def rows(self, db: Connection, values: Values) -> list[Row]:
        """All rows it gives."""
        if db.engine.dispatch.before_cursor_execute:
            return [tuple(row) for row in db.execute(self.statement, dict(values))]
        form = self._form(db.dialect, values)
        cursor = self._run(db, form.text, form.bound(values))
        found = cursor.fetchall()
        cursor.close()
        return [form.read(row) for row in found]

    def row(self, db: Connection, values: Values) -> Row | None:
        """The first row, if there is one."""
        found = self.rows(db, values)
        return found[0] if found else None

    def value(self, db: Connection, values: Values) -> Any:
        """The first cell of the first row, None if there is none."""
        found = self.rows(db, values)
        return found[0][0] if found else None

    def count(self, db: Connection, values: Values) -> int:
        """How many rows it has changed; for statements that give none back."""
        if db.engine.dispatch.before_cursor_execute:
            return db.execute(self.statement, dict(values)).rowcount
        form = self._form(db.dialect, values)
        cursor = self._run(db, form.text, form.bound(values))
        changed: int = cursor.rowcount
        cursor.close()
        return changed

    def each(self, db: Connection, many: Sequence[Values]) -> None:
        """Run once for each of these values."""
        if db.engine.dispatch.before_cursor_execute:
            db.execute(self.statement, [dict(values) for values in many])
            return
        form = self._form(db.dialect, many[0])
        self._run(db, form.text, [form.bound(values) for values in many], many=True).close()

    def _run(self, db: Connection, text: str, bound: Any, *, many: bool = False) -> Any:
        """A cursor of the driver after this.  Faults are told by SQLAlchemy, as if it had run the statement itself."""
        cursor = db.connection.cursor()
        try:
            (cursor.executemany if many else cursor.execute)(text, bound)
        except Exception as fault:
            db._handle_dbapi_exception(fault, text, bound, cursor, None)
        return cursor

    def _form(self, dialect: Dialect, values: Values) -> _Form:
        """The statement for this kind of database."""
        form = self._forms.get(dialect.name)
        if form is None:
            form = self._forms[dialect.name] = _form(self.statement, dialect, list(values))
        return form


def _form(statement: Any, dialect: Dialect, names: list[str]) -> _Form:
    """A statement turned into text, and what is to be done with its values and with those of its rows."""
    compiled: SQLCompiler = statement.compile(dialect=dialect, column_keys=names)
    ways = {name: bind.type.dialect_impl(dialect).bind_processor(dialect) for name, bind in compiled.binds.items()}
    into = {name: convert for name, convert in ways.items() if convert is not None}
    constants = {name: bind.value for name, bind in compiled.binds.items() if name not in names}
    back = (column.type.dialect_impl(dialect).result_processor(dialect, None) for column in statement.exported_columns)
    return _Form(
        compiled.string,
        {name: into[name](value) if name in into else value for name, value in constants.items()},
        tuple(compiled.positiontup) if compiled.positiontup is not None else None,
        tuple((name, into[name]) for name in names if name in into),
        tuple((column, convert) for column, convert in enumerate(back) if convert is not None),
    )
