"""What the log says of mails, phases and letters: one line each, with the numbers by which they are found again, and no secret."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from judge.log import mask
from tests.support.circle import JUDGE, Circle, gather

Lines = list[dict[str, object]]


@pytest.fixture
def circle(tmp_path: Path) -> Iterator[Circle]:
    circle = gather(tmp_path, "VARIANT england_turkey", ("ENGLAND", "TURKEY"))
    yield circle
    circle.table.s.store.close()


def said(lines: Lines, event: str) -> Lines:
    return [line for line in lines if line["event"] == event]


def test_a_mail_and_its_answer(circle: Circle) -> None:
    with capture_logs() as lines:
        circle.write("ENGLAND", "F Lon - Nth")
    (handled,) = said(lines, "mail handled")  # type: ignore[arg-type]  # what structlog keeps are dicts
    assert (handled["games"], handled["changed"]) == (["danube"], ["danube"])
    (sent,) = said(lines, "letters sent")  # type: ignore[arg-type]
    assert sent["games"] == [1]
    assert isinstance(sent["message_ids"], list)
    assert [name.rpartition(".")[0].rpartition(".")[0] for name in sent["message_ids"]] == ["danube.S1901M.ENGLAND"]


def test_a_mail_that_does_nothing(circle: Circle) -> None:
    with capture_logs() as lines:
        circle.table.mail("robot@x.example", JUDGE, "away", headers="Auto-Submitted: auto-replied\r\n")
        circle.table.again(circle.table.last_raw)
    passed = said(lines, "mail passed over")  # type: ignore[arg-type]
    assert [(line["state"], line["why"]) for line in passed] == [("silent", "auto_submitted"), ("duplicate", "known")]


def test_a_phase(circle: Circle) -> None:
    with capture_logs() as lines:
        circle.table.wait(timedelta(days=30))
    closed = said(lines, "phase closed")  # type: ignore[arg-type]
    assert [(line["game"], line["name"], line["phases"]) for line in closed][:1] == [(1, "danube", ["S1901M"])]
    assert closed[0]["letters"] == 3


def test_no_secret_in_any_line(circle: Circle) -> None:
    with capture_logs() as lines:
        circle.write("ENGLAND", "F Lon - Nth")
        circle.table.wait(timedelta(days=30))
    game = circle.table.s.store
    with game.reading() as tx:
        kept = tx.games.get("danube")
    assert kept is not None
    secrets = [circle.table.s.keys.token(kept.game, seat) for seat in kept.game.all_seats]
    for line in lines:
        text = str(mask(None, "", dict(line)))
        assert not [secret for secret in secrets if secret in text]
