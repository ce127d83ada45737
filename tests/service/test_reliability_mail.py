"""What becomes of mails that come twice, late, in a flood, or forged; and of letters that come back."""

import re
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from judge.config import BorderConfig, LimitsConfig
from judge.mail import Arrival
from judge.service import desk, handle
from judge.service.daemon import one_round
from judge.service.deliver import deliver_waiting
from judge.service.outages import note_outage
from judge.service.receive import accept
from judge.store import AddressState, InboxState, is_stranger_lane
from tests.support.duel import JUDGE, MASTER, Duel, code_in
from tests.support.table import Read

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
BORDER = BorderConfig(authserv_id="mx.judge.example", received_by=("mx.judge.example",))
ENGLAND, TURKEY = "england@club.example", "turkey@club.example"


@pytest.fixture
def duel(tmp_path: Path) -> Duel:
    return Duel(tmp_path, sections={"border": BORDER})


def to(letters: list[Read], address: str) -> list[Read]:
    return [letter for letter in letters if letter.to == address]


# ---- exactly once


@pytest.mark.parametrize(("pause", "answered"), [(timedelta(0), 1), (2 * HOUR, 1), (71 * HOUR, 1), (73 * HOUR, 0), (30 * DAY, 0)])
def test_a_resend_is_answered_once_within_a_set_time(tmp_path: Path, pause: timedelta, answered: int) -> None:
    duel = Duel(tmp_path, options="movement 40d")
    duel.write("ENGLAND", "A Lon - Yor")
    raw = duel.table.last_raw
    duel.write("ENGLAND", "A Lon - Wal")
    duel.clock.at += pause
    letters = [letter for _ in range(3) for letter in duel.table.again(replace(raw, arrived_at=duel.clock.at))]
    assert [("already" in letter.text, letter.to) for letter in letters] == [(True, ENGLAND)] * answered
    assert all("A Lon - Wal" in letter.text for letter in letters)  # the newer order stays in force, and the answer shows it
    assert "Wal" in str(duel.game.orders["ENGLAND"]).title()


def test_the_same_text_under_another_id_is_a_new_mail(duel: Duel) -> None:
    for _ in range(2):
        duel.write("ENGLAND", "PRESS TO TURKEY\nhello\nENDPRESS")
    with duel.s.store.reading() as tx:
        assert len(tx.press.of(duel.game.id)) == 2


def test_other_trace_fields_make_no_new_mail(duel: Duel) -> None:
    duel.write("ENGLAND", "PRESS TO TURKEY\nhello\nENDPRESS")
    raw = duel.table.last_raw
    for hop in range(3):
        trace = f"Received: from relay{hop} by mx.judge.example; Mon, 05 Jan 2026 12:0{hop}:00 +0000\r\n".encode()
        duel.table.again(replace(raw, raw=trace + raw.raw))
    with duel.s.store.reading() as tx:
        assert len(tx.press.of(duel.game.id)) == 1
        assert tx.inbox.counts()[InboxState.DUPLICATE] == 3


def test_an_older_mail_that_comes_later_changes_nothing_and_is_told_so(duel: Duel) -> None:
    duel.clock.at += HOUR
    duel.write("ENGLAND", "A Lon - Wal")
    duel.table.mail(ENGLAND, duel.secret("ENGLAND"), "A Lon - Yor", run=False)
    late = duel.table.last_raw
    with duel.s.store.transaction() as tx:
        (number,) = [waiting.number for waiting in tx.inbox.of_lane(f"g{duel.game.id}", 1)]
        tx.inbox.mark(number, InboxState.BAD, duel.clock.at)
    (letter,) = duel.table.again(replace(late, arrived_at=duel.clock.at - timedelta(minutes=30)))
    assert "A Lon - Yor" in letter.text
    assert re.search(r"NOT|older|earlier|later", letter.text)
    assert "WAL" in str(duel.game.orders["ENGLAND"])


# ---- who writes


def test_a_forged_mail_does_nothing_and_is_told_once_a_day(duel: Duel) -> None:
    told = [duel.bordered(ENGLAND, "judge+danube@judge.example", f"A Lon - Yor\nforged words {n}", "fail") for n in range(3)]
    assert [[letter.to for letter in letters] for letters in told] == [[ENGLAND], [], []]
    assert "does not come from your mailbox" in " ".join(told[0][0].text.split())
    assert "forged words" not in told[0][0].text
    assert not duel.game.orders
    duel.clock.at += DAY
    assert [letter.to for letter in duel.bordered(ENGLAND, "judge+danube@judge.example", "A Lon - Yor", "fail")] == [ENGLAND]


