"""Titles, counts and keys of pictures that stand alone, in one language."""

from judge.board import Board
from judge.language import Pen
from judge.picture import Caption
from judge.report.filters import upfirst
from judge.rules import Position

KEY = (
    *("centre", "move", "failed", "support", "cut", "guard", "convoy", "dislodged", "build", "removed"),
    *("open", "barred", "bridge", "strait", "waterway", "army", "fleet", "both"),
)
"""Symbols of the key after the kinds of unit; the words are the catalogue's ``map.centre`` and so on."""


def caption_of(pen: Pen, board: Board, position: Position, subtitle: str = "", with_key: bool = True) -> Caption:
    """The phase as title, each power with its centres, and the key of symbols."""
    counts = {power: sum(owner == power for owner in position.owners.values()) for power in board.powers}
    kinds = [
        (kind, pen.lexicon.units[kind].subject[0]) for kind in board.kinds if kind in pen.lexicon.units and pen.lexicon.units[kind].subject
    ]
    carries = any(kind.convoys for kind in board.kinds.values())
    wanted = [symbol for symbol in KEY if pen.phrases.knows(f"map.{symbol}") and (carries or symbol != "convoy")]
    key = (*kinds, *((symbol, pen.phrases.say(f"map.{symbol}")) for symbol in wanted)) if with_key else ()
    powers = tuple((power, pen.power(power), counts[power]) for power in board.powers)
    return Caption(upfirst(pen.phase(position.phase)), subtitle, powers, key)
