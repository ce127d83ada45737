"""`make bench-load`: a thousand games due at once, bursts of mail, ten thousand running games, several workers; real processes and sockets.

``python -m tests.bench.load a --games 1000 --pictures --runs 3`` does one part.  Each run is in a folder of its own that is removed
afterwards; with ``--keep FILE`` figures are written to that file too, and runs that stand there already are not repeated.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from sqlalchemy import text

from judge.mail import Arrival
from judge.service.daemon import one_round, settle_memory
from judge.service.handle import handle_next
from judge.service.receive import accept
from tests.bench.clients import Addressed, hand_over
from tests.bench.mail import mail_from, resident
from tests.bench.sinks import Sink
from tests.bench.stock import DOOR, Chair, Stock, order_mails, write_settings
from tests.support.dovecot import PASSWORD, Dovecot
from tests.support.places import wait_until
from tests.support.postgres import shared_server
from tests.support.process import JudgeProcess

LIMIT = 1200.0
"""Seconds after which a part is given up."""
NOTICE = timedelta(seconds=10)
"""How long before a deadline the judge knows of it; in life these are days, and half a minute before it makes itself ready."""
Values = dict[str, float]
"""What one run has measured, by name."""


@dataclass(frozen=True)
class Target:
    """What a figure is measured against: its unit, and the most it may be (0: told only)."""

    unit: str
    most: float = 0.0
    least: float = 0.0


TARGETS: Mapping[str, Target] = {
    "outbox": Target("s"),
    "delivered": Target("s", 15),
    "delivered, pictures": Target("s", 60),
    "CPU of a game": Target("ms"),
    "CPU of a game, pictures": Target("ms"),
    "durable, LMTP": Target("s", 60),
    "answered, LMTP": Target("s", 600),
    "durable, IMAP": Target("s", 60),
    "answered, IMAP": Target("s", 600),
    "start": Target("s", 2),
    "memory": Target("MB", 300),
    "memory by finished games": Target("MB"),
    "idle round": Target("ms", 50),
    "LIST": Target("ms"),
    "order mail": Target("ms"),
    "order mail: many games / 10": Target("", 1.5),
    "order mail: year 30 / year 1": Target("", 1.5),
    "1 worker": Target("s"),
    "2 workers": Target("s"),
    "4 workers": Target("s"),
    "1 worker / 2": Target("", least=1.6),
    "2 workers / 4": Target("", least=1.0),
}


# ---- an installation that runs


@dataclass
class Place:
    """A folder with an installation that is full of games, its daemon not started, and the sink its letters go to."""

    folder: Path
    stock: Stock
    chairs: list[Chair]
    sink: Sink
    settings: str

    def start(self) -> JudgeProcess:
        """The daemon, up and listening."""
        process = JudgeProcess(self.folder, self.settings).start()
        process.wait_until_up()
        return process

    @property
    def door(self) -> int:
        """The port of the door."""
        file = self.folder / "spool" / "door.port"
        wait_until(lambda: file.exists() and bool(file.read_text().strip()), 60)
        return int(file.read_text())

    def count(self, query: str, **values: object) -> int:
        """A number out of the database."""
        with self.stock.store.snapshot() as connection:
            return int(connection.execute(text(query), values).scalar_one())

    def await_count(self, query: str, wanted: Callable[[int], bool], **values: object) -> float:
        """Wait until a number is as wanted; the wall clock then."""
        end = time.monotonic() + LIMIT
        while not wanted(found := self.count(query, **values)):
            if time.monotonic() > end:
                raise TimeoutError(f"{query}: {found}")
            time.sleep(0.05)
        return time.time()


@contextmanager
def a_place(games: int, *, pictures: bool = False, postgres: bool = False, mail_in: str = DOOR) -> Iterator[Place]:
    """An installation with so many running games."""
    url = shared_server().fresh_database() if postgres else ""
    with tempfile.TemporaryDirectory() as name, Sink() as sink:
        folder = Path(name)
        file = write_settings(folder, sink.port, pictures=pictures, url=url, mail_in=mail_in)
        stock = Stock(file)
        try:
            yield Place(folder, stock, stock.fill(games), sink, file.read_text())
        finally:
            stock.close()
    if url:
        shared_server().drop(url)


class Worker:
    """A `judge run` with a part of the work."""

    def __init__(self, place: Place, only: str) -> None:
        command = [sys.executable, "-m", "judge", "run", "--config", str(place.folder / "judge.toml"), "--only", only]
        with (place.folder / "judge.log").open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, cwd=place.folder)

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    def stop(self) -> None:
        """Ask it to end, and wait."""
        self._process.terminate()
        self._process.wait(60)


def await_workers(place: Place, count: int) -> None:
    """Wait until so many say that they run."""
    log = place.folder / "judge.log"
    wait_until(lambda: log.read_text().count('"event": "judge runs"') == count, 120)


OPEN_GAMES = "SELECT count(*) FROM game WHERE due_at <= :at"
LETTERS = "SELECT count(*) FROM outbox"
OPEN_MAILS = "SELECT count(*) FROM inbox WHERE finished_at IS NULL"
MAILS = "SELECT count(*) FROM inbox"


# ---- (a) all due at once


def all_due(wanted: argparse.Namespace) -> Values:
    """All games due at the same moment: until the last letter is in the outbox, and until the sink has it."""
    with a_place(wanted.games, pictures=wanted.pictures, postgres=wanted.database == "postgres") as place:
        processes: Sequence[Worker | JudgeProcess] = start_split(place) if wanted.split else [place.start()]
        try:
            at = place.stock.s.clock.now() + NOTICE
            place.stock.set_due(at)
            time.sleep(max(0.0, at.timestamp() - time.time()))
            since = time.time()
            before = sum(cpu_of(process.pid) for process in processes)
            queued = place.await_count(OPEN_GAMES, lambda n: n == 0, at=int(at.timestamp() * 1_000_000)) - since
            letters = place.count(LETTERS)
            delivered = place.sink.await_letters(letters, LIMIT) - since
            used = sum(cpu_of(process.pid) for process in processes) - before
        finally:
            for process in processes:
                process.stop()
    print(f"  {wanted.games} games, {letters} letters", flush=True)
    kind = ", pictures" if wanted.pictures else ""
    return {"outbox": queued, f"delivered{kind}": delivered, f"CPU of a game{kind}": used * 1000 / wanted.games}


def cpu_of(pid: int) -> float:
    """Seconds of CPU that a process and all it has started have used."""
    place = Path(f"/proc/{pid}")
    fields = (place / "stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK") + sum(map(cpu_of, children_of(pid)))


def children_of(pid: int) -> list[int]:
    """The processes that a process has started."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return [int(each) for task in tasks for each in (task / "children").read_text().split()]


