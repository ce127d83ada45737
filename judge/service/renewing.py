"""New reply addresses for everybody, after the site's key has changed: each seat gets a letter to which it can reply."""

import structlog

from judge.game import News, Status
from judge.service.context import Services
from judge.service.letters import notice_letters, operator_note
from judge.service.work import Held
from judge.store.site import NEW_ADDRESSES

log = structlog.get_logger()

AT_ONCE = 100


def tell_new_addresses(s: Services) -> int:
    """Write to every seat of every game that is not over; how many letters were written.  Nothing where the key is the old one.

    The mark says how far this got, so that it can be broken off at any point and gone on with, and nobody is written to twice.
    """
    with s.store.reading() as tx:
        mark = tx.marks.get(NEW_ADDRESSES)
        before = tx.outbox.counts().waiting
    if mark is None:
        return 0
    which, _, done = mark.partition(" ")
    number = int(done or 0)
    while numbers := _games_after(s, number):
        for number in numbers:
            _tell_one(s, number, which)
    with s.store.transaction() as tx:
        tx.marks.drop(NEW_ADDRESSES)
        now = s.clock.now()
        lines = ("The site key is another one than before.", "Every player has been sent a letter with a new reply address.")
        tx.outbox.add(operator_note(s, "All reply addresses have changed", lines, f"newkey{which}", now), now)
    with s.store.reading() as tx:
        written = tx.outbox.counts().waiting - before
    log.info("new addresses told", letters=written)
    s.letters.set()
    return written


def _games_after(s: Services, number: int) -> tuple[int, ...]:
    """The next games by number."""
    with s.store.reading() as tx:
        return tuple(tx.games.ids(number, AT_ONCE))


def _tell_one(s: Services, number: int, which: str) -> None:
    """Everybody in one game is written to, and the mark moved on, in one transaction."""
    now = s.clock.now()
    with s.store.reading() as tx:
        kept = tx.games.get(number)
        assert kept is not None
        held = Held(kept.game, kept.version, s.packs.of(kept.game, tx), kept.game)
        people = tx.people.many(kept.game.everybody)
    over = kept.game.status is Status.FINISHED and (kept.game.statements_until is None or kept.game.statements_until < now)
    if not over:
        held.notices.append(News("new_addresses", state=True))
    letters = notice_letters(s, held, people, now, which)
    with s.store.transaction() as tx:
        tx.outbox.add(letters, now)
        tx.marks.set(NEW_ADDRESSES, f"{which} {number}")
