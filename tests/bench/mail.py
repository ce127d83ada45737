"""What a mail costs: handled in this process, and end to end through a real `judge run`; what a deadline costs; memory."""

import re
import resource
import smtplib
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from judge.cli.demoplay import PostOffice, ReadLetter, Somebody
from judge.mail import Arrival
from judge.service.daemon import settle_memory
from judge.service.deadlines import close_game
from judge.service.handle import handle
from judge.service.receive import accept
from tests.support.places import wait_until
from tests.support.table import NOON, Table

POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
ORDERS = {
    "AUSTRIA": "A Vie - Gal\nA Bud - Ser\nF Tri - Alb",
    "ENGLAND": "F London - North Sea\nF Edi - Nwg\nA Lvp - Yor",
    "FRANCE": "A Par - Bur\nA Mar S A Par - Bur\nF Brest - Mid Atlantic",
    "GERMANY": "A Ber - Kie\nF Kie - Den\nA Mun - Ruh",
    "ITALY": "A Ven H\nA Rom - Apu\nF Nap - Ion",
    "RUSSIA": "A Mos - Ukr\nA War - Gal\nF Sev - Bla\nF Stp/sc - Bot",
    "TURKEY": "F Ank - Bla\nA Con - Bul\nA Smy - Con",
}
_CONFIG = """[judge]
address = "judge@judge.example"
spool = "spool"
tick = 0.2
pictures = false
[mail_in.door]
port = 0
retry_gap = 0
[mail_out]
maildir = "spool/out"
[limits]
answers_per_hour = 100000
answers_per_day = 100000
mails_per_hour = 100000
"""


@dataclass(frozen=True)
class Figure:
    """One measured number beside its target ("" none)."""

    what: str
    value: str
    target: str = ""


def mail_from(power: str, to: str, number: int, text: str) -> bytes:
    """An order mail of about two kilobytes."""
    filler = "X-Trace: " + "x" * 60 + "\r\n"
    return (
        f"Received: from mx.example by mx.judge.example; Mon, 05 Jan 2026 12:00:00 +0000\r\n{filler * 18}From: {power.title()} "
        f"<{power.lower()}@club.example>\r\nTo: {to}\r\nSubject: orders\r\nMessage-ID: <b{number}@club.example>\r\n"
        "Date: Mon, 05 Jan 2026 12:00:00 +0000\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n"
    ).encode() + text.replace("\n", "\r\n").encode()


def start_game(table: Table, name: str = "danube") -> dict[str, str]:
    """A running game; the secret addresses of its seats."""
    seats: dict[str, str] = {}

    def confirm(sender: str, line: str) -> None:
        letters = table.mail(sender, "judge@judge.example", line)
        code = next(found[1] for letter in letters if (found := re.search(r"CONFIRM (\S+)", letter.text)))
        for letter in table.mail(sender, "judge@judge.example", f"CONFIRM {code}"):
            found = re.search(rf"judge\+{name}\.\S+@judge.example", letter.reply_to)
            if letter.to == sender and found:
                seats[sender] = found[0]

    confirm("gm@club.example", f"CREATE {name} REMINDERS none")
    for power in POWERS:
        confirm(f"{power.lower()}@club.example", f"SIGNON {name} {power}")
    return seats


