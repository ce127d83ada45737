"""Every shipped board: as its source has it (counts taken from there by another program), clean, and with its source named."""

import csv
from pathlib import Path

import pytest

from judge.library import Library, check_map, shipped_folder

LIBRARY = Library()
BOARDS = {row["name"]: row for row in csv.DictReader((Path(__file__).parent / "boards.csv").read_text().splitlines())}


def test_every_collected_board_is_shipped() -> None:
    assert set(LIBRARY.variants()) == {*BOARDS, "warcraft"}


@pytest.mark.parametrize("name", BOARDS)
def test_the_board_is_that_of_its_source(name: str) -> None:
    variant = LIBRARY.variant(name)
    board, start = variant.board, variant.start
    steps = {letter: sum(map(len, table.values())) for letter, table in board.passages.items()}
    assert {
        "name": variant.name,
        "powers": str(len(variant.powers)),
        "provinces": str(len(board.provinces)),
        "centres": str(len(board.centres)),
        "victory": str(variant.victory),
        "start": str(start.phase),
        "units": str(sum(map(len, start.units.values()))),
        "owned": str(len(start.owners)),
        "army_steps": str(steps["A"]),
        "fleet_steps": str(steps["F"]),
    } == BOARDS[name]


@pytest.mark.parametrize("name", LIBRARY.variants())
def test_the_board_is_clean_and_names_its_source(name: str) -> None:
    assert check_map(shipped_folder("maps") / name) == ()
    about = LIBRARY.about(name)
    assert about.title
    assert about.source.startswith("# Where ")


def test_warcraft_as_the_source_text_describes_it() -> None:
    variant = LIBRARY.variant("warcraft")
    board = variant.board
    regions = [place for place in board.provinces if not place.startswith("W")]
    assert len(regions) == 104
    assert len(board.ports) == 41
    assert (len(board.centres), variant.victory) == (50, 26)
    assert {power: sorted(homes, key=int) for power, homes in board.homes.items()} == {
        "DRAENEI": ["1", "2", "3"],
        "NIGHTELVES": ["4", "5", "6"],
        "ORCS": ["22", "23", "24"],
        "TAUREN": ["26", "27", "28"],
        "BLOODELVES": ["58", "59", "60"],
        "UNDEAD": ["65", "66", "67"],
        "DWARVES": ["76", "77", "78"],
        "HUMANS": ["86", "87", "88"],
    }
    assert all(
        {str(unit) for unit in variant.start.units[power]} == {f"P {home}" for home in homes} for power, homes in board.homes.items()
    )
    ways = {port: {way for way, ends in board.ports.items() if port in ends} for port in ("5", "60", "70")}
    assert ways == {"5": {"W5-7", "W5-46"}, "60": {"W58-60", "W60-70"}, "70": {"W60-70", "W70-71", "W70-82"}}


@pytest.mark.parametrize(
    ("kind", "at", "to", "open_"),
    [
        ("P", "60", "61", True),
        ("P", "65", "66", True),
        ("L", "61", "63", True),
        ("P", "71", "74", True),
        ("P", "72", "75", True),
        ("L", "71", "75", False),
        ("L", "72", "74", False),
        ("P", "1", "2", True),  # a bridge
        ("P", "65", "69", False),  # wings only
        ("L", "65", "69", True),
        ("L", "40", "43", False),  # the nameless place lies between
        ("P", "W5-7", "5", True),
        ("P", "W5-7", "W5-46", True),
        ("L", "W60-70", "W70-82", True),
        ("P", "W60-70", "61", False),
    ],
)
def test_who_passes_on_the_warcraft_board(kind: str, at: str, to: str, open_: bool) -> None:
    board = LIBRARY.variant("warcraft").board
    neighbours = {str(place): {str(end) for end in ends} for place, ends in board.passages[kind].items()}
    assert (to in neighbours[at]) is open_
    assert (at in neighbours[to]) is open_


def test_calendars() -> None:
    def first_phases(name: str, count: int) -> str:
        variant = LIBRARY.variant(name)
        phase, found = variant.start.phase, []
        for _ in range(count):
            found.append(str(phase))
            phase = variant.calendar.next(phase)
        return " ".join(found)

    assert first_phases("standard", 6) == "S1901M S1901R F1901M F1901R W1901A S1902M"
    assert first_phases("warcraft", 6) == "S1M S1R F1M F1R F1A S2M"
    assert first_phases("chaos", 2) == "W1900A S1901M"
    assert first_phases("age_of_pericles", 6) == "S480M S480R F480M F480R W480A S479M"
    assert first_phases("hundred", 6) == "S1425M S1425R F1430M F1430R W1430A S1435M"


def test_passages_are_one_way_only_where_the_source_says_so() -> None:
    for name in LIBRARY.variants():
        passages = LIBRARY.variant(name).board.passages
        one_way = {
            f"{letter} {start} - {end}"
            for letter, table in passages.items()
            for start, ends in table.items()
            for end in ends
            if start not in table[end]
        }
        assert one_way == ({"F CNS - GRA", "F CNS - IRO", "F CNS - WOO"} if name == "northseawars" else set()), name
