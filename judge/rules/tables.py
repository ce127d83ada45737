"""A board in small numbers: units, provinces and borders as integers and bit masks, worked out once for each variant.

A *unit number* stands for a kind at a location (``F STP/SC``); numbers rise with the canonical order of units, so a sorted list of
numbers is a sorted list of units.  A set of provinces is an integer with one bit for each.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from operator import itemgetter

from judge.board.graph import Board
from judge.board.places import Location, Terrain
from judge.board.powers import Power
from judge.rules.orders import Unit


def bits(mask: int) -> Iterator[int]:
    """The numbers in a set of provinces, rising.

    >>> list(bits(0b10110))
    [1, 2, 4]
    """
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def picker(numbers: Sequence[int]) -> Callable[[list[int]], Sequence[int]]:
    """What takes the entries at `numbers` out of a list, all in one step.

    >>> picker([2, 0])([10, 11, 12]), picker([1])([10, 11, 12])
    ((12, 10), (11,))
    """
    if len(numbers) > 1:
        return itemgetter(*numbers)
    return lambda entries: tuple([entries[number] for number in numbers])


class Tables:
    """The numbers of one board."""

    def __init__(self, board: Board) -> None:
        """Number everything on `board`."""
        self.board = board
        self.provinces: tuple[str, ...] = tuple(sorted(board.provinces))
        """Province ids by number."""
        self.number: dict[str, int] = {name: n for n, name in enumerate(self.provinces)}
        """Number of each province id."""
        self.units: tuple[Unit, ...] = tuple(Unit(kind, at) for kind in sorted(board.kinds) for at in sorted(_standing_places(board, kind)))
        """Every unit that can stand on the board, by number."""
        self.spelled: tuple[str, ...] = tuple(map(str, self.units))
        """The canonical spelling of each."""
        self.unit_number: dict[Unit, int] = {unit: n for n, unit in enumerate(self.units)}
        """Number of each unit."""
        self.province_of: tuple[int, ...] = tuple(self.number[unit.at.province] for unit in self.units)
        """Where the unit stands."""
        self.placing: dict[str, dict[str, tuple[int, int]]] = {kind: {} for kind in board.kinds}
        """By kind and location, the unit's number and that of its province."""
        for number, unit in enumerate(self.units):
            self.placing[unit.kind][unit.at] = (number, self.province_of[number])
        kinds = [board.kinds[unit.kind] for unit in self.units]
        self.attack: tuple[int, ...] = tuple(kind.attack for kind in kinds)
        """Strength alone of a move."""
        self.defence: tuple[int, ...] = tuple(kind.defence for kind in kinds)
        """Strength alone of a unit that stays."""
        self.is_carried: tuple[bool, ...] = tuple(kind.convoyed for kind in kinds)
        """Whether it may be convoyed."""
        self.can_carry: tuple[bool, ...] = tuple(
            kind.convoys and (board.provinces[unit.at.province].terrain is Terrain.SEA or unit.at.province in board.convoy_coasts)
            for kind, unit in zip(kinds, self.units, strict=True)
        )
        """Whether it may convoy from where it stands."""
        self.goes: tuple[dict[int, tuple[int, ...]], ...] = tuple(self._goes(unit) for unit in self.units)
        """Province to the unit numbers this unit can become there in one step: several where it must choose a coast."""
        self.reach: tuple[int, ...] = tuple(sum(1 << province for province in goes) for goes in self.goes)
        """Set of provinces it can go to in one step."""
        self.alone: tuple[tuple[int], ...] = tuple((here,) for here in range(len(self.provinces)))
        """For each province the tuple of it alone: shared, so that none is made for each order."""
        self.unit_of_stamp: tuple[Unit, ...] = self.units * len(board.powers)
        """A *stamp* is a unit and its power as one number, power times `len(units)` plus unit: so sorted stamps are sorted units."""
        self.stamps: tuple[int, ...] = tuple(range(len(self.unit_of_stamp)))
        """The stamps themselves, to be shared."""

    def _goes(self, unit: Unit) -> dict[int, tuple[int, ...]]:
        found: dict[int, list[int]] = {}
        for to in sorted(self.board.neighbours(unit.kind, unit.at)):
            found.setdefault(self.number[to.province], []).append(self.unit_number[Unit(unit.kind, to)])
        return {province: tuple(numbers) for province, numbers in sorted(found.items())}

    @cached_property
    def steps(self) -> tuple[tuple[tuple[int, Location], ...], ...]:
        """For each unit the locations it can go to in one step, sorted, each with its province."""
        return tuple(tuple((self.number[to.province], to) for to in self.steps_of(number)) for number in range(len(self.units)))

    @cached_property
    def claims(self) -> tuple[tuple[str, Power] | None, ...]:
        """By stamp the centre that the unit stands in, with the unit's power; None for units that stand in none."""
        centres = self.board.centres
        return tuple(
            (unit.at.province, power) if unit.at.province in centres else None for power in self.board.powers for unit in self.units
        )

    def take_centres(self, owners: dict[str, Power], stamps: Iterable[int]) -> None:
        """Let each of these units take the centre it stands in."""
        claims = self.claims
        for stamp in stamps:
            claim = claims[stamp]
            if claim:
                owners[claim[0]] = claim[1]

    @cached_property
    def centre_at(self) -> dict[str, str]:
        """The supply centre that each location belongs to, for locations that belong to one."""
        return {unit.at: unit.at.province for unit in self.units if unit.at.province in self.board.centres}

    @cached_property
    def standing(self) -> dict[tuple[str, int], tuple[int, ...]]:
        """For a kind and a province, the units that can stand there (one for each coast the kind tells apart)."""
        found: dict[tuple[str, int], list[int]] = {}
        for number, unit in enumerate(self.units):
            found.setdefault((unit.kind, self.province_of[number]), []).append(number)
        return {key: tuple(numbers) for key, numbers in found.items()}

    @cached_property
    def borders(self) -> tuple[int, ...]:
        """For each province the set of those it touches, for any kind of unit."""
        touching = [0] * len(self.provinces)
        for number, reach in enumerate(self.reach):
            here = self.province_of[number]
            touching[here] |= reach
            for other in bits(reach):
                touching[other] |= 1 << here
        return tuple(touching)

    @cached_property
    def links(self) -> dict[int, int]:
        """For each province whose fleets may convoy, what they touch from there; none for `split_waters`."""
        return {
            self.province_of[n]: self.reach[n]
            for n, can in enumerate(self.can_carry)
            if can and self.province_of[n] not in self.split_waters
        }

    @cached_property
    def split_waters(self) -> frozenset[int]:
        """Provinces whose fleets may convoy from several coasts, so that what they touch hangs on where they stand."""
        places = [self.province_of[n] for n, can in enumerate(self.can_carry) if can]
        return frozenset(here for here in places if places.count(here) > 1)

    def ferries(self, start: int, end: int) -> int:
        """The provinces from which a fleet carries an army from `start` to `end` all by itself, as a set."""
        shores = 1 << start | 1 << end
        return sum(1 << here for here, touched in self.links.items() if touched & shores == shores)

    def pairs(self, start: int, end: int) -> tuple[int, ...]:
        """The pairs of provinces from which two fleets carry an army from `start` to `end`, each as a set."""
        shores = 1 << start | 1 << end
        seas = [(here, touched) for here, touched in self.links.items() if not shores >> here & 1]
        last = [(1 << here, here) for here, touched in seas if touched >> end & 1]
        return tuple([1 << here | bit for here, touched in seas if touched >> start & 1 for bit, there in last if touched >> there & 1])

    def mates(self, unit: int, start: int, end: int) -> int:
        """The provinces from which a fleet together with the fleet `unit` carries an army from `start` to `end`, both needed, as a set."""
        here, reach = self.province_of[unit], self.reach[unit]
        near, far = (start, end) if reach >> start & 1 else (end, start)
        if reach >> far & 1 or not reach >> near & 1:
            return 0
        # Only the one touches the near shore, only the other the far one (see `convoys.is_needed`).
        found = [
            1 << other for other, touched in self.links.items() if reach >> other & touched >> here & touched >> far & ~touched >> near & 1
        ]
        return sum(found) & ~(1 << start | 1 << end | 1 << here)

    @cached_property
    def sea_reach(self) -> tuple[int, ...]:
        """For each province the set of those that an army could be convoyed to if fleets stood everywhere."""
        carriers = [number for number, can in enumerate(self.can_carry) if can]
        links: dict[int, int] = {}
        for number in carriers:
            here = self.province_of[number]
            links[here] = links.get(here, 0) | self.reach[number]
        afloat = sum(1 << here for here in links)
        basins = _basins(links, afloat)
        landings = sum({1 << self.province_of[n] for n, carried in enumerate(self.is_carried) if carried})
        return tuple(
            sum({1 << to for basin, shore in basins if shore >> here & 1 and basin & ~(1 << here) for to in bits(shore & landings)})
            & ~(1 << here)
            for here in range(len(self.provinces))
        )

    def named(self, mask: int) -> tuple[Location, ...]:
        """The provinces of a set as locations."""
        return tuple(Location(self.provinces[n]) for n in bits(mask))

    def places(self, numbers: tuple[int, ...] | list[int]) -> tuple[Location, ...]:
        """Where the units of these numbers stand, sorted."""
        return tuple(sorted(self.units[n].at for n in numbers))

    def steps_of(self, number: int) -> tuple[Location, ...]:
        """Where a unit can go in one step, with coasts, sorted."""
        return self.places([to for choices in self.goes[number].values() for to in choices])


def _standing_places(board: Board, kind: str) -> set[Location]:
    """Where units of `kind` can stand: on the coasts that its passages tell apart, else in the province as a whole."""
    passages = board.passages[kind]
    places = set(passages) | {to for reached in passages.values() for to in reached}
    named = {place.province for place in places}
    terrains = board.kinds[kind].terrains
    return places | {Location(p.id) for p in board.provinces.values() if p.terrain in terrains and p.id not in named}


def _basins(links: dict[int, int], afloat: int) -> list[tuple[int, int]]:
    """Connected waters, each with the set of provinces its fleets touch."""
    found: list[tuple[int, int]] = []
    left = afloat
    while left:
        basin = grown = left & -left
        shore = 0
        while grown:
            touched = 0
            for here in bits(grown):
                touched |= links[here]
            shore |= touched
            grown = touched & afloat & ~basin
            basin |= grown
        found.append((basin, shore))
        left &= ~basin
    return found
