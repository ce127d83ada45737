"""What `judge map check` finds: each row spoils one thing in a clean folder and names file, line and a word of the finding."""

import random
from pathlib import Path

import pytest
from click.testing import CliRunner

from judge.cli import main
from judge.library import check_map
from tests.support.boards import change, copy_map, write_isles

SPOILT = [
    # file, old, new, word of the finding
    ("variant.toml", "victory = 3", "victory = 9", "victory at 9 of 5"),
    ("variant.toml", "victory = 3", 'victory = "three"', "no whole number"),
    ("variant.toml", "version = 1", "verison = 1", "verison is unknown"),
    ("variant.toml", 'SOUTH = { name = "Southland" }', 'South = { name = "Southland" }', "“South” is no id"),
    ("variant.toml", 'terrains = ["coast", "sea"]', 'terrains = ["coast", "see"]', "“see” is unknown"),
    ("variant.toml", "convoyed = true", "convoyed = 'yes'", "neither true nor false"),
    ("variant.toml", '{ name = "Southland" }', '"Southland"', "powers.SOUTH is no table"),
    ("variant.toml", '{ name = "Southland" }', "{ name = 7 }", "name of SOUTH is no text"),
    ("variant.toml", "convoyed = true", "convoyable = true", "convoyable of a kind"),
    ("variant.toml", 'round = ["SM", "SR", "FM", "FR", "WA"]', 'round = ["SM", "SR", "FM", "FR", "W"]', "“W” is no step"),
    ("variant.toml", 'counts_after = "FR"', 'counts_after = "WR"', "“WR” is not in the round"),
    ("variant.toml", 'phase = "S1M"', 'phase = "X1M"', "“X1M” is none"),
    ("variant.toml", 'phase = "S1M"', 'phase = "spring"', "“spring” is none"),
    ("variant.toml", '"A NHI"', '"A NHX"', "“A NHX” is no unit"),
    ("variant.toml", '"A NHI"', '"G NHI"', "“G NHI” is no unit"),
    ("variant.toml", '"A NHI"', '"F NHI"', "fleet cannot stand at NHI"),
    ("variant.toml", '"A NHI"', '"F MID"', "fleet cannot stand at MID"),
    ("variant.toml", '"A NHI"', '"A NHA"', "A NHA stands where F NHA stands"),
    ("variant.toml", '"A NHI"', '"A ROC"', "“A ROC” is no unit"),
    ("variant.toml", "[start.units]", "[start.owners]\nNORTH = ['NSE']\n[start.units]", "NSE is no centre"),
    ("variant.toml", "[start.units]", "[start.owners]\nNORTH = ['MID']\nSOUTH = ['MID']\n[start.units]", "belongs to NORTH and SOUTH"),
    ("variant.toml", "[start.units]", "[start.owners]\nEAST = ['MID']\n[start.units]", "EAST is unknown"),
    ("variant.toml", "[start.units]", "[rules]\nbuild_site = 'any'\n[start.units]", "build_site is unknown"),
    ("variant.toml", "[start.units]", "[rules]\nbuild_sites = 'anywhere'\n[start.units]", "cannot be “anywhere”"),
    ("variant.toml", "[start.units]", "[rules]\nswap_allowed = 1\n[start.units]", "cannot be 1"),
    ("variant.toml", "[start.units]", "[rules]\nedition = '1959'\n[start.units]", "“1959” is unknown"),
    ("variant.toml", "victory = 3", "victory = 3\nconvoy_coasts = ['NSE']", "NSE is no coast"),
    ("variant.toml", "victory = 3", "victory = 3\nbased_on = 'atlantis'", "no variant “atlantis”"),
    ("variant.toml", "victory = 3", "victory = 3\nbased_on = 'isles'", "based on this variant itself"),
    ("variant.toml", "version = 1", "version = 1 1", "is no TOML"),
    ("provinces.csv", "SHA,South Haven,coast,,yes,SOUTH", "SHA,South Haven,coats,,yes,SOUTH", "“coats” is unknown"),
    ("provinces.csv", "SHA,South Haven,coast,,yes,SOUTH", "SHA,South Haven,coast,,yes,SUOTH", "SUOTH is unknown"),
    ("provinces.csv", "SHA,South Haven,coast,,yes,SOUTH", "SHA,South Haven,coast,,,SOUTH", "is a home but no centre"),
    ("provinces.csv", "SHA,South Haven,coast,,yes,SOUTH", "SHA,South Haven,coast,,ja,SOUTH", "centre says “ja”"),
    ("provinces.csv", "SHA,South Haven", "SHA,", "SHA has no name"),
    ("provinces.csv", "SHA,South Haven", "Sha!,South Haven", "“Sha!” is no id"),
    ("provinces.csv", "SHI,South Hills", "SHA,South Hills", "SHA stands here and in line"),
    ("provinces.csv", "NC SC", "NC", "cannot have the coasts “NC”"),
    ("provinces.csv", "NSE,Northern Sea,sea,,", "NSE,Northern Sea,sea,NC SC,", "cannot have the coasts"),
    ("provinces.csv", "Warm Sea;SS", "Cold Sea;SS", "“Cold Sea” means SSE here and NSE"),
    ("provinces.csv", "South Hills", "Middle Isle", "“Middle Isle” means"),
    ("provinces.csv", "Warm Sea;SS", "Warm Sea;shi", "“shi” means"),
    ("provinces.csv", "SS,120,250", "SS,120,", "SSE has no place on the map"),
    ("provinces.csv", "id,name,kind,coasts", "id,name,kind,coast", "coast” is unknown"),
    ("borders.csv", "NHA,NHI,A", "NHA,NHX,A", "place NHX is unknown"),
    ("borders.csv", "NHA,NHI,A", "NHA,ROC,A", "place ROC is unknown"),
    ("borders.csv", "MID/NC,NSE,F", "MID/EC,NSE,F", "place MID/EC is unknown"),
    ("borders.csv", "MID/NC,NSE,F", "MID,NSE,F", "fleet (F) cannot stand at MID"),
    ("borders.csv", "NHA,NHI,A", "NHA,NHI,AF", "fleet (F) cannot stand in NHI"),
    ("borders.csv", "NHA,NHI,A", "NHA,NHI,Q", "no kind of unit is called Q"),
    ("borders.csv", "NHA,NHI,A", "NHA,NHI,", "names no kind of unit"),
    ("borders.csv", "NHA,NHI,A", "NHA,NHA,A", "NHA borders itself"),
    ("borders.csv", "NSE,SSE,F,,", "NSE,SSE,F,oneway,", "way says “oneway”"),
    ("borders.csv", "NSE,SSE,F,,", "NSE,SSE,F,one-way,", "F NSE - SSE is one-sided"),
    ("borders.csv", "SHA,SSE,F,,", "SHA,SSE,F,,\nSSE,SHA,F,,", "stands also in line 7"),
    ("borders.csv", "SHA,SSE,F,,", "SHA,SSE,F,,,,", "has 7 cells"),
    ("names/de.toml", "SSE = ", "SSX = ", "no such place"),
    ("names/de.toml", 'short = ["Süd"]', 'short = ["Nord"]', "“Nord” means"),
    ("names/de.toml", 'short = ["Nord"]', 'short = ["mid"]', "“mid” means NSE here and MID (line 11)"),
    ("names/de.toml", 'SOUTH = { names = ["Südland"]', 'EAST = { names = ["Südland"]', "no such power"),
    ("cases/landing.toml", '"A SHI - SHA"', '"A SHI -> SHA"', "means nothing on this board"),
    ("cases/landing.toml", '"F SSE", ', '"F WSE", ', "“F WSE” means nothing"),
    ("cases/landing.toml", 'phase = "F1M"', 'phase = "W1M"', "“W1M” means nothing"),
]


