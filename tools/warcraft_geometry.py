"""Make maps/warcraft/geometry.topo.json and anchors.json from the board's straight-lined outline.

Run from the root of a checkout: ``python tools/warcraft_geometry.py``.  The outline (tools/warcraft-outline.json) has a straight-edged
polygon for each region; here equal edges become one arc each, coasts and borders get a hand-drawn line (the same on every run: chance
comes from the coordinates), and room is found for units, labels, dots and dislodged units.  Needs nothing but the project itself.
"""

import json
from collections import defaultdict
from itertools import pairwise
from math import cos, hypot, pi, sin
from pathlib import Path
from zlib import crc32

from judge.board import Province
from judge.library import read_variant
from judge.picture import parse_lettering
from judge.picture.geometry import Spans, box_at, overlap
from judge.picture.lettering import Hand

HERE = Path(__file__).parent
MAPS = HERE.parent / "maps"
SCALE = 1.3
CODE, NAME = Hand("bold", 12.5, 0.8), Hand("text", 9.8, 0.25)

Point = tuple[float, float]


def key(point: Point) -> tuple[int, int]:
    """Whole tenths of a px, by which corners are known again."""
    return (round(point[0] * 10), round(point[1] * 10))


def split_edges(cells: dict[str, list[Point]]) -> dict[frozenset, list[str]]:
    """Every straight piece between two corners, and the cells beside it; edges are cut where another cell has a corner on them."""
    corners = sorted({key(point) for ring in cells.values() for point in ring})
    beside: dict[frozenset, list[str]] = defaultdict(list)
    for name, ring in cells.items():
        points = [key(point) for point in ring]
        for a, b in pairwise([*points, points[0]]):
            on_it = [c for c in corners if lies_between(a, b, c)]
            stops = sorted({a, b, *on_it}, key=lambda c: hypot(c[0] - a[0], c[1] - a[1]))
            for piece in pairwise(stops):
                beside[frozenset(piece)].append(name)
    return beside


def lies_between(a, b, c) -> bool:
    """Whether corner `c` lies on the straight piece from `a` to `b`, ends apart."""
    if c in (a, b):
        return False
    length = hypot(b[0] - a[0], b[1] - a[1])
    along = ((c[0] - a[0]) * (b[0] - a[0]) + (c[1] - a[1]) * (b[1] - a[1])) / length
    across = abs((c[0] - a[0]) * (b[1] - a[1]) - (c[1] - a[1]) * (b[0] - a[0])) / length
    return across < 3 and 0 < along < length


def chains(beside: dict[frozenset, list[str]]) -> list[tuple[list[tuple[int, int]], tuple[str, str]]]:
    """Pieces joined to lines between places where three areas meet, each with its two sides."""
    sides = {piece: tuple(sorted(names)) if len(names) == 2 else (names[0], "~") for piece, names in beside.items()}
    at = defaultdict(list)
    for piece in sides:
        for corner in piece:
            at[corner].append(piece)

    def is_end(corner) -> bool:
        return len(at[corner]) != 2 or sides[at[corner][0]] != sides[at[corner][1]]

    done, out = set(), []
    starts = sorted(corner for corner in at if is_end(corner)) + sorted(at)
    for start in starts:
        for first in sorted(at[start], key=sorted):
            if first in done or (not is_end(start) and any(piece in done for piece in at[start])):
                continue
            line, piece, corner = [start], first, start
            while piece not in done:
                done.add(piece)
                corner = next(iter(piece - {corner}))
                line.append(corner)
                if is_end(corner) or corner == start:
                    break
                piece = next((p for p in at[corner] if p not in done), piece)
            out.append((line, sides[first]))
    return out


def chance(*values: float) -> float:
    """A number from -1 to 1 that depends on nothing but the values."""
    return crc32(repr(tuple(round(v, 2) for v in values)).encode()) / 0x7FFFFFFF - 1


def drawn(line: list[Point], rough: float, finest: float) -> list[Point]:
    """A straight-lined polyline as a hand would draw it: corners rounded, then bent ever finer."""
    closed = line[0] == line[-1]
    for _ in range(1):
        cut = [] if closed else [line[0]]
        for a, b in pairwise(line):
            cut += [(a[0] * 0.78 + b[0] * 0.22, a[1] * 0.78 + b[1] * 0.22), (a[0] * 0.22 + b[0] * 0.78, a[1] * 0.22 + b[1] * 0.78)]
        if not closed:  # the ends stay where the neighbours meet
            cut = [cut[0], *cut[2:-1], line[-1]] if len(line) > 2 else [line[0], line[-1]]
        line = [*cut, cut[0]] if closed else cut
    out = [line[0]]
    for a, b in pairwise(line):
        out += bent(a, b, rough, finest)[1:]
    return out


