"""Letter to bytes: headers written by hand, so that the same letter always gives the same bytes, and fast."""

import re
from base64 import b64encode, encodebytes
from binascii import b2a_qp
from collections.abc import Iterator
from email.utils import format_datetime
from functools import lru_cache
from hashlib import sha256

from judge.mail.addresses import is_address
from judge.mail.letter import Attachment, Letter

_CRLF = b"\r\n"
_FIELD_NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,60}")
_CONTROLS = re.compile("[\\x00-\\x1f\\x7f-\\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff]+")
_BODY_CONTROLS = bytes([*range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20), 0x7F])
_NO_LEADS = bytes([*range(0xC3), *range(0xF5, 0x100)])
"""Octets that do not begin a character beyond Latin-1's signs, to be left out when those are counted."""
_WILD = (b"=_", b"\n.", b"\nFrom ", b" \n", b"\t\n")
"""What a text must not have that travels as it is; nor a line longer than this."""
_LONGEST_LINE = 200
_PLAIN_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~ -]+")
_ID = re.compile(r"[\x21-\x3b\x3d\x3f-\x7e]{1,250}")
_PICTURE = "cid:picture"
_PICTURE_TAG = re.compile(r"<img\b[^<>]*" + _PICTURE + r"\b[^<>]*>")
_MAGIC = (
    (b"\x89PNG", "image/png", "png"),
    (b"GIF8", "image/gif", "gif"),
    (b"\xff\xd8\xff", "image/jpeg", "jpg"),
    (b"<svg", "image/svg+xml", "svg"),
)
MOST_REFERENCES = 20


def compose(letter: Letter, *, picture: bytes | None = None) -> bytes:
    """The letter as the bytes that go over the wire (CRLF, 7-bit).

    `picture` is what the letter's picture slot names; an ``<img src="cid:picture">`` in its HTML shows it, and is
    taken out where there is none.  Raises ValueError for an address, id or header name that cannot stand in a mail.
    """
    head = list(_headers(letter))
    boundary = "=_" + sha256(letter.message_id.encode()).hexdigest()[:24]
    kind, fields, body = _content(letter, picture, boundary)
    head += [b"MIME-Version: 1.0", b"Content-Type: " + kind, *fields]
    return _CRLF.join(head) + _CRLF * 2 + body


# --- headers ---------------------------------------------------------------------------------------------------


def _headers(letter: Letter) -> Iterator[bytes]:
    yield b"From: " + _mailbox(letter.from_name, letter.from_address, 6)
    yield b"To: " + _mailbox(letter.to_name, letter.to, 4)
    if letter.reply_to:
        yield b"Reply-To: " + _mailbox(letter.from_name, letter.reply_to, 10)
    yield b"Subject: " + header_text(letter.subject, 9)
    yield b"Date: " + format_datetime(letter.date).encode()
    yield b"Message-ID: " + _id(letter.message_id)
    if letter.in_reply_to:
        yield b"In-Reply-To: " + _id(letter.in_reply_to)
    if letter.references:
        yield b"References: " + b"\r\n ".join(_id(one) for one in letter.references[-MOST_REFERENCES:])
    yield b"Auto-Submitted: " + letter.auto_submitted.encode()
    yield b"X-Auto-Response-Suppress: All"
    yield b"X-Judge-Loop: " + letter.from_address.rpartition("@")[2].encode()
    if letter.list_id:
        yield b"List-Id: " + _list_id(letter.list_name, letter.list_id)
    if letter.list_unsubscribe:
        yield b"List-Unsubscribe: <mailto:" + _id(letter.list_unsubscribe)[1:-1] + b">"
    for name, value in letter.headers:
        if not _FIELD_NAME.fullmatch(name):
            raise ValueError(f"no header name: {name!r}")
        yield name.encode() + b": " + header_text(value, len(name) + 2)


def _id(text: str) -> bytes:
    """A Message-ID in angle brackets."""
    bare = text.strip().removeprefix("<").removesuffix(">")
    if not _ID.fullmatch(bare):
        raise ValueError(f"no message id: {text!r}")
    return f"<{bare}>".encode()


