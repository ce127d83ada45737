"""Mail addresses read strictly: what is not exactly one plain address is no identity."""

import re
from dataclasses import dataclass

_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LOCAL = re.compile(rf"{_ATOM}(?:\.{_ATOM})*")
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_HOST = re.compile(rf"{_LABEL}(?:\.{_LABEL})*")
_ENCODED = re.compile(r"=\?[A-Za-z0-9._:*-]{1,60}\?[bBqQ]\?[^?\s]{0,2000}\?=")  # RFC 2047, careless about colons and commas inside
_SINGLE = re.compile(r"\s*([^\"(),:;<>@\\\[\]]*)<([^<>\s]+)>\s*")  # the usual field: plain words and one address
_SPACE = " \t\r\n"
MOST_ADDRESSES = 200


@dataclass(frozen=True, slots=True)
class Address:
    """A mail address and the name that stood beside it; the name is the sender's text and proves nothing."""

    address: str
    name: str = ""

    @property
    def key(self) -> str:
        """The form to compare by: judges and providers do not tell upper from lower case."""
        return self.address.lower()

    @property
    def host(self) -> str:
        """What stands behind the ``@``, lower case.

        >>> Address("Petr@Example.COM").host
        'example.com'
        """
        return self.address.rpartition("@")[2].lower()


def is_address(text: str) -> bool:
    """Whether this is one plain mail address that may stand in an envelope.

    >>> [is_address(a) for a in ("a@b.cz", "a b@c.cz", "@c.cz", "a@b@c.cz", "petr@münchen.de", "a\\r\\n@b.cz")]
    [True, False, False, False, False, False]
    """
    local, at, host = text.rpartition("@")
    return bool(at) and 0 < len(local) <= 64 and len(host) <= 255 and bool(_LOCAL.fullmatch(local) and _HOST.fullmatch(host))


class _Scanner:
    """Walks over one address field; never goes back, so its time is linear."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def peek(self) -> str:
        return self.text[self.at] if self.at < len(self.text) else ""

    def skip(self) -> bool:
        """Pass white space and comments; False where a comment never ends."""
        depth = 0
        while self.at < len(self.text):
            char = self.text[self.at]
            if char == "(":
                depth += 1
            elif char == ")" and depth:
                depth -= 1
            elif char == "\\" and depth:
                self.at += 1
            elif not depth and char not in _SPACE:
                return True
            self.at += 1
        return depth == 0

    def quoted(self) -> str | None:
        """A quoted string without its quotes; None where it never ends."""
        self.at += 1
        out: list[str] = []
        while self.at < len(self.text):
            char = self.text[self.at]
            self.at += 1
            if char == '"':
                return "".join(out)
            if char == "\\" and self.at < len(self.text):
                char = self.text[self.at]
                self.at += 1
            out.append(char)
        return None

    def word(self, stops: str) -> str:
        """Everything up to white space or one of `stops`."""
        start = self.at
        while self.at < len(self.text) and self.text[self.at] not in stops and self.text[self.at] not in _SPACE:
            self.at += 1
        return self.text[start : self.at]


def read_addresses(field: str) -> tuple[Address, ...] | None:
    """The addresses of one header field as it stands there; None where it is malformed or ambiguous.

    Names are not decoded.  Groups are opened; a comment is no part of an address (CVE-2023-27043).

    >>> read_addresses('"Hale, Ed" <ed@example.com>, anna@example.com')
    (Address(address='ed@example.com', name='Hale, Ed'), Address(address='anna@example.com', name=''))
    >>> read_addresses("alice@example.org(<bob@example.com>") is None
    True
    >>> read_addresses("alice@example.org <bob@example.com>")
    (Address(address='bob@example.com', name='alice@example.org'),)
    """
    single = _SINGLE.fullmatch(field)
    if single and is_address(single[2]):
        return (Address(single[2], " ".join(single[1].split())),)
    scan = _Scanner(field)
    found: list[Address] = []
    words: list[str] = []
    plain = True  # all of `words` were bare, so together they may be an address
    grouped = False
    while True:
        if not scan.skip():
            return None
        char = scan.peek()
        if char in {"", ",", ";"}:
            if words:
                if len(words) != 1 or not plain or not is_address(words[0]):
                    return None
                found.append(Address(words[0]))
            if char == ";" and not grouped:
                return None
            if char == "":
                return None if grouped else tuple(found)
            grouped = grouped and char != ";"
            words, plain = [], True
            scan.at += 1
        elif char == '"':
            text = scan.quoted()
            if text is None or scan.peek() == "@":
                return None
            words.append(text)
            plain = False
        elif char == "<":
            address = _angle(scan)
            if address is None:
                return None
            found.append(Address(address, " ".join(words)))
            words, plain = [], True
            if not scan.skip() or scan.peek() not in {"", ",", ";"}:
                return None
        elif char == ":":
            if grouped or not words:
                return None
            grouped, words, plain = True, [], True
            scan.at += 1
        elif char in ">)[]":
            return None
        elif encoded := _ENCODED.match(field, scan.at):
            words.append(encoded[0])
            plain = False
            scan.at = encoded.end()
        else:
            words.append(scan.word('",;<>:()[]'))
        if len(found) > MOST_ADDRESSES or len(words) > MOST_ADDRESSES:
            return None


def _angle(scan: _Scanner) -> str | None:
    """The address between < and >, or None."""
    end = scan.text.find(">", scan.at)
    if end < 0:
        return None
    inside = scan.text[scan.at + 1 : end].strip(_SPACE)
    scan.at = end + 1
    return inside if is_address(inside) else None
