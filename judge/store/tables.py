"""The tables, with types that mean the same on SQLite and PostgreSQL."""

import zlib
from datetime import UTC, datetime, timedelta

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
    text,
)

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class Moment(TypeDecorator[datetime]):
    """An aware instant, kept as whole microseconds since 1970 UTC: it compares right and fast on every database."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        """Microseconds; a naive time is a bug and raises TypeError."""
        return None if value is None else (value - EPOCH) // _MICROSECOND

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:
        """The instant, in UTC."""
        return None if value is None else EPOCH + timedelta(microseconds=value)


class Words(TypeDecorator[str]):
    """A text that may come from anywhere: what databases refuse (NUL, half surrogates) is replaced."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """The text without what PostgreSQL or UTF-8 cannot hold."""
        if value is None:
            return None
        if "\0" in value:
            value = value.replace("\0", "\N{REPLACEMENT CHARACTER}")
        return value if value.isascii() else value.encode("utf-8", "replace").decode("utf-8")


class PackedBytes(bytes):
    """Bytes that are compressed already."""


def pack(value: bytes) -> PackedBytes:
    """Bytes compressed.  Level 1: most of the gain, a tenth of the time."""
    return PackedBytes(zlib.compress(value, 1))


class Packed(TypeDecorator[bytes]):
    """Bytes, kept compressed."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """Compressed."""
        return None if value is None else bytes(value if isinstance(value, PackedBytes) else pack(value))

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """As they were."""
        return None if value is None else zlib.decompress(value)


Id = BigInteger().with_variant(Integer, "sqlite")  # SQLite numbers rows by itself only for INTEGER

metadata = MetaData(
    naming_convention={
        "ix": "%(table_name)s_%(column_0_N_name)s",
        "uq": "%(table_name)s_%(column_0_N_name)s_key",
        "fk": "%(table_name)s_%(column_0_N_name)s_fkey",
        "pk": "%(table_name)s_pkey",
    }
)


def _only(name: str, *columns: str, where: str, unique: bool = False) -> Index:
    """An index over the rows for which `where` holds, in words both databases know."""
    return Index(name, *columns, unique=unique, sqlite_where=text(where), postgresql_where=text(where))


inbox = Table(
    "inbox",
    metadata,
    Column("number", Id, primary_key=True),
    Column("source", Words, nullable=False),
    Column("source_key", Words, unique=True),
    Column("lane", Words, nullable=False),
    Column("known", Boolean, nullable=False),  # for a game, or from somebody known; strangers wait behind these
    Column("arrived_at", Moment, nullable=False),
    Column("envelope_from", Words),
    Column("envelope_to", Words, nullable=False),  # JSON list
    Column("state", Text, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("free_at", Moment, nullable=False),  # may be claimed from then on: a lease, or a wait
    Column("claimed_by", Text),
    Column("digest", Words, unique=True),
    Column("note", Words, nullable=False),
    Column("finished_at", Moment),
    Column("raw", Packed),  # last, because SQLite walks over it to what stands behind
    _only("inbox_open_arrival", "arrived_at", "number", where="finished_at IS NULL"),
    _only("inbox_open_lane", "lane", "arrived_at", "number", where="finished_at IS NULL"),
    _only("inbox_open_known", "known", "arrived_at", where="finished_at IS NULL"),
    _only("inbox_finished", "finished_at", where="raw IS NOT NULL"),
    Index("inbox_lane_arrival", "lane", "arrived_at"),
    sqlite_autoincrement=True,
)

variant = Table(
    "variant",
    metadata,
    Column("hash", Words, primary_key=True),
    Column("data", Text, nullable=False),
)

game = Table(
    "game",
    metadata,
    Column("id", Id, primary_key=True, autoincrement=False),
    Column("name", Words, nullable=False),
    Column("version", BigInteger, nullable=False),
    Column("variant", Text, nullable=False),
    Column("ruleset", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("phase", Text, nullable=False),
    Column("title", Words, nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("free", Integer, nullable=False),
    Column("powers", Integer, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("deadline_at", Moment),
    Column("due_at", Moment),
    Column("remind_at", Moment),
    Column("ended_at", Moment),
    Column("archived_at", Moment),
    Column("data", Text, nullable=False),
    _only("game_name_open", "name", unique=True, where="archived_at IS NULL"),
    _only("game_due", "due_at", "id", where="due_at IS NOT NULL"),
    _only("game_remind", "remind_at", "id", where="remind_at IS NOT NULL"),
    _only("game_list", "status", "name", where="archived_at IS NULL"),
)

seat = Table(
    "seat",
    metadata,
    Column("game", Id, ForeignKey("game.id", ondelete="CASCADE"), primary_key=True),
    Column("key", Words, primary_key=True),
    Column("person", Id, nullable=False),
    Index("seat_person", "person"),
)

turn = Table(
    "turn",
    metadata,
    Column("game", Id, ForeignKey("game.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("phase", Text, nullable=False),
    Column("closed_at", Moment, nullable=False),
    Column("withdrawn_at", Moment),
    Column("data", Packed, nullable=False),
    _only("turn_phase", "game", "phase", unique=True, where="withdrawn_at IS NULL"),
)

submission = Table(
    "submission",
    metadata,
    Column("number", Id, primary_key=True),
    Column("game", Id, ForeignKey("game.id", ondelete="CASCADE"), nullable=False),
    Column("phase", Text, nullable=False),
    Column("power", Words, nullable=False),
    Column("mail", BigInteger, nullable=False),
    Column("at", Moment, nullable=False),
    Column("fingerprint", Text, nullable=False),
    Column("data", Text, nullable=False),
    Index("submission_game", "game", "phase", "number"),
    sqlite_autoincrement=True,
)

event = Table(
    "event",
    metadata,
    Column("number", Id, primary_key=True),
    Column("game", Id, ForeignKey("game.id", ondelete="CASCADE"), nullable=False),
    Column("at", Moment, nullable=False),
    Column("what", Text, nullable=False),
    Column("data", Text, nullable=False),
    Index("event_game", "game", "number"),
    sqlite_autoincrement=True,
)

press = Table(
    "press",
    metadata,
    Column("game", Id, ForeignKey("game.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("at", Moment, nullable=False),
    Column("data", Packed, nullable=False),
)

person = Table(
    "person",
    metadata,
    Column("id", Id, primary_key=True),
    Column("name", Words, nullable=False),
    Column("language", Text, nullable=False),
    Column("zone", Text, nullable=False),
    Column("wishes", Text, nullable=False),  # JSON object
    sqlite_autoincrement=True,
)

address = Table(
    "address",
    metadata,
    Column("key", Words, primary_key=True),  # the address in lower case
    Column("address", Words, nullable=False),
    Column("person", Id, ForeignKey("person.id", ondelete="CASCADE"), nullable=False),
    Column("current", Boolean, nullable=False),
    Column("state", Text, nullable=False),
    Column("bounces", Integer, nullable=False),
    Column("bounced_at", Moment),
    Index("address_person", "person"),
)

record = Table(
    "record",
    metadata,
    Column("person", Id, ForeignKey("person.id", ondelete="CASCADE"), primary_key=True),
    Column("what", Text, primary_key=True),
    Column("count", Integer, nullable=False),
)

code = Table(
    "code",
    metadata,
    Column("code", Words, primary_key=True),
    Column("address", Words, nullable=False),  # lower case
    Column("line", Words, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("until", Moment, nullable=False),
    Column("taken_at", Moment),
    Column("facts", Text, nullable=False),  # JSON object
    Index("code_address", "address", "created_at"),
    Index("code_until", "until"),
)

outbox = Table(
    "outbox",
    metadata,
    Column("number", Id, primary_key=True),
    Column("message_id", Words, nullable=False),
    Column("kind", SmallInteger, nullable=False),
    Column("game", Id),
    Column("seat", Words, nullable=False),
    Column("return_path", Words, nullable=False),  # lower case
    Column("domain", Words, nullable=False),  # where it goes to, lower case: each domain has a pace of its own
    Column("state", Text, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("next_try", Moment, nullable=False),  # while somebody sends it: when others may try
    Column("claimed_by", Text),
    Column("why", Words, nullable=False),
    Column("added_at", Moment, nullable=False),
    Column("finished_at", Moment),
    Column("letter", Packed),
    UniqueConstraint("message_id"),
    _only("outbox_open", "kind", "number", where="finished_at IS NULL"),
    _only("outbox_finished", "finished_at", where="letter IS NOT NULL"),
    Index("outbox_return_path", "return_path"),
    Index("outbox_game", "game", "number"),
    sqlite_autoincrement=True,
)

mark = Table(
    "mark",
    metadata,
    Column("name", Words, primary_key=True),
    Column("value", Words, nullable=False),
    Column("until", Moment),  # only for leases
)

site = Table(
    "site",
    metadata,
    Column("name", Words, primary_key=True),
    Column("value", Words, nullable=False),  # of the key, from which all secret addresses come: readers of the archive may not see it
)

tally = Table(
    "tally",
    metadata,
    Column("key", Words, primary_key=True),
    Column("since", Moment, primary_key=True),
    Column("count", Integer, nullable=False),
    Index("tally_since", "since"),
)
