"""Health and figures: what is served, what they say when something is wrong, and what they never say."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from http.client import HTTPConnection
from pathlib import Path

import pytest

from judge.errors import TryLater
from judge.service.context import Pulse
from judge.service.handle import handle_next
from judge.service.watching import ROUND_LATE
from judge.web.watch import PAGES, watching
from tests.support.process import JudgeProcess
from tests.support.table import Table

MOST_LINES = 120


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    table.mail("anna@club.example", "judge@judge.example", "CREATE danube")
    note_round(table)
    yield table
    table.s.store.close()


def note_round(table: Table) -> None:
    with table.s.store.transaction() as tx:
        tx.marks.set("alive", table.clock.at.isoformat())


def ask(table: Table, path: str) -> tuple[int, str]:
    status, _, text = PAGES[path](table.s)
    return status, text


def failing(table: Table, path: str = "/health") -> list[str]:
    """The checks that fail, where the answer says so."""
    status, text = ask(table, path)
    told = json.loads(text)
    assert (status == 200) == (told["status"] == "ok")
    return [name for name, check in told["checks"].items() if not check["ok"]]


def values(text: str) -> dict[str, float]:
    return {name: float(value) for name, value in re.findall(r"^([a-z_]+(?:\{[^}]*\})?) (\S+)$", text, re.MULTILINE)}


def test_all_is_well(table: Table) -> None:
    assert [failing(table, path) for path in ("/health", "/health/ready", "/health/live")] == [[], [], []]


def test_what_waits_too_long_is_told(table: Table) -> None:
    table.mail("bert@club.example", "judge@judge.example", "HELP", run=False)
    table.clock.at += timedelta(minutes=61)
    assert failing(table) == ["last_round"]
    note_round(table)
    assert failing(table) == []
    handle_next(table.s)
    table.clock.at += timedelta(minutes=61)
    note_round(table)
    assert failing(table) == ["letters"]
    assert failing(table, "/health/ready") == []  # a slow relay is no cause to start the judge anew


def test_a_loop_that_stands_still_is_told(table: Table) -> None:
    stuck = Pulse()
    stuck.at -= ROUND_LATE + 1
    table.s = replace(table.s, pulse=stuck)
    for path in ("/health", "/health/ready", "/health/live"):
        assert failing(table, path) == ["round"]
    stuck.beat()
    assert failing(table) == []


def test_a_database_that_does_not_answer(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def away() -> Iterator[None]:
        if table:
            raise TryLater("connection to db.example.org as judge failed")
        yield

    monkeypatch.setattr(type(table.s.store), "snapshot", lambda self: away())
    assert failing(table) == failing(table, "/health/ready") == ["database"]
    assert failing(table, "/health/live") == []
    assert ask(table, "/metrics") == (503, "the database does not answer\n")
    assert "example" not in ask(table, "/health")[1]


def test_figures_are_in_the_format_of_prometheus(table: Table) -> None:
    table.mail("bert@club.example", "judge@judge.example", "HELP", run=False)
    table.clock.at += timedelta(seconds=40)
    status, text = ask(table, "/metrics")
    assert status == 200
    for line in text.splitlines():
        assert re.fullmatch(r'# (HELP \w+ .+|TYPE \w+ (gauge|counter))|[a-z_]+(\{[a-z]+="[^"\\]*"\})? -?[0-9.e+]+', line), line
    found = values(text)
    assert (found["judge_mails_unfinished"], found["judge_mails_unfinished_seconds"]) == (1, 40)
    assert (found["judge_mails_received_total"], found["judge_letters_written_total"]) == (2, 1)
    assert found['judge_mailbox_unread_seconds{mailbox="door"}'] == 40
    assert found['judge_games{status="running"}'] == 0
    assert found["judge_database_bytes"] > 100_000
    assert found["process_resident_memory_bytes"] > 10_000_000
    assert len(text.splitlines()) < MOST_LINES


def test_figures_hold_no_secret_and_no_address(table: Table) -> None:
    for path in PAGES:
        _, text = ask(table, path)
        assert "@" not in text
        assert "club" not in text
        assert table.s.keys.key.hex() not in text  # type: ignore[attr-defined]  # the usual keys


def get(port: int, path: str, method: str = "GET") -> tuple[int, str]:
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request(method, path)
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def test_served_over_http(table: Table) -> None:
    with watching(table.s, "127.0.0.1", 0) as port:
        assert get(port, "/health")[0] == get(port, "/health/live?x=1")[0] == get(port, "/metrics")[0] == 200
        assert get(port, "/health", "HEAD") == (200, "")
        assert get(port, "/")[0] == get(port, "/etc/passwd")[0] == 404
        assert get(port, "/metrics", "POST")[0] == 501
        with pytest.raises(OSError, match="in use"), watching(table.s, "127.0.0.1", port):
            pass


def test_judge_run_serves_them(tmp_path: Path) -> None:
    settings = (
        '[judge]\naddress = "judge@judge.example"\npictures = false\n[mail_in]\nmaildir = "in"\n[mail_out]\nmaildir = "out"\n'
        "[web]\nenabled = false\n[watch]\nport = 0\n"
    )
    with JudgeProcess(tmp_path, settings) as judge:
        judge.wait_until_up()
        port = int((tmp_path / "spool" / "watch.port").read_text())
        assert get(port, "/health/live")[0] == 200
        assert values(get(port, "/metrics")[1])["judge_mails_unfinished"] == 0
        judge.stop()
