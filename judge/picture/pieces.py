"""Fragments of a picture: each drawn by itself, so that those that come again can be kept."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from judge.picture.drawing import Drawing
from judge.picture.geometry import Box, Point, number
from judge.picture.lettering import Hand
from judge.picture.strokes import Stroke, box_of_strokes, write_strokes


@dataclass(frozen=True, slots=True)
class Piece:
    """An SVG fragment about the point `at`.

    `box` is what it covers, seen from `at`; `uses` are the ids of the definitions it refers to; with an `ink` the fragment is
    drawn in that one colour and says ``currentColor`` where it stands, so that one raster serves every colour.  `parts` draw the same
    bit by bit and come again more often than the whole; where they overlap, the stronger counts.  `strokes` draw the same as `svg`.
    """

    svg: str
    box: Box
    at: Point = (0.0, 0.0)
    uses: tuple[str, ...] = ()
    ink: str = ""
    parts: tuple["Piece", ...] = ()
    strokes: tuple[Stroke, ...] = ()


@dataclass(frozen=True, slots=True)
class Sheet:
    """A whole picture, from bottom to top; `size` in px with head and foot strips, the map begins at `origin`.

    `bottom` and `top` are the same in every picture of a drawing; `ground` lies between them, `over` above both;
    `strips` (head and foot) lie beside the map, in px of the sheet.  `title` and `description` are for readers who do not see it.
    """

    drawing: Drawing
    size: tuple[int, int]
    origin: Point
    bottom: Piece
    ground: tuple[Piece, ...]
    top: Piece
    over: tuple[Piece, ...]
    strips: tuple[Piece, ...]
    title: str
    description: str


def lines(*strokes: Stroke) -> Piece:
    """Strokes as a piece."""
    return Piece(write_strokes(strokes), box_of_strokes(strokes), strokes=strokes)


def definitions(drawing: Drawing, names: Iterable[str]) -> str:
    """The ``<defs>`` content for some ids, each once, what others refer to first.

    ``p3`` is the shape of area 3, ``k3`` the same as a clip, ``e7`` edge 7, ``hatch`` the pattern of unplayable land;
    anything else is a letter.
    """
    wanted = set(names)
    known = _known(drawing)
    wanted |= {"p" + name[1:] for name in wanted if name[0] == "k"}
    return "".join(known[name] if name in known else drawing.lettering.definition(name) for name in sorted(wanted, key=_rank))


def _rank(name: str) -> tuple[int, str]:
    """Shapes before the clips that use them."""
    return (1 if name[0] == "k" else 0, name)


@lru_cache(maxsize=32)
def _known(drawing: Drawing) -> Mapping[str, str]:
    out = {"hatch": HATCH_PATTERN}
    for index, area in enumerate(drawing.areas):
        out[f"p{index}"] = f'<path id="p{index}" d="{area.path}"/>'
        out[f"k{index}"] = f'<clipPath id="k{index}"><use href="#p{index}"/></clipPath>'
    for index, edge in enumerate(drawing.edges):
        out[f"e{index}"] = f'<path id="e{index}" d="{edge.path}"/>'
    return out


HATCH_PATTERN = (
    '<pattern id="hatch" width="50" height="50" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<path d="M0 0V50" stroke="#B9B1A0" stroke-width="18" stroke-opacity=".55"/></pattern>'
)
"""45° hatch, step 5 and width .9 px, in tenths of a px; half of the stroke lies outside the tile."""


def lettered(
    drawing: Drawing, text: str, hand: Hand, middle: Point, colour: str, halo: str = "", wide: float = 2.2
) -> tuple[str, tuple[str, ...]]:
    """One line of lettering centred on `middle`, with a halo of the ground colour under it, and the ids it wants."""
    uses, wanted = drawing.lettering.run(text, hand)
    left = middle[0] - drawing.lettering.width(text, hand) / 2
    base = middle[1] + hand.size * 0.32
    scale = f"{hand.size / 1000:.5f}".rstrip("0")
    place = f'transform="translate({number(left)} {number(base)})scale({scale} -{scale})"'
    under = ""
    if halo:
        width = f"{wide / hand.size * 1000:.0f}"
        under = f'<g {place} stroke="{halo}" stroke-width="{width}" stroke-linejoin="round" opacity=".75">{uses}</g>'
    return f'{under}<g {place} fill="{colour}">{uses}</g>', wanted
