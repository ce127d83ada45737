"""What our own border says about who sent a mail (Authentication-Results, RFC 8601), and our own DKIM check."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from judge.mail.headers import Fields, plain_text
from judge.mail.received import is_ours, without_comments
from judge.mail.settings import Border, Resolver

# Fields that a border or a later hop of ours puts on top; the first field that is none of these ends its block.
_TRACE = frozenset(
    """
    return-path delivered-to x-original-to envelope-to x-envelope-to x-delivered-to received authentication-results
    received-spf arc-seal arc-message-signature arc-authentication-results dkim-filter dmarc-filter x-spam-status
    x-spam-score x-spam-flag x-spam-level x-spam-checker-version x-spamd-result x-spamd-bar x-rspamd-server
    x-rspamd-queue-id x-rspamd-action x-virus-scanned x-google-smtp-source x-received x-judge-cut x-envelope-from
    """.split()  # noqa: SIM905  (a list of thirty strings is harder to read)
)


@dataclass(frozen=True, slots=True)
class Proof:
    """What is known of the From address: how it was proven ("none" where it was not), and which domain vouches.

    `why` is a code for what stood against it: ``no_border``, ``no_results``, ``several_results``, ``misplaced``,
    ``from_defect``, ``not_aligned``, ``failed``, ``unknown`` (the border could not say), ``no_dns``.
    """

    method: Literal["dmarc", "dkim", "spf", "none"]
    domain: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class _Result:
    """One ``method=result`` with its properties, all lower case."""

    method: str
    result: str
    properties: Mapping[str, str] = field(default_factory=dict)


_UNKNOWN = ("", "none", "neutral", "temperror", "permerror")
"""Results that speak neither for nor against a sender: nothing published, or the DNS did not answer (RFC 8601 section 2.7)."""


def border_proof(fields: Fields, from_host: str, border: Border) -> Proof:
    """Whether our border vouches for the domain of the (only) From address.

    Counts only fields with the border's own authserv-id that no sender can have written: above the border's
    Received field any number, below it exactly one, right in its block.  One of that name anywhere else spoils
    them all.  Source: RFC 8601 sections 5 and 7.1; research 2.2.
    """
    if not border.authserv_id:
        return Proof("none", why="no_border")
    if not from_host:
        return Proof("none", why="from_defect")
    above, below, misplaced = _places(fields, border)
    if misplaced or (below and (above or len(below) > 1)):
        return Proof("none", why="misplaced" if misplaced else "several_results")
    if not above and not below:
        return Proof("none", why="no_results")
    results = [result for value in (*above, *below) for result in _read_results(value)]
    return _judge(results, from_host)


def _places(fields: Fields, border: Border) -> tuple[list[str], list[str], bool]:
    """Our results above the border's Received, those right below it, and whether one stands elsewhere."""
    above: list[str] = []
    below: list[str] = []
    state, misplaced, reached = "above", False, False
    wanted = border.authserv_id.lower()
    for name, value in fields.all:
        if name not in _TRACE:
            state = "sender"
        elif name == "received" and state == "above":
            reached = not border.received_by or is_ours(value, border)
            state = "below" if reached else "above"
        elif name == "received" and state == "below":
            state = "sender"
        elif name == "authentication-results" and (text := _own_results(value, wanted)) is not None:
            if state == "sender":
                misplaced = True
            else:
                (above if state == "above" else below).append(text)
    # Without our Received behind it nothing tells a top block from the sender's own fields.
    return above, below, misplaced or (not reached and bool(above))


def _own_results(value: bytes, wanted: str) -> str | None:
    """The results in a field of the wanted authserv-id, comments out; None for another's field."""
    text = without_comments(plain_text(value))
    head, _, rest = text.partition(";")
    words = head.split()
    name = words[0].strip('"').lower() if words else ""
    return rest if name == wanted and len(words) <= 2 else None


def _cut(text: str, at: str) -> list[str]:
    """Text cut at any of the characters `at` outside quoted strings: a quoted local part may hold anything.

    >>> _cut('spf=fail smtp.mailfrom="x; dmarc=pass"; dkim=none', ";")
    ['spf=fail smtp.mailfrom="x; dmarc=pass"', ' dkim=none']
    """
    if '"' not in text:
        return re.split(f"[{at}]", text)
    pieces, start, quoted, escaped = [], 0, False, False
    for number, char in enumerate(text):
        if escaped:
            escaped = False
        elif quoted and char == "\\":
            escaped = True
        elif char == '"':
            quoted = not quoted
        elif char in at and not quoted:
            pieces.append(text[start:number])
            start = number + 1
    return [*pieces, text[start:]]


