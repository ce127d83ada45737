"""The ends of the mail without a server of others: the door, the Maildir, the SMTP sink against a scripted relay."""

import os
import smtplib
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from judge.errors import TryLater
from judge.mail import Arrival, Border, Deferred, Delivered, MailLoginRefused, MailThrottled, MailUnreachable, Rejected
from judge.mail.door import Accept, Door, DoorSettings
from judge.mail.maildir import MaildirSink, MaildirSource
from judge.mail.smtp import Relay, SmtpSink
from tests.support.places import make_certificate
from tests.support.proxy import FaultProxy
from tests.support.sink import SmtpServer

NOON = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)
RAW = b"From: petr@example.com\r\nTo: judge@example.org\r\nSubject: danube\r\n\r\nA PAR - BUR\r\n.\r\n..x\r\n"


def now() -> datetime:
    return NOON


class Kept:
    """Keeps arrivals in a list, or fails as it is told."""

    def __init__(self, error: Exception | None = None) -> None:
        self.arrivals: list[Arrival] = []
        self.batches: list[int] = []
        self.error = error
        self.delay = 0.0

    def __call__(self, arrivals: Sequence[Arrival]) -> None:
        if self.delay:
            time.sleep(self.delay)
        if self.error is not None:
            raise self.error
        self.batches.append(len(arrivals))
        self.arrivals += arrivals


OpenDoor = Callable[..., tuple[Door, smtplib.SMTP]]


@pytest.fixture
def open_door() -> Iterator[OpenDoor]:
    doors: list[Door] = []

    def opened(
        accept: Accept, settings: DoorSettings | None = None, *, is_known: Callable[[str], bool] | None = None
    ) -> tuple[Door, smtplib.SMTP]:
        door = Door(accept, now, settings or DoorSettings(), is_known=is_known)
        door.start()
        doors.append(door)
        kind = smtplib.LMTP if settings and settings.protocol == "lmtp" else smtplib.SMTP
        return door, kind(*door.address)

    yield opened
    for door in doors:
        door.stop()


def test_a_mail_is_kept_before_250(open_door: OpenDoor) -> None:
    kept = Kept()
    _, client = open_door(kept)
    client.sendmail("petr@example.com", ["judge+danube.k7q2m9xd3f@example.org"], RAW)
    assert kept.arrivals == [Arrival(RAW, NOON, None, "petr@example.com", ("judge+danube.k7q2m9xd3f@example.org",))]
    client.sendmail("", ["judge@example.org"], RAW)
    assert kept.arrivals[1].envelope_from == ""


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (TryLater("locked"), 452),
        (OSError(28, "No space left on device"), 452),
        (ValueError("secret detail"), 451),
        (OSError(5, "Input/output error"), 451),
    ],
)
def test_what_cannot_be_kept_is_refused_for_now(open_door: OpenDoor, error: Exception, code: int) -> None:
    _, client = open_door(Kept(error))
    with pytest.raises(smtplib.SMTPDataError) as refused:
        client.sendmail("petr@example.com", ["judge@example.org"], RAW)
    assert refused.value.smtp_code == code
    assert b"secret" not in refused.value.smtp_error


def test_unknown_recipients_are_refused_at_rcpt(open_door: OpenDoor) -> None:
    kept = Kept()
    _, client = open_door(kept, is_known=lambda address: address.startswith("judge"))
    refused = client.sendmail("petr@example.com", ["judge@example.org", "eve@example.org"], RAW)
    assert {address: code for address, (code, _) in refused.items()} == {"eve@example.org": 550}
    assert kept.arrivals[0].envelope_to == ("judge@example.org",)


def test_lmtp_answers_for_each_recipient(open_door: OpenDoor) -> None:
    kept = Kept()
    door, client = open_door(kept, DoorSettings(protocol="lmtp"))
    client.ehlo_or_helo_if_needed()
    client.mail("petr@example.com")
    for number in range(3):
        client.rcpt(f"judge+{number}@example.org")
    assert client.docmd("DATA")[0] == 354
    assert client.sock is not None
    client.sock.sendall(RAW.replace(b"\r\n.", b"\r\n..") + b".\r\n")
    assert client.file is not None
    assert [client.file.readline()[:3] for _ in range(3)] == [b"250"] * 3
    assert client.noop()[0] == 250
    assert len(kept.arrivals) == 1
    assert door.read_until() == NOON


def test_the_door_on_a_unix_socket(open_door: OpenDoor, tmp_path: Path) -> None:
    kept = Kept()
    place = tmp_path / "lmtp"
    door = Door(kept, now, DoorSettings(protocol="lmtp", path=place))
    door.start()
    try:
        assert place.stat().st_mode & 0o777 == 0o660
        with socket.socket(socket.AF_UNIX) as line:
            line.connect(str(place))
            assert line.recv(100).startswith(b"220")
    finally:
        door.stop()
    assert not place.exists()


