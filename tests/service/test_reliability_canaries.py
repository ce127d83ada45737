"""Planted words never come out where they should not: in letters to others, in log lines, in files beside the database."""

import logging
import re
from datetime import timedelta
from email import message_from_bytes, policy
from pathlib import Path

import pytest

from judge.config import BorderConfig
from judge.mail import Arrival, OwnAddresses, Reading, read_message
from judge.wiring import build_archive
from tests.support.duel import MASTER, POWERS, Duel
from tests.support.table import NOON

MAILS = sorted((Path(__file__).parents[1] / "mails").rglob("*.eml"))
READING = Reading(OwnAddresses("judge@example.org", "judge-bounces@example.org"))


class Plants:
    """Words that were planted, and who may see each; nobody if nobody is named."""

    def __init__(self) -> None:
        self.words: dict[str, frozenset[str]] = {}

    def plant(self, kind: str, *may_see: str) -> str:
        word = f"zq{kind}{len(self.words):04}qz"
        self.words[word] = frozenset(may_see)
        return word


@pytest.fixture
def duel(tmp_path: Path) -> Duel:
    return Duel(tmp_path, sections={"border": BorderConfig(passwords=True)}, options="gunboat")


def corpus() -> list[tuple[str, str]]:
    """What people typed in the nasty mails, by file."""
    return [(file.name, read_message(file.read_bytes(), READING, NOON).text) for file in MAILS if file.parent.name == "mails"]


def test_nothing_planted_comes_out_anywhere(duel: Duel, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    plants = Plants()
    for number, (_, typed) in enumerate(corpus()):
        duel.clock.at += timedelta(minutes=20)  # nobody is to be stopped by a limit
        for power, other in (POWERS[:: 1 if number % 2 else -1],):
            own = Duel.address(power)
            password, order = plants.plant("password"), plants.plant("order", own)
            press, stranger = plants.plant("press", own, Duel.address(other)), f"{plants.plant('stranger')}@work.example"
            plants.words[stranger.partition("@")[0]] = frozenset({stranger})
            duel.write(power, f"{typed[:3000]}\n")
            duel.write(power, f"SIGNON danube {power} {password}\nA Lon - Yor")
            duel.write(power, f"A {order} - Wal\nPRESS TO {other}\nhello {press}\nENDPRESS")
            duel.table.mail(stranger, "judge+danube@judge.example", f"A {plants.plant('text', stranger)} - Wal")
    for file in MAILS:
        duel.table.again(Arrival(file.read_bytes(), duel.clock.at, None, None, ("judge@judge.example",)))
    duel.table.wait(timedelta(days=4))
    letters = duel.sink.sent
    assert len(letters) > 250
    for path, recipient, raw in letters:
        text = _decoded(raw) + path
        for word in set(re.findall(r"zq[a-z]+\d{4}qz", text)):
            assert recipient in plants.words[word], f"{word} in a letter to {recipient}"
    _no_secret_of_others(duel)
    _each_code_goes_to_one(duel)
    captured = capfd.readouterr()
    logged = captured.err + captured.out + caplog.text
    assert "judge" in logged or logged == ""
    assert not re.findall(r"zq(?:password|order|press|text|stranger)\d{4}qz", logged)
    assert not tokens_in(duel, logged)
    _nothing_on_pages(duel, r"zq[a-z]+\d{4}qz")
    for power in POWERS:
        duel.write(power, "DRAW")
    assert duel.game.status == "finished"
    _nothing_on_pages(duel, r"zq(?:password|text|stranger)\d{4}qz")
    _nothing_beside_the_database(duel)


def _decoded(raw: bytes) -> str:
    """A letter's header and all its texts."""
    message = message_from_bytes(raw, policy=policy.default)
    texts = [part.get_content() for part in message.walk() if part.get_content_maintype() == "text"]
    return "\n".join([str(message.items()), *texts])


def duel_secrets(duel: Duel) -> dict[str, str]:
    return {seat: duel.secret(seat) for seat in (*POWERS, "MASTER")}


def tokens_in(duel: Duel, text: str) -> list[str]:
    """The secrets of seats that stand in a text."""
    found = [address.partition("@")[0].rpartition(".")[2] for address in duel_secrets(duel).values()]
    return [token for token in found if token in text.lower()]


def _each_code_goes_to_one(duel: Duel) -> None:
    """A code that must come back is told to the address it proves, and to nobody else."""
    told: dict[str, set[str]] = {}
    for _, recipient, raw in duel.sink.sent:
        for code in re.findall(r"CONFIRM (\w{5}-\w{5})", _decoded(raw)):
            told.setdefault(code, set()).add(recipient)
    assert told
    assert not {code: to for code, to in told.items() if len(to) > 1}


def _nothing_on_pages(duel: Duel, words: str) -> None:
    """No planted word, no secret and no address of a player on any page or drawing of the archive."""
    site = build_archive(duel.s.config, drawings=False)
    pages = [content.body for path in site.paths(("en", "cs")) if not path.endswith(".png") and (content := site.find(path)) is not None]
    site.close()
    assert len(pages) > 5
    shown = b"\n".join(pages).decode("utf-8", "replace")
    assert not set(re.findall(words, shown))
    assert not tokens_in(duel, shown)
    assert not [seat for seat in (*POWERS, "MASTER") if Duel.address(seat) in shown]


def _nothing_beside_the_database(duel: Duel) -> None:
    """No planted word in any file but the database, whose mails are evidence."""
    folder = duel.s.config.file.parent
    for file in folder.rglob("*"):
        if file.is_file() and not file.name.startswith("judge.db"):
            assert not re.search(rb"zq[a-z]+\d{4}qz", file.read_bytes()), file


def _no_secret_of_others(duel: Duel) -> None:
    """Reply addresses go to their holders only; in a gunboat game nobody but masters learns who plays."""
    for seat, secret in duel_secrets(duel).items():
        token = secret.partition("@")[0].rpartition(".")[2]
        for _, recipient, raw in duel.sink.sent:
            text = _decoded(raw)
            if recipient != Duel.address(seat) and not recipient.endswith("work.example"):
                assert token not in text, f"the secret of {seat} in a letter to {recipient}"
            if seat != "MASTER" and recipient not in (Duel.address(seat), MASTER, "keeper@judge.example"):
                assert Duel.address(seat) not in text, f"the address of {seat} in a letter to {recipient}"
