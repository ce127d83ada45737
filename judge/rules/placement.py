"""The units of a position on the board in numbers."""

from judge.rules.position import ImpossiblePosition, Position
from judge.rules.tables import picker
from judge.rules.variant import Variant
from judge.rules.verdicts import Verdict


class Placement:
    """Where the units of one position stand.

    By province: `at` the unit there, `own` its power (by place in the variant's list), `stamp` both as one number, each -1 where there
    is none.  `heres` the provinces of all units, powers in their order; `counts` how many units each power has that has any.
    `holding` is the verdict on each while all hold.
    `pick` takes the entries of all units out of a list by province.
    `afloat` the fleets that can convoy from where they stand, as a set of provinces, and `links` what each touches.
    """

    __slots__ = ("afloat", "at", "counts", "heres", "holding", "links", "own", "pick", "stamp", "tables")

    def __init__(self, position: Position, variant: Variant) -> None:
        """Place the units of `position`.  Raises `ImpossiblePosition`."""
        tables = self.tables = variant.tables
        placing, stamps, size = tables.placing, tables.stamps, len(tables.units)
        at = self.at = [-1] * len(tables.provinces)
        own = self.own = at[:]
        stamp = self.stamp = at[:]
        heres: list[int] = []
        self.heres = heres
        self.counts = [(name, len(units)) for name in variant.powers if (units := position.units.get(name))]
        for power, name in enumerate(variant.powers):
            for unit in position.units.get(name, ()):
                try:
                    number, here = placing[unit.kind][unit.at]
                except KeyError as problem:
                    raise ImpossiblePosition("unknown_unit", str(unit)) from problem
                if at[here] >= 0:
                    raise ImpossiblePosition("two_units", tables.provinces[here])
                at[here] = number
                own[here] = power
                stamp[here] = stamps[power * size + number]
                heres.append(here)
        strangers = position.units.keys() - variant.board.homes.keys()
        if strangers:
            raise ImpossiblePosition("unknown_power", ", ".join(sorted(strangers)))
        self.pick = picker(heres)
        self.holding = dict.fromkeys([tables.provinces[here] for here in heres], Verdict.HOLDS)
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
