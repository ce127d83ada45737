"""Every element, attribute and style of every letter stands in docs/html-mail.md, with who shows it and what is seen elsewhere."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest

from judge.report import Scribe, samples
from judge.report.filters import Voice, speaking
from tests.support.golden_game import NOW, autumn_game, closed, library, people, scribe, variant
from tests.support.golden_game import winter_game as winter

PAGE = (Path(__file__).parents[2] / "docs" / "html-mail.md").read_text("utf-8")
CLIENTS = ("Gmail", "Apple Mail", "Word", "Outlook.com", "Yahoo")


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    section: str
    used: tuple[str, ...]
    on: frozenset[str]
    support: tuple[str, ...]
    missing: str
    source: str


def rows() -> Iterator[Row]:
    for section in re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]:
        title, _, table = section.partition("\n")
        for line in table.splitlines():
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if len(cells) == 9 and cells[0].startswith("`"):
                yield Row(
                    title, tuple(re.findall(r"`([^`]+)`", cells[0])), frozenset(cells[1].split()), tuple(cells[2:7]), cells[7], cells[8]
                )


ROWS = tuple(rows())


def known(section: str) -> dict[str, frozenset[str]]:
    """What may be used, and on which elements."""
    return {name.strip("<>"): row.on for row in ROWS if row.section == section for name in row.used}


ELEMENTS, ATTRIBUTES, STYLES, SHEET = map(known, ("Elements", "Attributes", "Styles", "In the style element"))


class Walk(HTMLParser):
    """Collects what a letter uses."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: set[str] = set()
        self.attributes: set[tuple[str, str]] = set()
        self.styles: set[tuple[str, str]] = set()
        self.links: set[str] = set()
        self.sheets: list[str] = []
        self.buttons = 0
        self.open: list[tuple[str, str]] = []
        self.unbacked: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        style = dict(attrs).get("style") or ""
        for name, value in attrs:
            self.attributes.add((tag, name))
            if name in ("href", "src"):
                self.links.add(value or "")
        for declaration in filter(None, style.split(";")):
            self.styles.add((tag, declaration.partition(":")[0].strip()))
        if tag == "a" and "padding" in style:
            self.buttons += 1
            if "mso-padding-alt" not in self.open[-1][1]:
                self.unbacked.append(style)
        if tag not in ("meta", "br", "img"):
            self.open.append((tag, style))

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1][0] == tag, f"</{tag}> closes {self.open[-1][0]}"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1][0] == "style":
            self.sheets.append(data)


def walked(html: str) -> Walk:
    walk = Walk()
    walk.feed(html)
    assert walk.open == []
    return walk


@cache
def letters() -> tuple[str, ...]:
    """Every kind of letter with made-up views, in every language, and two real ones."""
    writer: Scribe = scribe()
    printer = writer._printer
    found = []
    for language in writer.languages:
        with speaking(Voice(library().tongue(language).phrases, "UTC", samples.NOW)):
            found += [printer.write(kind, view).html for kind, views in samples.sample_letters().items() for view in views]
        for made in (autumn_game(), winter()):
            game, notice = closed(made)
            found += [letter.html or "" for letter in writer.letters(game, notice, people(language), variant(), NOW, "key")]
    return tuple(found)


@cache
def walks() -> tuple[Walk, ...]:
    return tuple(map(walked, letters()))


def test_the_table_is_whole() -> None:
    for row in ROWS:
        assert len(row.support) == len(CLIENTS)
        assert set(row.support) <= {"yes", "part", "no", "?"}, row
        assert row.missing or set(row.support) == {"yes"}, f"{row.used}: what is seen where it is missing?"
        assert re.fullmatch(r"general|(css|html)-[a-z-]+ 20\d\d-\d\d|", row.source), row.source
    assert len(ROWS) > 40


def test_only_known_elements() -> None:
    assert {tag for walk in walks() for tag in walk.elements} <= set(ELEMENTS)


def test_only_known_attributes_on_known_elements() -> None:
    used = {pair for walk in walks() for pair in walk.attributes}
    assert {(tag, name) for tag, name in used if tag not in ATTRIBUTES.get(name, frozenset())} == set()


def test_only_known_styles_on_elements_that_take_them() -> None:
    used = {pair for walk in walks() for pair in walk.styles}
    assert {(tag, name) for tag, name in used if tag not in STYLES.get(name, frozenset())} == set()


def test_nothing_stands_in_the_table_that_is_not_used() -> None:
    elements = {tag for walk in walks() for tag in walk.elements}
    attributes = {name for walk in walks() for _, name in walk.attributes}
    styles = {name for walk in walks() for _, name in walk.styles}
    assert (set(ELEMENTS) - elements, set(ATTRIBUTES) - attributes, set(STYLES) - styles) == (set(), set(), set())


def test_the_style_element_does_nothing_but_dark_colours() -> None:
    for sheet in {sheet for walk in walks() for sheet in walk.sheets}:
        root, _, dark = sheet.partition("@media (prefers-color-scheme: dark)")
        assert "@" not in dark
        assert set(re.findall(r"([a-z-]+):\s*[^;{}]+;", root)) <= {"color-scheme", "supported-color-schemes"}
        declared = re.findall(r"([a-z-]+):\s*([^;{}]+);", dark)
        assert {name for name, _ in declared} <= set(SHEET)
        assert all(value.endswith(" !important") for _, value in declared)


def test_nothing_is_loaded_from_outside_and_every_link_is_a_mail_or_the_archive() -> None:
    links = {link for walk in walks() for link in walk.links}
    assert {re.split(r"(?<=:)", link)[0] for link in links} <= {"cid:", "mailto:", "https:"}
    assert not [html for html in letters() if re.search(r"url\(|@import|<script|<form|\son\w+=", html)]


def test_the_button_is_as_large_in_word() -> None:
    assert sum(walk.buttons for walk in walks())
    assert [style for walk in walks() for style in walk.unbacked] == []


@pytest.mark.parametrize("comment", ["<!--[if mso]>", "<![endif]-->"])
def test_words_own_table_is_opened_and_closed(comment: str) -> None:
    assert {html.count(comment) for html in letters()} == {2}


def test_letters_stay_light() -> None:
    assert max(len(html.encode()) for html in letters()) < 90_000
