"""Judges forked from a warmed parent, to be killed at named places and begun again; and what must hold after every kill."""

import os
import random
import re
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event

from sqlalchemy import Connection, func, select

from judge.cli.ending import when_told_to_end
from judge.config import Config, JudgeConfig, LimitsConfig, MailInConfig, MailOutConfig
from judge.game import Game, next_reminder
from judge.mail.maildir import MaildirSink, MaildirSource
from judge.rules import write_unit
from judge.service import failpoints
from judge.service.context import Services
from judge.service.daemon import look_into, one_round, run
from judge.service.deliver import MARKS_AT_ONCE, deliver_waiting
from judge.service.gallery import Gallery
from judge.service.pace import Pacer
from judge.service.pictures import Pictures
from judge.store import LetterKind, SqlStore, open_store
from judge.store.tables import inbox, outbox, submission, turn
from judge.store.tables import press as messages
from judge.wiring import build
from tests.support.places import wait_until
from tests.support.process import JudgeProcess
from tests.support.table import FixedClock

JUDGE = "judge@judge.example"
PEOPLE = {"MASTER": "gm@club.example", "ENGLAND": "england@club.example", "TURKEY": "turkey@club.example"}
UNBOUNDED = LimitsConfig(mails_per_hour=10**9, answers_per_hour=10**9, answers_per_day=10**9, bounces=0)
NO_PLACE = ""
MOST_AGAIN = 2 * MARKS_AT_ONCE
"""Letters that two carriers may have handed over and not marked."""
COLD = """
[judge]
address = "judge@judge.example"
operator = "keeper@judge.example"
pictures = false
tick = 0.5
[mail_in]
maildir = "in"
[mail_out]
maildir = "out"
connections = 2
[limits]
bounces = 0
[web]
enabled = false
"""


class LiveClock(FixedClock):
    """The machine's own clock."""

    def __init__(self) -> None:
        return

    @property
    def at(self) -> datetime:  # type: ignore[override]  # goes by itself
        return datetime.now(UTC)

    def now(self) -> datetime:
        return self.at


