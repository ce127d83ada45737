"""Sentences and help pages name commands in the reader's own words, and what they show can be sent back."""

import re

import pytest

from judge.game import SETTINGS, Command, SetSetting, SetWish
from judge.language import fold
from judge.language.commands import CommandReader
from judge.language.powerindex import PowerIndex
from judge.language.requests import Line
from judge.library import shipped_folder
from tests.support.golden_game import library

LANGUAGES = ("cs", "hu", "ru")
WORDS = library().command_words


def texts(language: str) -> list[str]:
    """Every sentence and every help page of a language, without what is filled in."""
    said = [form for entry in library().tongue(language).phrases.entries.values() for form in entry.forms]
    pages = [page.read_text("utf-8") for page in sorted((shipped_folder("templates") / "help" / language).glob("*.txt.j2"))]
    return [re.sub(r"\{\{.*?\}\}|\{%.*?%\}|\{\w+\}|%\(\w+\)s", "…", text) for text in said + pages]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_names_a_command_in_english(language: str) -> None:
    english = {
        word.upper() for forms in library().tongue("en").commands["commands"].values() for form in forms for word in form.split()[:1]
    }
    own = {word.upper() for forms in library().tongue(language).commands["commands"].values() for form in forms for word in form.split()}
    strangers = english - own - {key.upper() for key in SETTINGS}  # settings are listed by their English names too
    found = [(word, text) for text in texts(language) for word in re.findall(r"\b[A-Z]{3,}\b", text) if word in strangers]
    assert found == []


SET = {"cs": "NASTAV", "hu": "ÁLLÍTSD", "ru": "УСТАНОВИТЬ"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_sentences_show_of_settings_is_understood(language: str) -> None:
    reader = CommandReader(WORDS, PowerIndex({}, ()))
    values = {"title": "Tatry", "listed": "yes", "invitation": "heron", "approval": "no", "reliability": "70"}
    value_shown = r"\d+h|[A-Z]\w+/[A-Z]\w+|[^\W\d_]*[^\W\d_a-zа-я](?=\s|$)"
    shown = re.findall(rf"{SET[language]} (\w+)((?: (?:{value_shown}))?)", "\n".join(texts(language)))
    read: list[Command] = []
    for key, value in shown:
        name = WORDS.settings.get(key.casefold(), "") or next(setting for word, setting in WORDS.settings.items() if word == fold(key))
        text = f"{SET[language]} {key} {value.strip() or values.get(name, '')}"
        match = WORDS.match(text)
        assert match is not None, text
        read.append(reader.read(Line(1, text, match.name, match.rest, match.language)))
    assert {command.key for command in read if isinstance(command, SetSetting)} >= {*values, "movement"}
    assert SetWish("digest", "no") in read


@pytest.mark.parametrize(("language", "command"), [(language, name) for language in LANGUAGES for name in ("approve", "allow", "nodraw")])
def test_every_command_has_its_own_word_in_a_sentence(language: str, command: str) -> None:
    spelled = WORDS.spell(command, language)
    assert spelled != WORDS.spell(command, "en")
    match = WORDS.match(f"{spelled} 1")
    assert match is not None
    assert match.name == command
