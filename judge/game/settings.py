"""A game's settings by name: how they are written, read and changed."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import time, timedelta
from zoneinfo import ZoneInfo

from judge.game.faults import BadSetting, UnknownSetting
from judge.game.model import Assignment, DrawRule, Nmr, PressRule, Settings, Sight, StepTiming, Timing
from judge.rules import Step

_SPAN = re.compile(r"(\d{1,4})\s*(min|m|h|d|w)", re.IGNORECASE)
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


_WEEK_LETTERS = re.compile(r"[-a-zA-Z]{7}")


def read_days(text: str) -> tuple[frozenset[int], frozenset[int]]:
    """Allowed weekdays, and those among them allowed only from noon on.

    ``mon-fri``, ``tue,fri`` (``fri/2``: from noon on), ``all``, or seven signs from Sunday to Saturday as the old judges write them:
    a capital letter is allowed, a small one from noon on, a dash is not.  Raises ValueError.

    >>> read_days("-mTWTF-") == (frozenset({0, 1, 2, 3, 4}), frozenset({0}))
    True
    """
    if text.lower() == "all":
        return frozenset(range(7)), frozenset()
    if _WEEK_LETTERS.fullmatch(text) and text.lower() not in _DAYS and _is_week(text):
        allowed = {(i + 6) % 7: sign for i, sign in enumerate(text) if sign != "-"}
        if not allowed:
            raise ValueError(text)
        return frozenset(allowed), frozenset(day for day, sign in allowed.items() if sign.islower())
    days: set[int] = set()
    half: set[int] = set()
    for part in text.lower().split(","):
        named, _, from_noon = part.strip().partition("/")
        if from_noon not in ("", "2"):
            raise ValueError(text)
        first, _, last = named.partition("-")
        a = _DAYS.index(first.strip()[:3])
        b = _DAYS.index(last.strip()[:3]) if last else a
        run = {(a + i) % 7 for i in range((b - a) % 7 + 1)}
        days |= run
        half |= run if from_noon else set()
    return frozenset(days), frozenset(half)


def _is_week(text: str) -> bool:
    """Whether seven signs are those of the week, Sunday first."""
    return all(sign == "-" or sign.lower() == day for sign, day in zip(text, "smtwtfs", strict=True))


def _read_zone(text: str) -> str:
    """A time zone by its IANA name."""
    try:
        return ZoneInfo(text).key
    except (KeyError, OSError) as unknown:
        raise ValueError(text) from unknown


def _length(text: str) -> timedelta:
    """A phase length: between a minute and a year."""
    span = _span(text)
    if not timedelta(minutes=1) <= span <= timedelta(days=366):
        raise ValueError(text)
    return span


def _span(text: str) -> timedelta:
    """A span; a bare number counts hours, as the old judges have it."""
    return timedelta(hours=float(text)) if re.fullmatch(r"\d{1,4}(\.\d{1,2})?", text) else read_span(text)


def _timing(change: Callable[[Timing, str], Timing]) -> Callable[[Settings, str], Settings]:
    """A change of the timing as a change of the settings."""
    return lambda settings, text: replace(settings, timing=change(settings.timing, text))


def _spans(text: str) -> tuple[timedelta, ...]:
    """Several spans, or none."""
    return () if text.lower() == "none" else tuple(_span(part.strip()) for part in text.split(","))


def _clock(text: str) -> time | None:
    """A time of day, minutes after midnight as the old judges have it, or None for any time."""
    if text.lower() in ("any", "-1"):
        return None
    if re.fullmatch(r"\d{3,4}", text):
        return time(int(text) // 60, int(text) % 60)
    return read_time(text)


def _yes(text: str) -> bool:
    """A yes or a no."""
    return _YES[text.lower()]


def _number(text: str, most: int) -> int:
    """A whole number from 0 to `most`."""
    number = int(text.rstrip("%"))
    if not 0 <= number <= most:
        raise ValueError(text)
    return number


def _steps_days(text: str) -> dict[str, object]:
    days, half = read_days(text)
    return {"days": days, "half_days": half}


_STEP_FIELDS: dict[str, Callable[[str], dict[str, object]]] = {
    "clock": lambda t: {"at": _clock(t), "any_time": _clock(t) is None},
    "days": _steps_days,
    "grace": lambda t: {"grace": _span(t)},
    "delay": lambda t: {"delay": _span(t)},
    "minimum": lambda t: {"minimum": _span(t)},
}
"""What can be otherwise in one kind of phase."""

_STEP_WORDS = {"next": "length", "min": "minimum"}


def _with_length(timing: Timing, step: Step, text: str) -> Timing:
    """The timing with another length of one kind of phase."""
    length = _length(text)
    match step:
        case Step.MOVEMENT:
            return replace(timing, movement=length)
        case Step.RETREAT:
            return replace(timing, retreat=length)
        case Step.ADJUSTMENT:
            return replace(timing, adjustment=length)


def _step(step: Step) -> Callable[[Settings, str], Settings]:
    """The clock of one kind of phase: a length, or pairs such as ``CLOCK 20:00 NEXT 24 DAYS -MTWTF-``."""

    def change(settings: Settings, text: str) -> Settings:
        parts = text.replace("=", " ").split()
        if len(parts) == 1:
            return replace(settings, timing=_with_length(settings.timing, step, parts[0]))
        if len(parts) % 2:
            raise ValueError(text)
        timing = settings.timing
        own = timing.steps.get(step, StepTiming())
        for key, value in zip(parts[::2], parts[1::2], strict=True):
            name = _STEP_WORDS.get(key.lower(), key.lower())
            if name == "length":
                timing = _with_length(timing, step, value)
            else:
                own = replace(own, **_STEP_FIELDS[name](value))  # type: ignore[arg-type]  # the table gives fields of their own types
        return replace(settings, timing=replace(timing, steps={**timing.steps, step: own} if own != StepTiming() else timing.steps))

    return change


def _days(timing: Timing, text: str) -> Timing:
    days, half = read_days(text)
    return replace(timing, days=days, half_days=half)


def _press(settings: Settings, text: str) -> Settings:
    """The press rule; the old judges' ``white/grey`` is mixed, ``partial`` white, ``no press`` none."""
    folded = text.lower().replace(" ", "")
    old = {"white/grey": "mixed", "grey/white": "mixed", "partial": "white", "broadcast": "public", "nopress": "none", "no": "none"}
    return replace(settings, press=PressRule(old.get(folded, folded)))


