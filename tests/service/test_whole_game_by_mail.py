"""A game by mail from the first sign-up on: who is asked for codes, who gets which letter, what each line is answered."""

import re
import shutil
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.support.table import Read, Table

POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
JUDGE = "judge@judge.example"


def code_in(letters: list[Read]) -> str:
    """The code of the letter that asks for one."""
    return next(found[1] for letter in letters if (found := re.search(r"CONFIRM (\S+)", letter.text)))


def secret(letters: list[Read], to: str) -> str:
    """The secret reply address of the newest letter to somebody."""
    return next(
        found[0] for letter in reversed(letters) if letter.to == to and (found := re.search(r"judge\+\S+@judge.example", letter.reply_to))
    )


def to(letters: list[Read], address: str) -> list[Read]:
    return [letter for letter in letters if letter.to == address]


class Club:
    """A judge with one running game; `seats` are the secret addresses of powers and master."""

    def __init__(self, table: Table, seats: dict[str, str]) -> None:
        self.table = table
        self.seats = seats

    @classmethod
    def found(cls, folder: Path, options: str = "") -> "Club":
        """A new club: the master creates the game, seven players sign on."""
        self = cls(Table(folder), {})
        letters = self.table.mail("gm@club.example", JUDGE, f"CREATE danube {options}".strip())
        letters = self.table.mail("gm@club.example", JUDGE, f"CONFIRM {code_in(letters)}")
        self.seats["MASTER"] = secret(letters, "gm@club.example")
        for power in POWERS:
            self.sign_on(power)
        return self

    def sign_on(self, power: str) -> list[Read]:
        address = self.address(power)
        letters = self.table.mail(address, JUDGE, f"SIGNON danube {power}")
        letters = self.table.mail(address, JUDGE, f"CONFIRM {code_in(letters)}")
        self.seats[power] = secret(letters, address)
        return letters

    @staticmethod
    def address(power: str) -> str:
        return "gm@club.example" if power == "MASTER" else f"{power.lower()}@club.example"

    def write(self, power: str, text: str, **more: Any) -> list[Read]:
        """A mail to a seat's secret address; the letters that come of it."""
        return self.table.mail(self.address(power), self.seats[power], text, **more)

    def answer(self, power: str, text: str, **more: Any) -> str:
        """The text of the answer to a mail."""
        return to(self.write(power, text, **more), self.address(power))[0].text


@pytest.fixture(scope="module")
def founded(tmp_path_factory: pytest.TempPathFactory) -> Club:
    club = Club.found(tmp_path_factory.mktemp("club") / "judge")
    club.table.s.store.close()
    return club


@pytest.fixture
def club(founded: Club, tmp_path: Path) -> Club:
    """A club of one's own: the founded one, copied."""
    shutil.copytree(founded.table.s.config.file.parent, tmp_path / "judge")
    return Club(Table(tmp_path / "judge"), dict(founded.seats))


def line_about(text: str, start: str) -> str:
    """The paragraph of a transcript that begins with `start`, on one line."""
    lines = text.splitlines()
    first = next(n for n, line in enumerate(lines) if line.strip().startswith(start))
    taken = [lines[first]]
    for line in lines[first + 1 :]:
        if not line.startswith("      "):
            break
        taken.append(line)
    return " ".join(" ".join(taken).split())


def test_a_code_goes_to_the_address_and_nothing_happens_before_it_comes_back(tmp_path: Path) -> None:
    table = Table(tmp_path)
    letters = table.mail("eve@club.example", JUDGE, "CREATE danube")
    assert [letter.to for letter in letters] == ["eve@club.example"]
    with table.s.store.reading() as tx:
        assert tx.games.get("danube") is None
    assert "not" in table.mail("eve@club.example", JUDGE, "CONFIRM aaaaa-aaaaa")[0].text
    table.mail("eve@club.example", JUDGE, f"CONFIRM {code_in(letters)}")
    with table.s.store.reading() as tx:
        assert tx.games.get("danube") is not None
    assert not to(table.mail("eve@club.example", JUDGE, f"CONFIRM {code_in(letters)}"), "nobody@club.example")
    with table.s.store.reading() as tx:
        assert len(tx.games.ids()) == 1  # a code works once


