"""A backup made while mails flow, a kill, and the backup put back: the mailbox is read again, and nothing is lost or done twice."""

import re
import smtplib
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from email import message_from_bytes, policy
from pathlib import Path

import pytest
from sqlalchemy import select

from judge.store import open_store
from judge.store.checking import check_store
from judge.store.tables import outbox
from tests.support.dovecot import PASSWORD, Dovecot
from tests.support.nursery import PEOPLE, LiveClock, Nursery
from tests.support.places import free_port, wait_until
from tests.support.postgres import shared_server
from tests.support.process import JudgeProcess
from tests.support.sink import SmtpServer

SETTINGS = """
database = "{url}"
[judge]
address = "judge@judge.example"
pictures = false
tick = 0.5
[mail_in]
{maildir}
{way_in}
[mail_out.smtp]
host = "127.0.0.1"
port = {smtp}
security = "none"
[limits]
mails_per_hour = 100000
answers_per_hour = 100000
answers_per_day = 100000
resend_hours = {resend}
[web]
enabled = false
[watch]
enabled = false
"""
IMAP = '[mail_in.imap]\nhost = "127.0.0.1"\nport = {port}\nsecurity = "none"\nuser = "judge"\nsecret = "env:JUDGE_TEST_SECRET"\n'
DOOR = "[mail_in.door]\nport = {port}\nretry_gap = 0\n"
BEFORE, BETWEEN, AFTER = 15, 10, 15
"""Messages sent before the backup is begun, between its end and the kill, and after the kill; while it is made they go on."""


@pytest.fixture
def fresh(kind: str, tmp_path: Path) -> Iterator[Callable[[], str]]:
    """Makes the URL of a database that holds nothing."""
    made: list[str] = []

    def make() -> str:
        if kind == "postgres":
            made.append(shared_server().fresh_database())
            return made[-1]
        for old in (tmp_path / "spool").glob("judge.db*"):
            old.unlink()
        return f"sqlite:///{tmp_path}/spool/judge.db"

    yield make
    for url in made:
        shared_server().drop(url)


@pytest.fixture
def sink() -> Iterator[SmtpServer]:
    server = SmtpServer().start()
    yield server
    server.stop()


def message(number: int, to: str) -> bytes:
    """A message of England to Turkey."""
    head = f"From: {PEOPLE['ENGLAND']}\r\nTo: {to}\r\nSubject: news\r\nMessage-ID: <load{number}@club.example>\r\n\r\n"
    return f"{head}PRESS TO TURKEY\r\nthis is message {number} of many\r\nENDPRESS\r\n".encode()


def told_to_turkey(sink: SmtpServer) -> dict[int, Counter[str]]:
    """For each message the Message-IDs of the letters that carried it to Turkey, with how often each was handed over."""
    found: dict[int, Counter[str]] = {}
    for taken in list(sink.taken):
        if PEOPLE["TURKEY"] not in taken.recipients:
            continue
        letter = message_from_bytes(taken.raw, policy=policy.default)
        body = letter.get_body(("plain",))
        assert body is not None
        for number in re.findall(r"this is message (\d+) of many", body.get_content()):
            found.setdefault(int(number), Counter())[str(letter["Message-ID"])] += 1
    return found


