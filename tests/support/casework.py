"""Adjudication cases in TOML (the keys are those of docs/maps.md, "Cases") turned into positions and compared with what came out."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from judge.rules import Adjudication, Position, Step, Unit, Variant, adjudicate, read_phase, read_unit


@dataclass(frozen=True)
class Case:
    """One case: where it stands, and its table."""

    path: Path
    table: Mapping[str, Any]

    def __str__(self) -> str:
        return f"{self.path.parent.parent.name}-{self.table['id']}"


def read_cases(path: Path) -> list[Case]:
    """The cases of one file."""
    return [Case(path, table) for table in tomllib.loads(path.read_text(encoding="utf-8"))["case"]]


def position_of(case: Case, variant: Variant) -> Position:
    """The position a case begins with."""
    units = {power: tuple(sorted(read_unit(text, variant.board) for text in texts)) for power, texts in case.table["units"].items()}
    owners = {centre: power for power, centres in case.table.get("centers", {}).items() for centre in centres}
    return Position(read_phase(case.table.get("phase", str(variant.start.phase))), units, owners)


def play_case(case: Case, variant: Variant) -> Adjudication:
    """The case adjudicated under the variant's rules with the switches of the case."""
    switched = replace(variant, rulebook=replace(variant.rulebook, **case.table.get("rules", {})))
    return adjudicate(position_of(case, switched), case.table["orders"], switched)


def unit_of(order: Any) -> str:
    """The unit an order is for, as a case's keys spell it."""
    unit: Unit = order.unit
    return str(unit)


def differences(case: Case, result: Adjudication) -> list[str]:
    """What came out otherwise than the case says; `dislodged` left out means nobody may be dislodged."""
    table = case.table
    found: dict[str, object] = {
        "expect": {unit_of(outcome.order): str(outcome.verdict) for outcome in result.outcomes},
        "dislodged": sorted(str(fallen.unit) for fallen in result.dislodged),
        "retreats": {str(fallen.unit): [str(place) for place in fallen.retreats] for fallen in result.dislodged},
        "destroyed": sorted(str(unit) for _, unit in result.destroyed),
        "standoffs": sorted(result.standoffs),
        "attacked": sorted(result.attacked),
    }
    wanted: dict[str, object] = {"expect": table["expect"]}
    if result.before.phase.step is Step.MOVEMENT:
        wanted["dislodged"] = sorted(table.get("dislodged", []))
    for key in ("retreats", "destroyed", "standoffs", "attacked"):
        if key in table:
            wanted[key] = tidy(table[key])
    return [f"{key}: wanted {wanted[key]}, got {tidy(found[key])}" for key in wanted if tidy(found[key]) != tidy(wanted[key])]


def tidy(value: object) -> object:
    """Lists sorted, so that their order in the file does not count."""
    if isinstance(value, Mapping):
        return {key: tidy(inner) for key, inner in value.items()}
    return sorted(value) if isinstance(value, Sequence) and not isinstance(value, str) else value
