"""The front door: one phase from orders to the next position."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from judge.board.powers import Power
from judge.rules.account import MovementAccount
from judge.rules.adjustments import resolve_adjustments
from judge.rules.duties import advance
from judge.rules.fitting import NOBODY, Reader
from judge.rules.movement import resolve_movement
from judge.rules.muster import Muster, muster
from judge.rules.notation import BadNotation, read_order
from judge.rules.orders import Order, Unit, Waive
from judge.rules.phases import Phase, Step
from judge.rules.placement import place_units
from judge.rules.position import Dislodgement, ImpossiblePosition, Position
from judge.rules.retreats import resolve_retreats, retreats_for
from judge.rules.strengths import YES, Contest
from judge.rules.variant import Variant
from judge.rules.verdicts import Outcome, Refused, Verdict


@dataclass(frozen=True)
class Adjudication:
    """Everything that became of one phase.

    `after` is the position as the next phase begins in which somebody owes or may give an order; its units, owners and (before a
    retreat phase) `dislodged`, `standoffs`, `attacked` are final.  `dislodged` lists all units driven out in a movement phase, also
    those without a retreat; those, and units lost in retreats, stand in `destroyed`.  `standoffs` and `attacked` are those of this
    phase, even if nobody retreats.  `winner` ends the game.
    """

    before: Position
    after: Position
    refused: tuple[Refused, ...] = ()
    dislodged: tuple[Dislodgement, ...] = ()
    destroyed: tuple[tuple[Power, Unit], ...] = ()
    standoffs: frozenset[str] = frozenset()
    attacked: frozenset[str] = frozenset()
    winner: Power | None = None
    account: Callable[[], tuple[Outcome, ...]] = field(default=tuple, compare=False, repr=False)

    @cached_property
    def outcomes(self) -> tuple[Outcome, ...]:
        """What became of each order: exactly one entry for each unit (or adjustment) that had to act, powers in board order."""
        return self.account()

    @property
    def verdicts(self) -> Mapping[str, Verdict]:
        """The verdict on the order of the unit in each province, quicker to have than the outcomes with their reasons."""
        if isinstance(self.account, MovementAccount):
            return self.account.verdicts()
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
    if (phase.season, phase.step) not in variant.calendar.round:
        raise ImpossiblePosition("unknown_phase", str(phase))
    for power in orders:
        if power not in variant.board.homes:
            raise ImpossiblePosition("unknown_power", power)
    match phase.step:
        case Step.MOVEMENT:
            return _move(position, orders, variant, read)
        case Step.RETREAT:
            return _retreat(position, orders, variant, read)
        case Step.ADJUSTMENT:
            return _adjust(position, orders, variant, read)


def _move(position: Position, orders: Mapping[Power, Sequence[Order | str]], variant: Variant, read: Reader | None) -> Adjudication:
    mustered = muster(position, orders, variant, read)
    resolve_movement(mustered.contest, mustered.moves, mustered.supports, mustered.routes)
    return _finish(position, mustered, variant)


def _finish(position: Position, mustered: Muster, variant: Variant) -> Adjudication:
    """Put down what a resolved movement phase comes to."""
    contest, tables = mustered.contest, variant.tables
    success, own, comers = contest.success, contest.own, contest.comers
    ends = contest.at[:]
    winners = {}
    for here in mustered.moves:
        if success[here] == YES:
            ends[here] = contest.becomes[here]
            winners[contest.to[here]] = here
    fallen = [there for there in winners if own[there] >= 0 and success[there] != YES]
    for there in fallen:
        ends[there] = NOBODY
    units: dict[Power, tuple[Unit, ...]] = {}
    unit_of, end_of = tables.units.__getitem__, ends.__getitem__
    for power, places in mustered.placement.roster:
        numbers = sorted(map(end_of, places))
        if fallen:
            del numbers[: numbers.count(NOBODY)]
        if numbers:
            units[power] = tuple(map(unit_of, numbers))
    provinces = tables.provinces
    standoffs = NOWHERE
    if contest.contested:
        standoffs = frozenset([provinces[there] for there in contest.contested if there not in winners and _is_standoff(contest, there)])
    attacked = frozenset(map(provinces.__getitem__, comers))
    dislodged = tuple(_driven_out(mustered, winners, fallen, standoffs, attacked)) if fallen else ()
    retreating = tuple([each for each in dislodged if each.retreats])
    begun, won = advance(Position(position.phase, units, position.owners, retreating, standoffs, attacked), variant)
    destroyed = tuple([(each.power, each.unit) for each in dislodged if not each.retreats])
    account = MovementAccount(mustered, winners)
    return Adjudication(position, begun, tuple(mustered.refused), dislodged, destroyed, standoffs, attacked, won, account)


NOWHERE: frozenset[str] = frozenset()


def _driven_out(
    mustered: Muster, winners: dict[int, int], fallen: list[int], standoffs: frozenset[str], attacked: frozenset[str]
) -> Iterator[Dislodgement]:
    """The dislodged with their retreats, by power and unit."""
    contest, tables, variant = mustered.contest, mustered.variant.tables, mustered.variant
    at, own, success = contest.at, contest.own, contest.success
    is_barred = attacked.__contains__ if variant.rulebook.attacked_bars_retreat else NOWHERE.__contains__

    def is_closed(province: str) -> bool:
        number = tables.number[province]
        return number in winners or (own[number] >= 0 and success[number] != YES) or province in standoffs or is_barred(province)

    for here in sorted(fallen, key=lambda each: (own[each], at[each])):
        comer = winners[here]
        came_from = "" if contest.by_sea[comer] else tables.provinces[comer]
        unit = tables.units[at[here]]
        retreats = retreats_for(unit, came_from, is_closed, variant)
        yield Dislodgement(variant.powers[own[here]], unit, came_from, str(tables.units[at[comer]]), retreats)


def _is_standoff(contest: Contest, there: int) -> bool:
    """Whether a place that nobody won was left empty by a standoff: two or more came with equal strength (rulebook "Standoffs").

    One that was beaten head on has no effect on its dislodger's province, so it makes no standoff there either.
    """
    if contest.own[there] >= 0 and contest.success[there] != YES:
        return False
    return sum([contest.prevent_strength(comer)[0] >= 0 for comer in contest.comers[there]]) > 1


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
