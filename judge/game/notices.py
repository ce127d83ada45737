"""What somebody must be told, and what became of each line; what every handler gives back."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import ClassVar, TypeAlias

from judge.board import Power
from judge.errors import PlayerError
from judge.game.model import Ending, Game, Turn
from judge.rules import Order, Phase

# ---- answers: one for each line of a mail, told to its sender alone


class Answer:
    """What became of one line that was understood; `code` names its sentence."""

    code: ClassVar[str] = ""


@dataclass(frozen=True, slots=True)
class Filed(Answer):
    """An order is on file; `replaced` is the one it took the place of."""

    code: ClassVar[str] = "filed"
    order: Order
    replaced: Order | None = None


@dataclass(frozen=True, slots=True)
class Cleared(Answer):
    """So many orders were taken off file."""

    code: ClassVar[str] = "cleared"
    count: int


@dataclass(frozen=True, slots=True)
class WaitSet(Answer):
    """The phase will (or will no longer) wait for its deadline."""

    code: ClassVar[str] = "wait_set"
    wait: bool


@dataclass(frozen=True, slots=True)
class PressSent(Answer):
    """The message went to these (empty: everybody)."""

    code: ClassVar[str] = "press_sent"
    to: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class CodeSent(Answer):
    """A code was sent to `address`; the line takes effect when it comes back."""

    code: ClassVar[str] = "code_sent"
    line: str
    address: str
    until: datetime


@dataclass(frozen=True, slots=True)
class Confirmed(Answer):
    """The code was right; `line` is carried out now."""

    code: ClassVar[str] = "confirmed"
    line: str


@dataclass(frozen=True, slots=True)
class Created(Answer):
    """A game was opened."""

    code: ClassVar[str] = "created"
    name: str


@dataclass(frozen=True, slots=True)
class Seated(Answer):
    """The sender now has this seat (a power, or ``OBSERVER-1``) in the game."""

    code: ClassVar[str] = "seated"
    name: str
    seat: str


@dataclass(frozen=True, slots=True)
class Resigned(Answer):
    """The sender's seat is open now."""

    code: ClassVar[str] = "resigned"
    seat: str


@dataclass(frozen=True, slots=True)
class AddressRotated(Answer):
    """The secret reply address was changed; this very letter carries the new one."""

    code: ClassVar[str] = "address_rotated"
    seat: str


@dataclass(frozen=True, slots=True)
class DeadlineSet(Answer):
    """The phase now ends then."""

    code: ClassVar[str] = "deadline_set"
    at: datetime


@dataclass(frozen=True, slots=True)
class Processed(Answer):
    """The phase was closed on the master's word."""

    code: ClassVar[str] = "processed"
    phase: Phase


@dataclass(frozen=True, slots=True)
class ClockPaused(Answer):
    """The game is paused."""

    code: ClassVar[str] = "clock_paused"


@dataclass(frozen=True, slots=True)
class ClockResumed(Answer):
    """The game goes on; the phase ends then."""

    code: ClassVar[str] = "clock_resumed"
    at: datetime


@dataclass(frozen=True, slots=True)
class SettingSet(Answer):
    """A setting of the game, or a wish of the person, has a new value."""

    code: ClassVar[str] = "setting_set"
    key: str
    value: str


@dataclass(frozen=True, slots=True)
class Started(Answer):
    """The game began."""

    code: ClassVar[str] = "started"


@dataclass(frozen=True, slots=True)
class Stopped(Answer):
    """The game was ended without a winner."""

    code: ClassVar[str] = "stopped"


@dataclass(frozen=True, slots=True)
class StatusAsked(Answer):
    """The state of the game follows in the letter."""

    code: ClassVar[str] = "status_asked"


@dataclass(frozen=True, slots=True)
class GameRow:
    """One line of the list of games."""

    name: str
    variant: str
    status: str
    phase: Phase
    deadline: datetime | None
    free: int
    powers: int
    title: str = ""


@dataclass(frozen=True, slots=True)
class GamesListed(Answer):
    """The list of games follows in the letter."""

    code: ClassVar[str] = "games_listed"
    games: tuple[GameRow, ...]


@dataclass(frozen=True, slots=True)
class HelpGiven(Answer):
    """A help page follows in the letter."""

    code: ClassVar[str] = "help_given"
    topic: str


@dataclass(frozen=True, slots=True)
class PressNotClosed:
    """Remark: the message went on to the end of the mail, for no end word closed it."""

    code: ClassVar[str] = "press_not_closed"


