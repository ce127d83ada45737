"""Closing a phase: adjudicate, keep the turn, open the next phase or end the game; and what else the clock brings."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from judge.board import Power
from judge.game.ahead import take_up
from judge.game.deadlines import counted_from, grace_left, open_phase, reminders_passed
from judge.game.endings import finish, publish_statements
from judge.game.model import Deadline, Ending, EndKind, Game, Nmr, Seat, SeatState, Status, Turn
from judge.game.notices import (
    EVERYBODY,
    MASTERS,
    Audience,
    DeadlineMoved,
    Event,
    MasterAsked,
    News,
    Notice,
    OrdersMissing,
    ReminderDue,
    Tally,
    Transition,
    TurnClosed,
)
from judge.game.orderdesk import note_all_in, owing, power_state, waited_for
from judge.game.press import deliver_postal
from judge.game.seats import Draw, abandon, begin_if_ready, end_roll_call, put_seat, tell_later
from judge.game.sparing import spare
from judge.game.standby import expire_offers, offer_seats, withdraw_eliminated
from judge.game.votes import settle
from judge.rules import Order, Retreat, Step, Variant, adjudicate, duties


def tick(game: Game, variant: Variant, now: datetime, draw: Draw) -> Transition:
    """What the time that has come asks for: a phase closed, its lateness told, an offer passed on, a roll call ended, last words told."""
    return spare(game, _come_due(game, variant, now, draw))


def _come_due(game: Game, variant: Variant, now: datetime, draw: Draw) -> Transition:
    """The one thing that is due."""
    if game.status is Status.FINISHED:
        return publish_statements(game, now)
    if any(offer.until <= now for offer in game.offers):
        return expire_offers(game, now)
    if game.status is Status.FORMING:
        if game.roll_call_until is not None and game.roll_call_until <= now:
            return end_roll_call(game, now)
        return begin_if_ready(game, variant, now, draw)
    assert game.deadline is not None
    late = owing(game, variant)
    if game.settings.manual and game.masters:
        return _ask_master(game, late, variant, now)
    if game.all_in_since is not None:
        return close_phase(game, variant, now, "all_in")
    if not any(seat.person is not None for seat in game.seats):
        return _nobody_plays(game, now)
    if not late:
        return close_phase(game, variant, now, "deadline")
    if _is_first_turn(game, late):
        return _extend_first(game, late, now)
    if not game.late_told and grace_left(game, now):
        return _tell_late(game, late, variant, now)
    if game.settings.nmr is Nmr.WAIT:
        return _give_up_waiting(game, late, variant, now)
    if game.settings.nmr is Nmr.MASTER and game.masters:
        return _ask_master(game, late, variant, now)
    return close_phase(replace(game, late=game.late or frozenset(late)), variant, now, "deadline")


def _tell_late(game: Game, late: tuple[Power, ...], variant: Variant, now: datetime) -> Transition:
    """The deadline has passed, and the game gives time."""
    told = replace(game, late_told=True, late=frozenset(late), told_late=game.told_late | frozenset(late))
    event = Event(now, "", "late", {"powers": " ".join(late)})
    return Transition(note_all_in(told, variant, now), notices=(_missing(game, late),), events=(event,))


def _missing(game: Game, late: tuple[Power, ...]) -> OrdersMissing:
    """The word that orders are missing: to everybody once in a phase, then only to masters and to those who have not been told."""
    fresh = tuple(power for power in late if power not in game.told_late)
    return OrdersMissing(late, Audience(seats=fresh, masters=True) if game.told_late else EVERYBODY)


def _give_up_waiting(game: Game, late: tuple[Power, ...], variant: Variant, now: datetime) -> Transition:
    """Grace is over in a game that waits: the seats of those whose orders are missing can be taken by others."""
    silent = tuple(power for power in late if (seat := game.seat(power)) is not None and seat.plays)
    done = abandon(replace(game, abandoned_told=True), silent, now)
    tallies = tuple(Tally(seat.person, "abandoned") for seat in game.seats if seat.key in silent and seat.person is not None)
    return replace(done, game=note_all_in(done.game, variant, now), tallies=tallies)


def _ask_master(game: Game, late: tuple[Power, ...], variant: Variant, now: datetime) -> Transition:
    """The master decides, after a look at what would happen: orders are missing, or every phase is his to close."""
    asked = replace(game, master_asked=True, late_told=True, late=game.late or frozenset(late), told_late=game.told_late | frozenset(late))
    event = Event(now, "", "master_asked", {"powers": " ".join(late)})
    news: tuple[Notice, ...] = (_missing(game, late),) if late and not game.late_told else ()
    return Transition(asked, notices=(*news, MasterAsked(dry_run(game, variant, now), late)), events=(event,))


def _is_first_turn(game: Game, late: tuple[Power, ...]) -> bool:
    """Whether the first phase may be extended once for players who have sent nothing at all."""
    return game.settings.first_turn and not game.turns and not game.extended and any(not game.orders.get(power) for power in late)


def _extend_first(game: Game, late: tuple[Power, ...], now: datetime) -> Transition:
    """Once more the length of the first phase; the seats of the silent can be taken meanwhile."""
    assert game.deadline is not None
    later = Deadline(game.deadline.at + game.timing.length(game.phase.step), "first_turn")
    silent = tuple(power for power in late if not game.orders.get(power))
    done = abandon(replace(game, deadline=later, extended=True, reminded=0), silent, now)
    news = DeadlineMoved(game.deadline.at, later.at, "", "first_turn")
    event = Event(now, "", "deadline", {"from": game.deadline.at.isoformat(), "to": later.at.isoformat(), "why": "first_turn"})
    return replace(done, notices=(*done.notices, news), events=(*done.events, event))


def _nobody_plays(game: Game, now: datetime) -> Transition:
    """A game without any player stands still instead of running on by itself."""
    after = replace(game, status=Status.PAUSED, paused_left=game.timing.length(game.phase.step), deadline=None)
    return Transition(after, notices=(News("nobody_plays", EVERYBODY),), events=(Event(now, "", "paused", {"why": "nobody_plays"}),))


def dry_run(game: Game, variant: Variant, at: datetime, orders: Mapping[Power, tuple[Order, ...]] | None = None) -> Turn:
    """What would become of the phase with the orders on file, or with other ones; nothing is done."""
    given = orders if orders is not None else _orders_used(game, variant)
    return Turn(game.turns + 1, game.phase, game.position, given, adjudicate(game.position, given, variant), at)


def close_phase(game: Game, variant: Variant, at: datetime, reason: str) -> Transition:
    """Adjudicate the open phase with the orders on file and go on; phases in which nobody can order anything are passed over.

    `at` is the moment of closing, from which the next deadline is counted; `reason` is "deadline", "all_in" or "master".
    """
    since = counted_from(game, at)
    counted = _count_missing(game, variant, at)
    after, turns = counted.game, []
    while True:
        turn = dry_run(after, variant, at)
        turns.append(turn)
        after = replace(after, position=turn.adjudication.after, turns=turn.number, pending=(), orders={}, rolled_back=())
        if turn.adjudication.winner is not None or not _passes_by_itself(after, variant):
            break
    event = Event(at, "", "closed", {"phase": str(turns[-1].phase), "reason": reason})
    closed = TurnClosed(tuple(turns), reason, also=after.bulletins)
    after = replace(after, bulletins=())
    told: tuple[Notice, ...] = (*counted.notices, closed, *_eliminated(game, after))
    done = replace(counted, game=after, notices=told, turns=tuple(turns), events=(*counted.events, event))
    posted = deliver_postal(after, at)
    done = replace(done, game=posted.game, notices=(*done.notices, *posted.notices), press=posted.press)
    winner = turns[-1].adjudication.winner
    if winner is not None:
        return finish(done.game, Ending(EndKind.WON, (winner,), at), done)
    return _open_next(done, variant, at, since)


def _open_next(done: Transition, variant: Variant, at: datetime, since: datetime) -> Transition:
    """The next phase opened, its length counted from `since`: lasting votes looked at again, orders ahead taken up."""
    game = open_phase(done.game, at, duties(done.game.position, variant).__contains__, counted=since)
    alive = set(game.survivors)
    votes = tuple(vote for vote in game.votes if vote.voter in alive) if game.settings.lasting_votes else ()
    settled = settle(replace(done, game=replace(game, votes=votes)), at)
    if settled.game.status is Status.FINISHED:
        return settled
    taken = take_up(settled.game, variant, at)
    assert game.deadline is not None
    facts = {"phase": str(game.phase), "to": game.deadline.at.isoformat(), "why": " ".join(game.deadline.moved) or "rule"}
    opened = replace(
        settled,
        game=note_all_in(taken.game, variant, at),
        notices=(*settled.notices, *taken.notices),
        submissions=taken.submissions,
        events=(*settled.events, Event(at, "", "opened", facts)),
    )
    return offer_seats(withdraw_eliminated(opened), at)


def _passes_by_itself(game: Game, variant: Variant) -> bool:
    """Whether a phase of retreats or adjustments has nobody who could order in it: only powers without a player that is there."""
    if game.phase.step is Step.MOVEMENT or game.settings.nmr is Nmr.WAIT:
        return False
    due = duties(game.position, variant)
    return not any(seat.key in due and seat.person is not None and seat.state is not SeatState.CIVIL for seat in game.seats)


def _count_missing(game: Game, variant: Variant, at: datetime) -> Transition:
    """Who has sent nothing, and what follows: a note in the record, an abandoned seat, civil disorder."""
    due = waited_for(game, variant)
    after = game
    tallies: list[Tally] = []
    silent: list[Power] = []
    for power, duty in due.items():
        seat = game.seat(power)
        if seat is None or seat.person is None:
            continue
        state = power_state(game, power, due)
        if state == "due" and duty.is_owed:
            tallies.append(Tally(seat.person, "missed"))
            after = put_seat(after, replace(seat, missed=seat.missed + 1))
            if seat.plays:
                silent.append(power)
        else:
            tallies.append(Tally(seat.person, "late" if power in game.late else "in"))
            if seat.missed:
                after = put_seat(after, replace(seat, missed=0))
    done = Transition(after, tallies=tuple(tallies))
    silent = [power for power in silent if power in _left_after(game, variant, at)] if silent else []
    if game.settings.nmr is Nmr.CIVIL:
        return _into_disorder(done, silent, at)
    limit = game.settings.misses
    given_up = tuple(power for power in silent if limit and (seat := after.seat(power)) is not None and seat.missed >= limit)
    if not given_up:
        return done
    abandoned = abandon(after, given_up, at)
    people = tuple(Tally(seat.person, "abandoned") for seat in after.seats if seat.key in given_up and seat.person is not None)
    return replace(abandoned, tallies=(*tallies, *people))


def _left_after(game: Game, variant: Variant, at: datetime) -> tuple[Power, ...]:
    """The powers that will be left once the phase is closed: whom it eliminates needs no other notice."""
    return replace(game, position=dry_run(game, variant, at).adjudication.after).survivors


def _into_disorder(done: Transition, powers: list[Power], at: datetime) -> Transition:
    """Powers that have sent nothing in a game of that rule; each player is told first."""
    after, told, events = done.game, list[Notice](), []
    for power in powers:
        seat = after.seat(power)
        assert seat is not None
        after = put_seat(after, replace(seat, state=SeatState.CIVIL))
        told.append(News("civil_you", Audience(seats=(power,)), {"power": power}))
        events.append(Event(at, "", "civil_disorder", {"power": power}))
    if powers:
        told.append(News("civil", MASTERS, {"powers": tuple(powers)}))
        after = tell_later(after, "civil", tuple(powers))
    return replace(done, game=after, notices=(*done.notices, *told), events=(*done.events, *events))


def _orders_used(game: Game, variant: Variant) -> dict[Power, tuple[Order, ...]]:
    """The orders on file, and for powers that nobody plays where the game plays them by sense: retreats to a place of their own."""
    given = {power: tuple(filed.order for filed in orders) for power, orders in game.orders.items()}
    if game.phase.step is not Step.RETREAT:
        return given
    for seat in game.seats:
        if _is_played_by_sense(game, seat) and not given.get(seat.key):
            orders = retreats_by_sense(game, seat.key, variant)
            if orders:
                given[seat.key] = orders
    return given


def _is_played_by_sense(game: Game, seat: Seat) -> bool:
    """Whether the judge plays for a seat."""
    return seat.state is SeatState.CIVIL or (game.settings.nmr is Nmr.CIVIL and not seat.plays)


def retreats_by_sense(game: Game, power: Power, variant: Variant) -> tuple[Order, ...]:
    """Retreats of a power in civil disorder: to a centre it owns, else to a home centre, no two to one place; the others disband."""
    taken: set[str] = set()
    orders: list[Order] = []
    homes = variant.board.homes.get(power, frozenset())
    for fallen in game.position.dislodged:
        if fallen.power != power:
            continue
        open_to = [place for place in sorted(fallen.retreats) if place.province not in taken]
        own = [place for place in open_to if game.position.owners.get(place.province) == power]
        home = [place for place in open_to if place.province in homes]
        chosen = next(iter(own or home), None)
        if chosen is not None:
            taken.add(chosen.province)
            orders.append(Retreat(fallen.unit, chosen))
    return tuple(orders)


def _eliminated(before: Game, after: Game) -> tuple[Notice, ...]:
    """A word to each power that has lost its last unit and centre."""
    gone = [power for power in before.survivors if power not in after.survivors]
    return tuple(News("eliminated", Audience(seats=(power,)), {"power": power}) for power in gone)


def remind(game: Game, variant: Variant, now: datetime) -> Transition:
    """One reminder to those who still owe orders; several missed ones (after an outage) become one."""
    assert game.deadline is not None
    after = replace(game, reminded=reminders_passed(game, now))
    late = owing(game, variant)
    told: tuple[Notice, ...] = (ReminderDue(Audience(seats=late), game.deadline.at - now),) if late and now < game.deadline.at else ()
    return spare(game, Transition(after, notices=told))
