"""What stands on one picture: units, dots, labels, and the lines and marks that `deeds` adds."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from math import hypot, pi

from judge.board import Board, Location, Power
from judge.picture.drawing import Drawing
from judge.picture.geometry import Point, box_at, overlap, polar
from judge.picture.ground import frontiers, owned
from judge.picture.labels import Crowd, label_size, place_labels
from judge.picture.pieces import Piece
from judge.picture.style import NOBODY, SEA, Look
from judge.picture.symbols import centre_dot, fallen_ring, token
from judge.picture.tracks import Track, sampled
from judge.rules import Position, Unit

_APART = 28.0
"""px from a dislodged unit to its conqueror, so that neither hides the other."""


@dataclass
class Scene:
    """Gathers the pieces of one picture, layer by layer.

    `owners` of the centres' dots and `held`, whose colour each land has, are as they shall be shown; `fresh` centres are ringed.
    """

    drawing: Drawing
    board: Board
    looks: Mapping[Power, Look]
    before: Position
    owners: Mapping[str, Power]
    held: Mapping[str, Power]
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
        """Where the dislodged unit of a place waits beside its conqueror, in whole px."""
        anchor, (x, y) = self.drawing.anchors[at.province], self.spot(at)
        dx, dy = anchor.dislodged[0] - anchor.unit[0], anchor.dislodged[1] - anchor.unit[1]
        stretch = max(1.0, _APART / (hypot(dx, dy) or _APART))
        return (float(round(x + dx * stretch)), float(round(y + dy * stretch)))

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
        crowd = Crowd(self.drawing.size)
        crowd.add_points(sampled(self.tracks, 3.5))
        for piece in self.tokens:
            crowd.add_box((piece.at[0] - 13, piece.at[1] - 10, piece.at[0] + 17, piece.at[1] + 11), 7)
        for piece in self.rings:
            crowd.add_box((piece.at[0] - 15, piece.at[1] - 15, piece.at[0] + 15, piece.at[1] + 15), 4)
        for piece in self.marks:
            crowd.add_box((piece.at[0] - 7, piece.at[1] - 7, piece.at[0] + 7, piece.at[1] + 7), 3)
        dots = self._dots()
        for piece in dots:
            crowd.add_box((piece.at[0] - 5, piece.at[1] - 5, piece.at[0] + 5, piece.at[1] + 5), 3)
        grounds = {area.id: self._ground(area.id, area.kind) for area in self.drawing.areas}
        labels = place_labels(self.drawing, grounds, crowd)
        ground = tuple(owned(self.drawing, self.held, self.looks))
        return ground, (*frontiers(self.drawing, self.held), *self.lines, *labels, *dots, *self.rings, *self.tokens, *self.marks)

    def _ground(self, name: str, kind: str) -> str:
        if kind != "land" or name in self.drawing.labelled_at_sea:
            return SEA
        return self.looks[self.held[name]].tint if name in self.held else NOBODY

    def _dots(self) -> list[Piece]:
        out = []
        for name in sorted(self.board.centres):
            owner = self.owners.get(name, "")
            piece = centre_dot(self.drawing, self.looks[owner] if owner else None, name in self.fresh)
            x, y = dot_spot(self.drawing, name)
            out.append(Piece(piece.svg, piece.box, (float(round(x)), float(round(y))), piece.uses))
        return out


@lru_cache(maxsize=4096)
def dot_spot(drawing: Drawing, name: str) -> Point:
    """Where the dot of a centre goes; on a board that makes a centre of another's plain land, the first free place about its unit."""
    anchor = drawing.anchors[name]
    if anchor.dot is not None:
        return anchor.dot
    label_box = box_at(anchor.label, *label_size(drawing, name))
    inside = drawing.insides.get(name)
    around = [polar(anchor.unit, radius, step * pi / 8) for radius in (20.0, 26.0, 32.0) for step in range(16)]
    free = [spot for spot in around if not overlap(box_at(spot, 14, 14), label_box)]
    return next((spot for spot in free if inside is None or inside.holds(box_at(spot, 10, 10))), around[11])