def test_the_last_seat_begins_the_game_and_everybody_hears_of_it(club: Club) -> None:
    with club.table.s.store.reading() as tx:
        kept = tx.games.get("danube")
    assert kept is not None
    assert kept.game.status == "running"
    assert len(set(club.seats.values())) == 8  # every seat has a secret of its own


def test_orders_are_filed_and_the_answer_is_a_transcript(club: Club) -> None:
    text = club.answer("FRANCE", "A Par - Bur\nF Brest - Mid Atlantic\nA Mar - Mun\nA Xyz - Par\nA Rom H")
    assert "filed" in line_about(text, "A Par - Bur")
    assert "filed as" in line_about(text, "F Brest")
    assert "NOT FILED" in line_about(text, "A Mar - Mun")
    assert "Bur" in line_about(text, "A Mar - Mun")  # where it could go
    assert "Xyz" in line_about(text, "A Xyz - Par")
    assert "Italy" in line_about(text, "A Rom H")  # whose it is
    state = text[text.index("IN FORCE NOW") :]
    assert "A Par - Bur" in state
    assert "F Bre - Mao" in state
    assert re.search(r"A Mar +no order", state)


def test_a_bad_line_leaves_the_older_order_in_force_and_says_so(club: Club) -> None:
    club.write("FRANCE", "A Par - Bur")
    text = club.answer("FRANCE", "A Par - Mun")
    assert "NOT FILED" in line_about(text, "A Par - Mun")
    assert "A Par - Bur" in line_about(text, "A Par - Mun")
    assert "A Par - Bur" in text[text.index("IN FORCE NOW") :]


def test_a_phase_closes_when_all_orders_are_in_and_nobody_waits(club: Club) -> None:
    units = {
        "AUSTRIA": "A Vie H\nA Bud H\nF Tri H",
        "ENGLAND": "F Lon H\nF Edi H\nA Lvp H",
        "FRANCE": "A Par H\nA Mar H\nF Bre H",
        "GERMANY": "A Ber H\nA Mun H\nF Kie H",
        "ITALY": "A Rom H\nA Ven H\nF Nap H",
        "RUSSIA": "A Mos H\nA War H\nF Sev H\nF Stp H",
    }
    club.write("TURKEY", "SET WAIT\nF Ank H\nA Con H\nA Smy H")
    for power, text in units.items():
        assert not any("F1901M" in letter.subject for letter in club.write(power, text))
    letters = club.write("TURKEY", "NO WAIT")
    results = [letter for letter in letters if "F1901M" in letter.subject and "EVERYBODY'S ORDERS" in letter.text]
    assert sorted(letter.to for letter in results) == sorted(club.address(seat) for seat in (*POWERS, "MASTER"))


def test_a_deadline_closes_the_phase_and_units_without_orders_hold(club: Club) -> None:
    club.write("FRANCE", "A Par - Bur")
    club.table.wait(timedelta(hours=72))
    letters = [letter for letter in club.table.new() if "F1901M" in letter.subject]
    assert len(letters) == 8
    france = to(letters, "france@club.example")[0].text
    assert re.search(r"A Par - Bur +moved", france)
    assert re.search(r"A Mar H +held", france)


def test_reminders_go_only_to_those_who_owe_orders(club: Club) -> None:
    club.write("FRANCE", "A Par H\nA Mar H\nF Bre H")
    club.table.wait(timedelta(hours=48))
    reminded = {letter.to for letter in club.table.new()}
    assert reminded == {club.address(power) for power in POWERS if power != "FRANCE"}


def test_an_order_for_a_phase_that_is_closed_is_too_late(club: Club) -> None:
    club.table.wait(timedelta(hours=73))
    club.table.new()
    text = club.answer("FRANCE", "A Par - Bur", subject="Re: [danube S1901M] France: danube begins")
    assert "closed" in line_about(text, "A Par - Bur") or "late" in line_about(text, "A Par - Bur")
    with club.table.s.store.reading() as tx:
        kept = tx.games.get("danube")
    assert kept is not None
    assert not kept.game.orders.get("FRANCE")