def judge_command(folder: Path, *words: str) -> str:
    """What the command line says."""
    command = [sys.executable, "-m", "judge", *words, "--config", str(folder / "judge.toml")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def kept(url: str) -> Counter[str]:
    """The messages that are kept, and how often."""
    store = open_store(url)
    with store.reading() as tx:
        game = tx.games.get("danube")
        assert game is not None
        texts = Counter(item.text.strip() for item in tx.press.of(game.game.id))
    store.close()
    return texts


def letters_sent(url: str) -> set[str]:
    """The Message-IDs of letters that are known to be sent."""
    store = open_store(url)
    with store.snapshot() as db:
        found = set(db.execute(select(outbox.c.message_id).where(outbox.c.state == "sent")).scalars())
    store.close()
    return found


LONG = pytest.mark.torture
WAYS = [
    ("sqlite", "door"),
    pytest.param("sqlite", "imap", marks=LONG),
    pytest.param("postgres", "imap", marks=LONG),
    pytest.param("postgres", "door", marks=LONG),
]


@pytest.mark.parametrize(("kind", "way"), WAYS)
def test_nothing_is_lost_or_doubled(
    tmp_path: Path, fresh: Callable[[], str], sink: SmtpServer, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUDGE_TEST_SECRET", PASSWORD)
    (tmp_path / "spool").mkdir()
    url = fresh()
    nursery = Nursery(tmp_path, url, LiveClock())
    nursery.begin()
    to = nursery.secret(nursery.game(), "ENGLAND")
    port, copies = free_port(), tmp_path / "copies"
    for part in ("tmp", "new", "cur"):
        (copies / part).mkdir(parents=True)

    with Dovecot() as dovecot:

        def send(number: int) -> None:
            raw = message(number, to)
            if way == "imap":
                dovecot.deliver(raw, to="judge@example.org", sender=PEOPLE["ENGLAND"])
                return
            with smtplib.SMTP("127.0.0.1", port) as client:
                client.sendmail(PEOPLE["ENGLAND"], [to], raw)
            (copies / "tmp" / f"{number:04}").write_bytes(raw)  # as a mail server keeps a copy
            (copies / "tmp" / f"{number:04}").rename(copies / "new" / f"{number:04}")

        def settings(url: str, maildir: str = "", resend: int = 72) -> str:
            way_in = IMAP.format(port=dovecot.imap) if way == "imap" else DOOR.format(port=port)
            return SETTINGS.format(url=url, way_in=way_in, smtp=sink.port, maildir=maildir, resend=resend)

        judge = JudgeProcess(tmp_path, settings(url))
        try:
            judge.start().wait_until_up()
            numbers = iter(range(10_000))
            for _ in range(BEFORE):
                send(next(numbers))
            backing = threading.Thread(target=judge_command, args=(tmp_path, "backup", "--to", str(tmp_path / "safe")))
            backing.start()
            while backing.is_alive():
                send(next(numbers))
                time.sleep(0.2)
            for _ in range(BETWEEN):
                send(last := next(numbers))
            wait_until(lambda: len(told_to_turkey(sink)) > BEFORE, 100, 0.2)
            judge.kill()
            if way == "imap":
                for _ in range(AFTER):
                    send(next(numbers))

            (backup,) = (tmp_path / "safe").iterdir()
            url = fresh()
            judge.config.write_text(settings(url, f'maildir = "{copies}"' if way == "door" else "", resend=0))
            assert "1 game" in judge_command(tmp_path, "restore", str(backup))
            before = sum(kept(url).values())
            assert 0 < before <= last
            sent_before = letters_sent(url)
            again_from = len(sink.taken)
            judge.start().wait_until_up()
            if way == "door":
                for _ in range(AFTER):
                    send(next(numbers))
            mails = next(numbers)
            wait_until(lambda: len(kept(url)) == mails, 200, 0.5)
            wait_until(lambda: len(told_to_turkey(sink)) == mails, 200, 0.5)
            wait_until(lambda: '"letters_waiting": 0' in judge_command(tmp_path, "status", "--json"), 100, 0.5)
            assert judge.stop() < 15
        finally:
            judge.kill()
    assert kept(url) == {f"this is message {number} of many": 1 for number in range(mails)}
    told = told_to_turkey(sink)
    assert set(told) == set(range(mails))
    once_more = Counter(re.findall(rb"^Message-ID: <([^>]+)>", b"\n".join(taken.raw for taken in sink.taken), re.M))
    repeated = {name.decode() for name, count in once_more.items() if count > 1}
    assert not repeated & sent_before, "letters that the backup knew as sent went out again"
    if way == "imap":  # numbered as before, so what the relay had taken already comes as the same letter, which mail programs know again
        assert {number: len(found) for number, found in told.items()} == dict.fromkeys(range(mails), 1)
    print(f"{before} of {mails} in the backup, {len(sink.taken) - again_from} letters after it, {len(repeated)} of them once more")
    store = open_store(url)
    assert check_store(store) == ()
    store.close()
