"""The settings of a game as one would write them after SET, so that they can be read, copied and sent back."""

from collections.abc import Mapping
from datetime import time

from judge.game import Settings, Timing, write_span
from judge.rules import Step

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
HIDDEN = "***"
"""Stands for an invitation that the reader need not know."""


def yes_no(value: bool) -> str:
    """A yes or a no, as it is written.

    >>> yes_no(True), yes_no(False)
    ('yes', 'no')
    """
    return "yes" if value else "no"


def write_days(days: frozenset[int], half: frozenset[int] = frozenset()) -> str:
    """Weekdays; those of which only the afternoon counts end in ``/2``.

    >>> write_days(frozenset(range(7))), write_days(frozenset({1, 4}), frozenset({4}))
    ('all', 'tue,fri/2')
    """
    if len(days) == 7 and not half:
        return "all"
    return ",".join(DAYS[day] + ("/2" if day in half else "") for day in sorted(days))


def write_clock(at: time | None) -> str:
    """A time of day, or ``any``."""
    return f"{at:%H:%M}" if at is not None else "any"


def write_step(timing: Timing, step: Step) -> str:
    """The clock of one kind of phase: its length, and what is otherwise in it.

    >>> write_step(Timing(), Step.MOVEMENT)
    '3d'
    >>> from datetime import time
    >>> from judge.game.model import StepTiming
    >>> write_step(Timing(steps={Step.RETREAT: StepTiming(at=time(20), days=frozenset({0, 1}))}), Step.RETREAT)
    'next 1d clock 20:00 days mon,tue'
    """
    length, own = write_span(timing.length(step)), timing.steps.get(step)
    if own is None:
        return length
    parts = [f"next {length}"]
    if own.at is not None or own.any_time:
        parts.append(f"clock {write_clock(own.at)}")
    if own.days is not None:
        parts.append(f"days {write_days(own.days, own.half_days or frozenset())}")
    spans = (("grace", own.grace), ("delay", own.delay), ("minimum", own.minimum))
    parts.extend(f"{name} {write_span(value)}" for name, value in spans if value is not None)
    return " ".join(parts)


def write_settings(settings: Settings, with_secrets: bool) -> Mapping[str, str]:
    """Every setting with its value as written; the invitation only for those who may know it."""
    timing = settings.timing
    return {
        "title": settings.title or "-",
        "zone": settings.zone,
        "language": settings.language,
        "movement": write_step(timing, Step.MOVEMENT),
        "retreat": write_step(timing, Step.RETREAT),
        "adjustment": write_step(timing, Step.ADJUSTMENT),
        "grace": write_span(timing.grace),
        "delay": write_span(timing.delay),
        "minimum": write_span(timing.minimum),
        "clock": write_clock(timing.at),
        "days": write_days(timing.days, timing.half_days),
        "reminders": ",".join(map(write_span, timing.reminders)) or "none",
        "first": write_span(timing.first),
        "newcomer": write_span(timing.newcomer),
        "early": yes_no(settings.early),
        "processing": "manual" if settings.manual else "auto",
        "start": "manual" if settings.manual_start else "auto",
        "lateronly": yes_no(settings.later_only),
        "absence": str(settings.absence_days),
        "nmr": settings.nmr,
        "misses": str(settings.misses),
        "lock": yes_no(settings.lock),
        "firstturn": "extend" if settings.first_turn else "hold",
        "showlate": yes_no(settings.show_late),
        "assignment": settings.assignment,
        "gunboat": yes_no(settings.gunboat),
        "listed": yes_no(settings.listed),
        "invitation": (settings.invitation if with_secrets else HIDDEN) if settings.invitation else "none",
        "approval": yes_no(settings.approval),
        "reliability": str(settings.reliability),
        "rollcall": yes_no(settings.rollcall),
        "press": settings.press,
        "fake": yes_no(settings.fake),
        "postal": yes_no(settings.postal),
        "latepress": yes_no(settings.late_press),
        "mustorder": yes_no(settings.must_order),
        "observerpress": yes_no(settings.observer_press),
        "draws": settings.draws,
        "concessions": yes_no(settings.concessions),
        "votes": "secret" if settings.secret_votes else "open",
        "lastingvotes": yes_no(settings.lasting_votes),
        "reveal": yes_no(settings.reveal),
        "sight": settings.sight,
    }
