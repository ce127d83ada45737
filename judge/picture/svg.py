"""A position, or a turn with its orders, laid out as a sheet and written as SVG."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import cycle

from judge.board import Board, Location, Power
from judge.picture.caption import Caption, foot_strip, head_strip
from judge.picture.deeds import Deed, deeds_of, draw_adjustments, draw_choices, draw_movement, draw_retreats
from judge.picture.drawing import Drawing
from judge.picture.geometry import number
from judge.picture.ground import bottom, holders, top
from judge.picture.pieces import Piece, Sheet, definitions
from judge.picture.scene import Scene
from judge.picture.style import FRONTIER, PAPER
from judge.rules import (
    Disband,
    Dislodgement,
    Move,
    Order,
    Outcome,
    Phase,
    Position,
    Step,
    Unit,
    Verdict,
    Waive,
    write_order,
    write_phase,
    write_unit,
)


def lay_position(drawing: Drawing, board: Board, position: Position, caption: Caption | None = None) -> Sheet:
    """The board as `position` has it: owners, units, and for dislodged units the ways they may retreat."""
    scene = _scene(drawing, board, position)
    scene.stand_all()
    draw_choices(scene, position.dislodged)
    return _sheet(scene, caption, _units_told(position))


def lay_orders(
    drawing: Drawing, board: Board, position: Position, orders: Mapping[Power, Sequence[Order]], caption: Caption | None = None
) -> Sheet:
    """The board with orders as they are planned, before anybody knows what becomes of them."""
    scene = _scene(drawing, board, position)
    scene.stand_all()
    deeds = tuple(Deed(power, order) for power, given in sorted(orders.items()) for order in given if _has_unit(position, power, order))
    _draw(scene, deeds, (), ())
    return _sheet(scene, caption, _orders_told((deed.power, deed.order, "") for deed in deeds))


def lay_turn(
    drawing: Drawing, board: Board, before: Position, outcomes: Iterable[Outcome], after: Position, caption: Caption | None = None
) -> Sheet:
    """A phase as it went: units where they began, every order with what became of it, owners as they are afterwards."""
    done = tuple(outcomes)
    changed = frozenset(place for place, owner in after.owners.items() if before.owners.get(place) != owner)
    scene = _scene(drawing, board, before, after.owners, changed)
    scene.stand_all()
    fallen = [each.order.unit for each in done if each.dislodged and not isinstance(each.order, Waive)]
    saved = {each.unit.at.province for each in after.dislodged if each.retreats}
    _draw(scene, deeds_of(done), fallen, [unit for unit in fallen if unit.at.province not in saved])
    return _sheet(scene, caption, _orders_told((each.power, each.order, str(each.verdict)) for each in done))


def lay_swatches(drawing: Drawing, board: Board) -> Sheet:
    """A crowded sheet with every colour of a drawing on it, from which the palette of its pictures is taken."""
    powers, kinds = board.powers, sorted(board.kinds)
    places = [name for name in drawing.anchors if name in drawing.area]
    lands = [name for name in places if drawing.area[name].kind == "land"]
    held = {name: powers[turn] for name, turn in zip(lands, cycle(range(len(powers) + 1)), strict=False) if turn < len(powers)}
    units: dict[Power, list[Unit]] = {power: [] for power in powers}
    for name, power, kind in zip(places, cycle(powers), cycle(kinds), strict=False):
        units[power].append(Unit(kind, Location(name)))
    position = Position(Phase(1, "S", Step.MOVEMENT), {power: tuple(own) for power, own in units.items()}, held)
    scene = Scene(drawing, board, drawing.style.looks(powers), position, held, held)
    scene.stand_all()
    verdicts = (Verdict.MOVES, Verdict.BOUNCES, Verdict.ILLEGAL)
    deeds = [
        Deed(power, Move(unit, Location(min(near))), verdict)
        for power, own in position.units.items()
        for unit, verdict in zip(own[::2], cycle(verdicts), strict=False)
        if (near := drawing.touching.get(unit.at.province, frozenset()) & set(places))
    ]
    draw_movement(scene, deeds, [own[0] for own in units.values() if own], [])
    return _sheet(scene, None, "")


def draw_position(drawing: Drawing, board: Board, position: Position, caption: Caption | None = None) -> str:
    """`lay_position` as SVG text."""
    return write_svg(lay_position(drawing, board, position, caption))


def draw_orders(
    drawing: Drawing, board: Board, position: Position, orders: Mapping[Power, Sequence[Order]], caption: Caption | None = None
) -> str:
    """`lay_orders` as SVG text."""
    return write_svg(lay_orders(drawing, board, position, orders, caption))


def draw_turn(
    drawing: Drawing, board: Board, before: Position, outcomes: Iterable[Outcome], after: Position, caption: Caption | None = None
) -> str:
    """`lay_turn` as SVG text."""
    return write_svg(lay_turn(drawing, board, before, outcomes, after, caption))


def write_svg(sheet: Sheet) -> str:
    """The sheet as an SVG document by itself: no script, no font, nothing outside; title and description for screen readers."""
    width, height = sheet.size
    map_width, map_height = sheet.drawing.size
    pieces = (sheet.bottom, *sheet.ground, sheet.top, *sheet.over)
    wanted = {name for piece in (*pieces, *sheet.strips) for name in piece.uses}
    left, down = sheet.origin
    frame = f'<rect x=".5" y=".5" width="{map_width - 1}" height="{map_height - 1}" fill="none" stroke="{FRONTIER}"/>'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img" '
        f'aria-labelledby="t d"><title id="t">{escape(sheet.title)}</title><desc id="d">{escape(sheet.description)}</desc>',
        f"<defs>{definitions(sheet.drawing, wanted)}</defs>",
        f'<rect width="{width}" height="{height}" fill="{PAPER}"/>' if sheet.strips else "",
        f'<svg x="{number(left)}" y="{number(down)}" width="{map_width}" height="{map_height}" viewBox="0 0 {map_width} {map_height}">',
        *(fragment(piece) for piece in pieces),
        frame + "</svg>",
        *(fragment(piece) for piece in sheet.strips),
        "</svg>",
    ]
    return "".join(parts)


def fragment(piece: Piece) -> str:
    """One piece in its place and colour."""
    ink = f' color="{piece.ink}"' if piece.ink else ""
    place = f' transform="translate({number(piece.at[0])} {number(piece.at[1])})"' if piece.at != (0.0, 0.0) else ""
    return f"<g{ink}{place}>{piece.svg}</g>" if ink or place else piece.svg


def _scene(
    drawing: Drawing, board: Board, position: Position, owners: Mapping[str, Power] | None = None, fresh: frozenset[str] = frozenset()
) -> Scene:
    shown = position.owners if owners is None else owners
    held = holders(drawing, board, Position(position.phase, position.units, shown))
    return Scene(drawing, board, drawing.style.looks(board.powers), position, shown, held, fresh)


def _draw(scene: Scene, deeds: Sequence[Deed], fallen: Sequence[Unit], destroyed: Sequence[Unit]) -> None:
    match scene.before.phase.step:
        case Step.MOVEMENT:
            draw_movement(scene, deeds, fallen, destroyed)
        case Step.RETREAT:
            draw_retreats(scene, deeds)
        case Step.ADJUSTMENT:
            draw_adjustments(scene, deeds)


def _has_unit(position: Position, power: Power, order: Order) -> bool:
    """Whether a planned order can be drawn: its unit stands (or waits) there, or it is a build."""
    if isinstance(order, Waive):
        return False
    if position.phase.step is Step.ADJUSTMENT and not isinstance(order, Disband):
        return True
    if position.phase.step is Step.RETREAT:
        return any(fallen.power == power and fallen.unit == order.unit for fallen in position.dislodged)
    return order.unit in position.units.get(power, ())


def _sheet(scene: Scene, caption: Caption | None, description: str) -> Sheet:
    drawing = scene.drawing
    width, height = drawing.size
    ground, over = scene.pieces()
    title = write_phase(scene.before.phase)
    if caption is None:
        return Sheet(drawing, drawing.size, (0.0, 0.0), bottom(drawing), ground, top(drawing), over, (), title, description)
    head, head_height = head_strip(drawing, scene.looks, caption)
    foot, foot_height = foot_strip(drawing, scene.board, caption, head_height + height)
    size = (width, head_height + height + foot_height)
    origin = (0.0, float(head_height))
    title = " · ".join(text for text in (caption.title, caption.subtitle) if text)
    return Sheet(drawing, size, origin, bottom(drawing), ground, top(drawing), over, (*head, *foot), title, description)


def _units_told(position: Position) -> str:
    """The position in canonical words, which are the same in every language."""
    told = [f"{power}: {', '.join(write_unit(unit) for unit in units)}" for power, units in sorted(position.units.items()) if units]
    told += [f"{_told_fallen(fallen)}" for fallen in position.dislodged]
    return "; ".join(told)


def _told_fallen(fallen: Dislodgement) -> str:
    return f"{fallen.power}: {write_unit(fallen.unit)} > {', '.join(fallen.retreats) or '0'}"


def _orders_told(orders: Iterable[tuple[Power, Order, str]]) -> str:
    by_power: dict[str, list[str]] = {}
    for power, order, verdict in orders:
        by_power.setdefault(power, []).append(write_order(order) + (f" ({verdict})" if verdict else ""))
    return "; ".join(f"{power}: {', '.join(told)}" for power, told in by_power.items())