_Change = Callable[[Settings, str], Settings]
_YESNO = ("yes", "no")

SETTINGS: dict[str, tuple[tuple[str, ...], _Change]] = {
    "title": ((), lambda s, t: replace(s, title=t[:120])),
    "zone": (("Europe/Prague",), lambda s, t: replace(s, zone=_read_zone(t))),
    "language": (("en",), lambda s, t: replace(s, language=_language(t))),
    # ---- the clock
    "movement": (("72h", "clock 20:00 days mon-fri"), _step(Step.MOVEMENT)),
    "retreat": (("24h", "clock 20:00 days mon-fri"), _step(Step.RETREAT)),
    "adjustment": (("24h", "clock 20:00 days mon-fri"), _step(Step.ADJUSTMENT)),
    "grace": (("0h", "24h"), _timing(lambda timing, t: replace(timing, grace=_span(t)))),
    "delay": (("0h", "30m"), _timing(lambda timing, t: replace(timing, delay=_span(t)))),
    "minimum": (("0h", "12h"), _timing(lambda timing, t: replace(timing, minimum=_span(t)))),
    "clock": (("18:00", "any"), _timing(lambda timing, t: replace(timing, at=_clock(t)))),
    "days": (("all", "mon-fri", "tue,fri/2", "-mTWTF-"), _timing(_days)),
    "reminders": (("24h,6h", "none"), _timing(lambda timing, t: replace(timing, reminders=_spans(t)))),
    "first": (("0h", "72h"), _timing(lambda timing, t: replace(timing, first=_span(t)))),
    "newcomer": (("24h", "0h"), _timing(lambda timing, t: replace(timing, newcomer=_span(t)))),
    "early": (_YESNO, lambda s, t: replace(s, early=_yes(t))),
    "processing": (("auto", "manual"), lambda s, t: replace(s, manual={"auto": False, "manual": True}[t.lower()])),
    "start": (("auto", "manual"), lambda s, t: replace(s, manual_start={"auto": False, "manual": True}[t.lower()])),
    "lateronly": (_YESNO, lambda s, t: replace(s, later_only=_yes(t))),
    "absence": (("15", "0"), lambda s, t: replace(s, absence_days=_number(t, 60))),
    # ---- missing orders
    "nmr": (tuple(Nmr), lambda s, t: replace(s, nmr=Nmr(t.lower()))),
    "misses": (("2", "0"), lambda s, t: replace(s, misses=_number(t, 20))),
    "lock": (_YESNO, lambda s, t: replace(s, lock=_yes(t))),
    "firstturn": (("hold", "extend"), lambda s, t: replace(s, first_turn={"hold": False, "extend": True}[t.lower()])),
    "showlate": (_YESNO, lambda s, t: replace(s, show_late=_yes(t))),
    # ---- who gets in
    "assignment": (tuple(Assignment), lambda s, t: replace(s, assignment=Assignment(t.lower()))),
    "gunboat": (_YESNO, lambda s, t: replace(s, gunboat=_yes(t))),
    "listed": (_YESNO, lambda s, t: replace(s, listed=_yes(t))),
    "invitation": (("hawthorn", "none"), lambda s, t: replace(s, invitation="" if t.lower() == "none" else t[:40])),
    "approval": (_YESNO, lambda s, t: replace(s, approval=_yes(t))),
    "reliability": (("0", "85"), lambda s, t: replace(s, reliability=_number(t, 100))),
    "rollcall": (_YESNO, lambda s, t: replace(s, rollcall=_yes(t))),
    # ---- press
    "press": (tuple(PressRule), _press),
    "fake": (_YESNO, lambda s, t: replace(s, fake=_yes(t))),
    "postal": (_YESNO, lambda s, t: replace(s, postal=_yes(t))),
    "latepress": (_YESNO, lambda s, t: replace(s, late_press=_yes(t))),
    "mustorder": (_YESNO, lambda s, t: replace(s, must_order=_yes(t))),
    "observerpress": (_YESNO, lambda s, t: replace(s, observer_press=_yes(t))),
    # ---- ends
    "draws": (tuple(DrawRule), lambda s, t: replace(s, draws=DrawRule(t.lower()))),
    "concessions": (_YESNO, lambda s, t: replace(s, concessions=_yes(t))),
    "votes": (("secret", "open"), lambda s, t: replace(s, secret_votes={"secret": True, "open": False}[t.lower()])),
    "lastingvotes": (_YESNO, lambda s, t: replace(s, lasting_votes=_yes(t))),
    "reveal": (_YESNO, lambda s, t: replace(s, reveal=_yes(t))),
    # ---- masters
    "sight": (tuple(Sight), lambda s, t: replace(s, sight=Sight(t.lower()))),
}
"""Setting by name: examples or choices for help and faults, and the change."""

