"""The one language-free spelling of units, orders and phases: the same in files, logs and tests."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from judge.board.graph import Board
from judge.board.places import Location
from judge.errors import PlayerError
from judge.rules.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    Unit,
    Waive,
)
from judge.rules.phases import Phase, Step


@dataclass(eq=False)
class BadNotation(PlayerError):
    """A text that is not canonical notation, or names a place or kind that the board does not have."""

    code: ClassVar[str] = "unreadable"
    text: str

    def __str__(self) -> str:
        return f"not readable: {self.text!r}"


LOCATION = re.compile(r"(?:[A-Z0-9]+|W(\d+)-(\d+))(?:/[A-Z]+)?")
KIND = re.compile(r"[A-Z]")
PHASE = re.compile(r"([A-Z])(\d+)([MRAB])")


def read_location(text: str, board: Board | None = None) -> Location:
    """A place of its canonical spelling; with `board`, one that exists there.

    A waterway is one name, its ports in either order.

    >>> read_location("stp/sc"), read_location("W46-5")
    ('STP/SC', 'W5-46')
    """
    found = LOCATION.fullmatch(text.upper())
    if found is None:
        raise BadNotation(text)
    place = Location(found[0])
    if found[1] and int(found[1]) > int(found[2]):
        place = Location(f"W{found[2]}-{found[1]}")
    if board is not None:
        province = board.provinces.get(place.province)
        if province is None or (place.coast and place.coast not in province.coasts):
            raise BadNotation(text)
    return place


def read_unit(text: str, board: Board | None = None) -> Unit:
    """A unit of its canonical spelling; with `board`, of a kind and at a place that exist there.

    >>> read_unit("F STP/SC")
    Unit(kind='F', at='STP/SC')
    """
    words = text.split()
    if len(words) != 2:
        raise BadNotation(text)
    return _unit(words[0], words[1], board)


def write_unit(unit: Unit) -> str:
    """The canonical spelling of a unit (``F STP/SC``)."""
    return f"{unit.kind} {unit.at}"


def _unit(kind: str, place: str, board: Board | None = None) -> Unit:
    kind = kind.upper()
    if KIND.fullmatch(kind) is None or (board is not None and kind not in board.kinds):
        raise BadNotation(f"{kind} {place}")
    return Unit(kind, read_location(place, board))


BUILD_WORDS = frozenset({"B", "BUILD"})
REMOVE_WORDS = frozenset({"D", "REMOVE"})


def read_order(text: str, board: Board | None = None) -> Order:
    """An order of its canonical spelling; with `board`, its kinds and places must exist there.

    Builds and removals may also begin with their word (``BUILD A PAR``, ``D F NTH``).  A retreat may be written as a move
    (``F BLA - RUM`` gives `Move`): the phase tells it apart.  Raises `BadNotation`.

    >>> read_order("A LON - NWY VIA")
    Move(unit=Unit(kind='A', at='LON'), to='NWY', via=True)
    >>> read_order("B L 60"), read_order("D F NTH") == read_order("REMOVE F NTH") == read_order("F NTH D")
    (Build(unit=Unit(kind='L', at='60')), True)
    """
    order = _order_of(text)
    if board is not None and not _exists(order, board):
        raise BadNotation(text)
    return order


@lru_cache(maxsize=50_000)
def _order_of(text: str) -> Order:
    """The order of a text: the same value each time, for the same few thousand texts come again and again."""
    words = text.upper().split()
    try:
        match words:
            case ["WAIVE"]:
                return Waive()
            case [word, kind, place] if word in BUILD_WORDS and kind not in BUILD_WORDS:
                return Build(_unit(kind, place))
            case [word, kind, place] if word in REMOVE_WORDS:
                return Disband(_unit(kind, place))
            case [kind, place, *rest]:
                return _unit_order(_unit(kind, place), rest)
    except BadNotation:
        pass
    raise BadNotation(text)


def _unit_order(unit: Unit, rest: list[str]) -> Order:
    match rest:
        case ["H"]:
            return Hold(unit)
        case ["B"]:
            return Build(unit)
        case ["D"]:
            return Disband(unit)
        case ["-", to]:
            return Move(unit, read_location(to))
        case ["-", to, "VIA"]:
            return Move(unit, read_location(to), via=True)
        case ["R", to]:
            return Retreat(unit, read_location(to))
        case ["S", kind, place] | ["S", kind, place, "H"]:
            return SupportHold(unit, _unit(kind, place))
        case ["S", kind, place, "-", to] | ["S", kind, place, "-", to, "VIA"]:
            return SupportMove(unit, _unit(kind, place), read_location(to))
        case ["C", kind, place, "-", to] | ["C", kind, place, "-", to, "VIA"]:
            return Convoy(unit, _unit(kind, place), read_location(to))
    raise BadNotation(" ".join(rest))


def _exists(order: Order, board: Board) -> bool:
    """Whether `board` has the kinds and places that an order names."""
    if isinstance(order, Waive):
        return True
    units = [order.unit]
    if isinstance(order, SupportHold | SupportMove | Convoy):
        units.append(order.of)
    places = [unit.at for unit in units]
    if isinstance(order, Move | SupportMove | Convoy | Retreat):
        places.append(order.to)
    for place in places:
        province = board.provinces.get(place.province)
        if province is None or (place.coast and place.coast not in province.coasts):
            return False
    return all(unit.kind in board.kinds for unit in units)


def write_order(order: Order) -> str:
    """The canonical spelling of an order.

    >>> write_order(SupportMove(Unit("A", Location("MAR")), Unit("A", Location("PAR")), Location("BUR")))
    'A MAR S A PAR - BUR'
    """
    return str(order)


def read_phase(text: str) -> Phase:
    """A phase of its canonical spelling; the step may be called ``B`` (builds) too.

    >>> str(read_phase("s1901m")), str(read_phase("F1B"))
    ('S1901M', 'F1A')
    """
    found = PHASE.fullmatch(text.strip().upper())
    if found is None:
        raise BadNotation(text)
    step = found[3].replace("B", "A")
    return Phase(int(found[2]), found[1], Step(step))


def write_phase(phase: Phase) -> str:
    """The canonical spelling of a phase (``S1901M``)."""
    return str(phase)
