"""Automatic mail is never answered, and delivery reports are told from everything that looks like one."""

import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from judge.mail import OwnAddresses, Reading, read_bounce, read_message, why_reluctant, why_silent

HERE = Path(__file__).parent
AUTOMATIC = tomllib.loads((HERE / "automatic.toml").read_text("utf-8"))["case"]
BOUNCES = tomllib.loads((HERE / "bounces.toml").read_text("utf-8"))["case"]
READING = Reading(OwnAddresses("judge@example.org", "judge-bounces@example.org"))
NOON = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)
ORDINARY = {
    "Return-Path": "<petr@example.com>",
    "From": "Petr <petr@example.com>",
    "To": "judge@example.org",
    "Subject": "danube",
    "Message-ID": "<1@mail.example.com>",
}


@pytest.mark.parametrize("case", AUTOMATIC, ids=lambda case: " ".join(case["fields"])[:50] or "ordinary")
def test_why_silent(case: dict[str, Any]) -> None:
    fields = ORDINARY | dict(field.split(": ", 1) for field in case["fields"])
    raw = "".join(f"{name}: {value}\r\n" for name, value in fields.items()) + "\r\nX-Judge-Loop: example.org\r\nA PAR H\r\n"
    message = read_message(raw.encode(), READING, NOON)
    assert (why_silent(message, READING) or "") == case["why"]
    assert (why_reluctant(message) or "") == case.get("reluctant", "")


@pytest.mark.parametrize("case", BOUNCES, ids=lambda case: str(case["id"]))
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_bounces(case: dict[str, Any], line_end: str) -> None:
    raw = f"Delivered-To: {case['verp']}\nTo: {case['verp']}{case['mail']}".replace("\n", line_end).encode()
    bounce = read_bounce(raw, read_message(raw, READING, NOON), READING)
    wanted = case.get("expect")
    assert (bounce is None) == (wanted is None)
    if wanted:
        assert {name: getattr(bounce, name) for name in wanted} == wanted


MAILS = HERE.parent / "mails"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("21-vacation-auto-submitted.eml", "auto_submitted"),
        ("22-dsn-user-unknown.eml", "auto_submitted"),
        ("23-exchange-automatic-reply.eml", "null_return_path"),
        ("24-own-mail-comes-back.eml", "own_mail"),
        ("01-gmail-clean.eml", ""),
        ("40-hostile-names-deep-mime.eml", ""),
    ],
)
def test_samples(name: str, why: str) -> None:
    assert (why_silent(read_message((MAILS / name).read_bytes(), READING, NOON), READING) or "") == why


def test_only_the_sample_bounce_is_one() -> None:
    found = {}
    for path in sorted(MAILS.glob("*.eml")):
        raw = path.read_bytes()
        bounce = read_bounce(raw, read_message(raw, READING, NOON), READING)
        if bounce:
            found[path.name] = (bounce.game, bounce.seat, bounce.recipient, bounce.status, bounce.permanent, bounce.message_id)
    wanted = ("hanse", "TURKEY", "tomas@example.com", "5.1.1", True, "hanse.S1901M.TURKEY.r7@example.org")
    assert found == {"22-dsn-user-unknown.eml": wanted}
