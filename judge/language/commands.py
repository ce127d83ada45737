"""A command line of a mail, to a Command: what follows the command's word."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from judge.board import Power
from judge.game import (
    FLAGS,
    SETTINGS,
    AnswerRoll,
    Approve,
    AskAbsence,
    BadBoard,
    BadMoment,
    BadSetting,
    CastVote,
    ClearAhead,
    ClearOrders,
    Command,
    CommandIncomplete,
    Confirm,
    CreateGame,
    DeclineOffer,
    DropAbsence,
    EditBoard,
    Eject,
    EndGame,
    EraseData,
    ExportData,
    HandOver,
    Help,
    JudgeAbsence,
    Keep,
    ListGames,
    MakeStatement,
    Mute,
    Observe,
    OldWord,
    Pause,
    Predict,
    ProcessNow,
    Promote,
    ReadDiary,
    Resign,
    Resume,
    RollBack,
    RollForward,
    RotateAddress,
    SayOfficially,
    SeatKind,
    SendPress,
    SetAddress,
    SetDeadline,
    SetDisorder,
    SetPreference,
    SetSetting,
    SetStart,
    Settings,
    SetWait,
    SetWish,
    ShowAhead,
    ShowHistory,
    ShowLog,
    ShowOwnGames,
    ShowSeats,
    ShowSettings,
    ShowStatus,
    ShowSubmissions,
    ShowSummary,
    SignOn,
    StartGame,
    TakeMaster,
    UnknownAddressee,
    UnknownCommand,
    UnknownPower,
    Unstart,
    VoteKind,
    WriteDiary,
    change_setting,
    usual_setting,
)
from judge.language.commandwords import OLD, WISHES, CommandWords
from judge.language.folding import fold
from judge.language.gazetteer import Gazetteer
from judge.language.moments import read_when
from judge.language.requests import Line, PressText
from judge.rules import BadNotation, Phase, Unit, read_phase, read_unit


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


def _between(names: Sequence[str], at: int) -> bool:
    """Whether a word stands between two names that are written out."""
    return 0 < at < len(names) - 1 and len(names[at - 1]) > 1 and len(names[at + 1]) > 1


@dataclass(frozen=True, slots=True)
class CommandReader:
    """What reading a command needs: the words of all languages, and the powers of the game (none outside a game)."""

    words: CommandWords
    powers: PowerIndex

    def read(self, line: Line) -> Command:
        """The command of a line that begins with a command's word.  Raises `PlayerError`."""
        if line.command.startswith(OLD):
            raise OldWord(line.command.removeprefix(OLD))
        reader = _READERS.get(line.command)
        if reader is None:
            raise UnknownCommand(line.text)
        return reader(self, line)

    def read_text(self, entry: PressText) -> Command:
        """The command of a block of text: a message, an official word, a note, last words.  Raises `UnknownAddressee`."""
        if entry.command in _TEXTS:
            return _TEXTS[entry.command](entry.text)
        names, _, begun = entry.rest.partition(":")  # the message may begin on the opening line and go on below
        return self.message(entry.command, names, f"{begun.strip()}\n{entry.text}".strip("\n"))

    def message(self, command: str, options: str, text: str) -> SendPress:
        """A message with the options of its opening line: colour, fake, postal, addressees.  Raises `UnknownAddressee`."""
        names = [part for part in re.split(r"[\s,;+&]+", options.strip(" :")) if part]
        colour, fake, postal = "", "", command == "postal"
        left: list[str] = []
        index = 0
        while index < len(names):
            name = names[index]
            if self.words.means(name, "white") or self.words.means(name, "grey"):
                colour = "white" if self.words.means(name, "white") else "grey"
            elif self.words.means(name, "postal"):
                postal = True
            elif self.words.means(name, "fake"):
                index += 1 + (index + 1 < len(names) and self.words.means(names[index + 1], "from"))
                found = self.powers.find(names[index]) if index < len(names) else None
                if found is None:
                    raise UnknownAddressee(" ".join(names[index : index + 1]), self.powers.powers)
                fake = found
            else:
                left.append(name)
            index += 1
        if command == "broadcast" and left and self.words.means(left[0], "but"):
            spared = self.power_list(" ".join(left[1:]))
            return SendPress(tuple(each for each in self.powers.powers if each not in spared), text, colour, fake, postal)
        to = () if command == "broadcast" and not left else self.addressees(" ".join(left))
        return SendPress(to, text, colour, fake, postal)

    def addressees(self, text: str) -> tuple[str, ...]:
        """Whom a list of names means; () is everybody.  "all but X" leaves some out, "master" is the game's master."""
        names = [part for part in re.split(r"[\s,;+&]+", text.strip(" :")) if part]
        if names and self.words.means(names[0], "to"):
            names = names[1:]
        names = self._without_and(names)
        if not names:
            return ()
        everybody = self.words.means(names[0], "all") or names[0].startswith("-")
        if everybody:
            rest = names[1:] if self.words.means(names[0], "all") else names
            names = [n.lstrip("-") for n in rest if not self.words.means(n, "but")]
        found = tuple(dict.fromkeys(key for name in names for key in self._addressee(name)))
        if not everybody:
            return found
        return tuple(power for power in self.powers.powers if power not in found) if found else ()

    def _without_and(self, names: list[str]) -> list[str]:
        """The names of a list without "and"; a single letter (Czech "a") is that between names only, else an initial."""
        return [name for at, name in enumerate(names) if not (self.words.means(name, "and") and (len(name) > 1 or _between(names, at)))]

    def _addressee(self, name: str) -> tuple[str, ...]:
        """One name; several initials in capitals (``EFG``) are several powers."""
        power = self.powers.find(name)
        if power is not None:
            return (power,)
        if self.words.means(name, "master"):
            return ("MASTER",)
        if self.words.means(name, "observers"):
            return ("OBSERVERS",)
        initials = [self._initial(letter) for letter in name]
        if name.isupper() and len(name) > 1 and all(initials):
            return tuple(key for key in initials if key)
        raise UnknownAddressee(name, self.powers.powers)

    def _initial(self, letter: str) -> str | None:
        """What one letter of a list of initials means: a power, M the master, O those who watch."""
        return self.powers.find(letter) or {"M": "MASTER", "O": "OBSERVERS"}.get(letter)

    def power_list(self, text: str) -> tuple[Power, ...]:
        """Several powers; raises `UnknownPower` for anything else."""
        names = [part for part in re.split(r"[\s,;+&]+", text.strip(" :")) if part]
        names = self._without_and([n for n in names if len(n) == 1 or not self.words.means(n, "to")])
        found: list[Power] = []
        for name in names:
            power = self.powers.find(name)
            initials = [self.powers.find(letter) for letter in name] if name.isupper() else []
            if power is not None:
                found.append(power)
            elif len(initials) > 1 and all(initials):
                found.extend(each for each in initials if each)
            else:
                raise UnknownPower(name, self.powers.powers)
        return tuple(dict.fromkeys(found))

    def one_power(self, text: str, command: str) -> Power:
        """One power.  Raises `UnknownPower`, `CommandIncomplete`."""
        found = self.power_list(text)
        if len(found) != 1:
            raise CommandIncomplete(command)
        return found[0]

    def wishes(self, text: str) -> tuple[tuple[Power, ...], ...]:
        """A preference list: ``E[FG]A`` or ``England, [France Germany], Austria``; brackets hold what is as welcome.

        Raises `UnknownPower`.
        """
        groups: list[tuple[Power, ...]] = []
        for inside, alone in re.findall(r"\[([^\]]*)\]|([^\[\]]+)", text):
            if inside:
                groups.append(self.power_list(inside))
            else:
                groups.extend((power,) for power in self.power_list(alone.replace("*", " ")))
        return tuple(group for group in groups if group)

    def reason(self, text: str) -> tuple[str, str]:
        """A text, and the reason that stands behind "because" in it ("" none)."""
        words = text.split()
        cut = next((i for i, word in enumerate(words) if self.words.means(word.rstrip(":"), "because")), len(words))
        return " ".join(words[:cut]), " ".join(words[cut + 1 :])

    def yes_or_no(self, text: str) -> str:
        """A yes or no of any language as "yes" or "no"; anything else as it is."""
        return "yes" if self.words.means(text, "yes") else "no" if self.words.means(text, "no") else text

    def plain_value(self, key: str, text: str) -> str:
        """The value of a setting, with yes and no of any language understood where the setting takes them."""
        return self.yes_or_no(text) if usual_setting(key, "")[0] in FLAGS else text

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
    """``CREATE danube [VARIANT standard] [setting value ...] [flags]``; values hold no spaces, save the title, which comes last.

    A word that is no setting may be the name of a variant, or the password that the old judges wanted; what it is, is settled where the
    variants are known (`CreateGame.words`).
    """
    parts = line.rest.split()
    if not parts:
        raise CommandIncomplete("create")
    options: list[tuple[str, str]] = []
    words: list[str] = []
    variant = "standard"
    rest = parts[1:]
    while rest:
        key, found, value = rest[0].strip(":,").partition("=")
        key, taken = key.lower(), 1
        if not found and len(rest) > 1:
            value, taken = rest[1].strip(","), 2
        name = reader.words.settings.get(fold(key)) or key
        value = reader.plain_value(name, value)
        usual, own = usual_setting(name, "")
        if name == "title":
            options.append((name, " ".join([value, *rest[2:]] if not found else [value, *rest[1:]])))
            break
        if name == "variant":
            variant = value.lower()
        elif usual in SETTINGS and own and (taken == 1 or not _takes(name, value)):
            options.append((usual, own))
            taken = 1
        elif usual in SETTINGS and value:
            options.append((usual, value))
        elif usual in SETTINGS:
            raise CommandIncomplete("create")
        else:
            if words or not parts[0].startswith("?") or len(rest) < len(parts) - 1:
                words.append(rest[0].strip(":,"))
            taken = 1  # behind ?name the old judges want a password, which means nothing here
        rest = rest[taken:]
    return CreateGame(parts[0].lstrip("?"), variant, tuple(options), tuple(words))


