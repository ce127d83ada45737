"""The shapes of orders, one class each; `Order` is any of them."""

from dataclasses import dataclass
from sys import intern
from typing import Any, ClassVar, TypeAlias

from judge.board.places import Location


@dataclass(frozen=True, slots=True, order=True)
class Unit:
    """A unit without its owner: the letter of its kind and where it stands (``F STP/SC``)."""

    kind: str
    at: Location

    def __str__(self) -> str:
        return f"{self.kind} {self.at}"


class Spelled:
    """An order in canonical notation as text; it remembers what was once worked out about it."""

    __slots__ = ("met", "spelling")
    NOTATION: ClassVar[str]
    """How orders of this shape are spelled, the parts of the order in braces."""
    spelling: str
    """The text, once it was asked for; not part of the order's value."""
    met: tuple[object, int, int, int, int, int, int, Any]
    """How it fitted the last board that met it, see `fitting.Plain`; not part of the order's value."""

    def __str__(self) -> str:
        try:
            return self.spelling
        except AttributeError:
            text = intern(self.NOTATION.format(self))
            object.__setattr__(self, "spelling", text)  # frozen, but its text is no part of its value
            return text


@dataclass(frozen=True, slots=True)
class Hold(Spelled):
    """Stay (``A PAR H``)."""

    NOTATION: ClassVar[str] = "{0.unit} H"
    unit: Unit


@dataclass(frozen=True, slots=True)
class Move(Spelled):
    """Go to `to`; `via` only where the order said "via convoy" (``A LON - NWY VIA``)."""

    NOTATION: ClassVar[str] = "{0.unit} - {0.to}{0.way}"
    unit: Unit
    to: Location
    via: bool = False

    @property
    def way(self) -> str:
        """What stands behind the target."""
        return " VIA" if self.via else ""


@dataclass(frozen=True, slots=True)
class SupportHold(Spelled):
    """Help the unit at `of` to stay (``A MAR S A PAR``)."""

    NOTATION: ClassVar[str] = "{0.unit} S {0.of}"
    unit: Unit
    of: Unit


@dataclass(frozen=True, slots=True)
class SupportMove(Spelled):
    """Help the unit at `of` to go to `to` (``A MAR S A PAR - BUR``)."""

    NOTATION: ClassVar[str] = "{0.unit} S {0.of} - {0.to}"
    unit: Unit
    of: Unit
    to: Location


@dataclass(frozen=True, slots=True)
class Convoy(Spelled):
    """Carry the unit at `of` to `to` (``F NTH C A LON - NWY``)."""

    NOTATION: ClassVar[str] = "{0.unit} C {0.of} - {0.to}"
    unit: Unit
    of: Unit
    to: Location


@dataclass(frozen=True, slots=True)
class Retreat(Spelled):
    """A dislodged unit goes to `to` (``F BLA R RUM``)."""

    NOTATION: ClassVar[str] = "{0.unit} R {0.to}"
    unit: Unit
    to: Location


@dataclass(frozen=True, slots=True)
class Disband(Spelled):
    """A dislodged unit is given up, or a unit is removed in an adjustment phase (``F BLA D``)."""

    NOTATION: ClassVar[str] = "{0.unit} D"
    unit: Unit


@dataclass(frozen=True, slots=True)
class Build(Spelled):
    """A new unit (``A PAR B``)."""

    NOTATION: ClassVar[str] = "{0.unit} B"
    unit: Unit


@dataclass(frozen=True, slots=True)
class Waive(Spelled):
    """One build not used (``WAIVE``)."""

    NOTATION: ClassVar[str] = "WAIVE"


UnitOrder: TypeAlias = Hold | Move | SupportHold | SupportMove | Convoy | Retreat | Disband | Build
Order: TypeAlias = UnitOrder | Waive
