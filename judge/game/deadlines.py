"""When a phase ends, who is reminded, and how moments that people write are meant."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from judge.game.commands import When
from judge.game.faults import BadMoment
from judge.game.model import Deadline, Game, Nmr, Status, Timing
from judge.rules import Step

LONGEST = timedelta(days=366)
"""No deadline is set further ahead than this: a slip of the pen must not stop a game for years."""


def next_deadline(timing: Timing, zone: str, step: Step, began: datetime) -> Deadline:
    """The deadline of a phase of this step that begins at `began` (UTC).

    The length is added, then the moment moves on to the wished time of day on an allowed weekday, in the game's zone; in the
    hour that a spring night leaves out the later instant counts, in the doubled autumn hour the first.
    """
    earliest = began + timing.length(step)
    if timing.at is None and len(timing.days) == 7:
        return Deadline(earliest)
    return Deadline(next(at for at in _allowed(timing, zone, earliest) if at >= earliest))


def _allowed(timing: Timing, zone: str, earliest: datetime) -> Iterator[datetime]:
    """Instants a deadline may fall on, from the day of `earliest` on."""
    tz = ZoneInfo(zone)
    local = earliest.astimezone(tz)
    for days in range(400):
        day = local.date() + timedelta(days=days)
        if day.weekday() in timing.days:
            at = timing.at or (local.timetz().replace(tzinfo=None) if days == 0 else time(0))
            yield local_instant(datetime.combine(day, at), zone)
    yield earliest


def local_instant(naive: datetime, zone: str) -> datetime:
    """A wall-clock time as an instant: the first of a doubled hour, the later one for a time the clocks leave out.

    >>> local_instant(datetime(2026, 3, 29, 2, 30), "Europe/Prague")
    datetime.datetime(2026, 3, 29, 1, 30, tzinfo=datetime.timezone.utc)
    """
    return naive.replace(tzinfo=ZoneInfo(zone), fold=0).astimezone(UTC)


def due_at(game: Game) -> datetime | None:
    """When the phase is to be closed, or its lateness told, as things stand; None while the game forms, is paused, waits or is over.

    With everything in, that is `delay` after the last of it, though not before the deadline unless the game closes early.  With
    something missing it is the deadline; after that the end of grace, or never where the game waits for the orders.
    """
    if game.status is not Status.RUNNING or game.deadline is None:
        return None
    timing, deadline = game.settings.timing, game.deadline.at
    if game.all_in_since is not None:
        ready = game.all_in_since + timing.delay
        if game.all_in_since > deadline:
            return ready
        return min(ready, deadline) if game.settings.early else deadline
    if not game.late_told:
        return deadline
    return None if game.settings.nmr is Nmr.WAIT else deadline + timing.grace


def is_due(game: Game, now: datetime) -> bool:
    """Whether the phase is to be closed (or its grace to be announced) now."""
    at = due_at(game)
    return at is not None and at <= now


def grace_left(game: Game, now: datetime) -> bool:
    """Whether a phase with missing orders stays open at `now` although its deadline has passed."""
    if game.deadline is None:
        return False
    return game.settings.nmr is Nmr.WAIT or now < game.deadline.at + game.settings.timing.grace


def next_reminder(game: Game) -> datetime | None:
    """When the next reminder of this phase is due; None if all have gone out or nothing runs."""
    if game.status is not Status.RUNNING or game.deadline is None:
        return None
    spans = sorted(game.settings.timing.reminders, reverse=True)
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
    return sum(game.deadline.at - span <= now for span in game.settings.timing.reminders)


def wake_at(game: Game) -> datetime | None:
    """The nearest moment at which this game needs the judge: a reminder or the end of the phase."""
    moments = [at for at in (due_at(game), next_reminder(game)) if at is not None]
    return min(moments, default=None)


def resolve_when(when: When, game: Game, now: datetime) -> datetime:
    """The instant a master means, in the game's zone unless another was named.  Raises `BadMoment` for one not ahead of `now`."""
    zone = when.zone or game.settings.zone
    usual = when.at or game.settings.timing.at or time(20)
    if when.span is not None:
        at = max(now, game.deadline.at if game.deadline else now) + when.span
    elif when.day is not None:
        at = local_instant(datetime.combine(when.day.date(), usual), zone)
    else:
        at = _next_weekday(now, when.weekday, usual, zone)
    if not now < at <= now + LONGEST:
        raise BadMoment(at.isoformat())
    return at


def _next_weekday(now: datetime, weekday: int | None, at: time, zone: str) -> datetime:
    """The next moment with this time of day, on this weekday if one was named."""
    today = now.astimezone(ZoneInfo(zone)).date()
    for days in range(9):
        day = today + timedelta(days=days)
        instant = local_instant(datetime.combine(day, at), zone)
        if instant > now and weekday in (None, day.weekday()):
            return instant
    raise BadMoment(at.isoformat())


def open_phase(game: Game, at: datetime) -> Game:
    """The game with its current phase opened at `at`: a new deadline, nothing on file, nobody reminded."""
    return replace(
        game,
        deadline=next_deadline(game.settings.timing, game.settings.zone, game.phase.step, at),
        phase_began=at,
        orders={},
        waits=frozenset(),
        all_in_since=None,
        reminded=0,
        late_told=False,
    )
