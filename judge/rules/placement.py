"""The units of a position on the board in numbers."""

from judge.board.powers import Power
from judge.rules.position import ImpossiblePosition, Position
from judge.rules.variant import Variant


class Placement:
    """Where the units of one position stand.

    By province: `at` the unit there, `own` its power (by place in the variant's list), `stamp` both as one number, each -1 where there
    is none.  `owner` by unit the power whose unit that is (-1: there is no such unit; one more entry, -1, is for `NOBODY`).  `heres`
    the provinces of all units, `names` their ids, powers in their order; `counts` for each power, by number and name, how many units
    it has.  `afloat` the fleets that can convoy from where they stand, as a set of provinces, and `links` what each touches.
    """

    __slots__ = ("afloat", "at", "counts", "heres", "links", "names", "own", "owner", "stamp", "tables")

    def __init__(self, position: Position, variant: Variant) -> None:
        """Place the units of `position`.  Raises `ImpossiblePosition`."""
        tables = self.tables = variant.tables
        placing, size = tables.placing, len(tables.units)
        at = self.at = [-1] * len(tables.provinces)
        own = self.own = at[:]
        stamp = self.stamp = at[:]
        owner = self.owner = [-1] * (size + 1)
        heres: list[int] = []
        counts: list[tuple[int, Power, int]] = []
        self.heres, self.counts = heres, counts
        for power, name in enumerate(variant.powers):
            units = position.units.get(name)
            if units is None:
                continue
            for unit in units:
                try:
                    number, here = placing[unit.kind][unit.at]
                except KeyError as problem:
                    raise ImpossiblePosition("unknown_unit", str(unit)) from problem
                if at[here] >= 0:
                    raise ImpossiblePosition("two_units", tables.provinces[here])
                at[here] = number
                own[here] = owner[number] = power
                stamp[here] = power * size + number
                heres.append(here)
            counts.append((power, name, len(units)))
        if len(counts) < len(position.units):
            raise ImpossiblePosition("unknown_power", ", ".join(sorted(set(position.units) - set(variant.powers))))
        self.names = [tables.provinces[here] for here in heres]
        carriers = [here for here in heres if tables.can_carry[at[here]]]
        self.afloat = sum([1 << here for here in carriers])
        self.links = tables.links
        if tables.split_waters:
            self.links = tables.links | {here: tables.reach[at[here]] for here in carriers}


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
