"""An order as somebody wrote it, before any place is looked up on the board: phrases for places and units, and what they shall do."""

from dataclasses import dataclass, replace

from judge.board import Power
from judge.language.vocabulary import PlaceSense, Sense, role_of

EITHER = "either"
"""Role of a unit word that can be the one who acts as well as the one who is helped."""


@dataclass(frozen=True, slots=True)
class PlacePhrase:
    """A place as written: what it can mean, after which prepositions, on which coast ("" for none named)."""

    senses: tuple[PlaceSense, ...]
    preps: frozenset[str]
    coast: str
    text: str
    sense: Sense
    end: int

    def can_be(self, role: str) -> bool:
        """Whether this can be where a unit is or comes from ("from"), or where it goes ("to")."""
        return any(self._fits(sense, role) for sense in self.senses)

    def can_be_only(self, role: str) -> bool:
        """Whether its ending leaves no other role ("in": where something is)."""
        return all(role_of(sense, self.preps) == {role} for sense in self.senses)

    def as_role(self, role: str) -> "PlacePhrase":
        """The same with only the meanings that can have that role."""
        fitting = tuple(sense for sense in self.senses if self._fits(sense, role))
        return self if len(fitting) == len(self.senses) else replace(self, senses=fitting)

    def _fits(self, sense: PlaceSense, role: str) -> bool:
        roles = role_of(sense, self.preps)
        return not roles or role in roles or (role == "from" and bool(roles & {"in", "of"}))


@dataclass(frozen=True, slots=True)
class UnitPhrase:
    """A unit as written: `kind` "" if not said, `role` of the word for it (as in `Sense.units`, or `EITHER`), where, and whose if said."""

    kind: str
    role: str
    place: PlacePhrase
    power: Power = ""


@dataclass(frozen=True, slots=True)
class Draft:
    """An order as written, by its verb ("unit" for a unit alone); several `targets` are a route.

    `power` is whose order it is, if the line says so; `count` how many builds are waived.
    """

    verb: str
    unit: UnitPhrase | None = None
    of: UnitPhrase | None = None
    targets: tuple[PlacePhrase, ...] = ()
    via: bool = False
    power: Power = ""
    count: int = 1
    leads: bool = False
    """Whether its verb came first and may govern the units after it: "Build A Par, F Bre"."""
