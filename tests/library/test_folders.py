"""Where the data folders are found."""

from pathlib import Path

import pytest

import judge
from judge.library import search_path, shipped_folder
from judge.library.folders import find_folder, folders_with


def test_a_checkout_uses_its_own_folders() -> None:
    assert shipped_folder("maps") == Path(judge.__file__).parent.parent / "maps"


def test_an_installed_judge_uses_what_came_in_the_wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = tmp_path / "judge" / "_shipped" / "maps"
    inside.mkdir(parents=True)
    monkeypatch.setattr(judge, "__file__", str(tmp_path / "judge" / "__init__.py"))
    assert shipped_folder("maps") == inside


def test_the_operators_folders_come_first(tmp_path: Path) -> None:
    assert search_path("maps", [tmp_path / "a", tmp_path / "b"]) == (tmp_path / "a", tmp_path / "b", shipped_folder("maps"))


def test_of_two_folders_with_one_name_the_first_counts(tmp_path: Path) -> None:
    for folder in ("mine", "theirs"):
        (tmp_path / folder / "isles").mkdir(parents=True)
        (tmp_path / folder / "isles" / "variant.toml").touch()
    (tmp_path / "theirs" / "other").mkdir()
    search = [tmp_path / "mine", tmp_path / "theirs", tmp_path / "nowhere"]
    assert list(folders_with(search, "variant.toml")) == [tmp_path / "mine" / "isles"]
    assert find_folder("isles", search, "variant.toml") == tmp_path / "mine" / "isles"
    assert find_folder("other", search, "variant.toml") is None


@pytest.mark.parametrize("name", ["", ".", "..", "../maps", "a/b", ".hidden"])
def test_a_name_never_leads_out_of_the_folder(name: str) -> None:
    assert find_folder(name, [shipped_folder("maps") / "standard"], "variant.toml") is None
