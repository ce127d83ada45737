"""People, their addresses, and the codes that are sent to addresses to be sent back."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import cache, lru_cache
from typing import Any, TypeVar

from sqlalchemy import Connection, bindparam, delete, func, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError

from judge.game import Person, PersonId
from judge.store.base import AddressState, Conflict, PendingCode, PersonAddress
from judge.store.codec import dump_wishes, load_person
from judge.store.prepared import Prepared
from judge.store.tables import address, code, person, record

_T = TypeVar("_T")
_PEOPLE = select(person.c.id, person.c.name, person.c.language, person.c.zone, person.c.wishes, address.c.address).join(
    address, (address.c.person == person.c.id) & address.c.current.is_(True)
)
_PERSON = _PEOPLE.where(person.c.id == bindparam("the_id"))
_AT_ONCE = 16
"""How many people or addresses are asked for by one statement: always so many, because a statement of a new length must be made anew."""
_THESE = Prepared(_PEOPLE.where(person.c.id.in_([bindparam(f"id{place}") for place in range(_AT_ONCE)])))
_written = address.alias("written")
_WHOSE = Prepared(
    _PEOPLE.add_columns(
        _written.c.address.label("written"), _written.c.current, _written.c.state, _written.c.bounces, _written.c.bounced_at
    ).join(_written, (_written.c.person == person.c.id) & (_written.c.key == bindparam("the_key")))
)
_GONE = select(address.c.key).where(
    address.c.state == AddressState.DEAD.value, address.c.key.in_([bindparam(f"key{place}") for place in range(_AT_ONCE)])
)
_ADDRESS = select(address.c.address, address.c.person, address.c.current, address.c.state, address.c.bounces, address.c.bounced_at)


@cache
def _tally(dialect: str) -> Prepared:
    """A count, new or added to."""
    adding = (postgresql.insert if dialect == "postgresql" else sqlite.insert)(record)
    counted = {"count": record.c.count + adding.excluded.count}
    return Prepared(adding.on_conflict_do_update(index_elements=[record.c.person, record.c.what], set_=counted))


def _portions(wanted: list[_T]) -> Iterator[list[_T]]:
    """All of them, so many at once as `_AT_ONCE` says; the last portion is filled up with its last item."""
    for start in range(0, len(wanted), _AT_ONCE):
        some = wanted[start : start + _AT_ONCE]
        yield some + some[-1:] * (_AT_ONCE - len(some))


def _key(plain: str) -> str:
    """The form in which addresses are compared."""
    return plain.strip().lower()


class People:
    """The tables of persons and addresses, as one transaction sees them."""

    __slots__ = ("_db",)

    def __init__(self, db: Connection) -> None:
        self._db = db

    def new(self, name: str, plain_address: str, language: str = "", zone: str = "") -> Person:
        """A new person with that address.  Raises `Conflict`, which undoes the transaction, if the address is somebody's."""
        fresh = Person(0, name, plain_address, language, zone)
        row = {"name": name, "language": language, "zone": zone, "wishes": dump_wishes(fresh)}
        number = self._db.execute(insert(person).returning(person.c.id), row).scalar_one()
        self._add_address(number, plain_address)
        return self.get(number)

    def get(self, number: PersonId) -> Person:
        """The person of that id.  Raises LookupError."""
        row = self._db.execute(_PERSON, {"the_id": number}).one_or_none()
        if row is None:
            raise LookupError(f"no person {number}")
        return _read_person(row)

    def many(self, numbers: Iterable[PersonId]) -> dict[PersonId, Person]:
        """The persons of those ids that exist."""
        wanted = sorted(set(numbers))
        found: dict[PersonId, Person] = {}
        for some in _portions(wanted):
            rows = _THESE.rows(self._db, {f"id{place}": number for place, number in enumerate(some)})
            found |= {each.id: each for each in map(_read_person, rows)}
        return found

    def by_address(self, plain: str) -> Person | None:
        """The person to whom that address belongs, upper and lower case the same; also an address used earlier."""
        known = self.known(plain)
        return known[0] if known else None

    def known(self, plain: str) -> tuple[Person, PersonAddress] | None:
        """Whose that address is or was, and what is known of it."""
        row = _WHOSE.row(self._db, {"the_key": _key(plain)})
        if row is None:
            return None
        *columns, written, current, state, bounces, bounced_at = row
        found = _read_person(columns)
        return found, PersonAddress(written, found.id, current, AddressState(state), bounces, bounced_at)

    def put(self, changed: Person) -> None:
        """Keep a person's name, language, zone and wishes; a new address becomes the current one, the older stays as hers.

        Raises `Conflict`, which undoes the transaction, if that address is somebody else's.
        """
        row = {"name": changed.name, "language": changed.language, "zone": changed.zone, "wishes": dump_wishes(changed)}
        self._db.execute(update(person).where(person.c.id == changed.id), row)
        kept = self.address(changed.address)
        if kept is not None and kept.person != changed.id:
            raise Conflict(f"{changed.address} belongs to person {kept.person}")
        if kept is None or not kept.current or kept.address != changed.address:
            self._db.execute(update(address).where(address.c.person == changed.id).values(current=False))
            if kept is None:
                self._add_address(changed.id, changed.address)
            else:
                again = update(address).where(address.c.key == _key(changed.address))
                self._db.execute(again.values(current=True, address=changed.address))

    def erase(self, number: PersonId) -> None:
        """Forget a person: addresses and counts are gone, what is left is a number without a name."""
        self._db.execute(delete(address).where(address.c.person == number))
        self._db.execute(delete(record).where(record.c.person == number))
        nameless = {"name": "", "language": "", "zone": "", "wishes": dump_wishes(Person(number, "", ""))}
        self._db.execute(update(person).where(person.c.id == number), nameless)

    def tally(self, happened: Iterable[tuple[PersonId, str]]) -> None:
        """Count what persons did, such as sending orders in time or missing them."""
        counted = sorted(Counter(happened).items())
        if counted:
            rows = [{"person": number, "what": what, "count": count} for (number, what), count in counted]
            _tally(self._db.dialect.name).each(self._db, rows)

    def record(self, number: PersonId) -> dict[str, int]:
        """How often a person did what was counted by `tally`."""
        return dict(self._db.execute(select(record.c.what, record.c.count).where(record.c.person == number)).all())

    def address(self, plain: str) -> PersonAddress | None:
        """What is known of an address."""
        row = self._db.execute(_ADDRESS.where(address.c.key == _key(plain))).one_or_none()
        return None if row is None else PersonAddress(row[0], row[1], row[2], AddressState(row[3]), row[4], row[5])

    def retired(self, plain: Iterable[str]) -> frozenset[str]:
        """Those of the addresses to which no letters are sent any more, in lower case."""
        wanted = sorted({_key(each) for each in plain})
        found: set[str] = set()
        for some in _portions(wanted):
            found.update(self._db.execute(_GONE, {f"key{place}": each for place, each in enumerate(some)}).scalars())
        return frozenset(found)

    def addresses(self, number: PersonId) -> tuple[PersonAddress, ...]:
        """All addresses of a person, the current one first."""
        found = _ADDRESS.where(address.c.person == number).order_by(address.c.current.desc(), address.c.key)
        return tuple(PersonAddress(row[0], row[1], row[2], AddressState(row[3]), row[4], row[5]) for row in self._db.execute(found))

    def put_address(self, changed: PersonAddress) -> None:
        """Keep state and bounces of an address."""
        row = {"state": changed.state.value, "bounces": changed.bounces, "bounced_at": changed.bounced_at}
        self._db.execute(update(address).where(address.c.key == _key(changed.address)), row)

    def _add_address(self, number: PersonId, plain: str) -> None:
        """The address as a person's current one."""
        row = {
            "key": _key(plain),
            "address": plain.strip(),
            "person": number,
            "current": True,
            "state": AddressState.GOOD.value,
            "bounces": 0,
        }
        try:
            self._db.execute(insert(address), row)
        except IntegrityError as taken:
            raise Conflict(f"{plain} belongs to somebody already") from taken


