"""What a person typed inside a ``winmail.dat``: Outlook's own wrapping of a mail (MS-OXTNEF), read as far as its text goes."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from judge.mail.rtf import rtf_text, unpacked

_SIGNATURE = 0x223E9F78
_BODY = 0x0002800C
_CODEPAGE = 0x00069007
_PROPERTIES = 0x00069003
_OF_MESSAGE = 1
_MOST_ATTRIBUTES = 500
_MOST_PROPERTIES = 2_000

_PLAIN, _RICH, _HTML, _CODEPAGE_PROPERTY = 0x1000, 0x1009, 0x1013, 0x3FDE
_STRING, _UNICODE, _BINARY, _OBJECT = 0x001E, 0x001F, 0x0102, 0x000D
_FIXED = {
    0x0001: 0, 0x0002: 4, 0x0003: 4, 0x0004: 4, 0x0005: 8, 0x0006: 8, 0x0007: 8, 0x000A: 4, 0x000B: 4, 0x0014: 8, 0x0040: 8, 0x0048: 16,
}  # fmt: skip
"""Octets of a value of each fixed type (MS-OXTNEF 2.1.3.5: filled up to four)."""
_CHARSETS = {
    1200: "utf-16",
    20866: "koi8-r",
    21866: "koi8-u",
    28591: "iso-8859-1",
    28592: "iso-8859-2",
    28595: "iso-8859-5",
    65001: "utf-8",
}


@dataclass(frozen=True, slots=True)
class TnefText:
    """A text of a winmail.dat: its octets, its charset ("" if it is not said), and whether it is a page."""

    octets: bytes
    charset: str
    is_page: bool = False


def tnef_text(octets: bytes) -> TnefText | None:
    """The text of a winmail.dat, the plain one before the page; None where there is none.  Never raises, whatever the octets are."""
    try:
        texts = list(_texts(octets))
    except (struct.error, ValueError):
        return None
    found = [text for text in texts if text.octets.strip(b"\x00 \t\r\n")]
    return min(found, key=lambda text: text.is_page, default=None)


def _texts(octets: bytes) -> Iterator[TnefText]:
    """All texts of the message itself, none of its attachments; what stands before damage is given."""
    (signature,) = struct.unpack_from("<I", octets)
    if signature != _SIGNATURE:
        return
    charset = ""
    for attribute, value in _attributes(octets):
        if attribute == _CODEPAGE and len(value) >= 4:
            charset = _charset(struct.unpack_from("<I", value)[0])
        elif attribute == _BODY:
            yield TnefText(value.rstrip(b"\x00"), charset)
        elif attribute == _PROPERTIES:
            yield from _texts_of_properties(value, charset)


def _attributes(octets: bytes) -> Iterator[tuple[int, bytes]]:
    """The attributes of the message: level, id, length, value, checksum (MS-OXTNEF 2.1.3.1)."""
    at = 6
    for _ in range(_MOST_ATTRIBUTES):
        if at + 9 > len(octets):
            return
        level, attribute, length = struct.unpack_from("<BII", octets, at)
        value = octets[at + 9 : at + 9 + length]
        if level != _OF_MESSAGE or len(value) < length:
            return  # attachments come last
        yield attribute, value
        at += 9 + length + 2


def _texts_of_properties(value: bytes, charset: str) -> Iterator[TnefText]:
    """The bodies among the MAPI properties of a message (MS-OXPROPS: PidTagBody, RtfCompressed, Html, InternetCodepage)."""
    html_charset = charset
    for kind, tag, octets in _properties(value):
        if tag == _CODEPAGE_PROPERTY and kind == 0x0003:
            html_charset = _charset(struct.unpack("<I", octets)[0])
        elif tag == _PLAIN and kind in (_STRING, _UNICODE):
            yield _string(kind, octets, charset, is_page=False)
        elif tag == _RICH and kind == _BINARY:
            yield TnefText(rtf_text(unpacked(octets)).encode("utf-8", "replace"), "utf-8")
        elif tag == _HTML and kind in (_STRING, _UNICODE, _BINARY):
            yield _string(kind, octets, html_charset, is_page=True)


def _string(kind: int, octets: bytes, charset: str, *, is_page: bool) -> TnefText:
    if kind == _UNICODE:
        return TnefText(octets.decode("utf-16-le", "replace").rstrip("\x00").encode("utf-8", "replace"), "utf-8", is_page)
    return TnefText(octets.rstrip(b"\x00"), charset, is_page)


def _properties(value: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Type, tag and first value of each property (MS-OXTNEF 2.1.3.4); ends where one cannot be read."""
    (count,) = struct.unpack_from("<I", value)
    at = 4
    for _ in range(min(count, _MOST_PROPERTIES)):
        if at + 4 > len(value):
            return
        kind, tag = struct.unpack_from("<HH", value, at)
        at = _after_name(value, at + 4) if tag >= 0x8000 else at + 4
        several, kind = bool(kind & 0x1000), kind & ~0x1000
        is_long = kind in (_STRING, _UNICODE, _BINARY, _OBJECT)
        if not is_long and kind not in _FIXED:
            return
        values = 1
        if several or is_long:
            (values,) = struct.unpack_from("<I", value, at)
            at += 4
        first = b""
        for number in range(min(values, _MOST_PROPERTIES)):
            length = _FIXED.get(kind, 0)
            if is_long:
                (length,) = struct.unpack_from("<I", value, at)
                at += 4
            octets = value[at : at + length]
            if len(octets) < length:
                return
            first = octets if number == 0 else first
            at += length + -length % 4
        yield kind, tag, first


def _after_name(value: bytes, at: int) -> int:
    """Where a property goes on after its name: a GUID, and a number or a text (MS-OXTNEF 2.1.3.4)."""
    (is_text,) = struct.unpack_from("<I", value, at + 16)
    if not is_text:
        return at + 24
    (length,) = struct.unpack_from("<I", value, at + 20)
    return at + 24 + int(length) + -int(length) % 4


def _charset(codepage: int) -> str:
    return _CHARSETS.get(codepage, f"windows-{codepage}" if 1250 <= codepage <= 1258 else f"ibm{codepage}" if codepage < 1000 else "")
