"""Standing by for open seats: in one game from a seat that watches, or for all games from the judge's queue; offers, one after another."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from judge.board import Power
from judge.game.faults import NothingToDo
from judge.game.model import Game, Offer, PersonId, Seat, SeatKind, Status
from judge.game.notices import Audience, Event, News, Notice, Told, Transition
from judge.game.sparing import may_write, spare

OFFER_LASTS = timedelta(hours=24)
MOST_MISSED = 3
"""Offers in a row that may run out before somebody is taken off the judge's queue."""


@dataclass(frozen=True, slots=True)
class Standby:
    """Somebody in the judge's queue: since when, and which games are welcome; empty limits: any.

    `games` is in how many games at a time the person wants to play at most (0: any number); `missed` counts offers that ran out in a row.
    """

    person: PersonId
    since: datetime
    variants: frozenset[str] = frozenset()
    languages: frozenset[str] = frozenset()
    press: frozenset[str] = frozenset()
    games: int = 0
    missed: int = 0

    def suits(self, game: Game) -> bool:
        """Whether a game is within the limits, as far as the game itself tells."""
        wanted = ((self.variants, game.variant), (self.languages, game.settings.language), (self.press, game.settings.press.value))
        return all(not limits or value in limits for limits, value in wanted)

    def after_offer(self, what: str, at: datetime) -> "Standby | None":
        """The same person behind all others, once an offer was "taken", "declined" or has "expired"; None: off the queue."""
        missed = self.missed + 1 if what == "expired" else 0
        return None if missed >= MOST_MISSED else replace(self, since=at, missed=missed)


def free_powers(game: Game, seat: str = "") -> tuple[Power, ...]:
    """The powers that somebody may take; those offered to another seat that stands by are not among them."""
    offered = {offer.power for offer in game.offers if offer.seat != seat}
    return tuple(each.key for each in game.open_seats if each.key not in offered)


def seats_to_offer(game: Game) -> tuple[Power, ...]:
    """The powers of a game that the judge's queue may fill: of a running, listed game without invitation, still in play, not offered."""
    if game.status is not Status.RUNNING or not game.settings.listed or game.settings.invitation:
        return ()
    return tuple(power for power in free_powers(game) if power in game.survivors)


def may_be_asked(game: Game, person: PersonId) -> bool:
    """Whether somebody has no seat in a game, had none, and let none of it go by."""
    held = {seat.person for seat in game.all_seats} | {stint.person for stint in game.stints}
    return person not in held and person not in game.passed_by


def offer_seats(done: Transition, at: datetime) -> Transition:
    """Every open seat of a game that stands offered to nobody goes to the next who stands by in that game, one each."""
    game = without_called(done.game)
    done = replace(done, game=game)
    for power in free_powers(game):
        busy = {offer.seat for offer in game.offers}
        standing_by = [s for s in game.observers if s.kind is SeatKind.STANDBY and s.key not in busy and power not in s.passed]
        waiting = [seat for seat in standing_by if may_write(game, seat.key)]
        if not waiting or (power not in game.survivors and game.status is not Status.FORMING):
            continue
        until = at + OFFER_LASTS
        game = replace(game, offers=(*game.offers, Offer(power, waiting[0].key, until)))
        news = News("offer", Audience(seats=(waiting[0].key,)), {"power": power, "until": until})
        done = replace(
            done, game=game, notices=(*done.notices, news), events=(*done.events, Event(at, waiting[0].key, "offered", {"power": power}))
        )
    return done


def call_in(game: Game, power: Power, who: Standby, at: datetime) -> Transition:
    """Offer a power to somebody of the judge's queue, who gets a seat to answer from for as long as the offer stands."""
    number, until = game.observers_made + 1, at + OFFER_LASTS
    seat = Seat(f"OBSERVER-{number}", who.person, since=at, kind=SeatKind.STANDBY, called=True)
    after = replace(game, observers=(*game.observers, seat), observers_made=number, offers=(*game.offers, Offer(power, seat.key, until)))
    code = "called_last" if who.missed + 1 >= MOST_MISSED else "called"
    news = News(code, Audience(seats=(seat.key,)), {"power": power, "until": until, "name": game.name}, state=True)
    return spare(game, Transition(after, notices=(news,), events=(Event(at, seat.key, "offered", {"power": power}),)))


def without_called(game: Game) -> Game:
    """The game without the seats of people whom the queue had called in, once nothing is offered to them any more."""
    offered = {offer.seat for offer in game.offers}
    gone = [seat for seat in game.observers if seat.called and seat.key not in offered]
    if not gone:
        return game
    passed = frozenset(seat.person for seat in gone if seat.person is not None)
    return replace(game, observers=tuple(s for s in game.observers if s not in gone), passed_by=game.passed_by | passed)


def withdraw_offers(game: Game, power: Power, code: str = "offer_gone") -> tuple[Game, tuple[Notice, ...]]:
    """The game without offers of a power that is no longer to be had, and the word to those it was offered to.

    `code` says why: its player is back ("offer_gone"), it was eliminated ("offer_eliminated"), the game is over ("offer_over").
    """
    gone = [offer for offer in game.offers if offer.power == power]
    people = tuple(seat.person for offer in gone if (seat := game.seat(offer.seat)) and seat.called and seat.person is not None)
    seats = tuple(offer.seat for offer in gone if (seat := game.seat(offer.seat)) and not seat.called)
    told = tuple(
        News(code, audience, {"power": power, "name": game.name})
        for audience in (Audience(seats=seats), Audience(people=people))
        if audience.seats or audience.people
    )
    return without_called(replace(game, offers=tuple(offer for offer in game.offers if offer not in gone))), told


def withdraw_eliminated(done: Transition) -> Transition:
    """No seat of a power that has lost everything stays offered."""
    game, told = done.game, done.notices
    for power in {offer.power: None for offer in game.offers if offer.power not in game.survivors}:
        game, more = withdraw_offers(game, power, "offer_eliminated")
        told = (*told, *more)
    return done if game is done.game else replace(done, game=game, notices=told)


def decline(game: Game, key: str, at: datetime) -> Transition:
    """An offer goes to the next; who declines stands last.  Raises `NothingToDo`."""
    offer = next((offer for offer in game.offers if offer.seat == key), None)
    if offer is None:
        raise NothingToDo("decline")
    return offer_seats(Transition(_behind(game, offer), (Told("declined"),), events=(Event(at, key, "declined", {}),)), at)


def expire_offers(game: Game, at: datetime) -> Transition:
    """Offers that nobody took in time go to the next; who let one pass stands last."""
    over = [offer for offer in game.offers if offer.until <= at]
    for offer in over:
        game = _behind(game, offer)
    events = tuple(Event(at, offer.seat, "offer_expired", {"power": offer.power}) for offer in over)
    return offer_seats(Transition(game, events=events), at)


def _behind(game: Game, offer: Offer) -> Game:
    """The game without the offer, its seat behind all others that stand by; that power is not offered to it again."""
    seats = [replace(seat, passed=seat.passed | {offer.power}) for seat in game.observers if seat.key == offer.seat]
    others = tuple(each for each in game.observers if each.key != offer.seat)
    return replace(game, offers=tuple(o for o in game.offers if o is not offer), observers=(*others, *seats))
