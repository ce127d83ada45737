"""Headings: whose orders follow, and for which season; the wrong season is asked back, never filed."""

import pytest

from judge.language import LineKind
from judge.rules import Phase, Step
from tests.support.readers import position_of, reader, spelled

SPRING = Phase(1901, "S", Step.MOVEMENT)


@pytest.mark.parametrize(
    ("line", "power", "season"),
    [
        ("Spring 1901", None, "S1901"),
        ("Jaro 1901", None, "S1901"),
        ("1907 ősz", None, "F1907"),
        ("Весна 1902", None, "S1902"),
        ("Herbst 1901", None, "F1901"),
        ("Printemps 1901", None, "S1901"),
        ("Jesień 1901", None, "F1901"),
        ("S1901M", None, "S1901M"),
        ("moje rozkazy na jaro 1901:", None, "S1901"),
        ("Приказы на осень 1901:", None, "F1901"),
        ("–Németország–", "GERMANY", None),
        ("-Törökország–", "TURKEY", None),
        ("FRANCE:", "FRANCE", None),
        ("== Austria ==", "AUSTRIA", None),
        ("[Russia]", "RUSSIA", None),
        ("posílám rozkazy Turecka:", "TURKEY", None),
        ("Orders for “Danube” — England", "ENGLAND", None),
        ("Orders of Italy, Spring 1901", "ITALY", "S1901"),
        ("Германия", "GERMANY", None),
    ],
)
def test_heading(line: str, power: str | None, season: str | None) -> None:
    (reading,) = reader().read_lines([line])
    assert (reading.kind, reading.power, reading.error) == (LineKind.HEADING, power, None)
    assert (str(reading.season) if reading.season else None) == season


@pytest.mark.parametrize(
    "heading",
    [
        "Fall 1901",
        "Jaro 1902",
        "Осень 1901",
        "F1901M",
        "S1901R",
        "1901 ősz",
        "S1902",
        "f1901:",
        "F 1901",
        "Orders S1902",
        "My orders for fall:",
        "[1902]",
        "Fall '01",
    ],
)
def test_orders_below_the_wrong_season_are_asked_back(heading: str) -> None:
    lines = [heading, "A PAR - BUR", "Spring 1901", "A MAR - SPA"]
    _, wrong, _, right = reader().read_lines(lines, phase=SPRING, power="FRANCE")
    assert (spelled(wrong), wrong.error and wrong.error.code) == ([], "wrong_season")
    assert wrong.suggestions == ("A PAR - BUR",)
    assert (spelled(right), right.error) == (["A MAR - SPA"], None)


def test_a_master_files_for_each_power() -> None:
    letter = ["Germany", "A Ber-Pru", "", "–Oroszország–", "Hadsereg Varsóból Sziléziába", "Franciaország:", "A Par-Bur; F Bre-Mao"]
    readings = reader().read_lines(letter, phase=SPRING)
    assert [(spelled(each), each.powers) for each in readings if each.orders] == [
        (["A BER - PRU"], ("GERMANY",)),
        (["A WAR - SIL"], ("RUSSIA",)),
        (["A PAR - BUR", "F BRE - MAO"], ("FRANCE", "FRANCE")),
    ]


def test_several_powers_on_a_line() -> None:
    (reading,) = reader().read_lines(["Германия: F Kiel-Ber A Ber-Pru Россия: A Pru-Holds"])
    assert spelled(reading) == ["F KIE - BER", "A BER - PRU", "A PRU H"]
    assert reading.powers == ("GERMANY", "GERMANY", "RUSSIA")


