"""Names on the map, moved aside where an order or a unit would run through them."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import cos, pi, sin

from judge.picture.drawing import Anchor, Drawing
from judge.picture.geometry import Box, Point, box_at
from judge.picture.lettering import Hand
from judge.picture.pieces import Piece, lettered
from judge.picture.style import SEA_TEXT, SECOND_TEXT, TEXT

_LAND_CODE = Hand("bold", 12.5, 0.8)
_LAND_NAME = Hand("text", 9.8, 0.25)
_SEA_NAME = Hand("sea", 12.5, 0.5)
_SEA_CODE = Hand("bold", 10.4, 1.2)
_ROWS = {_LAND_CODE: 11.2, _LAND_NAME: 9.6, _SEA_NAME: 11.8, _SEA_CODE: 10.9}
"""Height of a row in each hand, in px."""

_CELL = 4
_STEPS = tuple((radius, direction * pi / 8) for radius in (6.0, 11.0, 17.0, 24.0, 32.0, 42.0) for direction in range(16))
_FAR = tuple((radius, direction * pi / 8) for radius in (54.0, 68.0, 84.0) for direction in range(16))


class Crowd:
    """How full each small square of a map of that size (px) is; what lies beyond its frame does not count."""

    def __init__(self, size: tuple[int, int]) -> None:
        self._rows = [[0] * (size[0] // _CELL + 1) for _ in range(size[1] // _CELL + 1)]

    def add_points(self, points: Iterable[Point], weight: int = 2) -> None:
        """A line through these points, dense enough to leave no gap."""
        rows, wide = self._rows, len(self._rows[0])
        for x, y in points:
            column, row = int(x // _CELL), int(y // _CELL)
            if 0 <= row < len(rows) and 0 <= column < wide:
                rows[row][column] += weight

    def add_box(self, box: Box, weight: int = 3) -> None:
        """Something that fills a box."""
        rows, columns = _covered(box)
        for row in self._rows[rows]:
            row[columns] = [full + weight for full in row[columns]]

    def within(self, box: Box) -> int:
        """How much is in a box already."""
        rows, columns = _covered(box)
        return sum([sum(row[columns]) for row in self._rows[rows]])


def _covered(box: Box) -> tuple[slice, slice]:
    """The rows and the columns of squares that a box touches."""
    left, top, right, bottom = (max(int(side // _CELL), -1) for side in box)
    return slice(max(top, 0), bottom + 1), slice(max(left, 0), right + 1)


def place_labels(drawing: Drawing, grounds: Mapping[str, str], crowd: Crowd) -> list[Piece]:
    """Every label, on its own place if that is free, else on the freest place of its province, at worst without the name.

    `grounds` is the colour of the ground by province, for the halo; labels already placed are added to `crowd`.
    """
    placed: dict[str, tuple[Point, bool]] = {}
    for name, anchor in drawing.anchors.items():
        box = box_at(anchor.label, *label_size(drawing, name))
        if crowd.within(box) == 0:
            placed[name] = (anchor.label, True)
    for name, (middle, _) in placed.items():
        crowd.add_box(box_at(middle, *label_size(drawing, name)))
    for name, anchor in drawing.anchors.items():
        if name not in placed:
            middle, full = _freest(drawing, name, anchor, crowd)
            placed[name] = (middle, full)
            crowd.add_box(box_at(middle, *label_size(drawing, name, full)))
    return [label(drawing, name, grounds.get(name, ""), placed[name][1], placed[name][0]) for name in drawing.anchors]


def _freest(drawing: Drawing, name: str, anchor: Anchor, crowd: Crowd) -> tuple[Point, bool]:
    best: tuple[float, Point, bool] = (float("inf"), anchor.label, True)
    for full, far in ((True, False), (False, False), (True, True), (False, True)):
        if not full and not anchor.lines:
            continue
        size = label_size(drawing, name, full)
        for cost, middle in _spots(drawing, name, full, far):
            if cost < best[0]:
                cost += crowd.within(box_at(middle, *size))
                if cost < best[0]:
                    best = (cost, middle, full)
        if best[0] < 4:
            break
    return best[1], best[2]


@lru_cache(maxsize=8192)
def _spots(drawing: Drawing, name: str, full: bool, far: bool) -> tuple[tuple[float, Point], ...]:
    """Where a label may stand, nearest first, each with what it costs to be that far from home or without the name."""
    x, y = drawing.anchors[name].label
    size = label_size(drawing, name, full)
    out = []
    for radius, angle in ((0.0, 0.0), *(_FAR if far else _STEPS)):
        middle = (float(round(x + radius * cos(angle))), float(round(y + radius * sin(angle))))
        if not radius or _fits(drawing, name, box_at(middle, *size)):
            out.append((radius * 0.05 + (0 if full else 2.5), middle))
    return tuple(out)


def _fits(drawing: Drawing, name: str, box: Box) -> bool:
    inside = drawing.insides.get(name)
    width, height = drawing.size
    in_frame = box[0] > 2 and box[1] > 2 and box[2] < width - 2 and box[3] < height - 2
    return in_frame and (inside is None or inside.holds(box))


@lru_cache(maxsize=4096)
def label_size(drawing: Drawing, name: str, full: bool = True) -> tuple[float, float]:
    """Width and height of a label."""
    rows = _rows(drawing, name, full)
    return max(drawing.lettering.width(text, hand) for text, hand, _ in rows) + 2, sum(_ROWS[hand] for _, hand, _ in rows)


@lru_cache(maxsize=8192)
def label(drawing: Drawing, name: str, ground: str, full: bool, at: Point) -> Piece:
    """The label of a province about its middle: code and name, in the manner of land or sea."""
    width, height = label_size(drawing, name, full)
    parts, wanted, down = [], set(), -height / 2
    for text, hand, colour in _rows(drawing, name, full):
        row = _ROWS[hand]
        wide = 1.8 if hand is _LAND_NAME else 2.2
        svg, ids = lettered(drawing, text, hand, (0.0, down + row / 2), colour, ground, wide)
        parts.append(svg)
        wanted |= set(ids)
        down += row
    return Piece("".join(parts), (-width / 2 - 3, -height / 2 - 3, width / 2 + 3, height / 2 + 4), at, tuple(sorted(wanted)))


def _rows(drawing: Drawing, name: str, full: bool) -> Sequence[tuple[str, Hand, str]]:
    anchor, area = drawing.anchors[name], drawing.area.get(name)
    lines, code = anchor.lines if full else (), anchor.code or name
    if area is not None and area.kind == "land":
        return [(code, _LAND_CODE, TEXT), *((line, _LAND_NAME, SECOND_TEXT) for line in lines)]
    return [*((line, _SEA_NAME, SEA_TEXT) for line in lines), (code, _SEA_CODE, SEA_TEXT)]
