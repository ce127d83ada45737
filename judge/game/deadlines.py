"""When a phase ends, who is reminded, and how moments that people write are meant."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from judge.board import Power
from judge.game.commands import When
from judge.game.faults import BadMoment, FarMoment
from judge.game.model import Absence, Deadline, Game, Nmr, Status, Timing
from judge.rules import Step

LONGEST = timedelta(days=366)
"""No deadline is set further ahead than this: a slip of the pen must not stop a game for years."""


HALF_A_YEAR = timedelta(days=183)
"""A day that was written without its year is not taken for one further ahead than this."""


@dataclass(frozen=True, slots=True)
class Bars:
    """What a deadline must keep clear of: absences, and moments it may not lie before, each with the code that tells why."""

    absences: tuple[Absence, ...] = ()
    not_before: tuple[tuple[str, datetime], ...] = ()
    extra: timedelta = timedelta(0)


FREE = Bars()


def next_deadline(timing: Timing, zone: str, step: Step, began: datetime, bars: Bars = FREE) -> Deadline:
    """The deadline of a phase of this step that begins at `began` (UTC).

    The length is added (whole days by the calendar, where a time of day is set, so that no night of the clock change shifts it), then
    the moment moves on to the wished time of day on an allowed weekday, in the game's zone, and past
    absences, until nothing moves it any more; in the hour that a spring night leaves out the later instant counts, in the doubled
    autumn hour the first.  `Deadline.moved` names what moved it: "first", "earlier", "start", "clock", "day", "absence".
    """
    clock = timing.at_step(step)
    moved = ["first"] if bars.extra else []
    at = _later(began, clock.length(step) + bars.extra, zone, by_calendar=clock.at is not None)
    for code, moment in bars.not_before:
        if moment > at:
            at = moment
            moved.append(code)
    for _ in range(100):
        at, codes = _slide(clock, zone, at)
        moved.extend(codes)
        inside = [absence.last for absence in bars.absences if absence.first <= at < absence.last]
        if not inside:
            break
        at = max(inside)
        moved.append("absence")
    return Deadline(at, moved=tuple(dict.fromkeys(moved)))


def _later(began: datetime, length: timedelta, zone: str, *, by_calendar: bool) -> datetime:
    """The moment a length after another: whole days by the calendar of a zone, if so wished, else by the clock."""
    if not by_calendar or length % timedelta(days=1):
        return began + length
    local = began.astimezone(ZoneInfo(zone))
    later = local_instant(datetime.combine(local.date() + length, local.time()), zone)
    return later if local.fold == 0 else max(later, began + length - timedelta(hours=1))


NOON = time(12)
EVERY_DAY = 7


def _slide(timing: Timing, zone: str, earliest: datetime) -> tuple[datetime, tuple[str, ...]]:
    """The first moment from `earliest` on with the wished time of day on an allowed day, and what moved it there."""
    if timing.at is None and len(timing.days) == EVERY_DAY and not timing.half_days:
        return earliest, ()
    for at, day in _allowed(timing, zone, earliest):
        if at >= earliest:
            local = earliest.astimezone(ZoneInfo(zone))
            barred = not _may_fall(timing, local.weekday(), local.time())
            codes = (*(("day",) if barred and day != local.date() else ()), *(("clock",) if timing.at and not barred else ()))
            return at, codes if at != earliest else ()
    return earliest, ()


def _may_fall(timing: Timing, weekday: int, at: time) -> bool:
    """Whether a deadline may fall on that weekday at that time."""
    return weekday in timing.days and (weekday not in timing.half_days or at >= NOON)


def _allowed(timing: Timing, zone: str, earliest: datetime) -> Iterator[tuple[datetime, date]]:
    """Instants a deadline may fall on, with their days, from the day of `earliest` on."""
    local = earliest.astimezone(ZoneInfo(zone))
    for days in range(400):
        day = local.date() + timedelta(days=days)
        opens = NOON if day.weekday() in timing.half_days else time(0)
        at = timing.at or max(opens, local.timetz().replace(tzinfo=None) if days == 0 else opens)
        if _may_fall(timing, day.weekday(), at):
            yield local_instant(datetime.combine(day, at), zone), day


def local_instant(naive: datetime, zone: str) -> datetime:
    """A wall-clock time as an instant: the first of a doubled hour, the later one for a time the clocks leave out.

    >>> local_instant(datetime(2026, 3, 29, 2, 30), "Europe/Prague")
    datetime.datetime(2026, 3, 29, 1, 30, tzinfo=datetime.timezone.utc)
    """
    return naive.replace(tzinfo=ZoneInfo(zone), fold=0).astimezone(UTC)


def due_at(game: Game) -> datetime | None:
    """When the game needs the judge next: the phase is to be closed or its lateness told, an offer runs out, a roll call ends.

    None while it waits for people.  With everything in, a phase closes `delay` after the last of it and not before `minimum`, though
    not before the deadline unless the game closes early.  With something missing it is the deadline; after that the end of grace, or
    never where the game waits for the orders.
    """
    moments = [offer.until for offer in game.offers]
    match game.status:
        case Status.RUNNING:
            moments.extend(at for at in (_phase_due(game),) if at is not None)
        case Status.FORMING:
            moments.extend(at for at in (game.roll_call_until, game.start_at if not game.open_seats else None) if at is not None)
        case Status.FINISHED:
            return game.statements_until
        case Status.PAUSED:
            pass
    return min(moments, default=None)


def _phase_due(game: Game) -> datetime | None:
    """When the open phase of a running game is to be closed, or its lateness told."""
    if game.deadline is None:
        return None
    timing, deadline = game.timing, game.deadline.at
    if game.settings.manual and game.master_asked:
        return None
    if game.all_in_since is not None:
        ready = max(
            game.all_in_since + timing.delay, (game.phase_began or game.created_at) + timing.minimum, game.start_at or game.created_at
        )
        if game.all_in_since > deadline:
            return ready
        return min(ready, deadline) if game.settings.early else deadline
    if not game.late_told:
        return deadline
    if game.settings.nmr is Nmr.WAIT:
        return None if game.abandoned_told or not grace_of(game) else grace_ends(game)
    if game.settings.nmr is Nmr.MASTER and game.master_asked:
        return None
    return grace_ends(game)


def grace_of(game: Game) -> timedelta:
    """How much time missing orders have after the deadline of the open phase, as the game's rule or for once its master gives it."""
    return game.timing.grace if game.grace is None else game.grace