@dataclass(frozen=True, slots=True)
class Item:
    """One line of the mail as the transcript shows it: the text, what became of it, remarks.

    `remarks` are what was repaired or should be looked at (values of `judge.language` with codes).
    """

    line: str
    outcomes: tuple[Answer | PlayerError, ...]
    remarks: tuple[object, ...] = ()


# ---- notices: for others than the sender, or for everybody


@dataclass(frozen=True, slots=True)
class Audience:
    """Who is told: seat keys, and whole groups."""

    seats: tuple[str, ...] = ()
    players: bool = False
    masters: bool = False
    observers: bool = False


EVERYBODY = Audience(players=True, masters=True, observers=True)
MASTERS = Audience(masters=True)


@dataclass(frozen=True, slots=True)
class ConfirmPlease:
    """A command of this seat takes effect when `code` comes back from the registered address before `until`."""

    audience: Audience
    code: str
    line: str
    until: datetime


@dataclass(frozen=True, slots=True)
class GameOpened:
    """A master has a new game: how to invite people, how to run it."""

    audience: Audience


@dataclass(frozen=True, slots=True)
class SeatGiven:
    """Somebody has a seat now: told to that person (welcome, secret address) and to the masters."""

    audience: Audience
    seat: str
    free: int


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """A seat is open (again)."""

    audience: Audience
    seat: str


@dataclass(frozen=True, slots=True)
class GameBegan:
    """All seats are taken, or the master began: the first phase is open."""

    audience: Audience = EVERYBODY


@dataclass(frozen=True, slots=True)
class TurnClosed:
    """A phase was closed (several, if later ones had nothing to order); the next one is open, or the game is over.

    `reason` is "deadline", "all_in" or "master".
    """

    turns: tuple[Turn, ...]
    reason: str
    audience: Audience = EVERYBODY


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game is over; sent beside the last result."""

    ending: Ending
    audience: Audience = EVERYBODY


@dataclass(frozen=True, slots=True)
class PressArrived:
    """A message for these readers.  `sender` is "" where the game hides it; `to` empty means everybody."""

    audience: Audience
    sender: str
    to: tuple[str, ...]
    text: str
    number: int


@dataclass(frozen=True, slots=True)
class ReminderDue:
    """Orders are missing and the deadline comes near: only to those who owe them."""

    audience: Audience
    left: timedelta


@dataclass(frozen=True, slots=True)
class OrdersMissing:
    """The deadline has passed and the game waits for these powers (policy WAIT)."""

    powers: tuple[Power, ...]
    audience: Audience = EVERYBODY


@dataclass(frozen=True, slots=True)
class DeadlineMoved:
    """The deadline of the open phase was changed: from, to, by whose seat ("" the judge itself), why (a code)."""

    before: datetime | None
    at: datetime
    by: str
    why: str
    audience: Audience = EVERYBODY


@dataclass(frozen=True, slots=True)
class GamePaused:
    """The clock stands."""

    by: str
    audience: Audience = EVERYBODY


@dataclass(frozen=True, slots=True)
class GameResumed:
    """The clock runs again; the phase ends at `at`."""

    by: str
    at: datetime
    audience: Audience = EVERYBODY


@dataclass(frozen=True, slots=True)
class SettingChanged:
    """A setting was changed, announced to all."""

    key: str
    value: str
    by: str
    audience: Audience = EVERYBODY


Notice: TypeAlias = (
    ConfirmPlease
    | GameOpened
    | SeatGiven
    | SeatLeft
    | GameBegan
    | TurnClosed
    | GameEnded
    | PressArrived
    | ReminderDue
    | OrdersMissing
    | DeadlineMoved
    | GamePaused
    | GameResumed
    | SettingChanged
)


@dataclass(frozen=True, slots=True)
class Event:
    """One line of the game's log: who did what, when, why; `what` is a code, `facts` its values as text."""

    at: datetime
    who: str
    what: str
    facts: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class PressItem:
    """One message as it is kept: from which seat, to whom (empty: everybody), whether the sender was hidden."""

    number: int
    sender: str
    to: tuple[str, ...]
    text: str
    at: datetime
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Submission:
    """Orders as one mail filed them, kept as evidence."""

    phase: Phase
    power: Power
    mail: int
    at: datetime
    orders: tuple[Order, ...]


@dataclass(frozen=True, slots=True)
class Transition:
    """What a command or a deadline did: the game after it, what to answer, whom to tell, what to keep for ever."""

    game: Game
    answers: tuple[Answer, ...] = ()
    notices: tuple[Notice, ...] = ()
    turns: tuple[Turn, ...] = ()
    press: tuple[PressItem, ...] = ()
    submissions: tuple[Submission, ...] = ()
    events: tuple[Event, ...] = ()
