"""A command line of a mail, to a Command: what follows the command's word."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, time

from judge.board import Power
from judge.game import (
    BadMoment,
    ClearOrders,
    Command,
    CommandIncomplete,
    Confirm,
    CreateGame,
    EndGame,
    Help,
    ListGames,
    Observe,
    Pause,
    ProcessNow,
    Resign,
    Resume,
    RotateAddress,
    SendPress,
    SetDeadline,
    SetSetting,
    SetWait,
    SetWish,
    ShowStatus,
    SignOn,
    StartGame,
    UnknownAddressee,
    UnknownCommand,
    When,
    read_span,
)
from judge.language.commandwords import CommandWords
from judge.language.folding import fold
from judge.language.gazetteer import Gazetteer
from judge.language.requests import Line, PressText
from judge.rules import BadNotation, Phase, read_phase


@dataclass(frozen=True, slots=True)
class PowerIndex:
    """Every spelling of a power in every language at hand, folded; unique beginnings of three letters or more are understood too."""

    spellings: Mapping[str, Power]
    powers: tuple[Power, ...]

    def find(self, word: str) -> Power | None:
        """The power a word means, if it can mean only one."""
        folded = fold(word)
        exact = self.spellings.get(folded)
        if exact is not None or len(folded) < 3:
            return exact
        near = {power for spelling, power in self.spellings.items() if spelling.startswith(folded)}
        return near.pop() if len(near) == 1 else None


def index_powers(powers: Iterable[Power], gazetteers: Iterable[Gazetteer]) -> PowerIndex:
    """All spellings of a variant's powers: ids, names in every case, adjectives, and single initials that fit one power only."""
    powers = tuple(powers)
    spellings: dict[str, set[Power]] = {}

    def add(text: str, power: Power) -> None:
        spellings.setdefault(fold(text), set()).add(power)

    for power in powers:
        add(power, power)
        add(power[0], power)
    for gazetteer in gazetteers:
        for power, names in gazetteer.powers.items():
            for form in (form for name in names.names + names.adjectives for form in name.forms if form):
                add(form, power)
            for short in names.short:
                add(short, power)
    return PowerIndex({spelling: next(iter(found)) for spelling, found in spellings.items() if len(found) == 1}, powers)


@dataclass(frozen=True, slots=True)
class CommandReader:
    """What reading a command needs: the words of all languages, and the powers of the game (none outside a game)."""

    words: CommandWords
    powers: PowerIndex

    def read(self, line: Line) -> Command:
        """The command of a line that begins with a command's word.  Raises `PlayerError`."""
        reader = _READERS.get(line.command)
        if reader is None:
            raise UnknownCommand(line.text)
        return reader(self, line)

    def read_press(self, entry: PressText) -> SendPress:
        """The message of a press block.  Raises `UnknownAddressee`."""
        to = () if entry.command == "broadcast" else self.addressees(entry.rest)
        return SendPress(to, entry.text)

    def addressees(self, text: str) -> tuple[str, ...]:
        """Whom a list of names means; () is everybody.  "all but X" leaves some out, "master" is the game's master."""
        names = [part for part in re.split(r"[\s,;+&]+", text.strip(" :")) if part]
        if names and self.words.means(names[0], "to"):
            names = names[1:]
        if not names:
            return ()
        everybody = self.words.means(names[0], "all")
        if everybody:
            names = [n for n in names[1:] if not self.words.means(n, "but")]
        found = tuple(dict.fromkeys(key for name in names for key in self._addressee(name)))
        if not everybody:
            return found
        return tuple(power for power in self.powers.powers if power not in found) if found else ()

    def _addressee(self, name: str) -> tuple[str, ...]:
        """One name; several initials in capitals (``EFG``) are several powers."""
        power = self.powers.find(name)
        if power is not None:
            return (power,)
        if self.words.means(name, "master"):
            return ("MASTER",)
        initials = [self.powers.find(letter) for letter in name]
        if name.isupper() and len(name) > 1 and all(initials):
            return tuple(power for power in initials if power)
        raise UnknownAddressee(name, self.powers.powers)

    def phase(self, text: str) -> Phase | None:
        """A phase tag, or None for an empty text.  Raises `BadMoment`."""
        if not text.strip():
            return None
        try:
            return read_phase(text.strip().upper())
        except BadNotation as bad:
            raise BadMoment(text) from bad


def _plain(command: Command) -> Callable[[CommandReader, Line], Command]:
    """A reader for a command that takes nothing behind its word."""
    return lambda _reader, _line: command


def _create(reader: CommandReader, line: Line) -> Command:
    """``CREATE danube [VARIANT standard] [setting value ...]``; values hold no spaces, save the title, which comes last."""
    parts = line.rest.split()
    if not parts:
        raise CommandIncomplete("create")
    options: list[tuple[str, str]] = []
    variant = "standard"
    rest = parts[1:]
    while rest:
        key, value = rest[0].strip(":=,").lower(), rest[1].strip(",") if len(rest) > 1 else ""
        if not value:
            raise CommandIncomplete("create")
        if key == "title":
            options.append((key, " ".join(rest[1:])))
            break
        if key == "variant":
            variant = value.lower()
        else:
            options.append((key, value))
        rest = rest[2:]
    return CreateGame(parts[0].lstrip("?"), variant, tuple(options))


