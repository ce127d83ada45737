"""Messages between the people of a game, under its press rule; and notes to oneself."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime

from judge.board import Location, Power
from judge.game.commands import SendPress
from judge.game.faults import PressEmpty, PressNotAllowed, PressReveals, UnknownAddressee
from judge.game.model import Game, Letterbox, PressRule, SeatKind, Status
from judge.game.notices import EVERYBODY, Audience, Event, Notice, PressArrived, PressItem, PressSent, Told, Transition
from judge.game.orderdesk import owing
from judge.rules import Position, Step, Variant

MASTER = "MASTER"
"""The addressee every press rule allows."""
OBSERVERS = "OBSERVERS"
"""All who watch."""


def send_press(game: Game, sender: str, command: SendPress, variant: Variant, at: datetime, hidden_words: Iterable[str] = ()) -> Transition:
    """Pass a message on.

    Masters can always be written to and may always write.  `hidden_words` are names and addresses that must not appear where
    players are hidden from each other.  Raises `PressEmpty`, `PressNotAllowed`, `PressReveals`, `UnknownAddressee`.
    """
    to = tuple(name for name in command.to if name != sender) or command.to  # "all but Turkey" is all others
    text = command.text
    if not text.strip():
        raise PressEmpty
    powers = tuple(seat.key for seat in game.seats)
    for name in to:
        if name not in (MASTER, OBSERVERS) and name not in powers:
            raise UnknownAddressee(name, powers)
    from_master = any(seat.key == sender for seat in game.masters)
    if not from_master:
        _check_rule(game, sender, to, variant)
        _check_secrets(game, text, hidden_words)
        _check_style(game, sender, command)
    if command.postal and game.status is Status.RUNNING:
        kept = replace(game, postal=(*game.postal, Letterbox(sender, to, text, at)))
        return Transition(kept, (Told("postal"),), events=())
    hidden = not from_master and to != (MASTER,) and not command.fake and _is_hidden(game, command.colour)
    return _deliver(game, sender, to, text, at, hidden=hidden, shown=command.fake)


def _deliver(
    game: Game, sender: str, to: tuple[str, ...], text: str, at: datetime, *, hidden: bool = False, shown: str = "", kind: str = ""
) -> Transition:
    """The message as a notice for its readers and a row to be kept."""
    number = game.presses + 1
    item = PressItem(number, sender, to, text, at, hidden, shown, kind)
    visible = "" if hidden else shown or sender
    told = PressArrived(_audience(game, sender, visible, to), visible, to, text, number, kind)
    return Transition(replace(game, presses=number), (PressSent(to, text),), (told,), press=(item,))


def deliver_postal(game: Game, at: datetime) -> Transition:
    """The messages that waited for the results, with their senders."""
    done = Transition(replace(game, postal=()))
    for kept in game.postal:
        sent = _deliver(done.game, kept.sender, kept.to, kept.text, at, kind="postal")
        done = replace(done, game=sent.game, notices=(*done.notices, *sent.notices), press=(*done.press, *sent.press))
    return done


def say_officially(game: Game, sender: str, text: str, at: datetime) -> Transition:
    """A master's word to everybody.  Raises `PressEmpty`."""
    if not text.strip():
        raise PressEmpty
    number = game.presses + 1
    item = PressItem(number, sender, (), text, at, kind="official")
    told: tuple[Notice, ...] = (PressArrived(replace(EVERYBODY, but=(sender,)), sender, (), text, number, "official"),)
    return Transition(replace(game, presses=number), (PressSent((), text),), told, press=(item,))


def write_diary(game: Game, key: str, text: str, at: datetime) -> Transition:
    """Keep a note to oneself.  Raises `PressEmpty`."""
    if not text.strip():
        raise PressEmpty
    number = game.presses + 1
    item = PressItem(number, key, (key,), text, at, kind="diary")
    return Transition(replace(game, presses=number), (Told("diary", {"number": number}),), press=(item,))


def forget_note(game: Game, key: str, number: int, notes: Iterable[PressItem], at: datetime) -> Transition:
    """Take a note out; a number that is no note of one's own does nothing."""
    mine = {item.number for item in notes if item.kind == "diary" and item.sender == key}
    forgotten = game.forgotten | ({number} & mine)
    event = Event(at, key, "note_forgotten", {"number": str(number)})
    return Transition(replace(game, forgotten=forgotten), (Told("diary_deleted", {"number": number}),), events=(event,))


