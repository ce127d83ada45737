"""What stands around an order and takes it back: lines above it, remarks, notes and signs beside it, conditions before it."""

import pytest

from judge.language import LineKind, LineReading
from tests.support.readers import LIBRARY, position_of, reader, spelled

POSITION = position_of({"FRANCE": ["A PAR", "A MAR", "F BRE"], "GERMANY": ["A MUN", "A BER"], "ENGLAND": ["F ENG"]}, "S1902M")


def read(text: str) -> tuple[LineReading, ...]:
    return reader().read_lines(text.split("\n"), position=POSITION, power="FRANCE", commands=LIBRARY.command_words)


def orders(text: str) -> list[str]:
    return [order for reading in read(text) for order in spelled(reading)]


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("Please cancel:\nA Par - Bur\nA Mar - Spa", []),
        ("Please cancel:\n\nA Par - Bur\n\nA Mar - Spa", ["A MAR - SPA"]),
        ("Don't do this:\nA Par - Bur", []),
        ("These are NOT my orders:\nA Par - Bur", []),
        ("Old:\nA Par - Bur\nNew:\nA Par - Pic", ["A PAR - PIC"]),
        ("New:\nA Par - Pic\nOld:\nA Par - Bur", ["A PAR - PIC"]),
        ("A Par - Bur\nOR\nA Par - Pic", ["A PAR - BUR"]),
        ("instead of\nA Par - Bur\nI want\nA Par - Pic", ["A PAR - PIC"]),
        ("Last turn:\nA Par - Bur\nNow:\nA Par - Pic", ["A PAR - PIC"]),
        ("A Par - Bur\nnext turn\nA Mar - Spa", ["A PAR - BUR"]),
        ("Don't do this:\nall units hold", []),
        ("Prosím zrušit:\nA Par - Bur", []),
        ("staré:\nA Par - Bur\nnové:\nA Par - Pic", ["A PAR - PIC"]),
        ("A Par - Bur\npříští kolo\nA Mar - Spa", ["A PAR - BUR"]),
        ("Místo\nA Par - Bur", []),
        ("Törlöm:\nA Par - Bur", []),
        ("A Par - Bur\nvagy\nA Par - Pic", ["A PAR - BUR"]),
        ("отменяю:\nА Пар - Бур", []),
        ("А Пар - Бур\nили\nА Пар - Пик", ["A PAR - BUR"]),
        ("Statt:\nA Par - Bur", []),
        ("Au lieu de:\nA Par - Bur", []),
        ("zamiast:\nA Par - Bur", []),
        ("My orders:\nA Par - Bur", ["A PAR - BUR"]),
        ("No news, here are my orders:\nA Par - Bur", ["A PAR - BUR"]),
        ("When do we start? Here are my orders:\nA Par - Bur", ["A PAR - BUR"]),
        ("forget my previous orders\nA Par - Bur", ["A PAR - BUR"]),
        ("Only change:\nA Par - Bur", ["A PAR - BUR"]),
        ("Option 1:\nA Par - Bur\nOption 2:\nA Par - Pic", []),
        ("Varianta A:\nA Par - Bur\nVarianta B:\nA Par - Pic", []),
        ("Either\nA Par - Bur\nor\nA Par - Pic", []),
        ("Example:\nA Par - Bur", []),
        ("No worries\nA Par - Bur", ["A PAR - BUR"]),
    ],
)
def test_a_line_may_take_back_those_below_it(text: str, taken: list[str]) -> None:
    assert orders(text) == taken


@pytest.mark.parametrize(
    "line",
    [
        "My orders (replacing the earlier ones):",
        "Instead of my earlier orders please use these:",
        "Please cancel my previous orders and use these:",
        "Here is my final draft:",
        "If it's not too late, here are my orders:",
        "These replace my old orders:",
        "My orders for this turn, same as before except Paris:",
        "Hi, no idea if this works, but here are my moves:",
        "Orders for Spring 1902, without support this time:",
        "My orders, previously sent from my other address:",
        "Please use these and not the ones I sent earlier:",
        "Final orders (not a draft):",
        "Here are my orders for the next turn:",
        "Next turn orders:",
        "Next turn:",
        "orders for the next season",
        "Místo předchozích rozkazů posílám tyto:",
        "Rozkazy pro příští tah:",
        "Příští kolo:",
        "A korábbi parancsok helyett ezek érvényesek:",
        "A következő kör parancsai:",
        "Вместо прежних приказов вот новые:",
        "Приказы на следующий ход:",
        "Meine Befehle für die nächste Runde:",
        "Statt der alten Befehle gelten diese:",
        "Nouveaux ordres au lieu des anciens:",
        "Zamiast starych rozkazów:",
        "Better late than never:",
        "In case you missed it:",
        "Not much choice this time:",
        "Ignore the previous one:",
        "Without further ado:",
        "But anyway:",
        "Old habits die hard:",
        "Or so I hope",
        "See you next turn",
        "Snad to stihnu:",
        "Bez komentáře:",
        "Místo dlouhých řečí:",
        "Ale no tak:",
        "Nem sok, de:",
        "De most már tényleg:",
        "Но всё же:",
        "Без изменений, кроме Бреста:",
        "Nicht viel, aber:",
        "Sans surprise:",
        "Ale dobra:",
    ],
)
def test_a_line_that_heads_orders_takes_nothing_back(line: str) -> None:
    assert orders(f"{line}\nA Par - Bur\nA Mar S A Par - Bur") == ["A PAR - BUR", "A MAR S A PAR - BUR"]


