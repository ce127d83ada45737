"""Moving, backing up, restoring, checking and tidying a whole installation."""

import io
import json
import shutil
import sqlite3
import tarfile
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import select, text, update

from judge.cli import main
from judge.errors import OperatorError
from judge.game import Deadline, Ending, EndKind, Event, FiledOrder, PressItem, Settings, Status, Submission, Turn, open_game
from judge.library import read_variant
from judge.mail import Letter
from judge.rules import adjudicate, read_order
from judge.store import (
    InboxState,
    LetterKind,
    NewMail,
    OutboxLetter,
    PendingCode,
    SqlStore,
    game_lane,
    open_store,
    sender_lane,
    settle,
    stranger_lane,
)
from judge.store.backup import KeyFate, back_up, copy_aside, old_backups, read_about, restore
from judge.store.checking import check_store
from judge.store.moving import copy_all
from judge.store.opening import REVISIONS
from judge.store.site import NAME_LENGTH, NEW_ADDRESSES, new_installation, put_installation
from judge.store.tables import game as game_table
from judge.store.tables import metadata, turn
from judge.store.tidying import Retention, Tidied, remember_erased, tidy
from tests.support.postgres import shared_server

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
STANDARD = read_variant("standard")


def letter(name: str) -> OutboxLetter:
    return OutboxLetter(Letter(f"{name}@x.org", "", "anna@x.org", "Žofie", "judge@x.org", "", "s", "text", NOON), LetterKind.RESULT, 1)


def fill(store: SqlStore) -> None:
    """Something in every table; the newest rows of some are gone again, so that numbers have been given that no row has."""
    with store.transaction() as tx:
        anna = tx.people.new("Žofie", "Zofie@x.org", "cs", "Europe/Prague")
        number = tx.games.new_id()
        opened = open_game(number, "danube", Settings(title="Дунай"), STANDARD, "hash", anna.id, NOON).game
        orders = {"FRANCE": (read_order("A PAR - BUR"),)}
        done = adjudicate(opened.position, orders, STANDARD)
        filed = {"FRANCE": (FiledOrder(orders["FRANCE"][0], NOON, 1),)}
        running = replace(opened, status=Status.RUNNING, position=done.after, orders=filed, turns=1, deadline=Deadline(NOON + DAY))
        tx.variants.put("hash", "{}")
        tx.games.put(running, 0)
        tx.turns.add(number, Turn(1, opened.phase, opened.position, orders, done, NOON))
        tx.submissions.add(number, [Submission(opened.phase, "FRANCE", 1, NOON, orders["FRANCE"])])
        tx.events.add(number, [Event(NOON, "MASTER", "closed", {"ž": "š"})])
        tx.press.add(number, [PressItem(1, "FRANCE", (), "ahoj 🙂", NOON, True)])
        tx.inbox.add([NewMail(bytes(range(256)), NOON, game_lane(number), "imap", f"key{n}") for n in range(3)])
        tx.inbox.claim(NOON)
        tx.outbox.add([letter("one"), letter("two"), letter("three")], NOON)
        tx.outbox.claim(NOON, 1)
        tx.codes.add(PendingCode("k7", "b@x.org", "CREATE x", NOON, NOON + DAY, {"name": "B"}))
        tx.marks.set("cursor:imap", "7")
        tx.limits.add("answers", NOON)
        tx.people.tally([(anna.id, "in")])
    with store.writing() as connection:
        put_installation(connection, new_installation())
        connection.execute(text("DELETE FROM inbox WHERE number = 3"))
        connection.execute(text("DELETE FROM outbox WHERE number = 3"))


def rows(store: SqlStore) -> dict[str, list[tuple[object, ...]]]:
    """Everything in a store, without what a claim leaves."""
    passing = {"claimed_by", "free_at", "next_try"}
    found = {}
    with store.snapshot() as connection:
        for table in metadata.sorted_tables:
            columns = [column for column in table.columns if column.name not in passing]
            found[table.name] = [tuple(row) for row in connection.execute(select(*columns).order_by(*table.primary_key))]
    found["inbox"] = [tuple("new" if value == "claimed" else value for value in row) for row in found["inbox"]]
    return found


