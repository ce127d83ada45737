"""What orders do to a position: legality, adjudication, retreats, adjustments, victory; values in, values out.

What people may write is `language`; who may order when, and who is told, is `game`.
"""

from judge.rules.adjudication import Adjudication, adjudicate
from judge.rules.casefile import read_case, read_position, write_outcome, write_result
from judge.rules.duties import Duty, duties
from judge.rules.legality import why_illegal
from judge.rules.notation import (
    BadNotation,
    read_location,
    read_order,
    read_phase,
    read_unit,
    write_order,
    write_phase,
    write_unit,
)
from judge.rules.options import legal_orders
from judge.rules.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    Unit,
    UnitOrder,
    Waive,
)
from judge.rules.phases import Calendar, Phase, Step
from judge.rules.position import Dislodgement, ImpossiblePosition, Position
from judge.rules.retreats import retreat_choices, retreats_of
from judge.rules.rulebook import CHOICES, EDITIONS, Rulebook
from judge.rules.variant import Variant
from judge.rules.verdicts import Illegal, OrderOf, Outcome, Refused, Verdict, Why

__all__ = [
    "CHOICES",
    "EDITIONS",
    "Adjudication",
    "BadNotation",
    "Build",
    "Calendar",
    "Convoy",
    "Disband",
    "Dislodgement",
    "Duty",
    "Hold",
    "Illegal",
    "ImpossiblePosition",
    "Move",
    "Order",
    "OrderOf",
    "Outcome",
    "Phase",
    "Position",
    "Refused",
    "Retreat",
    "Rulebook",
    "Step",
    "SupportHold",
    "SupportMove",
    "Unit",
    "UnitOrder",
    "Variant",
    "Verdict",
    "Waive",
    "Why",
    "adjudicate",
    "duties",
    "legal_orders",
    "read_case",
    "read_location",
    "read_order",
    "read_phase",
    "read_position",
    "read_unit",
    "retreat_choices",
    "retreats_of",
    "why_illegal",
    "write_order",
    "write_outcome",
    "write_phase",
    "write_result",
    "write_unit",
]
