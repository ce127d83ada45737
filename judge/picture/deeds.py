"""Orders drawn: arrows, supports, convoys, retreats, builds and removals."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import atan2, radians

from judge.board import Location, Power
from judge.picture.geometry import Point, box_at, box_of, distance, nearest, overlap, toward
from judge.picture.pieces import Piece, lines
from judge.picture.scene import Scene
from judge.picture.strokes import Stroke, arc, haloed
from judge.picture.symbols import TOKEN_RADIUS, build_ring, burst, cross, fallen_ring
from judge.picture.tracks import STRAIGHT_BOWS, Roads, Track, arrow_head
from judge.rules import (
    Build,
    Convoy,
    Disband,
    Dislodgement,
    Move,
    Order,
    Outcome,
    Retreat,
    SupportHold,
    SupportMove,
    Unit,
    Verdict,
)

_FAILED = frozenset({Verdict.BOUNCES, Verdict.NO_CONVOY, Verdict.ILLEGAL})
_WEAK = frozenset({Verdict.CUT, Verdict.NO_EFFECT, Verdict.DISRUPTED, Verdict.ILLEGAL})
_STRUCK = frozenset({Verdict.CUT, Verdict.DISRUPTED, Verdict.ILLEGAL})


@dataclass(frozen=True, slots=True)
class Deed:
    """One order to be drawn; without a verdict it is only planned.  `route` are the fleets that carried a move."""

    power: Power
    order: Order
    verdict: Verdict | None = None
    route: tuple[Location, ...] = ()


def deeds_of(outcomes: Iterable[Outcome]) -> tuple[Deed, ...]:
    """Adjudicated orders, ready to be drawn."""
    return tuple(Deed(each.power, each.order, each.verdict, each.why.route) for each in outcomes)


def draw_movement(scene: Scene, deeds: Sequence[Deed], fallen: Sequence[Unit], destroyed: Sequence[Unit]) -> None:
    """Moves first, then what helps them; `fallen` units get a broken ring, the `destroyed` a cross as well."""
    roads = Roads(scene.posts())
    moves = _lay_moves(scene, deeds, roads)
    for deed in deeds:
        match deed.order:
            case SupportHold(unit, of):
                _draw_guard(scene, deed, roads, scene.spot(unit.at), scene.spot(of.at))
            case SupportMove(unit, of, to):
                _draw_help(scene, deed, roads, scene.spot(unit.at), _goal(scene, moves, of, to))
            case Convoy(unit, of, to):
                _draw_carrying(scene, deed, scene.spot(unit.at), _goal(scene, moves, of, to))
            case _:
                pass
    for deed in deeds:
        if isinstance(deed.order, Move):
            _draw_shaft(scene, deed, moves[deed.order.unit.at.province][1])
    for unit in fallen:
        scene.rings.append(fallen_ring(scene.spot(unit.at)))
    for unit in destroyed:
        scene.marks.append(cross(scene.spot(unit.at), 9.0))


def draw_retreats(scene: Scene, deeds: Sequence[Deed]) -> None:
    """Arrows of the retreats, crosses on the disbanded."""
    roads = Roads(scene.posts())
    for deed in deeds:
        match deed.order:
            case Retreat(unit, to):
                track = roads.lay(scene.waiting_spot(unit.at), scene.spot(to), TOKEN_RADIUS + 5, _tail(scene, scene.spot(to)))
                _draw_shaft(scene, deed, track)
                if deed.verdict in _FAILED:
                    scene.marks.append(cross(scene.waiting_spot(unit.at), 9.0))
            case Disband(unit):
                scene.marks.append(cross(scene.waiting_spot(unit.at), 9.0))
            case _:
                pass


def draw_adjustments(scene: Scene, deeds: Sequence[Deed]) -> None:
    """New units with a green ring, removed ones faded under a cross."""
    for deed in deeds:
        if deed.verdict is Verdict.ILLEGAL:
            continue
        match deed.order:
            case Build(unit):
                scene.stand(deed.power, unit, scene.spot(unit.at))
                scene.rings.append(build_ring(scene.spot(unit.at)))
            case Disband(unit):
                at = scene.spot(unit.at)
                scene.tokens = [piece for piece in scene.tokens if piece.at != at]
                scene.stand(deed.power, unit, at, faded=True)
                scene.marks.append(cross(at, 9.0))
            case _:
                pass


def draw_choices(scene: Scene, dislodged: Iterable[Dislodgement]) -> None:
    """A short hollow pointer from each dislodged unit to every place it may retreat to."""
    for fallen in dislodged:
        start = scene.waiting_spot(fallen.unit.at)
        look = scene.looks[fallen.power]
        for to in fallen.retreats:
            goal = scene.spot(to)
            reach = min(distance(start, goal) - 6, 48.0)
            track = Track((toward(start, goal, 18.5), toward(start, goal, max(reach, 32.0))))
            scene.tracks.append(track)
            head, neck = arrow_head(track.points, 7.0, 7.4, 0.0)
            shaft = haloed(Stroke((track.points[0], neck), look.line, 1.9, dash=(1, 3.6)), 4.6)
            scene.lines.append(lines(*shaft, Stroke(head, look.line, 1.3, fill="#fff")))
        if not fallen.retreats:
            scene.marks.append(cross(start, 9.0))


def _lay_moves(scene: Scene, deeds: Sequence[Deed], roads: Roads) -> dict[str, tuple[Location, Track]]:
    """The track of every move, by the province it starts from; the long ones by sea follow their fleets."""
    out = {}
    for deed in sorted(deeds, key=lambda s: str(s.order)):
        if not isinstance(deed.order, Move):
            continue
        start, end = scene.spot(deed.order.unit.at), scene.spot(deed.order.to)
        tail = _tail(scene, end)
        fleets = _fleets_of(scene, deed, deeds)
        overland = _is_overland(scene, start, end, deed.order.unit.at.province, deed.order.to.province)
        gate = _gate(scene, deed.order) if overland else None
        if len(fleets) > 1 or (fleets and overland):
            track = roads.lay_through(_stops(scene, deed.order, fleets), TOKEN_RADIUS, tail)
        elif gate is not None:
            track = roads.lay_through([start, gate, end], TOKEN_RADIUS, tail)
        else:
            track = roads.lay(start, end, TOKEN_RADIUS, tail)
        out[deed.order.unit.at.province] = (deed.order.to, track)
        scene.tracks.append(track)
    return out


def _tail(scene: Scene, end: Point) -> float:
    """How far from its goal an arrow stops: 15 px where a unit stands, 3 on free ground."""
    return 15.5 if any(distance(post, end) < 14 for post in scene.posts()) else 3.0


def _is_overland(scene: Scene, start: Point, end: Point, *own: str) -> bool:
    """Whether the straight way runs over the land of a province other than its `own`."""
    steps = max(4, min(14, int(distance(start, end) / 14)))
    between = [(start[0] + (end[0] - start[0]) * step / steps, start[1] + (end[1] - start[1]) * step / steps) for step in range(1, steps)]
    drawing, box = scene.drawing, box_of(between)
    near = [name for name in drawing.lands if name not in own and overlap(box, drawing.boxes[name])]
    return any(drawing.insides[name].holds(box_at(point, 2, 2)) for name in near for point in between)


def _gate(scene: Scene, move: Move) -> Point | None:
    """The middle of the border a move crosses, a little to the right so that two opposite moves lie apart; None if it has no one border."""
    start, end = scene.spot(move.unit.at), scene.spot(move.to)
    gate = scene.drawing.gates.get((move.unit.at.province, move.to.province))
    if gate is None or move.unit.at.coast or move.to.coast or min(distance(gate, start), distance(gate, end)) < 24:
        return None
    dx, dy = end[0] - start[0], end[1] - start[1]
    full = distance(start, end)
    return (gate[0] - dy / full * 5, gate[1] + dx / full * 5)


def _fleets_of(scene: Scene, deed: Deed, deeds: Sequence[Deed]) -> tuple[Location, ...]:
    """The fleets that carry a move, in order from shore to shore; none if it goes by land or they make no chain."""
    move = deed.order
    assert isinstance(move, Move)
    fleets = [other.order.unit.at for other in deeds if isinstance(other.order, Convoy) and _carries(other.order, move)]
    used = {fleet.province for fleet in deed.route}
    carriers = [fleet for fleet in fleets if fleet.province in used] or fleets
    return _chain(scene.drawing.touching, carriers, move.unit.at.province, move.to.province)


def _carries(convoy: Convoy, move: Move) -> bool:
    return convoy.of.at.province == move.unit.at.province and convoy.to.province == move.to.province


def _chain(touching: Mapping[str, frozenset[str]], carriers: Sequence[Location], start: str, end: str) -> tuple[Location, ...]:
    """The shortest chain of carriers from one shore to the other."""
    ways: list[tuple[Location, ...]] = [(fleet,) for fleet in sorted(carriers) if fleet.province in touching.get(start, ())]
    while ways:
        for way in ways:
            if end in touching.get(way[-1].province, ()):
                return way
        ways = [
            (*way, fleet)
            for way in ways
            for fleet in sorted(carriers)
            if fleet not in way and fleet.province in touching.get(way[-1].province, ())
        ][:500]
    return ()


def _stops(scene: Scene, move: Move, fleets: Sequence[Location]) -> list[Point]:
    """Where a carried army's line passes: over the shores where it embarks and lands, and close by each fleet."""
    start, end = scene.spot(move.unit.at), scene.spot(move.to)
    gates = scene.drawing.gates
    shores = (gates.get((move.unit.at.province, fleets[0].province)), gates.get((fleets[-1].province, move.to.province)))
    first, last = (shore if shore is not None and min(distance(shore, start), distance(shore, end)) > 24 else None for shore in shores)
    spots = [first or start, *(scene.spot(fleet) for fleet in fleets), last or end]
    out = [start] if first is None else [start, first]
    for index, (before, spot, after) in enumerate(zip(spots, spots[1:], spots[2:], strict=False)):
        middle = nearest((before, after), spot)
        if distance(middle, spot) < 1:
            middle = (spot[0], spot[1] + 10)
        out.append(toward(spot, middle, min(20.0, max(distance(middle, spot), 16.0))))
        here, there = fleets[index].province, fleets[min(index + 1, len(fleets) - 1)].province
        if (here, there) in gates and _is_overland(scene, spot, after):
            out.append(gates[here, there])
    return [*out, end] if last is None else [*out, last, end]