def new_store(kind: str, folder: Path, name: str) -> Iterator[SqlStore]:
    if kind == "sqlite":
        store = open_store(f"sqlite:///{folder}/{name}.db")
        yield store
        store.close()
    else:
        url = shared_server().fresh_database()
        store = open_store(url)
        yield store
        store.close()
        shared_server().drop(url)


@pytest.fixture(params=["sqlite", "postgres"])
def source(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SqlStore]:
    """A store with something in every table."""
    for store in new_store(request.param, tmp_path, "source"):
        fill(store)
        yield store


@pytest.fixture(params=["sqlite", "postgres"])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SqlStore]:
    """An empty store."""
    yield from new_store(request.param, tmp_path, "target")


def url_of(store: SqlStore) -> str:
    return store.engine.url.render_as_string(hide_password=False)


def test_everything_is_carried_over_and_numbers_go_on(source: SqlStore, target: SqlStore) -> None:
    seen: list[tuple[str, int, int]] = []
    done = copy_all(source, target, progress=lambda *told: seen.append(told))
    kept = rows(source)
    assert rows(target) == kept
    assert all(kept.values())
    assert done == {name: len(found) for name, found in kept.items()}
    assert ("inbox", 2, 2) in seen
    with target.transaction() as tx:
        assert tx.inbox.add([NewMail(b"", NOON, "g1", "door")]) == [4]  # 3 was given, and its row is gone
        mail = tx.inbox.claim(NOON)
        assert mail is not None
        assert (mail.number, mail.tries, mail.raw) == (1, 2, bytes(range(256)))
        assert [each.number for each in tx.outbox.claim(NOON)] == [1, 2]
        assert tx.games.new_id() == 2
        assert tx.people.new("C", "c@x.org").id == 2
    assert check_store(target) == ()


def test_leases_stay_behind(source: SqlStore, target: SqlStore) -> None:
    """Else a restored installation would wait for a worker that died before it was put back."""
    with source.transaction() as tx:
        assert tx.marks.lease("poll:imap", NOON, 10 * DAY)
    copy_all(source, target)
    with target.transaction() as tx:
        assert tx.marks.lease("poll:imap", NOON, DAY)
        assert tx.marks.get("cursor:imap") == "7"


def test_a_store_that_holds_something_is_not_overwritten(source: SqlStore, target: SqlStore) -> None:
    with target.transaction() as tx:
        tx.marks.set("mine", "x")
    with pytest.raises(OperatorError, match="mark"):
        copy_all(source, target)
    with target.reading() as tx:
        assert tx.marks.get("mine") == "x"
    copy_all(source, target, replace=True)
    assert rows(target) == rows(source)


def test_a_backup_is_restored_with_its_key(source: SqlStore, target: SqlStore, tmp_path: Path) -> None:
    made = back_up(source, tmp_path / "backup", NOON)
    assert made.name == "judge-20260301-120000.judge.tar.gz"
    assert made.stat().st_mode & 0o777 == 0o600
    about = read_about(made)
    assert (about.site_key, about.database, about.made_at) == (True, source.engine.dialect.name, NOON.isoformat())
    wanted = rows(source)
    with source.transaction() as tx:
        tx.marks.set("later", "x")
    mine = settle(source, tmp_path)
    target.close()
    done = restore(made, url_of(target))
    assert (done.key, done.installation, done.rows["game"]) == (KeyFate.OF_BACKUP, mine, 1)
    assert rows(target) == wanted
    with pytest.raises(OperatorError, match="holds something"):
        restore(made, url_of(target))
    with target.writing() as connection:
        put_installation(connection, new_installation())
    assert restore(made, url_of(target), replace=True).installation == mine
    assert rows(target) == wanted


def old_backup(made: Path, at: Path, key: bytes | None) -> Path:
    """The same backup as the first release would have made it: schema 0001, and the key in a file beside the database, if any."""
    with tempfile.TemporaryDirectory() as place:
        with tarfile.open(made) as old:
            old.extractall(place, filter="data")
        database = Path(place) / "judge.db"
        with closing(sqlite3.connect(database)) as db:
            db.executescript("DROP TABLE site; UPDATE alembic_version SET version_num = '0001'; VACUUM")
        about = json.loads((Path(place) / "about.json").read_text())
        about |= {"schema": "0001", "site_key": key is not None, "sha256": sha256(database.read_bytes()).hexdigest()}
        (Path(place) / "about.json").write_text(json.dumps(about))
        if key is not None:
            (Path(place) / "site.key").write_text(key.hex() + "\n")
        with tarfile.open(at, "w:gz") as new:
            for part in sorted(Path(place).glob("*.*")):
                new.add(part, part.name)
    return at


