"""A day of steady mail on a real `judge run` with a stepped clock: memory and file sizes at each hour (`python -m tests.bench.day`)."""

import argparse
import json
import os
import re
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

from judge.clock import write_stepped_clock
from judge.game import Game, Settings, begin, change_setting, open_game
from judge.library import dump_variant
from judge.rules import write_unit
from judge.service.keys import SeatKeys
from judge.store import SqlStore
from judge.store.figures import count_turns, read_figures
from tests.support.places import wait_until
from tests.support.process import JudgeProcess
from tests.support.table import NOON, Table

SETTINGS = """
[judge]
address = "judge@judge.example"
pictures = {pictures}
clock = "stepped"
tick = 0.05
[mail_in]
maildir = "in"
[mail_out]
maildir = "out"
[limits]
mails_per_hour = 100000
answers_per_hour = 100000
answers_per_day = 100000
outage_minutes = 0
[web]
enabled = false
[watch]
enabled = false
"""
STEP = timedelta(minutes=20)
"""How far the clock goes at once."""
PHASE = "2h"
"""The length of a phase of each game."""


@dataclass(frozen=True, slots=True)
class Hour:
    """What is seen at the end of an hour of the judge's clock: octets, and how much was done until then."""

    hour: int
    memory: int
    database: int
    wal: int
    pictures: int
    mails: int
    letters: int
    turns: int

    def __str__(self) -> str:
        sizes = "  ".join(f"{octets / 1e6:8.1f}" for octets in (self.memory, self.database, self.wal, self.pictures))
        return f"{self.hour:4}  {sizes}  {self.mails:7} {self.letters:8} {self.turns:6}"


HEAD = "hour    memory  database       wal  pictures    mails  letters  turns   (MB)"


class Community:
    """Games of two, whose players send orders and a message in every hour."""

    def __init__(self, folder: Path, games: int, pictures: bool) -> None:
        self.folder = folder
        table = Table(folder, pictures=pictures)
        self.store: SqlStore = table.s.store
        self.keys: SeatKeys = table.s.keys
        self.own = table.s.own
        self.sent = 0
        self.numbers = list(range(1, games + 1))
        for part in ("tmp", "new", "cur"):
            (folder / "in" / part).mkdir(parents=True)
        variant = table.s.library.variant("england_turkey")
        ruleset = table.s.packs.ruleset("england_turkey")
        settings = Settings()
        for step in ("movement", "retreats", "builds"):
            settings = change_setting(settings, step, PHASE)
        with self.store.transaction() as tx:
            tx.variants.put(ruleset, json.dumps(dump_variant(variant)))
            master = tx.people.new("Master", "gm@club.example").id
            for number in self.numbers:
                made = open_game(tx.games.new_id(), f"g{number}", settings, variant, ruleset, master, NOON).game
                people = [tx.people.new(power.title(), f"{power.lower()}{number}@club.example").id for power in variant.powers]
                seats = tuple(replace(seat, person=person, since=NOON) for seat, person in zip(made.seats, people, strict=True))
                tx.games.put(begin(replace(made, seats=seats), variant, NOON, lambda _: 0), 0)

    def write(self, number: int, at: datetime) -> None:
        """Both players of one game write: orders for every unit, and a message."""
        with self.store.reading() as tx:
            kept = tx.games.get(number)
        assert kept is not None
        for power in ("ENGLAND", "TURKEY"):
            orders = [f"{write_unit(unit)} H" for unit in kept.game.position.units[power]]
            self._put(kept.game, power, "\n".join(orders), at)
        self._put(kept.game, "ENGLAND", f"PRESS TO TURKEY\nIt is {at:%H:%M}. {'Let us go on as agreed. ' * 8}\nENDPRESS", at)

    def _put(self, game: Game, power: str, text: str, at: datetime) -> None:
        seat = game.seat(power)
        assert seat is not None
        self.sent += 1
        to = self.own.secret_address(game.name, self.keys.token(game, seat))
        head = f"From: {power.lower()}{game.id}@club.example\nTo: {to}\nSubject: orders\nMessage-ID: <day{self.sent}@club.example>\n\n"
        file = self.folder / "in" / "tmp" / f"{self.sent:08}"
        file.write_text(head + text)
        os.utime(file, (at.timestamp(), at.timestamp()))
        file.rename(self.folder / "in" / "new" / file.name)

    def is_idle(self, at: datetime) -> bool:
        """Whether everything is done that was to be done by then."""
        figures = read_figures(self.store, at)
        return not (figures.mails or figures.letters or figures.due) and figures.mails_ever == self.sent


def a_day(folder: Path, games: int, hours: int = 24, *, pictures: bool = False) -> Iterator[Hour]:
    """Play so many hours, and tell what is seen after each; letters that left are thrown away."""
    community = Community(folder, games, pictures)
    now = NOON
    write_stepped_clock(folder / "spool" / "clock", now)
    steps = timedelta(hours=1) // STEP
    with JudgeProcess(folder, SETTINGS.format(pictures=str(pictures).lower())) as judge:
        judge.wait_until_up()
        for hour in range(1, hours + 1):
            for step in range(steps):
                now += STEP
                write_stepped_clock(folder / "spool" / "clock", now)
                for number in community.numbers[step::steps]:
                    community.write(number, now)
                wait_until(lambda at=now: community.is_idle(at), 120)  # type: ignore[misc]  # bound on purpose
            for letter in (folder / "out" / "new").iterdir():
                letter.unlink()
            yield _seen(hour, judge.pid, community, now)
        judge.stop()
    community.store.close()


def _seen(hour: int, pid: int, community: Community, now: datetime) -> Hour:
    """What is seen now."""
    spool = community.folder / "spool"
    figures = read_figures(community.store, now)
    resident = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    assert resident is not None
    wal = spool / "judge.db-wal"
    return Hour(
        hour=hour,
        memory=int(resident[1]) * 1024,
        database=(spool / "judge.db").stat().st_size,
        wal=wal.stat().st_size if wal.exists() else 0,
        pictures=sum(file.stat().st_size for file in (spool / "pictures").glob("*")),
        mails=figures.mails_ever,
        letters=figures.letters_ever,
        turns=count_turns(community.store),
    )


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--hours", type=int, default=24)
    parser.add_argument("--pictures", action="store_true")
    wanted = parser.parse_args()
    print(HEAD, flush=True)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        for hour in a_day(Path(folder), wanted.games, wanted.hours, pictures=wanted.pictures):
            print(hour, flush=True)
    print(f"{time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
