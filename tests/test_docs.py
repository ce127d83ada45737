"""The documentation against the program: everything it must name is named, everything it names exists, its examples run."""

import ast
import json
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import click
import pytest

from judge.cli import COMMANDS as SUBCOMMANDS
from judge.cli import main
from judge.config import Config
from judge.errors import PlayerError
from judge.game import COMMANDS, SETTINGS
from judge.language.complaints import WARNINGS
from judge.library import Library
from judge.rules import CHOICES, Rulebook, Verdict
from tests.test_architecture import player_errors
from tests.test_deploy import settings

CHECKOUT = Path(__file__).parent.parent
DOCS = CHECKOUT / "docs"
PACKAGE = CHECKOUT / "judge"


@cache
def page(name: str) -> str:
    return (DOCS / name).read_text("utf-8")


def pages() -> list[Path]:
    return [CHECKOUT / "README.md", CHECKOUT / "CHANGELOG.md", CHECKOUT / "spool" / "README.md", *sorted(DOCS.rglob("*.md"))]


def in_code(text: str) -> str:
    """Everything in a page that stands in code: between backquotes, and in blocks."""
    blocks = re.findall(r"^```.*?^```", text, re.MULTILINE | re.DOTALL)
    return "\n".join([*blocks, *re.findall(r"`([^`\n]+)`", text)])


def named(word: str, text: str) -> bool:
    return re.search(rf"(?<![\w]){re.escape(word)}(?![\w])", text) is not None


# ---- every command, setting, code and field is named in its page


def subcommands(command: click.Command, name: str = "judge") -> Iterator[str]:
    """All commands of the command line, as they are typed."""
    if not isinstance(command, click.Group):
        yield name
        return
    context = click.Context(command)
    for each in command.list_commands(context):
        inner = command.get_command(context, each)
        assert inner is not None
        yield from subcommands(inner, f"{name} {each}")


def test_every_subcommand_can_be_loaded() -> None:
    assert len(list(subcommands(main))) >= len(SUBCOMMANDS)


def test_every_command_of_the_command_line_is_promised_or_explained() -> None:
    told = in_code(page("interfaces.md") + page("operators.md") + page("maps.md") + page("languages.md") + page("templates.md"))
    shortened = told.replace("`", " ")
    missing = []
    for command in subcommands(main):
        head, _, last = command.rpartition(" ")
        if not (named(command, shortened) or (named(head, shortened) and named(last, shortened))):
            missing.append(command)
    assert missing == []


def test_every_command_of_players_and_masters_has_its_line() -> None:
    """Each command in one of its English spellings; words that only close something are told with what they close."""
    told = in_code(page("players.md") + page("masters.md")).lower()
    forms: dict[str, list[str]] = {}
    for words, (name, language) in Library().command_words.spellings.items():
        if language == "en" and not name.startswith("old:"):
            forms.setdefault(name, []).append(" ".join(words))
    assert {rule.word for rule in COMMANDS.values()} - {"orders", "setting", "vote"} <= set(forms)
    assert [name for name in sorted(forms) if not any(named(form.lower(), told) for form in forms[name])] == []


def test_every_setting_of_a_game_is_in_the_masters_page() -> None:
    told = in_code(page("masters.md")).lower()
    assert [key for key in SETTINGS if not named(key, told)] == []


def test_every_key_of_the_configuration_is_in_the_operators_page() -> None:
    rows = dict(re.findall(r"^\| (?:`\[(.*?)\]`|top) \| (.*) \|$", page("operators.md"), re.MULTILINE))
    told = {f"{section}.{key}".lstrip(".") for section, keys in rows.items() for key in re.findall(r"`(\w+)`", keys)}
    assert {key for key, _ in settings(Config)} == told


def test_every_switch_of_the_rulebook_is_in_the_page_of_variants_or_maps() -> None:
    told = in_code(page("variants.md") + page("maps.md"))
    switches = list(Rulebook.__dataclass_fields__)
    assert set(CHOICES) <= set(switches)
    assert [name for name in switches if not named(name, told)] == []


def test_every_verdict_and_refusal_is_in_the_promise() -> None:
    from judge.rules import verdicts

    doc = verdicts.__doc__ or ""
    codes = set(re.findall(r"``([a-z_]+)``", doc[doc.index("`Refused.code`") :]))
    assert len(codes) > 10
    told = in_code(page("interfaces.md"))
    assert [word for word in sorted({str(each) for each in Verdict} | codes) if not named(word, told)] == []


