"""What a master of a game can do: move deadlines, process, pause, start, set, end."""

from dataclasses import replace
from datetime import datetime

from judge.game.commands import ProcessNow, SetDeadline, SetSetting
from judge.game.deadlines import resolve_when
from judge.game.faults import HasBegun, NotRunning, OtherPhase
from judge.game.model import Deadline, Ending, EndKind, Game, Status
from judge.game.notices import (
    ClockPaused,
    ClockResumed,
    DeadlineMoved,
    DeadlineSet,
    Event,
    GameBegan,
    GamePaused,
    GameResumed,
    Processed,
    SettingChanged,
    SettingSet,
    Started,
    Stopped,
    Transition,
)
from judge.game.orderdesk import note_all_in
from judge.game.seats import begin
from judge.game.settings import BEFORE_START, change_setting
from judge.game.turning import close_phase, finish
from judge.rules import Variant


def process_now(game: Game, command: ProcessNow, variant: Variant, at: datetime) -> Transition:
    """Close the phase with the orders on file.  Raises `OtherPhase` if the guard names another phase."""
    if game.status is not Status.RUNNING:
        raise NotRunning(game.status)
    if command.phase is not None and command.phase != game.phase:
        raise OtherPhase(command.phase, game.phase)
    done = close_phase(game, variant, at, "master")
    return replace(done, answers=(Processed(game.phase),))


def set_deadline(game: Game, command: SetDeadline, by: str, variant: Variant, at: datetime) -> Transition:
    """Move the deadline of the open phase; reminders that lie ahead of the new one go out again."""
    if game.status is not Status.RUNNING or game.deadline is None:
        raise NotRunning(game.status)
    moment = resolve_when(command.when, game, at)
    ahead = sum(moment - span <= at for span in game.settings.timing.reminders)
    moved = replace(game, deadline=Deadline(moment, "master"), reminded=ahead, late_told=False)
    event = Event(at, by, "deadline", {"from": game.deadline.at.isoformat(), "to": moment.isoformat()})
    return Transition(
        note_all_in(moved, variant, at),
        (DeadlineSet(moment),),
        (DeadlineMoved(game.deadline.at, moment, by, "master"),),
        events=(event,),
    )


def start(game: Game, by: str, variant: Variant, at: datetime) -> Transition:
    """Begin although seats are open; their units hold until somebody takes them."""
    if game.status is not Status.FORMING:
        raise HasBegun(game.name)
    return Transition(note_all_in(begin(game, at), variant, at), (Started(),), (GameBegan(),), events=(Event(at, by, "began", {}),))


def pause(game: Game, by: str, at: datetime) -> Transition:
    """Stop the clock; orders are still taken."""
    if game.status is not Status.RUNNING or game.deadline is None:
        raise NotRunning(game.status)
    left = max(game.deadline.at - at, at - at)
    after = replace(game, status=Status.PAUSED, paused_left=left, deadline=None)
    return Transition(after, (ClockPaused(),), (GamePaused(by),), events=(Event(at, by, "paused", {}),))


def resume(game: Game, by: str, variant: Variant, at: datetime) -> Transition:
    """Start the clock again, with the time that was left."""
    if game.status is not Status.PAUSED or game.paused_left is None:
        raise NotRunning(game.status)
    deadline = Deadline(at + game.paused_left, "resumed")
    after = note_all_in(replace(game, status=Status.RUNNING, paused_left=None, deadline=deadline), variant, at)
    return Transition(after, (ClockResumed(deadline.at),), (GameResumed(by, deadline.at),), events=(Event(at, by, "resumed", {}),))


def set_setting(game: Game, command: SetSetting, by: str, at: datetime) -> Transition:
    """Change one setting, announced to all.  Times of the open phase stay as they were announced."""
    if command.key.lower() in BEFORE_START and game.status is not Status.FORMING:
        raise HasBegun(game.name)
    after = replace(game, settings=change_setting(game.settings, command.key, command.value))
    event = Event(at, by, "setting", {command.key: command.value})
    changed = SettingChanged(command.key.lower(), command.value, by)
    return Transition(after, (SettingSet(command.key.lower(), command.value),), (changed,), events=(event,))


def end(game: Game, by: str, at: datetime) -> Transition:
    """Stop the game without a winner."""
    if game.status is Status.FINISHED:
        raise NotRunning(game.status)
    ending = Ending(EndKind.STOPPED, (), at)
    return finish(game, ending, Transition(game, (Stopped(),), events=(Event(at, by, "stopped", {}),)))
