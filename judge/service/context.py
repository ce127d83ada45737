"""Everything a step of the daemon may use, joined once by `wiring`."""

from collections.abc import Callable
from dataclasses import dataclass, field
from secrets import randbelow
from threading import Event

from judge.clock import Clock
from judge.config import Config
from judge.language.commandwords import CommandWords
from judge.library import Library
from judge.mail import MailSink, MailSource, OwnAddresses, Reading
from judge.report import Scribe
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
    wake: Event = field(default_factory=Event)
    """Set when mail has come or something is due."""
    letters: Event = field(default_factory=Event)
    """Set when letters wait to be sent."""
    unhandled: list[Unhandled] = field(default_factory=list)
    """Claims that could not be given back yet."""
    pacer: Pacer = field(default_factory=Pacer)
    """Knows how fast letters may leave."""
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
