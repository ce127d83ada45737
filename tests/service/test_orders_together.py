"""The order lines of one mail are filed together: each line still has its own answer, and the mail is one submission."""

from pathlib import Path

from judge.rules import write_order
from tests.support.circle import gather


def test_lines_of_one_mail_are_answered_one_by_one_and_kept_as_one_submission(tmp_path: Path) -> None:
    circle = gather(tmp_path)
    text = "A Par - Bur\nF Bre - Mun\nA Par - Pic, A Mar H\nhello there\nF Bre - Mao"
    letter = circle.answer("FRANCE", text)
    said = " ".join(letter.text.split())
    assert "A Par - Pic" in said
    assert "F Bre - Mun" in said
    with circle.table.s.store.reading() as tx:
        kept = tx.games.get(circle.game)
        assert kept is not None
        (filed,) = tx.submissions.of(kept.game.id)
    assert list(map(write_order, filed.orders)) == ["A PAR - PIC", "A MAR H", "F BRE - MAO"]
    assert [write_order(each.order) for each in kept.game.orders["FRANCE"]] == ["A PAR - PIC", "A MAR H", "F BRE - MAO"]