def bent(a: Point, b: Point, rough: float, finest: float) -> list[Point]:
    """The way from `a` to `b` as a polyline, its middle moved aside, and so on with both halves."""
    length = hypot(b[0] - a[0], b[1] - a[1])
    if length < finest:
        return [a, b]
    off = chance(*sorted([a, b])[0], *sorted([a, b])[1]) * rough
    middle = ((a[0] + b[0]) / 2 - (b[1] - a[1]) * off, (a[1] + b[1]) / 2 + (b[0] - a[0]) * off)
    return bent(a, middle, rough, finest)[:-1] + bent(middle, b, rough, finest)


def main() -> None:
    """Write both files."""
    board = json.loads((HERE / "warcraft-outline.json").read_text())
    grow = lambda points: [(x * SCALE, y * SCALE) for x, y in points]  # noqa: E731
    cells = {name: grow(region["cell"]) for name, region in board["regions"].items()}
    cells |= {place["id"]: grow(place["cell"]) for place in board["impassable"]}
    lines = chains(split_edges(cells))
    open_to_all = {frozenset((b["a"], b["b"])) for b in board["borders"] if b["pass"] == "all"}  # noqa: S105 -- a passage, no password
    arcs, sides, passage = [], [], {}
    for line, pair in lines:
        coast = "~" in pair
        points = drawn([(x / 10, y / 10) for x, y in line], 0.2 if coast else 0.09, 5 if coast else 12)
        if not coast:
            passage[str(len(arcs))] = "open" if frozenset(pair) in open_to_all else "barred"
        arcs.append([key(point) for point in points])
        sides.append(list(pair))
    shapes = [shape(name, arcs, sides) for name in cells]
    ways, ways_by_name = [], {}
    for name, way in board["waterways"].items():
        points = ways_by_name[name] = smooth_way(grow(way["line"]))
        ways.append({"type": "MultiLineString", "id": name, "arcs": [[len(arcs)]], "properties": {"kind": "waterway", "name": name}})
        arcs.append([key(point) for point in points])
        sides.append([None, None])
    links = [
        {"kind": "bridge" if b["pass"] == "bridge" else "strait", "points": [list(map(round, p)) for p in grow(b["line"])]}  # noqa: S105 -- a passage, no password
        for b in board["borders"]
        if b.get("link")
    ]
    size = [round(side * SCALE) for side in board["size"]]
    topology = {
        "type": "Topology",
        "transform": {"scale": [0.1, 0.1], "translate": [0, 0]},
        "bbox": [0, 0, *size],
        "arcs": [delta(arc) for arc in arcs],
        "objects": {"provinces": {"type": "GeometryCollection", "geometries": [*shapes, *ways]}},
        "x_size": size,
        "x_arc_sides": sides,
        "x_arc_passage": passage,
        "x_links": links,
        "x_decor": {},
    }
    folder = MAPS / "warcraft"
    (folder / "geometry.topo.json").write_text(json.dumps(topology, separators=(",", ":"), ensure_ascii=False) + "\n")
    rings = {name: [[(x / 10, y / 10) for x, y in ring_of(s["arcs"][0][0], arcs)]] for name, s in zip(cells, shapes, strict=True)}
    places = anchors(board, rings, ways_by_name)
    text = ",\n".join(f"  {json.dumps(name)}: {json.dumps(place, ensure_ascii=False)}" for name, place in places.items())
    (folder / "anchors.json").write_text(f'{{\n "size": {size},\n "provinces": {{\n{text}\n }}\n}}\n')


def delta(arc: list[tuple[int, int]]) -> list[list[int]]:
    """An arc as TopoJSON stores it."""
    return [list(arc[0]), *([b[0] - a[0], b[1] - a[1]] for a, b in pairwise(arc))]


def smooth_way(line: list[Point]) -> list[Point]:
    """A waterway with its corners rounded."""
    for _ in range(3):
        cut = [line[0]]
        for a, b in pairwise(line):
            cut += [(a[0] * 0.75 + b[0] * 0.25, a[1] * 0.75 + b[1] * 0.25), (a[0] * 0.25 + b[0] * 0.75, a[1] * 0.25 + b[1] * 0.75)]
        line = [cut[0], *cut[2:-1], line[-1]] if len(line) > 2 else line
    return line


