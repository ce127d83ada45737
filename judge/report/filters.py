"""What templates may do to facts: local times, spans, lists, columns, folded lines, in the language and zone of one reader."""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from babel import Locale, UnknownLocaleError
from babel.dates import format_datetime, format_timedelta, get_timezone_location
from babel.lists import format_list
from markupsafe import Markup, escape

from judge.language import LOCALES, Phrases

WIDTH = 71
"""Longest line of a text letter: under 72 characters."""


@dataclass(frozen=True, slots=True)
class Voice:
    """How one reader is spoken to: the language's sentences, the time zone (an IANA name), and the time it is.

    `units` are the words for units, as they stand before a place: the two are never parted by the end of a line.
    """

    phrases: Phrases
    zone: str
    now: datetime
    units: tuple[str, ...] = ()


LONGEST_LINE = 100
"""Characters of a player's line that are quoted back."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")


def one_line(text: str, most: int = LONGEST_LINE) -> str:
    """A player's line fit to be quoted: no control signs, one space for several, cut if it is long.

    >>> one_line("A Par -\\tBur\\r\\n")
    'A Par - Bur'
    """
    clean = " ".join(_CONTROL.sub(" ", text).split())
    return clean if len(clean) <= most else clean[: most - 1].rstrip() + "…"


_voice: ContextVar[Voice] = ContextVar("voice")


@contextmanager
def speaking(voice: Voice) -> Iterator[None]:
    """Within the block every filter and every sentence of a template uses `voice`."""
    token = _voice.set(voice)
    try:
        yield
    finally:
        _voice.reset(token)


def current_voice() -> Voice:
    """The voice of the letter being written."""
    return _voice.get()


@lru_cache
def _locale(lang: str) -> Locale:
    return Locale.parse(LOCALES.get(lang, lang))


@lru_cache
def city(zone: str, lang: str) -> str:
    """The zone as people call it: its city.

    >>> city("Europe/Prague", "cs"), city("UTC", "cs"), city("America/New_York", "en")
    ('Praha', 'UTC', 'New York')
    """
    if zone in ("UTC", "Etc/UTC", "GMT", "Etc/GMT"):
        return "UTC"
    return get_timezone_location(ZoneInfo(zone), locale=_locale(lang), return_city=True)


def _formatted(moment: datetime, pattern: str, zone: str) -> str:
    phrases = _voice.get().phrases
    return _moment(moment, phrases.say(pattern), zone, phrases.lang)


@lru_cache(maxsize=1024)
def _moment(moment: datetime, pattern: str, zone: str, lang: str) -> str:
    return format_datetime(moment, pattern, tzinfo=ZoneInfo(zone), locale=_locale(lang))


def clock_time(moment: datetime) -> str:
    """Day and hour in the reader's zone, without naming it: "Thu 12 Mar 18:00"."""
    return _formatted(moment, "time.full", _voice.get().zone)


def local_time(moment: datetime) -> str:
    """Day, hour and zone: "Thu 12 Mar 18:00 (Prague)"."""
    voice = _voice.get()
    return f"{clock_time(moment)} ({city(voice.zone, voice.phrases.lang)})"


def local_day(moment: datetime) -> str:
    """Day with its year in the reader's zone: "12 March 2026"."""
    return _formatted(moment, "time.day", _voice.get().zone)


def day_or_time(moment: datetime) -> str:
    """The day alone where it is the beginning or the last minute of one in the reader's zone ("Thu 12 Mar"), else `local_time`."""
    voice = _voice.get()
    local = moment.astimezone(ZoneInfo(voice.zone))
    whole = (local.hour, local.minute) in ((0, 0), (23, 59))
    return _formatted(moment, "time.date", voice.zone) if whole else local_time(moment)


@lru_cache
def language_name(code: str, lang: str) -> str:
    """A language's name in another; "" for a code that no language has.

    >>> language_name("cs", "hu"), language_name("-", "en")
    ('cseh', '')
    """
    try:
        return Locale.parse(code).get_language_name(_locale(lang)) or ""
    except (UnknownLocaleError, ValueError):
        return ""


