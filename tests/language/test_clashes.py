"""Names that fit several places: the position decides where it leaves one, else the line is asked back."""

import pytest

from judge.language import LineReading
from tests.support.readers import position_of, reader, spelled


def read(text: str, units: list[str], language: str = "en", name: str = "standard") -> LineReading:
    position = position_of(units, name=name) if units else None
    power = reader(name).variant.powers[0] if units else None
    (reading,) = reader(name).read_lines([text], position=position, power=power, prefer=(language,))
    return reading


@pytest.mark.parametrize(
    ("language", "text", "units", "order"),
    [
        ("en", "A Nor - Swe", ["A NWY", "F NTH"], "A NWY - SWE"),
        ("en", "F Nor H", ["F NTH", "A PAR"], "F NTH H"),
        ("en", "Nor - Swe", ["F NWY"], "F NWY - SWE"),
        ("hu", "A Rom - Bul", ["A RUM"], "A RUM - BUL"),
        ("hu", "A Rom - Ven", ["A ROM", "A RUM"], "A ROM - VEN"),
        ("hu", "A Por - Sil", ["A PRU"], "A PRU - SIL"),
        ("hu", "F Por - Mao", ["F POR", "A PRU"], "F POR - MAO"),
        ("hu", "A Sze - Ukr", ["A SEV"], "A SEV - UKR"),
        ("ru", "А Вен - Тир", ["A VIE"], "A VIE - TYR"),
        ("ru", "А Лив - Йор", ["A LVP"], "A LVP - YOR"),
        ("en", "A Liv - Pru", ["A LVN"], "A LVN - PRU"),
        ("en", "A Tyr - Ven", ["A TYR", "F TYS"], "A TYR - VEN"),
        ("de", "A Sch - Böhmen", ["A SIL"], "A SIL - BOH"),
        ("fr", "F Mer - Roumanie", ["F BLA"], "F BLA - RUM"),
        ("cs", "F Sev - Rumunsko", ["F SEV"], "F SEV - RUM"),
        ("cs", "A Por - Spa", ["A POR", "A RUH"], "A POR - SPA"),
    ],
)
def test_the_position_decides(language: str, text: str, units: list[str], order: str) -> None:
    reading = read(text, units, language)
    assert (spelled(reading), reading.error) == ([order], None)


@pytest.mark.parametrize(
    ("language", "text", "units", "candidates"),
    [
        ("en", "F Nor - Bar", ["F NWY", "F NWG"], ("NWY", "NWG")),
        ("hu", "A Rom H", ["A ROM", "A RUM"], ("ROM", "RUM")),
        ("ru", "А Вен - Три", ["A VIE", "A VEN"], ("VIE", "VEN")),
        ("hu", "A Rom H", [], ("ROM", "RUM")),
        ("en", "F Nor - Nth", [], ("NWY", "NWG")),
    ],
)
def test_what_the_position_leaves_open_is_asked_back(language: str, text: str, units: list[str], candidates: tuple[str, ...]) -> None:
    reading = read(text, units, language)
    assert spelled(reading) == []
    assert reading.error is not None
    assert reading.error.code == "ambiguous_place"
    assert reading.error.facts()["candidates"] == candidates
    assert len(reading.suggestions) == len(candidates)


def test_liverpool_by_custom_with_a_warning() -> None:
    reading = read("A Liv H", ["A LVP", "A LVN"])
    assert spelled(reading) == ["A LVP H"]
    assert [warning.code for warning in reading.warnings] == ["custom"]


def test_a_decided_name_is_told() -> None:
    reading = read("A Nor - Swe", ["A NWY"])
    (warning,) = reading.warnings
    assert warning.facts() == {"text": "Nor", "taken": "NWY", "others": ("NWG", "NTH", "NAF", "NAO")}


def test_capitals_are_the_boards_own_codes() -> None:
    assert spelled(read("A ROM - VEN", [], "hu")) == ["A ROM - VEN"]
    assert spelled(read("P ZUL H", [], name="warcraft")) == ["P 54 H"]
    assert spelled(read("P Zul H", ["P 93"], name="warcraft")) == ["P 93 H"]


@pytest.mark.parametrize(
    ("text", "units", "order", "codes"),
    [
        ("Mar - Spa", ["A MAR"], "A MAR - SPA", ["unit_filled"]),
        ("A Ber S Kie", ["A BER", "F KIE"], "A BER S F KIE", ["unit_filled"]),
        ("F STP - BOT", ["F STP/SC"], "F STP/SC - BOT", []),
        ("F STP/NC - BOT", ["F STP/SC"], "F STP/SC - BOT", ["coast_corrected"]),
        ("A MAR - SPA/NC", ["A MAR"], "A MAR - SPA", ["coast_ignored"]),
        ("A STP - NWY", ["F STP/NC"], "A STP - NWY", ["wrong_kind"]),
        ("A MAR S Italian A VEN", ["A MAR", "A VEN"], "A MAR S A VEN", ["owner_differs"]),
        ("F MAO - SPA", ["F MAO"], "F MAO - SPA", ["coast_needed"]),
        ("A PAR - MOS", ["A PAR"], "A PAR - MOS", ["impossible"]),
        ("F BRE - PIC via convoy", ["F BRE"], "F BRE - PIC", ["ignored"]),
        ("A PAR - BUR please", ["A PAR"], "A PAR - BUR", ["ignored"]),
        ("A Pariss - Burgundy", ["A PAR"], "A PAR - BUR", ["misspelt"]),
        ("A Pari - Burgundy", ["A PAR"], "A PAR - BUR", ["shortened"]),
        ("A PАR - BUR", ["A PAR"], "A PAR - BUR", ["look_alike"]),
    ],
)
def test_every_repair_is_told(text: str, units: list[str], order: str, codes: list[str]) -> None:
    reading = read(text, units)
    assert spelled(reading) == [order]
    assert [warning.code for warning in reading.warnings if warning.code != "impossible" or codes == ["impossible"]] == codes


def test_no_guess_without_a_unit() -> None:
    reading = read("Bre - Mao", ["A PAR"])
    assert reading.error is not None
    assert reading.error.code == "no_unit_there"
