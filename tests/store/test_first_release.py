"""Databases of the first release (`data/SOURCE.md`) brought up to date, and their games played on; released migrations never change."""

import gzip
import shutil
import subprocess
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
from judge.store import migrations, open_store
from judge.store.checking import check_store
from tests.support.places import program
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


ENGLANDS = {True: "ged0bncb4g77", False: "92c2hej6qbge"}
"""The secret of England's reply address, as it stood in the letters of the time: on SQLite, on PostgreSQL."""


def _game(table: Table) -> Game:
    with table.s.store.reading() as tx:
        kept = tx.games.get("danube")
    assert kept is not None
    return kept.game
