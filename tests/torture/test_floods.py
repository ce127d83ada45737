"""Ten thousand mails at once: junk before a deadline, and orders by SMTP."""

import os
import smtplib
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from judge.mail import Arrival
from judge.service.daemon import one_round
from judge.service.receive import accept
from tests.support.duel import JUDGE, POWERS, Duel
from tests.support.places import free_port, wait_until
from tests.support.process import JudgeProcess

pytestmark = pytest.mark.torture
MANY = 10_000
_SETTINGS = """
[judge]
address = "judge@judge.example"
pictures = false
tick = 1.0
[mail_in.door]
port = {port}
[mail_out]
maildir = "out"
connections = 2
[limits]
mails_per_hour = 1000000
answers_per_hour = 1000000
answers_per_day = 1000000
[web]
enabled = false
"""


def test_junk_before_a_deadline_delays_no_game(tmp_path: Path, tell: Callable[[str], None]) -> None:
    duel = Duel(tmp_path)
    deadline = duel.game.deadline
    assert deadline is not None
    duel.clock.at = deadline.at - timedelta(minutes=2)
    for start in range(0, MANY, 50):
        accept(duel.s, [junk(number, duel) for number in range(start, start + 50)])
    for power in POWERS:
        duel.table.mail(duel.address(power), duel.secret(power), duel.holds(power).partition("\n")[0], run=False)
    duel.clock.at = deadline.at + timedelta(seconds=1)
    with duel.s.store.transaction() as tx:
        tx.marks.set("read:door", duel.clock.at.isoformat())
    begun = time.monotonic()
    while str(duel.game.phase) == "S1901M":
        one_round(duel.s)
    took = time.monotonic() - begun
    with duel.s.store.reading() as tx:
        (turn,) = tx.turns.of(duel.game.id)
        left = tx.inbox.unfinished()
    tell(f"{MANY} junk mails waiting, {left} still there when the game closed, {took:.1f} s after its deadline")
    assert took < 60
    assert all(turn.given[power] for power in POWERS)


def junk(number: int, duel: Duel) -> Arrival:
    """A mail of somebody nobody knows, some of them naming the game or a player."""
    sender = f"x{number}@junk.example"
    to = JUDGE if number % 3 else "judge+danube@judge.example"
    raw = f"From: {sender}\r\nTo: {to}\r\nSubject: [danube S1901M]\r\nMessage-ID: <{number}@junk.example>\r\n\r\nA Lon - Yor {number}\r\n"
    return Arrival(raw.encode(), duel.clock.at, None, sender, (to,))


def test_a_burst_of_orders_by_smtp(tmp_path: Path, tell: Callable[[str], None]) -> None:
    (tmp_path / "spool").mkdir()
    duel = Duel(tmp_path)
    secrets = {power: duel.secret(power) for power in POWERS}
    duel.s.store.close()
    port = free_port()
    with JudgeProcess(tmp_path, _SETTINGS.format(port=port)) as judge:
        judge.wait_until_up()
        begun = time.monotonic()
        children = [hand_in(port, secrets, range(part, MANY, 4)) for part in range(4)]
        for child in children:
            _, status = os.waitpid(child, 0)
            assert status == 0
        durable = time.monotonic() - begun
        out = tmp_path / "out" / "new"
        wait_until(lambda: len(os.listdir(out)) >= MANY, 900, 1.0)
        tell(f"{MANY} order mails by SMTP: all durable after {durable:.1f} s, all answered after {time.monotonic() - begun:.1f} s")
    assert durable < 60
    assert time.monotonic() - begun < 600


def hand_in(port: int, secrets: dict[str, str], numbers: range) -> int:
    """A process that hands in order mails, one after another on one connection."""
    if child := os.fork():
        return child
    code = 1
    try:
        with smtplib.SMTP("127.0.0.1", port) as client:
            for number in numbers:
                power = POWERS[number % 2]
                unit = "A Lon - Yor" if power == "ENGLAND" else "A Con - Bul"
                raw = f"From: {Duel.address(power)}\r\nTo: {secrets[power]}\r\nMessage-ID: <b{number}@club.example>\r\n\r\n{unit}\r\n"
                client.sendmail(Duel.address(power), [secrets[power]], raw.encode())
        code = 0
    finally:
        os._exit(code)
