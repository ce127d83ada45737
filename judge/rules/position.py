"""Units, owners, dislodgements and standoffs at one moment."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from judge.board.places import Location
from judge.board.powers import Power
from judge.rules.orders import Unit
from judge.rules.phases import Phase


@dataclass(frozen=True, slots=True)
class Dislodgement:
    """A unit driven out: whose, from where the attack came, by which unit, and where it may go (empty: it is destroyed).

    `attacked_from` is the province the attacker started from, "" where an attacker that came by convoy bars nothing (DATC 4.A.5).
    """

    power: Power
    unit: Unit
    attacked_from: str
    dislodged_by: str
    retreats: tuple[Location, ...] = ()


@dataclass(frozen=True, slots=True)
class Position:
    """Everything on the board as `phase` begins.

    `units` by power, each tuple sorted, the dislodged not among them; `owners` the owner of each owned centre (province id);
    `standoffs` provinces left empty by a standoff and `attacked` spaces attacked in the movement before (both only in retreat phases).
    """

    phase: Phase
    units: Mapping[Power, tuple[Unit, ...]]
    owners: Mapping[str, Power]
    dislodged: tuple[Dislodgement, ...] = ()
    standoffs: frozenset[str] = field(default=frozenset())
    attacked: frozenset[str] = field(default=frozenset())
