"""Positions and results as JSON values: the case form of the command line, of test data and of other programs."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from sys import intern
from typing import Any

from judge.board.places import Location
from judge.board.powers import Power
from judge.rules.adjudication import Adjudication
from judge.rules.notation import BadNotation, read_location, read_phase, read_unit, write_order
from judge.rules.orders import Unit
from judge.rules.phases import Phase, Step
from judge.rules.placement import place_units
from judge.rules.position import Dislodgement, ImpossiblePosition, Position
from judge.rules.retreats import retreats_of
from judge.rules.variant import Variant
from judge.rules.verdicts import Outcome

Case = Mapping[str, Any]
"""A JSON object with `phase`, `units`, `centers`, `dislodged`, `standoffs`, `attacked` and `orders`; unknown keys are ignored."""


def read_case(case: Case, variant: Variant) -> tuple[Position, dict[Power, list[str]]]:
    """The position of a case and its order texts.  Raises `ImpossiblePosition`."""
    position = read_position(case, variant)
    # Interned, for the same few thousand texts come again and again and are looked up.
    orders = {_power(power, variant): [intern(text) for text in _texts(lines, "orders")] for power, lines in _table(case, "orders").items()}
    return position, orders


def read_position(case: Case, variant: Variant) -> Position:
    """The position of a case.

    The phase is a movement phase unless the case names one; where `retreats` of dislodged units are not given they are worked out
    from `attacked_from`, `standoffs` and `attacked`.  Raises `ImpossiblePosition`.
    """
    position = Position(
        phase=_phase(case, variant),
        units={_power(power, variant): _units(texts, variant) for power, texts in _table(case, "units").items()},
        owners=_owners(_table(case, "centers"), variant),
        standoffs=frozenset(_province(text, variant) for text in _texts(case.get("standoffs") or [], "standoffs")),
        attacked=frozenset(_province(text, variant) for text in _texts(case.get("attacked") or [], "attacked")),
    )
    place_units(position, variant)
    if position.phase.step is Step.RETREAT:
        return _with_dislodged(position, case, variant)
    if position.phase.step is Step.ADJUSTMENT and not position.owners:
        raise ImpossiblePosition("owners_missing", str(position.phase))
    return replace(position, standoffs=frozenset(), attacked=frozenset())


def _phase(case: Case, variant: Variant) -> Phase:
    text = case.get("phase")
    if text is None:
        if variant.start.phase.step is Step.MOVEMENT:
            return variant.start.phase
        season = next(season for season, step in variant.calendar.round if step is Step.MOVEMENT)
        return Phase(variant.start.phase.year, season, Step.MOVEMENT)
    try:
        phase = read_phase(str(text))
    except BadNotation as problem:
        raise ImpossiblePosition("unknown_phase", str(text)) from problem
    if (phase.season, phase.step) not in variant.calendar.round:
        raise ImpossiblePosition("unknown_phase", str(text))
    return phase


def _table(case: Case, key: str) -> Mapping[str, Any]:
    table = case.get(key)
    if table is None:
        return {}
    if not isinstance(table, Mapping):
        raise ImpossiblePosition("not_a_case", key)
    return table


def _texts(values: object, key: str) -> list[str]:
    if isinstance(values, str) or not isinstance(values, Sequence):
        raise ImpossiblePosition("not_a_case", key)
    return [str(value) for value in values]


def _power(name: object, variant: Variant) -> Power:
    power = str(name).upper()
    if power not in variant.powers:
        raise ImpossiblePosition("unknown_power", str(name))
    return power


def _unit(text: str, variant: Variant) -> Unit:
    try:
        unit = read_unit(text, variant.board)
    except BadNotation as problem:
        raise ImpossiblePosition("unknown_unit", text) from problem
    number = variant.tables.unit_number.get(unit)
    if number is None:
        raise ImpossiblePosition("unknown_unit", text)
    return variant.tables.units[number]


def _units(texts: object, variant: Variant) -> tuple[Unit, ...]:
    return tuple(sorted(_unit(text, variant) for text in _texts(texts, "units")))


def _location(text: str, variant: Variant) -> Location:
    try:
        return read_location(text, variant.board)
    except BadNotation as problem:
        raise ImpossiblePosition("unknown_place", text) from problem


def _province(text: str, variant: Variant) -> str:
    return _location(text, variant).province


def _owners(table: Mapping[str, Any], variant: Variant) -> dict[str, Power]:
    owners: dict[str, Power] = {}
    for name, texts in table.items():
        power = _power(name, variant)
        for text in _texts(texts, "centers"):
            centre = _province(text, variant)
            if centre not in variant.board.centres:
                raise ImpossiblePosition("not_a_centre", text)
            if owners.setdefault(centre, power) != power:
                raise ImpossiblePosition("two_owners", text)
    return owners


def _with_dislodged(position: Position, case: Case, variant: Variant) -> Position:
    entries = case.get("dislodged")
    if not isinstance(entries, Sequence) or isinstance(entries, str):
        raise ImpossiblePosition("dislodged_missing", str(position.phase))
    given = [_dislodgement(entry, variant) for entry in entries]
    provinces = [fallen.unit.at.province for fallen, _ in given]
    twice = sorted({province for province in provinces if provinces.count(province) > 1})
    if twice:
        raise ImpossiblePosition("two_units", twice[0])
    position = replace(position, dislodged=tuple(fallen for fallen, _ in given))
    worked_out = retreats_of(position, variant)
    return replace(
        position,
        dislodged=tuple(fallen if is_given else computed for (fallen, is_given), computed in zip(given, worked_out, strict=True)),
    )


def _dislodgement(entry: object, variant: Variant) -> tuple[Dislodgement, bool]:
    """One dislodged unit, and whether its retreats were given."""
    if not isinstance(entry, Mapping) or "unit" not in entry or "power" not in entry:
        raise ImpossiblePosition("not_a_case", "dislodged")
    came_from = str(entry.get("attacked_from") or "")
    retreats = entry.get("retreats")
    fallen = Dislodgement(
        _power(entry["power"], variant),
        _unit(str(entry["unit"]), variant),
        _province(came_from, variant) if came_from else "",
        str(entry.get("dislodged_by") or ""),
        () if retreats is None else tuple(sorted(_location(text, variant) for text in _texts(retreats, "retreats"))),
    )
    return fallen, retreats is not None


def write_result(result: Adjudication) -> dict[str, Any]:
    """An adjudication as JSON values; `centers` only where owners are known."""
    after = result.after
    written: dict[str, Any] = {
        "phase": str(result.before.phase),
        "next_phase": str(result.next_phase) if result.next_phase else None,
        "winner": result.winner,
        "units": {power: sorted(map(str, units)) for power, units in after.units.items()},
        "dislodged": [
            {
                "power": fallen.power,
                "unit": str(fallen.unit),
                "attacked_from": fallen.attacked_from,
                "dislodged_by": fallen.dislodged_by,
                "retreats": [str(place) for place in fallen.retreats],
            }
            for fallen in sorted(result.dislodged, key=lambda fallen: str(fallen.unit))
        ],
        "standoffs": sorted(result.standoffs),
        "attacked": sorted(result.attacked),
        "destroyed": [{"power": power, "unit": str(unit)} for power, unit in sorted(result.destroyed, key=lambda each: str(each[1]))],
    }
    if after.owners:
        centers: dict[Power, list[str]] = {}
        for centre, power in sorted(after.owners.items()):
            centers.setdefault(power, []).append(centre)
        written["centers"] = dict(sorted(centers.items()))
    written["orders"] = [write_outcome(outcome) for outcome in result.outcomes]
    written["refused"] = [
        {"power": refused.power, "text": refused.text, "code": refused.code} | ({"why": dict(refused.why.as_json())} if refused.why else {})
        for refused in result.refused
    ]
    return written


def write_outcome(outcome: Outcome) -> dict[str, Any]:
    """What became of one order as JSON values; `fall` says by whom the unit was dislodged."""
    written: dict[str, Any] = {
        "power": outcome.power,
        "order": write_order(outcome.order),
        "given": outcome.given,
        "verdict": str(outcome.verdict),
        "dislodged": outcome.dislodged,
        "why": dict(outcome.why.as_json()),
    }
    if outcome.fall is not None:
        written["fall"] = dict(outcome.fall.as_json())
    return written