def test_mails_that_come_together_are_kept_together(open_door: OpenDoor) -> None:
    kept = Kept()
    kept.delay = 0.05
    door, _ = open_door(kept)

    def send() -> None:
        with smtplib.SMTP(*door.address) as client:
            client.sendmail("petr@example.com", ["judge@example.org"], RAW)

    threads = [threading.Thread(target=send) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(kept.batches) == 12
    assert max(kept.batches) > 1


def test_one_mail_that_cannot_be_kept_keeps_out_no_other(open_door: OpenDoor) -> None:
    arrived: list[bytes] = []

    def accept(arrivals: Sequence[Arrival]) -> None:
        time.sleep(0.02)
        if any(b"poison" in arrival.raw for arrival in arrivals):
            raise RuntimeError("poison")
        arrived.extend(arrival.raw for arrival in arrivals)

    door, _ = open_door(accept)
    failed: list[int] = []

    def send(text: bytes) -> None:
        with smtplib.SMTP(*door.address) as client:
            try:
                client.sendmail("petr@example.com", ["judge@example.org"], RAW + text)
            except smtplib.SMTPDataError as error:
                failed.append(error.smtp_code)

    threads = [threading.Thread(target=send, args=(text,)) for text in [b"good\r\n"] * 6 + [b"poison\r\n"] * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(arrived) == 6
    assert failed == [451, 451]


def test_long_lines_come_whole_and_large_mails_not_at_all(open_door: OpenDoor) -> None:
    kept = Kept()
    _, client = open_door(kept, DoorSettings(largest=200_000))
    client.sendmail("petr@example.com", ["judge@example.org"], RAW + b"x" * 5000 + b"\r\n")
    assert kept.arrivals[0].raw.endswith(b"x" * 5000 + b"\r\n")
    with pytest.raises(smtplib.SMTPSenderRefused, match="552"):
        client.sendmail("petr@example.com", ["judge@example.org"], RAW + (b"y" * 70 + b"\r\n") * 5000)


def test_too_many_recipients(open_door: OpenDoor) -> None:
    _, client = open_door(Kept(), DoorSettings(most_recipients=2))
    refused = client.sendmail("petr@example.com", [f"judge+{n}@example.org" for n in "abcd"], RAW)
    assert {code for code, _ in refused.values()} == {452}
    assert len(refused) == 2


def test_too_many_connections(open_door: OpenDoor) -> None:
    door, client = open_door(Kept(), DoorSettings(most_connections=1))
    assert client.noop()[0] == 250
    with pytest.raises(smtplib.SMTPConnectError) as refused:
        smtplib.SMTP(*door.address)
    assert refused.value.smtp_code == 421
    client.quit()
    deadline = time.monotonic() + 5
    while True:
        try:
            smtplib.SMTP(*door.address).quit()
            break
        except smtplib.SMTPException:
            assert time.monotonic() < deadline


def test_arrival_is_what_the_border_wrote(open_door: OpenDoor) -> None:
    kept = Kept()
    _, client = open_door(kept, DoorSettings(border=Border("mx.example.org", ("mx.example.org",))))
    stamp = b"Received: from x by mx.example.org (Postfix); Sun, 29 Nov 2026 11:59:00 +0000\r\n"
    client.sendmail("petr@example.com", ["judge@example.org"], stamp + RAW)
    client.sendmail("petr@example.com", ["judge@example.org"], stamp.replace(b"mx.", b"evil.") + RAW)
    client.sendmail("petr@example.com", ["judge@example.org"], stamp.replace(b"11:59", b"23:59") + RAW)
    assert [arrival.arrived_at for arrival in kept.arrivals] == [NOON - timedelta(minutes=1), NOON, NOON]


def test_a_mail_being_kept_when_the_door_closes_is_answered(open_door: OpenDoor) -> None:
    kept = Kept()
    kept.delay = 0.3
    door, client = open_door(kept)
    result: list[object] = []
    thread = threading.Thread(target=lambda: result.append(client.sendmail("petr@example.com", ["judge@example.org"], RAW)))
    thread.start()
    time.sleep(0.1)
    door.stop()
    thread.join()
    assert result == [{}]
    assert len(kept.arrivals) == 1


# --- Maildir ---


def test_maildir_source(tmp_path: Path) -> None:
    source = MaildirSource(tmp_path / "in", now, border=Border("", ("mx.example.org",)), largest=10_000)
    assert source.read_until() is None
    assert list(source.fetch("")) == []
    assert source.read_until() == NOON
    old, young = tmp_path / "in/new/1.old", tmp_path / "in/new/0.young"
    old.write_bytes(b"Received: by mx.example.org; Sun, 29 Nov 2026 11:00:00 +0000\r\n" + RAW)
    young.write_bytes(RAW + b"x" * 20_000)
    os.utime(old, (1_700_000_000, 1_700_000_000))
    os.utime(young, (1_700_000_100, 1_700_000_100))
    (tmp_path / "in/new/link").symlink_to("/etc/passwd")
    (batch,) = source.fetch("")
    first, second = batch.arrivals
    assert first.arrived_at == datetime(2026, 11, 29, 11, 0, tzinfo=UTC)
    assert second.arrived_at == datetime.fromtimestamp(1_700_000_100, UTC)
    assert second.raw.startswith(b"X-Judge-Cut: 20")
    assert first.source_key == "maildir:in:1.old"
    source.ack(batch)
    source.ack(batch)
    assert sorted(os.listdir(tmp_path / "in/cur")) == ["0.young:2,S", "1.old:2,S"]
    assert os.listdir(tmp_path / "in/new") == ["link"]


def test_maildir_wait(tmp_path: Path) -> None:
    source = MaildirSource(tmp_path / "in", now)
    wake = threading.Event()
    assert source.wait(0.05, wake) is False
    (tmp_path / "in/new/1").write_bytes(RAW)
    assert source.wait(5, wake) is True


def test_maildir_sink(tmp_path: Path) -> None:
    sink = MaildirSink(tmp_path / "out")
    assert sink.send("judge-bounces@example.org", ["a@example.com", "b@example.com"], RAW) == (
        Delivered("a@example.com"),
        Delivered("b@example.com"),
    )
    texts = sorted(path.read_bytes() for path in (tmp_path / "out/new").iterdir())
    assert texts == [
        b"Return-Path: <judge-bounces@example.org>\r\nDelivered-To: " + to + b"\r\n" + RAW for to in (b"a@example.com", b"b@example.com")
    ]
    assert os.listdir(tmp_path / "out/tmp") == []


def test_maildir_sink_without_its_folder_says_try_later(tmp_path: Path) -> None:
    sink = MaildirSink(tmp_path / "out")
    (tmp_path / "out/tmp").rmdir()
    with pytest.raises(MailUnreachable):
        sink.send("", ["a@example.com"], RAW)


# --- SMTP ---

FROM = "judge-bounces+danube.ITALY.r7@example.org"


@pytest.fixture(params=[False, True], ids=["one by one", "pipelining"])
def relay(request: pytest.FixtureRequest) -> Iterator[SmtpServer]:
    server = SmtpServer(pipelining=request.param).start()
    yield server
    server.stop()


def sink_to(server: SmtpServer, **fields: object) -> SmtpSink:
    return SmtpSink(Relay("127.0.0.1", server.port, timeout=2, **fields))  # type: ignore[arg-type]  # fields of Relay


def test_letters_share_a_connection(relay: SmtpServer) -> None:
    sink = sink_to(relay)
    for _ in range(5):
        assert sink.send(FROM, ["ivo@example.com"], RAW) == (Delivered("ivo@example.com"),)
    sink.send("", ["ivo@example.com"], RAW)
    sink.close()
    assert relay.sessions == 1
    assert [one.sender for one in relay.taken] == [FROM] * 5 + [""]
    assert relay.taken[0].raw == RAW


def test_each_recipient_has_an_outcome(relay: SmtpServer) -> None:
    relay.replies = {"gone@example.com": "550 5.1.1 no such user", "full@example.com": "452 4.2.2 mailbox full"}
    sink = sink_to(relay)
    outcomes = sink.send(FROM, ["gone@example.com", "ivo@example.com", "full@example.com", "bad\r\nRCPT TO:<x@y.z>"], RAW)
    assert outcomes == (
        Rejected("gone@example.com", 550, "5.1.1 no such user"),
        Delivered("ivo@example.com"),
        Deferred("full@example.com", 452, "4.2.2 mailbox full"),
        Rejected("bad\r\nRCPT TO:<x@y.z>", 553, "no mail address"),
    )
    assert sink.send(FROM, ["gone@example.com"], RAW) == (Rejected("gone@example.com", 550, "5.1.1 no such user"),)
    assert sink.send(FROM, ["ivo@example.com"], RAW) == (Delivered("ivo@example.com"),)
    assert relay.sessions == 1


@pytest.mark.parametrize(
    ("reply", "wanted"),
    [
        ("451 4.7.1 greylisted", Deferred("ivo@example.com", 451, "4.7.1 greylisted")),
        ("554 5.7.1 spam", Rejected("ivo@example.com", 554, "5.7.1 spam")),
    ],
)
def test_a_letter_refused_after_data(relay: SmtpServer, reply: str, wanted: object) -> None:
    relay.after_data = reply
    assert sink_to(relay).send(FROM, ["ivo@example.com"], RAW) == (wanted,)


def test_a_sender_that_is_refused(relay: SmtpServer) -> None:
    relay.on_mail = lambda address: "550 5.7.1 not you"
    assert sink_to(relay).send(FROM, ["ivo@example.com"], RAW) == (Rejected("ivo@example.com", 550, "5.7.1 not you"),)


def test_421_asks_for_patience(relay: SmtpServer) -> None:
    relay.after_data = "421 4.7.0 too fast"
    with pytest.raises(MailThrottled) as busy:
        sink_to(relay).send(FROM, ["ivo@example.com"], RAW)
    assert busy.value.pause == timedelta(seconds=30)


def test_a_kept_connection_that_was_closed_is_renewed(relay: SmtpServer) -> None:
    proxy = FaultProxy(relay.port)
    sink = SmtpSink(Relay("127.0.0.1", proxy.port, timeout=2))
    assert sink.send(FROM, ["ivo@example.com"], RAW) == (Delivered("ivo@example.com"),)
    proxy.cut_all()
    assert sink.send(FROM, ["ivo@example.com"], RAW) == (Delivered("ivo@example.com"),)
    assert relay.sessions == 2
    proxy.refusing = True
    proxy.cut_all()
    with pytest.raises(MailUnreachable):
        sink.send(FROM, ["ivo@example.com"], RAW)
    proxy.refusing = False
    assert sink.send(FROM, ["ivo@example.com"], RAW) == (Delivered("ivo@example.com"),)
    assert len(relay.taken) == 3
    proxy.close()


def test_a_relay_that_hangs_is_left(relay: SmtpServer) -> None:
    proxy = FaultProxy(relay.port)
    sink = SmtpSink(Relay("127.0.0.1", proxy.port, timeout=0.5, connect_timeout=0.5))
    sink.send(FROM, ["ivo@example.com"], RAW)
    proxy.stalled = True
    begun = time.monotonic()
    with pytest.raises(MailUnreachable):
        sink.send(FROM, ["ivo@example.com"], RAW)
    assert time.monotonic() - begun < 3
    proxy.close()


def test_nobody_listens() -> None:
    with pytest.raises(MailUnreachable):
        SmtpSink(Relay("127.0.0.1", 1)).send(FROM, ["ivo@example.com"], RAW)


@pytest.mark.filterwarnings("ignore:Requiring AUTH")
def test_login() -> None:
    server = SmtpServer(password="correct horse").start()
    good, bad = (sink_to(server, user="judge", secret=lambda secret=secret: secret) for secret in ("correct horse", "wrong"))
    assert good.send(FROM, ["ivo@example.com"], RAW) == (Delivered("ivo@example.com"),)
    with pytest.raises(MailLoginRefused):
        bad.send(FROM, ["ivo@example.com"], RAW)
    with pytest.raises(MailLoginRefused):
        bad.check()
    good.check()
    server.stop()


@pytest.mark.filterwarnings("ignore:Requiring AUTH")
def test_login_with_a_token() -> None:
    server = SmtpServer(token="fresh").start()
    tokens = iter(["stale", "fresh"])
    sink = sink_to(server, user="judge@example.org", secret=lambda: next(tokens), mechanism="xoauth2")
    with pytest.raises(MailLoginRefused):
        sink.send(FROM, ["ivo@example.com"], RAW)
    assert sink.send(FROM, ["ivo@example.com"], RAW) == (Delivered("ivo@example.com"),)
    server.stop()


def test_starttls_and_its_certificate(tmp_path: Path) -> None:
    make_certificate(tmp_path)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")
    server = SmtpServer(tls=context).start()
    trusting = ssl.create_default_context(cafile=str(tmp_path / "cert.pem"))
    assert sink_to(server, security="starttls", context=trusting).send(FROM, ["ivo@example.com"], RAW) == (Delivered("ivo@example.com"),)
    with pytest.raises(MailUnreachable, match="certificate"):
        sink_to(server, security="starttls").send(FROM, ["ivo@example.com"], RAW)
    with pytest.raises(MailUnreachable):
        sink_to(server, security="tls", context=trusting).send(FROM, ["ivo@example.com"], RAW)
    outcome = sink_to(server).send(FROM, ["ivo@example.com"], RAW)[0]
    assert isinstance(outcome, Rejected)
    server.stop()
