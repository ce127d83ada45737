"""What a master of a game can do: move deadlines, process, pause, start, set, end."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from judge.board import Power
from judge.game.commands import EditBoard, Pause, ProcessNow, RollBack, SetDeadline, SetGrace, SetSetting, SetStart
from judge.game.deadlines import grace_ends, reminder_spans, reminders_passed, resolve_when
from judge.game.endings import finish
from judge.game.faults import (
    AlreadySeated,
    BadBoard,
    GraceBefore,
    HasBegun,
    NoSuchSeat,
    NothingToDo,
    NotRunning,
    NotSeen,
    OtherPhase,
    ReasonMissing,
)
from judge.game.history import find_turn, rewind
from judge.game.model import Deadline, Ending, EndKind, Game, PersonId, Seat, SeatState, Sight, Status, Turn
from judge.game.notices import (
    EVERYBODY,
    MASTERS,
    Audience,
    ClockPaused,
    ClockResumed,
    DeadlineMoved,
    DeadlineSet,
    DryRun,
    Event,
    GameBegan,
    GamePaused,
    GameResumed,
    News,
    Notice,
    Processed,
    SettingChanged,
    SettingSet,
    Started,
    Stopped,
    Told,
    Transition,
)
from judge.game.orderdesk import note_all_in
from judge.game.seats import Draw, begin, put_seat
from judge.game.settings import BEFORE_START, change_setting, usual_setting
from judge.game.sparing import spare
from judge.game.standby import withdraw_offers
from judge.game.turning import close_phase, dry_run
from judge.rules import Position, Variant, why_illegal

MASTER_KEY = "MASTER"
SECRET_SETTINGS = frozenset({"invitation"})
"""Settings whose value only masters learn."""


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
    ahead = sum(moment - span <= at for span in reminder_spans(game))
    moved = replace(
        game,
        deadline=Deadline(moment, "master"),
        reminded=ahead,
        late_told=False,
        late=frozenset(),
        abandoned_told=False,
        master_asked=False,
        grace=None if game.grace is None or grace_ends(game) <= moment else grace_ends(game) - moment,
    )
    facts = {"from": game.deadline.at.isoformat(), "to": moment.isoformat(), "why": command.reason}
    event = Event(at, by, "deadline", {name: value for name, value in facts.items() if value})
    return Transition(
        note_all_in(moved, variant, at),
        (DeadlineSet(moment),),
        (DeadlineMoved(game.deadline.at, moment, by, "master", reason=command.reason),),
        events=(event,),
    )


def set_grace(game: Game, command: SetGrace, by: str, variant: Variant, at: datetime) -> Transition:
    """Set for this phase alone when the time after its deadline ends.  Raises `BadMoment`, `GraceBefore`."""
    if game.status is not Status.RUNNING or game.deadline is None:
        raise NotRunning(game.status)
    # A weekday is the next one behind the deadline; a day without a year must not become one of next year.
    moment = resolve_when(command.when, game, at if command.when.day is not None else max(at, game.deadline.at))
    if moment <= game.deadline.at:
        raise GraceBefore(game.deadline.at)
    given = replace(game, grace=moment - game.deadline.at, abandoned_told=False, master_asked=False)
    given = replace(given, reminded=reminders_passed(given, at))
    facts = {"to": moment.isoformat(), "why": command.reason}
    event = Event(at, by, "grace_set", {name: value for name, value in facts.items() if value})
    why = {"why": command.reason} if command.reason else {}
    news = News("grace_set_because" if why else "grace_set", EVERYBODY, {"moment": moment, **why}, state=True)
    return Transition(note_all_in(given, variant, at), (Told("grace_set", {"moment": moment}),), (news,), events=(event,))


def start(game: Game, by: str, variant: Variant, at: datetime, draw: Draw) -> Transition:
    """Begin although seats are open; their units hold until somebody takes them."""
    if game.status is not Status.FORMING:
        raise HasBegun(game.name)
    begun = begin(replace(game, start_at=None), variant, at, draw)
    return Transition(note_all_in(begun, variant, at), (Started(),), (GameBegan(),), events=(Event(at, by, "began", {}),))


def unstart(game: Game, by: str, at: datetime) -> Transition:
    """Back to forming, before the first phase has closed; the master begins again with START GAME.  Raises `NotRunning`, `HasBegun`."""
    if game.status not in (Status.RUNNING, Status.PAUSED):
        raise NotRunning(game.status)
    if game.turns:
        raise HasBegun(game.name)
    after = replace(
        game,
        status=Status.FORMING,
        deadline=None,
        orders={},
        waits=frozenset(),
        all_in_since=None,
        stints=(),
        votes=(),
        paused_left=None,
        late_told=False,
        late=frozenset(),
    )
    return Transition(after, (Told("unstarted"),), (News("unstarted", EVERYBODY),), events=(Event(at, by, "unstarted", {}),))


def set_start(game: Game, command: SetStart, by: str, variant: Variant, at: datetime) -> Transition:
    """The game, or the open phase, does not end before then; a deadline before it moves there."""
    moment = resolve_when(command.when, game, at)
    after = replace(game, start_at=moment)
    what = "start_set" if game.status is Status.FORMING else "phase_held"
    told: tuple[Notice, ...] = (News(what, EVERYBODY, {"moment": moment}),)
    if game.deadline is not None and game.deadline.at < moment:
        after = replace(after, deadline=Deadline(moment, "start"), late_told=False, late=frozenset())
        told = (DeadlineMoved(game.deadline.at, moment, by, "start"),)
    event = Event(at, by, what, {"to": moment.isoformat()})
    return Transition(note_all_in(after, variant, at), (Told(what, {"moment": moment}),), told, events=(event,))


def pause(game: Game, command: Pause, by: str, at: datetime) -> Transition:
    """Stop the clock; orders are still taken."""
    if game.status is not Status.RUNNING or game.deadline is None:
        raise NotRunning(game.status)
    left = max(game.deadline.at - at, at - at)
    after = replace(game, status=Status.PAUSED, paused_left=left, deadline=None)
    event = Event(at, by, "paused", {"why": command.reason} if command.reason else {})
    return Transition(after, (ClockPaused(),), (GamePaused(by, reason=command.reason),), events=(event,))


def resume(game: Game, by: str, variant: Variant, at: datetime) -> Transition:
    """Start the clock again, with the time that was left."""
    if game.status is not Status.PAUSED or game.paused_left is None:
        raise NotRunning(game.status)
    deadline = Deadline(at + game.paused_left, "resumed")
    after = note_all_in(replace(game, status=Status.RUNNING, paused_left=None, deadline=deadline), variant, at)
    return Transition(after, (ClockResumed(deadline.at),), (GameResumed(by, deadline.at),), events=(Event(at, by, "resumed", {}),))


def set_setting(game: Game, command: SetSetting, by: str, at: datetime) -> Transition:
    """Change one setting, announced to all.  Times of the open phase stay as they were announced."""
    if usual_setting(command.key, command.value)[0] in BEFORE_START and game.status is not Status.FORMING:
        raise HasBegun(game.name)
    after = replace(game, settings=change_setting(game.settings, command.key, command.value))
    key, value = usual_setting(command.key, command.value.strip())
    event = Event(at, by, "setting", {key: value})
    changed = SettingChanged(key, value, by, MASTERS if key in SECRET_SETTINGS else EVERYBODY)
    return Transition(after, (SettingSet(key, value),), (changed,), events=(event,))


def end(game: Game, by: str, at: datetime) -> Transition:
    """Stop the game without a winner."""
    if game.status is Status.FINISHED:
        raise NotRunning(game.status)
    ending = Ending(EndKind.STOPPED, (), at)
    return finish(game, ending, Transition(game, (Stopped(),), events=(Event(at, by, "stopped", {}),)))


def roll_back(game: Game, command: RollBack, turns: Sequence[Turn], by: str, variant: Variant, at: datetime) -> Transition:
    """Back to the beginning of a closed phase; that one and later ones stay on record as withdrawn.  Raises `NoSuchTurn`."""
    if game.status is Status.FORMING:
        raise NotRunning(game.status)
    target = find_turn(turns, command.phase, command.count)
    gone = tuple(turn.number for turn in turns if turn.number >= target.number and not turn.withdrawn)
    forgiven, unoffered = _forgiven(rewind(game, target.before, variant, at), target.closed_at)
    after = replace(forgiven, rolled_back=gone)
    facts = {"phase": str(target.phase), "turns": " ".join(map(str, gone))}
    told = (News("rolled_back", EVERYBODY, {"phase": target.phase, "seat": by}, state=True), *unoffered)
    done = Transition(after, (Told("rolled_back", {"phase": target.phase}),), told, events=(Event(at, by, "rolled_back", facts),))
    return replace(done, withdrawn=gone)


def _forgiven(game: Game, since: datetime) -> tuple[Game, tuple[Notice, ...]]:
    """The game with the seats that were given up from then on held by their players again, as if nothing had been missed.

    With it the word to those whom such a seat was offered to.
    """
    told: tuple[Notice, ...] = ()
    for seat in game.seats:
        if seat.state is SeatState.ABANDONED and seat.person is not None and seat.given_up is not None and seat.given_up >= since:
            game, gone = withdraw_offers(game, seat.key)
            game = put_seat(game, replace(seat, state=SeatState.PLAYING, missed=0, given_up=None))
            told = (*told, *gone)
    return game, told


def roll_forward(game: Game, turns: Sequence[Turn], by: str, variant: Variant, at: datetime) -> Transition:
    """Undo the last rollback, as long as no phase has closed since.  Raises `NothingToDo`."""
    back = [turn for turn in turns if turn.number in game.rolled_back]
    if not back:
        raise NothingToDo("rollforward")
    last = max(back, key=lambda turn: turn.number)
    after = replace(rewind(game, last.adjudication.after, variant, at), rolled_back=())
    told: tuple[Notice, ...] = (News("rolled_forward", EVERYBODY, {"phase": last.adjudication.after.phase, "seat": by}, state=True),)
    event = Event(at, by, "rolled_forward", {"phase": str(after.phase)})
    done = Transition(after, (Told("rolled_forward", {"phase": after.phase}),), told, events=(event,))
    done = replace(done, restored=tuple(turn.number for turn in back))
    winner = last.adjudication.winner
    return done if winner is None else finish(after, Ending(EndKind.WON, (winner,), at), done)


def predict(game: Game, variant: Variant, at: datetime) -> Transition:
    """What would become of all orders as they stand, for the master alone.  Raises `NotRunning`, `NotSeen`."""
    if game.status not in (Status.RUNNING, Status.PAUSED):
        raise NotRunning(game.status)
    if not game.settings.sight.reaches(Sight.ORDERS):
        raise NotSeen(game.settings.sight)
    return Transition(game, (DryRun(dry_run(game, variant, at), guesses=False),))


def promote(game: Game, key: str, by: str, at: datetime, *, instead: bool = False) -> Transition:
    """Make an observer a master, beside the present one or in its place.  Raises `NoSuchSeat`."""
    seat = next((each for each in game.observers if each.key == key), None)
    if seat is None or seat.person is None:
        raise NoSuchSeat(key)
    keys = {each.key for each in game.masters if not (instead and each.key == by)}
    new = next(name for name in (MASTER_KEY, *(f"{MASTER_KEY}-{n}" for n in range(2, 100))) if name not in keys)
    old = game.seat(new)
    fresh = Seat(new, seat.person, epoch=(old.epoch if old else 0) + 1, since=at)
    after = replace(
        game,
        observers=tuple(each for each in game.observers if each.key != key),
        masters=(*(each for each in game.masters if each.key in keys), fresh),
        offers=tuple(offer for offer in game.offers if offer.seat != key),
        master_seen_at=at,
    )
    told = (
        News("master_now", Audience(seats=(new,)), {"seat": new}, state=True),
        News("master_changed" if instead else "master_added", replace(EVERYBODY, but=(new,))),
    )
    event = Event(at, by, "handed_over" if instead else "promoted", {"seat": key})
    return Transition(after, (Told("handed_over" if instead else "promoted", {"seat": new}),), told, events=(event,))


def take_master(game: Game, key: str, at: datetime) -> Transition:
    """An observer takes the master's seat of a game that has none.  Raises `NothingToDo`."""
    if game.masters:
        raise NothingToDo("takemaster")
    return promote(game, key, key, at)


