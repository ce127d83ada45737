"""`judge check games`: stored turns adjudicated again, and what would come out otherwise said plainly."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from judge.board import Location
from judge.cli import main
from judge.game import Settings, Turn, open_game
from judge.library import dump_variant, read_variant
from judge.rules import Unit, Verdict, adjudicate, read_order
from judge.service.regression import compare
from judge.store import SqlStore, open_store
from tests.support.chancegames import play_at_random
from tests.support.table import NOON

STANDARD = read_variant("standard")
CONFIG = '[judge]\naddress = "judge@judge.example"\n[mail_in]\nmaildir = "in"\n[mail_out]\nmaildir = "out"\n'
ORDERS = {"FRANCE": (read_order("A PAR - BUR"), read_order("A MAR S A PAR - BUR"))}


def turn() -> Turn:
    """The first one of a game."""
    return Turn(1, STANDARD.start.phase, STANDARD.start, ORDERS, adjudicate(STANDARD.start, ORDERS, STANDARD), NOON)


def recorded(**changed: object) -> Turn:
    """A turn of which something else was recorded."""
    return replace(turn(), adjudication=replace(turn().adjudication, **changed))  # type: ignore[arg-type]


def test_the_same_comes_out() -> None:
    assert compare("danube", turn(), STANDARD).moved == compare("danube", turn(), STANDARD).reworded == ()


def test_what_moves_is_told() -> None:
    after = turn().adjudication.after
    units = {**after.units, "FRANCE": (*(u for u in after.units["FRANCE"] if str(u) != "A BUR"), Unit("A", Location("PIC")))}
    moved = compare("danube", recorded(after=replace(after, units=units, owners={**after.owners, "PAR": "GERMANY"})), STANDARD).moved
    assert moved == ("FRANCE had A PIC, now A BUR", "PAR belonged to GERMANY, now to FRANCE")
    assert compare("danube", recorded(winner="FRANCE"), STANDARD).moved == ("the winner was FRANCE, now nobody",)
    assert compare("danube", recorded(after=replace(after, standoffs=frozenset({"BUR"}))), STANDARD).moved == (
        "standoffs were BUR, now none",
    )


def test_another_verdict_alone_is_told_apart() -> None:
    outcomes = tuple(
        replace(each, verdict=Verdict.CUT) if each.verdict is Verdict.SUPPORTS else each for each in turn().adjudication.outcomes
    )
    found = compare("danube", recorded(account=lambda: outcomes), STANDARD)
    assert (found.moved, found.reworded) == ((), ("FRANCE A MAR S A PAR - BUR: was cut, now supports",))


def test_what_cannot_be_adjudicated_any_more_is_told() -> None:
    start = STANDARD.start
    wrong = replace(start, units={**start.units, "FRANCE": (Unit("A", Location("NOWHERE")),)})
    (said,) = compare("danube", replace(turn(), before=wrong), STANDARD).moved
    assert said.startswith("it cannot be adjudicated any more: no such unit on this board")


@pytest.fixture
def thousand(tmp_path: Path) -> Iterator[SqlStore]:
    """An installation with a thousand turns of chance."""
    (tmp_path / "judge.toml").write_text(CONFIG)
    (tmp_path / "spool").mkdir()
    store = open_store(f"sqlite:///{tmp_path}/spool/judge.db")
    turns = []
    for number, (done, _) in enumerate(play_at_random(STANDARD, 20, 1), 1):
        ordered = [each for each in done.outcomes if each.given]
        given = {power: tuple(each.order for each in ordered if each.power == power) for power in STANDARD.powers}
        turns.append(Turn(number, done.before.phase, done.before, given, adjudicate(done.before, given, STANDARD), NOON))
        if number == 50:
            break
    with store.transaction() as tx:
        tx.variants.put("hash", json.dumps(dump_variant(STANDARD)))
        for number in range(1, 21):
            tx.games.put(open_game(tx.games.new_id(), f"g{number}", Settings(), STANDARD, "hash", 1, NOON).game, 0)
            for each in turns:
                tx.turns.add(number, each)
    yield store
    store.close()


def test_a_thousand_turns(thousand: SqlStore, tmp_path: Path) -> None:
    def check() -> tuple[int, list[str]]:
        done = CliRunner().invoke(main, ["check", "--config", str(tmp_path / "judge.toml"), "games"])
        assert not (done.exception and not isinstance(done.exception, SystemExit)), done.exc_info
        return done.exit_code, done.output.splitlines()

    assert check() == (0, ["turns 1000, differences 0"])
    with thousand.writing() as connection:
        connection.exec_driver_sql("DELETE FROM turn WHERE game = 1 AND number = 1")
    with thousand.transaction() as tx:
        tx.turns.add(1, recorded(winner="TURKEY"))
    assert check() == (1, ["g1 S1901M: the winner was TURKEY, now nobody", "turns 1000, differences 1"])
