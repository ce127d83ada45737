"""What one line of a letter says: its kind, orders, errors and warnings."""

from dataclasses import dataclass
from enum import StrEnum

from judge.board import Power
from judge.language.complaints import (
    BadLine,
    Complaint,
    ForeignName,
    Warned,
)
from judge.language.headings import Heading
from judge.language.tokens import Item
from judge.rules import Order

ENGLISH = "en"


class LineKind(StrEnum):
    """What a line is."""

    ORDER = "order"
    HEADING = "heading"
    COMMAND = "command"
    COMMENT = "comment"
    BLANK = "blank"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class LineReading:
    """What one line says.

    `orders` those that can be filed, and `powers` whose each of them is ("" if neither the line nor a heading says it); `power` the one
    named by a heading or a nationality word; `season` the phase a heading names, as far as it does; `error` why the line (or the rest
    of it, if there are `orders`) is asked back; `warnings` repairs and impossibilities; `suggestions` canonical orders it may have meant.
    """

    n: int
    line: str
    kind: LineKind
    orders: tuple[Order, ...] = ()
    powers: tuple[Power, ...] = ()
    power: Power | None = None
    season: Heading | None = None
    error: BadLine | None = None
    warnings: tuple[Warned, ...] = ()
    suggestions: tuple[str, ...] = ()
    lang: str = ENGLISH

    @property
    def complaints(self) -> tuple[Complaint, ...]:
        """The error, if any, and the warnings."""
        return ((self.error,) if self.error else ()) + self.warnings


@dataclass(frozen=True, slots=True)
class Outcome:
    """A line in one language: what it gave, and how surely it is that language."""

    language: str
    reading: LineReading
    level: int = 0
    evidence: int = 0
    weak: tuple[ForeignName, ...] = ()


@dataclass(frozen=True, slots=True)
class Tried:
    """A language that does not know all words of a line: how many at least, and the items, if they were made."""

    unknown: int
    rank: int
    language: str
    items: tuple[Item, ...] = ()
