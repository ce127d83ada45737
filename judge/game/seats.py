"""Who sits where: taking a seat, watching, resigning, replacement, the roll call, and the secret address of a seat."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

from judge.board import Power
from judge.game.deadlines import open_phase, reminder_spans
from judge.game.faults import (
    AlreadySeated,
    HasBegun,
    NoSeatFree,
    NoSuchSeat,
    NothingToDo,
    NotRunning,
    SeatTaken,
    UnknownPower,
    WrongInvitation,
)
from judge.game.model import Assignment, Bulletin, Deadline, Game, PersonId, Seat, SeatKind, SeatState, Status, Stint
from judge.game.notices import (
    EVERYBODY,
    MASTERS,
    AddressRotated,
    Audience,
    DeadlineMoved,
    Event,
    GameBegan,
    News,
    Notice,
    Resigned,
    Seated,
    SeatGiven,
    SeatLeft,
    Told,
    Transition,
)
from judge.game.orderdesk import note_all_in
from judge.game.preferences import Wishes, match_powers
from judge.game.sparing import spare
from judge.game.standby import free_powers, offer_seats, withdraw_offers
from judge.rules import Variant, duties

Draw = Callable[[int], int]
"""Chance, passed in by the shell: a number from 0 up to but without the argument."""

ROLL_CALL_LASTS = timedelta(days=3)


def sign_on(
    game: Game, power: Power, person: PersonId, variant: Variant, at: datetime, draw: Draw, wishes: Wishes = (), word: str = ""
) -> Transition:
    """Give a power to a person: the named one, or one of the open ones by lot.  The last seat taken begins the game.

    An observer who takes a power leaves the seat to watch from.  Who takes over a power in a running game has some time at least.
    Raises `UnknownPower`, `SeatTaken`, `NoSeatFree`, `AlreadySeated` (one person, one seat), `WrongInvitation`.
    """
    watching = _refuse_second_seat(game, person)
    if power and power not in variant.powers:
        raise UnknownPower(power, variant.powers)
    offered = next((offer for offer in game.offers if watching and offer.seat == watching.key), None)
    free = free_powers(game, watching.key if watching else "")
    if not free or game.status is Status.FINISHED:
        raise NoSeatFree(game.name)
    if game.settings.invitation and game.settings.invitation.casefold() != word.casefold() and offered is None:
        raise WrongInvitation(game.name)
    forming = game.status is Status.FORMING
    wanted = power or (offered.power if offered else "")
    by_lot = not wanted or (game.settings.assignment is Assignment.LOT and forming)
    chosen = free[draw(len(free))] if by_lot else wanted
    if forming and game.settings.assignment is Assignment.PREFERENCE:
        wishes, chosen = wishes or (((power,),) if power else ()), free[0]
    if chosen not in free:
        raise SeatTaken(chosen, free)
    return _seat_person(game, chosen, person, variant, at, draw, wishes)


def _seat_person(game: Game, power: Power, person: PersonId, variant: Variant, at: datetime, draw: Draw, wishes: Wishes) -> Transition:
    """The person in the seat, with all that follows from it."""
    old = _seat(game, power)
    forming = game.status is Status.FORMING
    fresh = Seat(
        power,
        person,
        epoch=old.epoch + (old.person is not None or not forming),
        since=at,
        approved=not game.settings.approval,
        preference=wishes,
    )
    after = put_seat(game, fresh)
    watched = {seat.key for seat in game.observers if seat.person == person}
    after = replace(
        after,
        observers=tuple(replace(s, passed=s.passed - {power}) for s in after.observers if s.person != person),
        offers=tuple(offer for offer in after.offers if offer.power != power and offer.seat not in watched),
        votes=tuple(vote for vote in after.votes if vote.voter != power),
        ahead={key: orders for key, orders in after.ahead.items() if key != power},
        stints=after.stints if forming else _next_stint(after, power, person, "replaced"),
    )
    told: tuple[Notice, ...] = (SeatGiven(Audience(seats=(power,), masters=True), power, len(after.open_seats)),)
    if old.person is not None:
        told = (News("replaced", Audience(people=(old.person,)), {"seat": power}), *told)
    if game.settings.approval:
        told = (*told, News("approve", MASTERS, {"seat": power}))
    event = Event(at, power, "signed_on", {})
    after = tell_later(after, "seat_taken", (power,))
    seated = Transition(after, (Seated(game.name, power),), told, events=(event,))
    if forming:
        return _maybe_begin(seated, variant, at, draw)
    return _give_time(seated, power, variant, at)


def _next_stint(game: Game, power: Power, person: PersonId | None, why: str) -> tuple[Stint, ...]:
    """The record of who played, with one player gone and another come."""
    closed = tuple(
        replace(stint, until=game.phase, why=why) if stint.power == power and stint.until is None else stint for stint in game.stints
    )
    return closed if person is None else (*closed, Stint(power, person, game.phase))


def _give_time(done: Transition, power: Power, variant: Variant, at: datetime) -> Transition:
    """Somebody took over a power: a wish to wait, and at least the newcomer's time until the deadline."""
    game = done.game
    if game.status is not Status.RUNNING or game.deadline is None or power not in duties(game.position, variant):
        return replace(done, game=note_all_in(game, variant, at))
    least = at + game.settings.timing.newcomer
    if game.deadline.why == "newcomer" and not game.late_told:
        least -= game.settings.timing.newcomer / 2  # it was moved for a newcomer already: half the time must do
    if game.deadline.at >= least:
        waits = game.waits | {power} if game.deadline.at > at else game.waits
        return replace(done, game=note_all_in(replace(game, waits=waits), variant, at))
    moved = replace(
        game,
        deadline=Deadline(least, "newcomer"),
        reminded=sum(least - span <= at for span in reminder_spans(game)),  # the welcome says all that one due now would say
        late_told=False,
        late=frozenset(),
        abandoned_told=False,
        waits=game.waits | {power},
    )
    news = DeadlineMoved(game.deadline.at, least, "", "newcomer")
    event = Event(at, "", "deadline", {"from": game.deadline.at.isoformat(), "to": least.isoformat(), "why": "newcomer"})
    return replace(done, game=note_all_in(moved, variant, at), notices=(*done.notices, news), events=(*done.events, event))


