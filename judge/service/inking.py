"""Strokes laid on an image: a thin line in a large box costs a rasteriser of SVG far more than it costs here."""

from collections.abc import Sequence
from math import ceil, floor

from PIL import Image, ImageDraw

from judge.picture import Point, Stroke, box_of_strokes, dashes

FINE = 4
"""Each px is drawn as so many by so many, then their mean is taken."""


def ink(image: Image.Image, strokes: Sequence[Stroke], scale: float) -> None:
    """Draw strokes over an image whose px are `scale` of theirs."""
    left, top, right, bottom = (side * scale for side in box_of_strokes(strokes))
    corner = (floor(left), floor(top))
    size = (ceil(right) - corner[0], ceil(bottom) - corner[1])
    for stroke in strokes:
        draw, plate = _plate(size)
        if stroke.fill:
            draw.polygon(_placed(stroke.points, corner, scale), fill=255)
            image.paste(stroke.fill, corner, plate.reduce(FINE))
            draw, plate = _plate(size)
        _trace(draw, [_placed(line, corner, scale) for line in dashes(stroke)], stroke, scale)
        image.paste(stroke.colour, corner, plate.reduce(FINE))


def _plate(size: tuple[int, int]) -> tuple[ImageDraw.ImageDraw, Image.Image]:
    """An empty stencil of that many px, and what draws on it."""
    plate = Image.new("L", (size[0] * FINE, size[1] * FINE))
    return ImageDraw.Draw(plate), plate


def _placed(line: Sequence[Point], corner: tuple[int, int], scale: float) -> list[Point]:
    """Points of the map as points of a stencil, where whole numbers are the middles of its px."""
    left, top, scale = corner[0] * FINE + 0.5, corner[1] * FINE + 0.5, scale * FINE
    return [(x * scale - left, y * scale - top) for x, y in line]


def _trace(draw: ImageDraw.ImageDraw, lines: Sequence[list[Point]], stroke: Stroke, scale: float) -> None:
    """Draw lines on a stencil; ends and sharp corners are rounded, in a gentle bend no gap is seen."""
    wide, level = round(stroke.width * scale * FINE), round(255 * stroke.opacity)
    for line in lines:
        draw.line([*line, line[0]] if stroke.fill else line, fill=level, width=wide)
        if not stroke.blunt:
            reach = (wide - 1) / 2
            for x, y in line if stroke.fill else (line[0], line[-1]):
                draw.ellipse((x - reach, y - reach, x + reach, y + reach), fill=level)