@pytest.mark.parametrize(
    ("sender", "verdict", "counts"), [(ENGLAND, "pass", True), (ENGLAND, "fail", False), ("eve@club.example", "pass", False)]
)
def test_a_strict_site_wants_secret_and_proof(tmp_path: Path, sender: str, verdict: str, counts: bool) -> None:
    duel = Duel(tmp_path, sections={"border": BORDER})
    strict = Duel.__new__(Duel)
    strict.__dict__ |= duel.__dict__
    keys = replace(duel.s.keys, strict=True)  # type: ignore[type-var]
    strict.table.s = strict.s = replace(duel.s, keys=keys)
    strict.bordered(sender, strict.secret("ENGLAND"), "A Lon - Yor", verdict)
    assert bool(strict.game.orders) == counts
    strict.bordered(ENGLAND, "judge+danube@judge.example", "A Lon - Wal", "pass")
    assert ("WAL" in str(strict.game.orders)) is False


def test_orders_from_another_address_are_told_to_the_registered_one(duel: Duel) -> None:
    letters = duel.table.mail("england@work.example", duel.secret("ENGLAND"), "A Lon - Yor")
    assert sorted(letter.to for letter in letters) == [ENGLAND, "england@work.example"]


# ---- letters that come back


def path_of(duel: Duel, seat: str) -> str:
    """The return path of the newest letter to a seat."""
    return next(path for path, to, _ in reversed(duel.sink.sent) if to == Duel.address(seat))


def address_of(duel: Duel, address: str) -> AddressState:
    with duel.s.store.reading() as tx:
        known = tx.people.address(address)
    assert known is not None
    return known.state


def test_the_master_hears_once_of_letters_that_come_back(duel: Duel) -> None:
    duel.write("ENGLAND", "PRESS TO TURKEY\nhello\nENDPRESS")
    told = [duel.returned(path_of(duel, "TURKEY"), TURKEY) for _ in range(4)]
    assert [[letter.to for letter in letters] for letters in told] == [[MASTER], [], [], []]
    assert "Turkey" in told[0][0].text
    assert TURKEY not in told[0][0].text
    assert address_of(duel, TURKEY) is AddressState.BOUNCING
    assert to(duel.write("ENGLAND", "PRESS TO TURKEY\nstill there?\nENDPRESS"), TURKEY)  # tried again with the next letter


@pytest.mark.parametrize(("status", "action", "state"), [
    ("5.1.1", "failed", AddressState.BOUNCING),
    ("5.2.2", "failed", AddressState.BOUNCING),
    ("4.4.1", "delayed", AddressState.GOOD),
    ("2.0.0", "delivered", AddressState.GOOD),
])  # fmt: skip
def test_a_delay_is_no_failure(duel: Duel, status: str, action: str, state: AddressState) -> None:
    duel.write("TURKEY", "STATUS")
    duel.returned(path_of(duel, "TURKEY"), TURKEY, status, action)
    assert address_of(duel, TURKEY) is state


def test_a_dead_address_is_retired_after_a_limit_and_comes_back_with_a_mail_from_it(duel: Duel) -> None:
    told: list[Read] = []
    for day in range(5):
        duel.write("ENGLAND", f"PRESS TO TURKEY\nday {day}\nENDPRESS")
        told += duel.returned(path_of(duel, "TURKEY"), TURKEY)
        duel.clock.at += DAY
    assert [letter.to for letter in told] == [MASTER, MASTER]
    assert address_of(duel, TURKEY) is AddressState.DEAD
    assert not to(duel.write("ENGLAND", "PRESS TO TURKEY\nday 6\nENDPRESS"), TURKEY)
    assert to(duel.write("TURKEY", "STATUS"), TURKEY)
    assert address_of(duel, TURKEY) is AddressState.GOOD
    assert to(duel.write("ENGLAND", "PRESS TO TURKEY\nday 7\nENDPRESS"), TURKEY)