def _takes(key: str, value: str) -> bool:
    """Whether a setting can take this value."""
    try:
        change_setting(Settings(), key, value)
    except BadSetting:
        return False
    return True


def _game_of(word: str) -> Callable[[CommandReader, Line], str]:
    def first(_reader: CommandReader, line: Line) -> str:
        parts = line.rest.split()
        if not parts:
            raise CommandIncomplete(word)
        return parts[0].lower()

    return first


def _watch(kind: SeatKind) -> Callable[[CommandReader, Line], Command]:
    """``OBSERVE danube``, ``MONITOR danube``, ``STANDBY danube``; also ``nosy@danube``."""
    return lambda reader, line: Observe(_game_of("observe")(reader, line).rpartition("@")[2].lstrip("?"), kind)


def _press(reader: CommandReader, line: Line) -> Command:
    """A message on one line: ``PRESS TO FRANCE: see you in Burgundy``."""
    names, found, text = line.rest.partition(":")
    if line.command in ("broadcast", *_TEXTS) and not found:
        names, text = "", line.rest
    if not text.strip():
        raise CommandIncomplete("press")
    if line.command in _TEXTS:
        return _TEXTS[line.command](line.rest.strip())
    return reader.message(line.command, names, text.strip())


_TEXTS: dict[str, Callable[[str], Command]] = {
    "official": SayOfficially,
    "statement": MakeStatement,
    "diary": WriteDiary,
}
"""Commands that take a text of several lines and nothing else."""


