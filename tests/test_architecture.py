"""The shape of the program: who imports whom, where time, text and unit kinds may stand, and that nothing of the core is left unhandled."""

import ast
import importlib
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import get_args

import pytest
from importlinter.cli import lint_imports

import judge
from judge.errors import PlayerError
from judge.game import COMMANDS, Command
from judge.game.play import HANDLERS
from judge.library import Library

CHECKOUT = Path(__file__).parent.parent
PACKAGE = CHECKOUT / "judge"
CORE = ("errors", "board", "rules", "game", "language", "picture")
LANGUAGES = ("en", "cs", "hu", "ru")


def modules(*houses: str) -> list[Path]:
    """The modules of some houses, of all if none is named."""
    found = [path for path in PACKAGE.rglob("*.py") if not houses or path.relative_to(PACKAGE).parts[0].removesuffix(".py") in houses]
    assert found
    return sorted(path for path in found if "migrations" not in path.parts)


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"), str(path))


def place(path: Path, node: ast.AST) -> str:
    return f"{path.relative_to(CHECKOUT)}:{getattr(node, 'lineno', 0)}"


# ---- imports


def test_the_import_contracts_are_kept(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(CHECKOUT)
    status = lint_imports(config_filename=str(CHECKOUT / "pyproject.toml"), no_cache=True)
    assert status == 0, capsys.readouterr().out


def test_the_import_contracts_cover_the_whole_core() -> None:
    import tomllib

    contracts = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    pure = next(contract for contract in contracts if contract["type"] == "forbidden" and "os" in contract["forbidden_modules"])
    assert set(pure["source_modules"]) == {f"judge.{house}" for house in CORE if (PACKAGE / house).is_dir()}


# ---- time and chance


def clock_reads(path: Path) -> Iterator[ast.AST]:
    """Calls that ask the machine for the time of day."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
            asked = (node.func.value.id, node.func.attr)
            if asked in {("time", "time"), ("date", "today")} or (asked[0] == "datetime" and asked[1] in {"now", "utcnow", "today"}):
                yield node


def test_the_time_comes_from_the_clock() -> None:
    """Only `clock.py` asks the machine, and commands that run by themselves."""
    allowed = {PACKAGE / "clock.py", *modules("cli")}
    assert [place(path, node) for path in modules() if path not in allowed for node in clock_reads(path)] == []


def test_no_time_is_naive() -> None:
    """`now`, `fromtimestamp` and `combine` are given a zone, and the functions that cannot be are not used."""
    naive = []
    for path in modules():
        for node in ast.walk(tree(path)):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
                continue
            base, name = ast.unparse(node.func.value), node.func.attr
            if base.rpartition(".")[2] != "datetime":
                continue
            zoned = len(node.args) > {"now": 0, "fromtimestamp": 1, "combine": 2}.get(name, 99) or any(
                keyword.arg in ("tz", "tzinfo") for keyword in node.keywords
            )
            if name in ("utcnow", "utcfromtimestamp", "today") or (name in ("now", "fromtimestamp") and not zoned):
                naive.append(place(path, node))
    assert naive == []


# ---- what stands where

SENTENCE = re.compile(r"[A-Z][a-z']+,?(?: [a-zA-Z',-]+){3,}.*[.!?:]\s*$")


def calls(node: ast.AST, name: str) -> bool:
    """Whether this is a call of that function, or of a method of that object."""
    return isinstance(node, ast.Call) and ast.unparse(node.func).partition(".")[0] == name


def writes_to_the_operator(node: ast.AST) -> bool:
    """Whether this is a function that makes a letter to the operator, who reads English as on the command line."""
    return isinstance(node, ast.FunctionDef) and any(calls(inside, "operator_note") for inside in ast.walk(node))


def literals(path: Path) -> Iterator[ast.Constant]:
    """The texts of a module that a program could print: no docstrings, no faults for operators and programmers."""
    syntax = tree(path)
    skipped: set[int] = set()
    for node in ast.walk(syntax):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            skipped.add(id(node.value))
        if isinstance(node, ast.Raise | ast.Assert) or calls(node, "log") or writes_to_the_operator(node):
            skipped.update(id(inside) for inside in ast.walk(node))
    for node in ast.walk(syntax):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            yield node


def test_no_sentence_for_players_stands_in_python() -> None:
    """Whatever a player reads comes from templates and catalogues."""
    houses = ("board", "rules", "game", "language", "picture", "mail", "report", "store", "service", "web")
    found = [place(path, node) for path in modules(*houses) for node in literals(path) if SENTENCE.match(str(node.value))]
    samples = f"{(PACKAGE / 'report' / 'samples.py').relative_to(CHECKOUT)}:"
    assert [where for where in found if not where.startswith(samples)] == []


def test_the_rules_know_no_kind_of_unit() -> None:
    """Kinds of unit come from the variant: "A" stands in the rules as the name of a step only, "F" nowhere."""
    found = [place(path, node) for path in modules("rules", "board") for node in literals(path) if node.value in ("A", "F")]
    steps = [where for where in found if where.startswith(("judge/rules/phases.py:", "judge/rules/notation.py:"))]
    assert found == steps
    assert len(steps) <= 2


def test_no_map_is_named_in_the_core() -> None:
    """Provinces, powers and variants are data."""
    named = re.compile(r"AUSTRIA|ENGLAND|FRANCE|GERMANY|ITALY|RUSSIA|TURKEY|STP|BUL|SPA|warcraft")
    found = [(place(path, node), node.value) for path in modules("board", "rules", "picture") for node in literals(path)]
    assert [where for where, text in found if named.fullmatch(str(text))] == []


def test_every_module_says_what_lives_in_it() -> None:
    assert [str(path.relative_to(CHECKOUT)) for path in modules() if not ast.get_docstring(tree(path))] == []


def test_no_module_is_called_helpers() -> None:
    assert [path.name for path in modules() if re.fullmatch(r"(utils?|helpers?|misc|common|manager)\.py", path.name)] == []


# ---- nothing left unhandled


def test_every_command_has_its_row_in_the_table() -> None:
    assert set(get_args(Command)) == set(COMMANDS)


def test_every_command_is_carried_out_somewhere() -> None:
    """In a game by the table of the game's front door; before the judge itself by a `case` or an `isinstance` of the service."""
    handled = {kind.__name__ for kind in HANDLERS}
    for path in [PACKAGE / "game" / "play.py", *modules("service")]:
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.MatchClass):
                handled.add(ast.unparse(node.cls).rpartition(".")[2])
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "isinstance":
                handled.update(re.findall(r"\w+", ast.unparse(node.args[1])))
    assert [kind.__name__ for kind in COMMANDS if kind.__name__ not in handled] == []


