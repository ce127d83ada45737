"""Mails of wrong and hostile shapes: nothing raises, nothing takes long, nothing leaves its field."""

import random
import time
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.mail import Border, Fence, Limits, Message, OwnAddresses, Reading, read_bounce, read_message, why_reluctant, why_silent
from tests.support.mutations import check, mutated

OWN = OwnAddresses("judge@example.org", "judge-bounces@example.org")
READING = Reading(OWN, Border("mx.example.org", ("mx.example.org",)), fences=(Fence("PRESS", "ENDPRESS"),))
NOON = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)
HEAD = b"From: petr@example.com\r\nTo: judge@example.org\r\nMessage-ID: <1@example.com>\r\n"


def read(raw: bytes) -> Message:
    message = read_message(raw, READING, NOON)
    check(message)
    why_silent(message, READING)
    why_reluctant(message)
    read_bounce(raw, message, READING)
    return message


def multipart(parts: list[bytes], boundary: str = "b", kind: str = "mixed") -> bytes:
    inside = b"".join(b"--" + boundary.encode() + b"\r\n" + part + b"\r\n" for part in parts)
    return f'Content-Type: multipart/{kind}; boundary="{boundary}"\r\n\r\n'.encode() + inside + b"--" + boundary.encode() + b"--\r\n"


def nested(depth: int) -> bytes:
    body = b"Content-Type: text/plain\r\n\r\nA PAR H\r\n"
    for number in range(depth):
        body = multipart([body], f"n{number}")
    return body


PLAIN = b"Content-Type: text/plain\r\n\r\n"


