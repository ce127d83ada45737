"""Games in the saved-game form of the PyPI package `diplomacy` (1.1.2), written and read; for boards that package has too.

Source: `to_saved_game_format` and `GamePhaseData` of that package.  It uses the same codes of places as the standard board here.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

from judge.board import Power
from judge.game.model import Ending, EndKind, Game, PressRule, Turn
from judge.game.notices import PressItem
from judge.game.record import Record, agree, as_recorded
from judge.rules import (
    Adjudication,
    BadNotation,
    Dislodgement,
    Order,
    Outcome,
    Position,
    Step,
    Variant,
    Verdict,
    Waive,
    adjudicate,
    duties,
    read_location,
    read_order,
    read_phase,
    read_unit,
    write_order,
    write_unit,
)

MAPS = {"standard": "standard", "fleet_rome": "standard_fleet_rome", "pure": "pure"}
"""Our boards that the package has too, by its name for them."""
OVER = "COMPLETED"
"""The package's phase after the last one."""
GLOBAL, SYSTEM = "GLOBAL", "SYSTEM"
MOST_ADDRESSEES = 64
"""Copies of one message are a microsecond apart; more than so many apart are two messages."""

_RESULTS = {
    Verdict.BOUNCES: "bounce",
    Verdict.CUT: "cut",
    Verdict.NO_EFFECT: "void",
    Verdict.ILLEGAL: "void",
    Verdict.NO_CONVOY: "no convoy",
    Verdict.DISRUPTED: "disrupted",
}
"""What the package says of orders that failed."""


class NoSuchForm(ValueError):
    """A game that the package cannot hold, or a file that is no saved game; says why."""


# ---- out


def to_saved_game(game: Game, variant: Variant, turns: Sequence[Turn], press: Iterable[PressItem]) -> dict[str, Any]:
    """The game as the package saves it: turns that count, messages between powers and to all.

    Notes and messages with masters are left out, for the package knows no such people; neither does it keep the hash (`zobrist_hash`)
    unless it computes it itself, which it does on reading.  Raises `NoSuchForm`.
    """
    if game.variant not in MAPS:
        raise NoSuchForm(f"the package has no board {game.variant}; it has {', '.join(sorted(MAPS))}")
    rules = (["NO_PRESS"] if game.settings.press is PressRule.NONE else []) + ["POWER_CHOICE"]
    frame = {"game_id": game.name, "map": MAPS[game.variant], "rules": rules}
    standing = [turn for turn in turns if not turn.withdrawn]
    messages = _messages(press, variant, standing, game.position)
    lands = _Influence(variant)
    phases = []
    for turn in standing:
        name = str(turn.phase)
        lands.see(turn.before)
        phases.append(
            {
                "name": name,
                "state": _state(turn.before, variant, lands, turn.closed_at) | frame,
                "orders": {power: list(map(write_order, turn.given.get(power, ()))) for power in variant.powers},
                "results": _results(turn.adjudication.outcomes),
                "messages": messages.get(name, []),
            }
        )
    lands.see(game.position)
    last = _state(game.position, variant, lands, game.ending.at if game.ending else game.phase_began or game.created_at) | frame
    if game.ending is not None:
        note = "Victory by: " + ", ".join(power[:3] for power in game.ending.powers)
        last |= {"name": OVER, "note": note, "builds": {power: {"count": 0, "homes": []} for power in variant.powers}}
    name = str(last["name"])
    unordered = {power: list[str]() for power in variant.powers}
    phases.append({"name": name, "state": last, "orders": unordered, "results": {}, "messages": messages.get(name, [])})
    return {"id": game.name, "map": MAPS[game.variant], "rules": rules, "phases": phases}


class _Influence:
    """Whose unit stood last in each province on land: the package colours its map by it."""

    def __init__(self, variant: Variant) -> None:
        self._variant = variant
        self.of: dict[str, Power] = {}

    def see(self, position: Position) -> None:
        """Note where units stand now."""
        for power, units in position.units.items():
            for unit in units:
                self.of.pop(unit.at.province, None)
                self.of[unit.at.province] = power


