"""Moments as people write them: spans, weekdays, dates in several forms, times of day, zones."""

import re
from datetime import datetime, time, timedelta

from judge.game import BadMoment, When, read_span
from judge.language.commandwords import CommandWords
from judge.language.folding import fold

_ISO = re.compile(r"(?<!\d)(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)")
_DOTTED = re.compile(r"(?<!\d)(\d{1,2})\.\s?(\d{1,2})\.(?:\s?(\d{4}))?(?!\d)")
_CLOCK = re.compile(r"(?<![\d:.-])(\d{1,2})[:.](\d{2})(?![\d:]|-\d|\.\d)")
_NUMBER = re.compile(r"(?<![\d:.])(\d{1,2}|\d{4})(?:st|nd|rd|th|\.|-?(?:án|én|jén|ig|е|го))?(?![\d:])")
_ZONE = re.compile(r"[A-Za-z]+/[A-Za-z_]+(?:/[A-Za-z_]+)?|\bUTC\b|\bGMT\b")
_WORD = re.compile(r"[^\W\d_]{2,}")
_HALF_DAY = re.compile(r"(?<![\d:.-])(\d{1,2})(?:[:.](\d{2}))?\s?(a|p)\.?m\b\.?", re.IGNORECASE)
_HOUR_AND_WORD = re.compile(r"(?<![\d:.-])(\d{1,2})\s?([^\W\d_]+(?:['’][^\W\d_]+)?)")
NOON = 12
_HOURS = re.compile(r"^\d+(\.\d+)?$")

NO_YEAR = 1
"""The year of a day that was written without one; the next such day is meant."""


def read_when(text: str, words: CommandWords) -> When:
    """A moment as people write it: ``+48h``, ``Tue 20:00``, ``2026-12-24 18:00 Europe/Prague``, ``24. 12.``, ``24 Dec``.

    Raises `BadMoment`.

    >>> read_when("+48h", CommandWords({}, {}, {}, 1, {})).span
    datetime.timedelta(days=2)
    >>> read_when("24. 12. 2026 18:00", CommandWords({}, {}, {}, 1, {})).day.isoformat()
    '2026-12-24T00:00:00'
    """
    text = text.strip().rstrip(".!;,") if not re.search(r"\d\.$", text.strip()) else text.strip()
    if text.startswith("+"):
        return When(span=_span(words.plain_spans(text[1:].strip())))
    text = _HALF_DAY.sub(_of_half_day, text)
    text = _HOUR_AND_WORD.sub(lambda found: f"{found[1]}:00" if words.means(found[2], "hour") else found[0], text)
    zone = _ZONE.search(text)
    rest = text[: zone.start()] + text[zone.end() :] if zone else text
    try:
        day, rest = _day(rest, words)
        clock = _CLOCK.search(rest)
        at = time(int(clock[1]), int(clock[2])) if clock else None
    except ValueError as bad:
        raise BadMoment(text) from bad
    weekday = _weekday(rest, words) if day is None else None
    if (at is None and day is None and weekday is None) or _is_unread(_CLOCK.sub(" ", rest, 1), words):
        raise BadMoment(text)
    return When(day=day, weekday=weekday, at=at, zone={"GMT": "UTC"}.get(zone[0], zone[0]) if zone else "")


def _of_half_day(found: re.Match[str]) -> str:
    """``8pm`` as 20:00.

    >>> _HALF_DAY.sub(_of_half_day, "8pm, 12 am, 6:30 p.m.")
    '20:00, 0:00, 18:30'
    """
    if int(found[1]) > NOON:
        return "24:00"  # an hour that no day has
    return f"{int(found[1]) % NOON + (NOON if found[3].lower() == 'p' else 0)}:{found[2] or '00'}"


def _is_unread(rest: str, words: CommandWords) -> bool:
    """Whether something is left that may mean another moment: a number, "tomorrow", "noon", a zone that is not known.

    What only joins ("next", "at", "do") is no harm.
    """
    if re.search(r"\d", rest):
        return True
    known = (words.means(word, "moment") or words.means(word, "to") or words.means(word, "from") for word in _WORD.findall(rest))
    joined = [fold(word) in words.phases.small or _weekday_of(fold(word), words) is not None for word in _WORD.findall(rest)]
    return not all(each or other for each, other in zip(known, joined, strict=True))


def _span(text: str) -> timedelta:
    """A span; a bare number counts hours."""
    try:
        return timedelta(hours=float(text)) if _HOURS.match(text) else read_span(text)
    except (ValueError, OverflowError) as bad:
        raise BadMoment(text) from bad


def _day(text: str, words: CommandWords) -> tuple[datetime | None, str]:
    """The day a text names, and the text without it.  Raises ValueError for a day that does not exist."""
    if found := _ISO.search(text):
        return _date(int(found[1]), int(found[2]), int(found[3])), _without(text, found)
    if found := _DOTTED.search(text):
        return _date(int(found[3] or NO_YEAR), int(found[2]), int(found[1])), _without(text, found)
    for word in _WORD.finditer(text):
        month = _month(fold(word[0]), words)
        if month is None:
            continue
        rest = _CLOCK.sub(" ", text[: word.start()] + " " + text[word.end() :])
        numbers = [int(number[1]) for number in _NUMBER.finditer(rest)]
        days = [number for number in numbers if number <= 31]
        years = [number for number in numbers if number > 31]
        if len(days) > 1 or len(years) > 1:
            raise ValueError(text)
        if days:
            clock = _CLOCK.search(text)
            return _date(years[0] if years else NO_YEAR, month, days[0]), clock[0] if clock else ""
    return None, text


def _without(text: str, found: re.Match[str]) -> str:
    return text[: found.start()] + " " + text[found.end() :]


def _date(year: int, month: int, day: int) -> datetime:
    """A day; without a year 29 February is one, for it may be meant."""
    if year == NO_YEAR and (month, day) == (2, 29):
        return datetime(4, 2, 29)  # noqa: DTZ001 - a wall-clock day, resolved in the game's zone
    return datetime(year, month, day)  # noqa: DTZ001 - a wall-clock day, resolved in the game's zone


def _month(folded: str, words: CommandWords) -> int | None:
    """The month a word names by its first letters, in any language at hand."""
    return next((number for first, number in words.months.items() if len(folded) >= 3 and folded.startswith(first)), None)


def _weekday(text: str, words: CommandWords) -> int | None:
    """The weekday a text names by its first letters, in any language at hand; 0 is Monday.  Names of two letters must stand alone."""
    return next((number for word in _WORD.findall(text) if (number := _weekday_of(fold(word), words)) is not None), None)


def _weekday_of(folded: str, words: CommandWords) -> int | None:
    """The weekday a folded word names; None for any other word."""
    return next((number for day, number in words.weekdays.items() if folded == day or (len(day) > 2 and folded.startswith(day))), None)
