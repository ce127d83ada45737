"""The text of a rich text (RTF), as Outlook keeps it compressed in a ``winmail.dat`` (MS-OXRTFCP); of its looks nothing is read."""

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass, replace

_COMPRESSED, _PLAIN = 0x75465A4C, 0x414C454D
_DICTIONARY = (
    rb"{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript \fdecor "
    rb"MS Sans SerifSymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0"
    b"\r\n"
    rb"\par \pard\plain\f0\fs20\b\i\u\tab\tx"
)
_WINDOW = 4096
MOST_OCTETS = 2_000_000

_TOKEN = re.compile(rb"\\([a-zA-Z]{1,32})(-?[0-9]{1,9})? ?|\\'([0-9a-fA-F]{2})|\\(.)|([{}])|([^\\{}\r\n]+)|[\r\n]+", re.DOTALL)
_HIDDEN = frozenset(
    {b"fonttbl", b"colortbl", b"stylesheet", b"info", b"pict", b"object", b"header", b"footer", b"footnote", b"listtable", b"xmlnstbl"}
)
"""Groups that begin so hold no text of the body (RTF 1.9.1, "destinations"); so do all that begin with ``\\*``."""
_SAID = {
    b"par": "\n", b"line": "\n", b"row": "\n", b"sect": "\n", b"page": "\n", b"tab": "\t", b"cell": "\t", b"emdash": "—", b"endash": "–",
    b"bullet": "•", b"lquote": "‘", b"rquote": "’", b"ldblquote": "“", b"rdblquote": "”", b"emspace": " ", b"enspace": " ",
    b"~": "\u00a0", b"_": "\u2011", b"{": "{", b"}": "}", b"\\": "\\", b"\n": "\n", b"\r": "\n",
}  # fmt: skip


def unpacked(octets: bytes) -> bytes:
    """The rich text in a PidTagRtfCompressed, as far as it goes; b"" for anything else.  Raises struct.error where there is no header."""
    _, size, kind, _ = struct.unpack_from("<IIII", octets)
    if kind == _PLAIN:
        return octets[16 : 16 + min(size, MOST_OCTETS)]
    return b"".join(_decompressed(octets[16:], min(size, MOST_OCTETS))) if kind == _COMPRESSED else b""


def _decompressed(octets: bytes, size: int) -> Iterator[bytes]:
    """Runs of single octets and of references into the last four kilobytes (MS-OXRTFCP 2.2.2)."""
    window = bytearray(_DICTIONARY) + bytearray(_WINDOW - len(_DICTIONARY))
    at, write, done = 0, len(_DICTIONARY), 0
    while at < len(octets) and done < size:
        control, at = octets[at], at + 1
        for bit in range(8):
            run = octets[at : at + 1]
            at += 1
            if control >> bit & 1:
                reference = int.from_bytes(run + octets[at : at + 1], "big")
                at += 1
                offset = reference >> 4
                if offset == write:
                    return
                run = bytes(window[(offset + step) % _WINDOW] for step in range((reference & 15) + 2))
            if at > len(octets):
                return
            for octet in run:
                window[write] = octet
                write = (write + 1) % _WINDOW
            done += len(run)
            yield run


@dataclass(frozen=True, slots=True)
class _State:
    """What holds inside a group: whether it is shown, and how many characters stand for one of Unicode where that is not known."""

    shown: bool = True
    instead: int = 1


def rtf_text(rtf: bytes) -> str:
    """What a rich text says, line by line; "" for what is none.  Never raises.

    >>> rtf_text(rb"{\\rtf1\\ansicpg1250{\\fonttbl Arial;}A PAR \\endash  BUR\\par A Tyr\\'9aov - \\u321?\\par}")
    'A PAR – BUR\\nA Tyršov - Ł\\n'
    """
    if not rtf.startswith(b"{\\rtf"):
        return ""
    return "".join(_spoken(rtf[:MOST_OCTETS])).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _spoken(rtf: bytes) -> Iterator[str]:
    state, outer, codec, skip = _State(), list[_State](), "cp1252", 0
    for found in _TOKEN.finditer(rtf):
        word, number, octet, sign, brace, text = found.groups()
        if brace == b"{":
            outer.append(state)
        elif brace == b"}":
            state = outer.pop() if outer else state
        elif word in _HIDDEN or sign == b"*":
            state = replace(state, shown=False)
        elif word == b"ansicpg":
            codec = _codec(int(number or 1252))
        elif word == b"uc":
            state = replace(state, instead=max(0, min(int(number or 1), 8)))
        elif not state.shown:
            continue
        elif word == b"u" and number:
            skip = state.instead
            yield chr(int(number) % 65536)
        elif octet or text:
            said = bytes.fromhex(octet.decode()) if octet else text
            yield said[skip:].decode(codec, "replace")
            skip = max(0, skip - len(said))
        else:
            yield _SAID.get(word or sign or b"", "")


def _codec(codepage: int) -> str:
    return f"cp{codepage}" if 1250 <= codepage <= 1258 or codepage in (437, 850, 852, 866, 932, 936, 949, 950) else "cp1252"
