"""Base picture, anchors and colours of one variant, made of data files that were already read."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from judge.board import Board
from judge.picture.faults import BadDrawing
from judge.picture.geometry import Box, Point, Ring, Spans, box_at, box_of, lengths_along, point_along
from judge.picture.lettering import Lettering
from judge.picture.style import Style, parse_style

UNIT = 0.1
"""px of one unit of the paths: shapes are written in whole tenths of a px."""


@dataclass(frozen=True, slots=True)
class Area:
    """A province or unplayable place as a shape: `kind` is ``land``, ``sea`` or ``closed``; `path` in tenths of a px."""

    id: str
    kind: str
    path: str
    rings: tuple[Ring, ...]


@dataclass(frozen=True, slots=True)
class Edge:
    """A border drawn once for the two areas beside it ("" beyond the frame).

    `kind` is ``land``, ``coast``, ``sea`` or ``frame``; `passage` marks a border that is not open to all alike:
    "" ordinary, ``open`` and ``barred`` where a board tells borders that some kinds may not cross; `middle` is half-way along.
    """

    path: str
    box: Box
    sides: tuple[str, str]
    kind: str
    passage: str = ""
    middle: Point = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Link:
    """A line between two places that share no border: ``bridge``, ``strait``, ``waterway``; in a diagram ``army``, ``fleet``, ``both``.

    `ends` are the places it joins where that matters for finding a way, `place` the province it is itself.
    """

    kind: str
    points: tuple[Point, ...]
    ends: tuple[str, str] = ("", "")
    place: str = ""


@dataclass(frozen=True, slots=True)
class Anchor:
    """Where the things of one province go; `label` is the middle of the label block, `lines` the name under the code."""

    unit: Point
    label: Point
    lines: tuple[str, ...]
    dislodged: Point
    dot: Point | None = None
    coasts: Mapping[str, Point] = field(default_factory=dict)
    code: str = ""


@dataclass(frozen=True, eq=False)
class Drawing:
    """All that is drawn of a variant before anything stands on it; `size` in px of the map alone.  Two are equal only if one."""

    size: tuple[int, int]
    areas: tuple[Area, ...]
    edges: tuple[Edge, ...]
    anchors: Mapping[str, Anchor]
    lettering: Lettering
    style: Style
    links: tuple[Link, ...] = ()
    lakes: str = ""
    canal: str = ""
    graticule: str = ""
    is_diagram: bool = False

    @cached_property
    def area(self) -> Mapping[str, Area]:
        """The areas by id."""
        return {area.id: area for area in self.areas}

    @cached_property
    def index(self) -> Mapping[str, int]:
        """Number of each area, which names its definitions."""
        return {area.id: number for number, area in enumerate(self.areas)}

    @cached_property
    def boxes(self) -> Mapping[str, Box]:
        """The box round each area."""
        return {area.id: box_of(point for ring in area.rings for point in ring) for area in self.areas}

    @cached_property
    def edges_of(self) -> Mapping[str, tuple[int, ...]]:
        """Numbers of the edges round each area."""
        out: dict[str, list[int]] = {}
        for number, edge in enumerate(self.edges):
            for side in edge.sides:
                if side:
                    out.setdefault(side, []).append(number)
        return {side: tuple(numbers) for side, numbers in out.items()}

    @cached_property
    def passages(self) -> frozenset[str]:
        """Kinds of marked borders and of links that the picture has."""
        return frozenset({edge.passage for edge in self.edges if edge.kind == "land"} | {link.kind for link in self.links}) - {""}

    @cached_property
    def touching(self) -> Mapping[str, frozenset[str]]:
        """Areas that share a border in the picture, or are joined by a link of a diagram."""
        out: dict[str, set[str]] = {}
        for a, b in (*(edge.sides for edge in self.edges), *(link.ends for link in self.links)):
            if a and b:
                out.setdefault(a, set()).add(b)
                out.setdefault(b, set()).add(a)
        return {side: frozenset(others) for side, others in out.items()}

    @cached_property
    def gates(self) -> Mapping[tuple[str, str], Point]:
        """Half-way along the longest border of two areas, either way round: where a line from one to the other best passes."""
        longest: dict[tuple[str, str], Edge] = {}
        for edge in self.edges:
            a, b = min(edge.sides), max(edge.sides)
            if a and ((a, b) not in longest or len(edge.path) > len(longest[a, b].path)):
                longest[a, b] = edge
        return {pair: edge.middle for (a, b), edge in longest.items() for pair in ((a, b), (b, a))}

    @cached_property
    def lands(self) -> tuple[str, ...]:
        """The playable lands."""
        return tuple(area.id for area in self.areas if area.kind == "land")

    @cached_property
    def labelled_at_sea(self) -> frozenset[str]:
        """Lands too small for their label, which stands on the water beside them."""
        return frozenset(
            name
            for name, anchor in self.anchors.items()
            if name in self.insides and not self.insides[name].holds(box_at(anchor.label, 4, 4))
        )

    @cached_property
    def insides(self) -> Mapping[str, Spans]:
        """The inside of each area, for finding room for labels."""
        return {area.id: Spans(area.rings) for area in self.areas if area.kind != "closed"}


def why_unfit(drawing: Drawing, board: Board) -> tuple[str, ...]:
    """What a drawing lacks to show every place of a board; empty means it fits."""
    out = []
    for province in sorted(board.provinces.values(), key=lambda p: p.id):
        anchor = drawing.anchors.get(province.id)
        if anchor is None:
            out.append(f"anchors: {province.id} is missing")
            continue
        if province.id not in drawing.area and not any(link.place == province.id for link in drawing.links):
            out.append(f"geometry: {province.id} has no area")
        out += [f"anchors: {province.id} lacks coast {coast}" for coast in province.coasts if coast not in anchor.coasts]
    return tuple(out)


def parse_drawing(geometry: Mapping[str, Any], anchors: Mapping[str, Any], glyphs: Mapping[str, Any], style: Mapping[str, Any]) -> Drawing:
    """A Drawing of the four files of a map folder, already read.

    `geometry` is TopoJSON with ``x_size``, ``x_arc_sides``, ``x_decor``, ``x_links``; raises `BadDrawing` with every fault found.
    """
    wrong: list[str] = []
    areas = _areas(geometry, wrong)
    edges = _edges(geometry, {area.id: area.kind for area in areas}, wrong)
    places = _anchors(anchors, wrong)
    lettering = parse_lettering(glyphs, wrong)
    links = _links(geometry, wrong)
    try:
        looks = parse_style(style)
    except BadDrawing as bad:
        wrong += bad.faults
        looks = Style()
    size = geometry.get("x_size", ())
    if not (isinstance(size, Sequence) and len(size) == 2):
        wrong.append("geometry: x_size (width and height in px) is missing")
        size = (1, 1)
    if wrong:
        raise BadDrawing(tuple(wrong))
    decor = geometry.get("x_decor", {})
    return Drawing(
        size=(int(size[0]), int(size[1])),
        areas=areas,
        edges=edges,
        anchors=places,
        lettering=lettering,
        style=looks,
        links=links,
        lakes="".join(_relative(ring) + "z" for ring in decor.get("water", ())),
        canal=_relative(decor["canal"]) if decor.get("canal") else "",
        graticule="".join(_relative(line) for line in decor.get("graticule", ())),
    )


def parse_lettering(glyphs: Mapping[str, Any], wrong: list[str] | None = None) -> Lettering:
    """The outlines of ``glyphs.json``; without a list for faults, `BadDrawing` is raised."""
    faults: list[str] = [] if wrong is None else wrong
    faces = {
        str(face): {str(letter): (float(glyph[0]), str(glyph[1])) for letter, glyph in letters.items()}
        for face, letters in dict(glyphs.get("faces", {})).items()
    }
    faults += [f"glyphs: face {face!r} is missing" for face in ("bold", "text", "sea", "title") if not faces.get(face)]
    if wrong is None and faults:
        raise BadDrawing(tuple(faults))
    return Lettering(faces)


_KINDS = {"land": "land", "sea": "sea", "neutral": "closed"}
OPEN_WATER = "~"
"""The side of an arc where there is water that is no province."""


def _areas(geometry: Mapping[str, Any], wrong: list[str]) -> tuple[Area, ...]:
    arcs = _arcs(geometry)
    shapes = geometry.get("objects", {}).get("provinces", {}).get("geometries", ())
    if not shapes:
        wrong.append("geometry: objects.provinces.geometries is missing or empty")
    out = []
    for shape in shapes:
        name = str(shape.get("id", ""))
        if shape.get("properties", {}).get("kind") == "waterway":
            continue
        kind = _KINDS.get(shape.get("properties", {}).get("kind"))
        if kind is None:
            wrong.append(f"geometry: {name} has kind {shape.get('properties', {}).get('kind')!r}; known are {', '.join(_KINDS)}, waterway")
            continue
        polygons = shape["arcs"] if shape.get("type") == "MultiPolygon" else [shape["arcs"]]
        try:
            rings = [_ring(ring, arcs) for polygon in polygons for ring in polygon]
        except IndexError:
            wrong.append(f"geometry: {name} names an arc that does not exist")
            continue
        outline = tuple(tuple((x * UNIT, y * UNIT) for x, y in ring) for ring in rings)
        out.append(Area(name, kind, "".join(_relative(ring) + "z" for ring in rings), outline))
    return tuple(sorted(out, key=lambda area: area.id))


def _arcs(geometry: Mapping[str, Any]) -> list[list[tuple[int, int]]]:
    """Each arc in absolute tenths of a px."""
    scale = geometry.get("transform", {}).get("scale", [UNIT, UNIT])
    shift = geometry.get("transform", {}).get("translate", [0, 0])
    out = []
    for arc in geometry.get("arcs", ()):
        x = y = 0
        points = []
        for dx, dy in arc:
            x, y = x + dx, y + dy
            points.append((round((x * scale[0] + shift[0]) / UNIT), round((y * scale[1] + shift[1]) / UNIT)))
        out.append(points)
    return out


def _ring(numbers: Iterable[int], arcs: Sequence[Sequence[tuple[int, int]]]) -> list[tuple[int, int]]:
    """The points of a closed ring; a negative number is an arc taken backwards (TopoJSON)."""
    points: list[tuple[int, int]] = []
    for number in numbers:
        arc = list(arcs[number]) if number >= 0 else list(arcs[~number])[::-1]
        points += arc[1:] if points else arc
    return points[:-1] if points and points[0] == points[-1] else points


def _relative(points: Sequence[Sequence[float]]) -> str:
    """Path data in whole relative steps."""
    x, y = round(points[0][0]), round(points[0][1])
    steps = []
    for px, py in points[1:]:
        dx, dy = round(px) - x, round(py) - y
        x, y = x + dx, y + dy
        steps.append(f"{dx}{dy}" if dy < 0 else f"{dx} {dy}")
    return f"M{round(points[0][0])} {round(points[0][1])}" + ("l" + " ".join(steps) if steps else "")


def _edges(geometry: Mapping[str, Any], kinds: Mapping[str, str], wrong: list[str]) -> tuple[Edge, ...]:
    arcs, sides = _arcs(geometry), geometry.get("x_arc_sides", ())
    if len(arcs) != len(sides):
        wrong.append(f"geometry: {len(arcs)} arcs but x_arc_sides for {len(sides)}")
    passages = geometry.get("x_arc_passage", {})
    out = []
    for number, (arc, pair) in enumerate(zip(arcs, sides, strict=False)):
        names = (str(pair[0] or ""), str(pair[1] or ""))
        if names == ("", ""):
            continue
        unknown = [name for name in names if name and name not in (*kinds, OPEN_WATER)]
        if unknown:
            wrong.append(f"geometry: arc {number} lies beside {unknown[0]}, which is no area")
            continue
        points = [(x * UNIT, y * UNIT) for x, y in arc]
        middle = point_along(points, lengths_along(points)[-1] / 2)
        out.append(Edge(_relative(arc), box_of(points, 1.0), names, _edge_kind(names, kinds), str(passages.get(str(number), "")), middle))
    return tuple(out)


def _edge_kind(sides: tuple[str, str], kinds: Mapping[str, str]) -> str:
    if "" in sides:
        return "frame"
    wet = [side == OPEN_WATER or kinds[side] == "sea" for side in sides]
    if all(wet):
        return "sea"
    return "coast" if any(wet) else "land"


def _anchors(data: Mapping[str, Any], wrong: list[str]) -> dict[str, Anchor]:
    out = {}
    for name, place in dict(data.get("provinces", {})).items():
        missing = [key for key in ("unit", "label", "dislodged") if key not in place]
        if missing:
            wrong.append(f"anchors: {name} lacks {', '.join(missing)}")
            continue
        out[str(name)] = Anchor(
            unit=_point(place["unit"]),
            label=_point(place["label"]),
            lines=tuple(str(line) for line in place.get("name_lines", ())),
            dislodged=_point(place["dislodged"]),
            dot=_point(place["sc"]) if "sc" in place else None,
            coasts={str(coast).upper(): _point(at) for coast, at in dict(place.get("coasts", {})).items()},
            code=str(place.get("code", "")),
        )
    return out


def _point(pair: Sequence[float]) -> Point:
    return (float(pair[0]), float(pair[1]))


def _links(geometry: Mapping[str, Any], wrong: list[str]) -> tuple[Link, ...]:
    """Bridges and straits of ``x_links``, and the waterways, which are shapes without an inside."""
    out, arcs = [], _arcs(geometry)
    for shape in geometry.get("objects", {}).get("provinces", {}).get("geometries", ()):
        if shape.get("properties", {}).get("kind") == "waterway":
            numbers = [number for line in shape.get("arcs", ()) for number in line]
            if len(numbers) != 1 or not 0 <= numbers[0] < len(arcs):
                wrong.append(f"geometry: waterway {shape.get('id')} needs one arc, of kind MultiLineString")
                continue
            points = tuple((x * UNIT, y * UNIT) for x, y in arcs[numbers[0]])
            out.append(Link("waterway", points, place=str(shape.get("id", ""))))
    for number, link in enumerate(geometry.get("x_links", ())):
        points = tuple(_point(point) for point in link.get("points", ()))
        if len(points) < 2 or link.get("kind") not in ("bridge", "strait", "waterway"):
            wrong.append(f"geometry: x_links {number} needs a kind (bridge, strait, waterway) and two points or more")
            continue
        out.append(Link(str(link["kind"]), points))
    return tuple(out)