OWN_SETTINGS = ("language", "zone", "notation", "pictures", "name", "digest")
"""What everybody can set for oneself, in the order in which languages other than English name it."""

BEFORE_START = frozenset({"gunboat", "assignment", "rollcall"})
"""Settings that cannot change once somebody has moved."""

OLD_NAMES: dict[str, tuple[str, str]] = {
    "move": ("movement", ""),
    "moves": ("movement", ""),
    "moveclock": ("movement", "clock {}"),
    "retreats": ("retreat", ""),
    "adjust": ("adjustment", ""),
    "adjustments": ("adjustment", ""),
    "builds": ("adjustment", ""),
    "timezone": ("zone", ""),
    "min": ("minimum", ""),
    "warn": ("reminders", ""),
    "manualprocess": ("processing", "manual"),
    "autoprocess": ("processing", "auto"),
    "preview": ("processing", "manual"),
    "manualstart": ("start", "manual"),
    "autostart": ("start", "auto"),
    "must_order": ("mustorder", "yes"),
    "mute_observers": ("observerpress", "no"),
    "smart_cd": ("nmr", "civil"),
    "civildisorder": ("nmr", "civil"),
    "no_late_receive": ("latepress", "no"),
    "late_send": ("latepress", "yes"),
    "maxabsences": ("absence", ""),
    "no_absences": ("absence", "0"),
    "always_wait": ("early", "no"),
    "private_game": ("listed", "no"),
    "prflist": ("assignment", "preference"),
    "prfboth": ("assignment", "preference"),
    "prfrand": ("assignment", "lot"),
    "start_master": ("start", "manual"),
    "next": ("movement", "next {}"),
    "at": ("clock", ""),
    "partial": ("press", "white"),
    "partialpress": ("press", "white"),
    "nopartial": ("press", "public"),
    "no_partial": ("press", "public"),
    "nopartialpress": ("press", "public"),
    "white/grey": ("press", "mixed"),
    "grey/white": ("press", "mixed"),
    "minorpress": ("press", "white"),
    "nominorpress": ("press", "rulebook"),
    "touchpress": ("press", "neighbours"),
    "maybefaked": ("fake", "yes"),
    "postalpress": ("postal", "yes"),
    "nopostalpress": ("postal", "no"),
    "observerany": ("observerpress", "yes"),
    "observerwhite": ("observerpress", "yes"),
    "observerpartial": ("observerpress", "yes"),
    "observernone": ("observerpress", "no"),
    "press_master": ("sight", "press"),
    "latecount": ("showlate", "yes"),
    "no_deadline": ("processing", "manual"),
    "real_time": ("delay", "0h"),
    "propose_dias": ("votes", "open"),
    "hide_proposer": ("votes", "secret"),
    "no_eog": ("reveal", "no"),
    "cd": ("nmr", "civil"),
    "nocd": ("nmr", "wait"),
    "nonmr": ("nmr", "wait"),
    "civil_disorder": ("nmr", "civil"),
    "civil_preview": ("nmr", "master"),
    "dias": ("draws", "all"),
    "nodias": ("draws", "listed"),
    "no_dias": ("draws", "listed"),
    "nodraw": ("draws", "none"),
    "no_draw": ("draws", "none"),
    "noreveal": ("reveal", "no"),
    "no_reveal": ("reveal", "no"),
    "nolist": ("listed", "no"),
    "list": ("listed", "yes"),
    "unlisted": ("listed", "no"),
    "public": ("listed", "yes"),
    "private": ("listed", "no"),
    "white": ("press", "white"),
    "grey": ("press", "grey"),
    "gray": ("press", "grey"),
    "nopress": ("press", "none"),
    "no_press": ("press", "none"),
    "public_press": ("press", "public"),
    "ftf_press": ("press", "rulebook"),
    "touch": ("press", "neighbours"),
    "touch_press": ("press", "neighbours"),
    "white_grey": ("press", "mixed"),
    "gracepress": ("latepress", "yes"),
    "nofake": ("fake", "no"),
    "nogunboat": ("gunboat", "no"),
    "maxabsence": ("absence", ""),
    "power_choice": ("assignment", "choice"),
    "preference": ("assignment", "preference"),
    "nowhite": ("press", "grey"),
    "concession": ("concessions", "yes"),
    "noconcessions": ("concessions", "no"),
    "no_late_changes": ("lock", "yes"),
    "late_changes": ("lock", "no"),
    "comment": ("title", ""),
    "dedication": ("reliability", ""),
    "ontimerat": ("reliability", ""),
    "password": ("invitation", ""),
    "quiet": ("showlate", "no"),
    "noquiet": ("showlate", "yes"),
    "hide_late_powers": ("showlate", "no"),
}
"""Words of the older judges, and what they mean here; with a value of their own where they need none."""

