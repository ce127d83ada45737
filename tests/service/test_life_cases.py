"""The sequences of `tests/game/cases/life.jsonl`, each with real mails or straight in the core; the schedules stand beside the clock."""

import email
import json
import re
from datetime import timedelta
from email import policy
from pathlib import Path

import pytest

from judge.game import StartGame
from judge.mail import Arrival
from judge.service.receive import accept
from tests.support.circle import JUDGE, MASTER, POWERS, Circle, address_of, copy_of, gather
from tests.support.life import at, life
from tests.support.table import Read, Table

CASES = [json.loads(line) for line in (Path(__file__).parents[1] / "game" / "cases" / "life.jsonl").read_text("utf-8").splitlines()]
ELSEWHERE = {
    "C009": "tests/game/test_votes.py",
    "C015": "tests/game/test_missing_orders.py",
    "C029": "tests/service/test_mail_sequences.py",
    "C033": "tests/game/test_missing_orders.py",
    "C043": "tests/service/test_mail_sequences.py",
    "C052": "tests/service/test_mail_sequences.py",
    "C056": "tests/service/test_mail_sequences.py",
    "C058": "tests/game/test_missing_orders.py",
    "C072": "tests/service/test_mail_sequences.py",
    "C081": "tests/game/test_missing_orders.py",
}
"""Cases whose tests stand beside what they are about."""


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> tuple[Circle, Path]:
    folder = tmp_path_factory.mktemp("cases")
    return gather(folder, "early no misses 0"), folder


@pytest.fixture
def circle(begun: tuple[Circle, Path], tmp_path: Path) -> Circle:
    return copy_of(*begun, tmp_path / "copy")


def all_hold(circle: Circle, *powers: str) -> None:
    holds = {
        "AUSTRIA": "A Vie H\nA Bud H\nF Tri H",
        "ENGLAND": "F Lon H\nF Edi H\nA Lvp H",
        "FRANCE": "A Par H\nA Mar H\nF Bre H",
        "GERMANY": "A Ber H\nA Mun H\nF Kie H",
        "ITALY": "A Rom H\nA Ven H\nF Nap H",
        "RUSSIA": "A Mos H\nA War H\nF Sev H\nF StP/sc H",
        "TURKEY": "A Con H\nA Smy H\nF Ank H",
    }
    for power in powers:
        circle.write(power, holds[power])


def results(letters: list[Read]) -> list[Read]:
    return [letter for letter in letters if "resolved" in letter.subject]


def test_every_sequence_has_its_test() -> None:
    here = {case.upper() for case in re.findall(r"def test_(c\d{3})_", Path(__file__).read_text("utf-8"))}
    assert here | set(ELSEWHERE) == {case["id"] for case in CASES if case["type"] == "sequence"}
    root = Path(__file__).parents[2]
    assert [case for case, place in ELSEWHERE.items() if case not in (root / place).read_text("utf-8").upper()] == []


def test_c001_an_overdue_phase_is_processed_once_after_a_restart(circle: Circle, tmp_path: Path) -> None:
    all_hold(circle, *POWERS)
    circle.table.new()
    later = copy_of(circle, tmp_path / "copy", tmp_path / "again")
    later.table.wait(timedelta(days=3, minutes=5))
    letters = later.table.new()
    assert len([letter for letter in results(letters) if letter.to == address_of("FRANCE")]) == 1
    later.table.run()
    assert later.table.new() == []
    # counted from the deadline, for the judge was hardly late
    assert "Sun 11 Jan 12:00" in letters[0].subject


def test_c003_a_power_without_a_player_gets_no_mail(tmp_path: Path) -> None:
    circle = gather(tmp_path, "misses 0", tuple(power for power in POWERS if power != "ITALY"))
    circle.command("START GAME")
    circle.table.wait(timedelta(days=3))
    told = [letter.to for letter in results(circle.table.new())]
    assert sorted(told) == sorted([*(address_of(power) for power in POWERS if power != "ITALY"), MASTER])


def test_c023_of_two_orders_for_a_unit_the_last_counts_with_a_warning(circle: Circle) -> None:
    letter = circle.answer("FRANCE", "A Par - Bur\nA Par - Pic")
    assert "A Par - Pic" in letter.text.partition("IN FORCE NOW")[2]
    assert "in place of A Par - Bur" in letter.text


def test_c026_a_second_mail_replaces_unit_by_unit_and_the_reply_lists_all(circle: Circle) -> None:
    circle.write("FRANCE", "A Par - Bur\nA Mar - Spa\nF Bre - MAO")
    in_force = circle.answer("FRANCE", "A Par - Pic").text.partition("IN FORCE NOW")[2]
    assert all(order in in_force for order in ("A Par - Pic", "A Mar - Spa", "F Bre - Mao"))


