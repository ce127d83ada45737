"""Points, polylines and boxes: the small geometry that every picture is laid out with."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import cos, hypot, sin
from typing import TypeAlias

Point: TypeAlias = tuple[float, float]
"""x to the right and y down, in px of the map."""
Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, right, bottom."""
Ring: TypeAlias = tuple[Point, ...]
"""A closed outline, its first point not repeated."""


def number(value: float) -> str:
    """A coordinate as short as SVG allows, to a tenth.

    >>> number(3.04), number(-0.26), number(12.0), number(-0.01)
    ('3', '-.3', '12', '0')
    """
    text = f"{value:.1f}"
    if text.endswith(".0"):
        text = text[:-2]
    if text.startswith("0."):
        return text[1:]
    if text.startswith("-0."):
        return "-" + text[2:]
    return "0" if text == "-0" else text


def pair(point: Point) -> str:
    """A point as SVG writes it in a path.

    >>> pair((1.5, -2))
    '1.5-2'
    """
    x, y = number(point[0]), number(point[1])
    return f"{x}{y}" if y.startswith("-") else f"{x} {y}"


def path_of(points: Sequence[Point]) -> str:
    """An open polyline as path data in absolute px."""
    return "M" + "L".join(pair(point) for point in points)


def distance(a: Point, b: Point) -> float:
    """Length of the straight line between two points."""
    return hypot(b[0] - a[0], b[1] - a[1])


def toward(a: Point, b: Point, length: float) -> Point:
    """The point `length` px from `a` in the direction of `b`; `a` itself where both are one."""
    full = distance(a, b)
    if full == 0:
        return a
    return (a[0] + (b[0] - a[0]) * length / full, a[1] + (b[1] - a[1]) * length / full)


def box_of(points: Iterable[Point], margin: float = 0.0) -> Box:
    """The smallest box round some points, widened by `margin`."""
    xs, ys = zip(*points, strict=True)
    return (min(xs) - margin, min(ys) - margin, max(xs) + margin, max(ys) + margin)


def box_at(middle: Point, width: float, height: float) -> Box:
    """The box of that size about a point."""
    return (middle[0] - width / 2, middle[1] - height / 2, middle[0] + width / 2, middle[1] + height / 2)


def overlap(a: Box, b: Box) -> bool:
    """Whether two boxes share an area."""
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def lengths_along(points: Sequence[Point]) -> list[float]:
    """Distance from the first point to each point, along the line."""
    total, out = 0.0, [0.0]
    for a, b in pairwise(points):
        total += distance(a, b)
        out.append(total)
    return out


def point_along(points: Sequence[Point], along: float) -> Point:
    """The point `along` px from the start of a polyline; its ends for less than nothing and more than all."""
    lengths = lengths_along(points)
    if along <= 0:
        return points[0]
    if along >= lengths[-1]:
        return points[-1]
    index = bisect_left(lengths, along)
    return toward(points[index - 1], points[index], along - lengths[index - 1])


def trimmed(points: Sequence[Point], head: float, tail: float) -> tuple[Point, ...]:
    """A polyline without its first `head` and last `tail` px; at least its middle is left."""
    lengths = lengths_along(points)
    total = lengths[-1]
    if head + tail > total - 6:  # too short to trim: keep a stub in the middle
        spare = max(total - 6, 0.0) / max(head + tail, 1e-9)
        head, tail = head * spare, tail * spare
    start, end = head, total - tail
    inner = [point for point, length in zip(points, lengths, strict=True) if start < length < end]
    return (point_along(points, start), *inner, point_along(points, end))


