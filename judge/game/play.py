"""The house's front door: one command applied to one game."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import assert_never

from judge.errors import PlayerError
from judge.game.commands import (
    COMMANDS,
    ClearOrders,
    EndGame,
    FileOrders,
    Observe,
    Pause,
    ProcessNow,
    Proof,
    Resign,
    Resume,
    RotateAddress,
    SendPress,
    SetDeadline,
    SetSetting,
    SetWait,
    ShowStatus,
    SignOn,
    StartGame,
    Who,
)
from judge.game.faults import NotAllowed, NotRunning
from judge.game.mastery import end, pause, process_now, resume, set_deadline, set_setting, start
from judge.game.model import Game, Pending, Status
from judge.game.notices import Answer, Audience, CodeSent, ConfirmPlease, Event, StatusAsked, Transition, WaitSet
from judge.game.orderdesk import clear_orders, submit_orders
from judge.game.people import Actor, Guest, Master, Observer, Player, seat_key
from judge.game.press import send_press
from judge.game.seats import Draw, observe, resign, rotate_address, set_wait, sign_on
from judge.rules import Variant

CODE_LIVES = timedelta(hours=48)
"""How long a command waits for its confirmation."""

GameCommand = (
    FileOrders
    | ClearOrders
    | SetWait
    | ShowStatus
    | SendPress
    | Resign
    | RotateAddress
    | ProcessNow
    | SetDeadline
    | StartGame
    | Pause
    | Resume
    | SetSetting
    | EndGame
    | SignOn
    | Observe
)


@dataclass(frozen=True, slots=True)
class Moment:
    """What the shell brings to a command: when its mail arrived, the mail's number, chance, a fresh code, and what must stay hidden."""

    at: datetime
    mail: int
    draw: Draw
    code: str = ""
    hidden_words: tuple[str, ...] = ()


def apply(
    game: Game, command: GameCommand, actor: Actor, variant: Variant, moment: Moment
) -> tuple[Transition, tuple[Answer | PlayerError, ...]]:
    """Carry out one command; the outcomes are what the transcript says of its line.  Raises `PlayerError` if it is refused whole."""
    check_allowed(command, actor)
    if isinstance(command, FileOrders):
        power = actor.power if isinstance(actor, Player) else command.power
        return submit_orders(game, power, command.orders, variant, moment.at, moment.mail)
    done = _carry_out(game, command, actor, variant, moment)
    return done, done.answers


def check_allowed(command: object, actor: Actor) -> None:
    """Raise `NotAllowed` unless the actor may give such a command."""
    rule = COMMANDS[type(command)]
    if isinstance(command, FileOrders | ClearOrders) and isinstance(actor, Master) and command.power:
        return
    allowed = {
        Who.ANYONE: True,
        Who.SEATED: not isinstance(actor, Guest),
        Who.PLAYER: isinstance(actor, Player),
        Who.MASTER: isinstance(actor, Master),
    }
    if not allowed[rule.who]:
        raise NotAllowed(rule.word, rule.who)


def needs_round_trip(command: object) -> bool:
    """Whether the command takes effect only when a code comes back."""
    return COMMANDS[type(command)].proof is Proof.ROUND_TRIP


def ask_confirmation(game: Game, line: str, actor: Actor, address: str, moment: Moment) -> Transition:
    """Keep a command until its code comes back from the registered address; bound to the line, the seat and the phase."""
    key = seat_key(actor)
    until = moment.at + CODE_LIVES
    kept = tuple(p for p in game.pending if p.until > moment.at and (p.seat, p.line) != (key, line))
    pending = Pending(moment.code, key, line, until, game.phase)
    return Transition(
        replace(game, pending=(*kept, pending)),
        (CodeSent(line, address, until),),
        (ConfirmPlease(Audience(seats=(key,)), moment.code, line, until),),
        events=(Event(moment.at, key, "confirmation_asked", {"line": line}),),
    )


def _carry_out(game: Game, command: object, actor: Actor, variant: Variant, moment: Moment) -> Transition:
    """One command other than orders."""
    key = seat_key(actor)
    match command:
        case ClearOrders(places, power):
            return clear_orders(game, power if isinstance(actor, Master) else key, places, variant, moment.at)
        case SetWait(wait):
            if game.status is not Status.RUNNING:
                raise NotRunning(game.status)
            return Transition(set_wait(game, key, wait, variant, moment.at), (WaitSet(wait),))
        case ShowStatus():
            return Transition(game, (StatusAsked(),))
        case SendPress(to, text):
            return send_press(game, key, to, text, moment.at, moment.hidden_words)
        case Resign():
            return resign(game, key, variant, moment.at)
        case RotateAddress():
            return rotate_address(game, key, moment.at)
        case SignOn(_, power):
            return sign_on(game, power, _person(actor), variant, moment.at, moment.draw)
        case Observe():
            return observe(game, _person(actor), moment.at)
        case _:
            return _master(game, command, key, variant, moment.at)


def _master(game: Game, command: object, key: str, variant: Variant, at: datetime) -> Transition:
    """One command of a master."""
    match command:
        case ProcessNow():
            return process_now(game, command, variant, at)
        case SetDeadline():
            return set_deadline(game, command, key, variant, at)
        case StartGame():
            return start(game, key, variant, at)
        case Pause():
            return pause(game, key, at)
        case Resume():
            return resume(game, key, variant, at)
        case SetSetting():
            return set_setting(game, command, key, at)
        case EndGame():
            return end(game, key, at)
        case _:
            raise AssertionError(f"no handler for {command!r}")


def _person(actor: Actor) -> int:
    """The person behind an actor, which the shell has made known before."""
    match actor:
        case Player(_, person) | Master(_, person) | Observer(_, person):
            return person
        case Guest(person):
            assert person is not None
            return person
        case _:
            assert_never(actor)
