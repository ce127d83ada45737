"""Persons, and the part somebody plays in one game or before the judge."""

from dataclasses import dataclass
from typing import TypeAlias

from judge.board import Power
from judge.game.model import Game, PersonId


@dataclass(frozen=True, slots=True)
class Person:
    """A human: the name shown, the registered address, the language of letters, the time zone, the order notation wished.

    `language` and `zone` are "" until chosen; `spoken` is the language of the person's mails, "" until learnt; `notation` is
    "canonical", "short" or "long".
    """

    id: PersonId
    name: str
    address: str
    language: str = ""
    zone: str = ""
    notation: str = "short"
    pictures: bool = False
    digest: bool = False
    """Messages and small news once a day in one letter, instead of a letter each."""
    spoken: str = ""


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody acting for a power."""

    power: Power
    person: PersonId


@dataclass(frozen=True, slots=True)
class Master:
    """Somebody acting as master of the game, from the seat `key`."""

    key: str
    person: PersonId


@dataclass(frozen=True, slots=True)
class Observer:
    """Somebody who watches, from the seat `key`."""

    key: str
    person: PersonId


@dataclass(frozen=True, slots=True)
class Guest:
    """Somebody without a seat in the game: a known person, or None for a stranger."""

    person: PersonId | None = None


Actor: TypeAlias = Player | Master | Observer | Guest


def actor_at(game: Game, key: str) -> Actor:
    """Who acts from the seat `key` of the game; a `Guest` if nobody sits there."""
    seat = game.seat(key)
    if seat is None or seat.person is None:
        return Guest()
    if seat in game.seats:
        return Player(seat.key, seat.person)
    return Master(key, seat.person) if seat in game.masters else Observer(key, seat.person)


def seat_key(actor: Actor) -> str:
    """The seat an actor speaks from; "" for a guest."""
    match actor:
        case Player(power):
            return power
        case Master(key) | Observer(key):
            return key
        case Guest():
            return ""