# ---- the beginning


def _maybe_begin(done: Transition, variant: Variant, at: datetime, draw: Draw) -> Transition:
    """Begin if nothing is missing any more: players, their approval, the roll call, the day of the start."""
    game = done.game
    if game.status is not Status.FORMING or game.open_seats or not all(seat.approved for seat in game.seats):
        return done
    if game.settings.rollcall and not all(seat.answered for seat in game.seats):
        if game.roll_call_until is not None:
            return done
        called = replace(game, roll_call_until=at + ROLL_CALL_LASTS)
        news = News("roll_call", Audience(players=True), {"until": at + ROLL_CALL_LASTS})
        return replace(done, game=called, notices=(*done.notices, news), events=(*done.events, Event(at, "", "roll_call", {})))
    if game.settings.manual_start or (game.start_at is not None and at < game.start_at):
        return done
    return replace(
        done,
        game=note_all_in(begin(game, variant, at, draw), variant, at),
        notices=(*done.notices, GameBegan()),
        events=(*done.events, Event(at, "", "began", {})),
    )


def begin(game: Game, variant: Variant, at: datetime, draw: Draw) -> Game:
    """The game with its powers given out, as far as that was left open, and its first phase open."""
    placed = _give_powers(game, variant, draw) if game.settings.assignment is Assignment.PREFERENCE else game
    stints = tuple(Stint(seat.key, seat.person, game.phase) for seat in placed.seats if seat.person is not None)
    ready = replace(placed, status=Status.RUNNING, stints=stints, roll_call_until=None)
    return open_phase(ready, at, duties(game.position, variant).__contains__)


def _give_powers(game: Game, variant: Variant, draw: Draw) -> Game:
    """Powers by the lists of those who have signed on; a changed seat has a new secret address."""
    people = [seat for seat in game.seats if seat.person is not None]
    powers = match_powers(variant.powers, [seat.preference for seat in people], draw)
    given = dict(zip(powers, people, strict=True))
    seats = []
    for seat in game.seats:
        new = given.get(seat.key)
        if new is None:
            seats.append(Seat(seat.key, epoch=seat.epoch + 1))
        else:
            seats.append(replace(new, key=seat.key, epoch=max(each.epoch for each in game.seats) + 1))
    return replace(game, seats=tuple(seats))


