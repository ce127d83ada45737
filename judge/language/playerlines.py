"""What follows the words of commands that players use: votes, absences, looking back, whom to hear."""

import re
from collections.abc import Callable
from datetime import timedelta

from judge.game import (
    AskAbsence,
    CastVote,
    ClearOrders,
    Command,
    CommandIncomplete,
    Confirm,
    DropAbsence,
    Mute,
    Observe,
    SeatKind,
    SetAddress,
    ShowHistory,
    StandBy,
    VoteKind,
    When,
)
from judge.game.faults import NothingBehind
from judge.language.commandwords import CommandWords
from judge.language.folding import fold
from judge.language.moments import read_when
from judge.language.options import Options
from judge.language.requests import Line

MOST_DIGITS = 6
"""Numbers of absences and notes have no more digits."""


def first_word(word: str) -> Callable[[Options, Line], str]:
    """The first word behind a command's word, in small letters.  Raises `CommandIncomplete`."""

    def first(_options: Options, line: Line) -> str:
        parts = line.rest.split()
        if not parts:
            raise CommandIncomplete(word)
        return parts[0].lower()

    return first


def watch_reader(kind: SeatKind) -> Callable[[Options, Line], Command]:
    """``OBSERVE danube``, ``MONITOR danube``, ``STANDBY danube``; also ``nosy@danube``."""
    word = {SeatKind.MONITOR: "monitor", SeatKind.STANDBY: "standby"}.get(kind, "observe")
    return lambda options, line: Observe(first_word(word)(options, line).rpartition("@")[2].lstrip("?"), kind)


_LIMITS = {"variant": "variants", "variants": "variants", "language": "languages", "languages": "languages", "press": "press"}
"""Words that limit what somebody stands by for, and the field of `StandBy` that holds them."""


def read_standby(options: Options, line: Line) -> Command:
    """``STANDBY danube`` in one game; ``STANDBY ALL VARIANT standard PRESS white,none GAMES 2`` in all, ``STANDBY OFF`` no longer.

    Raises `CommandIncomplete` where a limit has no value or the number of games is none.
    """
    words = re.split(r"[\s,;=]+", line.rest.strip(" :,;"))
    limits: dict[str, list[str]] = {"variants": [], "languages": [], "press": [], "games": []}
    if words[0] and (options.words.means(words[0], "no") or words[0].lower() == "none"):
        return StandBy(yes=False)
    if words[0] and not (options.words.means(words[0], "all") or options.words.means(words[0], "any") or _limit_of(options, words[0])):
        return watch_reader(SeatKind.STANDBY)(options, line)
    field = ""
    for word in words if _limit_of(options, words[0]) else words[1:]:
        found = _limit_of(options, word)
        if found:
            field = found
        elif field:
            limits[field].append(word.lower())
    if (field and not limits[field] and field != "games") or not all(each.isdigit() for each in limits["games"]):
        raise CommandIncomplete("standby")
    games = int(limits["games"][0][:3]) if limits["games"] else 0
    return StandBy(tuple(limits["variants"]), tuple(limits["languages"]), tuple(limits["press"]), games)


def _limit_of(options: Options, word: str) -> str:
    """The field a word of a STANDBY line names, "" for any other word; "all games" limits nothing."""
    if options.words.means(word, "games"):
        return "games"
    return _LIMITS.get(options.words.settings.get(fold(word)) or word.lower(), "")


def vote_reader(kind: VoteKind, yes: bool = True) -> Callable[[Options, Line], Command]:
    """A vote with its list of powers, or one taken back."""

    def read(options: Options, line: Line) -> Command:
        text = line.rest.strip()
        if not yes or options.words.means(text, "no"):
            options.power_list("" if yes else options.behind(text))  # "unless ..." is no name
            return CastVote(kind, (), False)
        if kind is VoteKind.DRAW and (not text or options.words.means(text, "all") or options.words.means(text, "yes")):
            return CastVote(kind)
        if kind is VoteKind.CONCEDE:
            return CastVote(kind, (options.one_power(text, "concede"),))
        return CastVote(kind, options.power_list(text))

    return read