def test_a_report_about_no_letter_of_ours_retires_nobody(duel: Duel) -> None:
    for nonce in ("t77", "a999", "x", ""):
        duel.returned(f"judge-bounces+danube.TURKEY.{nonce}@judge.example".replace(".@", "@"), TURKEY)
    assert address_of(duel, TURKEY) is AddressState.GOOD


def test_what_is_sent_to_strangers_cannot_come_back(duel: Duel) -> None:
    duel.table.mail("eve@elsewhere.example", JUDGE, "HELP")
    assert [path for path, to, _ in duel.sink.sent if to == "eve@elsewhere.example"] == [""]


def test_observers_can_leave_by_a_button(duel: Duel) -> None:
    letters = duel.table.mail("anna@club.example", JUDGE, "OBSERVE danube")
    letters = duel.table.mail("anna@club.example", JUDGE, f"CONFIRM {code_in(letters)}")
    duel.write("ENGLAND", duel.holds("ENGLAND"))
    letters = duel.write("TURKEY", duel.holds("TURKEY"))
    (seen,) = to(letters, "anna@club.example")
    button = str(seen.headers["List-Unsubscribe"])
    assert re.fullmatch(r"<mailto:judge\+danube\.\w+@judge\.example\?subject=RESIGN&body=RESIGN>", button)
    assert to(letters, ENGLAND)[0].headers["List-Unsubscribe"] is None


# ---- limits


def test_mails_beyond_the_measure_are_answered_once(tmp_path: Path) -> None:
    duel = Duel(tmp_path, sections={"limits": LimitsConfig(mails_per_hour=4)})
    letters = [duel.table.mail(ENGLAND, "judge+danube@judge.example", f"STATUS\n{n}") for n in range(9)]
    refused = [letter for each in letters for letter in each if "More mails came from you" in " ".join(letter.text.split())]
    assert len(refused) == 1
    assert duel.write("ENGLAND", "A Lon - Yor")  # who proves himself has a measure of his own
    duel.clock.at += HOUR
    assert duel.table.mail(ENGLAND, "judge+danube@judge.example", "STATUS")


def test_answers_end_at_a_cap_and_the_keeper_hears_of_it_once(tmp_path: Path) -> None:
    duel = Duel(tmp_path, sections={"limits": LimitsConfig(answers_per_hour=5)})
    letters = [letter for n in range(9) for letter in duel.write("ENGLAND", f"PRESS TO TURKEY\n{n}\nENDPRESS")]
    assert len(to(letters, ENGLAND)) < 9
    assert len(to(letters, "keeper@judge.example")) == 1
    with duel.s.store.reading() as tx:
        assert len(tx.press.of(duel.game.id)) == 9  # what is not answered is done all the same


def junk(duel: Duel, number: int, at: datetime) -> Arrival:
    """A mail of somebody nobody knows."""
    raw = f"From: x{number}@junk.example\r\nTo: judge@judge.example\r\nMessage-ID: <{number}@junk.example>\r\n\r\nBuy {number}!\r\n"
    return Arrival(raw.encode(), at, None, f"x{number}@junk.example", (JUDGE,))


def test_a_flood_of_strangers_delays_no_game(duel: Duel) -> None:
    deadline = duel.game.deadline
    assert deadline is not None
    duel.clock.at = deadline.at - timedelta(minutes=1)
    accept(duel.s, [junk(duel, number, duel.clock.at) for number in range(400)])
    duel.table.mail(ENGLAND, duel.secret("ENGLAND"), "A Lon - Yor", run=False)
    duel.clock.at = deadline.at + timedelta(seconds=1)
    with duel.s.store.transaction() as tx:
        tx.marks.set("read:door", duel.clock.at.isoformat())
    one_round(duel.s)  # one round handles a hundred mails, players' first
    with duel.s.store.reading() as tx:
        (turn,) = tx.turns.of(duel.game.id)
        assert tx.inbox.unfinished() > 250
    assert "YOR" in str(turn.given["ENGLAND"])


