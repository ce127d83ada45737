"""The IMAP source against a real Dovecot, straight and through a proxy that makes trouble (research, section 3)."""

import json
import os
import random
import re
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from itertools import count
from typing import Any

import pytest
from imapclient import IMAPClient

from judge.mail import Arrival, Batch, MailLoginRefused, MailThrottled, MailUnreachable
from judge.mail.backoff import Backoff
from judge.mail.imap import Cursor, ImapAccount, ImapSource
from tests.support.dovecot import PASSWORD, Dovecot
from tests.support.proxy import FaultProxy

NUMBERS = count(1)
FAULTS = 300
USUAL = ssl.create_default_context()
"""The usual checks, not used without TLS: made once, for reading the machine's authorities takes longer than a login."""


def mail(text: str) -> bytes:
    return (
        f"From: petr@example.com\r\nTo: judge@example.org\r\nMessage-ID: <{text}@example.com>\r\nSubject: danube\r\n\r\n{text}\r\n".encode()
    )


@pytest.fixture(scope="module")
def dovecot() -> Iterator[Dovecot]:
    with Dovecot() as server:
        yield server


class Box:
    """One mailbox of the server, its own for each test, and a source that reads it."""

    def __init__(self, server: Dovecot, port: int | None = None, **fields: Any) -> None:
        self.server = server
        self.user = f"judge{next(NUMBERS)}"
        self.clock = 0.0
        self.account = ImapAccount(
            "127.0.0.1", self.user, lambda: PASSWORD, port or server.imap, "none", timeout=10.0, context=USUAL, **fields
        )
        self.source = self.new_source()

    def new_source(self, **fields: Any) -> ImapSource:
        self.source = ImapSource(replace(self.account, **fields), lambda: datetime.now(UTC), monotonic=self.time, dice=lambda: 0.5)
        return self.source

    def time(self) -> float:
        """A clock that each look moves on by a minute, so that no test waits for a back-off."""
        self.clock += 60.0
        return self.clock

    def deliver(self, *texts: str) -> None:
        for text in texts:
            self.server.deliver(mail(text), f"{self.user}@example.org")

    def client(self) -> IMAPClient:
        client = IMAPClient("127.0.0.1", self.server.imap, ssl=False)
        client.login(self.user, PASSWORD)
        client.select_folder("INBOX")
        return client

    def flags(self) -> list[bool]:
        client = self.client()
        found = [b"\\Seen" in data[b"FLAGS"] for _, data in sorted(client.fetch(client.search(), ["FLAGS"]).items())]
        client.logout()
        return found


def texts(batches: list[Batch]) -> list[str]:
    return [last_line(arrival) for batch in batches for arrival in batch.arrivals]


def last_line(arrival: Arrival) -> str:
    return arrival.raw.decode().strip().rpartition("\n")[2]


def take(source: ImapSource, cursor: str) -> tuple[list[Batch], str]:
    """A round as the judge makes it: keep, then acknowledge."""
    batches = []
    for batch in source.fetch(cursor):
        batches.append(batch)
        cursor = batch.cursor
        source.ack(batch)
    return batches, cursor


def persist(round_: Callable[[], tuple[list[Batch], str]], seconds: float = 15.0) -> tuple[list[Batch], str]:
    """Try until the server answers again, as the daemon does."""
    end = time.monotonic() + seconds
    while True:
        try:
            return round_()
        except MailUnreachable:
            assert time.monotonic() < end
            time.sleep(0.05)


