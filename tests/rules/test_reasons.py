"""Every reason told with its facts: why an order fared as it did, and why one is impossible."""

from typing import Any

import pytest

from judge.board import Location
from judge.rules import Adjudication, Order, Phase, Step, Unit, Waive, adjudicate, read_case, read_order, why_illegal
from judge.rules.verdicts import Why
from tests.support.judged import board, unit_in

S, F, R, W = "S1901M", "F1901M", "S1901R", "W1901A"


def adjudicated(units: dict[str, list[str]], orders: dict[str, list[str]], name: str = "standard", **more: Any) -> Adjudication:
    switches = more.pop("switches", {})
    position, texts = read_case({"units": units, "orders": orders, **more}, board(name, **switches))
    return adjudicate(position, texts, board(name, **switches))


def reasons(result: Adjudication) -> dict[str, Any]:
    """Verdict and reason by unit."""
    return {unit_in(str(entry.order)): entry for entry in result.outcomes} or {}


MOVED: list[tuple[str, dict[str, list[str]], dict[str, list[str]], str, str, dict[str, Any]]] = [
    ("unopposed", {"FRANCE": ["A PAR"]}, {"FRANCE": ["A PAR - BUR"]}, "A PAR", "moves", {}),
    (
        "followed",
        {"FRANCE": ["A PAR", "A BUR"]},
        {"FRANCE": ["A PAR - BUR", "A BUR - MUN"]},
        "A PAR",
        "moves",
        {"by": ["A BUR - MUN"]},
    ),
    (
        "stronger",
        {"FRANCE": ["A PAR", "A MAR"], "GERMANY": ["A MUN"]},
        {"FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"], "GERMANY": ["A MUN - BUR"]},
        "A PAR",
        "moves",
        {"by": ["A MUN - BUR"], "attack": 2, "prevent": 1},
    ),
    (
        "stronger",
        {"FRANCE": ["A PAR", "A MAR"], "GERMANY": ["A BUR"]},
        {"FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"]},
        "A PAR",
        "moves",
        {"by": ["A BUR H"], "attack": 2, "hold": 1},
    ),
    (
        "stronger",
        {"FRANCE": ["A PAR", "A MAR"], "GERMANY": ["A BUR"]},
        {"FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"], "GERMANY": ["A BUR - PAR"]},
        "A PAR",
        "moves",
        {"by": ["A BUR - PAR"], "attack": 2, "defend": 1},
    ),
    (
        "circle",
        {"TURKEY": ["F ANK", "A CON", "A SMY"]},
        {"TURKEY": ["F ANK - CON", "A CON - SMY", "A SMY - ANK"]},
        "F ANK",
        "moves",
        {"by": ["A CON - SMY", "A SMY - ANK"]},
    ),
    (
        "swapped",
        {"ENGLAND": ["A BEL", "F NTH"], "FRANCE": ["A HOL"]},
        {"ENGLAND": ["A BEL - HOL VIA", "F NTH C A BEL - HOL"], "FRANCE": ["A HOL - BEL"]},
        "A BEL",
        "moves",
        {"by": ["A HOL - BEL"], "route": ["NTH"]},
    ),
    ("as_ordered", {"FRANCE": ["A PAR"]}, {"FRANCE": ["A PAR H"]}, "A PAR", "holds", {}),
    (
        "no_order",
        {"FRANCE": ["A PAR", "A GAS"], "GERMANY": ["A BUR"]},
        {"FRANCE": ["A GAS S A PAR"], "GERMANY": ["A BUR - PAR"]},
        "A PAR",
        "holds",
        {"by": ["A BUR - PAR"], "attack": 1, "hold": 2},
    ),
    (
        "given",
        {"FRANCE": ["A PAR", "A GAS"]},
        {"FRANCE": ["A GAS S A PAR"]},
        "A GAS",
        "supports",
        {"by": ["A PAR H"]},
    ),
    (
        "carries",
        {"ENGLAND": ["A LON", "F NTH"]},
        {"ENGLAND": ["A LON - NWY", "F NTH C A LON - NWY"]},
        "F NTH",
        "convoys",
        {"by": ["A LON - NWY"]},
    ),
    (
        "army_by_land",
        {"GERMANY": ["A BEL"], "ENGLAND": ["F NTH"]},
        {"GERMANY": ["A BEL - HOL"], "ENGLAND": ["F NTH C A BEL - HOL"]},
        "F NTH",
        "convoys",
        {"by": ["A BEL - HOL"]},
    ),
    (
        "bounced_by",
        {"AUSTRIA": ["A BOH"], "RUSSIA": ["A WAR"]},
        {"AUSTRIA": ["A BOH - SIL"], "RUSSIA": ["A WAR - SIL"]},
        "A BOH",
        "bounces",
        {"by": ["A WAR - SIL"], "attack": 1, "prevent": 1},
    ),
    (
        "held_off",
        {"FRANCE": ["A PAR"], "GERMANY": ["A BUR"]},
        {"FRANCE": ["A PAR - BUR"]},
        "A PAR",
        "bounces",
        {"by": ["A BUR H"], "attack": 1, "hold": 1},
    ),
    (
        "head_on",
        {"FRANCE": ["A PAR"], "GERMANY": ["A BUR"]},
        {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A BUR - PAR"]},
        "A PAR",
        "bounces",
        {"by": ["A BUR - PAR"], "attack": 1, "defend": 1},
    ),
    (
        "own_unit",
        {"FRANCE": ["A PAR", "A BUR", "A MAR"]},
        {"FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"]},
        "A PAR",
        "bounces",
        {"by": ["A BUR H"]},
    ),
    (
        "no_convoy_ordered",
        {"ENGLAND": ["A LON", "F NTH"]},
        {"ENGLAND": ["A LON - NWY", "F NTH H"]},
        "A LON",
        "no_convoy",
        {"places": ["NTH"], "needs": "F NTH C A LON - NWY"},
    ),
    (
        "convoy_broken",
        {"ENGLAND": ["A LON", "F NTH"], "GERMANY": ["F HEL", "F DEN"]},
        {"ENGLAND": ["A LON - NWY", "F NTH C A LON - NWY"], "GERMANY": ["F HEL - NTH", "F DEN S F HEL - NTH"]},
        "A LON",
        "no_convoy",
        {"by": ["F HEL - NTH"], "places": ["NTH"]},
    ),
    (
        "fleet_dislodged",
        {"ENGLAND": ["A LON", "F NTH"], "GERMANY": ["F HEL", "F DEN"]},
        {"ENGLAND": ["A LON - NWY", "F NTH C A LON - NWY"], "GERMANY": ["F HEL - NTH", "F DEN S F HEL - NTH"]},
        "F NTH",
        "disrupted",
        {"by": ["F HEL - NTH"], "attack": 2, "hold": 1},
    ),
    (
        "convoy_paradox",
        {"ENGLAND": ["F LON", "F WAL"], "FRANCE": ["A BRE", "F ENG"]},
        {"ENGLAND": ["F LON S F WAL - ENG", "F WAL - ENG"], "FRANCE": ["A BRE - LON", "F ENG C A BRE - LON"]},
        "A BRE",
        "no_convoy",
        {"places": ["ENG"]},
    ),
    (
        "convoy_paradox",
        {"ENGLAND": ["A LON", "F NTH", "F ENG"], "FRANCE": ["F BEL"], "GERMANY": ["F HEL", "F SKA"]},
        {
            "ENGLAND": ["A LON - BEL", "F NTH C A LON - BEL", "F ENG S A LON - BEL"],
            "FRANCE": ["F BEL S F NTH"],
            "GERMANY": ["F HEL S F SKA - NTH", "F SKA - NTH"],
        },
        "F NTH",
        "disrupted",
        {"by": ["A LON - BEL"], "places": ["NTH"]},
    ),
    (
        "cut_by",
        {"FRANCE": ["A GAS", "A PAR"], "GERMANY": ["A BUR"]},
        {"FRANCE": ["A PAR S A GAS"], "GERMANY": ["A BUR - PAR"]},
        "A PAR",
        "cut",
        {"by": ["A BUR - PAR"]},
    ),
    (
        "supporter_dislodged",
        {"FRANCE": ["A GAS", "A PAR"], "GERMANY": ["A BUR", "A PIC"]},
        {"FRANCE": ["A PAR S A GAS - BUR", "A GAS - BUR"], "GERMANY": ["A BUR - PAR", "A PIC S A BUR - PAR"]},
        "A PAR",
        "cut",
        {"by": ["A BUR - PAR"], "attack": 2, "hold": 1},
    ),
    (
        "unmatched",
        {"FRANCE": ["A PAR", "A GAS"]},
        {"FRANCE": ["A GAS S A PAR - BUR", "A PAR - PIC"]},
        "A GAS",
        "no_effect",
        {"by": ["A PAR - PIC"], "needs": "A PAR - BUR"},
    ),
    (
        "unmatched",
        {"FRANCE": ["A PAR", "A GAS"]},
        {"FRANCE": ["A GAS S A PAR", "A PAR - PIC"]},
        "A GAS",
        "no_effect",
        {"by": ["A PAR - PIC"], "needs": "A PAR H"},
    ),
    (
        "unmatched",
        {"ENGLAND": ["A LON", "F NTH"]},
        {"ENGLAND": ["A LON H", "F NTH C A LON - NWY"]},
        "F NTH",
        "no_effect",
        {"by": ["A LON H"], "needs": "A LON - NWY"},
    ),
    (
        "nobody_there",
        {"FRANCE": ["A GAS"]},
        {"FRANCE": ["A GAS S A PAR - BUR"]},
        "A GAS",
        "no_effect",
        {"places": ["PAR"], "needs": "A PAR - BUR"},
    ),
    (
        "nobody_there",
        {"FRANCE": ["A GAS"]},
        {"FRANCE": ["A GAS S A PAR"]},
        "A GAS",
        "no_effect",
        {"places": ["PAR"], "needs": "A PAR H"},
    ),
    (
        "nobody_there",
        {"ENGLAND": ["F NTH"]},
        {"ENGLAND": ["F NTH C A LON - NWY"]},
        "F NTH",
        "no_effect",
        {"places": ["LON"], "needs": "A LON - NWY"},
    ),
]