def _goal(scene: Scene, moves: Mapping[str, tuple[Location, Track]], of: Unit, to: Location) -> tuple[Track, bool]:
    """The track of the move that is helped, and whether it is really made; else the line it would have taken."""
    laid = moves.get(of.at.province)
    if laid is not None and laid[0].province == to.province:
        return laid[1], True
    return Track((scene.spot(of.at), scene.spot(to))), False


def _draw_shaft(scene: Scene, deed: Deed, track: Track) -> None:
    look = scene.looks[deed.power]
    head, neck = arrow_head(track.points)
    failed = deed.verdict in _FAILED
    shaft = Stroke((*track.points[:-1], neck), look.line, 3.1, dash=(7, 4.5) if failed else (), blunt=failed)
    tip = Stroke(head, look.line, 1.2, fill="#fff" if failed else look.line)
    (under, line), (tip_under, tip) = haloed(shaft, 6.0), haloed(tip, 3.0)
    scene.lines.append(lines(under, tip_under, line, tip))
    if failed:
        at = track.middle(0.7 if track.length > 40 else 0.5)
        scene.marks.append(cross(at) if deed.verdict is Verdict.ILLEGAL else burst(at))


def _draw_guard(scene: Scene, deed: Deed, roads: Roads, start: Point, held: Point) -> None:
    """A support to hold: a broken line and an arc before the unit that is held."""
    track = roads.lay(start, held, TOKEN_RADIUS, 17.0, STRAIGHT_BOWS)
    opacity = 0.45 if deed.verdict in _WEAK else 1.0
    line = scene.looks[deed.power].line
    scene.tracks.append(track)
    shield = Stroke(_before(held, track.points[-1]), line, 2.1, opacity)
    scene.lines.append(lines(*_dashed(track, line, opacity), *haloed(shield, 4.6)))
    _strike(scene, deed, track)


