"""`judge read` on the collected nasty mails: what is done with each, from whom it counts as, which orders it holds."""

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from judge.cli.world import read_world, services_in
from judge.mail.received import received_time
from judge.service.context import Services
from judge.service.examine import Examiner

MAILS = Path(__file__).parent.parent / "mails"
MANIFEST = json.loads((MAILS / "manifest.json").read_text("utf-8"))
GROUPED = [mail for mail in MANIFEST["mails"] if mail.get("group")]
MARKED_GUESSES = {"05-iphone-smart-punctuation-autocorrect.eml": ("A LVP - WAL", "misspelt")}
"""Where the manifest lets the judge choose between asking back and taking a guess that the answer marks plainly."""


@pytest.fixture(scope="module")
def services() -> Iterator[Services]:
    with services_in(read_world(MAILS / "manifest.json")) as built:
        yield built


def read(services: Services, examiner: Examiner, name: str) -> Mapping[str, Any]:
    raw = (MAILS / name).read_bytes()
    return examiner.examine(raw, received_time(raw, services.reading.border) or datetime.now(UTC))


def spelled(order: str) -> str:
    """The manifest's spelling of builds and removals in ours."""
    verb, _, unit = order.partition(" ")
    return f"{unit} B" if verb == "BUILD" else f"{unit} D" if verb == "REMOVE" else order


def orders_of(blocks: list[Mapping[str, Any]]) -> dict[tuple[str, str], list[str]]:
    return {(b["game"], b["power"]): sorted(map(spelled, b["orders"])) for b in blocks if b.get("orders")}


def differences(told: Mapping[str, Any], wanted: Mapping[str, Any]) -> list[str]:
    """Where a reading is not what the manifest wants."""
    action = "ignore" if told["action"] == "duplicate" else told["action"]
    identity = "dmarc" if wanted["identity"] == "from+dmarc" else wanted["identity"]
    faults = []
    for what, here, there in (
        ("action", action, wanted["action"]),
        ("reply", told["reply"], wanted["reply"]),
        ("identity", told["identity"], identity),
        ("orders", orders_of(told["blocks"]), orders_of(wanted["blocks"])),
    ):
        if here != there:
            faults.append(f"{what}: {here!r}, wanted {there!r}")
    return faults


@pytest.mark.parametrize("mail", MANIFEST["mails"], ids=lambda mail: mail["file"])
def test_mail_is_read_as_it_should_be(services: Services, mail: Mapping[str, Any]) -> None:
    examiner = Examiner(services)
    if mail.get("group"):
        for other in GROUPED[: GROUPED.index(mail)]:
            if other["group"] == mail["group"]:
                read(services, examiner, other["file"])
    told = dict(read(services, examiner, mail["file"]))
    guess, warning = MARKED_GUESSES.get(mail["file"], ("", ""))
    if guess:
        assert warning in {each["code"] for each in told["warnings"]}
        told["blocks"] = [{**block, "orders": [order for order in block["orders"] if order != guess]} for block in told["blocks"]]
    choices = [mail, *({**mail, **choice} for choice in mail.get("also_accept", ()) if "action" in choice)]
    found = [differences(told, choice) for choice in choices]
    assert [] in found, found[0]


@pytest.mark.parametrize("mail", [m for m in MANIFEST["mails"] if m.get("must_not")], ids=lambda mail: mail["file"])
def test_nothing_forbidden_is_read_as_an_order(services: Services, mail: Mapping[str, Any]) -> None:
    told = read(services, Examiner(services), mail["file"])
    filed = [order for block in told["blocks"] for order in block["orders"]] if told["action"] != "late" else []
    wanted = [spelled(order) for block in mail["blocks"] for order in block.get("orders", ())]
    assert not [order for order in filed if order in mail["must_not"] and order not in wanted]


def test_passwords_and_secrets_are_not_repeated(services: Services) -> None:
    world = MANIFEST["world"]
    secrets = [p[key] for players in world["players"].values() for p in players.values() for key in ("password", "token") if p.get(key)]
    examiner = Examiner(services)
    for mail in MANIFEST["mails"]:
        told = {**read(services, examiner, mail["file"]), "text": ""}  # the text is what the person typed, shown to the operator alone
        assert not [secret for secret in secrets if secret in json.dumps(told, ensure_ascii=False)]