@pytest.mark.parametrize(
    ("code", "units", "orders", "unit", "verdict", "facts"), MOVED, ids=[f"{n}-{case[0]}" for n, case in enumerate(MOVED)]
)
def test_what_became_of_an_order(
    code: str, units: dict[str, list[str]], orders: dict[str, list[str]], unit: str, verdict: str, facts: dict[str, Any]
) -> None:
    result = adjudicated(units, orders)
    (outcome,) = [each for each in result.outcomes if not isinstance(each.order, Waive) and str(each.order.unit) == unit]
    assert outcome.verdict == verdict
    assert outcome.why.as_json() == {"code": code, **facts}


def fall_of(result: Adjudication, unit: str) -> Why | None:
    (outcome,) = [each for each in result.outcomes if not isinstance(each.order, Waive) and str(each.order.unit) == unit]
    assert outcome.dislodged
    return outcome.fall


def test_why_a_unit_is_dislodged() -> None:
    pair = {"FRANCE": ["A PAR", "A MAR"], "GERMANY": ["A BUR"]}
    attack = ["A PAR - BUR", "A MAR S A PAR - BUR"]
    fall = fall_of(adjudicated(pair, {"FRANCE": attack}), "A BUR")
    assert fall is not None
    assert fall.as_json() == {"code": "dislodged_by", "by": ["A PAR - BUR"], "attack": 2, "hold": 1}
    fall = fall_of(adjudicated(pair, {"FRANCE": attack, "GERMANY": ["A BUR - PAR"]}), "A BUR")
    assert fall is not None
    assert fall.as_json() == {"code": "dislodged_by", "by": ["A PAR - BUR"], "attack": 2, "defend": 1}
    pair = {**pair, "ITALY": ["A MUN"]}
    fall = fall_of(adjudicated(pair, {"FRANCE": attack, "GERMANY": ["A BUR - MUN"]}), "A BUR")
    assert fall is not None
    assert fall.as_json() == {"code": "dislodged_by", "by": ["A PAR - BUR"], "attack": 2, "hold": 1}


