"""Games and what belongs to them: rules they began with, turns, orders as filed, events, press."""

import hashlib
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import Connection, Select, Update, bindparam, delete, func, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError

from judge.game import Event, Game, GameRow, PersonId, PressItem, Status, Submission, Turn, due_at, next_reminder
from judge.rules import Phase, read_phase, write_order
from judge.store.base import Conflict, KeptGame, NameInUse
from judge.store.codec import (
    dump_event,
    dump_game,
    dump_press,
    dump_submission,
    dump_turn,
    load_event,
    load_game,
    load_press,
    load_submission,
    load_turn,
)
from judge.store.marks import Marks
from judge.store.prepared import Prepared
from judge.store.tables import event, game, press, seat, submission, turn, variant

_GAME = (game.c.data, game.c.version)
_BY_ID = select(*_GAME).where(game.c.id == bindparam("the_id"))
_GAME_BY_ID = Prepared(_BY_ID)
_GAME_BY_NAME = Prepared(select(*_GAME).where(game.c.name == bindparam("the_name"), game.c.archived_at.is_(None)))
_LOCK_GAME = Prepared(_BY_ID.with_for_update())
_LOCK_FREE_GAME = Prepared(_BY_ID.with_for_update(skip_locked=True))
_ADD_GAME = insert(game)
_PUT_GAME = Prepared(
    update(game).where(game.c.id == bindparam("the_id"), game.c.version == bindparam("expected")).values(version=bindparam("expected") + 1)
)
_SEATS = select(seat.c.key, seat.c.person).where(seat.c.game == bindparam("the_id"))
_DUE = select(game.c.id).where(game.c.due_at <= bindparam("now")).order_by(game.c.due_at, game.c.id).limit(bindparam("most"))
_REMIND = select(game.c.id).where(game.c.remind_at <= bindparam("now")).order_by(game.c.remind_at, game.c.id).limit(bindparam("most"))
_GAME_ID = Prepared(select(game.c.id).where(game.c.name == bindparam("the_name"), game.c.archived_at.is_(None)))
_NEXT_DUE = select(func.min(game.c.due_at)).where(game.c.due_at.is_not(None))
_NEXT_REMINDER = select(func.min(game.c.remind_at)).where(game.c.remind_at.is_not(None))
_LISTED = (Status.FORMING, Status.RUNNING, Status.PAUSED)


