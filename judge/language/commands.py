"""A command line of a mail, to a Command: the table of all commands' readers."""

from collections.abc import Callable
from dataclasses import dataclass

from judge.game import (
    AnswerRoll,
    CastVote,
    ClearAhead,
    Command,
    CommandIncomplete,
    DeclineOffer,
    EndGame,
    EraseData,
    ExportData,
    HandOver,
    Help,
    JudgeAbsence,
    ListGames,
    OldWord,
    Predict,
    Promote,
    ReadDiary,
    Resign,
    Resume,
    RollForward,
    RotateAddress,
    SeatKind,
    SetPreference,
    SetWait,
    ShowAhead,
    ShowLog,
    ShowOwnGames,
    ShowSeats,
    ShowSettings,
    ShowStatus,
    ShowSubmissions,
    ShowSummary,
    SignOn,
    StandBy,
    StartGame,
    TakeMaster,
    UnknownCommand,
    Unstart,
    VoteKind,
)
from judge.game.faults import NothingBehind
from judge.language.commandwords import OLD, CommandWords
from judge.language.masterlines import (
    approve_reader,
    disorder_reader,
    read_begin,
    read_deadline,
    read_edit,
    read_eject,
    read_extend,
    read_keeper,
    read_pause,
    read_process,
    read_rollback,
    who_then_why,
)
from judge.language.messagelines import read_press_line, read_text
from judge.language.options import Options
from judge.language.playerlines import (
    first_word,
    mute_reader,
    number_reader,
    read_absence,
    read_address,
    read_clear,
    read_confirm,
    read_history,
    read_no_absence,
    read_standby,
    vote_reader,
    watch_reader,
)
from judge.language.powerindex import PowerIndex
from judge.language.requests import OPENING, Line, PressText
from judge.language.settinglines import read_create, read_set


@dataclass(frozen=True, slots=True)
class CommandReader:
    """What reading a command needs: the words of all languages, the powers and the name of the game (none outside a game)."""

    words: CommandWords
    powers: PowerIndex
    game: str = ""

    @property
    def options(self) -> Options:
        """What reads the part behind a command's word."""
        return Options(self.words, self.powers, self.game)

    def read(self, line: Line) -> Command:
        """The command of a line that begins with a command's word.  Raises `PlayerError`."""
        if line.command.startswith(OLD):
            raise OldWord(line.command.removeprefix(OLD))
        if line.command in OPENING and not line.rest:
            raise CommandIncomplete(line.command)
        reader = READERS.get(line.command)
        if reader is None:
            raise UnknownCommand(line.text)
        return reader(self.options, line)

    def passed_over(self, line: Line) -> str:
        """What stands behind a word that only asks to be shown something, and means nothing there; "" for nothing."""
        return self.options.behind(line.rest) if line.command in LOOKING else ""

    def read_text(self, entry: PressText) -> Command:
        """The command of a block of text: a message, an official word, a note, last words.  Raises `UnknownAddressee`."""
        return read_text(self.options, entry)


LOOKING = frozenset({"status", "summary", "log", "who", "settings", "receipts", "mygames", "predict", "readdiary", "ahead"})
"""Commands that show something and take nothing behind their word: what stands there is passed over, and told."""


def _look(command: Command) -> Callable[[Options, Line], Command]:
    """A reader for a command that shows something."""
    return lambda _options, _line: command


def _plain(command: Command) -> Callable[[Options, Line], Command]:
    """A reader for a command that does something and takes nothing behind its word.  Raises `NothingBehind`."""

    def read(options: Options, line: Line) -> Command:
        rest = options.behind(line.rest)
        if rest:
            raise NothingBehind(line.command, rest)
        return command

    return read


def _new_address(options: Options, line: Line) -> Command:
    """``NEW ADDRESS`` asks for a new secret one; with an address behind it that is the person's own new one."""
    return read_address(options, line) if "@" in line.rest else _plain(RotateAddress())(options, line)


