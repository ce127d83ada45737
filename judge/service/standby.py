"""The judge's queue of people who stand by for open seats in any game: kept as marks, one a person, and asked one after another."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import TYPE_CHECKING

import structlog

from judge.game import Game, Person, PersonId, Standby, Status, call_in, may_be_asked, seats_to_offer
from judge.service.keeping import BANS, is_banned, read_bans, reliability, same_person
from judge.store import Transaction

if TYPE_CHECKING:
    from judge.service.work import Held

log = structlog.get_logger()

QUEUE = "standby:"
"""Marks of this name with a person's number behind it hold who stands by, as JSON; an empty one nobody."""
ENDED = "standby-ended:"
"""Marks of this name with a person's number behind it hold how an offer has ended."""
LOOK = "standby-look"
"""The mark that is there when some seat may have to be offered; it counts the reasons."""
MOST_ASKED = 200
"""How many of the queue are looked at for one seat."""


def queue_mark(person: PersonId) -> str:
    """The name of a person's mark."""
    return f"{QUEUE}{person}"


def write_standby(who: Standby | None) -> str:
    """A place in the queue as the text of its mark.

    >>> from datetime import UTC
    >>> read_standby(write_standby(Standby(7, datetime(2026, 1, 5, tzinfo=UTC), games=2))).games
    2
    """
    if who is None:
        return ""
    plain = asdict(who) | {"since": who.since.isoformat()}
    return json.dumps({name: sorted(value) if isinstance(value, frozenset) else value for name, value in plain.items()})


def read_standby(text: str | None) -> Standby | None:
    """The place in the queue that `write_standby` wrote; None for an empty text."""
    if not text:
        return None
    plain = json.loads(text)
    limits = {name: frozenset(plain[name]) for name in ("variants", "languages", "press")}
    return Standby(**{**plain, **limits, "since": datetime.fromisoformat(plain["since"])})


def read_queue(tx: Transaction) -> list[Standby]:
    """Everybody who stands by, who has waited longest first."""
    found = (read_standby(text) for text in tx.marks.named(QUEUE).values())
    return sorted((who for who in found if who is not None), key=lambda who: (who.since, who.person))


def note_offers(tx: Transaction, held: "Held") -> None:
    """Note what a change of a game means for the queue: offers that have ended, and seats that may have to be offered."""
    before, after = held.before, held.game
    for seat in before.observers:
        if seat.called and seat.person is not None and after.seat(seat.key) is None:
            tx.marks.set(f"{ENDED}{seat.person}", _end_of_offer(held, seat.key, seat.person))
            tx.marks.count_up(LOOK)
    if seats_to_offer(after) and seats_to_offer(after) != seats_to_offer(before):
        tx.marks.count_up(LOOK)


def _end_of_offer(held: "Held", key: str, person: PersonId) -> str:
    """How an offer to a called seat has ended: "taken", "declined", "expired", or "gone" because the player is back."""
    if any(seat.person == person for seat in held.game.seats):
        return "taken"
    codes = {event.what for event in held.events if event.who == key}
    return "expired" if "offer_expired" in codes else "declined" if codes & {"declined", "resigned"} else "gone"


def settle_ended(tx: Transaction, now: datetime) -> None:
    """Put those whose offers have ended behind the others, or off the queue, and forget the notes."""
    for name, what in tx.marks.named(ENDED).items():
        person = int(name.removeprefix(ENDED))
        who = read_standby(tx.marks.get(queue_mark(person)))
        if who is not None and what != "gone":
            tx.marks.set(queue_mark(person), write_standby(who.after_offer(what, now)))
        tx.marks.drop(name)


def note_looked(tx: Transaction, seen: str) -> None:
    """Every seat has been looked at, if nothing has come up since."""
    if tx.marks.get(LOOK) == seen:
        tx.marks.drop(LOOK)


def games_with_seats(tx: Transaction) -> Iterator[int]:
    """The running games that lists show with open seats."""
    for row in tx.games.listed((Status.RUNNING,)):
        number = tx.games.id_of(row.name) if row.free else None
        if number is not None:
            yield number


def offer_open_seats(
    held: "Held", tx: Transaction, people: dict[PersonId, Person], queue: Sequence[Standby], now: datetime
) -> list[PersonId]:
    """Offer the open seats of one game to those who stand by, each to the first whom it suits; who was asked.

    Their persons are put among `people`.
    """
    asked: list[PersonId] = []
    for power in seats_to_offer(held.game):
        who = next((each for each in queue[:MOST_ASKED] if each.person not in asked and _may_ask(tx, held.game, each, people)), None)
        if who is None:
            break
        held.take(call_in(held.game, power, who, now))
        people.update(tx.people.many([who.person]))
        asked.append(who.person)
    return asked


def _may_ask(tx: Transaction, game: Game, who: Standby, people: dict[PersonId, Person]) -> bool:
    """Whether a seat of the game may be offered to somebody: welcome, not barred, reliable, nobody's double, and free to be asked."""
    if not who.suits(game) or not may_be_asked(game, who.person):
        return False
    person = tx.people.many([who.person]).get(who.person)
    if person is None or not person.address or is_banned(person.address, read_bans(tx.marks.get(BANS))):
        return False
    others = [people[seat.person] for seat in game.all_seats if seat.person in people]
    if same_person(person, (), others) or reliability(tx.people.record(person.id)) < game.settings.reliability:
        return False
    return _is_free(tx, who)


def _is_free(tx: Transaction, who: Standby) -> bool:
    """Whether nothing is offered to the person now, and the person plays in fewer games than wished."""
    games = [kept.game for kept in tx.games.of_person(who.person)]
    if any(_is_hers(game, offer.seat, who.person) for game in games for offer in game.offers):
        return False
    playing = sum(any(seat.person == who.person for seat in game.seats) for game in games if game.status is not Status.FINISHED)
    return not who.games or playing < who.games


def _is_hers(game: Game, key: str, person: PersonId) -> bool:
    """Whether a seat of a game is that person's."""
    seat = game.seat(key)
    return seat is not None and seat.person == person


def limits_in_words(who: Standby) -> str:
    """The limits as one would write them after STANDBY ALL; "" for none.

    >>> from datetime import UTC
    >>> limits_in_words(Standby(7, datetime(2026, 1, 5, tzinfo=UTC), press=frozenset({"white", "none"}), games=2))
    'PRESS none,white GAMES 2'
    """
    named = (("VARIANT", who.variants), ("LANGUAGE", who.languages), ("PRESS", who.press))
    parts = [f"{name} {','.join(sorted(values))}" for name, values in named if values]
    return " ".join((*parts, *((f"GAMES {who.games}",) if who.games else ())))


def stand_by(kept: str | None, wished: Standby) -> Standby:
    """The place of somebody who stands by with these limits: who stands by already keeps it."""
    before = read_standby(kept)
    return wished if before is None else replace(wished, since=before.since, missed=0)