def shape(name: str, arcs: list, sides: list) -> dict:
    """One region as TopoJSON: its arcs put in order, those taken backwards as their complement."""
    mine = [number for number, pair in enumerate(sides) if name in pair]
    ring, end = [mine[0]], arcs[mine[0]][-1]
    left = set(mine[1:])
    while left:
        number = next(n for n in sorted(left) if end in (arcs[n][0], arcs[n][-1]))
        left.discard(number)
        forward = arcs[number][0] == end
        ring.append(number if forward else ~number)
        end = arcs[number][-1] if forward else arcs[number][0]
    kind = "neutral" if name.startswith("X") else "land"
    return {"type": "MultiPolygon", "id": name, "arcs": [[ring]], "properties": {"kind": kind, "name": name}}


def ring_of(numbers: list[int], arcs: list) -> list:
    """The outline that some arcs make."""
    points = []
    for number in numbers:
        arc = arcs[number] if number >= 0 else arcs[~number][::-1]
        points += arc[1:] if points else arc
    return points[:-1]


def anchors(board: dict, rings: dict, ways: dict) -> dict:
    """The places of every region and waterway."""
    lettering = parse_lettering(json.loads((MAPS / "standard" / "glyphs.json").read_text()))
    insides = {name: Spans([tuple(ring) for ring in rings[name]], 2) for name in rings}
    provinces = read_variant("warcraft").board.provinces
    out = {name: place_region(provinces[name], rings[name][0], insides, lettering) for name in board["regions"]}
    water = [point for line in ways.values() for point in filled(line)]
    for name in rings:
        if name in out and not out[name]["name_lines"]:
            label_outside(out[name], provinces[name].name, rings[name][0], insides, water, lettering)
    taken = [box_at(place["label"], 60, 32) for place in out.values()]
    for name, way in board["waterways"].items():
        x, y = (round(value * SCALE) for value in (way["x"], way["y"]))
        width = lettering.width(name, Hand("bold", 10.4, 1.2)) + 4
        label = clearest(
            [(x + dx * (width / 2 + 9), y + dy) for dx in (0, 1, -1) for dy in (17, -17, 0, 9, -9) if dx or abs(dy) == 17],
            (width, 13),
            insides,
            water,
            taken,
        )
        taken += [box_at(label, width, 13), box_at((x, y), 20, 20)]
        place = {"name": name, "unit": [x, y], "label": list(label), "name_lines": []}
        around = [(round(x + 26 * cos(a * pi / 8)), round(y + 26 * sin(a * pi / 8))) for a in range(16)]
        place["dislodged"] = list(clearest(around, (24, 22), insides, water, taken))
        out[name] = place
    return out


def filled(line: list[Point]) -> list[Point]:
    """Points every 4 px along a line."""
    out = []
    for a, b in pairwise(line):
        steps = max(1, int(hypot(b[0] - a[0], b[1] - a[1]) / 4))
        out += [(a[0] + (b[0] - a[0]) * n / steps, a[1] + (b[1] - a[1]) * n / steps) for n in range(steps)]
    return out


def clearest(spots: list[Point], size: Point, insides: dict, water: list[Point], taken: list, most: float = 1e9) -> Point | None:
    """The first of the spots with the least land, waterway and lettering under a box of that size."""

    def cost(spot: Point) -> float:
        box = box_at(spot, *size)
        lines = sum(box[0] < x < box[2] and box[1] < y < box[3] for x, y in water)
        corners = [(x, y) for x in (box[0], spot[0], box[2]) for y in (box[1], spot[1], box[3])]
        land = sum(any(inside.holds(box_at(corner, 1, 1)) for inside in insides.values()) for corner in corners)
        frame = sum(not (4 < x < 1200 * SCALE - 4 and 4 < y < 900 * SCALE - 4) for x, y in corners)
        return lines + 2 * land + 6 * sum(overlap(box, other) for other in taken) + 50 * frame

    best = min(spots, key=cost)
    return best if cost(best) <= most else None


