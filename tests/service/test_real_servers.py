"""The whole judge in its own process, between a real Dovecot or Postfix and an SMTP sink."""

import itertools
import os
import random
import re
import smtplib
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from email import message_from_bytes, policy
from pathlib import Path

import pytest
from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientError

from judge.service.failpoints import VARIABLE
from judge.store import open_store
from tests.support.dovecot import PASSWORD, Dovecot
from tests.support.places import free_port, program, wait_until
from tests.support.postfix import Postfix
from tests.support.process import JudgeProcess
from tests.support.proxy import FaultProxy
from tests.support.sink import SmtpServer

_SETTINGS = """
[judge]
address = "judge@example.org"
operator = "keeper@example.com"
pictures = false
tick = 1.0
[mail_in{way_in}
[mail_out.smtp]
host = "127.0.0.1"
port = {out}
security = "none"
[web]
enabled = false
[border]
received_by = ["mx.example.org"]
"""
_IMAP = '.imap]\nhost = "127.0.0.1"\nport = {port}\nsecurity = "none"\nuser = "judge"\nsecret = "env:JUDGE_TEST_SECRET"\n'
_DOOR = '.door]\nprotocol = "lmtp"\nport = {port}\nretry_gap = 0\n'


class World:
    """People outside: they write to the judge and read what the sink took."""

    def __init__(self, sink: SmtpServer) -> None:
        self.sink = sink
        self.numbers = itertools.count(1)

    def mail(self, sender: str, text: str, to: str = "judge@example.org") -> bytes:
        number = next(self.numbers)
        head = f"From: {sender}\r\nTo: {to}\r\nSubject: hello\r\nMessage-ID: <r{number}.{time.time_ns()}@example.com>\r\n\r\n"
        return head.encode() + text.replace("\n", "\r\n").encode()

    def letters(self, to: str) -> list[str]:
        """The texts of the letters somebody got."""
        taken = [one for one in self.sink.taken if to in one.recipients]
        return [str(message_from_bytes(one.raw, policy=policy.default).get_body(("plain",)).get_content()) for one in taken]  # type: ignore[union-attr]

    def ids(self) -> list[str]:
        """The Message-IDs of all letters."""
        return [found[1].decode() for one in self.sink.taken if (found := re.search(rb"(?m)^Message-ID: <([^>]+)>", one.raw))]

    def wait_for(self, to: str, words: str, seconds: float = 30.0) -> str:
        """The newest letter to somebody with these words in it."""
        wait_until(lambda: any(words in text for text in self.letters(to)), seconds)
        return next(text for text in reversed(self.letters(to)) if words in text)

    def code(self, to: str) -> str:
        return re.search(r"CONFIRM (\S+)", self.wait_for(to, "CONFIRM"))[1]  # type: ignore[index]


@pytest.fixture
def world() -> Iterator[World]:
    sink = SmtpServer().start()
    yield World(sink)
    sink.stop()


@pytest.fixture(scope="module")
def dovecot() -> Iterator[Dovecot]:
    with Dovecot() as server:
        yield server


@contextmanager
def judge_on(folder: Path, way_in: str, world: World, monkeypatch: pytest.MonkeyPatch) -> Iterator[JudgeProcess]:
    """A judge with that way in."""
    monkeypatch.setenv("JUDGE_TEST_SECRET", PASSWORD)
    judge = JudgeProcess(folder, _SETTINGS.format(way_in=way_in, out=world.sink.port))
    try:
        yield judge
    finally:
        judge.kill()


