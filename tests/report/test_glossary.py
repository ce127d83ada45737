"""One word for one thing: the glossary of docs/languages.md against every sentence and help page."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from judge.library import shipped_folder
from tests.support.golden_game import library

GLOSSARY = Path(__file__).parents[2] / "docs" / "languages.md"
COLUMN = {"cs": 1, "hu": 2, "ru": 3}
FORBIDDEN = {"cs": 4, "hu": 5, "ru": 6}


@cache
def rows() -> tuple[tuple[str, ...], ...]:
    text = GLOSSARY.read_text("utf-8").partition("### Glossary")[2]
    table = [line for line in text.splitlines() if line.startswith("|")]
    return tuple(tuple(cell.strip() for cell in line.strip("|").split("|")) for line in table[2:])


@cache
def sentences(language: str) -> Mapping[str, str]:
    """Everything the judge says in a language, by where it stands."""
    catalogue = library().tongue(language).phrases.entries
    said = {f"{code}: {source}": " | ".join(entry.forms) for (code, source), entry in catalogue.items()}
    for path in (shipped_folder("templates") / "help" / language).iterdir():
        said[path.name] = path.read_text("utf-8")
    return said


def test_there_are_sixty_terms() -> None:
    assert len(rows()) >= 60
    assert all(len(row) == 7 for row in rows())


@pytest.mark.parametrize("language", COLUMN)
def test_every_term_has_a_word(language: str) -> None:
    assert all(row[COLUMN[language]] for row in rows())


@pytest.mark.parametrize("language", COLUMN)
def test_no_other_word_is_used(language: str) -> None:
    found = []
    for row in rows():
        for word in filter(None, re.split(r",\s*", row[FORBIDDEN[language]])):
            pattern = re.compile(rf"\b{re.escape(word)}", re.IGNORECASE)
            for where, text in sentences(language).items():
                plain = re.sub(r"\{\{.*?\}\}|%\([a-z_]+\)s|\{[a-z_]+\}|[A-Z]{2,}[A-Z ]*", "", text)
                found += [f"{row[0]}: {word!r} in {where}: {text}"] if pattern.search(plain) else []
    assert found == []


@pytest.mark.parametrize("language", COLUMN)
def test_the_words_of_the_glossary_are_those_in_use(language: str) -> None:
    """The stem of each word (its first letters) stands in some sentence, or names a unit kind in words.toml."""
    everything = " ".join(sentences(language).values()).casefold()
    lexicon = library().tongue(language).lexicon
    everything += " ".join(word for unit in lexicon.units.values() for word in unit.subject[:1])
    unused = [row[0] for row in rows() if _stem(row[COLUMN[language]]) not in everything]
    assert unused == []


def _stem(term: str) -> str:
    word = max(term.casefold().split(), key=len)
    return word[: max(3, len(word) - 4)]
