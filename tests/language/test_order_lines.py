"""Lines as people write them: read right, or asked back with the right code; never read wrong."""

import tomllib
from typing import Any

import pytest

from tests.support.readers import LANGUAGES, ROOT, phase_of, position_of, reader, spelled

Line = dict[str, Any]


def lines(name: str) -> list[Line]:
    return list(tomllib.loads((ROOT / "orders" / f"{name}.toml").read_text("utf-8"))["line"])


LINES = [(language, line) for language in LANGUAGES for line in lines(language)]


@pytest.mark.parametrize("told", [True, False], ids=["told", "found"])
@pytest.mark.parametrize(("language", "line"), LINES, ids=[line["id"] for _, line in LINES])
def test_line_is_read_right_or_asked_back(language: str, line: Line, told: bool) -> None:
    if not told and line.get("told"):
        pytest.skip("means something else in English")
    position = position_of(line["units"]) if "units" in line else None
    prefer = (language,) if told else ()
    (reading,) = reader().read_lines([line["text"]], position=position, phase=phase_of(line.get("step", "")), prefer=prefer)
    assert spelled(reading) == ([line["order"]] if "order" in line else [])
    assert (reading.error.code if reading.error else None) == line.get("error")


WARCRAFT = lines("warcraft")


@pytest.mark.parametrize("line", WARCRAFT, ids=[line["id"] for line in WARCRAFT])
def test_warcraft_line(line: Line) -> None:
    (reading,) = reader("warcraft").read_lines([line["text"]])
    assert spelled(reading) == ([line["order"]] if "order" in line else [])
    assert (reading.error.code if reading.error else None) == line.get("error")


CASES = tomllib.loads((ROOT / "orders" / "source_texts.toml").read_text("utf-8"))["case"]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_original_wordings_of_the_source_texts(case: dict[str, Any]) -> None:
    board = reader(case["map"])
    position = position_of(case["units"], case["phase"], case["map"])
    for power, text, order in case["lines"]:
        for said in (power, None):
            (reading,) = board.read_lines([text], position=position, power=said)
            assert (text, spelled(reading)) == (text, [order])
    letter = board.read_lines([text for _, text, _ in case["lines"]], position=position)
    assert [spelled(reading) for reading in letter] == [[order] for _, _, order in case["lines"]]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_original_wordings_without_a_position_are_right_or_asked_back(case: dict[str, Any]) -> None:
    for _, text, order in case["lines"]:
        (reading,) = reader(case["map"]).read_lines([text])
        assert spelled(reading) == [order] or reading.error is not None