def test_a_mail_after_the_deadline_closes_the_phase_first(club: Club) -> None:
    club.table.clock.at += timedelta(hours=72, minutes=1)
    letters = club.write("FRANCE", "A Par - Bur", subject="orders")
    assert any("F1901M" in letter.subject and "EVERYBODY'S ORDERS" in letter.text for letter in letters)
    with club.table.s.store.reading() as tx:
        (turn,) = tx.turns.of(1)
    assert not turn.given.get("FRANCE")


def test_press_goes_to_its_readers_alone(club: Club) -> None:
    letters = club.write("FRANCE", "PRESS TO ENGLAND, GERMANY\nShall we?\nA Par - Bur is only a word here.\nENDPRESS\nA Mar H")
    told = {letter.to for letter in letters if "Shall we?" in letter.text}
    assert told == {"england@club.example", "germany@club.example", "france@club.example"}  # the sender sees what was passed on
    with club.table.s.store.reading() as tx:
        kept = tx.games.get("danube")
    assert kept is not None
    assert [str(filed.order.unit) for filed in kept.game.orders["FRANCE"] if hasattr(filed.order, "unit")] == ["A MAR"]


def test_a_master_must_confirm_what_changes_the_game(club: Club) -> None:
    letters = club.write("MASTER", "SET DEADLINE +24h")
    assert {letter.to for letter in letters} == {"gm@club.example"}
    letters = club.write("MASTER", f"CONFIRM {code_in(letters)}")
    assert {club.address(power) for power in POWERS} <= {letter.to for letter in letters}
    assert all("9 Jan" in letter.text for letter in letters if letter.to != "gm@club.example")


def test_pause_and_resume_keep_the_time_that_was_left(club: Club) -> None:
    letters = club.write("MASTER", "PAUSE")
    club.write("MASTER", f"CONFIRM {code_in(letters)}")
    club.table.wait(timedelta(days=20))
    assert not [letter for letter in club.table.new() if "F1901M" in letter.subject]
    letters = club.write("MASTER", "RESUME")
    club.write("MASTER", f"CONFIRM {code_in(letters)}")
    club.table.wait(timedelta(hours=71))
    assert not [letter for letter in club.table.new() if "F1901M" in letter.subject]
    club.table.wait(timedelta(hours=2))
    assert [letter for letter in club.table.new() if "F1901M" in letter.subject]


def test_a_player_cannot_give_a_masters_commands(club: Club) -> None:
    text = club.answer("FRANCE", "PROCESS\nA Par H")
    assert "NOT DONE" in line_about(text, "PROCESS")
    assert "filed" in line_about(text, "A Par H")


def test_a_stranger_learns_nothing_and_changes_nothing(club: Club) -> None:
    letters = club.table.mail("eve@elsewhere.example", "judge+danube@judge.example", "A Par - Bur\nSTATUS")
    assert {letter.to for letter in letters} == {"eve@elsewhere.example"}
    assert not any(word in letters[0].text for word in ("France", "france@club.example", "A Mar"))
    with club.table.s.store.reading() as tx:
        kept = tx.games.get("danube")
    assert kept is not None
    assert not kept.game.orders


def test_the_secret_works_from_another_address_and_the_registered_one_is_told(club: Club) -> None:
    letters = club.table.mail("france@work.example", club.seats["FRANCE"], "A Par - Bur")
    assert {letter.to for letter in letters} == {"france@work.example", "france@club.example"}


def test_one_mail_may_hold_commands_for_the_judge_itself(club: Club) -> None:
    letters = club.table.mail("gm@club.example", JUDGE, "CREATE volga\nLIST\nHELP")
    text = "\n".join(letter.text for letter in to(letters, "gm@club.example"))
    assert "danube" in text
    assert "CONFIRM" in text


def test_the_same_mail_twice_is_done_once(club: Club) -> None:
    club.write("FRANCE", "PRESS TO ENGLAND\nhello\nENDPRESS")
    raw = club.table.last_raw
    (letter,) = club.table.again(raw)
    assert (letter.to, "I have this mail already" in letter.text) == ("france@club.example", True)
    assert club.table.again(raw) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no text that could be read"),
        ("   \n\n", "no text that could be read"),
        ("> A Par - Bur\n> A Mar H\n", "only the quoted text"),
        ("Spring 1901", "no order and no command"),
    ],
)
def test_a_mail_without_anything_to_read_is_answered(club: Club, text: str, said: str) -> None:
    letters = club.write("FRANCE", text, subject="Re: something")
    assert len(letters) == 1
    assert letters[0].to == "france@club.example"
    assert said in letters[0].text


