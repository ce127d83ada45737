"""Missing orders: who owes, lateness, the policies of a game, abandoned seats, civil disorder, the first turn."""

from datetime import timedelta

import pytest

from judge.board import Location
from judge.game import (
    Locked,
    MasterAsked,
    OrdersMissing,
    ProcessNow,
    SeatState,
    SetDisorder,
    SignOn,
    Status,
    StatusAsked,
    TurnClosed,
    owing,
    reader_at,
    view_for,
)
from judge.game.seats import put_seat
from judge.rules import Dislodgement, Position, read_phase, read_unit
from tests.support.life import ALL_POWERS, Life, at, life

SIX = tuple(power for power in ALL_POWERS if power != "ITALY")


def closed(game: Life) -> list[str]:
    return [str(turn.phase) for notice in game.new() if isinstance(notice, TurnClosed) for turn in notice.turns]


def test_hold_runs_at_the_deadline_and_notes_who_missed() -> None:
    game = life()
    game.order_all(*SIX)
    game.wait(timedelta(days=3))
    assert closed(game) == ["S1901M"]
    assert (105, "missed") in game.tallies
    assert (101, "in") in game.tallies


def test_after_two_misses_the_seat_can_be_taken_and_its_holder_may_come_back() -> None:
    game = life()
    for _ in range(2):
        game.order_all(*SIX)
        game.wait(timedelta(days=3))
    seat = game.game.seat("ITALY")
    assert seat is not None
    assert (seat.state, seat.person) == (SeatState.ABANDONED, 105)
    assert ("abandoned_you", ("ITALY",)) in game.news()
    assert [s.key for s in game.game.open_seats] == ["ITALY"]
    game.order("ITALY", "A ROM H")
    assert not game.game.open_seats
    assert ("back", ("MASTER",)) in game.news()
    game.wait(timedelta(days=3))
    (result,) = [n for n in game.new() if isinstance(n, TurnClosed)]
    assert [(bulletin.code, bulletin.powers) for bulletin in result.also] == [("back", ("ITALY",))]


def test_wait_tells_lateness_once_then_gives_the_seat_up_and_goes_on_waiting() -> None:
    game = life(nmr="wait", grace="24h")
    game.order_all(*SIX)
    game.wait(timedelta(days=3))
    told = game.new()
    assert [n.powers for n in told if isinstance(n, OrdersMissing)] == [("ITALY",)]
    assert not any(isinstance(n, TurnClosed) for n in told)
    game.wait(timedelta(days=1))
    seat = game.game.seat("ITALY")
    assert seat is not None
    assert seat.state is SeatState.ABANDONED
    # beginning, reminder and lateness were written about, and the last said what would follow: the fourth waits for the result
    assert [each.what for each in game.game.untold["ITALY"]] == ["abandoned"]
    game.new()
    game.wait(timedelta(days=30))
    assert closed(game) == []
    game.join(900, SignOn("danube", "ITALY"))
    assert game.game.deadline is not None
    assert game.game.deadline.at == game.now + timedelta(hours=24)
    assert ("replaced", ("105",)) in game.news()
    game.order_all("ITALY")
    game.wait(timedelta(days=1))
    assert closed(game) == ["S1901M"]


def test_who_was_in_time_is_locked_in_grace_where_the_game_says_so() -> None:
    game = life(nmr="wait", lock="yes")
    game.order_all(*SIX)
    game.wait(timedelta(days=3))
    with pytest.raises(Locked):
        game.order("FRANCE", "A PAR - BUR")
    game.order("ITALY", "A ROM H")
    free = life(nmr="wait")
    free.order_all(*SIX)
    free.wait(timedelta(days=3))
    free.order("FRANCE", "A PAR - BUR")


def test_civil_disorder_is_told_to_its_player_first() -> None:
    game = life(nmr="civil")
    game.order_all(*SIX)
    game.wait(timedelta(days=3))
    told = dict(game.news())
    assert told["civil_you"] == ("ITALY",)  # in that player's result, which goes out before all others
    assert "ITALY" not in told["civil"]
    assert "ITALY" not in owing(game.game, game.variant)


def retreating(nmr: str, retreats: list[str], owners: dict[str, str]) -> Life:
    """Only Italy has a dislodged unit, and Italy is in civil disorder."""
    game = life(nmr=nmr)
    position = Position(
        read_phase("F1902R"),
        {"ITALY": (read_unit("A ROM"),), "FRANCE": (read_unit("A VEN"), read_unit("A MAR"))},
        owners,
        (Dislodgement("ITALY", read_unit("A VEN"), "PIE", "A PIE", tuple(Location(p) for p in retreats)),),
    )
    from dataclasses import replace

    seat = game.game.seat("ITALY")
    assert seat is not None
    game.game = put_seat(replace(game.game, position=position), replace(seat, state=SeatState.CIVIL))
    return game


@pytest.mark.parametrize(
    ("retreats", "owners", "left"),
    [
        (["APU", "TUS"], {"ROM": "ITALY"}, ["A ROM"]),  # nowhere of its own: disbanded
        (["APU", "TRI"], {"ROM": "ITALY", "TRI": "ITALY"}, ["A ROM", "A TRI"]),  # a centre it owns
        (["NAP", "TUS"], {"ROM": "ITALY", "NAP": "FRANCE"}, ["A NAP", "A ROM"]),  # a home centre that is lost
        (["NAP", "TRI"], {"ROM": "ITALY", "TRI": "ITALY", "NAP": "FRANCE"}, ["A ROM", "A TRI"]),  # its own before its home
    ],
)
def test_civil_disorder_by_sense(retreats: list[str], owners: dict[str, str], left: list[str]) -> None:
    game = retreating("civil", retreats, owners)
    game.do("MASTER", ProcessNow())
    assert [str(unit) for unit in game.game.position.units["ITALY"]] == left


