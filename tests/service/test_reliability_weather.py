"""Full disks, locked databases, clocks that jump, nights with an hour too many: delay, never loss."""

import os
import random
import smtplib
import sqlite3
import subprocess
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from judge.cli.run import receive_command
from judge.game import due_at
from judge.service import alarms, handle, letters
from judge.service.alarms import raise_alarms
from judge.service.daemon import _Alive, one_round
from judge.service.deliver import deliver_waiting
from judge.service.outages import outages
from judge.service.receive import accept
from judge.store import InboxState, StoreBusy, engines, open_store
from judge.wiring import open_door
from tests.support.duel import Duel

ENGLAND = "england@club.example"


@pytest.fixture
def duel(tmp_path: Path) -> Duel:
    return Duel(tmp_path)


# ---- the disk


@pytest.fixture
def small_disk() -> Iterator[Path]:
    """A file system of a few megabytes (needs root)."""
    if os.geteuid() != 0:
        pytest.skip("a small file system needs root")
    folder = Path("/tmp") / f"judge-disk-{os.getpid()}"
    folder.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", str(folder)], capture_output=True, check=False)
    if done.returncode:
        folder.rmdir()
        pytest.skip("this machine mounts nothing")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)
    folder.rmdir()


def fill(folder: Path) -> Path:
    """A file that takes all the room that is left."""
    file = folder / "ballast"
    with open(file, "ab", buffering=0) as out:
        for size in (65536, 4096, 512, 1):
            try:
                while True:
                    out.write(b"\0" * size)
            except OSError:
                continue
    return file


def test_a_full_disk_delays_and_loses_nothing(small_disk: Path) -> None:
    duel = Duel(small_disk)
    duel.write("ENGLAND", "A Lon - Wal")
    with open_door(duel.s) as door:
        ballast = fill(small_disk)
        with smtplib.SMTP(*door.address) as client:
            replies = [_hand_in(client, duel, number) for number in range(12)]
        assert set(replies) <= {250, 452}
        assert 452 in replies
        kept = replies.count(250)
        for _ in range(5):  # whatever is tried meanwhile leaves everything as it was
            try:
                one_round(duel.s)
                deliver_waiting(duel.s)
            except StoreBusy:
                pass
        ballast.unlink()
        with smtplib.SMTP(*door.address) as client:
            assert _hand_in(client, duel, 99) == 250
    duel.clock.at += timedelta(minutes=1)
    duel.table.run()
    with duel.s.store.reading() as tx:
        assert tx.inbox.unfinished() == 0
        assert tx.inbox.counts()[InboxState.BAD] == 0
        assert len(tx.press.of(duel.game.id)) == kept + 1
    duel.s.store.close()


def _hand_in(client: smtplib.SMTP, duel: Duel, number: int) -> int:
    """One message of 30 kB; what the door said to it."""
    head = f"From: {ENGLAND}\r\nTo: {duel.secret('ENGLAND')}\r\nMessage-ID: <disk{number}@club.example>\r\n\r\n"
    client.ehlo_or_helo_if_needed()
    client.mail(ENGLAND)
    client.rcpt(duel.secret("ENGLAND"))
    noise = b64encode(random.Random(number).randbytes(22_000)).decode()
    try:
        return client.data(f"{head}PRESS TO TURKEY\r\n{number} {noise}\r\nENDPRESS\r\n".encode())[0]
    except smtplib.SMTPDataError as refused:
        return refused.smtp_code


# ---- the database


def test_a_locked_database_delays_only(duel: Duel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "BUSY_SECONDS", 0.3)
    store = open_store(duel.s.config.database_url)
    s = replace(duel.s, store=store, unhandled=[])
    other = sqlite3.connect(duel.s.config.spool / "judge.db", isolation_level=None, check_same_thread=False)
    duel.table.mail(ENGLAND, duel.secret("ENGLAND"), "A Lon - Yor", run=False)
    arrival = replace(duel.table.last_raw, raw=duel.table.last_raw.raw.replace(b"Yor", b"Wal").replace(b"<m", b"<n"))
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StoreBusy):
        accept(s, [arrival])
    with pytest.raises(StoreBusy):
        one_round(s)
    other.execute("COMMIT")
    accept(s, [arrival])
    one_round(s)
    assert "WAL" in str(duel.game.orders)
    other.close()
    store.close()


