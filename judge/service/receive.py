"""Mail sources to inbox rows: kept and committed first, acknowledged after."""

from collections.abc import Iterable, Sequence
from email import policy
from email.parser import BytesHeaderParser
from email.utils import getaddresses

import structlog

from judge.errors import TryLater
from judge.language.requests import read_tag
from judge.mail import Arrival, MailSource, OwnAddresses
from judge.service.context import Services
from judge.store import NewMail, Transaction, game_lane, sender_lane

log = structlog.get_logger()
_HEADERS = BytesHeaderParser(policy=policy.compat32)
_HEADER_BYTES = 16_384
_RECIPIENTS = ("Delivered-To", "X-Original-To", "Envelope-To", "To", "Cc")


def receive_new(s: Services, source: MailSource) -> int:
    """Keep what a source has for us; returns how many mails came.  Raises `TryLater` where the mailbox cannot be reached."""
    count = 0
    with s.store.reading() as tx:
        cursor = tx.marks.get(f"cursor:{source.name}") or ""
    for batch in source.fetch(cursor):
        with s.store.transaction() as tx:
            keep(s, tx, batch.arrivals, source.name)
            tx.marks.set(f"cursor:{source.name}", batch.cursor)
        source.ack(batch)
        count += len(batch.arrivals)
    return count


def keep(s: Services, tx: Transaction, arrivals: Sequence[Arrival], source: str) -> None:
    """Put arrivals into the inbox, each on its lane."""
    tx.inbox.add([NewMail.of(arrival, source, lane_of(arrival, s.own, tx)) for arrival in arrivals])


def accept(s: Services, arrivals: Sequence[Arrival]) -> None:
    """What a door calls before it says 250: everything is committed when this returns.  Raises `TryLater`."""
    with s.store.transaction() as tx:
        keep(s, tx, arrivals, "door")
    s.wake.set()


def lane_of(arrival: Arrival, own: OwnAddresses, tx: Transaction) -> str:
    """The lane of a mail: its game's, as far as recipients or subject name one that exists, else its sender's.

    Whatever the mail holds, this raises nothing: a mail must be kept before anything can go wrong with it.
    """
    try:
        headers = _HEADERS.parsebytes(arrival.raw[:_HEADER_BYTES])
        fields = {name: [str(value) for value in headers.get_all(name, [])] for name in (*_RECIPIENTS, "Subject", "From")}
        written = [address for name in _RECIPIENTS for _, address in getaddresses(fields[name])]
        sender = next((address for _, address in getaddresses(fields["From"])), "")
    except Exception:  # the parser is not ours, and hostile headers have made it raise; the reader looks again later
        log.warning("headers unreadable at intake")
        return sender_lane(arrival.envelope_from or "")
    for name in _games([*arrival.envelope_to, *written], own):
        number = tx.games.id_of(name)
        if number is not None:
            return game_lane(number)
    tag, _ = read_tag(" ".join(fields["Subject"]))
    number = tx.games.id_of(tag) if tag else None
    if number is not None:
        return game_lane(number)
    return sender_lane(sender or arrival.envelope_from or "")


def _games(addresses: Iterable[str], own: OwnAddresses) -> Iterable[str]:
    """The games that our own addresses among these name."""
    for address in addresses:
        parts = own.read(address)
        if parts is not None and parts.game:
            yield parts.game


def receive_all(s: Services) -> None:
    """One look at every source; one that cannot be reached is told in the log and tried again next round."""
    for source in s.sources:
        try:
            receive_new(s, source)
        except TryLater as fault:
            log.warning("mail source not reached", source=source.name, fault=str(fault))