def _process(reader: CommandReader, line: Line) -> Command:
    return ProcessNow(reader.phase(line.rest))


def _deadline(reader: CommandReader, line: Line) -> Command:
    """``SET DEADLINE Tue 20:00``, with ``because ...`` behind it where there is a reason to tell."""
    text, reason = reader.reason(line.rest)
    return SetDeadline(read_when(text, reader.words), reason)


def _extend(reader: CommandReader, line: Line) -> Command:
    """``EXTEND 24h``, ``EXTEND +2d``, ``EXTEND 48 because of the holidays``."""
    text, reason = reader.reason(line.rest)
    return SetDeadline(read_when(text if text.startswith("+") else f"+{text}", reader.words), reason)


def _begin(reader: CommandReader, line: Line) -> Command:
    return SetStart(read_when(line.rest, reader.words))


def _vote(kind: VoteKind, yes: bool = True) -> Callable[[CommandReader, Line], Command]:
    """A vote with its list of powers, or one taken back."""

    def read(reader: CommandReader, line: Line) -> Command:
        text = line.rest.strip()
        if not yes or reader.words.means(text, "no"):
            return CastVote(kind, (), False)
        if kind is VoteKind.DRAW and (not text or reader.words.means(text, "all") or reader.words.means(text, "yes")):
            return CastVote(kind)
        if kind is VoteKind.CONCEDE:
            return CastVote(kind, (reader.one_power(text, "concede"),))
        return CastVote(kind, reader.power_list(text))

    return read


