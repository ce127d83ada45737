"""The small geometry of lines and labels."""

from itertools import pairwise

import pytest

from judge.picture.geometry import Spans, bowed, distance, lengths_along, smooth, trimmed
from judge.picture.tracks import Roads, arrow_head, sampled


@pytest.mark.parametrize("bow", [0.07, -0.15])
def test_bow_lies_to_the_right_of_travel(bow: float) -> None:
    """The middle of a curve lies that share of its length aside, to the right when positive."""
    curve = bowed((0, 0), (100, 0), bow)
    assert curve[7][1] == pytest.approx(100 * bow)
    assert (curve[0], curve[-1]) == ((0.0, 0.0), (100.0, 0.0))


def test_opposite_moves_lie_apart() -> None:
    """Two units that change places do not hide each other's arrows."""
    there, back = bowed((0, 0), (100, 0), 0.07), bowed((100, 0), (0, 0), 0.07)
    assert distance(there[7], back[7]) == pytest.approx(14)


def test_trimming() -> None:
    """A line loses what is asked at each end; a short one keeps a stub."""
    line = trimmed(((0, 0), (50, 0), (100, 0)), 12.5, 15)
    assert line[0] == pytest.approx((12.5, 0))
    assert line[-1] == pytest.approx((85, 0))
    stub = trimmed(((0, 0), (20, 0)), 12.5, 15)
    assert lengths_along(stub)[-1] == pytest.approx(6)


def test_smooth_line_passes_its_stops() -> None:
    """A convoy's line goes through every place asked for."""
    stops = [(0.0, 0.0), (50.0, 40.0), (120.0, 30.0), (160.0, 90.0)]
    line = smooth(stops)
    assert all(min(distance(point, stop) for point in line) < 1e-6 for stop in stops)


def test_line_goes_round_a_unit() -> None:
    """Where a third unit stands in the way, the line bows to the free side."""
    straight = Roads([]).lay((0, 0), (200, 0), 12, 15)
    round_it = Roads([(100.0, 14.0)]).lay((0, 0), (200, 0), 12, 15)
    assert straight.middle(0.5)[1] > 0 > round_it.middle(0.5)[1]


def test_arrow_head_points_along() -> None:
    """The tip is the line's end, the wings lie behind it on both sides."""
    (tip, left, notch, right), neck = arrow_head(((0, 0), (100, 0)))
    assert tip == (100.0, 0.0)
    assert left == pytest.approx((89.5, 5.2))
    assert right == pytest.approx((89.5, -5.2))
    assert notch == neck == pytest.approx((91.7, 0))


def test_spans_know_inside() -> None:
    """A box fits where no part of it leaves the shape, holes included."""
    outer = ((0.0, 0.0), (90.0, 0.0), (90.0, 90.0), (0.0, 90.0))
    hole = ((40.0, 40.0), (60.0, 40.0), (60.0, 60.0), (40.0, 60.0))
    inside = Spans([outer, hole])
    assert inside.holds((5, 5, 30, 30))
    assert not inside.holds((5, 45, 50, 55))
    assert not inside.holds((80, 10, 95, 20))


def test_samples_leave_no_gap() -> None:
    """Points along a line are as dense as asked."""
    points = sampled([Roads([]).lay((0, 0), (200, 40), 0, 0)], 5)
    assert max(distance(a, b) for a, b in pairwise(points)) < 10
