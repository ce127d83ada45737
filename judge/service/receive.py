"""Mail sources to inbox rows: kept and committed first, acknowledged after."""

from collections.abc import Callable, Iterable, Iterator, Sequence

import structlog

from judge.errors import TryLater
from judge.language.requests import read_tag
from judge.mail import Arrival, Glance, MailSource, glance
from judge.service.context import Services
from judge.service.failpoints import failpoint
from judge.service.identity import seat_by_pass, seat_by_token
from judge.service.limits import hour_of
from judge.store import NewMail, Transaction, game_lane, sender_lane, stranger_lane

log = structlog.get_logger()

_LOOKED_AT = 100_000
"""Octets in which SIGNON is looked for, where passwords may prove who wrote."""


def receive_new(s: Services, source: MailSource, go_on: Callable[[], bool] = lambda: True) -> int:
    """Keep what a source has for us; returns how many mails came.  Raises `TryLater` where the mailbox cannot be reached.

    `go_on` is asked after each batch.
    """
    count = 0
    with s.store.reading() as tx:
        cursor = tx.marks.get(f"cursor:{source.name}") or ""
    for batch in source.fetch(cursor):
        failpoint("intake_before_write")
        with s.store.transaction() as tx:
            keep(s, tx, batch.arrivals, source.name)
            tx.marks.set(f"cursor:{source.name}", batch.cursor)
            failpoint("intake_before_commit")
        failpoint("intake_after_commit")
        source.ack(batch)
        failpoint("intake_after_ack")
        count += len(batch.arrivals)
        s.wake.set()
        if not go_on():
            break
    return count


def keep(s: Services, tx: Transaction, arrivals: Sequence[Arrival], source: str) -> None:
    """Put arrivals into the inbox, each on its lane."""
    lanes = Lanes(s, tx)
    tx.inbox.add([NewMail.of(arrival, source, lanes.lane_of(arrival)) for arrival in arrivals])


def accept(s: Services, arrivals: Sequence[Arrival]) -> None:
    """What a door calls before it says 250: everything is committed when this returns.  Raises `TryLater`."""
    failpoint("intake_before_write")
    with s.store.transaction() as tx:
        keep(s, tx, arrivals, "door")
        failpoint("intake_before_commit")
    failpoint("intake_after_commit")
    s.wake.set()


class Lanes:
    """Sorts the mails of one transaction into lanes: those that may matter to a game before those of strangers."""

    def __init__(self, s: Services, tx: Transaction) -> None:
        self._s = s
        self._tx = tx
        self._hour = hour_of(s.clock.now())
        self._secrets: dict[tuple[int, str], bool] = {}

    def lane_of(self, arrival: Arrival) -> str:
        """The lane of a mail: its game's, as far as a secret, recipients or subject name one that exists, else its sender's.

        Mail that nothing connects with a player, and what one sender sends beyond his measure, goes to the strangers' lanes, which hold
        no deadline.  Whatever the mail holds, this raises nothing of its own: a mail must be kept before anything can go wrong with it.
        """
        try:
            seen = glance(arrival.raw, self._s.reading, arrival.envelope_to)
        except Exception:  # a mail that cannot be sorted is kept all the same
            log.exception("headers unreadable at intake")
            return stranger_lane(arrival.envelope_from or "")
        sender = seen.sender or arrival.envelope_from or ""
        for game, token in _routes(seen):
            number = self._tx.games.id_of(game)
            if number is not None and token and self._is_secret(number, token):
                return game_lane(number)
        if not self._is_known(sender, arrival) or self._is_too_much(sender):
            return stranger_lane(sender)
        return next((game_lane(number) for number in self._named(seen)), sender_lane(sender))

    def _named(self, seen: Glance) -> Iterator[int]:
        """The games that a mail's addresses, the letters it answers, or its subject name."""
        tag, _ = read_tag(seen.subject)
        for name in (*(game for game, _ in _routes(seen)), tag):
            number = self._tx.games.id_of(name) if name else None
            if number is not None:
                yield number

    def _is_secret(self, number: int, token: str) -> bool:
        """Whether this is the secret, or the pass for the open phase, of a seat in that game."""
        key = (number, token)
        if key not in self._secrets:
            kept = self._tx.games.get(number)
            keys = self._s.keys
            self._secrets[key] = kept is not None and bool(seat_by_token(keys, kept.game, token) or seat_by_pass(keys, kept.game, token))
        return self._secrets[key]

    def _is_known(self, sender: str, arrival: Arrival) -> bool:
        """Whether the mail may be a player's: by its From, or by a password where the site allows them."""
        if sender and self._tx.people.address(sender) is not None:
            return True
        return self._s.config.border.passwords and b"signon" in arrival.raw[:_LOOKED_AT].lower()

    def _is_too_much(self, sender: str) -> bool:
        """Count a mail without a secret; True beyond what one sender may send in an hour."""
        return self._tx.limits.add(f"arrivals/hour:{sender.lower()}", self._hour) > self._s.config.limits.mails_per_hour


def _routes(seen: Glance) -> Iterable[tuple[str, str]]:
    """Games and secrets, of recipients first, then of the letters that are answered."""
    yield from ((parts.game, parts.token) for parts in seen.addressed if parts.box == "judge" and parts.game)
    yield from ((letter.game, letter.token) for letter in seen.answered)


def receive_all(s: Services) -> None:
    """One look at every source; one that cannot be reached is told in the log and tried again next round."""
    for source in s.sources:
        try:
            receive_new(s, source)
        except TryLater as fault:
            log.warning("mail source not reached", source=source.name, fault=str(fault))
