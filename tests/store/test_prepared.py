"""Statements given to the driver directly do what they do when SQLAlchemy runs them."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import bindparam, delete, event, insert, literal, select
from sqlalchemy.exc import IntegrityError

from judge.store import SqlStore
from judge.store.prepared import Prepared
from judge.store.tables import mark, outbox

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)

ADD = Prepared(insert(mark))
GET = Prepared(
    select(mark.c.name, mark.c.value, mark.c.until, literal(7)).where(
        mark.c.until <= bindparam("now"), mark.c.value != "none", mark.c.until > bindparam("since")
    )
)
TIMES = {"now": NOON, "since": NOON - timedelta(hours=1)}
DROP = Prepared(delete(mark).where(mark.c.name == bindparam("the_name")))
ROWS: list[dict[str, object]] = [
    {"name": "a", "value": "50 % of %s\0", "until": NOON},
    {"name": "b", "value": "none", "until": NOON},
    {"name": "ž", "value": ":x ?", "until": NOON - timedelta(minutes=59)},
    {"name": "old", "value": "", "until": NOON - timedelta(hours=1)},
]


@pytest.mark.parametrize("watched", [False, True])
def test_values_go_in_and_come_back(store: SqlStore, watched: bool) -> None:
    def nothing(*_: object) -> None:
        pass

    if watched:
        event.listen(store.engine, "before_cursor_execute", nothing)
    try:
        with store.writing() as db:
            ADD.each(db, ROWS)
            found = sorted(GET.rows(db, TIMES))
            dropped = [DROP.count(db, {"the_name": name}) for name in ("a", "a", "ž")]
            left = (GET.row(db, TIMES), GET.value(db, TIMES))
    finally:
        if watched:
            event.remove(store.engine, "before_cursor_execute", nothing)
    assert found == [("a", "50 % of %s\N{REPLACEMENT CHARACTER}", NOON, 7), ("ž", ":x ?", NOON - timedelta(minutes=59), 7)]
    assert (dropped, left) == ([1, 0, 1], (None, None))


def test_a_fault_undoes_the_transaction(store: SqlStore) -> None:
    def twice() -> None:
        with store.writing() as db:
            ADD.each(db, ROWS[:1])
            ADD.count(db, ROWS[0])

    with pytest.raises(IntegrityError):
        twice()
    with store.snapshot() as db:
        assert GET.rows(db, TIMES) == []


def test_bytes_are_packed_on_the_way(store: SqlStore) -> None:
    text = {
        "message_id": "m",
        "kind": 1,
        "seat": "",
        "return_path": "",
        "domain": "",
        "state": "",
        "tries": 0,
        "why": "",
        "letter": b"\0\xff" * 9,
    }
    with store.writing() as db:
        Prepared(insert(outbox)).each(db, [text | {"next_try": NOON, "added_at": NOON}])
        assert Prepared(select(outbox.c.letter, outbox.c.added_at)).rows(db, {}) == [(b"\0\xff" * 9, NOON)]