@dataclass
class Nursery:
    """One installation in a folder: mails are put into ``in``, letters come out in ``out``; `url` is where its games are kept."""

    folder: Path
    url: str = ""
    clock: FixedClock = field(default_factory=FixedClock)
    sent: int = 0
    """Mails put into ``in``."""
    press: int = 0
    """Messages among them."""
    orders: int = 0
    """Mails with orders among them."""

    bad: set[int] = field(default_factory=set)
    """Mails that were set aside because the process died each time they were handled."""

    def __post_init__(self) -> None:
        config = Config(
            file=self.folder / "judge.toml",
            judge=JudgeConfig(address=JUDGE, operator="keeper@judge.example", pictures=False, tick=0.2),
            mail_in=MailInConfig(maildir="in"),
            mail_out=MailOutConfig(maildir="out", connections=2),
            limits=UNBOUNDED,
            database=self.url,
        )
        self.base = build(config)
        self.url = config.database_url
        self.base.store.close()
        for name in ("in", "out"):
            for part in ("tmp", "new", "cur"):
                (self.folder / name / part).mkdir(parents=True, exist_ok=True)
        self._out: Counter[str] = Counter()
        self._bodies: dict[str, bytes] = {}
        self._seen: set[str] = set()

    # ---- judges

    def services(self, store: SqlStore) -> Services:
        """The parts for one process."""
        base = self.base
        return replace(
            base,
            store=store,
            clock=self.clock,
            sources=(MaildirSource(self.folder / "in", self.clock.now),),
            sink=MaildirSink(self.folder / "out"),
            open_sink=lambda: MaildirSink(self.folder / "out"),
            pictures=Gallery(store, Pictures(self.folder / "pictures", base.library)),
            wake=Event(),
            letters=Event(),
            pacer=Pacer(),
            unhandled=[],
        )

    def fork(self, place: str = NO_PLACE, *, serve: bool = False) -> int:
        """A judge that dies at that place, or ends when everything is done; with `serve` it runs until it is told to stop."""
        pid = os.fork()
        if pid:
            return pid
        code = 1
        try:
            failpoints.arm(place)
            s = self.services(open_store(self.url))
            if s.store.engine.dialect.name == "sqlite":
                s.store.claim_daemon()
            if serve:
                stop = Event()

                def end() -> None:
                    for event in (stop, s.wake, s.letters):
                        event.set()

                when_told_to_end(end)
                run(s, stop)
            else:
                work(s)
            code = 0
        finally:
            os._exit(code)

    def once(self, place: str = NO_PLACE) -> bool:
        """One judge, from its start to its end; whether it was killed."""
        _, status = os.waitpid(self.fork(place), 0)
        if os.WIFSIGNALED(status):
            assert os.WTERMSIG(status) == signal.SIGKILL
            return True
        assert os.WEXITSTATUS(status) == 0
        return False

    def here(self) -> None:
        """The same in this process: what is read and compiled on the way is at hand for all that are forked later."""
        with self.store() as store:
            work(self.services(store))

    @contextmanager
    def store(self) -> Iterator[SqlStore]:
        """The database, while no judge of ours is being forked."""
        opened = open_store(self.url)
        try:
            yield opened
        finally:
            opened.close()

    # ---- mails

    def put(self, raw: bytes) -> None:
        """A mail comes in."""
        self.sent += 1
        waiting = self.folder / "in" / "tmp" / f"{self.sent:08}"
        waiting.write_bytes(raw)
        os.utime(waiting, (self.clock.at.timestamp(), self.clock.at.timestamp()))
        waiting.rename(self.folder / "in" / "new" / waiting.name)

    def write(self, seat: str, text: str, to: str = JUDGE) -> bytes:
        """A mail of somebody, put into ``in``."""
        raw = (
            f"From: {PEOPLE[seat]}\r\nTo: {to}\r\nSubject: orders\r\nMessage-ID: <m{self.sent}.{self.folder.name}@club.example>\r\n"
            f"Content-Type: text/plain; charset=utf-8\r\n\r\n"
        ).encode() + text.replace("\n", "\r\n").encode()
        self.put(raw)
        return raw

    def begin(self) -> None:
        """A game of two, running."""
        self._confirm("MASTER", "CREATE danube VARIANT england_turkey")
        for power in ("ENGLAND", "TURKEY"):
            self._confirm(power, f"SIGNON danube {power}")
        with self.store() as store, store.reading() as tx:
            kept = tx.games.get("danube")
            assert kept is not None
            assert kept.game.status == "running"

    def _confirm(self, seat: str, text: str) -> None:
        self.write(seat, text)
        self.here()
        code = next(found[1] for raw in self.letters_to(PEOPLE[seat]) if (found := re.search(rb"CONFIRM (\w{5}-\w{5})", raw)))
        self.write(seat, f"CONFIRM {code.decode()}")
        self.here()

    def letters_to(self, address: str) -> list[bytes]:
        """Letters that left to an address, the newest first."""
        files = sorted((self.folder / "out" / "new").iterdir(), key=lambda file: file.name, reverse=True)
        raws = [file.read_bytes() for file in files]
        return [raw for raw in raws if f"Delivered-To: {address}\r\n".encode() in raw]

    def game(self, tx: object = None) -> Game:
        """The game as it is."""
        with self.store() as store, store.reading() as now:
            kept = now.games.get("danube")
            assert kept is not None
            return kept.game

    def secret(self, game: Game, seat: str) -> str:
        """The secret address of a seat."""
        held = game.seat(seat)
        assert held is not None
        return self.base.own.secret_address(game.name, self.base.keys.token(game, held))

    def say(self) -> bytes:
        """A message from one to the other."""
        raw = self.write("ENGLAND", f"PRESS TO TURKEY\nmail {self.sent}\nENDPRESS", self.secret(self.game(), "ENGLAND"))
        self.press += 1
        return raw

    def phase(self) -> None:
        """Mails with the orders of both, which close the open phase."""
        game = self.game()
        for power in ("ENGLAND", "TURKEY"):
            units = [write_unit(unit) for unit in sorted(game.position.units[power])]
            self.write(power, "\n".join(f"{unit} H" for unit in units), self.secret(game, power))
            self.orders += 1

    def everything(self) -> None:
        """A message, a copy of it, a report about a letter, and the orders that close the phase."""
        raw = self.say()
        self.put(raw)
        self.report(self.game())
        self.phase()

    def sleep_until(self, *, deadline: bool) -> None:
        """Let time go by until reminders are due, or the phase; where the clock goes by itself, the game is moved instead."""
        game = self.game()
        assert game.deadline is not None
        reminder = next_reminder(game)
        then = game.deadline.at + timedelta(seconds=1) if deadline or reminder is None else reminder
        if not isinstance(self.clock, LiveClock):
            self.clock.at = then
            return
        earlier = then - self.clock.now()
        moved = replace(
            game,
            deadline=replace(game.deadline, at=game.deadline.at - earlier),
            created_at=game.created_at - earlier,
            phase_began=game.phase_began and game.phase_began - earlier,
        )
        with self.store() as store, store.transaction() as tx:
            kept = tx.games.get(game.id)
            assert kept is not None
            tx.games.put(moved, kept.version)

    def report(self, game: Game) -> None:
        """A delivery report about a letter to one player."""
        path = self.base.own.return_path(game.name, "TURKEY", "t1")
        self.put(
            (
                f"Return-Path: <>\r\nFrom: mailer-daemon@club.example\r\nTo: {path}\r\nSubject: Undelivered\r\n"
                f"Message-ID: <b{self.sent}@club.example>\r\nMIME-Version: 1.0\r\n"
                'Content-Type: multipart/report; report-type=delivery-status; boundary="=b"\r\n\r\n--=b\r\n\r\nSorry.\r\n--=b\r\n'
                "Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; club.example\r\n\r\n"
                f"Final-Recipient: rfc822; {PEOPLE['TURKEY']}\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n--=b--\r\n"
            ).encode()
        )

    # ---- what must hold

    def prepare(self, place: str) -> None:
        """Something to do that passes that place."""
        if place.startswith("duplicate"):
            self.put(self.say())
        elif place.startswith("bounce"):
            self.report(self.game())
        elif place.startswith("closing"):
            self.phase()
        elif place.startswith("reminding"):
            if next_reminder(self.game()) is None:  # the last one of this phase has gone out
                self.phase()
                self.once()
            self.sleep_until(deadline=False)
        else:
            self.say()

    def kill_at(self, place: str, times: int) -> int:
        """Kill as often at that place, five times in a row at most before new work; gives how many letters left twice because of it."""
        before = self.check()
        for number in range(times):
            if number % 5 and self.once(place):
                continue
            self.once()
            self.prepare(place)
            assert self.once(place), f"{place} was not passed"
        self.once()
        return self.check() - before

    def kill_and_start_anew(self, place: str) -> int:
        """The program itself, started as an operator does, killed at that place and started once more; letters that left twice.

        Only on the machine's own clock.  Its carriers work beside the rest, so what they have just handed over may leave twice wherever
        it is killed, `MOST_AGAIN` letters at most.
        """
        before = self.check()
        self.prepare(place)
        judge = JudgeProcess(self.folder, COLD).start(**{failpoints.VARIABLE: place})
        try:
            if place.startswith("shutdown"):
                judge.wait_until_up()
                self.settle()
                os.kill(judge.pid, signal.SIGTERM)
            wait_until(lambda: not judge.is_alive, 60)
            judge.start().wait_until_up()
            self.settle()
            assert judge.stop() < 10
        finally:
            judge.kill()
        again = self.check() - before
        assert again <= MOST_AGAIN
        return again

    def kill_workers(self, dice: random.Random, kills: int, workers: int) -> tuple[int, int]:
        """Kill one of several judges that share a store again and again, each at once replaced; letters that left twice, and kills."""
        pids = [self.fork(serve=True) for _ in range(workers)]
        again = 0
        try:
            for number in range(kills):
                if number % 4 == 0:
                    self.everything()
                time.sleep(dice.uniform(0.02, 0.3))
                victim = pids.pop(dice.randrange(len(pids)))
                os.kill(victim, signal.SIGKILL)
                os.waitpid(victim, 0)
                pids.append(self.fork(serve=True))
                if number % 40 == 39 or number == kills - 1:
                    self.settle()
                    again = self.check()
        finally:
            for pid in pids:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
        return again, kills

    def settle(self, seconds: float = 90) -> None:
        """Wait until the judges that run have nothing left to do."""
        with self.store() as store:

            def is_done() -> bool:
                with store.reading() as tx:
                    wake = tx.games.next_wake()
                    finished = (wake is None or wake > self.clock.now()) and tx.inbox.unfinished() == 0 and tx.outbox.counts().waiting == 0
                return finished and not any((self.folder / "in" / "new").iterdir())

            wait_until(is_done, seconds, 0.1)
            time.sleep(0.3)  # a phase that has just become due
            wait_until(is_done, seconds, 0.1)

    def letters_out(self) -> Counter[str]:
        """How often each Message-ID left; every copy must be the same octets."""
        for file in (self.folder / "out" / "new").iterdir():
            if file.name in self._seen:
                continue
            self._seen.add(file.name)
            raw = file.read_bytes()
            found = re.search(rb"^Message-ID: <([^>]+)>", raw, re.MULTILINE)
            assert found is not None
            key = found[1].decode()
            assert self._bodies.setdefault(key, raw) == raw, f"{key} left in two forms"
            self._out[key] += 1
            file.unlink() if self._out[key] > 1 else None
        return self._out

    def check(self) -> int:
        """Assert that nothing is lost and nothing done twice; gives how many letters left twice."""
        with self.store() as store, store.snapshot() as db:
            states: dict[str, int] = dict(db.execute(select(inbox.c.state, func.count()).group_by(inbox.c.state)).all())
            assert sum(states.values()) == self.sent, f"mails kept: {states}, sent: {self.sent}"
            assert set(states) <= {"done", "duplicate", "silent", "bad"}, states
            self._forget_bad(db)
            pairs = db.execute(
                select(turn.c.game, turn.c.phase, func.count()).where(turn.c.withdrawn_at.is_(None)).group_by(turn.c.game, turn.c.phase)
            )
            assert all(count == 1 for _, _, count in pairs)
            assert db.execute(select(func.count()).select_from(messages)).scalar_one() == self.press
            filed = db.execute(select(submission.c.mail, func.count()).group_by(submission.c.mail)).all()
            assert len({count for _, count in filed}) <= 1, "every mail is filed as often as any other"
            assert len(filed) == self.orders
            letters = dict(db.execute(select(outbox.c.message_id, outbox.c.state)).all())
        assert set(letters.values()) == {"sent"}, Counter(letters.values())
        out = self.letters_out()
        assert set(out) == set(letters), set(out) ^ set(letters)
        return sum(count - 1 for count in out.values())

    def _forget_bad(self, db: Connection) -> None:
        """Mails that were killed too often are set aside unread, and the keeper was told: nothing is expected of them."""
        for number, raw in db.execute(select(inbox.c.number, inbox.c.raw).where(inbox.c.state == "bad")).all():
            if number not in self.bad:
                self.bad.add(number)
                near = select(inbox.c.raw).where(inbox.c.state == "done", inbox.c.number.between(number - 2, number + 2))
                if raw not in set(db.execute(near).scalars()):  # a copy of it was handled
                    self.press -= b"PRESS TO" in raw
                    self.orders -= b" H" in raw
                told = db.execute(select(outbox.c.letter).where(outbox.c.kind == int(LetterKind.ALARM))).scalars()
                assert sum(f"spool/bad/{number}.eml".encode() in letter for letter in told) == 1


