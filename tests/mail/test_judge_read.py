"""`judge read` over the whole collection: every mail of the manifest, and more of the same kinds."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from judge.cli.read import read_command

MAILS = Path(__file__).parent.parent / "mails"
MANIFEST = json.loads((MAILS / "manifest.json").read_text("utf-8"))
MORE: dict[str, Any] = tomllib.loads((MAILS / "more" / "expect.toml").read_text("utf-8"))
IDENTITIES = {"from+dmarc": "dmarc"}
Row = dict[str, Any]


def rows(*options: str) -> dict[str, Row]:
    done = CliRunner().invoke(read_command, ["--world", str(MAILS / "manifest.json"), *options], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return {row["file"]: row for row in map(json.loads, done.stdout.splitlines())}


@pytest.fixture(scope="module")
def alone() -> dict[str, Row]:
    return rows("--alone", str(MAILS), str(MAILS / "more"))


def orders_of(blocks: list[Row]) -> dict[tuple[str, str], list[str]]:
    """The orders of each block in the order of interfaces.md: ``A PAR B``, ``A PAR D``."""
    return {(block["game"], block["power"]): sorted(map(canonical, block["orders"])) for block in blocks}


def canonical(order: str) -> str:
    for word, letter in (("BUILD ", "B"), ("REMOVE ", "D")):
        if order.startswith(word):
            return f"{order.removeprefix(word)} {letter}"
    return order


def outcomes(mail: Row) -> list[Row]:
    """What the manifest asks for, and what it accepts as well."""
    others = [mail | {"warnings": []} | other for other in mail.get("also_accept", []) if "action" in other]
    guessed = [unclear["suggest"] for block in mail["blocks"] for unclear in block.get("unclear", [])]
    if guessed:  # "either enter it as a guess that the answer marks plainly"
        (block,) = mail["blocks"]
        others.append(mail | {"blocks": [block | {"orders": [*block["orders"], *guessed]}]})
    return [mail, *others]


def fits(row: Row, wanted: Row) -> bool:
    return (
        row["action"] == wanted["action"]
        and row["reply"] == wanted["reply"]
        and row["identity"] == IDENTITIES.get(wanted["identity"], wanted["identity"])
        and orders_of(row["blocks"]) == orders_of(wanted["blocks"])
        and set(row["reply_to"]) <= set(wanted.get("reply_to") or row["reply_to"])
    )


@pytest.mark.parametrize(
    "mail", [mail for mail in MANIFEST["mails"] if mail["file"] != "18b-duplicate-second.eml"], ids=lambda m: m["file"]
)
def test_the_manifest(alone: dict[str, Row], mail: Row) -> None:
    row = alone[mail["file"]]
    assert any(fits(row, wanted) for wanted in outcomes(mail)), row
    said = json.dumps([row["blocks"], row["errors"]], ensure_ascii=False)
    for forbidden in mail.get("must_not", []):
        assert f'"{forbidden}"' not in json.dumps([block["orders"] for block in row["blocks"]])
    for players in MANIFEST["world"]["players"].values():
        assert not any(player["password"] in said for player in players.values())


def test_the_bounce(alone: dict[str, Row]) -> None:
    wanted = next(mail["bounce"] for mail in MANIFEST["mails"] if "bounce" in mail)
    assert alone["22-dsn-user-unknown.eml"]["bounce"] == wanted


def test_what_was_typed_is_said(alone: dict[str, Row]) -> None:
    texts = tomllib.loads((MAILS / "texts.toml").read_text("utf-8"))
    silent = {"ignore", "bounce"}
    differing = {
        name
        for name, row in alone.items()
        if name in texts and row["action"] not in silent and texts[name]["text"] and row["text"] != texts[name]["text"]
    }
    assert differing == set()


def test_duplicates_show_when_mails_are_taken_together() -> None:
    files = ["18a-duplicate-first.eml", "18b-duplicate-second.eml", "19-same-message-id-other-body.eml"]
    found = rows(*(str(MAILS / name) for name in files))
    assert [found[name]["action"] for name in files] in (["orders", "duplicate", "orders"], ["orders", "ignore", "orders"])
    assert [found[name]["reply"] for name in files] == [True, False, True]


@pytest.mark.parametrize("name", sorted(MORE))
def test_more(alone: dict[str, Row], name: str) -> None:
    row, wanted = alone[name], MORE[name]
    assert row["action"] == wanted["action"]
    assert row["reply"] == wanted.get("reply", row["reply"])
    assert row["identity"] == wanted.get("identity", row["identity"])
    assert [order for block in row["blocks"] for order in block["orders"]] == wanted.get("orders", [])
    if "why" in wanted:
        assert row["why"]["code"] == wanted["why"]
