"""Nobody is written to too often; what a reader was not written about stands in the next result."""

from datetime import timedelta

from judge.game import (
    DeadlineMoved,
    GamePaused,
    GameResumed,
    Notice,
    OrdersMissing,
    Pause,
    ReminderDue,
    Resume,
    SetDeadline,
    SetSetting,
    SettingChanged,
    ShowStatus,
    SignOn,
    StartGame,
    Status,
    TurnClosed,
    When,
    readers_of,
)
from tests.support.life import Life, life, watch

SIX = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "RUSSIA", "TURKEY")


def readers(game: Life, kind: type, told: list[Notice]) -> list[tuple[str, ...]]:
    """For each notice of a kind, who reads it."""
    return [tuple(reader.seat for reader in readers_of(game.game, each.audience)) for each in told if isinstance(each, kind)]


def test_the_third_change_of_a_phase_waits_for_the_result() -> None:
    game = life()
    for value in ("12h", "13h", "14h"):
        game.do("MASTER", SetSetting("grace", value))
    told = readers(game, SettingChanged, game.new())
    assert told[0] == ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY", "MASTER")
    assert told[1:] == [("MASTER",), ("MASTER",)]
    assert [each.facts for each in game.game.untold["FRANCE"]] == [{"grace": "13h"}, {"grace": "14h"}]
    game.order_all(*SIX, "ITALY")
    game.wait(timedelta(0))
    (result,) = [each for each in game.new() if isinstance(each, TurnClosed)]
    assert [event.facts for event in result.untold["FRANCE"]] == [{"grace": "13h"}, {"grace": "14h"}]
    assert game.game.untold == {}
    assert game.game.letters["FRANCE"] == 1


def test_who_is_late_is_told_so_although_a_deadline_was_moved() -> None:
    game = life(nmr="wait")
    game.order_all(*SIX)
    game.do("MASTER", SetDeadline(When(span=timedelta(hours=24))))
    game.new()
    game.wait(timedelta(days=5))
    told = game.new()
    assert readers(game, ReminderDue, told) == [()]  # lateness will be told, and the deadline was written about
    assert readers(game, OrdersMissing, told) == [("ITALY", "MASTER")]


def test_the_last_reminder_comes_rather_than_the_first() -> None:
    game = life()
    game.order_all(*SIX)
    game.do("MASTER", SetDeadline(When(span=timedelta(hours=24))))
    game.new()
    game.wait(timedelta(days=3, hours=4))
    assert readers(game, ReminderDue, game.new()) == [()]
    game.wait(timedelta(hours=16))
    assert readers(game, ReminderDue, game.new()) == [("ITALY",)]


def test_a_deadline_brought_forward_is_always_told() -> None:
    game = life(movement="10d")
    for hours in (24, 48, 72):
        game.do("MASTER", SetDeadline(When(span=timedelta(hours=hours))))
    game.do("MASTER", SetDeadline(When(day=game.now.replace(hour=0, tzinfo=None) + timedelta(days=2))))
    told = readers(game, DeadlineMoved, game.new())
    assert [("FRANCE" in seats) for seats in told] == [True, False, False, True]


def test_who_heard_of_a_pause_hears_of_its_end_and_nobody_else() -> None:
    game = life()
    game.do("MASTER", Pause())
    game.do("MASTER", Resume())
    game.do("MASTER", Pause())
    game.do("MASTER", Resume())
    told = game.new()
    assert [("FRANCE" in seats) for seats in readers(game, GamePaused, told)] == [True, False]
    assert [("FRANCE" in seats) for seats in readers(game, GameResumed, told)] == [True, False]
    assert game.game.status is Status.RUNNING


def test_who_takes_a_seat_over_has_been_told_nothing_yet() -> None:
    game = life(powers=SIX, begun=True)
    watch(game, 900)

    game.do("MASTER", StartGame())
    for value in ("12h", "13h"):
        game.do("MASTER", SetSetting("grace", value))
    game.join(901, SignOn("danube", "ITALY"))
    game.new()
    game.do("MASTER", SetSetting("grace", "14h"))
    (seats,) = readers(game, SettingChanged, game.new())
    assert seats == ("ITALY", "MASTER")


def test_looking_changes_nothing() -> None:

    game = life()
    before = game.game
    game.do("FRANCE", ShowStatus())
    assert game.game is before