def test_every_code_of_an_error_or_a_warning_is_in_the_promise() -> None:
    told = set(re.findall(r"^\| `([a-z_]+)` \| ", page("interfaces.md"), re.MULTILINE))
    codes = {*player_errors(), *(each.code for each in WARNINGS)} - {PlayerError.code}
    assert sorted(codes - told) == []


def views() -> dict[str, list[str]]:
    """The classes of `report/views.py` with their fields."""
    syntax = ast.parse((PACKAGE / "report" / "views.py").read_text("utf-8"))
    return {
        node.name: [each.target.id for each in node.body if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)]
        for node in syntax.body
        if isinstance(node, ast.ClassDef)
    }


def test_every_field_of_every_view_is_in_the_page_of_templates() -> None:
    told = page("templates.md")
    assert len(views()) > 10
    missing = [name for name in views() if not named(name, told)]
    missing += [f"{name}.{field}" for name, each in views().items() for field in each if not named(field, in_code(told))]
    assert missing == []


def test_every_dependency_has_its_reason() -> None:
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))["project"]
    lists = [project["dependencies"], *project["optional-dependencies"].values()]
    names = {re.split(r"[\[<>=;]", each)[0] for listed in lists for each in listed} - {project["name"]}
    told = in_code(page("decisions/0001-libraries.md"))
    assert [name for name in sorted(names) if not named(name, told)] == []


def test_every_version_is_pinned() -> None:
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))["project"]
    lists = [project["dependencies"], *project["optional-dependencies"].values()]
    names = {re.split(r"[\[<>=;]", each)[0].lower() for listed in lists for each in listed} - {project["name"]}
    pinned = {line.partition("==")[0].lower().replace("_", "-") for line in (CHECKOUT / "constraints.txt").read_text().splitlines()}
    assert names - pinned == set()


def test_every_decision_has_its_number() -> None:
    notes = sorted((DOCS / "decisions").glob("*.md"))
    assert [int(path.name[:4]) for path in notes] == list(range(1, len(notes) + 1))
    for path in notes:
        assert re.match(rf"# {int(path.name[:4])}\. \w", path.read_text("utf-8")), path


# ---- what the pages name exists


HOUSES = {
    "": "itself: the few modules that belong to no house",
    "board": "facts of a map that never change during a game",
    "rules": "what orders do to a position; nothing but values in and out",
    "game": "the life of one game: who plays, what was sent, when the phase ends, who may know what",
    "language": "what people write to the judge, and how the judge spells things back",
    "picture": "map pictures as SVG text",
    "mail": "bytes and mails; knows nothing of Diplomacy",
    "library": "the data folders `maps/` and `templates/`, shipped and overridden, read into values",
    "report": "facts to text through templates",
    "store": "things kept, on SQLite or PostgreSQL (SQLAlchemy Core)",
    "service": "the steps joined: transactions, retries, the daemon",
    "web": "the archive over HTTP, read only",
    "cli": "the `judge` command",
}


def modules_of(house: str) -> list[Path]:
    """The modules of a house, without its front door."""
    return [path for path in sorted((PACKAGE / house).glob("*.py")) if path.name != "__init__.py" or not house]


def first_sentence(path: Path) -> str:
    """What a module says of itself, as a piece of a table."""
    text = " ".join((ast.get_docstring(ast.parse(path.read_text("utf-8"))) or "").split("\n\n")[0].split()).rstrip(".")
    return re.sub(r"^(?!Chancery)[A-Z](?=[a-z' ])", lambda found: found[0].lower(), text.replace("``", "`"))


def module_map() -> str:
    """The section of architecture.md that names every module; `pytest --renew` writes it anew."""
    parts = []
    for house, about in HOUSES.items():
        if modules_of(house):
            rows = "\n".join(f"| `{path.name}` | {first_sentence(path)} |" for path in modules_of(house))
            title = f"`judge/{house}/`: {about}" if house else f"`judge/` {about}"
            parts.append(f"### {title}\n\n| Module | Holds |\n| --- | --- |\n{rows}\n")
    return "\n".join(parts) + "\n"