def test_a_support_against_the_own_unit_counts_nothing_and_the_strength_says_so() -> None:
    result = adjudicated(
        {"FRANCE": ["A PAR", "A BUR"], "GERMANY": ["A MUN"]},
        {"GERMANY": ["A MUN - BUR"], "FRANCE": ["A PAR S A MUN - BUR"]},
    )
    (outcome,) = [each for each in result.outcomes if each.power == "GERMANY"]
    assert outcome.why.as_json() == {"code": "held_off", "by": ["A BUR H"], "attack": 1, "hold": 1}


def test_a_support_for_what_an_army_could_not_do_even_by_convoy() -> None:
    """Burgundy has no coast, so the army in London could go to Wales and Yorkshire only; convoys are not named."""
    result = adjudicated({"GERMANY": ["A MUN"], "ENGLAND": ["A LON"]}, {"GERMANY": ["A MUN S A LON - BUR"]})
    (outcome,) = [each for each in result.outcomes if each.power == "GERMANY"]
    assert (outcome.verdict, outcome.why.as_json()) == ("illegal", {"code": "supported_cannot", "places": ["WAL", "YOR"]})


IMPOSSIBLE: list[tuple[str, str, dict[str, Any]]] = [
    ("A PAR R BUR", "wrong_phase", {}),
    ("A PAR B", "wrong_phase", {}),
    ("WAIVE", "wrong_phase", {}),
    ("A LON H", "no_unit", {"places": ["LON"]}),
    ("A MUN H", "not_yours", {"places": ["MUN"], "power": "GERMANY"}),
    ("A PAR - PAR", "same_place", {}),
    ("F BRE C F BRE - LON", "cannot_convoy", {}),
    ("A PAR - ENG", "wrong_terrain", {"places": ["ENG"]}),
    ("F BRE - PAR", "wrong_terrain", {"places": ["PAR"]}),
    ("F BRE - LON", "not_adjacent", {"places": ["ENG", "GAS", "MAO", "PIC"]}),
    ("A PAR - MUN", "no_route", {"places": ["BRE", "BUR", "GAS", "PIC"]}),
    ("A GAS - LON", "no_route", {"places": ["BRE", "BUR", "MAR", "PAR", "SPA"]}),
    ("F MAO - SPA", "coast_missing", {"places": ["SPA/NC", "SPA/SC"]}),
    ("F LYO - SPA/NC", "coast_unreachable", {"places": ["SPA/SC"]}),
    ("F MAO - BRE VIA", "not_convoyable", {}),
    ("A PAR S A MUN - RUH", "support_unreachable", {"places": ["BRE", "BUR", "GAS", "PIC"]}),
    ("A PAR S A MUN", "support_unreachable", {"places": ["BRE", "BUR", "GAS", "PIC"]}),
    ("A PAR S A MUN - GAS", "supported_cannot", {"places": ["BER", "BOH", "BUR", "KIE", "RUH", "SIL", "TYR"]}),
    ("F LYO S F MAO - SPA/EC", "unknown_place", {}),
    ("A PAR S A GAS - PAR", "same_place", {}),
    ("F MAO C A GAS - GAS", "same_place", {}),
    ("F MAO C F BRE - POR", "not_convoyable", {"places": ["BRE"]}),
    ("F MAO C A PAR - POR", "not_on_route", {}),
    ("F LYO C A GAS - BRE", "not_on_route", {}),
    ("F BRE C A GAS - SPA", "cannot_convoy", {}),
]