def test_the_example_of_the_guide_is_clean(tmp_path: Path) -> None:
    assert check_map(write_isles(tmp_path)) == ()


@pytest.mark.parametrize(("file", "old", "new", "word"), SPOILT, ids=[f"{row[0]}-{row[3]}" for row in SPOILT])
def test_one_thing_spoilt(tmp_path: Path, file: str, old: str, new: str, word: str) -> None:
    folder = write_isles(tmp_path)
    line = change(folder / file, old, new)
    found = check_map(folder)
    matching = [finding for finding in found if word in finding.text]
    assert matching, found
    assert matching[0].file.endswith(file)
    first = 1 if "case" in file else line  # faults of a case are placed at its beginning
    assert matching[0].line in range(first, line + new.count("\n") + 1), (matching[0], line)
    assert matching[0].remedy


def test_a_province_that_nothing_reaches_and_an_island(tmp_path: Path) -> None:
    folder = write_isles(tmp_path)
    change(folder / "borders.csv", "SHA,SHI,A,,\n", "")
    change(folder / "borders.csv", "NSE,SSE,F,,\n", "")
    texts = [finding.text for finding in check_map(folder)]
    assert "no border leads to SHI" in texts
    # the isle joins the two seas for nobody, but both coasts are one province
    assert not any("no way leads" in text for text in texts)
    change(folder / "borders.csv", "MID/SC,SSE,F,,\n", "")
    assert any("no way leads" in finding.text for finding in check_map(folder))


