"""Cases in the JSON forms of `tests/cases/` adjudicated through the case form, and their words for outcomes."""

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from judge.library import read_variant
from judge.rules import Adjudication, Position, Variant, adjudicate, read_case, write_result

CASES = Path(__file__).parents[1] / "cases"

Facts = dict[str, Any]


def cases_of(name: str) -> list[Facts]:
    """The cases of one file."""
    return [json.loads(line) for line in (CASES / name).read_text(encoding="utf-8").splitlines()]


def ids_of(cases: list[Facts]) -> list[str]:
    """Their ids."""
    return [str(case["id"]) for case in cases]


@cache
def board(name: str, **switches: Any) -> Variant:
    """A variant, with some switches of its rulebook set otherwise."""
    variant = read_variant(name)
    return replace(variant, rulebook=replace(variant.rulebook, **switches)) if switches else variant


def judged(case: Facts, variant: Variant) -> tuple[Adjudication, Facts]:
    """A case adjudicated, and the same as JSON values."""
    position, orders = read_case(case, variant)
    return told(position, orders, variant)


def told(position: Position, orders: Mapping[str, list[str]], variant: Variant) -> tuple[Adjudication, Facts]:
    """A position adjudicated, and the same as JSON values."""
    result = adjudicate(position, orders, variant)
    return result, write_result(result)


def units_of(table: Mapping[str, list[str]]) -> Facts:
    """Units by power, sorted; powers without any left out."""
    return {power: sorted(units) for power, units in table.items() if units}


def verdicts(result: Facts) -> dict[str, str]:
    """Verdict by unit."""
    return {unit_in(entry["order"]): entry["verdict"] for entry in result["orders"]}


def unit_in(order: str) -> str:
    """The unit that an order text begins with."""
    return " ".join(order.split()[:2])


def dislodged_units(result: Facts) -> list[str]:
    """Units that the outcomes call dislodged, which must be those listed as such."""
    named = sorted(unit_in(entry["order"]) for entry in result["orders"] if entry["dislodged"])
    assert named == sorted(fallen["unit"] for fallen in result["dislodged"])
    return named
