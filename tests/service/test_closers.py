"""Many games due at once: closed by others beside the daemon, each once, whatever becomes of them."""

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from judge.service import closers, deadlines
from judge.service.closers import Closed, Closers
from judge.service.context import Services
from judge.service.deadlines import close_due, close_games, expect_due
from tests.bench.load import LETTERS, OPEN_GAMES, a_place, children_of
from tests.bench.stock import Stock, write_settings
from tests.support.places import wait_until

GAMES = 7


@pytest.fixture
def stock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stock]:
    """Games that are due now; three are closed in one round, two at a time."""
    monkeypatch.setattr(deadlines, "AT_ONCE", 3)
    monkeypatch.setattr(deadlines, "MANY", 3)
    monkeypatch.setattr(closers, "MANY", 3)
    monkeypatch.setattr(closers, "TOGETHER", 2)
    stock = Stock(write_settings(tmp_path, 25, tick=0.1))
    stock.fill(GAMES)
    at = stock.s.clock.now() - timedelta(seconds=1)
    stock.set_due(at)
    with stock.store.transaction() as tx:
        tx.marks.set("read:door", (at + timedelta(hours=1)).isoformat())
    yield stock
    stock.close()


def with_closers(stock: Stock, pool: Executor, close: Callable[[Sequence[int]], Closed]) -> tuple[Services, Closers]:
    """The services of a daemon beside which that pool closes games."""
    beside = Closers(lambda: (pool, close), 2)
    return replace(stock.s, closers=beside), beside


def closed_games(stock: Stock) -> list[int]:
    """The numbers of turns of each game."""
    with stock.store.reading() as tx:
        return [len(tx.turns.of(number)) for number in range(1, GAMES + 1)]


def letters(stock: Stock) -> int:
    """How many wait."""
    with stock.store.reading() as tx:
        return tx.outbox.counts().waiting


def test_games_are_closed_beside_the_daemon(stock: Stock) -> None:
    asked: list[int] = []

    def close(numbers: Sequence[int]) -> Closed:
        asked.extend(numbers)
        return Closed(close_games(stock.s, numbers), ())

    with ThreadPoolExecutor(1) as pool:
        s, beside = with_closers(stock, pool, close)
        expect_due(s)
        pool.submit(int).result()
        assert beside.ready
        assert close_due(s) == GAMES  # three times two in one round, and the rest of the last piece
        assert sorted(asked) == list(range(1, GAMES + 1))
    assert closed_games(stock) == [1] * GAMES
    assert letters(stock) == 8 * GAMES
    assert s.letters.is_set()


def test_what_waits_hides_no_other(stock: Stock) -> None:
    with ThreadPoolExecutor(1) as pool:
        s, _ = with_closers(stock, pool, lambda numbers: Closed(close_games(stock.s, [each for each in numbers if each == GAMES]), ()))
        expect_due(s)
        pool.submit(int).result()
        assert close_due(s) == 1
    assert closed_games(stock) == [0] * (GAMES - 1) + [1]


def test_told_to_end_it_takes_no_more(stock: Stock) -> None:
    with ThreadPoolExecutor(1) as pool:
        s, _ = with_closers(stock, pool, lambda numbers: Closed(close_games(stock.s, numbers), ()))
        expect_due(s)
        pool.submit(int).result()
        assert close_due(s, lambda: False) == 0
    assert closed_games(stock) == [0] * GAMES


class DyingPool(Executor):
    """Processes that are there, and die of the first game."""

    def submit(self, work, /, *args, **kwargs) -> Future[Closed]:  # type: ignore[no-untyped-def, override]  # as little as it takes
        done: Future[Closed] = Future()
        if args[0]:
            done.set_exception(BrokenProcessPool("killed"))
        else:
            done.set_result(Closed(0, ()))
        return done


def test_when_they_die_the_daemon_does_it_itself(stock: Stock) -> None:
    s, beside = with_closers(stock, DyingPool(), lambda numbers: Closed(0, ()))
    expect_due(s)
    assert close_due(s) == 0
    assert not beside.ready
    expect_due(s)
    assert not beside.ready, "started again at once"
    while close_due(s):
        pass
    assert closed_games(stock) == [1] * GAMES
    assert letters(stock) == 8 * GAMES


def test_a_few_games_are_not_worth_it(stock: Stock) -> None:
    s, beside = with_closers(stock, DyingPool(), lambda numbers: Closed(0, ()))
    beside.expect(2)
    assert not beside.ready
    assert close_due(s) == 3


@pytest.mark.torture
@pytest.mark.parametrize("whom", ["a closer", "the daemon"])
def test_killed_in_the_middle_each_game_is_closed_once(whom: str) -> None:
    games = 150
    with a_place(games) as place:
        process = place.start()
        at = place.stock.s.clock.now() + timedelta(seconds=5)
        place.stock.set_due(at)
        place.await_count("SELECT count(*) FROM turn", lambda closed: closed > games // 5)
        beside = [pid for pid in children_of(process.pid) if "spawn_main" in Path(f"/proc/{pid}/cmdline").read_text()]
        assert beside, "no process was started"
        os.kill(beside[-1] if whom == "a closer" else process.pid, signal.SIGKILL)
        if whom == "the daemon":
            wait_until(lambda: not any(is_running(pid) for pid in beside), 10)
            process = place.start()
        place.await_count(OPEN_GAMES, lambda due: due == 0, at=int(at.timestamp() * 1_000_000))
        assert place.count("SELECT count(*) FROM turn") == games
        assert place.count(LETTERS) == 8 * games
        place.sink.await_letters(8 * games, 60)
        process.stop()


def is_running(pid: int) -> bool:
    """Whether there is such a process, and not only its remains."""
    place = Path(f"/proc/{pid}/stat")
    return place.exists() and place.read_text().rpartition(")")[2].split()[0] != "Z"