def start_split(place: Place) -> list["Worker"]:
    """One process that delivers, and one for the rest."""
    workers = [Worker(place, "receive,poll,handle,close"), Worker(place, "deliver")]
    await_workers(place, 2)
    return workers


# ---- (b) a burst of mail


def burst(wanted: argparse.Namespace) -> Values:
    """Order mails as fast as they are taken: until all are durable, and until all are answered."""
    return {**burst_by_lmtp(wanted), **burst_by_imap(wanted)}


def burst_for(place: Place, count: int) -> list[Addressed]:
    """So many order mails to the games of a place."""
    return [(chair.sender, chair.to, raw) for chair, raw in order_mails(place.chairs, count)]


def burst_by_lmtp(wanted: argparse.Namespace) -> Values:
    """A burst from a mail server that hands over on several connections."""
    with a_place(wanted.games, postgres=wanted.database == "postgres") as place:
        process = place.start()
        try:
            began = hand_over(place.door, burst_for(place, wanted.mails))
            durable = time.time() - began
            assert place.count(MAILS) == wanted.mails
            answered = place.sink.await_letters(wanted.mails, LIMIT) - began
        finally:
            process.stop()
    return {"durable, LMTP": durable, "answered, LMTP": answered}


def burst_by_imap(wanted: argparse.Namespace) -> Values:
    """A mailbox that is full when the judge looks into it."""
    with Dovecot() as server:
        secret = server.folder / "secret"
        secret.write_text(PASSWORD)
        account = f'host = "localhost"\nport = {server.imaps}\nuser = "judge"\nsecret = "file:{secret}"\nca = "{server.folder}/cert.pem"\n'
        with a_place(wanted.games, postgres=wanted.database == "postgres", mail_in=f"[mail_in.imap]\n{account}") as place:
            hand_over(server.lmtp, burst_for(place, wanted.mails))
            began = time.time()
            process = place.start()
            try:
                durable = place.await_count(MAILS, lambda n: n >= wanted.mails) - began
                answered = place.sink.await_letters(wanted.mails, LIMIT) - began
            finally:
                process.stop()
    return {"durable, IMAP": durable, "answered, IMAP": answered}


