"""The mails that came in and the letters that go out: rows that workers claim, one at a time or many, without taking another's."""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import BigInteger, Connection, Select, Update, bindparam, case, exists, func, literal, select, type_coerce, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError

from judge.mail import Letter
from judge.store.base import (
    MOST_TRIES,
    RAISED,
    WAITS,
    Conflict,
    Duplicate,
    InboxMail,
    InboxState,
    LetterKind,
    LetterState,
    NewMail,
    OutboxCounts,
    OutboxLetter,
    WaitingLetter,
    is_stranger_lane,
)
from judge.store.prepared import Prepared
from judge.store.tables import EPOCH, Moment, inbox, outbox, pack

_MICROSECOND = timedelta(microseconds=1)

SENDERS_HOLD = timedelta(minutes=10)
"""How long a mail of somebody we know, whose game is not known, holds every game's deadline."""


@cache
def _add_mail(dialect: str) -> Prepared:
    """One mail, unless its source key is known; gives its number."""
    insert = postgresql.insert if dialect == "postgresql" else sqlite.insert
    return Prepared(insert(inbox).on_conflict_do_nothing(index_elements=[inbox.c.source_key]).returning(inbox.c.number))


_same_lane = inbox.alias("same_lane")
_MAIL: tuple[Any, ...] = (
    inbox.c.number,
    inbox.c.raw,
    inbox.c.arrived_at,
    inbox.c.lane,
    inbox.c.source,
    inbox.c.source_key,
    inbox.c.envelope_from,
    inbox.c.envelope_to,
    inbox.c.state,
    inbox.c.tries,
    inbox.c.digest,
    inbox.c.note,
)


@cache
def _claim_mail(known: bool) -> Prepared:
    """The free mail that arrived first; with `known` only of those for games or from people we know."""
    # not as "none is earlier": PostgreSQL may answer that by a join with all that waits
    first = (
        select(_same_lane.c.number)
        .where(_same_lane.c.finished_at.is_(None), _same_lane.c.lane == inbox.c.lane)
        .order_by(_same_lane.c.arrived_at, _same_lane.c.number)
        .limit(1)
        .correlate(inbox)
    )
    free = (
        select(inbox.c.number)
        .where(inbox.c.finished_at.is_(None), inbox.c.free_at <= bindparam("now"), inbox.c.number == first.scalar_subquery())
        .order_by(inbox.c.arrived_at, inbox.c.number)
        .limit(1)
        .with_for_update(skip_locked=True, of=inbox)
        .correlate(None)
    )
    if known:
        free = free.where(inbox.c.known.is_(True))
    return Prepared(
        update(inbox)
        .where(inbox.c.number == free.scalar_subquery())
        .values(state=InboxState.CLAIMED.value, tries=inbox.c.tries + 1, claimed_by=bindparam("worker"), free_at=bindparam("until"))
        .returning(*_MAIL)
    )


_END_MAIL = (
    update(inbox)
    .where(inbox.c.number == bindparam("the_number"), inbox.c.finished_at.is_(None))
    .values(state=bindparam("new_state"), note=bindparam("new_note"), finished_at=bindparam("now"), claimed_by=None)
)
_FINISH_MAIL = Prepared(
    _END_MAIL.where(inbox.c.state == InboxState.CLAIMED.value, inbox.c.claimed_by == bindparam("worker"))
    .values(digest=bindparam("new_digest"))
    .returning(inbox.c.number)
)
_FREE_MAIL = (
    update(inbox)
    .where(inbox.c.number == bindparam("the_number"), inbox.c.state == InboxState.CLAIMED.value, inbox.c.claimed_by == bindparam("worker"))
    .values(state=InboxState.NEW.value, claimed_by=None, free_at=bindparam("from_then"), tries=inbox.c.tries + bindparam("more"))
)
_HOLDS = Prepared(
    select(
        exists().where(inbox.c.finished_at.is_(None), inbox.c.lane == bindparam("lane"), inbox.c.arrived_at < bindparam("before"))
        | exists().where(
            inbox.c.finished_at.is_(None),
            inbox.c.known.is_(True),
            inbox.c.lane.startswith("~"),
            inbox.c.arrived_at < bindparam("before"),
            inbox.c.arrived_at > bindparam("young"),
        )
    )
)


