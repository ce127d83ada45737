"""Databases of the first release (`data/SOURCE.md`) brought up to date, and their games played on; released migrations never change."""

import gzip
import io
import json
import shutil
import subprocess
import tarfile
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner

from judge.cli import main
from judge.errors import OperatorError
from judge.game import Game
from judge.rules import write_unit
from judge.service.regression import compare_all
from judge.store import LetterState, NewMail, migrate, migrations, open_store, opening, pending
from judge.store.checking import check_store
from judge.store.opening import REVISIONS
from tests.support.places import program, wait_until
from tests.support.postgres import shared_server
from tests.support.table import Table

DATA = Path(__file__).parent / "data"
THEN = datetime(2026, 1, 8, 12, 1, tzinfo=UTC)
JUDGE = "judge@judge.example"
RELEASED = {"0001_first_tables.py": "efb97be1632d6e26abaded5a57225d90db5b601c6b024a4634c902b7e794c9c9"}
"""Migrations that databases out there have been through, by the SHA-256 of their text."""


def test_released_migrations_are_as_they_were() -> None:
    folder = Path(migrations.__file__).parent / "versions"
    assert {name: sha256((folder / name).read_bytes()).hexdigest() for name in RELEASED} == RELEASED


@pytest.fixture(params=["db", "sql"])
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """An installation of the first release: its folder, and its database."""
    (tmp_path / "spool").mkdir()
    shutil.copy(DATA / f"first-release.{request.param}.key", tmp_path / "spool" / "site.key")
    packed = gzip.decompress((DATA / f"first-release.{request.param}.gz").read_bytes())
    if request.param == "db":
        file = tmp_path / "spool" / "judge.db"
        file.write_bytes(packed)
        yield tmp_path, f"sqlite:///{file}"
        return
    server = shared_server()
    url = server.fresh_database()
    name, host = url.partition("?")[0].rpartition("/")[2], url.partition("host=")[2]
    command = [program("psql", "postgresql-client"), "-q", "-h", host, "-U", "judge", "-v", "ON_ERROR_STOP=1", name]
    subprocess.run(command, input=packed, capture_output=True, check=True)
    yield tmp_path, url
    server.drop(url)


def test_it_is_upgraded_and_played_on(old: tuple[Path, str]) -> None:
    folder, url = old
    (folder / "judge.toml").write_text(
        f'database = "{url}"\n[judge]\naddress = "{JUDGE}"\n[mail_in]\nmaildir = "in"\n[mail_out]\nmaildir = "out"\n'
    )
    with pytest.raises(OperatorError, match="judge db upgrade"):
        open_store(url)
    done = CliRunner().invoke(main, ["db", "upgrade", "--config", str(folder / "judge.toml")])
    assert (done.exit_code, "upgraded: 0002" in done.output) == (0, True), done.output
    assert len(list((folder / "spool").glob("backup/before-0002-*.db"))) == url.startswith("sqlite")

    table = Table(folder, sections={"database": url})
    table.clock.at = THEN
    assert check_store(table.s.store) == ()
    assert [turn for turn in compare_all(table.s) if turn.moved or turn.reworded] == []
    table.run()
    waited, answer = table.new()
    assert (waited.to, waited.subject) == ("keeper@judge.example", "A letter that waits")
    assert (answer.to, answer.subject.startswith("[danube F1901M] Turkey: 1 of 3 orders")) == ("turkey@club.example", True)
    (answer,) = table.mail("england@club.example", f"judge+danube.{ENGLANDS[url.startswith('sqlite')]}@judge.example", "F NTH - NWY")
    assert "F NTH - NWY" in answer.text.upper()
    table.wait(timedelta(days=3))
    game = _game(table)
    assert str(game.phase) == "W1901A"
    assert {"F NWY", "F ENG", "A LON"} == {write_unit(unit) for unit in game.position.units["ENGLAND"]}
    assert "F SEV" in {write_unit(unit) for unit in game.position.units["TURKEY"]}
    with table.s.store.reading() as tx:
        assert [str(turn.phase) for turn in tx.turns.of(game.id)] == ["S1901M", "F1901M"]
        assert tx.press.of(game.id)[0].text.strip() == "Peace, žluťoučký kůň!"
    assert check_store(table.s.store) == ()
    table.s.store.close()


