"""Rollback and forward, dry runs, a board put right, a master who acts for a power, what a master may see."""

from datetime import timedelta

import pytest

from judge.game import (
    BadBoard,
    DryRun,
    EditBoard,
    NoSuchTurn,
    NotSeen,
    Predict,
    ReasonMissing,
    RollBack,
    RollForward,
    ShowSummary,
    Sight,
    SummaryShown,
    reader_at,
    view_for,
)
from judge.game.faults import NothingToDo
from judge.rules import read_phase, read_unit
from tests.support.life import ALL_POWERS, Life, life


def played(phases: int = 2) -> Life:
    game = life(misses="0")
    game.order("FRANCE", "A PAR - BUR")
    for _ in range(phases):
        game.wait(timedelta(days=3))
    game.new()
    return game


def test_back_and_forward_again() -> None:
    game = played()
    assert str(game.game.phase) == "S1902M"
    after = game.game.position
    game.do("MASTER", RollBack(read_phase("F1901M")))
    assert str(game.game.phase) == "F1901M"
    assert [t.withdrawn for t in game.turns] == [False, True]
    assert ("rolled_back", (*ALL_POWERS, "MASTER")) in game.news()
    game.do("MASTER", RollForward())
    assert game.game.position == after
    assert [t.withdrawn for t in game.turns] == [False, False]


def test_back_by_a_number_of_phases_and_on_from_there() -> None:
    game = played()
    game.do("MASTER", RollBack(count=2))
    assert str(game.game.phase) == "S1901M"
    assert not game.game.orders
    game.order("FRANCE", "A PAR - PIC")
    game.wait(timedelta(days=3))
    assert "A PIC" in map(str, game.game.position.units["FRANCE"])
    assert [t.number for t in game.turns] == [1, 2, 3]
    with pytest.raises(NothingToDo):
        game.do("MASTER", RollForward())
    with pytest.raises(NoSuchTurn):
        game.do("MASTER", RollBack(count=9))
    with pytest.raises(NoSuchTurn):
        game.do("MASTER", RollBack(read_phase("S1905M")))


def test_a_game_that_was_won_goes_on_after_a_rollback() -> None:
    from judge.game import EndGame

    game = played()
    game.do("MASTER", EndGame())
    assert str(game.game.status) == "finished"
    game.do("MASTER", RollBack())
    assert str(game.game.status) == "running"
    assert game.game.ending is None


def test_predict_does_nothing_and_is_the_masters() -> None:
    game = life()
    game.order("FRANCE", "A PAR - BUR")
    before = game.game
    (shown,) = game.do("MASTER", Predict())
    assert isinstance(shown, DryRun)
    assert "A BUR" in map(str, shown.turn.adjudication.after.units["FRANCE"])
    assert game.game.position == before.position
    blind = life(sight="counts")
    with pytest.raises(NotSeen):
        blind.do("MASTER", Predict())


@pytest.mark.parametrize(("sight", "seen"), [("nothing", ""), ("counts", "part"), ("orders", "part")])
def test_what_a_master_sees_is_a_setting(sight: str, seen: str) -> None:
    game = life(sight=sight)
    game.order("FRANCE", "A PAR - BUR")
    view = view_for(game.game, reader_at(game.game, "MASTER"), game.variant)
    assert next(seat.state for seat in view.seats if seat.power == "FRANCE") == seen
    assert Sight.PRESS.reaches(Sight.ORDERS)


def test_a_board_put_right_is_told_with_its_reason() -> None:
    game = life()
    game.order("FRANCE", "A PAR - BUR", "A MAR H")
    edit = EditBoard(
        add=(("GERMANY", read_unit("A BUR")),),
        remove=(("FRANCE", read_unit("A PAR")),),
        owners=(("FRANCE", "BEL"), ("", "MUN")),
        why="a mail was lost",
    )
    game.do("MASTER", edit)
    assert game.game.position.owners["BEL"] == "FRANCE"
    assert "MUN" not in game.game.position.owners
    assert "A BUR" in map(str, game.game.position.units["GERMANY"])
    assert [str(f.order.unit) for f in game.game.orders["FRANCE"]] == ["A MAR"]  # type: ignore[union-attr]  # no waive here
    assert [code for code, _ in game.news()] == ["edited"]


@pytest.mark.parametrize(
    ("edit", "fault"),
    [
        (EditBoard(owners=(("FRANCE", "BEL"),)), ReasonMissing),
        (EditBoard(owners=(("FRANCE", "BUR"),), why="x"), BadBoard),
        (EditBoard(add=(("FRANCE", read_unit("F BUR")),), why="x"), BadBoard),
        (EditBoard(add=(("FRANCE", read_unit("A PAR")),), why="x"), BadBoard),
        (EditBoard(remove=(("FRANCE", read_unit("A BUR")),), why="x"), BadBoard),
    ],
)
def test_a_board_that_cannot_be(edit: EditBoard, fault: type[Exception]) -> None:
    with pytest.raises(fault):
        life().do("MASTER", edit)


def test_the_summary_leaves_withdrawn_phases_out() -> None:
    game = played(4)
    game.do("MASTER", RollBack(count=1))
    (shown,) = game.do("FRANCE", ShowSummary())
    assert isinstance(shown, SummaryShown)
    assert [row.year for row in shown.summary.rows] == [1900, 1901, 1902]
    assert shown.summary.rows[0].counts["RUSSIA"] == 4
    france = next(record for record in shown.summary.records if record.power == "FRANCE")
    assert (france.ordered, france.moved) == (1, 1)


def test_a_seat_given_up_in_a_phase_that_is_taken_back_is_its_players_again() -> None:
    game = life(misses="1")
    game.order_all(*(power for power in ALL_POWERS if power != "ITALY"))
    game.wait(timedelta(days=3))
    assert "ITALY" in {seat.key for seat in game.game.open_seats}
    game.do("MASTER", RollBack(count=1))
    assert game.game.open_seats == ()
    seat = game.game.seat("ITALY")
    assert seat is not None
    assert (seat.missed, seat.given_up) == (0, None)
