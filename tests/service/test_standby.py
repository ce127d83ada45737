"""Standing by for open seats in all games, by mail: offers one after another, taken, declined or run out."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from judge.service.standby import read_queue
from tests.support.circle import JUDGE, POWERS, Circle, copy_of, gather
from tests.support.postgres import shared_server
from tests.support.table import Read

NORA, OTTO, PAUL = "nora@spare.example", "otto@spare.example", "paul@spare.example"


@pytest.fixture
def on_postgres(tmp_path: Path) -> Iterator[Circle]:
    """The same kind of game, kept by PostgreSQL."""
    url = shared_server().fresh_database()
    circle = gather(tmp_path, "gunboat movement 10d misses 0", sections={"database": url})
    yield circle
    circle.table.s.store.close()
    shared_server().drop(url)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> tuple[Circle, Path]:
    folder = tmp_path_factory.mktemp("standby")
    return gather(folder, "gunboat movement 10d misses 0"), folder


@pytest.fixture
def circle(begun: tuple[Circle, Path], tmp_path: Path) -> Circle:
    return copy_of(*begun, tmp_path / "copy")


def stand_by(circle: Circle, who: str, limits: str = "ALL") -> None:
    """Somebody new stands by; nothing is open yet."""
    circle.join(who, f"STANDBY {limits}")
    circle.table.wait(timedelta(minutes=1))
    circle.table.new()


def leave(circle: Circle, power: str = "ITALY") -> list[Read]:
    """A player resigns; the letters of it, where replies go learnt."""
    letters = circle.confirm(circle.write(power, "RESIGN"), power)
    circle.table.run()
    more = circle.table.new()
    circle.learn(more)
    return [*letters, *more]


def offers(letters: list[Read]) -> list[str]:
    return [letter.to for letter in letters if "offered to you" in letter.subject]


def test_whoever_stands_by_is_told_the_limits_and_may_leave(circle: Circle) -> None:
    said = " ".join(circle.answer("FRANCE", "STANDBY ALL VARIANT standard PRESS white,nopress GAMES 2").text.split())
    assert "within these limits" in said
    assert "PRESS none,white GAMES 2" in said
    refused = circle.answer("FRANCE", "STANDBY ALL VARIANT atlantis\nSTANDBY LANGUAGE xx\nSTANDBY PRESS shouting")
    assert refused.text.count("NOT DONE") == 3
    assert "VARIANT standard" in circle.answer("FRANCE", "EXPORT MY DATA").text
    assert "any more" in circle.answer("FRANCE", "NO STANDBY").text
    assert "stands by" not in circle.answer("FRANCE", "EXPORT MY DATA").text


def test_a_stranger_stands_by_only_once_the_code_has_come_back(circle: Circle) -> None:
    (asked,) = circle.write(NORA, "STANDBY ALL")
    assert "CONFIRM" in asked.text
    assert offers(leave(circle)) == []
    circle.confirm([asked], NORA)
    assert offers(circle.table.new()) == []
    circle.table.wait(timedelta(minutes=1))


def test_an_open_seat_is_offered_and_taken_by_a_reply(circle: Circle) -> None:
    stand_by(circle, NORA)
    letters = leave(circle)
    assert offers(letters) == [NORA]
    (offer,) = [letter for letter in letters if letter.to == NORA]
    assert "Italy" in offer.subject
    taken = circle.write(NORA, "SIGNON")
    assert any(letter.to == NORA and "You have a seat: Italy" in letter.subject for letter in taken)
    assert "A Rom" in circle.answer(NORA, "STATUS").text


def test_an_offer_goes_to_the_next_when_declined_and_when_it_runs_out(circle: Circle) -> None:
    for who in (NORA, OTTO, PAUL):
        stand_by(circle, who)
    assert offers(leave(circle)) == [NORA]
    declined = circle.write(NORA, "DECLINE")
    assert offers([*declined, *circle.table.new()]) == [OTTO]
    circle.table.wait(timedelta(hours=23))
    assert circle.table.new() == []
    circle.table.wait(timedelta(hours=2))
    late = circle.table.new()
    circle.learn(late)
    assert offers(late) == [PAUL]
    # who let it go by is not asked again for this game, and a late answer takes nothing
    refused = circle.write(OTTO, "SIGNON danube ITALY")
    assert "A Rom" not in refused[0].text
    circle.write(PAUL, "DECLINE")
    circle.table.wait(timedelta(hours=25))
    assert circle.table.new() == []
    taken = circle.join(NORA, "SIGNON danube ITALY")  # open to anybody now, with a code as for any newcomer
    assert any(letter.to == NORA and "You have a seat: Italy" in letter.subject for letter in taken)


def test_after_three_offers_without_an_answer_no_more_come(circle: Circle) -> None:
    stand_by(circle, NORA)
    came = []
    for power in ("ITALY", "TURKEY", "FRANCE", "ENGLAND"):
        other = Circle(circle.table, f"rhine{power[0].lower()}")
        circle.write("MASTER", f"CREATE {other.game} movement 10d misses 0")
        for each in POWERS:
            other.learn(circle.write(each, f"SIGNON {other.game} {each}"))
        came.append(offers(leave(other, power)))
        circle.table.wait(timedelta(hours=25))
        circle.table.new()
    assert came == [[NORA], [NORA], [NORA], []]


def test_the_queue_is_the_same_on_postgresql(on_postgres: Circle) -> None:
    """Limits, order, declining, running out, taking, and the end of the game, as on SQLite."""
    circle = on_postgres
    stand_by(circle, NORA, "ALL PRESS none")
    stand_by(circle, OTTO)
    stand_by(circle, PAUL, "ALL VARIANT standard GAMES 2")
    assert offers(leave(circle)) == [OTTO]
    declined = circle.write(OTTO, "DECLINE")
    more = circle.table.new()
    circle.learn(more)
    assert offers([*declined, *more]) == [PAUL]
    taken = circle.write(PAUL, "SIGNON")
    assert any(letter.to == PAUL and "You have a seat: Italy" in letter.subject for letter in taken)
    circle.join(NORA, "STANDBY ALL")
    circle.table.new()
    assert offers(leave(circle, "TURKEY")) == [NORA]
    circle.table.wait(timedelta(hours=25))
    assert offers(circle.table.new()) == []
    with circle.table.s.store.transaction() as tx:
        assert {who.missed for who in read_queue(tx)} == {0, 1}
    assert offers(leave(circle, "FRANCE")) == []


def test_limits_are_kept_and_a_changed_limit_counts_at_once(circle: Circle) -> None:
    stand_by(circle, NORA, "ALL PRESS none")
    stand_by(circle, OTTO, "ALL LANGUAGE cs")
    stand_by(circle, PAUL, "ALL VARIANT warcraft")
    assert offers(leave(circle)) == []
    assert offers([*circle.join(PAUL, "STANDBY ALL VARIANT standard"), *circle.table.new()]) == [PAUL]


def test_players_of_the_game_are_not_asked(circle: Circle) -> None:
    for power in POWERS[:2]:
        circle.write(power, "STANDBY ALL")
    assert offers(leave(circle, "AUSTRIA")) == []


def test_whoever_is_unreliable_is_not_asked_where_the_game_minds(tmp_path: Path) -> None:
    circle = gather(tmp_path, "movement 10d misses 0 reliability 80")
    for who in (NORA, OTTO):
        stand_by(circle, who)
    with circle.table.s.store.transaction() as tx:
        nora = tx.people.by_address(NORA)
        assert nora is not None
        tx.people.tally([(nora.id, "missed")] * 3 + [(nora.id, "in")] * 3)
    assert offers(leave(circle)) == [OTTO]


def test_a_private_game_asks_nobody_of_the_queue(tmp_path: Path) -> None:
    circle = gather(tmp_path, "movement 10d misses 0 listed no")
    stand_by(circle, NORA)
    assert offers(leave(circle)) == []


def test_a_player_who_comes_back_ends_the_offer(tmp_path: Path) -> None:
    circle = gather(tmp_path, "movement 3d misses 1")
    circle.join(NORA, "STANDBY ALL")
    for power, unit in zip(POWERS, ("A Vie", "F Lon", "A Par", "A Ber", "", "A Mos", "A Con"), strict=True):
        if unit:
            circle.write(power, f"{unit} H")
    circle.table.wait(timedelta(days=3, minutes=5))
    letters = circle.table.new()
    circle.learn(letters)
    assert NORA in offers(letters)
    back = circle.write("ITALY", "A Rom H")
    assert any(letter.to == NORA and "come back" in " ".join(letter.text.split()) for letter in back)
    assert "NOT DONE" in circle.write(NORA, "SIGNON danube ITALY")[0].text


def test_an_offer_in_a_gunboat_game_names_nobody(circle: Circle) -> None:
    stand_by(circle, NORA)
    (offer,) = [letter for letter in leave(circle) if letter.to == NORA]
    assert "players.example" not in offer.raw.decode("utf-8", "replace")
    assert "nora" not in circle.answer("FRANCE", "WHO\nLOG\nHISTORY").text.lower()
    assert JUDGE.partition("@")[0] in offer.reply_to


def test_whoever_is_offered_a_seat_hears_when_the_game_ends(circle: Circle) -> None:
    stand_by(circle, NORA)
    assert offers(leave(circle)) == [NORA]
    ended = circle.command("END GAME")
    (word,) = [letter for letter in ended if letter.to == NORA]
    assert "The game is over" in word.subject
    assert "you keep your place" in " ".join(word.text.split())
    circle.table.wait(timedelta(minutes=1))
    with circle.table.s.store.transaction() as tx:
        assert [who.missed for who in read_queue(tx)] == [0]


def test_whoever_is_offered_a_seat_hears_when_a_step_back_gives_it_to_its_player(tmp_path: Path) -> None:
    circle = gather(tmp_path, "movement 3d misses 1")
    circle.join(NORA, "STANDBY ALL")
    for power, unit in zip(POWERS, ("A Vie", "F Lon", "A Par", "A Ber", "", "A Mos", "A Con"), strict=True):
        if unit:
            circle.write(power, f"{unit} H")
    circle.table.wait(timedelta(days=3, minutes=5))
    assert NORA in offers(circle.table.new())
    back = circle.command("ROLLBACK")
    assert any(letter.to == NORA and "come back" in " ".join(letter.text.split()) for letter in back)