def _list_id(name: str, list_id: str) -> bytes:
    return (_phrase(name, 9) + b"\r\n " if _clean(name) else b"") + _id(list_id)


def _mailbox(name: str, address: str, used: int) -> bytes:
    """``name <address>``; the name can never be taken for an address or a second one."""
    if not is_address(address):
        raise ValueError(f"no mail address: {address!r}")
    phrase = _phrase(name, used)
    if not phrase:
        return address.encode()
    last = phrase.rpartition(b"\n")[2]
    gap = b" " if used + len(last) + len(address) + 3 <= 76 else b"\r\n "
    return phrase + gap + f"<{address}>".encode()


def _phrase(name: str, used: int) -> bytes:
    clean = _clean(name)
    if not clean or (_PLAIN_NAME.fullmatch(clean) and "=?" not in clean and len(clean) <= 60):
        return clean.encode()
    if clean.isascii() and "=?" not in clean and len(clean) <= 60:
        return b'"' + re.sub(r'(["\\])', r"\\\1", clean).encode() + b'"'
    return _encoded_words(clean, used)


def _clean(text: str) -> str:
    """Text that cannot leave its header: no line breaks, no control, no direction marks."""
    return " ".join(_CONTROLS.sub(" ", text).split())


def header_text(text: str, used: int = 0) -> bytes:
    """Free text for a header such as Subject, folded at 76; `used` is how much of the first line is taken.

    >>> header_text("hanse\\r\\nBcc: victim@example.com")
    b'hanse Bcc: victim@example.com'
    >>> header_text("Příkazy")
    b'=?utf-8?b?UMWZw61rYXp5?='
    """
    clean = _clean(text)
    words = clean.split(" ")
    if not clean.isascii() or "=?" in clean or max(map(len, words)) > 70:
        return _encoded_words(clean, used)
    lines, line = [], ""
    for word in words:
        if line and used + len(line) + 1 + len(word) > 76:
            lines.append(line)
            line, used = word, 1
        else:
            line = f"{line} {word}" if line else word
    return b"\r\n ".join(part.encode() for part in [*lines, line])