def test_mails_are_taken_once_and_flagged_after(dovecot: Dovecot) -> None:
    box = Box(dovecot, batch=2)
    box.deliver("one", "two", "three")
    before = datetime.now(UTC)
    assert box.source.read_until() is None
    batches, cursor = take(box.source, "")
    assert texts(batches) == ["one", "two", "three"]
    assert [len(batch.arrivals) for batch in batches] == [2, 1]
    assert box.flags() == [True, True, True]
    arrival = batches[0].arrivals[0]
    assert abs(arrival.arrived_at - before) < timedelta(seconds=30)
    assert arrival.arrived_at.tzinfo is UTC
    assert arrival.source_key == f"imap:{box.user}@127.0.0.1:INBOX:{Cursor.read(cursor).validity}:1"
    read_until = box.source.read_until()
    assert read_until is not None
    assert read_until >= before
    assert take(box.source, cursor) == ([], cursor)
    box.deliver("four")
    assert texts(take(box.source, cursor)[0]) == ["four"]


def test_nothing_is_marked_before_it_is_kept(dovecot: Dovecot) -> None:
    box = Box(dovecot)
    box.deliver("one")
    next(box.source.fetch(""))
    assert box.flags() == [False]
    assert box.source.read_until() is None
    assert texts(list(box.new_source().fetch(""))) == ["one"]


def test_a_mail_that_somebody_has_read_is_taken_too(dovecot: Dovecot) -> None:
    box = Box(dovecot)
    box.deliver("one")
    client = box.client()
    client.add_flags(client.search(), [b"\\Seen"])
    assert texts(take(box.source, "")[0]) == ["one"]


def test_a_large_mail_comes_without_its_body(dovecot: Dovecot) -> None:
    box = Box(dovecot, largest=1000)
    box.deliver("one")
    box.server.deliver(mail("one").replace(b"one\r\n", b"x" * 5000 + b"\r\n"), f"{box.user}@example.org")
    (batch,), _ = take(box.source, "")
    small, large = batch.arrivals
    assert b"one" in small.raw
    assert large.raw.startswith(b"X-Judge-Cut: 5")
    assert b"Subject: danube" in large.raw
    assert len(large.raw) < 6000


def test_kept_mails_are_moved(dovecot: Dovecot) -> None:
    box = Box(dovecot, move_to="Taken")
    box.deliver("one", "two")
    take(box.source, "")
    client = box.client()
    assert client.search() == []
    client.select_folder("Taken")
    assert len(client.search()) == 2


def test_expunge_by_others_in_between(dovecot: Dovecot) -> None:
    box = Box(dovecot, batch=1)
    box.deliver("one", "two", "three")
    round_ = box.source.fetch("")
    first = next(round_)
    client = box.client()
    client.delete_messages([2])
    client.expunge()
    box.source.ack(first)
    assert texts([first, *round_]) == ["one", "three"]


def test_a_new_uidvalidity_reads_all_again(dovecot: Dovecot) -> None:
    box = Box(dovecot)
    box.deliver("one", "two")
    batches, cursor = take(box.source, "")
    known = Cursor.read(cursor)
    again, _ = take(box.new_source(), Cursor(known.validity - 1, 999).write())
    assert texts(again) == ["one", "two"]
    assert {a.source_key for b in again for a in b.arrivals} == {a.source_key for b in batches for a in b.arrivals}
    client = box.client()
    client.create_folder("Other")
    client.close_folder()
    lists = dovecot.folder / "mail" / box.user / "dovecot-uidlist"
    head, rest = lists.read_text().split("\n", 1)
    lists.write_text(head.replace(f"V{known.validity}", f"V{known.validity + 7}") + "\n" + rest)
    for index in (dovecot.folder / "mail" / box.user).glob("dovecot.index*"):
        index.unlink()
    changed, new = take(box.new_source(), cursor)
    assert texts(changed) == ["one", "two"]
    assert Cursor.read(new).validity == known.validity + 7
    assert {a.source_key for b in changed for a in b.arrivals}.isdisjoint(a.source_key for b in batches for a in b.arrivals)


def test_a_sweep_finds_what_a_round_missed(dovecot: Dovecot) -> None:
    box = Box(dovecot)
    box.deliver("one", "two")
    _, cursor = take(box.source, "")
    swept = list(box.source.sweep(cursor, datetime.now(UTC).date() - timedelta(days=2)))
    assert texts(swept) == ["one", "two"]
    assert swept[0].cursor == cursor


