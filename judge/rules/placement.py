"""The units of a position on the board in numbers."""

from judge.board.powers import Power
from judge.rules.position import ImpossiblePosition, Position
from judge.rules.variant import Variant


class Placement:
    """Where the units of one position stand; every list has one entry for each province.

    `at` the unit there, `own` its power (by place in the variant's list), -1 where there is none; `stamp` power and unit as one
    number; `roster` the provinces of each power's units.
    """

    __slots__ = ("at", "known_fleets", "own", "roster", "stamp", "tables")

    def __init__(self, position: Position, variant: Variant) -> None:
        """Place the units of `position`.  Raises `ImpossiblePosition`."""
        tables = self.tables = variant.tables
        self.known_fleets: tuple[int, dict[int, int]] | None = None
        placing, size = tables.placing, len(tables.units)
        at = self.at = [-1] * len(tables.provinces)
        own = self.own = at[:]
        stamp = self.stamp = at[:]
        roster: list[tuple[Power, list[int]]] = []
        self.roster = roster
        strangers = len(position.units)
        for power, name in enumerate(variant.powers):
            units = position.units.get(name)
            if units is None:
                continue
            strangers -= 1
            places = []
            for unit in units:
                try:
                    number, here = placing[unit.kind][unit.at]
                except KeyError as problem:
                    raise ImpossiblePosition("unknown_unit", str(unit)) from problem
                if at[here] >= 0:
                    raise ImpossiblePosition("two_units", tables.provinces[here])
                at[here] = number
                own[here] = power
                stamp[here] = power * size + number
                places.append(here)
            roster.append((name, places))
        if strangers:
            raise ImpossiblePosition("unknown_power", ", ".join(sorted(set(position.units) - set(variant.powers))))

    def fleets(self) -> tuple[int, dict[int, int]]:
        """The fleets that can convoy from where they stand, as a set of provinces, and what each touches."""
        if self.known_fleets is None:
            tables = self.tables
            links = {tables.province_of[unit]: tables.reach[unit] for unit in self.at if unit >= 0 and tables.can_carry[unit]}
            self.known_fleets = (sum([1 << here for here in links]), links)
        return self.known_fleets


def place_units(position: Position, variant: Variant) -> Placement:
    """The units of `position` in numbers, worked out when first asked for.  Raises `ImpossiblePosition`."""
    try:
        known = position.placement
    except AttributeError:
        known = None
    if isinstance(known, Placement) and known.tables is variant.tables:
        return known
    placement = Placement(position, variant)
    object.__setattr__(position, "placement", placement)  # a frozen position; its placement is no part of its value
    return placement