def handled_in_process(mails: int = 210) -> list[Figure]:
    """CPU of an order mail from claimed bytes to the acknowledgement in the outbox; the same for a whole deadline."""
    with tempfile.TemporaryDirectory() as folder:
        table = Table(Path(folder))
        seats = start_game(table)
        settle_memory()  # as `judge run` does
        costs: list[float] = []
        for number in range(mails):
            power = POWERS[number % 7]
            text = ORDERS[power].replace("H", "h" * (1 + number % 2))
            to = seats[f"{power.lower()}@club.example"]
            accept(table.s, [Arrival(mail_from(power, to, number, "SET WAIT\n" + text), NOON, None, "a@club.example", (to,))])
            with table.s.store.transaction() as tx:
                waiting = tx.inbox.claim(NOON)
            assert waiting is not None
            began = time.process_time()
            handle(table.s, waiting)
            costs.append(time.process_time() - began)
        closing: list[float] = []
        for _ in range(10):
            table.clock.at += timedelta(days=4)
            with table.s.store.transaction() as tx:
                tx.marks.set("read:door", table.clock.at.isoformat())
            began = time.perf_counter()
            assert close_game(table.s, 1)
            closing.append(time.perf_counter() - began)
    return [
        Figure("order mail, read to acknowledgement in the outbox: CPU median", f"{statistics.median(costs[21:]) * 1000:.1f} ms", "5 ms"),
        Figure("one phase closed, eight letters in the outbox, no picture: median", f"{statistics.median(closing) * 1000:.1f} ms", "20 ms"),
    ]


def end_to_end(mails: int = 1000) -> list[Figure]:
    """Order mails a second through a real `judge run`: SMTP in, committed, handled, answered; its memory afterwards."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "judge.toml").write_text(_CONFIG)
        command = [sys.executable, "-m", "judge", "run", "--config", str(folder / "judge.toml")]
        server = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        try:
            port_file = folder / "spool" / "door.port"
            wait_until(lambda: port_file.exists() and bool(port_file.read_text().strip()), 30)
            out = folder / "spool" / "out"
            seats = sign_on(PostOffice(int(port_file.read_text()), out))
            before = len(list((out / "new").glob("*")))
            with smtplib.SMTP("127.0.0.1", int(port_file.read_text())) as client:
                began = time.perf_counter()
                for number in range(mails):
                    power = POWERS[number % 7]
                    to = seats[power]
                    text = "SET WAIT\n" + ORDERS[power]
                    client.sendmail(f"{power.lower()}@club.example", [to], mail_from(power, to, number, text))
                taken = time.perf_counter() - began
                wait_until(lambda: len(list((out / "new").glob("*"))) >= before + mails, 300)
                done = time.perf_counter() - began
            memory = resident(server.pid)
        finally:
            server.terminate()
            server.wait(30)
    return [
        Figure(f"{mails} order mails over one SMTP connection, durable", f"{mails / taken:.0f}/s"),
        Figure(f"{mails} order mails handled, answered, handed over", f"{mails / done:.0f}/s"),
        Figure(f"memory of judge run after {mails} mails", f"{memory} MB"),
    ]


def sign_on(post: PostOffice) -> dict[str, str]:
    """A game with seven players on a real server; their secret addresses."""
    master = Somebody("Gm", "gm@club.example")
    players = {power: Somebody(power.title(), f"{power.lower()}@club.example") for power in POWERS}
    everybody = {each.address: each for each in (master, *players.values())}

    def await_letter(somebody: Somebody, sign: str) -> ReadLetter:
        found: list[ReadLetter] = []

        def look() -> bool:
            for letter in post.fetch():
                everybody[letter.to].box.append(letter)
            found[:] = [letter for letter in somebody.box if sign in letter.subject or sign in letter.text]
            return bool(found)

        wait_until(look, 60)
        return found[-1]

    master.write(post, "judge@judge.example", "new", "CREATE danube REMINDERS none")
    master.confirm(post, await_letter(master, "CONFIRM"))
    await_letter(master, "[danube]")
    for power, player in players.items():
        player.write(post, "judge@judge.example", "join", f"SIGNON danube {power}")
        player.confirm(post, await_letter(player, "CONFIRM"))
    return {power: await_letter(player, "S1901M]").reply_to for power, player in players.items()}


def resident(pid: int) -> int:
    """Megabytes of a process in memory."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) // 1024
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024


def measure() -> list[Figure]:
    """All figures of this module."""
    return [*handled_in_process(), *end_to_end()]


if __name__ == "__main__":
    for figure in measure():
        print(f"{figure.what:72} {figure.value:>12} {figure.target and f'(target {figure.target})'}")