@pytest.mark.parametrize(("text", "code", "facts"), IMPOSSIBLE, ids=[text for text, _, _ in IMPOSSIBLE])
def test_why_an_order_is_impossible(text: str, code: str, facts: dict[str, Any]) -> None:
    units = {"FRANCE": ["A PAR", "A GAS", "F BRE", "F MAO", "F LYO"], "GERMANY": ["A MUN"]}
    position, _ = read_case({"units": units}, board("standard"))
    illegal = why_illegal(read_order(text), "FRANCE", position, board("standard"))
    if code == "unknown_place":
        # A coast that Spain does not have: the supported fleet could go there by no name.
        assert illegal is not None
        return
    assert illegal is not None
    found = dict(illegal.as_json())
    assert found.pop("code") == code
    assert {key: found[key] for key in facts} == facts


@pytest.mark.parametrize(
    "text", ["A PAR - BUR", "F MAO - SPA/NC", "F BRE - ENG", "A GAS - POR", "F MAO C A GAS - POR", "F LYO S F MAO - SPA", "A PAR S A GAS"]
)
def test_possible_orders(text: str) -> None:
    units = {"FRANCE": ["A PAR", "A GAS", "F BRE", "F MAO", "F LYO"], "GERMANY": ["A MUN"]}
    position, _ = read_case({"units": units}, board("standard"))
    assert why_illegal(read_order(text), "FRANCE", position, board("standard")) is None