def grace_ends(game: Game) -> datetime:
    """When the time is over that missing orders still have; it ends on an allowed day, or when the master has said."""
    assert game.deadline is not None
    timing = game.timing
    if game.grace is not None:
        return game.deadline.at + game.grace
    if not timing.grace:
        return game.deadline.at
    return _slide(replace(timing, at=None), game.settings.zone, game.deadline.at + timing.grace)[0]


def is_due(game: Game, now: datetime) -> bool:
    """Whether the phase is to be closed (or its grace to be announced) now."""
    at = due_at(game)
    return at is not None and at <= now


def grace_left(game: Game, now: datetime) -> bool:
    """Whether a phase with missing orders stays open at `now` although its deadline has passed."""
    if game.deadline is None:
        return False
    return game.settings.nmr is Nmr.WAIT or now < grace_ends(game)


def next_reminder(game: Game) -> datetime | None:
    """When the next reminder of this phase is due; None if all have gone out or nothing runs."""
    if game.status is not Status.RUNNING or game.deadline is None:
        return None
    spans = reminder_spans(game)
    began = game.phase_began or game.created_at
    for number, span in enumerate(spans):
        at = game.deadline.at - span
        if number >= game.reminded and at > began:
            return at
    return None


def reminders_passed(game: Game, now: datetime) -> int:
    """How many of the phase's reminders lie in the past at `now`."""
    if game.deadline is None:
        return 0
    return sum(game.deadline.at - span <= now for span in reminder_spans(game))


def reminder_spans(game: Game) -> tuple[timedelta, ...]:
    """How long before the deadline reminders go out, the earliest first.

    Where another letter will tell who is late, or that the first phase goes on, only the last one is sent, so that nobody is written
    to too often.
    """
    spans = tuple(sorted(game.settings.timing.reminders, reverse=True))
    may_be_extended = game.settings.first_turn and not game.turns
    return spans[-1:] if tells_lateness(game) or may_be_extended else spans


def tells_lateness(game: Game) -> bool:
    """Whether the game gives time after the deadline, and tells who is late."""
    return bool(grace_of(game)) or game.settings.nmr in (Nmr.WAIT, Nmr.MASTER)


