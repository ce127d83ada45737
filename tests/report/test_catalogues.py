"""Every sentence in every language: codes of errors, answers, verdicts and remarks, sentences of templates, placeholders."""

import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import judge
from judge.errors import PlayerError
from judge.game import SETTINGS, Answer, PressRule, Status
from judge.language import Phrases
from judge.language.complaints import WARNINGS
from judge.library import shipped_folder
from judge.report.extraction import Message, template_messages
from judge.rules import Verdict
from judge.rules import verdicts as verdicts_module
from tests.support.golden_game import library

LANGUAGES = ("en", "cs", "hu", "ru")
HOUSES = ("board", "rules", "game", "language", "library", "mail")
VARIED = {
    # code: the endings its sentence has instead, by the facts of the error or answer
    "error.not_allowed": ("_player", "_master", "_seated"),
    "error.not_running": tuple(f"_{status}" for status in Status if status is not Status.RUNNING),
    "error.press_not_allowed": ("_none", "_public", "_other"),
    "error.vote_not_allowed": ("_all", "_listed", "_none", "_concede", "_rank", "_master", "_other"),
    "error.absence_refused": ("_past", "_overlap", "_many", "_none", "_other"),
    "answer.told": (),  # its sentences are those of `test_every_piece_of_news_has_its_sentence`
}


def phrases(language: str) -> Phrases:
    return library().tongue(language).phrases


def subclasses(kind: type) -> Iterator[type]:
    each: type
    for each in kind.__subclasses__():
        yield each
        yield from subclasses(each)


def codes_of(kind: type, prefix: str) -> set[str]:
    """Codes of all classes of this kind in the houses of the core."""
    for house in HOUSES:
        package = importlib.import_module(f"judge.{house}")
        for module in pkgutil.iter_modules(package.__path__, f"judge.{house}."):
            importlib.import_module(module.name)
    found = {str(getattr(each, "code", "")) for each in subclasses(kind) if each.__module__.startswith("judge.")}
    codes = {f"{prefix}.{code}" for code in found if code}
    return {f"{code}{ending}" for code in codes for ending in VARIED.get(code, ("",))}


def codes_in(text: str) -> set[str]:
    """The codes that a docstring lists: in double backquotes, at the beginning of a point."""
    return {code for line in re.findall(r"^- (.*)", text, re.MULTILINE) for code in re.findall(r"``([a-z_]+)``[:; ]", line)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_error_and_answer_has_its_sentence(language: str) -> None:
    wanted = codes_of(PlayerError, "error") | codes_of(Answer, "answer") | {f"remark.{each.code}" for each in WARNINGS}
    assert not {code for code in wanted if not phrases(language).knows(code)}


def literals(call: str) -> set[str]:
    """Codes written in the houses' source as the first argument of a call."""
    root = Path(judge.__file__).parent
    texts = [path.read_text("utf-8") for house in ("game", "service") for path in (root / house).glob("*.py")]
    return {code for text in texts for code in re.findall(rf'\b{call}\(\s*"([a-z_]+)"', text)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_piece_of_news_has_its_sentence(language: str) -> None:
    wanted = {f"news.{code}{ending}" for code in literals("News") for ending in ("", ".subject")}
    wanted |= {f"answer.{code}" for code in literals("Told")}
    assert len(wanted) > 40
    assert not {code for code in wanted if not phrases(language).knows(code)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_and_verdict_has_its_sentence(language: str) -> None:
    doc = verdicts_module.__doc__ or ""
    reasons = {f"why.{code}" for code in codes_in(doc.replace("; ``", "\n- ``"))} | {"why.dislodged_by"}
    assert len(reasons) > 45
    refused = set(re.findall(r"``([a-z_]+)``", doc[doc.index("`Refused.code`") :]))
    wanted = reasons | {f"verdict.{verdict}" for verdict in Verdict} | {f"refused.{code}" for code in refused}
    assert not {code for code in wanted if not phrases(language).knows(code)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_commands_in_sentences_are_known_to_the_judge(language: str) -> None:
    names = {name.upper() for _, name in library().command_words.written}
    named = {name for entry in phrases(language).entries.values() for text in entry.forms for name in re.findall(r"\{([A-Z]+)\}", text)}
    assert named <= names
    assert len(named) > 10 or language == "en"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_setting_rule_and_status_has_its_word(language: str) -> None:
    wanted = {f"setting.{key}" for key in SETTINGS} | {f"press.{rule}" for rule in PressRule} | {f"status.{each}" for each in Status}
    assert not {code for code in wanted if not phrases(language).knows(code)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_problem_of_a_mail_has_its_sentence(language: str) -> None:
    from judge.mail import Message

    doc = Message.__doc__ or ""
    problems = set(re.findall(r"``([a-z_0-9]+)``", doc[doc.index("`problems`") :]))
    assert "only_picture" in problems
    assert not {code for code in problems if not phrases(language).knows(f"saw.{code}")}


def untranslated(message: Message) -> str:
    """An entry for a catalogue, to be translated."""
    quoted = [text.replace("\\", "\\\\").replace('"', '\\"') for text in message.source]
    head = f'\n#: {" ".join(message.places)}\nmsgid "{quoted[0]}"\n'
    if len(quoted) == 1:
        return f'{head}msgstr ""\n'
    return f'{head}msgid_plural "{quoted[1]}"\nmsgstr[0] ""\nmsgstr[1] ""\n'


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_of_the_templates_is_in_the_catalogue(language: str, renew: bool) -> None:
    """`pytest --renew` adds the missing ones to the catalogue, untranslated."""
    entries = phrases(language).entries
    path = shipped_folder("templates") / "languages" / language / "judge.po"
    own = Phrases.from_po(language, path.read_bytes()).entries
    missing = [message for message in template_messages(shipped_folder("templates")) if ("", message.source[0]) not in own]
    if renew and missing:
        path.write_text(path.read_text("utf-8") + "".join(untranslated(message) for message in missing), "utf-8")
        return
    assert not [message.source for message in missing if ("", message.source[0]) not in entries]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_lies_idle(language: str) -> None:
    used = {message.source[0] for message in template_messages(shipped_folder("templates"))}
    assert not [source for code, source in phrases(language).entries if not code and source not in used]


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_everything_is_translated(language: str) -> None:
    assert phrases(language).coverage() == 1.0


@pytest.mark.parametrize("language", LANGUAGES)
def test_placeholders_agree_with_the_english(language: str) -> None:
    assert phrases(language).faults() == []


@pytest.mark.parametrize("language", ["cs", "hu", "ru"])
def test_every_help_page_is_translated(language: str) -> None:
    folder = shipped_folder("templates") / "help"
    assert {path.name for path in (folder / language).iterdir()} == {path.name for path in (folder / "en").iterdir()}


def test_no_player_text_stands_in_python() -> None:
    """Sentences live in catalogues and templates: no capital, words and a full stop in a string of the houses that write to players."""
    sentence = re.compile(r"^[A-Z][a-z]+(?: [a-z]+){3,}.*\.$")
    root = Path(judge.__file__).parent
    found = []
    for house in ("game", "rules", "board", "report", "picture"):
        for path in (root / house).glob("*.py"):
            without_docs = re.sub(r'"""[\s\S]*?"""', "", path.read_text("utf-8"))
            found += [(path.name, text) for text in re.findall(r'"([^"\n]*)"', without_docs) if sentence.match(text)]
    assert [each for each in found if each[0] != "samples.py"] == []
