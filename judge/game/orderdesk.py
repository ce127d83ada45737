"""Orders put on file and taken off again, and who still owes some: one answer for reminders, lateness and early closing."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime

from judge.board import Power
from judge.errors import PlayerError
from judge.game.faults import Locked, NotApproved, NotFiled, NothingDue, NotRunning, OlderMail, TooMany
from judge.game.model import FiledOrder, Game, Nmr, SeatState, Status
from judge.game.notices import Answer, Cleared, Event, Filed, Submission, Transition
from judge.rules import Build, Disband, Duty, Order, Step, Unit, Variant, Waive, duties, why_illegal, write_order


def submit_orders(
    game: Game, power: Power, orders: Iterable[Order], variant: Variant, at: datetime, mail: int, *, by_master: bool = False
) -> tuple[Transition, tuple[Answer | PlayerError, ...]]:
    """Put orders of one power on file; one outcome for each order, in their order.

    An impossible order is not filed and leaves the unit's older order in force.  In movement and retreat phases the last order for a
    unit counts; in adjustment phases a mail's orders come before older ones, read from the top, up to the number due (DATC 4.D.4).
    `at` is when the mail arrived, `mail` its inbox number: an older mail never replaces the orders of a newer one.
    """
    if game.status not in (Status.RUNNING, Status.PAUSED):
        raise NotRunning(game.status)
    if not by_master:
        check_may_order(game, power)
    duty = duties(game.position, variant).get(power)
    if duty is None:
        raise NothingDue(game.phase)
    adjusting = game.phase.step is Step.ADJUSTMENT
    on_file = game.orders.get(power, ())
    outcomes: list[Answer | PlayerError] = []
    fresh = tuple(f for f in on_file if f.mail == mail) if adjusting else ()
    taken: list[Order] = []
    for order in orders:
        filed = FiledOrder(order, at, mail)
        illegal = why_illegal(order, power, game.position, variant)
        older = _same_unit(order, fresh + on_file)
        if illegal is not None:
            outcomes.append(NotFiled(order, illegal, older.order if older else None))
        elif older is not None and (older.at, older.mail) > (at, mail):
            outcomes.append(OlderMail(order, older.at))
        elif adjusting:
            if _room(duty) <= len(fresh) and older not in fresh:
                outcomes.append(TooMany(order, _room(duty)))
                continue
            fresh = (*(f for f in fresh if f is not older), filed)
            kept = _merge_adjustments(fresh, on_file, duty)
            dropped = next((f for f in on_file if f not in kept and f is not older), None)
            on_file = kept
            taken.append(order)
            replaced = older or dropped
            outcomes.append(Filed(order, replaced.order if replaced else None))
        else:
            on_file = (*(f for f in on_file if f is not older), filed)
            taken.append(order)
            outcomes.append(Filed(order, older.order if older else None))
    after = _with_orders(game, power, on_file, variant, at)
    submissions = (Submission(game.phase, power, mail, at, tuple(taken)),) if taken else ()
    return Transition(after, submissions=submissions), tuple(outcomes)


def clear_orders(game: Game, power: Power, places: tuple[str, ...], variant: Variant, at: datetime) -> Transition:
    """Take the orders of some provinces, or all of them, off file."""
    if game.status not in (Status.RUNNING, Status.PAUSED):
        raise NotRunning(game.status)
    check_may_order(game, power)
    on_file = game.orders.get(power, ())
    kept = tuple(f for f in on_file if places and place_of(f.order) not in places)
    event = Event(at, power, "orders_cleared", {"orders": "; ".join(write_order(f.order) for f in on_file if f not in kept)})
    return Transition(_with_orders(game, power, kept, variant, at), (Cleared(len(on_file) - len(kept)),), events=(event,))


def missing_units(game: Game, power: Power, due: Mapping[Power, Duty]) -> tuple[Unit, ...]:
    """The units of a power that must act in this phase and have no order on file (none in adjustment phases)."""
    duty = due.get(power)
    if duty is None or game.phase.step is Step.ADJUSTMENT:
        return ()
    ordered = {place_of(filed.order) for filed in game.orders.get(power, ())}
    return tuple(unit for unit in duty.units if unit.at.province not in ordered)


def power_state(game: Game, power: Power, due: Mapping[Power, Duty]) -> str:
    """How far a power is: "none" (nothing due), "due", "part" or "in".  A power with nothing to order is never late."""
    duty = due.get(power)
    if duty is None:
        return "none"
    on_file = game.orders.get(power, ())
    done = len(on_file) >= _room(duty) if game.phase.step is Step.ADJUSTMENT else not missing_units(game, power, due)
    if done:
        return "in"
    return "part" if on_file else "due"


def check_may_order(game: Game, power: Power) -> None:
    """Raise `NotApproved` or `Locked` if the player of a power may not order now."""
    seat = game.seat(power)
    if seat is not None and not seat.approved:
        raise NotApproved
    if game.settings.lock and game.late_told and power not in game.late:
        raise Locked


def waited_for(game: Game, variant: Variant) -> Mapping[Power, Duty]:
    """The powers that have something to order and whose orders the phase waits for.

    Where the game waits for orders those are all that are not in civil disorder, else those whose players are there.
    """
    due = duties(game.position, variant)
    if game.settings.nmr is Nmr.WAIT:
        there = {seat.key for seat in game.seats if seat.state is not SeatState.CIVIL}
    else:
        there = {seat.key for seat in game.seats if seat.plays and seat.approved}
    return {power: duty for power, duty in due.items() if power in there}


def owing(game: Game, variant: Variant) -> tuple[Power, ...]:
    """The powers that owe orders and have not sent all of them: for reminders, lateness, early closing, skipping and statistics."""
    due = waited_for(game, variant)
    return tuple(power for power in due if power_state(game, power, due) != "in")


def _with_orders(game: Game, power: Power, filed: tuple[FiledOrder, ...], variant: Variant, at: datetime) -> Game:
    """The game with these orders on file for one power, and the note since when everything is in."""
    return note_all_in(replace(game, orders={**game.orders, power: filed}), variant, at)


def note_all_in(game: Game, variant: Variant, at: datetime) -> Game:
    """The game with `all_in_since` set when the last thing that was waited for has come, and unset otherwise.

    A wish to wait holds a phase until its deadline, not longer; a phase in which nobody is waited for ends at its deadline.
    """
    waiting = bool(game.waits) and (game.deadline is None or at < game.deadline.at)
    waited = waited_for(game, variant) if game.status is Status.RUNNING and not waiting else {}
    complete = bool(waited) and all(power_state(game, power, waited) == "in" for power in waited)
    since = (game.all_in_since or at) if complete else None
    return game if since == game.all_in_since else replace(game, all_in_since=since)


def _merge_adjustments(fresh: tuple[FiledOrder, ...], older: tuple[FiledOrder, ...], duty: Duty) -> tuple[FiledOrder, ...]:
    """New adjustment orders first, then older ones for other places while they are still due."""
    places = {place_of(f.order) for f in fresh if not isinstance(f.order, Waive)}
    left = tuple(f for f in older if f not in fresh and (isinstance(f.order, Waive) or place_of(f.order) not in places))
    return (*fresh, *left)[: _room(duty)]


def _room(duty: Duty) -> int:
    """How many orders an adjustment phase takes from a power."""
    return duty.builds or duty.removals


def _same_unit(order: Order, filed: tuple[FiledOrder, ...]) -> FiledOrder | None:
    """The order on file for the same unit, or for a build in the same province; waives replace nothing."""
    if isinstance(order, Waive):
        return None
    return next((f for f in filed if not isinstance(f.order, Waive) and place_of(f.order) == place_of(order)), None)


def place_of(order: Order) -> str:
    """The province an order is about; "" for a waive."""
    return "" if isinstance(order, Waive) else order.unit.at.province


def adjustments_ordered(filed: Iterable[FiledOrder]) -> tuple[int, int, int]:
    """How many builds, removals and waives are on file."""
    orders = [f.order for f in filed]
    return (
        sum(isinstance(order, Build) for order in orders),
        sum(isinstance(order, Disband) for order in orders),
        sum(isinstance(order, Waive) for order in orders),
    )