class Inbox:
    """The table of mails that came in, as one transaction sees it."""

    __slots__ = ("_db", "_lease", "_worker")

    def __init__(self, db: Connection, worker: str, lease: timedelta) -> None:
        self._db = db
        self._worker = worker
        self._lease = lease

    def add(self, mails: Sequence[NewMail]) -> list[int]:
        """Keep mails, unread; the numbers of those that were not known by their `source_key`."""
        statement = _add_mail(self._db.dialect.name)
        numbers = (statement.value(self._db, _mail_row(mail)) for mail in mails)
        return [number for number in numbers if number is not None]

    def claim(self, now: datetime) -> InboxMail | None:
        """The mail that arrived first of those that are free and have no earlier unfinished one in their lane; None if there is none.

        Those of strangers wait until no other is free: a flood of them delays nobody who plays.  Commit before reading it, so that a
        mail that kills the process is counted.  The claim ends by `finish`, `mark` or `release`, or by itself after the store's lease.
        A mail claimed too often is finished as bad instead (`set_aside`), for the operator: after three tries that raised, or more
        under which the process died.
        """
        _walk_in_order(self._db)
        values = {"now": now, "worker": self._worker, "until": now + self._lease}
        row = _claim_mail(known=True).row(self._db, values) or _claim_mail(known=False).row(self._db, values)
        if row is None:
            return None
        mail = _read_mail(row)
        if mail.tries <= MOST_TRIES:
            return mail
        self.mark(mail.number, InboxState.BAD, now, "set aside: the program failed, or died, each time it was handled")
        refreshed = self.get(mail.number)
        assert refreshed is not None
        return refreshed

    def finish(self, number: int, digest: str, now: datetime, note: str = "", state: InboxState = InboxState.DONE) -> None:
        """The mail has had its effect, in this same transaction; do this first in it.

        Raises `Duplicate` if a mail with this digest was finished before, `Conflict` if the claim is no longer ours; both undo the
        transaction.
        """
        values = {
            "the_number": number,
            "worker": self._worker,
            "new_state": state.value,
            "new_note": note,
            "now": now,
            "new_digest": digest,
        }
        try:
            done = _FINISH_MAIL.value(self._db, values)
        except IntegrityError as known:
            raise Duplicate(number, digest) from known
        if done is None:
            raise Conflict(f"mail {number} is not claimed by {self._worker}")

    def mark(self, number: int, state: InboxState, now: datetime, note: str = "") -> None:
        """End an unfinished mail without a digest: a duplicate, or set aside as bad."""
        self._db.execute(_END_MAIL, {"the_number": number, "new_state": state.value, "new_note": note, "now": now})

    def release(self, number: int, now: datetime, *, until: datetime | None = None, counted: bool = True) -> None:
        """Give a claimed mail back after the program raised, to be claimed again at once or from `until` on.

        With `counted` False this try does not count.
        """
        more = RAISED - 1 if counted else -1
        self._db.execute(_FREE_MAIL, {"the_number": number, "worker": self._worker, "from_then": until or now, "more": more})

    def release_all(self) -> int:
        """Give back every claimed mail: whoever claimed it has died.  Only for a worker that knows it is alone.  How many there were."""
        return self._db.execute(self._freed()).rowcount

    def _freed(self) -> Update:
        """Give back mails under which a process died: at once, or after a wait that grows with the number of tries."""
        claimed_at = type_coerce(inbox.c.free_at, BigInteger) - self._lease // _MICROSECOND
        waits = {tries: int(wait * 1_000_000) for tries, wait in enumerate(WAITS, 1) if wait}
        free_at = case(
            (inbox.c.tries < min(waits), literal(0, BigInteger)),
            *((inbox.c.tries == tries, claimed_at + wait) for tries, wait in waits.items()),
            else_=claimed_at + max(waits.values()),
        )
        return (
            update(inbox)
            .where(inbox.c.finished_at.is_(None), inbox.c.state == InboxState.CLAIMED.value)
            .values(state=InboxState.NEW.value, claimed_by=None, free_at=type_coerce(free_at, Moment))
        )

    def wake(self, now: datetime) -> int:
        """Let the mails that wait for a later moment be claimed now.  How many there were."""
        waiting = inbox.c.finished_at.is_(None) & (inbox.c.state == InboxState.NEW.value) & (inbox.c.free_at > now)
        return self._db.execute(update(inbox).where(waiting).values(free_at=now)).rowcount

    def release_others(self, alive: Sequence[str]) -> int:
        """Give back what was claimed by workers that are not among those alive.  How many there were."""
        return self._db.execute(self._freed().where(inbox.c.claimed_by.not_in(alive))).rowcount

    def holds(self, lane: str, before: datetime, now: datetime) -> bool:
        """Whether an unfinished mail that arrived before that time may still matter for the lane's game.

        That is one of the lane, or one of somebody we know that names no game and is not older than ten minutes (decisions.md, "what
        holds a deadline").
        """
        young = now - SENDERS_HOLD
        return bool(_HOLDS.value(self._db, {"lane": lane, "before": before, "young": young}))

    def get(self, number: int) -> InboxMail | None:
        """The mail of that number."""
        row = self._db.execute(select(*_MAIL).where(inbox.c.number == number)).one_or_none()
        return _read_mail(row) if row else None

    def by_digest(self, digest: str) -> InboxMail | None:
        """The mail that was finished with that digest."""
        row = self._db.execute(select(*_MAIL).where(inbox.c.digest == digest)).one_or_none()
        return _read_mail(row) if row else None

    def of_lane(self, lane: str, limit: int = 100) -> tuple[InboxMail, ...]:
        """The last mails of a lane, newest first."""
        found = select(*_MAIL).where(inbox.c.lane == lane).order_by(inbox.c.arrived_at.desc(), inbox.c.number.desc()).limit(limit)
        return tuple(map(_read_mail, self._db.execute(found)))

    def unfinished(self) -> int:
        """How many mails wait or are being handled."""
        return self._db.execute(select(func.count()).where(inbox.c.finished_at.is_(None))).scalar_one()

    def counts(self) -> dict[InboxState, int]:
        """How many mails are in each state."""
        found = dict.fromkeys(InboxState, 0)
        for state, count in self._db.execute(select(inbox.c.state, func.count()).group_by(inbox.c.state)):
            found[InboxState(state)] = count
        return found

    def oldest(self) -> datetime | None:
        """When the mail that waits longest arrived."""
        return self._db.execute(select(func.min(inbox.c.arrived_at)).where(inbox.c.finished_at.is_(None))).scalar()


