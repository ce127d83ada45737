"""Every legal order of a unit, for help mails and random games."""

from collections.abc import Iterator, Mapping

from judge.board.powers import Power
from judge.rules.adjustments import buildable
from judge.rules.convoys import has_route, is_needed
from judge.rules.duties import Duty, duties
from judge.rules.notation import write_order
from judge.rules.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, SupportHold, SupportMove
from judge.rules.phases import Step
from judge.rules.placement import place_units
from judge.rules.position import Position
from judge.rules.tables import Tables, bits
from judge.rules.variant import Variant


def legal_orders(position: Position, variant: Variant) -> Mapping[Power, Mapping[str, tuple[Order, ...]]]:
    """Every legal order by power and unit (``A PAR``); in an adjustment phase by building site (``PAR``) or unit to be removed.

    Supports name no coast, for those are good for every coast; `WAIVE` is not listed.
    """
    owing = duties(position, variant)
    match position.phase.step:
        case Step.MOVEMENT:
            possible = _Possible(position, variant)
            return {power: {str(unit): possible.orders(unit.at.province) for unit in duty.units} for power, duty in owing.items()}
        case Step.RETREAT:
            return {power: _retreats(power, position) for power in owing}
        case Step.ADJUSTMENT:
            return {power: _adjustments(duty, variant) for power, duty in owing.items()}


def _retreats(power: Power, position: Position) -> Mapping[str, tuple[Order, ...]]:
    return {
        str(fallen.unit): (*(Retreat(fallen.unit, to) for to in fallen.retreats), Disband(fallen.unit))
        for fallen in position.dislodged
        if fallen.power == power and fallen.retreats
    }


def _adjustments(duty: Duty, variant: Variant) -> Mapping[str, tuple[Order, ...]]:
    if duty.removals:
        return {str(unit): (Disband(unit),) for unit in duty.units}
    sites = sorted({site.province for site in duty.sites})
    return {site: tuple(map(Build, buildable(site, variant))) for site in sites}


class _Possible:
    """The legal movement orders of one position."""

    def __init__(self, position: Position, variant: Variant) -> None:
        self.tables: Tables = variant.tables
        placement = place_units(position, variant)
        self.at = placement.at
        self.units = [here for here, unit in enumerate(self.at) if unit >= 0]
        self.afloat, self.links = placement.afloat, placement.links
        self.by_sea = {here: self._landings(here, self.afloat) for here in self.units}

    def _landings(self, here: int, fleets: int) -> int:
        """Where the unit at `here` could be convoyed by `fleets`, as a set."""
        unit = self.at[here]
        if not self.tables.is_carried[unit]:
            return 0
        return sum(1 << to for to in bits(self.tables.sea_reach[here]) if has_route(self.links, fleets, here, to))

    def orders(self, province: str) -> tuple[Order, ...]:
        """Every order the unit there could be given, sorted by kind of order and by its text."""
        here = self.tables.number[province]
        unit = self.tables.units[self.at[here]]
        moves = sorted(self._moves(here), key=write_order)
        helps = sorted((*self._supports(here), *self._convoys(here)), key=write_order)
        return (Hold(unit), *moves, *helps)

    def _moves(self, here: int) -> Iterator[Order]:
        tables, number = self.tables, self.at[here]
        unit = tables.units[number]
        for landings in tables.goes[number].values():
            for landing in landings:
                yield Move(unit, tables.units[landing].at)
        for to in bits(self.by_sea[here]):
            shore = tables.units[tables.standing[unit.kind, to][0]].at
            if to not in tables.goes[number]:
                yield Move(unit, shore)
            yield Move(unit, shore, via=True)

    def _supports(self, here: int) -> Iterator[Order]:
        tables, reach = self.tables, self.tables.reach[self.at[here]]
        unit = tables.units[self.at[here]]
        for of in self.units:
            if of == here:
                continue
            other = tables.units[self.at[of]]
            if reach >> of & 1:
                yield SupportHold(unit, other)
            by_sea = self.by_sea[of]
            if self.afloat >> here & 1:
                by_sea = self._landings(of, self.afloat & ~(1 << here))
            for to in bits((tables.reach[self.at[of]] | by_sea) & reach & ~(1 << of)):
                yield SupportMove(unit, other, tables.named(1 << to)[0])

    def _convoys(self, here: int) -> Iterator[Order]:
        if not self.afloat >> here & 1:
            return
        tables = self.tables
        unit = tables.units[self.at[here]]
        for of in self.units:
            for to in bits(self.by_sea[of] & ~(1 << here)):
                if of != here and is_needed(self.links, self.afloat, here, of, to):
                    yield Convoy(unit, tables.units[self.at[of]], tables.named(1 << to)[0])
