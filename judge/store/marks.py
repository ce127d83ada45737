"""Small things kept by name: how far a source was read, leases, counters."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import BigInteger, Connection, Text, bindparam, cast, delete, select
from sqlalchemy.dialects import postgresql, sqlite

from judge.store.prepared import Prepared
from judge.store.tables import mark, tally

_GET = Prepared(select(mark.c.value).where(mark.c.name == bindparam("the_name")))


@cache
def _set(dialect: str) -> Any:
    """A mark, new or replaced."""
    adding = (postgresql.insert if dialect == "postgresql" else sqlite.insert)(mark)
    return adding.on_conflict_do_update(index_elements=[mark.c.name], set_={"value": adding.excluded.value})


@cache
def _take(dialect: str) -> Any:
    """A lease that is free, run out, or one's own."""
    adding = (postgresql.insert if dialect == "postgresql" else sqlite.insert)(mark)
    return adding.on_conflict_do_update(
        index_elements=[mark.c.name],
        set_={"value": adding.excluded.value, "until": adding.excluded.until},
        where=(mark.c.until.is_(None)) | (mark.c.until <= bindparam("now")) | (mark.c.value == adding.excluded.value),
    ).returning(mark.c.name)


@cache
def _count_up(dialect: str) -> Any:
    """A mark that holds a number, new or one more."""
    adding = (postgresql.insert if dialect == "postgresql" else sqlite.insert)(mark)
    more = cast(cast(mark.c.value, BigInteger) + 1, Text)
    return adding.on_conflict_do_update(index_elements=[mark.c.name], set_={"value": more}).returning(mark.c.value)


@cache
def _add(dialect: str) -> Prepared:
    """A tally, new or added to."""
    adding = (postgresql.insert if dialect == "postgresql" else sqlite.insert)(tally)
    return Prepared(
        adding.on_conflict_do_update(
            index_elements=[tally.c.key, tally.c.since],
            set_={"count": tally.c.count + adding.excluded.count},
        ).returning(tally.c.count)
    )


class Marks:
    """Texts by name: what was read up to when, cursors; and leases, which one worker holds for some time."""

    __slots__ = ("_db", "_worker")

    def __init__(self, db: Connection, worker: str = "") -> None:
        self._db = db
        self._worker = worker

    def get(self, name: str) -> str | None:
        """The text kept under that name."""
        text: str | None = _GET.value(self._db, {"the_name": name})
        return text

    def set(self, name: str, value: str) -> None:
        """Keep a text under that name, in place of an older one."""
        self._db.execute(_set(self._db.dialect.name), {"name": name, "value": value})

    def named(self, prefix: str) -> dict[str, str]:
        """All marks whose names begin so, in order of name."""
        found = select(mark.c.name, mark.c.value).where(mark.c.name.startswith(prefix, autoescape=True)).order_by(mark.c.name)
        return dict(self._db.execute(found).all())

    def drop(self, name: str) -> None:
        """Forget the text kept under that name."""
        self._db.execute(delete(mark).where(mark.c.name == name))

    def lease(self, name: str, now: datetime, span: timedelta) -> bool:
        """Take the lease of that name, or hold on to it, until `now` + `span`; False while another worker holds it."""
        values = {"name": name, "value": self._worker, "until": now + span, "now": now}
        return self._db.execute(_take(self._db.dialect.name), values).scalar() is not None

    def end_lease(self, name: str) -> None:
        """Give up the lease of that name, if it is one's own."""
        self._db.execute(delete(mark).where(mark.c.name == name, mark.c.value == self._worker))

    def end_other_leases(self, prefix: str, alive: Sequence[str]) -> None:
        """Give up the leases whose names begin so of all workers that are not among those alive."""
        begins = mark.c.name.startswith(prefix, autoescape=True)
        self._db.execute(delete(mark).where(begins, mark.c.until.is_not(None), mark.c.value.not_in(alive)))

    def holders(self, prefix: str, now: datetime) -> tuple[str, ...]:
        """Who holds leases whose names begin so, in order."""
        held = select(mark.c.value).where(mark.c.name.startswith(prefix, autoescape=True), mark.c.until > now).order_by(mark.c.value)
        return tuple(self._db.execute(held).scalars())

    def count_up(self, name: str) -> int:
        """The next number of the counter of that name: 1, 2, ...; others wait for this transaction to end."""
        return int(self._db.execute(_count_up(self._db.dialect.name), {"name": name, "value": "1"}).scalar_one())


class Limits:
    """How often something happened in a stretch of time, such as answers to one address in an hour."""

    __slots__ = ("_db",)

    def __init__(self, db: Connection) -> None:
        self._db = db

    def count(self, key: str, since: datetime) -> int:
        """How often it happened in the stretch that began at `since`."""
        return self._db.execute(select(tally.c.count).where(tally.c.key == key, tally.c.since == since)).scalar() or 0

    def add(self, key: str, since: datetime, times: int = 1) -> int:
        """It happened (again); how often now."""
        return int(_add(self._db.dialect.name).value(self._db, {"key": key, "since": since, "count": times}))
