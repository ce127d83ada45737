"""The game as one frozen value: settings, seats, the current phase with its orders, and the heads of its history."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, time, timedelta
from enum import StrEnum
from typing import TypeAlias

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
    MIXED = "mixed"  # partial press, each message white or grey as its sender says
    PUBLIC = "public"  # to everybody only, sender shown
    RULEBOOK = "rulebook"  # white, in movement phases only
    NEIGHBOURS = "neighbours"  # white, only to powers whose units stand next to one's own
    NONE = "none"


class Nmr(StrEnum):
    """What happens at a deadline to a power whose orders are missing."""

    HOLD = "hold"  # the phase closes; units hold, disband, or are removed by rule
    WAIT = "wait"  # the phase stays open until the orders come or the master acts
    CIVIL = "civil"  # the phase closes; who sent nothing is in civil disorder, and played by sense
    MASTER = "master"  # the master sees what would happen, and decides


class Assignment(StrEnum):
    """How powers are given to the people who sign on."""

    CHOICE = "choice"
    LOT = "lot"
    PREFERENCE = "preference"  # by everybody's lists, when the game begins


class DrawRule(StrEnum):
    """Which draws can be voted."""

    ALL = "all"  # only one that includes every survivor
    LISTED = "listed"  # any list of survivors
    NONE = "none"


class Sight(StrEnum):
    """How much of the players' secrets a master sees, each step with those before it."""

    NOTHING = "nothing"
    COUNTS = "counts"  # whose orders are in
    ORDERS = "orders"
    PRESS = "press"

    def reaches(self, wanted: "Sight") -> bool:
        """Whether this much includes `wanted`."""
        steps = list(Sight)
        return steps.index(self) >= steps.index(wanted)


class SeatState(StrEnum):
    """Whether the person in a seat is there."""

    PLAYING = "playing"
    ABANDONED = "abandoned"  # orders missed: others may take the seat, its holder may come back
    CIVIL = "civil"  # civil disorder: not waited for


class SeatKind(StrEnum):
    """What a seat that watches gets."""

    FULL = "observer"  # results and everything that is said to all
    MONITOR = "monitor"  # results only
    STANDBY = "standby"  # results, and open seats are offered to it


@dataclass(frozen=True, slots=True)
class StepTiming:
    """What is otherwise in one kind of phase; None: as everywhere in the game.  `any_time` takes the time of day away."""

    at: time | None = None
    any_time: bool = False
    days: frozenset[int] | None = None
    half_days: frozenset[int] | None = None
    grace: timedelta | None = None
    delay: timedelta | None = None
    minimum: timedelta | None = None


