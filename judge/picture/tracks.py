"""Where the lines of orders run: clear of units, and of each other where that can be had."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from judge.picture.geometry import (
    Box,
    Point,
    bowed,
    box_of,
    crossings,
    distance,
    lengths_along,
    nearest,
    overlap,
    point_along,
    smooth,
    trimmed,
)

BOWS = (0.07, -0.07, 0.15, -0.15, 0.23)
"""How far a move may bow, as a share of its length, best first; to the right of travel, so that two opposite moves lie apart."""
STRAIGHT_BOWS = (0.0, 0.06, -0.06, 0.12, -0.12, 0.18, -0.18)
"""The same for supports, which are straight if they can be."""


@dataclass(frozen=True, slots=True)
class Track:
    """A line as laid: its points from start to end in px."""

    points: tuple[Point, ...]

    def middle(self, share: float = 0.52) -> Point:
        """The point at that share of its length."""
        return point_along(self.points, lengths_along(self.points)[-1] * share)

    @property
    def length(self) -> float:
        """Length in px."""
        return lengths_along(self.points)[-1]


@dataclass
class Roads:
    """Lays one line after another and remembers them; `posts` are the middles of everything that stands on the map."""

    posts: Sequence[Point]
    laid: list[tuple[Box, tuple[Point, ...]]] = field(default_factory=list)

    def lay(self, start: Point, end: Point, head: float, tail: float, bows: Sequence[float] = BOWS) -> Track:
        """The line from `start` to `end`, shortened by `head` and `tail`, that meets the fewest units and other lines."""
        best: tuple[float, tuple[Point, ...]] | None = None
        for rank, bow in enumerate(bows):
            curve = bowed(start, end, bow)
            cost = self._cost(curve, start, end) + rank * 0.4
            if best is None or cost < best[0]:
                best = (cost, curve)
            if cost <= rank * 0.4 + 0.01 and rank < 2:
                break
        assert best is not None
        return self._keep(trimmed(best[1], head, tail))

    def lay_through(self, stops: Sequence[Point], head: float, tail: float) -> Track:
        """A smooth line through all stops."""
        return self._keep(trimmed(smooth(stops), head, tail))

    def _keep(self, points: tuple[Point, ...]) -> Track:
        self.laid.append((box_of(points), points))
        return Track(points)

    def _cost(self, curve: tuple[Point, ...], start: Point, end: Point) -> float:
        cost = 0.0
        box = box_of(curve, 15.0)
        for post in self.posts:
            if box[0] < post[0] < box[2] and box[1] < post[1] < box[3] and min(distance(post, start), distance(post, end)) > 12:
                gap = distance(nearest(curve, post), post)
                cost += max(0.0, 15.0 - gap) * 0.5
        coarse = (curve[0], *curve[2:-1:3], curve[-1])
        for other_box, other in self.laid:
            if overlap(box, other_box):
                cost += 2.0 * crossings(coarse, other)
        return cost


def arrow_head(
    points: Sequence[Point], length: float = 10.5, width: float = 10.4, notch: float = 2.2
) -> tuple[tuple[Point, Point, Point, Point], Point]:
    """The head at a line's end (tip, one wing, notch, other wing), and where the shaft stops."""
    tip, back = points[-1], point_along(points, lengths_along(points)[-1] - length)
    full = distance(back, tip) or 1.0
    ux, uy = (tip[0] - back[0]) / full, (tip[1] - back[1]) / full
    base = (tip[0] - ux * length, tip[1] - uy * length)
    half = width / 2
    wings = ((base[0] - uy * half, base[1] + ux * half), (base[0] + uy * half, base[1] - ux * half))
    inner = (base[0] + ux * notch, base[1] + uy * notch)
    return (tip, wings[0], inner, wings[1]), inner


def sampled(tracks: Iterable[Track], step: float = 5.0) -> list[Point]:
    """Points every `step` px along some lines."""
    out = []
    for track in tracks:
        for a, b in zip(track.points, track.points[1:], strict=False):
            pieces = max(1, int(distance(a, b) / step))
            out += [(a[0] + (b[0] - a[0]) * n / pieces, a[1] + (b[1] - a[1]) * n / pieces) for n in range(pieces)]
        out.append(track.points[-1])
    return out