@pytest.mark.parametrize(
    ("line", "orders"),
    [
        ("A PAR - BUR, A MAR - SPA, F BRE - MAO", ["A PAR - BUR", "A MAR - SPA", "F BRE - MAO"]),
        ("A Par Bur A Mar Spa F Bre Mao", ["A PAR - BUR", "A MAR - SPA", "F BRE - MAO"]),
        ("A Par - Bur. F Bre - Mao.", ["A PAR - BUR", "F BRE - MAO"]),
        ("A PAR - BUR and A MAR - SPA", ["A PAR - BUR", "A MAR - SPA"]),
        ("F LON – NTH, F EDI – NWG, A LVP – YOR", ["F LON - NTH", "F EDI - NWG", "A LVP - YOR"]),
        ("A Gas S A Mar-Bur A Mar-Bur", ["A GAS S A MAR - BUR", "A MAR - BUR"]),
        ("A Par - Burgundsko a F Brest - Pikardie", ["A PAR - BUR", "F BRE - PIC"]),
        ("waive 2", ["WAIVE", "WAIVE"]),
    ],
)
def test_several_orders_on_a_line(line: str, orders: list[str]) -> None:
    (reading,) = reader().read_lines([line])
    assert (spelled(reading), reading.error) == (orders, None)


def test_a_bad_order_does_not_spoil_the_good_ones_of_its_line() -> None:
    (reading,) = reader().read_lines(["A PAR - BUR; A XYZ - SPA; F BRE - MAO"])
    assert spelled(reading) == ["A PAR - BUR", "F BRE - MAO"]
    assert reading.error is not None
    assert reading.error.facts() == {"text": "XYZ", "near": ()}


def test_a_condition_spoils_its_whole_line() -> None:
    (reading,) = reader().read_lines(["A PAR - BUR; if not, A PAR - PIC"])
    assert (spelled(reading), reading.error and reading.error.code) == ([], "doubtful")


def test_a_line_in_brackets_is_a_remark_unless_it_reads_as_an_order() -> None:
    remark, order = reader().read_lines(["(changed my mind about Galicia)", "(A GAL H)"])
    assert (remark.kind, remark.error) == (LineKind.COMMENT, None)
    assert (spelled(order), order.error and order.error.code, order.suggestions) == ([], "doubtful", ("A GAL H",))


def test_the_language_of_a_letter_helps_its_neutral_lines() -> None:
    position = position_of(["A RUM", "A ROM", "F ANK"])
    letter = ["A Rom H", "Flotta Ankarából a Fekete-tengerre", "Tisztelettel, Anna"]
    neutral, plain, prose = reader().read_lines(letter, position=position)
    assert neutral.error is not None
    assert neutral.error.code == "ambiguous_place"
    assert (spelled(plain), plain.lang) == (["F ANK - BLA"], "hu")
    assert prose.kind is LineKind.COMMENT


def test_a_polite_word_in_english_does_not_make_an_english_letter() -> None:
    neutral, _ = reader().read_lines(["A Rom H", "Thanks very much!"], prefer=("hu",))
    assert (spelled(neutral), neutral.error and neutral.error.code) == ([], "ambiguous_place")


def test_languages_may_be_mixed() -> None:
    letter = [
        "Armáda z Paříže do Burgundska",
        "Hadsereg Rómából Velencébe",
        "Армия Москва — Украина",
        "Army Vienna holds",
        "Flotte Kiel nach Dänemark",
    ]
    readings = reader().read_lines(letter)
    assert [spelled(each) for each in readings] == [["A PAR - BUR"], ["A ROM - VEN"], ["A MOS - UKR"], ["A VIE H"], ["F KIE - DEN"]]
    assert [each.lang for each in readings] == ["cs", "hu", "ru", "en", "de"]


@pytest.mark.parametrize("remark", ["(fall)", "(for fall 1901)", "[podzim]", "(осень)", "(1902)", "(S1902)"])
def test_an_order_with_another_season_beside_it_is_asked_back(remark: str) -> None:
    (asked,) = reader().read_lines([f"A Par - Bur {remark}"], phase=SPRING, power="FRANCE")
    assert (spelled(asked), asked.error and asked.error.code) == ([], "wrong_season")
    assert asked.suggestions == ("A PAR - BUR",)


@pytest.mark.parametrize("remark", ["(spring)", "(winter is coming)", "(fallback)", "(12)"])
def test_other_remarks_are_passed_over(remark: str) -> None:
    (filed,) = reader().read_lines([f"A Par - Bur {remark}"], phase=SPRING, power="FRANCE")
    assert spelled(filed) == ["A PAR - BUR"]