def _is_hidden(game: Game, colour: str) -> bool:
    """Whether the readers of a message do not learn who sent it."""
    if game.settings.press is PressRule.GREY:
        return True
    return game.settings.press is PressRule.MIXED and colour == "grey"


def _audience(game: Game, sender: str, visible: str, to: tuple[str, ...]) -> Audience:
    """Everybody the message is for, without its sender, who sees it in the answer, and those who do not want to hear."""
    watching = [seat.key for seat in game.observers if seat.kind is SeatKind.FULL]
    if to:
        wanted = [key for key in to if key not in (MASTER, OBSERVERS)]
        wanted.extend(watching if OBSERVERS in to else ())
    else:
        wanted = [seat.key for seat in (*game.seats, *game.masters)] + watching
    deaf = {seat.key for seat in game.all_seats if (visible or "GREY") in seat.muted}
    seats = tuple(key for key in wanted if key != sender and key not in deaf)
    return Audience(seats=seats, masters=MASTER in to, but=(sender,))


def _check_rule(game: Game, sender: str, to: tuple[str, ...], variant: Variant) -> None:
    """Raise `PressNotAllowed` unless the game's rule lets this message through."""
    rule = game.settings.press
    if to == (MASTER,) or game.status is Status.FINISHED:
        return
    if rule is PressRule.NONE or (rule is PressRule.PUBLIC and to):
        raise PressNotAllowed(rule)
    if any(seat.key == sender for seat in game.observers) and (to or not game.settings.observer_press):
        raise PressNotAllowed("observers")
    if game.status is not Status.RUNNING:
        return
    if rule is PressRule.RULEBOOK and game.phase.step is not Step.MOVEMENT:
        raise PressNotAllowed(rule)
    if game.settings.must_order and sender in owing(game, variant):
        raise PressNotAllowed("must_order")
    if not game.settings.late_press and game.late_told:
        raise PressNotAllowed("late")
    if rule is PressRule.NEIGHBOURS:
        near = neighbours_of(sender, game.position, variant)
        if not to or any(key not in near for key in to if key not in (MASTER, OBSERVERS)):
            raise PressNotAllowed(rule)


def _check_style(game: Game, sender: str, command: SendPress) -> None:
    """Raise `PressNotAllowed` for a fake, a colour or a postal message that the game does not have."""
    rule = game.settings.press
    if command.fake and (not game.settings.fake or not any(seat.key == sender for seat in game.seats)):
        raise PressNotAllowed("fake")
    if command.colour == "grey" and rule not in (PressRule.GREY, PressRule.MIXED):
        raise PressNotAllowed("colour")
    if command.colour == "white" and rule is PressRule.GREY:
        raise PressNotAllowed("colour")
    if command.postal and not game.settings.postal:
        raise PressNotAllowed("postal")


def neighbours_of(power: Power, position: Position, variant: Variant) -> frozenset[Power]:
    """The powers that have a unit in, or one step from, a province where `power` has one or owns a centre."""
    own = _held(power, position)
    reach = {to.province for place in own for to in _around(place, variant)} | own
    return frozenset(other for other in variant.powers if other != power and _held(other, position) & reach)


def _held(power: Power, position: Position) -> set[str]:
    """Provinces in which a power has a unit or a centre."""
    units = {unit.at.province for unit in position.units.get(power, ())}
    return units | {centre for centre, owner in position.owners.items() if owner == power}


def _around(province: str, variant: Variant) -> Iterator[Location]:
    """Everything one step from a province, for any kind of unit."""
    for passages in variant.board.passages.values():
        for at, reachable in passages.items():
            if at.province == province:
                yield from reachable


def _check_secrets(game: Game, text: str, hidden_words: Iterable[str]) -> None:
    """Raise `PressReveals` if a message in a game with hidden players names one of them."""
    if not game.settings.gunboat or game.status is Status.FINISHED:
        return
    folded = text.casefold()
    found = next((word for word in hidden_words if word and word.casefold() in folded), None)
    if found is not None:
        raise PressReveals(found)
