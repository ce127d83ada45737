"""Games, turns and what belongs to them as JSON and back; each text names the version of its shape.

Values are written as they are declared, field by field; orders, units and phases in canonical notation, times in ISO 8601.
A field that a text does not have yet takes its default.  A change that needs more than that raises the version and gets a
step in `STEPS`, which turns the older shape into the next one.
"""

import json
import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from datetime import UTC, datetime, time, timedelta
from enum import Enum
from functools import cache, lru_cache, partial
from operator import attrgetter
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from judge.board import Location
from judge.errors import OperatorError, PlayerError
from judge.game import Event, Game, Person, PressItem, Seat, Stint, Submission, Turn
from judge.rules import (
    Adjudication,
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    OrderOf,
    Outcome,
    Phase,
    Position,
    Refused,
    Retreat,
    SupportHold,
    SupportMove,
    Unit,
    Waive,
    Why,
    read_order,
    read_phase,
    read_unit,
    write_order,
)

VERSIONS: Mapping[str, int] = {"game": 1, "turn": 1, "press": 1, "submission": 1, "event": 1, "wishes": 1}
"""The version that is written, for each kind of text."""

Step = Callable[[dict[str, Any]], dict[str, Any]]
STEPS: dict[tuple[str, int], Step] = {}
"""From a kind and version to the next version."""

Way = Callable[[Any], Any]
_T = TypeVar("_T")
_MICROSECOND = timedelta(microseconds=1)
_ORDERS = frozenset({Hold, Move, SupportHold, SupportMove, Convoy, Retreat, Disband, Build, Waive})
_SPARSE = frozenset({Why, Outcome, OrderOf, Refused})
"""Values of which a turn has many, mostly empty: fields that are empty are left out, and empty is what "left out" means for ever."""
_REPEATED = frozenset({Seat, Stint})
"""Values of which a game has many that are written again unchanged with every mail; what is written of them is only read."""
_EMPTY: tuple[object, ...] = ("", (), -1, None)


def dump_game(game: Game) -> str:
    """A game as JSON text."""
    return _dump("game", writer(Game)(game))


@lru_cache(maxsize=256)
def load_game(text: str) -> Game:
    """The game that `dump_game` wrote.  Raises `OperatorError` for a version this judge does not know.

    Kept for a while, because a mail's game is read when it comes in and again when it is handled.
    """
    return cast(Game, _load("game", text, reader(Game)))


def dump_turn(turn: Turn) -> str:
    """A turn, with every verdict and its reason, as JSON text."""
    done = turn.adjudication
    plain = writer(Turn)(turn)
    plain["adjudication"] = _fields_out(Adjudication, done) | {"outcomes": writer(tuple[Outcome, ...])(done.outcomes)}
    return _dump("turn", plain)


def load_turn(text: str, *, withdrawn: bool = False) -> Turn:
    """The turn that `dump_turn` wrote, which has been withdrawn since or not; its verdicts are read when they are asked for.

    Raises `OperatorError` for a version this judge does not know.
    """
    return _load("turn", text, lambda plain: _read_turn(plain, withdrawn))


def dump_press(item: PressItem) -> str:
    """A message as JSON text."""
    return _dump("press", writer(PressItem)(item))


def load_press(text: str) -> PressItem:
    """The message that `dump_press` wrote.  Raises `OperatorError`."""
    return cast(PressItem, _load("press", text, reader(PressItem)))


def dump_submission(filed: Submission) -> str:
    """Orders as one mail filed them, as JSON text."""
    return _dump("submission", writer(Submission)(filed))


def load_submission(text: str) -> Submission:
    """What `dump_submission` wrote.  Raises `OperatorError`."""
    return cast(Submission, _load("submission", text, reader(Submission)))


def dump_event(event: Event) -> str:
    """A line of a game's log as JSON text."""
    return _dump("event", writer(Event)(event))


def load_event(text: str) -> Event:
    """What `dump_event` wrote.  Raises `OperatorError`."""
    return cast(Event, _load("event", text, reader(Event)))


def dump_wishes(person: Person) -> str:
    """What a person wishes, beside name, address, language and zone, as JSON text."""
    plain: dict[str, Any] = writer(Person)(person)
    return _dump("wishes", {key: value for key, value in plain.items() if key not in _PERSON_COLUMNS})


