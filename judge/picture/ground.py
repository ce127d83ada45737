"""The board under the units: sea, land, owners, borders."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache

from judge.board import Board, Power
from judge.picture.drawing import Drawing, Link
from judge.picture.geometry import Box, path_of
from judge.picture.pieces import Piece
from judge.picture.style import (
    BRIDGE,
    CLOSED,
    FRONTIER,
    GLOW,
    LAKE,
    NOBODY,
    PAPER,
    PASSAGE,
    SEA,
    SEA_BORDER,
    SHORE,
    THIN,
    WATERWAY,
    Look,
)
from judge.rules import Position

_ROUND = 'fill="none" stroke-linejoin="round" stroke-linecap="round"'


def holders(drawing: Drawing, board: Board, position: Position) -> dict[str, Power]:
    """Whose colour each land has: the owner of its centre; without a centre that of the province it goes with; else of the unit there."""
    out = {}
    standing = {unit.at.province: power for power, units in position.units.items() for unit in units}
    for area in drawing.areas:
        province = board.provinces.get(area.id)
        if area.kind != "land" or province is None:
            continue
        if province.is_centre:
            power = position.owners.get(area.id, "")
        elif area.id in drawing.style.goes_with:
            power = position.owners.get(drawing.style.goes_with[area.id], "")
        else:
            power = standing.get(area.id, "")
        if power:
            out[area.id] = power
    return out


@lru_cache(maxsize=32)
def bottom(drawing: Drawing) -> Piece:
    """Everything under the owners' colours: sea, shore, sea borders, and land as if nobody's."""
    width, height = drawing.size
    land = [f"p{drawing.index[area.id]}" for area in drawing.areas if area.kind == "land"]
    closed = [f"p{drawing.index[area.id]}" for area in drawing.areas if area.kind == "closed"]
    seas = [f"p{drawing.index[area.id]}" for area in drawing.areas if area.kind == "sea"] if drawing.is_diagram else []
    coasts = _edge_ids(drawing, "coast")
    parts = [f'<rect width="{width}" height="{height}" fill="{PAPER if drawing.is_diagram else SEA}"/>', '<g transform="scale(.1)">']
    if drawing.graticule:
        parts.append(f'<path d="{drawing.graticule}" {_ROUND} stroke="#fff" stroke-width="7" stroke-opacity=".55"/>')
    if not drawing.is_diagram:
        for wide, opacity in ((230, ".16"), (150, ".2"), (80, ".28")):
            parts.append(f'<g {_ROUND} stroke="{GLOW}" stroke-width="{wide}" opacity="{opacity}">{_used(coasts)}</g>')
    sea = _edge_ids(drawing, "sea")
    parts.append(f'<g {_ROUND} stroke="#fff" stroke-width="22" opacity=".7">{_used(sea)}</g>')
    parts.append(f'<g {_ROUND} stroke="{SEA_BORDER}" stroke-width="8.5">{_used(sea)}</g>')
    parts.append("</g>" + "".join(_link(link) for link in drawing.links) + _stations(drawing) + '<g transform="scale(.1)">')
    parts.append(f'<g fill="{NOBODY}">{_used(land)}</g><g fill="{CLOSED}">{_used(closed)}</g><g fill="{SEA}">{_used(seas)}</g>')
    if closed:
        parts.append(f'<g fill="url(#hatch)">{_used(closed)}</g>')
    parts.append("</g>")
    return Piece("".join(parts), _whole(drawing), uses=(*land, *closed, *seas, *coasts, *sea, *(["hatch"] if closed else [])))


@lru_cache(maxsize=32)
def top(drawing: Drawing) -> Piece:
    """Everything over the owners' colours that never changes: inner borders, lakes, coasts."""
    ordinary = _edge_ids(drawing, "land", "")
    barred, open_ = _edge_ids(drawing, "land", "barred"), _edge_ids(drawing, "land", "open")
    coasts = _edge_ids(drawing, "coast")
    parts = ['<g transform="scale(.1)">', f'<g {_ROUND} stroke="{THIN}" stroke-width="7.5" opacity=".75">{_used(ordinary)}</g>']
    if barred or open_:
        parts.append(f'<g {_ROUND} stroke="{FRONTIER}" stroke-width="15">{_used(barred)}</g>')
        parts.append(f'<g {_ROUND} stroke="#fff" stroke-width="46" opacity=".55">{_used(open_)}</g>')
        parts.append(f'<g {_ROUND} stroke="{PASSAGE}" stroke-width="24" stroke-dasharray="1 46">{_used(open_)}</g>')
    if drawing.lakes:
        parts.append(f'<path d="{drawing.lakes}" fill="{LAKE}" stroke="{SHORE}" stroke-width="5" stroke-linejoin="round"/>')
    if drawing.canal:
        parts.append(f'<path d="{drawing.canal}" {_ROUND} stroke="{SHORE}" stroke-width="9" stroke-dasharray="22 14"/>')
    parts.append(f'<g {_ROUND} stroke="{SHORE}" stroke-width="9">{_used(coasts)}</g></g>')
    return Piece("".join(parts), _whole(drawing), uses=(*ordinary, *barred, *open_, *coasts))


