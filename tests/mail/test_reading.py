"""Reading mails: the collection of `tests/mails`, and shapes that once broke mail readers."""

import json
import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from judge.mail import Border, Fence, Message, OwnAddresses, Reading, glance, read_message, received_time

MAILS = Path(__file__).parent.parent / "mails"
MANIFEST = json.loads((MAILS / "manifest.json").read_text("utf-8"))
TEXTS: dict[str, Any] = tomllib.loads((MAILS / "texts.toml").read_text("utf-8"))
OWN = OwnAddresses("judge@example.org", "judge-bounces@example.org")
READING = Reading(OWN, Border("mx.example.org", ("mx.example.org",)), fences=(Fence("PRESS", "ENDPRESS"),))
NOON = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)


def read(name: str) -> Message:
    raw = (MAILS / name).read_bytes()
    return read_message(raw, READING, received_time(raw, READING.border) or NOON)


def read_text(body: str, *, head: str = "", reading: Reading = READING) -> Message:
    raw = f"From: petr@example.com\nTo: judge@example.org\n{head}\n{body}"
    return read_message(raw.encode(), reading, NOON)


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_what_was_typed(name: str) -> None:
    message, wanted = read(name), TEXTS[name]
    assert message.text == wanted["text"]
    assert [typed.source for typed in message.texts] == wanted["sources"]
    assert list(message.problems) == wanted.get("problems", [])
    assert list(message.charset_notes) == wanted.get("notes", [])
    assert message.quoted_removed == wanted.get("quoted", False)
    assert message.twins_differ == wanted.get("twins_differ", False)
    assert (message.proof.method, message.proof.why) == (wanted["proof"], wanted.get("why_not", ""))


def test_every_mail_of_the_manifest_has_its_text() -> None:
    assert sorted(TEXTS) == sorted(mail["file"] for mail in MANIFEST["mails"])


TOKENS = {(game, who["token"]): power for game, players in MANIFEST["world"]["players"].items() for power, who in players.items()}


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_a_glance_sees_what_the_reader_sees(name: str) -> None:
    seen, message = glance((MAILS / name).read_bytes(), READING), read(name)
    assert (seen.addressed, seen.answered, seen.subject) == (message.addressed, message.answered, message.subject)
    assert seen.sender == (message.from_.key if message.from_ else "")


@pytest.mark.parametrize("mail", [mail for mail in MANIFEST["mails"] if mail["identity"] == "token"], ids=lambda mail: str(mail["file"]))
def test_the_secret_address_is_found(mail: dict[str, Any]) -> None:
    parts = read(mail["file"]).addressed[0]
    wanted = {(block["game"], block["power"]) for block in mail["blocks"]}
    assert wanted <= {(parts.game, TOKENS[parts.game, parts.token])}


def test_a_second_delivery_has_the_same_digest_and_another_text_another() -> None:
    first, second, other = read("18a-duplicate-first.eml"), read("18b-duplicate-second.eml"), read("19-same-message-id-other-body.eml")
    assert first.digest == second.digest != other.digest
    assert first.message_id == other.message_id


def test_digests_tell_all_mails_apart() -> None:
    digests = [read(name).digest for name in TEXTS if name != "18b-duplicate-second.eml"]
    assert len(set(digests)) == len(digests)


def test_arrival_is_what_the_border_says() -> None:
    assert read("38-late-with-early-date.eml").received_at == datetime(2026, 11, 29, 18, 7, 12, tzinfo=UTC)


def test_hostile_fields_are_one_line() -> None:
    message = read("40-hostile-names-deep-mime.eml")
    assert message.subject == "status Bcc: victim@example.com hello"
    assert [address.address for address in message.reply_to] == ["mallory@example.com", "victim@example.com", "judge@example.org"]
    assert message.reply_to[0].name == "a Bcc: b@example.com"


def test_our_letters_are_known_again_by_their_ids() -> None:
    assert [(one.game, one.tag, one.seat) for one in read("02-gmail-top-reply-over-quoted-result.eml").answered] == [
        ("hanse", "S1901M", "ENGLAND")
    ]


@pytest.mark.parametrize(
    ("field", "defect"),
    [
        ("From: petr@example.com", ""),
        ('From: "Petr, gm@example.org" <petr@example.com>', ""),
        ("From: petr@example.com (gm@example.org)", ""),
        ("From: petr@example.com\nFrom: gm@example.org", "several_fields"),
        ("From: petr@example.com, gm@example.org", "several_addresses"),
        ("From: petr@example.com(<gm@example.org>", "unreadable"),
        ("From: <petr@example.com> gm@example.org", "unreadable"),
        ("From: petr@example.com@gm.example.org", "unreadable"),
        ("From: undisclosed-recipients:;", "missing"),
        ("X-From: petr@example.com", "missing"),
    ],
)
def test_from_with_a_defect_is_no_identity(field: str, defect: str) -> None:
    message = read_message(f"{field}\n\nA PAR H\n".encode(), READING, NOON)
    assert message.from_defect == defect
    assert (message.from_.address if message.from_ else "") == ("" if defect else "petr@example.com")


def test_a_large_mail_keeps_its_header() -> None:
    message = read_text("x" * 2_000_000)
    assert message.problems == ("too_large",)
    assert message.from_ is not None


def test_a_mail_fetched_without_its_body_is_too_large() -> None:
    assert read_text("", head="X-Judge-Cut: 2000000\n").problems == ("too_large",)


TYPED = tomllib.loads((Path(__file__).parent / "typed.toml").read_text("utf-8"))["case"]


@pytest.mark.parametrize("case", TYPED, ids=lambda case: str(case["id"]))
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_typed(case: dict[str, str], line_end: str) -> None:
    kind = f"text/{case.get('kind', 'plain')}; charset=utf-8; {case.get('parameters', '')}"
    head = f"From: petr@example.com\nTo: judge@example.org\nContent-Type: {kind}\n\n"
    raw = (head + case["body"].lstrip("\n")).replace("\n", line_end).encode()
    assert read_message(raw, READING, NOON).text == case["expect"]
