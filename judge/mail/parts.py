"""A mail taken apart: which texts are in it, found by an own walk with limits, never by Python's `walk`."""

import re
from base64 import b64decode
from binascii import Error as BadBase64
from binascii import a2b_qp, a2b_uu
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from judge.mail.headers import Fields, Parameters, read_parameters, split_header
from judge.mail.settings import Limits
from judge.mail.tnef import tnef_text

_TEXTS = frozenset({"text/plain", "text/markdown", "text/x-markdown", "text"})
_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]+")


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a mail, its body still encoded."""

    fields: Fields
    kind: str
    parameters: Parameters
    disposition: Parameters
    body: bytes

    @property
    def name(self) -> str:
        """The file name the sender gave it: only ever looked at for its ending, never used."""
        return self.disposition.get("filename") or self.parameters.get("name")

    @property
    def is_attached(self) -> bool:
        """Whether it lies beside the text rather than being it."""
        return self.disposition.value == "attachment" or bool(self.name)

    def octets(self) -> bytes:
        """The body with its transfer encoding undone, as far as that goes."""
        encoding = self.fields.text("content-transfer-encoding").lower().strip("\"' ")
        if encoding == "quoted-printable":
            return a2b_qp(self.body)
        if encoding == "base64":
            return _base64(self.body)
        if encoding in ("x-uuencode", "uuencode", "x-uue", "uue"):
            return b"".join(_uu_lines(self.body))
        return self.body


def _base64(coded: bytes) -> bytes:
    """Base64 with line breaks, noise and missing padding; what follows padding is a footer and not read."""
    head, _, _ = coded.partition(b"=")
    clean = _NOT_BASE64.sub(b"", head)
    clean = clean[: len(clean) - (len(clean) % 4 == 1)]
    try:
        return b64decode(clean + b"=" * (-len(clean) % 4))
    except (BadBase64, ValueError):
        return b""


def _uu_lines(coded: bytes) -> Iterator[bytes]:
    for line in coded.splitlines():
        if line.startswith((b"begin ", b"end")) or not line:
            continue
        try:
            yield a2b_uu(line)
        except BadBase64:
            continue


def read_part(octets: bytes, limits: Limits) -> Part:
    """A mail or part: header apart from body."""
    fields, start = split_header(octets, limits.header, limits.fields)
    parameters = read_parameters(fields.first("content-type"))
    kind = parameters.value if "/" in parameters.value or parameters.value == "text" else "text/plain"
    return Part(fields, kind, parameters, read_parameters(fields.first("content-disposition")), octets[start:])


def split_multipart(body: bytes, boundary: str, most: int) -> list[bytes]:
    """The parts between the boundary lines, at most `most` and one more; preamble and epilogue are left out."""
    mark = b"--" + boundary.encode("latin-1", "replace")
    parts: list[bytes] = []
    start, at = -1, 0
    while len(parts) <= most:
        at = body.find(mark, at)
        if at < 0:
            break
        end = body.find(b"\n", at)
        end = len(body) if end < 0 else end
        rest = body[at + len(mark) : end].strip()
        if (at and body[at - 1 : at] != b"\n") or rest not in (b"", b"--"):
            at += len(mark)
            continue
        if start >= 0:
            parts.append(_without_line_end(body[start:at]))
        start, at = end + 1, end
        if rest == b"--":
            return parts
    if start >= 0 and len(parts) <= most:
        parts.append(body[start:])
    return parts


def _without_line_end(octets: bytes) -> bytes:
    """The line end before a boundary belongs to the boundary."""
    return octets[:-2] if octets.endswith(b"\r\n") else octets.removesuffix(b"\n")


@dataclass
class Content:
    """What a mail holds: text parts, page parts, text attachments, and codes of what was met and not read."""

    plain: list[Part] = field(default_factory=list)
    html: list[Part] = field(default_factory=list)
    attached: list[Part] = field(default_factory=list)
    problems: dict[str, None] = field(default_factory=dict)

    def add(self, other: "Content") -> None:
        """Take over everything another one holds."""
        self.plain += other.plain
        self.html += other.html
        self.attached += other.attached
        self.problems |= other.problems


class _Walk:
    """Counts the parts while it goes down; depth is bounded, so it may call itself."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.seen = 0

    def content(self, part: Part, depth: int = 0) -> Content:
        self.seen += 1
        if part.kind.startswith("multipart/"):
            return self.multipart(part, depth)
        return _leaf(part)

    def multipart(self, part: Part, depth: int) -> Content:
        found = Content()
        if depth >= self.limits.nesting:
            found.problems["too_deep"] = None
            return found
        boundary = part.parameters.get("boundary")
        if not boundary:
            found.plain.append(part)  # text under a wrong name, as old programs wrote it
            found.problems["broken_mime"] = None
            return found
        if part.kind == "multipart/encrypted":
            found.problems["encrypted"] = None
            return found
        pieces = split_multipart(part.body, boundary, self.limits.parts)
        if not pieces:
            found.problems["broken_mime"] = None
            found.plain.append(replace(part, kind="text/plain"))
            return found
        if part.kind in ("multipart/signed", "multipart/related", "multipart/report"):
            return self.children(part, pieces, depth, first_is_text=True)
        return self.children(part, pieces, depth)

    def children(self, part: Part, pieces: list[bytes], depth: int, *, first_is_text: bool = False) -> Content:
        found = Content()
        for number, piece in enumerate(pieces):
            if self.seen >= self.limits.parts:
                found.problems["too_many_parts"] = None
                break
            child = self.content(read_part(piece, self.limits), depth + 1)
            if first_is_text and number:  # pictures of the page, the signature, the report: no text of the sender
                child.plain, child.html = [], []
            if part.kind == "multipart/alternative":
                child.plain = [] if found.plain else child.plain
                child.html = [] if found.html else child.html
            found.add(child)
        return found


