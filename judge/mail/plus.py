"""The judge's own addresses: secret reply addresses, return paths and Message-IDs that are known again."""

import hmac
import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

from judge.mail.addresses import is_address

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's base 32: no i, l, o, u
_PAIRS = [one + other for one in _ALPHABET for other in _ALPHABET]
_LOOKALIKES = str.maketrans("ilo", "110")
_UNSAFE = re.compile(r"[^A-Za-z0-9_]+")
_GAME = re.compile(r"[a-z][a-z0-9]{0,15}")
_TOKEN = re.compile(r"[a-z0-9]{6,24}")
_LETTER_ID = re.compile(r"([a-z][a-z0-9]{0,15})\.([A-Za-z0-9]{1,12})\.([A-Z][A-Z0-9_]{0,23})\.([a-z0-9-]{1,24})(?:\.([a-z0-9]{6,24}))?")
TOKEN_LENGTH = 12
LONGEST_LOCAL = 64  # RFC 5321 4.5.3.1.1


def short_code(key: bytes, *parts: str, length: int = TOKEN_LENGTH) -> str:
    """A code that only the holder of `key` can make from `parts`: HMAC-SHA-256 in base 32, lower case, five bits a letter.

    >>> short_code(b"k", "danube", "FRANCE") == short_code(b"k", "danube", "FRANCE") != short_code(b"k", "danubeF", "RANCE")
    True
    """
    said = b"".join(len(p := part.encode()).to_bytes(4, "big") + p for part in parts)
    number = int.from_bytes(hmac.digest(key, said, "sha256"), "big")
    return "".join([_PAIRS[number >> shift & 1023] for shift in range(246, 246 - 5 * length, -10)])[:length]


@lru_cache(maxsize=8192)
def make_token(key: bytes, game_id: str, seat: str, epoch: int) -> str:
    """The secret of one seat's reply address; a new `epoch` makes a new one (research: 60 bits).

    Kept, because every seat's is compared with that of each mail.
    """
    return short_code(key, "token", game_id, seat, str(epoch))


def same_code(one: str, other: str) -> bool:
    """Whether two codes are the same, in constant time, allowing for letters people mix up.

    >>> same_code("k7q0m1xd3fab", "K7QOMLXD3FAB"), same_code("", "")
    (True, False)
    """
    return bool(one) and hmac.compare_digest(_plain(one), _plain(other))


def _plain(code: str) -> bytes:
    return code.strip().lower().translate(_LOOKALIKES).encode()


@dataclass(frozen=True, slots=True)
class PlusParts:
    """What one of our own addresses says: whose it is, and the game, token, seat and nonce in it ("" where absent)."""

    box: Literal["judge", "bounces"]
    game: str = ""
    token: str = ""
    seat: str = ""
    nonce: str = ""


@dataclass(frozen=True, slots=True)
class OwnAddresses:
    """The addresses the judge answers to.

    `judge` is where players write, `bounces` the base of return paths; `delimiter` joins what varies.  `aliases`
    are further addresses of the same mailbox.  `plus` is False where the mailbox knows no such addresses.
    """

    judge: str
    bounces: str
    delimiter: Literal["+", "-"] = "+"
    aliases: tuple[str, ...] = ()
    plus: bool = True

    @property
    def host(self) -> str:
        """The judge's mail domain."""
        return self.judge.rpartition("@")[2].lower()

    def game_address(self, game: str) -> str:
        """Where anybody may write to a game.

        >>> OwnAddresses("judge@example.org", "judge-bounces@example.org").game_address("danube")
        'judge+danube@example.org'
        """
        return self._join(self.judge, game) if self.plus else self.judge

    def secret_address(self, game: str, token: str) -> str:
        """The reply address that proves its holder: ``judge+danube.k7q2m9xd3fab@example.org``."""
        return self._join(self.judge, f"{game}.{token}") if self.plus else self.judge

    def return_path(self, game: str, seat: str, nonce: str) -> str:
        """The envelope sender that tells whose letter came back (VERP); the seat is cut to fit 64 octets.

        >>> OwnAddresses("judge@example.org", "judge-bounces@example.org").return_path("hanse", "TURKEY", "r7")
        'judge-bounces+hanse.TURKEY.r7@example.org'
        """
        if not self.plus:
            return self.bounces
        room = LONGEST_LOCAL - len(self.bounces.rpartition("@")[0]) - len(game) - len(nonce) - 3
        return self._join(self.bounces, f"{game}.{_UNSAFE.sub('_', seat)[: max(room, 1)]}.{nonce}")

    def _join(self, base: str, detail: str) -> str:
        local, _, host = base.rpartition("@")
        address = f"{local}{self.delimiter}{detail}@{host}"
        if not is_address(address):
            raise ValueError(f"no mail address: {address!r}")
        return address

    def read(self, address: str) -> PlusParts | None:
        """What one of our own addresses says; None for everybody else's.  Either delimiter is understood.

        >>> own = OwnAddresses("judge@example.org", "judge-bounces@example.org")
        >>> own.read("Judge+danube.k7q2m9xd3f@Example.org")
        PlusParts(box='judge', game='danube', token='k7q2m9xd3f', seat='', nonce='')
        >>> own.read("judge-bounces+hanse.TURKEY.r7@example.org")
        PlusParts(box='bounces', game='hanse', token='', seat='TURKEY', nonce='r7')
        >>> own.read("petr@example.org") is None
        True
        """
        folded = address.strip().lower()
        for base in (self.bounces, self.judge, *self.aliases):
            local, _, host = base.lower().rpartition("@")
            here, _, there = folded.rpartition("@")
            if there != host or not here.startswith(local):
                continue
            detail = here[len(local) :]
            if not detail:
                return PlusParts("bounces" if base == self.bounces != self.judge else "judge")
            if detail[0] in "+-":
                return _read_detail("bounces" if base == self.bounces != self.judge else "judge", detail[1:])
        return None

    def is_own(self, address: str) -> bool:
        """Whether a mail to this address comes back to us."""
        return self.read(address) is not None

    def without_secrets(self, text: str) -> str:
        """A text in which our addresses and Message-IDs keep their game and lose their secret: people quote what they answer.

        >>> own = OwnAddresses("judge@example.org", "judge-bounces@example.org")
        >>> own.without_secrets("On Monday <Judge+danube.k7q2m9xd3f@example.org> wrote to judge+danube@example.org:")
        'On Monday <Judge+danube@example.org> wrote to judge+danube@example.org:'
        """
        addresses, letter_ids = _secret_places(self)
        return letter_ids.sub(r"\1", addresses.sub(r"\1", text))


