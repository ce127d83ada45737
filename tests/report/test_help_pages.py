"""HELP for every command, in every language, by every spelling: the page speaks of it, in the reader's own word."""

from datetime import UTC, datetime

import pytest

from judge.language.commands import OPENERS, READERS
from judge.language.commandwords import OLD
from judge.library import Library, shipped_folder
from judge.report.filters import Voice, speaking
from judge.report.printing import HELP_PAGES, Printer, command_speller

LIBRARY = Library()
WORDS = LIBRARY.command_words
LANGUAGES = ("en", "cs", "hu", "ru")
IN_ALL = frozenset({"help", "status", "game", "signoff", "version"})
"""Commands that the first page speaks of."""


@pytest.fixture(scope="module")
def printer() -> Printer:
    constants = {"judge_name": "Chancery", "judge_address": "judge@chancery.example", "command": command_speller(WORDS)}
    return Printer(shipped_folder("templates"), (), constants)


def page(printer: Printer, topic: str, language: str) -> tuple[str, str]:
    """Name and text of a help page."""
    with speaking(Voice(LIBRARY.tongue(language).phrases, "UTC", datetime(2026, 1, 5, tzinfo=UTC))):
        found = printer.help_page(topic, language, WORDS)
    return found.topic, found.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_command_has_its_page(language: str, printer: Printer) -> None:
    commands = (set(READERS) | OPENERS) - IN_ALL
    assert commands <= set(HELP_PAGES), commands - set(HELP_PAGES)
    silent = []
    for name in sorted(commands):
        topic, text = page(printer, WORDS.spell(name, language), language)
        if topic == "index" or WORDS.spell(name, language).upper() not in text.upper():
            silent.append((name, topic))
    assert silent == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_spelling_leads_to_the_page(language: str, printer: Printer) -> None:
    for spelling, (name, own) in WORDS.spellings.items():
        if own == language and not name.startswith(OLD) and name in HELP_PAGES:
            assert page(printer, " ".join(spelling), language)[0] == HELP_PAGES[name], spelling