def _state(position: Position, variant: Variant, lands: _Influence, at: datetime) -> dict[str, Any]:
    """A position as a phase begins."""
    owed = duties(position, variant)
    driven = {power: [each for each in position.dislodged if each.power == power] for power in variant.powers}
    return {
        "timestamp": _microseconds(at),
        "note": "",
        "name": str(position.phase),
        "units": {
            power: [*map(write_unit, position.units.get(power, ())), *(f"*{write_unit(each.unit)}" for each in driven[power])]
            for power in variant.powers
        },
        "retreats": {power: {write_unit(each.unit): list(map(str, each.retreats)) for each in driven[power]} for power in variant.powers},
        "centers": {power: sorted(place for place, owner in position.owners.items() if owner == power) for power in variant.powers},
        "homes": {power: sorted(variant.board.homes[power]) for power in variant.powers},
        "influence": {power: [place for place, holder in lands.of.items() if holder == power] for power in variant.powers},
        "civil_disorder": dict.fromkeys(variant.powers, 0),
        "builds": {power: _builds(position, owed.get(power)) for power in variant.powers},
    }


def _builds(position: Position, duty: Any) -> dict[str, Any]:
    """How many units a power may build (or, below zero, must remove), and where."""
    if position.phase.step is not Step.ADJUSTMENT or duty is None:
        return {"count": 0, "homes": []}
    return {"count": duty.builds or -duty.removals, "homes": sorted({site.province for site in duty.sites})}


def _results(outcomes: Iterable[Outcome]) -> dict[str, list[str]]:
    """What became of each unit's order, in the package's words."""
    told: dict[str, list[str]] = {}
    for outcome in outcomes:
        if not isinstance(outcome.order, Waive):
            failed = [_RESULTS[outcome.verdict]] if outcome.verdict in _RESULTS else []
            told[write_unit(outcome.order.unit)] = failed + (["dislodged"] if outcome.dislodged else [])
    return told


def _messages(press: Iterable[PressItem], variant: Variant, turns: Sequence[Turn], position: Position) -> dict[str, list[dict[str, Any]]]:
    """Messages by phase, one for each addressee, a microsecond apart: the package wants every time but once."""
    told: dict[str, list[dict[str, Any]]] = {}
    last = 0
    for item in sorted(press, key=lambda item: (item.at, item.number)):
        to = [power for power in item.to if power in variant.powers] if item.to else [GLOBAL]
        if item.kind == "diary" or not to or (item.sender not in variant.powers and item.to):
            continue
        phase = next((str(turn.phase) for turn in turns if item.at <= turn.closed_at), str(position.phase))
        for recipient in to:
            last = max(last + 1, _microseconds(item.at))
            sender = item.sender if item.sender in variant.powers else SYSTEM
            told.setdefault(phase, []).append(
                {"sender": sender, "recipient": recipient, "time_sent": last, "phase": phase, "message": item.text}
            )
    return told


def _microseconds(at: datetime) -> int:
    """An instant as the package counts it.

    >>> _microseconds(datetime(2026, 1, 1, tzinfo=UTC))
    1767225600000000
    """
    return (at - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)


# ---- in


def from_saved_game(data: Mapping[str, Any], variant: Variant, now: datetime) -> Record:
    """The game that the package saved, judged anew phase by phase.

    `now` stands where the record has no time.  Raises `NoSuchForm`.
    """
    try:
        return _Reading(data, variant, now).record()
    except (KeyError, TypeError, AttributeError, ValueError, BadNotation) as bad:
        if isinstance(bad, NoSuchForm):
            raise
        raise NoSuchForm(f"no saved game of the package: {type(bad).__name__}: {bad}") from bad


def board_of(data: Mapping[str, Any]) -> str:
    """Our name for the board of a saved game.  Raises `NoSuchForm`."""
    found = next((ours for ours, theirs in MAPS.items() if theirs == data.get("map", "standard")), None)
    if found is None:
        raise NoSuchForm(f"the board {data.get('map')!r} is not known here")
    return found


