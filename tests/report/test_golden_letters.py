"""Finished letters in every language, read in review; `pytest --renew` writes them anew."""

import re
from pathlib import Path

import pytest

from judge.mail import Letter
from tests.support.golden_game import golden, golden_letters

GOLDEN = Path(__file__).parents[1] / "golden" / "letters"
LANGUAGES = ("en", "cs", "hu", "ru")
KINDS = tuple(golden_letters())


def as_file(letter: Letter) -> str:
    return f"Subject: {letter.subject}\n\n{letter.text}"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
def test_golden_text(kind: str, language: str, renew: bool) -> None:
    path = GOLDEN / language / f"{kind}.txt"
    text = as_file(golden(kind, language))
    if renew:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")


@pytest.mark.parametrize("kind", ["turn-dislodged", "answer", "press", "opened"])
def test_golden_html(kind: str, renew: bool) -> None:
    path = GOLDEN / "en" / f"{kind}.html"
    html = golden(kind, "en").html or ""
    if renew:
        path.write_text(html, "utf-8")
    assert html == path.read_text("utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
def test_every_letter_keeps_the_habits_of_mail(kind: str, language: str) -> None:
    letter = golden(kind, language)
    lines = letter.text.splitlines()
    assert max(map(len, lines)) < 72
    assert not [line for line in lines if line.startswith((">", "From ")) or line == "--"]
    assert "\n\n\n" not in letter.text
    assert "{" not in letter.text
    assert ".." not in letter.text
    assert "%(" not in letter.text
    assert 0 < len(letter.subject) <= 120
    assert "\n" not in letter.subject
    machine = [number for number, line in enumerate(lines) if line.startswith("::")]
    assert machine == list(range(len(lines) - len(machine), len(lines))), "machine lines stand at the foot"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
def test_html_twin(kind: str, language: str) -> None:
    letter = golden(kind, language)
    html = letter.html or ""
    assert len(html.encode()) < 90_000
    assert f'lang="{letter_language(kind, language)}"' in html
    assert not re.findall(r"""(?:src|href|url)\s*[=(]\s*["']?(?!mailto:|cid:)(?=\w)[^"'>]*""", html), "nothing is loaded from outside"
    assert "<script" not in html
    assert "&lt;b" not in html, "nothing is escaped twice"
    assert "http-equiv" not in html


def letter_language(kind: str, language: str) -> str:
    return "en" if kind == "operator" else language


@pytest.mark.parametrize("kind", KINDS)
def test_text_and_html_say_the_same_names(kind: str) -> None:
    """Every order and unit of the HTML stands in the text too: a reader without HTML loses nothing."""
    letter = golden(kind, "en")
    unit = re.compile(r"\b[AFPL] (?:[A-Z][a-z]{2}|\d+)\b")
    shown = re.sub(r"<[^>]+>", " ", re.sub(r"<a [^>]*>", " ", letter.html or "")).replace("&nbsp;", " ")
    assert set(unit.findall(shown)) <= set(unit.findall(letter.text))
