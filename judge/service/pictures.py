"""Pictures drawn once, rastered and kept in a folder by what they show; any number of processes may share the folder."""

import hashlib
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path

from judge.board import Board, Power
from judge.game import Turn
from judge.library import BadMap, Library
from judge.picture import Caption, Drawing, Sheet, diagram, lay_orders, lay_position, lay_turn, why_unfit, write_svg
from judge.rules import Order, Outcome, Position, Waive, write_order
from judge.service.offspring import serve_parent
from judge.service.raster import Press, write_whole

WIDEST = 1400
"""px: a wider board is printed this wide, so that a letter stays light."""
FORM = 2
"""Goes up when pictures come out differently for the same facts."""


@dataclass(frozen=True)
class TurnPicture:
    """A phase as it went."""

    variant: str
    before: Position
    outcomes: tuple[Outcome, ...]
    after: Position


@dataclass(frozen=True)
class PositionPicture:
    """A position, with the ways the dislodged may retreat."""

    variant: str
    position: Position


@dataclass(frozen=True)
class OrdersPicture:
    """Orders as planned, for the eyes of those who gave them."""

    variant: str
    position: Position
    orders: Mapping[Power, tuple[Order, ...]]


PictureFacts = TurnPicture | PositionPicture | OrdersPicture
"""All that decides what a picture shows; the same facts give the same file.  Plain values, so that another process can draw them."""


def turn_picture(variant: str, turn: Turn) -> TurnPicture:
    """The picture of a closed phase."""
    return TurnPicture(variant, turn.before, turn.adjudication.outcomes, turn.adjudication.after)


class Pictures:
    """Draws what is asked for, or takes it from `folder`."""

    def __init__(self, folder: Path, library: Library) -> None:
        self.folder = folder
        self.library = library
        self._drawings: dict[str, Drawing] = {}
        self._presses: dict[str, Press] = {}

    def picture(self, facts: PictureFacts) -> bytes:
        """The picture as PNG, drawn now if it is not in the folder."""
        path = self.folder / f"{picture_name(facts)}.png"
        try:
            return path.read_bytes()
        except FileNotFoundError:
            png = self.press(facts.variant).print_png(self.sheet(facts))
            write_whole(path, png)
            return png

    def svg(self, facts: PictureFacts, caption: Caption | None = None) -> str:
        """The picture as SVG, with title and key if `caption` has them."""
        return write_svg(self.sheet(facts, caption))

    def sheet(self, facts: PictureFacts, caption: Caption | None = None) -> Sheet:
        """The picture laid out."""
        return lay(self.drawing(facts.variant), self.library.pack(facts.variant).variant.board, facts, caption)

    def drawing(self, variant: str) -> Drawing:
        """The drawing of a variant, or its diagram."""
        if variant not in self._drawings:
            self._drawings[variant] = drawing_of(self.library, variant)
        return self._drawings[variant]

    def press(self, variant: str) -> Press:
        """What prints the pictures of a variant; made when first wanted."""
        if variant not in self._presses:
            drawing = self.drawing(variant)
            self._presses[variant] = Press(drawing, self.library.pack(variant).variant.board, min(drawing.size[0], WIDEST), self.folder)
        return self._presses[variant]


def lay(drawing: Drawing, board: Board, facts: PictureFacts, caption: Caption | None = None) -> Sheet:
    """The facts laid out on a drawing."""
    match facts:
        case TurnPicture(_, before, outcomes, after):
            return lay_turn(drawing, board, before, outcomes, after, caption)
        case PositionPicture(_, position):
            return lay_position(drawing, board, position, caption)
        case OrdersPicture(_, position, orders):
            return lay_orders(drawing, board, position, orders, caption)


def drawing_of(library: Library, variant: str) -> Drawing:
    """A variant's drawing; a diagram if its picture cannot be read or does not fit the board (`judge map check` says why)."""
    pack = library.pack(variant)
    try:
        drawing = pack.drawing
    except BadMap:
        return diagram(pack.variant.board, library.pack("standard").drawing.lettering)
    return diagram(pack.variant.board, drawing.lettering, drawing.style) if why_unfit(drawing, pack.variant.board) else drawing


def picture_name(facts: PictureFacts) -> str:
    """File name of a picture: a hash of everything that decides what it shows.

    A changed map folder does not change it: pictures of a map that was mended are made anew when `spool/pictures` is emptied.
    """
    match facts:
        case TurnPicture(_, before, outcomes, after):
            orders = [f"{o.power} {write_order(o.order)} {o.verdict} {o.dislodged} {','.join(o.why.route)}" for o in outcomes]
            told = [*_told(before), "orders", *orders, *_told(after)]
        case PositionPicture(_, position):
            told = _told(position)
        case OrdersPicture(_, position, orders_by):
            given = [
                f"{power} {write_order(order)}"
                for power, orders in sorted(orders_by.items())
                for order in orders
                if not isinstance(order, Waive)
            ]
            told = [*_told(position), "planned", *given]
    text = "\n".join([f"{FORM} {type(facts).__name__} {facts.variant}", *told])
    return hashlib.sha256(text.encode()).hexdigest()


def _told(position: Position) -> list[str]:
    """A position as lines."""
    return [
        str(position.phase),
        *(f"{power} {unit}" for power, units in sorted(position.units.items()) for unit in units),
        *(f"{place} {owner}" for place, owner in sorted(position.owners.items())),
        *(f"{each.power} {each.unit} > {','.join(each.retreats)}" for each in position.dislodged),
    ]


def open_picture_pool(folder: Path, maps: Sequence[Path] = (), processes: int = 2) -> ProcessPoolExecutor:
    """Processes that draw for this one: ``pool.submit(picture_in_pool, facts)`` gives a future of the PNG.

    They are started afresh (not forked), so that no connection or lock of this process is shared.
    """
    return ProcessPoolExecutor(processes, get_context("spawn"), _start_in_pool, (folder, tuple(maps)))


def picture_in_pool(facts: PictureFacts) -> bytes:
    """`Pictures.picture` in a process of the pool."""
    return _pool_pictures().picture(facts)


_POOL_PLACE: list[tuple[Path, tuple[Path, ...]]] = []
"""Folders of this process, when it belongs to a pool."""


def _start_in_pool(folder: Path, maps: tuple[Path, ...]) -> None:
    serve_parent()
    _POOL_PLACE[:] = [(folder, maps)]


@lru_cache(maxsize=1)
def _pool_pictures() -> Pictures:
    folder, maps = _POOL_PLACE[0]
    return Pictures(folder, Library(maps))
