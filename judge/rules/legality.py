"""Is this order possible, not knowing any other order?"""

from judge.board.powers import Power
from judge.rules.orders import Order
from judge.rules.position import Position
from judge.rules.variant import Variant
from judge.rules.verdicts import Illegal


def why_illegal(order: Order, power: Power, position: Position, variant: Variant) -> Illegal | None:
    """Why `power` cannot give `order` in this position, whatever others do; None if it can."""
    raise NotImplementedError
