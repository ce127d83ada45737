"""What a store keeps: the rows as values, the faults it raises, and how lanes are named."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum, StrEnum
from hashlib import sha256
from typing import ClassVar

from judge.errors import JudgeError, PlayerError, TryLater
from judge.game import Game
from judge.mail import Arrival, Letter

MOST_TRIES = 9
"""A mail claimed once more than this is set aside unread."""
RAISED = 3
"""For how many tries one counts in which the program raised: three of them are enough (research/mail.md 1.2; Mailman's number).

Where the process died, the mail need not be to blame: somebody may have killed it, or the power failed.  Such a try counts once, and
after the second the mail waits longer and longer (`WAITS`), so that a process that dies of something else is not held against it.
"""
WAITS = (0.0, 0.0, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0)
"""Seconds from a claim under which the process died to the next, by the number of tries; the last one from then on."""


class StoreBusy(TryLater):
    """The database is locked, full or out of reach; nothing was changed."""


class Conflict(TryLater):
    """Somebody else changed the row since it was read; load it again and do the step again."""


class Duplicate(JudgeError):
    """A mail with the same digest has been handled; mark this one a duplicate, in a transaction of its own."""

    def __init__(self, number: int, digest: str) -> None:
        super().__init__(f"mail {number} is a duplicate: digest {digest}")
        self.number = number
        self.digest = digest


@dataclass(eq=False)
class NameInUse(PlayerError):
    """Another game that is not archived has this name."""

    code: ClassVar[str] = "name_in_use"
    name: str


# ---- mails that came in


class InboxState(StrEnum):
    """What became of a mail; all but the first two are final."""

    NEW = "new"
    CLAIMED = "claimed"
    DONE = "done"
    DUPLICATE = "duplicate"
    SILENT = "silent"
    LATE = "late"
    BAD = "bad"


def game_lane(game: int) -> str:
    """The lane of mails for one game, by its id.

    >>> game_lane(12)
    'g12'
    """
    return f"g{game}"


def sender_lane(address: str) -> str:
    """The lane of mails of people we know whose game is not known at intake: one for each sender.

    >>> sender_lane("Petr@Example.org") == sender_lane("petr@example.org") != game_lane(1)
    True
    """
    return "~" + sha256(address.strip().lower().encode("utf-8", "replace")).hexdigest()[:16]


def stranger_lane(address: str) -> str:
    """The lane of mails from somebody nobody knows, about no game: they hold no deadline, and wait behind all others.

    >>> stranger_lane("eve@example.org") != sender_lane("eve@example.org")
    True
    """
    return "!" + sender_lane(address)[1:]


def is_game_lane(lane: str) -> bool:
    """Whether the lane belongs to a game."""
    return not lane.startswith(("~", "!"))


def is_stranger_lane(lane: str) -> bool:
    """Whether the lane is one of somebody nobody knows."""
    return lane.startswith("!")


@dataclass(frozen=True, slots=True)
class NewMail:
    """A mail to be kept: its bytes, when it came, its lane, and by which source."""

    raw: bytes
    arrived_at: datetime
    lane: str
    source: str
    source_key: str | None = None
    envelope_from: str | None = None
    envelope_to: tuple[str, ...] = ()

    @classmethod
    def of(cls, arrival: Arrival, source: str, lane: str) -> "NewMail":
        """An arrival with what intake found out about it."""
        return cls(arrival.raw, arrival.arrived_at, lane, source, arrival.source_key, arrival.envelope_from, arrival.envelope_to)


@dataclass(frozen=True, slots=True)
class InboxMail:
    """A mail that is kept; `raw` is empty once its bytes were dropped.  `tries` counts this claim too, and one that raised as `RAISED`."""

    number: int
    raw: bytes
    arrived_at: datetime
    lane: str
    source: str
    source_key: str | None
    envelope_from: str | None
    envelope_to: tuple[str, ...]
    state: InboxState
    tries: int
    digest: str | None = None
    note: str = ""

    @property
    def set_aside(self) -> bool:
        """Whether it was tried too often: it is not to be read, only the operator is to be told."""
        return self.state is InboxState.BAD


# ---- letters that go out


class LetterKind(IntEnum):
    """What a letter is about; the lower number goes out first."""

    ALARM = 0
    RESULT = 10
    ANSWER = 20
    NOTICE = 30
    REMINDER = 40
    PRESS = 50
    DIGEST = 60


class LetterState(StrEnum):
    """Where a letter is: waiting (perhaps for its next try), sent, or given up."""

    WAITING = "waiting"
    SENT = "sent"
    DEAD = "dead"


@dataclass(frozen=True, slots=True)
class OutboxLetter:
    """A letter to be sent, for which game and seat (None and "" for letters outside games)."""

    letter: Letter
    kind: LetterKind
    game: int | None = None
    seat: str = ""
    packed: bytes | None = None
    """The letter as it is kept, where `packed` has made that beforehand."""


@dataclass(frozen=True, slots=True)
class WaitingLetter:
    """A letter that is kept; `tries` counts this claim too, `why` is what the last try met."""

    number: int
    letter: Letter
    kind: LetterKind
    game: int | None
    seat: str
    state: LetterState
    tries: int
    added_at: datetime
    sent_at: datetime | None = None
    why: str = ""

    @property
    def message_id(self) -> str:
        """Its key."""
        return self.letter.message_id


@dataclass(frozen=True, slots=True)
class OutboxCounts:
    """How many letters wait (of these, how many were tried before), are sent, are given up; when the oldest waiting one was added."""

    waiting: int
    deferred: int
    sent: int
    dead: int
    oldest: datetime | None


# ---- games and people


@dataclass(frozen=True, slots=True)
class KeptGame:
    """A game together with its version, which `put` wants back."""

    game: Game
    version: int


class AddressState(StrEnum):
    """What is known of an address: mail reaches it, some came back, none is sent there any more."""

    GOOD = "good"
    BOUNCING = "bouncing"
    DEAD = "dead"


@dataclass(frozen=True, slots=True)
class PersonAddress:
    """One address of a person; letters go to the `current` one.  `bounces` counts since the last good sign."""

    address: str
    person: int
    current: bool = True
    state: AddressState = AddressState.GOOD
    bounces: int = 0
    bounced_at: datetime | None = None

    @property
    def is_ailing(self) -> bool:
        """Whether letters to it have come back."""
        return bool(self.bounces) or self.state is not AddressState.GOOD


@dataclass(frozen=True, slots=True)
class PendingCode:
    """A line that waits for its code to come back from `address`; `facts` are what carrying it out will need."""

    code: str
    address: str
    line: str
    created_at: datetime
    until: datetime
    facts: Mapping[str, str]
    taken_at: datetime | None = None
