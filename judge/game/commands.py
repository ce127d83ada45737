"""What can be asked of the judge: one class for each command, and the table that says who may ask it and what it takes."""

from dataclasses import dataclass
from datetime import datetime, time, timedelta
from enum import Enum, StrEnum
from typing import TypeAlias

from judge.board import Power
from judge.game.model import AheadOrder, SeatKind, VoteKind
from judge.rules import Order, Phase, Unit

# ---- before the judge, outside any game


@dataclass(frozen=True, slots=True)
class CreateGame:
    """Open a new game; `options` are (setting, value) pairs as written."""

    name: str
    variant: str = "standard"
    options: tuple[tuple[str, str], ...] = ()
    words: tuple[str, ...] = ()
    """Words that are no settings: the name of a variant, or an old judge's password."""


@dataclass(frozen=True, slots=True)
class SignOn:
    """Take a seat; `power` "" means any.  `wishes` is a preference list, `word` the invitation to a private game."""

    game: str
    power: Power = ""
    wishes: tuple[tuple[Power, ...], ...] = ()
    word: str = ""
    password: str = ""
    """Hash of an old-style password, where the site allows them."""


@dataclass(frozen=True, slots=True)
class Observe:
    """Watch a game, as the kind of seat says."""

    game: str
    kind: SeatKind = SeatKind.FULL


@dataclass(frozen=True, slots=True)
class StandBy:
    """Be asked when a seat falls open in any game, or (`yes` False) no longer; empty limits: any.

    `variants`, `languages` and `press` are as written; `games` is in how many games at a time one wants to play at most, 0 any number.
    """

    variants: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    press: tuple[str, ...] = ()
    games: int = 0
    yes: bool = True


@dataclass(frozen=True, slots=True)
class Confirm:
    """Send back a code."""

    code: str


@dataclass(frozen=True, slots=True)
class ListGames:
    """All listed games, or one in full."""

    game: str = ""


@dataclass(frozen=True, slots=True)
class Help:
    """A help page."""

    topic: str = ""


@dataclass(frozen=True, slots=True)
class SetWish:
    """A person's own setting: language, zone, notation, pictures, name."""

    key: str
    value: str


# ---- in a game


@dataclass(frozen=True, slots=True)
class FileOrders:
    """Put orders on file for the phase that is open, for the actor's power or, from a master, for `power`."""

    orders: tuple[Order, ...]
    power: Power = ""


@dataclass(frozen=True, slots=True)
class ClearOrders:
    """Take orders off file: all of them, or those of the units in `places`."""

    places: tuple[str, ...] = ()
    power: Power = ""


@dataclass(frozen=True, slots=True)
class SetWait:
    """Ask that the phase is not closed before its deadline, or no longer ask it."""

    wait: bool


@dataclass(frozen=True, slots=True)
class ShowStatus:
    """Where the game stands, with the asker's own orders."""


@dataclass(frozen=True, slots=True)
class SendPress:
    """A message; `to` holds powers, ``MASTER`` and ``OBSERVERS``, and is empty for everybody.

    `colour` is "", "white" or "grey"; `fake` the power it shall seem to come from ("" none); `postal`: not before the next result.
    """

    to: tuple[str, ...]
    text: str
    colour: str = ""
    fake: Power = ""
    postal: bool = False


@dataclass(frozen=True, slots=True)
class Resign:
    """Give up one's seat."""


@dataclass(frozen=True, slots=True)
class RotateAddress:
    """Get a new secret reply address; the old one stops working."""


# ---- for masters


@dataclass(frozen=True, slots=True)
class When:
    """A moment as people write it: an absolute day, a weekday, or a span from the present deadline.

    `day` is a naive date-time at midnight, `weekday` 0 is Monday; `at` the time of day; `zone` "" means the game's.
    """

    span: timedelta | None = None
    day: datetime | None = None
    weekday: int | None = None
    at: time | None = None
    zone: str = ""


