"""What somebody must be told, and what became of each line; what every handler gives back."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import ClassVar, TypeAlias

from judge.board import Power
from judge.errors import PlayerError
from judge.game.model import AheadOrder, Bulletin, Ending, Game, PersonId, Stint, Turn
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


Fact: TypeAlias = str | int | datetime | timedelta | Phase | Order | tuple[str, ...]
"""A value in an answer or a piece of news; it is put into words by its name and kind."""


@dataclass(frozen=True, slots=True)
class Told(Answer):
    """What a command did, where a sentence with a few facts says all: ``answer.<what>`` is its sentence."""

    what: str
    facts: Mapping[str, Fact] = field(default_factory=dict)

    code: ClassVar[str] = "told"


@dataclass(frozen=True, slots=True)
class DryRun(Answer):
    """What would become of the orders as they stand (`guesses`: with others' orders as the asker guessed them); nothing was done."""

    code: ClassVar[str] = "dry_run"
    turn: Turn
    guesses: bool


@dataclass(frozen=True, slots=True)
class YearRow:
    """Who owned what at the end of a year (of the start, for the first row)."""

    year: int
    owners: Mapping[str, Power]
    counts: Mapping[Power, int]


@dataclass(frozen=True, slots=True)
class PowerRecord:
    """What one power's units did in the whole game."""

    power: Power
    ordered: int = 0
    moved: int = 0
    failed: int = 0
    supports: int = 0
    convoys: int = 0
    dislodged: int = 0
    built: int = 0
    removed: int = 0
    unordered: int = 0


@dataclass(frozen=True, slots=True)
class Summary:
    """A game by years: who owned what, what each power did, who played it from when to when."""

    rows: tuple[YearRow, ...]
    records: tuple[PowerRecord, ...]
    stints: tuple[Stint, ...]
    index: int
    """Sum of the squares of all centre counts, divided by the number of powers: high where few powers hold much."""


@dataclass(frozen=True, slots=True)
class SummaryShown(Answer):
    """The game by years follows in the letter."""

    code: ClassVar[str] = "summary_shown"
    summary: Summary


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One thing of the past as its reader may see it: a message, a closed phase, or a line of the log."""

    at: datetime
    press: "PressItem | None" = None
    sender: str = ""
    """Who a message is from, as the reader may know it ("" hidden)."""
    turn: Turn | None = None
    event: "Event | None" = None


@dataclass(frozen=True, slots=True)
class HistoryShown(Answer):
    """What happened follows in the letter; `left` so many older entries were left off."""

    code: ClassVar[str] = "history_shown"
    entries: tuple[HistoryEntry, ...]
    left: int = 0


@dataclass(frozen=True, slots=True)
class LogShown(Answer):
    """Who changed what, when and why, follows in the letter."""

    code: ClassVar[str] = "log_shown"
    events: tuple["Event", ...]


@dataclass(frozen=True, slots=True)
class SeatsShown(Answer):
    """Who plays what, as the reader may know it, follows in the letter."""

    code: ClassVar[str] = "seats_shown"


@dataclass(frozen=True, slots=True)
class SubmissionsShown(Answer):
    """The orders one has sent, mail by mail, follow in the letter."""

    code: ClassVar[str] = "submissions_shown"
    submissions: tuple["Submission", ...]


@dataclass(frozen=True, slots=True)
class DiaryShown(Answer):
    """One's own notes follow in the letter."""

    code: ClassVar[str] = "diary_shown"
    notes: tuple["PressItem", ...]


@dataclass(frozen=True, slots=True)
class SettingsShown(Answer):
    """Every setting of the game follows in the letter."""

    code: ClassVar[str] = "settings_shown"


@dataclass(frozen=True, slots=True)
class OwnGame:
    """One of a person's games at a glance."""

    name: str
    seat: str
    status: str
    phase: Phase
    deadline: datetime | None
    state: str


@dataclass(frozen=True, slots=True)
class OwnGamesShown(Answer):
    """All of the asker's games follow in the letter."""

    code: ClassVar[str] = "own_games_shown"
    games: tuple[OwnGame, ...]


@dataclass(frozen=True, slots=True)
class DataShown(Answer):
    """Everything kept about the asker follows in the letter: (what, value) pairs."""

    code: ClassVar[str] = "data_shown"
    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class AheadShown(Answer):
    """What is filed for later phases follows in the letter."""

    code: ClassVar[str] = "ahead_shown"
    orders: tuple[AheadOrder, ...]


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
    """Who is told: seat keys, whole groups without those of `but`, and people who have no seat (any longer)."""

    seats: tuple[str, ...] = ()
    players: bool = False
    masters: bool = False
    observers: bool = False
    but: tuple[str, ...] = ()
    people: tuple[PersonId, ...] = ()


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
    also: tuple[Bulletin, ...] = ()
    """What else has happened since the last result: seats left, taken, abandoned."""
    own: Mapping[str, tuple[Bulletin, ...]] = field(default_factory=dict)
    """What one reader alone is told with it, by seat: that reader's letter goes first."""
    untold: Mapping[str, tuple["Event", ...]] = field(default_factory=dict)
    """Lines of the log that a reader was not written about while the phase was open, by seat."""


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game is over; sent beside the last result.  `summary` is put in where the past turns are at hand."""

    ending: Ending
    audience: Audience = EVERYBODY
    summary: Summary | None = None


@dataclass(frozen=True, slots=True)
class News:
    """Something that a sentence with a few facts says: ``news.<code>`` the text, ``news.<code>.subject`` the subject.

    With `state` the letter also shows where the game stands for its reader.
    """

    code: str
    audience: Audience = EVERYBODY
    facts: Mapping[str, Fact] = field(default_factory=dict)
    state: bool = False


@dataclass(frozen=True, slots=True)
class MasterAsked:
    """Orders are missing and the master is to decide: what would become of the phase as it stands."""

    turn: Turn
    powers: tuple[Power, ...]
    audience: Audience = MASTERS


@dataclass(frozen=True, slots=True)
class AheadRead:
    """Orders filed ahead were taken up as their phase opened: what became of each."""

    audience: Audience
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class LastWords:
    """The statements of the players, and their diaries, once the time for them is over."""

    statements: Mapping[str, str]
    audience: Audience = EVERYBODY


@dataclass(frozen=True, slots=True)
class PressArrived:
    """A message for these readers.  `sender` is "" where the game hides it; `to` empty means everybody."""

    audience: Audience
    sender: str
    to: tuple[str, ...]
    text: str
    number: int
    kind: str = ""
    """"official" for a master's word to all, "postal" for a message kept until the results."""


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
    reason: str = ""
    """The master's own words."""


@dataclass(frozen=True, slots=True)
class GamePaused:
    """The clock stands; `reason` is the master's, if one was given."""

    by: str
    audience: Audience = EVERYBODY
    reason: str = ""


@dataclass(frozen=True, slots=True)
class GameResumed:
    """The clock runs again; the phase ends at `at`."""

    by: str
    at: datetime
    audience: Audience = EVERYBODY


@dataclass(frozen=True, slots=True)
class SettingChanged:
    """A setting was changed, announced to all; `more` are others that were changed with it, as (setting, value)."""

    key: str
    value: str
    by: str
    audience: Audience = EVERYBODY
    more: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class DigestMade:
    """What somebody who wished for one letter a day has not been told yet."""

    audience: Audience
    entries: tuple[HistoryEntry, ...]


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
    | News
    | MasterAsked
    | AheadRead
    | LastWords
    | DigestMade
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
    """One message as it is kept: from which seat, to whom (empty: everybody), whether the sender was hidden.

    `shown` is the seat a faked message claims to be from ("" it is not faked); `kind` is "" for a message, "official", "postal", or
    "diary" for a note to oneself.
    """

    number: int
    sender: str
    to: tuple[str, ...]
    text: str
    at: datetime
    hidden: bool = False
    shown: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Tally:
    """How one person did in one phase that was closed: "in", "late" (in after the deadline), "missed" or "abandoned"."""

    person: PersonId
    what: str


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
    withdrawn: tuple[int, ...] = ()
    """Numbers of turns that were taken back."""
    restored: tuple[int, ...] = ()
    """Numbers of turns that count again."""
    tallies: tuple[Tally, ...] = ()