def hour(moment: datetime) -> str:
    """The hour in the reader's zone: "18:00"."""
    return _formatted(moment, "time.hour", _voice.get().zone)


def utc_time(moment: datetime) -> str:
    """Hour in UTC, with the day where it is another one than the reader's: "17:00 UTC"; "" for a reader whose zone is UTC."""
    voice = _voice.get()
    if city(voice.zone, voice.phrases.lang) == "UTC":
        return ""
    zone = ZoneInfo(voice.zone)
    same = moment.astimezone(zone).date() == moment.astimezone(UTC).date()
    return f"{_formatted(moment, 'time.hour' if same else 'time.full', 'UTC')} UTC"


@lru_cache(maxsize=1024)
def machine_time(moment: datetime) -> str:
    """UTC as mappers read it, the same in every language.

    >>> machine_time(datetime(2026, 3, 12, 17, tzinfo=UTC))
    'Thu Mar 12 2026 17:00:00 +0000'
    """
    at = moment.astimezone(UTC)
    day = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")[at.weekday()]
    month = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")[at.month - 1]
    return f"{day} {month} {at.day:02d} {at.year} {at:%H:%M:%S} +0000"


def _units_of(span: timedelta) -> timedelta:
    """The span rounded to what a person would say: minutes below two hours, hours below two days, else days."""
    seconds = abs(span.total_seconds())
    unit = 60 if seconds < 2 * 3600 else 3600 if seconds < 48 * 3600 else 86400
    return timedelta(seconds=max(1, int(seconds / unit + (0.5 if unit == 60 else 0.02))) * unit)


def span(length: timedelta) -> str:
    """A length of time: "2 days", "90 minutes"."""
    return _timedelta(_units_of(length), False, _voice.get().phrases.lang)


def until(moment: datetime) -> str:
    """How far off: "in 2 days", "in 6 hours", "3 hours ago"."""
    voice = _voice.get()
    gap = moment - voice.now
    rounded = _units_of(gap)
    return _timedelta(rounded if gap >= timedelta(0) else -rounded, True, voice.phrases.lang)


@lru_cache(maxsize=1024)
def _timedelta(span: timedelta, direction: bool, lang: str) -> str:
    seconds = abs(span.total_seconds())
    unit = "minute" if seconds < 2 * 3600 and seconds % 3600 else "hour" if seconds < 48 * 3600 else "day"
    return format_timedelta(span, granularity=unit, threshold=10**6, add_direction=direction, locale=_locale(lang))  # type: ignore[arg-type]


def listed(items: Iterable[object], style: str = "standard") -> str:
    """Items as a list in words; `style` "or" for choices: "Bur, Kie or Ruh"."""
    return _listed(tuple(str(item) for item in items), style, _voice.get().phrases.lang)


@lru_cache(maxsize=4096)
def _listed(items: tuple[str, ...], style: str, lang: str) -> str:
    return format_list(items, style=style, locale=_locale(lang)) if items else ""  # type: ignore[arg-type]


def upfirst(text: str) -> str:
    """The text with a capital at its beginning.

    >>> upfirst("podzim 1903")
    'Podzim 1903'
    """
    return text[:1].upper() + text[1:]


def signed(number: int) -> str:
    """A change of a count.

    >>> signed(2), signed(-1), signed(0)
    ('+2', '-1', '0')
    """
    return f"{number:+d}" if number else "0"


def pad(text: object, width: int) -> str:
    """The text filled with spaces to `width`, and at least two behind it, so that a second column begins there.

    >>> pad("A Bel - Hol", 15) + "moved"
    'A Bel - Hol    moved'
    """
    cell = str(text)
    return cell.ljust(width) if len(cell) <= width - 2 else cell + "  "


