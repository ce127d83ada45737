"""Everything a step of the daemon may use, joined once by `wiring`."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from secrets import randbelow
from threading import Event
from typing import ClassVar

from judge.clock import Clock
from judge.config import Config
from judge.language.commandwords import CommandWords
from judge.library import Library
from judge.mail import MailSink, MailSource, OwnAddresses, Reading
from judge.report import Scribe
from judge.service.closers import Closers
from judge.service.gallery import Gallery
from judge.service.keys import SeatKeys
from judge.service.orderreaders import OrderReaders
from judge.service.pace import Pacer
from judge.service.packs import Packs
from judge.store import SqlStore


@dataclass(frozen=True, slots=True)
class Unhandled:
    """A mail that was claimed and not handled; `counted` is whether the try counts."""

    number: int
    counted: bool


@dataclass
class Trouble:
    """Players' mails that made the program raise, one after another without any that went well.

    Many in a row mean that the program is broken, not the mails: then it must not go through all that wait and set them aside.
    """

    failed: set[int] = field(default_factory=set)
    rests_until: float = 0.0

    MOST: ClassVar[int] = 3
    FIRST_REST: ClassVar[float] = 30.0
    LONGEST_REST: ClassVar[float] = 600.0

    def note(self, number: int) -> bool:
        """One more failure; True if it is time to rest."""
        self.failed.add(number)
        over = len(self.failed) - self.MOST
        if over >= 0:
            self.rests_until = time.monotonic() + min(self.FIRST_REST * 2.0 ** min(over, 10), self.LONGEST_REST)
        return over >= 0

    def is_resting(self) -> bool:
        """Whether no mail is handled now."""
        return time.monotonic() < self.rests_until


class Signal(Event):
    """An event of this process of which others hear too, where there are others: `ring` tells them."""

    def __init__(self) -> None:
        super().__init__()
        self.ring: Callable[[], None] = _nobody

    def set(self) -> None:
        """Set it here, and tell the others."""
        super().set()
        self.ring()


def _nobody() -> None:
    """There are no others."""


@dataclass
class Pulse:
    """When the loop last went round, by the monotonic clock: a process that answers may stand still all the same."""

    at: float = field(default_factory=time.monotonic)

    def beat(self) -> None:
        """The loop goes round."""
        self.at = time.monotonic()

    def age(self) -> float:
        """Seconds since then."""
        return time.monotonic() - self.at


@dataclass(frozen=True)
class Services:
    """The joined parts: `sources` are polled, `sink` takes letters, `wake` ends a pause of the loop early."""

    config: Config
    clock: Clock
    store: SqlStore
    library: Library
    words: CommandWords
    scribe: Scribe
    own: OwnAddresses
    reading: Reading
    keys: SeatKeys
    sources: tuple[MailSource, ...]
    sink: MailSink
    packs: Packs
    orders: OrderReaders
    pictures: Gallery
    wake: Event = field(default_factory=Signal)
    """Set when mail has come or something is due."""
    letters: Event = field(default_factory=Signal)
    """Set when letters wait to be sent."""
    unhandled: list[Unhandled] = field(default_factory=list)
    """Claims that could not be given back yet."""
    trouble: Trouble = field(default_factory=Trouble)
    """Failures in a row."""
    pacer: Pacer = field(default_factory=Pacer)
    """Knows how fast letters may leave."""
    closers: Closers = field(default_factory=Closers)
    """Processes that close games beside this one."""
    pulse: Pulse = field(default_factory=Pulse)
    """Whether the loop goes round."""
    open_sink: Callable[[], MailSink] | None = None
    """Makes further ways out like `sink`, for letters that leave at the same time; None where there is but one."""

    @property
    def mailboxes(self) -> tuple[str, ...]:
        """The names under which it is noted how far each way in has been read."""
        door = ("door",) if self.config.mail_in.door is not None else ()
        return (*(source.name for source in self.sources), *door)

    def draw(self, below: int) -> int:
        """Chance for powers by lot: a number from 0 up to but without `below`."""
        return randbelow(below)
