"""Bytes and mails: reading, writing, fetching, sending.

Knows nothing of games, orders or players.  Keeps nothing.  The transports (`judge.mail.imap`, `judge.mail.door`,
`judge.mail.smtp`, `judge.mail.maildir`) are imported from their modules, so that nobody pays for what he does not use.
"""

from judge.mail.addresses import Address, is_address, read_addresses
from judge.mail.authentication import Proof, dkim_proof, dns_txt
from judge.mail.bounces import Bounce, read_bounce
from judge.mail.claim import MailboxTaken
from judge.mail.letter import Attachment, Letter
from judge.mail.loops import why_reluctant, why_silent
from judge.mail.message import Glance, Message, TypedText, glance, read_message
from judge.mail.mime import compose
from judge.mail.plus import (
    LetterId,
    OwnAddresses,
    PlusParts,
    make_letter_id,
    make_token,
    read_letter_id,
    same_code,
    short_code,
)
from judge.mail.postbox import (
    Arrival,
    Batch,
    Deferred,
    Delivered,
    MailLoginRefused,
    MailSink,
    MailSource,
    MailThrottled,
    MailUnreachable,
    Outcome,
    Rejected,
    push_read_until,
)
from judge.mail.received import received_time
from judge.mail.settings import Border, Fence, Limits, Reading, Resolver

__all__ = [
    "Address",
    "Arrival",
    "Attachment",
    "Batch",
    "Border",
    "Bounce",
    "Deferred",
    "Delivered",
    "Fence",
    "Glance",
    "Letter",
    "LetterId",
    "Limits",
    "MailLoginRefused",
    "MailSink",
    "MailSource",
    "MailThrottled",
    "MailUnreachable",
    "MailboxTaken",
    "Message",
    "Outcome",
    "OwnAddresses",
    "PlusParts",
    "Proof",
    "Reading",
    "Rejected",
    "Resolver",
    "TypedText",
    "compose",
    "dkim_proof",
    "dns_txt",
    "glance",
    "is_address",
    "make_letter_id",
    "make_token",
    "push_read_until",
    "read_addresses",
    "read_bounce",
    "read_letter_id",
    "read_message",
    "received_time",
    "same_code",
    "short_code",
    "why_reluctant",
    "why_silent",
]