def _absence(reader: CommandReader, line: Line) -> Command:
    """``ABSENCE 2026-07-03 TO 2026-07-10``, ``ABSENCE from 24 Dec to 2 Jan``, ``ABSENCE Fri``."""
    words = line.rest.replace("–", " - ").split()
    cut = next((i for i, word in enumerate(words) if i and (word == "-" or reader.words.means(word, "to"))), len(words))
    first = [word for word in words[:cut] if not reader.words.means(word, "from")]
    if not first:
        raise CommandIncomplete("absence")
    last = words[cut + 1 :]
    start = read_when(" ".join(first), reader.words)
    return AskAbsence(start, read_when(" ".join(last), reader.words) if last else None)


def _number(command: str, most: int = 10**6) -> Callable[[Line], int]:
    """The one number behind a command's word.  Raises `CommandIncomplete`."""

    def read(line: Line) -> int:
        found = re.search(r"\d{1,6}", line.rest)
        if found is None:
            raise CommandIncomplete(command)
        return min(int(found[0]), most)

    return read


def _no_absence(_reader: CommandReader, line: Line) -> Command:
    found = re.search(r"\d{1,6}", line.rest)
    return DropAbsence(int(found[0]) if found else 0)


def _history(reader: CommandReader, line: Line) -> Command:
    """``HISTORY [FROM day] [TO day] [LAST n] [BROAD]``."""
    words = line.rest.split()
    first, last, most, broad = None, None, 40, False
    index = 0
    while index < len(words):
        word = words[index]
        until = next((i for i in range(index + 1, len(words)) if _is_history_word(reader.words, words[i])), len(words))
        value = " ".join(words[index + 1 : until])
        if reader.words.means(word, "from"):
            first = read_when(value, reader.words)
        elif reader.words.means(word, "to"):
            last = read_when(value, reader.words)
        elif reader.words.means(word, "lines") and value.isdigit():
            most = min(int(value), 1000)
        elif reader.words.means(word, "broad"):
            broad = True
        index = until if until > index else index + 1
    return ShowHistory(first, last, max(1, most), broad)


def _is_history_word(words: CommandWords, word: str) -> bool:
    return any(words.means(word, meaning) for meaning in ("from", "to", "lines", "broad"))


def _mute(on: bool) -> Callable[[CommandReader, Line], Command]:
    """``MUTE FRANCE``, ``MUTE GREY``, ``MUTE`` (everybody)."""

    def read(reader: CommandReader, line: Line) -> Command:
        names = [name for name in line.rest.replace(",", " ").split() if not reader.words.means(name, "all")]
        who = tuple("GREY" if reader.words.means(name, "grey") else reader.power_list(name)[0] for name in names)
        return Mute(who, on)

    return read


def _who_then_why(reader: CommandReader, line: Line, command: str) -> tuple[str, str]:
    """A seat (a power, ``OBSERVER-1``, an address), and a reason behind it."""
    who, _, why = line.rest.strip().partition(" ")
    if not who:
        raise CommandIncomplete(command)
    head, _, tail = why.partition(" ")
    reason = tail if reader.words.means(head.rstrip(":"), "because") else why
    return reader.powers.find(who) or (who.upper() if "@" not in who else who.lower()), reason.strip(" :")


def _eject(reader: CommandReader, line: Line) -> Command:
    return Eject(*_who_then_why(reader, line, "eject"))


def _disorder(civil: bool) -> Callable[[CommandReader, Line], Command]:
    return lambda reader, line: SetDisorder(reader.one_power(line.rest, "disorder" if civil else "back"), civil)


