"""Kills by the hundred, at every named place and at random moments; on SQLite, and with several workers on PostgreSQL."""

import os
import random
import signal
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from judge.service import workers
from judge.service.failpoints import POINTS, TWICE
from tests.support.nursery import LiveClock, Nursery, wait_for_end
from tests.support.postgres import shared_server
from tests.support.table import FixedClock

pytestmark = pytest.mark.torture
KILLS_A_PLACE = 200
RANDOM_KILLS = 2000
WORKERS = 3


@pytest.mark.parametrize("place", [place for place in POINTS if not place.startswith(("shutdown", "alive"))])
def test_killed_at_every_place(tmp_path: Path, place: str, tell: Callable[[str], None]) -> None:
    nursery = ready(tmp_path)
    again = sum(nursery.kill_at(place, 10) for _ in range(KILLS_A_PLACE // 10))
    tell(f"{KILLS_A_PLACE} kills, {nursery.sent} mails, lost 0, done twice 0, letters once more {again}")
    assert again == 0 or place in TWICE


@pytest.mark.parametrize("place", [place for place in POINTS if place.startswith(("shutdown", "alive"))])
def test_killed_while_serving(tmp_path: Path, place: str, tell: Callable[[str], None]) -> None:
    nursery = ready(tmp_path)
    for number in range(KILLS_A_PLACE):
        nursery.say()
        pid = nursery.fork(place, serve=True)
        if place.startswith("shutdown"):
            time.sleep(0.03 + number % 10 * 0.01)
            os.kill(pid, signal.SIGTERM)
        status = wait_for_end(pid, 20)
        assert os.WIFSIGNALED(status)
        if number % 20 == 19:
            nursery.once()
            nursery.check()
    nursery.once()
    nursery.check()
    tell(f"{KILLS_A_PLACE} kills, {nursery.sent} mails, lost 0, done twice 0")


def test_killed_at_random_moments_under_load(tmp_path: Path, seed: int, tell: Callable[[str], None]) -> None:
    nursery = ready(tmp_path)
    dice = random.Random(seed)
    kills = again = 0
    while kills < RANDOM_KILLS:
        for _ in range(5):
            nursery.everything()
        for _ in range(8):
            kills += killed_after(nursery, dice.uniform(0.005, 0.5))
        nursery.once()
        again = nursery.check()
    tell(f"{kills} kills, {nursery.sent} mails, lost 0, done twice 0, letters once more {again}, set aside {len(nursery.bad)}")
    assert not nursery.bad


def killed_after(nursery: Nursery, seconds: float) -> int:
    """One judge, killed after so long; 0 if it had ended before."""
    pid = nursery.fork()
    time.sleep(seconds)
    os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    return int(os.WIFSIGNALED(status))


def test_several_workers_on_postgresql(tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch, tell: Callable[[str], None]) -> None:
    monkeypatch.setattr(workers, "LEASE", timedelta(seconds=2))
    monkeypatch.setattr(workers, "BEAT", 0.3)
    nursery = ready(tmp_path, shared_server().fresh_database(), LiveClock())
    again, kills = nursery.kill_workers(random.Random(seed), RANDOM_KILLS, WORKERS)
    tell(f"{kills} kills of {WORKERS} workers, {nursery.sent} mails, lost 0, done twice 0, letters once more {again}")
    assert not nursery.bad


@pytest.mark.parametrize("place", POINTS)
def test_a_real_start_after_each_kill(tmp_path: Path, place: str, tell: Callable[[str], None]) -> None:
    nursery = ready(tmp_path, clock=LiveClock())
    tell(f"1 kill of a real start, lost 0, done twice 0, letters once more {nursery.kill_and_start_anew(place)}")


def ready(folder: Path, url: str = "", clock: FixedClock | None = None) -> Nursery:
    """An installation with a running game."""
    nursery = Nursery(folder, url, clock or FixedClock())
    nursery.begin()
    nursery.everything()
    nursery.here()
    return nursery