def work(s: Services) -> None:
    """Everything there is to do: mail read, handled, games closed, letters sent, until nothing is left.

    A stepped clock goes on to where mails may be tried again under which the process died.
    """
    busy = True
    while busy or _time_goes_by(s):
        for source in s.sources:
            look_into(s, source, Event(), s.clock.now())
        busy = False
        while one_round(s):
            busy = True
        while deliver_waiting(s):
            busy = True
    with s.store.transaction() as tx:
        tx.marks.end_other_leases("poll:", tx.marks.holders("worker:", s.clock.now()))


def _time_goes_by(s: Services) -> bool:
    """Whether mails or letters wait for a later moment of a stepped clock, which then is now.

    Letters do where the judge that wrote them had gone further before it was killed.
    """
    if isinstance(s.clock, LiveClock):
        return False
    with s.store.reading() as tx:
        waiting = tx.inbox.unfinished() or tx.outbox.counts().waiting
    if waiting:
        assert isinstance(s.clock, FixedClock)
        s.clock.at += timedelta(seconds=10)
    return bool(waiting)


def wait_for_end(pid: int, seconds: float, hurry: Callable[[], None] = lambda: None) -> int:
    """The exit status of a child, as `os.waitpid` gives it; it is killed after so many seconds, and that is a failure."""
    end = time.monotonic() + seconds
    while True:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return status
        if time.monotonic() > end:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            raise TimeoutError(f"process {pid} did not end in {seconds} s")
        hurry()
        time.sleep(0.005)