# ---- (c) many games on disk


def many_games(wanted: argparse.Namespace) -> Values:
    """What grows with the number of games, and with their age: start, memory, an idle round, LIST, one order mail."""
    few = costs_among(10, years=30)
    with a_place(wanted.many) as place:
        began = time.monotonic()
        process = place.start()
        start = time.monotonic() - began
        time.sleep(5)  # what is done at the start is done
        memory = resident(process.pid)
        process.stop()
        place.stock.fill(wanted.many, first=wanted.many + 1, running=False)
        process = place.start()
        time.sleep(5)
        more = resident(process.pid) - memory
        process.stop()
        values = costs(place)  # last, for its mails make letters that the next process would deliver
    return {
        "start": start,
        "memory": memory,
        "memory by finished games": more,
        **values,
        "order mail: many games / 10": values["order mail"] / few["order mail"],
        "order mail: year 30 / year 1": few["aged"] / few["order mail"],
    }


def costs_among(games: int, years: int) -> Values:
    """The costs among few games, and in one that has gone on for years."""
    with a_place(games) as place:
        values = costs(place)
        place.stock.age(2, years)
        aged = [chair for chair in place.chairs if chair.game == "g2"]
        return {**values, "aged": mail_cost(place.stock, aged, "ORDERS")}


def costs(place: Place) -> Values:
    """Milliseconds of this process for an idle round, LIST and an order mail, among the games of a place."""
    settle_memory()
    stock = place.stock
    with stock.store.transaction() as tx:
        tx.marks.set("read:door", stock.s.clock.now().isoformat())
    idle = [_timed(lambda: one_round(stock.s)) for _ in range(50)]
    own = [chair for chair in place.chairs if chair.game == "g1"]
    return {
        "idle round": statistics.median(idle) * 1000,
        "LIST": mail_cost(stock, own, "LIST"),
        "order mail": mail_cost(stock, own, "ORDERS"),
    }


