"""Receipts: a short mark of the orders one mail has filed, printed in the answer and shown again on request.

With it "it did an order I never gave" can be answered: the mail's number, and letters that only these orders give.
"""

from collections.abc import Iterable
from hashlib import sha256

from judge.board import Power
from judge.game.model import FiledOrder
from judge.rules import Order, Phase, write_order

_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # no I, L, O, U, which are mistaken for others
LETTERS = 5


def receipt_of(phase: Phase, power: Power, mail: int, orders: Iterable[Order]) -> str:
    """The receipt of a mail's orders, whatever their sequence.

    >>> from judge.rules import read_order, read_phase
    >>> receipt_of(read_phase("S1901M"), "FRANCE", 18, [read_order("A PAR - BUR"), read_order("A MAR H")])
    '18-DFFP3'
    """
    text = "\n".join([str(phase), power, *sorted(map(write_order, orders))])
    number = int.from_bytes(sha256(text.encode()).digest(), "big")
    return f"{mail}-" + "".join(_LETTERS[number >> 5 * place & 31] for place in range(LETTERS))


def newest_receipt(phase: Phase, power: Power, filed: Iterable[FiledOrder]) -> str:
    """The receipt of the newest mail among orders on file; "" where there are none."""
    kept = tuple(filed)
    if not kept:
        return ""
    mail = max(each.mail for each in kept)
    return receipt_of(phase, power, mail, (each.order for each in kept if each.mail == mail))
