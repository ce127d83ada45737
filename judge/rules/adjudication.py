"""The front door: one phase from orders to the next position."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from judge.board.powers import Power
from judge.rules.account import MovementAccount
from judge.rules.adjustments import resolve_adjustments
from judge.rules.duties import advance, next_due
from judge.rules.fitting import NOBODY, Reader
from judge.rules.movement import resolve_movement
from judge.rules.muster import Muster, muster
from judge.rules.notation import BadNotation, read_order
from judge.rules.orders import Order, Unit, Waive
from judge.rules.phases import Phase, Step
from judge.rules.placement import place_units
from judge.rules.position import Dislodgement, ImpossiblePosition, Position
from judge.rules.retreats import NOWHERE, resolve_retreats, retreats_for
from judge.rules.strengths import NO, YES
from judge.rules.variant import Variant
from judge.rules.verdicts import Outcome, Refused, Verdict


@dataclass(frozen=True)
class Adjudication:
    """Everything that became of one phase.

    `after` is the position as the next phase begins in which somebody owes or may give an order; its units, owners and (before a
    retreat phase) `dislodged`, `standoffs`, `attacked` are final.  `dislodged` lists all units driven out in a movement phase, also
    those without a retreat; those, and units lost in retreats, stand in `destroyed`.  `standoffs` and `attacked` are those of this
    phase, even if nobody retreats (worked out when first asked for).  `winner` ends the game.
    """

    before: Position
    after: Position
    refused: tuple[Refused, ...] = ()
    dislodged: tuple[Dislodgement, ...] = ()
    destroyed: tuple[tuple[Power, Unit], ...] = ()
    standoffs: frozenset[str] = field(default_factory=frozenset)
    attacked: frozenset[str] = field(default_factory=frozenset)
    winner: Power | None = None
    account: Callable[[], tuple[Outcome, ...]] = field(default=tuple, compare=False, repr=False)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> frozenset[str]:
            """`standoffs` and `attacked` of a movement phase: `_finish` leaves them out, for mostly nobody asks."""
            if name not in ("standoffs", "attacked") or "account" not in self.__dict__:
                raise AttributeError(name)
            found = getattr(self.account, name)()
            self.__dict__[name] = found
            return found

    @cached_property
    def outcomes(self) -> tuple[Outcome, ...]:
        """What became of each order: exactly one entry for each unit (or adjustment) that had to act, powers in board order."""
        return self.account()

    @property
    def verdicts(self) -> Mapping[str, Verdict]:
        """The verdict on the order of the unit in each province, quicker to have than the outcomes with their reasons."""
        if isinstance(self.account, MovementAccount):
            return self.account.muster.verdicts
        return {outcome.order.unit.at.province: outcome.verdict for outcome in self.outcomes if not isinstance(outcome.order, Waive)}

    @property
    def next_phase(self) -> Phase | None:
        """The next phase in which somebody owes or may give an order; None when the game is won."""
        return None if self.winner else self.after.phase


def adjudicate(
    position: Position, orders: Mapping[Power, Sequence[Order | str]], variant: Variant, read: Reader | None = None
) -> Adjudication:
    """Carry out one phase: from `orders` (values, or texts in canonical notation) to verdicts and the next position.

    A text that is not canonical is given to `read`, if there is one; what stays unreadable is refused.
    Raises `ImpossiblePosition`.
    """
    phase = position.phase
    if (phase.season, phase.step) not in variant.almanac.index:
        raise ImpossiblePosition("unknown_phase", str(phase))
    if not orders.keys() <= variant.board.homes.keys():
        raise ImpossiblePosition("unknown_power", ", ".join(sorted(orders.keys() - variant.board.homes.keys())))
    match phase.step:
        case Step.MOVEMENT:
            return _move(position, orders, variant, read)
        case Step.RETREAT:
            return _retreat(position, orders, variant, read)
        case Step.ADJUSTMENT:
            return _adjust(position, orders, variant, read)


MOVES, BOUNCES = Verdict.MOVES, Verdict.BOUNCES


def _move(position: Position, orders: Mapping[Power, Sequence[Order | str]], variant: Variant, read: Reader | None) -> Adjudication:
    mustered = muster(position, orders, variant, read)
    resolve_movement(mustered.contest, mustered.moves, mustered.supports, mustered.routes)
    return _finish(position, mustered, variant)


def _finish(position: Position, mustered: Muster, variant: Variant) -> Adjudication:
    """Put down what a resolved movement phase comes to."""
    contest, placement, tables = mustered.contest, mustered.placement, variant.tables
    at, to, success, becomes = contest.at, contest.to, contest.success, contest.becomes
    provinces, verdicts, winners = tables.provinces, mustered.verdicts, mustered.winners
    stamps = placement.stamp.copy()
    fallen = []
    for here in mustered.moves:
        if success[here] == YES:
            there = to[here]
            winners[there] = here
            stamps[here] += becomes[here] - at[here]
            verdicts[provinces[here]] = MOVES
            if at[there] >= 0 and success[there] != YES:
                fallen.append(there)
        else:
            verdicts[provinces[here]] = BOUNCES
    if mustered.supports or contest.by_sea or contest.links:
        _spoilt(mustered)
    for there in fallen:
        stamps[there] = NOBODY
    # Sorted stamps are the units power by power, each power's sorted; the fallen come before all.
    ordered = sorted(placement.pick(stamps))
    lost: list[Power] = []
    if fallen:
        del ordered[: len(fallen)]
        lost = [variant.powers[contest.own[there]] for there in fallen]
    unit_of = tables.unit_of_stamp
    standing = tuple([unit_of[stamp] for stamp in ordered])
    units: dict[Power, tuple[Unit, ...]] = {}
    end = 0
    for power, count in placement.counts:
        begin = end
        end += count
        if power in lost:
            end -= lost.count(power)
        if end > begin:
            units[power] = standing[begin:end]
    account = MovementAccount(mustered)
    # All fields but those that are worked out on demand (see `Adjudication.__getattr__`).
    adjudication = object.__new__(Adjudication)
    fields = adjudication.__dict__
    fields["before"] = position
    fields["refused"] = tuple(mustered.refused)
    fields["account"] = account
    if not fallen:
        fields["dislodged"] = fields["destroyed"] = ()
        phase, owners, fields["winner"] = next_due(position.phase, units, position.owners, False, variant, ordered)
        fields["after"] = Position(phase, units, owners)
        return adjudication
    empty = account.left_empty()
    fields["dislodged"] = dislodged = _driven_out(account, fallen, empty, variant)
    fields["destroyed"] = tuple([(each.power, each.unit) for each in dislodged if not each.retreats])
    retreating = tuple([each for each in dislodged if each.retreats])
    phase, owners, fields["winner"] = next_due(position.phase, units, position.owners, bool(retreating), variant, ordered)
    if retreating:
        fields["standoffs"] = standoffs = frozenset([provinces[there] for there in empty])
        fields["attacked"] = attacked = account.attacked()
        fields["after"] = Position(phase, units, owners, retreating, standoffs, attacked)
    else:
        fields["after"] = Position(phase, units, owners)
    return adjudication


def _spoilt(mustered: Muster) -> None:
    """Put down what became of supports that were cut, of armies whose convoy failed and of fleets that could not convoy."""
    contest, winners, verdicts, provinces = mustered.contest, mustered.winners, mustered.verdicts, mustered.placement.tables.provinces
    for here in mustered.supports:
        if contest.given[here] != YES:
            verdicts[provinces[here]] = Verdict.CUT
    for here in contest.by_sea:
        if contest.route[here] == NO:
            verdicts[provinces[here]] = Verdict.NO_CONVOY
    for fleet in contest.links:
        if fleet in winners or contest.failed >> fleet & 1:
            verdicts[provinces[fleet]] = Verdict.DISRUPTED


def _driven_out(account: MovementAccount, fallen: list[int], empty: set[int], variant: Variant) -> tuple[Dislodgement, ...]:
    """The dislodged with their retreats, by power and unit; `empty` are the provinces left empty by a standoff."""
    muster, contest, tables = account.muster, account.contest, variant.tables
    at, own, success, winners = contest.at, contest.own, contest.success, muster.winners
    barred = empty.union(contest.to) if variant.rulebook.attacked_bars_retreat else empty
    found = []
    for here in sorted(fallen, key=muster.placement.stamp.__getitem__):
        unit, comer = at[here], winners[here]
        steps = tables.steps[unit]
        closed = [to for to, _ in steps if to in winners or to in barred or (own[to] >= 0 and success[to] != YES)]
        came_from = NOWHERE if comer in contest.by_sea else comer
        attacked_from = "" if came_from == NOWHERE else tables.provinces[comer]
        retreats = retreats_for(unit, came_from, closed, variant)
        found.append(Dislodgement(variant.powers[own[here]], tables.units[unit], attacked_from, tables.spelled[at[comer]], retreats))
    return tuple(found)


def _readable(
    position: Position, orders: Mapping[Power, Sequence[Order | str]], variant: Variant, read: Reader | None
) -> tuple[list[tuple[Power, Order | str, Order]], list[Refused]]:
    """The orders read, and what could not be."""
    found: list[tuple[Power, Order | str, Order]] = []
    refused = []
    for power in variant.powers:
        for item in orders.get(power, ()):
            order = _read(item, variant, read) if isinstance(item, str) else item
            if order is None:
                refused.append(Refused(power, item, "unreadable"))
            else:
                found.append((power, item, order))
    return found, refused


def _read(text: str, variant: Variant, read: Reader | None) -> Order | None:
    try:
        return read_order(text, variant.board)
    except BadNotation:
        return read(text) if read else None


def _retreat(position: Position, orders: Mapping[Power, Sequence[Order | str]], variant: Variant, read: Reader | None) -> Adjudication:
    place_units(position, variant)
    readable, unreadable = _readable(position, orders, variant, read)
    done = resolve_retreats(position, readable, variant)
    units = {
        power: tuple(sorted((*position.units.get(power, ()), *(u for p, u in done.arrived if p == power)))) for power in variant.powers
    }
    after = replace(position, units={power: each for power, each in units.items() if each}, dislodged=())
    begun, won = advance(after, variant)
    return Adjudication(position, begun, (*unreadable, *done.refused), destroyed=done.destroyed, winner=won, account=lambda: done.outcomes)


def _adjust(position: Position, orders: Mapping[Power, Sequence[Order | str]], variant: Variant, read: Reader | None) -> Adjudication:
    place_units(position, variant)
    if not position.owners:
        raise ImpossiblePosition("owners_missing", str(position.phase))
    readable, unreadable = _readable(position, orders, variant, read)
    done = resolve_adjustments(position, readable, variant)
    begun, won = advance(replace(position, units=done.units), variant)
    return Adjudication(position, begun, (*unreadable, *done.refused), winner=won, account=lambda: done.outcomes)
