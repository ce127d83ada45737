"""Mails out of public trouble reports of other judges and mail robots, read as they should be (tests/cases/reported-mails.json)."""

import base64
import json
import re
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from judge.cli.world import services_in
from judge.library import read_variant
from judge.rules import write_unit
from judge.service.context import Services
from judge.service.examine import Examiner

CASES = json.loads((Path(__file__).parent.parent / "cases" / "reported-mails.json").read_text("utf-8"))
START = read_variant("standard").start
COMMANDS = {"C046": "SET CONC", "C060": "SET DEADLINE 2 Jan 20:00"}
AT = datetime(2026, 1, 6, 10, 0, tzinfo=UTC)


def password(power: str) -> str:
    return f"word-{power.lower()}-42"


WORLD = {
    "judge_address": "judge@judge.example",
    "bounce_address": "judge-bounces+GAME.POWER@judge.example",
    "gm": {"name": "Gm", "address": "gm@players.example"},
    "games": {
        "test1": {
            "phase": "S1901M",
            "deadline": "2027-06-01T18:00:00Z",
            "units": {power: [write_unit(unit) for unit in units] for power, units in START.units.items()},
        }
    },
    "players": {
        "test1": {
            power: {"name": power.title(), "address": f"{power.lower()}@players.example", "password": password(power)}
            for power in START.units
        }
    },
}


@pytest.fixture(scope="module")
def services() -> Iterator[Services]:
    with services_in(WORLD) as built:
        yield built


def raw_of(case: Mapping[str, Any]) -> bytes:
    """The mail with the marks filled in."""
    if "mail_base64" in case:
        return base64.b64decode(case["mail_base64"])
    text = str(case["mail"])
    text = re.sub(r"\{\{REPEAT (\d+)\}\}(.*?)\{\{END REPEAT\}\}", lambda found: found[2] * int(found[1]), text, flags=re.DOTALL)
    text = re.sub(r"\{\{SIGNON (\w+)\}\}", lambda found: f"SIGNON test1 {found[1]} {password(found[1])}", text)
    text = re.sub(r"\{\{PRESS TO (\w+)\}\}", r"PRESS TO \1", text)
    text = re.sub(r"\{\{CMD .*?\}\}", COMMANDS.get(case["id"], ""), text)
    text = text.replace("{{SIGNOFF}}", "SIGNOFF").replace("{{END PRESS}}", "ENDPRESS")
    text = text.replace("{{OWN MARKER HEADER}}", "X-Judge-Loop: judge.example")
    return text.replace("\r\n", "\n").replace("\n", "\r\n").encode()


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['id']}-{case['kind']}")
def test_reported_mail(services: Services, case: Mapping[str, Any]) -> None:
    if case["id"] == "C060":
        pytest.skip("a master signs on by the secret address or a proven From, never by a password; the moment is tested with commands")
    expect = case["expect"]
    began = time.monotonic()
    told = Examiner(services).examine(raw_of(case), AT)
    if "time_limit_s" in expect:
        assert time.monotonic() - began < expect["time_limit_s"]
    orders = {block["power"]: sorted(block["orders"]) for block in told["blocks"] if block["orders"]}
    assert orders == {power: sorted(lines) for power, lines in expect.get("orders", {}).items()}
    if "errors" in expect:
        assert len(told["errors"]) == expect["errors"], told["errors"]
    for line in expect.get("error_lines", ()):
        assert any(line in error["line"] for error in told["errors"]), told["errors"]
    if expect.get("replies") == 0:
        assert not told["reply"]
    if expect.get("sender_accepted") is not None:
        assert (told["identity"] != "none") == expect["sender_accepted"]
    for message in expect.get("press", ()):
        (sent,) = [press for block in told["blocks"] for press in block["press"]]
        assert sent["to"] == message["to"]
        assert all(part in sent["text"] for part in message["text_contains"])
        assert not any(part in sent["text"] for part in message["text_not_contains"])
