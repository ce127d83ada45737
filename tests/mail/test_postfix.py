"""Our door behind, and our sink before, a real Postfix: what it queues, retries and bounces."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial

import pytest

from judge.errors import TryLater
from judge.mail import (
    Arrival,
    Border,
    Delivered,
    MailUnreachable,
    OwnAddresses,
    Reading,
    Rejected,
    compose,
    read_bounce,
    read_message,
    why_silent,
)
from judge.mail.door import Door, DoorSettings
from judge.mail.letter import Letter
from judge.mail.smtp import Relay, SmtpSink
from tests.support.places import wait_until
from tests.support.postfix import Postfix
from tests.support.proxy import FaultProxy
from tests.support.sink import SmtpServer

OWN = OwnAddresses("judge@example.org", "judge-bounces@example.org")
BORDER = Border("", ("mx.example.org",))
READING = Reading(OWN, BORDER)
ORDERS = b"From: petr@example.com\r\nTo: judge+danube@example.org\r\nSubject: danube\r\nMessage-ID: <1@example.com>\r\n\r\nA PAR - BUR\r\n"


class Judge:
    """Keeps what the door hands in, after refusing as often as it is told."""

    def __init__(self) -> None:
        self.arrivals: list[Arrival] = []
        self.refusals: list[Exception] = []
        self.door = Door(self.accept, lambda: datetime.now(UTC), DoorSettings(protocol="lmtp", border=BORDER), is_known=self.is_known)

    def accept(self, arrivals: Sequence[Arrival]) -> None:
        if self.refusals:
            raise self.refusals.pop(0)
        self.arrivals += arrivals

    @staticmethod
    def is_known(address: str) -> bool:
        return OWN.is_own(address)


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    one = Judge()
    one.door.start()
    yield one
    one.door.stop()


@pytest.fixture(scope="module")
def world() -> Iterator[SmtpServer]:
    server = SmtpServer(replies={"gone@example.com": "550 5.1.1 <gone@example.com>: User unknown"}).start()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def postfix(judge: Judge, world: SmtpServer) -> Iterator[Postfix]:
    with Postfix(to_judge=f"lmtp:inet:127.0.0.1:{judge.door.address[1]}", relay=f"[127.0.0.1]:{world.port}") as server:
        yield server


@pytest.fixture
def outside(postfix: Postfix) -> Iterator[SmtpSink]:
    sink = SmtpSink(Relay("127.0.0.1", postfix.port))
    yield sink
    sink.close()


def test_a_mail_comes_through_with_its_envelope(judge: Judge, outside: SmtpSink) -> None:
    judge.arrivals.clear()
    assert outside.send("petr@example.com", ["judge+danube.k7q2m9xd3f@example.org"], ORDERS) == (
        Delivered("judge+danube.k7q2m9xd3f@example.org"),
    )
    wait_until(lambda: bool(judge.arrivals))
    (arrival,) = judge.arrivals
    message = read_message(arrival.raw, READING, arrival.arrived_at, envelope_from=arrival.envelope_from, envelope_to=arrival.envelope_to)
    assert message.text == "A PAR - BUR"
    assert (message.addressed[0].game, message.addressed[0].token) == ("danube", "k7q2m9xd3f")
    assert message.return_path == "petr@example.com"
    assert abs((message.received_at - datetime.now(UTC)).total_seconds()) < 60


def test_mails_that_are_not_kept_wait_in_the_queue_and_come_again(judge: Judge, outside: SmtpSink, postfix: Postfix) -> None:
    judge.arrivals.clear()
    judge.refusals = [TryLater("database is locked"), OSError(28, "No space left on device"), RuntimeError("a bug")]
    for _ in range(3):
        outside.send("petr@example.com", ["judge@example.org"], ORDERS)
    wait_until(lambda: len(judge.arrivals) == 3, 40)
    assert not judge.refusals
    assert all(arrival.raw.endswith(b"A PAR - BUR\r\n") for arrival in judge.arrivals)
    assert "bounced" not in postfix.log()


LETTER = Letter(
    message_id="danube.S1901M.ITALY.start@example.org",
    envelope_from=OWN.return_path("danube", "ITALY", "r7"),
    to="gone@example.com",
    to_name="Ivo",
    from_address="judge@example.org",
    from_name="danube judge",
    subject="[danube S1901M] Italy",
    text="From here on.\n.\nGrüße\n",
    date=datetime(2026, 11, 29, 18, 0, tzinfo=UTC),
)


def test_a_letter_leaves_as_it_was_composed(world: SmtpServer, outside: SmtpSink) -> None:
    raw = compose(LETTER)
    outside.send(LETTER.envelope_from, ["ivo@example.com", "anna@example.com"], raw)
    wait_until(lambda: any(one.sender == LETTER.envelope_from for one in world.taken))
    taken = next(one for one in world.taken if one.sender == LETTER.envelope_from)
    assert taken.raw.endswith(raw.partition(b"\r\n\r\n")[2])
    assert b"Message-ID: <danube.S1901M.ITALY.start@example.org>" in taken.raw


def test_a_dead_address_comes_back_as_a_bounce_that_is_matched(judge: Judge, outside: SmtpSink) -> None:
    judge.arrivals.clear()
    assert isinstance(outside.send(LETTER.envelope_from, [LETTER.to], compose(LETTER))[0], Delivered)
    wait_until(lambda: bool(judge.arrivals), 30)
    (arrival,) = judge.arrivals
    assert arrival.envelope_from == ""
    message = read_message(arrival.raw, READING, arrival.arrived_at, envelope_from=arrival.envelope_from, envelope_to=arrival.envelope_to)
    bounce = read_bounce(arrival.raw, message, READING)
    assert bounce is not None
    assert (bounce.game, bounce.seat, bounce.nonce, bounce.recipient, bounce.status, bounce.permanent, bounce.message_id) == (
        "danube",
        "ITALY",
        "r7",
        "gone@example.com",
        "5.1.1",
        True,
        LETTER.message_id,
    )
    assert why_silent(message, READING) == "auto_submitted"


def test_an_address_that_is_not_ours_is_refused_by_the_door(judge: Judge, outside: SmtpSink, postfix: Postfix) -> None:
    judge.arrivals.clear()
    outside.send("petr@example.com", ["nobody@example.org"], ORDERS)
    wait_until(lambda: "no such address here" in postfix.log())
    assert judge.arrivals == []


def test_a_mail_too_large_is_refused_at_once(outside: SmtpSink) -> None:
    outcome = outside.send("petr@example.com", ["judge@example.org"], ORDERS + b"x" * 70 * 20_000)[0]
    assert isinstance(outcome, Rejected)
    assert outcome.code == 552


def test_lines_cut_anywhere_lose_no_letter(world: SmtpServer, postfix: Postfix) -> None:
    proxy = FaultProxy(postfix.port)
    sink = SmtpSink(Relay("127.0.0.1", proxy.port, timeout=5))

    def arrived(message_id: bytes) -> bool:
        return any(message_id in one.raw for one in world.taken)

    for after in (5, 40, 120, 250, 320, 330, 340, 360, 400):
        letter = replace(LETTER, message_id=f"danube.S1901M.ITALY.cut{after}@example.org", to="ivo@example.com")
        proxy.cut_after = after
        for _ in range(3):
            try:
                sink.send(letter.envelope_from, [letter.to], compose(letter))
                break
            except MailUnreachable:
                proxy.cut_after = None
        wait_until(partial(arrived, letter.message_id.encode()))
    sink.close()
    proxy.close()
