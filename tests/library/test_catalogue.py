"""The library: every variant and language by name, the operator's over the shipped ones."""

from pathlib import Path

import pytest

from judge.board import Location
from judge.library import BadMap, Library, read_pack, read_variant
from tests.support.boards import change, write_isles


def test_a_pack_is_read_once() -> None:
    library = Library()
    assert library.pack("standard") is library.pack("standard")
    assert library.variant("standard") is library.variant("standard")


def test_an_operators_board_replaces_the_shipped_one_of_that_name_whole(tmp_path: Path) -> None:
    isles = write_isles(tmp_path)
    isles.rename(tmp_path / "pure")
    library = Library(maps=[tmp_path])
    assert library.variant("pure").powers == ("NORTH", "SOUTH")
    assert library.about("pure").title == "Isles"
    assert len(Library().variant("pure").powers) == 7


def test_a_board_may_be_based_on_a_shipped_one(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "variant.toml").write_text(
        'title = "Mine"\nbased_on = "standard"\n[start.units]\nTURKEY = ["A ANK"]\n[rules]\nbuild_sites = "any"\n'
    )
    (folder / "provinces.csv").write_text("id,name,kind,coasts,centre,home\nNAF,Africa,coast,,yes,\n")
    (folder / "borders.csv").write_text("from,to,units,way\nPAR,BUR,A,closed\nPAR,MAR,A,\n")
    variant = Library(maps=[tmp_path]).variant("mine")
    assert {power: len(units) for power, units in variant.start.units.items() if units} == {"TURKEY": 1}
    assert variant.board.provinces["NAF"].name == "Africa"
    assert len(variant.board.centres) == 35
    assert variant.board.neighbours("A", Location("PAR")) == {"BRE", "PIC", "GAS", "MAR"}
    assert variant.rulebook.build_sites == "any"
    assert variant.victory == 18
    assert variant.calendar == read_variant("standard").calendar


@pytest.mark.parametrize("text", ["standard", "Standard", "STANDARD"])
def test_a_variant_is_known_by_name_in_any_case(text: str) -> None:
    assert Library().find_variant(text) == "standard"


@pytest.mark.parametrize(
    ("text", "name"), [("Fleet Rome", "fleet_rome"), ("fleet-rome", "fleet_rome"), ("World Diplomacy IX", "world"), ("atlantis", None)]
)
def test_a_variant_is_known_by_its_title(text: str, name: str | None) -> None:
    assert Library().find_variant(text) == name


def test_a_broken_board_hides_no_other(tmp_path: Path) -> None:
    folder = write_isles(tmp_path)
    (folder / "variant.toml").write_text("= broken")
    library = Library(maps=[tmp_path])
    assert library.find_variant("Fleet Rome") == "fleet_rome"
    with pytest.raises(BadMap, match=r"variant\.toml:1: is no TOML"):
        library.pack("isles")


def test_an_error_names_the_first_fault_and_holds_all(tmp_path: Path) -> None:
    folder = write_isles(tmp_path)
    line = change(folder / "borders.csv", "NHA,NHI,A", "NHA,NHX,A")
    change(folder / "variant.toml", '"F SHA"', '"F SHX"')
    with pytest.raises(BadMap, match=rf"borders\.csv:{line}: the place NHX is unknown\. Name provinces") as caught:
        read_pack(folder)
    assert len(caught.value.findings) == 2


def test_what_a_variant_says_about_itself() -> None:
    about = Library().about("age_of_pericles")
    assert (about.title, about.version, about.era) == ("Age of Pericles", 1, "BC")
    assert "Sleepcap/vDiplomacy" in about.source


# --- names


def test_names_come_from_the_table_and_other_languages_are_laid_over_them(tmp_path: Path) -> None:
    pack = read_pack(write_isles(tmp_path))
    assert sorted(pack.gazetteers) == ["de", "en"]
    assert pack.gazetteer("de").name("NSE") == "Nordsee"
    assert pack.gazetteer("de").name("SHA") == "South Haven"
    assert pack.gazetteer("de").power_name("NORTH") == "Nordland"
    assert pack.gazetteer("en").name("NSE") == "Northern Sea"
    assert [name.forms for name in pack.gazetteer("en").places["NSE"].names] == [("Northern Sea",), ("Cold Sea",)]
    assert pack.gazetteer("en").places["NSE"].short == ("NS",)
    assert pack.gazetteer("cs") is pack.gazetteer("en")


def test_a_base_lends_its_names_for_what_the_board_has() -> None:
    pack = Library().pack("chaos")
    assert pack.gazetteer("en").power_name("ST_PETERSBURG") == "St Petersburg"
    assert "AUSTRIA" not in pack.gazetteer("en").powers
    assert pack.gazetteer("en").places == Library().pack("standard").gazetteer("en").places


def test_every_place_has_a_name_in_every_language() -> None:
    for name in ("standard", "warcraft", "brazilian"):
        pack = Library().pack(name)
        for gazetteer in pack.gazetteers.values():
            assert all(gazetteer.places[place].names for place in pack.variant.board.provinces)
            assert all(gazetteer.powers[power].names for power in pack.variant.powers)
