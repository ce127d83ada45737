"""What one mail or one round costs does not grow with the games that are kept: every hot statement goes by an index."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import Connection, event

from judge.game import Deadline, Settings, Status, open_game
from judge.library import read_variant
from judge.mail import Letter
from judge.store import LetterKind, NewMail, OutboxLetter, SqlStore, Transaction, game_lane, open_store
from tests.support.postgres import shared_server

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqlStore]:
    """A file with a few hundred games, mails and letters, and what SQLite has counted in them."""
    folder: Path = tmp_path_factory.mktemp("growth")
    store = open_store(f"sqlite:///{folder}/judge.db")
    standard = read_variant("standard")
    with store.transaction() as tx:
        for number in range(1, 301):
            opened = open_game(tx.games.new_id(), f"game{number}", Settings(), standard, "hash", number, NOON).game
            tx.games.put(replace(opened, status=Status.RUNNING, deadline=Deadline(NOON + number * HOUR)), 0)
            tx.people.new(f"P{number}", f"p{number}@x.org")
        tx.inbox.add([NewMail(b"raw", NOON + n * HOUR, game_lane(n % 50 + 1), "door", f"k{n}") for n in range(500)])
        letters = [Letter(f"{n}@x.org", f"b+{n}@x.org", "a@b", "", "j@x.org", "", "", "", NOON) for n in range(500)]
        tx.outbox.add([OutboxLetter(letter, LetterKind.PRESS, 1) for letter in letters], NOON)
    with store.writing() as connection:
        connection.exec_driver_sql("UPDATE inbox SET finished_at = 1, state = 'done' WHERE number > 20")
        connection.exec_driver_sql("UPDATE outbox SET finished_at = 1, state = 'sent' WHERE number > 20")
        connection.exec_driver_sql("ANALYZE")
    yield store
    store.close()


HOT: dict[str, Callable[[Transaction], object]] = {
    "add a mail": lambda tx: tx.inbox.add([NewMail(b"", NOON, "g1", "door", "new")]),
    "claim a mail": lambda tx: tx.inbox.claim(NOON),
    "finish a mail": lambda tx: tx.inbox.finish(1, "digest", NOON),
    "what holds a deadline": lambda tx: tx.inbox.holds("g1", NOON, NOON),
    "a digest": lambda tx: tx.inbox.by_digest("digest"),
    "mails that wait": lambda tx: tx.inbox.unfinished(),
    "the oldest mail": lambda tx: tx.inbox.oldest(),
    "add a letter": lambda tx: tx.outbox.add([OutboxLetter(Letter("x@y", "", "", "", "", "", "", "", NOON), LetterKind.PRESS)], NOON),
    "claim letters": lambda tx: tx.outbox.claim(NOON, 10),
    "a letter is sent": lambda tx: tx.outbox.sent("1@x.org", NOON),
    "a bounce": lambda tx: tx.outbox.by_return_path("b+1@x.org"),
    "a game by name": lambda tx: tx.games.get("game7"),
    "a game by id": lambda tx: tx.games.lock(7),
    "a game's id": lambda tx: tx.games.id_of("game7"),
    "put a game": lambda tx: tx.games.put(tx.games.get(7).game, 1),  # type: ignore[union-attr]
    "due games": lambda tx: tx.games.due(NOON + 3 * HOUR),
    "reminding games": lambda tx: tx.games.waking(NOON + 3 * HOUR),
    "the next moment": lambda tx: (tx.games.next_wake(), tx.games.next_wake(NOON)),
    "a person's games": lambda tx: tx.games.of_person(7),
    "a person by address": lambda tx: tx.people.by_address("p7@x.org"),
    "persons": lambda tx: tx.people.many([1, 2, 3]),
    "turns": lambda tx: (tx.turns.last(7, 2), tx.turns.of(7)),
    "press": lambda tx: tx.press.of(7),
    "orders as filed": lambda tx: tx.submissions.of(7),
    "events": lambda tx: tx.events.of(7, last=3),
    "a code": lambda tx: (tx.codes.take("k", NOON), tx.codes.recent("a@b", NOON)),
}


Seen = list[tuple[str, tuple[object, ...]]]


@contextmanager
def watched(store: SqlStore) -> Iterator[Seen]:
    """The statements that are run meanwhile, each with its values."""
    seen: Seen = []

    def note(_: object, __: object, statement: str, values: object, ___: object, many: bool) -> None:
        seen.append((statement, values[0] if many and isinstance(values, list) else values))  # type: ignore[arg-type]

    event.listen(store.engine, "before_cursor_execute", note)
    try:
        yield seen
    finally:
        event.remove(store.engine, "before_cursor_execute", note)
    assert seen


@pytest.mark.parametrize("name", HOT)
def test_goes_by_an_index(store: SqlStore, name: str) -> None:
    with watched(store) as seen, store.transaction() as tx:
        HOT[name](tx)
    with store.engine.connect() as connection:
        for statement, values in seen:
            plan = [row[3] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)]
            assert all(_is_cheap(step) for step in plan), (statement, plan)


def _is_cheap(step: str) -> bool:
    """Whether a step of SQLite's plan looks at few rows: a search, or a walk along the unfinished rows that a limit ends."""
    walks = (
        "SCAN inbox USING INDEX inbox_open_",
        "SCAN inbox USING COVERING INDEX inbox_open_",
        "SCAN outbox USING INDEX outbox_open",
        "SCAN free",
    )
    return not step.startswith("SCAN") or step.startswith((*walks, "SCAN CONSTANT ROW"))