def test_a_mailbox_is_polled_answered_and_read_on_after_restarts(
    tmp_path: Path, dovecot: Dovecot, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    with judge_on(tmp_path, _IMAP.format(port=dovecot.imap), world, monkeypatch) as judge:
        judge.start().wait_until_up()
        dovecot.deliver(world.mail("gm@example.com", "CREATE danube"))
        code = world.code("gm@example.com")
        assert judge.stop() < 10
        dovecot.deliver(world.mail("gm@example.com", f"CONFIRM {code}"))  # comes while nobody reads
        judge.start().wait_until_up()
        world.wait_for("gm@example.com", "is open and waits")
        judge.kill()
        dovecot.deliver(world.mail("anna@example.com", "SIGNON danube ITALY"))
        judge.start(**{VARIABLE: "intake_after_commit"})  # dies when the mail is kept and not yet flagged
        wait_until(lambda: not judge.is_alive, 40)
        judge.start().wait_until_up()
        world.code("anna@example.com")
        ids = world.ids()
        assert len(ids) == len(set(ids))
        judge.stop()


@pytest.mark.torture
def test_a_mailbox_that_was_away_is_read_within_a_minute(
    tmp_path: Path, dovecot: Dovecot, world: World, monkeypatch: pytest.MonkeyPatch, tell: Callable[[str], None]
) -> None:
    proxy = FaultProxy(dovecot.imap)
    with judge_on(tmp_path, _IMAP.format(port=proxy.port), world, monkeypatch) as judge:
        judge.start().wait_until_up()
        for away in (3, 20, 60):
            proxy.refusing = True
            proxy.cut_all()
            dovecot.deliver(world.mail(f"ivo{away}@example.com", "HELP"))
            time.sleep(away)
            proxy.refusing = False
            begun = time.monotonic()
            world.wait_for(f"ivo{away}@example.com", "SIGNON", 75)
            tell(f"away {away} s, answered {time.monotonic() - begun:.1f} s after the return")
            assert time.monotonic() - begun < 60
    proxy.close()


def test_a_door_behind_postfix_takes_mails_and_bounces(tmp_path: Path, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.sink.replies["anna@example.com"] = "550 5.1.1 no such user"
    lmtp = free_port()
    with (
        judge_on(tmp_path, _DOOR.format(port=lmtp), world, monkeypatch) as judge,
        Postfix(to_judge=f"lmtp:inet:127.0.0.1:{lmtp}", relay=f"[127.0.0.1]:{world.sink.port}") as postfix,
    ):
        judge.config.write_text(judge.config.read_text().replace(f"port = {world.sink.port}", f"port = {postfix.port}"))
        with smtplib.SMTP("127.0.0.1", postfix.port) as client:  # the judge is down: Postfix keeps it
            client.sendmail("gm@example.com", ["judge@example.org"], world.mail("gm@example.com", "CREATE danube"))
        judge.start().wait_until_up()
        code = world.code("gm@example.com")
        _send(postfix, world, "gm@example.com", f"CONFIRM {code}")
        world.wait_for("gm@example.com", "is open and waits")
        world.sink.replies.clear()
        _send(postfix, world, "anna@example.com", "OBSERVE danube")
        _send(postfix, world, "anna@example.com", f"CONFIRM {world.code('anna@example.com')}")
        world.wait_for("anna@example.com", "danube")
        judge.kill()
        _send(postfix, world, "ivo@example.com", "HELP")
        judge.start().wait_until_up()
        world.wait_for("ivo@example.com", "SIGNON", 60)
        assert judge.stop() < 10


def _send(postfix: Postfix, world: World, sender: str, text: str) -> None:
    with smtplib.SMTP("127.0.0.1", postfix.port) as client:
        client.sendmail(sender, ["judge@example.org"], world.mail(sender, text))


def test_the_order_of_disk_and_words(tmp_path: Path, dovecot: Dovecot, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    strace = program("strace", "strace")
    trace = tmp_path / "trace"
    watched = [strace, "-f", "-qq", "-s", "200", "-y", "-e", "trace=fsync,fdatasync,sendto,write,send", "-o", str(trace)]
    port = free_port()
    way_in = _IMAP.format(port=dovecot.imap).replace('"judge"', '"watched"') + f'[mail_in.door]\nprotocol = "smtp"\nport = {port}\n'
    with judge_on(tmp_path, way_in, world, monkeypatch) as judge:
        judge.start(*watched).wait_until_up()
        with smtplib.SMTP("127.0.0.1", port) as client:
            client.sendmail("gm@example.com", ["judge@example.org"], world.mail("gm@example.com", "HELP"))
        dovecot.deliver(world.mail("ivo@example.com", "HELP"), to="watched@example.org")
        world.wait_for("gm@example.com", "SIGNON", 60)
        world.wait_for("ivo@example.com", "SIGNON", 60)
        wait_until(lambda: r"FLAGS" in trace.read_text() and "250 2.0.0 kept" in trace.read_text(), 30)
    lines = trace.read_text().splitlines()
    for word in ("250 2.0.0 kept", "+FLAGS"):
        said = next(number for number, line in enumerate(lines) if word in line)
        synced = [number for number, line in enumerate(lines[:said]) if re.search(r"fd?a?t?a?sync\(\d+<[^>]*judge\.db-wal", line)]
        asked = max(number for number, line in enumerate(lines[:said]) if "354 " in line or "FETCH" in line)
        assert synced, f"nothing was synced before {word}"
        assert synced[-1] > asked, f"nothing was synced between the mail and {word}"


# --- a long run of faults ---

LIMITS = """
[limits]
strangers_total_per_hour = 100000
strangers_per_day = 1000
"""
MAIL_FAULTS = ("restart", "cut", "refuse", "stall", "half-open", "bye", "cut lines", "corrupted lines", "new UIDVALIDITY", "expunge")
RELAY_FAULTS = ("relay refuses", "relay stalls", "relay cuts", "4xx", "421", "relay hangs", "dead recipient")
ROUNDS = 3


@pytest.mark.torture
@pytest.mark.parametrize("capabilities", ["", "IMAP4rev1"], ids=["a full server", "without IDLE, MOVE and UIDPLUS"])
def test_the_judge_is_back_within_a_minute_of_every_fault(
    tmp_path: Path, world: World, monkeypatch: pytest.MonkeyPatch, seed: int, tell: Callable[[str], None], capabilities: str
) -> None:
    dice, took = random.Random(seed), defaultdict[str, list[float]](list)
    with Dovecot(capabilities=capabilities) as dovecot:
        inward, outward = FaultProxy(dovecot.imap), FaultProxy(world.sink.port)
        with judge_on(tmp_path, _IMAP.format(port=inward.port), world, monkeypatch) as judge:
            judge.config.write_text(judge.config.read_text().replace(f"port = {world.sink.port}", f"port = {outward.port}") + LIMITS)
            judge.start().wait_until_up()
            begun, busy = time.monotonic(), seconds_of_work(judge.pid)
            faults = [*MAIL_FAULTS, *RELAY_FAULTS] * ROUNDS
            dice.shuffle(faults)
            for number, fault in enumerate(faults):
                who = f"ivo{number}@example.com"
                make_trouble(fault, dovecot, inward, outward, world, dice)
                dovecot.deliver(world.mail(who, "HELP"))
                time.sleep(dice.choice([0.5, 2.0, 5.0, 12.0]))
                make_calm(inward, outward, world.sink)
                calm = time.monotonic()
                world.wait_for(who, "SIGNON", 90)
                took[fault].append(time.monotonic() - calm)
            spent = (seconds_of_work(judge.pid) - busy) / (time.monotonic() - begun)
            assert judge.stop() < 10
        answered = Counter(one.recipients for one in world.sink.taken)
        inward.close()
        outward.close()
    slowest = ", ".join(f"{fault} {max(times):.1f}" for fault, times in sorted(took.items()))
    told = f"{len(faults)} faults, {inward.connections} connections, {spent:.1%} of a processor"
    tell(f"{told}; seconds until answered at most: {slowest}")
    assert max(map(max, took.values())) < 60
    assert {to for to in answered if to[0].startswith("ivo")} == {(f"ivo{number}@example.com",) for number in range(len(faults))}
    assert spent < 0.5
    assert inward.connections < 4 * len(faults)


def seconds_of_work(pid: int) -> float:
    """Processor time a process has taken."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def make_trouble(fault: str, dovecot: Dovecot, inward: FaultProxy, outward: FaultProxy, world: World, dice: random.Random) -> None:
    """One fault now, of the mailbox or of the relay."""
    match fault:
        case "restart":
            dovecot.stop()
            time.sleep(dice.choice([0.0, 3.0]))
            dovecot.start()
        case "cut" | "relay cuts":
            (inward if fault == "cut" else outward).cut_all()
        case "refuse" | "relay refuses":
            proxy = inward if fault == "refuse" else outward
            proxy.refusing = True
            proxy.cut_all()
        case "stall" | "relay stalls":
            (inward if fault == "stall" else outward).stalled = True
        case "half-open":
            inward.forget()
        case "bye":
            inward.say(b"* BYE maintenance\r\n")
        case "cut lines":
            inward.cut_after = dice.randint(1, 3000)
            inward.cut_all()
        case "corrupted lines":
            inward.rewrite = lambda octets: octets.replace(b"FETCH", b"F\x00\xffCH").replace(b"SEARCH", b"SE(RCH")
        case "new UIDVALIDITY":
            renumber(dovecot)
            inward.cut_all()
        case "expunge":
            with suppress(OSError, IMAPClientError), IMAPClient("127.0.0.1", dovecot.imap, ssl=False) as other:
                other.login("judge", PASSWORD)
                other.select_folder("INBOX")
                other.delete_messages(other.search()[:-1])
                other.expunge()
        case "4xx":
            world.sink.after_data = "451 4.3.0 not now"
        case "421":
            world.sink.on_mail = lambda _: "421 4.3.2 going down"
        case "relay hangs":
            world.sink.hang = 5.0
        case _:
            world.sink.replies["gone@example.com"] = "550 5.1.1 no such user"
            dovecot.deliver(world.mail("gone@example.com", "HELP"))


def renumber(dovecot: Dovecot) -> None:
    """The mailbox was made anew: its numbers begin again."""
    lists = dovecot.maildir / "dovecot-uidlist"
    if not lists.exists():
        return
    head, rest = lists.read_text().split("\n", 1)
    lists.write_text(re.sub(r"V(\d+)", lambda found: f"V{int(found[1]) + 7}", head) + "\n" + rest)
    for index in dovecot.maildir.glob("dovecot.index*"):
        index.unlink()


def make_calm(inward: FaultProxy, outward: FaultProxy, sink: SmtpServer) -> None:
    """All faults over; what was stalled is cut, as a router forgets it."""
    for proxy in (inward, outward):
        proxy.refusing, proxy.cut_after, proxy.rewrite = False, None, None
        if proxy.stalled:
            proxy.stalled = False
            proxy.cut_all()
    sink.after_data, sink.on_mail, sink.hang = "250 OK", None, 0.0
    sink.replies.clear()


@pytest.mark.torture
def test_a_mailbox_of_ten_thousand_mails(
    tmp_path: Path, dovecot: Dovecot, world: World, monkeypatch: pytest.MonkeyPatch, tell: Callable[[str], None]
) -> None:
    way_in = _IMAP.format(port=dovecot.imap).replace('"judge"', '"full"')
    dovecot.deliver(world.mail("x@example.com", "first"), to="full@example.org")
    new = dovecot.folder / "mail" / "full" / "new"
    owner = new.stat()
    for number in range(10_000):
        path = new / f"{1_700_000_000 + number}.M{number}.x"
        path.write_bytes(world.mail(f"x{number}@junk.example", "buy this"))
        os.chown(path, owner.st_uid, owner.st_gid)
    with judge_on(tmp_path, way_in, world, monkeypatch) as judge:
        judge.start().wait_until_up()
        begun = time.monotonic()
        url = f"sqlite:///{tmp_path / 'spool' / 'judge.db'}"
        wait_until(lambda: kept(url) >= 10_001, 300, 0.5)
        tell(f"10,000 mails of a mailbox kept after {time.monotonic() - begun:.1f} s")
        judge.stop()


def kept(url: str) -> int:
    """How many mails are in the database."""
    store = open_store(url, readonly=True)
    with store.reading() as tx:
        found = sum(tx.inbox.counts().values())
    store.close()
    return found
