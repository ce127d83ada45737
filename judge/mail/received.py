"""When a mail arrived, by the field our own border wrote at its top; never by the sender's Date."""

import re
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_tz

from judge.mail.headers import Fields, plain_text, split_header
from judge.mail.settings import Border

_SIGNS = re.compile(r'[()"\\]')
_BY = re.compile(r"(?:^|\s)by\s+([^\s;()]+)", re.IGNORECASE)


def read_date(text: str) -> datetime | None:
    """A mail's date as an aware UTC time; None for nonsense, and a missing zone means UTC.

    >>> read_date("Sun, 29 Nov 2026 13:30:42 +0100").isoformat()
    '2026-11-29T12:30:42+00:00'
    >>> read_date("29 Nov 2026 16:39 +0300").isoformat(), read_date("yesterday"), read_date("Sun, 99 Nov 2026 13:30:42 +9999")
    ('2026-11-29T13:39:00+00:00', None, None)
    """
    try:
        parts = parsedate_tz(text[:200])
        if parts is None:
            return None
        moment = datetime(*parts[:6], tzinfo=UTC) - timedelta(seconds=parts[9] or 0)
        return moment if moment.year >= 1970 else None
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def without_comments(text: str) -> str:
    """A structured field without its (nested) comments.

    >>> without_comments('by mx.example.org (Postfix (x))with "(E)SMTPS"')
    'by mx.example.org  with "(E)SMTPS"'
    """
    if "(" not in text:
        return text
    out: list[str] = []
    depth, quoted, kept, skipped = 0, False, 0, -1
    for found in _SIGNS.finditer(text):
        at, char = found.start(), found[0]
        if at == skipped:
            continue
        if char == "\\" and (quoted or depth):
            skipped = at + 1
        elif char == '"' and not depth:
            quoted = not quoted
        elif char == "(" and not quoted:
            if not depth:
                out.append(text[kept:at])
            depth += 1
        elif char == ")" and depth:
            depth -= 1
            kept = at + 1
            out.append("" if depth else " ")
    return "".join(out if depth else [*out, text[kept:]])


def written_by(received: bytes) -> str:
    """The host that wrote a Received field, lower case; empty where it does not say."""
    found = _BY.search(without_comments(plain_text(received)))
    return found[1].lower().rstrip(".") if found else ""


def is_ours(received: bytes, border: Border) -> bool:
    """Whether our border wrote this Received field, as far as its name tells."""
    return written_by(received) in {name.lower() for name in border.received_by}


def received_time(raw: bytes, border: Border) -> datetime | None:
    """When our border took the mail: the time in its topmost Received field.

    None where there is none, or where the border's names are known and the field bears another.
    """
    fields, _ = split_header(raw, 100_000, 1_000)
    return top_time(fields, border)


def top_time(fields: Fields, border: Border) -> datetime | None:
    """`received_time` of a header already split."""
    top = fields.first("received")
    if not top or (border.received_by and not is_ours(top, border)):
        return None
    return read_date(plain_text(top).rpartition(";")[2].strip())