def widest(cells: Iterable[object], at_most: int = 30) -> int:
    """Width of a column that fits these cells, two spaces behind included.

    >>> widest(["A Bel - Hol", "A Mun H"])
    13
    """
    lengths = list(map(len, map(str, cells)))
    fitting = [length for length in lengths if length <= at_most]
    return max(fitting, default=min(lengths, default=0)) + 2


def columns(cells: Sequence[object], width: int = WIDTH - 2) -> list[str]:
    """Cells laid out in as many columns as fit, read row by row.

    >>> columns(["A Bur", "A Mun", "F Bre"], 16)
    ['A Bur   A Mun', 'F Bre']
    """
    texts = [str(cell) for cell in cells]
    if not texts:
        return []
    each = max(len(text) for text in texts) + 3
    across = max(1, width // each)
    rows = (texts[start : start + across] for start in range(0, len(texts), across))
    return ["".join(text.ljust(each) for text in row).rstrip() for row in rows]


_TORN = re.compile(r"(?:^|\s|\()[AFPL-] | [-–—SCHRDB](?: |$)|\d | \d")
"""A place within an order: behind a unit letter or a sign, or before one."""

_BOUND = re.compile(r"(?:^|[\s(])(?:[AFPL]|[-–—]|\d+\.?) $")
"""What stands before a place, or a number, and is not parted from what follows."""

_BINDING = re.compile(r"(?:\d+\W*|[-–—])(?: |$)")
"""A number or a dash, which is not parted from what stands before it."""

_CELL = re.compile(r"\S {2,}(?=\S)")


def hanging(line: str) -> int:
    """Where a folded line goes on: under the last cell that begins in the left half, else under its first word.

    >>> hanging("  A Bur S A Mun          no effect: A Mun was ordered to move")
    25
    """
    if line.startswith("::"):
        return 0
    cells = [match.end() for match in _CELL.finditer(line) if match.end() <= 44]
    return cells[-1] if cells else len(line) - len(line.lstrip())


def fold_line(line: str, width: int = WIDTH, units: tuple[str, ...] = ()) -> list[str]:
    """One line as several that fit, going on at `hanging`; a word longer than the line stays whole (links).

    >>> fold_line("  A Bur  held by two and supported by many others of the board", 30)
    ['  A Bur  held by two and', '         supported by many', '         others of the board']
    >>> fold_line("  Seat Rum  held by the strong F Bla and by army Serbia", 34, ("army",))
    ['  Seat Rum  held by the strong', '            F Bla and by', '            army Serbia']
    """
    indent = " " * hanging(line)
    done: list[str] = []
    while len(line) > width:
        cut = _cut(line, len(indent), width, units)
        if cut < 0:
            break
        done.append(line[:cut].rstrip())
        line = indent + line[cut:].lstrip()
    return [*done, line]


def _cut(line: str, start: int, width: int, units: tuple[str, ...]) -> int:
    """Where to fold: the last space that fits and does not tear an order apart, else no unit, else the last that fits.

    Where none fits, the first behind.
    """
    fitting = [at for at in range(min(width, len(line) - 1), start, -1) if line[at] == " " and line[start:at].strip()]
    half = start + (width - start) // 2
    for at in fitting[:12]:
        if at > half and not _binds(line, at, units) and not _TORN.search(line[max(0, at - 3) : at + 3]):
            return at
    unparted = (at for at in fitting if not _binds(line, at, units))
    return next(unparted, fitting[0] if fitting else line.find(" ", max(width, start + 1)))


def _binds(line: str, at: int, units: tuple[str, ...]) -> bool:
    """Whether the space at `at` stands between a unit and its place, beside a dash or a number, or within a command in capitals."""
    before = line[: at + 1]
    beside = (before.split()[-1], line[at + 1 :].split(maxsplit=1)[0])
    if all(word.isupper() and len(word) > 2 for word in beside):
        return True
    if _BOUND.search(before) or (_BINDING.match(line, at + 1) and before[-2] not in ",;"):
        return True
    return bool(units) and re.split(r"[\s(]", before[:-1])[-1].casefold() in units


_SUSPECT = (">", "From ", "--")
_UNSAFE = re.compile(r">|From |-- ?$")


def finish(text: str) -> str:
    """A text letter made safe for the way: lines folded, no line that a mail program takes for a quote or a new mail.

    At most one blank line in a row.

    >>> finish("From here on  \\n\\n\\n\\n> quoted\\n")
    ' From here on\\n\\n > quoted\\n'
    """
    voice = _voice.get(None)
    units = voice.units if voice else ()
    lines: list[str] = []
    for line in text.replace("\t", "    ").replace("\xa0", " ").splitlines():
        bare = line.rstrip()
        if not bare and (not lines or not lines[-1]):
            continue
        for part in fold_line(bare, units=units) if len(bare) > WIDTH else (bare,):
            lines.append(f" {part}" if part.startswith(_SUSPECT) and _UNSAFE.match(part) else part)
    return "\n".join(lines).rstrip() + "\n"


_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069]")