def load_person(wishes: str, **columns: object) -> Person:
    """The person of whom `dump_wishes` wrote, with what has columns of its own: id, name, address, language, zone."""
    return cast(Person, _load("wishes", wishes, lambda plain: reader(Person)(plain | columns)))


_PERSON_COLUMNS = ("id", "name", "address", "language", "zone")


def _dump(kind: str, plain: dict[str, Any]) -> str:
    """JSON text with its version in front."""
    return json.dumps({"v": VERSIONS[kind]} | plain, separators=(",", ":"))


def _load(kind: str, text: str, read: Callable[[dict[str, Any]], _T]) -> _T:
    """Read a text of this kind, of this version or an older one."""
    try:
        plain = json.loads(text)
        version = plain.pop("v")
    except (ValueError, KeyError, AttributeError, TypeError) as bad:
        raise OperatorError(f"a {kind} in the database is no JSON of a judge: {text[:60]!r}") from bad
    while (kind, version) in STEPS:
        plain = STEPS[kind, version](plain)
        version += 1
    if version != VERSIONS[kind]:
        raise OperatorError(f"a {kind} is kept in version {version!r}, this judge knows {VERSIONS[kind]}: upgrade the judge")
    try:
        return read(plain)
    except (ValueError, KeyError, TypeError, AttributeError, PlayerError) as bad:
        raise OperatorError(f"a {kind} in the database cannot be read: {bad!r} in {text[:60]!r}") from bad


def _read_turn(plain: dict[str, Any], withdrawn: bool) -> Turn:
    """A turn of its JSON values."""
    done = plain.pop("adjudication")
    outcomes = done.pop("outcomes")
    before = reader(Position)(plain["before"])
    adjudication = Adjudication(
        before=before,
        account=partial(reader(tuple[Outcome, ...]), outcomes),
        **_fields_in(Adjudication, done),
    )
    values = _fields_in(Turn, plain) | {"before": before, "adjudication": adjudication, "withdrawn": withdrawn}
    return Turn(**values)


# ---- the ways of types


@cache
def writer(kind: Any) -> Way:
    """How a value of this type becomes JSON values."""
    return _ways(kind)[0]


@cache
def reader(kind: Any) -> Way:
    """How a value of this type comes back from JSON values."""
    return _ways(kind)[1]


@lru_cache(maxsize=20_000)
def _location(text: str) -> Location:
    """A location; the same text gives the same object, which saves time and memory."""
    return Location(text)


_unit = lru_cache(maxsize=20_000)(read_unit)
_order = lru_cache(maxsize=50_000)(read_order)
_phase = lru_cache(maxsize=5_000)(read_phase)


def _same(value: Any) -> Any:
    """JSON's own kinds."""
    return value


@lru_cache(maxsize=10_000)
def _write_instant(value: datetime) -> str:
    """An aware instant in UTC; a naive one is a bug."""
    if value.tzinfo is None:
        raise TypeError(f"a naive time: {value}")
    return (value if value.tzinfo is UTC else value.astimezone(UTC)).isoformat()