def answer_roll(game: Game, key: str, variant: Variant, at: datetime, draw: Draw) -> Transition:
    """A player is there.  Raises `NothingToDo` where nobody has asked."""
    if game.roll_call_until is None:
        raise NothingToDo("here")
    after = put_seat(game, replace(_seat(game, key), answered=True))
    return _maybe_begin(Transition(after, (Told("here"),), events=(Event(at, key, "answered", {}),)), variant, at, draw)


def end_roll_call(game: Game, at: datetime) -> Transition:
    """The time of the roll call is over: whoever has not answered has no seat any more."""
    silent = tuple(seat for seat in game.seats if not seat.answered)
    after = replace(game, roll_call_until=None)
    told: list[Notice] = []
    for seat in silent:
        assert seat.person is not None
        after = put_seat(after, Seat(seat.key, epoch=seat.epoch + 1, since=at))
        told.append(News("roll_missed", Audience(people=(seat.person,)), {"seat": seat.key}))
        told.append(SeatLeft(MASTERS, seat.key))
    events = tuple(Event(at, seat.key, "roll_missed", {}) for seat in silent)
    return offer_seats(Transition(after, notices=tuple(told), events=events), at)


def begin_if_ready(game: Game, variant: Variant, at: datetime, draw: Draw) -> Transition:
    """The day of the start has come."""
    return _maybe_begin(Transition(replace(game, start_at=None)), variant, at, draw)


def approve(game: Game, power: Power, yes: bool, variant: Variant, at: datetime, draw: Draw) -> Transition:
    """Let a player order, or take the seat away again.  Raises `NoSuchSeat`, `NothingToDo`."""
    seat = game.seat(power)
    if seat is None or seat not in game.seats or seat.person is None:
        raise NoSuchSeat(power)
    if seat.approved:
        raise NothingToDo("approve" if yes else "refuse")
    event = Event(at, "", "approved" if yes else "refused", {"seat": power})
    if not yes:
        after = put_seat(game, Seat(power, epoch=seat.epoch + 1, since=at))
        after = replace(after, stints=_next_stint(after, power, None, "refused"))
        told = (News("refused", Audience(people=(seat.person,)), {"seat": power}),)
        return offer_seats(Transition(after, (Told("refused", {"seat": power}),), told, events=(event,)), at)
    after = put_seat(game, replace(seat, approved=True))
    news = News("approved", Audience(seats=(power,)), {"seat": power}, state=True)
    done = Transition(after, (Told("approved", {"seat": power}),), (news,), events=(event,))
    return _maybe_begin(done, variant, at, draw)


# ---- watching and standing by


def observe(game: Game, person: PersonId, at: datetime, kind: SeatKind = SeatKind.FULL) -> Transition:
    """Give a person a seat to watch from, or change its kind."""
    watching = _refuse_second_seat(game, person)
    if watching is not None:
        changed = put_seat(game, replace(watching, kind=kind, called=False))
        return Transition(changed, (Told(f"now_{kind}"),), events=(Event(at, watching.key, "observes", {"kind": kind}),))
    number = game.observers_made + 1
    seat = Seat(f"OBSERVER-{number}", person, since=at, kind=kind)
    after = replace(game, observers=(*game.observers, seat), observers_made=number)
    told = (SeatGiven(Audience(seats=(seat.key,)), seat.key, len(game.open_seats)),)
    done = Transition(after, (Seated(game.name, seat.key),), told, events=(Event(at, seat.key, "observes", {"kind": kind}),))
    return offer_seats(done, at) if kind is SeatKind.STANDBY and game.status is not Status.FORMING else done


# ---- leaving


def resign(game: Game, key: str, variant: Variant, at: datetime) -> Transition:
    """Leave a seat; a player's becomes open, its secret address stops working.  A master cannot leave a game alone.

    Orders that are on file stay: they are the last service to the game.
    """
    seat = _seat(game, key)
    if seat in game.masters and len(game.masters) == 1 and game.status is not Status.FINISHED:
        raise HasBegun(game.name)
    if seat in game.seats:
        after = open_seat(game, seat, at, "resigned")
    else:
        after = replace(
            game,
            observers=tuple(s for s in game.observers if s.key != key),
            masters=tuple(s for s in game.masters if s.key != key),
            offers=tuple(offer for offer in game.offers if offer.seat != key),
        )
    told = (SeatLeft(MASTERS, key),)
    if seat in game.seats:
        after = tell_later(after, "seat_left", (key,))
    done = Transition(note_all_in(after, variant, at), (Resigned(key),), told, events=(Event(at, key, "resigned", {}),))
    return offer_seats(done, at)