def plain(text: str) -> str:
    """A player's text without control signs and signs that turn the direction of writing, which could pass words off as others'.

    >>> plain("Hi\\x07 there\\u202e!")
    'Hi there!'
    """
    return _UNSEEN.sub("", text)


def quoted(text: str, indent: int = 3) -> str:
    """A player's own words, set in, each line as written."""
    return "\n".join(" " * indent + line.rstrip() if line.strip() else "" for line in plain(text).strip("\n").splitlines())


def as_html(text: str) -> Markup:
    """A finished text letter as simple HTML: paragraphs; lines set in stay lines of their own, tables in a fixed-width face.

    >>> print(as_html("Hello\\nyou.\\n\\n  A Par - Bur\\n"))
    <p style="margin:8px 0">Hello you.</p>
    <p style="margin:4px 0 4px 16px">A Par - Bur</p>
    """
    blocks: list[Markup] = []
    for block in re.split(r"\n\s*\n", text.strip("\n")):
        lines = block.split("\n")
        for is_set_in, group in _runs(lines):
            if is_set_in and any(_CELL.search(line.strip()) for line in group):
                depth = min(len(line) - len(line.lstrip()) for line in group)
                table = "\n".join(line[depth:] for line in group)
                blocks.append(Markup('<pre style="margin:4px 0;font-size:14px;white-space:pre-wrap">{}</pre>').format(table))
            elif is_set_in:
                lines_apart = Markup("<br>\n").join(line.strip() for line in group)
                blocks.append(Markup('<p style="margin:4px 0 4px 16px">{}</p>').format(lines_apart))
            elif len(group) == 1 and group[0].isupper():
                blocks.append(Markup('<h2 style="margin:20px 0 6px;font-size:17px;line-height:1.3">{}</h2>').format(group[0].capitalize()))
            else:
                blocks.append(Markup('<p style="margin:8px 0">{}</p>').format(" ".join(group)))
    return Markup("\n").join(blocks)


def _runs(lines: Sequence[str]) -> list[tuple[bool, list[str]]]:
    runs: list[tuple[bool, list[str]]] = []
    for line in lines:
        is_set_in = line.startswith("  ")
        if runs and runs[-1][0] == is_set_in:
            runs[-1][1].append(line)
        else:
            runs.append((is_set_in, [line]))
    return runs


def breaks(text: str) -> Markup:
    """Text for HTML with its line ends kept."""
    return Markup("<br>\n").join(escape(line) for line in plain(text).strip("\n").splitlines())


FILTERS = {
    "local_time": local_time,
    "clock_time": clock_time,
    "local_day": local_day,
    "hour": hour,
    "utc_time": utc_time,
    "machine_time": machine_time,
    "span": span,
    "until": until,
    "listed": listed,
    "upfirst": upfirst,
    "signed": signed,
    "pad": pad,
    "widest": widest,
    "columns": columns,
    "quoted": quoted,
    "as_html": as_html,
    "breaks": breaks,
}
"""What templates may write behind a bar, by name; docs/templates.md lists them."""