def _walk_in_order(db: Connection) -> None:
    """For the rest of the transaction, have PostgreSQL walk along an index in order instead of sorting all that waits for each claim.

    By its statistics of a queue, which come minutes late, nothing waits just then when much does, and sorting looks as cheap.
    """
    if db.dialect.name == "postgresql":
        db.exec_driver_sql("SET LOCAL enable_sort = off")


def _mail_row(mail: NewMail) -> dict[str, object]:
    """A new mail as a row."""
    return {
        "source": mail.source,
        "source_key": mail.source_key,
        "lane": mail.lane,
        "known": not is_stranger_lane(mail.lane),
        "arrived_at": mail.arrived_at,
        "envelope_from": mail.envelope_from,
        "envelope_to": json.dumps(mail.envelope_to),
        "raw": mail.raw,
        "state": InboxState.NEW.value,
        "tries": 0,
        "free_at": EPOCH,
        "note": "",
    }


def _read_mail(row: Sequence[Any]) -> InboxMail:
    """A row of the columns of `_MAIL` as a value."""
    number, raw, arrived_at, lane, source, source_key, envelope_from, envelope_to, state, tries, digest, note = row
    return InboxMail(
        number=number,
        raw=raw or b"",
        arrived_at=arrived_at,
        lane=lane,
        source=source,
        source_key=source_key,
        envelope_from=envelope_from,
        envelope_to=tuple(json.loads(envelope_to)),
        state=InboxState(state),
        tries=tries,
        digest=digest,
        note=note,
    )


# ---- letters


@cache
def _add_letters(dialect: str) -> Prepared:
    """Letters, except those whose Message-ID is known."""
    insert = postgresql.insert if dialect == "postgresql" else sqlite.insert
    return Prepared(insert(outbox).on_conflict_do_nothing(index_elements=[outbox.c.message_id]))


_LETTER: tuple[Any, ...] = (
    outbox.c.number,
    outbox.c.letter,
    outbox.c.kind,
    outbox.c.game,
    outbox.c.seat,
    outbox.c.state,
    outbox.c.tries,
    outbox.c.added_at,
    outbox.c.finished_at,
    outbox.c.why,
)


@cache
def _claim_letters(some_rest: bool) -> Any:
    """The letters that may go now; where some domains rest, without those to them."""
    waiting = select(outbox.c.number).where(outbox.c.finished_at.is_(None), outbox.c.next_try <= bindparam("now"))
    if some_rest:
        waiting = waiting.where(outbox.c.domain.not_in(bindparam("resting", expanding=True)))
    # a CTE, because PostgreSQL may run a plain subquery again for each row, and lock more than the limit
    free = waiting.order_by(outbox.c.kind, outbox.c.number).limit(bindparam("most")).with_for_update(skip_locked=True).cte("free")
    return (
        update(outbox)
        .where(outbox.c.number.in_(select(free.c.number)))
        .values(tries=outbox.c.tries + 1, claimed_by=bindparam("worker"), next_try=bindparam("until"))
        .returning(*_LETTER)
    )


