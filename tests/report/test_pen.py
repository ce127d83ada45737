"""Orders, phases and verdicts spelled out, and read back as what they are."""

import random
from dataclasses import dataclass, replace
from functools import cache

import pytest

from judge.board import Location
from judge.language import Gazetteer, Lexicon, Notation, Pen, Reader
from judge.rules import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    OrderOf,
    Outcome,
    Position,
    Retreat,
    SupportHold,
    SupportMove,
    Unit,
    Verdict,
    Waive,
    Why,
    legal_orders,
    read_order,
    read_phase,
)
from tests.support.golden_game import library, scribe, variant

LANGUAGES = ("en", "cs", "hu", "ru")
PAR, MAR, BUR, LON, NWY, NTH, STP = (Location(name) for name in ("PAR", "MAR", "BUR", "LON", "NWY", "NTH", "STP/SC"))


@dataclass(frozen=True)
class Words:
    lexicon: Lexicon
    gazetteer: Gazetteer


@cache
def reader(name: str) -> Reader:
    pack = library().pack(name)
    return Reader(pack.variant, {lang: Words(library().tongue(lang).lexicon, pack.gazetteer(lang)) for lang in library().tongues()})


def pen(language: str, notation: Notation = Notation.SHORT, name: str = "standard") -> Pen:
    return scribe().pen(name, language, notation)


@pytest.mark.parametrize(
    ("notation", "language", "expected"),
    [
        (Notation.CANONICAL, "ru", "A LON - NWY VIA"),
        (Notation.SHORT, "cs", "A Lon - Nwy VIA"),
        (Notation.LONG, "en", "Army London to Norway via convoy"),
        (Notation.LONG, "cs", "Armáda Londýn – Norsko (konvojem)"),
        (Notation.LONG, "hu", "Hadsereg London – Norvégia (konvojjal)"),
        (Notation.LONG, "ru", "Армия Лондон — Норвегия (конвоем)"),
    ],
)
def test_one_order_in_every_notation(notation: Notation, language: str, expected: str) -> None:
    assert pen(language, notation).order(Move(Unit("A", LON), NWY, via=True)) == expected


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "Army Marseilles supports army Paris to Burgundy"),
        ("cs", "Armáda Marseille podporuje armádu Paříž – Burgundsko"),
        ("hu", "Hadsereg Marseille támogatja: hadsereg Párizs – Burgundia"),
        ("ru", "Армия Марсель поддерживает армию Париж — Бургундия"),
    ],
)
def test_a_support_in_long_notation(language: str, expected: str) -> None:
    assert pen(language, Notation.LONG).order(SupportMove(Unit("A", MAR), Unit("A", PAR), BUR)) == expected


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", ("Spring 1901", "Fall 1901, retreats", "Winter 1901, adjustments")),
        ("cs", ("jaro 1901", "podzim 1901, ústupy", "zima 1901, stavby")),
        ("hu", ("1901 tavasz", "1901 ősz, visszavonulások", "1901 tél, építések")),
        ("ru", ("весна 1901", "осень 1901, отступления", "зима 1901, постройки")),
    ],
)
def test_phases(language: str, expected: tuple[str, ...]) -> None:
    assert tuple(pen(language).phase(read_phase(text)) for text in ("S1901M", "F1901R", "W1901A")) == expected


@pytest.mark.parametrize("language", LANGUAGES)
def test_seats(language: str) -> None:
    titles = [pen(language).power(key) for key in ("FRANCE", "MASTER", "MASTER-2", "OBSERVER-3")]
    assert len(set(titles)) == 4
    assert "2" in titles[2]
    assert ("3. " if language == "hu" else " 3") in titles[3]


def shapes(unit: Unit) -> tuple[Order, ...]:
    """One order of each shape that a movement phase does not have."""
    return (Retreat(unit, BUR), Disband(unit), Build(unit), Waive())