@pytest.mark.parametrize(
    ("raw", "text", "problems"),
    [
        (b"", "", ("no_text",)),
        (b"\r\n\r\n", "", ("no_text",)),
        (b"\r\nA PAR H", "A PAR H", ()),
        (b"A PAR H\r\nA MAR H\r\n", "A PAR H\nA MAR H", ()),
        (b"From petr Sun Nov 29 2026\n" + HEAD + b"\r\nA PAR H", "A PAR H", ()),
        (HEAD + b"Content-Type: text/plain; charset=x-unknown-8bit\r\n\r\nA PAR H", "A PAR H", ()),
        (HEAD + b"Content-Type: text/plain; charset=rot13\r\n\r\nA PAR H", "A PAR H", ()),
        (HEAD + b"Content-Type: ;;;\r\n\r\nA PAR H", "A PAR H", ()),
        (HEAD + b"Content-Type: multipart/mixed\r\n\r\nA PAR H", "A PAR H", ("broken_mime",)),
        (HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\nA PAR H", "A PAR H", ("broken_mime",)),
        (HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nA PAR H", "A PAR H", ()),
        (HEAD + multipart([PLAIN + b"A PAR H", PLAIN + b"A MAR H"]), "A PAR H\nA MAR H", ()),
        (HEAD + multipart([PLAIN + b"A PAR H", PLAIN + b"A MAR H"], kind="alternative"), "A PAR H", ()),
        (HEAD + multipart([PLAIN + b"A PAR H", PLAIN + b"A MAR H"], kind="signed"), "A PAR H", ()),
        (HEAD + multipart([b"Content-Type: message/rfc822\r\n\r\nSubject: x\r\n\r\nA PAR H"]), "", ("no_text",)),
        (HEAD + multipart([PLAIN + b"see", b"Content-Type: message/rfc822\r\n\r\nSubject: x\r\n\r\nA PAR H"]), "see", ()),
        (HEAD + multipart([b"Content-Type: image/png\r\n\r\nx"]), "", ("only_picture",)),
        (HEAD + multipart([b"Content-Type: application/pgp-encrypted\r\n\r\nVersion: 1"], kind="encrypted"), "", ("encrypted",)),
        (HEAD + b"Content-Type: application/pkcs7-mime; smime-type=signed-data\r\n\r\nMIA", "", ("opaque_smime",)),
        (HEAD + b"Content-Type: application/pkcs7-mime; smime-type=enveloped-data\r\n\r\nMIA", "", ("encrypted",)),
        (HEAD + b"\r\n-----BEGIN PGP MESSAGE-----\r\n\r\nhQEM\r\n-----END PGP MESSAGE-----\r\n", "", ("encrypted",)),
        (HEAD + multipart([PLAIN + b"A PAR H", b'Content-Type: application/ms-tnef; name="winmail.dat"\r\n\r\nx']), "A PAR H", ()),
        (HEAD + b"Content-Transfer-Encoding: base64\r\n\r\nQSBQQVIgSA", "A PAR H", ()),
        (HEAD + b"Content-Transfer-Encoding: base64\r\n\r\nQSBQQ VIg\r\n!SA==\r\n_______\r\nlist footer", "A PAR H", ()),
        (HEAD + b"Content-Transfer-Encoding: quoted-printable\r\n\r\nA=20PAR=\r\n H=ZZ=", "A PAR H=ZZ", ()),
        (HEAD + b"Content-Transfer-Encoding: x-uuencode\r\n\r\nbegin 644 x\r\n'02!005(@2 \r\n`\r\nend\r\n", "A PAR H", ()),
        (HEAD + b"Content-Type: text/html\r\n\r\n<p>A PAR H", "A PAR H", ()),
        (HEAD + multipart([PLAIN + b"\r\n", b"Content-Type: text/html\r\n\r\n<p>A PAR H"], kind="alternative"), "A PAR H", ()),
        (HEAD + b"Content-Type: text/plain; charset=utf-7\r\n\r\n+AEE- PAR H", "", ("utf7",)),
        (HEAD + multipart([b"Content-Type: text/plain; charset=utf-7\r\n\r\n+AEE-", PLAIN + b"A PAR H"]), "A PAR H", ("utf7",)),
        (HEAD + b"Content-Type: text/plain; charset=utf-16\r\n\r\n" + "A PAR H".encode("utf-16"), "A PAR H", ()),
        (HEAD + nested(19), "A PAR H", ()),
        (HEAD + nested(21), "", ("too_deep",)),
    ],
)  # fmt: skip
def test_shapes(raw: bytes, text: str, problems: tuple[str, ...]) -> None:
    message = read(raw)
    assert message.text == text
    assert message.problems == problems


def test_the_first_text_attachment_is_read_after_the_body() -> None:
    attached = b"Content-Disposition: attachment; filename=a.txt\r\n\r\nA PAR H"
    message = read(
        HEAD + b"Subject: danube\r\n" + multipart([PLAIN + b"see below", attached, b"Content-Type: text/plain; name=b\r\n\r\nA MAR H"])
    )
    assert [(typed.source, typed.text) for typed in message.texts] == [
        ("plain", "see below"), ("attachment", "A PAR H"), ("attachment", "A MAR H"), ("subject", "danube"),
    ]  # fmt: skip


def text(body: bytes) -> bytes:
    return HEAD + b"\r\n" + body


def page(body: bytes) -> bytes:
    return HEAD + b"Content-Type: text/html\r\n\r\n" + body


def with_type(rest: bytes) -> bytes:
    return HEAD + b"Content-Type: " + rest


def headed(fields: bytes) -> bytes:
    return fields + b"\r\n\r\nA PAR H\r\n"


MIXED = b"multipart/mixed; boundary=b\r\n\r\n"
OUR_RESULTS = b"Received: by mx.example.org; x\r\nAuthentication-Results: mx.example.org; "
STATUS = b"multipart/report; boundary=b\r\n\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n"
HOSTILE: dict[str, Callable[[], bytes]] = {
    "nested 1500": lambda: HEAD + nested(1500)[:1_000_000],
    "nested with one boundary": lambda: with_type(MIXED) + (b"--b\r\nContent-Type: " + MIXED) * 10_000,
    "10000 parts": lambda: HEAD + multipart([PLAIN + b"A PAR H"] * 10_000),
    "boundary look-alikes": lambda: with_type(MIXED) + b"--b\r\n\r\n" + b"--bx\r\n" * 150_000,
    "5000 parameters": lambda: headed(with_type(b"text/plain" + b"; a=b" * 5_000)),
    "5000 RFC 2231 pieces": lambda: headed(with_type(b"text/plain" + b"".join(b"; n*%d=x" % n for n in range(5_000)))),
    "From of brackets": lambda: headed(b"From: " + b"(" * 20_000),
    "From of quotes": lambda: headed(b"From: " + b'"\\' * 20_000),
    "10000 recipients": lambda: headed(b"From: petr@example.com\r\nTo: " + b"a@b.cz, " * 10_000),
    "header of 900 kB": lambda: headed(HEAD + b"X-A: " + b"x" * 900_000),
    "10000 fields": lambda: headed(b"X-A: b\r\n" * 10_000 + HEAD),
    "folded 90000 times": lambda: headed(b"Subject: x\r\n" + b" x\r\n" * 90_000),
    "encoded words": lambda: headed(HEAD + b"Subject: " + b"=?utf-8?Q?x?= " * 5_000),
    "encoded words, open": lambda: headed(HEAD + b"Subject: " + b"=?utf-8?Q?" * 8_000),
    "spaces": lambda: text(b" " * 900_000 + b"\r\nA PAR H"),
    "blank lines": lambda: text(b"\r\n" * 400_000),
    "lines of blanks": lambda: text((b" " * 90 + b"\r\n") * 9_000),
    "on x at y": lambda: text(b"on x at y " * 90_000),
    "on x at y, in lines": lambda: text((b"on x at y " * 90 + b"\r\n") * 1_000),
    "on he said": lambda: text(b"On he said and on she wrote that on the day\r\n" * 20_000),
    "heads": lambda: text(b"On 29 Nov 2026 at 10:00, x wrote\r\n" * 25_000),
    "heads of quotes": lambda: text(b"On 29 Nov 2026, a@b.cz wrote:\r\n> x\r\n" * 20_000),
    "labels": lambda: text(b"From: x\r\n" * 90_000),
    "underscores": lambda: text((b"_" * 30 + b"\r\n\r\n") * 25_000),
    "marks": lambda: text(b">" * 900_000),
    "marks with blanks": lambda: text(b"> " * 400_000),
    "begins": lambda: text(b"begin 644 x\r\n" * 60_000),
    "fences": lambda: text(b"PRESS x\r\n" * 90_000),
    "at signs": lambda: text((b"-- " + b"@" * 450 + b".x" * 200 + b" --\r\n") * 900),
    "words without end": lambda: text((b"-- " + b"x" * 950 + b" --\r\n") * 900),
    "a word and a sign": lambda: text((b"-- " + b"x" * 950 + b"@ --\r\n") * 900),
    "digits": lambda: text((b"1." * 480 + b"\r\n") * 900),
    "flowed": lambda: with_type(b"text/plain; format=flowed\r\n\r\n" + b"x \r\n" * 200_000),
    "divs": lambda: page(b"<div>" * 180_000 + b"A PAR H"),
    "brackets": lambda: page(b"<" * 900_000),
    "comments": lambda: page(b"<!--" * 200_000),
    "attributes": lambda: page(b"<a " + b"x='" * 200_000),
    "tags without end": lambda: page(b'<a x="' * 150_000),
    "tables": lambda: page(b"<table><tr><td>" * 60_000),
    "entities": lambda: page(b"&" * 900_000),
    "styles": lambda: page(b"<style>" * 100_000),
    "NUL": lambda: text(b"\x00" * 900_000),
    "base64 noise": lambda: HEAD + b"Content-Transfer-Encoding: base64\r\n\r\n" + b"=" * 900_000,
    "guessing": lambda: text(bytes(range(128, 256)) * 7_000),
    "results": lambda: headed(OUR_RESULTS + b'a="' * 30_000 + b"\r\n" + HEAD),
    "received": lambda: headed(b"Received: by x; y\r\n" * 900 + HEAD),
    "report": lambda: with_type(STATUS + b"A: b\n\n" * 100_000),
    "report in words": lambda: (
        headed(b"Return-Path: <>\r\nTo: judge-bounces@example.org\r\nSubject: failure notice") + b"x" * 40_000 + b"@" * 40_000
    ),
}


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_hostile_shapes_take_no_time(name: str) -> None:
    raw = HOSTILE[name]()
    begun = time.process_time()
    read_message(raw, READING, NOON)
    spent = time.process_time() - begun
    check(read(raw))
    assert spent < 1.0, f"{spent:.2f} s"


def test_limits_are_settings() -> None:
    small = Reading(OWN, limits=Limits(line=20, lines=3, text=100, nesting=1, parts=2, attachments=0))
    assert read_message(HEAD + b"\r\n" + b"x" * 50, small, NOON).problems == ("lines_cut",)
    assert read_message(HEAD + b"\r\n" + b"x\r\n" * 9, small, NOON).problems == ("text_cut",)
    assert read_message(HEAD + b"\r\n" + b"xxxx\r\n" * 50, small, NOON).problems == ("text_cut",)
    assert read_message(HEAD + nested(3), small, NOON).problems == ("too_deep",)
    assert read_message(HEAD + multipart([PLAIN + b"A PAR H"] * 5), small, NOON).problems == ("too_many_parts",)


# --- fuzz ---


def fuzz(count: int, seed: int) -> float:
    """Read so many mutated mails; the slowest one's seconds of CPU."""
    dice = random.Random(seed)
    slowest = 0.0
    for number in range(count):
        raw = mutated(dice)
        begun = time.process_time()
        try:
            message = read_message(raw, READING, NOON)
            spent = time.process_time() - begun
            check(message)
            read(raw)
        except Exception as error:
            raise AssertionError(f"seed {seed}, mail {number}: {raw!r}") from error
        slowest = max(slowest, spent)
    return slowest


def test_a_thousand_mutated_mails() -> None:
    assert fuzz(1_000, seed=20261129) < 0.2


@given(st.binary(max_size=2_000))
@settings(max_examples=300, deadline=None)
def test_any_octets(octets: bytes) -> None:
    read(octets)
    read(HEAD + b"\r\n" + octets)
    read(HEAD + b"Content-Type: text/html\r\n\r\n" + octets)