def test_a_power_with_nothing(tmp_path: Path) -> None:
    folder = write_isles(tmp_path)
    line = change(folder / "variant.toml", "[kinds.A]", 'EAST = { name = "Eastland" }\n\n[kinds.A]')
    assert [(f.line, f.text) for f in check_map(folder)] == [(line, "EAST begins without a unit and without a centre")]


@pytest.mark.parametrize("missing", ["variant.toml", "provinces.csv", "borders.csv"])
def test_a_missing_file(tmp_path: Path, missing: str) -> None:
    folder = write_isles(tmp_path)
    (folder / missing).unlink()
    assert any(f.text == "the file is missing" and f.file.endswith(missing) for f in check_map(folder))


def test_one_look_finds_every_fault(tmp_path: Path) -> None:
    folder = write_isles(tmp_path)
    lines = [
        (folder / "borders.csv", change(folder / "borders.csv", "NHA,NHI,A", "NHA,NHX,A")),
        (folder / "borders.csv", change(folder / "borders.csv", "SHA,SHI,A", "SHA,SHX,A")),
        (folder / "variant.toml", change(folder / "variant.toml", '"F SHA"', '"F SHX"')),
    ]
    found = {(f.file, f.line) for f in check_map(folder)}
    assert found >= {(str(path), line) for path, line in lines}


# --- the picture of the standard board


def test_a_border_taken_out_of_the_standard_board_shows_in_its_picture(tmp_path: Path) -> None:
    folder = copy_map("standard", tmp_path)
    change(folder / "borders.csv", "BUR,MAR,A\n", "")
    assert [f.text for f in check_map(folder)] == ["BUR and MAR touch in geometry.topo.json but share no border"]


def test_a_border_that_the_picture_does_not_show(tmp_path: Path) -> None:
    folder = copy_map("standard", tmp_path)
    line = change(folder / "borders.csv", "BUR,MAR,A\n", "BUR,MAR,A\nPAR,MAR,A\n") + 1
    assert [(f.line, f.text) for f in check_map(folder)] == [(line, "MAR and PAR do not touch in geometry.topo.json")]


def test_a_border_one_way_on_the_standard_board(tmp_path: Path) -> None:
    folder = copy_map("standard", tmp_path)
    change(folder / "borders.csv", "from,to,units\n", "from,to,units,way\n")
    line = change(folder / "borders.csv", "BUR,MAR,A\n", "BUR,MAR,A,one-way\n")
    assert [(f.line, f.text) for f in check_map(folder)] == [(line, "A BUR - MAR is one-sided")]


