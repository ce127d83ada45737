"""Slips in names of several words, abbreviations word by word, and what stands between several orders of a line."""

import pytest

from tests.support.readers import position_of, reader, spelled

UNITS = ["F BLA", "F CON", "A KIE", "A PAR", "A MAR", "F LON", "F BRE", "F SEV"]


@pytest.mark.parametrize(
    ("text", "order", "codes"),
    [
        ("F Con - Fekete-tengr", "F CON - BLA", ["misspelt"]),
        ("F Fekete-tengr - Con", "F BLA - CON", ["misspelt"]),
        ("F Con - fekte tenger", "F CON - BLA", ["misspelt"]),
        ("F Con - Fekete-tengerreé", "F CON - BLA", ["misspelt"]),
        ("F Lon - do severnho more", "F LON - NTH", ["misspelt"]),
        ("F Lon - Severni-morre", "F LON - NTH", ["misspelt"]),
        ("флот Лондон - Севреное море", "F LON - NTH", ["misspelt"]),
        ("F Bre - Mid-Atlntic", "F BRE - MAO", ["misspelt"]),
        ("F Lon - Nor Sea", "F LON - NTH", ["decided"]),
        ("F Con - Bla Sea", "F CON - BLA", ["shortened"]),
        ("флот Севастополь - чер море", "F SEV - BLA", ["shortened"]),
        ("a londoni flotta Ész-tenger", "F LON - NTH", ["shortened"]),
        ("F Edinburg-H", "F EDI H", []),
    ],
)
def test_a_slip_in_a_long_name_is_repaired_and_told(text: str, order: str, codes: list[str]) -> None:
    (reading,) = reader().read_lines([text], position=position_of([*UNITS, "F EDI"]))
    assert spelled(reading) == [order]
    assert [warning.code for warning in reading.warnings] == codes


@pytest.mark.parametrize(("text", "near"), [("F Con - Fekete-tengrr", "BLA"), ("F Con - Cerne mroe", "BLA"), ("F Lon - Norht Sae", "NTH")])
def test_a_long_name_that_is_far_off_is_suggested(text: str, near: str) -> None:
    (reading,) = reader().read_lines([text])
    named = [order for order in spelled(reading) if order.endswith(near)]
    suggested = near in str(reading.error.facts().get("near", "")) if reading.error else False
    assert named or suggested


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("F - Espagne (C) : S - A - Portugal", "F SPA S A POR"),
        ("F - Hiszpania (C) : S - A - Portugalia", "F SPA S A POR"),
        ("A - Moskau : S - F - St. Petersburg (K) Livland", "A MOS S F STP - LVN"),
    ],
)
def test_half_a_coast_is_no_convoy_in_silence(text: str, order: str) -> None:
    (reading,) = reader().read_lines([text])
    assert (spelled(reading), [warning.code for warning in reading.warnings]) == ([order], ["ignored"])


def test_a_letter_for_a_convoy_behind_a_target_with_coasts_stays_one() -> None:
    (reading,) = reader().read_lines(["A Mar - Spa (C)"])
    assert spelled(reading) == ["A MAR - SPA VIA"]


@pytest.mark.parametrize("text", ["A Par-Bru", "A Kiel-Holand", "A Mar-Pxe"])
def test_a_move_written_tight_is_no_name(text: str) -> None:
    (reading,) = reader().read_lines([text], position=position_of(UNITS))
    assert reading.error is None or reading.error.code != "misspelt"
    assert all("-" in order for order in spelled(reading))


@pytest.mark.parametrize(
    "text",
    [
        "A Par - Bur 2) A Mar H",
        "1. A Par to Bur 2. A Mar H",
        "1) A Par-Bur, 2) A Mar holds",
        "A Par-Bur / A Mar H",
        "A Par–Bur | A Mar H",
        "A Par-Bur\\A Mar H",
    ],
)
def test_orders_of_a_line_may_be_numbered_or_barred(text: str) -> None:
    (reading,) = reader().read_lines([text])
    assert (spelled(reading), reading.error) == (["A PAR - BUR", "A MAR H"], None)


def test_figures_that_are_places_number_nothing() -> None:
    (reading,) = reader("warcraft").read_lines(["P 60 - 61 2 P 5 H"])
    assert reading.error is not None


@pytest.mark.parametrize("line", ["F Mao pdo A Par - Bur", "F Mao hld", "F Nao hld", "A Par Brr", "A Mar S A Par Brr"])
def test_a_short_slip_where_a_verb_may_stand_is_never_taken_for_a_place(line: str) -> None:
    """One letter off, "pdo" would be Portugal and "hld" Clyde: next to these fleets both would be possible orders."""
    units = position_of(["F MAO", "F NAO", "A PAR", "A MAR"])
    for reading in reader().read_lines([line], position=units):
        assert spelled(reading) == []
        assert reading.error is not None


@pytest.mark.parametrize(
    ("line", "orders"),
    [
        ("F Mao pod. A Mar-Spa", []),
        ("F Mao podp A Mar - Spa", ["F MAO S A MAR - SPA"]),
        ("Ф Сао под. А Мар - Исп", []),
        ("А Пар под. А Мар - Бур", []),
        ("А Пар подд. А Мар - Бур", ["A PAR S A MAR - BUR"]),
        ("A Par tám. A Mar - Bur", ["A PAR S A MAR - BUR"]),
        ("A Par supprot A Mar - Bur", ["A PAR S A MAR - BUR"]),
        ("A Par hodl", ["A PAR H"]),
        ("a par-bur pls", ["A PAR - BUR"]),
        ("Par will go to Bur", ["A PAR - BUR"]),
        ("PAR BUR, MAR SPA", ["A PAR - BUR", "A MAR - SPA"]),
        ("Paris: move to Burgundy", ["A PAR - BUR"]),
        ("armada pariz do burgundska prosim", ["A PAR - BUR"]),
        ("parizsi hadsereg burgundiaba megy", ["A PAR - BUR"]),
        ("Париж атакует Бургундию", ["A PAR - BUR"]),
        ("A Par → Bur ✅", ["A PAR - BUR"]),
        ("same as last turn", []),
        ("Everything holds", []),
        ("Nevim, asi Par-Bur", []),
        ("Par-Bur, ha lehet", []),
        ("A Par-Bur (or Gas if Germany agrees)", []),
        ("A Par - Bur?", []),
    ],
)
def test_lines_from_telephones_are_read_right_or_asked_back(line: str, orders: list[str]) -> None:
    (reading,) = reader().read_lines([line], position=position_of(["F MAO", "A PAR", "A MAR"]))
    assert spelled(reading) == orders
    assert bool(reading.error) == (not orders)