class Games:
    """The table of games, as one transaction sees it."""

    __slots__ = ("_db",)

    def __init__(self, db: Connection) -> None:
        self._db = db

    def new_id(self) -> int:
        """An id that no game has or had."""
        return Marks(self._db).count_up("game.id")

    def get(self, which: str | int) -> KeptGame | None:
        """The game of that id, archived or not, or the game of that name that is not archived."""
        if isinstance(which, int):
            return self._one(_GAME_BY_ID, {"the_id": which})
        return self._one(_GAME_BY_NAME, {"the_name": which.lower()})

    def id_of(self, name: str) -> int | None:
        """The id of the game of that name that is not archived, without reading the game."""
        number: int | None = _GAME_ID.value(self._db, {"the_name": name.lower()})
        return number

    def lock(self, number: int, *, wait: bool = True) -> KeptGame | None:
        """The game of that id, which nobody else changes until this transaction ends.

        None if there is no such game, or, with `wait` False, if somebody else has it locked.  To lock several, go in order of name.
        """
        return self._one(_LOCK_GAME if wait else _LOCK_FREE_GAME, {"the_id": number})

    def put(self, changed: Game, expected: int, before: Game | None = None) -> int:
        """Keep the game; `expected` is the version it was read with, 0 for a new one.  The new version.

        `before` is the game as it was read, where it is at hand: seats that are the same need no look.

        Raises `Conflict` if the game changed since, `NameInUse` if another has its name; both undo the transaction.
        """
        row = _game_row(changed)
        if expected == 0:
            try:
                self._db.execute(_ADD_GAME, row | {"id": changed.id, "version": 1})
            except IntegrityError as taken:
                raise NameInUse(changed.name) from taken
        elif not _PUT_GAME.count(self._db, row | {"the_id": changed.id, "expected": expected}):
            raise Conflict(f"game {changed.name} is no longer in version {expected}")
        if before is None or _sitting(before) != _sitting(changed):
            self._put_seats(changed)
        return expected + 1

    def archive(self, number: int, now: datetime) -> None:
        """Take a game that is over out of the way: its name is free again, lists leave it out."""
        self._db.execute(update(game).where(game.c.id == number, game.c.archived_at.is_(None)).values(archived_at=now))

    def due(self, now: datetime, limit: int = 100) -> tuple[int, ...]:
        """Ids of games whose phase is to be closed by now, the longest overdue first."""
        return tuple(self._db.execute(_DUE, {"now": now, "most": limit}).scalars())

    def waking(self, now: datetime, limit: int = 100) -> tuple[int, ...]:
        """Ids of games with a reminder to be sent by now."""
        return tuple(self._db.execute(_REMIND, {"now": now, "most": limit}).scalars())

    def next_wake(self, after: datetime | None = None) -> datetime | None:
        """The nearest moment at which a game is due or reminds, or the nearest one after `after`."""
        due, remind = _NEXT_DUE, _NEXT_REMINDER
        if after is not None:
            due, remind = due.where(game.c.due_at > after), remind.where(game.c.remind_at > after)
        moments = (self._db.execute(due).scalar(), self._db.execute(remind).scalar())
        return min((at for at in moments if at is not None), default=None)

    def listed(self, statuses: Sequence[Status] = _LISTED, limit: int = 1000, *, unlisted: bool = False) -> tuple[GameRow, ...]:
        """Games in these states that are not archived, by state and name, as lists show them; with `unlisted` also the private ones."""
        found = (
            select(game)
            .where(game.c.archived_at.is_(None), game.c.status.in_([status.value for status in statuses]))
            .order_by(game.c.status, game.c.name)
            .limit(limit)
        )
        if not unlisted:
            found = found.where(game.c.listed.is_(True))
        columns = [game.c[name] for name in ("name", "variant", "status", "phase", "deadline_at", "free", "powers", "title")]
        rows = self._db.execute(found.with_only_columns(*columns))
        return tuple(GameRow(n, v, status, read_phase(phase), at, free, of, title) for n, v, status, phase, at, free, of, title in rows)

    def of_person(self, person: PersonId) -> tuple[KeptGame, ...]:
        """The games that are not archived in which the person has a seat, by name."""
        sits = select(seat.c.game).where(seat.c.person == person)
        found = select(*_GAME).where(game.c.id.in_(sits), game.c.archived_at.is_(None)).order_by(game.c.name)
        return tuple(KeptGame(load_game(data), version) for data, version in self._db.execute(found))

    def ids(self, after: int = 0, limit: int = 1000) -> tuple[int, ...]:
        """The ids of all games, archived or not, in order, from the one behind `after` on."""
        return tuple(self._db.execute(select(game.c.id).where(game.c.id > after).order_by(game.c.id).limit(limit)).scalars())

    def public_versions(self) -> tuple[tuple[int, int], ...]:
        """Id and version of every game that lists show, archived ones too, in order of id."""
        found = select(game.c.id, game.c.version).where(game.c.listed.is_(True)).order_by(game.c.id)
        return tuple((number, version) for number, version in self._db.execute(found))

    def counts(self) -> dict[Status, int]:
        """How many games that are not archived are in each state."""
        counted = select(game.c.status, func.count()).where(game.c.archived_at.is_(None)).group_by(game.c.status)
        return dict.fromkeys(Status, 0) | {Status(status): count for status, count in self._db.execute(counted)}

    def _one(self, found: Prepared, values: Mapping[str, object]) -> KeptGame | None:
        """The game found, if there is one."""
        row = found.row(self._db, values)
        return None if row is None else KeptGame(load_game(row[0]), row[1])

    def _put_seats(self, changed: Game) -> None:
        """Keep who sits where, so that a person's games are found; only what has changed is written."""
        wanted = _sitting(changed)
        kept = dict(self._db.execute(_SEATS, {"the_id": changed.id}).all())
        if gone := [key for key in kept if wanted.get(key) != kept[key]]:
            self._db.execute(delete(seat).where(seat.c.game == changed.id, seat.c.key.in_(gone)))
        if new := [{"game": changed.id, "key": key, "person": who} for key, who in wanted.items() if kept.get(key) != who]:
            self._db.execute(insert(seat), new)


