"""The front door: one phase from orders to the next position."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate
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
from judge.rules.placement import Placement, place_units
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


MOVES, BOUNCES, NO_CONVOY = Verdict.MOVES, Verdict.BOUNCES, Verdict.NO_CONVOY


def _move(position: Position, orders: Mapping[Power, Sequence[Order | str]], variant: Variant, read: Reader | None) -> Adjudication:
    mustered = muster(position, orders, variant, read)
    resolve_movement(mustered.contest, mustered.moves, mustered.supports, mustered.routes)
    return _finish(position, mustered, variant)


def _finish(position: Position, mustered: Muster, variant: Variant) -> Adjudication:
    """Put down what a resolved movement phase comes to."""
    contest, placement, tables = mustered.contest, mustered.placement, variant.tables
    at, to, success, route, becomes = contest.at, contest.to, contest.success, contest.route, contest.becomes
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
            verdicts[provinces[here]] = NO_CONVOY if route[here] == NO else BOUNCES
    for here in mustered.supports:
        if contest.given[here] != YES:
            verdicts[provinces[here]] = Verdict.CUT
    for fleet in contest.links:
        if fleet in winners or contest.failed >> fleet & 1:
            verdicts[provinces[fleet]] = Verdict.DISRUPTED
    for there in fallen:
        stamps[there] = NOBODY
    # Sorted stamps are the units power by power, each power's sorted; the fallen come before all.
    ordered = sorted(placement.pick(stamps))
    if fallen:
        del ordered[: len(fallen)]
    unit_of = tables.unit_of_stamp
    standing = tuple([unit_of[stamp] for stamp in ordered])
    parts = _left(placement, fallen, variant) if fallen else placement.parts
    units = {power: standing[part] for power, part in parts}
    account = MovementAccount(mustered)
    if fallen:
        empty = account.left_empty()
        standoffs, attacked = frozenset(map(tables.provinces.__getitem__, empty)), account.attacked()
        dislodged = tuple(_driven_out(account, fallen, empty, variant))
        retreating = tuple([each for each in dislodged if each.retreats])
        phase, owners, won = next_due(position.phase, units, position.owners, bool(retreating), variant, ordered)
        after = Position(phase, units, owners, retreating, standoffs, attacked) if retreating else Position(phase, units, owners)
        destroyed = tuple([(each.power, each.unit) for each in dislodged if not each.retreats])
        return Adjudication(position, after, tuple(mustered.refused), dislodged, destroyed, standoffs, attacked, won, account)
    phase, owners, won = next_due(position.phase, units, position.owners, False, variant, ordered)
    # All fields but the two that are worked out on demand (see `__getattr__`).
    adjudication = object.__new__(Adjudication)
    fields = adjudication.__dict__
    fields["before"] = position
    fields["after"] = Position(phase, units, owners)
    fields["refused"] = tuple(mustered.refused)
    fields["dislodged"] = fields["destroyed"] = ()
    fields["winner"] = won
    fields["account"] = account
    return adjudication


def _left(placement: Placement, fallen: list[int], variant: Variant) -> list[tuple[Power, slice]]:
    """Which part of all units left each power has that has any."""
    lost = [variant.powers[placement.own[there]] for there in fallen]
    left = [(power, count - lost.count(power)) for power, count in placement.counts]
    ends = accumulate([count for _, count in left])
    return [(power, slice(end - count, end)) for (power, count), end in zip(left, ends, strict=True) if count]


def _driven_out(account: MovementAccount, fallen: list[int], empty: set[int], variant: Variant) -> Iterator[Dislodgement]:
    """The dislodged with their retreats, by power and unit; `empty` are the provinces left empty by a standoff."""
    contest, tables, winners = account.contest, variant.tables, account.winners
    at, own, success = contest.at, contest.own, contest.success
    barred = empty.union(contest.to) if variant.rulebook.attacked_bars_retreat else empty
    for here in sorted(fallen, key=account.muster.placement.stamp.__getitem__):
        unit, comer = at[here], winners[here]
        steps = tables.steps[unit]
        closed = [to for to, _ in steps if to in winners or to in barred or (own[to] >= 0 and success[to] != YES)]
        came_from = NOWHERE if comer in contest.by_sea else comer
        attacked_from = "" if came_from == NOWHERE else tables.provinces[comer]
        retreats = retreats_for(unit, came_from, closed, variant)
        yield Dislodgement(variant.powers[own[here]], tables.units[unit], attacked_from, tables.spelled[at[comer]], retreats)


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
