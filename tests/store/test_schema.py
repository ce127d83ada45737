"""The database's own side: migrations, versions, wrong URLs, full disks, locks."""

import os
import sqlite3
import subprocess
import sys
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, text
from sqlalchemy.exc import DBAPIError

from judge.errors import OperatorError, TryLater
from judge.mail import Letter
from judge.store import LetterKind, NewMail, OutboxLetter, SqlStore, StoreBusy, migrate, open_store, opening, pending
from judge.store.engines import make_engine, read_url, told_plainly
from judge.store.migrations import settings
from judge.store.opening import REVISIONS
from judge.store.tables import metadata
from tests.support.postgres import PostgresServer, find_programs, shared_server


def test_the_migrations_make_the_tables_of_this_program(url: str) -> None:
    assert pending(url) == REVISIONS
    assert migrate(url) == REVISIONS
    assert (pending(url), migrate(url)) == ((), ())
    _compare(url)
    open_store(url).close()


def test_a_new_database_has_the_same_tables_without_migrations(url: str) -> None:
    open_store(url).close()
    assert pending(url) == ()
    _compare(url)


def _compare(url: str) -> None:
    engine = make_engine(read_url(url))
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection, opts={"compare_type": True}), metadata) == []
        found = inspect(connection)
        for table in metadata.tables.values():
            assert {index["name"] for index in found.get_indexes(table.name)} >= {index.name for index in table.indexes}
            assert len(found.get_foreign_keys(table.name)) == len(table.foreign_keys)
    engine.dispose()


def test_the_program_knows_every_migration_in_its_folder() -> None:
    script = ScriptDirectory.from_config(settings())
    assert tuple(step.revision for step in reversed(list(script.walk_revisions()))) == REVISIONS


def test_both_ways_make_the_same_sqlite_tables(tmp_path: Path) -> None:
    def tables(name: str) -> dict[str, list[str]]:
        with sqlite3.connect(tmp_path / name) as db:
            rows = db.execute("SELECT name, sql FROM sqlite_master WHERE name NOT LIKE '%alembic%' AND sql IS NOT NULL")
            return {name: sorted(sql.replace(",", " ").split()) for name, sql in rows}

    migrate(f"sqlite:///{tmp_path}/a.db")
    open_store(f"sqlite:///{tmp_path}/b.db").close()
    assert tables("a.db") == tables("b.db")


def _set_revision(url: str, revision: str) -> None:
    engine = make_engine(read_url(url))
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :now"), {"now": revision})
    engine.dispose()


def test_a_schema_too_new_stops(url: str) -> None:
    open_store(url).close()
    _set_revision(url, "9999")
    for step in (open_store, pending, migrate):
        with pytest.raises(OperatorError, match="newer judge"):
            step(url)


def test_an_older_schema_asks_for_the_upgrade(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    open_store(url).close()
    monkeypatch.setattr(opening, "REVISIONS", (*REVISIONS, "9999"))
    assert pending(url) == ("9999",)
    with pytest.raises(OperatorError, match="judge db upgrade"):
        open_store(url)


def test_tables_of_somebody_else_are_left_alone(url: str) -> None:
    engine = make_engine(read_url(url))
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE game (id INTEGER)"))
    engine.dispose()
    with pytest.raises(OperatorError, match="game"):
        open_store(url)


def test_many_open_a_new_database_at_once(url: str) -> None:
    faults: list[BaseException] = []

    def start() -> None:
        try:
            open_store(url).close()
        except BaseException as fault:
            faults.append(fault)

    threads = [threading.Thread(target=start) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    _compare(url)


def test_opening_an_empty_database_to_read_stops(url: str) -> None:
    with pytest.raises(OperatorError, match=r"is empty|there is no database"):
        open_store(url, readonly=True)


def test_a_store_opened_to_read_cannot_write(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/judge.db"
    with open_store(url).transaction() as tx:
        tx.marks.set("a", "b")
    store = open_store(url, readonly=True)
    with store.reading() as tx:
        assert tx.marks.get("a") == "b"
    with pytest.raises(OperatorError, match="readonly"), store.transaction() as tx:
        tx.marks.set("a", "c")
    store.close()


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("spool/judge.db", "is no URL"),
        ("mysql://root@localhost/judge", "not supported"),
        ("sqlite:////no/such/folder/judge.db", "does not exist"),
        ("postgresql://judge:geheim@/judge?host=/no/such/folder", "does not answer"),
    ],
)
def test_a_wrong_url_is_told_plainly(url: str, says: str) -> None:
    with pytest.raises((OperatorError, TryLater), match=says) as fault:
        open_store(url)
    assert "geheim" not in str(fault.value)


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "judge.db").write_text("this is no database, but it is long enough to be looked at" * 20)
    with pytest.raises(OperatorError, match="not a database"):
        open_store(f"sqlite:///{tmp_path}/judge.db")


def test_a_fault_of_ours_is_not_tried_again(store: SqlStore) -> None:
    with pytest.raises(DBAPIError):
        _run_nonsense(store)
    with store.transaction() as tx:
        tx.marks.set("a", "b")


def _run_nonsense(store: SqlStore) -> None:
    with told_plainly(), store.engine.connect() as connection:
        connection.execute(text("SELECT nothing FROM nowhere"))


def test_sqlite_keeps_what_it_has_committed(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path}/judge.db")
    with store.engine.connect() as connection:
        found = {name: connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in ("journal_mode", "synchronous", "foreign_keys")}
    assert found == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}
    store.close()