def _sitting(kept: Game) -> dict[str, PersonId]:
    """Who sits where."""
    return {each.key: each.person for each in kept.all_seats if each.person is not None}


def _game_row(kept: Game) -> dict[str, object]:
    """A game as a row, without id and version."""
    return {
        "name": kept.name,
        "variant": kept.variant,
        "ruleset": kept.ruleset,
        "status": kept.status.value,
        "phase": str(kept.phase),
        "title": kept.settings.title,
        "listed": kept.settings.listed,
        "free": len(kept.open_seats),
        "powers": len(kept.seats),
        "created_at": kept.created_at,
        "deadline_at": kept.deadline.at if kept.deadline else None,
        "due_at": due_at(kept),
        "remind_at": next_reminder(kept),
        "ended_at": kept.ending.at if kept.ending else None,
        "data": dump_game(kept),
    }


@cache
def _add_variant(dialect: str) -> Any:
    """A variant, unless it is there."""
    adding = postgresql.insert if dialect == "postgresql" else sqlite.insert
    return adding(variant).on_conflict_do_nothing(index_elements=[variant.c.hash])


class Variants:
    """The rules that games began with, by their content hash."""

    __slots__ = ("_db",)

    def __init__(self, db: Connection) -> None:
        self._db = db

    def put(self, content_hash: str, data: str) -> None:
        """Keep the rule part of a variant as JSON text; one that is there stays."""
        self._db.execute(_add_variant(self._db.dialect.name), {"hash": content_hash, "data": data})

    def get(self, content_hash: str) -> str | None:
        """The rule part of the variant of that hash, as JSON text."""
        return self._db.execute(select(variant.c.data).where(variant.c.hash == content_hash)).scalar()


_ADD_TURN = Prepared(insert(turn))
_TURNS = select(turn.c.data, turn.c.withdrawn_at).where(turn.c.game == bindparam("the_game"))
_LAST_TURNS = _TURNS.where(turn.c.withdrawn_at.is_(None)).order_by(turn.c.number.desc()).limit(bindparam("most"))


class Turns:
    """The closed phases of games: append only; rolled back ones stay, withdrawn."""

    __slots__ = ("_db",)

    def __init__(self, db: Connection) -> None:
        self._db = db

    def add(self, number: int, closed: Turn) -> None:
        """Keep a turn of the game of that id.  Raises `Conflict`, which undoes the transaction, if the phase was closed before."""
        row = {
            "game": number,
            "number": closed.number,
            "phase": str(closed.phase),
            "closed_at": closed.closed_at,
            "withdrawn_at": closed.closed_at if closed.withdrawn else None,
            "data": dump_turn(closed).encode(),
        }
        try:
            _ADD_TURN.each(self._db, [row])
        except IntegrityError as there:
            raise Conflict(f"turn {closed.number} ({closed.phase}) of game {number} is kept already, or its game is not") from there

    def of(self, number: int, *, after: int = 0, limit: int | None = None, withdrawn: bool = False) -> tuple[Turn, ...]:
        """The turns of a game behind turn `after`, in order; the withdrawn ones too if asked for."""
        found = _TURNS.where(turn.c.number > after).order_by(turn.c.number)
        if limit is not None:
            found = found.limit(limit)
        return self._read(found if withdrawn else found.where(turn.c.withdrawn_at.is_(None)), {"the_game": number})

    def last(self, number: int, count: int = 1) -> tuple[Turn, ...]:
        """The last so many turns of a game that are not withdrawn, in order."""
        return self._read(_LAST_TURNS, {"the_game": number, "most": count})[::-1]

    def get(self, number: int, phase: Phase) -> Turn | None:
        """The turn of that phase that is not withdrawn."""
        found = _TURNS.where(turn.c.phase == str(phase), turn.c.withdrawn_at.is_(None))
        return next(iter(self._read(found, {"the_game": number})), None)

    def withdraw(self, number: int, turns: Sequence[int], at: datetime) -> None:
        """Take back these turns of a game; they stay, withdrawn."""
        if turns:
            self._db.execute(self._these(number, turns).where(turn.c.withdrawn_at.is_(None)).values(withdrawn_at=at))

    def restore(self, number: int, turns: Sequence[int]) -> None:
        """Let withdrawn turns count again.  Raises `Conflict`, which undoes the transaction, if one of their phases was closed anew."""
        try:
            if turns:
                self._db.execute(self._these(number, turns).values(withdrawn_at=None))
        except IntegrityError as there:
            raise Conflict(f"a phase of turns {', '.join(map(str, turns))} of game {number} was closed anew") from there

    def _these(self, number: int, turns: Sequence[int]) -> Update:
        """A change of these turns of a game."""
        return update(turn).where(turn.c.game == number, turn.c.number.in_(turns))

    def _read(self, found: Select[Any], values: Mapping[str, object]) -> tuple[Turn, ...]:
        """Turns of rows."""
        return tuple(load_turn(data.decode(), withdrawn=at is not None) for data, at in self._db.execute(found, values))