def test_the_old_program_works_on_while_the_database_is_upgraded(old: tuple[Path, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """On PostgreSQL: steps only add, so nobody is stopped.  With SQLite the one judge is stopped first, and the upgrade says so."""
    folder, url = old
    monkeypatch.setattr(opening, "REVISIONS", ("0001",))
    running = open_store(url)  # as the first release would
    monkeypatch.undo()
    if url.startswith("sqlite"):
        (folder / "judge.toml").write_text(f'[judge]\naddress = "{JUDGE}"\n[mail_in]\nmaildir = "in"\n[mail_out]\nmaildir = "out"\n')
        with running.claim_daemon():
            done = CliRunner().invoke(main, ["db", "upgrade", "--config", str(folder / "judge.toml")])
        assert (done.exit_code, "another judge" in done.output) == (1, True), done.output
        running.close()
        return
    stop = threading.Event()
    faults: list[BaseException] = []
    handled: list[int] = []

    def work() -> None:
        try:
            while not stop.is_set():
                with running.transaction() as tx:
                    handled.append(tx.marks.count_up("work"))
                    tx.inbox.add([NewMail(b"", THEN, "~x", "door")])
                    kept = tx.games.get("danube")
                    assert kept is not None
                    tx.games.put(kept.game, kept.version)
        except BaseException as fault:
            faults.append(fault)

    thread = threading.Thread(target=work)
    thread.start()
    wait_until(lambda: len(handled) > 5, 20)
    assert pending(url) == REVISIONS[1:]
    assert migrate(url) == REVISIONS[1:]
    count = len(handled)
    wait_until(lambda: len(handled) > count + 5, 20)
    stop.set()
    thread.join()
    running.close()
    assert faults == []
    store = open_store(url)
    assert check_store(store) == ()
    store.close()


ENGLANDS = {True: "ged0bncb4g77", False: "92c2hej6qbge"}
"""The secret of England's reply address, as it stood in the letters of the time: on SQLite, on PostgreSQL."""


NEW_ADDRESS = ("Your reply address has changed", "Vaše adresa pro odpovědi se změnila")
"""In English, and in Czech for England's player, who wrote a message in it."""


def _game(table: Table) -> Game:
    with table.s.store.reading() as tx:
        kept = tx.games.get("danube")
    assert kept is not None
    return kept.game


@pytest.mark.parametrize("with_key", [True, False])
def test_a_backup_of_the_first_release_is_put_back(tmp_path: Path, with_key: bool) -> None:
    """With its key all is as it was; without, everybody is written to, at their new address."""
    (tmp_path / "judge.toml").write_text(f'[judge]\naddress = "{JUDGE}"\n[mail_in]\nmaildir = "in"\n[mail_out]\nmaildir = "out"\n')
    parts = {"judge.db": gzip.decompress((DATA / "first-release.db.gz").read_bytes())}
    about = {"format": 1, "judge": "0.1.0", "schema": "0001", "made_at": "2026-01-08T12:01:00+00:00", "database": "sqlite"}
    parts["about.json"] = json.dumps({**about, "sha256": sha256(parts["judge.db"]).hexdigest(), "site_key": with_key}).encode()
    if with_key:
        parts["site.key"] = (DATA / "first-release.db.key").read_bytes()
    with tarfile.open(tmp_path / "old.judge.tar.gz", "w:gz") as tar:
        for name, content in parts.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    done = CliRunner().invoke(main, ["restore", "--config", str(tmp_path / "judge.toml"), str(tmp_path / "old.judge.tar.gz")])
    assert done.exit_code == 0, done.output
    said = done.output + done.stderr
    assert ("reply addresses change" in said) != with_key, said
    assert ("5 letters with new addresses wait" in said) != with_key, said

    table = Table(tmp_path)
    table.clock.at = THEN
    table.mail("england@club.example", f"judge+danube.{ENGLANDS[True]}@judge.example", "F NTH - NWY", run=False)
    table.run()
    with table.s.store.reading() as tx:
        filed = tx.submissions.of(1)
        waiting = [each.letter for number in (1, 2) for each in tx.outbox.of_game(number) if each.state is LetterState.WAITING]
    told = sorted(letter.to for letter in waiting if letter.subject.endswith(NEW_ADDRESS))
    assert told == ([] if with_key else [f"{who}@club.example" for who in ("england", "gm", "gm", "nora", "turkey")])
    assert ([each.power for each in filed if each.mail > 16] == ["ENGLAND"]) == with_key  # the old address counts, or no longer
    table.s.store.close()