def bowed(a: Point, b: Point, bow: float, steps: int = 14) -> tuple[Point, ...]:
    """A quadratic curve from `a` to `b` whose middle lies `bow` of its length to the right of travel."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    if abs(bow) < 1e-9:
        return (a, ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2), b)
    middle = ((a[0] + b[0]) / 2 - dy * bow * 2, (a[1] + b[1]) / 2 + dx * bow * 2)
    out = []
    for step in range(steps + 1):
        t = step / steps
        u = 1 - t
        out.append(
            (
                u * u * a[0] + 2 * u * t * middle[0] + t * t * b[0],
                u * u * a[1] + 2 * u * t * middle[1] + t * t * b[1],
            )
        )
    return tuple(out)


def smooth(stops: Sequence[Point], steps: int = 9) -> tuple[Point, ...]:
    """A smooth line through all `stops` (centripetal Catmull-Rom, so that it never loops)."""
    if len(stops) < 3:
        return bowed(stops[0], stops[-1], 0.07)
    ends = [_mirrored(stops[1], stops[0]), *stops, _mirrored(stops[-2], stops[-1])]
    out = [stops[0]]
    for p0, p1, p2, p3 in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        out += [_catmull(p0, p1, p2, p3, step / steps) for step in range(1, steps + 1)]
    return tuple(out)


def _mirrored(point: Point, about: Point) -> Point:
    return (2 * about[0] - point[0], 2 * about[1] - point[1])


def _catmull(p0: Point, p1: Point, p2: Point, p3: Point, t: float) -> Point:
    """The point at `t` of the piece between `p1` and `p2` (Barry and Goldman's pyramid, exponent one half)."""
    t1 = max(distance(p0, p1), 1e-6) ** 0.5
    t2 = t1 + max(distance(p1, p2), 1e-6) ** 0.5
    t3 = t2 + max(distance(p2, p3), 1e-6) ** 0.5
    at = t1 + (t2 - t1) * t

    def mix(a: Point, b: Point, ta: float, tb: float) -> Point:
        w = (at - ta) / (tb - ta)
        return (a[0] + (b[0] - a[0]) * w, a[1] + (b[1] - a[1]) * w)

    a1, a2, a3 = mix(p0, p1, 0, t1), mix(p1, p2, t1, t2), mix(p2, p3, t2, t3)
    return mix(mix(a1, a2, 0, t2), mix(a2, a3, t1, t3), t1, t2)


def crossings(a: Sequence[Point], b: Sequence[Point]) -> int:
    """How often two polylines cross."""
    if not overlap(box_of(a), box_of(b)):
        return 0
    count = 0
    for p, q in pairwise(a):
        for r, s in pairwise(b):
            if _side(p, q, r) * _side(p, q, s) < 0 and _side(r, s, p) * _side(r, s, q) < 0:
                count += 1
    return count


def _side(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def nearest(points: Sequence[Point], to: Point) -> Point:
    """The point of a polyline's segments that lies nearest to `to`."""
    best, best_distance = points[0], distance(points[0], to)
    for a, b in pairwise(points):
        dx, dy = b[0] - a[0], b[1] - a[1]
        square = dx * dx + dy * dy
        t = 0.0 if square == 0 else max(0.0, min(1.0, ((to[0] - a[0]) * dx + (to[1] - a[1]) * dy) / square))
        candidate = (a[0] + dx * t, a[1] + dy * t)
        if distance(candidate, to) < best_distance:
            best, best_distance = candidate, distance(candidate, to)
    return best


def polar(middle: Point, radius: float, angle: float) -> Point:
    """The point at `angle` (radians, clockwise from the right) on a circle."""
    return (middle[0] + radius * cos(angle), middle[1] + radius * sin(angle))


class Spans:
    """The inside of some rings, row by row, so that asking whether a box fits is cheap."""

    def __init__(self, rings: Sequence[Ring], step: int = 3) -> None:
        self._step = step
        crossed: dict[int, list[float]] = {}
        for ring in rings:
            for a, b in zip(ring, (*ring[1:], ring[0]), strict=True):
                low, high = (a, b) if a[1] < b[1] else (b, a)
                if low[1] == high[1]:
                    continue
                slope = (high[0] - low[0]) / (high[1] - low[1])
                for row in range(int(low[1] // step) + 1, int(high[1] // step) + 1):
                    crossed.setdefault(row, []).append(low[0] + (row * step - low[1]) * slope)
        self._rows = {row: sorted(xs) for row, xs in crossed.items()}

    def holds(self, box: Box) -> bool:
        """Whether every row of the box lies inside."""
        rows = range(int(box[1] // self._step), int(box[3] // self._step) + 1)
        return all(self._row_holds(row, box[0], box[2]) for row in rows)

    def _row_holds(self, row: int, left: float, right: float) -> bool:
        xs = self._rows.get(row, [])
        return any(start <= left and right <= end for start, end in zip(xs[::2], xs[1::2], strict=False))
