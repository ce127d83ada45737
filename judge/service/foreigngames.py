"""A running game out of the result letters of another judge: phases judged anew, and what the letters do not tell said plainly."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from judge.board import Power
from judge.game import Turn
from judge.game.record import Record, agree, as_recorded
from judge.language.resultmails import OrderLine, ResultMail
from judge.rules import (
    Adjudication,
    Dislodgement,
    Order,
    Phase,
    Position,
    Step,
    Unit,
    Variant,
    adjudicate,
    read_location,
    read_order,
    read_unit,
    write_unit,
)

STAYED = frozenset({"bounce", "void", "no convoy", "no support", "blocked", "disrupted", "cut"})
"""Marks of a move that was not made."""
GONE = frozenset({"dislodged", "destroyed"})
UNTOLD = "not told by result letters, to be set by the master: players, clock and deadlines, press, votes, grace, missing orders"


class NothingToldError(ValueError):
    """Letters from which no position can be made; says why."""


def record_of(mails: Sequence[ResultMail], variant: Variant, now: datetime) -> Record:
    """The game as letters tell it; the oldest may be any letter that lists every unit.

    `now` stands as the time of closing, which letters do not tell.  Raises `NothingToldError`.
    """
    dated = [(mail.phase, mail) for mail in mails if mail.phase is not None and _is_in_calendar(mail.phase, variant)]
    work = _Work(variant, now)
    for phase, mail in sorted(dated, key=lambda pair: variant.calendar.place(pair[0])):
        work.take(phase, mail)
    if work.position is None:
        raise NothingToldError("no letter lists the units: movement results, or a listing of the game, are needed")
    if not work.position.owners:
        work.remarks.append("owners of centres are not told: set them before the game goes on")
    last = dated and max(dated, key=lambda pair: variant.calendar.place(pair[0]))[1]
    unread = [line for mail in mails for line in mail.unread]
    return Record(
        next((mail.game for mail in mails if mail.game), "").lower(),
        work.position,
        tuple(work.turns),
        gunboat=any("gunboat" in mail.variant.lower() for mail in mails),
        deadline=last.deadline if last else None,
        remarks=(*work.remarks, *(f"not understood: {line}" for line in unread), UNTOLD),
    )


def _is_in_calendar(phase: Phase, variant: Variant) -> bool:
    return (phase.season, phase.step) in variant.calendar.round


class _Work:
    """The game as far as the letters read so far tell it."""

    def __init__(self, variant: Variant, now: datetime) -> None:
        self.position: Position | None = None
        self.turns: list[Turn] = []
        self.remarks: list[str] = []
        self._variant, self._now = variant, now

    def take(self, phase: Phase, mail: ResultMail) -> None:
        """Take up one letter: results, or a listing of where everything stands."""
        if not mail.is_result:
            if mail.orders:
                self.position = self._listed(phase, mail)
            return
        before = self._before(phase, mail)
        if before is None:
            return
        done = self._judged(before, mail)
        self.turns.append(Turn(len(self.turns) + 1, phase, before, _given(mail.orders, phase.step), done, self._now))
        self.position = done.after

    def _listed(self, phase: Phase, mail: ResultMail) -> Position:
        """A position as it is listed."""
        units = _units((line.power, line.unit) for line in mail.orders)
        return Position(phase, units, mail.owners or self._owners(phase), _driven(mail) if phase.step is Step.RETREAT else ())

    def _before(self, phase: Phase, mail: ResultMail) -> Position | None:
        """The position before results; None where neither they nor older letters tell it."""
        known = self.position if self.position is not None and self.position.phase == phase else None
        if phase.step is not Step.MOVEMENT:
            if known is None:
                self.remarks.append(f"{phase}: left out, for no letter tells where the units stood before")
            return known
        stood = _units((line.power, line.unit) for line in mail.orders)
        if known is not None and _same(known.units, stood):
            return known
        if known is not None:
            self.remarks.append(f"{phase}: the units stand otherwise than the letter before says; this letter was believed")
        elif self.turns:
            self.remarks.append(f"{phase}: letters before it are missing")
        return Position(phase, stood, known.owners if known is not None else self._owners(phase))

    def _owners(self, phase: Phase) -> Mapping[str, Power]:
        """Owners of centres as far as they follow: from older letters, or, in the first year, from the start."""
        if self.position is not None:
            return self.position.owners
        return self._variant.start.owners if phase.year == self._variant.start.phase.year else {}

    def _judged(self, before: Position, mail: ResultMail) -> Adjudication:
        """The phase judged anew, and after it what the letter says."""
        done = adjudicate(before, _given(mail.orders, before.phase.step), self._variant)
        told = self._told_after(before, done, mail)
        if agree(done.after, told):
            return done
        if _same(done.after.units, told.units) and not agree(done.after, replace(told, owners=done.after.owners)):
            self.remarks.append(
                f"{before.phase}: the letter says that {told.phase} follows, this judge {done.after.phase}; the letter's was taken"
            )
        elif not _same(done.after.units, told.units):
            self.remarks.append(f"{before.phase}: this judge decides otherwise; what the letter says was taken")
        return as_recorded(done, told)

    def _told_after(self, before: Position, done: Adjudication, mail: ResultMail) -> Position:
        """The position after a phase as the letter tells it; owners, where it lists them."""
        lines = mail.orders
        moved = [(line.power, _moved(line)) for line in lines if not (line.marks & GONE) and not line.order.endswith(" D")]
        match before.phase.step:
            case Step.MOVEMENT:
                units = _units(moved)
            case Step.RETREAT:
                held = [(power, unit) for power, units in before.units.items() for unit in units]
                units = _units([*held, *((line.power, _moved(line)) for line in lines if line.target and not line.marks & STAYED)])
            case Step.ADJUSTMENT:
                removed = {line.unit for line in lines if line.order.endswith(" D")}
                held = [(power, unit) for power, units in before.units.items() for unit in units if unit not in removed]
                units = _units([*held, *((line.power, line.unit) for line in lines if line.order.endswith(" B") and not line.marks)])
        if _same(units, done.after.units):
            units = dict(done.after.units)  # with the coasts that letters may leave out
        driven = done.after.dislodged
        if {(each.power, each.unit) for each in driven} != {(each.power, each.unit) for each in _driven(mail)}:
            driven = _driven(mail)
        phase = mail.following if mail.following is not None and _is_in_calendar(mail.following, self._variant) else done.after.phase
        return replace(
            done.after,
            phase=phase,
            units=units,
            owners=mail.owners or done.after.owners,
            dislodged=driven if phase.step is Step.RETREAT else (),
        )


def _driven(mail: ResultMail) -> tuple[Dislodgement, ...]:
    """The units that must retreat, as a letter lists them; by whom they were driven out it does not say."""
    return tuple(
        Dislodgement(each.power, each.unit, "", "", tuple(map(read_location, each.retreats))) for each in mail.driven if each.retreats
    )


def _given(lines: Iterable[OrderLine], step: Step) -> dict[Power, tuple[Order, ...]]:
    """The orders of a letter; a retreat is written as a move there."""
    given: dict[Power, list[Order]] = {}
    for line in lines:
        if line.order:
            text = line.order.replace(" - ", " R ", 1) if step is Step.RETREAT else line.order
            given.setdefault(line.power, []).append(read_order(text))
    return {power: tuple(orders) for power, orders in given.items()}


def _moved(line: OrderLine) -> Unit:
    """Where a unit stands after its order."""
    if not line.target or line.marks & STAYED:
        return line.unit
    return read_unit(f"{line.unit.kind} {line.target}")


def _units(standing: Iterable[tuple[Power, Unit]]) -> dict[Power, tuple[Unit, ...]]:
    """Units by power, sorted."""
    units: dict[Power, list[Unit]] = {}
    for power, unit in standing:
        units.setdefault(power, []).append(unit)
    return {power: tuple(sorted(each)) for power, each in sorted(units.items())}


def _same(one: Mapping[Power, tuple[Unit, ...]], other: Mapping[Power, tuple[Unit, ...]]) -> bool:
    """Whether the same units stand; where a letter leaves a coast out, any will do."""

    def bare(units: Mapping[Power, tuple[Unit, ...]]) -> list[tuple[Power, str]]:
        return sorted((power, write_unit(unit).partition("/")[0]) for power, each in units.items() for unit in each)

    return bare(one) == bare(other)
