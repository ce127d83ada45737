"""`judge demo --script` and `--keep`: a written game of two years with its transcript, and a server left to whoever writes to it."""

import os
import re
import signal
import smtplib
import subprocess
import sys
import time
from email.message import EmailMessage
from pathlib import Path

import pytest

from judge.cli.demofile import Confirmation, Expectation, Mail, Moment, read_script
from judge.errors import OperatorError

SCRIPTS = Path(__file__).parents[1] / "scripts"
SHORT = """people
  Anna anna@players.example

on 2026-10-19 09:00
Anna to the judge: LIST
Anna gets "{words}"
"""


def demo(folder: Path, script: Path, *more: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "judge", "demo", "--no-pictures", "--folder", str(folder), "--script", str(script), *more]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def test_two_years_by_mail_come_out_as_they_did(tmp_path: Path, renew: bool) -> None:
    """Replacements, an absence across the night of the clock change, a rollback, a draw vote, gunboat press, four languages."""
    process = demo(tmp_path / "demo", SCRIPTS / "two-years.txt")
    said, _ = process.communicate(timeout=300)
    assert process.returncode == 0, said
    kept = SCRIPTS / "two-years.transcript"
    transcript = (tmp_path / "demo" / "transcript.txt").read_text("utf-8")
    if renew:
        kept.write_text(transcript, "utf-8")
    assert transcript.splitlines() == kept.read_text("utf-8").splitlines()


def test_what_does_not_come_is_told_with_its_line(tmp_path: Path) -> None:
    script = tmp_path / "short.txt"
    script.write_text(SHORT.format(words="a pony"), "utf-8")
    process = demo(tmp_path / "demo", script)
    said, _ = process.communicate(timeout=120)
    assert process.returncode == 1
    assert "line 6" in said
    assert "a pony" in said
    assert "LIST" in (tmp_path / "demo" / "transcript.txt").read_text("utf-8")


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_server_that_is_kept_answers_and_ends_cleanly(tmp_path: Path, how: signal.Signals) -> None:
    script = tmp_path / "short.txt"
    script.write_text(SHORT.format(words="game"), "utf-8")
    process = demo(tmp_path / "demo", script, "--keep")
    assert process.stdout is not None
    try:
        found = next(found for line in process.stdout if (found := re.search(r"127\.0\.0\.1:(\d+)", line)))
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = "Bea <bea@players.example>", "judge@chancery.example", "hello"
        mail.set_content("HELP ORDERS")
        with smtplib.SMTP("127.0.0.1", int(found[1]), timeout=30) as smtp:
            smtp.send_message(mail)
        told = next(line for line in process.stdout if "bea@players.example" in line)
        assert "Your mail" in told
        children = _children(process.pid)
        assert children
        process.send_signal(how)
        assert "Goodbye" in process.stdout.read()
        assert process.wait(60) == 0
        _wait_until(lambda: not any(Path(f"/proc/{child}").exists() for child in children))
    finally:
        process.kill()


def _children(pid: int) -> list[int]:
    """The processes a process has started."""
    found = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(child) for child in found.read_text().split()] if found.exists() else [os.getpid()]


def _wait_until(done: object) -> None:
    assert callable(done)
    patience = time.monotonic() + 30
    while not done():
        assert time.monotonic() < patience
        time.sleep(0.05)


def test_a_script_is_read_into_steps(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text(
        "# a comment\npeople\n  Anna anna@x.example\n\non 2026-01-05 12:00\nAnna to the judge\n  LIST\n\n  HELP\n"
        'Anna confirms\nAnna replies to "begins": STATUS\nafter 2 hours\nat the deadline\nAnna gets no "x"\n',
        "utf-8",
    )
    script = read_script(file)
    assert script.people == {"Anna": "anna@x.example"}
    kinds = [type(step) for step in script.steps]
    assert kinds == [Moment, Mail, Confirmation, Mail, Moment, Moment, Expectation]
    first, mail, _, reply, *_ = script.steps
    assert isinstance(mail, Mail)
    assert (mail.text, mail.reply, mail.line) == ("LIST\n\nHELP", False, 6)
    assert isinstance(reply, Mail)
    assert (reply.to, reply.text) == ("begins", "STATUS")
    assert isinstance(first, Moment)
    assert first.at is not None


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("people\n  Anna\n", 2),
        ("# nothing\n", 0),
        ("Anna replies: x\n", 1),
        ("on 2026-01-05 12:00\nBea replies: x\n", 2),
        ("people\n  Anna a@x.example\non 2026-01-05 12:00\nAnna sings\n", 4),
        ("people\n  Anna a@x.example\non 2026-01-05 12:00\nAnna replies\n", 4),
    ],
)
def test_a_fault_in_a_script_is_told_with_its_line(tmp_path: Path, text: str, line: int) -> None:
    file = tmp_path / "a.txt"
    file.write_text(text, "utf-8")
    with pytest.raises(OperatorError, match=f"a.txt:{line}:" if line else "without steps"):
        read_script(file)
