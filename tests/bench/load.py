"""`make bench-load`: a thousand games due at the same minute, on this machine; and how costs grow with the number of games."""

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from judge.game import FiledOrder, Game, Settings, begin, open_game
from judge.library import dump_variant
from judge.mail import Arrival
from judge.rules import read_order
from judge.service.daemon import one_round
from judge.service.deliver import deliver_waiting
from judge.service.handle import handle_next
from judge.service.receive import accept
from tests.bench.mail import ORDERS, Figure, mail_from
from tests.support.table import NOON, Table

CANONICAL = {
    "AUSTRIA": ("A VIE - GAL", "A BUD - SER", "F TRI - ALB"),
    "ENGLAND": ("F LON - NTH", "F EDI - NWG", "A LVP - YOR"),
    "FRANCE": ("A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO"),
    "GERMANY": ("A BER - KIE", "F KIE - DEN", "A MUN - RUH"),
    "ITALY": ("A VEN H", "A ROM - APU", "F NAP - ION"),
    "RUSSIA": ("A MOS - UKR", "A WAR - GAL", "F SEV - BLA", "F STP/SC - BOT"),
    "TURKEY": ("F ANK - BLA", "A CON - BUL", "A SMY - CON"),
}


def games_for(table: Table, count: int) -> Iterator[Game]:
    """Running games with all orders on file, seven players each, all due at the same moment."""
    variant = table.s.library.variant("standard")
    ruleset = table.s.packs.ruleset("standard")
    with table.s.store.transaction() as tx:
        tx.variants.put(ruleset, json.dumps(dump_variant(variant)))
        people = [tx.people.new(f"Player {n}", f"p{n}@club{n % 40}.example").id for n in range(70)]
        master = tx.people.new("Master", "gm@club.example").id
    orders = {power: tuple(FiledOrder(read_order(text), NOON, 1) for text in texts) for power, texts in CANONICAL.items()}
    for number in range(1, count + 1):
        made = open_game(number, f"g{number}", Settings(early=False), variant, ruleset, master, NOON).game
        first = number * 7 % 63
        seats = tuple(replace(seat, person=people[first + n], since=NOON) for n, seat in enumerate(made.seats))
        yield replace(begin(replace(made, seats=seats), variant, NOON, lambda _: 0), orders=orders)


def fill(table: Table, count: int) -> None:
    """Keep so many games."""
    games = list(games_for(table, count))
    for start in range(0, len(games), 200):
        with table.s.store.transaction() as tx:
            for game in games[start : start + 200]:
                tx.games.put(game, 0)


def same_minute(count: int, pictures: bool) -> list[Figure]:
    """All games due at once: until the last letter is in the outbox, and until it is handed over to a sink that keeps nothing."""
    with tempfile.TemporaryDirectory() as folder:
        table = Table(Path(folder), pictures=pictures)
        fill(table, count)
        table.clock.at += timedelta(days=3, minutes=1)
        with table.s.store.transaction() as tx:
            tx.marks.set("read:door", table.clock.at.isoformat())
        began = time.perf_counter()
        while one_round(table.s):
            pass
        queued = time.perf_counter() - began
        letters = 0
        while sent := deliver_waiting(table.s):
            letters += sent
        total = time.perf_counter() - began
    how = "with pictures" if pictures else "without pictures"
    limit = "60 s" if pictures else "15 s"
    return [
        Figure(f"{count} games due at once, {letters} letters in the outbox, {how}", f"{queued:.1f} s"),
        Figure(f"the same, all letters handed over, {how}", f"{total:.1f} s", limit if count == 1000 else ""),
    ]


def growth(few: int, many: int) -> list[Figure]:
    """One order mail and one idle round among few games and among many."""
    mails: dict[int, float] = {}
    idle: dict[int, float] = {}
    for count in (few, many):
        with tempfile.TemporaryDirectory() as folder:
            table = Table(Path(folder))
            fill(table, count)
            with table.s.store.reading() as tx:
                kept = tx.games.get("g1")
                assert kept is not None
                person = tx.people.get(kept.game.seats[2].person or 0)
            to = f"judge+g1.{table.s.keys.token(kept.game, kept.game.seats[2])}@judge.example"
            costs = []
            for number in range(40):
                raw = mail_from("FRANCE", to, number, ORDERS["FRANCE"].replace("Bur", ("Bur", "Pic")[number % 2]))
                accept(table.s, [Arrival(raw, NOON, None, person.address, (to,))])
                began = time.process_time()
                handle_next(table.s)
                costs.append(time.process_time() - began)
            mails[count] = statistics.median(costs[10:])
            began = time.perf_counter()
            for _ in range(50):
                one_round(table.s)
            idle[count] = (time.perf_counter() - began) / 50
    return [
        Figure(f"one order mail among {many} games against {few}", f"{mails[many] / mails[few]:.2f}", "1.5"),
        Figure(f"an idle round among {many} games", f"{idle[many] * 1000:.1f} ms", "50 ms"),
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--many", type=int, default=10_000)
    wanted = parser.parse_args()
    for figure in (*same_minute(wanted.games, False), *same_minute(wanted.games, True), *growth(10, wanted.many)):
        print(f"{figure.what:72} {figure.value:>12} {figure.target and f'(target {figure.target})'}", flush=True)


if __name__ == "__main__":
    main()
