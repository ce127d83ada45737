"""`judge orders` as other programs call it."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from judge.cli import main

KEYS = {"n", "line", "kind", "orders", "order", "power", "error", "warnings", "suggestions", "lang"}


def run(*arguments: str, text: str = "") -> Result:
    return CliRunner().invoke(main, ["orders", *arguments], input=text)


def rows(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.output.splitlines()]


def test_one_object_for_each_line_blank_ones_too() -> None:
    text = "Spring 1901\n\nA Par - Bur\r\n# later\nHullo there\nF Nor - Nth\n"
    result = run("--map", "standard", text=text)
    assert result.exit_code == 0
    found = rows(result)
    assert [row["kind"] for row in found] == ["heading", "blank", "order", "comment", "unknown", "unknown"]
    assert [row["n"] for row in found] == [1, 2, 3, 4, 5, 6]
    assert all(row.keys() >= KEYS for row in found)
    assert (found[2]["orders"], found[2]["order"], found[2]["error"]) == (["A PAR - BUR"], "A PAR - BUR", None)
    assert found[5]["error"]["code"] == "ambiguous_place"
    assert "Norway" in found[5]["error"]["text"]
    assert found[5]["suggestions"] == ["F NWY - NTH", "F NWG - NTH"]


def test_a_position_decides(tmp_path: Path) -> None:
    case = tmp_path / "case.json"
    case.write_text(json.dumps({"phase": "S1901M", "units": {"FRANCE": ["F STP/NC", "A MAR"]}}), "utf-8")
    result = run("--position", str(case), "--power", "france", text="A Szt. Petersburg (északi part) Norvégiába\nMar - Spa\n")
    first, second = rows(result)
    assert (first["order"], first["lang"]) == ("F STP/NC - NWY", "hu")
    assert second["order"] == "A MAR - SPA"
    assert [warning["code"] for warning in second["warnings"]] == ["unit_filled"]


def test_json_lines_carry_their_ids_and_settings() -> None:
    asked: list[object] = [
        {"id": 1, "text": "A Par - Bur"},
        {"id": "two", "text": "P Ghostlands -> Stratholme", "map": "warcraft"},
        {"id": 3, "text": "A Rom H", "lang": "hu", "position": {"units": {"ITALY": ["A RUM"]}}},
        {"id": 4, "text": "A Bur R Par", "phase": "S1901M"},
        {"id": 5},
        "no object",
    ]
    result = run("--jsonl", text="\n".join(json.dumps(each) for each in asked) + "\nnot json\n")
    found = rows(result)
    assert result.exit_code == 1
    assert [row["id"] for row in found] == [1, "two", 3, 4, 5, None, None]
    assert [row.get("order") for row in found] == ["A PAR - BUR", "P 60 - 61", "A RUM H", None, None, None, None]
    assert [row["error"] and row["error"]["code"] for row in found] == [None, None, None, "wrong_phase", *["bad_input"] * 3]


def test_answers_in_the_language_asked_for() -> None:
    (row,) = rows(run("--lang", "cs", text="A Xyz - Burgundsko\n"))
    assert row["error"]["code"] == "unknown_place"
    assert "není" in row["error"]["text"]


@pytest.mark.parametrize("arguments", [("--map", "nowhere"), ("--lang", "xx"), ("--power", "SPAIN"), ("--phase", "soon")])
def test_wrong_usage(arguments: tuple[str, ...]) -> None:
    assert run(*arguments, text="A Par H\n").exit_code == 2