def test_an_order_for_another_board() -> None:
    position, _ = read_case({"units": {"FRANCE": ["A PAR"]}}, board("standard"))
    illegal = why_illegal(read_order("P 60 - 61"), "FRANCE", position, board("standard"))
    assert illegal is not None
    assert illegal.code == "unknown_place"


RETREATING = {
    "phase": R,
    "units": {"FRANCE": ["A MUN", "F MAO"]},
    "dislodged": [
        {"power": "GERMANY", "unit": "A MUN", "attacked_from": "BUR"},
        {"power": "ITALY", "unit": "F POR", "retreats": ["SPA/NC", "SPA/SC"]},
        {"power": "ITALY", "unit": "A VEN", "retreats": []},
    ],
    "standoffs": ["BER"],
}
NO_RETREAT: list[tuple[str, str, str, dict[str, Any]]] = [
    ("GERMANY", "A MUN H", "wrong_phase", {}),
    ("GERMANY", "A MUN R BUR", "retreat_barred", {"places": ["BOH", "KIE", "RUH", "SIL", "TYR"]}),
    ("GERMANY", "A MUN R BER", "retreat_barred", {"places": ["BOH", "KIE", "RUH", "SIL", "TYR"]}),
    ("FRANCE", "A MUN R KIE", "not_dislodged", {"places": ["MUN"]}),
    ("ITALY", "A MUN R KIE", "not_yours", {"places": ["MUN"], "power": "GERMANY"}),
    ("ITALY", "A LON R WAL", "no_unit", {"places": ["LON"]}),
    ("ITALY", "F POR R SPA", "coast_missing", {"places": ["SPA/NC", "SPA/SC"]}),
    ("ITALY", "F POR R SPA/WC", "retreat_barred", {"places": ["SPA/NC", "SPA/SC"]}),
    ("ITALY", "A VEN D", "retreat_barred", {}),
]


@pytest.mark.parametrize(("power", "text", "code", "facts"), NO_RETREAT, ids=[f"{p}-{t}" for p, t, _, _ in NO_RETREAT])
def test_why_a_retreat_is_impossible(power: str, text: str, code: str, facts: dict[str, Any]) -> None:
    position, _ = read_case(RETREATING, board("standard"))
    illegal = why_illegal(read_order(text), power, position, board("standard"))
    assert illegal is not None
    assert illegal.as_json() == {"code": code, **facts}


def test_retreats_that_are_possible() -> None:
    position, _ = read_case(RETREATING, board("standard"))
    for power, text in (("GERMANY", "A MUN R KIE"), ("GERMANY", "A MUN - TYR"), ("GERMANY", "A MUN D"), ("ITALY", "F POR R SPA/NC")):
        assert why_illegal(read_order(text), power, position, board("standard")) is None


