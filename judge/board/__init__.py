"""Facts of a map that never change during a game: provinces, borders, kinds of unit, powers.

What stands where, and what units may do to each other, is `rules`; names in other languages are `language`.
"""

from judge.board.graph import Board
from judge.board.places import Location, Province, Terrain, UnitKind
from judge.board.powers import Power

__all__ = ["Board", "Location", "Power", "Province", "Terrain", "UnitKind"]
