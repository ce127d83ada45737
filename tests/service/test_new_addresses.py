"""After the site's key has changed everybody is written to once, and only the new reply addresses count."""

import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from judge.game import Status
from judge.service import renewing
from judge.service.keys import SiteKeys
from judge.service.renewing import tell_new_addresses
from judge.store.site import NEW_ADDRESSES, renew_key
from tests.support.table import Read, Table

JUDGE = "judge@judge.example"
PLAYERS = {"MASTER": "gm@club.example", "ENGLAND": "england@club.example", "TURKEY": "turkey@club.example"}


def confirmed(table: Table, sender: str, text: str) -> list[Read]:
    code = next(found[1] for letter in table.mail(sender, JUDGE, text) if (found := re.search(r"CONFIRM (\w{5}-\w{5})", letter.text)))
    return table.mail(sender, JUDGE, f"CONFIRM {code}")


def game(table: Table, name: str) -> dict[str, str]:
    """A running game of two; the reply address of each."""
    confirmed(table, PLAYERS["MASTER"], f"CREATE {name} VARIANT england_turkey")
    letters = [letter for power in ("ENGLAND", "TURKEY") for letter in confirmed(table, PLAYERS[power], f"SIGNON {name} {power}")]
    return {letter.to: address_of(letter) for letter in letters}


def address_of(letter: Read) -> str:
    return letter.reply_to.rpartition("<")[2].rstrip(">")


def rebuilt(folder: Path, table: Table) -> Table:
    """The judge started anew, after its key was changed."""
    renew_key(table.s.store)
    table.s.store.close()
    again = Table(folder)
    again.clock.at = table.clock.at
    return again


def test_everybody_gets_a_new_address_once(tmp_path: Path) -> None:
    table = Table(tmp_path)
    old = game(table, "danube")
    table = rebuilt(tmp_path, table)
    assert isinstance(table.s.keys, SiteKeys)
    assert tell_new_addresses(table.s) == 4
    assert tell_new_addresses(table.s) == 0
    table.run()
    letters = {letter.to: letter for letter in table.new()}
    assert set(letters) == {*PLAYERS.values(), "keeper@judge.example"}
    new = {to: address_of(letter) for to, letter in letters.items()}
    assert "the old address no longer works" in " ".join(letters[PLAYERS["ENGLAND"]].text.split())
    assert all(new[person] != old[person] for person in PLAYERS.values())
    (refused,) = table.mail("england@club.example", old["england@club.example"], "F LON - ENG")
    assert "orders on file" not in refused.subject.lower()
    (answer,) = table.mail("england@club.example", new["england@club.example"], "F LON - ENG")
    assert "of 3 orders" in answer.subject or "orders on file" in answer.subject


def test_broken_off_and_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(tmp_path)
    for name in ("danube", "elbe", "main"):
        game(table, name)
    table = rebuilt(tmp_path, table)
    real = renewing._tell_one
    told: list[int] = []

    def breaks(s: object, number: int, which: str) -> None:
        if len(told) == 2:
            told.append(0)
            raise KeyboardInterrupt
        told.append(number)
        real(table.s, number, which)

    monkeypatch.setattr(renewing, "_tell_one", breaks)
    with pytest.raises(KeyboardInterrupt):
        tell_new_addresses(table.s)
    assert tell_new_addresses(table.s) == 4
    table.run()
    read = [letter.to for letter in table.new()]
    assert sorted(read) == sorted([*PLAYERS.values()] * 3 + ["keeper@judge.example"])
    with table.s.store.reading() as tx:
        assert tx.marks.get(NEW_ADDRESSES) is None


def test_games_that_are_over_are_left_alone(tmp_path: Path) -> None:
    table = Table(tmp_path)
    game(table, "danube")
    with table.s.store.transaction() as tx:
        kept = tx.games.get("danube")
        assert kept is not None
        over = replace(kept.game, status=Status.FINISHED, deadline=None, statements_until=table.clock.at + timedelta(days=1))
        tx.games.put(over, kept.version)
    table = rebuilt(tmp_path, table)
    table.clock.at += timedelta(days=2)
    assert tell_new_addresses(table.s) == 1  # the keeper's