def test_a_missing_anchor_a_missing_coast_and_an_unknown_one(tmp_path: Path) -> None:
    folder = copy_map("standard", tmp_path)
    line = change(folder / "anchors.json", '"MUN": {', '"MUX": {')
    coast = change(folder / "anchors.json", '"sc": [806.0, 245.0]', '"ec": [806.0, 245.0]')
    assert [(f.line, f.text) for f in check_map(folder) if "anchor" in f.file] == [
        (3, "MUN has no anchor"),
        (line, "the place MUX is unknown"),
        (coast, "STP has no anchor for its coast SC"),
    ]


def test_a_centre_without_a_dot_and_a_colour_that_is_none(tmp_path: Path) -> None:
    folder = copy_map("standard", tmp_path)
    line = change(folder / "anchors.json", '"sc": [821.0, 270.0], ', "")
    assert [(f.line, f.text) for f in check_map(folder)] == [(line, "STP has no anchor for its centre (sc)")]
    folder = copy_map("pure", tmp_path)
    (folder / "style.toml").write_text('[powers]\nFRANCE = { tint = "blue", strong = "#000000" }\n')
    assert ["FRANCE needs tint and strong" in f.text for f in check_map(folder)] == [True]


# --- whatever somebody types

NOISE = ("", '"', "'", "[", "]", "{", "}", "=", ",", "\n", "#", "0", "-1", "x", "é", "/", "  ", "true", "[[case]]", "way", ";", "NSE")


@pytest.mark.parametrize("file", ["variant.toml", "provinces.csv", "borders.csv", "names/de.toml", "cases/landing.toml"])
def test_no_slip_of_the_pen_stops_the_check(tmp_path: Path, file: str) -> None:
    chance = random.Random(file)
    folder = write_isles(tmp_path)
    text = (folder / file).read_text(encoding="utf-8")
    for _ in range(120):
        start = chance.randrange(len(text))
        end = min(len(text), start + chance.choice((0, 1, 1, 3, 12)))
        (folder / file).write_text(text[:start] + chance.choice(NOISE) + text[end:], encoding="utf-8")
        for finding in check_map(folder):
            assert not finding.file.endswith(file) or finding.line <= text.count("\n") + 3
            assert finding.text


def test_no_slip_in_the_anchors_stops_the_check(tmp_path: Path) -> None:
    chance = random.Random(1)
    folder = copy_map("standard", tmp_path)
    path = folder / "anchors.json"
    text = path.read_text(encoding="utf-8")
    for _ in range(40):
        start = chance.randrange(len(text))
        path.write_text(text[:start] + chance.choice(NOISE) + text[start + chance.choice((0, 1, 5)) :], encoding="utf-8")
        check_map(folder)


# --- the command


def test_the_command_names_faults_and_ends_with_one(tmp_path: Path) -> None:
    folder = write_isles(tmp_path)
    clean = CliRunner().invoke(main, ["map", "check", str(folder), "standard"])
    assert (clean.exit_code, clean.output) == (0, f"{folder}: no faults\nstandard: no faults\n")
    line = change(folder / "borders.csv", "NHA,NHI,A", "NHA,NHX,A")
    spoilt = CliRunner().invoke(main, ["map", "check", "--maps", str(tmp_path), "isles"])
    assert spoilt.exit_code == 1
    assert f"{folder / 'borders.csv'}:{line}: the place NHX is unknown. " in spoilt.output
    unknown = CliRunner().invoke(main, ["map", "check", "atlantis"])
    assert unknown.exit_code == 1
    assert "there is no such variant" in unknown.output


def test_the_list_names_every_board_and_skips_a_broken_one(tmp_path: Path) -> None:
    folder = write_isles(tmp_path)
    listed = CliRunner().invoke(main, ["map", "list", "--maps", str(tmp_path)])
    assert listed.exit_code == 0
    assert {"isles", "standard", "warcraft"} <= {line.split()[0] for line in listed.output.splitlines()}
    (folder / "borders.csv").unlink()
    broken = CliRunner().invoke(main, ["map", "list", "--maps", str(tmp_path), "--jsonl"])
    assert broken.exit_code == 1
    assert "the file is missing" in broken.output
    assert '"name": "standard", "title": "Standard", "powers": 7, "provinces": 75, "centers": 34, "victory": 18' in broken.output
