"""Lines about many units at once, in mails: what is put on file, and what the answer says."""

from pathlib import Path

import pytest

from judge.rules import write_order
from tests.support.circle import Circle, gather


@pytest.fixture(scope="module")
def circle(tmp_path_factory: pytest.TempPathFactory) -> Circle:
    folder: Path = tmp_path_factory.mktemp("hosts")
    return gather(folder)


def on_file(circle: Circle, power: str) -> list[str]:
    with circle.table.s.store.reading() as tx:
        kept = tx.games.get(circle.game)
    assert kept is not None
    return sorted(write_order(filed.order) for filed in kept.game.orders.get(power, ()))


def test_the_rest_of_a_letter(circle: Circle) -> None:
    said = " ".join(circle.answer("FRANCE", "Hi judge,\n\nA Par - Bur\nRest hold\n\nThanks\nJean").text.split())
    assert on_file(circle, "FRANCE") == ["A MAR H", "A PAR - BUR", "F BRE H"]
    assert "A Mar H" in said
    assert "F Bre H" in said


def test_all_units(circle: Circle) -> None:
    circle.answer("ITALY", "A Ven - Tyr")
    said = " ".join(circle.answer("ITALY", "All units hold, please.").text.split())
    assert on_file(circle, "ITALY") == ["A ROM H", "A VEN H", "F NAP H"]
    assert "A Ven - Tyr" in said  # what was replaced is told


def test_the_rest_of_what(circle: Circle) -> None:
    letter = circle.answer("GERMANY", "rest hold")
    assert on_file(circle, "GERMANY") == []
    assert "“rest hold”" in letter.text


def test_as_long_as_a_line_is_asked_back_nothing_holds_for_it(circle: Circle) -> None:
    circle.answer("TURKEY", "A Con - Xyzzy\nF Ank - Bla\nrest hold")
    assert on_file(circle, "TURKEY") == ["F ANK - BLA"]


def test_orders_above_a_command_are_not_overruled_by_the_rest_below_it(circle: Circle) -> None:
    circle.answer("AUSTRIA", "A Vie - Gal\nWAIT\nF Tri - Alb, rest hold")
    assert on_file(circle, "AUSTRIA") == ["A VIE - GAL", "F TRI - ALB"]
    circle.answer("AUSTRIA", "A Vie - Xyzzy\nWAIT\nall units hold")
    assert on_file(circle, "AUSTRIA") == ["A VIE - GAL", "F TRI - ALB"]


def test_the_rest_are_of_the_open_phase(circle: Circle) -> None:
    circle.answer("RUSSIA", "PHASE F1901M\nF Sev - Rum\nrest hold")
    assert on_file(circle, "RUSSIA") == []