def edit_board(game: Game, command: EditBoard, by: str, variant: Variant, at: datetime) -> Transition:
    """Put units and owners right; the reason is told to all.  Raises `ReasonMissing`, `BadBoard`, `NotRunning`."""
    if game.status not in (Status.RUNNING, Status.PAUSED):
        raise NotRunning(game.status)
    if not command.why.strip():
        raise ReasonMissing
    position = _edited(game.position, command, variant)
    orders = {
        power: tuple(filed for filed in filed_orders if why_illegal(filed.order, power, position, variant) is None)
        for power, filed_orders in game.orders.items()
    }
    after = note_all_in(replace(game, position=position, orders=orders), variant, at)
    changes = "; ".join(
        (
            *(f"+ {power} {unit}" for power, unit in command.add),
            *(f"- {power} {unit}" for power, unit in command.remove),
            *(f"{centre}: {power or '-'}" for power, centre in command.owners),
        )
    )
    news = News("edited", EVERYBODY, {"changes": changes, "why": command.why, "seat": by}, state=True)
    return Transition(after, (Told("edited"),), (news,), events=(Event(at, by, "edited", {"changes": changes, "why": command.why}),))


def _edited(position: Position, command: EditBoard, variant: Variant) -> Position:
    """The position with the changes made.  Raises `BadBoard`."""
    units = {power: list(standing) for power, standing in position.units.items()}
    for power, unit in command.remove:
        if unit not in units.get(power, ()):
            raise BadBoard(f"{power} {unit}")
        units[power].remove(unit)
    for power, unit in command.add:
        stands = any(each.at.province == unit.at.province for standing in units.values() for each in standing)
        if stands or power not in variant.powers or unit.at not in variant.board.passages.get(unit.kind, {}):
            raise BadBoard(f"{power} {unit}")
        units.setdefault(power, []).append(unit)
    owners = dict(position.owners)
    for power, centre in command.owners:
        if centre not in variant.board.centres or (power and power not in variant.powers):
            raise BadBoard(f"{centre} {power}")
        if power:
            owners[centre] = power
        else:
            owners.pop(centre, None)
    return replace(position, units={power: tuple(sorted(standing)) for power, standing in units.items() if standing}, owners=owners)


