"""Lines that are not done at once: orders for later phases with their conditions, and guesses for a preview."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from judge.board import Power
from judge.game import AheadOrder, BadCondition, Game, NotHere
from judge.language.conditions import Branch, ConditionReader, enter, turn
from judge.language.linereading import LineReading
from judge.language.requests import Line
from judge.rules import Build, Order, Phase, Position, Step, Variant, Waive

BRANCHING = frozenset({"if", "elseif", "else", "endif"})
"""Words of conditions; they mean something only below PHASE."""


@dataclass
class Plan:
    """The part of a mail below a PHASE line: which phase it is for, and the IFs that are open."""

    phase: Phase
    branches: tuple[Branch, ...] = ()

    def branch(self, line: Line, conditions: ConditionReader) -> None:
        """Take an IF, ELSE IF, ELSE or ENDIF.  Raises `BadCondition`."""
        match line.command:
            case "if":
                self.branches = enter(self.branches, conditions.read(line.rest))
            case "elseif":
                self.branches = turn(self.branches, conditions.read(line.rest))
            case "else":
                self.branches = turn(self.branches, ())
            case _:
                if not self.branches:
                    raise BadCondition(line.text)
                self.branches = self.branches[:-1]

    def orders(self, orders: Iterable[Order], line: str, at: datetime, mail: int) -> tuple[AheadOrder, ...]:
        """Orders of one line, under the conditions that are open."""
        when = self.branches[-1].holds if self.branches else ()
        return tuple(AheadOrder(self.phase, order, when, line, at, mail) for order in orders)

    def wait(self, line: str, at: datetime, mail: int) -> AheadOrder:
        """A wish to wait in that phase."""
        return AheadOrder(self.phase, None, self.branches[-1].holds if self.branches else (), line, at, mail)


def outside(line: Line) -> NotHere:
    """The fault of a line that means something only below PHASE."""
    return NotHere(line.text[:200])


@dataclass
class Guesses:
    """The part of a mail below a PREVIEW line: orders of anybody's units, as the asker imagines them."""

    readings: list[LineReading] = field(default_factory=list)


def stage_of(position: Position, phase: Phase) -> Position:
    """The board on which orders for a later phase are read: the present one, taken to be in that phase.

    Nothing is known of dislodgements then, so every unit counts as one that may be meant.
    """
    return (
        position if position.phase == phase else replace(position, phase=phase, dislodged=(), standoffs=frozenset(), attacked=frozenset())
    )


def guessed_orders(game: Game, own: Power, readings: Iterable[LineReading], variant: Variant) -> Mapping[Power, tuple[Order, ...]]:
    """The asker's orders on file, with everything that was guessed in the place of what it is about; nobody else's are looked at."""
    orders: dict[Power, list[Order]] = {own: [filed.order for filed in game.orders.get(own, ())]} if own else {}
    heading = ""
    for reading in readings:
        heading = reading.power or heading
        powers = reading.powers or ("",) * len(reading.orders)
        for said, order in zip(powers, reading.orders, strict=True):
            power = _owner(order, game.position) or said or reading.power or heading or own
            if power not in variant.powers:
                continue
            kept = [old for old in orders.get(power, []) if isinstance(order, Waive) or _place(old) != _place(order)]
            orders[power] = [*kept, order]
    return {power: tuple(given) for power, given in orders.items()}


def _owner(order: Order, position: Position) -> Power:
    """Whose unit an order is about; "" where that is not to be seen."""
    if isinstance(order, Waive | Build):
        return ""
    at = order.unit.at.province
    if position.phase.step is Step.RETREAT:
        return next((each.power for each in position.dislodged if each.unit.at.province == at), "")
    return next((power for power, units in position.units.items() if any(unit.at.province == at for unit in units)), "")


def _place(order: Order) -> str:
    return "" if isinstance(order, Waive) else order.unit.at.province