@dataclass(frozen=True, slots=True)
class Timing:
    """When phases end: lengths by step, an optional time of day and allowed weekdays (0 = Monday), in the game's zone.

    A deadline is the moment of closing plus the length, moved on to the next `at` on an allowed day; on `half_days` only the time from
    noon on is allowed.  `delay` is how long the judge waits after the last orders before it closes a phase early, `minimum` how long
    every phase lasts at least; `reminders` are spans before the deadline.  `first` is added to the first phase; `newcomer` is what
    somebody who takes over a seat has at least.  `steps` holds what is otherwise in one kind of phase.
    """

    movement: timedelta = timedelta(hours=72)
    retreat: timedelta = timedelta(hours=24)
    adjustment: timedelta = timedelta(hours=24)
    grace: timedelta = timedelta(0)
    delay: timedelta = timedelta(0)
    at: time | None = None
    days: frozenset[int] = frozenset(range(7))
    reminders: tuple[timedelta, ...] = (timedelta(hours=24), timedelta(hours=6))
    half_days: frozenset[int] = frozenset()
    minimum: timedelta = timedelta(0)
    first: timedelta = timedelta(0)
    newcomer: timedelta = timedelta(hours=24)
    steps: Mapping[Step, StepTiming] = field(default_factory=dict)

    def at_step(self, step: Step) -> "Timing":
        """The timing of one kind of phase, with what is otherwise there filled in."""
        own = self.steps.get(step)
        if own is None:
            return self
        return replace(
            self,
            at=None if own.any_time else own.at or self.at,
            days=self.days if own.days is None else own.days,
            half_days=self.half_days if own.half_days is None else own.half_days,
            grace=self.grace if own.grace is None else own.grace,
            delay=self.delay if own.delay is None else own.delay,
            minimum=self.minimum if own.minimum is None else own.minimum,
            steps={},
        )

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
    # ---- who gets in
    invitation: str = ""
    """A word that SIGNON must hold; "" lets anybody in."""
    approval: bool = False
    """Whether the master must approve a player before orders are taken from her."""
    reliability: int = 0
    """Share of phases in percent that a player must have ordered in time in earlier games."""
    rollcall: bool = False
    """Whether everybody must answer one letter before the game begins."""
    # ---- missing orders
    misses: int = 2
    """After so many phases in a row without any orders a seat counts as abandoned; 0: never."""
    lock: bool = False
    """Whether, once the deadline has passed and others are late, those who were in time can no longer change their orders."""
    first_turn: bool = False
    """Whether the first phase is extended once for players who have sent nothing."""
    show_late: bool = False
    """Whether everybody is told who is late, or only the master."""
    manual: bool = False
    """Whether a phase closes only on the master's word, after a look at what would happen."""
    manual_start: bool = False
    """Whether the game begins only on the master's word."""
    later_only: bool = True
    """Whether a phase never ends before the deadline of the one before it, as the rule gave that."""
    # ---- press
    fake: bool = False
    postal: bool = True
    late_press: bool = True
    """Whether messages pass after the deadline while orders are missing."""
    must_order: bool = False
    """Whether only players whose orders are in may write to others."""
    observer_press: bool = True
    """Whether observers may write to everybody; to the master they always may."""
    # ---- ends
    draws: DrawRule = DrawRule.ALL
    concessions: bool = True
    secret_votes: bool = True
    lasting_votes: bool = True
    reveal: bool = True
    """Whether, once the game is over, everybody sees who played what, all messages and all votes."""
    # ---- masters and absences
    sight: Sight = Sight.ORDERS
    absence_days: int = 15
    """The longest absence that needs no master's word."""


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
    state: SeatState = SeatState.PLAYING
    kind: SeatKind = SeatKind.FULL
    approved: bool = True
    answered: bool = False
    """Whether the roll call was answered."""
    missed: int = 0
    """Phases in a row without any orders."""
    given_up: datetime | None = None
    """When the seat was abandoned, until its holder is back."""
    muted: frozenset[str] = frozenset()
    """Seats whose messages are not sent to this one (``GREY``: those without a name)."""
    passed: frozenset[Power] = frozenset()
    """Open powers that were offered to this standing-by seat and that it let go by; they are not offered to it again."""
    called: bool = False
    """Whether somebody of the judge's queue watches from here, for as long as a seat is offered."""
    preference: tuple[tuple[Power, ...], ...] = ()
    """Powers wished for, the best first; those in one group are as welcome as each other."""

    @property
    def plays(self) -> bool:
        """Whether somebody sits here and is there."""
        return self.person is not None and self.state is SeatState.PLAYING


@dataclass(frozen=True, slots=True)
class FiledOrder:
    """One order on file: when its mail arrived and the mail's inbox number, so that an older one never replaces a newer one."""

    order: Order
    at: datetime
    mail: int


@dataclass(frozen=True, slots=True)
class Deadline:
    """When the phase ends: the announced instant (UTC), why it is this one, and what moved it on (codes of `deadlines`)."""

    at: datetime
    why: str = "rule"
    moved: tuple[str, ...] = ()


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
    CONCEDED = "conceded"  # the others have conceded to one
    RANKED = "ranked"  # an agreed order of places, where the variant knows one
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class Ending:
    """The result of a finished game: how, for which powers, when."""

    kind: EndKind
    powers: tuple[Power, ...]
    at: datetime


@dataclass(frozen=True, slots=True)
class Absence:
    """A time in which no deadline is set for a seat: from `first` up to but without `last`; it counts once `approved`."""

    number: int
    seat: str
    first: datetime
    last: datetime
    approved: bool = True


class VoteKind(StrEnum):
    """What is voted on."""

    DRAW = "draw"
    CONCEDE = "concede"
    RANK = "rank"
    MASTER = "master"  # a master who has fallen silent is replaced


@dataclass(frozen=True, slots=True)
class Vote:
    """One power's vote: for a draw of `powers` (empty: all survivors), for a win of one, for an order of places, for a new master."""

    voter: Power
    kind: VoteKind
    powers: tuple[Power, ...] = ()


@dataclass(frozen=True, slots=True)
class Test:
    """One condition on the board as a phase opens: `yes` it must hold, or must not.

    `what` is "at" (a unit of that power and kind stands in the province; "" any), "dislodged" (it was driven out), or "owns"
    (the power owns the centre).
    """

    yes: bool
    what: str
    place: str
    power: Power = ""
    kind: str = ""

    __test__ = False


Condition: TypeAlias = tuple[tuple[Test, ...], ...]
"""Alternatives, each of them tests that must all hold; no alternatives at all: always."""