def _approve(yes: bool) -> Callable[[CommandReader, Line], Command]:
    return lambda reader, line: Approve(reader.one_power(line.rest, "approve" if yes else "refuse"), yes)


def _rollback(reader: CommandReader, line: Line) -> Command:
    """``ROLLBACK``, ``ROLLBACK 2``, ``ROLLBACK F1902M``."""
    text = line.rest.strip()
    return RollBack(None, int(text)) if text.isdigit() and len(text) < 4 else RollBack(reader.phase(text))


def _edit(reader: CommandReader, line: Line) -> Command:
    """``EDIT + FRANCE A PAR; - GERMANY A MUN; BEL = FRANCE; because the mail was lost``; ``=`` nobody is ``BEL = -``.

    Units are written as codes.  Raises `BadBoard`, `ReasonMissing` (from the core).
    """
    add: list[tuple[Power, Unit]] = []
    remove: list[tuple[Power, Unit]] = []
    owners: list[tuple[Power, str]] = []
    why = ""
    for part in (piece.strip() for piece in line.rest.split(";")):
        head, _, tail = part.partition(" ")
        if why or reader.words.means(head.rstrip(":"), "because"):
            why = f"{why}; {part}" if why else tail.strip(" :")
        elif part[:1] in ("+", "-"):
            (add if part[0] == "+" else remove).append(_power_and_unit(reader, part[1:].split()))
        elif "=" in part:
            centre, _, owner = part.partition("=")
            power = reader.powers.find(owner.strip()) if owner.strip() not in ("", "-") else ""
            if power is None:
                raise UnknownPower(owner.strip(), reader.powers.powers)
            owners.append((power, centre.split()[-1].upper() if centre.split() else ""))
        elif part:
            raise BadBoard(part)
    return EditBoard(tuple(add), tuple(remove), tuple(owners), why)


def _power_and_unit(reader: CommandReader, words: list[str]) -> tuple[Power, Unit]:
    """A power and a unit, in either order."""
    for index, word in enumerate(words):
        power = reader.powers.find(word) if len(word) > 1 else None
        if power is not None:
            try:
                return power, read_unit(" ".join(words[:index] + words[index + 1 :]).upper())
            except BadNotation:
                break
    raise BadBoard(" ".join(words))


def _keeper(_reader: CommandReader, line: Line) -> Command:
    words = line.rest.split()
    if not words or words[0].lower() not in ("ban", "unban", "bans", "master"):
        raise CommandIncomplete("keeper")
    return Keep(words[0].lower(), tuple(words[1:]))


def _address(_reader: CommandReader, line: Line) -> Command:
    found = re.search(r"[^\s<>,;]+@[^\s<>,;]+", line.rest)
    if found is None:
        raise CommandIncomplete("newaddress")
    return SetAddress(found[0])


def _set(reader: CommandReader, line: Line) -> Command:
    """``SET key value``: a wish of one's own, or a setting of the game; several settings may stand in one line of flags."""
    key, _, value = line.rest.replace("=", " ").strip().partition(" ")
    if not key:
        raise CommandIncomplete("set")
    two, _, rest = value.strip().partition(" ")
    joined = usual_setting(f"{key}{two}", rest)
    if joined[0] in SETTINGS and usual_setting(key, "")[0] not in SETTINGS:
        key, value = joined
    joined_own = reader.words.settings.get(fold(f"{key} {two}")) if two else None
    if joined_own is not None:
        key, value = joined_own, rest
    own = reader.words.settings.get(fold(key)) or joined_own or {"timezone": "zone", "map": "pictures", "maps": "pictures"}.get(key.lower())
    if own in WISHES or reader.words.means(key, "wishes"):
        if not value.strip():
            raise CommandIncomplete("set")
        wish = own or key.lower()
        return SetWish(wish, reader.yes_or_no(value.strip()) if wish in ("pictures", "digest") else value.strip())
    name, text = usual_setting(own or key, reader.plain_value(own or key, value.strip()))
    if not text:
        raise CommandIncomplete("set")
    return SetSetting(name, text)


