"""A store with games of every kind, for the pages of the archive; whatever nobody may see in it carries the word `CANARY`."""

import json
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any

from judge.config import Config, read_config
from judge.game import (
    Absence,
    Deadline,
    Ending,
    EndKind,
    FiledOrder,
    Game,
    PressItem,
    PressRule,
    Seat,
    Settings,
    Status,
    Stint,
    Turn,
    close_phase,
)
from judge.library import Library, dump_variant, shipped_folder
from judge.rules import Waive, read_order, write_phase
from judge.service.packs import Packs
from judge.store import Transaction, open_store
from tests.support.golden_game import NOW, fresh_game, on_file

CANARY = "CANARY"
CONFIG = """[judge]
address = "judge@chancery.example"
operator = "keeper@chancery.example"
archive = "https://games.example.org/"
[mail_in]
maildir = "in"
[mail_out]
maildir = "out"
"""
NAMES = ("Anna Nováková", "Ed Hale", "Marie Dubois", "Jörg Klein", "Luca Rossi", "Ольга Иванова", "Kemal Kaya")
HIDDEN_NAMES = tuple(f"Hidden{CANARY}{n}" for n in range(1, 8))
MASTER = 15
"""Number of the person who is master of every game."""


@cache
def record() -> Any:
    """The recorded game of the demonstration."""
    return json.loads((shipped_folder("maps") / "standard" / "games" / "demo.json").read_text("utf-8"))


def recorded_orders(game: Game) -> dict[str, tuple[FiledOrder, ...]]:
    """What the record has for the open phase."""
    phase = next((each for each in record()["phases"] if each["phase"] == write_phase(game.phase)), None)
    given = phase["orders"] if phase else {}
    read = {power: tuple(map(read_order, texts)) for power, texts in given.items()}
    return {power: tuple(FiledOrder(order, NOW, 1) for order in orders if not isinstance(order, Waive)) for power, orders in read.items()}


def played(game: Game, phases: int) -> tuple[Game, list[Turn]]:
    """The game after so many phases of the record, one a day."""
    turns: list[Turn] = []
    variant = Library().variant(game.variant)
    for day in range(phases):
        at = NOW - timedelta(days=phases - day)
        done = close_phase(replace(game, orders=recorded_orders(game)), variant, at, "deadline")
        turns.extend(done.turns)
        game = done.game
    if game.status is Status.RUNNING:
        game = replace(game, deadline=Deadline(NOW + timedelta(days=2)), orders={"FRANCE": (FiledOrder(read_order("A PAR H"), NOW, 1),)})
    return game, turns


def seated(first: int) -> tuple[Seat, ...]:
    """Seven persons from `first` on in the seats of the standard board."""
    return tuple(replace(seat, person=first + n) for n, seat in enumerate(fresh_game().seats))


def stints(game: Game) -> tuple[Stint, ...]:
    return tuple(Stint(seat.key, seat.person, game.phase) for seat in game.seats if seat.person is not None)


def made(name: str, first: int = 1, **changes: Any) -> Game:
    """A game at its first phase, with people from `first` on."""
    game = replace(fresh_game(seats=seated(first), masters=(Seat("MASTER", MASTER),), **changes), name=name)
    return replace(game, stints=stints(game))


def message(number: int, sender: str, to: tuple[str, ...], text: str, **more: Any) -> PressItem:
    return PressItem(number, sender, to, text, NOW - timedelta(days=3), **more)


HOSTILE = '<script>alert("x")</script> & <img src=x onerror=alert(1)>\n> quoted\n"quotes" \'too\''
SECRET_PRESS = (message(1, "FRANCE", ("ITALY",), f"{CANARY} secret plan"), message(2, "ITALY", (), f"{CANARY} to all"))


def danube() -> tuple[Game, list[Turn], tuple[PressItem, ...]]:
    """Over, won, with messages to be read; one player took over from another."""
    game, turns = played(made("danube", settings=Settings(title="A game on the <river>", zone="Europe/Prague")), 9)
    game = replace(game, status=Status.FINISHED, ending=Ending(EndKind.WON, ("ENGLAND",), NOW), deadline=None, orders={})
    taken_over = (Stint("ITALY", 1, turns[0].phase, turns[3].phase, "resigned"), Stint("ITALY", 5, turns[3].phase))
    game = replace(game, stints=(*(each for each in game.stints if each.power != "ITALY"), *taken_over), presses=4)
    press = (
        message(1, "FRANCE", ("ENGLAND",), HOSTILE),
        message(2, "ITALY", (), "Good luck to all."),
        message(3, "FRANCE", (), f"{CANARY} note to myself", kind="diary"),
        message(4, "RUSSIA", ("TURKEY",), "Nobody knows.", hidden=True),
    )
    return game, turns, press


def morava() -> tuple[Game, list[Turn], tuple[PressItem, ...]]:
    """Gunboat, under way."""
    game, turns = played(made("morava", first=8, settings=Settings(gunboat=True, press=PressRule.GREY, invitation=f"{CANARY}word")), 5)
    return replace(game, absences=(Absence(1, "FRANCE", NOW, NOW + timedelta(days=9)),)), turns, SECRET_PRESS


