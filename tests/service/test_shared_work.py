"""Processes with parts of the work each, on one PostgreSQL database: one wakes the next at once, and a dead one is replaced."""

import smtplib
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.service.failpoints import VARIABLE
from judge.store import open_store
from tests.support.places import free_port, wait_until
from tests.support.postgres import shared_server
from tests.support.process import JudgeProcess

SETTINGS = """
database = "{url}"
[judge]
address = "judge@judge.example"
pictures = false
tick = 300.0
[mail_in.door]
port = {port}
[mail_out]
maildir = "out"
[web]
enabled = false
[watch]
enabled = false
"""


@pytest.fixture
def url() -> Iterator[str]:
    server = shared_server()
    url = server.fresh_database()
    yield url
    server.drop(url)


def test_roles_wake_each_other_at_once(tmp_path: Path, url: str) -> None:
    """Nobody looks by himself within five minutes, so whatever happens sooner came of a hint."""
    port = free_port()
    settings = SETTINGS.format(url=url, port=port)
    first = open_store(url)  # its tables are there before three processes want to make them
    judges = [JudgeProcess(tmp_path, settings, only).start() for only in ("receive", "handle,close", "deliver")]
    try:
        for judge in judges:
            judge.wait_until_up()
        time.sleep(1.0)  # until all of them listen
        begun = time.monotonic()
        with smtplib.SMTP("127.0.0.1", port) as client:
            client.sendmail("anna@club.example", ["judge@judge.example"], b"From: anna@club.example\r\nMessage-ID: <1@x>\r\n\r\nHELP\r\n")
        wait_until(lambda: any((tmp_path / "out" / "new").glob("*")), 30)
        assert time.monotonic() - begun < 10
        for judge in judges:
            assert judge.stop() < 10
    finally:
        for judge in judges:
            judge.kill()
        first.close()


@pytest.mark.torture
def test_what_a_killed_process_had_is_done_by_another(tmp_path: Path, url: str) -> None:
    port = free_port()
    settings = SETTINGS.format(url=url, port=port).replace("tick = 300.0", "tick = 1.0")
    one = JudgeProcess(tmp_path, settings).start(**{VARIABLE: "worker_after_claim"})
    one.wait_until_up()
    with smtplib.SMTP("127.0.0.1", port) as client:
        client.sendmail("anna@club.example", ["judge@judge.example"], b"From: anna@club.example\r\nMessage-ID: <1@x>\r\n\r\nHELP\r\n")
    wait_until(lambda: not one.is_alive, 20)
    other = JudgeProcess(tmp_path, settings, "handle,close,deliver").start()
    try:
        wait_until(lambda: any((tmp_path / "out" / "new").glob("*")), 60)  # once its lease of half a minute has run out
        assert len(list((tmp_path / "out" / "new").glob("*"))) == 1
        assert other.stop() < 10
    finally:
        other.kill()
