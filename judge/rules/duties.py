"""Who owes or may give what in a phase, and which phase comes next."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from judge.board.places import Location
from judge.board.powers import Power
from judge.rules.adjustments import buildable, building_sites, builds_due, removals_due
from judge.rules.orders import Unit
from judge.rules.phases import Step
from judge.rules.position import Position
from judge.rules.variant import Variant
from judge.rules.victory import winner


@dataclass(frozen=True, slots=True)
class Duty:
    """What one power may order in a phase.

    `units`: units to be moved, or the dislodged that have a retreat, or (with `removals`) those that may be removed;
    `builds` how many units it may build, on `sites` (locations, with coasts where a kind needs one; a province serves once);
    `removals` how many it must remove.
    """

    units: tuple[Unit, ...] = ()
    builds: int = 0
    sites: tuple[Location, ...] = ()
    removals: int = 0

    @property
    def is_owed(self) -> bool:
        """Whether a missing order counts as missed (builds may be left unused without asking)."""
        return bool(self.units)


def duties(position: Position, variant: Variant) -> Mapping[Power, Duty]:
    """What each power that has anything to order may or must order, powers in board order."""
    found = {power: _duty(position, power, variant) for power in variant.powers}
    return {power: duty for power, duty in found.items() if duty != Duty()}


def _duty(position: Position, power: Power, variant: Variant) -> Duty:
    units = position.units.get(power, ())
    match position.phase.step:
        case Step.MOVEMENT:
            return Duty(units=tuple(sorted(units)))
        case Step.RETREAT:
            return Duty(units=tuple(sorted(each.unit for each in position.dislodged if each.power == power and each.retreats)))
    removals = removals_due(position, power)
    if removals:
        return Duty(units=tuple(sorted(units)), removals=removals)
    builds = builds_due(position, power, variant)
    if not builds:
        return Duty()
    sites = {unit.at for site in building_sites(position, power, variant) for unit in buildable(site, variant)}
    return Duty(builds=builds, sites=tuple(sorted(sites)))


def advance(done: Position, variant: Variant) -> tuple[Position, Power | None]:
    """The position as the next phase begins in which somebody owes or may give an order, and the winner if there is one.

    `done` is the position after the step of its phase is done (its `dislodged` those who still may retreat).  On the way centres
    change hands when their time has come (rulebook "Controlling supply centres").  Where owners are not known, every adjustment is due.
    """
    calendar = variant.calendar
    units, owners = done.units, done.owners
    year, index = calendar.place(done.phase)
    won = None
    counts: Mapping[Power, int] = {}
    for passed in range(2 * len(calendar.round)):
        is_counted = owners and calendar.round[index] == calendar.counts_after
        index += 1
        if index == len(calendar.round):
            index = 0
            year += calendar.year_step
        if is_counted:
            owners = owners_after(units, owners, variant)
            counts = Counter(owners.values())
            won = winner(counts, variant)
            if won is not None:
                break
        step = calendar.round[index][1]
        if step is Step.RETREAT:
            if done.dislodged:
                return replace(done, phase=calendar.phase(year, index)), None
        elif step is Step.MOVEMENT:
            if units or passed + 1 >= len(calendar.round):  # nobody owes anything for a whole round: no unit is left
                break
        elif not owners or _adjustments_due(units, owners, counts or Counter(owners.values()), variant):
            break
    return Position(calendar.phase(year, index), units, owners), won


def owners_after(units: Mapping[Power, tuple[Unit, ...]], owners: Mapping[str, Power], variant: Variant) -> Mapping[str, Power]:
    """Owners once every centre with a unit in it has gone to that unit's power."""
    counted = dict(owners)
    centre_at = variant.tables.centre_at
    for power, standing in units.items():
        for unit in standing:
            centre = centre_at.get(unit.at)
            if centre is not None:
                counted[centre] = power
    return counted


def _adjustments_due(
    units: Mapping[Power, tuple[Unit, ...]], owners: Mapping[str, Power], counts: Mapping[Power, int], variant: Variant
) -> bool:
    """Whether any power must remove or may build; `counts` are the centres each power owns."""
    builders = []
    for power in variant.powers:
        due = counts.get(power, 0) - len(units.get(power, ()))
        if due < 0:
            return True
        if due:
            builders.append(power)
    if not builders:
        return False
    position = Position(variant.start.phase, units, owners)
    return any(building_sites(position, power, variant) for power in builders)
