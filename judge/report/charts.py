"""Centres by year laid out as a chart: numbers to places, labels kept apart."""

from collections.abc import Sequence

from judge.report.pageviews import ChartLine, ChartMark, ChartView

WIDTH, HEIGHT = 720, 320
LEFT, RIGHT, TOP, BOTTOM = 34.0, 586.0, 14.0, 286.0
NARROW, NARROW_LEFT, NARROW_RIGHT = 344, 24.0, 300.0
"""The same for a telephone, where the lines end in initials only."""
LABEL_GAP = 17.0
"""px between two labels at the ends of lines."""
MOST_YEARS, MOST_NARROW_YEARS = 12, 6
"""Years that are named below the chart; of more, every second, fifth or tenth."""

_Names = Sequence[tuple[str, str, str]]
_Counts = Sequence[Sequence[int]]


def lay_charts(names: _Names, years: Sequence[int], counts: _Counts) -> tuple[ChartView, ...]:
    """A wide chart and a narrow one, of which a page shows what fits; none for fewer than two years.

    `names` are (title, initial, colour) of each power, `counts` a row for each year.
    """
    if len(years) < 2:
        return ()
    return (
        _laid(names, years, counts, WIDTH, LEFT, RIGHT, MOST_YEARS),
        _laid(names, years, counts, NARROW, NARROW_LEFT, NARROW_RIGHT, MOST_NARROW_YEARS),
    )


def _laid(names: _Names, years: Sequence[int], counts: _Counts, width: int, left: float, right: float, most_years: int) -> ChartView:
    """One chart with a line for each power between `left` and `right`."""
    most = max(2, *(max(row, default=0) for row in counts))
    step = (right - left) / (len(years) - 1)
    rise = (BOTTOM - TOP) / most
    ends = [BOTTOM - row * rise for row in counts[-1]]
    labels = spread(ends, LABEL_GAP, TOP, BOTTOM)
    lines = tuple(
        ChartLine(
            power=title,
            initial=initial,
            colour=colour,
            points=" ".join(f"{left + step * n:.1f},{BOTTOM - row[index] * rise:.1f}" for n, row in enumerate(counts)),
            x=right,
            y=round(ends[index], 1),
            label=round(labels[index], 1),
            count=counts[-1][index],
        )
        for index, (title, initial, colour) in enumerate(names)
    )
    every = next(size for size in (1, 2, 5, 10, 20, 50, 100, 1000) if len(years) / size <= most_years)
    marks = tuple(ChartMark(round(left + step * n, 1), str(year)) for n, year in enumerate(years) if n % every == 0)
    unit = next(size for size in (1, 2, 5, 10, 20, 50, 1000) if most / size <= 10)
    grid = tuple(ChartMark(round(BOTTOM - rise * count, 1), str(count)) for count in range(0, most + 1, unit))
    return ChartView(width, HEIGHT, left, right, lines, marks, grid, is_narrow=width == NARROW)


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
