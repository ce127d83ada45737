"""Every legal order, worded in every language, is read back as itself or asked back; a slip never makes another order in silence."""

import random
import re
from collections import Counter

import pytest

from judge.language import Notation, Pen
from judge.rules import Order, Position, legal_orders, write_order
from tests.support.readers import LANGUAGES, LIBRARY, reader, recorded_positions, spelled
from tests.support.wordings import Author, stripped

Sheet = list[tuple[str, Order]]


def author(language: str, chance: random.Random, all_names: bool = True) -> Author:
    tongue = reader().tongues[language]
    return Author(tongue.lexicon, tongue.gazetteer, chance, all_names)


def sheets(position: Position, chance: random.Random, most: int) -> dict[str, list[Order]]:
    """Some of each power's legal orders."""
    listed = {}
    for power, units in legal_orders(position, reader().variant).items():
        orders = [order for each in units.values() for order in each]
        chance.shuffle(orders)
        listed[power] = orders[:most]
    return listed


def disguised(text: str, chance: random.Random) -> str:
    """As typed on a telephone: without accents, in small letters, in capitals."""
    text = stripped(text) if chance.random() < 0.25 else text
    return chance.choice((text, text, text, text.lower(), text.upper()))


def check(position: Position, language: str, chance: random.Random, most: int) -> Counter[str]:
    seen: Counter[str] = Counter()
    for power, orders in sheets(position, chance, most).items():
        texts = [disguised(author(language, chance).write(order), chance) for order in orders]
        prefer = chance.choice(((), (language,)))
        readings = reader().read_lines(texts, position=position, power=power, prefer=prefer)
        for order, reading in zip(orders, readings, strict=True):
            if reading.error is None:
                assert (reading.line, spelled(reading)) == (reading.line, [write_order(order)])
            seen["asked" if reading.error else "right"] += 1
    return seen


@pytest.mark.parametrize("language", LANGUAGES)
def test_legal_orders_are_read_back(language: str) -> None:
    seen: Counter[str] = Counter()
    for number, position in enumerate(recorded_positions(4)):
        seen += check(position, language, random.Random(number), 12)
    assert seen["right"] > 0.97 * sum(seen.values()), seen


@pytest.mark.prove
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_legal_order_of_200_positions_is_read_back(language: str, seed: int) -> None:
    seen: Counter[str] = Counter()
    for number, position in enumerate(recorded_positions(200, seed)):
        seen += check(position, language, random.Random(seed * 1000 + number), 1000)
    print(language, dict(seen))
    assert seen["right"] > 0.98 * sum(seen.values()), seen


@pytest.mark.parametrize("notation", list(Notation))
@pytest.mark.parametrize("language", ["en", "cs", "hu", "ru"])
def test_what_the_judge_writes_it_reads(language: str, notation: Notation) -> None:
    tongue = LIBRARY.tongue(language)
    pen = Pen(tongue.phrases, LIBRARY.pack("standard").gazetteer(language), tongue.lexicon, notation)
    for number, position in enumerate(recorded_positions(3, 5)):
        for power, orders in sheets(position, random.Random(number), 20).items():
            letter = [pen.order(order) for order in orders]
            readings = reader().read_lines(letter, position=position, power=power, prefer=(language,))
            assert [(each.line, spelled(each)) for each in readings] == [
                (line, [write_order(order)]) for line, order in zip(letter, orders, strict=True)
            ]


HOMOGLYPHS = str.maketrans("AaBCcEeHKMOoPpTXxy", "АаВСсЕеНКМОоРрТХху")


@pytest.mark.parametrize("language", ["en", "cs", "hu"])
def test_letters_of_the_other_script_change_nothing(language: str) -> None:
    for number, position in enumerate(recorded_positions(3, 9)):
        chance = random.Random(number)
        for power, orders in sheets(position, chance, 12).items():
            lines = [author(language, chance, False).write(order) for order in orders]
            disguised = ["".join(letter.translate(HOMOGLYPHS) if chance.random() < 0.3 else letter for letter in line) for line in lines]
            readings = reader().read_lines(disguised, position=position, power=power, prefer=(language,))
            for order, line, reading in zip(orders, lines, readings, strict=True):
                assert reading.error or (reading.line, spelled(reading)) == (reading.line, [write_order(order)])
                assert reading.error or reading.warnings or reading.line == line, reading.line


def slipped(text: str, language: str, chance: random.Random) -> str:
    """The text with one letter left out, put in, replaced, or changed with its neighbour."""
    letters = "абвгдежзийклмнопрстуфхцчшщыьэюя" if language == "ru" else "abcdefghijklmnopqrstuvwxyz"
    words = list(re.finditer(r"[^\W\d_]{2,}", text))  # another letter for a unit or verb is another order
    word = chance.choice(words)
    at = chance.randrange(word.start(), word.end())
    match chance.randrange(4):
        case 0:
            return text[:at] + text[at + 1 :]
        case 1:
            return text[:at] + chance.choice(letters) + text[at:]
        case 2:
            return text[:at] + chance.choice(letters) + text[at + 1 :]
        case _:
            return text[:at] + text[at + 1 : at + 2] + text[at] + text[at + 2 :]


def check_slips(language: str, positions: int, most: int, known: bool, seed: int) -> Counter[str]:
    seen: Counter[str] = Counter()
    for number, position in enumerate(recorded_positions(positions, 11)):
        chance = random.Random(seed * 1000 + number)
        for power, orders in sheets(position, chance, most).items():
            for order in orders:
                line = slipped(author(language, chance, False).write(order), language, chance)
                (reading,) = reader().read_lines(
                    [line],
                    position=position if known else None,
                    power=power if known else None,
                    phase=position.phase,
                    prefer=chance.choice(((), (language,))),
                )
                if spelled(reading) == [write_order(order)]:
                    seen["right"] += 1
                else:
                    assert reading.error or reading.warnings, (line, spelled(reading), write_order(order))
                    seen["asked" if reading.error else "told"] += 1
    return seen


@pytest.mark.parametrize("known", [True, False], ids=["position", "board"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_slip_never_makes_another_order_in_silence(language: str, known: bool) -> None:
    seen = check_slips(language, 2, 6, known, 1)
    assert seen["right"] > seen["told"]


@pytest.mark.prove
@pytest.mark.parametrize("known", [True, False], ids=["position", "board"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_many_slips(language: str, known: bool, seed: int) -> None:
    seen = check_slips(language, 20, 40, known, seed)
    print(language, dict(seen))
