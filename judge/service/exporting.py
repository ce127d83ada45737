"""Whole games as JSON and back: everything of a game, to be carried to another installation; or only what everybody may see of it.

The form (`FORMAT`) is told in docs/interfaces.md.  Values are written as the database keeps them (`store.codec`), and `phases` as
`judge replay` reads them.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from judge.game import PUBLIC, Event, FiledOrder, Game, Person, PersonId, Seat, Status, Submission, Turn, check_name
from judge.game.history import may_read, may_see_event
from judge.game.visibility import shown_sender
from judge.library import load_variant, rules_hash
from judge.rules import Position, write_order, write_unit
from judge.service.context import Services
from judge.store import Transaction
from judge.store.codec import (
    dump_event,
    dump_game,
    dump_press,
    dump_submission,
    dump_turn,
    load_event,
    load_game,
    load_press,
    load_submission,
    load_turn,
    reader,
    writer,
)

FORMAT = 2
"""Goes up when the shape changes.  Format 1, of before the first release, held settings and turns only."""


class BadExport(ValueError):
    """A file that is no export, or one of a format this judge does not know; says why."""


# ---- out


def export_game(s: Services, game: Game, *, public: bool = False) -> dict[str, Any]:
    """One game as JSON values; with `public` what everybody may see of it, else all that is kept but passwords and codes."""
    with s.store.reading() as tx:
        turns = tx.turns.of(game.id, withdrawn=True)
        press = tuple(item for item in tx.press.of(game.id) if item.number not in game.forgotten)
        events, filed = tx.events.of(game.id), tx.submissions.of(game.id)
        rules = tx.variants.get(game.ruleset)
        people = tx.people.many(game.everybody)
    if public:
        told = (item for item in press if item.kind != "diary" and may_read(game, PUBLIC, item))
        press = tuple(replace(item, sender=shown_sender(game, item, PUBLIC)) for item in told)
        events, filed, people = tuple(event for event in events if may_see_event(game, PUBLIC, event)), (), {}
        game = _anonymous(game)
    assert rules is not None, game.ruleset
    return {
        "format": FORMAT,
        "content": "public" if public else "whole",
        "exported_at": s.clock.now().isoformat(),
        "id": game.name,
        "map": game.variant,
        "rules": json.loads(rules),
        "phases": [phase_of(turn) for turn in turns if not turn.withdrawn] + [open_phase_of(game)],
        "game": json.loads(dump_game(_without_secrets(game))),
        "turns": [json.loads(dump_turn(turn)) | {"withdrawn": turn.withdrawn} for turn in turns],
        "press": [json.loads(dump_press(item)) for item in press],
        "events": [json.loads(dump_event(event)) for event in events],
        "submissions": [json.loads(dump_submission(each)) for each in filed],
        "people": {str(number): writer(Person)(person) for number, person in sorted(people.items()) if person.address},
    }


def phase_of(turn: Turn) -> dict[str, Any]:
    """A closed phase as `judge replay` reads it."""
    return {
        **_position(turn.before),
        "orders": {power: [write_order(order) for order in orders] for power, orders in turn.given.items()},
        "positions_after": _units(turn.adjudication.after),
        "dislodged": {
            power: [write_unit(d.unit) for d in turn.adjudication.dislodged if d.power == power]
            for power in sorted({d.power for d in turn.adjudication.dislodged})
        },
    }


def open_phase_of(game: Game) -> dict[str, Any]:
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


def _without_secrets(game: Game) -> Game:
    """A game without codes that wait to come back and without passwords: they count at this judge only."""
    return _each_seat(replace(game, pending=()), lambda seat: replace(seat, password=""))


def _anonymous(game: Game) -> Game:
    """A game without people, and without what is a secret while it runs."""
    bare = replace(
        game,
        settings=replace(game.settings, invitation=""),
        masters=(),
        observers=(),
        orders={},
        ahead={},
        waits=frozenset(),
        votes=(),
        postal=(),
        absences=(),
        offers=(),
        stints=(),
        statements={},
        bulletins=(),
        all_in_since=None,
    )
    return _each_seat(bare, lambda seat: Seat(seat.key, epoch=seat.epoch))


def _each_seat(game: Game, change: Callable[[Seat], Seat]) -> Game:
    """The game with every seat changed."""
    return replace(
        game,
        seats=tuple(map(change, game.seats)),
        masters=tuple(map(change, game.masters)),
        observers=tuple(map(change, game.observers)),
    )


# ---- in


def import_game(s: Services, data: Mapping[str, Any], name: str = "") -> Game:
    """A game out of an export, under a new number, with the people in it where the export has them.

    A game that was running is paused with the time it had left: its players' secret addresses are new and reach them when a master
    lets it go on.  Raises `BadExport`, and `OperatorError` for values of a newer judge.
    """
    if not isinstance(data, Mapping) or "format" not in data or "game" not in data:
        raise BadExport("no export of a game: it has no `format` and `game`")
    if data["format"] != FORMAT:
        raise BadExport(f"an export in format {data['format']!r}; this judge reads {FORMAT}")
    try:
        return _put(s, data, check_name(name or str(data["id"])))
    except (KeyError, TypeError, AttributeError) as bad:
        raise BadExport(f"an export with something missing or out of place: {type(bad).__name__}: {bad}") from bad


def _put(s: Services, data: Mapping[str, Any], name: str) -> Game:
    """The game of an export into the store, all of it or nothing."""
    exported_at = datetime.fromisoformat(data["exported_at"])
    game = replace(load_game(json.dumps(data["game"])), name=name)
    if rules_hash(data["rules"]) != game.ruleset:
        raise BadExport("the rules in it are not those that its game names")
    load_variant(data["rules"])
    s.library.folder(game.variant)  # names and pictures come from there; raises where there is no such board
    with s.store.transaction() as tx:
        known = _people(tx, data["people"])
        game = replace(_stopped(_peopled(game, known), exported_at), id=tx.games.new_id())
        tx.variants.put(game.ruleset, json.dumps(data["rules"]))
        tx.games.put(game, 0)
        for told in data["turns"]:
            plain = {key: value for key, value in told.items() if key != "withdrawn"}
            tx.turns.add(game.id, load_turn(json.dumps(plain), withdrawn=told["withdrawn"]))
        tx.press.add(game.id, [load_press(json.dumps(item)) for item in data["press"]])
        events = [load_event(json.dumps(event)) for event in data["events"]]
        tx.events.add(game.id, [*events, Event(s.clock.now(), "", "imported", {})])
        tx.submissions.add(game.id, [_not_of_here(load_submission(json.dumps(each))) for each in data["submissions"]])
    return game


def _people(tx: Transaction, told: Mapping[str, Any]) -> dict[PersonId, PersonId]:
    """The people of an export by the numbers they have here: those whose address is known are themselves, the others are new."""
    known: dict[PersonId, PersonId] = {}
    for number, plain in told.items():
        person: Person = reader(Person)(plain)
        here = tx.people.by_address(person.address)
        if here is None:
            here = tx.people.new(person.name, person.address, person.language, person.zone)
            tx.people.put(replace(person, id=here.id))
        known[int(number)] = here.id
    return known


def _peopled(game: Game, known: Mapping[PersonId, PersonId]) -> Game:
    """The game with its people by their numbers here; whoever is not known leaves an open seat."""

    def seated(seat: Seat) -> Seat:
        person = known.get(seat.person) if seat.person is not None else None
        return replace(seat, person=person) if person is not None else replace(seat, person=None, since=None)

    game = _each_seat(game, seated)
    return replace(
        game,
        masters=tuple(seat for seat in game.masters if seat.person is not None),
        observers=tuple(seat for seat in game.observers if seat.person is not None),
        stints=tuple(replace(stint, person=known[stint.person]) for stint in game.stints if stint.person in known),
        orders={power: tuple(map(_filed_elsewhere, filed)) for power, filed in game.orders.items()},
        ahead={power: tuple(replace(each, mail=0) for each in lines) for power, lines in game.ahead.items()},
    )


def _filed_elsewhere(filed: FiledOrder) -> FiledOrder:
    """An order whose mail has no number here: any mail of this judge is later."""
    return replace(filed, mail=0)


def _not_of_here(filed: Submission) -> Submission:
    return replace(filed, mail=0)


def _stopped(game: Game, exported_at: datetime) -> Game:
    """The game with its clock standing, if it ran."""
    if game.status is not Status.RUNNING:
        return game
    left = game.deadline.at - exported_at if game.deadline is not None else timedelta(0)
    return replace(game, status=Status.PAUSED, deadline=None, paused_left=max(left, timedelta(0)), all_in_since=None)