READERS: dict[str, Callable[[Options, Line], Command]] = {
    "create": read_create,
    "signon": lambda options, line: SignOn(first_word("signon")(options, line)),
    "observe": watch_reader(SeatKind.FULL),
    "monitor": watch_reader(SeatKind.MONITOR),
    "standby": read_standby,
    "nostandby": _plain(StandBy(yes=False)),
    "confirm": read_confirm,
    "list": lambda _options, line: ListGames(line.rest.split()[0].lower() if line.rest.split() else ""),
    "help": lambda _options, line: Help(line.rest.strip().lower()),
    "version": _plain(Help("version")),
    "clear": read_clear,
    "wait": _plain(SetWait(True)),
    "nowait": _plain(SetWait(False)),
    "status": _look(ShowStatus()),
    "summary": _look(ShowSummary()),
    "history": read_history,
    "log": _look(ShowLog()),
    "who": _look(ShowSeats()),
    "settings": _look(ShowSettings()),
    "receipts": _look(ShowSubmissions()),
    "mygames": _look(ShowOwnGames()),
    "press": read_press_line,
    "broadcast": read_press_line,
    "postal": read_press_line,
    "official": read_press_line,
    "statement": read_press_line,
    "diary": read_press_line,
    "readdiary": _look(ReadDiary()),
    "forget": lambda _options, line: ReadDiary(number_reader("forget")(line)),
    "mute": mute_reader(True),
    "unmute": mute_reader(False),
    "draw": vote_reader(VoteKind.DRAW),
    "nodraw": vote_reader(VoteKind.DRAW, False),
    "concede": vote_reader(VoteKind.CONCEDE),
    "noconcede": vote_reader(VoteKind.CONCEDE, False),
    "rank": vote_reader(VoteKind.RANK),
    "norank": vote_reader(VoteKind.RANK, False),
    "newmaster": _plain(CastVote(VoteKind.MASTER)),
    "nonewmaster": _plain(CastVote(VoteKind.MASTER, (), False)),
    "absence": read_absence,
    "noabsence": read_no_absence,
    "preference": lambda options, line: SetPreference(options.wishes(line.rest)),
    "here": _plain(AnswerRoll()),
    "decline": _plain(DeclineOffer()),
    "ahead": _look(ShowAhead()),
    "clearahead": lambda options, line: ClearAhead(options.phase(line.rest)),
    "resign": _plain(Resign()),
    "address": _new_address,
    "newaddress": read_address,
    "export": _plain(ExportData()),
    "erase": _plain(EraseData()),
    "process": read_process,
    "deadline": read_deadline,
    "extend": read_extend,
    "start": _plain(StartGame()),
    "begin": read_begin,
    "unstart": _plain(Unstart()),
    "pause": read_pause,
    "resume": _plain(Resume()),
    "predict": _look(Predict()),
    "rollback": read_rollback,
    "rollforward": _plain(RollForward()),
    "eject": read_eject,
    "promote": lambda options, line: Promote(who_then_why(options, line, "promote")[0]),
    "handover": lambda options, line: HandOver(who_then_why(options, line, "handover")[0]),
    "takemaster": _plain(TakeMaster()),
    "approve": approve_reader(True),
    "refuse": approve_reader(False),
    "allow": lambda _options, line: JudgeAbsence(number_reader("allow")(line)),
    "strike": lambda _options, line: JudgeAbsence(number_reader("strike")(line), False),
    "disorder": disorder_reader(True),
    "back": disorder_reader(False),
    "edit": read_edit,
    "keeper": read_keeper,
    "set": read_set,
    "end": _plain(EndGame()),
}
"""What reads each command of `commands.toml`; the words that open and close blocks are read where a mail is cut into its parts."""

OPENERS = frozenset(
    {"game", "signon", "signoff", "endpress", "phase", "if", "elseif", "else", "endif", "check", "preview", "become", "master"}
)
"""Words of `commands.toml` that `READERS` leaves out."""