@dataclass(frozen=True, slots=True)
class ProcessNow:
    """Close the phase now; `phase` is a guard: nothing happens if another phase is open."""

    phase: Phase | None = None


@dataclass(frozen=True, slots=True)
class SetDeadline:
    """Move this phase's deadline; the reason, if there is one, is told to all."""

    when: When
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SetGrace:
    """Set for once when this phase's grace ends: a moment after its deadline; the reason, if there is one, is told to all."""

    when: When
    reason: str = ""


@dataclass(frozen=True, slots=True)
class StartGame:
    """Begin although seats are open."""


@dataclass(frozen=True, slots=True)
class Pause:
    """Stop the clock; the reason, if there is one, is told to all."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class Resume:
    """Start the clock again, with the time that was left."""


@dataclass(frozen=True, slots=True)
class SetSetting:
    """Change one setting of the game."""

    key: str
    value: str


@dataclass(frozen=True, slots=True)
class EndGame:
    """Stop the game without a winner."""


# ---- looking


@dataclass(frozen=True, slots=True)
class ShowSummary:
    """The game by years: centres, players, counts."""


@dataclass(frozen=True, slots=True)
class ShowHistory:
    """Messages and results as far as the asker may see them: between two moments, the last `most`, only messages to all if `broad`."""

    first: "When | None" = None
    last: "When | None" = None
    most: int = 40
    broad: bool = False


@dataclass(frozen=True, slots=True)
class ShowLog:
    """Who changed what in the game, when and why."""


@dataclass(frozen=True, slots=True)
class ShowSeats:
    """Who plays what."""


@dataclass(frozen=True, slots=True)
class ShowSettings:
    """Every setting of the game."""


@dataclass(frozen=True, slots=True)
class ShowSubmissions:
    """One's own orders as they were sent, mail by mail, with receipts."""


@dataclass(frozen=True, slots=True)
class ShowOwnGames:
    """All of one's games at a glance."""


@dataclass(frozen=True, slots=True)
class ExportData:
    """Everything the judge keeps about the asker."""


@dataclass(frozen=True, slots=True)
class SetAddress:
    """Another address of one's own, to which letters go from now on; a code is sent there first."""

    address: str


@dataclass(frozen=True, slots=True)
class EraseData:
    """Forget the asker: leave every seat, take name and addresses away."""


@dataclass(frozen=True, slots=True)
class Keep:
    """A command of the keeper of the installation: "ban", "unban", "bans", "master" (a game, an address)."""

    what: str
    words: tuple[str, ...] = ()


# ---- of players


@dataclass(frozen=True, slots=True)
class CastVote:
    """A vote; `yes` False takes it back.  `powers` are those who share a draw, win, or take places, as `kind` has it."""

    kind: VoteKind
    powers: tuple[Power, ...] = ()
    yes: bool = True


@dataclass(frozen=True, slots=True)
class AskAbsence:
    """A time in which no deadline shall be set; `last` None means the one day."""

    first: "When"
    last: "When | None" = None


@dataclass(frozen=True, slots=True)
class DropAbsence:
    """Take back one's own absence of that number; 0 means all."""

    number: int = 0


@dataclass(frozen=True, slots=True)
class WriteDiary:
    """A private note."""

    text: str


@dataclass(frozen=True, slots=True)
class ReadDiary:
    """One's notes, or take one of them out."""

    delete: int = 0


@dataclass(frozen=True, slots=True)
class Mute:
    """Get no more messages from these seats (or again); nobody named: from all."""

    who: tuple[str, ...]
    mute: bool = True


@dataclass(frozen=True, slots=True)
class SetPreference:
    """Powers wished for, the best first; those of one group are as welcome as each other."""

    groups: tuple[tuple[Power, ...], ...]


@dataclass(frozen=True, slots=True)
class AnswerRoll:
    """I am here: the answer to the roll call."""


@dataclass(frozen=True, slots=True)
class MakeStatement:
    """Last words on a game that is over."""

    text: str