def wake_at(game: Game) -> datetime | None:
    """The nearest moment at which this game needs the judge: a reminder or the end of the phase."""
    moments = [at for at in (due_at(game), next_reminder(game)) if at is not None]
    return min(moments, default=None)


def resolve_when(when: When, game: Game, now: datetime) -> datetime:
    """The instant a master means, in the game's zone unless another was named.

    Raises `BadMoment` for one not ahead of `now`, and `FarMoment` for a day without a year that has just gone by.
    """
    zone = when.zone or game.settings.zone
    usual = when.at or game.timing.at or time(20)
    if when.span is not None:
        at = max(now, game.deadline.at if game.deadline else now) + when.span
    elif when.day is not None:
        at = local_instant(datetime.combine(full_day(when.day, now, zone).date(), usual), zone)
    else:
        at = _next_weekday(now, when.weekday, usual, zone)
    if not now < at <= now + LONGEST:
        raise BadMoment(at.isoformat())
    if when.day is not None and when.day.year <= YEAR_LEFT_OUT and at > now + HALF_A_YEAR:
        raise FarMoment(at.isoformat())
    return at


def full_day(day: datetime, now: datetime, zone: str) -> datetime:
    """A day as a person means it; one without a year (year 1, or 4 for 29 February) is the next such day from today on."""
    if day.year > YEAR_LEFT_OUT:
        return day
    today = now.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
    for year in range(today.year, today.year + 9):
        try:
            meant = day.replace(year=year)
        except ValueError:
            continue
        if meant.date() >= today.date():
            return meant
    raise BadMoment(day.isoformat())


YEAR_LEFT_OUT = 4
"""Days up to this year were written without one."""


def _next_weekday(now: datetime, weekday: int | None, at: time, zone: str) -> datetime:
    """The next moment with this time of day, on this weekday if one was named."""
    today = now.astimezone(ZoneInfo(zone)).date()
    for days in range(9):
        day = today + timedelta(days=days)
        instant = local_instant(datetime.combine(day, at), zone)
        if instant > now and weekday in (None, day.weekday()):
            return instant
    raise BadMoment(at.isoformat())


PUNCTUAL = timedelta(hours=1)
"""A phase closed at most so long after it was due counts as closed when it was due."""


def counted_from(game: Game, at: datetime) -> datetime:
    """The moment from which the next phase is counted, for a phase closed at `at`.

    That is the moment it was due, if the judge was hardly late; so a few seconds never make a deadline slip by a day.
    """
    due = _phase_due(game)
    least = min(PUNCTUAL, game.settings.timing.length(game.phase.step) / 4)
    return due if due is not None and timedelta(0) <= at - due <= least else at


def open_phase(game: Game, at: datetime, absent: Callable[[Power], bool] = lambda _power: True, *, counted: datetime | None = None) -> Game:
    """The game with its current phase opened at `at`: a new deadline, counted from `counted` (or `at`), nothing on file, nobody reminded.

    `absent` tells whether a power's absence counts in this phase (one with nothing to order holds nothing up).
    """
    return replace(
        game,
        deadline=rule_deadline(game, counted or at, absent),
        phase_began=at,
        orders={},
        waits=frozenset(),
        all_in_since=None,
        reminded=0,
        late_told=False,
        late=frozenset(),
        told_late=frozenset(),
        abandoned_told=False,
        master_asked=False,
        grace=None,
        start_at=None,
        absences=tuple(absence for absence in game.absences if absence.last > at),
    )


def rule_deadline(game: Game, at: datetime, absent: Callable[[Power], bool] = lambda _power: True) -> Deadline:
    """The deadline that the game's rule gives a phase opened at `at`.

    With `later_only` it is never before the last one, unless a master had moved that.
    """
    settings, last = game.settings, game.deadline
    bars: list[tuple[str, datetime]] = [("start", game.start_at)] if game.start_at else []
    if last is not None and settings.later_only and last.why == "rule" and last.at > at:
        bars.append(("earlier", last.at))
    absences = tuple(a for a in game.absences if a.approved and (a.seat.startswith("MASTER") or absent(a.seat)))
    extra = settings.timing.first if not game.turns else timedelta(0)
    return next_deadline(settings.timing, settings.zone, game.phase.step, at, Bars(absences, tuple(bars), extra))
