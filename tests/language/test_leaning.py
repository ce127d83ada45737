"""Orders of one line that lean on each other, and orders that begin with where they go."""

import pytest

from tests.support.readers import position_of, reader, spelled

POSITION = position_of(
    {"FRANCE": ["A PAR", "A MAR", "A GAS", "F BRE", "F MAO"], "ENGLAND": ["F NTH", "F NWG", "A YOR"], "GERMANY": ["A MUN"]}, "S1902M"
)
BOTH = ["A MAR S A PAR - BUR", "A GAS S A PAR - BUR"]
BACK = ["A PAR - BUR", "A MAR S A PAR - BUR"]


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("A Mar and A Gas S A Par - Bur", BOTH),
        ("A Mar + A Gas support A Par - Bur", BOTH),
        ("Marseilles and Gascony support Paris into Burgundy", BOTH),
        ("Marseille i Gaskoňsko podporují Paříž do Burgundska", BOTH),
        ("A Mar a A Gas S A Par - Bur", BOTH),
        ("Marseille és Gascogne támogatja Párizst Burgundiába", BOTH),
        ("Марсель и Гасконь поддерживают Париж в Бургундию", BOTH),
        ("Marseille und Gascogne unterstützen Paris nach Burgund", BOTH),
        ("A Mar et A Gas soutiennent A Par - Bur", BOTH),
        ("A Mar, A Gas S A Par - Bur", None),
        ("A Par and A Mar - Bur", None),
        ("A Par and A Mar S A Par - Bur", None),
        ("A Par and A Gas hold, A Mar - Bur", ["A PAR H", "A GAS H", "A MAR - BUR"]),
        ("A Par, A Gas hold; A Mar - Bur", ["A PAR H", "A GAS H", "A MAR - BUR"]),
        ("A Mar - Bur; A Par, A Gas hold", ["A MAR - BUR", "A PAR H", "A GAS H"]),
        ("Paříž a Marseille drží, Brest do Lamanšského průlivu", ["A PAR H", "A MAR H", "F BRE - ENG"]),
        ("Paryż i Marsylia stoją", ["A PAR H", "A MAR H"]),
        ("Paris et Marseille tiennent", ["A PAR H", "A MAR H"]),
    ],
)
def test_units_share_a_verb(text: str, orders: list[str] | None) -> None:
    (found,) = reader().read_lines([text], position=POSITION, power="FRANCE")
    assert spelled(found) == (orders or [])
    assert (found.error is None) == (orders is not None)


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("Hold: Par, Mar, Gas", ["A PAR H", "A MAR H", "A GAS H"]),
        ("Hold A Par, A Gas; A Mar - Bur", ["A PAR H", "A GAS H", "A MAR - BUR"]),
        ("Drží Paříž, Marseille a Gaskoňsko", ["A PAR H", "A MAR H", "A GAS H"]),
        ("Tartson Párizs, Marseille és Gascogne", ["A PAR H", "A MAR H", "A GAS H"]),
    ],
)
def test_a_verb_in_front_is_for_all_that_hold(text: str, orders: list[str]) -> None:
    (found,) = reader().read_lines([text], position=POSITION, power="FRANCE")
    assert (spelled(found), found.error) == (orders, None)


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("Paříž s Marseille drží", ""),
        ("Paříž s Marseille do Burgundska", ""),
        ("Paříž i s Marseille drží", ""),
        ("armáda z Paříže s armádou z Marseille do Burgundska", ""),
        ("Париж с Марселем в Бургундию", ""),
        ("Париж вместе с Марселем в Бургундию", ""),
        ("Paříž S Marseille do Burgundska", "A PAR S A MAR - BUR"),
        ("paříž s marseille - burgundsko", "A PAR S A MAR - BUR"),
        ("par s mar h", "A PAR S A MAR"),
    ],
)
def test_a_small_letter_before_words_may_be_with(text: str, order: str) -> None:
    (found,) = reader().read_lines([text], position=POSITION, power="FRANCE")
    assert spelled(found) == ([order] if order else [])
    assert (found.error is None) == bool(order)


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("A Par - Bur, Mar supports it", BACK),
        ("A Par - Bur and A Mar supports that move", BACK),
        ("A Par - Bur, A Mar to podporuje", BACK),
        ("Paříž jde do Burgundska a Marseille ji podporuje", BACK),
        ("Paříž jde do Burgundska. Marseille ji podpoří. Brest drží.", [*BACK, "F BRE H"]),
        ("Париж идёт в Бургундию, Марсель его поддерживает", BACK),
        ("Paris nach Burgund, Marseille unterstützt das", BACK),
        ("Paryż idzie do Burgundii, Marsylia go wspiera", BACK),
        ("A Par H, A Mar S it", ["A PAR H", "A MAR S A PAR"]),
        ("A Gas - Spa, A Par - Bur, A Mar S it", ["A GAS - SPA", *BACK]),
    ],
)
def test_it_is_the_order_before(text: str, orders: list[str]) -> None:
    (found,) = reader().read_lines([text], position=POSITION, power="FRANCE")
    assert (spelled(found), found.error) == (orders, None)