def test_backups_of_the_first_release(source: SqlStore, target: SqlStore, tmp_path: Path) -> None:
    """Their key lay in a file; without one that of the target stays, or one is made and all must be told."""
    made = back_up(source, tmp_path / "backup", NOON)
    wanted, old_key, key_here = settle(source, tmp_path).key, bytes(range(32)), bytes(range(1, 33))
    with_key, without = old_backup(made, tmp_path / "with", old_key), old_backup(made, tmp_path / "without", None)
    for backup, here, fate, key in (
        (with_key, key_here, KeyFate.OF_BACKUP, old_key),
        (without, None, KeyFate.OF_HERE, old_key),  # of the database that is replaced
        (made, None, KeyFate.OF_BACKUP, wanted),
    ):
        done = restore(backup, url_of(target), replace=True, key_here=here)
        assert (done.key, done.installation.key) == (fate, key)
        with target.reading() as tx:
            assert tx.marks.get(NEW_ADDRESSES) is None
    with target.writing() as connection:
        connection.execute(text("DELETE FROM site"))
    assert restore(without, url_of(target), replace=True, key_here=key_here).installation.key == key_here
    with target.writing() as connection:
        connection.execute(text("DELETE FROM site"))
    done = restore(without, url_of(target), replace=True)
    assert done.key is KeyFate.NEW
    assert done.installation.key not in (wanted, old_key, key_here)
    with target.reading() as tx:
        assert tx.marks.get(NEW_ADDRESSES)


def test_backups_have_names_of_their_own_and_old_ones_are_known(source: SqlStore, tmp_path: Path) -> None:
    made = back_up(source, tmp_path / "backup", NOON)
    again = back_up(source, tmp_path / "backup", NOON)  # the same second
    assert made != again
    later = back_up(source, tmp_path / "backup", NOON + DAY)
    assert old_backups(tmp_path / "backup", 1) == tuple(sorted([made, again]))
    assert later not in old_backups(tmp_path / "backup", 1)
    assert not list((tmp_path / "backup").glob(".making*"))


