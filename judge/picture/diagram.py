"""A board without a map drawn as a clean diagram: its places as nodes, its passages as lines."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import cos, hypot, pi, sin, sqrt

from judge.board import Board, Province, Terrain
from judge.picture.drawing import Anchor, Area, Drawing, Edge, Link
from judge.picture.geometry import Point, box_of, distance
from judge.picture.lettering import Hand, Lettering
from judge.picture.style import Style

_SPACING = 92.0
"""px between neighbouring nodes."""
_APART = 78.0
"""px that two nodes are at least apart."""
_MARGIN = 56.0
_RADIUS = 28.0
_NAME = Hand("text", 9.8, 0.25)


def diagram(board: Board, lettering: Lettering, style: Style | None = None, places: Mapping[str, Point] | None = None) -> Drawing:
    """A Drawing of a board nobody has drawn: nodes where `places` has them, else laid out by how many steps they are apart.

    The same board gives the same diagram.  `places` must name every province, in px of any size, or it is not used.
    """
    ids = sorted(board.provinces)
    near = _neighbours(board)
    spots = {name: places[name] for name in ids} if places and all(name in places for name in ids) else _laid_out(ids, near)
    spots = _spread(_scaled(spots, near), ids)
    left, top, right, bottom = box_of(spots.values(), _MARGIN)
    middle = {name: (round(x - left), round(y - top)) for name, (x, y) in spots.items()}
    return Drawing(
        size=(round(right - left), round(bottom - top)),
        areas=tuple(_area(board.provinces[name], middle[name]) for name in ids),
        edges=tuple(_outline(board.provinces[name], middle[name]) for name in ids),
        anchors={name: _anchor(board.provinces[name], middle[name], lettering) for name in ids},
        lettering=lettering,
        style=style or Style(),
        links=tuple(Link(kind, (middle[a], middle[b]), (a, b)) for (a, b), kind in sorted(_passages(board).items())),
        is_diagram=True,
    )


def _passages(board: Board) -> dict[tuple[str, str], str]:
    """Pairs of provinces with a passage, and whether it is for those that go by land, by water or both."""
    open_to: dict[tuple[str, str], set[bool]] = {}
    for letter, table in board.passages.items():
        afloat = Terrain.SEA in board.kinds[letter].terrains
        for start, ends in table.items():
            for end in ends:
                if start.province != end.province:
                    pair = (min(start.province, end.province), max(start.province, end.province))
                    open_to.setdefault(pair, set()).add(afloat)
    floats = any(Terrain.SEA in kind.terrains for kind in board.kinds.values())
    names = {frozenset({True}): "fleet", frozenset({False}): "army", frozenset({True, False}): "both"}
    return {pair: names[frozenset(who)] if floats else "army" for pair, who in open_to.items()}


def _neighbours(board: Board) -> dict[str, list[str]]:
    near: dict[str, set[str]] = {name: set() for name in board.provinces}
    for a, b in _passages(board):
        near[a].add(b)
        near[b].add(a)
    return {name: sorted(others) for name, others in near.items()}


def _steps_from(start: str, near: Mapping[str, Sequence[str]]) -> dict[str, int]:
    found, wave = {start: 0}, [start]
    while wave:
        wave = [other for name in wave for other in near[name] if other not in found and found.setdefault(other, found[name] + 1)]
    return found


def _laid_out(ids: Sequence[str], near: Mapping[str, Sequence[str]]) -> dict[str, Point]:
    """Places whose distances fit the number of steps between them (stress majorisation, Gansner, Koren and North 2004)."""
    steps = {name: _steps_from(name, near) for name in ids}
    far = 1 + max(max(found.values()) for found in steps.values())
    apart = [[float(steps[a].get(b, far)) for b in ids] for a in ids]
    at = _first_guess(apart)
    count = len(ids)
    weight = [[0.0 if a == b else 1 / apart[a][b] ** 2 for b in range(count)] for a in range(count)]
    total = [sum(row) or 1.0 for row in weight]
    for _ in range(max(12, min(120, 2_500_000 // (count * count + 1)))):
        at = [_pulled(me, at, apart[me], weight[me], total[me]) for me in range(count)]
    return {name: (x, y) for name, (x, y) in zip(ids, at, strict=True)}


def _pulled(me: int, at: Sequence[Point], apart: Sequence[float], weight: Sequence[float], total: float) -> Point:
    """Where the others want a node to be."""
    x0, y0 = at[me]
    x = y = 0.0
    for (x1, y1), wanted, share in zip(at, apart, weight, strict=True):
        if share:
            dx, dy = x0 - x1, y0 - y1
            pull = wanted / (hypot(dx, dy) or 1.0)
            x += share * (x1 + dx * pull)
            y += share * (y1 + dy * pull)
    return (x / total, y / total)


def _first_guess(apart: Sequence[Sequence[float]]) -> list[Point]:
    """Steps from two far corners and two more across, with a little spiral so that no two coincide."""
    count = range(len(apart))
    one = max(count, key=lambda a: (max(apart[a]), -a))
    two = max(count, key=lambda a: (apart[one][a], -a))
    three = max(count, key=lambda a: (min(apart[one][a], apart[two][a]), -a))
    four = max(count, key=lambda a: (apart[three][a], -a))
    return [(apart[one][a] - apart[two][a] + 0.3 * cos(a * 2.4), apart[three][a] - apart[four][a] + 0.3 * sin(a * 2.4)) for a in count]


def _scaled(spots: Mapping[str, Point], near: Mapping[str, Sequence[str]]) -> dict[str, Point]:
    """The same places, so large that the middle one of all passages is `_SPACING` long."""
    lengths = sorted(distance(spots[a], spots[b]) for a, others in near.items() for b in others if a < b)
    middle = lengths[len(lengths) // 2] if lengths else 1.0
    factor = _SPACING / (middle or 1.0)
    return {name: (x * factor, y * factor) for name, (x, y) in spots.items()}


def _spread(spots: Mapping[str, Point], ids: Sequence[str]) -> dict[str, Point]:
    """The same places with those that lie too close pushed apart."""
    at = {name: spots[name] for name in ids}
    for _ in range(60):
        moved = False
        for a, b in combinations(ids, 2):
            (ax, ay), (bx, by) = at[a], at[b]
            dx, dy = bx - ax, by - ay
            if abs(dx) >= _APART or abs(dy) >= _APART:
                continue
            gap = sqrt(dx * dx + dy * dy)
            if gap < _APART - 0.5:
                ux, uy = (dx / gap, dy / gap) if gap else (1.0, 0.0)
                push = (_APART - gap) / 2
                at[a], at[b] = (ax - ux * push, ay - uy * push), (bx + ux * push, by + uy * push)
                moved = True
        if not moved:
            break
    return at


def _is_sea(province: Province) -> bool:
    return province.terrain in (Terrain.SEA, Terrain.WATERWAY)


def _ring(province: Province, middle: Point) -> tuple[Point, ...]:
    """The outline of a node: round on land, a lying octagon on the water."""
    x, y = middle
    if _is_sea(province):
        w, h, c = 31.0, 25.0, 10.0
        return ((x - w + c, y - h), (x + w - c, y - h), (x + w, y - h + c), (x + w, y + h - c), (x + w - c, y + h), (x - w + c, y + h),
                (x - w, y + h - c), (x - w, y - h + c))  # fmt: skip
    return tuple((x + _RADIUS * cos(step * pi / 20), y + _RADIUS * sin(step * pi / 20)) for step in range(40))


def _path(ring: Sequence[Point]) -> str:
    return "M" + "L".join(f"{round(x * 10)} {round(y * 10)}" for x, y in ring) + "z"


def _area(province: Province, middle: Point) -> Area:
    ring = _ring(province, middle)
    return Area(province.id, "sea" if _is_sea(province) else "land", _path(ring), (ring,))


def _outline(province: Province, middle: Point) -> Edge:
    ring = _ring(province, middle)
    return Edge(_path(ring), box_of(ring, 1.0), (province.id, ""), "sea" if _is_sea(province) else "coast")


def _anchor(province: Province, middle: Point, lettering: Lettering) -> Anchor:
    x, y = middle
    angles = {coast: pi * (0.25 + 0.5 * number) for number, coast in enumerate(province.coasts)}
    lines = tuple(_name_lines(province.name, lettering))
    return Anchor(
        unit=(x, y - 9),
        label=(x, y + 13 + (4.8 if lines else 0) * len(lines) - (2 if lines else 0)),
        lines=lines,
        dislodged=(x + 25, y - 22),
        dot=(x - 21, y - 21) if province.is_centre else None,
        coasts={coast: (x + 30 * cos(angle), y + 30 * sin(angle)) for coast, angle in angles.items()},
    )


def _name_lines(name: str, lettering: Lettering) -> list[str]:
    """The name under its code, in two lines if it is long; none if it would not fit even so."""
    if lettering.width(name, _NAME) <= 74:
        return [name]
    words = name.split()
    splits = [(" ".join(words[:cut]), " ".join(words[cut:])) for cut in range(1, len(words))]
    fitting = [pair for pair in splits if max(lettering.width(half, _NAME) for half in pair) <= 74]
    return list(min(fitting, key=lambda pair: max(lettering.width(half, _NAME) for half in pair))) if fitting else []
