"""Templates filled: letters, help pages, and the parts that several letters share."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from jinja2 import Template, TemplateError, TemplateNotFound
from markupsafe import Markup

from judge.game import Turn
from judge.language import fold
from judge.language.commandwords import CommandWords
from judge.report import samples, views
from judge.report.environment import SHIPPED, make_environments
from judge.report.filters import Voice, as_html, current_voice, finish, speaking
from judge.report.viewing import Viewer

_T = TypeVar("_T")

HELP_PAGES = {
    **dict.fromkeys(("orders", "order", "clear", "convoy", "retreat", "builds"), "orders"),
    **dict.fromkeys(("press", "broadcast", "endpress", "postal"), "press"),
    **dict.fromkeys(("signon", "observe", "confirm", "list", "resign", "address", "preference", "here"), "signon"),
    **dict.fromkeys(("standby", "nostandby", "decline", "monitor"), "standby"),
    **dict.fromkeys(("draw", "nodraw", "concede", "noconcede", "rank", "norank", "newmaster", "nonewmaster"), "votes"),
    **dict.fromkeys(("absence", "noabsence"), "absence"),
    **dict.fromkeys(("summary", "history", "log", "who", "settings", "receipts", "mygames"), "looking"),
    **dict.fromkeys(("phase", "if", "elseif", "else", "endif", "ahead", "clearahead"), "ahead"),
    **dict.fromkeys(("check", "preview"), "check"),
    **dict.fromkeys(("diary", "readdiary", "forget", "mute", "unmute", "statement"), "notes"),
    **dict.fromkeys(("newaddress", "export", "erase"), "own"),
    **dict.fromkeys(("eject", "promote", "handover", "takemaster", "approve", "refuse", "disorder", "back", "allow", "strike"), "seats"),
    **dict.fromkeys(("rollback", "rollforward", "unstart", "predict", "edit", "begin", "official", "become"), "repair"),
    **dict.fromkeys(("keeper",), "keeper"),
    **dict.fromkeys(("wait", "nowait", "deadlines"), "deadlines"),
    **dict.fromkeys(("set", "name", "language", "zone", "notation", "pictures"), "set"),
    **dict.fromkeys(("create", "master", "start", "extend", "deadline", "process", "pause", "resume", "end"), "master"),
    **dict.fromkeys(("help", "status", "game", "signoff", "index"), "index"),
}
"""Command or topic to the help page that speaks of it."""

TOPICS = ("orders", "press", "deadlines")
"""Pages that are asked for by a word that is no command; the catalogue has it as ``topic.<page>``."""


@dataclass(frozen=True, slots=True)
class Written:
    """A letter's inside."""

    subject: str
    text: str
    html: str


def command_speller(words: CommandWords) -> Callable[[str], str]:
    """What spells a command for the reader of the letter, for templates."""
    return lambda name: words.spell(name, current_voice().phrases.lang)