def test_a_full_disk_is_tried_later(tmp_path: Path) -> None:
    """SQLite says the same for a full disk as for a database at its set size."""
    store = open_store(f"sqlite:///{tmp_path}/judge.db")
    with store.engine.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages + 5}")
    with pytest.raises(StoreBusy, match="full"), store.transaction() as tx:
        tx.marks.set("long", "x" * 500_000)
    with store.transaction() as tx:
        tx.marks.set("short", "x")
        assert tx.marks.get("long") is None
    store.close()


def test_a_database_locked_by_another_process_is_tried_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judge.store.engines.BUSY_SECONDS", 0.1)
    store = open_store(f"sqlite:///{tmp_path}/judge.db")
    other = sqlite3.connect(tmp_path / "judge.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreBusy, match="locked"), store.transaction():
        pass
    other.execute("COMMIT")
    with store.transaction() as tx:
        tx.marks.set("a", "b")
    other.close()
    store.close()


def test_threads_take_turns(store: SqlStore) -> None:
    def count_up() -> None:
        for _ in range(20):
            with store.transaction() as tx:
                tx.marks.count_up("turn")

    threads = [threading.Thread(target=count_up) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with store.transaction() as tx:
        assert tx.marks.count_up("turn") == 81


HOLD_LOCK = """
import sys, time
from judge.store import open_store
lock = open_store(sys.argv[1]).claim_daemon()
print("held", flush=True)
time.sleep(60)
"""


def test_one_daemon_a_sqlite_store(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/judge.db"
    store = open_store(url)
    with subprocess.Popen([sys.executable, "-c", HOLD_LOCK, url], stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(OperatorError, match=f"process {other.pid}"):
            store.claim_daemon()
        with store.transaction() as tx:  # the lock is about daemons; everybody may write
            tx.marks.set("a", "b")
        other.kill()
    for _ in range(2):
        with store.claim_daemon():
            assert (tmp_path / "judge.lock").read_text() == f"{os.getpid()}\n"
            with pytest.raises(OperatorError):
                store.claim_daemon()
    store.close()


def test_one_daemon_delivers_and_one_does_the_rest(tmp_path: Path) -> None:
    url, noon = f"sqlite:///{tmp_path}/judge.db", datetime(2026, 3, 1, tzinfo=UTC)
    one, two = open_store(url), open_store(url)
    letter = Letter("a@b", "", "anna@x.org", "", "judge@x.org", "", "", "", noon)
    with one.claim_daemon(delivers=False), one.transaction() as tx:
        tx.inbox.add([NewMail(b"", noon, "g1", "door")])
        tx.outbox.add([OutboxLetter(letter, LetterKind.PRESS)], noon)
        assert tx.inbox.claim(noon)
    with one.claim_daemon(rest=False):
        with one.transaction() as tx:
            assert tx.outbox.claim(noon)
        for refused in ({}, {"rest": False}):
            with pytest.raises(OperatorError, match="works with this database"):
                two.claim_daemon(**refused)
        with two.claim_daemon(delivers=False), two.transaction() as tx:
            assert tx.inbox.claim(noon), "what the dead one had claimed is free"
            assert not tx.outbox.claim(noon), "what the living one carries is not"
    with two.claim_daemon(), two.transaction() as tx:
        assert tx.outbox.claim(noon)


def test_a_new_daemon_goes_on_where_the_dead_one_was(tmp_path: Path) -> None:
    url, noon = f"sqlite:///{tmp_path}/judge.db", datetime(2026, 3, 1, tzinfo=UTC)
    dead, fresh = open_store(url), open_store(url)
    letter = Letter("a@b", "", "anna@x.org", "", "judge@x.org", "", "", "", noon)
    with dead.transaction() as tx:
        tx.inbox.add([NewMail(b"", noon, "g1", "door")])
        tx.outbox.add([OutboxLetter(letter, LetterKind.PRESS)], noon)
        assert tx.inbox.claim(noon)
        assert tx.outbox.claim(noon)
        assert not tx.inbox.claim(noon)
        assert not tx.outbox.claim(noon)
    with fresh.claim_daemon(), fresh.transaction() as tx:
        mail = tx.inbox.claim(noon)
        assert mail is not None
        assert mail.tries == 2
        assert [each.tries for each in tx.outbox.claim(noon)] == [2]


def test_many_daemons_a_postgres_store(store: SqlStore) -> None:
    if store.engine.dialect.name == "postgresql":
        with store.claim_daemon(), store.claim_daemon():
            pass


def test_what_is_loaded_only_when_needed() -> None:
    program = (
        "import sys, judge.store; s = judge.store.open_store('sqlite://'); print([n for n in ('alembic', 'psycopg') if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_lost_connection_is_tried_later_and_renewed() -> None:
    shared_server()  # skipped or failed without PostgreSQL
    programs = find_programs()
    assert programs is not None
    server = PostgresServer(programs)  # one of its own, because it is stopped
    store = open_store(server.fresh_database())
    with store.transaction() as tx:
        tx.marks.set("a", "kept")
    server.halt()
    with pytest.raises(StoreBusy), store.transaction() as tx:
        tx.marks.set("a", "lost")
    with pytest.raises(StoreBusy), store.reading() as tx:
        tx.marks.get("a")
    server.start()
    with store.transaction() as tx:
        assert tx.marks.get("a") == "kept"
    store.close()
    server.close()
