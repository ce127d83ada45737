"""Bytes to a Message that can be trusted to be plain."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from judge.mail.addresses import Address

TextSource: TypeAlias = Literal["plain", "html", "attachment", "subject"]


@dataclass(frozen=True, slots=True)
class TypedText:
    """One text a person typed, and the part of the mail it stood in."""

    source: TextSource
    text: str


@dataclass(frozen=True, slots=True)
class Proof:
    """What our own border (or our own DKIM check) says of the From address.

    `method` is how it was proven, "none" where it was not; `domain` the domain that vouches; `why` a code.
    """

    method: Literal["dmarc", "dkim", "spf", "none"]
    domain: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """A mail as far as it can be trusted to be plain: no line breaks in fields, no NUL, bounded sizes.

    `text` is the first of `texts` that says anything: what the person typed, without quotes, signature and the
    advertising of telephones.  `texts` are all of them in the order in which orders are looked for: text/plain,
    text/html, text attachments, subject.  `problems` are codes of what could not be read.
    `digest` tells mails apart by content (research 1.3), whatever way they came.
    """

    message_id: str
    in_reply_to: tuple[str, ...]
    references: tuple[str, ...]
    subject: str
    from_: Address | None
    from_defect: str
    reply_to: tuple[Address, ...]
    to: tuple[Address, ...]
    cc: tuple[Address, ...]
    delivered_to: tuple[str, ...]
    return_path: str | None
    date: datetime | None
    received_at: datetime
    text: str
    texts: tuple[TypedText, ...]
    quoted_removed: bool
    twins_differ: bool
    charset_notes: tuple[str, ...]
    problems: tuple[str, ...]
    kind: str
    automatic: tuple[tuple[str, str], ...]
    hops: int
    proof: Proof
    digest: str
    size: int