def _leaf(part: Part) -> Content:
    found = Content()
    name = part.name.lower()
    if part.kind == "application/ms-tnef" or name == "winmail.dat":
        found.attached += _unwrapped(part)
        found.problems["winmail_dat"] = None
    elif part.kind in ("application/pkcs7-mime", "application/x-pkcs7-mime"):
        enveloped = part.parameters.get("smime-type").lower() in ("enveloped-data", "authenveloped-data")
        found.problems["encrypted" if enveloped else "opaque_smime"] = None
    elif part.kind == "application/pgp-encrypted":
        found.problems["encrypted"] = None
    elif part.kind in _TEXTS:
        (found.attached if part.is_attached else found.plain).append(part)
    elif part.kind == "text/html":
        if not part.is_attached:
            found.html.append(part)
    elif part.kind == "application/octet-stream" and name.endswith(".txt"):
        found.attached.append(part)
    elif part.kind.startswith("image/"):
        found.problems["picture"] = None
    return found


def _unwrapped(winmail: Part) -> list[Part]:
    """What a winmail.dat holds as a part of its own, if it holds a text."""
    text = tnef_text(winmail.octets())
    if text is None:
        return []
    kind = "text/html" if text.is_page else "text/plain"
    return [Part(Fields((), {}), kind, Parameters(kind, (("charset", text.charset),)), Parameters(""), text.octets)]


def find_texts(mail: Part, limits: Limits) -> Content:
    """The texts of a mail in reading order; never what another mail inside it (message/rfc822) says."""
    return _Walk(limits).content(mail)


def find_parts(mail: Part, limits: Limits) -> Iterator[Part]:
    """All parts without children, those of mails inside included as one part each (for delivery reports)."""
    stack = [(mail, 0)]
    seen = 0
    while stack and seen < limits.parts:
        part, depth = stack.pop()
        seen += 1
        boundary = part.parameters.get("boundary")
        if part.kind.startswith("multipart/") and boundary and depth < limits.nesting:
            pieces = split_multipart(part.body, boundary, limits.parts)
            stack += [(read_part(piece, limits), depth + 1) for piece in reversed(pieces)]
        else:
            yield part
