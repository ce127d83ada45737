"""Powers given by preference lists: everybody together as content as can be."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from judge.board import Power

_T = TypeVar("_T")
Wishes = tuple[tuple[Power, ...], ...]
"""Powers wished for, the best first; those in one group are as welcome as each other."""


def match_powers(powers: Sequence[Power], wishes: Sequence[Wishes], draw: Callable[[int], int]) -> tuple[Power, ...]:
    """A power for each list, so that the sum of weights is as high as it can be.

    A power in the first group weighs as much as there are powers, one in the next group less by the size of the group before it; a
    power not named weighs nothing.  Where several ways are as good, chance decides: `draw` gives a number below its argument.
    """
    columns = _shuffled(list(powers), draw)
    rows = _shuffled(list(range(len(wishes))), draw)
    weights = [[_weight(wishes[row], power, len(powers)) for power in columns] for row in rows]
    chosen = _assign(weights)
    found = dict(zip(rows, chosen, strict=True))
    return tuple(columns[found[row]] for row in range(len(wishes)))


def _weight(wishes: Wishes, power: Power, most: int) -> int:
    """How welcome a power is."""
    rank = 0
    for group in wishes:
        if power in group:
            return most - rank
        rank += len(group)
    return 0


def _shuffled(items: list[_T], draw: Callable[[int], int]) -> list[_T]:
    """The items in an order of chance."""
    left = list(items)
    return [left.pop(draw(len(left))) for _ in items]


def _assign(weights: Sequence[Sequence[int]]) -> list[int]:
    """The column of each row in the heaviest assignment; there are at least as many columns as rows.

    Source: the Hungarian method with potentials (Kuhn 1955, Munkres 1957), in O(rows * rows * columns).
    """
    rows, columns = len(weights), len(weights[0]) if weights else 0
    row_price, column_price = [0] * (rows + 1), [0] * (columns + 1)
    owner, way = [0] * (columns + 1), [0] * (columns + 1)
    for row in range(1, rows + 1):
        owner[0], at = row, 0
        slack, used = [10**9] * (columns + 1), [False] * (columns + 1)
        while True:
            used[at] = True
            here, least, best = owner[at], 10**9, 0
            for column in range(1, columns + 1):
                if used[column]:
                    continue
                price = -weights[here - 1][column - 1] - row_price[here] - column_price[column]
                if price < slack[column]:
                    slack[column], way[column] = price, at
                if slack[column] < least:
                    least, best = slack[column], column
            for column in range(columns + 1):
                if used[column]:
                    row_price[owner[column]] += least
                    column_price[column] -= least
                else:
                    slack[column] -= least
            at = best
            if not owner[at]:
                break
        while at:
            owner[at] = owner[way[at]]
            at = way[at]
    found = {owner[column]: column for column in range(1, columns + 1) if owner[column]}
    return [found[row] - 1 for row in range(1, rows + 1)]
