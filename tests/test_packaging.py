"""The wheel: built from the checkout, installed elsewhere, at work without the checkout."""

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path

import pytest

import judge

CHECKOUT = Path(__file__).parent.parent
CASE = {
    "id": "wheel",
    "phase": "S1901M",
    "units": {"FRANCE": ["A PAR"], "GERMANY": ["A MUN"]},
    "orders": {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR"]},
}
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built by hatchling."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=CHECKOUT, check=True, capture_output=True, timeout=120)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Runs Python with the installed wheel before everything else, in a folder far from the checkout."""
    target = tmp_path_factory.mktemp("installed")
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-index"]
    subprocess.run([*pip, "--target", str(target), str(wheel)], check=True, capture_output=True, timeout=120, cwd=elsewhere)
    environment = {**os.environ, "PYTHONPATH": str(target)}

    def run(*arguments: str, given: str = "", check: bool = True) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=elsewhere,
            env=environment,
            input=given,
            capture_output=True,
            text=True,
            timeout=60,
            check=check,
        )

    return run


def in_folder(*names: str) -> set[str]:
    """The files of data folders in the checkout, as paths."""
    paths = (path for name in names for path in (CHECKOUT / name).rglob("*"))
    return {str(path.relative_to(CHECKOUT)) for path in paths if path.is_file() and "__pycache__" not in path.parts}


def test_the_wheel_holds_every_map_and_template(wheel: Path) -> None:
    shipped = {name.removeprefix("judge/_shipped/") for name in zipfile.ZipFile(wheel).namelist() if name.startswith("judge/_shipped/")}
    assert in_folder("maps", "templates") == shipped


def test_the_wheel_holds_every_module_and_nothing_else(wheel: Path) -> None:
    names = {name for name in zipfile.ZipFile(wheel).namelist() if not name.startswith("judge/_shipped/") and ".dist-info/" not in name}
    assert names == {name for name in in_folder("judge") if not name.startswith("judge/_shipped/")}


def test_the_wheel_names_command_and_licence(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    assert wheel.name.startswith("chancery_judge-")
    (about,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
    assert f"Version: {judge.__version__}" in archive.read(about).decode()
    (points,) = [name for name in archive.namelist() if name.endswith("entry_points.txt")]
    assert "judge = judge.cli:main" in archive.read(points).decode()
    assert any(name.endswith("licenses/LICENSE") for name in archive.namelist())


def test_an_installed_judge_is_used_and_not_the_checkout(installed: Run) -> None:
    where = Path(installed("-c", "import judge; print(judge.__file__)").stdout.strip())
    assert CHECKOUT not in where.parents


def test_an_installed_judge_adjudicates(installed: Run) -> None:
    done = json.loads(installed("-m", "judge", "adjudicate", given=json.dumps(CASE) + "\n").stdout)
    assert done["id"] == "wheel"
    assert [order["verdict"] for order in done["orders"]] == ["bounces", "bounces"]
    assert done["standoffs"] == ["BUR"]


def test_an_installed_judge_finds_every_map(installed: Run) -> None:
    listed = installed("-m", "judge", "map", "list", "--jsonl").stdout.splitlines()
    names = {json.loads(line)["name"] for line in listed}
    assert names == {path.parent.name for path in (CHECKOUT / "maps").glob("*/variant.toml")}


def test_an_installed_judge_reads_orders_in_every_language(installed: Run) -> None:
    lines = ("A Paris - Burgundy", "A Paříž - Burgundsko", "A Párizs - Burgundia", "А Париж - Бургундия")
    read = installed("-m", "judge", "orders", "--map", "standard", given="\n".join(lines) + "\n").stdout.splitlines()
    assert [json.loads(line)["orders"] for line in read] == [["A PAR - BUR"]] * len(lines)


def test_an_installed_judge_draws_a_map(installed: Run, tmp_path: Path) -> None:
    out = tmp_path / "start.png"
    installed("-m", "judge", "map", "draw", "standard", "-o", str(out))
    assert out.read_bytes().startswith(b"\x89PNG")


def test_an_installed_judge_fills_templates(installed: Run) -> None:
    program = """
from judge.library import Library, shipped_folder
from judge.report.environment import make_environments
print(shipped_folder("templates"))
print(Library().tongue("cs").phrases.knows("error.unknown_game"))
make_environments(shipped_folder("templates")).text.get_template("mail/turn.txt.j2")
"""
    folder, known = installed("-c", program).stdout.split()
    assert folder.endswith("judge/_shipped/templates")
    assert known == "True"


def test_a_start_without_a_configuration_says_what_to_do(installed: Run) -> None:
    refused = installed("-m", "judge", "run", check=False)
    assert refused.returncode == 1
    assert "judge.toml" in refused.stderr
    assert "Copy deploy/judge.example.toml" in refused.stderr


def test_this_installation_has_the_command() -> None:
    assert [point.value for point in entry_points(group="console_scripts", name="judge")] == ["judge.cli:main"]


def test_the_source_archive_holds_what_the_build_needs(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(tmp_path)]
    subprocess.run(build, cwd=CHECKOUT, check=True, capture_output=True, timeout=120)
    (archive,) = tmp_path.glob("*.tar.gz")
    import tarfile

    with tarfile.open(archive) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    assert in_folder("judge", "maps", "templates", "deploy") <= names
    assert {"pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE", "constraints.txt"} <= names
