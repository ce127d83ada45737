"""Orders echoed in every language and notation are read back: builds, removals, retreats, coasts, and other boards."""

import random
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from judge.language import Notation, Pen
from judge.rules import Order, Phase, Position, Step, legal_orders, read_position, write_order
from tests.support.readers import LIBRARY, reader, recorded_positions, spelled

WRITTEN = ("en", "cs", "hu", "ru")

WINTER = {
    "phase": "W1903A",
    "units": {
        "RUSSIA": ["A MOS"],
        "TURKEY": ["A SMY", "F ANK", "A CON", "F BUL/EC"],
        "FRANCE": ["F SPA/NC", "A BUR"],
    },
    "centers": {
        "RUSSIA": ["STP", "WAR", "SEV", "MOS", "NWY"],
        "TURKEY": ["ANK", "SMY", "CON"],
        "FRANCE": ["PAR", "MAR", "BRE", "SPA", "POR"],
    },
}
"""Builds on both coasts of St Petersburg and waived, removals from a coast."""

RETREATS = {
    "phase": "F1903R",
    "units": {"RUSSIA": ["F CON", "A FIN"], "GERMANY": ["A NWY"], "ENGLAND": ["F LYO"], "ITALY": ["A SPA"]},
    "dislodged": [
        {"unit": "F BUL/EC", "power": "TURKEY", "from": "CON", "retreats": ["BLA", "RUM"]},
        {"unit": "F NWY", "power": "ENGLAND", "from": "FIN", "retreats": ["STP/NC", "SKA", "NTH"]},
        {"unit": "F MAR", "power": "FRANCE", "from": "LYO", "retreats": ["SPA/SC"]},
    ],
}

COASTS = {
    "phase": "S1904M",
    "units": {
        "FRANCE": ["F MAO", "F SPA/SC", "A MAR", "F POR"],
        "RUSSIA": ["F STP/NC", "F BAR"],
        "TURKEY": ["F BUL/EC", "F CON", "F AEG", "A GRE"],
    },
}


@cache
def pen(language: str, notation: Notation, board: str) -> Pen:
    tongue = LIBRARY.tongue(language)
    return Pen(tongue.phrases, LIBRARY.pack(board).gazetteer(language), tongue.lexicon, notation)


def orders_of(position: Position, board: str, most: int, seed: int) -> dict[str, list[Order]]:
    """Some of each power's legal orders."""
    chance = random.Random(seed)
    listed = {}
    for power, units in legal_orders(position, reader(board).variant).items():
        orders = [order for each in units.values() for order in each]
        chance.shuffle(orders)
        listed[power] = orders[:most]
    return listed


def check(position: Position, language: str, notation: Notation, board: str, most: int = 60, seed: int = 1) -> int:
    spelled_out = 0
    for power, orders in orders_of(position, board, most, seed).items():
        letter = [pen(language, notation, board).order(order) for order in orders]
        readings = reader(board).read_lines(letter, position=position, power=power, prefer=(language,))
        assert [(each.line, spelled(each)) for each in readings] == [
            (line, [write_order(order)]) for line, order in zip(letter, orders, strict=True)
        ]
        spelled_out += len(orders)
    return spelled_out


@pytest.mark.parametrize("notation", list(Notation))
@pytest.mark.parametrize("language", WRITTEN)
@pytest.mark.parametrize("case", [WINTER, RETREATS, COASTS], ids=["winter", "retreats", "coasts"])
def test_builds_removals_retreats_and_coasts(case: dict[str, Any], language: str, notation: Notation) -> None:
    assert check(read_position(case, reader().variant), language, notation, "standard", 1000) > 5


@pytest.mark.parametrize("language", WRITTEN)
def test_winters_of_recorded_games(language: str) -> None:
    winters = [position for position in recorded_positions(60, 3) if position.phase.step is Step.ADJUSTMENT]
    assert len(winters) > 8
    assert sum(check(position, language, Notation.LONG, "standard", 100) for position in winters[:12]) > 30


@pytest.mark.parametrize("notation", list(Notation))
@pytest.mark.parametrize("language", WRITTEN)
@pytest.mark.parametrize("board", ["warcraft", "ancientmediterranean"])
def test_other_boards(board: str, language: str, notation: Notation) -> None:
    variant = reader(board).variant
    assert check(variant.start, language, notation, board) > 20


@pytest.mark.parametrize("language", WRITTEN)
@pytest.mark.parametrize("board", ["warcraft", "ancientmediterranean"])
def test_builds_on_other_boards(board: str, language: str) -> None:
    """Every power has lost all but one of its units, so that it may build some of each kind."""
    start = reader(board).variant.start
    season = next(season for season, step in reader(board).variant.calendar.round if step is Step.ADJUSTMENT)
    left = {power: units[:1] for power, units in start.units.items()}
    winter = replace(start, phase=Phase(start.phase.year, season, Step.ADJUSTMENT), units=left)
    assert check(winter, language, Notation.LONG, board, 200) > 10
