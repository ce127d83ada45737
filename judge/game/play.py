"""The house's front door: one command applied to one game."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, TypeAlias, assert_never

from judge.errors import PlayerError
from judge.game import commands as ask
from judge.game.absences import ask_absence, drop_absence, judge_absence
from judge.game.ahead import clear_ahead, file_ahead
from judge.game.commands import COMMANDS, Command, FileOrders, Proof, Who, word_of
from judge.game.endings import make_statement
from judge.game.faults import MastersSetting, NotAllowed, NotSeen, UnknownPower, UnknownSetting
from judge.game.history import entries_for
from judge.game.mastery import (
    edit_board,
    end,
    pause,
    predict,
    process_now,
    promote,
    resume,
    roll_back,
    roll_forward,
    set_deadline,
    set_grace,
    set_setting,
    set_start,
    start,
    take_master,
    unstart,
)
from judge.game.model import Game, Pending, SeatState, Sight, Turn
from judge.game.notices import (
    AheadShown,
    Answer,
    Audience,
    CodeSent,
    ConfirmPlease,
    DiaryShown,
    Event,
    HistoryShown,
    LogShown,
    News,
    PressItem,
    SeatsShown,
    SettingsShown,
    StatusAsked,
    Submission,
    SubmissionsShown,
    SummaryShown,
    Transition,
    WaitSet,
)
from judge.game.orderdesk import clear_orders, submit_orders
from judge.game.people import Actor, Guest, Master, Observer, Player, seat_key
from judge.game.press import forget_note, say_officially, send_press, write_diary
from judge.game.seats import (
    Draw,
    answer_roll,
    approve,
    come_back,
    eject,
    mute,
    observe,
    resign,
    rotate_address,
    set_disorder,
    set_password,
    set_preference,
    set_wait,
    sign_on,
)
from judge.game.settings import OWN_SETTINGS, SETTINGS
from judge.game.sparing import spare
from judge.game.standby import decline
from judge.game.statistics import summarise
from judge.game.visibility import reader_at
from judge.game.votes import cast_vote
from judge.rules import Variant

CODE_LIVES = timedelta(hours=48)
"""How long a command waits for its confirmation."""

GameCommand: TypeAlias = Command
"""A command inside a game; those before the judge itself have no handler here."""


@dataclass(frozen=True, slots=True)
class Past:
    """What the shell has fetched of a game's past because the command needs it; withdrawn turns are among `turns` if asked for."""

    turns: tuple[Turn, ...] = ()
    press: tuple[PressItem, ...] = ()
    events: tuple[Event, ...] = ()
    submissions: tuple[Submission, ...] = ()


@dataclass(frozen=True, slots=True)
class Moment:
    """What the shell brings to a command: when its mail arrived, the mail's number, chance, a fresh code, what must stay hidden,
    the asker's zone, and what it needs of the past."""

    at: datetime
    mail: int
    draw: Draw
    code: str = ""
    hidden_words: tuple[str, ...] = ()
    zone: str = "UTC"
    past: Past = Past()


def apply(
    game: Game, command: Command, actor: Actor, variant: Variant, moment: Moment
) -> tuple[Transition, tuple[Answer | PlayerError, ...]]:
    """Carry out one command; the outcomes are what the transcript says of its line.  Raises `PlayerError` if it is refused whole."""
    check_allowed(command, actor)
    before = _seen(game, actor, command, moment.at)
    if isinstance(command, FileOrders):
        done, outcomes = _file(before.game, command, actor, variant, moment)
    else:
        done = HANDLERS[type(command)](Call(before.game, command, actor, variant, moment))
        outcomes = done.answers
    both = replace(done, notices=(*before.notices, *done.notices), events=(*before.events, *done.events))
    return spare(game, both, "" if isinstance(actor, Guest) else seat_key(actor)), outcomes


def _seen(game: Game, actor: Actor, command: Command, at: datetime) -> Transition:
    """The game after somebody has written: a master is not silent, and a player who orders is back."""
    if isinstance(actor, Master):
        return Transition(replace(game, master_seen_at=at))
    if isinstance(actor, Player) and isinstance(command, FileOrders):
        seat = game.seat(actor.power)
        if seat is not None and seat.person == actor.person and seat.state is not SeatState.PLAYING:
            return come_back(game, actor.power, at)
    return Transition(game)


