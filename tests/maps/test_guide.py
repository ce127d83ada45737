"""docs/maps.md: its example is copied out, checked and played; every key, column and switch is explained in it."""

import json
import re
from dataclasses import fields, replace
from pathlib import Path

import pytest

from judge.board import Terrain, UnitKind
from judge.library import Library, check_map, read_pack, read_variant_folder
from judge.library.boards import BORDER_COLUMNS, BORDER_EXTRAS, KINDS, PROVINCE_COLUMNS, PROVINCE_EXTRAS, WAYS
from judge.library.variants import CALENDAR_KEYS, START_KEYS, TOP_KEYS
from judge.rules import CHOICES, Position, Rulebook, Verdict, adjudicate, read_phase
from tests.support.boards import GUIDE, write_isles
from tests.support.casework import differences, play_case, read_cases

TEXT = GUIDE.read_text(encoding="utf-8")


def game_lines() -> list[dict[str, object]]:
    block = re.search(r"^```jsonl\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    assert block is not None
    return [json.loads(line) for line in block[1].splitlines()]


def test_the_example_is_clean_and_complete(tmp_path: Path) -> None:
    folder = write_isles(tmp_path)
    assert sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()) == [
        "SOURCE.md",
        "borders.csv",
        "cases/landing.toml",
        "names/de.toml",
        "provinces.csv",
        "variant.toml",
    ]
    assert check_map(folder) == ()
    assert read_pack(folder).gazetteer("de").name("MID") == "Mittelinsel"


def test_the_case_of_the_example(tmp_path: Path) -> None:
    folder = write_isles(tmp_path)
    cases = read_cases(folder / "cases" / "landing.toml")
    assert [differences(case, play_case(case, read_variant_folder(folder))) for case in cases] == [[]]


def test_the_game_of_the_example_is_won(tmp_path: Path) -> None:
    variant = read_variant_folder(write_isles(tmp_path))
    position: Position = variant.start
    winners = []
    for line in game_lines():
        assert position.phase == read_phase(str(line["phase"]))
        orders = line["orders"]
        assert isinstance(orders, dict)
        result = adjudicate(position, orders, variant)
        assert not result.refused
        assert all(outcome.verdict in (Verdict.MOVES, Verdict.HOLDS, Verdict.CONVOYS) for outcome in result.outcomes)
        winners.append(result.winner)
        position = result.after
    assert winners == [None, "NORTH"]
    assert sorted(place for place, owner in position.owners.items() if owner == "NORTH") == ["MID", "NHA", "NHI"]


@pytest.mark.parametrize(
    "word",
    sorted(
        [
            *TOP_KEYS - {"start", "powers", "kinds", "calendar", "rules"},
            *CALENDAR_KEYS,
            *START_KEYS,
            *PROVINCE_COLUMNS,
            *PROVINCE_EXTRAS,
            *BORDER_COLUMNS,
            *BORDER_EXTRAS,
            *KINDS,
            *(way for way in WAYS if way),
            *Terrain,
            *(field.name for field in fields(UnitKind) if field.name != "letter"),
            *(field.name for field in fields(Rulebook)),
            *(value for values in CHOICES.values() for value in values),
        ]
    ),
)
def test_the_guide_explains(word: str) -> None:
    assert re.search(rf"`[^`\n]*\b{re.escape(word)}\b[^`\n]*`", TEXT), word


def test_the_guide_gives_the_standard_value_of_each_switch_first() -> None:
    standard = Rulebook()
    for name in (field.name for field in fields(Rulebook)):
        row = re.search(rf"^\| `{name}` \| ([^|]+) \|", TEXT, re.MULTILINE)
        assert row is not None, name
        value = getattr(standard, name)
        assert row[1].split(",")[0].strip().strip("`") == (str(value).lower() if isinstance(value, bool) else str(value))
        assert replace(standard, **{name: value}) == standard


def test_the_page_of_variants_lists_every_board_as_it_is() -> None:
    page = (GUIDE.parent / "variants.md").read_text(encoding="utf-8")
    library = Library()
    listed = {}
    for line in page[page.index("## All boards") :].splitlines()[4:]:
        name, title, powers, provinces, centres, win, begins, rules = (cell.strip() for cell in line.strip("|").split("|"))
        listed[name] = (title, int(powers), int(provinces), int(centres), int(win), begins, "builds anywhere" in rules)
    assert listed == {name: facts_of(library, name) for name in library.variants()}


def facts_of(library: Library, name: str) -> tuple[str, int, int, int, int, str, bool]:
    variant = library.variant(name)
    board = variant.board
    anywhere = variant.rulebook.build_sites in ("any", "any_if_home")
    provinces = len(board.provinces) - len(board.ports)
    return library.title(name), len(variant.powers), provinces, len(board.centres), variant.victory, str(variant.start.phase), anywhere


@pytest.mark.parametrize("reading", range(1, 29))
def test_the_page_of_variants_documents_every_reading_of_warcraft(reading: int) -> None:
    page = (GUIDE.parent / "variants.md").read_text(encoding="utf-8")
    assert re.search(rf"^\| A{reading} \| [^|]+ \| [^|]+ \|", page, re.MULTILINE)