def test_the_map_of_the_modules_is_true(renew: bool) -> None:
    text = page("architecture.md")
    begin, end = text.index("### `judge/` itself"), text.index("## What is kept")
    if renew:
        (DOCS / "architecture.md").write_text(text[:begin] + module_map() + text[end:], "utf-8")
        return
    names = re.compile(r"^### `judge/(\w*)|^\| `(\w+\.py)` \| \S", re.MULTILINE)
    assert set(HOUSES) >= {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert names.findall(text[begin:end]) == names.findall(module_map()), "pytest tests/test_docs.py --renew"


def names_in(path: Path) -> set[str]:
    """What a module defines, methods too."""
    syntax = ast.parse(path.read_text("utf-8"))
    return {node.name for node in ast.walk(syntax) if isinstance(node, ast.FunctionDef | ast.ClassDef)}


def test_functions_named_in_the_pages_exist() -> None:
    houses = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    wrong = []
    for path in pages():
        for dotted in re.findall(r"`(?:judge\.)?([a-z_]+(?:\.\w+)+)(?:\(.*?\))?`", path.read_text("utf-8")):
            house, *rest = dotted.split(".")
            if house not in houses or rest[-1] in ("py", "md", "toml", "csv", "json"):
                continue
            module = PACKAGE / house / f"{rest[0]}.py"
            found = names_in(module) if module.exists() else names_in(PACKAGE / house / "__init__.py") | front_door(house)
            if not ((module.exists() and len(rest) == 1) or rest[-1] in found):
                wrong.append(f"{path.name}: {dotted}")
    assert wrong == []


def front_door(house: str) -> set[str]:
    """The names a house offers."""
    return set(re.findall(r'"(\w+)"', (PACKAGE / house / "__init__.py").read_text("utf-8")))


def test_links_lead_somewhere() -> None:
    broken = []
    for path in pages():
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", path.read_text("utf-8")):
            if not re.match(r"[a-z]+:", target) and not (path.parent / target).exists():
                broken.append(f"{path.relative_to(CHECKOUT)}: {target}")
    assert broken == []


def test_paths_named_in_the_pages_exist() -> None:
    broken = []
    for path in pages():
        for target in re.findall(r"`((?:judge|maps|templates|tests|deploy|docs|tools)/[\w./-]+)`", path.read_text("utf-8")):
            if not (CHECKOUT / target).exists() and "made-up" not in target and "isles" not in target:
                broken.append(f"{path.relative_to(CHECKOUT)}: {target}")
    assert broken == []


def test_options_named_in_the_pages_exist() -> None:
    known = {option for command in walk(main) for parameter in command.params for option in parameter.opts if option.startswith("--")}
    for path in (DOCS / "interfaces.md", DOCS / "operators.md", CHECKOUT / "README.md"):
        for line in re.findall(r"judge [a-z]+[^`\n]*", in_code(path.read_text("utf-8"))):
            for option in re.findall(r"(?<![\w-])--[a-z][a-z-]+", line):
                assert option in known, f"{path.name}: {line}"


def walk(command: click.Command) -> Iterator[click.Command]:
    """A command with all below it."""
    yield command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for each in command.list_commands(context):
            inner = command.get_command(context, each)
            assert inner is not None
            yield from walk(inner)


# ---- examples run


def examples() -> list[tuple[str, str, str]]:
    """Blocks that say how they are run: page, command, input."""
    found = []
    for path in sorted(DOCS.rglob("*.md")):
        for command, given in re.findall(r"<!-- run: (.*?) -->\n```\w*\n(.*?)^```", path.read_text("utf-8"), re.MULTILINE | re.DOTALL):
            found.append((path.name, command, given))
    return found


@pytest.mark.parametrize(("name", "command", "given"), examples(), ids=[f"{name}: {command}" for name, command, _ in examples()])
def test_examples_run(name: str, command: str, given: str) -> None:
    program = [sys.executable, "-m", *shlex.split(command)]
    done = subprocess.run(program, input=given, capture_output=True, text=True, cwd=CHECKOUT, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(given.splitlines())
    assert not [answer for answer in answers if answer.get("error")]


def test_there_are_examples() -> None:
    assert {name for name, _, _ in examples()} >= {"interfaces.md", "players.md"}


def test_the_readme_begins_with_the_two_commands() -> None:
    text = (CHECKOUT / "README.md").read_text("utf-8")
    first = text[: text.index("## ")]
    assert first.index("make demo") < first.index("make test")
    targets = set(re.findall(r"^([a-z-]+):", (CHECKOUT / "Makefile").read_text("utf-8"), re.MULTILINE))
    told = "\n".join(in_code(path.read_text("utf-8")) for path in pages())
    assert set(re.findall(r"^make ([a-z-]+)", told, re.MULTILINE)) <= targets


def test_the_changelog_has_the_version() -> None:
    import judge

    assert f"## {judge.__version__}" in (CHECKOUT / "CHANGELOG.md").read_text("utf-8")
