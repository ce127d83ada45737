"""Centres by year laid out as a chart: numbers to places, labels kept apart."""

from collections.abc import Sequence

from judge.report.pageviews import ChartLine, ChartMark, ChartView

WIDTH, HEIGHT = 720, 320
LEFT, RIGHT, TOP, BOTTOM = 34.0, 586.0, 14.0, 286.0
LABEL_GAP = 17.0
"""px between two labels at the ends of lines."""
MOST_YEARS = 12
"""Years that are named below the chart; of more, every second, fifth or tenth."""


def lay_chart(names: Sequence[tuple[str, str, str]], years: Sequence[int], counts: Sequence[Sequence[int]]) -> ChartView | None:
    """A line for each power; `names` are (title, initial, colour), `counts` a row for each year.  None for fewer than two years."""
    if len(years) < 2:
        return None
    most = max(2, *(max(row, default=0) for row in counts))
    step = (RIGHT - LEFT) / (len(years) - 1)
    rise = (BOTTOM - TOP) / most
    ends = [BOTTOM - row * rise for row in counts[-1]]
    labels = spread(ends, LABEL_GAP, TOP, BOTTOM)
    lines = tuple(
        ChartLine(
            power=title,
            initial=initial,
            colour=colour,
            points=" ".join(f"{LEFT + step * n:.1f},{BOTTOM - row[index] * rise:.1f}" for n, row in enumerate(counts)),
            x=RIGHT,
            y=round(ends[index], 1),
            label=round(labels[index], 1),
            count=counts[-1][index],
        )
        for index, (title, initial, colour) in enumerate(names)
    )
    every = next(size for size in (1, 2, 5, 10, 20, 50, 100, 1000) if len(years) / size <= MOST_YEARS)
    marks = tuple(ChartMark(round(LEFT + step * n, 1), str(year)) for n, year in enumerate(years) if n % every == 0)
    unit = next(size for size in (1, 2, 5, 10, 20, 50, 1000) if most / size <= 10)
    grid = tuple(ChartMark(round(BOTTOM - rise * count, 1), str(count)) for count in range(0, most + 1, unit))
    return ChartView(WIDTH, HEIGHT, LEFT, RIGHT, lines, marks, grid)


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Heights at least `gap` apart, as near to those wanted as their order allows, between `low` and `high` if there is room.

    >>> spread([10, 12, 40], 10, 0, 100)
    [10, 20, 40]
    """
    order = sorted(range(len(wanted)), key=lambda index: (wanted[index], index))
    placed = list(wanted)
    at = low - gap
    for index in order:
        placed[index] = at = max(wanted[index], at + gap)
    limit = max(high, low + gap * (len(wanted) - 1))
    for index in reversed(order):
        placed[index] = limit = min(placed[index], limit)
        limit -= gap
    return placed
