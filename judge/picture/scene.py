"""What stands on one picture: units, dots, labels, and the lines and marks that `deeds` adds."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from judge.board import Board, Location, Power
from judge.picture.drawing import Drawing
from judge.picture.geometry import Point
from judge.picture.ground import frontiers, holders, owned
from judge.picture.labels import Crowd, place_labels
from judge.picture.pieces import Piece
from judge.picture.style import NOBODY, SEA, Look
from judge.picture.symbols import centre_dot, fallen_ring, token
from judge.picture.tracks import Track, sampled
from judge.rules import Position, Unit


@dataclass
class Scene:
    """Gathers the pieces of one picture, layer by layer."""

    drawing: Drawing
    board: Board
    looks: Mapping[Power, Look]
    before: Position
    owners: Mapping[str, Power]
    fresh: frozenset[str] = frozenset()
    lines: list[Piece] = field(default_factory=list)
    rings: list[Piece] = field(default_factory=list)
    tokens: list[Piece] = field(default_factory=list)
    marks: list[Piece] = field(default_factory=list)
    tracks: list[Track] = field(default_factory=list)

    def spot(self, at: Location) -> Point:
        """Where a unit at that location stands, in whole px."""
        anchor = self.drawing.anchors[at.province]
        x, y = anchor.coasts.get(at.coast, anchor.unit) if at.coast else anchor.unit
        return (float(round(x)), float(round(y)))

    def waiting_spot(self, at: Location) -> Point:
        """Where the dislodged unit of a province waits beside its conqueror."""
        x, y = self.drawing.anchors[at.province].dislodged
        return (float(round(x)), float(round(y)))

    def stand(self, power: Power, unit: Unit, at: Point, faded: bool = False) -> None:
        """Put a unit on the map."""
        piece = token(self.drawing, unit.kind, self.looks[power], faded)
        self.tokens.append(Piece(piece.svg, piece.box, at, piece.uses))

    def stand_all(self) -> None:
        """Put every unit of the position on the map, and the dislodged beside their conquerors."""
        for power, units in sorted(self.before.units.items()):
            for unit in units:
                self.stand(power, unit, self.spot(unit.at))
        for fallen in self.before.dislodged:
            at = self.waiting_spot(fallen.unit.at)
            self.rings.append(fallen_ring(at))
            self.stand(fallen.power, fallen.unit, at)

    def posts(self) -> list[Point]:
        """Middles of all units that stand."""
        return [*(piece.at for piece in self.tokens)]

    def pieces(self) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
        """The ground, and all that lies over the board: frontiers, lines, labels, dots, units, marks."""
        held = holders(self.drawing, self.board, Position(self.before.phase, self.before.units, self.owners))
        crowd = Crowd()
        crowd.add_points(sampled(self.tracks, 3.5))
        for piece in self.tokens:
            crowd.add_box((piece.at[0] - 11, piece.at[1] - 10, piece.at[0] + 13, piece.at[1] + 11), 4)
        for piece in self.marks:
            crowd.add_box((piece.at[0] - 7, piece.at[1] - 7, piece.at[0] + 7, piece.at[1] + 7), 3)
        dots = self._dots()
        for piece in dots:
            crowd.add_box((piece.at[0] - 5, piece.at[1] - 5, piece.at[0] + 5, piece.at[1] + 5), 3)
        grounds = {area.id: self._ground(area.id, area.kind, held) for area in self.drawing.areas}
        labels = place_labels(self.drawing, grounds, crowd)
        ground = tuple(owned(self.drawing, held, self.looks))
        return ground, (*frontiers(self.drawing, held), *self.lines, *labels, *dots, *self.rings, *self.tokens, *self.marks)

    def _ground(self, name: str, kind: str, held: Mapping[str, Power]) -> str:
        if kind != "land":
            return SEA
        return self.looks[held[name]].tint if name in held else NOBODY

    def _dots(self) -> list[Piece]:
        out = []
        for name in sorted(self.board.centres):
            dot = self.drawing.anchors[name].dot
            if dot is not None:
                owner = self.owners.get(name, "")
                piece = centre_dot(self.drawing, self.looks[owner] if owner else None, name in self.fresh)
                out.append(Piece(piece.svg, piece.box, (float(round(dot[0])), float(round(dot[1]))), piece.uses))
        return out
