"""The shapes of orders, one class each; `Order` is any of them."""

from dataclasses import dataclass
from sys import intern
from typing import TypeAlias

from judge.board.places import Location


@dataclass(frozen=True, slots=True, order=True)
class Unit:
    """A unit without its owner: the letter of its kind and where it stands (``F STP/SC``)."""

    kind: str
    at: Location

    def __str__(self) -> str:
        return f"{self.kind} {self.at}"


class Spelled:
    """An order in canonical notation as text; it remembers that text, so that it is spelled and looked up only once."""

    __slots__ = ("spelling",)
    spelling: str
    """The text, once it was asked for; not part of the order's value."""

    def _spell(self) -> str:
        raise NotImplementedError

    def __str__(self) -> str:
        try:
            return self.spelling
        except AttributeError:
            text = intern(self._spell())
            object.__setattr__(self, "spelling", text)  # frozen, but its text is no part of its value
            return text


@dataclass(frozen=True, slots=True)
class Hold(Spelled):
    """Stay (``A PAR H``)."""

    unit: Unit

    def _spell(self) -> str:
        return f"{self.unit} H"


@dataclass(frozen=True, slots=True)
class Move(Spelled):
    """Go to `to`; `via` only where the order said "via convoy" (``A LON - NWY VIA``)."""

    unit: Unit
    to: Location
    via: bool = False

    def _spell(self) -> str:
        return f"{self.unit} - {self.to} VIA" if self.via else f"{self.unit} - {self.to}"


@dataclass(frozen=True, slots=True)
class SupportHold(Spelled):
    """Help the unit at `of` to stay (``A MAR S A PAR``)."""

    unit: Unit
    of: Unit

    def _spell(self) -> str:
        return f"{self.unit} S {self.of}"


@dataclass(frozen=True, slots=True)
class SupportMove(Spelled):
    """Help the unit at `of` to go to `to` (``A MAR S A PAR - BUR``)."""

    unit: Unit
    of: Unit
    to: Location

    def _spell(self) -> str:
        return f"{self.unit} S {self.of} - {self.to}"


@dataclass(frozen=True, slots=True)
class Convoy(Spelled):
    """Carry the unit at `of` to `to` (``F NTH C A LON - NWY``)."""

    unit: Unit
    of: Unit
    to: Location

    def _spell(self) -> str:
        return f"{self.unit} C {self.of} - {self.to}"


@dataclass(frozen=True, slots=True)
class Retreat(Spelled):
    """A dislodged unit goes to `to` (``F BLA R RUM``)."""

    unit: Unit
    to: Location

    def _spell(self) -> str:
        return f"{self.unit} R {self.to}"


@dataclass(frozen=True, slots=True)
class Disband(Spelled):
    """A dislodged unit is given up, or a unit is removed in an adjustment phase (``F BLA D``)."""

    unit: Unit

    def _spell(self) -> str:
        return f"{self.unit} D"


@dataclass(frozen=True, slots=True)
class Build(Spelled):
    """A new unit (``A PAR B``)."""

    unit: Unit

    def _spell(self) -> str:
        return f"{self.unit} B"


@dataclass(frozen=True, slots=True)
class Waive(Spelled):
    """One build not used (``WAIVE``)."""

    def _spell(self) -> str:
        return "WAIVE"


UnitOrder: TypeAlias = Hold | Move | SupportHold | SupportMove | Convoy | Retreat | Disband | Build
Order: TypeAlias = UnitOrder | Waive
