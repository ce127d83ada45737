"""TOML and CSV with their lines."""

from pathlib import Path

from judge.library.findings import Faults
from judge.library.tables import read_csv, read_toml

TOML = """\
title = "X"  # a remark

[kinds.A]
name = "army"
[ start . "units" ]
NORTH = [
  "A ONE",
  "A TWO",
]
"""


def test_a_key_is_found_on_its_line(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text(TOML)
    file = read_toml(path, Faults())
    assert file is not None
    assert file.line("title") == 1
    assert file.line("kinds", "A", "name") == 4
    assert file.line("start", "units", "NORTH") == 6
    assert file.line("start", "units", "NORTH", value="A TWO") == 8


def test_what_is_missing_is_placed_at_the_nearest_table(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text(TOML)
    file = read_toml(path, Faults())
    assert file is not None
    assert file.line("kinds", "A", "terrains") == 3
    assert file.line("calendar") == 1


def test_broken_toml_is_a_fault_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text('title = "X"\nvictory = = 3\n')
    faults = Faults()
    assert read_toml(path, faults) is None
    assert [(f.file, f.line) for f in faults.found] == [(str(path), 2)]


def test_a_file_that_is_not_utf8_or_not_there(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes("id,name,kind\nPRA,Praha\nCES,Český les,land\n".encode("cp1250"))
    faults = Faults()
    assert read_csv(path, ("id",), (), faults) == ()
    assert read_csv(tmp_path / "none.csv", ("id",), (), faults) == ()
    assert [(f.line, f.text) for f in faults.found] == [(3, "is not UTF-8"), (0, "the file is missing")]


def test_rows_know_their_lines(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text('\ufeffname,id\n# a remark\n\n"Gulf, of X",GUL\nY,YYY\n', encoding="utf-8")
    faults = Faults()
    rows = read_csv(path, ("id", "name"), ("note",), faults)
    assert [(row.line, row["id"], row["name"], row["note"]) for row in rows] == [(4, "GUL", "Gulf, of X", ""), (5, "YYY", "Y", "")]
    assert not faults


def test_columns_missing_unknown_and_too_many(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("id,color\nAAA,red,3\n")
    faults = Faults()
    assert read_csv(path, ("id", "name"), (), faults) == ()
    assert [f.line for f in faults.found] == [1, 1, 2]