def test_no_secret_of_anybody_else_is_in_any_letter(club: Club) -> None:
    club.write("FRANCE", "A Par - Bur\nPRESS TO ENGLAND\nhello\nENDPRESS")
    club.table.wait(timedelta(hours=80))
    for _, recipient, raw in club.table.sink.sent:
        for power, address in club.seats.items():
            token = address.encode().partition(b"@")[0].rpartition(b".")[2]
            if recipient != club.address(power):
                assert token not in raw, (recipient, power)


def test_headers_of_letters(club: Club) -> None:
    letters = club.write("FRANCE", "A Par - Bur")
    headers = letters[0].headers
    assert headers["Auto-Submitted"] == "auto-replied"
    assert "danube" in str(headers["List-Id"])
    assert headers["In-Reply-To"]
    assert club.table.sink.sent[-1][0].startswith("judge-bounces+danube.FRANCE.")
    club.table.wait(timedelta(hours=80))
    (result,) = [letter for letter in to(club.table.new(), "france@club.example") if "F1901M" in letter.subject]
    assert result.headers["Auto-Submitted"] == "auto-generated"


def test_a_mail_that_makes_the_program_raise_is_set_aside_and_the_next_goes_on(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    from judge.service import desk, handle

    real = desk.work_out

    def broken(s: object, tx: object, message: object, number: int, at: object) -> object:
        if "poison" in getattr(message, "subject", ""):
            raise RuntimeError("boom")
        return real(s, tx, message, number, at)  # type: ignore[arg-type]

    monkeypatch.setattr(handle, "work_out", broken)
    letters = club.write("FRANCE", "A Par - Bur", subject="poison")
    assert [letter.to for letter in letters] == ["keeper@judge.example"]
    assert (club.table.s.config.spool / "bad").is_dir()
    assert "filed" in club.answer("FRANCE", "A Mar - Bur")


def test_orders_that_do_not_go_together_are_warned_of_at_once(club: Club) -> None:
    text = club.answer("FRANCE", "A Par - Bur\nA Mar S A Par - Gas\nF Bre - Pic")
    assert "WARNING" in line_about(text, "A Mar S A Par - Gas")
    assert "WARNING" not in line_about(text, "A Par - Bur")
    text = club.answer("ITALY", "A Rom - Tus\nA Ven - Tus")
    assert "WARNING" in line_about(text, "A Ven - Tus") or "WARNING" in line_about(text, "A Rom - Tus")


def test_an_impossible_order_is_told_once(club: Club) -> None:
    assert "WARNING" not in line_about(club.answer("FRANCE", "A Par - Mun"), "A Par - Mun")


def test_a_mailbox_without_plus_addresses_knows_a_player_by_the_letter_that_is_answered(tmp_path: Path) -> None:
    table = Table(tmp_path, plus=False)
    letters = table.mail("gm@club.example", JUDGE, "CREATE danube")
    letters = table.mail("gm@club.example", JUDGE, f"CONFIRM {code_in(letters)}")
    letters = table.mail("france@club.example", JUDGE, "SIGNON danube FRANCE")
    letters = table.mail("france@club.example", JUDGE, f"CONFIRM {code_in(letters)}")
    welcome = to(letters, "france@club.example")[0]
    assert welcome.reply_to.endswith(f"{JUDGE}>") or welcome.reply_to == JUDGE
    answered = f"In-Reply-To: {welcome.headers['Message-ID']}\r\n"
    answer = table.mail("france@club.example", JUDGE, "STATUS", subject=f"Re: {welcome.subject}", headers=answered)
    assert "France" in answer[0].subject
    stranger = table.mail("eve@club.example", JUDGE, "STATUS", subject=f"Re: {welcome.subject}")
    assert "NOT DONE" in stranger[0].text
    assert "France" not in stranger[0].text
