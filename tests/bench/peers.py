"""Other packages on the same workload; run by `adjudication` with the Python of a virtual environment that has them.

Started as ``python peers.py phases.jsonl.gz STRIDE``.  For each line on standard input it adjudicates all phases once and writes one
line of JSON: seconds of CPU of each phase, by name of what was counted.  Game, units and centres are set up before the clock runs.
"""

import csv
import gc
import gzip
import json
import sys
import time
from pathlib import Path
from typing import Any

import diplomacy
from pydip.map.predefined.vanilla_dip import generate_map
from pydip.player.command.command import ConvoyMoveCommand, ConvoyTransportCommand, HoldCommand, MoveCommand, SupportCommand
from pydip.player.player import Player
from pydip.player.unit import UnitTypes
from pydip.turn.resolve import resolve_turn

Row = dict[str, Any]


def ready_game(row: Row) -> Any:
    """A game of `diplomacy` with the units and centres of a phase."""
    game = diplomacy.Game()
    game.set_current_phase(row["phase"])
    for power in game.powers.values():
        power.clear_units()
        power.clear_centers()
    for power, units in row["units"].items():
        game.set_units(power, units, reset=True)
    for power, centers in row["centers"].items():
        game.set_centers(power, centers, reset=True)
    return game


def play(rows: list[Row]) -> dict[str, list[float]]:
    """`diplomacy`: `process()` alone, and with `set_orders`."""
    bare, whole = [], []
    for row in rows:
        game = ready_game(row)
        begin = time.process_time()
        for power, orders in row["orders"].items():
            game.set_orders(power, orders)
        middle = time.process_time()
        game.process()
        end = time.process_time()
        bare.append(end - middle)
        whole.append(end - begin)
    return {"process": bare, "set_orders and process": whole}


MAP = generate_map()
COASTS = {"NC": "North Coast", "SC": "South Coast", "EC": "North Coast"}
"""The eastern coast of Bulgaria is called its northern one there."""


UNLIKE = {"EAS": "Eastern Mediterranean Sea", "STP": "St. Petersburg", "WES": "Western Mediterranean Sea"}
"""Names it spells otherwise."""


def names_there() -> dict[str, str]:
    """Its names of the provinces by id."""
    with (Path(__file__).parents[2] / "maps" / "standard" / "provinces.csv").open(encoding="utf-8") as rows:
        return {row["id"]: row["name"] for row in csv.DictReader(rows)} | UNLIKE


class Wording:
    """Positions and orders of the workload as `pydip` has them."""

    def __init__(self, names: dict[str, str]) -> None:
        """`names` by province id."""
        self.names = names

    def place(self, kind: str, text: str) -> str:
        """Where a unit stands: a fleet in a land province on its coast."""
        province, _, coast = text.partition("/")
        name = self.names[province]
        coasts = getattr(MAP.name_map[name], "coasts", ())
        if kind == "A" or not coasts:
            return name
        return f"{name} {COASTS[coast]}" if coast else str(coasts[0].name)

    def commands(self, row: Row) -> list[Any]:
        """The orders of a phase; those that cannot be said there are holds."""
        players = {
            power: Player(
                power, MAP, [{"territory_name": self.place(*unit.split()), "unit_type": kind_of(unit.split()[0])} for unit in units]
            )
            for power, units in row["units"].items()
        }
        units = {unit.position: (player, unit) for player in players.values() for unit in player.units}
        found = []
        for power, orders in row["orders"].items():
            for order in orders:
                kind, at, *rest = order.split()
                player, unit = units[self.place(kind, at)]
                assert player.name == players[power].name
                try:
                    found.append(self.command(player, unit, kind, rest, units))
                except (AssertionError, KeyError):
                    found.append(HoldCommand(player, unit))
        return found

    def command(self, player: Any, unit: Any, kind: str, rest: list[str], units: dict[str, tuple[Any, Any]]) -> Any:
        """One order; raises `AssertionError` or `KeyError` if it cannot be said."""
        match rest:
            case ["-", to, "VIA"]:
                return ConvoyMoveCommand(player, unit, self.place(kind, to))
            case ["-", to]:
                return MoveCommand(player, unit, self.place(kind, to))
            case ["S", other, at, "-", to]:
                return SupportCommand(player, unit, units[self.place(other, at)][1], self.place(other, to))
            case ["S", other, at]:
                return SupportCommand(player, unit, units[self.place(other, at)][1], self.place(other, at))
            case ["C", other, at, "-", to]:
                return ConvoyTransportCommand(player, unit, units[self.place(other, at)][1], self.place(other, to))
        return HoldCommand(player, unit)


def kind_of(letter: str) -> UnitTypes:
    """Its kinds of unit."""
    return UnitTypes.TROOP if letter == "A" else UnitTypes.FLEET


def resolve(ready: list[list[Any]]) -> dict[str, list[float]]:
    """`pydip`: `resolve_turn` on ready commands."""
    found = []
    for commands in ready:
        begin = time.process_time()
        resolve_turn(MAP, commands)
        found.append(time.process_time() - begin)
    return {"resolve_turn": found}


def main() -> None:
    """Answer each line with one round of both."""
    with gzip.open(sys.argv[1]) as lines:
        rows: list[Row] = [json.loads(line) for line in lines][:: int(sys.argv[2])]
    wording = Wording(names_there())
    ready = [wording.commands(row) for row in rows]
    gc.collect()
    gc.freeze()
    for _ in sys.stdin:
        print(json.dumps(resolve(ready) | play(rows)), flush=True)


if __name__ == "__main__":
    main()
