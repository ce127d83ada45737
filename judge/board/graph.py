"""Who touches whom, for which kind of unit; centres and homes: a board, which never changes during a game."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from judge.board.places import Location, Province, UnitKind
from judge.board.powers import Power


@dataclass(frozen=True)
class Board:
    """Provinces, kinds of unit and passages.

    `kinds` by letter; `provinces` by id; `passages[letter][location]` the locations that kind may go to from there (a passage may be
    one-way; fleets on a coast of several have their own entry, ``STP/NC``, and the bare province has none then);
    `convoy_coasts` provinces that are no sea but whose fleets may convoy; `ports` the two port provinces of each waterway.
    """

    kinds: Mapping[str, UnitKind]
    provinces: Mapping[str, Province]
    passages: Mapping[str, Mapping[Location, frozenset[Location]]]
    powers: tuple[Power, ...]
    convoy_coasts: frozenset[str] = frozenset()
    ports: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    def neighbours(self, kind: str, at: Location) -> frozenset[Location]:
        """Locations a unit of `kind` standing at `at` may go to in one step."""
        return self.passages[kind].get(at, frozenset())

    def touches(self, kind: str, at: Location, province: str) -> bool:
        """Whether a unit of `kind` at `at` can go to `province`, to whichever coast."""
        return any(to.province == province for to in self.neighbours(kind, at))

    @cached_property
    def centres(self) -> frozenset[str]:
        """Ids of the supply centres."""
        return frozenset(p.id for p in self.provinces.values() if p.is_centre)

    @cached_property
    def homes(self) -> Mapping[Power, frozenset[str]]:
        """Home centres of each power."""
        return {power: frozenset(p.id for p in self.provinces.values() if p.is_centre and p.home_of == power) for power in self.powers}