@dataclass(frozen=True, slots=True)
class AheadOrder:
    """Something filed for a phase that is not open yet: an order, or a wish to wait (`order` None); `line` as it was written."""

    phase: Phase
    order: Order | None
    when: Condition
    line: str
    at: datetime
    mail: int


@dataclass(frozen=True, slots=True)
class Offer:
    """An open power offered to a seat that stands by."""

    power: Power
    seat: str
    until: datetime


@dataclass(frozen=True, slots=True)
class Stint:
    """Who played a power from which phase on; `until` None: still."""

    power: Power
    person: PersonId
    since: Phase
    until: Phase | None = None
    why: str = ""
    """How it ended: "resigned", "ejected", "replaced"."""


@dataclass(frozen=True, slots=True)
class Bulletin:
    """News of seats that can wait for the next result: ``news.<code>`` is its sentence, of these powers."""

    code: str
    powers: tuple[Power, ...]


@dataclass(frozen=True, slots=True)
class Untold:
    """A line of the log that a reader was not written about, for fear of too many letters."""

    at: datetime
    who: str
    what: str
    facts: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Letterbox:
    """A message that goes out with the next result."""

    sender: str
    to: tuple[str, ...]
    text: str
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
    grace: timedelta | None = None
    """The time after the open phase's deadline that the master has set for once; None: as the settings have it."""
    ending: Ending | None = None
    turns: int = 0
    presses: int = 0
    observers_made: int = 0
    # ---- the clock
    start_at: datetime | None = None
    """The game does not begin before this."""
    absences: tuple[Absence, ...] = ()
    absences_made: int = 0
    late: frozenset[Power] = frozenset()
    """Powers whose orders were missing at the deadline of the open phase."""
    told_late: frozenset[Power] = frozenset()
    """Powers that were told in the open phase that they are late; nobody is told twice."""
    abandoned_told: bool = False
    master_asked: bool = False
    extended: bool = False
    """Whether the first phase has had its extension."""
    # ---- people
    roll_call_until: datetime | None = None
    offers: tuple[Offer, ...] = ()
    passed_by: frozenset[PersonId] = frozenset()
    """People of the judge's queue who let a seat of this game go by; they are not asked again."""
    stints: tuple[Stint, ...] = ()
    master_seen_at: datetime | None = None
    comment: str = ""
    bulletins: tuple[Bulletin, ...] = ()
    """What everybody is told with the next result."""
    letters: Mapping[str, int] = field(default_factory=dict)
    """How many letters that nobody asked for each seat has been sent in the open phase."""
    untold: Mapping[str, tuple[Untold, ...]] = field(default_factory=dict)
    """What seats were not written about in the open phase; it stands in their next result."""
    told_pause: frozenset[str] = frozenset()
    """Seats that were told that the game is paused, and must hear when it goes on."""
    # ---- votes, orders ahead, postal press, diaries, last words
    votes: tuple[Vote, ...] = ()
    ahead: Mapping[Power, tuple[AheadOrder, ...]] = field(default_factory=dict)
    postal: tuple[Letterbox, ...] = ()
    forgotten: frozenset[int] = frozenset()
    """Numbers of diary notes that were taken out."""
    statements: Mapping[str, str] = field(default_factory=dict)
    statements_until: datetime | None = None
    rolled_back: tuple[int, ...] = ()
    """Turns that the last rollback withdrew, which ROLLFORWARD brings back."""

    @property
    def timing(self) -> Timing:
        """The clock of the open phase."""
        return self.settings.timing.at_step(self.phase.step)

    @property
    def everybody(self) -> tuple[PersonId, ...]:
        """Everyone who has a seat, or had one."""
        sitting = [seat.person for seat in self.all_seats if seat.person is not None]
        return tuple(dict.fromkeys((*sitting, *(stint.person for stint in self.stints))))

    @property
    def survivors(self) -> tuple[Power, ...]:
        """Powers that still have a unit or a centre."""
        standing = {power for power, units in self.position.units.items() if units}
        alive = standing | set(self.position.owners.values()) | {each.power for each in self.position.dislodged}
        return tuple(seat.key for seat in self.seats if seat.key in alive)

    @property
    def phase(self) -> Phase:
        """The phase that is open now."""
        return self.position.phase

    def seat(self, key: str) -> Seat | None:
        """The seat of that key, a player's, a master's or an observer's."""
        for seat in self.all_seats:
            if seat.key == key:
                return seat
        return None

    @property
    def all_seats(self) -> tuple[Seat, ...]:
        """Players, masters, observers, in this order."""
        return self.seats + self.masters + self.observers

    @property
    def open_seats(self) -> tuple[Seat, ...]:
        """Powers that anybody may take: without a person, or with one that is gone."""
        return tuple(seat for seat in self.seats if not seat.plays)