def test_no_phase_is_opened_for_powers_in_civil_disorder_alone() -> None:
    """C081: only Italy has a dislodged unit, Italy is in civil disorder."""
    from dataclasses import replace

    game = life(nmr="civil")
    seat = game.game.seat("ITALY")
    assert seat is not None
    position = Position(
        read_phase("S1902M"),
        {"ITALY": (read_unit("A BOH"),), "AUSTRIA": (read_unit("A VIE"), read_unit("A GAL"))},
        {"VIE": "AUSTRIA", "BUD": "AUSTRIA"},
    )
    game.game = put_seat(replace(game.game, position=position), replace(seat, state=SeatState.CIVIL))
    game.order("AUSTRIA", "A VIE - BOH", "A GAL S A VIE - BOH")
    game.wait(timedelta(0))
    assert closed(game) == ["S1902M", "S1902R"]
    assert str(game.game.phase) == "F1902M"
    assert "ITALY" not in game.game.position.units or not game.game.position.units["ITALY"]


def test_the_master_decides_after_a_preview() -> None:
    game = life(nmr="master")
    game.order_all(*SIX)
    game.wait(timedelta(days=3))
    asked = [n for n in game.new() if isinstance(n, MasterAsked)]
    assert [n.powers for n in asked] == [("ITALY",)]
    assert str(asked[0].turn.adjudication.after.phase) == "F1901M"
    game.wait(timedelta(days=9))
    assert closed(game) == []
    game.do("MASTER", ProcessNow())
    assert closed(game) == ["S1901M"]


def test_orders_of_a_power_put_into_disorder_are_dropped() -> None:
    """C058: Orders of a removed player are dropped, his units hold."""
    game = life()
    game.order("FRANCE", "A PAR - BUR")
    game.do("MASTER", SetDisorder("FRANCE"))
    game.do("MASTER", ProcessNow())
    assert [str(u) for u in game.game.position.units["FRANCE"]] == ["A MAR", "A PAR", "F BRE"]


def test_the_first_phase_may_be_extended_once_for_the_silent() -> None:
    game = life(firstturn="extend")
    game.order_all(*SIX)
    game.wait(timedelta(days=3))
    assert closed(game) == []
    assert game.game.deadline is not None
    assert game.game.deadline.at == at("2026-01-11 12:00")
    seat = game.game.seat("ITALY")
    assert seat is not None
    assert seat.state is SeatState.ABANDONED
    game.wait(timedelta(days=3))
    assert closed(game)


def test_an_eliminated_power_is_never_late_and_told_once() -> None:
    """C015: elimination is decided first; one notice of it and no missing-player notices."""
    from dataclasses import replace

    game = life(nmr="civil")
    position = Position(
        read_phase("F1905M"),
        {"TURKEY": (read_unit("A CON"),), "RUSSIA": tuple(map(read_unit, ("F BLA", "A BUL", "A SMY", "A ANK")))},
        {"CON": "TURKEY", "SEV": "RUSSIA"},
    )
    game.game = replace(game.game, position=position)
    game.order("RUSSIA", "A BUL - CON", "A SMY S A BUL - CON", "F BLA S A BUL - CON", "A ANK H")
    game.wait(timedelta(days=3))
    assert [str(turn.phase) for turn in game.turns] == ["F1905M"]
    assert [code for code, readers in game.news() if "TURKEY" in readers] == ["eliminated"]
    assert not [seat.key for seat in game.game.seats if seat.key == "TURKEY" and seat.state is not SeatState.PLAYING]
    assert owing(game.game, game.variant) == ("RUSSIA",)


def test_a_power_with_nothing_to_order_owes_nothing() -> None:
    game = life()
    from dataclasses import replace

    game.game = replace(game.game, position=replace(game.game.position, phase=read_phase("W1901A")))
    assert owing(game.game, game.variant) == ()


def test_a_game_nobody_plays_stands_still() -> None:
    from judge.game import Resign

    game = life()
    for power in ALL_POWERS:
        game.do(power, Resign())
    game.wait(timedelta(days=90))
    assert game.game.status is Status.PAUSED
    assert not game.turns


def test_the_status_tells_the_same_whoever_is_late() -> None:
    """C033: only France has not sent orders; what England sees is the same as if Germany were late."""
    seen = []
    for late in ("FRANCE", "GERMANY"):
        game = life(gunboat="yes", nmr="wait")
        game.order_all(*(power for power in ALL_POWERS if power != late))
        game.wait(timedelta(days=3))
        view = view_for(game.game, reader_at(game.game, "ENGLAND"), game.variant)
        seen.append((view.late, tuple((s.power, s.taken, s.person, s.state, s.standing) for s in view.seats)))
    assert seen[0] == seen[1]
    assert StatusAsked.code == "status_asked"


def test_with_manual_processing_the_master_closes_every_phase() -> None:
    game = life(processing="manual")
    game.order_all(*ALL_POWERS)
    game.wait(timedelta(0))
    told = game.new()
    assert [n.powers for n in told if isinstance(n, MasterAsked)] == [()]
    assert not any(isinstance(n, OrdersMissing) for n in told)
    game.wait(timedelta(days=30))
    assert closed(game) == []
    game.do("MASTER", ProcessNow())
    assert closed(game) == ["S1901M"]