def tatry() -> tuple[Game, list[Turn], tuple[PressItem, ...]]:
    """Under way, players known; one phase was taken back."""
    game, turns = played(made("tatry"), 4)
    return game, [*turns[:3], replace(turns[3], withdrawn=True)], SECRET_PRESS


def vltava() -> tuple[Game, list[Turn], tuple[PressItem, ...]]:
    """Forming, with two seats to be had."""
    seats = tuple(replace(seat, person=None) if seat.key in ("ITALY", "TURKEY") else seat for seat in seated(1))
    game = fresh_game(seats=seats, status=Status.FORMING, deadline=None, settings=Settings(title="Slow"))
    return replace(game, name="vltava"), [], ()


def unlisted() -> tuple[Game, list[Turn], tuple[PressItem, ...]]:
    """Nobody's business."""
    game, turns = played(made(f"{CANARY.lower()}x", first=8, settings=Settings(listed=False, title=CANARY)), 2)
    return game, turns, SECRET_PRESS


def silent() -> tuple[Game, list[Turn], tuple[PressItem, ...]]:
    """A gunboat game that is over and reveals nothing."""
    game, turns = played(made("silent", first=8, settings=Settings(gunboat=True, reveal=False)), 3)
    over = replace(game, status=Status.FINISHED, ending=Ending(EndKind.DRAWN, ("FRANCE", "ITALY"), NOW), deadline=None, orders={})
    return over, turns, SECRET_PRESS


def azeroth() -> tuple[Game, list[Turn], tuple[PressItem, ...]]:
    """Another board, under way."""
    game = fresh_game("warcraft", orders=on_file({"UNDEAD": ("P 65 - 64",)}))
    game = replace(game, name="azeroth", seats=tuple(replace(seat, person=1 + n % 7) for n, seat in enumerate(game.seats)), masters=())
    done = close_phase(game, Library().variant("warcraft"), NOW - timedelta(days=1), "deadline")
    return replace(done.game, deadline=Deadline(NOW + timedelta(days=1))), list(done.turns), ()


def paused() -> tuple[Game, list[Turn], tuple[PressItem, ...]]:
    """The clock stands."""
    game, turns = played(made("odra"), 1)
    return replace(game, status=Status.PAUSED, deadline=None, paused_left=timedelta(hours=5)), turns, ()


PICTURES = "JUDGE_TEST_PICTURES"
"""The variable of the environment that names the folder of pictures; the tests' first process sets it."""

Made = tuple[Game, list[Turn], tuple[PressItem, ...]]
GAMES: tuple[Callable[[], Made], ...] = (danube, morava, tatry, vltava, unlisted, silent, azeroth, paused)


def pictures() -> Path:
    """The folder of pictures of all installations of a test run."""
    return Path(os.environ[PICTURES])


def lend_boards(folder: Path) -> None:
    """Put into a folder of pictures the empty boards that were rastered before."""
    folder.mkdir(exist_ok=True)
    for board in pictures().glob("board-*"):
        shutil.copy(board, folder)


def fill(folder: Path, made_games: tuple[Callable[[], Made], ...] = GAMES) -> Config:
    """An installation in a folder, with these games in its store."""
    file = folder / "judge.toml"
    file.write_text(CONFIG, "utf-8")
    config = read_config(file)
    config.spool.mkdir(parents=True, exist_ok=True)
    (config.spool / "pictures").symlink_to(pictures())
    store = open_store(config.database_url)
    with store.transaction() as tx:
        for name in (*NAMES, *HIDDEN_NAMES):
            local = name.split()[0].encode("ascii", "ignore").decode().lower() or "olga"
            tx.people.new(name, f"{local}.{CANARY}@example.org")
        tx.people.new("Margit Sándor", f"gm.{CANARY}@example.org")
        for make in made_games:
            keep(tx, *make())
    store.close()
    return config


def keep(tx: Transaction, game: Game, turns: list[Turn], press: tuple[PressItem, ...]) -> int:
    """Put a game into the store; its number."""
    number = tx.games.new_id()
    ruleset = Packs(Library()).ruleset(game.variant)
    tx.variants.put(ruleset, json.dumps(dump_variant(Library().variant(game.variant))))
    tx.games.put(replace(game, id=number, ruleset=ruleset, turns=len(turns), presses=len(press)), 0)
    for turn in turns:
        tx.turns.add(number, turn)
    tx.press.add(number, press)
    return number


def change(config: Config, name: str, edit: Callable[[Game], Game]) -> None:
    """Change a game in the store."""
    store = open_store(config.database_url)
    with store.transaction() as tx:
        kept = tx.games.get(name)
        assert kept is not None, name
        tx.games.put(edit(kept.game), kept.version)
    store.close()


def rename(config: Config, number: int, name: str) -> None:
    """Give a person another name."""
    store = open_store(config.database_url)
    with store.transaction() as tx:
        tx.people.put(replace(tx.people.get(number), name=name))
    store.close()
