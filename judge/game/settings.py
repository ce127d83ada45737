"""A game's settings by name: how they are written, read and changed."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import time, timedelta
from zoneinfo import ZoneInfo

from judge.game.faults import BadSetting
from judge.game.model import Assignment, Nmr, PressRule, Settings, Timing

_SPAN = re.compile(r"(\d{1,4})\s*(m|min|h|d|w)", re.IGNORECASE)
_UNITS = {"m": timedelta(minutes=1), "min": timedelta(minutes=1), "h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}
_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_YES = {"yes": True, "on": True, "true": True, "no": False, "off": False, "false": False}


def read_span(text: str) -> timedelta:
    """A span as ``90m``, ``48h``, ``3d`` or ``1w``, or several of them.  Raises ValueError.

    >>> read_span("1d12h")
    datetime.timedelta(days=1, seconds=43200)
    """
    found = _SPAN.findall(text)
    if not found or _SPAN.sub("", text).strip():
        raise ValueError(text)
    return sum((int(number) * _UNITS[unit.lower()] for number, unit in found), timedelta())


def write_span(span: timedelta) -> str:
    """A span in the shortest form that `read_span` reads.

    >>> write_span(timedelta(hours=72)), write_span(timedelta(minutes=90)), write_span(timedelta(0))
    ('3d', '90m', '0h')
    """
    minutes = int(span.total_seconds()) // 60
    if minutes % 1440 == 0 and minutes:
        return f"{minutes // 1440}d"
    return f"{minutes // 60}h" if minutes % 60 == 0 else f"{minutes}m"


def read_time(text: str) -> time:
    """A time of day, ``18:00``.  Raises ValueError."""
    hours, _, minutes = text.partition(":")
    return time(int(hours), int(minutes or 0))


def _read_days(text: str) -> frozenset[int]:
    """Weekdays: ``mon-fri``, ``tue,fri`` or ``all``."""
    if text.lower() == "all":
        return frozenset(range(7))
    days: set[int] = set()
    for part in text.lower().split(","):
        first, _, last = part.strip().partition("-")
        a = _DAYS.index(first[:3])
        b = _DAYS.index(last[:3]) if last else a
        days.update((a + i) % 7 for i in range((b - a) % 7 + 1))
    return frozenset(days)


def _read_zone(text: str) -> str:
    """A time zone by its IANA name."""
    try:
        return ZoneInfo(text).key
    except (KeyError, OSError) as unknown:
        raise ValueError(text) from unknown


def _length(text: str) -> timedelta:
    """A phase length: between a minute and a year."""
    span = read_span(text)
    if not timedelta(minutes=1) <= span <= timedelta(days=366):
        raise ValueError(text)
    return span


def _timing(change: Callable[[Timing, str], Timing]) -> Callable[[Settings, str], Settings]:
    """A change of the timing as a change of the settings."""
    return lambda settings, text: replace(settings, timing=change(settings.timing, text))


def _spans(text: str) -> tuple[timedelta, ...]:
    """Several spans, or none."""
    return () if text.lower() == "none" else tuple(read_span(part) for part in text.split(","))


_Change = Callable[[Settings, str], Settings]

SETTINGS: dict[str, tuple[tuple[str, ...], _Change]] = {
    "title": ((), lambda s, t: replace(s, title=t[:120])),
    "zone": (("Europe/Prague",), lambda s, t: replace(s, zone=_read_zone(t))),
    "language": (("en", "cs", "hu", "ru"), lambda s, t: replace(s, language=t.lower())),
    "movement": (("72h",), _timing(lambda timing, t: replace(timing, movement=_length(t)))),
    "retreat": (("24h",), _timing(lambda timing, t: replace(timing, retreat=_length(t)))),
    "adjustment": (("24h",), _timing(lambda timing, t: replace(timing, adjustment=_length(t)))),
    "grace": (("0h", "24h"), _timing(lambda timing, t: replace(timing, grace=read_span(t)))),
    "delay": (("0h", "30m"), _timing(lambda timing, t: replace(timing, delay=read_span(t)))),
    "clock": (("18:00", "any"), _timing(lambda timing, t: replace(timing, at=None if t.lower() == "any" else read_time(t)))),
    "days": (("all", "mon-fri", "tue,fri"), _timing(lambda timing, t: replace(timing, days=_read_days(t)))),
    "reminders": (("24h,6h", "none"), _timing(lambda timing, t: replace(timing, reminders=_spans(t)))),
    "press": (tuple(PressRule), lambda s, t: replace(s, press=PressRule(t.lower()))),
    "nmr": (tuple(Nmr), lambda s, t: replace(s, nmr=Nmr(t.lower()))),
    "assignment": (tuple(Assignment), lambda s, t: replace(s, assignment=Assignment(t.lower()))),
    "early": (("yes", "no"), lambda s, t: replace(s, early=_YES[t.lower()])),
    "gunboat": (("yes", "no"), lambda s, t: replace(s, gunboat=_YES[t.lower()])),
    "listed": (("yes", "no"), lambda s, t: replace(s, listed=_YES[t.lower()])),
}
"""Setting by name: examples or choices for help and faults, and the change."""

BEFORE_START = frozenset({"gunboat", "assignment"})
"""Settings that cannot change once somebody has moved."""


def change_setting(settings: Settings, key: str, value: str) -> Settings:
    """The settings with one of them changed, as written by a person.  Raises `BadSetting`."""
    known = SETTINGS.get(key.lower())
    if known is None:
        raise BadSetting(key, value, tuple(SETTINGS))
    choices, change = known
    try:
        return change(settings, value.strip())
    except (ValueError, KeyError, OverflowError) as bad:
        raise BadSetting(key, value, choices) from bad
