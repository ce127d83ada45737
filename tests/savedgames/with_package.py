"""Run by a Python that has the PyPI package `diplomacy`: makes saved games of recorded ones, or reads one and tells what it sees.

``with_package.py make GAMES.jsonl.gz`` prints saved games; ``with_package.py read`` reads saved games, one a line, plays each on from
what it has read, and prints the package's own saved game of it.
"""

import gzip
import json
import sys
import time
from collections.abc import Iterable, Iterator
from typing import Any

from diplomacy import Game, Message
from diplomacy.utils.export import from_saved_game_format, to_saved_game_format


def play(record: Any, most: int = 400, with_press: bool = False, until: str = "", victors: tuple[str, ...] = ()) -> Any:
    """A recorded game played again by the package, up to the first phase of that step behind `most`."""
    rules = ["POWER_CHOICE"] if with_press else ["NO_PRESS", "POWER_CHOICE"]
    game = Game(game_id=record["id"].replace("-", ""), rules=rules)
    for number, phase in enumerate(record["phases"]):
        if game.is_game_done or game.get_current_phase() != phase["phase"]:
            break
        if number >= most and phase["phase"].endswith(until):
            break
        if with_press and phase["phase"].endswith("M"):
            talk(game)
        for power in game.powers:
            game.set_orders(power, phase["orders"].get(power, []))
        game.process()
    if victors and not game.is_game_done:
        game.draw(list(victors))
    return game


def talk(game: Any) -> None:
    """Some messages of the phase: to one, to all, the same one to two."""
    say(game, "FRANCE", "ENGLAND", "Shall we keep the Channel empty?")
    say(game, "ITALY", "GLOBAL", "Hodně štěstí všem: „Glück auf“")
    say(game, "ENGLAND", "AUSTRIA", "To you both.\nWhat about Sweden?")
    say(game, "ENGLAND", "GERMANY", "To you both.\nWhat about Sweden?", game.messages.last_key() + 1)


def say(game: Any, sender: str, recipient: str, text: str, at: int = 0) -> None:
    at = at or time.time_ns() // 1000
    game.add_message(Message(sender=sender, recipient=recipient, message=text, phase=game.get_current_phase(), time_sent=at))


def make(path: str) -> Iterator[Any]:
    """The saved games of `recorded.jsonl.gz` beside this file."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        records = {record["id"]: record for record in map(json.loads, lines)}
    yield to_saved_game_format(play(records["droidippy-4613"]))  # won
    yield to_saved_game_format(play(records["droidippy-5805"], 9, with_press=True, until="R"))  # under way, units to retreat
    yield to_saved_game_format(play(records["droidippy-5430"], 12, with_press=True, victors=("FRANCE", "ENGLAND")))  # a draw
    yield to_saved_game_format(play(records["droidippy-7066"], 20, until="A"))  # under way, builds and removals


def read(lines: Iterable[str]) -> Iterator[Any]:
    """Each saved game as the package tells it again (`saved`), and where the units stand after one more phase (`next`, `phase`)."""
    for line in lines:
        game = from_saved_game_format(json.loads(line))
        told = to_saved_game_format(game)
        if not game.is_game_done and game.get_current_phase() != "COMPLETED":
            game.process()
        yield {
            "saved": told,
            "next": {power.name: sorted(power.units) for power in game.powers.values()},
            "phase": game.get_current_phase(),
        }


if __name__ == "__main__":
    for each in make(sys.argv[2]) if sys.argv[1] == "make" else read(sys.stdin):
        print(json.dumps(each))
