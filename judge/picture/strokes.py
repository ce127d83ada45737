"""Lines of orders as data, so that each can be written as SVG and laid on a raster alike."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import cycle, pairwise
from math import cos, sin

from judge.picture.geometry import Box, Point, box_of, distance, path_of

HALO = "#fff"
_HALO_OPACITY = 0.85


@dataclass(frozen=True, slots=True)
class Stroke:
    """A polyline of a width in px; `dash` are the lengths of a dash and of the gap after it, none for a whole line.

    A `fill` closes it and fills it first.  Corners are round; so are the ends, of dashes too, unless `blunt`.
    """

    points: tuple[Point, ...]
    colour: str
    width: float
    opacity: float = 1.0
    dash: tuple[float, float] | tuple[()] = ()
    fill: str = ""
    blunt: bool = False


def haloed(stroke: Stroke, width: float) -> tuple[Stroke, Stroke]:
    """A stroke on a whole white one of that width, which keeps it clear of what lies under it."""
    fill = HALO if stroke.fill else ""
    halo = replace(stroke, colour=HALO, width=width, opacity=stroke.opacity * _HALO_OPACITY, dash=(), fill=fill, blunt=False)
    return halo, stroke


def arc(middle: Point, radius: float, start: float, end: float, steps: int = 12) -> tuple[Point, ...]:
    """Points of a circle from one angle (radians) to another."""
    angles = (start + (end - start) * step / steps for step in range(steps + 1))
    return tuple((middle[0] + cos(angle) * radius, middle[1] + sin(angle) * radius) for angle in angles)


def write_strokes(strokes: Iterable[Stroke]) -> str:
    """The strokes as SVG paths.

    >>> write_strokes([Stroke(((0, 0), (5, 5)), "#123456", 2.0, dash=(4.5, 3), blunt=True)])
    '<path d="M0 0L5 5" fill="none" stroke="#123456" stroke-width="2" stroke-linejoin="round" stroke-dasharray="4.5 3"/>'
    """
    return "".join(_written(stroke) for stroke in strokes)


def box_of_strokes(strokes: Sequence[Stroke]) -> Box:
    """The box that holds all of them, a px to spare."""
    boxes = [box_of(stroke.points, stroke.width / 2 + 1) for stroke in strokes]
    left, top, right, bottom = zip(*boxes, strict=True)
    return (min(left), min(top), max(right), max(bottom))


def dashes(stroke: Stroke) -> tuple[tuple[Point, ...], ...]:
    """The pieces of a stroke that are drawn, each a polyline; the whole of it if it is not broken."""
    if not stroke.dash:
        return (stroke.points,)
    out: list[tuple[Point, ...]] = []
    lengths, begun = cycle(stroke.dash), [stroke.points[0]]
    is_drawn, left = True, next(lengths)
    for a, b in pairwise(stroke.points):
        full = distance(a, b)
        at = left
        while at < full:
            point = (a[0] + (b[0] - a[0]) * at / full, a[1] + (b[1] - a[1]) * at / full)
            if is_drawn:
                out.append((*begun, point))
            is_drawn, begun = not is_drawn, [point]
            at += next(lengths)
        left = at - full
        begun.append(b)
    return (*out, tuple(begun)) if is_drawn else tuple(out)


def _written(stroke: Stroke) -> str:
    path = path_of(stroke.points) + ("Z" if stroke.fill else "")
    look = f'fill="{stroke.fill or "none"}" stroke="{stroke.colour}" stroke-width="{stroke.width:g}" stroke-linejoin="round"'
    if not stroke.blunt:
        look += ' stroke-linecap="round"'
    if stroke.dash:
        look += f' stroke-dasharray="{stroke.dash[0]:g} {stroke.dash[1]:g}"'
    if stroke.opacity < 1:
        look += f' stroke-opacity="{stroke.opacity:.2g}"'
    return f'<path d="{path}" {look}/>'