def test_idle_wakes_when_a_mail_comes(dovecot: Dovecot) -> None:
    box = Box(dovecot)
    source = ImapSource(box.account, lambda: datetime.now(UTC))
    list(source.fetch(""))
    timer = threading.Timer(0.3, box.deliver, ["one"])
    timer.start()
    begun = time.monotonic()
    assert source.wait(20, threading.Event()) is True
    assert time.monotonic() - begun < 5
    assert texts(list(source.fetch(""))) == ["one"]


def test_idle_ends_with_its_time_and_when_woken(dovecot: Dovecot) -> None:
    box = Box(dovecot)
    source = ImapSource(box.account, lambda: datetime.now(UTC))
    list(source.fetch(""))
    begun = time.monotonic()
    assert source.wait(0.3, threading.Event()) is False
    wake = threading.Event()
    threading.Timer(0.2, wake.set).start()
    assert source.wait(60, wake) is False
    assert time.monotonic() - begun < 5
    assert list(source.fetch("")) == []


def test_tls_and_its_certificate(dovecot: Dovecot) -> None:
    box = Box(dovecot)
    box.deliver("one")
    trusted = ImapAccount("127.0.0.1", box.user, lambda: PASSWORD, dovecot.imaps, context=dovecot.trust())
    assert texts(list(ImapSource(trusted, lambda: datetime.now(UTC)).fetch(""))) == ["one"]
    upgraded = replace(trusted, port=dovecot.imap, security="starttls")
    assert texts(list(ImapSource(upgraded, lambda: datetime.now(UTC)).fetch(""))) == ["one"]
    with pytest.raises(MailUnreachable, match="certificate"):
        list(ImapSource(replace(trusted, context=None), lambda: datetime.now(UTC)).fetch(""))


def test_a_wrong_password_is_for_the_operator_and_not_tried_in_a_loop(dovecot: Dovecot) -> None:
    box = Box(dovecot)
    moments = iter([0.0] * 100)
    source = ImapSource(
        replace(box.account, secret=lambda: "wrong"), lambda: datetime.now(UTC), monotonic=lambda: next(moments), dice=lambda: 0.5
    )
    with pytest.raises(MailLoginRefused):
        source.check()
    with pytest.raises(MailThrottled) as later:
        source.check()
    assert later.value.pause == timedelta(seconds=300)


def test_many_mails(dovecot: Dovecot) -> None:
    box = Box(dovecot, batch=100)
    box.deliver("first")
    new = dovecot.folder / "mail" / box.user / "new"
    owner = new.stat()
    for number in range(600):
        path = new / f"{1_700_000_000 + number}.M{number}.x"
        path.write_bytes(mail(str(number)))
        os.chown(path, owner.st_uid, owner.st_gid)
    batches, _ = take(box.source, "")
    assert sorted(texts(batches)) == sorted(["first", *map(str, range(600))])


# --- trouble on the line ---


@pytest.fixture
def proxy(dovecot: Dovecot) -> Iterator[FaultProxy]:
    between = FaultProxy(dovecot.imap)
    yield between
    between.close()


def test_a_cut_line_is_renewed(dovecot: Dovecot, proxy: FaultProxy) -> None:
    box = Box(dovecot, proxy.port)
    box.deliver("one")
    _, cursor = take(box.source, "")
    proxy.cut_all()
    box.deliver("two")
    batches, _ = persist(lambda: take(box.source, cursor))
    assert texts(batches) == ["two"]