_END_LETTER = (
    update(outbox)
    .where(outbox.c.message_id == bindparam("the_id"), outbox.c.finished_at.is_(None))
    .values(state=bindparam("new_state"), finished_at=bindparam("now"), why=bindparam("new_why"), claimed_by=None)
)
_OUR_LETTER = update(outbox).where(
    outbox.c.message_id == bindparam("the_id"), outbox.c.finished_at.is_(None), outbox.c.claimed_by == bindparam("worker")
)
_KEEP_LETTER = _OUR_LETTER.values(next_try=bindparam("until")).returning(outbox.c.number)
_RETRY_LETTER = _OUR_LETTER.values(next_try=bindparam("later"), why=bindparam("new_why"), claimed_by=None)
_RETURN_LETTER = _OUR_LETTER.values(next_try=bindparam("later"), tries=outbox.c.tries - 1, claimed_by=None)


class Outbox:
    """The table of letters that go out, as one transaction sees it."""

    __slots__ = ("_db", "_lease", "_worker")

    def __init__(self, db: Connection, worker: str, lease: timedelta) -> None:
        self._db = db
        self._worker = worker
        self._lease = lease

    def add(self, letters: Sequence[OutboxLetter], now: datetime) -> None:
        """Keep letters to be sent; one whose Message-ID is known is left as it is."""
        if letters:
            _add_letters(self._db.dialect.name).each(self._db, [_letter_row(each, now) for each in letters])

    def claim(self, now: datetime, limit: int = 50, resting: Sequence[str] = ()) -> tuple[WaitingLetter, ...]:
        """Letters to be sent now, results before press, then the older ones first; commit before sending them.

        Letters to the domains of `resting` are left where they are.  Each claim ends by `sent`, `failed`, `dead` or `give_back`, or by
        itself after the store's lease; `keep` makes it last.
        """
        values: dict[str, object] = {"now": now, "most": limit, "worker": self._worker, "until": now + self._lease}
        if resting:
            values["resting"] = list(resting)
        _walk_in_order(self._db)
        rows = map(_read_letter, self._db.execute(_claim_letters(bool(resting)), values))
        return tuple(sorted(rows, key=lambda each: (each.kind, each.number)))

    def keep(self, message_id: str, now: datetime) -> bool:
        """Hold a claimed letter for another lease; False if it is no longer ours and must not be sent.

        Ask before each letter of a batch that has taken long.
        """
        values = {"the_id": message_id, "worker": self._worker, "until": now + self._lease}
        return self._db.execute(_KEEP_LETTER, values).scalar() is not None

    def sent(self, message_id: str, now: datetime) -> None:
        """The letter was handed over."""
        self._end(message_id, LetterState.SENT, "", now)

    def all_sent(self, message_ids: Sequence[str], now: datetime) -> None:
        """These letters were handed over."""
        if message_ids:
            rows = [{"the_id": each, "new_state": LetterState.SENT.value, "new_why": "", "now": now} for each in message_ids]
            self._db.execute(_END_LETTER, rows)

    def give_back(self, message_ids: Sequence[str], later: datetime) -> None:
        """These letters, which we have claimed, were not tried after all; they may be claimed from `later` on."""
        if message_ids:
            self._db.execute(_RETURN_LETTER, [{"the_id": each, "worker": self._worker, "later": later} for each in message_ids])

    def dead(self, message_id: str, why: str, now: datetime) -> None:
        """The letter is given up."""
        self._end(message_id, LetterState.DEAD, why, now)

    def failed(self, message_id: str, why: str, next_try: datetime) -> None:
        """The letter, which we have claimed, was not taken; it is to be tried again from `next_try` on."""
        self._db.execute(_RETRY_LETTER, {"the_id": message_id, "worker": self._worker, "later": next_try, "new_why": why})

    def release_all(self) -> int:
        """Give back every claimed letter, whoever claimed it; only for a worker that knows it is alone.  How many there were."""
        claimed = outbox.c.finished_at.is_(None) & outbox.c.claimed_by.is_not(None)
        return self._db.execute(update(outbox).where(claimed).values(claimed_by=None, next_try=outbox.c.added_at)).rowcount

    def wake(self, now: datetime, domain: str = "") -> int:
        """Let the letters that wait for their next try, to one domain or to all, be claimed now.  How many there were."""
        waiting = outbox.c.finished_at.is_(None) & outbox.c.claimed_by.is_(None) & (outbox.c.next_try > now)
        if domain:
            waiting &= outbox.c.domain == domain
        return self._db.execute(update(outbox).where(waiting).values(next_try=now)).rowcount

    def release_others(self, alive: Sequence[str]) -> int:
        """Give back the letters claimed by workers that are not among those alive.  How many there were."""
        claimed = outbox.c.finished_at.is_(None) & outbox.c.claimed_by.is_not(None) & outbox.c.claimed_by.not_in(alive)
        return self._db.execute(update(outbox).where(claimed).values(claimed_by=None, next_try=outbox.c.added_at)).rowcount

    def get(self, message_id: str) -> WaitingLetter | None:
        """The letter of that Message-ID; also one that was sent, as long as it is kept."""
        return self._first(select(*_LETTER).where(outbox.c.message_id == message_id))

    def by_return_path(self, return_path: str) -> WaitingLetter | None:
        """The newest letter sent from that envelope address: what a bounce to it is about."""
        return self._first(
            select(*_LETTER).where(outbox.c.return_path == return_path.lower()).order_by(outbox.c.number.desc()).limit(1),
        )

    def of_game(self, game: int, limit: int = 100) -> tuple[WaitingLetter, ...]:
        """The last letters about a game, newest first."""
        found = select(*_LETTER).where(outbox.c.game == game, outbox.c.letter.is_not(None)).order_by(outbox.c.number.desc()).limit(limit)
        return tuple(map(_read_letter, self._db.execute(found)))

    def counts(self) -> OutboxCounts:
        """How many letters wait, were sent, were given up."""
        found: dict[str, int] = dict(self._db.execute(select(outbox.c.state, func.count()).group_by(outbox.c.state)).all())
        open_ = outbox.c.finished_at.is_(None)
        deferred, oldest = self._db.execute(
            select(func.count().filter(outbox.c.tries > 0, outbox.c.claimed_by.is_(None)), func.min(outbox.c.added_at)).where(open_)
        ).one()
        return OutboxCounts(
            found.get(LetterState.WAITING, 0), deferred, found.get(LetterState.SENT, 0), found.get(LetterState.DEAD, 0), oldest
        )

    def next_try(self) -> datetime | None:
        """When the next letter that waits may be sent."""
        return self._db.execute(select(func.min(outbox.c.next_try)).where(outbox.c.finished_at.is_(None))).scalar()

    def _end(self, message_id: str, state: LetterState, why: str, now: datetime) -> None:
        """The letter leaves the queue."""
        self._db.execute(_END_LETTER, {"the_id": message_id, "new_state": state.value, "new_why": why, "now": now})

    def _first(self, found: Select[Any]) -> WaitingLetter | None:
        """The letter of the first row, if its text is still kept."""
        row = self._db.execute(found).first()
        return _read_letter(row) if row is not None and row.letter is not None else None