WAITING = 2000
STATISTICS = {
    "of an empty table": ("DELETE FROM inbox", "DELETE FROM outbox", "ANALYZE"),
    "of a time when nothing waited": (
        "UPDATE inbox SET finished_at = 1",
        "UPDATE outbox SET finished_at = 1",
        "ANALYZE",
        "UPDATE inbox SET finished_at = NULL",
        "UPDATE outbox SET finished_at = NULL",
    ),
    "of now": ("ANALYZE",),
}


@pytest.mark.parametrize("statistics", STATISTICS)
def test_a_claim_reads_little_of_what_waits(statistics: str) -> None:
    """Whatever PostgreSQL believes of the tables: its statistics come minutes after a burst."""
    server = shared_server()
    url = server.fresh_database()
    store = open_store(url)
    with store.writing() as connection:
        tx = Transaction(connection, store.worker, HOUR)
        fill(tx)
        for statement in STATISTICS[statistics]:
            connection.exec_driver_sql(statement)
        if statistics == "of an empty table":
            fill(tx)
    claims: tuple[Callable[[Transaction], object], ...] = (
        lambda tx: tx.inbox.claim(NOON + HOUR),
        lambda tx: tx.outbox.claim(NOON + HOUR, 1),
    )
    for claim in claims:
        with watched(store) as seen, store.writing() as connection:
            claim(Transaction(connection, store.worker, HOUR))
            (claiming,) = [each for each in seen if not each[0].startswith("SET")]
            assert blocks_read(connection, *claiming) < 200
    store.close()
    server.drop(url)


def fill(tx: Transaction) -> None:
    """Mails and letters that wait."""
    tx.inbox.add([NewMail(b"raw", NOON, game_lane(n % 100 + 1), "door") for n in range(WAITING)])
    letters = [Letter(f"{n}@x.org", f"b+{n}@x.org", "a@b", "", "j@x.org", "", "", "", NOON) for n in range(WAITING)]
    tx.outbox.add([OutboxLetter(letter, LetterKind.PRESS, 1) for letter in letters], NOON)


def blocks_read(connection: Connection, statement: str, values: tuple[object, ...]) -> int:
    """How many blocks PostgreSQL looks at for a statement, most of them again and again."""
    (plan,) = connection.exec_driver_sql(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {statement}", values).scalar_one()
    return int(plan["Plan"]["Shared Hit Blocks"] + plan["Plan"]["Shared Read Blocks"])
