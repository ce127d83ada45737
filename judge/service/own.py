"""What a person may ask about herself: her games at a glance, and everything that is kept about her."""

from collections.abc import Iterator

from judge.game import OwnGame, Person, reader_at, view_for
from judge.service.packs import Packs
from judge.service.standby import limits_in_words, queue_mark, read_standby
from judge.store import Transaction


def own_games(tx: Transaction, packs: Packs, person: Person) -> Iterator[OwnGame]:
    """A person's games, with what she has to do in each."""
    for kept in tx.games.of_person(person.id):
        game = kept.game
        for seat in (seat for seat in game.all_seats if seat.person == person.id):
            view = view_for(game, reader_at(game, seat.key), packs.of(game, tx).variant)
            deadline = game.deadline.at if game.deadline else None
            yield OwnGame(game.name, seat.key, game.status, game.phase, deadline, view.own_state)


def data_of(tx: Transaction, person: Person) -> Iterator[tuple[str, str]]:
    """Everything kept about a person, as (what, value) pairs; games name her by number only."""
    yield "name", person.name
    for address in tx.people.addresses(person.id):
        yield "address", f"{address.address} ({address.state})" + ("" if address.current else " (earlier)")
    for name in ("language", "zone", "notation", "pictures"):
        yield name, str(getattr(person, name))
    for what, count in sorted(tx.people.record(person.id).items()):
        yield f"record: {what}", str(count)
    who = read_standby(tx.marks.get(queue_mark(person.id)))
    if who is not None:
        yield "stands by", limits_in_words(who) or "all games"
    for kept in tx.games.of_person(person.id):
        for seat in (seat for seat in kept.game.all_seats if seat.person == person.id):
            yield "seat", f"{kept.game.name}: {seat.key}"