def packed(letters: Sequence[OutboxLetter]) -> list[OutboxLetter]:
    """The letters made ready to be kept: worth it before a transaction for which others wait."""
    return [replace(each, packed=pack(_letter_text(each.letter))) for each in letters]


def _letter_text(letter: Letter) -> bytes:
    """A letter as it is kept."""
    return json.dumps(letter.to_dict(), separators=(",", ":")).encode()


def _letter_row(each: OutboxLetter, now: datetime) -> dict[str, object]:
    """A letter as a row."""
    return {
        "message_id": each.letter.message_id,
        "kind": each.kind.value,
        "game": each.game,
        "seat": each.seat,
        "return_path": each.letter.envelope_from.lower(),
        "domain": each.letter.to.rpartition("@")[2].lower(),
        "letter": each.packed or _letter_text(each.letter),
        "state": LetterState.WAITING.value,
        "tries": 0,
        "next_try": now,
        "why": "",
        "added_at": now,
    }


def _read_letter(row: Any) -> WaitingLetter:
    """A row as a value."""
    state = LetterState(row.state)
    return WaitingLetter(
        number=row.number,
        letter=Letter.from_dict(json.loads(row.letter)),
        kind=LetterKind(row.kind),
        game=row.game,
        seat=row.seat,
        state=state,
        tries=row.tries,
        added_at=row.added_at,
        sent_at=row.finished_at if state is LetterState.SENT else None,
        why=row.why,
    )