def mail_cost(stock: Stock, chairs: Sequence[Chair], what: str, mails: int = 80) -> float:
    """Milliseconds of CPU, the median, from the claim of a mail to its answer in the outbox."""
    taken = []
    for number, (chair, raw) in enumerate(order_mails(chairs, mails)):
        if what == "LIST":
            raw = mail_from(chair.power, chair.to, number, f"LIST\nREM {number}\n").replace(b"b%d@" % number, b"l%d@" % number)
        accept(stock.s, [Arrival(raw, stock.s.clock.now(), None, chair.sender, (chair.to,))])
        taken.append(_timed(lambda: handle_next(stock.s)))
    return statistics.median(taken[mails // 4 :]) * 1000


def _timed(work: Callable[[], object]) -> float:
    """Seconds of CPU."""
    began = time.process_time()
    work()
    return time.process_time() - began


# ---- (d) several workers


def workers(wanted: argparse.Namespace) -> Values:
    """The same mails waiting for one, two and four processes on PostgreSQL, until all are answered."""
    taken = {count: by_workers(wanted, count) for count in (1, 2, 4)}
    return {
        "1 worker": taken[1],
        "2 workers": taken[2],
        "4 workers": taken[4],
        "1 worker / 2": taken[1] / taken[2],
        "2 workers / 4": taken[2] / taken[4],
    }


def by_workers(wanted: argparse.Namespace, count: int) -> float:
    """Seconds until so many processes have answered all mails that wait; letters stay in the outbox."""
    with a_place(wanted.games, postgres=True) as place:
        s = place.stock.s
        mails = [Arrival(raw, s.clock.now(), None, chair.sender, (chair.to,)) for chair, raw in order_mails(place.chairs, wanted.mails)]
        processes = [Worker(place, "handle,close") for _ in range(count)]
        try:
            await_workers(place, count)
            time.sleep(3)  # what is done at the start is done
            for start in range(0, len(mails), 500):
                accept(s, mails[start : start + 500])
            began = time.time()
            return place.await_count(OPEN_MAILS, lambda n: n == 0) - began
        finally:
            for process in processes:
                process.stop()


# ---- the table

PARTS: Mapping[str, Callable[[argparse.Namespace], Values]] = {"a": all_due, "b": burst, "c": many_games, "d": workers}


def measure(part: str, wanted: argparse.Namespace) -> list[Values]:
    """The runs of a part; those that stand in the kept file are taken from there."""
    how = {
        "part": part,
        "games": wanted.games,
        "pictures": wanted.pictures,
        "split": wanted.split,
        "database": wanted.database,
        "mails": wanted.mails,
    }
    key = json.dumps(how | {"many": wanted.many}, sort_keys=True)
    file = Path(wanted.keep) if wanted.keep else None
    lines = file.read_text().splitlines() if file is not None and file.exists() else []
    runs: list[Values] = [kept["values"] for kept in map(json.loads, lines) if kept["key"] == key][: wanted.runs]
    while len(runs) < wanted.runs:
        began = time.monotonic()
        runs.append(PARTS[part](wanted))
        print(f"  run {len(runs)} of {wanted.runs} took {time.monotonic() - began:.0f} s", flush=True)
        if file is not None:
            with file.open("a") as out:
                out.write(json.dumps({"key": key, "values": runs[-1]}) + "\n")
    return runs


def show(runs: Sequence[Values]) -> None:
    """A line for each figure: the median of the runs, their spread, and the target."""
    for name in runs[0]:
        found, target = sorted(run[name] for run in runs), TARGETS[name]
        good = (not target.most or found[-1] <= target.most) and found[0] >= target.least
        wish = f"at most {target.most:g}" if target.most else f"at least {target.least:g}" if target.least else ""
        verdict = f"({wish} {target.unit}: {'yes' if good else 'NO'})" if wish else ""
        spread = f"{found[0]:.2f} to {found[-1]:.2f}" if len(found) > 1 else ""
        print(f"{name:32} {statistics.median(found):10.2f} {target.unit:3} {spread:20} {verdict}", flush=True)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "parts", nargs="*", default=[], help="a: all due at once, b: bursts, c: many games, d: workers; all if none is named"
    )
    parser.add_argument("--games", type=int, default=1000, help="running games (a, b, d)")
    parser.add_argument("--many", type=int, default=10_000, help="running games (c)")
    parser.add_argument("--mails", type=int, default=10_000, help="order mails (b, d)")
    parser.add_argument("--pictures", action="store_true", help="letters with pictures (a)")
    parser.add_argument("--split", action="store_true", help="letters leave from a process of their own (a)")
    parser.add_argument("--database", choices=("sqlite", "postgres"), default="sqlite", help="(a, b)")
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--keep", default="", help="a file for the figures")
    wanted = parser.parse_args()
    if wrong := set(wanted.parts) - set(PARTS):
        parser.error(f"no such part: {', '.join(sorted(wrong))}")
    parts = [(part, wanted.pictures) for part in wanted.parts] or [("a", False), ("a", True), ("b", False), ("c", False), ("d", False)]
    for part, wanted.pictures in parts:
        print(f"=== {part}{', pictures' if wanted.pictures else ''}: {(PARTS[part].__doc__ or '').strip()}", flush=True)
        show(measure(part, wanted))


if __name__ == "__main__":
    main()
