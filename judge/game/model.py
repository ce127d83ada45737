"""The game as one frozen value: settings, seats, the current phase with its orders, and the heads of its history."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from enum import StrEnum

from judge.board import Power
from judge.rules import Adjudication, Order, Phase, Position, Step

PersonId = int
"""Number of a human in the person table; a game never holds names or addresses."""


class Status(StrEnum):
    """Where a game is in its life."""

    FORMING = "forming"
    RUNNING = "running"
    PAUSED = "paused"
    FINISHED = "finished"


class PressRule(StrEnum):
    """Who may write to whom while the game runs."""

    WHITE = "white"  # partial press, sender shown
    GREY = "grey"  # partial press, sender hidden
    PUBLIC = "public"  # to everybody only, sender shown
    NONE = "none"


class Nmr(StrEnum):
    """What happens at a deadline to a power whose orders are missing."""

    HOLD = "hold"  # the phase closes; units hold, disband, or are removed by rule
    WAIT = "wait"  # the phase stays open until the orders come or the master acts


class Assignment(StrEnum):
    """How powers are given to the people who sign on."""

    CHOICE = "choice"
    LOT = "lot"


@dataclass(frozen=True, slots=True)
class Timing:
    """When phases end: lengths by step, an optional time of day and allowed weekdays (0 = Monday), in the game's zone.

    A deadline is the moment of closing plus the length, moved on to the next `at` on an allowed day.
    `delay` is how long the judge waits after the last orders before it closes a phase early; `reminders` are spans before the deadline.
    """

    movement: timedelta = timedelta(hours=72)
    retreat: timedelta = timedelta(hours=24)
    adjustment: timedelta = timedelta(hours=24)
    grace: timedelta = timedelta(0)
    delay: timedelta = timedelta(0)
    at: time | None = None
    days: frozenset[int] = frozenset(range(7))
    reminders: tuple[timedelta, ...] = (timedelta(hours=24), timedelta(hours=6))

    def length(self, step: Step) -> timedelta:
        """How long a phase of this step lasts."""
        return {Step.MOVEMENT: self.movement, Step.RETREAT: self.retreat, Step.ADJUSTMENT: self.adjustment}[step]


@dataclass(frozen=True, slots=True)
class Settings:
    """What was agreed for one game at its creation, or set by its master since."""

    title: str = ""
    zone: str = "UTC"
    language: str = "en"
    timing: Timing = Timing()
    press: PressRule = PressRule.WHITE
    nmr: Nmr = Nmr.HOLD
    assignment: Assignment = Assignment.CHOICE
    early: bool = True
    """Whether a phase closes before its deadline once every order is in and nobody waits."""
    gunboat: bool = False
    """Nobody but the master learns who plays what before the end."""
    listed: bool = True


@dataclass(frozen=True, slots=True)
class Seat:
    """The chair that joins a person to a part in one game.

    `key` is the power's id, ``MASTER``, ``MASTER-2`` or ``OBSERVER-n``; `epoch` rises whenever its secret reply address is changed.
    """

    key: str
    person: PersonId | None = None
    epoch: int = 1
    since: datetime | None = None
    password: str = ""
    """Hash of an old-style password, empty unless the site allows them and one was set."""


@dataclass(frozen=True, slots=True)
class FiledOrder:
    """One order on file: when its mail arrived and the mail's inbox number, so that an older one never replaces a newer one."""

    order: Order
    at: datetime
    mail: int


@dataclass(frozen=True, slots=True)
class Deadline:
    """When the phase ends: the announced instant (UTC), and why it is this one (a code of `deadlines`)."""

    at: datetime
    why: str = "rule"


@dataclass(frozen=True, slots=True)
class Pending:
    """A command that waits for its confirmation: the exact line, who asked, the code, until when, and the phase it was meant for."""

    code: str
    seat: str
    line: str
    until: datetime
    phase: Phase


class EndKind(StrEnum):
    """How a game ended."""

    WON = "won"
    DRAWN = "drawn"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class Ending:
    """The result of a finished game: how, for which powers, when."""

    kind: EndKind
    powers: tuple[Power, ...]
    at: datetime


@dataclass(frozen=True, slots=True)
class Turn:
    """One closed phase: the position as it began, what was ordered, and what became of it.

    `given` are the orders as used; `withdrawn` turns were rolled back and stay for the record.
    """

    number: int
    phase: Phase
    before: Position
    given: Mapping[Power, tuple[Order, ...]]
    adjudication: Adjudication
    closed_at: datetime
    withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class Game:
    """One game.  Past turns, press, submissions and events are rows of their own, fetched when a command needs them.

    `orders` are those on file for the current phase, by power; `waits` the powers that asked not to close early;
    `reminded` how many reminders of this phase have gone out; `turns`, `presses` how many rows exist.
    """

    id: int
    name: str
    variant: str
    ruleset: str
    """Content hash of the rules the game began with."""
    settings: Settings
    created_at: datetime
    status: Status = Status.FORMING
    seats: tuple[Seat, ...] = ()
    masters: tuple[Seat, ...] = ()
    observers: tuple[Seat, ...] = ()
    position: Position = field(kw_only=True)
    deadline: Deadline | None = None
    phase_began: datetime | None = None
    orders: Mapping[Power, tuple[FiledOrder, ...]] = field(default_factory=dict)
    waits: frozenset[Power] = frozenset()
    all_in_since: datetime | None = None
    reminded: int = 0
    late_told: bool = False
    pending: tuple[Pending, ...] = ()
    paused_left: timedelta | None = None
    """While paused: how much time was left until the deadline."""
    ending: Ending | None = None
    turns: int = 0
    presses: int = 0
    observers_made: int = 0

    @property
    def phase(self) -> Phase:
        """The phase that is open now."""
        return self.position.phase

    def seat(self, key: str) -> Seat | None:
        """The seat of that key, a player's, a master's or an observer's."""
        return next((seat for seat in self.all_seats if seat.key == key), None)

    @property
    def all_seats(self) -> tuple[Seat, ...]:
        """Players, masters, observers, in this order."""
        return self.seats + self.masters + self.observers

    @property
    def open_seats(self) -> tuple[Seat, ...]:
        """Powers without a person."""
        return tuple(seat for seat in self.seats if seat.person is None)
