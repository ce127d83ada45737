"""The language of a game is one that the site writes."""

from pathlib import Path

from tests.support.circle import JUDGE, gather


def test_a_game_takes_only_a_language_that_the_site_writes(tmp_path: Path) -> None:
    circle = gather(tmp_path, powers=())
    (refused,) = circle.table.mail("new@masters.example", JUDGE, "CREATE rhine LANGUAGE tlh")
    assert "en, cs, hu" in refused.text
    circle.game = "rhine"
    circle.learn(circle.confirm(circle.table.mail("new@masters.example", JUDGE, "CREATE rhine LANGUAGE hu"), "new@masters.example"))
    assert circle.reply["new@masters.example"].startswith("judge+rhine")
