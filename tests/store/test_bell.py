"""Hints between processes on PostgreSQL: heard at once, not by whoever gave them, and heard again after the server was away."""

import time
from collections.abc import Iterator
from threading import Event

import pytest

from judge.store import SqlStore, open_store
from judge.store.bell import Bell, ring_once
from tests.support.places import wait_until
from tests.support.postgres import PostgresServer, find_programs, shared_server


class Worker:
    """A process with a bell."""

    def __init__(self, url: str) -> None:
        self.store = open_store(url)
        self.mail, self.letters = Event(), Event()
        self.bell = Bell(self.store, {"mail": self.mail.set, "letters": self.letters.set})
        self.bell.start()

    def begin(self) -> None:
        """Listen, and forget what the beginning itself set."""
        wait_until(lambda: self.mail.is_set() and self.letters.is_set(), 10)
        self.mail.clear()
        self.letters.clear()

    def end(self) -> None:
        self.bell.stop()
        self.store.close()


@pytest.fixture
def two() -> Iterator[tuple[Worker, Worker]]:
    url = shared_server().fresh_database()
    workers = Worker(url), Worker(url)
    for worker in workers:
        worker.begin()
    yield workers
    for worker in workers:
        worker.end()
    shared_server().drop(url)


def test_the_other_hears_at_once(two: tuple[Worker, Worker]) -> None:
    one, other = two
    begun = time.monotonic()
    one.bell.ring("mail")
    assert other.mail.wait(5)
    assert time.monotonic() - begun < 2
    assert not other.letters.is_set()
    assert not one.mail.is_set()
    other.bell.ring("letters")
    assert one.letters.wait(5)
    assert not other.letters.is_set()


def test_a_burst_is_few_hints(two: tuple[Worker, Worker]) -> None:
    one, other = two
    heard: list[float] = []
    other.bell._hears = {"mail": lambda: heard.append(time.monotonic()), "end": other.letters.set}
    begun = time.monotonic()
    for _ in range(1000):
        one.bell.ring("mail")
    rung = time.monotonic() - begun
    time.sleep(0.1)
    one.bell.ring("end")
    assert other.letters.wait(5)
    assert 1 <= len(heard) <= 2 + rung / 0.02


def test_a_process_without_a_bell(two: tuple[Worker, Worker]) -> None:
    one, other = two
    passing = open_store(one.store.engine.url.render_as_string(hide_password=False))
    ring_once(passing, "mail")
    assert one.mail.wait(5)
    assert other.mail.wait(5)
    passing.close()


def test_nothing_to_ring_on_sqlite() -> None:
    store: SqlStore = open_store("sqlite://")
    ring_once(store, "mail")
    store.close()


def test_heard_again_after_the_server_was_away() -> None:
    shared_server()  # skipped or failed without PostgreSQL
    programs = find_programs()
    assert programs is not None
    server = PostgresServer(programs)  # one of its own, because it is stopped
    url = server.fresh_database()
    one, other = Worker(url), Worker(url)
    for worker in (one, other):
        worker.begin()
    server.halt()
    one.bell.ring("mail")  # lost
    server.start()
    other.begin()  # what may have been missed is looked for
    one.bell.ring("mail")
    assert other.mail.wait(5)
    for worker in (one, other):
        worker.end()
    server.close()
