"""Provinces, coasts, terrain and kinds of unit: the things a board is made of."""

from dataclasses import dataclass
from enum import StrEnum


class Location(str):
    """A place a unit can stand on: a province, or one coast of it, upper case (``STP/SC``).

    It is a string, so it sorts, hashes and prints as one; `province` and `coast` are its parts.

    >>> Location("STP/SC").province, Location("STP/SC").coast, Location("PAR").coast
    ('STP', 'SC', '')
    """

    __slots__ = ("coast", "province")
    province: str
    coast: str

    def __new__(cls, text: str) -> "Location":
        """Make a location of its canonical spelling."""
        self = super().__new__(cls, text)
        self.province, _, self.coast = text.partition("/")
        return self


class Terrain(StrEnum):
    """What a province is, which decides the kinds of unit that may stand there."""

    LAND = "land"
    COAST = "coast"
    SEA = "sea"
    WATERWAY = "waterway"


@dataclass(frozen=True, slots=True)
class UnitKind:
    """One kind of unit of a board.

    `letter` is the canonical spelling (``A``); `attack` and `defence` its strengths alone; `convoys`: may carry others
    over `Terrain.SEA` (and places the board names); `convoyed`: may be carried; `removal_rank`: lower goes first in civil disorder.
    """

    letter: str
    name: str
    terrains: frozenset[Terrain]
    attack: int = 1
    defence: int = 1
    convoys: bool = False
    convoyed: bool = False
    removal_rank: int = 0


@dataclass(frozen=True, slots=True)
class Province:
    """A named area: `id` in capitals, its coasts (empty unless there are several), centre and home."""

    id: str
    name: str
    terrain: Terrain
    coasts: tuple[str, ...] = ()
    is_centre: bool = False
    home_of: str = ""