def _game_of(word: str) -> Callable[[CommandReader, Line], str]:
    def first(_reader: CommandReader, line: Line) -> str:
        parts = line.rest.split()
        if not parts:
            raise CommandIncomplete(word)
        return parts[0].lower()

    return first


def _press(reader: CommandReader, line: Line) -> Command:
    """A message on one line: ``PRESS TO FRANCE: see you in Burgundy``."""
    names, found, text = line.rest.partition(":")
    if not found or not text.strip():
        raise CommandIncomplete("press")
    return SendPress(() if line.command == "broadcast" else reader.addressees(names), text.strip())


def _process(reader: CommandReader, line: Line) -> Command:
    return ProcessNow(reader.phase(line.rest))


def _deadline(reader: CommandReader, line: Line) -> Command:
    return SetDeadline(read_when(line.rest, reader.words))


def _extend(_reader: CommandReader, line: Line) -> Command:
    """``EXTEND 24h`` or ``EXTEND +2d``."""
    spans = [part for part in line.rest.lstrip("+").split() if part[:1].isdigit()]
    try:
        return SetDeadline(When(span=read_span(" ".join(spans))))
    except ValueError as bad:
        raise BadMoment(line.rest) from bad


def _set(reader: CommandReader, line: Line) -> Command:
    """``SET key value``: a wish of one's own, or a setting of the game."""
    key, _, value = line.rest.replace("=", " ").strip().partition(" ")
    if not key or not value.strip():
        raise CommandIncomplete("set")
    if reader.words.means(key, "wishes"):
        return SetWish({"timezone": "zone"}.get(key.lower(), key.lower()), value.strip())
    return SetSetting(key.lower(), value.strip())


def _clear(_reader: CommandReader, line: Line) -> Command:
    """``CLEAR`` takes everything off file, ``CLEAR PAR BUR`` the orders of those provinces."""
    return ClearOrders(tuple(part.strip(",").upper() for part in line.rest.split()))


def _confirm(_reader: CommandReader, line: Line) -> Command:
    return Confirm(line.rest.split()[0] if line.rest.split() else "")


_READERS: Mapping[str, Callable[[CommandReader, Line], Command]] = {
    "create": _create,
    "signon": lambda r, line: SignOn(_game_of("signon")(r, line)),
    "observe": lambda r, line: Observe(_game_of("observe")(r, line)),
    "confirm": _confirm,
    "list": lambda _r, line: ListGames(line.rest.split()[0].lower() if line.rest.split() else ""),
    "help": lambda _r, line: Help(line.rest.strip().lower()),
    "clear": _clear,
    "wait": _plain(SetWait(True)),
    "nowait": _plain(SetWait(False)),
    "status": _plain(ShowStatus()),
    "press": _press,
    "broadcast": _press,
    "resign": _plain(Resign()),
    "address": _plain(RotateAddress()),
    "process": _process,
    "deadline": _deadline,
    "extend": _extend,
    "start": _plain(StartGame()),
    "pause": _plain(Pause()),
    "resume": _plain(Resume()),
    "set": _set,
    "end": _plain(EndGame()),
}

_DATE = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_TIME = re.compile(r"(?<![\d:-])(\d{1,2})[:.](\d{2})(?![\d:-])")
_ZONE = re.compile(r"[A-Za-z]+/[A-Za-z_]+(?:/[A-Za-z_]+)?|UTC")
_WEEKDAY = re.compile(r"[^\W\d_]{3,}")


def read_when(text: str, words: CommandWords) -> When:
    """A moment as people write it: ``+48h``, ``Tue 20:00``, ``2026-12-24 18:00 Europe/Prague``.  Raises `BadMoment`.

    >>> read_when("+48h", CommandWords({}, {}, {}, 1, {})).span
    datetime.timedelta(days=2)
    """
    text = text.strip()
    if text.startswith("+"):
        try:
            return When(span=read_span(text[1:]))
        except ValueError as bad:
            raise BadMoment(text) from bad
    zone = _ZONE.search(text)
    rest = text[: zone.start()] + text[zone.end() :] if zone else text
    date, clock = _DATE.search(rest), _TIME.search(rest)
    weekday = _weekday(rest, words)
    try:
        at = time(int(clock[1]), int(clock[2])) if clock else None
        day = datetime(int(date[1]), int(date[2]), int(date[3])) if date else None  # noqa: DTZ001 - a wall-clock day, resolved in the game's zone
    except ValueError as bad:
        raise BadMoment(text) from bad
    if at is None and day is None and weekday is None:
        raise BadMoment(text)
    return When(day=day, weekday=None if day else weekday, at=at, zone=zone[0] if zone else "")


def _weekday(text: str, words: CommandWords) -> int | None:
    """The weekday a text names by its first letters, in any language at hand; 0 is Monday."""
    for word in _WEEKDAY.findall(text):
        folded = fold(word)
        for day, number in words.weekdays.items():
            if folded.startswith(day):
                return number
    return None
