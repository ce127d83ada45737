"""The sentences that templates hold, so that catalogues can be checked and renewed."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from jinja2 import nodes
from jinja2.environment import Environment

from judge.report.environment import make_environments


@dataclass(frozen=True, slots=True)
class Message:
    """One sentence of the templates: English (one or two forms) and the files that hold it."""

    source: tuple[str, ...]
    places: tuple[str, ...]


def template_messages(folder: Path) -> tuple[Message, ...]:
    """Every sentence in the templates of a folder, in the order of files and lines."""
    environments = make_environments(folder)
    found: dict[tuple[str, ...], list[str]] = {}
    for path in sorted(folder.rglob("*.j2")):
        name = path.relative_to(folder).as_posix()
        for source in _messages(environments.of(name), path.read_text("utf-8")):
            places = found.setdefault(source, [])
            if name not in places:
                places.append(name)
    return tuple(Message(source, tuple(places)) for source, places in found.items())


def _messages(environment: Environment, text: str) -> Iterator[tuple[str, ...]]:
    """Calls of gettext and ngettext with constant texts, in the parsed template."""
    for call in environment.parse(text).find_all(nodes.Call):
        if not isinstance(call.node, nodes.Name) or call.node.name not in ("gettext", "ngettext", "_"):
            continue
        texts = [arg.value for arg in call.args if isinstance(arg, nodes.Const) and isinstance(arg.value, str)]
        if texts:
            yield tuple(texts[:2] if call.node.name == "ngettext" else texts[:1])