def _before(middle: Point, toward_point: Point) -> tuple[Point, ...]:
    """The arc about a unit on the side of that point."""
    angle = atan2(toward_point[1] - middle[1], toward_point[0] - middle[0])
    return arc(middle, 17.0, angle - radians(48), angle + radians(48))


def _draw_help(scene: Scene, deed: Deed, roads: Roads, start: Point, goal: tuple[Track, bool]) -> None:
    """A support to move: a broken line to a ring on the middle of the arrow."""
    track_helped, real = goal
    middle = track_helped.middle()
    track = roads.lay(start, middle, TOKEN_RADIUS, 3.0, STRAIGHT_BOWS)
    line = scene.looks[deed.power].line
    opacity = 0.45 if deed.verdict in _WEAK else 1.0
    scene.tracks.append(track)
    scene.lines.append(lines(*(() if real else (_ghost(track_helped, line),)), *_dashed(track, line, opacity)))
    ring = f'<circle r="3.9" fill="#fff" stroke="{line}" stroke-width="1.7" stroke-opacity="{opacity}"/>'
    scene.marks.insert(0, Piece(ring, (-6.0, -6.0, 6.0, 6.0), middle))
    _strike(scene, deed, track)


def _draw_carrying(scene: Scene, deed: Deed, start: Point, goal: tuple[Track, bool]) -> None:
    """A convoy: dots from the fleet to a diamond where the army passes."""
    carried, real = goal
    to = nearest(carried.points, start) if real else carried.middle()
    if real and distance(to, carried.points[0]) < 25:
        to = carried.middle()
    line = scene.looks[deed.power].line
    opacity = 0.45 if deed.verdict in _WEAK else 1.0
    track = Track((toward(start, to, min(11.0, distance(start, to) / 2)), to))
    dots = haloed(Stroke(track.points, line, 2.8, opacity, dash=(0.1, 5)), 5.0)
    scene.tracks.append(track)
    scene.lines.append(lines(*(() if real else (_ghost(carried, line),)), *dots))
    diamond = f'<path d="M0 -5L5 0L0 5L-5 0Z" fill="#fff" stroke="{line}" stroke-width="1.7" stroke-linejoin="round"/>'
    scene.marks.insert(0, Piece(diamond, (-7.0, -7.0, 7.0, 7.0), to))
    if deed.verdict in _STRUCK:
        scene.marks.append(cross(start if distance(start, to) < 26 else track.middle(0.5)))


def _strike(scene: Scene, deed: Deed, track: Track) -> None:
    if deed.verdict in _STRUCK:
        scene.marks.append(cross(track.middle(0.45), 4.0))


def _dashed(track: Track, line: str, opacity: float) -> tuple[Stroke, Stroke]:
    return haloed(Stroke(track.points, line, 1.9, opacity, dash=(4.5, 3), blunt=True), 4.4)


def _ghost(track: Track, line: str) -> Stroke:
    """The move somebody helped that nobody made."""
    return Stroke(track.points, line, 1.4, 0.45, dash=(1, 4))
