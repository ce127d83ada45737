"""What makes an installation itself: one name and one key in its database, whatever the spools of its machines say."""

import threading
from pathlib import Path

import pytest
from sqlalchemy import text

from judge.errors import OperatorError
from judge.store import SqlStore, open_store, settle
from judge.store.engines import told_plainly
from judge.store.site import (
    KEY_FILE,
    NAME_FILE,
    Installation,
    keep_from_readers,
    new_installation,
    put_installation,
    read_installation,
    renew_key,
)


def test_made_at_the_first_start_and_the_same_ever_after(store: SqlStore, tmp_path: Path) -> None:
    assert read_installation(store) is None
    made = settle(store, tmp_path)
    assert (tmp_path / NAME_FILE).read_text() == f"{made.name}\n"
    assert not (tmp_path / KEY_FILE).exists()
    assert settle(store, tmp_path) == made == read_installation(store)
    other_machine = tmp_path / "other"
    other_machine.mkdir()
    assert settle(store, other_machine) == made
    assert new_installation() != new_installation()


def test_many_machines_start_at_once(url: str, tmp_path: Path) -> None:
    found: list[Installation] = []

    def start(number: int) -> None:
        spool = tmp_path / str(number)
        spool.mkdir()
        store = open_store(url)
        found.append(settle(store, spool))
        store.close()

    threads = [threading.Thread(target=start, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert len(set(found)) == 1


def test_the_key_of_the_first_release_is_taken_over(store: SqlStore, tmp_path: Path) -> None:
    key = bytes(range(32))
    (tmp_path / KEY_FILE).write_text(key.hex() + "\n")
    assert settle(store, tmp_path).key == key
    assert settle(store, tmp_path).key == key
    (tmp_path / KEY_FILE).unlink()
    assert settle(store, tmp_path).key == key


def test_another_key_in_the_spool_stops(store: SqlStore, tmp_path: Path) -> None:
    settle(store, tmp_path)
    (tmp_path / KEY_FILE).write_text("ff" * 32 + "\n")
    with pytest.raises(OperatorError, match="is not the key of the database"):
        settle(store, tmp_path)


@pytest.mark.parametrize("content", ["no key", "ff", ""])
def test_a_key_file_that_holds_none_stops(store: SqlStore, tmp_path: Path, content: str) -> None:
    (tmp_path / KEY_FILE).write_text(content)
    with pytest.raises(OperatorError, match="site key"):
        settle(store, tmp_path)
    assert read_installation(store) is None


def test_the_database_of_another_installation_stops(store: SqlStore, tmp_path: Path) -> None:
    mine = settle(store, tmp_path)
    other = new_installation()
    with store.writing() as connection:
        put_installation(connection, other)
    with pytest.raises(OperatorError, match=f"holds the installation {other.name}.*belongs to the installation {mine.name}"):
        settle(store, tmp_path)
    (tmp_path / NAME_FILE).unlink()
    assert settle(store, tmp_path) == other


def test_an_empty_database_under_a_used_spool_stops(store: SqlStore, tmp_path: Path) -> None:
    """As after a slip in `database`: nothing is begun in it."""
    (tmp_path / NAME_FILE).write_text("danube2345\n")
    with pytest.raises(OperatorError, match="is empty"):
        settle(store, tmp_path)
    assert read_installation(store) is None


def test_a_new_key_under_the_old_name(store: SqlStore, tmp_path: Path) -> None:
    with pytest.raises(OperatorError, match="never started"):
        renew_key(store)
    old = settle(store, tmp_path)
    fresh = renew_key(store)
    assert (fresh.name, fresh.key != old.key) == (old.name, True)
    assert settle(store, tmp_path) == fresh


def test_who_may_only_read_does_not_see_the_key(store: SqlStore) -> None:
    if store.engine.dialect.name != "postgresql":
        return
    with store.writing() as connection:
        connection.execute(text("CREATE ROLE site_reader"))
        connection.execute(text("GRANT SELECT ON ALL TABLES IN SCHEMA public TO site_reader"))
        connection.execute(text("GRANT SELECT ON TABLE site TO PUBLIC"))
    try:
        with store.writing() as connection:
            keep_from_readers(connection)
        with store.snapshot() as connection:
            connection.execute(text("SET LOCAL ROLE site_reader"))
            assert connection.execute(text("SELECT count(*) FROM game")).scalar() == 0
            with pytest.raises(OperatorError, match="permission denied for table site"), told_plainly():
                connection.execute(text("SELECT * FROM site"))
    finally:
        with store.writing() as connection:
            connection.execute(text("DROP OWNED BY site_reader; DROP ROLE site_reader"))
