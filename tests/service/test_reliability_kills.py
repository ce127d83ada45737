"""The judge killed at every named place, begun again, and killed again: nothing is lost, nothing is done twice."""

import os
import random
import signal
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from judge.service import workers
from judge.service.failpoints import POINTS, TWICE, VARIABLE
from judge.store import MOST_TRIES
from tests.support.nursery import LiveClock, Nursery, wait_for_end
from tests.support.places import wait_until
from tests.support.postgres import shared_server

SERVING = [place for place in POINTS if place.startswith(("shutdown", "alive"))]
WORKING = [place for place in POINTS if place not in SERVING]


@pytest.fixture(scope="module")
def nursery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nursery]:
    """One installation with a running game, everything read."""
    nursery = Nursery(tmp_path_factory.mktemp("judge"))
    nursery.begin()
    nursery.everything()
    nursery.here()
    yield nursery
    nursery.check()


@pytest.mark.parametrize("place", WORKING)
def test_killed_at_every_place(nursery: Nursery, place: str) -> None:
    again = nursery.kill_at(place, 3)
    assert again == 0 or place in TWICE, f"{again} letters left twice"


@pytest.mark.parametrize("place", SERVING)
def test_killed_while_serving(nursery: Nursery, place: str) -> None:
    for _ in range(3):
        nursery.say()
        pid = nursery.fork(place, serve=True)
        if place.startswith("shutdown"):
            wait_for(nursery)
            os.kill(pid, signal.SIGTERM)
        status = wait_for_end(pid, 15)
        assert os.WIFSIGNALED(status)
    nursery.once()
    nursery.check()


def test_a_real_start_after_a_kill(tmp_path: Path) -> None:
    nursery = Nursery(tmp_path, clock=LiveClock())
    nursery.begin()
    for place in ("intake_before_commit", "closing_before_commit", "outbox_after_send"):
        nursery.kill_and_start_anew(place)


def wait_for(nursery: Nursery) -> None:
    """Until the mails in ``in`` are kept."""
    wait_until(lambda: not any((nursery.folder / "in" / "new").iterdir()))


def test_the_judge_ends_in_time_when_told_to(nursery: Nursery) -> None:
    nursery.say()
    pid = nursery.fork(serve=True)
    wait_for(nursery)
    os.kill(pid, signal.SIGTERM)
    assert os.waitstatus_to_exitcode(wait_for_end(pid, 10)) == 0
    nursery.once()
    nursery.check()


@pytest.mark.parametrize("place", ["worker_after_claim", "worker_before_commit"])
def test_a_mail_is_not_set_aside_because_somebody_killed_the_judge_while_it_was_handled(nursery: Nursery, place: str) -> None:
    nursery.say()
    assert all(nursery.once(place) for _ in range(MOST_TRIES - 1))
    assert not nursery.once()
    nursery.check()
    assert not nursery.bad


def test_a_mail_that_always_kills_is_set_aside_in_the_end_and_the_keeper_told(nursery: Nursery) -> None:
    nursery.say()
    assert all(nursery.once("worker_after_reading") for _ in range(MOST_TRIES))
    assert not nursery.once("worker_after_reading")
    nursery.check()
    assert len(nursery.bad) == 1


def test_failpoints_do_nothing_unless_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from judge.service import failpoints

    monkeypatch.delenv(VARIABLE, raising=False)
    for place in POINTS:
        failpoints.failpoint(place)
    with pytest.raises(ValueError, match="no failpoint"):
        failpoints.arm("somewhere")


def test_several_workers_share_one_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "LEASE", timedelta(seconds=1))
    monkeypatch.setattr(workers, "BEAT", 0.2)
    nursery = Nursery(tmp_path, shared_server().fresh_database(), LiveClock())
    nursery.begin()
    again, kills = nursery.kill_workers(random.Random(1), 8, 2)
    assert (kills, again >= 0) == (8, True)
