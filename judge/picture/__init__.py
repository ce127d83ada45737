"""Map pictures: a drawing of a variant, and positions, turns and orders upon it as SVG text.

Pixels, files and caches are `service.pictures`; the words of a title or key are handed in by whoever has a reader's language.
"""

from judge.picture.caption import Caption
from judge.picture.diagram import diagram
from judge.picture.drawing import Drawing, parse_drawing, parse_lettering, why_unfit
from judge.picture.faults import BadDrawing
from judge.picture.geometry import Box, Point
from judge.picture.pieces import Piece, Sheet, definitions
from judge.picture.strokes import Stroke, box_of_strokes, dashes
from judge.picture.style import Look, Style, channels, flat_colours, parse_style
from judge.picture.svg import draw_orders, draw_position, draw_turn, fragment, lay_orders, lay_position, lay_swatches, lay_turn, write_svg

__all__ = [
    "BadDrawing",
    "Box",
    "Caption",
    "Drawing",
    "Look",
    "Piece",
    "Point",
    "Sheet",
    "Stroke",
    "Style",
    "box_of_strokes",
    "channels",
    "dashes",
    "definitions",
    "diagram",
    "draw_orders",
    "draw_position",
    "draw_turn",
    "flat_colours",
    "fragment",
    "lay_orders",
    "lay_position",
    "lay_swatches",
    "lay_turn",
    "parse_drawing",
    "parse_lettering",
    "parse_style",
    "why_unfit",
    "write_svg",
]
