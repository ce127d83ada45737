"""What the judge needs of a mail system: mails that arrived, and a way to send some."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Event
from typing import Protocol, TypeAlias

from judge.errors import TryLater


@dataclass(frozen=True, slots=True)
class Arrival:
    """One mail as it came in, unread.

    `arrived_at` is when the mail system took it (aware, UTC), never the sender's Date.  `source_key` is unique
    for sources that know a mail again (account, folder, UIDVALIDITY, UID), else None.  `envelope_from` is ""
    for the null return path and None where the source does not know it.
    """

    raw: bytes
    arrived_at: datetime
    source_key: str | None = None
    envelope_from: str | None = None
    envelope_to: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Batch:
    """Some arrivals, to be kept in one transaction together with `cursor`, and acknowledged after its commit.

    `cursor` is where the source goes on reading once these are kept (JSON, opaque to the caller; "" at first).
    `marks` are the source's own names of the mails, for `MailSource.ack`.
    """

    arrivals: tuple[Arrival, ...]
    cursor: str
    marks: tuple[str, ...] = ()


class MailSource(Protocol):
    """Where mails are fetched from.  Only `wait` may block for long; every fault of the far end is a `TryLater`."""

    @property
    def name(self) -> str:
        """The key under which the caller keeps this source's cursor."""

    def fetch(self, cursor: str) -> Iterator[Batch]:
        """New mails, oldest first, as batches; nothing is marked, moved or deleted at the far end yet."""

    def ack(self, batch: Batch) -> None:
        """The batch is committed: mark its mails seen, or move them.  Failing here costs nothing but tidiness."""

    def read_until(self) -> datetime | None:
        """Up to which time the mailbox is known to be read; None before the first complete round."""

    def wait(self, timeout: float, wake: Event) -> bool:
        """Sleep until mail may be there (True), `wake` is set, or `timeout` seconds are over (False)."""

    def close(self) -> None:
        """Log out; the source can be used again afterwards."""


@dataclass(frozen=True, slots=True)
class Delivered:
    """The relay answers for the letter to this recipient now."""

    recipient: str


@dataclass(frozen=True, slots=True)
class Rejected:
    """The relay will never take this letter for this recipient (SMTP 5xx); `text` is untrusted, one line."""

    recipient: str
    code: int
    text: str


@dataclass(frozen=True, slots=True)
class Deferred:
    """The relay does not take this letter for this recipient now (SMTP 4xx); `text` is untrusted, one line."""

    recipient: str
    code: int
    text: str


Outcome: TypeAlias = Delivered | Rejected | Deferred


class MailSink(Protocol):
    """Where letters are handed over."""

    def send(self, envelope_from: str, recipients: Sequence[str], raw: bytes) -> tuple[Outcome, ...]:
        """Hand over one letter; one outcome for each recipient, in their order.

        Raises `TryLater` where nothing is known of any recipient (no connection, 421, time-out).
        """

    def close(self) -> None:
        """Say goodbye; the sink can be used again afterwards."""


class MailUnreachable(TryLater):
    """The mail server cannot be reached or does not answer as it should."""


class MailThrottled(MailUnreachable):
    """The mail server asks for patience; `pause` is how long to leave it alone."""

    def __init__(self, text: str, pause: timedelta) -> None:
        super().__init__(text)
        self.pause = pause


class MailLoginRefused(MailUnreachable):
    """Name, password or token were refused: trying at once again makes it worse, the operator must look."""


def push_read_until(now: datetime, up_since: datetime, alive_before: datetime | None, retry_gap: timedelta) -> datetime:
    """Up to which time a pushed mailbox (SMTP, LMTP) counts as read.

    What the border could not hand over while nobody listened comes after its next try, `retry_gap` at the
    latest; till then the mailbox counts as read only up to `alive_before`, the last time it was known to listen.

    >>> from datetime import UTC
    >>> t = lambda hour: datetime(2026, 1, 1, hour, tzinfo=UTC)
    >>> push_read_until(t(12), t(11), t(9), timedelta(hours=2)).hour
    9
    >>> push_read_until(t(14), t(11), t(9), timedelta(hours=2)).hour
    14
    """
    if alive_before is None or now - up_since >= retry_gap:
        return now
    return min(now, alive_before)