def _file(
    game: Game, command: FileOrders, actor: Actor, variant: Variant, moment: Moment
) -> tuple[Transition, tuple[Answer | PlayerError, ...]]:
    """Orders for the actor's power, or from a master for any."""
    power = actor.power if isinstance(actor, Player) else command.power
    done, outcomes = submit_orders(game, power, command.orders, variant, moment.at, moment.mail, by_master=not isinstance(actor, Player))
    if isinstance(actor, Master) and done.submissions:
        orders = tuple(order for each in done.submissions for order in each.orders)
        news = News("master_ordered", Audience(seats=(power,)), {"power": power, "n": len(orders)}, state=True)
        event = Event(moment.at, actor.key, "ordered_for", {"power": power})
        done = replace(done, notices=(*done.notices, news), events=(*done.events, event))
    return done, outcomes


def check_allowed(command: object, actor: Actor) -> None:
    """Raise `NotAllowed` unless the actor may give such a command."""
    rule = COMMANDS[type(command)]
    if isinstance(command, ask.FileOrders | ask.ClearOrders) and isinstance(actor, Master) and command.power:
        return
    allowed = {
        Who.ANYONE: True,
        Who.SEATED: not isinstance(actor, Guest),
        Who.PLAYER: isinstance(actor, Player),
        Who.MASTER: isinstance(actor, Master),
        Who.KEEPER: False,
    }
    if not allowed[rule.who]:
        if isinstance(command, ask.SetSetting | ask.SetGrace):
            _refuse_setting(*(("grace", "") if isinstance(command, ask.SetGrace) else (command.key, command.value)))
        raise NotAllowed(word_of(command), rule.who)


def _refuse_setting(key: str, value: str) -> None:
    """Tell somebody who is no master whose setting that is.  Raises `MastersSetting`, `UnknownSetting`."""
    if key in SETTINGS:
        raise MastersSetting(key, OWN_SETTINGS)
    raise UnknownSetting(key, value, OWN_SETTINGS)


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


@dataclass(frozen=True, slots=True)
class Call:
    """One command as it reaches its handler; `command` is of the type the handler stands for."""

    game: Game
    command: Any
    actor: Actor
    variant: Variant
    moment: Moment

    @property
    def key(self) -> str:
        """The seat that asks."""
        return seat_key(self.actor)

    @property
    def at(self) -> datetime:
        """When the mail arrived."""
        return self.moment.at


def _sign_on(call: Call) -> Transition:
    command, person = call.command, _person(call.actor)
    done = sign_on(call.game, command.power, person, call.variant, call.at, call.moment.draw, command.wishes, command.word)
    return replace(done, game=set_password(done.game, person, command.password)) if command.password else done


def _clear(call: Call) -> Transition:
    power = call.command.power if isinstance(call.actor, Master) else call.key
    return clear_orders(call.game, power, call.command.places, call.variant, call.at)


def _wait(call: Call) -> Transition:
    after = set_wait(call.game, call.key, call.command.wait, call.variant, call.at)
    return Transition(after, (WaitSet(call.command.wait),))


def _history(call: Call) -> Transition:
    past, command = call.moment.past, call.command
    entries = entries_for(call.game, reader_at(call.game, call.key), past.press, past.turns, past.events)
    if command.broad:
        entries = tuple(entry for entry in entries if entry.press is not None and not entry.press.to)
    shown = entries[-command.most :]
    return Transition(call.game, (HistoryShown(shown, len(entries) - len(shown)),))


def _log(call: Call) -> Transition:
    reader = reader_at(call.game, call.key)
    seen = tuple(entry.event for entry in entries_for(call.game, reader, (), (), call.moment.past.events) if entry.event)
    return Transition(call.game, (LogShown(seen),))


def _receipts(call: Call) -> Transition:
    seat = call.game.seat(call.key)
    since = (seat.since if seat else None) or call.game.created_at
    own = tuple(each for each in call.moment.past.submissions if each.power == call.key and each.at >= since)
    return Transition(call.game, (SubmissionsShown(own),))


def _read_diary(call: Call) -> Transition:
    seat = call.game.seat(call.key)
    since = (seat.since if seat else None) or call.game.created_at
    own = tuple(
        item
        for item in call.moment.past.press
        if item.kind == "diary" and item.sender == call.key and item.at >= since and item.number not in call.game.forgotten
    )
    if call.command.delete:
        return forget_note(call.game, call.key, call.command.delete, own, call.at)
    return Transition(call.game, (DiaryShown(own),))


def _eject(call: Call) -> Transition:
    return eject(call.game, call.command.who, call.key, call.command.why, call.variant, call.at)


def _ahead(call: Call) -> Transition:
    return file_ahead(call.game, call.key, call.command.orders, call.variant, call.at)


def _approve(call: Call) -> Transition:
    if call.command.power not in call.variant.powers:
        raise UnknownPower(call.command.power, call.variant.powers)
    return approve(call.game, call.command.power, call.command.yes, call.variant, call.at, call.moment.draw)


