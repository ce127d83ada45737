"""In which order and how fast letters leave, and what a slow, busy or dead recipient does to the others."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from judge.mail import Deferred, Delivered, Letter, MailThrottled, MailUnreachable, Outcome, Rejected
from judge.service.context import Services
from judge.service.deliver import Postman, deliver_waiting
from judge.service.pace import Pacer
from judge.store import LetterKind, LetterState, OutboxLetter
from tests.support.places import wait_until
from tests.support.table import Table

MINUTE = timedelta(minutes=1)


@dataclass
class Relay:
    """A sink that answers as `says` has it, by recipient, and notes what it was given, and when."""

    now: Callable[[], datetime]
    says: Callable[[str], Outcome | None] = lambda to: Delivered(to)
    got: list[tuple[str, datetime]] = field(default_factory=list)
    tries: Counter[str] = field(default_factory=Counter)
    raws: dict[str, set[bytes]] = field(default_factory=dict)

    def send(self, envelope_from: str, recipients: Sequence[str], raw: bytes) -> tuple[Outcome, ...]:
        (to,) = recipients
        self.tries[to] += 1
        self.raws.setdefault(to, set()).add(raw)
        outcome = self.says(to)
        assert outcome is not None
        if isinstance(outcome, Delivered):
            self.got.append((to, self.now()))
        return (outcome,)

    def close(self) -> None:
        return


class Office:
    """A judge without games, with letters to send."""

    def __init__(self, folder: Path, a_minute: int = 0, to_domain: int = 0) -> None:
        self.table = Table(folder)
        self.clock = self.table.clock
        self.relay = Relay(self.clock.now)
        self.pacer = Pacer(a_minute, to_domain, clock=lambda: self.clock.at.timestamp())
        self.s: Services = replace(self.table.s, sink=self.relay, pacer=self.pacer)
        self.count = 0

    def add(self, to: str, kind: LetterKind = LetterKind.NOTICE) -> str:
        self.count += 1
        letter = Letter(
            f"j.0.GUEST.n{self.count}@judge.example", "", to, "", "judge@judge.example", "", f"{kind.name}", "text\n", self.clock.at
        )
        with self.s.store.transaction() as tx:
            tx.outbox.add([OutboxLetter(letter, kind)], self.clock.at)
        return letter.message_id

    def send(self) -> list[str]:
        """All that may leave now; the recipients in order."""
        before = len(self.relay.got)
        while deliver_waiting(self.s):
            pass
        return [to for to, _ in self.relay.got[before:]]

    def state(self, message_id: str) -> LetterState:
        with self.s.store.reading() as tx:
            found = tx.outbox.get(message_id)
        assert found is not None
        return found.state


@pytest.fixture
def office(tmp_path: Path) -> Office:
    return Office(tmp_path)


def test_results_leave_before_reminders_before_press(office: Office) -> None:
    kinds = [LetterKind.DIGEST, LetterKind.PRESS, LetterKind.REMINDER, LetterKind.NOTICE, LetterKind.ANSWER, LetterKind.RESULT]
    for kind in kinds:
        for number in range(2):
            office.add(f"{kind.name.lower()}{number}@a.example", kind)
    wanted = [f"{kind.name.lower()}{number}@a.example" for kind in reversed(kinds) for number in range(2)]
    assert office.send() == wanted


@pytest.mark.parametrize(("a_minute", "to_domain"), [(10, 0), (0, 7), (10, 3)])
def test_no_minute_sees_more_letters_than_allowed(tmp_path: Path, a_minute: int, to_domain: int) -> None:
    office = Office(tmp_path, a_minute, to_domain)
    for number in range(30):
        office.add(f"p{number}@{'a' if number % 2 else 'b'}.example")
    for _ in range(100):
        office.send()
        office.clock.at += timedelta(seconds=7)
    times = office.relay.got
    assert len(times) == 30
    for _, begun in times:
        within = [to for to, at in times if begun <= at < begun + MINUTE]
        assert not a_minute or len(within) <= a_minute
        assert not to_domain or max(Counter(to.partition("@")[2] for to in within).values()) <= to_domain


def test_a_result_that_comes_later_still_leaves_before_press_that_waits(tmp_path: Path) -> None:
    office = Office(tmp_path, to_domain=2)
    for number in range(4):
        office.add(f"press{number}@a.example", LetterKind.PRESS)
    assert office.send() == ["press0@a.example", "press1@a.example"]
    office.add("result@a.example", LetterKind.RESULT)
    office.clock.at += MINUTE
    assert office.send() == ["result@a.example", "press2@a.example"]


@pytest.mark.parametrize("asks", [MailThrottled("421 too much mail", MINUTE), Deferred("", 451, "4.7.1 rate limit exceeded")])
def test_a_domain_that_asks_for_patience_slows_itself_only(office: Office, asks: MailThrottled | Deferred) -> None:
    busy = True

    def says(to: str) -> Outcome:
        if to.endswith("@busy.example") and busy:
            if isinstance(asks, MailThrottled):
                raise asks
            return asks
        return Delivered(to)

    office.relay.says = says
    for number in range(8):
        office.add(f"p{number}@busy.example", LetterKind.RESULT)
        office.add(f"p{number}@a.example", LetterKind.PRESS)
    assert office.send() == [f"p{number}@a.example" for number in range(8)]
    assert sum(office.relay.tries[to] for to in office.relay.tries if "busy" in to) == 1  # no letter beats on a closed door
    busy = False
    office.clock.at += 2 * MINUTE
    assert len(office.send()) == 8


def test_a_dead_recipient_holds_up_nobody_and_is_noted(office: Office) -> None:
    office.relay.says = lambda to: Rejected(to, 550, "no such user") if to.startswith("dead") else Delivered(to)
    dead = office.add("dead@a.example", LetterKind.RESULT)
    alive = office.add("alive@a.example")
    assert office.send() == ["alive@a.example"]
    assert (office.state(dead), office.state(alive)) == (LetterState.DEAD, LetterState.SENT)
    office.clock.at += timedelta(days=1)
    assert office.send() == []


def test_a_relay_that_is_away_for_a_day_gets_everything_soon_after_its_return(office: Office) -> None:
    back = office.clock.at + timedelta(hours=24)

    def says(to: str) -> Outcome:
        if office.clock.at < back:
            raise MailUnreachable("connection refused")
        return Delivered(to)

    office.relay.says = says
    letters = [office.add(f"p{number}@d{number % 5}.example") for number in range(20)]
    while office.clock.at < back:
        office.send()
        office.clock.at += 4 * MINUTE
    for _ in range(15):
        office.send()
        office.clock.at += timedelta(seconds=41)
    assert {office.state(letter) for letter in letters} == {LetterState.SENT}
    assert len(office.relay.got) == 20
    assert all(len(raws) == 1 for raws in office.relay.raws.values())  # every try the same octets


def test_a_letter_nobody_takes_is_given_up_after_days(office: Office) -> None:
    office.relay.says = lambda to: Deferred(to, 450, "mailbox busy")
    letter = office.add("p@a.example")
    end = office.clock.at + timedelta(days=6)
    while office.clock.at < end:
        office.send()
        office.clock.at += 10 * MINUTE
    assert office.state(letter) is LetterState.DEAD
    assert office.relay.tries["p@a.example"] < 90


def test_an_address_that_cannot_stand_in_a_mail_is_given_up(office: Office) -> None:
    broken, good = office.add("no address"), office.add("p@a.example")
    assert office.send() == ["p@a.example"]
    assert (office.state(broken), office.state(good)) == (LetterState.DEAD, LetterState.SENT)


def test_a_hanging_domain_holds_up_nobody(tmp_path: Path) -> None:
    table = Table(tmp_path)
    hangs = threading.Event()
    relay = Relay(table.clock.now)

    def says(to: str) -> Outcome:
        if to.endswith("@slow.example"):
            hangs.wait(20)
            raise MailUnreachable("timed out")
        return Delivered(to)

    relay.says = says
    s = replace(table.s, sink=relay, pacer=Pacer())
    office = Office.__new__(Office)
    office.__dict__ |= {"s": s, "clock": table.clock, "count": 0}
    for number in range(6):
        office.add(f"p{number}@slow.example", LetterKind.RESULT)
    for number in range(60):
        office.add(f"p{number}@d{number % 9}.example", LetterKind.PRESS)
    postman = Postman(s, [relay, relay, relay, relay, relay])
    begun = time.monotonic()
    postman.start()
    try:
        wait_until(lambda: len(relay.got) == 60, 15)
        assert time.monotonic() - begun < 10
        hangs.set()
        wait_until(lambda: sum(relay.tries[to] for to in relay.tries if "slow" in to) >= 1)
    finally:
        postman.stop(5)
    with s.store.reading() as tx:
        assert tx.outbox.counts().sent == 60


def test_carriers_that_are_stopped_leave_no_claim_behind(tmp_path: Path) -> None:
    office = Office(tmp_path)

    def slowly(to: str) -> Delivered:
        time.sleep(0.05)
        return Delivered(to)

    office.relay.says = slowly
    for number in range(100):
        office.add(f"p{number}@d{number % 9}.example")
    s = replace(office.s, pacer=Pacer())
    postman = Postman(s, [office.relay, office.relay])
    postman.start()
    wait_until(lambda: len(office.relay.got) > 10)
    postman.stop(5)
    with s.store.reading() as tx:
        counts = tx.outbox.counts()
    assert counts.sent == len(office.relay.got)
    assert len(office.send()) == 100 - counts.sent
