"""Header fields as octets, and what they say as text: split, unfolded, decoded (RFC 5322, RFC 2047, RFC 2231)."""

import re
from base64 import b64decode
from binascii import Error as BadBase64
from binascii import a2b_qp
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from email.message import Message as StdMessage

from judge.mail.charsets import decode

_FIELD = re.compile(rb"([!-9;-~]{1,100})[ \t]*:(.*)", re.DOTALL)
_WORD = re.compile(r"=\?([A-Za-z0-9._:-]{1,40})(?:\*[A-Za-z0-9-]*)?\?([bBqQ])\?([^?\r\n]{0,4000})\?=")
_CONTROLS = re.compile("[\\x00-\\x1f\\x7f-\\x9f\u2028\u2029\ufeff\ud800-\udfff]+")
_PARAMETER = re.compile(r';\s*([A-Za-z0-9-]+)\s*=\s*("[^"\\]*"|[^\s;"\\]+)')
_PLAIN_PARAMETERS = re.compile(rf"(?:\s*{_PARAMETER.pattern})*\s*;?\s*")
_LONGEST_VALUE = 8_000
CUT_FIELD = "x-judge-cut"
"""On top of the header of a mail that was too large to be taken whole; a sender who forges it fools himself."""


def cut_to_header(head: bytes, size: int) -> bytes:
    """A mail of `size` octets without its body, marked as such, from its first octets.

    >>> cut_to_header(b"From: a@b.cz\\r\\n\\r\\nA PAR", 9_000_000)
    b'X-Judge-Cut: 9000000\\r\\nFrom: a@b.cz\\r\\n\\r\\n'
    """
    ends = [at + len(mark) for mark in (b"\r\n\r\n", b"\n\n") if (at := head.find(mark)) >= 0]
    return f"X-Judge-Cut: {size}\r\n".encode() + head[: min(ends, default=len(head))]


@dataclass(frozen=True, slots=True)
class Fields:
    """The header fields of a mail or part in their order, names in lower case, values unfolded octets.

    `top` is the topmost of each name.
    """

    all: tuple[tuple[str, bytes], ...]
    top: Mapping[str, bytes]
    cut: bool = False

    def every(self, name: str) -> list[bytes]:
        """All values of a field, topmost first."""
        return [value for key, value in self.all if key == name]

    def first(self, name: str) -> bytes:
        """The topmost value of a field, empty where there is none."""
        return self.top.get(name, b"")

    def text(self, name: str) -> str:
        """The topmost value as undecoded text without control characters."""
        return plain_text(self.first(name))


def split_header(octets: bytes, most_octets: int, most_fields: int) -> tuple[Fields, int]:
    """The fields at the top of a mail or part, and where its body begins.

    A line that is no field ends the header, as everywhere.  Beyond the limits nothing is read and `cut` is set;
    the body is still found.
    """
    fields: list[tuple[str, bytes]] = []
    name, pieces = "", [b""]
    at, cut = 0, False
    if octets.startswith((b"From ", b">From ")):  # a mailbox file's separator
        at = octets.find(b"\n") + 1
    while at < len(octets):
        end = octets.find(b"\n", at)
        end = len(octets) if end < 0 else end
        line = octets[at:end].removesuffix(b"\r")
        if not line:
            at = end + 1
            break
        if line[:1] in (b" ", b"\t"):
            pieces.append(line)
        else:
            found = _FIELD.fullmatch(line[:_LONGEST_VALUE])
            if not found:
                break
            if name:
                fields.append((name, b"".join(pieces).strip()))
            name, pieces = found[1].decode("ascii").lower(), [found[2]]
        at = end + 1
        if at > most_octets or len(fields) >= most_fields:
            cut = True
            at = _body_start(octets, at)
            break
    if name:
        fields.append((name, b"".join(pieces).strip()))
    return Fields(tuple(fields), dict(reversed(fields)), cut), min(at, len(octets))


def _body_start(octets: bytes, at: int) -> int:
    """Where the body begins after a header that is not read on."""
    ends = [end for mark in (b"\n\n", b"\n\r\n") if (end := octets.find(mark, at - 1)) >= 0]
    if not ends:
        return len(octets)
    end = min(ends)
    return octets.find(b"\n", end + 1) + 1


