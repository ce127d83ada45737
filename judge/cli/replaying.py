"""Recorded games judged anew: each phase with a recorded outcome is adjudicated and the positions compared."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from judge.board import Location
from judge.rules import (
    Adjudication,
    Dislodgement,
    ImpossiblePosition,
    Position,
    Unit,
    Variant,
    adjudicate,
    read_case,
    retreats_of,
)

Units = dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class Recorded:
    """One recorded phase: the case, and the units after it by power (None: not recorded); `retreating` by power in a retreat phase."""

    game: str
    case: Mapping[str, Any]
    after: Units | None
    retreating: Units = field(default_factory=dict)
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Difference:
    """A recorded phase that comes out otherwise, or cannot be judged (`fault`)."""

    recorded: Recorded
    judged: Units = field(default_factory=dict)
    fault: str = ""

    def __str__(self) -> str:
        where = f"{self.recorded.game} {self.recorded.case.get('phase', '')}".strip()
        tags = f" [{', '.join(self.recorded.tags)}]" if self.recorded.tags else ""
        if self.fault:
            return f"{where}: {self.fault}{tags}"
        recorded = self.recorded.after or {}
        powers = sorted({*recorded, *self.judged})
        parts = [
            f"{power} recorded {_listed(recorded.get(power))}, judged {_listed(self.judged.get(power))}"
            for power in powers
            if recorded.get(power, []) != self.judged.get(power, [])
        ]
        return f"{where}: {'; '.join(parts)}{tags}"


def _listed(units: list[str] | None) -> str:
    return ", ".join(units) if units else "nothing"


def recorded_phases(values: Iterable[dict[str, Any]]) -> Iterator[list[Recorded]]:
    """The games among JSON values, each as its phases in order: games with `phases` or `turns`, or phases in the case form."""
    loose: list[dict[str, Any]] = []
    for value in values:
        phases = value.get("phases") or value.get("turns")
        if phases is None:
            loose.append(value)
        else:
            name = str(value.get("id") or value.get("name") or "")
            yield [_of_game(name, phase, value) for phase in phases]
    yield [_of_case(case, following) for case, following in zip(loose, [*loose[1:], {}], strict=False)]


def _sorted(units: Mapping[str, Iterable[str]]) -> Units:
    return {power: sorted(texts) for power, texts in sorted(units.items()) if texts}


def _of_game(name: str, phase: Mapping[str, Any], game: Mapping[str, Any]) -> Recorded:
    after = phase.get("positions_after", phase.get("after"))
    case = {"map": game.get("map"), **phase}
    return Recorded(name, case, None if after is None else _sorted(after), phase.get("retreating") or {}, tuple(phase.get("tags") or ()))


def _of_case(case: Mapping[str, Any], following: Mapping[str, Any]) -> Recorded:
    """A phase in the case form: its outcome stands in it, or the following case of the same game begins with it."""
    expect = case.get("expect") or {}
    candidates = [case.get("positions_after"), case.get("after"), expect.get("positions_after"), expect.get("units_after")]
    if following.get("game", 0) == case.get("game", 1) and following.get("phase") != case.get("phase"):
        candidates.append(following.get("units"))
    after = next((each for each in candidates if each is not None), None)
    name = str(case.get("id") or case.get("game") or "")
    return Recorded(name, case, None if after is None else _sorted(after), case.get("retreating") or {})


def replayed(phases: list[Recorded], variant: Variant) -> Iterator[Difference | None]:
    """A difference, or None where it comes out as recorded, for each phase with a recorded outcome.

    What may retreat is taken from the movement phase before, as it comes out here.
    """
    before: Adjudication | None = None
    for recorded in phases:
        try:
            position, orders = _begin(recorded, before, variant)
            before = adjudicate(position, orders, variant)
        except ImpossiblePosition as problem:
            before = None
            if recorded.after is not None:
                yield Difference(recorded, fault=str(problem))
            continue
        if recorded.after is not None:
            judged = _sorted({power: map(str, units) for power, units in before.after.units.items()})
            yield None if judged == recorded.after else Difference(recorded, judged)


def _begin(recorded: Recorded, before: Adjudication | None, variant: Variant) -> tuple[Position, dict[str, list[str]]]:
    if not recorded.retreating:
        return read_case(recorded.case, variant)
    position, orders = read_case({**recorded.case, "dislodged": []}, variant)
    return replace(position, dislodged=tuple(_driven_out(recorded, before, position, variant))), orders


def _driven_out(recorded: Recorded, before: Adjudication | None, position: Position, variant: Variant) -> Iterator[Dislodgement]:
    """The units recorded as retreating, with the retreats that the phase before left them."""
    known = {str(fallen.unit): fallen for fallen in before.dislodged} if before else {}
    for power, texts in recorded.retreating.items():
        for text in texts:
            fallen = known.get(text)
            if fallen is None:
                kind, _, at = text.partition(" ")
                stray = Dislodgement(power, Unit(kind, Location(at)), "", "")
                (fallen,) = retreats_of(replace(position, dislodged=(stray,)), variant)
            yield fallen