NO_WORD = {"orders", "setting", "vote"}
"""Order lines need no word, SET stands for both kinds of setting, and votes have words of their own (DRAW, CONCEDE)."""


def test_every_command_has_a_word_in_every_language_that_has_commands() -> None:
    written = Library().command_words.written
    spoken = {language for language, _ in written}
    wanted = {rule.word for rule in COMMANDS.values()} - NO_WORD
    assert "en" in spoken
    assert [(language, word) for language in sorted(spoken) for word in sorted(wanted) if (language, word) not in written] == []


def player_errors() -> dict[str, str]:
    """The code of every `PlayerError` in the program, with the class that has it."""
    for module in pkgutil.walk_packages(judge.__path__, "judge."):
        if "migrations" not in module.name and not module.name.startswith("judge.cli") and not module.name.endswith(("__main__", "asgi")):
            importlib.import_module(module.name)
    found: dict[str, str] = {}
    waiting = list(PlayerError.__subclasses__())
    while waiting:
        kind = waiting.pop()
        waiting.extend(kind.__subclasses__())
        if kind.__module__.startswith("judge."):
            found[kind.code] = f"{kind.__module__}.{kind.__name__}"
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_fault_is_worded_in_every_language(language: str) -> None:
    phrases = Library().tongue(language).phrases
    said = {code for code, _ in phrases.entries if code.startswith("error.")}
    assert [
        where
        for code, where in player_errors().items()
        if not any(each == f"error.{code}" or each.startswith(f"error.{code}_") for each in said)
    ] == []


def test_no_two_faults_of_a_house_share_a_code() -> None:
    kinds = [kind for kind in everything_below(PlayerError) if "code" in kind.__dict__ and kind.__module__.startswith("judge.")]
    codes = [(kind.__module__.split(".")[1], kind.__dict__["code"]) for kind in kinds]
    assert sorted(codes) == sorted(set(codes))


def everything_below(kind: type) -> Iterator[type]:
    player_errors()
    each: type
    for each in kind.__subclasses__():
        yield each
        yield from everything_below(each)


# ---- packages


def test_every_package_that_is_imported_is_named_and_none_other() -> None:
    done = subprocess.run([sys.executable, "-m", "deptry", "."], cwd=CHECKOUT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
