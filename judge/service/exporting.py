"""Whole games as JSON and back: settings and turns, without people, press or secrets.

The form (version 1): ``{"format", "name", "variant", "ruleset", "settings", "phases", "status", "position"}``; `phases` are in the form
that `judge replay` reads (phase, units, centers, orders, positions_after), the oldest first.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from judge.game import Game, Turn, check_name
from judge.rules import Position, write_order, write_unit
from judge.service.context import Services
from judge.store.codec import dump_game, dump_turn, load_game, load_turn

FORMAT = 1


def export_game(s: Services, game: Game) -> dict[str, Any]:
    """One game as JSON values."""
    with s.store.reading() as tx:
        turns = tx.turns.of(game.id)
        rules = tx.variants.get(game.ruleset)
    return {
        "format": FORMAT,
        "id": game.name,
        "map": game.variant,
        "rules": rules,
        "phases": [_phase(turn) for turn in turns] + [_open_phase(game)],
        "game": dump_game(_anonymous(game)),
        "turns": [dump_turn(turn) for turn in turns],
    }


def _phase(turn: Turn) -> dict[str, Any]:
    """A closed phase as `judge replay` reads it."""
    return {
        **_position(turn.before),
        "orders": {power: [write_order(order) for order in orders] for power, orders in turn.given.items()},
        "positions_after": _units(turn.adjudication.after),
        "dislodged": {
            power: [write_unit(d.unit) for d in turn.adjudication.dislodged if d.power == power]
            for power in {d.power for d in turn.adjudication.dislodged}
        },
    }


def _open_phase(game: Game) -> dict[str, Any]:
    """The open phase, without anybody's orders."""
    return {**_position(game.position), "orders": {}, "positions_after": None}


def _position(position: Position) -> dict[str, Any]:
    centers: dict[str, list[str]] = {}
    for centre, owner in sorted(position.owners.items()):
        centers.setdefault(owner, []).append(centre)
    told: dict[str, Any] = {"phase": str(position.phase), "units": _units(position), "centers": centers}
    if position.dislodged:
        retreating: dict[str, list[str]] = {}
        for fallen in position.dislodged:
            retreating.setdefault(fallen.power, []).append(write_unit(fallen.unit))
        told["retreating"] = retreating
    return told


def _units(position: Position) -> dict[str, list[str]]:
    return {power: [write_unit(unit) for unit in units] for power, units in position.units.items() if units}


def _anonymous(game: Game) -> Game:
    """A game without people, orders on file, codes and passwords."""
    return replace(
        game,
        seats=tuple(replace(seat, person=None, password="", since=None) for seat in game.seats),
        masters=(),
        observers=(),
        orders={},
        waits=frozenset(),
        pending=(),
        all_in_since=None,
    )


def import_game(s: Services, data: Mapping[str, Any], name: str = "") -> Game:
    """A game out of an export, under a new number.  Raises ValueError, KeyError."""
    if data["format"] != FORMAT:
        raise ValueError(f"format {data['format']!r} is not known")
    with s.store.transaction() as tx:
        number = tx.games.new_id()
        game = replace(load_game(data["game"]), id=number, name=check_name(name or str(data["id"])))
        tx.variants.put(game.ruleset, data["rules"])
        tx.games.put(game, 0)
        for turn in data["turns"]:
            tx.turns.add(number, load_turn(turn))
    return game
