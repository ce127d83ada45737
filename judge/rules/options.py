"""Every legal order of a unit, for help mails and random games."""

from collections.abc import Mapping

from judge.board.powers import Power
from judge.rules.orders import Order
from judge.rules.position import Position
from judge.rules.variant import Variant


def legal_orders(position: Position, variant: Variant) -> Mapping[Power, Mapping[str, tuple[Order, ...]]]:
    """Every legal order by power and unit (``A PAR``); in an adjustment phase by building site (``PAR``) or unit to be removed."""
    raise NotImplementedError
