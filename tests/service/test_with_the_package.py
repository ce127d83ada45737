"""Our games read by the PyPI package `diplomacy` itself, and played on by it: the same position as here (``make prove``; installs it)."""

import json
import subprocess
import venv
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from judge.game.savedgame import from_saved_game, to_saved_game
from judge.library import Library
from judge.rules import adjudicate, write_unit
from tests.service.test_game_files import bare, recorded
from tests.support import shelf
from tests.support.golden_game import NOW

SCRIPT = Path(__file__).parents[1] / "savedgames" / "with_package.py"
PACKAGE = "diplomacy==1.1.2"


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python that has the package."""
    folder = tmp_path_factory.mktemp("package")
    venv.create(folder, with_pip=True)
    program = folder / "bin" / "python"
    done = subprocess.run([program, "-m", "pip", "install", "-q", PACKAGE], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"{PACKAGE} cannot be installed here: {done.stderr.strip().splitlines()[-1:]}")
    return program


def read_by(python: Path, saved: list[Any]) -> list[Any]:
    """What the package makes of saved games; it prints warnings between."""
    lines = "".join(json.dumps(each) + "\n" for each in saved)
    done = subprocess.run([python, SCRIPT, "read"], capture_output=True, text=True, check=True, input=lines)
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def ours() -> list[Any]:
    """Our own games in the package's form, and the package's after they have been through our hands."""
    variant = Library().variant("standard")
    games = [to_saved_game(game, variant, turns, press) for game, turns, press in (shelf.danube(), shelf.morava(), shelf.paused())]
    for saved in recorded():
        record = from_saved_game(saved, variant, NOW)
        game = replace(shelf.made("again"), position=record.position, ending=record.ending)
        games.append(to_saved_game(game, variant, record.turns, record.press))
    return games


@pytest.mark.prove
def test_the_package_reads_our_games_and_plays_on_as_we_do(python: Path) -> None:
    variant = Library().variant("standard")
    games = ours()
    answers = read_by(python, games)
    assert len(answers) == len(games) == 7
    for saved, answer in zip(games, answers, strict=True):
        assert bare(answer["saved"]) == bare(saved)
        if answer["phase"] == "COMPLETED":
            continue
        position = from_saved_game(saved, variant, NOW).position
        after = adjudicate(position, {}, variant).after
        assert answer["phase"] == str(after.phase)
        mine = {power: sorted(map(write_unit, after.units.get(power, ()))) for power in variant.powers}
        if position.phase.step != "A":  # who goes by rule is chosen otherwise by the two
            assert {power: [unit for unit in units if unit[0] != "*"] for power, units in answer["next"].items()} == mine


@pytest.mark.prove
def test_the_package_makes_the_recorded_games_again(python: Path) -> None:
    games = SCRIPT.parents[1] / "games" / "droidippy.jsonl.gz"
    done = subprocess.run([python, SCRIPT, "make", games], capture_output=True, text=True, check=True)
    again = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert [bare(each) for each in again] == [bare(each) for each in recorded()]