class Printer:
    """Fills templates, within `speaking`.  They are compiled once; a Printer may be used by several threads.

    `own` are the operator's folders, first found wins; `constants` names that every template may use.
    """

    def __init__(self, shipped: Path, own: Sequence[Path], constants: Mapping[str, object]) -> None:
        self.broken: dict[str, str] = {}
        """Templates of the operator that could not be filled, with the reason; the shipped ones were used instead."""
        self._own = bool(own)
        self._environments = make_environments(shipped, own, constants)
        self._templates: dict[str, Template | None] = {}

    def write(self, kind: str, view: views.LetterView) -> Written:
        """Fill the templates of one kind of letter, within `speaking`.

        A letter without an HTML template of its own gets its text in simple HTML.
        """
        has_twin = self._template(f"mail/{kind}.html.j2") is not None
        subject, text, body = self._fill_letter(f"mail/{kind}.txt.j2", {"view": view}, with_body=not has_twin)
        if has_twin:
            html = self.fill(f"mail/{kind}.html.j2", {"view": view, "subject": subject})
        else:
            html = self.fill("shared/plain.html.j2", {"view": view, "subject": subject, "body": as_html(finish(body))})
        return Written(subject, finish(text), html)

    def fill(self, name: str, values: Mapping[str, object]) -> str:
        """One template filled."""
        return self._safely(name, lambda template: template.render(values))

    def _fill_letter(self, name: str, values: Mapping[str, object], with_body: bool) -> tuple[str, str, str]:
        """Subject and whole text of a letter, and its body alone ("" unless asked for)."""

        def fill(template: Template) -> tuple[str, str, str]:
            context = template.new_context(dict(values))
            text = "".join(template.root_render_func(context))
            subject = " ".join("".join(context.blocks["subject"][0](context)).split())
            return subject, text, "".join(context.blocks["body"][0](context)) if with_body else ""

        return self._safely(name, fill)

    def _safely(self, name: str, fill: Callable[[Template], _T]) -> _T:
        """Fill a template; if the operator's own one fails, note that and fill the shipped one: it must not stop a deadline."""
        template = self._template(name)
        if template is None:
            raise TemplateNotFound(name)
        if not self._own:
            return fill(template)
        try:
            return fill(template)
        except Exception as fault:  # whatever an operator's template can do wrong
            original = self._template(SHIPPED + name)
            if original is None or original.filename == template.filename:
                raise
            self.broken[name] = f"{type(fault).__name__}: {fault}"
            return fill(original)

    def _template(self, name: str) -> Template | None:
        """The template of that name; None if there is none.  One that cannot be compiled is replaced by the shipped one."""
        if name not in self._templates:
            self._templates[name] = self._load(name)
        return self._templates[name]

    def _load(self, name: str) -> Template | None:
        environment = self._environments.of(name)
        try:
            return environment.get_template(name)
        except TemplateNotFound as missing:
            if missing.name != name:
                raise
            return None
        except TemplateError as fault:
            if not self._own or name.startswith(SHIPPED):
                raise
            self.broken[name] = f"{type(fault).__name__}: {fault}"
            return environment.get_template(SHIPPED + name)

    def result(self, viewer: Viewer, turns: Sequence[Turn]) -> tuple[views.CommonResult, str, Markup]:
        """The part of a result that is the same for all readers of one language and notation: its View, text, and HTML."""
        common = viewer.common(turns)
        text = self.fill("shared/result.txt.j2", {"common": common})
        html = Markup(self.fill("shared/result.html.j2", {"common": common}))  # noqa: S704 - filled by the escaping environment
        return common, finish(text), html

    def section(self, kind: str, template: str, view: views.SummaryView | views.ListView) -> views.Section:
        """A part of an answer, from a template of ``shared/``."""
        text = finish(self.fill(f"shared/{template}.txt.j2", {"view": view}))
        return views.Section(kind, text, as_html(text))

    def help_page(self, topic: str, language: str, words: CommandWords) -> views.HelpPage:
        """A help page in the reader's language; in English where that has none, the index where there is no such topic."""
        found = words.match(topic)
        topic = next((page for page in TOPICS if fold(current_voice().phrases.say(f"topic.{page}")) == fold(topic)), topic)
        wanted = HELP_PAGES.get(found.name if found else topic.strip().lower(), topic.strip().lower())
        for name in dict.fromkeys((wanted, "index")):
            for lang in dict.fromkeys((language, "en")):
                path = f"help/{lang}/{name}.txt.j2"
                if name.isalnum() and self._template(path) is not None:
                    return views.HelpPage(name, finish(self.fill(path, {"topic": wanted})))
        return views.HelpPage("index", "")

    def warm_up(self, kinds: Sequence[str]) -> None:
        """Compile the templates of these kinds of letter and all they use, within `speaking`: a process does it once, and it takes time."""
        for kind in kinds:
            for view in samples.sample_letters()[kind]:
                self.write(kind, view)
        for name in ("shared/result.txt.j2", "shared/result.html.j2"):
            self.fill(name, {"common": samples.COMMON})

    def faults(self, voices: Sequence[Voice]) -> Mapping[str, str]:
        """Every template filled with made-up views, in each of the voices; what went wrong, by the template's name.

        A broken template of the operator is also noted in `broken`, and the shipped one is used from then on.
        """
        found: dict[str, str] = {}
        for voice in voices:
            with speaking(voice):
                for kind, sample_views in samples.sample_letters().items():
                    for view in sample_views:
                        self._try(f"mail/{kind}", partial(self.write, kind, view), found)
                for name in ("shared/result.txt.j2", "shared/result.html.j2"):
                    self._try(name, partial(self.fill, name, {"common": samples.COMMON}), found)
        return {**found, **self.broken}

    def _try(self, name: str, fill: Callable[[], object], found: dict[str, str]) -> None:
        try:
            fill()
        except Exception as fault:  # whatever is wrong with a template, the next ones are tried too
            found.setdefault(name, f"{type(fault).__name__}: {fault}")