def check_sight(game: Game, actor: Actor) -> None:
    """Raise `NotSeen` where a master may not act for a power, because that shows its orders."""
    if isinstance(actor, Master) and not game.settings.sight.reaches(Sight.ORDERS):
        raise NotSeen(game.settings.sight)


HANDLERS: Mapping[type, Callable[[Call], Transition]] = {
    ask.SignOn: _sign_on,
    ask.Observe: lambda c: observe(c.game, _person(c.actor), c.at, c.command.kind),
    ask.ClearOrders: _clear,
    ask.SetWait: _wait,
    ask.ShowStatus: lambda c: Transition(c.game, (StatusAsked(),)),
    ask.SendPress: lambda c: send_press(c.game, c.key, c.command, c.variant, c.at, c.moment.hidden_words),
    ask.Resign: lambda c: resign(c.game, c.key, c.variant, c.at),
    ask.RotateAddress: lambda c: rotate_address(c.game, c.key, c.at),
    ask.ShowSummary: lambda c: Transition(c.game, (SummaryShown(summarise(c.game, c.moment.past.turns, c.variant)),)),
    ask.ShowHistory: _history,
    ask.ShowLog: _log,
    ask.ShowSeats: lambda c: Transition(c.game, (SeatsShown(),)),
    ask.ShowSettings: lambda c: Transition(c.game, (SettingsShown(),)),
    ask.ShowSubmissions: _receipts,
    ask.CastVote: lambda c: cast_vote(c.game, c.command, c.key, c.variant, c.at),
    ask.AskAbsence: lambda c: ask_absence(c.game, c.command, c.key, c.moment.zone, c.at),
    ask.DropAbsence: lambda c: drop_absence(c.game, c.command.number, c.key, c.at),
    ask.WriteDiary: lambda c: write_diary(c.game, c.key, c.command.text, c.at),
    ask.ReadDiary: _read_diary,
    ask.Mute: lambda c: mute(c.game, c.key, c.command.who, c.command.mute, c.at),
    ask.SetPreference: lambda c: set_preference(c.game, c.key, c.command.groups, c.at),
    ask.AnswerRoll: lambda c: answer_roll(c.game, c.key, c.variant, c.at, c.moment.draw),
    ask.MakeStatement: lambda c: make_statement(c.game, c.key, c.command.text, c.at),
    ask.DeclineOffer: lambda c: decline(c.game, c.key, c.at),
    ask.FileAhead: _ahead,
    ask.ClearAhead: lambda c: clear_ahead(c.game, c.key, c.command.phase, c.at),
    ask.ShowAhead: lambda c: Transition(c.game, (AheadShown(c.game.ahead.get(c.key, ())),)),
    ask.ProcessNow: lambda c: process_now(c.game, c.command, c.variant, c.at),
    ask.SetDeadline: lambda c: set_deadline(c.game, c.command, c.key, c.variant, c.at),
    ask.SetGrace: lambda c: set_grace(c.game, c.command, c.key, c.variant, c.at),
    ask.StartGame: lambda c: start(c.game, c.key, c.variant, c.at, c.moment.draw),
    ask.Pause: lambda c: pause(c.game, c.command, c.key, c.at),
    ask.Resume: lambda c: resume(c.game, c.key, c.variant, c.at),
    ask.SetSetting: lambda c: set_setting(c.game, c.command, c.key, c.at),
    ask.EndGame: lambda c: end(c.game, c.key, c.at),
    ask.Predict: lambda c: predict(c.game, c.variant, c.at),
    ask.RollBack: lambda c: roll_back(c.game, c.command, c.moment.past.turns, c.key, c.variant, c.at),
    ask.RollForward: lambda c: roll_forward(c.game, c.moment.past.turns, c.key, c.variant, c.at),
    ask.Unstart: lambda c: unstart(c.game, c.key, c.at),
    ask.Eject: _eject,
    ask.Promote: lambda c: promote(c.game, c.command.who, c.key, c.at),
    ask.HandOver: lambda c: promote(c.game, c.command.who, c.key, c.at, instead=True),
    ask.TakeMaster: lambda c: take_master(c.game, c.key, c.at),
    ask.Approve: _approve,
    ask.JudgeAbsence: lambda c: judge_absence(c.game, c.command.number, c.command.yes, c.key, c.at),
    ask.SetDisorder: lambda c: set_disorder(c.game, c.command.power, c.command.civil, c.key, c.variant, c.at),
    ask.EditBoard: lambda c: edit_board(c.game, c.command, c.key, c.variant, c.at),
    ask.SetStart: lambda c: set_start(c.game, c.command, c.key, c.variant, c.at),
    ask.SayOfficially: lambda c: say_officially(c.game, c.key, c.command.text, c.at),
}
"""What carries out each command; the checks before it are in `apply`."""


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
