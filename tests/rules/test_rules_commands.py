"""`judge adjudicate`, `judge options` and `judge replay` as interfaces: what goes in, what comes out, exit status."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from judge.cli import main
from tests.support.shelf import danube, fill

PAIR = {
    "id": ["any", 1],
    "units": {"FRANCE": ["A PAR", "F BRE"], "GERMANY": ["A MUN"]},
    "orders": {"FRANCE": ["A PAR - BUR", "A PAR - PIC"], "GERMANY": ["A MUN - BUR", "A BER H", "F BRE H", "soup"]},
}


def run(*arguments: str, given: str = "") -> Result:
    return CliRunner().invoke(main, arguments, input=given)


def told(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_one_case() -> None:
    result = run("adjudicate", given=json.dumps(PAIR))
    assert result.exit_code == 0
    (found,) = told(result)
    assert found["id"] == ["any", 1]
    assert (found["phase"], found["next_phase"], found["winner"]) == ("S1901M", "F1901M", None)
    assert found["units"] == {"FRANCE": ["A PIC", "F BRE"], "GERMANY": ["A BUR"]}
    assert [(entry["order"], entry["given"], entry["verdict"]) for entry in found["orders"]] == [
        ("A PAR - PIC", True, "moves"),
        ("F BRE H", False, "holds"),
        ("A MUN - BUR", True, "moves"),
    ]
    assert [(each["power"], each["text"], each["code"]) for each in found["refused"]] == [
        ("FRANCE", "A PAR - BUR", "replaced"),
        ("GERMANY", "A BER H", "no_unit"),
        ("GERMANY", "F BRE H", "not_yours"),
        ("GERMANY", "soup", "unreadable"),
    ]
    assert "centers" not in found
    assert found["attacked"] == ["BUR", "PIC"]


BROKEN = [
    ({"units": {"FRANCE": ["A PAR", "A PAR"]}}, "two_units"),
    ({"units": {"FRANCE": ["A PAR"], "ITALY": ["A PAR"]}}, "two_units"),
    ({"units": {"FRANCE": ["P PAR"]}}, "unknown_unit"),
    ({"units": {"FRANCE": ["A NOWHERE"]}}, "unknown_unit"),
    ({"units": {"FRANCE": ["F STP"]}}, "unknown_unit"),
    ({"units": {"FRANCE": ["F SPA/EC"]}}, "unknown_unit"),
    ({"units": {"FRANCE": ["A ENG"]}}, "unknown_unit"),
    ({"units": {"FRANCE": ["F MUN"]}}, "unknown_unit"),
    ({"units": {"FRANCE": ["PAR"]}}, "unknown_unit"),
    ({"units": {"NARNIA": ["A PAR"]}}, "unknown_power"),
    ({"units": {}, "orders": {"NARNIA": []}}, "unknown_power"),
    ({"units": {}, "phase": "Spring"}, "unknown_phase"),
    ({"units": {}, "phase": "W1901M"}, "unknown_phase"),
    ({"units": {}, "phase": "S1901A"}, "unknown_phase"),
    ({"units": [], "phase": "S1901M"}, "not_a_case"),
    ({"units": {"FRANCE": "A PAR"}}, "not_a_case"),
    ({"units": {}, "phase": "W1901A"}, "owners_missing"),
    ({"units": {}, "phase": "W1901A", "centers": {"FRANCE": ["BUR"]}}, "not_a_centre"),
    ({"units": {}, "phase": "W1901A", "centers": {"FRANCE": ["X"]}}, "unknown_place"),
    ({"units": {}, "phase": "W1901A", "centers": {"FRANCE": ["PAR"], "ITALY": ["PAR"]}}, "two_owners"),
    ({"units": {}, "phase": "S1901R"}, "dislodged_missing"),
    ({"units": {}, "phase": "S1901R", "dislodged": ["A PAR"]}, "not_a_case"),
    ({"units": {}, "phase": "S1901R", "dislodged": [{"power": "FRANCE", "unit": "A PAR"}] * 2}, "two_units"),
    ({"units": {}, "standoffs": ["X"]}, "unknown_place"),
]


@pytest.mark.parametrize(("case", "fault"), BROKEN, ids=[f"{n}-{fault}" for n, (_, fault) in enumerate(BROKEN)])
@pytest.mark.parametrize("command", ["adjudicate", "options"])
def test_an_impossible_case_is_a_named_error(command: str, case: dict[str, Any], fault: str) -> None:
    if command == "options" and "orders" in case:
        return  # options look at the position alone
    result = run(command, given=json.dumps({"id": 7, **case}) + "\n" + json.dumps({"id": 8, "units": {}}))
    assert result.exit_code == 1
    broken, whole = told(result)
    assert broken["id"] == 7
    assert broken["error"]["code"] == fault
    assert broken["error"]["text"]
    assert whole["id"] == 8
    assert "error" not in whole


def test_lines_that_are_no_cases() -> None:
    result = run("adjudicate", given='{"id": 1, "units": {}}\n\nno json\n[1]\n{"id": 2, "map": "atlantis"}\n')
    assert result.exit_code == 1
    found = told(result)
    assert [each.get("line") for each in found] == [None, 3, 4, None]
    assert [each["id"] for each in found] == [1, None, None, 2]
    assert [each["error"]["code"] for each in found[1:]] == ["not_json", "not_a_case", "unknown_map"]


def test_autumn_counts_centres_and_skips_retreats() -> None:
    case: dict[str, Any] = {
        "phase": "F1901M",
        "units": {"FRANCE": ["A SPA", "A PAR", "F BRE"]},
        "centers": {"FRANCE": ["PAR", "BRE", "MAR"]},
        "orders": {},
    }
    (found,) = told(run("adjudicate", given=json.dumps(case)))
    assert found["centers"] == {"FRANCE": ["BRE", "MAR", "PAR", "SPA"]}
    assert found["next_phase"] == "W1901A"  # one to build, in Marseilles
    case["units"]["FRANCE"].append("A MAR")
    (found,) = told(run("adjudicate", given=json.dumps(case)))
    assert found["next_phase"] == "S1902M"
    del case["centers"]
    (found,) = told(run("adjudicate", given=json.dumps(case)))
    assert found["next_phase"] == "W1901A"  # as if all were due
    assert "centers" not in found


def test_autumn_with_a_retreat_counts_later() -> None:
    case: dict[str, Any] = {
        "phase": "F1901M",
        "units": {"FRANCE": ["A BUR", "A RUH"], "GERMANY": ["A MUN"]},
        "centers": {"GERMANY": ["MUN"], "FRANCE": ["PAR", "BRE"]},
        "orders": {"FRANCE": ["A BUR - MUN", "A RUH S A BUR - MUN"]},
    }
    (found,) = told(run("adjudicate", given=json.dumps(case)))
    assert found["next_phase"] == "F1901R"
    assert found["centers"] == {"FRANCE": ["BRE", "PAR"], "GERMANY": ["MUN"]}
    (fallen,) = found["dislodged"]
    assert fallen == {
        "power": "GERMANY",
        "unit": "A MUN",
        "attacked_from": "BUR",
        "dislodged_by": "A BUR",
        "retreats": ["BER", "BOH", "KIE", "SIL", "TYR"],
    }
    case |= {"phase": "F1901R", "units": found["units"], "dislodged": [{k: v for k, v in fallen.items() if k != "retreats"}], "orders": {}}
    (after,) = told(run("adjudicate", given=json.dumps(case)))
    assert after["centers"] == {"FRANCE": ["BRE", "MUN", "PAR"]}
    assert after["orders"] == [
        {"power": "GERMANY", "order": "A MUN D", "given": False, "verdict": "disbands", "dislodged": False, "why": {"code": "no_order"}}
    ]
    assert after["destroyed"] == [{"power": "GERMANY", "unit": "A MUN"}]


def test_winner_ends_the_game() -> None:
    centers = ["BRE", "PAR", "MAR", "SPA", "POR", "BEL", "HOL", "DEN", "KIE", "BER", "MUN", "LON", "EDI", "LVP", "NWY", "SWE", "VEN"]
    case = {"phase": "F1910M", "units": {"FRANCE": ["A ROM"]}, "centers": {"FRANCE": centers, "ITALY": ["ROM"]}}
    (found,) = told(run("adjudicate", given=json.dumps(case)))
    assert (found["winner"], found["next_phase"]) == ("FRANCE", None)


def test_switches() -> None:
    case = json.dumps({"units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["A PAR - BUR VIA"]}})
    (found,) = told(run("adjudicate", given=case))
    assert found["orders"][0]["verdict"] == "illegal"
    (found,) = told(run("adjudicate", "--switch", "via_without_convoy=land", given=case))
    assert found["orders"][0]["verdict"] == "moves"
    for wrong in ("nothing=1", "swap_allowed=maybe", "via_without_convoy=air", "failed_attacker_defends=x"):
        assert run("adjudicate", "--switch", wrong, given=case).exit_code == 2
    for right in ("swap_allowed=true", "failed_attacker_defends=0"):
        assert run("adjudicate", "--switch", right, given=case).exit_code == 0


def test_other_spellings_and_explanations() -> None:
    case = json.dumps({"units": {"FRANCE": ["F BRE"]}, "orders": {"FRANCE": ["F BRE - MID"]}})
    (found,) = told(run("adjudicate", "--explain", "en", given=case))
    (entry,) = found["orders"]
    assert (entry["order"], entry["verdict"]) == ("F BRE - MAO", "moves")
    assert entry["sentence"]
    case = json.dumps({"units": {"FRANCE": ["F BRE"]}, "orders": {"FRANCE": ["Fleet Brest to Mid-Atlantic"]}})
    (found,) = told(run("adjudicate", "--lang", "en", given=case))
    assert found["orders"][0]["order"] == "F BRE - MAO"
    assert run("adjudicate", "--lang", "tlh", given=case).exit_code == 2
    assert run("adjudicate", "--explain", "tlh", given=case).exit_code == 2


IN_WORDS = {
    "en": "Army Vienna to Galicia",
    "cs": "armáda Vídeň táhne do Haliče",
    "hu": "H Bécs - Galícia",
    "ru": "А Вена - Галиция",
}


@pytest.mark.parametrize(("lang", "text"), IN_WORDS.items())
def test_orders_in_each_language(lang: str, text: str) -> None:
    case = json.dumps({"units": {"AUSTRIA": ["A VIE"]}, "orders": {"AUSTRIA": [text]}})
    (found,) = told(run("adjudicate", "--lang", lang, given=case))
    assert [(entry["order"], entry["verdict"]) for entry in found["orders"]] == [("A VIE - GAL", "moves")]
    assert found["refused"] == []


EXPLAINED = {
    "en": ["no effect: A Vie - Gal was ordered, not A Vie - Boh", "bounced: A War - Gal also came: 1 against 1"],
    "cs": ["bez účinku: rozkaz zněl A Vie - Gal, ne A Vie - Boh", "odražena: tamtéž šla A War - Gal, 1 proti 1"],
    "hu": ["hatástalan: a parancs A Vie - Gal volt, nem A Vie - Boh", "visszaverték: ugyanoda tartott A War - Gal, 1:1"],
    "ru": ["безрезультатно: приказ был A Vie - Gal, а не A Vie - Boh", "ход отбит: туда же идёт A War - Gal, 1 против 1"],
}


@pytest.mark.parametrize(("lang", "sentences"), EXPLAINED.items())
def test_explained_in_each_language(lang: str, sentences: list[str]) -> None:
    case = {
        "units": {"AUSTRIA": ["A TYR", "A VIE"], "RUSSIA": ["A WAR"]},
        "orders": {"AUSTRIA": ["A VIE - GAL", "A TYR S A VIE - BOH"], "RUSSIA": ["A WAR - GAL"]},
    }
    (found,) = told(run("adjudicate", "--explain", lang, given=json.dumps(case)))
    assert [entry["sentence"] for entry in found["orders"]][:2] == sentences
    assert all(entry["sentence"] for entry in found["orders"])


def test_replay_of_an_exported_game(tmp_path: Path) -> None:
    """`judge game export` writes what `judge replay` reads: movement, retreats and adjustments come out as they were kept."""
    config = fill(tmp_path, (danube,))
    exported = run("game", "export", "--config", str(config.file), "danube").stdout
    phases = json.loads(exported)["phases"]
    assert {phase["phase"][-1] for phase in phases} == {"M", "R", "A"}
    assert run("replay", given=exported).stdout == f"phases {len(phases) - 1}, differences 0\n"


def test_options() -> None:
    case = {"id": 1, "units": {"FRANCE": ["A PAR"], "ITALY": ["A BUR"]}}
    (found,) = told(run("options", given=json.dumps(case)))
    assert found == {
        "id": 1,
        "options": {
            "FRANCE": {
                "A PAR": [
                    "A PAR H",
                    *("A PAR - BRE", "A PAR - BUR", "A PAR - GAS", "A PAR - PIC"),
                    *("A PAR S A BUR", "A PAR S A BUR - GAS", "A PAR S A BUR - PIC"),
                ]
            },
            "ITALY": {
                "A BUR": [
                    "A BUR H",
                    *("A BUR - BEL", "A BUR - GAS", "A BUR - MAR", "A BUR - MUN", "A BUR - PAR", "A BUR - PIC", "A BUR - RUH"),
                    *("A BUR S A PAR", "A BUR S A PAR - GAS", "A BUR S A PAR - PIC"),
                ]
            },
        },
    }
    (found,) = told(run("options", given=json.dumps({"phase": "W1901A", "units": {}, "centers": {"RUSSIA": ["STP", "MOS"]}})))
    assert found["options"] == {"RUSSIA": {"MOS": ["A MOS B"], "STP": ["A STP B", "F STP/NC B", "F STP/SC B"]}}


def test_replay(tmp_path: Path) -> None:
    phases: list[dict[str, Any]] = [
        {
            "phase": "S1901M",
            "units": {"FRANCE": ["A BUR", "A RUH"], "GERMANY": ["A MUN"]},
            "centers": {},
            "orders": {"FRANCE": ["A BUR - MUN", "A RUH S A BUR - MUN"]},
            "positions_after": {"FRANCE": ["A MUN", "A RUH"]},
        },
        {
            "phase": "S1901R",
            "units": {"FRANCE": ["A MUN", "A RUH"]},
            "retreating": {"GERMANY": ["A MUN"]},
            "orders": {"GERMANY": ["A MUN R BER"]},
            "positions_after": {"FRANCE": ["A MUN", "A RUH"], "GERMANY": ["A BER"]},
        },
        {"phase": "F1901M", "units": {"FRANCE": ["A MUN"]}, "orders": {}, "positions_after": None},
    ]
    file = tmp_path / "games.jsonl.gz"
    file.write_bytes(gzip.compress(json.dumps({"id": "g", "map": "standard", "phases": phases}).encode()))
    assert run("replay", str(file)).stdout == "phases 2, differences 0\n"
    phases[1]["positions_after"] = {"FRANCE": ["A MUN", "A RUH"]}
    phases[1]["tags"] = ["odd"]
    phases[2] |= {"units": {"FRANCE": ["A MUN", "A MUN"]}, "positions_after": {}}
    found = run("replay", given=json.dumps({"id": "g", "phases": phases})).stdout.splitlines()
    assert found == [
        "g S1901R: GERMANY recorded nothing, judged A BER [odd]",
        "g F1901M: two units in one province: MUN",
        "phases 3, differences 2",
    ]


def test_replay_of_cases_and_of_what_is_no_game() -> None:
    case = {"id": "c", "phase": "S1901M", "units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["A PAR - BUR"]}}
    lines = [json.dumps(case | {"after": {"FRANCE": ["A BUR"]}}), json.dumps(case | {"expect": {"positions_after": {"FRANCE": ["A PIC"]}}})]
    result = run("replay", given="\n".join([*lines, json.dumps(case), "nothing", "[]"]))
    assert result.exit_code == 1
    assert result.stdout.splitlines()[-2:] == ["c S1901M: FRANCE recorded A PIC, judged A BUR", "phases 2, differences 1"]


def test_retreats_unknown_to_the_phase_before_are_worked_out() -> None:
    phase = {
        "phase": "S1901R",
        "units": {"FRANCE": ["A MUN"]},
        "retreating": {"GERMANY": ["A MUN"]},
        "orders": {"GERMANY": ["A MUN R BER"]},
        "positions_after": {"FRANCE": ["A MUN"], "GERMANY": ["A BER"]},
    }
    assert run("replay", given=json.dumps({"id": "g", "phases": [phase]})).stdout == "phases 1, differences 0\n"


def test_phases_of_one_game_in_the_case_form() -> None:
    first = {"game": "g", "phase": "S1901M", "units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["A PAR - BUR"]}}
    second = {"game": "g", "phase": "F1901M", "units": {"FRANCE": ["A BUR"]}, "orders": {}}
    assert run("replay", given="\n".join(map(json.dumps, (first, second)))).stdout == "phases 1, differences 0\n"