@cache
def _secret_places(own: OwnAddresses) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Where secrets stand in a text: behind the game in an address (as links spell it too), at the end of a Message-ID."""
    names = "|".join(sorted({re.escape(base.rpartition("@")[0]) for base in (own.judge, own.bounces, *own.aliases)}, key=len, reverse=True))
    addresses = rf"((?:{names})(?:[+-]|%2b|=2b)[a-z][a-z0-9]{{0,15}})\.[a-z0-9_.]{{1,60}}"
    named = r"\b([a-z][a-z0-9]{0,15}\.[a-z0-9]{1,12}\.[a-z][a-z0-9_]{0,23}\.[a-z0-9-]{1,24})"
    letter_ids = rf"{named}\.[a-z0-9]{{6,24}}(?=@{re.escape(own.host)})"
    return re.compile(addresses, re.IGNORECASE), re.compile(letter_ids, re.IGNORECASE)


def _read_detail(box: Literal["judge", "bounces"], detail: str) -> PlusParts:
    """The parts behind the delimiter; what has no known form is left out, so it never becomes a name of anything."""
    parts = detail.split(".")
    if not _GAME.fullmatch(parts[0]):
        return PlusParts(box)
    if box == "bounces" and len(parts) <= 3:
        seat, nonce = (*parts[1:], "", "")[:2]
        if not _UNSAFE.search(seat) and not _UNSAFE.search(nonce):
            return PlusParts(box, game=parts[0], seat=seat.upper(), nonce=nonce)
    if len(parts) == 1:
        return PlusParts(box, game=parts[0])
    if box == "judge" and len(parts) == 2 and _TOKEN.fullmatch(parts[1]):
        return PlusParts(box, game=parts[0], token=parts[1])
    return PlusParts(box)


@dataclass(frozen=True, slots=True)
class LetterId:
    """What our own Message-ID says: game, a tag such as the phase, the reader's seat, a code, maybe the token."""

    game: str
    tag: str
    seat: str
    code: str
    token: str = ""


def make_letter_id(host: str, letter: LetterId) -> str:
    """The Message-ID of a letter, without angle brackets; the same parts always give the same one.

    >>> make_letter_id("example.org", LetterId("danube", "S1901M", "ITALY", "start"))
    'danube.S1901M.ITALY.start@example.org'
    """
    seat = _UNSAFE.sub("_", letter.seat.upper())[:24]
    local = f"{letter.game}.{_UNSAFE.sub('', letter.tag)[:12]}.{seat}.{letter.code}" + (f".{letter.token}" if letter.token else "")
    if not _LETTER_ID.fullmatch(local):
        raise ValueError(f"no letter id: {local!r}")
    return f"{local}@{host}"


def read_letter_id(host: str, message_id: str) -> LetterId | None:
    """What one of our own Message-IDs says; None for everybody else's.

    >>> read_letter_id("example.org", "<danube.S1901M.ITALY.start@example.org>")
    LetterId(game='danube', tag='S1901M', seat='ITALY', code='start', token='')
    >>> read_letter_id("example.org", "<CAF0x1@example.org>") is None
    True
    """
    local, _, there = message_id.strip().strip("<>").rpartition("@")
    found = _LETTER_ID.fullmatch(local) if there.lower() == host.lower() else None
    return LetterId(*(part or "" for part in found.groups())) if found else None
