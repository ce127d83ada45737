"""Jinja2 environments for text and HTML: where templates are looked for, sentences in the reader's language, nothing undefined."""

from collections.abc import Callable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType
from typing import Any

from jinja2 import BaseLoader, ChoiceLoader, Environment, FileSystemLoader, PrefixLoader, StrictUndefined
from jinja2.runtime import Context, Macro
from markupsafe import Markup

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


class LetterContext(Context):
    """A context whose calls of macros and plain functions cost little: a letter makes a hundred of them."""

    def call(self, called: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        """Call something a template names."""
        if type(called) is FunctionType:
            if hasattr(called, "jinja_pass_arg"):
                return super().call(called, *args, **kwargs)
        elif type(called) is Macro:
            args = (self.eval_ctx, *args)
        else:
            return super().call(called, *args, **kwargs)
        kwargs.pop("_loop_vars", None)
        kwargs.pop("_block_vars", None)
        return called(*args, **kwargs)


class LetterEnvironment(Environment):
    """An environment whose templates share its names instead of looking through a chain of them at every step."""

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """The names a template may use."""
        return super().make_globals(d) if d else self.globals


def _sentences(is_html: bool) -> dict[str, Callable[..., str]]:
    """What ``trans`` and ``_`` call: sentences of the catalogue with facts put in, which are escaped in HTML."""

    def filled(message: str, facts: dict[str, object]) -> str:
        if not is_html:
            return message % facts
        return Markup(message) % facts if facts else Markup(message % facts)  # noqa: S704 - the catalogue's own sentence

    def gettext(message: str, /, **facts: object) -> str:
        return filled(current_voice().phrases.gettext(message), facts)

    def ngettext(one: str, many: str, n: int, /, **facts: object) -> str:
        return filled(current_voice().phrases.ngettext(one, many, n), {"num": n, **facts})

    def pgettext(context: str, message: str, /, **facts: object) -> str:
        return filled(current_voice().phrases.pgettext(context, message), {"context": context, **facts})

    def npgettext(context: str, one: str, many: str, n: int, /, **facts: object) -> str:
        return filled(current_voice().phrases.npgettext(context, one, many, n), {"context": context, "num": n, **facts})

    return {"_": gettext, "gettext": gettext, "ngettext": ngettext, "pgettext": pgettext, "npgettext": npgettext}


def say(code: str, /, **facts: object) -> str:
    """A sentence of the catalogue by its code, for templates."""
    return current_voice().phrases.say(code, **facts)


def language() -> str:
    """The language of the letter, for templates."""
    return current_voice().phrases.lang


def _environment(loader: BaseLoader, is_html: bool) -> Environment:
    environment = LetterEnvironment(
        loader=loader,
        autoescape=is_html,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
        cache_size=-1,
        extensions=["jinja2.ext.i18n", "jinja2.ext.do"],
    )
    environment.context_class = LetterContext
    environment.policies["ext.i18n.trimmed"] = True
    environment.newstyle_gettext = True  # type: ignore[attr-defined]  # an attribute of the i18n extension
    environment.globals.update(_sentences(is_html))
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
