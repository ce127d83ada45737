"""The texts of mails out of a file as people keep them: one mail, a whole mailbox (mbox), or a bare text."""

import re
from email import message_from_bytes
from email.message import Message

_HEADER = re.compile(rb"^[A-Za-z][A-Za-z0-9-]*:[ \t]")
_NEXT_MAIL = re.compile(rb"(?m)^(?=From \S+ .*\d{4}\r?$)")


def texts_in(data: bytes) -> list[str]:
    """The plain text of each mail in a file, in order.

    >>> texts_in(b"Subject: x\\n\\nHello\\n"), texts_in(b":: Judge: DEMO\\n")
    (['Hello\\n'], [':: Judge: DEMO\\n'])
    """
    if data.startswith(b"From "):
        mails = [part.split(b"\n", 1)[-1] for part in _NEXT_MAIL.split(data) if part.strip()]
        return [_text(message_from_bytes(mail)) for mail in mails]
    if _HEADER.match(data):
        return [_text(message_from_bytes(data))]
    return [_decoded(data, "")]


def _text(message: Message) -> str:
    """The plain text of a mail, "" if it has none."""
    for part in message.walk():
        if part.get_content_type() == "text/plain":
            payload = part.get_payload(decode=True)
            return _decoded(payload, part.get_content_charset() or "") if isinstance(payload, bytes) else ""
    return ""


def _decoded(data: bytes, charset: str) -> str:
    """Octets as text: in the charset named, else UTF-8, else Latin-1, which takes everything."""
    for name in (charset, "utf-8"):
        try:
            return data.decode(name).replace("\r\n", "\n")
        except (LookupError, UnicodeDecodeError):
            continue
    return data.decode("latin-1").replace("\r\n", "\n")