def owned(drawing: Drawing, held: Mapping[str, Power], looks: Mapping[Power, Look]) -> Iterable[Piece]:
    """The tint of each land and the inner band along its power's shores and frontiers."""
    for land, power in sorted(held.items()):
        index, box = drawing.index[land], drawing.boxes[land]
        shape, look = f"p{index}", looks[power]
        yield Piece(f'<use href="#{shape}" transform="scale(.1)" fill="currentColor"/>', box, uses=(shape,), ink=look.tint)
        rim = tuple(number for number in drawing.edges_of.get(land, ()) if _is_rim(drawing, number, held))
        if rim:
            parts = tuple(_band_piece(drawing, index, (number,), "") for number in rim)
            whole = _band_piece(drawing, index, rim, look.strong)
            yield replace(whole, parts=parts)


def frontiers(drawing: Drawing, held: Mapping[str, Power]) -> Iterable[Piece]:
    """The darker line where two owners meet; a border that is marked for passage stays as it is."""
    for number, edge in enumerate(drawing.edges):
        if edge.kind == "land" and not edge.passage and held.get(edge.sides[0]) != held.get(edge.sides[1]):
            svg = f'<use href="#e{number}" transform="scale(.1)" {_ROUND} stroke="currentColor" stroke-width="11"/>'
            yield Piece(svg, edge.box, uses=(f"e{number}",), ink=FRONTIER)


def _is_rim(drawing: Drawing, number: int, held: Mapping[str, Power]) -> bool:
    edge = drawing.edges[number]
    if edge.kind == "frame":
        return False
    return edge.kind == "coast" or held.get(edge.sides[0]) != held.get(edge.sides[1])


@lru_cache(maxsize=8192)
def _band_piece(drawing: Drawing, index: int, rim: tuple[int, ...], ink: str) -> Piece:
    """The inner band of an area along some of its edges."""
    box = drawing.boxes[drawing.areas[index].id]
    if len(rim) == 1:  # only as much of the area as the band along that edge can cover
        edge = drawing.edges[rim[0]].box
        box = (max(box[0], edge[0] - 7), max(box[1], edge[1] - 7), min(box[2], edge[2] + 7), min(box[3], edge[3] + 7))
    names = tuple(f"e{number}" for number in rim)
    lines = _used(names)
    svg = (
        f'<g clip-path="url(#k{index})" transform="scale(.1)" {_ROUND} stroke="currentColor">'
        f'<g stroke-width="120" opacity=".16">{lines}</g><g stroke-width="56" opacity=".28">{lines}</g></g>'
    )
    return Piece(svg, box, uses=(f"k{index}", *names), ink=ink)


_LINKS = {
    "bridge": (("#fff", 5.4, ""), (BRIDGE, 3.0, "")),
    "strait": (("#fff", 5.0, ""), (PASSAGE, 2.6, ".1 4.6")),
    "waterway": (("#fff", 4.0, ""), (WATERWAY, 1.5, "5 4")),
    "army": (("#A58F6C", 2.4, ""),),
    "fleet": (("#86AABB", 1.8, "6 4"),),
    "both": (("#A58F6C", 3.8, ""), ("#E6F0F3", 1.4, "6 4")),
}
"""Strokes of each kind of link, undermost first: colour, width, dashes."""

_BORDERS = {"open": (("#fff", 4.6, ""), (PASSAGE, 2.4, ".1 4.6")), "barred": ((FRONTIER, 1.5, ""),)}
"""Strokes of borders that are marked for who may pass, as the key shows them."""

ON_GROUND = frozenset({*_LINKS, *_BORDERS})
"""Names of what the ground may show beside plain borders."""


def ground_sample(kind: str, length: int) -> str:
    """A border or link of a kind, drawn straight from the left: for the key."""
    return _strokes(f"M1 0H{length - 1}", {**_LINKS, **_BORDERS}[kind])


def _link(link: Link) -> str:
    return _strokes(path_of(link.points), _LINKS[link.kind])


def _strokes(path: str, strokes: Iterable[tuple[str, float, str]]) -> str:
    return "".join(
        f'<path d="{path}" {_ROUND} stroke="{colour}" stroke-width="{width}"' + (f' stroke-dasharray="{dash}"/>' if dash else "/>")
        for colour, width, dash in strokes
    )


def _stations(drawing: Drawing) -> str:
    """Where a unit on a waterway stands."""
    spots = [drawing.anchors[link.place].unit for link in drawing.links if link.place in drawing.anchors]
    return "".join(f'<circle cx="{x:.0f}" cy="{y:.0f}" r="5" fill="#fff" stroke="{WATERWAY}" stroke-width="1.4"/>' for x, y in spots)


def _edge_ids(drawing: Drawing, kind: str, passage: str | None = None) -> tuple[str, ...]:
    return tuple(
        f"e{number}" for number, edge in enumerate(drawing.edges) if edge.kind == kind and (passage is None or edge.passage == passage)
    )


def _used(names: Iterable[str]) -> str:
    return "".join(f'<use href="#{name}"/>' for name in names)


def _whole(drawing: Drawing) -> Box:
    return (0.0, 0.0, float(drawing.size[0]), float(drawing.size[1]))
