"""Who sits where: taking a seat, watching, resigning, and the secret address of a seat."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from judge.board import Power
from judge.game.deadlines import open_phase
from judge.game.faults import AlreadySeated, HasBegun, NoSeatFree, SeatTaken, UnknownPower
from judge.game.model import Assignment, Game, PersonId, Seat, Status
from judge.game.notices import (
    AddressRotated,
    Audience,
    Event,
    GameBegan,
    Notice,
    Resigned,
    Seated,
    SeatGiven,
    SeatLeft,
    Transition,
)
from judge.game.orderdesk import note_all_in
from judge.rules import Variant

Draw = Callable[[int], int]
"""Chance, passed in by the shell: a number from 0 up to but without the argument."""


def sign_on(game: Game, power: Power, person: PersonId, variant: Variant, at: datetime, draw: Draw) -> Transition:
    """Give a power to a person: the named one, or one of the open ones by lot.  The last seat taken begins the game.

    Raises `UnknownPower`, `SeatTaken`, `NoSeatFree`, `AlreadySeated` (one person, one seat).
    """
    _refuse_second_seat(game, person)
    if power and power not in variant.powers:
        raise UnknownPower(power, variant.powers)
    free = tuple(seat.key for seat in game.open_seats)
    if not free or game.status is Status.FINISHED:
        raise NoSeatFree(game.name)
    by_lot = not power or (game.settings.assignment is Assignment.LOT and game.status is Status.FORMING)
    chosen = free[draw(len(free))] if by_lot else power
    if chosen not in free:
        raise SeatTaken(chosen, free)
    seated = _put(game, replace(_seat(game, chosen), person=person, since=at))
    told: tuple[Notice, ...] = (SeatGiven(Audience(seats=(chosen,), masters=True), chosen, len(free) - 1),)
    event = Event(at, chosen, "signed_on", {})
    if len(free) == 1 and game.status is Status.FORMING:
        return Transition(begin(seated, at), (Seated(game.name, chosen),), (*told, GameBegan()), events=(event, Event(at, "", "began", {})))
    return Transition(note_all_in(seated, variant, at), (Seated(game.name, chosen),), told, events=(event,))


def begin(game: Game, at: datetime) -> Game:
    """The game with its first phase open."""
    return open_phase(replace(game, status=Status.RUNNING), at)


def observe(game: Game, person: PersonId, at: datetime) -> Transition:
    """Give a person a seat to watch from."""
    _refuse_second_seat(game, person)
    number = game.observers_made + 1
    seat = Seat(f"OBSERVER-{number}", person, since=at)
    after = replace(game, observers=(*game.observers, seat), observers_made=number)
    told = (SeatGiven(Audience(seats=(seat.key,)), seat.key, len(game.open_seats)),)
    return Transition(after, (Seated(game.name, seat.key),), told, events=(Event(at, seat.key, "observes", {}),))


def resign(game: Game, key: str, variant: Variant, at: datetime) -> Transition:
    """Leave a seat; a player's becomes open, its secret address stops working.  A master cannot leave a game alone."""
    seat = _seat(game, key)
    if seat in game.masters and len(game.masters) == 1:
        raise HasBegun(game.name)
    if seat in game.seats:
        after = _put(game, replace(seat, person=None, epoch=seat.epoch + 1, since=at, password=""))
    else:
        after = replace(
            game,
            observers=tuple(s for s in game.observers if s.key != key),
            masters=tuple(s for s in game.masters if s.key != key),
        )
    told = (SeatLeft(Audience(players=seat in game.seats, masters=True), key),)
    return Transition(note_all_in(after, variant, at), (Resigned(key),), told, events=(Event(at, key, "resigned", {}),))


def rotate_address(game: Game, key: str, at: datetime) -> Transition:
    """Change the secret reply address of a seat."""
    seat = _seat(game, key)
    after = _put(game, replace(seat, epoch=seat.epoch + 1))
    return Transition(after, (AddressRotated(key),), events=(Event(at, key, "address_rotated", {}),))


def set_wait(game: Game, power: Power, wait: bool, variant: Variant, at: datetime) -> Game:
    """The game with a power's wish to wait for the deadline set or taken back."""
    waits = game.waits | {power} if wait else game.waits - {power}
    return note_all_in(replace(game, waits=waits), variant, at)


def _refuse_second_seat(game: Game, person: PersonId) -> None:
    """One person, one seat."""
    held = next((seat.key for seat in game.all_seats if seat.person == person), None)
    if held is not None:
        raise AlreadySeated(held)


def _seat(game: Game, key: str) -> Seat:
    """The seat of that key, which must exist."""
    seat = game.seat(key)
    assert seat is not None, key
    return seat


def _put(game: Game, seat: Seat) -> Game:
    """The game with one seat replaced by another of the same key."""

    def swap(seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
        return tuple(seat if s.key == seat.key else s for s in seats)

    return replace(game, seats=swap(game.seats), masters=swap(game.masters), observers=swap(game.observers))
