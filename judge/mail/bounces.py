"""Delivery reports about our own letters: RFC 3464, and the free forms of Exim, qmail and Exchange."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from judge.mail.addresses import is_address
from judge.mail.charsets import decode
from judge.mail.headers import Fields, plain_text, split_header
from judge.mail.message import Message
from judge.mail.parts import Part, find_parts, read_part
from judge.mail.phrases import DELAYED, FAILED
from judge.mail.plus import read_letter_id
from judge.mail.settings import Reading

_STATUS = re.compile(r"(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.])")
_SMTP = re.compile(r"(?<![\d.])([45])\d\d(?=[ -])(?![ -]\d{3,})")
_MAILBOX = re.compile(r"<([^<>\s@]{1,64}@[^<>\s@]{1,255})>|(?<![\w.+-])([\w.+-]{1,64}@[\w.-]{1,255}\w)")
_ORIGINAL_ID = re.compile(r"^[ \t>]*message-id:\s*<([^<>\s]{3,250})>", re.IGNORECASE | re.MULTILINE)
_FAILED = re.compile("|".join(FAILED), re.IGNORECASE)
_DELAYED = re.compile("|".join(DELAYED), re.IGNORECASE)
_HEADER_KINDS = ("text/rfc822-headers", "message/rfc822", "message/rfc822-headers", "message/global", "message/global-headers")


@dataclass(frozen=True, slots=True)
class Bounce:
    """One letter of ours that did not arrive.

    `game`, `seat` and `nonce` come from the return path (VERP), else from the Message-ID of the letter; `status`
    is an enhanced code such as ``5.1.1`` (RFC 3463).  `permanent` is False for a delay or a full mailbox.
    `text` is the far server's reason: untrusted, one line.
    """

    game: str
    seat: str
    nonce: str
    recipient: str
    status: str
    permanent: bool
    message_id: str
    text: str


def read_bounce(raw: bytes, message: Message, reading: Reading) -> Bounce | None:
    """What a delivery report says of a letter of ours; None for everything else.

    Vacation notes, read receipts, reports of success and complaints are no bounces.
    """
    if not _may_be_one(message):
        return None
    parts = list(find_parts(read_part(raw, reading.limits), reading.limits))
    original = _original_id(parts, message, reading)
    if message.kind.startswith("multipart/report"):
        found = _from_report(parts, message)
        if found is None and message.kind != "multipart/report;delivery-status":
            return None
    else:
        found = None
    found = found or _from_text(parts, message)
    if found is None:
        return None
    return _addressed(replace(found, message_id=original), message, reading)


def _may_be_one(message: Message) -> bool:
    """Whether a mail system sent it, at first sight: people's mails need no second reading."""
    return message.kind.startswith("multipart/report") or _is_from_system(message) or _is_from_daemon(message)


def _is_from_system(message: Message) -> bool:
    return message.return_path == "" or any(parts.box == "bounces" for parts in message.addressed)


def _is_from_daemon(message: Message) -> bool:
    return bool(message.from_ and message.from_.key.startswith(("mailer-daemon@", "postmaster@")))


def _addressed(bounce: Bounce, message: Message, reading: Reading) -> Bounce | None:
    """The same bounce with whose letter it was; None where it is no letter of ours."""
    verp = next((parts for parts in message.addressed if parts.box == "bounces" and parts.game), None)
    if verp:
        return replace(bounce, game=verp.game, seat=verp.seat, nonce=verp.nonce)
    letter = read_letter_id(reading.own.host, bounce.message_id)
    if letter:
        return replace(bounce, game=letter.game, seat=letter.seat)
    ours = bounce.message_id.rpartition("@")[2].lower() == reading.own.host
    return bounce if ours or any(parts.box == "bounces" for parts in message.addressed) else None


def _from_report(parts: list[Part], message: Message) -> Bounce | None:
    """The first failed recipient of a message/delivery-status part; then the first delayed one."""
    delayed = None
    for part in parts:
        if part.kind not in ("message/delivery-status", "message/global-delivery-status"):
            continue
        for fields in _groups(part.octets()):
            action = fields.text("action").lower()
            if action not in ("failed", "delayed"):
                continue
            bounce = _from_fields(fields, action)
            if action == "failed":
                return bounce
            delayed = delayed or bounce
    return delayed