def _clear(_reader: CommandReader, line: Line) -> Command:
    """``CLEAR`` takes everything off file, ``CLEAR PAR BUR`` the orders of those provinces."""
    return ClearOrders(tuple(part.strip(",").upper() for part in line.rest.split()))


def _confirm(_reader: CommandReader, line: Line) -> Command:
    return Confirm(line.rest.split()[0] if line.rest.split() else "")


_READERS: dict[str, Callable[[CommandReader, Line], Command]] = {
    "create": _create,
    "signon": lambda r, line: SignOn(_game_of("signon")(r, line)),
    "observe": _watch(SeatKind.FULL),
    "monitor": _watch(SeatKind.MONITOR),
    "standby": _watch(SeatKind.STANDBY),
    "confirm": _confirm,
    "list": lambda _r, line: ListGames(line.rest.split()[0].lower() if line.rest.split() else ""),
    "help": lambda _r, line: Help(line.rest.strip().lower()),
    "version": _plain(Help("version")),
    "clear": _clear,
    "wait": _plain(SetWait(True)),
    "nowait": _plain(SetWait(False)),
    "status": _plain(ShowStatus()),
    "summary": _plain(ShowSummary()),
    "history": _history,
    "log": _plain(ShowLog()),
    "who": _plain(ShowSeats()),
    "settings": _plain(ShowSettings()),
    "receipts": _plain(ShowSubmissions()),
    "mygames": _plain(ShowOwnGames()),
    "press": _press,
    "broadcast": _press,
    "postal": _press,
    "official": _press,
    "statement": _press,
    "diary": _press,
    "readdiary": _plain(ReadDiary()),
    "forget": lambda _r, line: ReadDiary(_number("diary")(line)),
    "mute": _mute(True),
    "unmute": _mute(False),
    "draw": _vote(VoteKind.DRAW),
    "nodraw": _vote(VoteKind.DRAW, False),
    "concede": _vote(VoteKind.CONCEDE),
    "noconcede": _vote(VoteKind.CONCEDE, False),
    "rank": _vote(VoteKind.RANK),
    "norank": _vote(VoteKind.RANK, False),
    "newmaster": _plain(CastVote(VoteKind.MASTER)),
    "nonewmaster": _plain(CastVote(VoteKind.MASTER, (), False)),
    "absence": _absence,
    "noabsence": _no_absence,
    "preference": lambda r, line: SetPreference(r.wishes(line.rest)),
    "here": _plain(AnswerRoll()),
    "decline": _plain(DeclineOffer()),
    "ahead": _plain(ShowAhead()),
    "clearahead": lambda r, line: ClearAhead(r.phase(line.rest)),
    "resign": _plain(Resign()),
    "address": _plain(RotateAddress()),
    "newaddress": _address,
    "export": _plain(ExportData()),
    "erase": _plain(EraseData()),
    "process": _process,
    "deadline": _deadline,
    "extend": _extend,
    "start": _plain(StartGame()),
    "begin": _begin,
    "unstart": _plain(Unstart()),
    "pause": _plain(Pause()),
    "resume": _plain(Resume()),
    "predict": _plain(Predict()),
    "rollback": _rollback,
    "rollforward": _plain(RollForward()),
    "eject": _eject,
    "promote": lambda r, line: Promote(_who_then_why(r, line, "promote")[0]),
    "handover": lambda r, line: HandOver(_who_then_why(r, line, "handover")[0]),
    "takemaster": _plain(TakeMaster()),
    "approve": _approve(True),
    "refuse": _approve(False),
    "allow": lambda _r, line: JudgeAbsence(_number("allow")(line)),
    "strike": lambda _r, line: JudgeAbsence(_number("allow")(line), False),
    "disorder": _disorder(True),
    "back": _disorder(False),
    "edit": _edit,
    "keeper": _keeper,
    "set": _set,
    "end": _plain(EndGame()),
}
"""What reads each command of `commands.toml`; the words that open and close blocks are read where a mail is cut into its parts."""

OPENERS = frozenset(
    {"game", "signon", "signoff", "endpress", "phase", "if", "elseif", "else", "endif", "check", "preview", "become", "master"}
)
"""Words of `commands.toml` that `_READERS` leaves out."""
