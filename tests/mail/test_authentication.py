"""Whose word counts about the sender: our border's only (RFC 8601), or a DKIM signature we check ourselves."""

import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import dkim
import pytest

from judge.mail import Border, OwnAddresses, Reading, dkim_proof, read_message
from tests.support.places import program

OWN = OwnAddresses("judge@example.org", "judge-bounces@example.org")
NOON = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)
BORDER = Border("mx.example.org", ("mx.example.org",))
OURS = "Received: from x (x [203.0.113.1])\n\tby mx.example.org (Postfix) with ESMTPS id 1; Sun, 29 Nov 2026 11:59:00 +0000"
THEIRS = "Received: from a by mail.example.com; Sun, 29 Nov 2026 11:58:00 +0000"
FORGED = "Received: from a by mx.example.org with ESMTPSA; Sun, 29 Nov 2026 11:58:00 +0000"
FROM = "From: Petr <petr@example.com>"
PASS = "Authentication-Results: mx.example.org; dmarc=pass (p=none) header.from=example.com"


@dataclass(frozen=True)
class Case:
    """Header lines, and the method by which they prove the sender (always example.com), or why not."""

    name: str
    fields: list[str]
    method: str = "none"
    why: str = ""
    border: Border = BORDER


def said(text: str) -> list[str]:
    """A mail with one field of results in our border's block."""
    return [OURS, f"Authentication-Results: {text}", FROM]


def ours(text: str) -> list[str]:
    return said(f"mx.example.org; {text}")


GOOD = "dmarc=pass header.from=example.com"
STORE = "Received: by store.example.org; Sun, 29 Nov 2026 11:59:01 +0000"
SPF = "Authentication-Results: mx.example.org; spf=pass smtp.mailfrom=x@example.net"
CASES = [
    Case("below our Received", [OURS, PASS, FROM], "dmarc"),
    Case("above our Received", [PASS, OURS, FROM], "dmarc"),
    Case("a later hop of ours on top", [STORE, PASS, OURS, FROM], "dmarc"),
    Case("two of ours above", [SPF, PASS, OURS, FROM], "dmarc"),
    Case("no border configured", [OURS, PASS, FROM], why="no_border", border=Border()),
    Case("none written", [OURS, FROM], why="no_results"),
    Case("another's", said(f"mx.example.com; {GOOD}"), why="no_results"),
    Case("without an id", said(GOOD), why="no_results"),
    Case("our id as a part", said(f"mx.example.org.evil.net; {GOOD}"), why="no_results"),
    Case("our id in a comment", said(f"(mx.example.org) evil.net; {GOOD}"), why="no_results"),
    Case("our id in capitals and with a version", said(f"MX.Example.org 1; {GOOD}"), "dmarc"),
    Case("our id quoted", said(f'"mx.example.org"; {GOOD}'), "dmarc"),
    Case("a lone forged one below another Received", [OURS, THEIRS, PASS, FROM], why="misplaced"),
    Case("a lone forged one under a forged Received", [OURS, FORGED, PASS, FROM], why="misplaced"),
    Case("a lone forged one below From", [OURS, FROM, PASS], why="misplaced"),
    Case("a second one below spoils the first", [OURS, PASS, FROM, PASS], why="misplaced"),
    Case("two right below our Received", [OURS, PASS, PASS, FROM], why="several_results"),
    Case("one above and one below", [PASS, OURS, PASS, FROM], why="several_results"),
    Case("our Received is missing", [THEIRS, PASS, FROM], why="misplaced"),
    Case("nobody's Received at all", [PASS, FROM], why="misplaced"),
    Case("on top, with our Received only below From", [PASS, FROM, OURS], why="misplaced"),
    Case("on top, with a sender's field before our Received", [PASS, "X-A: b", OURS, FROM], why="misplaced"),
    Case("names of Received not configured", [THEIRS, PASS, FROM], "dmarc", border=Border("mx.example.org")),
    Case("dmarc fail", ours("dkim=pass header.d=example.com; dmarc=fail header.from=example.com"), why="failed"),
    Case("dmarc pass for another domain", ours("dmarc=pass header.from=example.net"), why="not_aligned"),
    Case("dmarc pass without its domain", ours("dmarc=pass"), why="not_aligned"),
    Case("no dmarc record, dkim pass", ours("dmarc=none header.from=example.com; dkim=pass header.d=example.com"), "dkim"),
    Case("dkim pass", ours("dkim=pass (2048-bit key) header.d=example.com header.b=x"), "dkim"),
    Case("dkim pass by identity", ours("dkim=pass header.i=@example.com"), "dkim"),
    Case("dkim pass of another domain", ours("dkim=pass header.d=example.net"), why="not_aligned"),
    Case("dkim pass of a top domain", ours("dkim=pass header.d=com"), why="not_aligned"),
    Case("dkim: one fails, one passes", ours("dkim=fail header.d=x.net; dkim=pass header.d=example.com"), "dkim"),
    Case("spf pass", ours("spf=pass smtp.mailfrom=petr@example.com"), "spf"),
    Case("spf pass of another domain", ours("spf=pass smtp.mailfrom=eve@example.net"), why="not_aligned"),
    Case("pass only in a comment", ours(f"dmarc=fail ({GOOD})"), why="failed"),
    Case("pass only in a quoted value", ours(f'spf=fail smtp.mailfrom="x; {GOOD}"'), why="failed"),
    Case("domain only in a quoted reason", ours('dkim=pass reason="x header.d=example.com" header.d=example.net'), why="not_aligned"),
    Case("a comment that opens in a quoted value", ours(f'spf=fail smtp.mailfrom="(" ; {GOOD}'), "dmarc"),
    Case("none", ours("none"), why="unknown"),
    Case("nothing published", ours("spf=none; dkim=none; dmarc=none header.from=example.com"), why="unknown"),
    Case("the DNS did not answer", ours("spf=temperror; dkim=temperror; dmarc=temperror header.from=example.com"), why="unknown"),
    Case("no dmarc, a signature that fails", ours("dmarc=none; dkim=fail header.d=example.com"), why="failed"),
    Case("no dmarc, a host that may not send", ours("dmarc=none; spf=softfail smtp.mailfrom=petr@example.com"), why="failed"),
    Case("two From fields", [OURS, PASS, FROM, "From: eve@example.net"], why="from_defect"),
    Case("two addresses in From", [OURS, PASS, "From: petr@example.com, eve@example.net"], why="from_defect"),
    Case("spam fields between", [OURS, "X-Spam-Status: No", PASS, FROM], "dmarc"),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_border(case: Case) -> None:
    raw = "\n".join([*case.fields, "Subject: danube", "", "A PAR H", ""]).replace("\n", "\r\n").encode()
    proof = read_message(raw, Reading(OWN, case.border), NOON).proof
    assert (proof.method, proof.domain, proof.why) == (case.method, "" if case.why else "example.com", case.why)


# --- DKIM ---

MAIL = b"From: petr@example.com\r\nTo: judge@example.org\r\nSubject: danube\r\nDate: Sun, 29 Nov 2026 12:00:00 +0000\r\n\r\nA PAR - BUR\r\n"
Signer = Callable[..., bytes]


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, bytes]:
    """A private key, and the DNS record of its public half."""
    openssl = program("openssl", "openssl")
    path: Path = tmp_path_factory.mktemp("dkim") / "key.pem"
    subprocess.run([openssl, "genrsa", "-traditional", "-out", str(path), "1024"], check=True, capture_output=True)
    public = subprocess.run([openssl, "rsa", "-in", str(path), "-pubout"], check=True, capture_output=True).stdout
    record = b"v=DKIM1; k=rsa; p=" + b"".join(public.splitlines()[1:-1])
    return path.read_bytes(), record


