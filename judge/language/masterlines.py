"""What follows the words of commands that masters use: moments, seats, phases, changes of the board."""

from collections.abc import Callable

from judge.board import Power
from judge.game import (
    Approve,
    BadBoard,
    BadMoment,
    Command,
    CommandIncomplete,
    EditBoard,
    Eject,
    Keep,
    Pause,
    ProcessNow,
    RollBack,
    SetDeadline,
    SetDisorder,
    SetStart,
    UnknownPower,
    When,
)
from judge.game.faults import NothingBehind
from judge.language.moments import read_when
from judge.language.options import Options
from judge.language.requests import Line
from judge.rules import BadNotation, Unit, read_unit


def read_process(options: Options, line: Line) -> Command:
    """``PROCESS``, ``PROCESS S1901M``.  Raises `BadMoment`."""
    return ProcessNow(options.phase(line.rest))


def read_deadline(options: Options, line: Line) -> Command:
    """``SET DEADLINE Tue 20:00``, with ``because ...`` behind it where there is a reason to tell."""
    text, reason = options.reason(line.rest)
    return SetDeadline(_moment(options, text, "deadline"), reason)


def read_extend(options: Options, line: Line) -> Command:
    """``EXTEND 24h``, ``EXTEND +2d``, ``EXTEND by 2 days``, ``EXTEND until Fri 20:00``, ``EXTEND 48 because of the holidays``."""
    text, reason = options.reason(line.rest)
    return SetDeadline(_end_or_span(options, text), reason)


def _end_or_span(options: Options, text: str) -> When:
    """How much longer, or until when: a day says that a moment is meant, a time alone only behind "until".

    Raises `BadMoment`, `CommandIncomplete`.
    """
    head, _, tail = text.strip(" :").partition(" ")
    if tail and options.words.means(head, "to"):
        return _moment(options, tail, "extend")
    if tail and options.words.means(head, "moment"):
        text = tail
    try:
        return _moment(options, text if text.startswith("+") or not text else f"+{text}", "extend")
    except BadMoment:
        when = _moment(options, text, "extend")
        if when.day is None and when.weekday is None:
            raise
        return when


def read_pause(options: Options, line: Line) -> Command:
    """``PAUSE``, ``PAUSE because of the holidays``.  Raises `NothingBehind`: a pause has no length."""
    text, reason = options.reason(line.rest)
    if rest := options.behind(text):
        raise NothingBehind("pause", rest)
    return Pause(reason)


def read_begin(options: Options, line: Line) -> Command:
    """``BEGIN Fri 20:00``.  Raises `BadMoment`, `CommandIncomplete`."""
    return SetStart(_moment(options, line.rest, "begin"))


def _moment(options: Options, text: str, command: str) -> When:
    """The moment behind a command's word.  Raises `BadMoment`, `CommandIncomplete` where there is none."""
    if not text.strip(" :"):
        raise CommandIncomplete(command)
    return read_when(text, options.words)


def who_then_why(options: Options, line: Line, command: str) -> tuple[str, str]:
    """A seat (a power, ``OBSERVER-1``, an address), and a reason behind it."""
    who, _, why = line.rest.strip().partition(" ")
    who = who.rstrip(",;:")
    if not who:
        raise CommandIncomplete(command)
    head, _, tail = why.partition(" ")
    reason = tail.removeprefix("of ") if options.words.means(head.rstrip(":"), "because") else why
    return options.powers.find(who) or (who.upper() if "@" not in who else who.lower()), reason.strip(" :")


def read_eject(options: Options, line: Line) -> Command:
    """``EJECT FRANCE because of silence``.  Raises `CommandIncomplete`."""
    return Eject(*who_then_why(options, line, "eject"))


def disorder_reader(civil: bool) -> Callable[[Options, Line], Command]:
    """``DISORDER FRANCE`` or, if it is not `civil`, ``BACK FRANCE``."""
    return lambda options, line: SetDisorder(options.one_power(line.rest, "disorder" if civil else "back"), civil)


def approve_reader(yes: bool) -> Callable[[Options, Line], Command]:
    """``APPROVE FRANCE`` or, without `yes`, ``REFUSE FRANCE``."""
    return lambda options, line: Approve(options.one_power(line.rest, "approve" if yes else "refuse"), yes)


def read_rollback(options: Options, line: Line) -> Command:
    """``ROLLBACK``, ``ROLLBACK 2``, ``ROLLBACK F1902M``; older judges have RESTORE or FULL behind it, which means nothing here."""
    text = " ".join(
        word
        for word in line.rest.split()
        if word.lower() not in ("restore", "full") and not options.words.means(word.strip(".,!"), "please")
    )
    return RollBack(None, int(text)) if text.isdigit() and len(text) < 4 else RollBack(options.phase(text))


def read_edit(options: Options, line: Line) -> Command:
    """``EDIT + FRANCE A PAR; - GERMANY A MUN; BEL = FRANCE; because the mail was lost``; ``=`` nobody is ``BEL = -``.

    Units are written as codes.  Raises `BadBoard`, `ReasonMissing` (from the core).
    """
    add: list[tuple[Power, Unit]] = []
    remove: list[tuple[Power, Unit]] = []
    owners: list[tuple[Power, str]] = []
    why = ""
    for part in (piece.strip() for piece in line.rest.split(";")):
        head, _, tail = part.partition(" ")
        if why or options.words.means(head.rstrip(":"), "because"):
            why = f"{why}; {part}" if why else tail.strip(" :")
        elif part[:1] in ("+", "-"):
            (add if part[0] == "+" else remove).append(_power_and_unit(options, part[1:].split()))
        elif "=" in part:
            centre, _, owner = part.partition("=")
            power = options.powers.find(owner.strip()) if owner.strip() not in ("", "-") else ""
            if power is None:
                raise UnknownPower(owner.strip(), options.powers.powers)
            owners.append((power, centre.split()[-1].upper() if centre.split() else ""))
        elif part:
            raise BadBoard(part)
    return EditBoard(tuple(add), tuple(remove), tuple(owners), why)


def _power_and_unit(options: Options, words: list[str]) -> tuple[Power, Unit]:
    """A power and a unit, in either order."""
    for index, word in enumerate(words):
        power = options.powers.find(word) if len(word) > 1 else None
        if power is not None:
            try:
                return power, read_unit(" ".join(words[:index] + words[index + 1 :]).upper())
            except BadNotation:
                break
    raise BadBoard(" ".join(words))


def read_keeper(_options: Options, line: Line) -> Command:
    """``KEEPER BAN``, ``UNBAN``, ``BANS``, ``MASTER`` and what they take.  Raises `CommandIncomplete`."""
    words = line.rest.split()
    if not words or words[0].lower() not in ("ban", "unban", "bans", "master"):
        raise CommandIncomplete("keeper")
    return Keep(words[0].lower(), tuple(words[1:]))
