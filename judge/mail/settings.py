"""What the reader of mails is told about this site: its addresses, its border, its limits."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from judge.mail.plus import OwnAddresses

Resolver: TypeAlias = Callable[[bytes, float], bytes | None]
"""Asks for the TXT record of a name, waiting so many seconds; None where there is none, raises where nobody answers."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Where the reading of a mail ends, each with the problem code that the answer names.

    Sizes are in octets, `text` and `line` in characters.  Source: research, measured on hostile shapes.
    """

    size: int = 1_048_576  # too_large
    nesting: int = 20  # too_deep
    parts: int = 200  # too_many_parts
    header: int = 100_000  # header_too_large
    fields: int = 1_000  # header_too_large
    text: int = 200_000  # text_cut
    line: int = 20_000  # lines_cut
    lines: int = 10_000  # text_cut
    html: int = 600_000  # text_cut
    attachments: int = 5  # text attachments that are read


@dataclass(frozen=True, slots=True)
class Border:
    """Our own mail border, the only one whose word counts; empty values trust nothing.

    `authserv_id` is the name in its Authentication-Results (RFC 8601), `received_by` the names it writes after
    ``by`` in its Received fields.
    """

    authserv_id: str = ""
    received_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fence:
    """Words at the start of lines between which a text is passed on as typed, so that ``-- `` ends no mail there.

    Both are compared case-folded; a fence that is opened and never closed protects nothing.
    """

    opening: str
    closing: str


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything `read_message` may use beside the mail itself.

    `loop_value` is what our own letters carry in ``X-Judge-Loop``.  `languages` are the site's languages in the
    order in which an unlabelled charset is guessed.  With a `resolver` DKIM signatures are checked by ourselves, where
    no border is named.
    """

    own: OwnAddresses
    border: Border = field(default_factory=Border)
    limits: Limits = field(default_factory=Limits)
    loop_value: str = ""
    languages: tuple[str, ...] = ("cs", "hu", "ru")
    fences: tuple[Fence, ...] = ()
    resolver: Resolver | None = None
