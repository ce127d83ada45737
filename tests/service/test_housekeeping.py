"""What is let go every day: by one process, once a day, logged, on the terms of judge.toml."""

import os
import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
import structlog

from judge.config import BadConfig, KeepConfig, read_config
from judge.mail import Arrival
from judge.service.housekeeping import TIDIED, Housekeeper, retention_of, tidy_spool, tidy_store
from judge.store import InboxState, open_store
from tests.support.places import wait_until
from tests.support.table import Table

JUDGE = "judge@judge.example"
DAY = timedelta(days=1)


def test_once_a_day(tmp_path: Path) -> None:
    table = Table(tmp_path)
    with structlog.testing.capture_logs() as said:
        assert [tidy_store(table.s), tidy_store(table.s)] == [True, False]
        table.clock.at += DAY
        assert [tidy_store(table.s), tidy_store(table.s)] == [True, False]
    assert [line["event"] for line in said] == ["tidied", "tidied"]


def test_by_one_process(tmp_path: Path) -> None:
    table = Table(tmp_path)
    other = replace(table.s, store=open_store(table.s.config.database_url))
    with other.store.transaction() as tx:
        assert tx.marks.lease("tidying", table.clock.at, timedelta(hours=1))
    assert not tidy_store(table.s)
    table.clock.at += timedelta(hours=1)  # the other one was killed
    assert tidy_store(table.s)
    assert not tidy_store(other)
    other.store.close()


def test_broken_off_it_is_gone_on_with(tmp_path: Path) -> None:
    table = Table(tmp_path)
    assert tidy_store(table.s, lambda: False)
    assert tidy_store(table.s)


def test_on_the_terms_of_the_configuration(tmp_path: Path) -> None:
    table = Table(tmp_path, sections={"keep": KeepConfig(mail_days=10, letter_days=20, trace_days=70, erased_days=5)})
    kept = retention_of(table.s)
    assert (kept.mails, kept.letters, kept.traces, kept.erased) == (10 * DAY, 20 * DAY, 70 * DAY, 5 * DAY)
    table.mail("anna@club.example", JUDGE, "HELP")
    for days, raw, letter in ((9, True, True), (2, False, True), (10, False, False)):
        table.clock.at += days * DAY
        assert tidy_store(table.s)
        with table.s.store.reading() as tx:
            mail = tx.inbox.get(1)
            assert mail is not None
            assert (bool(mail.raw), bool(tx.outbox.of_game(0) or tx.outbox.by_return_path(table.sink.sent[0][0]))) == (raw, letter)


def test_a_mail_older_than_its_traces_is_not_read_again(tmp_path: Path) -> None:
    """As when a mailbox is read anew from its beginning: what was done is done."""
    table = Table(tmp_path, sections={"keep": KeepConfig(mail_days=10, trace_days=70)})
    assert table.mail("anna@club.example", JUDGE, "HELP")
    table.clock.at += 71 * DAY
    assert tidy_store(table.s)
    with table.s.store.reading() as tx:
        assert tx.inbox.get(1) is None
    assert table.again(table.last_raw) == []
    with table.s.store.reading() as tx:
        mail = tx.inbox.get(2)
        assert mail is not None
        assert (mail.state, mail.note) == (InboxState.SILENT, "too_old")
    assert table.again(Arrival(table.last_raw.raw, table.clock.at, None, "anna@club.example", (JUDGE,))) == []  # its digest is known again


def test_the_spool_of_this_machine(tmp_path: Path) -> None:
    table = Table(tmp_path, sections={"keep": KeepConfig(picture_days=30, mail_days=90)})
    spool = table.s.config.spool
    kept = {"pictures/a.png": False, "pictures/b.png": True, "bad/1.eml": False, "bad/2.eml": True}
    for name, age in (("pictures/a.png", 31), ("pictures/b.png", 29), ("bad/1.eml", 91), ("bad/2.eml", 31), ("judge.db", 400)):
        (spool / name).parent.mkdir(exist_ok=True)
        (spool / name).touch()
        os.utime(spool / name, (table.clock.at.timestamp() - age * 86_400,) * 2)
    assert tidy_spool(table.s) == 2
    assert {name: (spool / name).exists() for name in kept} == kept
    assert (spool / "judge.db").exists()


def test_of_whoever_asked_to_be_forgotten_nothing_is_left(tmp_path: Path) -> None:
    table = Table(tmp_path, sections={"keep": KeepConfig(erased_days=5)})
    to = JUDGE
    for text in ("CREATE danube", "ERASE ME"):
        (letter,) = table.mail("anna@club.example", to, text)
        code = re.search(r"CONFIRM (\w{5}-\w{5})", letter.text)
        assert code is not None, letter.text
        to = table.mail("anna@club.example", JUDGE, f"CONFIRM {code[1]}")[0].reply_to.rpartition("<")[2].rstrip(">")
    table.clock.at += 6 * DAY
    assert tidy_store(table.s)
    with table.s.store.snapshot() as db:
        texts = [str(row) for kept in ("raw FROM inbox", "letter FROM outbox") for row in db.exec_driver_sql(f"SELECT {kept}")]
        assert set(texts) == {"(None,)"}
        assert db.exec_driver_sql("SELECT count(*) FROM mark WHERE value LIKE '%anna%'").scalar() == 0


def test_in_a_thread_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(tmp_path)
    keeper = Housekeeper(table.s)
    keeper.start()

    def is_done() -> bool:
        with table.s.store.reading() as tx:
            return tx.marks.get(TIDIED) is not None

    wait_until(is_done, 10)
    keeper.stop(5.0)


@pytest.mark.parametrize("line", ["trace_days = 30", "letter_days = 5", "mail_days = 0", "erased_days = -1"])
def test_days_that_would_lose_what_is_needed_are_refused(tmp_path: Path, line: str) -> None:
    file = tmp_path / "judge.toml"
    file.write_text(f'[judge]\naddress = "{JUDGE}"\n[mail_in]\nmaildir = "in"\n[mail_out]\nmaildir = "out"\n[keep]\n{line}\n')
    with pytest.raises(BadConfig, match=f":8: keep.{line.split()[0]}: .* are too few"):
        read_config(file)
