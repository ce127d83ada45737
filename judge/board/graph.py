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
        return province in self._provinces_near[kind].get(at, frozenset())

    @cached_property
    def _provinces_near(self) -> Mapping[str, Mapping[Location, frozenset[str]]]:
        """The provinces of `passages`."""
        return {kind: {at: frozenset(to.province for to in near) for at, near in table.items()} for kind, table in self.passages.items()}

    @cached_property
    def kinds_at(self) -> Mapping[str, tuple[str, ...]]:
        """Letters of the kinds of unit that can stand in each province."""
        reach: dict[str, dict[str, None]] = {}
        for letter, table in self.passages.items():
            for at in table:
                reach.setdefault(at.province, {})[letter] = None
        return {province: tuple(kinds) for province, kinds in reach.items()}

    @cached_property
    def coastal_kinds(self) -> frozenset[tuple[str, str]]:
        """(kind, province) where that kind stands on a coast, not in the province as a whole."""
        return frozenset((letter, at.province) for letter, table in self.passages.items() for at in table if at.coast)

    @cached_property
    def centres(self) -> frozenset[str]:
        """Ids of the supply centres."""
        return frozenset(p.id for p in self.provinces.values() if p.is_centre)

    @cached_property
    def homes(self) -> Mapping[Power, frozenset[str]]:
        """Home centres of each power."""
        return {power: frozenset(p.id for p in self.provinces.values() if p.is_centre and p.home_of == power) for power in self.powers}