def test_the_retreat_step() -> None:
    orders = {
        "GERMANY": ["A MUN R BUR", "A MUN - KIE", "A MUN R BER"],
        "ITALY": ["F POR R SPA/NC", "F POR D", "A VEN D", "A LON R WAL"],
        "FRANCE": ["A MUN - BER", "F MAO R ENG", "A PAR H", "A MUN x"],
    }
    position, texts = read_case({**RETREATING, "orders": orders}, board("standard"))
    result = adjudicate(position, texts, board("standard"))
    assert [(str(o.order), o.verdict) for o in result.outcomes] == [("A MUN R KIE", "retreats"), ("F POR D", "disbands")]
    assert [(refused.text, refused.code) for refused in result.refused] == [
        ("A MUN x", "unreadable"),
        ("A MUN - BER", "wrong_phase"),
        ("F MAO R ENG", "not_due"),
        ("A PAR H", "wrong_phase"),
        ("A MUN R BUR", "replaced"),
        ("A MUN R BER", "replaced"),
        ("F POR R SPA/NC", "replaced"),
        ("A VEN D", "not_due"),
        ("A LON R WAL", "no_unit"),
    ]
    assert {(power, str(unit)) for power, unit in result.destroyed} == {("ITALY", "A VEN"), ("ITALY", "F POR")}


def test_retreats_that_meet() -> None:
    case = {
        "phase": R,
        "units": {},
        "dislodged": [
            {"power": "GERMANY", "unit": "A MUN", "attacked_from": "BUR"},
            {"power": "FRANCE", "unit": "A KIE", "attacked_from": "HOL"},
            {"power": "ITALY", "unit": "A TYR", "attacked_from": ""},
        ],
        "orders": {"GERMANY": ["A MUN R BER"], "FRANCE": ["A KIE R BER"], "ITALY": ["A TYR R PAR"]},
    }
    position, texts = read_case(case, board("standard"))
    result = adjudicate(position, texts, board("standard"))
    facts = {str(o.order): (o.verdict, dict(o.why.as_json())) for o in result.outcomes}
    assert facts["A MUN R BER"] == ("bounces", {"code": "retreat_clash", "by": ["A KIE R BER"]})
    assert facts["A KIE R BER"] == ("bounces", {"code": "retreat_clash", "by": ["A MUN R BER"]})
    assert facts["A TYR R PAR"][0] == "illegal"
    assert len(result.destroyed) == 3
    assert result.after.units == {}


ADJUSTING = {
    "phase": W,
    "units": {"RUSSIA": ["A MOS"], "GERMANY": ["A WAR", "A BER", "F KIE"], "TURKEY": ["A CON"]},
    "centers": {"RUSSIA": ["STP", "MOS", "RUM"], "GERMANY": ["BER"], "FRANCE": ["SEV"], "TURKEY": ["CON"]},
}
NO_ADJUSTMENT: list[tuple[str, str, str, dict[str, Any]]] = [
    ("RUSSIA", "A MOS H", "wrong_phase", {}),
    ("RUSSIA", "A MOS D", "not_due", {}),
    ("GERMANY", "A MUN B", "not_due", {}),
    ("TURKEY", "WAIVE", "not_due", {}),
    ("TURKEY", "A CON D", "not_due", {}),
    ("TURKEY", "A SMY B", "not_due", {}),
    ("RUSSIA", "A UKR B", "not_home", {"places": ["STP"]}),
    ("RUSSIA", "A RUM B", "not_home", {"places": ["STP"]}),
    ("RUSSIA", "F SEV B", "not_owned", {"places": ["STP"], "power": "FRANCE"}),
    ("RUSSIA", "A MOS B", "occupied", {"places": ["STP"], "power": "RUSSIA"}),
    ("RUSSIA", "F STP B", "coast_missing", {"places": ["STP/NC", "STP/SC"]}),
    ("GERMANY", "A CON D", "not_yours", {"places": ["CON"], "power": "TURKEY"}),
    ("GERMANY", "A PAR D", "no_unit", {"places": ["PAR"]}),
]


@pytest.mark.parametrize(("power", "text", "code", "facts"), NO_ADJUSTMENT, ids=[f"{p}-{t}" for p, t, _, _ in NO_ADJUSTMENT])
def test_why_an_adjustment_is_impossible(power: str, text: str, code: str, facts: dict[str, Any]) -> None:
    position, _ = read_case(ADJUSTING, board("standard"))
    illegal = why_illegal(read_order(text), power, position, board("standard"))
    assert illegal is not None
    assert illegal.as_json() == {"code": code, **facts}