def _encoded_words(clean: str, used: int) -> bytes:
    """RFC 2047 words of at most 75 characters, cut between characters, never inside one."""
    words: list[bytes] = []
    room, chunk = min(45, max((76 - used - 12) * 3 // 4, 12)), b""
    for char in clean:
        octets = char.encode()
        if len(chunk) + len(octets) > room:
            words.append(chunk)
            room, chunk = 45, b""
        chunk += octets
    words.append(chunk)
    return b"\r\n ".join(b"=?utf-8?b?" + b64encode(word) + b"?=" for word in words)


# --- bodies ----------------------------------------------------------------------------------------------------

_Part = tuple[bytes, list[bytes], bytes]  # Content-Type, further fields, encoded body


def _content(letter: Letter, picture: bytes | None, boundary: str) -> _Part:
    """The whole content: text, or its twins, with the picture inside and attachments beside."""
    main = _text_part("plain", letter.text, boundary)
    if letter.html is not None:
        main = _multipart("alternative", [main, _html_part(letter, picture, boundary)], boundary + "a")
    beside = [] if picture is None or letter.html is not None else [_picture_part(picture, "attachment", "")]
    beside += [_attachment_part(one, boundary) for one in letter.attachments]
    return _multipart("mixed", [main, *beside], boundary + "m") if beside else main


def _html_part(letter: Letter, picture: bytes | None, boundary: str) -> _Part:
    assert letter.html is not None
    if picture is None:
        return _text_part("html", _PICTURE_TAG.sub("", letter.html), boundary)
    name = f"{boundary[2:18]}@{letter.from_address.rpartition('@')[2]}"
    html = _text_part("html", re.sub(_PICTURE + r"\b", f"cid:{name}", letter.html), boundary)
    return _multipart("related", [html, _picture_part(picture, "inline", name)], boundary + "r")


def _multipart(subtype: str, parts: list[_Part], boundary: str) -> _Part:
    out: list[bytes] = []
    for kind, fields, body in parts:
        out += [b"--" + boundary.encode(), b"Content-Type: " + kind, *fields, b"", body.removesuffix(_CRLF)]
    out += [b"--" + boundary.encode() + b"--", b""]
    return f'multipart/{subtype};\r\n boundary="{boundary}"'.encode(), [], _CRLF.join(out)


def _text_part(subtype: str, text: str, boundary: str) -> _Part:
    charset, encoding, body = encode_text(text, boundary)
    return f"text/{subtype}; charset={charset}".encode(), [b"Content-Transfer-Encoding: " + encoding], body


def encode_text(text: str, boundary: str = "=_") -> tuple[str, bytes, bytes]:
    """Charset, transfer encoding and encoded body of a text: 7-bit where it is safe, else the shorter of two ways.

    No line ever begins with "From ", is a lone dot, ends in a space or is longer than 200 octets.

    >>> encode_text("From me\\n.\\n")
    ('us-ascii', b'quoted-printable', b'=46=\\r\\nrom me\\r\\n=2E\\r\\n')
    """
    octets = text.encode("utf-8", "ignore")  # without half characters
    if b"\r" in octets:
        octets = octets.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    octets = octets.translate(None, _BODY_CONTROLS)
    body = octets.replace(b"\n", _CRLF)
    if octets and not octets.endswith(b"\n"):
        body += _CRLF
    if octets.isascii():
        return "us-ascii", *((b"7bit", body) if _is_tame(octets) else (b"quoted-printable", _quoted_printable(body)))
    if 3 * len(body.translate(None, _NO_LEADS)) > len(body) // 3:
        return "utf-8", b"base64", _base64(body)
    return "utf-8", b"quoted-printable", _quoted_printable(body)


def _is_tame(octets: bytes) -> bool:
    """Whether a text of ASCII may travel as it is."""
    lines = b"\n" + octets + b"\n"
    return not any(sign in lines for sign in _WILD) and max(map(len, lines.split(b"\n"))) <= _LONGEST_LINE


def _quoted_printable(body: bytes) -> bytes:
    """Line by line, because the letters of a phase have most of theirs in common; no long one is kept."""
    lines = body.splitlines(keepends=True)
    return b"".join([_known_line(line) if len(line) <= _LONGEST_LINE else _quoted_line(line) for line in lines])


def _quoted_line(line: bytes) -> bytes:
    """One line with its end."""
    coded = b2a_qp(line, istext=True, header=False)
    return re.sub(rb"^From ", b"=46=\r\nrom ", coded, flags=re.MULTILINE) if b"From " in coded else coded


_known_line = lru_cache(maxsize=4096)(_quoted_line)


def _base64(octets: bytes) -> bytes:
    return encodebytes(octets).replace(b"\n", _CRLF)


@lru_cache(maxsize=16)
def _picture_base64(picture: bytes) -> bytes:
    """A picture is encoded once for all readers of a phase, not once a letter."""
    return _base64(picture)


def _picture_part(picture: bytes, disposition: str, content_id: str) -> _Part:
    kind, ending = next(((k, e) for magic, k, e in _MAGIC if picture.startswith(magic)), ("application/octet-stream", "bin"))
    fields = [b"Content-Transfer-Encoding: base64", f'Content-Disposition: {disposition}; filename="board.{ending}"'.encode()]
    if content_id:
        fields.append(f"Content-ID: <{content_id}>".encode())
    return f'{kind}; name="board.{ending}"'.encode(), fields, _picture_base64(picture)


def _attachment_part(attachment: Attachment, boundary: str) -> _Part:
    if not re.fullmatch(r"[\w.+-]+/[\w.+-]+(?:; ?[\w-]+=[\w-]+)*", attachment.kind, re.ASCII):
        raise ValueError(f"no media type: {attachment.kind!r}")
    name = re.sub(r"[^A-Za-z0-9._-]+|^\.+", "_", attachment.name)[:60]
    octets = attachment.text.replace("\r\n", "\n").replace("\n", "\r\n").encode()
    fields = [b"Content-Transfer-Encoding: base64", f'Content-Disposition: attachment; filename="{name}"'.encode()]
    return f'{attachment.kind}; charset=utf-8; name="{name}"'.encode(), fields, _base64(octets)