def _read_person(row: Sequence[Any]) -> Person:
    """A row of the columns of `_PEOPLE` as a value."""
    number, name, language, zone, wishes, current = row
    return _person_of(wishes, number, name, current, language, zone)


@lru_cache(maxsize=4096)
def _person_of(wishes: str, number: PersonId, name: str, current: str, language: str, zone: str) -> Person:
    """The person of these columns; kept, because every mail about a game asks for everybody in it."""
    return load_person(wishes, id=number, name=name, address=current, language=language, zone=zone)


_TAKE = (
    update(code)
    .where(code.c.code == bindparam("the_code"), code.c.taken_at.is_(None), code.c.until > bindparam("now"))
    .values(taken_at=bindparam("now"))
    .returning(code)
)


class Codes:
    """Codes sent to addresses: what is to be done when they come back."""

    __slots__ = ("_db",)

    def __init__(self, db: Connection) -> None:
        self._db = db

    def add(self, pending: PendingCode) -> None:
        """Keep a line until its code comes back.  Raises `Conflict`, which undoes the transaction, if the code is in use."""
        row = {
            "code": pending.code,
            "address": _key(pending.address),
            "line": pending.line,
            "created_at": pending.created_at,
            "until": pending.until,
            "facts": json.dumps(dict(pending.facts)),
        }
        try:
            self._db.execute(insert(code), row)
        except IntegrityError as there:
            raise Conflict(f"code {pending.code} is in use") from there

    def take(self, the_code: str, now: datetime) -> PendingCode | None:
        """What waits for that code, once; None if nothing does, or no longer."""
        return self._one(_TAKE, {"the_code": the_code, "now": now})

    def get(self, the_code: str) -> PendingCode | None:
        """What that code was sent for, also if it was taken or has run out."""
        return self._one(select(code).where(code.c.code == the_code), {})

    def recent(self, plain: str, since: datetime) -> int:
        """How many codes were made for an address since then."""
        found = select(func.count()).where(code.c.address == _key(plain), code.c.created_at >= since)
        return self._db.execute(found).scalar_one()

    def _one(self, found: Any, values: dict[str, object]) -> PendingCode | None:
        """The code found, if there is one."""
        row = self._db.execute(found, values).one_or_none()
        if row is None:
            return None
        return PendingCode(row.code, row.address, row.line, row.created_at, row.until, json.loads(row.facts), row.taken_at)