def leave(game: Game, key: str, variant: Variant, at: datetime) -> Transition:
    """Leave any seat, also a master's who leaves the game without one."""
    seat = _seat(game, key)
    if seat not in game.masters or len(game.masters) > 1:
        return spare(game, resign(game, key, variant, at), key)
    after = replace(game, masters=())
    told = (News("master_wanted", EVERYBODY),)
    return spare(game, Transition(after, (Resigned(key),), told, events=(Event(at, key, "resigned", {}),)), key)


def tell_later(game: Game, code: str, powers: tuple[Power, ...]) -> Game:
    """The game with news of seats that everybody gets with the next result; nothing while it forms."""
    if game.status is Status.FORMING:
        return game
    kept = tuple(bulletin for bulletin in game.bulletins if not set(bulletin.powers) <= set(powers))
    return replace(game, bulletins=(*kept, Bulletin(code, powers)))


def open_seat(game: Game, seat: Seat, at: datetime, why: str) -> Game:
    """The game with a player's seat empty: votes and orders ahead go with the player, and any roll call begins anew."""
    after = put_seat(game, Seat(seat.key, epoch=seat.epoch + 1, since=at))
    return replace(
        after,
        stints=_next_stint(after, seat.key, None, why),
        votes=tuple(vote for vote in game.votes if vote.voter != seat.key),
        ahead={key: orders for key, orders in game.ahead.items() if key != seat.key},
        waits=game.waits - {seat.key},
        absences=tuple(absence for absence in game.absences if absence.seat != seat.key),
        roll_call_until=None if game.status is Status.FORMING else game.roll_call_until,
    )


def eject(game: Game, key: str, by: str, why: str, variant: Variant, at: datetime) -> Transition:
    """Take a seat from somebody, who is told; a removed player's orders are dropped.  Raises `NoSuchSeat`."""
    seat = game.seat(key)
    if seat is None or seat.person is None or key == by:
        raise NoSuchSeat(key)
    person = seat.person
    if seat in game.seats:
        after = open_seat(game, seat, at, "ejected")
        after = replace(after, orders={power: orders for power, orders in game.orders.items() if power != key})
    else:
        after = replace(
            game,
            observers=tuple(s for s in game.observers if s.key != key),
            masters=tuple(s for s in game.masters if s.key != key),
            offers=tuple(offer for offer in game.offers if offer.seat != key),
        )
    said = News("ejected", Audience(people=(person,)), {"seat": key, "why": why})
    unsaid = News("ejected_unsaid", Audience(people=(person,)), {"seat": key})
    told: tuple[Notice, ...] = (said if why else unsaid,)
    if seat in game.seats:
        told = (*told, SeatLeft(MASTERS, key))
        after = tell_later(after, "seat_left", (key,))
    event = Event(at, by, "ejected", {"seat": key, "why": why})
    done = Transition(note_all_in(after, variant, at), (Told("ejected", {"seat": key}),), told, events=(event,))
    return offer_seats(done, at)


def set_disorder(game: Game, power: Power, civil: bool, by: str, variant: Variant, at: datetime) -> Transition:
    """Put a power into civil disorder (its orders are dropped, nobody waits for it), or take it out.  Raises `NoSuchSeat`."""
    seat = game.seat(power)
    if seat is None or seat not in game.seats:
        raise NoSuchSeat(power)
    after = put_seat(game, replace(seat, state=SeatState.CIVIL if civil else SeatState.PLAYING, missed=0))
    told: tuple[Notice, ...]
    if civil:
        after = replace(after, orders={key: orders for key, orders in game.orders.items() if key != power}, waits=game.waits - {power})
        told = (
            News("civil_you", Audience(seats=(power,)), {"power": power}, state=True),
            News("civil", MASTERS, {"powers": (power,)}),
        )
    else:
        told = (News("back", Audience(seats=(power,), masters=True), {"powers": (power,)}),)
    after = tell_later(after, "civil" if civil else "back", (power,))
    event = Event(at, by, "civil_disorder" if civil else "back", {"power": power})
    answer = Told("civil" if civil else "back", {"power": power})
    return offer_seats(Transition(note_all_in(after, variant, at), (answer,), told, events=(event,)), at)


