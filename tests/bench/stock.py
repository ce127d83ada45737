"""Installations full of games, for measuring: made by writing into the store, not by mail, so that ten thousand take a minute."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path

from sqlalchemy import text

from judge.config import Config, read_config
from judge.game import (
    Deadline,
    Ending,
    EndKind,
    Event,
    FiledOrder,
    Game,
    PressItem,
    Seat,
    Settings,
    Status,
    Submission,
    Turn,
    begin,
    open_game,
    tick,
)
from judge.library import dump_variant
from judge.rules import Hold, read_order
from judge.service.context import Services
from judge.store import SqlStore
from judge.wiring import build
from tests.bench.mail import mail_from

CANONICAL = {
    "AUSTRIA": ("A VIE - GAL", "A BUD - SER", "F TRI - ALB"),
    "ENGLAND": ("F LON - NTH", "F EDI - NWG", "A LVP - YOR"),
    "FRANCE": ("A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO"),
    "GERMANY": ("A BER - KIE", "F KIE - DEN", "A MUN - RUH"),
    "ITALY": ("A VEN H", "A ROM - APU", "F NAP - ION"),
    "RUSSIA": ("A MOS - UKR", "A WAR - GAL", "F SEV - BLA", "F STP/SC - BOT"),
    "TURKEY": ("F ANK - BLA", "A CON - BUL", "A SMY - CON"),
}
FAR = datetime(2199, 1, 1, tzinfo=UTC)
"""When nothing is due yet."""
_DRAWN = Ending(EndKind.DRAWN, ("FRANCE", "TURKEY"), datetime(2026, 1, 1, tzinfo=UTC))
_SETTINGS = """{database}
[judge]
address = "judge@judge.example"
spool = "spool"
tick = {tick}
pictures = {pictures}
{mail_in}
[mail_out.smtp]
host = "127.0.0.1"
port = {port}
security = "none"
[limits]
answers_per_hour = 1000000
answers_per_day = 1000000
mails_per_hour = 1000000
"""
DOOR = '[mail_in.door]\nprotocol = "lmtp"\nport = 0\nretry_gap = 0\n'


def write_settings(folder: Path, port: int, *, pictures: bool = False, url: str = "", mail_in: str = DOOR, tick: float = 1.0) -> Path:
    """A judge.toml whose letters go to the sink on that port; `url` names the database, "" for SQLite in the folder."""
    file = folder / "judge.toml"
    database = f'database = "{url}"' if url else ""
    file.write_text(_SETTINGS.format(tick=tick, pictures=str(pictures).lower(), database=database, mail_in=mail_in, port=port))
    return file


@dataclass(frozen=True)
class Chair:
    """A player of a stocked game: where orders go, and from whom they come."""

    game: str
    power: str
    to: str
    sender: str


class Stock:
    """An installation in a folder, opened without its daemon, to be filled and looked at."""

    def __init__(self, settings: Path) -> None:
        self.config: Config = read_config(settings)
        self.s: Services = build(self.config)

    @property
    def store(self) -> SqlStore:
        return self.s.store

    def fill(self, count: int, *, first: int = 1, running: bool = True) -> list[Chair]:
        """So many games with all orders on file, all due in the `FAR` future, or finished; their players."""
        chairs: list[Chair] = []
        made = self._games(count, first)
        while some := list(islice(made, 200)):
            with self.store.transaction() as tx:
                for game in some:
                    tx.games.put(game if running else replace(game, status=Status.FINISHED, deadline=None, ending=_DRAWN), 0)
                people = tx.people.many({seat.person for game in some for seat in game.seats if seat.person is not None})
            for game in some:
                chairs.extend(self._chair(game, seat, people[seat.person].address) for seat in game.seats if seat.person is not None)
        return chairs

    def _games(self, count: int, first: int) -> Iterator[Game]:
        variant, ruleset = self.s.library.variant("standard"), self.s.packs.ruleset("standard")
        now = self.s.clock.now()
        with self.store.transaction() as tx:
            tx.variants.put(ruleset, json.dumps(dump_variant(variant)))
            known = tx.people.by_address("gm@club.example")
            master = (known or tx.people.new("Master", "gm@club.example")).id
            people = []
            for number in range(max(70, count // 2)):
                address = f"p{number}@club{number % 40}.example"
                person = tx.people.by_address(address) or tx.people.new(f"Player {number}", address)
                people.append(person.id)
        orders = {power: tuple(FiledOrder(read_order(line), now, 1) for line in lines) for power, lines in CANONICAL.items()}
        for number in range(first, first + count):
            made = open_game(number, f"g{number}", Settings(early=False), variant, ruleset, master, now).game
            seats = tuple(
                replace(seat, person=people[(number * 7 + place) % len(people)], since=now) for place, seat in enumerate(made.seats)
            )
            begun = begin(replace(made, seats=seats), variant, now, lambda _: 0)
            assert begun.deadline is not None
            yield replace(begun, orders=orders, deadline=replace(begun.deadline, at=FAR), reminded=99)

    def _chair(self, game: Game, seat: Seat, sender: str) -> Chair:
        return Chair(game.name, seat.key, f"judge+{game.name}.{self.s.keys.token(game, seat)}@judge.example", sender)

    def set_due(self, at: datetime) -> None:
        """Let all games that are due in the `FAR` future fall due at that moment; also while a daemon works with them."""
        values = {"old": FAR.isoformat(), "new": at.isoformat(), "far": _micros(FAR), "at": _micros(at)}
        change = (
            "UPDATE game SET data = replace(data, :old, :new), deadline_at = :at, due_at = :at, remind_at = NULL, version = version + 1 "
            "WHERE deadline_at = :far"
        )
        with self.store.writing() as connection:
            connection.execute(text(change), values)

    def age(self, number: int, years: int, press: int = 5) -> None:
        """A game so many years on: every phase closed with standing units, with orders, events and messages as they come."""
        with self.store.reading() as tx:
            kept = tx.games.get(number)
        assert kept is not None
        game, variant = kept.game, self.s.library.variant("standard")
        start = self.s.clock.now() - timedelta(days=7 * years)
        turns: list[Turn] = []
        messages: list[PressItem] = []
        while game.phase.year < kept.game.phase.year + years:
            at = start + timedelta(days=len(turns))
            standing = {power: tuple(FiledOrder(Hold(unit), at, 1) for unit in units) for power, units in game.position.units.items()}
            done = tick(replace(game, deadline=Deadline(at), orders=standing), variant, at, lambda _: 0)
            assert done.turns, game.phase
            turns.extend(done.turns)
            messages.extend(PressItem(len(messages) + n, "FRANCE", ("ENGLAND",), "Hello. " * 40, at) for n in range(1, press + 1))
            game = done.game
        with self.store.transaction() as tx:
            for turn in turns:
                tx.turns.add(number, turn)
            tx.press.add(number, messages)
            tx.events.add(number, [Event(turn.closed_at, "FRANCE", "orders_cleared", {"orders": ""}) for turn in turns for _ in range(7)])
            tx.submissions.add(number, [Submission(t.phase, p, 1, t.closed_at, ()) for t in turns for p in CANONICAL])
            aged = replace(game, deadline=kept.game.deadline, seats=kept.game.seats, presses=len(messages))
            tx.games.put(aged, kept.version, kept.game)

    def close(self) -> None:
        """Let go of the store."""
        self.s.pictures.close()
        self.store.close()


def _micros(at: datetime) -> int:
    return int((at - datetime(1970, 1, 1, tzinfo=UTC)) / timedelta(microseconds=1))


def order_mails(chairs: Sequence[Chair], count: int) -> Iterator[tuple[Chair, bytes]]:
    """So many order mails, the chairs in turn; no two are the same."""
    for number in range(count):
        chair = chairs[number % len(chairs)]
        raw = mail_from(chair.power, chair.to, number, "\n".join(CANONICAL[chair.power])).replace(
            f"<{chair.power.lower()}@club.example>".encode(), f"<{chair.sender}>".encode(), 1
        )
        yield chair, raw