def label_outside(place: dict, name: str, ring: list[Point], insides: dict, water: list[Point], lettering) -> None:
    """The name of an island too small for it, on the sea beside it."""
    xs, ys = [p[0] for p in ring], [p[1] for p in ring]
    lines = name_lines(name, lettering, 60)[-1:] or [[name]]
    size = (max(lettering.width(line, NAME) for line in lines[0]) + 4, 11.2 + 9.6 * len(lines[0]) + 2)
    x, y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    below, above = max(ys) + size[1] / 2 + 2, min(ys) - size[1] / 2 - 2
    left, right = min(xs) - size[0] / 2 - 3, max(xs) + size[0] / 2 + 3
    spots = [(x, below), (right, y), (left, y), (x, above), (right, below - 8), (left, below - 8), (right, above + 8), (left, above + 8)]
    label = clearest(spots, size, insides, water, [], 0.5)
    if label is None:
        return
    place["label"] = [round(v, 1) for v in label]
    place["name_lines"] = lines[0]
    place["unit"] = [round(x), round(y)]
    if "sc" in place:
        place["sc"] = [round(x) + 19, round(y) - 3] if max(xs) - min(xs) > 56 else [round(x) + 3, round(y) + 16]
    place["dislodged"] = [round(x) + 20, round(y) - 17]


def name_lines(name: str, lettering, widest: float) -> list[list[str]]:
    """The ways to write a name: on one line, or on two as even as can be."""
    width = lambda text: lettering.width(text, NAME)  # noqa: E731
    words = name.split()
    ways = [[name]] if width(name) <= widest else []
    halves = [[" ".join(words[:cut]), " ".join(words[cut:])] for cut in range(1, len(words))]
    return ways + sorted((pair for pair in halves if max(map(width, pair)) <= widest), key=lambda pair: max(map(width, pair)))[:1]


def place_region(region: Province, ring: list[Point], insides: dict, lettering) -> dict:
    """Room for one region's unit, label, dot and dislodged unit."""
    name = region.id
    inside = insides[name]
    xs, ys = [p[0] for p in ring], [p[1] for p in ring]
    centre = ((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)
    grid = [(x, y) for x in range(int(min(xs)), int(max(xs)) + 1, 4) for y in range(int(min(ys)), int(max(ys)) + 1, 4)]
    room = {point: min(hypot(point[0] - x, point[1] - y) for x, y in ring) for point in grid if inside.holds(box_at(point, 2, 2))}
    best = None
    for lines in [*name_lines(region.name, lettering, 96), []]:
        wide = max([lettering.width(name, CODE), *(lettering.width(line, NAME) for line in lines)]) + 2
        size = (wide, 11.2 + 9.6 * len(lines))
        for unit, clear in room.items():
            if clear < 9:
                continue
            for label in [(unit[0] + dx, unit[1] + 16 + size[1] / 2 + dy) for dx in (0, -6, 6, -14, 14) for dy in (0, 4)] + [
                (unit[0] + side * (17 + size[0] / 2), unit[1] + 2) for side in (-1, 1)
            ]:
                if not inside.holds(box_at(label, *size)):
                    continue
                middle = ((unit[0] + label[0]) / 2, (unit[1] + label[1]) / 2)
                score = 14 * len([1 for _ in lines][:1]) + min(clear, 16) * 2 - abs(label[0] - unit[0]) * 0.15
                score -= hypot(middle[0] - centre[0], middle[1] - centre[1]) * 0.25 + (len(lines) == 2) * 2
                if best is None or score > best[0]:
                    best = (score, unit, label, lines, size)
    if best is None:  # no room inside: the number stands below on the sea
        unit = max(room, key=lambda point: room[point])
        size = (lettering.width(name, CODE) + 2, 11.2)
        best = (0, unit, (unit[0], unit[1] + 21), [], size)
    _, unit, label, lines, size = best
    taken = [box_at(unit, 32, 28), box_at(label, size[0] + 2, size[1] + 2)]
    place = {"name": region.name, "unit": list(unit), "label": [label[0], round(label[1], 1)], "name_lines": lines}
    if region.is_centre:
        free = [p for p in room if not any(overlap(box_at(p, 15, 15), box) for box in taken)]
        dot = max(free, key=lambda p: (min(room[p], 9), -hypot(p[0] - unit[0], p[1] - unit[1]))) if free else (unit[0] - 18, unit[1] - 9)
        place["sc"] = list(dot)
        taken.append(box_at(dot, 15, 15))
    around = [(round(unit[0] + 25 * cos(a * pi / 8)), round(unit[1] + 25 * sin(a * pi / 8))) for a in range(16)]
    clash = lambda p: sum(overlap(box_at(p, 27, 24), box) for box in taken[1:])  # noqa: E731
    place["dislodged"] = list(min(around, key=lambda p: (clash(p), not inside.holds(box_at(p, 20, 20)), p[1])))
    return place


if __name__ == "__main__":
    main()