@dataclass(frozen=True, slots=True)
class DeclineOffer:
    """Leave an offered seat to the next in the queue."""


@dataclass(frozen=True, slots=True)
class FileAhead:
    """Orders for a later phase, each with the conditions under which it counts."""

    orders: tuple[AheadOrder, ...]
    power: Power = ""


@dataclass(frozen=True, slots=True)
class ClearAhead:
    """Take off what is filed for later phases, or for one of them."""

    phase: Phase | None = None


@dataclass(frozen=True, slots=True)
class ShowAhead:
    """What is filed for later phases."""


# ---- of masters


@dataclass(frozen=True, slots=True)
class Predict:
    """What would become of all orders as they stand."""


@dataclass(frozen=True, slots=True)
class RollBack:
    """Go back to the beginning of a closed phase: the named one, or so many phases."""

    phase: Phase | None = None
    count: int = 1


@dataclass(frozen=True, slots=True)
class RollForward:
    """Undo the last rollback."""


@dataclass(frozen=True, slots=True)
class Unstart:
    """Back to forming, before the first phase has closed."""


@dataclass(frozen=True, slots=True)
class Eject:
    """Take a seat from somebody: a power, a seat key, or an address; `why` is told."""

    who: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Promote:
    """Make an observer a master too."""

    who: str


@dataclass(frozen=True, slots=True)
class HandOver:
    """Make an observer the master in one's own place."""

    who: str


@dataclass(frozen=True, slots=True)
class TakeMaster:
    """Become the master of a game that has none."""


@dataclass(frozen=True, slots=True)
class Approve:
    """Let a player of an approval game order, or take the seat away again."""

    power: Power
    yes: bool = True


@dataclass(frozen=True, slots=True)
class JudgeAbsence:
    """Approve an absence, or strike it out."""

    number: int
    yes: bool = True


@dataclass(frozen=True, slots=True)
class SetDisorder:
    """Put a power into civil disorder, or take it out."""

    power: Power
    civil: bool = True


@dataclass(frozen=True, slots=True)
class EditBoard:
    """Put units and owners right: (power, unit) to set or to take away, (power or "", centre) to give; the reason is told to all."""

    add: tuple[tuple[Power, Unit], ...] = ()
    remove: tuple[tuple[Power, Unit], ...] = ()
    owners: tuple[tuple[Power, str], ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True)
class SetStart:
    """The game does not begin before then."""

    when: "When"


@dataclass(frozen=True, slots=True)
class SayOfficially:
    """A master's word to everybody, in a letter of its own kind."""

    text: str


Command: TypeAlias = (
    CreateGame
    | SignOn
    | Observe
    | StandBy
    | Confirm
    | ListGames
    | Help
    | SetWish
    | FileOrders
    | ClearOrders
    | SetWait
    | ShowStatus
    | SendPress
    | Resign
    | RotateAddress
    | ProcessNow
    | SetDeadline
    | SetGrace
    | StartGame
    | Pause
    | Resume
    | SetSetting
    | EndGame
    | ShowSummary
    | ShowHistory
    | ShowLog
    | ShowSeats
    | ShowSettings
    | ShowSubmissions
    | ShowOwnGames
    | ExportData
    | EraseData
    | SetAddress
    | Keep
    | CastVote
    | AskAbsence
    | DropAbsence
    | WriteDiary
    | ReadDiary
    | Mute
    | SetPreference
    | AnswerRoll
    | MakeStatement
    | DeclineOffer
    | FileAhead
    | ClearAhead
    | ShowAhead
    | Predict
    | RollBack
    | RollForward
    | Unstart
    | Eject
    | Promote
    | HandOver
    | TakeMaster
    | Approve
    | JudgeAbsence
    | SetDisorder
    | EditBoard
    | SetStart
    | SayOfficially
)


class Who(StrEnum):
    """Who may give a command."""

    ANYONE = "anyone"
    SEATED = "seated"
    PLAYER = "player"
    MASTER = "master"
    KEEPER = "keeper"


