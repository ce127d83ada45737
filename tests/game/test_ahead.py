"""Orders for later phases: conditions, what is taken up when a phase opens, what is dropped."""

from datetime import timedelta

import pytest

from judge.game import (
    AheadOrder,
    AheadRead,
    ClearAhead,
    Condition,
    FileAhead,
    PhaseNotAhead,
    Told,
    both,
    holds,
    opposite,
)
from judge.game import (
    Test as BoardTest,
)
from judge.rules import read_order, read_phase
from tests.support.life import Life, life

AT_BUR: Condition = ((BoardTest(True, "at", "BUR", "FRANCE"),),)


def file(game: Life, phase: str, order: str, when: Condition = ()) -> None:
    ahead = AheadOrder(read_phase(phase), read_order(order), when, order, game.now, 1)
    game.do("FRANCE", FileAhead((ahead,)))


def test_orders_are_taken_up_when_their_phase_opens() -> None:
    game = life(misses="0")
    game.order("FRANCE", "A PAR - BUR")
    file(game, "F1901M", "A BUR - BEL", AT_BUR)
    file(game, "F1901M", "A PAR - PIC", opposite(AT_BUR))
    file(game, "F1901M", "A MAR - GAS")
    game.wait(timedelta(days=3))
    assert [str(f.order.unit) for f in game.game.orders["FRANCE"]] == ["A BUR", "A MAR"]  # type: ignore[union-attr]  # no waive here
    (read,) = [n for n in game.new() if isinstance(n, AheadRead)]
    assert [item.outcomes[0].code if not isinstance(item.outcomes[0], Told) else item.outcomes[0].what for item in read.items] == [
        "filed",
        "ahead_not_now",
        "filed",
    ]
    assert not game.game.ahead["FRANCE"]


def test_an_order_that_has_become_impossible_is_told() -> None:
    game = life(misses="0")
    file(game, "F1901M", "A BUR - BEL")
    game.wait(timedelta(days=3))
    (read,) = [n for n in game.new() if isinstance(n, AheadRead)]
    assert getattr(read.items[0].outcomes[0], "code", "") == "not_filed"


def test_the_last_one_for_a_unit_counts() -> None:
    game = life()
    file(game, "F1901M", "A PAR - BUR")
    file(game, "F1901M", "A PAR - PIC")
    assert [o.line for o in game.game.ahead["FRANCE"]] == ["A PAR - PIC"]
    game.do("FRANCE", ClearAhead(read_phase("F1901M")))
    assert not game.game.ahead["FRANCE"]


@pytest.mark.parametrize("phase", ["S1901M", "F1900M", "F1951M"])
def test_only_later_phases(phase: str) -> None:
    with pytest.raises(PhaseNotAhead):
        file(life(), phase, "A PAR - BUR")


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ((), True),
        (((BoardTest(True, "at", "PAR"),),), True),
        (((BoardTest(True, "at", "PAR", "GERMANY"),),), False),
        (((BoardTest(True, "at", "PAR", "", "F"),),), False),
        (((BoardTest(False, "at", "BUR"),),), True),
        (((BoardTest(True, "owns", "PAR", "FRANCE"),),), True),
        (((BoardTest(True, "owns", "BEL", "FRANCE"),), (BoardTest(True, "at", "MAR"),)), True),
        (((BoardTest(True, "dislodged", "PAR"),),), False),
        (both(((BoardTest(True, "at", "PAR"),),), ((BoardTest(True, "at", "BUR"),),)), False),
        (opposite(((BoardTest(True, "at", "PAR"), BoardTest(True, "at", "BUR")),)), True),
    ],
)
def test_conditions(condition: Condition, expected: bool) -> None:
    assert holds(condition, life().game.position) is expected
