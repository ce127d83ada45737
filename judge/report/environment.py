"""Jinja2 environments for text and HTML: where templates are looked for, sentences in the reader's language, nothing undefined."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from jinja2 import BaseLoader, ChoiceLoader, Environment, FileSystemLoader, PrefixLoader, StrictUndefined

from judge.report.filters import FILTERS, current_voice

SHIPPED = "shipped:"
"""Prefix under which an operator's template finds the original: ``{% extends "shipped:mail/turn.txt.j2" %}``."""


@dataclass(frozen=True, slots=True)
class Environments:
    """One environment for text, one for HTML (which escapes whatever is put in); templates are compiled once in each."""

    text: Environment
    html: Environment

    def of(self, template: str) -> Environment:
        """The environment for a template, by the ending of its name (``.html.j2``, ``.xml.j2``)."""
        return self.html if template.endswith((".html.j2", ".xml.j2")) else self.text


def _gettext(message: str) -> str:
    return current_voice().phrases.gettext(message)


def _ngettext(one: str, many: str, n: int) -> str:
    return current_voice().phrases.ngettext(one, many, n)


def _pgettext(context: str, message: str) -> str:
    return current_voice().phrases.pgettext(context, message)


def _npgettext(context: str, one: str, many: str, n: int) -> str:
    return current_voice().phrases.npgettext(context, one, many, n)


def say(code: str, /, **facts: object) -> str:
    """A sentence of the catalogue by its code, for templates."""
    return current_voice().phrases.say(code, **facts)


def language() -> str:
    """The language of the letter, for templates."""
    return current_voice().phrases.lang


def _environment(loader: BaseLoader, is_html: bool) -> Environment:
    environment = Environment(
        loader=loader,
        autoescape=is_html,  # noqa: S701 - text letters are no markup
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
        cache_size=-1,
        extensions=["jinja2.ext.i18n", "jinja2.ext.do"],
    )
    environment.policies["ext.i18n.trimmed"] = True
    environment.install_gettext_callables(  # type: ignore[attr-defined]
        _gettext, _ngettext, newstyle=True, pgettext=_pgettext, npgettext=_npgettext
    )
    environment.filters.update(FILTERS)
    environment.globals["say"] = say
    environment.globals["language"] = language
    return environment


def make_environments(shipped: Path, own: Sequence[Path] = (), constants: Mapping[str, object] | None = None) -> Environments:
    """The environments over the operator's folders (first found wins) and the shipped one.

    `constants` are names every template may use (the judge's own address).  A player's text is never a template, only a value.
    """
    original = FileSystemLoader(str(shipped))
    loader = ChoiceLoader(
        [*(FileSystemLoader(str(folder)) for folder in own), original, PrefixLoader({"shipped": original}, delimiter=":")]
    )
    text, html = _environment(loader, False), _environment(loader, True)
    for environment in (text, html):
        environment.globals.update(constants or {})
    return Environments(text, html)
