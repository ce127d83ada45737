"""Two installations on one mailbox: the second one says so at once, to its log and its keeper, and touches nothing."""

import re
from pathlib import Path

import pytest

from tests.support.dovecot import PASSWORD, Dovecot
from tests.support.places import wait_until
from tests.support.process import JudgeProcess
from tests.support.sink import SmtpServer

HELP = b"From: %s@example.com\r\nTo: judge@example.org\r\nMessage-ID: <%s@x>\r\n\r\nHELP\r\n"
SETTINGS = """
[judge]
address = "judge@example.org"
operator = "keeper@example.com"
pictures = false
tick = 1.0
[mail_in.imap]
host = "127.0.0.1"
port = {imap}
security = "none"
user = "judge"
secret = "env:JUDGE_TEST_SECRET"
[mail_out.smtp]
host = "127.0.0.1"
port = {smtp}
security = "none"
[web]
enabled = false
[watch]
enabled = false
"""


def test_the_second_one_keeps_its_hands_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUDGE_TEST_SECRET", PASSWORD)
    sink = SmtpServer().start()
    with Dovecot() as dovecot:
        settings = SETTINGS.format(imap=dovecot.imap, smtp=sink.port)
        folders = tmp_path / "first", tmp_path / "second"
        for folder in folders:
            folder.mkdir()
        first, second = (JudgeProcess(folder, settings) for folder in folders)

        def read_by(judge: JudgeProcess) -> int:
            return judge.log.read_text().count('"event": "mailbox is not read"')

        def letters(subject: bytes) -> int:
            return sum(bool(re.search(rb"^Subject: .*" + subject, taken.raw, re.M)) for taken in sink.taken)

        try:
            first.start().wait_until_up()
            wait_until(lambda: any((dovecot.maildir).glob("*chancery-*")), 30)
            second.start().wait_until_up()
            wait_until(lambda: read_by(second) > 0, 30)
            wait_until(lambda: letters(b"Another judge reads this mailbox") == 1, 30)
            dovecot.deliver(
                b"From: anna@example.com\r\nTo: judge@example.org\r\nMessage-ID: <1@x>\r\n\r\nHELP\r\n", sender="anna@example.com"
            )
            wait_until(lambda: any("anna@example.com" in taken.recipients for taken in sink.taken), 30)
            assert read_by(first) == 0
            first.stop()
            (folders[0] / "judge.log").write_text("")
            dovecot.deliver(
                b"From: bert@example.com\r\nTo: judge@example.org\r\nMessage-ID: <2@x>\r\n\r\nHELP\r\n", sender="bert@example.com"
            )
            wait_until(lambda: any("bert@example.com" in taken.recipients for taken in sink.taken), 90)  # the other one goes on
            second.stop()
        finally:
            first.kill()
            second.kill()
            sink.stop()
        assert letters(b"Another judge reads this mailbox") == 1
