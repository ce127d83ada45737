"""The sequences of `tests/game/cases/life.jsonl` that need a mailbox or a mail server: a whole game, a real Dovecot, a relay that fails.

Each takes what must come out from its case.
"""

import json
import re
import time
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from imapclient import IMAPClient

from judge.errors import TryLater
from judge.mail import Batch, Delivered, MailUnreachable, Outcome, Rejected
from judge.mail.imap import ImapAccount, ImapSource
from judge.service.receive import receive_new
from tests.support.circle import MASTER, POWERS, Circle, address_of, gather
from tests.support.dovecot import PASSWORD, Dovecot
from tests.support.proxy import FaultProxy
from tests.support.table import Read

LINES = (Path(__file__).parents[1] / "game" / "cases" / "life.jsonl").read_text("utf-8").splitlines()
CASES: dict[str, dict[str, Any]] = {case["id"]: case for case in map(json.loads, LINES)}
NUMBERS = count(1)


@pytest.fixture(scope="module")
def dovecot() -> Iterator[Dovecot]:
    with Dovecot() as server:
        yield server


@pytest.fixture
def proxy(dovecot: Dovecot) -> Iterator[FaultProxy]:
    between = FaultProxy(dovecot.imap)
    yield between
    between.close()


class Mailbox:
    """A game whose mails come out of a mailbox of the server, which the judge reads through a proxy."""

    def __init__(self, folder: Path, server: Dovecot, proxy: FaultProxy) -> None:
        self.circle = gather(folder, "movement 10d misses 0", at=datetime.now(UTC).replace(microsecond=0))
        self.server = server
        self.user = f"sequence{next(NUMBERS)}"
        account = ImapAccount("127.0.0.1", self.user, lambda: PASSWORD, proxy.port, "none", timeout=1.0, idle_limit=0.5)
        self.source = ImapSource(account, lambda: datetime.now(UTC))

    def send(self, power: str, text: str) -> None:
        """A mail from a player comes into the mailbox."""
        to = self.circle.reply[address_of(power)]
        number = next(NUMBERS)
        raw = f"From: <{address_of(power)}>\r\nTo: {to}\r\nMessage-ID: <s{number}@players.example>\r\nSubject: orders\r\n\r\n{text}\r\n"
        self.server.deliver(raw.encode(), f"{self.user}@example.org", address_of(power))

    def look(self) -> list[Read]:
        """What the judge does when it looks: reads what is new, and answers it; a mailbox out of reach is left for the next time."""
        try:
            receive_new(self.circle.table.s, self.source)
        except TryLater:
            return []
        self.circle.table.clock.at = datetime.now(UTC) + timedelta(seconds=1)
        self.circle.table.run()
        return self.circle.table.new()


def answers(letters: list[Read], power: str) -> list[Read]:
    return [letter for letter in letters if letter.to == address_of(power) and "filed" in letter.text]


def test_c043_a_mail_that_somebody_has_opened_is_handled(tmp_path: Path, dovecot: Dovecot, proxy: FaultProxy) -> None:
    box = Mailbox(tmp_path, dovecot, proxy)
    box.send("FRANCE", "A Par - Bur")
    person = IMAPClient("127.0.0.1", dovecot.imap, ssl=False)
    person.login(box.user, PASSWORD)
    person.select_folder("INBOX")
    person.add_flags(person.search(), [b"\\Seen"])
    person.logout()
    assert bool(answers(box.look(), "FRANCE")) is CASES["C043"]["expect"]["mail_handled"]


def test_c052_a_line_that_dies_silently_is_noticed_and_the_mail_read(tmp_path: Path, dovecot: Dovecot, proxy: FaultProxy) -> None:
    expect = CASES["C052"]["expect"]
    box = Mailbox(tmp_path, dovecot, proxy)
    box.look()  # connected
    proxy.stalled = True  # nothing is closed, nothing comes any more
    box.send("FRANCE", "A Par - Bur")
    begun = time.monotonic()
    box.source.wait(60, Event())
    assert time.monotonic() - begun < 20  # the wait has an end of its own
    proxy.stalled = False
    letters: list[Read] = []
    for _ in range(20):
        letters += box.look()
    assert len(answers(letters, "FRANCE")) == int(expect["mail_handled"])
    usual = ImapAccount("mail.example", "judge", str)
    assert timedelta(seconds=usual.idle_limit + usual.timeout) < timedelta(minutes=expect["within_minutes"])


