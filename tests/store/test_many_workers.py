"""Several processes share the work, and any of them may be killed at any point: nothing is lost, nothing has its effect twice."""

import multiprocessing
import os
import random
import signal
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from judge.errors import TryLater
from judge.game import Event, Settings, open_game
from judge.library import read_variant
from judge.mail import Letter
from judge.store import Duplicate, InboxState, LetterKind, NewMail, OutboxLetter, SqlStore, game_lane, open_store

LEASE = timedelta(seconds=0.3)
FORK = multiprocessing.get_context("fork")
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def fill(url: str, games: int, mails: int) -> None:
    """Games, and mails for them; every tenth mail is there twice."""
    store = open_store(url)
    standard = read_variant("standard")
    with store.transaction() as tx:
        for number in range(1, games + 1):
            opened = open_game(tx.games.new_id(), f"game{number}", Settings(), standard, "hash", 1, NOON)
            tx.games.put(opened.game, 0)
        for number in range(mails):
            copies = 2 if number % 10 == 0 else 1
            lane = game_lane(number % games + 1)
            tx.inbox.add([NewMail(f"mail {number}".encode(), NOON + timedelta(seconds=number), lane, "door")] * copies)
    store.close()


def work(url: str, seed: int, deadly: float) -> None:
    """Handle mails and send letters until none is left; perhaps die at one of the points where that might hurt."""
    dice = random.Random(seed)
    store = open_store(url, lease=LEASE)

    def perhaps_die() -> None:
        if dice.random() < deadly:
            os.kill(os.getpid(), signal.SIGKILL)

    while True:
        try:
            busy = _handle(store, perhaps_die) or _send(store, perhaps_die)
            with store.reading() as tx:
                if not busy and not tx.inbox.unfinished() and not tx.outbox.counts().waiting:
                    os._exit(0)
        except TryLater:
            busy = False
        if not busy:
            time.sleep(0.02)


def _handle(store: SqlStore, perhaps_die: Callable[[], None]) -> bool:
    """One mail: an event and a letter, and the game one version further."""
    with store.transaction() as tx:
        mail = tx.inbox.claim(datetime.now(UTC))
        perhaps_die()
    if mail is None or mail.set_aside:
        return mail is not None
    perhaps_die()
    name = mail.raw.decode()
    number = int(mail.lane[1:])
    try:
        with store.transaction() as tx:
            tx.inbox.finish(mail.number, name, datetime.now(UTC))
            kept = tx.games.lock(number)
            assert kept is not None
            tx.games.put(kept.game, kept.version)
            tx.events.add(number, [Event(mail.arrived_at, "", "handled", {"mail": name})])
            tx.outbox.add([OutboxLetter(_letter(f"answer.{mail.number}"), LetterKind.ANSWER, number)], datetime.now(UTC))
            perhaps_die()
    except Duplicate:
        with store.transaction() as tx:
            tx.inbox.mark(mail.number, InboxState.DUPLICATE, datetime.now(UTC))
    perhaps_die()
    return True


def _send(store: SqlStore, perhaps_die: Callable[[], None]) -> bool:
    """A few letters: counted where a relay would take them."""
    with store.transaction() as tx:
        letters = tx.outbox.claim(datetime.now(UTC), 5)
    perhaps_die()
    for letter in letters:
        with store.transaction() as tx:
            if tx.outbox.keep(letter.message_id, datetime.now(UTC)):
                tx.limits.add(f"sent:{letter.message_id}", NOON)
                tx.outbox.sent(letter.message_id, datetime.now(UTC))
            perhaps_die()
    return bool(letters)


def _letter(name: str) -> Letter:
    return Letter(f"{name}@example.org", "", "a@b", "", "judge@example.org", "", "subject", "text", NOON)


def run(url: str, games: int, mails: int, workers: int, kills: int, seed: int) -> int:
    """Work until all is done, with so many kills at least attempted; how many there were."""
    fill(url, games, mails)
    dice, killed, until = random.Random(seed), 0, time.monotonic() + 60 + kills
    running: list[multiprocessing.process.BaseProcess] = []
    while True:
        deadly = 0.03 if killed < kills else 0.0
        while len(running) < workers:
            process = FORK.Process(target=work, args=(url, dice.randrange(2**32), deadly))
            process.start()
            running.append(process)
        for each in running:
            each.join(0.02)
        killed += sum(each.exitcode == -signal.SIGKILL for each in running)
        done = [each for each in running if each.exitcode == 0]
        assert all(each.exitcode in (None, 0, -signal.SIGKILL) for each in running), [each.exitcode for each in running]
        running = [each for each in running if each.exitcode is None]
        if done:
            break
        assert time.monotonic() < until, "the work does not come to an end"
    for each in running:  # these find nothing left to do, and some die of it
        each.join(20)
        assert each.exitcode in (0, -signal.SIGKILL)
        killed += each.exitcode == -signal.SIGKILL
    return killed


def check(url: str, games: int, mails: int) -> None:
    """Every mail finished; each that was not set aside had its effect once, in order of its lane; every letter was sent once."""
    store = open_store(url)
    with store.reading() as tx:
        counts = tx.inbox.counts()
        assert counts[InboxState.NEW] == counts[InboxState.CLAIMED] == 0
        effects = []
        for number in range(1, games + 1):
            handled = [event.facts["mail"] for event in tx.events.of(number)]
            assert handled == sorted(handled, key=lambda name: int(name.split()[1]))
            kept = tx.games.get(number)
            assert kept is not None
            assert kept.version == 1 + len(handled)
            effects += handled
        assert len(effects) == len(set(effects)) == counts[InboxState.DONE]
        lost = {f"mail {number}" for number in range(mails)} - set(effects)
        assert len(lost) <= counts[InboxState.BAD]  # killed four times over the same mail: set aside for the operator
        letters = tx.outbox.counts()
        assert (letters.sent, letters.waiting) == (len(effects), 0)
        for number in range(1, games + 1):
            for letter in tx.outbox.of_game(number, 10_000):
                assert tx.limits.count(f"sent:{letter.message_id}", NOON) == 1
    store.close()


def test_two_workers_share_the_work(url: str) -> None:
    assert run(url, games=5, mails=60, workers=2, kills=0, seed=1) == 0
    check(url, games=5, mails=60)


def test_workers_are_killed_at_any_point(url: str) -> None:
    assert run(url, games=5, mails=100, workers=3, kills=15, seed=2) >= 10
    check(url, games=5, mails=100)


@pytest.mark.torture
@pytest.mark.parametrize("seed", range(4))
def test_hundreds_of_kills(url: str, seed: int, tell: Callable[[str], None]) -> None:
    killed = run(url, games=20, mails=2000, workers=4, kills=250, seed=seed)
    tell(f"{killed} kills")
    check(url, games=20, mails=2000)
