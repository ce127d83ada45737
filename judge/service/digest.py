"""One letter a day for those who wish it: messages and small news are held back and told together."""

import json
from datetime import datetime, timedelta

import structlog

from judge.game import Audience, DigestMade, entries_for, reader_at
from judge.service.context import Services
from judge.service.heldback import DIGESTS
from judge.service.letters import notice_letters
from judge.service.work import Held
from judge.store import OutboxLetter, Transaction

log = structlog.get_logger()

EVERY = timedelta(hours=24)
MOST_ENTRIES = 200


def send_digests(s: Services) -> int:
    """Write the daily letters that are due; returns for how many people."""
    now = s.clock.now()
    with s.store.reading() as tx:
        kept = tx.marks.get(DIGESTS)
        told = {int(number): datetime.fromisoformat(at) for number, at in json.loads(kept or "{}").items()}
        due = {number: at for number, at in told.items() if now - at >= EVERY}
        letters = [letter for number, since in due.items() for letter in _letters_of(s, tx, number, since, now)]
    if not due:
        return 0
    with s.store.transaction() as tx:
        if tx.marks.get(DIGESTS) != kept:
            return 0  # a wish has changed meanwhile: the next round writes them
        tx.marks.set(DIGESTS, json.dumps({str(number): (now if number in due else at).isoformat() for number, at in told.items()}))
        tx.outbox.add(letters, now)
    log.info("digests", people=len(due), letters=len(letters))
    return len(due)


def _letters_of(s: Services, tx: Transaction, number: int, since: datetime, now: datetime) -> list[OutboxLetter]:
    """The daily letters of one person: one for each game in which there is something to tell."""
    letters: list[OutboxLetter] = []
    for kept in tx.games.of_person(number):
        game = kept.game
        seat = next(seat for seat in game.all_seats if seat.person == number)
        press = [item for item in tx.press.of(game.id) if since <= item.at < now and item.sender != seat.key]
        events = [event for event in tx.events.of(game.id) if since <= event.at < now and event.what in TOLD]
        entries = entries_for(game, reader_at(game, seat.key), press, (), events)[-MOST_ENTRIES:]
        if not entries:
            continue
        held = Held(game, kept.version, s.packs.of(game, tx), game)
        held.notices.append(DigestMade(Audience(seats=(seat.key,)), entries))
        letters.extend(notice_letters(s, held, tx.people.many(game.everybody), now, f"d{now:%y%m%d%H}"))
    return letters


TOLD = frozenset(
    {"setting", "absence", "signed_on", "resigned", "ejected", "abandoned", "civil_disorder", "back", "promoted", "handed_over"}
)
"""Lines of the log that a daily letter tells."""