def test_c056_a_flag_that_cannot_be_set_makes_no_second_handling(
    tmp_path: Path, dovecot: Dovecot, proxy: FaultProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    box = Mailbox(tmp_path, dovecot, proxy)
    box.send("FRANCE", "A Par - Bur")
    real = box.source.ack
    cut: list[Batch] = []

    def ack(batch: Batch) -> None:
        if not cut:
            cut.append(batch)
            proxy.cut_all()
        real(batch)

    monkeypatch.setattr(box.source, "ack", ack)
    letters: list[Read] = []
    for _ in range(20):
        letters += box.look()
        box.circle.table.run()
        letters += box.circle.table.new()
    assert cut
    assert len(answers(letters, "FRANCE")) == CASES["C056"]["expect"]["handled_count"]
    assert box.circle.answer("FRANCE", "RECEIPTS").text.count("A Par - Bur") <= 2  # one receipt, and what is in force


def hold_all(circle: Circle) -> None:
    """Every power sends an order, so that nobody is missed."""
    for power, order in zip(POWERS, ("A Vie", "F Lon", "A Par", "A Ber", "A Rom", "A Mos", "A Con"), strict=True):
        circle.write(power, f"{order} H")


def results(letters: list[Read]) -> Counter[str]:
    """How many results each reader got."""
    return Counter(letter.to for letter in letters if "Spring 1901 resolved" in letter.subject)


def test_c029_results_wait_while_the_relay_refuses_the_login(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case = CASES["C029"]
    hours = int(re.findall(r"(\d+) hours", case["steps"][0])[0])
    circle = gather(tmp_path, "movement 3d misses 0")
    hold_all(circle)
    table = circle.table
    table.wait(timedelta(days=3) - timedelta(hours=hours / 2))
    table.new()
    send, back = table.sink.send, table.clock.at + timedelta(hours=hours)

    def failing(envelope_from: str, recipients: object, raw: bytes) -> tuple[Outcome, ...]:
        if table.clock.at < back:
            raise MailUnreachable("login failed")
        return send(envelope_from, recipients, raw)

    monkeypatch.setattr(table.sink, "send", failing)
    monkeypatch.setattr(table.s.pacer, "clock", lambda: table.clock.at.timestamp())  # no rest between tries is waited for
    for _ in range(hours * 6):
        assert results(table.new()) == Counter()
        table.wait(timedelta(minutes=10))
    letters = table.new()
    for _ in range(24):
        table.wait(timedelta(minutes=10))
        letters += table.new()
    told = results(letters)
    everybody = {*map(address_of, POWERS), MASTER}
    assert (set(told) == everybody) is case["expect"]["results_delivered"]
    assert sum(told.values()) - len(told) == case["expect"]["duplicates"]
    assert "Fall 1901" in circle.answer("FRANCE", "STATUS").text  # the phase stayed closed


def test_c072_a_refused_recipient_touches_nobody_else_and_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expect = CASES["C072"]["expect"]
    refused = str(expect["gm_told"]).split()[0]
    circle = gather(tmp_path, "movement 3d misses 0")
    hold_all(circle)
    table = circle.table
    send = table.sink.send

    def answering(envelope_from: str, recipients: object, raw: bytes) -> tuple[Outcome, ...]:
        assert isinstance(recipients, tuple)
        assert len(recipients) == 1  # each reader has a mail of his own
        if recipients == (address_of(refused),):
            return tuple(Rejected(each, 550, "no such user here") for each in recipients)
        return send(envelope_from, recipients, raw)

    monkeypatch.setattr(table.sink, "send", answering)
    table.wait(timedelta(days=3))
    table.run()
    letters = table.new()
    told = results(letters)
    assert sorted(power for power in POWERS if told[address_of(power)]) == expect["delivered_to"]
    assert all(isinstance(Delivered(to), Delivered) and number == 1 for to, number in told.items())
    gm = [letter for letter in letters if letter.to == MASTER and refused.title() in f"{letter.subject} {letter.text}"]
    assert any("no such user here" in letter.text for letter in gm)