_LEAVES: dict[object, tuple[Way, Way]] = {
    str: (_same, _same),
    int: (_same, _same),
    bool: (_same, _same),
    Location: (str, _location),
    Unit: (str, _unit),
    Phase: (str, _phase),
    Order: (write_order, _order),
    datetime: (_write_instant, datetime.fromisoformat),
    time: (time.isoformat, time.fromisoformat),
    timedelta: (lambda span: span // _MICROSECOND, lambda number: timedelta(microseconds=number)),
}


@cache
def _ways(kind: Any) -> tuple[Way, Way]:
    """Writer and reader of a type: a leaf, an enumeration, a collection, a union, or a class of fields."""
    if kind in _LEAVES:
        return _LEAVES[kind]
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return _union_ways(frozenset(inner))
    if origin is tuple:
        return _tuple_ways(inner)
    if origin is frozenset:
        out, back = _ways(inner[0])
        return lambda value: sorted(map(out, value)), lambda plain: frozenset(map(back, plain))
    if origin is not None and issubclass(origin, Mapping):
        return _mapping_ways(*inner)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return lambda value: value.value, kind
    if isinstance(kind, type) and is_dataclass(kind):
        out = partial(_fields_out, kind)
        return lru_cache(maxsize=10_000)(out) if kind in _REPEATED else out, lambda plain: kind(**_fields_in(kind, plain))
    raise TypeError(f"no way to keep a {kind!r}")


def _mapping_ways(key: Any, value: Any) -> tuple[Way, Way]:
    """A mapping whose keys are written as texts: powers, provinces, words of an enumeration."""
    (key_out, key_back), (out, back) = _ways(key), _ways(value)
    if key_out is _same:
        return lambda mapping: {k: out(v) for k, v in mapping.items()}, lambda plain: {k: back(v) for k, v in plain.items()}
    return (
        lambda mapping: {key_out(k): out(v) for k, v in mapping.items()},
        lambda plain: {key_back(k): back(v) for k, v in plain.items()},
    )


def _union_ways(members: frozenset[Any]) -> tuple[Way, Way]:
    """A value or None; an order; an order or the text that is none (kept apart as ``{"text": ...}``)."""
    if type(None) in members:
        rest = members - {type(None)}
        out, back = _union_ways(rest) if len(rest) > 1 else _ways(next(iter(rest)))
        if out is _same and back is _same:
            return _same, _same
        return (
            lambda value: None if value is None else out(value),
            lambda plain: None if plain is None else back(plain),
        )
    if members == _ORDERS:
        return write_order, _order
    if members == _ORDERS | {str}:
        return (
            lambda value: {"text": value} if isinstance(value, str) else write_order(value),
            lambda plain: _order(plain) if isinstance(plain, str) else plain["text"],
        )
    raise TypeError(f"no way to keep a union of {sorted(map(str, members))}")


def _tuple_ways(inner: tuple[Any, ...]) -> tuple[Way, Way]:
    """A tuple of any length of one type, or of a fixed length."""
    if inner[1:] == (Ellipsis,):
        out, back = _ways(inner[0])
        return (
            list if out is _same else lambda value: [out(item) for item in value],
            tuple if back is _same else lambda plain: tuple([back(item) for item in plain]),
        )
    outs, backs = [_ways(part)[0] for part in inner], [_ways(part)[1] for part in inner]
    return (
        lambda value: [out(item) for out, item in zip(outs, value, strict=True)],
        lambda plain: tuple([back(item) for back, item in zip(backs, plain, strict=True)]),
    )


@cache
def _kept_fields(kind: Any) -> tuple[tuple[str, Way, Way, object], ...]:
    """The fields of a class that are kept: name, writer, reader, and the empty value that is left out (MISSING: none is).

    Not kept: functions (`Adjudication.account`), what a `Turn` writes in its own way, the position that a turn has already, and
    whether it was withdrawn, which its row says.
    """
    hints = get_type_hints(kind)
    apart = {Adjudication: ("account", "before"), Turn: ("adjudication", "withdrawn")}.get(kind, ())
    return tuple((f.name, *_ways(hints[f.name]), _left_out(kind, f)) for f in fields(kind) if f.name not in apart)


def _left_out(kind: Any, field: Field[Any]) -> object:
    """The value of the field that is not written: its default, if that is an empty one."""
    return field.default if kind in _SPARSE and field.default in _EMPTY else MISSING


@cache
def _fetch(kind: Any) -> Callable[[Any], tuple[Any, ...]]:
    """What takes all kept fields out of a value of this class at once."""
    names = [name for name, *_ in _kept_fields(kind)]
    return attrgetter(*names) if len(names) > 1 else lambda value: tuple(getattr(value, name) for name in names)


@cache
def _names(kind: Any) -> tuple[str, ...]:
    """The names of the kept fields of a class."""
    return tuple(name for name, *_ in _kept_fields(kind))


@cache
def _to_change(kind: Any) -> tuple[tuple[str, Way, object], ...]:
    """The fields of a class that are not written as they are, or not always."""
    return tuple((name, out, empty) for name, out, _, empty in _kept_fields(kind) if out is not _same or empty is not MISSING)


def _fields_out(kind: Any, value: Any) -> dict[str, Any]:
    """The fields of a value as JSON values."""
    plain = dict(zip(_names(kind), _fetch(kind)(value), strict=True))
    for name, out, left_out in _to_change(kind):
        item = plain[name]
        if item == left_out:
            del plain[name]
        elif out is not _same:
            plain[name] = out(item)
    return plain


def _fields_in(kind: Any, plain: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a class from JSON values; what is not there is left to its default."""
    return {name: plain[name] if back is _same else back(plain[name]) for name, _, back, _ in _kept_fields(kind) if name in plain}
