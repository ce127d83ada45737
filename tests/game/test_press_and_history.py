"""Press rules, fakes, postal press, muting, notes; and who may read what later."""

from dataclasses import replace
from datetime import timedelta

import pytest

from judge.game import (
    EndGame,
    HistoryShown,
    Mute,
    PressArrived,
    PressNotAllowed,
    PressReveals,
    ReadDiary,
    Resign,
    SayOfficially,
    SeatKind,
    SendPress,
    ShowHistory,
    ShowLog,
    SignOn,
    WriteDiary,
    actor_at,
    apply,
    neighbours_of,
    readers_of,
)
from judge.rules import read_phase
from tests.support.life import Life, life, watch


def arrived(game: Life) -> list[tuple[str, tuple[str, ...]]]:
    """Senders as they are shown, with the seats that read."""
    return [(n.sender, tuple(r.seat for r in readers_of(game.game, n.audience))) for n in game.new() if isinstance(n, PressArrived)]


def read_by(game: Life, seat: str) -> list[tuple[str, str]]:
    (shown,) = game.do(seat, ShowHistory(most=100))
    assert isinstance(shown, HistoryShown)
    return [(entry.sender, entry.press.text) for entry in shown.entries if entry.press is not None]


def test_white_and_grey() -> None:
    game = life()
    game.do("FRANCE", SendPress(("GERMANY",), "hi"))
    assert arrived(game) == [("FRANCE", ("GERMANY",))]
    grey = life(press="grey")
    grey.do("FRANCE", SendPress(("GERMANY",), "hi"))
    assert arrived(grey) == [("", ("GERMANY",))]
    mixed = life(press="white/grey")
    mixed.do("FRANCE", SendPress(("GERMANY",), "hi"))
    mixed.do("FRANCE", SendPress(("GERMANY",), "psst", "grey"))
    assert arrived(mixed) == [("FRANCE", ("GERMANY",)), ("", ("GERMANY",))]
    with pytest.raises(PressNotAllowed):
        game.do("FRANCE", SendPress(("GERMANY",), "psst", "grey"))


def test_a_fake_seems_to_come_from_another_power() -> None:
    game = life(fake="yes")
    game.do("FRANCE", SendPress(("GERMANY",), "attack Austria", fake="ITALY"))
    assert arrived(game) == [("ITALY", ("GERMANY",))]
    assert read_by(game, "GERMANY") == [("ITALY", "attack Austria")]
    assert read_by(game, "FRANCE") == [("FRANCE", "attack Austria")]
    assert read_by(game, "ITALY") == []
    with pytest.raises(PressNotAllowed):
        life().do("FRANCE", SendPress(("GERMANY",), "x", fake="ITALY"))


def test_postal_press_comes_with_the_results() -> None:
    game = life(misses="0")
    game.do("FRANCE", SendPress(("GERMANY",), "too late", postal=True))
    assert arrived(game) == []
    game.wait(timedelta(days=3))
    assert arrived(game) == [("FRANCE", ("GERMANY",))]


def test_rulebook_press_is_for_movement_phases() -> None:
    game = life(press="rulebook")
    game.do("FRANCE", SendPress((), "hello all"))
    game.game = replace(game.game, position=replace(game.game.position, phase=read_phase("W1901A")))
    with pytest.raises(PressNotAllowed):
        game.do("FRANCE", SendPress((), "hello all"))
    game.do("FRANCE", SendPress(("MASTER",), "may I?"))


def test_neighbours_only() -> None:
    game = life(press="neighbours")
    start = game.game.position
    assert "TURKEY" not in neighbours_of("FRANCE", start, game.variant)
    assert "AUSTRIA" in neighbours_of("ITALY", start, game.variant)
    game.do("ITALY", SendPress(("AUSTRIA",), "hi"))
    with pytest.raises(PressNotAllowed):
        game.do("ITALY", SendPress(("ENGLAND",), "hi"))
    with pytest.raises(PressNotAllowed):
        game.do("ITALY", SendPress((), "hi all"))


def test_no_messages_after_the_deadline_where_the_game_says_so() -> None:
    game = life(nmr="wait", latepress="no")
    game.wait(timedelta(days=3))
    with pytest.raises(PressNotAllowed):
        game.do("FRANCE", SendPress(("GERMANY",), "hurry"))