def test_what_is_no_backup_changes_nothing(source: SqlStore, tmp_path: Path) -> None:
    made = back_up(source, tmp_path, NOON)
    url = f"sqlite:///{tmp_path}/fresh.db"
    (tmp_path / "text").write_text("no backup")
    half = tmp_path / "half"
    half.write_bytes(made.read_bytes()[: made.stat().st_size // 2])
    other = tmp_path / "other"
    with tarfile.open(other, "w:gz") as tar:
        tar.addfile(tarfile.TarInfo("../../judge.db"), io.BytesIO())
    forged = tmp_path / "forged"
    with tarfile.open(made) as old, tarfile.open(forged, "w:gz") as tar:
        for member in old:
            data = old.extractfile(member)
            assert data is not None
            content = data.read() if member.name != "judge.db" else data.read()[:-1] + b"x"
            tar.addfile(member, io.BytesIO(content))
    for wrong in (tmp_path / "text", half, other, forged, tmp_path / "missing"):
        with pytest.raises(OperatorError):
            restore(wrong, url)
    assert not (tmp_path / "fresh.db").exists()


def test_a_backup_of_a_newer_judge_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = open_store(f"sqlite:///{tmp_path}/judge.db")
    monkeypatch.setattr("judge.store.backup.REVISIONS", (*REVISIONS, "9999"))
    made = back_up(store, tmp_path, NOON)
    monkeypatch.undo()
    with pytest.raises(OperatorError, match="newer judge"):
        read_about(made)
    store.close()


def test_a_backup_under_load_is_of_one_moment(source: SqlStore, tmp_path: Path) -> None:
    """Every transaction of the writers keeps the two counts equal; so must every backup."""
    stop = threading.Event()

    def write() -> None:
        while not stop.is_set():
            with source.transaction() as tx:
                tx.limits.add("left", NOON)
                tx.marks.set(f"x{tx.limits.count('left', NOON)}", "x" * 2000)
                tx.limits.add("right", NOON)

    writers = [threading.Thread(target=write) for _ in range(2)]
    for thread in writers:
        thread.start()
    try:
        made = [back_up(source, tmp_path / "backup", NOON + n * DAY) for n in range(4)]
    finally:
        stop.set()
        for thread in writers:
            thread.join()
    counts = []
    for n, backup in enumerate(made):
        restore(backup, f"sqlite:///{tmp_path}/{n}.db")
        store = open_store(f"sqlite:///{tmp_path}/{n}.db")
        with store.reading() as tx:
            assert tx.limits.count("left", NOON) == tx.limits.count("right", NOON)
            counts.append(tx.limits.count("left", NOON))
        store.close()
    assert counts == sorted(counts)
    assert counts[-1] > counts[0]


FAULTS = [
    (update(game_table).values(due_at=NOON), "due or reminds"),
    (update(game_table).values(due_at=None), "due or reminds"),
    (update(game_table).values(ruleset="lost"), "rules lost are not kept"),
    (update(game_table).values(data="{}"), "no JSON of a judge"),
    (update(turn).values(data=b'{"v":1}'), "cannot be read"),
    (update(turn).values(data=b'{"v":77}'), "version 77"),
    (text("DELETE FROM address"), "person 1: no person 1"),
    (text("UPDATE inbox SET state = 'asleep' WHERE number = 2"), "mail 2: 'asleep'"),
]


@pytest.mark.parametrize(("fault", "says"), FAULTS)
def test_faults_are_found(source: SqlStore, fault: object, says: str) -> None:
    assert check_store(source) == ()
    with source.writing() as connection:
        connection.execute(fault)  # type: ignore[call-overload]
    (found,) = check_store(source)
    assert says in found


def test_tidied_by_age(store: SqlStore) -> None:
    fill(store)
    with store.transaction() as tx:
        stranger, loop = tx.inbox.add([NewMail(b"a", NOON, sender_lane(f"{n}@x"), "door") for n in range(2)])
        tx.inbox.finish(1, "d1", NOON)
        for _ in range(3):
            mail = tx.inbox.claim(NOON)
            assert mail is not None
            tx.inbox.finish(mail.number, f"d{mail.number}", NOON)
        tx.outbox.sent("one@x.org", NOON)
        assert (stranger, loop) == (4, 5)
    kept = Retention(mails=10 * DAY, letters=20 * DAY, traces=100 * DAY, codes=5 * DAY)
    assert tidy(store, NOON + DAY, kept) == Tidied(0, 0, 0, 0, 0, 0)
    assert tidy(store, NOON + 30 * DAY, kept) == Tidied(2, 1, 0, 0, 1, 1)
    with store.transaction() as tx:
        mail = tx.inbox.get(4)
        assert mail is not None
        assert (mail.raw, mail.digest) == (b"", "d4")
        mail = tx.inbox.get(1)
        assert mail is not None
        assert (mail.raw, mail.state) == (bytes(range(256)), InboxState.DONE)  # its game goes on
        assert tx.outbox.get("one@x.org") is None
        tx.outbox.add([letter("one")], NOON)
        assert tx.outbox.counts().sent == 1  # still known: not sent again
    assert tidy(store, NOON + 200 * DAY, kept) == Tidied(0, 0, 2, 0, 0, 0)  # what the game did must not be done again
    with store.transaction() as tx:
        found = tx.games.get("danube")
        assert found is not None
        over = replace(found.game, status=Status.FINISHED, deadline=None, ending=Ending(EndKind.DRAWN, (), NOON + 200 * DAY))
        tx.games.put(over, found.version)
    assert tidy(store, NOON + 205 * DAY, kept) == Tidied(0, 0, 0, 0, 0, 0)
    assert tidy(store, NOON + 211 * DAY, kept) == Tidied(2, 0, 0, 0, 0, 0)
    assert tidy(store, NOON + 301 * DAY, kept) == Tidied(0, 0, 2, 1, 0, 0)
    assert tidy(store, NOON + 301 * DAY, kept) == Tidied(0, 0, 0, 0, 0, 0)


def test_tidied_in_small_parts_and_broken_off(store: SqlStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judge.store.tidying.AT_ONCE", 3)
    fill(store)
    with store.transaction() as tx:
        tx.inbox.add([NewMail(b"a", NOON, stranger_lane(f"{n}@x"), "door") for n in range(20)])
        for _ in range(20):
            mail = tx.inbox.claim(NOON)
            assert mail is not None
            tx.inbox.finish(mail.number, f"d{mail.number}", NOON)
    kept = Retention(mails=10 * DAY, traces=100 * DAY)
    steps: list[int] = []
    assert 0 < tidy(store, NOON + 30 * DAY, kept, lambda: len(steps) < 2 and not steps.append(0)).mails_emptied < 20  # type: ignore[func-returns-value]
    done = tidy(store, NOON + 30 * DAY, kept).mails_emptied
    assert done > 3
    with store.reading() as tx:
        left = [number for number in range(1, 24) if (mail := tx.inbox.get(number)) and mail.raw]
    assert left == [1, 2]  # the game's
    assert tidy(store, NOON + 200 * DAY, kept).mails_gone == 20
    with store.reading() as tx:
        assert [number for number in range(1, 24) if tx.inbox.get(number)] == left


def test_of_an_erased_person_nothing_is_left(store: SqlStore) -> None:
    raws = [
        b"From: Anna <Anna@X.org>\r\nTo: judge@x\r\n\r\norders",
        b"To: judge@x\r\nFrom: =?utf-8?q?A?=\r\n <anna@x.org>\r\n\r\norders",
        b"From: Bert <bert@x.org>\r\nSubject: anna@x.org\r\n\r\nFrom: anna@x.org",
        b"From: old@y.org\r\n\r\nfrom an address she had before",
        b"From: Anna <anna@x.org>\r\n\r\nnot handled yet",
    ]
    with store.transaction() as tx:
        tx.inbox.add([NewMail(raw, NOON + n * DAY, sender_lane("x"), "imap", f"k{n}") for n, raw in enumerate(raws)])
        for n in range(4):
            mail = tx.inbox.claim(NOON + n * DAY)
            assert mail is not None
            tx.inbox.finish(mail.number, f"d{n}", NOON + n * DAY)
        tx.outbox.add([letter("one"), letter("two"), replace(letter("b"), letter=replace(letter("b").letter, to="bert@x.org"))], NOON)
        tx.outbox.sent("one@x.org", NOON)
        tx.outbox.sent("b@x.org", NOON)
        remember_erased(tx.marks, 7, ["Anna@x.org", "old@y.org"], NOON)
    kept = Retention(erased=5 * DAY)
    assert tidy(store, NOON + 4 * DAY, kept).people_forgotten == 0
    assert tidy(store, NOON + 5 * DAY, kept).people_forgotten == 1
    assert tidy(store, NOON + 5 * DAY, kept).people_forgotten == 0
    with store.reading() as tx:
        found = [tx.inbox.get(number) for number in range(1, 6)]
        assert [bool(mail and mail.raw) for mail in found] == [False, False, True, False, True]
        assert [bool(tx.outbox.get(f"{name}@x.org")) for name in ("one", "two", "b")] == [False, True, True]
        assert not tx.marks.named("erased:")


CONFIG = """
[judge]
address = "judge@example.org"
[mail_in]
maildir = "spool/in"
[mail_out]
maildir = "spool/out"
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """An installation: configuration, spool, database with something in it, key."""
    (tmp_path / "judge.toml").write_text(CONFIG)
    (tmp_path / "spool").mkdir()
    store = open_store(f"sqlite:///{tmp_path}/spool/judge.db")
    fill(store)
    store.close()
    return tmp_path


def judge(site: Path, *arguments: str) -> tuple[int, str]:
    """What the command line says."""
    config = [] if arguments[:2] == ("db", "move") else ["--config", str(site / "judge.toml")]
    done = CliRunner().invoke(main, [*arguments, *config])
    assert not (done.exception and not isinstance(done.exception, SystemExit)), done.exc_info
    return done.exit_code, done.output


def test_backup_and_restore_by_command(site: Path) -> None:
    code, said = judge(site, "backup", "--keep", "2")
    assert (code, "site key" in said) == (0, True)
    (made,) = (site / "spool" / "backup").glob("judge-*")
    code, said = judge(site, "restore", str(made))
    assert (code, "holds something" in said) == (1, True)
    code, said = judge(site, "restore", str(made), "--replace")
    assert (code, "1 game" in said, "was kept in" in said) == (0, True, True)
    assert len(list((site / "spool" / "backup").glob("judge-*"))) == 2
    shutil.rmtree(site / "spool")
    assert judge(site, "backup")[0] == 1
    assert judge(site, "restore", str(site / "nothing"))[0] == 1


def test_restore_on_a_new_machine(site: Path) -> None:
    assert judge(site, "backup", "--to", str(site / "safe"))[0] == 0
    shutil.rmtree(site / "spool")
    (made,) = (site / "safe").iterdir()
    code, said = judge(site, "restore", str(made))
    assert (code, "1 game" in said) == (0, True)
    assert len((site / "spool" / "installation").read_text()) == NAME_LENGTH + 1
    assert judge(site, "db", "check") == (0, "The database is sound.\n")


def test_restore_into_the_spool_of_another_installation(site: Path) -> None:
    """Its spool is not taken over in silence; whoever says --replace means it and is told."""
    code, _ = judge(site, "backup")
    assert code == 0
    (made,) = (site / "spool" / "backup").glob("*.judge.tar.gz")
    (site / "spool" / "judge.db").unlink()
    (site / "spool" / "installation").write_text("otherjudge\n")
    code, said = judge(site, "restore", str(made))
    assert code == 1
    assert "belongs to the installation otherjudge" in said
    assert "--replace" in said
    assert (site / "spool" / "installation").read_text() == "otherjudge\n"
    code, said = judge(site, "restore", str(made), "--replace")
    assert code == 0
    assert "belonged to the installation otherjudge" in said
    assert (site / "spool" / "installation").read_text() != "otherjudge\n"


def test_restore_while_a_daemon_works_is_refused(site: Path) -> None:
    judge(site, "backup")
    (made,) = (site / "spool" / "backup").glob("judge-*")
    with open_store(f"sqlite:///{site}/spool/judge.db").claim_daemon():
        code, said = judge(site, "restore", str(made), "--replace")
    assert (code, "another judge" in said) == (1, True)


def test_db_check_tells_faults(site: Path) -> None:
    store = open_store(f"sqlite:///{site}/spool/judge.db")
    with store.writing() as connection:
        connection.execute(text("UPDATE game SET data = '{}'"))
    store.close()
    code, said = judge(site, "db", "check")
    assert (code, "game 1: " in said) == (1, True)
    assert judge(site, "db", "check", "--database", "nonsense")[0] == 1


def test_db_move_by_command(site: Path) -> None:
    source, target = f"sqlite:///{site}/spool/judge.db", f"sqlite:///{site}/new.db"
    code, said = judge(site, "db", "move", source, target)
    assert (code, "1 game" in said, target in said) == (0, True, True)
    assert judge(site, "db", "move", source, target)[0] == 1
    assert judge(site, "db", "move", f"sqlite:///{site}/none.db", target)[0] == 1


def test_db_upgrade_by_command(site: Path) -> None:
    assert judge(site, "db", "upgrade") == (0, "The database is up to date.\n")
    fresh = f"sqlite:///{site}/fresh.db"
    code, said = judge(site, "db", "upgrade", "--database", fresh)
    assert (code, said) == (0, f"upgraded: {', '.join(REVISIONS)}\n")
    store = open_store(f"sqlite:///{site}/spool/judge.db")
    with store.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0000'"))
    store.close()
    code, said = judge(site, "db", "upgrade")
    assert (code, "newer judge" in said) == (1, True)
    assert copy_aside(f"sqlite:///{site}/spool/judge.db", site / "aside" / "x.db") == site / "aside" / "x.db"
    assert copy_aside("postgresql://nobody@/nothing", site / "y.db") is None