def come_back(game: Game, power: Power, at: datetime) -> Transition:
    """A player who was given up for lost has written: the seat is hers again, and everybody learns it."""
    seat = _seat(game, power)
    after = put_seat(game, replace(seat, state=SeatState.PLAYING, missed=0, given_up=None))
    after, told = withdraw_offers(after, power)
    back = News("back", MASTERS, {"powers": (power,)})
    return Transition(tell_later(after, "back", (power,)), notices=(*told, back), events=(Event(at, power, "back", {}),))


def abandon(game: Game, powers: tuple[Power, ...], at: datetime) -> Transition:
    """Seats whose players are gone: others may take them, their holders may come back by ordering."""
    after = game
    told: list[Notice] = []
    for power in powers:
        after = put_seat(after, replace(_seat(after, power), state=SeatState.ABANDONED, given_up=at))
        told.append(News("abandoned_you", Audience(seats=(power,)), {"power": power}, state=True))
    if powers:
        told.append(News("abandoned", MASTERS, {"powers": powers}))
        after = tell_later(after, "abandoned", powers)
    events = tuple(Event(at, power, "abandoned", {}) for power in powers)
    return offer_seats(Transition(after, notices=tuple(told), events=events), at)


# ---- small matters of a seat


def rotate_address(game: Game, key: str, at: datetime) -> Transition:
    """Change the secret reply address of a seat."""
    seat = _seat(game, key)
    after = put_seat(game, replace(seat, epoch=seat.epoch + 1))
    return Transition(after, (AddressRotated(key),), events=(Event(at, key, "address_rotated", {}),))


def set_preference(game: Game, key: str, groups: Wishes, at: datetime) -> Transition:
    """Wish for powers.  Raises `NothingToDo` where powers are not given by lists, `HasBegun`."""
    if game.status is not Status.FORMING:
        raise HasBegun(game.name)
    if game.settings.assignment is not Assignment.PREFERENCE:
        raise NothingToDo("preference")
    after = put_seat(game, replace(_seat(game, key), preference=groups))
    return Transition(after, (Told("preference"),), events=(Event(at, key, "preference", {}),))


def set_password(game: Game, person: PersonId, hashed: str) -> Game:
    """The game with the password of a person's seat set."""
    return next((put_seat(game, replace(seat, password=hashed)) for seat in game.seats if seat.person == person), game)


def mute(game: Game, key: str, who: tuple[str, ...], on: bool, at: datetime) -> Transition:
    """Get no more messages from some seats (nobody named: from all but masters), or get them again."""
    seat = _seat(game, key)
    named = frozenset(who) or frozenset(each.key for each in (*game.seats, *game.observers) if each.key != key) | {"GREY"}
    after = put_seat(game, replace(seat, muted=seat.muted | named if on else seat.muted - named))
    return Transition(after, (Told("muted" if on else "unmuted"),), events=(Event(at, key, "muted" if on else "unmuted", {}),))


def set_wait(game: Game, power: Power, wait: bool, variant: Variant, at: datetime) -> Game:
    """The game with a power's wish to wait for the deadline set or taken back.  Raises `NotRunning`."""
    if game.status is not Status.RUNNING:
        raise NotRunning(game.status)
    waits = game.waits | {power} if wait else game.waits - {power}
    return note_all_in(replace(game, waits=waits), variant, at)


def _refuse_second_seat(game: Game, person: PersonId) -> Seat | None:
    """One person, one seat; the seat from which the person only watches.  Raises `AlreadySeated`."""
    held = next((seat for seat in game.all_seats if seat.person == person), None)
    if held is not None and held not in game.observers:
        raise AlreadySeated(held.key)
    return held


def _seat(game: Game, key: str) -> Seat:
    """The seat of that key, which must exist."""
    seat = game.seat(key)
    assert seat is not None, key
    return seat


def put_seat(game: Game, seat: Seat) -> Game:
    """The game with one seat replaced by another of the same key."""

    def swap(seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
        return tuple(seat if s.key == seat.key else s for s in seats)

    return replace(game, seats=swap(game.seats), masters=swap(game.masters), observers=swap(game.observers))