def become(game: Game, power: Power, by: str, at: datetime) -> Transition:
    """A master begins to act for a power, whose player is told."""
    news = News("become", Audience(seats=(power,)), {"power": power})
    done = Transition(game, (Told("become", {"power": power}),), (news,), events=(Event(at, by, "become", {"power": power}),))
    return spare(game, done)


def appoint(game: Game, person: PersonId, at: datetime) -> Transition:
    """The keeper gives a game another master in the place of those it has.  Raises `AlreadySeated` for one of its players."""
    held = next((seat for seat in game.seats if seat.person == person), None)
    if held is not None:
        raise AlreadySeated(held.key)
    epoch = max((seat.epoch for seat in game.masters), default=0) + 1
    gone = tuple(seat.person for seat in game.masters if seat.person is not None and seat.person != person)
    after = replace(
        game,
        masters=(Seat(MASTER_KEY, person, epoch=epoch, since=at),),
        observers=tuple(seat for seat in game.observers if seat.person != person),
        master_seen_at=at,
    )
    told = (
        News("master_relieved", Audience(people=gone)),
        News("master_now", Audience(seats=(MASTER_KEY,)), {"seat": MASTER_KEY}, state=True),
        News("master_changed", replace(EVERYBODY, but=(MASTER_KEY,))),
    )
    return spare(game, Transition(after, (Told("appointed", {"name": game.name}),), told, events=(Event(at, "", "appointed", {}),)))
