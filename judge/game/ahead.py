"""Orders for phases that are not open yet: filed with conditions, looked at again when their phase opens."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from judge.board import Power
from judge.errors import PlayerError
from judge.game.faults import NotRunning, PhaseNotAhead, TooMany
from judge.game.model import AheadOrder, Condition, Game, Status, Test
from judge.game.notices import AheadRead, Answer, Audience, Event, Item, Submission, Told, Transition
from judge.game.orderdesk import submit_orders
from judge.game.seats import set_wait
from judge.rules import Order, Phase, Position, Variant, Waive, duties

YEARS_AHEAD = 5
MOST_AHEAD = 300
"""Orders ahead that one power may have on file."""

ALWAYS: Condition = ()


def file_ahead(game: Game, power: Power, orders: Sequence[AheadOrder], variant: Variant, at: datetime) -> Transition:
    """Keep orders for later phases; the last one for a unit under the same condition counts.

    Raises `PhaseNotAhead`, `NotRunning`, `TooMany`.
    """
    if game.status is Status.FINISHED:
        raise NotRunning(game.status)
    kept = list(game.ahead.get(power, ()))
    for order in orders:
        check_ahead(game, order.phase, variant)
        kept = [old for old in kept if not _same(old, order)]
        kept.append(order)
    if len(kept) > MOST_AHEAD:
        assert orders[-1].order is not None
        raise TooMany(orders[-1].order, MOST_AHEAD)
    after = replace(game, ahead={**game.ahead, power: tuple(kept)})
    answers = tuple(
        Told("ahead", {"order": o.order, "phase": o.phase}) if o.order else Told("ahead_wait", {"phase": o.phase}) for o in orders
    )
    return Transition(after, answers, events=(Event(at, power, "ahead", {"count": str(len(orders))}),))


def _kept(ahead: AheadOrder) -> Told:
    """What to say of one order that is kept."""
    if ahead.order is None:
        return Told("ahead_wait", {"phase": ahead.phase})
    return Told("ahead", {"order": ahead.order, "phase": ahead.phase})


def _same(old: AheadOrder, new: AheadOrder) -> bool:
    """Whether a new order takes the place of an old one."""
    return (old.phase, old.when, _place(old.order)) == (new.phase, new.when, _place(new.order)) and not isinstance(new.order, Waive)


def _place(order: Order | None) -> str:
    """The province an order is about; "" for a waive, "-" for a wish to wait."""
    if order is None:
        return "-"
    return "" if isinstance(order, Waive) else order.unit.at.province


def check_ahead(game: Game, phase: Phase, variant: Variant) -> None:
    """Raise `PhaseNotAhead` unless the phase is a later one, of not too many years ahead."""
    if game.status is Status.FORMING and phase == game.phase:
        return
    try:
        later = order_of(phase, variant) > order_of(game.phase, variant)
    except ValueError as unknown:
        raise PhaseNotAhead(str(phase), game.phase) from unknown
    if not later or abs(phase.year - game.phase.year) > YEARS_AHEAD * max(1, abs(variant.calendar.year_step)):
        raise PhaseNotAhead(str(phase), game.phase)


def order_of(phase: Phase, variant: Variant) -> tuple[int, int]:
    """Where a phase stands in time.  Raises ValueError for one the calendar does not have."""
    year, index = variant.calendar.place(phase)
    return (year if variant.calendar.year_step >= 0 else -year), index


def clear_ahead(game: Game, power: Power, phase: Phase | None, at: datetime) -> Transition:
    """Take off what is filed for later phases, or for one of them."""
    kept = tuple(order for order in game.ahead.get(power, ()) if phase is not None and order.phase != phase)
    count = len(game.ahead.get(power, ())) - len(kept)
    after = replace(game, ahead={**game.ahead, power: kept})
    return Transition(after, (Told("ahead_cleared", {"n": count}),), events=(Event(at, power, "ahead_cleared", {"count": str(count)}),))


def take_up(game: Game, variant: Variant, at: datetime) -> Transition:
    """File what was meant for the phase that has just opened, as far as its conditions hold; what is for the past is dropped."""
    if not any(game.ahead.values()):
        return Transition(game)
    now = game.phase
    due = duties(game.position, variant)
    notices: list[AheadRead] = []
    submissions: list[Submission] = []
    mine = game.ahead
    game = replace(game, ahead={power: _still_ahead(orders, now, variant) for power, orders in mine.items()})
    for power, orders in sorted(mine.items()):
        wanted = [order for order in orders if order.phase == now]
        if not wanted or power not in due:
            continue
        items = []
        for ahead in wanted:
            game, item, filed = _take_one(game, power, ahead, variant, at)
            items.append(item)
            submissions.extend(filed)
        notices.append(AheadRead(Audience(seats=(power,)), tuple(items)))
    return Transition(game, notices=tuple(notices), submissions=tuple(submissions))


def _still_ahead(orders: Sequence[AheadOrder], now: Phase, variant: Variant) -> tuple[AheadOrder, ...]:
    """The orders for phases after `now`."""
    return tuple(order for order in orders if order_of(order.phase, variant) > order_of(now, variant))


def _take_one(game: Game, power: Power, ahead: AheadOrder, variant: Variant, at: datetime) -> tuple[Game, Item, tuple[Submission, ...]]:
    """One order ahead taken up: the game after it, and what to say of its line."""
    outcomes: tuple[Answer | PlayerError, ...]
    if not holds(ahead.when, game.position):
        return game, Item(ahead.line, (Told("ahead_not_now"),)), ()
    if ahead.order is None:
        return set_wait(game, power, True, variant, at), Item(ahead.line, (Told("ahead_waits"),)), ()
    try:
        done, outcomes = submit_orders(game, power, (ahead.order,), variant, ahead.at, ahead.mail)
    except PlayerError as fault:
        return game, Item(ahead.line, (fault,)), ()
    return done.game, Item(ahead.line, outcomes), done.submissions


def holds(condition: Condition, position: Position) -> bool:
    """Whether a condition holds on the board.

    >>> holds((), None)
    True
    """
    return not condition or any(all(_passes(test, position) for test in tests) for tests in condition)


def _passes(test: Test, position: Position) -> bool:
    """Whether one test comes out as wanted."""
    match test.what:
        case "owns":
            found = position.owners.get(test.place) == test.power
        case "dislodged":
            found = any(
                each.unit.at.province == test.place and test.power in ("", each.power) and test.kind in ("", each.unit.kind)
                for each in position.dislodged
            )
        case _:
            found = any(
                unit.at.province == test.place and test.kind in ("", unit.kind)
                for power, units in position.units.items()
                if test.power in ("", power)
                for unit in units
            )
    return found == test.yes


def opposite(condition: Condition) -> Condition:
    """The condition that holds where the other does not.

    >>> opposite(((Test(True, "at", "MUN"), Test(True, "at", "BER")),))[1][0].yes
    False
    """
    result: Condition = ((),)
    for tests in condition:
        result = tuple((*already, replace(test, yes=not test.yes)) for already in result for test in tests)[:MOST_ALTERNATIVES]
    return result


def both(one: Condition, other: Condition) -> Condition:
    """The condition that holds where both do."""
    if not one or not other:
        return one or other
    return tuple((*a, *b) for a in one for b in other)[:MOST_ALTERNATIVES]


MOST_ALTERNATIVES = 200


def ahead_by_phase(orders: Sequence[AheadOrder], variant: Variant) -> Mapping[Phase, tuple[AheadOrder, ...]]:
    """Orders ahead by phase, the nearest first."""
    phases = sorted({order.phase for order in orders}, key=lambda phase: order_of(phase, variant))
    return {phase: tuple(order for order in orders if order.phase == phase) for phase in phases}
