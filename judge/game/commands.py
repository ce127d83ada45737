"""What can be asked of the judge: one class for each command, and the table that says who may ask it and what it takes."""

from dataclasses import dataclass
from datetime import datetime, time, timedelta
from enum import Enum, StrEnum
from typing import TypeAlias

from judge.board import Power
from judge.rules import Order, Phase

# ---- before the judge, outside any game


@dataclass(frozen=True, slots=True)
class CreateGame:
    """Open a new game; `options` are (setting, value) pairs as written."""

    name: str
    variant: str = "standard"
    options: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class SignOn:
    """Take a seat; `power` "" means any."""

    game: str
    power: Power = ""


@dataclass(frozen=True, slots=True)
class Observe:
    """Watch a game."""

    game: str


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
    """A message; `to` holds powers and ``MASTER``, and is empty for everybody."""

    to: tuple[str, ...]
    text: str


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
    """Move this phase's deadline."""

    when: When


@dataclass(frozen=True, slots=True)
class StartGame:
    """Begin although seats are open."""


@dataclass(frozen=True, slots=True)
class Pause:
    """Stop the clock."""


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


Command: TypeAlias = (
    CreateGame
    | SignOn
    | Observe
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
    | StartGame
    | Pause
    | Resume
    | SetSetting
    | EndGame
)


class Who(StrEnum):
    """Who may give a command."""

    ANYONE = "anyone"
    SEATED = "seated"
    PLAYER = "player"
    MASTER = "master"


class Proof(Enum):
    """What a command takes: nothing, a proof of identity, or that and a confirmation round trip (design: levels 0 to 2)."""

    NONE = 0
    ONE = 1
    ROUND_TRIP = 2
    CODE = 3
    """The first contact of somebody unknown: a code to the address, unless an identity is proven already."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One row of the table: the command's word in words files and help, who may give it, what proof it takes, its scope."""

    word: str
    who: Who
    proof: Proof
    in_game: bool


COMMANDS: dict[type, Rule] = {
    CreateGame: Rule("create", Who.ANYONE, Proof.CODE, in_game=False),
    SignOn: Rule("signon", Who.ANYONE, Proof.CODE, in_game=False),
    Observe: Rule("observe", Who.ANYONE, Proof.CODE, in_game=False),
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
    StartGame: Rule("start", Who.MASTER, Proof.ROUND_TRIP, in_game=True),
    Pause: Rule("pause", Who.MASTER, Proof.ROUND_TRIP, in_game=True),
    Resume: Rule("resume", Who.MASTER, Proof.ROUND_TRIP, in_game=True),
    SetSetting: Rule("setting", Who.MASTER, Proof.ROUND_TRIP, in_game=True),
    EndGame: Rule("end", Who.MASTER, Proof.ROUND_TRIP, in_game=True),
}