FLAGS = frozenset(key for key, (choices, _) in SETTINGS.items() if choices == _YESNO)

SPANS = frozenset({"movement", "retreat", "adjustment", "grace", "delay", "minimum", "reminders", "first", "newcomer"})
"""Settings that are spans of time."""


def _language(text: str) -> str:
    """The code of a language; which of them a site has is known outside the core."""
    code = text.strip().lower()
    if not re.fullmatch(r"[a-z]{2,3}", code):
        raise ValueError(text)
    return code


def usual_setting(key: str, value: str) -> tuple[str, str]:
    """A setting as people and other judges write it, in our own words.

    >>> usual_setting("NoDIAS", ""), usual_setting("gunboat", ""), usual_setting("move", "48h")
    (('draws', 'listed'), ('gunboat', 'yes'), ('movement', '48h'))
    """
    folded = key.lower().strip(":=")
    if folded == "nmr" and value.lower() in ("", "yes", "no"):
        return folded, "wait" if value.lower() == "no" else "civil"
    if folded in OLD_NAMES:
        name, own = OLD_NAMES[folded]
        return name, own.format(value) if "{}" in own and value else value or own
    if not value and folded in FLAGS:
        return folded, "yes"
    if not value and folded.startswith("no") and folded[2:].strip("_") in FLAGS:
        return folded[2:].strip("_"), "no"
    return folded, value


def change_setting(settings: Settings, key: str, value: str) -> Settings:
    """The settings with one of them changed, as written by a person.  Raises `BadSetting`."""
    name, text = usual_setting(key, value.strip())
    known = SETTINGS.get(name)
    if known is None:
        raise UnknownSetting(key, value, tuple(SETTINGS))
    choices, change = known
    try:
        return change(settings, text)
    except (ValueError, KeyError, OverflowError) as bad:
        raise BadSetting(key, value, choices) from bad


def setting_takes(key: str, value: str) -> bool:
    """Whether a setting can take this value."""
    try:
        change_setting(Settings(), key, value)
    except BadSetting:
        return False
    return True