def test_a_flood_in_a_players_name_delays_no_game(tmp_path: Path) -> None:
    duel = Duel(tmp_path, sections={"limits": LimitsConfig(mails_per_hour=30)})
    deadline = duel.game.deadline
    assert deadline is not None
    duel.clock.at = deadline.at - timedelta(minutes=1)
    flood = [
        replace(each, raw=each.raw.replace(f"x{number}@junk".encode(), b"england@club"))
        for number, each in ((n, junk(duel, n, duel.clock.at)) for n in range(200))
    ]
    accept(duel.s, flood)
    with duel.s.store.reading() as tx:
        waiting = [mail for mail in (tx.inbox.get(number) for number in range(1, 400)) if mail and mail.state is InboxState.NEW]
    assert len(waiting) == 200
    assert sum(not is_stranger_lane(mail.lane) for mail in waiting) <= 30


# ---- outages


def test_an_outage_before_a_deadline_moves_it_once(duel: Duel) -> None:
    deadline = duel.game.deadline
    assert deadline is not None
    duel.clock.at = deadline.at + HOUR
    with duel.s.store.transaction() as tx:
        assert note_outage(duel.s, tx, deadline.at - 3 * HOUR, duel.clock.at)
    duel.table.run()
    moved = duel.game.deadline
    assert moved is not None
    assert moved.at == deadline.at + 4 * HOUR
    letters = duel.table.new()
    assert {letter.to for letter in letters} == {ENGLAND, TURKEY, MASTER}
    assert "out of reach" in " ".join(letters[0].text.split())
    duel.clock.at = moved.at + timedelta(seconds=1)
    duel.table.run()
    assert str(duel.game.phase) == "F1901M"


def test_a_short_outage_moves_nothing(duel: Duel) -> None:
    deadline = duel.game.deadline
    assert deadline is not None
    with duel.s.store.transaction() as tx:
        assert not note_outage(duel.s, tx, deadline.at - timedelta(minutes=50), deadline.at)
    duel.clock.at = deadline.at + timedelta(seconds=1)
    duel.table.run()
    assert str(duel.game.phase) == "F1901M"


def test_a_mailbox_out_of_reach_makes_games_wait_and_is_told_once(duel: Duel) -> None:
    deadline = duel.game.deadline
    assert deadline is not None
    with duel.s.store.transaction() as tx:
        tx.marks.set("read:door", (deadline.at - HOUR).isoformat())
    told: list[Read] = []
    for minutes in (1, 5, 11, 30, 120, 300):
        duel.clock.at = deadline.at + timedelta(minutes=minutes)
        while one_round(duel.s):
            pass
        while deliver_waiting(duel.s):
            pass
        told += [letter for letter in duel.table.new() if "deadline" in letter.text.lower() or letter.to.startswith("keeper")]
        assert str(duel.game.phase) == "S1901M"
    assert sorted(letter.to for letter in told if "mailbox" in letter.text) == [MASTER, "keeper@judge.example"]
    duel.table.run()  # the mailbox is read now
    assert str(duel.game.phase) == "F1901M"


# ---- a broken program


def test_a_broken_program_does_not_set_every_mail_aside(duel: Duel, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> object:
        raise RuntimeError("half an upgrade")

    real = desk.work_out
    monkeypatch.setattr(handle, "work_out", broken)
    for number in range(20):
        duel.write("ENGLAND" if number % 2 else "TURKEY", f"PRESS TO ENGLAND, TURKEY\n{number}\nENDPRESS")
    with duel.s.store.reading() as tx:
        assert tx.inbox.counts()[InboxState.BAD] == 2
        assert tx.inbox.unfinished() == 18
    monkeypatch.setattr(handle, "work_out", real)
    duel.s.trouble.rests_until = 0.0
    duel.table.run()
    with duel.s.store.reading() as tx:
        assert tx.inbox.unfinished() == 0
        assert len(tx.press.of(duel.game.id)) == 18


def test_strangers_cannot_stop_the_handling(duel: Duel, monkeypatch: pytest.MonkeyPatch) -> None:
    real = desk.work_out

    def picky(s: object, tx: object, message: object, *rest: object) -> object:
        if "junk" in str(getattr(message, "from_", "")):
            raise RuntimeError("poison")
        return real(s, tx, message, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(handle, "work_out", picky)
    accept(duel.s, [junk(duel, number, duel.clock.at) for number in range(10)])
    duel.table.run()
    assert duel.write("ENGLAND", "A Lon - Yor")
    told = to(duel.table.new(), "keeper@judge.example")
    assert len(told) <= 20