def test_muting() -> None:
    game = life()
    game.do("GERMANY", Mute(("FRANCE",)))
    game.do("FRANCE", SendPress(("GERMANY", "ITALY"), "hi"))
    assert arrived(game) == [("FRANCE", ("ITALY",))]
    game.do("GERMANY", Mute(("FRANCE",), False))
    game.do("FRANCE", SendPress(("GERMANY",), "hi"))
    assert arrived(game) == [("FRANCE", ("GERMANY",))]


def test_watchers_of_each_kind() -> None:
    game = life()
    full, monitor = watch(game, 50), watch(game, 51, SeatKind.MONITOR)
    game.new()
    game.do("FRANCE", SendPress((), "hello"))
    ((_, readers),) = arrived(game)
    assert full in readers
    assert monitor not in readers
    game.do(full, SendPress((), "nice game"))
    with pytest.raises(PressNotAllowed):
        game.do(full, SendPress(("FRANCE",), "psst"))
    quiet = life(observerpress="no")
    seat = watch(quiet, 50)
    with pytest.raises(PressNotAllowed):
        quiet.do(seat, SendPress((), "hi"))


def test_history_shows_each_reader_only_what_it_may_see() -> None:
    game = life()
    game.do("FRANCE", SendPress(("GERMANY",), "secret"))
    game.do("ITALY", SendPress((), "for all"))
    game.do("MASTER", SayOfficially("Be nice"))
    assert read_by(game, "GERMANY") == [("FRANCE", "secret"), ("ITALY", "for all"), ("MASTER", "Be nice")]
    assert read_by(game, "ENGLAND") == [("ITALY", "for all"), ("MASTER", "Be nice")]
    assert read_by(game, "MASTER") == [("ITALY", "for all"), ("MASTER", "Be nice")]
    open_book = life(sight="press")
    open_book.do("FRANCE", SendPress(("GERMANY",), "secret"))
    assert read_by(open_book, "MASTER") == [("FRANCE", "secret")]


def test_notes_are_ones_own_even_after_a_replacement_and_shown_at_the_end() -> None:
    game = life()
    game.do("FRANCE", WriteDiary("stab in 1903"))
    game.do("FRANCE", WriteDiary("forget this"))
    game.do("FRANCE", ReadDiary(delete=2))
    assert [text for _, text in read_by(game, "FRANCE")] == ["stab in 1903"]
    assert read_by(game, "GERMANY") == []
    game.now += timedelta(minutes=1)
    game.do("FRANCE", Resign())
    game.join(77, SignOn("danube", "FRANCE"))
    assert read_by(game, "FRANCE") == []
    game.do("MASTER", EndGame())
    assert read_by(game, "GERMANY") == [("FRANCE", "stab in 1903")]


def test_a_game_that_does_not_reveal_keeps_its_secrets() -> None:
    game = life(press="grey", reveal="no")
    game.do("FRANCE", SendPress(("GERMANY",), "secret"))
    game.do("MASTER", EndGame())
    assert read_by(game, "GERMANY") == [("", "secret")]
    assert read_by(game, "ITALY") == []


def test_hidden_players_are_not_named_in_messages() -> None:
    game = life(gunboat="yes")
    command = SendPress(("GERMANY",), "I am Marie, marie@post.example")
    moment = replace(game.moment(command), hidden_words=("marie@post.example",))
    with pytest.raises(PressReveals):
        apply(game.game, command, actor_at(game.game, "FRANCE"), game.variant, moment)


def test_the_log_keeps_private_matters_private() -> None:
    from judge.game import CastVote, LogShown, VoteKind

    game = life()
    game.do("FRANCE", CastVote(VoteKind.DRAW))
    game.do("FRANCE", SendPress(("GERMANY",), "hi"))
    (own,), (other,) = game.do("FRANCE", ShowLog()), game.do("GERMANY", ShowLog())
    assert isinstance(own, LogShown)
    assert isinstance(other, LogShown)
    assert "vote" in [event.what for event in own.events]
    assert "vote" not in [event.what for event in other.events]


def test_only_those_whose_orders_are_in_may_write_where_the_game_says_so() -> None:
    game = life(mustorder="yes")
    with pytest.raises(PressNotAllowed):
        game.do("FRANCE", SendPress(("GERMANY",), "hi"))
    game.order_all("FRANCE")
    game.do("FRANCE", SendPress(("GERMANY",), "hi"))