def signed(keys: tuple[bytes, bytes], mail: bytes = MAIL, domain: bytes = b"example.com", **options: object) -> bytes:
    names = [b"from", b"to", b"subject", b"date"]
    return bytes(dkim.sign(mail, b"s1", domain, keys[0], include_headers=names, **options)) + mail


def dns(keys: tuple[bytes, bytes]) -> Callable[[bytes, float], bytes | None]:
    names = {b"s1._domainkey.example.com.": keys[1], b"s1._domainkey.example.net.": keys[1]}
    return lambda name, _timeout: names.get(name)


def test_a_good_signature(keys: tuple[bytes, bytes]) -> None:
    proof = dkim_proof(signed(keys), "example.com", dns(keys))
    assert (proof.method, proof.domain) == ("dkim", "example.com")


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("body changed", lambda raw: raw.replace(b"BUR", b"MAR")),
        ("subject changed", lambda raw: raw.replace(b"danube", b"hanse")),
        ("from changed", lambda raw: raw.replace(b"petr@", b"anna@")),
        ("signature broken", lambda raw: raw.replace(b"bh=", b"bh=AAAA", 1)),
        ("no signature", lambda raw: MAIL),
        ("garbage signature", lambda raw: b"DKIM-Signature: v=1; d=example.com; h=from; \xff\xfe;;=\r\n" + MAIL),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_bad_signature(keys: tuple[bytes, bytes], name: str, change: Callable[[bytes], bytes]) -> None:
    assert dkim_proof(change(signed(keys)), "example.com", dns(keys)).method == "none"


def test_a_signature_of_another_domain(keys: tuple[bytes, bytes]) -> None:
    raw = signed(keys, domain=b"example.net")
    assert dkim_proof(raw, "example.com", dns(keys)).method == "none"
    assert dkim_proof(raw, "example.net", dns(keys)).method == "dkim"


def test_a_signature_that_leaves_the_body_open(keys: tuple[bytes, bytes]) -> None:
    raw = signed(keys, length=True)
    assert dkim_proof(raw + b"A MAR H\r\n", "example.com", dns(keys)).method == "none"
    assert dkim_proof(raw, "example.com", dns(keys)).method == "none"


def test_the_second_signature_counts_too(keys: tuple[bytes, bytes]) -> None:
    raw = signed(keys)
    other = bytes(dkim.sign(MAIL, b"s1", b"example.net", keys[0], include_headers=[b"from"]))
    assert dkim_proof(other + raw, "example.com", dns(keys)).method == "dkim"


def test_a_key_that_is_not_there(keys: tuple[bytes, bytes]) -> None:
    assert dkim_proof(signed(keys), "example.com", lambda name, timeout: None).method == "none"


def test_a_dns_that_does_not_answer(keys: tuple[bytes, bytes]) -> None:
    def silent(_name: bytes, _timeout: float) -> bytes | None:
        raise TimeoutError("no answer")

    proof = dkim_proof(signed(keys), "example.com", silent)
    assert (proof.method, proof.why) == ("none", "no_dns")


@pytest.mark.parametrize(("authserv_id", "method"), [("", "dkim"), ("mx.example.org", "none")])
def test_the_reader_asks_the_dns_where_no_border_is_named(keys: tuple[bytes, bytes], authserv_id: str, method: str) -> None:
    reading = Reading(OWN, Border(authserv_id), resolver=dns(keys))
    assert read_message(signed(keys), reading, NOON).proof.method == method
    twice = b"From: eve@example.net\r\n" + signed(keys)
    assert read_message(twice, reading, NOON).proof.method == "none"
