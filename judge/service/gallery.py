"""Pictures that letters name: drawn once each, many at a time in processes of their own, so that no deadline waits for them."""

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Lock

import structlog

from judge.board import Power
from judge.rules import Order, Phase, Position, Waive, read_order, read_phase, write_order, write_phase
from judge.service.pictures import (
    OrdersPicture,
    PictureFacts,
    Pictures,
    PositionPicture,
    open_picture_pool,
    picture_in_pool,
    turn_picture,
)
from judge.store import SqlStore, Transaction

log = structlog.get_logger()

ALONE = 3
"""So many pictures are drawn where the letters are written; from the next one on processes are started for them."""
MOST_WAITING = 2000
"""Pictures that were begun and never fetched are forgotten beyond this."""
PATIENCE = 60.0
"""Seconds to wait for a picture of the pool before it is drawn here."""


def picture_key(game: int, turn: int) -> str:
    """The name of the picture after a turn of a game; turn 0 is the start.

    >>> picture_key(12, 3)
    'game:12:3'
    """
    return f"game:{game}:{turn}"


def orders_key(game: int, phase: Phase, orders: Mapping[Power, Sequence[Order]]) -> str:
    """The name of the picture of orders as they are planned: everything on it but the position, which everybody knows.

    >>> orders_key(12, read_phase("S1901M"), {"FRANCE": (read_order("A PAR - BUR"), read_order("F BRE H"))})
    'orders:12:S1901M:FRANCE=A PAR - BUR,F BRE H'
    """
    told = (
        f"{power}={','.join(write_order(order) for order in given if not isinstance(order, Waive))}"
        for power, given in sorted(orders.items())
        if given
    )
    return f"orders:{game}:{write_phase(phase)}:{';'.join(told)}"


def is_of_orders(key: str | None) -> bool:
    """Whether a picture shows planned orders: it is for one person's eyes."""
    return key is not None and key.startswith("orders:")


@dataclass
class _Begun:
    """A picture that letters will want: what it shows, and who draws it into the folder, if that was given away."""

    facts: PictureFacts
    future: "Future[None] | None" = None


class Gallery:
    """Finds and draws the pictures that letters name; the last ones are kept at hand, for a phase's letters name the same one.

    `open_pool` makes the processes that draw when many pictures are wanted at once; None: everything is drawn here.
    """

    def __init__(self, store: SqlStore, pictures: Pictures, open_pool: Callable[[], Executor] | None = None) -> None:
        self._store = store
        self._pictures = pictures
        self._open_pool = open_pool
        self._pool: Executor | None = None
        self._begun: dict[str, _Begun] = {}
        self._lock, self._drawing = Lock(), Lock()
        self._draw = lru_cache(maxsize=16)(self._drawn)

    # ---- ahead of the letters

    def begin(self, key: str, facts: PictureFacts) -> None:
        """Letters will want this picture soon: where several are wanted, processes draw them while letters are still written."""
        with self._lock:
            if key in self._begun:
                return
            self._begun[key] = _Begun(facts)
            while len(self._begun) > MOST_WAITING:
                self._begun.pop(next(iter(self._begun)))
            if self._open_pool is not None and len(self._begun) > ALONE:
                waiting = [(each, begun) for each, begun in self._begun.items() if begun.future is None]
            else:
                waiting = []
        for each, begun in waiting:
            self._give_away(each, begun)

    def _give_away(self, key: str, begun: _Begun) -> None:
        """A picture to the processes; if there can be none, it is drawn here when it is fetched."""
        try:
            with self._lock:
                if begun.future is not None or self._open_pool is None:
                    return
                self._pool = self._pool or self._open_pool()
                begun.future = self._pool.submit(_into_folder, begun.facts)
            begun.future.add_done_callback(lambda _: self._forget(key, begun))
        except (OSError, RuntimeError):  # no process to be had, or they have died
            log.exception("no processes for pictures")
            self._pool = self._open_pool = None

    def _forget(self, key: str, begun: _Begun) -> None:
        """The picture is drawn, or will have to be drawn here."""
        with self._lock:
            if self._begun.get(key) is begun:
                del self._begun[key]

    def hand_on(self) -> tuple[tuple[str, PictureFacts], ...]:
        """The pictures that were begun here, to be begun in the gallery of another process instead."""
        with self._lock:
            begun, self._begun = self._begun, {}
        return tuple((key, each.facts) for key, each in begun.items())

    def is_ready(self, key: str | None) -> bool:
        """Whether a letter with this picture can leave at once; True for what nobody draws yet."""
        begun = self._begun.get(key) if key is not None else None
        return begun is None or begun.future is None

    # ---- when the letters leave

    def fetch(self, key: str) -> bytes:
        """The PNG of a picture, from the folder or drawn now."""
        begun = self._begun.get(key)
        if begun is not None and begun.future is not None:
            wait([begun.future], PATIENCE)
        with self._drawing:  # the others wait for it: they mostly want the same one
            if begun is None:
                return self._draw(key)
            png = self._pictures.picture(begun.facts)
        self._forget(key, begun)
        return png

    def _drawn(self, key: str) -> bytes:
        return self._pictures.picture(self._facts(key))

    def close(self) -> None:
        """End the processes."""
        with self._lock:
            pool, self._pool, self._open_pool = self._pool, None, None
            self._begun.clear()
        if pool is not None:
            pool.shutdown(wait=False, cancel_futures=True)

    # ---- what a key means

    def _facts(self, key: str) -> PictureFacts:
        """What a picture shows, by its name alone."""
        kind, number, rest = key.split(":", 2)
        with self._store.reading() as tx:
            kept = tx.games.get(int(number))
            assert kept is not None, key
            variant = kept.game.variant
            if kind == "orders":
                phase, _, told = rest.partition(":")
                return OrdersPicture(variant, _position_of(tx, int(number), read_phase(phase), kept.game.position), _read_orders(told))
            if rest == "0":
                return PositionPicture(variant, self._pictures.library.variant(variant).start)
            found = tx.turns.of(int(number), after=int(rest) - 1, limit=1, withdrawn=True)
        return turn_picture(variant, found[0])


def _position_of(tx: Transaction, number: int, phase: Phase, now: Position) -> Position:
    """The position of a game as a phase began: the present one, or that of the closed phase."""
    closed = tx.turns.get(number, phase) if now.phase != phase else None
    return closed.before if closed is not None else now


def _read_orders(told: str) -> dict[Power, tuple[Order, ...]]:
    """The orders of a key."""
    found: dict[Power, tuple[Order, ...]] = {}
    for part in filter(None, told.split(";")):
        power, _, orders = part.partition("=")
        found[power] = tuple(read_order(text) for text in orders.split(",") if text)
    return found


def _into_folder(facts: PictureFacts) -> None:
    """Draw a picture in a process of the pool; the bytes are fetched from the folder when a letter wants them."""
    picture_in_pool(facts)


def drawing_pool(folder: Path, maps: Sequence[Path]) -> Callable[[], ProcessPoolExecutor]:
    """What opens processes for pictures: one for each processor but one, four at most."""
    return lambda: open_picture_pool(folder, maps, max(1, min(4, (os.cpu_count() or 2) - 1)))