class SimulatedTime:
    """A clock that only moves where something waits; how it goes on after a fault is what is tested."""

    def __init__(self) -> None:
        self.at = 0.0
        self.tries = 0

    def until_back(self, source: ImapSource, on_try: Callable[[], None] = lambda: None) -> float:
        """Look into the mailbox as the daemon does, until it is read; the seconds that took."""
        begun, backoff = self.at, Backoff()
        while True:
            self.tries += 1
            on_try()
            try:
                list(source.fetch(""))
            except MailThrottled as fault:
                self.at += fault.pause.total_seconds()
            except MailUnreachable:
                backoff = backoff.failed(0.0, 0.5)
                self.at += backoff.pause(0.0)
            else:
                return self.at - begun


@pytest.mark.parametrize(("away", "soon", "most_tries"), [(0.5, 1.0, 4), (4.0, 5.0, 10), (60.0, 30.0, 16), (3600.0, 30.0, 400)])
def test_a_server_that_was_away_is_found_soon_after(dovecot: Dovecot, proxy: FaultProxy, away: float, soon: float, most_tries: int) -> None:
    box, time_ = Box(dovecot, proxy.port), SimulatedTime()
    source = ImapSource(box.account, lambda: datetime.now(UTC), monotonic=lambda: time_.at, dice=lambda: 0.5)
    list(source.fetch(""))
    proxy.refusing = True
    proxy.cut_all()

    def comes_back() -> None:
        proxy.refusing = time_.at < away

    assert time_.until_back(source, comes_back) - away < soon
    assert time_.tries < most_tries


def test_a_line_that_breaks_again_and_again_is_no_storm_of_logins(dovecot: Dovecot, proxy: FaultProxy) -> None:
    box, time_ = Box(dovecot, proxy.port), SimulatedTime()
    source = ImapSource(box.account, lambda: datetime.now(UTC), monotonic=lambda: time_.at, dice=lambda: 0.5)
    took = []
    for _ in range(12):
        took.append(time_.until_back(source))
        proxy.cut_all()
    assert took == [0.0] * 5 + [30.0] * 7
    assert proxy.connections == 12


def test_a_server_that_has_just_started_and_cannot_log_in_is_asked_again_at_once(dovecot: Dovecot, proxy: FaultProxy) -> None:
    box, time_ = Box(dovecot, proxy.port), SimulatedTime()
    source = ImapSource(box.account, lambda: datetime.now(UTC), monotonic=lambda: time_.at, dice=lambda: 0.5)
    proxy.rewrite = lambda octets: re.sub(rb"OK \[CAPABILITY[^\r]*Logged in", b"NO [UNAVAILABLE] Temporary authentication failure.", octets)

    def heals() -> None:
        if time_.tries == 3:
            proxy.rewrite = None

    assert time_.until_back(source, heals) < 5


def test_a_dead_line_ends_the_idling_at_once(dovecot: Dovecot, proxy: FaultProxy) -> None:
    box = Box(dovecot, proxy.port)
    source = ImapSource(box.account, lambda: datetime.now(UTC))
    list(source.fetch(""))
    threading.Timer(0.3, proxy.cut_all).start()
    begun, spent = time.monotonic(), time.process_time()
    assert source.wait(30, threading.Event()) is True
    assert time.monotonic() - begun < 5
    assert time.process_time() - spent < 1
    wake = threading.Event()
    threading.Timer(0.2, wake.set).start()
    assert source.wait(30, wake) is False  # not connected: it sleeps, it does not spin


def test_bye_in_idle(dovecot: Dovecot, proxy: FaultProxy) -> None:
    box = Box(dovecot, proxy.port)
    source = ImapSource(box.account, lambda: datetime.now(UTC))
    list(source.fetch(""))
    threading.Timer(0.3, proxy.say, [b"* BYE going down for maintenance\r\n"]).start()
    begun = time.monotonic()
    assert source.wait(30, threading.Event()) is True
    assert time.monotonic() - begun < 5