def plain_text(value: bytes) -> str:
    """A value as one line of text, as it stands: UTF-8 where it is, else one character an octet."""
    octets = value[:_LONGEST_VALUE]
    try:
        text = octets.decode("utf-8")
    except UnicodeDecodeError:
        text = octets.decode("latin-1")
    return _CONTROLS.sub(" ", text).strip()


def decoded_text(value: bytes, languages: Iterable[str] = ()) -> str:
    """A value as the reader of a mail program sees it: one line, encoded words decoded, no control characters.

    >>> decoded_text(b"=?utf-8?Q?F_EDI_=E2=80=93_N?=  =?utf-8?Q?WG?= x")
    'F EDI – NWG x'
    >>> decoded_text(b"=?utf-8?Q?status=0D=0ABcc:_v@example.com?=")
    'status Bcc: v@example.com'
    """
    octets = value[:_LONGEST_VALUE]
    text = octets.decode("ascii") if octets.isascii() else decode(octets, "", languages).text
    if "=?" in text:
        text = "".join(_pieces(text, languages))
    return " ".join(_CONTROLS.sub(" ", text).split())


def _pieces(text: str, languages: Iterable[str]) -> Iterator[str]:
    """Text between encoded words, and the words; white space between two words vanishes, split letters are joined."""
    at = 0
    waiting, label = b"", ""
    for found in _WORD.finditer(text):
        between = text[at : found.start()]
        octets = _word_octets(found[2], found[3])
        if waiting and (between.strip() or found[1].lower() != label):
            yield decode(waiting, label, languages).text
            waiting = b""
        if between.strip() or not at:
            yield between
        waiting, label = waiting + octets, found[1].lower()
        at = found.end()
    if waiting:
        yield decode(waiting, label, languages).text
    yield text[at:]


def _word_octets(encoding: str, coded: str) -> bytes:
    octets = coded.encode("utf-8", "replace")
    if encoding in "qQ":
        return a2b_qp(octets, header=True)
    try:
        return b64decode(octets + b"=" * (-len(octets) % 4))
    except (BadBase64, ValueError):
        return b""


@dataclass(frozen=True, slots=True)
class Parameters:
    """A structured field: its value in lower case, and its parameters (RFC 2231 put together, decoded)."""

    value: str
    parameters: tuple[tuple[str, str], ...] = ()

    def get(self, name: str) -> str:
        """A parameter, empty where there is none."""
        return next((value for key, value in self.parameters if key == name), "")


def read_parameters(value: bytes, most: int = 100) -> Parameters:
    """A Content-Type or Content-Disposition field; what cannot be read is left out.

    >>> p = read_parameters(b"attachment; filename*0*=utf-8''..%2Fp%C5%99; filename*1=\\".txt\\"")
    >>> p.value, p.get("filename")
    ('attachment', '../př.txt')
    """
    text = plain_text(value)
    if text.count(";") > most:
        text = text.split(";", 1)[0]
    kind = text.split(";", 1)[0].strip().lower()
    rest = text[text.index(";") :] if ";" in text else ""
    if _PLAIN_PARAMETERS.fullmatch(rest):
        plain = ((found[1].lower(), found[2].strip('"')) for found in _PARAMETER.finditer(rest))
        return Parameters(kind, tuple(dict(reversed(list(plain))).items()))
    carrier = StdMessage()
    found: dict[str, str] = {}
    try:
        carrier["Content-Type"] = text
        for key, raw in carrier.get_params([], unquote=True)[1:]:
            found.setdefault(key.lower(), _parameter_text(raw))
    except (ValueError, TypeError, LookupError, AttributeError):  # CPython raises all of these on hostile RFC 2231 pieces
        pass
    return Parameters(kind, tuple(found.items()))


def _parameter_text(raw: str | tuple[str | None, str | None, str]) -> str:
    if isinstance(raw, str):
        return _CONTROLS.sub(" ", raw)
    return _CONTROLS.sub(" ", decode(raw[2].encode("latin-1", "replace"), raw[0] or "").text)
