"""How fast mails are read, letters written and mails taken in, each against a yardstick of the same run."""

import os
import smtplib
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from statistics import median

import pytest

from judge.mail import Arrival, Border, Letter, OwnAddresses, Reading, compose, read_message
from judge.mail.door import Door
from tests.support.sink import SmtpServer

MAILS = Path(__file__).parent.parent / "mails"
READING = Reading(OwnAddresses("judge@example.org", "judge-bounces@example.org"), Border("mx.example.org", ("mx.example.org",)))
NOW = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)
ORDERS = (
    "SIGNON danube ENGLAND x\n"
    + "A YOR - NWY VIA\nF NTH C A YOR - NWY\n" * 6
    + "PRESS TO FRANCE\n"
    + "Shall we keep the Channel empty?\n" * 10
)
HEAD = (
    "Received: from a by mx.example.org (Postfix) with ESMTPS id 1; Sun, 29 Nov 2026 12:00:00 +0000\r\n"
    "From: =?utf-8?Q?Petr_Dvo=C5=99=C3=A1k?= <petr@example.com>\r\nTo: judge <judge+danube.k7q2m9xd3f@example.org>\r\n"
    "Subject: danube orders\r\n"
    "Message-ID: <1@example.com>\r\nDate: Sun, 29 Nov 2026 12:00:00 +0000\r\nMIME-Version: 1.0\r\n"
)
TEXT = (HEAD + "Content-Type: text/plain; charset=utf-8\r\n\r\n" + ORDERS.replace("\n", "\r\n")).encode()
TWINS = (MAILS / "02-gmail-top-reply-over-quoted-result.eml").read_bytes()


def rate(work: Callable[[], object], count: int = 300) -> float:
    """Runs a CPU second."""
    begun = time.process_time()
    for _ in range(count):
        work()
    return count / (time.process_time() - begun)


def ratio(ours: Callable[[], object], theirs: Callable[[], object]) -> tuple[float, float, float]:
    """Both rates and their ratio, medians of five, one after the other in each round."""
    rounds = [(rate(ours), rate(theirs)) for _ in range(5)]
    return median(a for a, _ in rounds), median(b for _, b in rounds), median(a / b for a, b in rounds)


def by_default_policy(raw: bytes) -> str:
    message = message_from_bytes(raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    body = message.get_body(("plain",))
    assert body is not None
    return f"{message['From'].addresses}{message['Subject']}{message['Message-ID']}{body.get_content()}"


@pytest.mark.bench
@pytest.mark.parametrize(("name", "raw", "floor"), [("text", TEXT, 2.0), ("twins", TWINS, 2.0)])
def test_reading(name: str, raw: bytes, floor: float) -> None:
    ours, theirs, times = ratio(lambda: read_message(raw, READING, NOW), lambda: by_default_policy(raw))
    print(f"reading {name}: {ours:.0f}/s, policy.default {theirs:.0f}/s, ratio {times:.1f}")
    assert times > floor


@pytest.mark.bench
def test_writing() -> None:
    picture = b"\x89PNG" + os.urandom(60_000)
    letter = Letter(
        message_id="danube.S1901M.ITALY.start@example.org",
        envelope_from="",
        to="ivo@example.com",
        to_name="Ivo",
        from_address="judge@example.org",
        from_name="danube judge",
        subject="[danube S1901M] Italy",
        text="A Par - Bur   moved\n" * 120,
        date=NOW,
        html="<p>A Par - Bur</p>" * 120 + '<img src="cid:picture">',
    )

    def by_email_message() -> bytes:
        message = EmailMessage()
        message["Subject"], message["From"], message["To"] = letter.subject, letter.from_address, letter.to
        message.set_content(letter.text)
        message.add_attachment(picture, maintype="image", subtype="png")
        return message.as_bytes()

    ours, theirs, times = ratio(lambda: compose(letter, picture=picture), by_email_message)
    print(f"writing with a picture of 60 kB: {ours:.0f}/s, EmailMessage {theirs:.0f}/s, ratio {times:.1f}")
    assert times > 5


def hammer(address: tuple[str, int], connections: int, mails: int) -> float:
    """Mails a second that so many connections get rid of."""

    def send() -> None:
        with smtplib.SMTP(*address) as client:
            for _ in range(mails):
                client.sendmail("petr@example.com", ["judge@example.org"], TEXT)

    threads = [threading.Thread(target=send) for _ in range(connections)]
    begun = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return connections * mails / (time.monotonic() - begun)


@pytest.mark.bench
def test_the_door() -> None:
    with tempfile.TemporaryFile() as file:

        def accept(arrivals: Sequence[Arrival]) -> None:
            for arrival in arrivals:
                file.write(arrival.raw)
            file.flush()
            os.fsync(file.fileno())

        door = Door(accept, lambda: NOW)
        door.start()
        idle = SmtpServer().start()
        rounds = [(hammer(door.address, 16, 20), hammer(("127.0.0.1", idle.port), 16, 20)) for _ in range(5)]
        door.stop()
        idle.stop()
    ours, theirs = median(a for a, _ in rounds), median(b for _, b in rounds)
    print(f"door, 16 connections, kept and fsynced: {ours:.0f}/s; aiosmtpd that keeps nothing: {theirs:.0f}/s")
    assert ours > theirs / 3