@pytest.mark.parametrize("text", ["A Mar S A Par - Bur, A Gas S it", "A Par - Bur, A Mar moves it", "A Par - Bur, A Mar supports"])
def test_it_may_be_unclear(text: str) -> None:
    (found,) = reader().read_lines([text], position=POSITION, power="FRANCE")
    assert found.error is not None


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("Into Burgundy goes A Par", "A PAR - BUR"),
        ("Do Burgundska jde armáda z Paříže", "A PAR - BUR"),
        ("do burgundska pošlu armádu z paříže", "A PAR - BUR"),
        ("Burgundiába megy a párizsi hadsereg", "A PAR - BUR"),
        ("Burgundiát támadja Párizs", "A PAR - BUR"),
        ("В Бургундию идёт армия из Парижа", "A PAR - BUR"),
        ("Бургундию атакует Париж", "A PAR - BUR"),
        ("Nach Burgund zieht die Armee aus Paris", "A PAR - BUR"),
    ],
)
def test_where_to_may_come_first(text: str, order: str) -> None:
    (found,) = reader().read_lines([text], position=POSITION, power="FRANCE")
    assert (spelled(found), found.error) == ([order], None)


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("Přesuň Paříž do Burgundska a Brest do Lamanšského průlivu", ["A PAR - BUR", "F BRE - ENG"]),
        ("paříž do burgundska a brest do lamanšského průlivu", ["A PAR - BUR", "F BRE - ENG"]),
        ("par-bur a bre-eng a mar h", ["A PAR - BUR", "F BRE - ENG", "A MAR H"]),
        ("a par - bur a f bre - eng", ["A PAR - BUR", "F BRE - ENG"]),
        ("Paryż - Burgundia i Brest - Kanał La Manche", ["A PAR - BUR", "F BRE - ENG"]),
    ],
)
def test_a_small_letter_between_orders_is_and_where_no_such_unit_stands(text: str, orders: list[str]) -> None:
    (found,) = reader().read_lines([text], position=POSITION, power="FRANCE", prefer=("pl" if "Paryż" in text else "cs",))
    assert (spelled(found), found.error) == (orders, None)


@pytest.mark.parametrize(
    "text",
    [
        "A Par - Bur, F Bre - Eng. Thanks, John",
        "Пар-Бур, Бре-Лам. Спасибо, Иван",
        "Par-Bur, Bre-Eng, díky Petr",
        "A Par-Bur; F Bre-Eng. Üdv, Peti",
    ],
)
def test_thanks_may_stand_behind_orders(text: str) -> None:
    (found,) = reader().read_lines([text], position=POSITION, power="FRANCE")
    assert (spelled(found), found.error) == (["A PAR - BUR", "F BRE - ENG"], None)


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("Army Marseilles supports the army in Paris\nto Burgundy", ["A MAR S A PAR - BUR"]),
        ("A Mar S A Par\n- Bur", ["A MAR S A PAR - BUR"]),
        ("Armáda Marseille podporuje armádu v Paříži\ndo Burgundska", ["A MAR S A PAR - BUR"]),
        ("A marseille-i hadsereg támogatja a párizsi hadsereget\nBurgundiába", ["A MAR S A PAR - BUR"]),
        ("Армия Марсель поддерживает армию Париж\nв Бургундию", ["A MAR S A PAR - BUR"]),
        ("A Mar S A Par\nA Par H", ["A MAR S A PAR", "A PAR H"]),
        ("1. A Mar S A Par\n2. A Par H", ["A MAR S A PAR", "A PAR H"]),
        ("A Paris\n   to Burgundy\nA Marseilles\n   to Spain", ["A PAR - BUR", "A MAR - SPA"]),
        ("A Par\nBur", []),
        ("A Par\nto be decided", []),
        ("F Bre\nEnglishman John", []),
        ("A Par - Bur\nA Mar supports it", ["A PAR - BUR", "A MAR S A PAR - BUR"]),
        ("A Par - Bur\n- A Mar ji podporuje\nF Bre H", ["A PAR - BUR", "A MAR S A PAR - BUR", "F BRE H"]),
        ("A Par - Bur\n\nA Mar supports it", ["A PAR - BUR"]),
        ("Please cancel:\nA Par - Bur\nA Mar supports it", []),
        ("A Mar S A Par\n\nto be continued", ["A MAR S A PAR"]),
    ],
)
def test_what_belongs_together_may_stand_in_two_lines(text: str, orders: list[str]) -> None:
    readings = reader().read_lines(text.split("\n"), position=POSITION, power="FRANCE")
    assert [order for reading in readings for order in spelled(reading)] == orders


def test_fleets_share_a_convoy_and_it_is_what_they_carry() -> None:
    (found,) = reader().read_lines(["F Nth C A Yor - Nwy and F Nwg supports it"], position=POSITION, power="ENGLAND")
    assert spelled(found) == ["F NTH C A YOR - NWY", "F NWG S A YOR - NWY"]
    (found,) = reader().read_lines(["F Nth and F Nwg convoy A Yor - Nwy"], position=POSITION, power="ENGLAND")
    assert spelled(found) == ["F NTH C A YOR - NWY", "F NWG C A YOR - NWY"]


WARCRAFT = position_of({"BLOODELVES": ["P 60", "L 63", "L 70", "P 66"], "UNDEAD": ["P 62"]}, "S1M", "warcraft")


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("P60-61, L63 ~ P60-61", ["P 60 - 61", "L 63 S P 60 - 61"]),
        ("P60 -> 61; L63 ~ P60 -> 61; P66 H", ["P 60 - 61", "L 63 S P 60 - 61", "P 66 H"]),
        ("L63+L70 ~ P60-61", ["L 63 S P 60 - 61", "L 70 S P 60 - 61"]),
        ("П60-61, Л63 ~ П60-61", ["P 60 - 61", "L 63 S P 60 - 61"]),
        ("pěchota 60 jde na 61 a letka 63 ji podporuje", ["P 60 - 61", "L 63 S P 60 - 61"]),
        ("Do Stratholme jde pěchota z Ghostlands", ["P 60 - 61"]),
    ],
)
def test_numbers_glued_to_letters_and_orders_that_lean_in_warcraft(text: str, orders: list[str]) -> None:
    (found,) = reader("warcraft").read_lines([text], position=WARCRAFT, power="BLOODELVES")
    assert (spelled(found), found.error) == (orders, None)