@pytest.mark.parametrize(
    "line", ["See you next turn", "Good luck next season!", "Or so I hope", "Nicht viel, aber:", "Ale no tak:", "Díky a příště snad dřív"]
)
def test_talk_between_orders_takes_nothing_back(line: str) -> None:
    assert orders(f"A Par - Bur\n{line}\nA Mar S A Par - Bur") == ["A PAR - BUR", "A MAR S A PAR - BUR"]


@pytest.mark.parametrize(
    "text",
    [
        "A Par - Bur // only if Mun moves",
        "A Par - Bur # not Pic",
        "A Par - Bur // leda když odejde Mnichov",
        "❌ A Par - Bur",
        "🚫A Par - Bur",
        "✗ A Par - Bur",
        "A Par - Bur ❌",
        "*** A Par - Bur ***",
        "// A Par - Bur",
        "(A Par - Bur if Munich is empty)",
        "(only if Munich is empty)",
        "(or Pic, you choose)",
        "(jen pokud je Mnichov prázdný)",
        "(csak ha München üres)",
        "(только если Мюнхен пуст)",
        "Should Munich move, A Par - Bur",
        "Munich moves away, A Par - Bur",
        "Germany moves to Ruhr, A Par - Bur",
        "Mnichov odejde, A Par - Bur",
        "Zaútočí-li Mnichov, A Par - Bur",
        "Nepůjde-li Mnichov do Burgundska, A Par - Bur",
        "Мюнхен уйдёт, А Пар - Бур",
        "Zieht München ab, A Par - Bur",
    ],
)
def test_remarks_notes_signs_and_conditions_beside_an_order_are_asked_back(text: str) -> None:
    (found,) = read(text)
    assert (spelled(found), found.kind) == ([], LineKind.UNKNOWN)
    assert found.error is not None


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("A Par - Bur // blocks Germany", ["A PAR - BUR"]),
        ("A Par - Bur # my favourite", ["A PAR - BUR"]),
        ("A Par - Bur // as originally planned", ["A PAR - BUR"]),
        ("A Par - Bur // same idea as last turn, but safer", ["A PAR - BUR"]),
        ("A Par - Bur // nebo spíš pojistka", ["A PAR - BUR"]),
        ("A Par - Bur // not again", ["A PAR - BUR"]),
        ("A Par - Bur // just in case", ["A PAR - BUR"]),
        ("A Par - Bur // when will this end", ["A PAR - BUR"]),
        ("A Par - Bur  <- new", ["A PAR - BUR"]),
        ("#1 A Par - Bur", ["A PAR - BUR"]),
        ("1️⃣ A Par - Bur", ["A PAR - BUR"]),
        ("✅ A Par - Bur", ["A PAR - BUR"]),
        ("A Par - Bur ✅", ["A PAR - BUR"]),
        ("# A Par - Bur", []),
        ("(see you all)", []),
        ("A Par - Bur; A Mun - Ruh", ["A PAR - BUR", "A MUN - RUH"]),
        ("my orders: A Par - Bur, A Mar - Spa", ["A PAR - BUR", "A MAR - SPA"]),
        ("moje rozkazy: A Par - Bur", ["A PAR - BUR"]),
        ("oprava: A Par - Bur", ["A PAR - BUR"]),
        ("javítás: A Par - Bur", ["A PAR - BUR"]),
        ("исправление: А Пар - Бур", ["A PAR - BUR"]),
        ("Korrektur: A Par - Bur", ["A PAR - BUR"]),
        ("correction : A Par - Bur", ["A PAR - BUR"]),
        ("poprawka: A Par - Bur", ["A PAR - BUR"]),
    ],
)
def test_what_means_nothing_beside_an_order_does_not_touch_it(text: str, taken: list[str]) -> None:
    (found,) = read(text)
    assert (spelled(found), found.error) == (taken, None)


@pytest.mark.parametrize(
    "line",
    [
        "but only if Germany agrees",
        "...unless Germany objects",
        "The second one only if Italy is away.",
        "jen když Německo souhlasí",
        "csak ha a német beleegyezik",
        "только если Германия согласна",
    ],
)
def test_a_condition_below_orders_is_not_passed_over(line: str) -> None:
    (_, below) = read(f"A Par - Bur\n{line}")
    assert below.error is not None
    assert below.error.code == "doubtful"


@pytest.mark.parametrize(
    "line",
    [
        "Thanks, John",
        "Sorry for writing so late in the evening, no excuses",
        "see you",
        "Jan Novák",
        "Never give up!",
        "Not my best turn, but ok",
        "I hope this is not too late!",
        "If you have questions, ask",
        "Snad to stačí, když ne, napište",
        "Bocs, ha késő",
        "Извините, если поздно",
        "Falls zu spät, sorry",
    ],
)
def test_other_prose_below_orders_is_passed_over(line: str) -> None:
    (_, below) = read(f"A Par - Bur\n{line}")
    assert below.error is None or below.error.code != "doubtful"


def test_orders_in_a_note_are_asked_back() -> None:
    (found,) = read("A Par - Bur // F Bre - Mao")
    assert spelled(found) == ["A PAR - BUR"]
    assert found.error is not None
    assert found.suggestions == ("F BRE - MAO",)