def test_adjustments_that_are_possible() -> None:
    position, _ = read_case(ADJUSTING, board("standard"))
    for power, text in (
        ("RUSSIA", "A STP B"),
        ("RUSSIA", "A STP/NC B"),
        ("RUSSIA", "WAIVE"),
        ("GERMANY", "F KIE D"),
        ("GERMANY", "A KIE D"),
    ):
        assert why_illegal(read_order(text), power, position, board("standard")) is None


def test_a_fleet_is_not_built_inland() -> None:
    case = {"phase": W, "units": {}, "centers": {"RUSSIA": ["MOS"]}}
    position, _ = read_case(case, board("standard"))
    illegal = why_illegal(read_order("F MOS B"), "RUSSIA", position, board("standard"))
    assert illegal is not None
    assert illegal.as_json() == {"code": "wrong_terrain", "places": ["MOS"]}


def test_adjustments_are_read_from_the_top() -> None:
    """DATC 4.D.4 to 4.D.6."""
    case = {
        "phase": W,
        "units": {"FRANCE": ["A SPA"], "GERMANY": ["A BER", "A MUN", "F KIE"]},
        "centers": {"FRANCE": ["PAR", "MAR", "BRE", "SPA"], "GERMANY": ["KIE"], "ITALY": ["ROM", "NAP", "VEN"]},
        "orders": {
            "FRANCE": ["soup", "A PAR B", "F PAR B", "WAIVE", "A PAR B", "F BRE B", "F MAR B", "WAIVE"],
            "GERMANY": ["A MUN D", "A MUN D", "F KIE D", "A BER D"],
        },
    }
    position, texts = read_case(case, board("standard"))
    result = adjudicate(position, texts, board("standard"))
    assert [(o.power, str(o.order), o.given, o.verdict) for o in result.outcomes] == [
        ("FRANCE", "A PAR B", True, "builds"),
        ("FRANCE", "WAIVE", True, "waives"),
        ("FRANCE", "F BRE B", True, "builds"),
        ("GERMANY", "A MUN D", True, "removes"),
        ("GERMANY", "F KIE D", True, "removes"),
        ("ITALY", "WAIVE", False, "waives"),
        ("ITALY", "WAIVE", False, "waives"),
        ("ITALY", "WAIVE", False, "waives"),
    ]
    assert [(refused.text, refused.code) for refused in result.refused] == [
        ("soup", "unreadable"),
        ("F PAR B", "wrong_terrain"),
        ("A PAR B", "twice"),
        ("F MAR B", "too_many"),
        ("WAIVE", "too_many"),
        ("A MUN D", "twice"),
        ("A BER D", "too_many"),
    ]


def test_removals_by_rule_are_told_from_those_ordered() -> None:
    """Rulebook of 2023, "Civil disorder": Warsaw is three steps from Kiel, Berlin one; Munich is named."""
    case = {
        "phase": W,
        "units": {"GERMANY": ["A BER", "A MUN", "A WAR"]},
        "centers": {"GERMANY": ["KIE"]},
        "orders": {"GERMANY": ["A MUN D"]},
    }
    position, texts = read_case(case, board("standard"))
    told = [(str(o.order), o.given, o.verdict, o.why.as_json()) for o in adjudicate(position, texts, board("standard")).outcomes]
    assert told == [
        ("A MUN D", True, "removes", {"code": "as_ordered"}),
        ("A WAR D", False, "removes", {"code": "civil_disorder", "distance": 3, "places": ["KIE"]}),
    ]


def test_texts_of_orders() -> None:
    """An order spells itself in canonical notation, also inside what was refused."""
    order: Order = read_order("A PAR - BUR")
    assert str(order) == "A PAR - BUR"
    assert str(Unit("F", Location("STP/SC"))) == "F STP/SC"
    assert str(Phase(1901, "S", Step.MOVEMENT)) == "S1901M"
