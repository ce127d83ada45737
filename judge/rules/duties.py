"""Who owes or may give what in a phase, and which phase comes next."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from judge.board.places import Location
from judge.board.powers import Power
from judge.rules.adjustments import buildable, building_sites, builds_due, removals_due
from judge.rules.orders import Unit
from judge.rules.phases import Phase, Step
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
    return {power: duty for power, duty in found.items() if duty != _NOTHING}


_NOTHING = Duty()


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

    `done` is the position after the step of its phase is done and nobody may retreat (any more).
    """
    phase, owners, won = next_due(done.phase, done.units, done.owners, False, variant)
    return Position(phase, done.units, owners), won


def next_due(
    phase: Phase,
    units: Mapping[Power, tuple[Unit, ...]],
    owners: Mapping[str, Power],
    retreating: bool,
    variant: Variant,
    stamps: Sequence[int] = (),
) -> tuple[Phase, Mapping[str, Power], Power | None]:
    """After `phase`, the next one in which somebody owes or may give an order, the owners then, and the winner if there is one.

    On the way centres change hands when their time has come (rulebook "Controlling supply centres").  Where owners are not known,
    every adjustment is due.  `stamps` are the units in numbers, where that is known: so it is quicker.
    """
    almanac = variant.almanac
    onward = almanac.onward
    year, index = almanac.place(phase)
    won = counts = None
    round_long = len(onward)
    for passed in range(2 * round_long):
        index, step, years, is_counted = onward[index]
        year += years
        if is_counted and owners:
            owners = {**owners}
            if stamps:
                variant.tables.take_centres(owners, stamps)
            else:
                owners.update(centres_held(units, variant))
            counts = count_owned(owners, variant)
            won = winner(counts, variant)
            if won is not None:
                break
        if step is RETREAT:
            if retreating:
                break
        elif step is MOVEMENT:
            if units or passed + 1 >= round_long:  # nobody owes anything for a whole round: no unit is left
                break
        elif not owners or _adjustments_due(units, owners, counts or count_owned(owners, variant), variant):
            break
    return almanac.phase(year, index), owners, won


RETREAT, MOVEMENT = Step.RETREAT, Step.MOVEMENT


def centres_held(units: Mapping[Power, tuple[Unit, ...]], variant: Variant) -> dict[str, Power]:
    """Every centre that a unit stands in, with that unit's power."""
    centre_at = variant.tables.centre_at.get
    return {centre: power for power, standing in units.items() for unit in standing if (centre := centre_at(unit.at)) is not None}


def count_owned(owners: Mapping[str, Power], variant: Variant) -> dict[Power, int]:
    """How many centres each power owns."""
    counts = dict.fromkeys(variant.powers, 0)
    for power in owners.values():
        counts[power] += 1
    return counts


def _adjustments_due(
    units: Mapping[Power, tuple[Unit, ...]],
    owners: Mapping[str, Power],
    counts: Mapping[Power, int],
    variant: Variant,
) -> bool:
    """Whether any power must remove or may build; `counts` are the centres each owns."""
    builders = []
    for power, count in counts.items():
        due = count - len(units.get(power, ()))
        if due < 0:
            return True
        if due:
            builders.append(power)
    if not builders:
        return False
    # A home centre that is owned and free is a site by every edition; only where none is must it be looked at closely.
    held = centres_held(units, variant)
    homes = variant.board.homes
    for power in builders:
        for home in homes[power]:
            if owners.get(home) == power and home not in held:
                return True
    position = Position(variant.start.phase, units, owners)
    return any(building_sites(position, power, variant) for power in builders)
