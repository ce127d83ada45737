"""Games with their versions and their moments, turns, press, submissions and events."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from judge.game import (
    Deadline,
    Ending,
    EndKind,
    Event,
    Game,
    PressItem,
    Settings,
    Status,
    Submission,
    Timing,
    Turn,
    open_game,
)
from judge.library import read_variant
from judge.rules import Adjudication, Outcome, Phase, Step, Verdict, Why, read_order, read_phase
from judge.store import Conflict, KeptGame, NameInUse, SqlStore, open_store

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
STANDARD = read_variant("standard")


def new_game(store: SqlStore, name: str = "danube", people: Mapping[str, int] | None = None, **changed: object) -> Game:
    """A game that is kept."""
    with store.transaction() as tx:
        game = open_game(tx.games.new_id(), name, Settings(), STANDARD, "hash", 1, NOON).game
        seats = tuple(replace(seat, person=(people or {}).get(seat.key)) for seat in game.seats)
        game = replace(game, seats=seats, **changed)  # type: ignore[arg-type]
        assert tx.games.put(game, 0) == 1
    return game


def running(store: SqlStore, name: str, deadline: datetime, *reminders: timedelta) -> Game:
    """A running game whose phase ends then."""
    settings = Settings(timing=Timing(reminders=reminders))
    return new_game(store, name, status=Status.RUNNING, deadline=Deadline(deadline), phase_began=NOON, settings=settings)


def test_a_game_comes_back_by_id_and_name_with_its_version(store: SqlStore) -> None:
    game = new_game(store)
    with store.reading() as tx:
        assert tx.games.get(game.id) == tx.games.get("danube") == tx.games.get("DANUBE") == KeptGame(game, 1)
        assert tx.games.id_of("Danube") == game.id
        assert tx.games.id_of("rhine") is None
        assert tx.games.get("rhine") is None
        assert tx.games.get(game.id + 1) is None


def test_a_change_raises_the_version_and_an_old_version_changes_nothing(store: SqlStore) -> None:
    game = new_game(store)
    with store.transaction() as tx:
        assert tx.games.put(replace(game, turns=1), 1) == 2
    with pytest.raises(Conflict), store.transaction() as tx:
        tx.games.put(replace(game, turns=5), 1)
    with store.transaction() as tx:
        assert tx.games.lock(game.id) == KeptGame(replace(game, turns=1), 2)
        assert tx.games.put(replace(game, turns=2), 2) == 3


def test_a_name_is_free_again_when_its_game_is_archived(store: SqlStore) -> None:
    game = new_game(store)
    with pytest.raises(NameInUse):
        new_game(store)
    with store.transaction() as tx:
        tx.games.archive(game.id, NOON)
    again = new_game(store)
    assert again.id > game.id
    with store.reading() as tx:
        by_name, by_id = tx.games.get("danube"), tx.games.get(game.id)
        assert by_name is not None
        assert by_name.game.id == again.id
        assert by_id is not None
        assert by_id.game.id == game.id
        assert tx.games.ids() == (game.id, again.id)
        assert tx.games.ids(after=game.id) == (again.id,)
        assert tx.games.counts()[Status.FORMING] == 1


def test_ids_are_never_given_twice(store: SqlStore) -> None:
    with store.transaction() as tx:
        first = tx.games.new_id()
        assert tx.games.new_id() == first + 1


def test_due_and_reminding_games_by_their_moments(store: SqlStore) -> None:
    late = running(store, "late", NOON - HOUR)
    soon = running(store, "soon", NOON + 10 * HOUR, 6 * HOUR, 2 * HOUR)
    new_game(store, "forming")
    new_game(store, "paused", status=Status.PAUSED, deadline=Deadline(NOON))
    now = running(store, "now", NOON)
    with store.transaction() as tx:
        assert tx.games.due(NOON) == (late.id, now.id)
        assert tx.games.due(NOON, limit=1) == (late.id,)
        assert tx.games.waking(NOON) == ()
        assert tx.games.waking(NOON + 4 * HOUR) == (soon.id,)
        assert tx.games.next_wake() == NOON - HOUR
        assert tx.games.next_wake(after=NOON) == NOON + 4 * HOUR
        tx.games.put(replace(soon, reminded=2), 1)
        assert tx.games.waking(NOON + 9 * HOUR) == ()
        assert tx.games.next_wake(after=NOON) == NOON + 10 * HOUR
        ended = replace(late, status=Status.FINISHED, deadline=None, ending=Ending(EndKind.STOPPED, (), NOON))
        tx.games.put(ended, 1)
        assert tx.games.due(NOON) == (now.id,)


def test_listed(store: SqlStore) -> None:
    new_game(store, "zeta", people={"FRANCE": 7})
    new_game(store, "alpha", settings=Settings(title="Первая\0"))
    new_game(store, "hidden", settings=Settings(listed=False))
    running(store, "run", NOON + HOUR)
    over = new_game(store, "over", status=Status.FINISHED)
    with store.transaction() as tx:
        rows = tx.games.listed()
        assert [row.name for row in rows] == ["alpha", "zeta", "run"]
        assert (rows[0].title, rows[0].free, rows[0].powers, rows[0].phase) == (
            "Первая\N{REPLACEMENT CHARACTER}",
            7,
            7,
            read_phase("S1901M"),
        )
        assert (rows[1].free, rows[1].status, rows[1].variant, rows[1].deadline) == (6, "forming", "standard", None)
        assert rows[2].deadline == NOON + HOUR
        assert [row.name for row in tx.games.listed(unlisted=True)] == ["alpha", "hidden", "zeta", "run"]
        assert [row.name for row in tx.games.listed([Status.FINISHED])] == ["over"]
        tx.games.archive(over.id, NOON)
        assert tx.games.listed([Status.FINISHED]) == ()
        assert len(tx.games.listed(limit=2)) == 2


def test_games_of_a_person_follow_the_seats(store: SqlStore) -> None:
    one = new_game(store, "one", {"FRANCE": 7, "ITALY": 8})
    two = new_game(store, "two", {"FRANCE": 8})

    def names(person: int) -> list[str]:
        with store.reading() as tx:
            return [kept.game.name for kept in tx.games.of_person(person)]

    assert (names(1), names(7), names(8), names(9)) == (["one", "two"], ["one"], ["one", "two"], [])
    with store.transaction() as tx:
        moved = tuple(replace(seat, person={"FRANCE": 8, "GERMANY": 9}.get(seat.key)) for seat in one.seats)
        tx.games.put(replace(one, seats=moved), 1)
        tx.games.archive(two.id, NOON)
    assert (names(1), names(7), names(8), names(9)) == (["one"], [], ["one"], ["one"])


def test_seats_are_looked_at_only_where_they_may_have_changed(store: SqlStore) -> None:
    one = new_game(store, "one", {"FRANCE": 7})
    moved = tuple(replace(seat, person={"FRANCE": 8}.get(seat.key, seat.person)) for seat in one.seats)
    with store.transaction() as tx:
        tx.games.put(replace(one, turns=1), 1, one)
        tx.games.put(replace(one, seats=moved), 2, one)
        assert [len(tx.games.of_person(person)) for person in (7, 8)] == [0, 1]


def test_a_locked_game_is_left_alone(url: str) -> None:
    """On SQLite one writer at a time has everything; on PostgreSQL the rows."""
    one, two = open_store(url), open_store(url)
    game = new_game(one)
    if one.engine.dialect.name == "postgresql":
        with one.transaction() as tx:
            assert tx.games.lock(game.id)
            with two.transaction() as other:
                assert other.games.lock(game.id, wait=False) is None
                assert other.games.get(game.id) == KeptGame(game, 1)
        with two.transaction() as other:
            assert other.games.lock(game.id, wait=False)
    else:
        two.engine.dispose()
        with one.transaction() as tx, two.reading() as other:
            tx.games.put(game, 1)
            assert other.games.get(game.id) == KeptGame(game, 1)
    one.close()
    two.close()


def turn(number: int, phase: str = "") -> Turn:
    """A closed phase in which all units held."""
    when = read_phase(phase) if phase else Phase(1900 + number, "S", Step.MOVEMENT)
    before = replace(STANDARD.start, phase=when)
    outcomes = tuple(
        Outcome(power, read_order(f"{unit} H"), False, Verdict.HOLDS, False, Why("no_order"))
        for power, units in before.units.items()
        for unit in units
    )
    return Turn(number, when, before, {}, Adjudication(before, before, account=lambda: outcomes), NOON + number * HOUR)


def test_turns_in_order_and_the_last_ones(store: SqlStore) -> None:
    game = new_game(store)
    with store.transaction() as tx:
        for number in range(1, 6):
            tx.turns.add(game.id, turn(number))
    with store.reading() as tx:
        assert tx.turns.of(game.id) == tuple(map(turn, range(1, 6)))
        assert [each.number for each in tx.turns.of(game.id, after=2, limit=2)] == [3, 4]
        assert [each.number for each in tx.turns.last(game.id)] == [5]
        assert [each.number for each in tx.turns.last(game.id, 3)] == [3, 4, 5]
        assert tx.turns.get(game.id, read_phase("S1903M")) == turn(3)
        assert tx.turns.get(game.id, read_phase("S1909M")) is None
        assert tx.turns.of(game.id + 1) == tx.turns.last(game.id + 1) == ()
        assert tx.turns.last(game.id)[0].adjudication.outcomes == turn(5).adjudication.outcomes


def test_a_phase_is_closed_once_unless_withdrawn(store: SqlStore) -> None:
    game = new_game(store)
    with store.transaction() as tx:
        for number in (1, 2, 3):
            tx.turns.add(game.id, turn(number))
    for again in (turn(4, "S1903M"), turn(3, "F1903M")):
        with pytest.raises(Conflict), store.transaction() as tx:
            tx.turns.add(game.id, again)
    with store.transaction() as tx:
        tx.turns.withdraw(game.id, (2, 3), NOON)
        tx.turns.withdraw(game.id, (), NOON)
        tx.turns.add(game.id, turn(4, "S1902M"))
        assert [each.number for each in tx.turns.of(game.id)] == [1, 4]
        assert [(each.number, each.withdrawn) for each in tx.turns.of(game.id, withdrawn=True)] == [
            (1, False),
            (2, True),
            (3, True),
            (4, False),
        ]
        found = tx.turns.get(game.id, read_phase("S1902M"))
        assert found is not None
        assert found.number == 4


def test_withdrawn_turns_count_again(store: SqlStore) -> None:
    game = new_game(store)
    with store.transaction() as tx:
        for number in (1, 2, 3):
            tx.turns.add(game.id, turn(number))
        tx.turns.withdraw(game.id, (2, 3), NOON)
        tx.turns.restore(game.id, (2,))
        tx.turns.restore(game.id, ())
        assert [each.number for each in tx.turns.of(game.id)] == [1, 2]
        tx.turns.add(game.id, turn(4, "S1903M"))
    with pytest.raises(Conflict), store.transaction() as tx:
        tx.turns.restore(game.id, (3,))


def test_what_belongs_to_no_game_is_refused(store: SqlStore) -> None:
    with pytest.raises(Conflict), store.transaction() as tx:
        tx.turns.add(99, turn(1))
    with pytest.raises(Conflict), store.transaction() as tx:
        tx.press.add(99, [PressItem(1, "FRANCE", (), "hi", NOON)])


def test_press_comes_back_as_written(store: SqlStore) -> None:
    game = new_game(store)
    items = (
        PressItem(1, "FRANCE", ("ITALY", "MASTER"), "Ahoj,\r\n\tpřátelé 🙂", NOON),
        PressItem(2, "ITALY", (), "", NOON + HOUR, hidden=True),
    )
    with store.transaction() as tx:
        tx.press.add(game.id, items)
        tx.press.add(game.id, ())
    with store.reading() as tx:
        assert tx.press.of(game.id) == items
        assert tx.press.of(game.id, after=1) == items[1:]
        assert tx.press.of(game.id, limit=1) == items[:1]
    with pytest.raises(Conflict), store.transaction() as tx:
        tx.press.add(game.id, items[:1])


def test_submissions_are_kept_as_filed(store: SqlStore) -> None:
    game = new_game(store)
    phase, later = read_phase("S1901M"), read_phase("F1901M")
    first = Submission(phase, "FRANCE", 3, NOON, (read_order("A PAR - BUR"), read_order("F BRE - MAO")))
    second = Submission(phase, "ITALY", 4, NOON + HOUR, ())
    third = Submission(later, "FRANCE", 9, NOON + 2 * HOUR, (read_order("A BUR S A PAR - MUN"),))
    with store.transaction() as tx:
        tx.submissions.add(game.id, (first, second))
        tx.submissions.add(game.id, (third,))
        tx.submissions.add(game.id, ())
    with store.reading() as tx:
        assert tx.submissions.of(game.id) == (first, second, third)
        assert tx.submissions.of(game.id, phase) == (first, second)
        assert tx.submissions.of(game.id, power="FRANCE") == (first, third)
        assert tx.submissions.of(game.id, later, "ITALY") == ()


def test_events_in_order(store: SqlStore) -> None:
    game = new_game(store)
    events = tuple(Event(NOON + n * HOUR, "MASTER", "deadline" if n % 2 else "setting", {"n": str(n), "ž": "\0"}) for n in range(5))
    with store.transaction() as tx:
        tx.events.add(game.id, events[:2])
        tx.events.add(game.id, ())
        tx.events.add(game.id, events[2:])
    with store.reading() as tx:
        assert tx.events.of(game.id) == events
        assert tx.events.of(game.id, what="deadline") == events[1::2]
        assert tx.events.of(game.id, last=2) == events[3:]


def test_variants_by_hash(store: SqlStore) -> None:
    with store.transaction() as tx:
        tx.variants.put("h1", '{"a": 1}')
        tx.variants.put("h1", '{"a": 2}')
        assert tx.variants.get("h1") == '{"a": 1}'
        assert tx.variants.get("h2") is None


def test_reading_writes_nothing(store: SqlStore) -> None:
    game = new_game(store)
    if store.engine.url.database is None:
        return  # in memory there is one connection for all
    with pytest.raises(Exception, match=r"read-?only|readonly|cannot execute"), store.reading() as tx:
        tx.games.archive(game.id, NOON)


def test_a_reading_sees_one_moment(url: str) -> None:
    store = open_store(url)
    game = new_game(store)
    with store.reading() as before:
        assert before.games.get(game.id) == KeptGame(game, 1)
        with store.transaction() as tx:
            tx.games.put(replace(game, turns=1), 1)
        assert before.games.get(game.id) == KeptGame(game, 1)
    with store.reading() as after:
        assert after.games.get(game.id) == KeptGame(replace(game, turns=1), 2)
    store.close()


def test_a_fault_undoes_everything(store: SqlStore) -> None:
    game = new_game(store)
    with pytest.raises(ZeroDivisionError):
        _put_and_fail(store, game)
    with store.reading() as tx:
        assert tx.games.get(game.id) == KeptGame(game, 1)


def _put_and_fail(store: SqlStore, game: Game) -> None:
    with store.transaction() as tx:
        tx.games.put(replace(game, turns=1), 1)
        raise ZeroDivisionError


def test_one_transaction_within_another_is_a_bug(tmp_path: object) -> None:
    store = open_store(f"sqlite:///{tmp_path}/judge.db")
    with pytest.raises(RuntimeError, match="within"), store.transaction(), store.transaction():
        pass
    with store.transaction() as tx:
        assert tx.games.new_id() == 1
    store.close()
