"""Units, owners, dislodgements and standoffs at one moment."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from judge.board.places import Location
from judge.board.powers import Power
from judge.errors import PlayerError
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


class Placed:
    """A position that remembers how its units stand on a board in numbers, so that this is worked out only once."""

    __slots__ = ("placement",)
    placement: object
    """Set by `placement.place_units`; not part of the position's value."""


@dataclass(frozen=True, slots=True)
class Position(Placed):
    """Everything on the board as `phase` begins.

    `units` by power, each tuple sorted, the dislodged not among them; `owners` the owner of each owned centre (province id), none at
    all where they are not known (then every adjustment phase counts as due);
    `standoffs` provinces left empty by a standoff and `attacked` spaces attacked in the movement before (both only in retreat phases).
    """

    phase: Phase
    units: Mapping[Power, tuple[Unit, ...]]
    owners: Mapping[str, Power]
    dislodged: tuple[Dislodgement, ...] = ()
    standoffs: frozenset[str] = field(default=frozenset())
    attacked: frozenset[str] = field(default=frozenset())


FAULTS = {
    "two_units": "two units in one province",
    "unknown_unit": "no such unit on this board (kind, place or coast)",
    "unknown_power": "no such power on this board",
    "unknown_phase": "no such phase in this calendar",
    "unknown_place": "no such place on this board",
    "not_a_centre": "not a supply centre",
    "two_owners": "a centre with two owners",
    "owners_missing": "an adjustment phase needs `centers`",
    "dislodged_missing": "a retreat phase needs `dislodged`",
    "not_a_case": "not in the form of a case",
}
"""What can be wrong with a position, for operators and programs."""


@dataclass(eq=False)
class ImpossiblePosition(PlayerError):
    """Things stand where they cannot: two units in one province, a kind or place the board does not have, a phase not in its calendar.

    `fault` is one of `FAULTS`; `text` what is at fault.
    """

    code: ClassVar[str] = "impossible_position"
    fault: str
    text: str

    def __str__(self) -> str:
        return f"{FAULTS[self.fault]}: {self.text}"
