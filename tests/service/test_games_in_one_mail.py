"""Orders for two games in one mail never reach the wrong game: they are filed where they belong, or asked back."""

from pathlib import Path

import pytest

from tests.support.circle import POWERS, Circle, copy_of, gather


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> tuple[Circle, Path]:
    folder = tmp_path_factory.mktemp("two")
    circle = gather(folder, "draws listed")
    circle.write("MASTER", "CREATE rhine draws listed")
    for power in POWERS:
        circle.write(power, f"SIGNON rhine {power}")
    return circle, folder


@pytest.fixture
def circle(begun: tuple[Circle, Path], tmp_path: Path) -> Circle:
    return copy_of(*begun, tmp_path / "copy")


@pytest.mark.parametrize(
    "headings", ["danube|rhine", "[danube]|[rhine]", "Orders for danube:|Orders for rhine:", "danube:|rhien:", "|SINGON rhine"]
)
def test_what_is_meant_for_another_game_is_not_filed_in_this_one(circle: Circle, headings: str) -> None:
    first, second = headings.split("|")
    told = circle.write("FRANCE", f"{first}\nA Par - Bur\n{second}\nA Par - Pic\nA Mar H")
    assert "A Par - Bur" in " ".join(letter.text for letter in told)
    status = circle.answer("FRANCE", "STATUS").text
    assert "A Par - Bur" in status
    assert "A Mar  no order" in status
    assert sum(letter.text.count("NOT DONE") for letter in told) >= 2