def test_a_stalled_server_is_left_after_the_time_out(dovecot: Dovecot, proxy: FaultProxy) -> None:
    box = Box(dovecot, proxy.port)
    list(box.new_source(timeout=0.5, connect_timeout=0.5).fetch(""))
    box.deliver("one")
    proxy.stalled = True
    begun = time.monotonic()
    with pytest.raises(MailUnreachable):
        list(box.source.fetch(""))
    assert time.monotonic() - begun < 5
    proxy.stalled = False
    proxy.cut_all()
    assert texts(persist(lambda: take(box.source, ""))[0]) == ["one"]


@pytest.mark.parametrize("after", [10, 100, 300, 500, 700, 900, 1100, 1300, 1500, 2000])
def test_lines_cut_anywhere_lose_nothing(dovecot: Dovecot, proxy: FaultProxy, after: int) -> None:
    box = Box(dovecot, proxy.port, batch=1)
    box.deliver("one", "two", "three")
    kept: dict[str | None, str] = {}
    cursor = ""
    proxy.cut_after = after
    for attempt in range(8):
        if attempt == 3:
            proxy.cut_after = None
        try:
            for batch in box.source.fetch(cursor):
                kept |= {arrival.source_key: last_line(arrival) for arrival in batch.arrivals}
                cursor = batch.cursor
                box.source.ack(batch)
        except MailUnreachable:
            continue
    assert sorted(kept.values()) == ["one", "three", "two"]
    assert box.flags() == [True, True, True]


def test_garbage_is_a_fault_and_not_a_mail(dovecot: Dovecot, proxy: FaultProxy) -> None:
    box = Box(dovecot, proxy.port)
    box.deliver("one")
    proxy.rewrite = lambda octets: octets.replace(b"UIDVALIDITY", b"UIDVAL\x00\xffITY").replace(b"* SEARCH", b"* SEARCH (((")
    for _ in range(3):
        with pytest.raises(MailUnreachable):
            list(box.source.fetch(""))
    proxy.rewrite = None
    assert texts(persist(lambda: take(box.source, ""))[0]) == ["one"]


def test_an_answer_without_the_text_is_asked_again_and_then_left_out(dovecot: Dovecot, proxy: FaultProxy) -> None:
    box = Box(dovecot, proxy.port)
    box.deliver("one", "two", "three")
    proxy.rewrite = lambda octets: octets.replace(b"* 2 FETCH (UID 2 BODY[]", b"* 2 FETCH (UID 2 BODX[]")
    cursor, kept = "", []
    for _ in range(4):
        batches, cursor = persist(lambda known=cursor: take(box.source, known))  # type: ignore[misc]  # mypy cannot infer it
        kept += texts(batches)
    assert kept == ["one", "three"]


def test_the_server_restarts() -> None:
    with Dovecot() as server:
        box = Box(server)
        box.deliver("one")
        _, cursor = take(box.source, "")
        server.stop()
        with pytest.raises(MailUnreachable):  # noqa: PT012  the last processes take a moment to go
            for _ in range(100):
                list(box.source.fetch(cursor))
                time.sleep(0.05)
        server.start()
        box.deliver("two")
        assert texts(persist(lambda: take(box.source, cursor))[0]) == ["two"]


@pytest.mark.parametrize(
    ("capabilities", "left"),
    [("IMAP4rev1 UIDPLUS", 0), ("IMAP4rev1", 1)],
    ids=["no MOVE, no IDLE", "no UIDPLUS either"],
)
def test_a_server_that_can_little(capabilities: str, left: int) -> None:
    with Dovecot(capabilities=capabilities) as server:
        box = Box(server, move_to="Taken")
        box.deliver("one")
        assert texts(take(box.source, "")[0]) == ["one"]
        client = box.client()
        client.add_flags(client.search(), [b"\\Flagged"])
        assert len(client.search()) == left
        assert box.source.wait(0.1, threading.Event()) is False


