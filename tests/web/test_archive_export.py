"""The archive as files: the same as served, written anew only where something changed, nothing left of what is no longer there."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from judge.cli import main
from judge.errors import OperatorError
from judge.web import export_site
from judge.wiring import build_archive
from tests.support import shelf


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file() and path.name != ".archive.json"}


def test_the_files_are_the_pages_that_are_served(tmp_path: Path) -> None:
    config = shelf.fill(tmp_path, (shelf.tatry, shelf.vltava))
    site, out = build_archive(config), tmp_path / "out"
    done = export_site(site, out)
    assert files(out) == set(site.paths())
    assert (done.written, done.kept, done.removed) == (len(files(out)), 0, 0)
    for path in ("index.html", "cs/games/tatry.1/2.html", "en/games/tatry.1/2.svg", "archive.css", "pictures/tatry.1/2.png"):
        content = site.find(path)
        assert content is not None
        assert (out / path).read_bytes() == content.body
    assert oct((out / "en/index.html").stat().st_mode)[-3:] == "644"


def test_only_what_changed_is_made_and_written_again(tmp_path: Path) -> None:
    config = shelf.fill(tmp_path, (shelf.tatry, shelf.vltava))
    out = tmp_path / "out"
    first = export_site(build_archive(config, drawings=False), out, ("en",))
    again = export_site(build_archive(config, drawings=False), out, ("en",))
    lists = 3 + 1 + 2 + 4 + 1  # assets, the page at the top, two short addresses, lists and feed, what is over
    assert (first.made, first.written) == (len(files(out)), len(files(out)))
    assert (again.made, again.written, again.removed) == (lists, 0, 0)
    assert again.kept == first.written
    shelf.change(config, "tatry", lambda game: replace(game, settings=replace(game.settings, title="Another title")))
    changed = export_site(build_archive(config, drawings=False), out, ("en",))
    players = 8  # tatry's, whose pages name the games they play
    pages = 7  # tatry's own: the game, four phases, its feed, the board as it stands
    assert (changed.made, changed.written) == (lists + players + pages, 2)
    assert "Another title" in (out / "en/games/tatry.1/index.html").read_text("utf-8")


def test_a_file_that_was_lost_or_a_new_name_is_made_anew(tmp_path: Path) -> None:
    config = shelf.fill(tmp_path, (shelf.tatry,))
    out = tmp_path / "out"
    export_site(build_archive(config, drawings=False), out, ("en",))
    lost = out / "pictures/tatry.1/2.png"
    lost.unlink()
    assert export_site(build_archive(config, drawings=False), out, ("en",)).written == 1
    assert lost.exists()
    shelf.rename(config, 3, "Marie Curie")
    export_site(build_archive(config, drawings=False), out, ("en",))
    for page in ("en/games/tatry.1/index.html", "en/players/3.html", "en/players.html"):
        assert "Marie Curie" in (out / page).read_text("utf-8")


def test_another_program_or_template_makes_everything_anew(tmp_path: Path) -> None:
    config = shelf.fill(tmp_path, (shelf.tatry,))
    own = tmp_path / "own"
    (own / "web").mkdir(parents=True)
    config = replace(config, judge=replace(config.judge, templates=(str(own),)))
    out = tmp_path / "out"
    first = export_site(build_archive(config, drawings=False), out, ("en",))
    (own / "web" / "phase.html.j2").write_text('{% extends "shipped:web/phase.html.j2" %}{% block title %}Ours{% endblock %}', "utf-8")
    again = export_site(build_archive(config, drawings=False), out, ("en",))
    assert again.made == first.made
    assert "<title>Ours" in (out / "en/games/tatry.1/2.html").read_text("utf-8")


def test_other_languages_are_added_and_taken_away(tmp_path: Path) -> None:
    config = shelf.fill(tmp_path, (shelf.tatry,))
    out = tmp_path / "out"
    export_site(build_archive(config, drawings=False), out, ("en",))
    export_site(build_archive(config, drawings=False), out, ("en", "cs"))
    assert (out / "cs/games/tatry.1/2.html").exists()
    export_site(build_archive(config, drawings=False), out, ("en",))
    assert not (out / "cs").exists()


def test_a_game_that_is_no_longer_listed_leaves_nothing_behind(tmp_path: Path) -> None:
    config = shelf.fill(tmp_path, (shelf.tatry, shelf.vltava))
    out = tmp_path / "out"
    export_site(build_archive(config, drawings=False), out, ("en",))
    (out / "robots.txt").write_text("the operator's own", "utf-8")
    shelf.change(config, "tatry", lambda game: replace(game, settings=replace(game.settings, listed=False)))
    done = export_site(build_archive(config, drawings=False), out, ("en",))
    assert done.removed > 8
    assert not [path for path in files(out) if "tatry" in path]
    assert [path.name for path in (out / "pictures").iterdir()] == ["vltava.2"]
    assert "tatry" not in "".join((out / path).read_text("utf-8") for path in files(out) if path.endswith((".html", ".xml")))
    assert (out / "robots.txt").exists()


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    config = shelf.fill(tmp_path, ())
    other = tmp_path / "other"
    other.mkdir()
    (other / "letter.txt").write_text("mine", "utf-8")
    with pytest.raises(OperatorError, match="holds other things"):
        export_site(build_archive(config), other)
    assert files(other) == {"letter.txt"}


def test_a_ledger_that_was_tampered_with_removes_nothing_outside(tmp_path: Path) -> None:
    config = shelf.fill(tmp_path, ())
    out = tmp_path / "out"
    out.mkdir()
    precious = tmp_path / "precious"
    precious.write_text("stay", "utf-8")
    (out / ".archive.json").write_text('{"made_by": "", "files": {"../precious": "x"}, "parts": {}}', "utf-8")
    export_site(build_archive(config), out)
    assert precious.exists()


def test_a_ledger_that_is_none_is_said_plainly(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / ".archive.json").write_text('{"index.html": "x"}', "utf-8")
    with pytest.raises(OperatorError, match="cannot be read: empty the folder"):
        export_site(build_archive(shelf.fill(tmp_path, ())), out)


def test_without_drawings_links_lead_to_the_pictures(tmp_path: Path) -> None:
    config = shelf.fill(tmp_path, (shelf.tatry,))
    out = tmp_path / "out"
    export_site(build_archive(config, drawings=False), out, ("cs",))
    assert not list(out.glob("cs/**/*.svg"))
    text = (out / "cs/games/tatry.1/1.html").read_text("utf-8")
    assert 'href="../../../pictures/tatry.1/1.png"' in text
    assert 'data-full="../../../pictures/tatry.1/2.png"' in text


def test_the_command_writes_and_counts(tmp_path: Path) -> None:
    config = shelf.fill(tmp_path, (shelf.vltava,))
    words = ["export", "--config", str(config.file), "--language"]
    done = subprocess.run([sys.executable, "-m", "judge", *words, "hu"], capture_output=True, text=True, check=False, env=os.environ)
    assert done.returncode == 0, done.stderr
    assert f"{config.spool / 'site'}: " in done.stdout
    assert "0 unchanged, 0 removed" in done.stdout
    assert (config.spool / "site" / "hu" / "index.html").exists()
    assert not (config.spool / "site" / "cs").exists()
    wrong = CliRunner().invoke(main, [*words, "xx"])
    assert wrong.exit_code == 2
    assert "there are en, cs, hu, ru" in wrong.stderr