class _Reading:
    """One saved game while it is read."""

    def __init__(self, data: Mapping[str, Any], variant: Variant, now: datetime) -> None:
        self._data, self._variant, self._now = data, variant, now
        self._remarks: list[str] = []

    def record(self) -> Record:
        phases: Sequence[Mapping[str, Any]] = self._data["phases"]
        if not phases:
            raise NoSuchForm("a saved game without a phase")
        position = self._position(phases[0]["state"])
        turns: list[Turn] = []
        for told, following in pairwise(phases):
            turn = self._turn(len(turns) + 1, position, told, following["state"])
            position = turn.adjudication.after
            turns.append(turn)
        rules = self._data.get("rules", ())
        return Record(
            str(self._data.get("id", "")),
            position,
            tuple(turns),
            tuple(self._press(phases)),
            PressRule.NONE if "NO_PRESS" in rules else PressRule.WHITE,
            ending=self._ending(phases[-1], turns),
            remarks=tuple(self._remarks),
        )

    def _turn(self, number: int, before: Position, told: Mapping[str, Any], following: Mapping[str, Any]) -> Turn:
        """One phase judged anew; where the record goes on otherwise, it goes on as recorded."""
        given = {power: self._orders(before, power, texts or ()) for power, texts in told["orders"].items()}
        done = adjudicate(before, given, self._variant)
        if following["name"] != OVER:
            done = self._as_recorded(before, done, self._position(following))
        return Turn(number, before.phase, before, given, done, self._time(told["state"]))

    def _as_recorded(self, before: Position, done: Adjudication, recorded: Position) -> Adjudication:
        """The adjudication with the recorded position after it, if that is another one."""
        if agree(done.after, recorded):
            return done
        self._remarks.append(f"{before.phase}: recorded otherwise than this judge decides; the record's position was taken")
        return as_recorded(done, recorded)

    def _orders(self, before: Position, power: Power, texts: Iterable[str]) -> tuple[Order, ...]:
        read = []
        for text in texts:
            try:
                order = read_order(text, self._variant.board)
            except BadNotation:
                self._remarks.append(f"{before.phase}: {power}: {text!r} is no order here and was left out")
                continue
            read.append(order)
        return tuple(read)

    def _position(self, state: Mapping[str, Any]) -> Position:
        """The position of a state."""
        board, powers = self._variant.board, self._variant.powers
        phase = read_phase(state["name"])
        units = {power: [text for text in state["units"].get(power, ()) if not text.startswith("*")] for power in powers}
        return Position(
            phase,
            {power: tuple(sorted(read_unit(text, board) for text in texts)) for power, texts in units.items()},
            {place: power for power in powers for place in state["centers"].get(power, ())},
            tuple(
                Dislodgement(power, read_unit(text, board), "", "", tuple(read_location(place, board) for place in places))
                for power in powers
                for text, places in sorted(state.get("retreats", {}).get(power, {}).items())
            )
            if phase.step is Step.RETREAT
            else (),
        )

    def _time(self, state: Mapping[str, Any]) -> datetime:
        """When a state was taken down, which the package does as the phase is closed."""
        stamp = state.get("timestamp")
        return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=stamp) if isinstance(stamp, int) else self._now

    def _press(self, phases: Iterable[Mapping[str, Any]]) -> Iterable[PressItem]:
        """Messages; copies of one message to several are one again."""
        told = sorted((message for phase in phases for message in phase.get("messages", ())), key=lambda message: message["time_sent"])
        groups: list[list[Mapping[str, Any]]] = []
        for message in told:
            same = groups and all(groups[-1][-1][key] == message[key] for key in ("sender", "message"))
            near = groups and 0 < message["time_sent"] - groups[-1][0]["time_sent"] <= MOST_ADDRESSEES
            if same and near and GLOBAL not in (message["recipient"], groups[-1][0]["recipient"]):
                groups[-1].append(message)
            else:
                groups.append([message])
        for number, copies in enumerate(groups, 1):
            first = copies[0]
            to = () if first["recipient"] == GLOBAL else tuple(copy["recipient"] for copy in copies)
            at = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=first["time_sent"])
            sender = "MASTER" if first["sender"] == SYSTEM else first["sender"]
            yield PressItem(number, sender, to, first["message"], at)

    def _ending(self, last: Mapping[str, Any], turns: Sequence[Turn]) -> Ending | None:
        """The end, if the record tells one: the note names the victors by their first letters, several of them sharing a draw."""
        if last["name"] != OVER:
            return None
        at = self._time(last["state"])
        if turns and (won := turns[-1].adjudication.winner) is not None:
            return Ending(EndKind.WON, (won,), at)
        names = str(last["state"].get("note", "")).partition(":")[2].replace(",", " ").split()
        victors = tuple(power for power in self._variant.powers if power[:3] in names)
        return Ending((EndKind.STOPPED, EndKind.WON, EndKind.DRAWN)[min(len(victors), 2)], victors, at)