def read_absence(options: Options, line: Line) -> Command:
    """``ABSENCE 2026-07-03 TO 2026-07-10``, ``ABSENCE from 24 Dec to 2 Jan``, ``ABSENCE until Fri``, ``ABSENCE Fri``."""
    words = line.rest.replace("–", " - ").split()
    if words and options.words.means(words[0], "to"):  # from now on
        return AskAbsence(When(span=timedelta()), read_when(" ".join(words[1:]), options.words))
    cut = next((i for i, word in enumerate(words) if i and (word == "-" or options.words.means(word, "to"))), len(words))
    first = [word for word in words[:cut] if not options.words.means(word, "from")]
    if not first:
        raise CommandIncomplete("absence")
    last = words[cut + 1 :]
    start = read_when(" ".join(first), options.words)
    return AskAbsence(start, read_when(" ".join(last), options.words) if last else None)


def number_reader(command: str, most: int = 10**6) -> Callable[[Line], int]:
    """The one number behind a command's word.  Raises `CommandIncomplete`."""

    def read(line: Line) -> int:
        found = re.findall(r"\d+", line.rest)
        if len(found) != 1 or len(found[0]) > MOST_DIGITS:
            raise CommandIncomplete(command)
        return min(int(found[0]), most)

    return read


def read_no_absence(options: Options, line: Line) -> Command:
    """``NO ABSENCE``, ``NO ABSENCE 2``.  Raises `NothingBehind`: a day says not surely which absence is meant."""
    rest = options.behind(line.rest)
    if rest and not re.fullmatch(r"#?\d{1,6}", rest):
        raise NothingBehind("noabsence", rest)
    return DropAbsence(int(rest.lstrip("#")) if rest else 0)


def read_history(options: Options, line: Line) -> Command:
    """``HISTORY [FROM day] [TO day] [LAST n] [BROAD]``."""
    words = line.rest.split()
    first, last, most, broad = None, None, 40, False
    index = 0
    while index < len(words):
        word = words[index]
        until = next((i for i in range(index + 1, len(words)) if _is_history_word(options.words, words[i])), len(words))
        value = " ".join(words[index + 1 : until])
        if options.words.means(word, "from"):
            first = read_when(value, options.words)
        elif options.words.means(word, "to"):
            last = read_when(value, options.words)
        elif options.words.means(word, "lines") and value.isdigit():
            most = min(int(value), 1000)
        elif options.words.means(word, "broad"):
            broad = True
        index = until if until > index else index + 1
    return ShowHistory(first, last, max(1, most), broad)


def _is_history_word(words: CommandWords, word: str) -> bool:
    return any(words.means(word, meaning) for meaning in ("from", "to", "lines", "broad"))


def mute_reader(on: bool) -> Callable[[Options, Line], Command]:
    """``MUTE FRANCE``, ``MUTE GREY``, ``MUTE`` (everybody)."""

    def read(options: Options, line: Line) -> Command:
        names = [name for name in re.split(r"[\s,;+&]+", line.rest.strip(" :.!")) if name and not options.words.means(name, "all")]
        grey = ("GREY",) if any(options.words.means(name, "grey") for name in names) else ()
        powers = options.power_list(" ".join(name for name in names if not options.words.means(name, "grey")))
        return Mute((*powers, *grey), on)

    return read


def read_address(_options: Options, line: Line) -> Command:
    """The first address in the line.  Raises `CommandIncomplete`."""
    found = re.search(r"[^\s<>,;]+@[^\s<>,;]+", line.rest)
    if found is None:
        raise CommandIncomplete("newaddress")
    return SetAddress(found[0])


def read_clear(options: Options, line: Line) -> Command:
    """``CLEAR``, ``CLEAR ALL`` take everything off file, ``CLEAR PAR BUR`` those of the places named, read where a board is known."""
    known = options.words
    words = [word for word in line.rest.split() if not known.means(word.strip(".,!"), "please")]
    everything = any(known.means(word, "all") for word in words)
    if everything and all(known.means(word, "all") or known.courtesies.means_nothing(word) for word in words):
        words = []
    return ClearOrders(tuple(words))


def read_confirm(_options: Options, line: Line) -> Command:
    """``CONFIRM 7F3K``; the code may lack."""
    return Confirm(line.rest.split()[0] if line.rest.split() else "")