class Proof(Enum):
    """What a command takes: nothing, a proof of identity, or that and a confirmation round trip (design: levels 0 to 2)."""

    NONE = 0
    ONE = 1
    ROUND_TRIP = 2
    CODE = 3
    """The first contact of somebody unknown: a code to the address, unless an identity is proven already."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One row of the table: the command's word in words files and help, who may give it, what proof it takes, its scope.

    `needs` names what the shell must fetch of the past before the command can be carried out: "turns", "press", "events",
    "submissions".
    """

    word: str
    who: Who
    proof: Proof
    in_game: bool
    needs: tuple[str, ...] = ()


COMMANDS: dict[type, Rule] = {
    CreateGame: Rule("create", Who.ANYONE, Proof.CODE, in_game=False),
    SignOn: Rule("signon", Who.ANYONE, Proof.CODE, in_game=False),
    Observe: Rule("observe", Who.ANYONE, Proof.CODE, in_game=False),
    StandBy: Rule("standby", Who.ANYONE, Proof.CODE, in_game=False),
    Confirm: Rule("confirm", Who.ANYONE, Proof.NONE, in_game=False),
    ListGames: Rule("list", Who.ANYONE, Proof.NONE, in_game=False),
    Help: Rule("help", Who.ANYONE, Proof.NONE, in_game=False),
    SetWish: Rule("set", Who.SEATED, Proof.ONE, in_game=False),
    FileOrders: Rule("orders", Who.PLAYER, Proof.ONE, in_game=True),
    ClearOrders: Rule("clear", Who.PLAYER, Proof.ONE, in_game=True),
    SetWait: Rule("wait", Who.PLAYER, Proof.ONE, in_game=True),
    ShowStatus: Rule("status", Who.SEATED, Proof.ONE, in_game=True),
    SendPress: Rule("press", Who.SEATED, Proof.ONE, in_game=True),
    Resign: Rule("resign", Who.SEATED, Proof.ROUND_TRIP, in_game=True),
    RotateAddress: Rule("address", Who.SEATED, Proof.ONE, in_game=True),
    ProcessNow: Rule("process", Who.MASTER, Proof.ROUND_TRIP, in_game=True),
    SetDeadline: Rule("deadline", Who.MASTER, Proof.ROUND_TRIP, in_game=True),
    SetGrace: Rule("setting", Who.MASTER, Proof.ROUND_TRIP, in_game=True),
    StartGame: Rule("start", Who.MASTER, Proof.ROUND_TRIP, in_game=True),
    Pause: Rule("pause", Who.MASTER, Proof.ROUND_TRIP, in_game=True),
    Resume: Rule("resume", Who.MASTER, Proof.ROUND_TRIP, in_game=True),
    SetSetting: Rule("setting", Who.MASTER, Proof.ROUND_TRIP, in_game=True),
    EndGame: Rule("end", Who.MASTER, Proof.ROUND_TRIP, in_game=True),
    ShowSummary: Rule("summary", Who.ANYONE, Proof.NONE, in_game=True, needs=("turns",)),
    ShowHistory: Rule("history", Who.SEATED, Proof.ONE, in_game=True, needs=("turns", "press", "events")),
    ShowLog: Rule("log", Who.SEATED, Proof.ONE, in_game=True, needs=("events",)),
    ShowSeats: Rule("who", Who.ANYONE, Proof.NONE, in_game=True),
    ShowSettings: Rule("settings", Who.SEATED, Proof.ONE, in_game=True),
    ShowSubmissions: Rule("receipts", Who.PLAYER, Proof.ONE, in_game=True, needs=("submissions",)),
    ShowOwnGames: Rule("mygames", Who.ANYONE, Proof.ONE, in_game=False),
    ExportData: Rule("export", Who.ANYONE, Proof.ONE, in_game=False),
    EraseData: Rule("erase", Who.ANYONE, Proof.CODE, in_game=False),
    SetAddress: Rule("newaddress", Who.ANYONE, Proof.ONE, in_game=False),
    Keep: Rule("keeper", Who.KEEPER, Proof.CODE, in_game=False),
    CastVote: Rule("vote", Who.PLAYER, Proof.ONE, in_game=True),
    AskAbsence: Rule("absence", Who.SEATED, Proof.ONE, in_game=True),
    DropAbsence: Rule("noabsence", Who.SEATED, Proof.ONE, in_game=True),
    WriteDiary: Rule("diary", Who.PLAYER, Proof.ONE, in_game=True),
    ReadDiary: Rule("readdiary", Who.PLAYER, Proof.ONE, in_game=True, needs=("press",)),
    Mute: Rule("mute", Who.SEATED, Proof.ONE, in_game=True),
    SetPreference: Rule("preference", Who.PLAYER, Proof.ONE, in_game=True),
    AnswerRoll: Rule("here", Who.PLAYER, Proof.ONE, in_game=True),
    MakeStatement: Rule("statement", Who.PLAYER, Proof.ONE, in_game=True),
    DeclineOffer: Rule("decline", Who.SEATED, Proof.ONE, in_game=True),
    FileAhead: Rule("phase", Who.PLAYER, Proof.ONE, in_game=True),
    ClearAhead: Rule("clearahead", Who.PLAYER, Proof.ONE, in_game=True),
    ShowAhead: Rule("ahead", Who.PLAYER, Proof.ONE, in_game=True),
    Predict: Rule("predict", Who.MASTER, Proof.ONE, in_game=True),
    RollBack: Rule("rollback", Who.MASTER, Proof.ROUND_TRIP, in_game=True, needs=("turns",)),
    RollForward: Rule("rollforward", Who.MASTER, Proof.ROUND_TRIP, in_game=True, needs=("turns", "withdrawn")),
    Unstart: Rule("unstart", Who.MASTER, Proof.ROUND_TRIP, in_game=True),
    Eject: Rule("eject", Who.MASTER, Proof.ROUND_TRIP, in_game=True),
    Promote: Rule("promote", Who.MASTER, Proof.ROUND_TRIP, in_game=True),
    HandOver: Rule("handover", Who.MASTER, Proof.ROUND_TRIP, in_game=True),
    TakeMaster: Rule("takemaster", Who.SEATED, Proof.ROUND_TRIP, in_game=True),
    Approve: Rule("approve", Who.MASTER, Proof.ROUND_TRIP, in_game=True),
    JudgeAbsence: Rule("allow", Who.MASTER, Proof.ONE, in_game=True),
    SetDisorder: Rule("disorder", Who.MASTER, Proof.ROUND_TRIP, in_game=True),
    EditBoard: Rule("edit", Who.MASTER, Proof.ROUND_TRIP, in_game=True),
    SetStart: Rule("begin", Who.MASTER, Proof.ROUND_TRIP, in_game=True),
    SayOfficially: Rule("official", Who.MASTER, Proof.ONE, in_game=True),
}


def word_of(command: object) -> str:
    """The word of `commands.toml` with which just this is asked for, where one class stands for several; ``orders`` for orders.

    >>> word_of(CastVote(VoteKind.DRAW, yes=False)), word_of(SetSetting("title", "Danube")), word_of(Pause())
    ('nodraw', 'set', 'pause')
    """
    match command:
        case CastVote(kind, _, yes):
            vote = "newmaster" if kind is VoteKind.MASTER else str(kind)
            return vote if yes else f"no{vote}"
        case SetSetting() | SetGrace():
            return "set"
        case SetWait(wait):
            return "wait" if wait else "nowait"
        case Mute(_, mute):
            return "mute" if mute else "unmute"
        case Approve(_, yes):
            return "approve" if yes else "refuse"
        case JudgeAbsence(_, yes):
            return "allow" if yes else "strike"
        case SetDisorder(_, civil):
            return "disorder" if civil else "back"
        case _:
            return COMMANDS[type(command)].word