def test_c040_a_stranger_gets_no_board_of_a_secret_game(tmp_path: Path) -> None:
    circle = gather(tmp_path, "gunboat listed no")
    for text in ("SIGNON danube FRANCE\nSTATUS", "GAME danube\nSTATUS\nHISTORY", "SUMMARY danube", "WHO danube"):
        for letter in circle.table.mail("stranger@world.example", JUDGE, text):
            assert "A Par" not in letter.text
            assert "Par" not in letter.text.replace("Parts", "")


def test_c042_only_what_is_held_after_the_fall_counts() -> None:
    case = next(case for case in CASES if case["id"] == "C042")
    game = life(misses="0")
    for _, orders in case["phases"]:
        for power, lines in orders.items():
            game.order(power, *lines)
        game.wait(timedelta(days=3))
    owners = game.game.position.owners
    for power, centres in case["expect"]["centers"].items():
        assert sorted(centre for centre, owner in owners.items() if owner == power) == centres
    assert "SER" not in owners
    assert str(game.game.phase) == case["expect"]["next_phase"]


def test_c047_one_mail_for_each_reader_without_other_addresses(tmp_path: Path) -> None:
    circle = gather(tmp_path, "gunboat")
    circle.table.new()
    before = len(circle.table.sink.sent)
    circle.command("SET TITLE A new name")
    sent = [(to, raw) for _, to, raw in circle.table.sink.sent[before:] if b"new name" in raw and to != MASTER]
    assert sorted(to for to, _ in sent) == sorted(map(address_of, POWERS))
    for to, raw in sent:
        message = email.message_from_bytes(raw, policy=policy.default)
        assert [address.addr_spec for address in message["To"].addresses] == [to]
        assert message["Cc"] is None
        assert not [power for power in POWERS if address_of(power) != to and address_of(power).encode() in raw]


def test_c051_all_in_closes_early_and_the_next_deadline_keeps_the_hour() -> None:
    game = life(zone="Europe/Paris", clock="18:00", movement="24h")
    game.now = at("2026-07-12 16:00")
    from judge.game import Unstart

    game.do("MASTER", Unstart())
    game.do("MASTER", StartGame())
    assert game.game.deadline is not None
    assert game.game.deadline.at == at("2026-07-13 16:00")
    game.now = at("2026-07-13 09:00")
    game.order_all(*POWERS)
    game.wait(timedelta(0))
    assert game.turns[-1].closed_at == at("2026-07-13 09:00")
    assert game.game.deadline is not None
    assert game.game.deadline.at == at("2026-07-14 16:00")


def test_c066_mail_that_reached_the_mailbox_in_time_counts_after_an_outage(circle: Circle) -> None:
    all_hold(circle, *(power for power in POWERS if power != "FRANCE"))
    table: Table = circle.table
    deadline = table.clock.at + timedelta(days=3)
    raw = (
        f"From: <{address_of('FRANCE')}>\r\nTo: {circle.reply[address_of('FRANCE')]}\r\nSubject: orders\r\n"
        "Message-ID: <late@players.example>\r\n\r\nA Par - Bur\r\nA Mar H\r\nF Bre H\r\n"
    ).encode()
    accept(table.s, [Arrival(raw, deadline - timedelta(minutes=20), None, address_of("FRANCE"), (circle.reply[address_of("FRANCE")],))])
    table.clock.at = deadline + timedelta(minutes=10)
    table.run()
    (letter,) = [each for each in results(table.new()) if each.to == address_of("FRANCE")]
    assert "A Par - Bur  moved" in letter.text


def test_c075_the_same_mail_is_handled_once_another_sender_with_its_id_is_not_the_same(circle: Circle) -> None:
    table = circle.table

    def arrive(who: str, text: str, received: str = "") -> list[tuple[str, bool]]:
        """Who was answered, and whether only that the mail is known already."""
        to = circle.reply[address_of(who)]
        raw = f"{received}From: <{address_of(who)}>\r\nTo: {to}\r\nMessage-ID: <m1@x.example>\r\nSubject: x\r\n\r\n{text}\r\n".encode()
        accept(table.s, [Arrival(raw, table.clock.at, None, address_of(who), (to,))])
        table.run()
        return [(letter.to, "I have this mail already" in letter.text) for letter in table.new()]

    assert arrive("FRANCE", "A Par - Bur") == [(address_of("FRANCE"), False)]
    again = "Received: from a by b; Mon, 5 Jan 2026 12:03:00 +0000\r\n"
    assert arrive("FRANCE", "A Par - Bur", again) == [(address_of("FRANCE"), True)]
    assert arrive("ENGLAND", "F Lon - NTH") == [(address_of("ENGLAND"), False)]