def _groups(octets: bytes) -> Iterator[Fields]:
    """The groups of fields of a delivery status, one a recipient (the first is about the report itself)."""
    octets = octets.replace(b"\r\n", b"\n").lstrip(b"\n")
    for group in re.split(rb"\n[ \t]*\n+", octets)[:100]:
        fields, _ = split_header(group, 20_000, 100)
        yield fields


def _from_fields(fields: Fields, action: str) -> Bounce:
    diagnostic = fields.text("diagnostic-code").partition(";")[2].strip()
    status = _STATUS.search(fields.text("status")) or _STATUS.search(diagnostic)
    code = status[1] if status else ("5.0.0" if action == "failed" else "4.0.0")
    if code.startswith("2"):
        code = "5.0.0"
    recipient = next((one for name in ("original-recipient", "final-recipient") if is_address(one := _recipient(fields.text(name)))), "")
    return Bounce("", "", "", recipient, code, action == "failed" and code.startswith("5") and code != "5.2.2", "", diagnostic[:300])


def _recipient(value: str) -> str:
    """``rfc822; tomas@example.com`` to the address."""
    return (value.partition(";")[2] or value).strip().strip("<>")


def _from_text(parts: list[Part], message: Message) -> Bounce | None:
    """A report in words: only from a mail system, and only where it says that something failed."""
    if not _is_from_system(message) and not _is_from_daemon(message):
        return None
    said = "\n".join(_text(part) for part in parts if part.kind.startswith("text/") and part.kind not in _HEADER_KINDS)[:50_000]
    failed = message.automatic_field("x-failed-recipients").split(",")[0].strip()
    named = message.from_ is not None and message.from_.key.startswith("mailer-daemon@")
    if not failed and not _FAILED.search(message.subject) and not named:
        return None
    report = re.split(r"\n-{3,}[^\n]*(?:copy|original|below|this line)[^\n]*\n|\n-{3,} *\n", said, maxsplit=1, flags=re.IGNORECASE)[0]
    status, smtp = _STATUS.search(report), _SMTP.search(report)
    if not (failed or status or smtp or _FAILED.search(report)):
        return None
    code = status[1] if status else f"{smtp[1]}.0.0" if smtp else "5.0.0"
    delayed = bool(_DELAYED.search(message.subject)) or (not smtp and not status and bool(_DELAYED.search(report)))
    recipient = failed if is_address(failed) else _first_address(report)
    reason = next((" ".join(line.split()) for line in report.split("\n") if _STATUS.search(line) or _SMTP.search(line)), "")
    return Bounce("", "", "", recipient, code, code.startswith("5") and code != "5.2.2" and not delayed, "", reason[:300])


def _text(part: Part) -> str:
    return decode(part.octets(), part.parameters.get("charset")).text.replace("\r\n", "\n")


def _first_address(text: str) -> str:
    for found in _MAILBOX.finditer(text):
        address = str(found[1] or found[2])
        if is_address(address) and not address.lower().startswith(("postmaster@", "mailer-daemon@")):
            return address
    return ""


def _original_id(parts: list[Part], message: Message, reading: Reading) -> str:
    """The Message-ID of the letter that came back: from its copy, from quoted lines, from In-Reply-To."""
    for part in parts:
        if part.kind in _HEADER_KINDS:
            fields, _ = split_header(part.octets().lstrip(b"\r\n"), reading.limits.header, reading.limits.fields)
            found = re.search(r"<([^<>\s]{3,250})>", fields.text("message-id"))
            if found:
                return found[1]
    for part in parts:
        if part.kind.startswith("text/"):
            quoted = _ORIGINAL_ID.search(_text(part)[:100_000])
            if quoted:
                return plain_text(quoted[1].encode())
    return next(iter((*message.in_reply_to, *message.references)), "")