@pytest.mark.parametrize("notation", Notation)
@pytest.mark.parametrize("language", LANGUAGES)
def test_retreats_builds_and_removals_are_read_back(language: str, notation: Notation) -> None:
    for phase, order in (
        ("F1901R", Retreat(Unit("A", MAR), BUR)),
        ("F1901R", Disband(Unit("A", MAR))),
        ("W1901A", Disband(Unit("F", NTH))),
        ("W1901A", Build(Unit("A", PAR))),
        ("W1901A", Build(Unit("F", STP))),
        ("W1901A", Waive()),
    ):
        line = pen(language, notation).order(order)
        read = reader("standard").read_lines([line], phase=read_phase(phase), prefer=(language,))[0]
        assert read.orders == (order,), (line, read.error)


def random_position(name: str, seed: int) -> Position:
    board = variant(name).board
    chance = random.Random(seed)  # positions, not secrets
    places = [(kind, place) for kind, table in board.passages.items() for place in sorted(table)]
    chance.shuffle(places)
    taken: dict[str, Unit] = {}
    for kind, place in places:
        taken.setdefault(place.province, Unit(kind, place))
    units = list(taken.values())[:20]
    powers = board.powers
    shared = {power: tuple(sorted(units[index :: len(powers)])) for index, power in enumerate(powers)}
    return replace(variant(name).start, units=shared, owners={})


@pytest.mark.parametrize("notation", Notation)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["standard", "warcraft"])
def test_legal_orders_are_read_back(name: str, language: str, notation: Notation) -> None:
    position = random_position(name, len(language + notation))
    for power, units in legal_orders(position, variant(name)).items():
        for orders in units.values():
            for order in list(orders)[::5]:
                line = pen(language, notation, name).order(order)
                read = reader(name).read_lines([line], position=position, power=power, prefer=(language,))[0]
                assert (read.orders, read.error) == ((order,), None), line


BOUNCED = Outcome(
    "FRANCE",
    read_order("A MUN - SIL"),
    True,
    Verdict.BOUNCES,
    False,
    Why("bounced_by", by=(OrderOf("RUSSIA", read_order("A WAR - SIL")),), attack=1, prevent=1),
)


@pytest.mark.parametrize(
    ("language", "sentence", "own"),
    [
        ("en", "bounced: A War - Sil also came: 1 against 1", "A War - Sil (Russia) also came: 1 against 1"),
        ("cs", "odražena: tamtéž šla A War - Sil, 1 proti 1", "tamtéž šla A War - Sil (Rusko), 1 proti 1"),
        ("hu", "visszaverték: ugyanoda tartott A War - Sil, 1:1", "ugyanoda tartott A War - Sil (Oroszország), 1:1"),
        ("ru", "ход отбит: туда же идёт A War - Sil, 1 против 1", "туда же идёт A War - Sil (Россия), 1 против 1"),
    ],
)
def test_a_verdict_in_words(language: str, sentence: str, own: str) -> None:
    assert pen(language).sentence(BOUNCED) == sentence
    assert pen(language).reasons(BOUNCED, "FRANCE") == (own,)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_goes_without_saying_is_not_said_in_letters(language: str) -> None:
    moved = Outcome("FRANCE", Move(Unit("A", PAR), BUR), True, Verdict.MOVES, False, Why("unopposed"))
    assert pen(language).reasons(moved) == ()
    assert pen(language).verdict(Verdict.MOVES) in pen(language).sentence(moved)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_shape_of_order_is_spelled_apart(language: str) -> None:
    army, fleet = Unit("A", PAR), Unit("F", NTH)
    orders = (
        Hold(army),
        Move(army, BUR),
        Move(army, BUR, via=True),
        SupportHold(army, Unit("A", MAR)),
        SupportMove(army, Unit("A", MAR), BUR),
        Convoy(fleet, Unit("A", LON), NWY),
        *shapes(army),
    )
    for notation in Notation:
        assert len({pen(language, notation).order(order) for order in orders}) == len(orders)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_missing_convoy_of_several_fleets_names_each_fleet_once(language: str) -> None:
    needs = read_order("F NTH C A LON - STP")
    assert isinstance(needs, Convoy)
    seas = tuple(Location(name) for name in ("NTH", "NWG", "BAR"))
    spell = pen(language)
    said = spell.why(Why("no_convoy_ordered", places=seas, needs=needs), Move(Unit("A", LON), STP, via=True))
    names = [spell.place(sea) for sea in seas]
    assert [said.upper().count(name.upper()) for name in names] == [1, 1, 1], said