@pytest.mark.torture
def test_hundreds_of_faults(seed: int, tell: Callable[[str], None]) -> None:
    """Restarts, kills, stops, cuts and stalls at random moments: each mail taken once, soon after, with few logins."""
    chance = random.Random(seed)
    kept, longest = dict[str | None, str](), 0.0
    with Dovecot() as server:
        proxy = FaultProxy(server.imap)
        box = Box(server, proxy.port, batch=3)
        # A minute of the back-off's clock is a second here.
        source = ImapSource(
            replace(box.account, timeout=1.0, connect_timeout=1.0), lambda: datetime.now(UTC), monotonic=lambda: time.monotonic() * 60
        )
        cursor = ""
        for number in range(FAULTS):
            box.deliver(*(f"{number}.{one}" for one in range(chance.randint(1, 4))))
            kind = "restart" if number % 20 == 19 else chance.choice(["cut", "stall", "refuse", "cut_after", "garbage", "bye"])
            calm = threading.Timer(chance.uniform(0.05, 0.3), make_calm, [proxy])
            trouble(kind, proxy, server, chance)
            calm.start()
            end = time.monotonic() + 30
            while True:
                assert time.monotonic() < end, f"seed {seed}, fault {number} ({kind})"
                try:
                    for batch in source.fetch(cursor):
                        kept |= {arrival.source_key: last_line(arrival) for arrival in batch.arrivals}
                        cursor = batch.cursor
                        source.ack(batch)
                    if not calm.is_alive():
                        break
                except MailUnreachable:
                    time.sleep(0.02)
            longest = max(longest, time.monotonic() - end + 30)
        wanted = sorted(kept.values())
        source.close()
        proxy.close()
        assert len(set(wanted)) == len(wanted)
        delivered = len(list((server.folder / "mail" / box.user).glob("[cn]*/*")))
        assert len(wanted) == delivered
    tell(f"seed {seed}: {FAULTS} faults, {delivered} mails taken once each, longest {longest:.1f} s, {proxy.connections} connections")


def trouble(kind: str, proxy: FaultProxy, server: Dovecot, chance: random.Random) -> None:
    """One fault now."""
    match kind:
        case "cut":
            proxy.cut_all()
        case "stall":
            proxy.stalled = True
        case "refuse":
            proxy.refusing = True
            proxy.cut_all()
        case "cut_after":
            proxy.cut_after = chance.randint(1, 3000)
            proxy.cut_all()
        case "garbage":
            proxy.rewrite = lambda octets: octets.replace(b"FETCH", b"F\x00\xffCH").replace(b"SEARCH", b"SE(RCH")
        case "bye":
            proxy.say(b"* BYE maintenance\r\n")
            proxy.cut_all()
        case _:
            server.stop()
            server.start()


def make_calm(proxy: FaultProxy) -> None:
    """All faults over; what was stalled is cut, as a router forgets it."""
    proxy.refusing, proxy.cut_after, proxy.rewrite = False, None, None
    if proxy.stalled:
        proxy.stalled = False
        proxy.cut_all()


# --- XOAUTH2, against a token office of our own ---


@pytest.fixture
def office() -> Iterator[str]:
    class Office(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            said = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
            good = "fresh-token" in said + str(self.headers.get("Authorization"))
            body = json.dumps({"active": "true" if good else "false", "username": "judge"}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST  # noqa: N815

        def log_message(self, *_: object) -> None: ...

    server = HTTPServer(("127.0.0.1", 0), Office)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/introspect"
    server.shutdown()
    server.server_close()


def test_xoauth2_asks_for_a_fresh_token_at_each_login(office: str) -> None:
    tokens = iter(["stale-token", "fresh-token"])
    clock = count(0, 400)
    with Dovecot(introspection=office) as server:
        account = ImapAccount("127.0.0.1", "judge", lambda: next(tokens), server.imap, "none", mechanism="xoauth2")
        source = ImapSource(account, lambda: datetime.now(UTC), monotonic=lambda: float(next(clock)))
        server.deliver(mail("one"))
        with pytest.raises(MailLoginRefused):
            list(source.fetch(""))
        assert texts(list(source.fetch(""))) == ["one"]