def _read_results(text: str) -> Iterator[_Result]:
    """The results of one field: ``method=result`` and then properties ``type.name=value``."""
    for piece in _cut(text, ";")[:50]:
        words = [word.partition("=") for word in _cut(piece, " \t") if word]
        if not words or not words[0][1]:
            continue
        method, _, result = words[0]
        properties = {name.lower(): value.strip('"').lower() for name, _, value in words[1:] if "." in name and '"' not in name}
        yield _Result(method.partition("/")[0].lower(), result.lower(), properties)


def _judge(results: list[_Result], from_host: str) -> Proof:
    dmarc = [result for result in results if result.method == "dmarc"]
    if any(result.result not in ("pass", "bestguesspass", *_UNKNOWN) for result in dmarc):
        return Proof("none", why="failed")
    if any(result.result == "pass" and result.properties.get("header.from", "") == from_host for result in dmarc):
        return Proof("dmarc", from_host)
    for result in results:
        if result.method == "dkim" and result.result == "pass":
            domain = result.properties.get("header.d") or result.properties.get("header.i", "").rpartition("@")[2]
            if vouches(domain, from_host):
                return Proof("dkim", domain)
    for result in results:
        if result.method == "spf" and result.result == "pass":
            domain = result.properties.get("smtp.mailfrom", "").rpartition("@")[2]
            if vouches(domain, from_host):
                return Proof("spf", domain)
    if any(result.result == "pass" for result in results):
        return Proof("none", why="not_aligned")
    return Proof("none", why="unknown" if all(result.result in _UNKNOWN for result in results) else "failed")


def vouches(domain: str, from_host: str) -> bool:
    """Whether a domain may speak for a From domain: itself, or a parent of it with a dot inside.

    A child is not believed: without a list of public suffixes it may be a stranger's.

    >>> vouches("example.com", "mail.example.com"), vouches("example.com", "example.com"), vouches("evil.example.com", "example.com")
    (True, True, False)
    >>> vouches("com", "example.com"), vouches("ample.com", "example.com"), vouches("", "")
    (False, False, False)
    """
    return bool(domain) and (domain == from_host or ("." in domain and from_host.endswith("." + domain)))


def dns_txt(name: bytes, timeout: float) -> bytes | None:
    """The TXT record of a name from the real DNS; None where there is none.  Raises where the DNS does not answer."""
    import dkim  # slow to import, and needed only for mailboxes without a border

    found = dkim.get_txt(name, timeout)
    return found if isinstance(found, bytes) else None


def dkim_proof(raw: bytes, from_host: str, resolver: Resolver) -> Proof:
    """Whether a DKIM signature of the From domain over exactly these octets is valid now (RFC 6376).

    Signatures that leave part of the body open (``l=``) or From unsigned count for nothing; so does a mail with
    several From fields, which the caller must refuse before.  `why` is ``no_dns`` where the DNS did not answer.
    """
    import dkim  # slow to import, and needed only for mailboxes without a border

    dns = _Dns(resolver)
    try:
        checker = dkim.DKIM(raw)
    except dkim.DKIMException:
        return Proof("none", why="failed")
    signatures = [value for name, value in checker.headers if name.lower() == b"dkim-signature"]
    for number, signature in enumerate(signatures[:5]):
        tags = _tags(signature)
        domain = tags.get("d", "").lower()
        if not vouches(domain, from_host) or "l" in tags or "from" not in [name.strip().lower() for name in tags.get("h", "").split(":")]:
            continue
        try:
            if checker.verify(idx=number, dnsfunc=dns.ask):
                return Proof("dkim", domain)
        except Exception:  # noqa: S112  dkimpy raises many kinds on hostile signatures; none of them is a proof
            continue
    if dns.failed:
        return Proof("none", why="no_dns")
    return Proof("none", why="failed" if signatures else "no_results")


class _Dns:
    """Asks a resolver and remembers whether it failed: dkimpy takes a time-out for a bad signature."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver
        self.failed = False

    def ask(self, name: bytes, timeout: float = 5) -> bytes | None:
        try:
            return self._resolver(name, timeout)
        except Exception:
            self.failed = True
            return None


def _tags(signature: bytes) -> dict[str, str]:
    """The tag list of a signature (RFC 6376 section 3.2)."""
    text = "".join(plain_text(signature).split())
    return {name: value for name, _, value in (piece.partition("=") for piece in text.split(";")) if name}