_ADD_SUBMISSIONS = Prepared(insert(submission))


class Submissions:
    """Orders as mails filed them: append only, kept as evidence."""

    __slots__ = ("_db",)

    def __init__(self, db: Connection) -> None:
        self._db = db

    def add(self, number: int, filed: Sequence[Submission]) -> None:
        """Keep what mails filed in the game of that id."""
        rows = [
            {
                "game": number,
                "phase": str(each.phase),
                "power": each.power,
                "mail": each.mail,
                "at": each.at,
                "fingerprint": hashlib.sha256("\n".join(map(write_order, each.orders)).encode()).hexdigest(),
                "data": dump_submission(each),
            }
            for each in filed
        ]
        if rows:
            _ADD_SUBMISSIONS.each(self._db, rows)

    def of(self, number: int, phase: Phase | None = None, power: str = "") -> tuple[Submission, ...]:
        """What was filed in a game, in the order of handling: all of it, or for one phase or power."""
        found = select(submission.c.data).where(submission.c.game == number).order_by(submission.c.number)
        if phase is not None:
            found = found.where(submission.c.phase == str(phase))
        if power:
            found = found.where(submission.c.power == power)
        return tuple(map(load_submission, self._db.execute(found).scalars()))


_ADD_EVENTS = Prepared(insert(event))


class Events:
    """Who did what in a game, when and why: append only."""

    __slots__ = ("_db",)

    def __init__(self, db: Connection) -> None:
        self._db = db

    def add(self, number: int, happened: Sequence[Event]) -> None:
        """Keep events of the game of that id."""
        if happened:
            rows = [{"game": number, "at": each.at, "what": each.what, "data": dump_event(each)} for each in happened]
            _ADD_EVENTS.each(self._db, rows)

    def of(self, number: int, *, what: str = "", last: int | None = None) -> tuple[Event, ...]:
        """The events of a game, in order: all of them, or those of one code, or only the last so many."""
        found = select(event.c.data).where(event.c.game == number).order_by(event.c.number.desc())
        if what:
            found = found.where(event.c.what == what)
        if last is not None:
            found = found.limit(last)
        return tuple(map(load_event, self._db.execute(found).scalars()))[::-1]


class Press:
    """The messages of games: append only."""

    __slots__ = ("_db",)

    def __init__(self, db: Connection) -> None:
        self._db = db

    def add(self, number: int, items: Sequence[PressItem]) -> None:
        """Keep messages of the game of that id.  Raises `Conflict` if a message of that number is there."""
        rows = [{"game": number, "number": each.number, "at": each.at, "data": dump_press(each).encode()} for each in items]
        if not rows:
            return
        try:
            self._db.execute(insert(press), rows)
        except IntegrityError as there:
            raise Conflict(f"press {rows[0]['number']} of game {number} is kept already, or its game is not") from there

    def of(self, number: int, *, after: int = 0, limit: int | None = None) -> tuple[PressItem, ...]:
        """The messages of a game behind number `after`, in order."""
        found = select(press.c.data).where(press.c.game == number, press.c.number > after).order_by(press.c.number)
        if limit is not None:
            found = found.limit(limit)
        return tuple(load_press(data.decode()) for data in self._db.execute(found).scalars())