def test_a_claim_that_could_not_be_given_back_is_given_back_later(duel: Duel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "BUSY_SECONDS", 0.2)
    store = open_store(duel.s.config.database_url)
    s = replace(duel.s, store=store, unhandled=[])
    other = sqlite3.connect(duel.s.config.spool / "judge.db", isolation_level=None, check_same_thread=False)
    duel.table.mail(ENGLAND, duel.secret("ENGLAND"), "A Lon - Yor", run=False)
    real = letters.answer_letters

    def slow(*given: object) -> object:
        other.execute("BEGIN EXCLUSIVE")
        return real(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(handle, "answer_letters", slow)
    assert handle.handle_next(s)
    assert len(s.unhandled) == 1
    monkeypatch.setattr(handle, "answer_letters", real)
    other.execute("COMMIT")
    one_round(s)  # gives the claim back; the mail waits a little
    assert not s.unhandled
    duel.clock.at += timedelta(seconds=20)
    one_round(s)
    assert "YOR" in str(duel.game.orders)
    other.close()
    store.close()


# ---- the clock


@pytest.mark.parametrize("step", [timedelta(hours=1), timedelta(hours=-1), timedelta(days=1), timedelta(days=-1)])
def test_a_clock_that_jumps_closes_each_phase_once_and_never_early(duel: Duel, step: timedelta) -> None:
    deadline = duel.game.deadline
    assert deadline is not None
    closed: list[datetime] = []
    jump_at = deadline.at - timedelta(minutes=30)
    jumped = False
    for _ in range(500):
        if not jumped and duel.clock.at >= jump_at:
            duel.clock.at += step
            jumped = True
        duel.clock.at += timedelta(minutes=15)
        duel.table.run()
        with duel.s.store.reading() as tx:
            turns = tx.turns.of(duel.game.id)
        if turns:
            closed.append(duel.clock.at)
            break
    assert closed[0] >= deadline.at
    assert closed[0] - deadline.at <= max(timedelta(minutes=15), step)
    assert [str(turn.phase) for turn in turns] == ["S1901M"]


@pytest.mark.parametrize(("jump", "outage", "told"), [
    (timedelta(hours=3), True, 1),
    (timedelta(minutes=5), False, 1),
    (timedelta(hours=-3), False, 1),
    (timedelta(seconds=5), False, 0),
])  # fmt: skip
def test_a_jump_ends_waits_and_tells_the_keeper(duel: Duel, jump: timedelta, outage: bool, told: int) -> None:
    alive = _Alive(duel.s, None)
    alive.note()
    with duel.s.store.transaction() as tx:
        tx.inbox.add([])
    duel.clock.at += jump
    alive.note()
    with duel.s.store.reading() as tx:
        assert bool(outages(tx)) == outage
    duel.table.run()
    assert len([letter for letter in duel.table.new() if letter.to == "keeper@judge.example"]) == told


def test_a_stepped_clock_jumps_without_any_outage(duel: Duel) -> None:
    config = replace(duel.s.config, judge=replace(duel.s.config.judge, clock="stepped"))
    alive = _Alive(replace(duel.s, config=config), None)
    alive.note()
    duel.clock.at += timedelta(days=3)
    alive.note()
    with duel.s.store.reading() as tx:
        assert not outages(tx)


ZONES = ("Europe/Prague", "Europe/London", "America/New_York", "Australia/Lord_Howe", "America/St_Johns", "Asia/Kolkata")
NIGHTS = [datetime(2026, month, day, 12, tzinfo=UTC) for month, day in ((3, 7), (3, 28), (4, 4), (10, 3), (10, 24), (10, 31))]


@pytest.mark.parametrize("zone", ZONES)
def test_nights_in_which_clocks_are_changed(duel: Duel, zone: str) -> None:
    for number, night in enumerate(NIGHTS, 1):
        announced = night + timedelta(hours=14, minutes=30)
        duel.clock.at = night
        with duel.s.store.transaction() as tx:
            kept = tx.games.get("danube")
            assert kept is not None
            assert kept.game.deadline is not None
            deadline = replace(kept.game.deadline, at=announced)
            tx.games.put(replace(kept.game, settings=replace(kept.game.settings, zone=zone), deadline=deadline, reminded=99), kept.version)
        assert due_at(duel.game) == announced
        for moment in (timedelta(seconds=-1), timedelta(0)):
            duel.clock.at = announced + moment
            duel.table.run()
            with duel.s.store.reading() as tx:
                assert len(tx.turns.of(duel.game.id)) == number - (moment < timedelta(0)), (zone, night)


# ---- what the keeper hears


def test_the_keeper_hears_once_a_day_what_is_wrong(duel: Duel, monkeypatch: pytest.MonkeyPatch) -> None:
    assert raise_alarms(duel.s) == 0
    monkeypatch.setattr(alarms, "LEAST_ROOM", 1 << 60)
    deadline = duel.game.deadline
    assert deadline is not None
    duel.clock.at = deadline.at + timedelta(hours=2)  # nothing was read, so the game waits
    assert [raise_alarms(duel.s) for _ in range(3)] == [2, 0, 0]
    duel.clock.at += timedelta(hours=24)
    assert raise_alarms(duel.s) == 3  # the first alarms have not left either
    while deliver_waiting(duel.s):
        pass
    told = [letter.subject for letter in duel.table.new() if letter.to == "keeper@judge.example"]
    assert sorted(told) == ["Games are overdue"] * 2 + ["Letters do not leave"] + ["Little room on the disk"] * 2


def test_one_mail_on_standard_input(duel: Duel, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    config = tmp_path / "judge.toml"
    config.write_text('[judge]\naddress = "judge@judge.example"\n[mail_in.door]\n[mail_out]\nmaildir = "out"\n')
    monkeypatch.setattr(engines, "BUSY_SECONDS", 0.3)
    raw = f"From: {ENGLAND}\r\nTo: {duel.secret('ENGLAND')}\r\nMessage-ID: <in@club.example>\r\n\r\nA Lon - Yor\r\n".encode()
    words = ["--config", str(config), "--sender", ENGLAND, duel.secret("ENGLAND")]
    other = sqlite3.connect(duel.s.config.spool / "judge.db", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    assert CliRunner().invoke(receive_command, words, input=raw).exit_code == 75
    other.execute("COMMIT")
    assert CliRunner().invoke(receive_command, words, input=raw).exit_code == 0
    duel.clock.at = datetime.now(UTC)
    with duel.s.store.reading() as tx:
        (waiting,) = tx.inbox.of_lane(f"g{duel.game.id}", 1)
    assert (waiting.raw, waiting.envelope_from, waiting.state) == (raw, ENGLAND, InboxState.NEW)
    other.close()
