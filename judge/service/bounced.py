"""Letters of ours that came back: known by their return path, noted at the address they went to, told to the master."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import structlog

from judge.game import MASTERS, Audience, Game, News, Seat, Status
from judge.mail import Bounce, Message
from judge.service.context import Services
from judge.service.failpoints import failpoint
from judge.service.letters import notice_letters
from judge.service.work import Held
from judge.store import AddressState, Duplicate, InboxMail, InboxState, PersonAddress, Transaction, WaitingLetter

log = structlog.get_logger()

ONCE = timedelta(days=1)
"""One day's failures count as one (Mailman's rule), so that one phase's letters do not retire an address."""
BELIEVED_FOR = timedelta(days=8)
"""How long after a letter was written a report about it is believed; mail servers give up after five days."""
_FULL = "5.2.2"
_ADDRESS = re.compile(r"[^\s<>\"]+@[^\s<>\"]+")


def record_bounce(s: Services, waiting: InboxMail, message: Message, bounce: Bounce) -> None:
    """Note a delivery failure at the address it is about; a delay, or a report about no letter of ours, changes nothing."""
    now = s.clock.now()
    note = f"bounce {bounce.game} {bounce.seat} {bounce.status}"
    try:
        with s.store.transaction() as tx:
            tx.inbox.finish(waiting.number, message.digest, now, note, InboxState.SILENT)
            letter = letter_of(s, tx, message, bounce)
            if letter is not None and _failed(bounce) and now - letter.added_at < BELIEVED_FOR:
                count_failure(s, tx, letter, f"{bounce.status} {bounce.text}", now)
            failpoint("bounce_before_commit")
    except Duplicate:
        with s.store.transaction() as tx:
            tx.inbox.mark(waiting.number, InboxState.DUPLICATE, now)


def letter_of(s: Services, tx: Transaction, message: Message, bounce: Bounce) -> WaitingLetter | None:
    """The letter a report is about: by the return path it came back to, which nobody can make up.

    Only where the mailbox knows no such paths by its Message-ID, which then holds the secret of its reader.
    """
    for parts in message.addressed:
        if parts.box != "bounces" or not parts.nonce:
            continue
        found = tx.outbox.by_return_path(s.own.return_path(parts.game, parts.seat, parts.nonce))
        if found is not None:
            return found
    return tx.outbox.get(bounce.message_id) if bounce.message_id and not s.own.plus else None


def _failed(bounce: Bounce) -> bool:
    """Whether the letter is lost: a full mailbox loses it too, a delay does not."""
    return bounce.permanent or bounce.status == _FULL


def count_failure(s: Services, tx: Transaction, letter: WaitingLetter, why: str, now: datetime) -> None:
    """A letter to somebody we know is lost: counted at the address once a day; the master hears of the first and of the last one."""
    known = tx.people.address(letter.letter.to)
    if known is None or known.state is AddressState.DEAD:
        return
    if known.bounced_at is not None and timedelta(0) <= now - known.bounced_at < ONCE:
        return
    limit = s.config.limits.bounces
    counted = replace(known, bounces=known.bounces + 1, bounced_at=now, state=AddressState.BOUNCING)
    if limit and counted.bounces >= limit:
        counted = replace(counted, state=AddressState.DEAD)
    tx.people.put_address(counted)
    log.info("letter came back", message_id=letter.message_id, times=counted.bounces)
    if counted.state is AddressState.DEAD:
        _tell(s, tx, known, News("letters_stopped", MASTERS), letter, now)
    elif known.bounces == 0:
        _tell(s, tx, known, News("letters_return", MASTERS, {"reason": plain_reason(why)}), letter, now)


def good_sign(tx: Transaction, plain: str) -> None:
    """Something proven came from that address: letters go there again."""
    known = tx.people.address(plain)
    if known is not None and known.is_ailing:
        tx.people.put_address(replace(known, state=AddressState.GOOD, bounces=0, bounced_at=None))


def plain_reason(why: str) -> str:
    """What a mail server said, without addresses, which are nobody's business.

    >>> plain_reason("550 5.1.1 <tomas@example.com>: no such user")
    '550 5.1.1 <…>: no such user'
    """
    return _ADDRESS.sub("…", " ".join(why.split()))[:200]


def _tell(s: Services, tx: Transaction, address: PersonAddress, news: News, letter: WaitingLetter, now: datetime) -> None:
    """The masters of every game that the person of an address plays in hear of it."""
    if not address.current:
        return
    for kept in tx.games.of_person(address.person):
        for seat in _seats(kept.game, address.person):
            told = replace(news, facts={**news.facts, "power": seat.key}, audience=Audience(masters=True, but=(seat.key,)))
            held = Held(kept.game, kept.version, s.packs.of(kept.game, tx), kept.game, notices=[told])
            people = tx.people.many(kept.game.everybody)
            tx.outbox.add(notice_letters(s, held, people, now, f"b{letter.number}"), now)


def _seats(game: Game, person: int) -> Sequence[Seat]:
    """The power's seats of a person in a game that goes on."""
    return [] if game.status is Status.FINISHED else [seat for seat in game.seats if seat.person == person]
