"""The pages of the archive: what is on them, what must not be, and that every link leads somewhere."""

import posixpath
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from datetime import timedelta
from functools import partial
from html.parser import HTMLParser
from pathlib import Path

import pytest

from judge.config import Config
from judge.game import Ending, EndKind, Game, Status
from judge.report.exhibits import played_parts
from judge.service.archive import Archive
from judge.store import Transaction, open_store
from judge.web import Site
from judge.wiring import build_archive
from tests.support import shelf
from tests.support.golden_game import NOW

LANGUAGES = ("en", "cs", "hu", "ru")


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> Config:
    return shelf.fill(tmp_path_factory.mktemp("archive"))


@pytest.fixture(scope="module")
def site(config: Config) -> Site:
    return build_archive(config)


@pytest.fixture(scope="module")
def texts(site: Site) -> dict[str, str]:
    """Every page, feed and asset of the site by its path."""
    return {path: page(site, path) for path in site.paths() if not path.endswith((".png", ".svg"))}


def page(site: Site, path: str) -> str:
    content = site.find(path)
    assert content is not None, path
    return content.body.decode()


class Reader(HTMLParser):
    """What a page names: links, pictures, scripts, styles, ids, and whatever would be forbidden by its policy."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: list[str] = []
        self.inline: list[str] = []
        self.words: list[str] = []
        self._inside = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self._inside = tag
        self.links += [value for name, value in attrs if name in ("href", "src", "data-picture", "data-full") and value]
        self.ids += [value for name, value in attrs if name == "id" and value]
        self.inline += [f"{tag} {name}" for name in given if name == "style" or name.startswith("on")]
        self.inline += [tag] if tag == "style" or (tag == "script" and "src" not in given) else []

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


# ---- links, form, policy


def test_every_link_leads_to_a_file_of_the_site(site: Site, texts: dict[str, str]) -> None:
    there = set(site.paths())
    wrong = []
    for path, text in texts.items():
        if not path.endswith(".html"):
            continue
        for link in Reader(text).links:
            target = posixpath.normpath(posixpath.join(posixpath.dirname(path), link.partition("#")[0])) if link[:1] != "#" else path
            if not link.startswith("mailto:") and target not in there:
                wrong.append(f"{path}: {link}")
    assert wrong == []


def test_no_page_holds_script_or_style_and_no_id_twice(texts: dict[str, str]) -> None:
    for path, text in texts.items():
        if path.endswith(".html"):
            found = Reader(text)
            assert found.inline == [], path
            assert len(found.ids) == len(set(found.ids)), path


def test_pages_are_in_their_language(texts: dict[str, str]) -> None:
    for lang, word in {"en": "Open seats", "cs": "Volná místa", "hu": "Szabad helyek", "ru": "Свободные места"}.items():
        assert f'<html lang="{lang}">' in texts[f"{lang}/index.html"]
        assert word in Reader(texts[f"{lang}/open.html"]).text


# ---- what is on them


def test_the_list_of_games_shows_each_in_its_place(texts: dict[str, str]) -> None:
    text = Reader(texts["en/index.html"]).text
    places = [text.index(word) for word in ("Under way", "azeroth", "morava", "tatry", "odra", "Forming", "vltava", "Over", "danube")]
    assert places == sorted(places)
    assert "A game on the <river>" in text
    assert "The game is won by England." in text


def test_a_game_names_its_players_and_counts_its_centres(texts: dict[str, str]) -> None:
    text = Reader(texts["cs/games/danube.1/index.html"]).text
    assert "Marie Dubois" in text
    assert "Luca Rossi dříve: Anna Nováková" in text
    assert "Vedoucí hry: Margit Sándor" in text
    table = texts["en/games/danube.1/index.html"].partition('aria-labelledby="centres"')[2]
    row = Reader(table[table.index("<tbody>") : table.index("</tbody>")]).text
    assert "Austria 3" in row
    assert "Russia 4" in row


def test_a_phase_has_every_order_with_its_reason(texts: dict[str, str], site: Site) -> None:
    text = Reader(texts["en/games/danube.1/1.html"]).text
    recorded = shelf.record()["phases"][0]["orders"]
    assert (
        text.count("moved") + text.count("bounced") + text.count("held") + text.count("supported") >= sum(map(len, recorded.values())) // 2
    )
    failed = [path for path in texts if path.startswith("en/games/danube.1/") and "FAILED" in texts[path]]
    assert failed
    assert any('class="reason"' in texts[path] for path in failed)


def test_one_can_leaf_from_the_first_phase_to_the_last_and_back(texts: dict[str, str]) -> None:
    path, seen = "en/games/danube.1/1.html", []
    while path:
        seen.append(path)
        onward = re.search(r'rel="next" href="([^"]+)"', texts[path])
        path = posixpath.join(posixpath.dirname(path), onward[1]) if onward else ""
    assert len(seen) == len(re.findall(r"data-picture", texts["en/games/danube.1/index.html"]))
    assert 'rel="prev"' not in texts[seen[0]]
    assert all('rel="prev"' in texts[each] for each in seen[1:])


def test_a_phase_that_was_taken_back_says_so_and_stands_in_no_row(texts: dict[str, str]) -> None:
    assert "taken this phase back" in texts["en/games/tatry.3/4.html"]
    assert "1 phase taken back by the master" in Reader(texts["en/games/tatry.3/index.html"]).text
    assert 'href="4.html"' not in texts["en/games/tatry.3/3.html"]


def test_open_seats_tell_how_to_take_one(texts: dict[str, str]) -> None:
    text = texts["en/open.html"]
    assert "Open: Italy and Turkey" in Reader(text).text
    assert "mailto:judge@chancery.example?subject=vltava&amp;body=SIGNON%20vltava%0D%0A" in text


def test_messages_are_shown_as_they_were_written_and_harmless(texts: dict[str, str]) -> None:
    text = texts["en/games/danube.1/press.html"]
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert(&#34;x&#34;)&lt;/script&gt;" in text
    assert "France to England" in Reader(text).text
    assert "Russia to Turkey" in Reader(text).text  # the game is over and reveals who was hidden


def test_players_are_counted(texts: dict[str, str]) -> None:
    rows = re.findall(r"<tr><th scope=\"row\">.*?</tr>", texts["en/players.html"])
    england = next(row for row in rows if "Ed Hale" in row)
    assert re.findall(r'number">(\d+)<', england) == ["3", "1", "1", "0"]  # tatry, azeroth, odra; danube to its end; vltava has not begun
    assert len(rows) == 8


def test_results_follow_the_rules_of_parts(site: Site) -> None:
    archive: Archive = site._archive
    card = next(card for card in archive.cards if card.name == "danube")
    drawn = replace(card, ending=Ending(EndKind.DRAWN, ("FRANCE", "ITALY"), NOW))
    found = {part.power: part.result for parts in played_parts([drawn]).values() for part in parts if part.until is None}
    assert (found["FRANCE"], found["ENGLAND"], found[""]) == ("drawn", "other", "")
    left = [part for part in played_parts([card])[1] if part.power == "ITALY"]
    assert [part.result for part in left] == [""]
    stopped = replace(card, ending=Ending(EndKind.STOPPED, (), NOW))
    assert {part.result for parts in played_parts([stopped]).values() for part in parts} == {""}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_feed_is_atom(texts: dict[str, str], language: str) -> None:
    for path in (f"{language}/feed.xml", f"{language}/games/danube.1/feed.xml"):
        root = ET.fromstring(texts[path])
        atom = "{http://www.w3.org/2005/Atom}"
        assert root.tag == f"{atom}feed"
        assert all(root.find(f"{atom}{name}") is not None for name in ("id", "title", "updated"))
        entries = root.findall(f"{atom}entry")
        assert len({entry.findtext(f"{atom}id") for entry in entries}) == len(entries) > 5
        moments = [entry.findtext(f"{atom}updated") for entry in entries]
        assert moments == sorted(moments, key=str, reverse=True)
        for entry in entries:
            link = entry.find(f"{atom}link")
            assert link is not None
            assert link.get("href", "").startswith(f"https://games.example.org/{language}/games/")


def test_pictures_are_there(site: Site) -> None:
    for name in ("1", "board"):
        png = site.find(f"pictures/danube.1/{name}.png")
        assert png is not None
        assert png.body.startswith(b"\x89PNG")
        assert len(png.body) < 260_000
        for language in LANGUAGES:
            svg = site.find(f"{language}/games/danube.1/{name}.svg")
            assert svg is not None
            assert ET.fromstring(svg.body).tag == "{http://www.w3.org/2000/svg}svg"


def test_what_is_not_there_is_nothing(site: Site) -> None:
    for path in (
        "en/games/danube.1/99.html",
        "en/games/danube.99/index.html",
        "en/games/tatry.3/press.html",
        "en/players/99.html",
        "en/finished-2.html",
        "de/index.html",
        "../judge.toml",
        "archive.css/../page.html.j2",
        "page.html.j2",
        "pictures/danube.1/99.png",
        "pictures/danube.1/٣.png",
        "en/games/DANUBE.1/index.html",
        "",
    ):
        assert site.find(path) is None, path


# ---- what must not be on them


def test_nothing_secret_is_on_any_page(texts: dict[str, str]) -> None:
    """Names in hidden games, unlisted games, orders on file, messages before the end, notes, addresses, invitations."""
    assert [path for path, text in texts.items() if shelf.CANARY.lower() in (path + text).lower()] == []


def test_nothing_secret_is_in_any_drawing(site: Site) -> None:
    for path in site.paths(("en",)):
        if path.endswith("board.svg") and path != "icon.svg":
            assert shelf.CANARY.lower() not in page(site, path).lower()


def test_orders_on_file_are_on_no_page(texts: dict[str, str], site: Site) -> None:
    """The open phase has no page, and its only order ("A Par H") is nowhere told."""
    assert site.find("en/games/tatry.3/5.html") is None
    assert "A Par H" not in texts["en/games/tatry.3/index.html"]


def test_gunboat_names_nobody(texts: dict[str, str]) -> None:
    text = Reader(texts["en/games/morava.2/index.html"]).text
    assert "Gunboat" in text
    assert text.count("taken") == 7
    assert [name for name in shelf.HIDDEN_NAMES if any(name in each for each in texts.values())] == []


def test_people_without_a_name_of_their_own_are_not_called_by_half_an_address(tmp_path: Path) -> None:
    config = shelf.fill(tmp_path, (shelf.tatry,))
    store = open_store(config.database_url)
    with store.transaction() as tx:
        person = tx.people.get(3)
        tx.people.put(replace(person, name=person.address.partition("@")[0]))
    store.close()
    site = build_archive(config)
    text = every_page(site)
    assert "marie" not in text.lower()
    assert "Ed Hale" in text


def every_page(site: Site) -> str:
    return "\n".join(page(site, path) for path in site.paths(("en",)) if path.endswith((".html", ".xml")))


# ---- changes


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """The list of games is looked at anew every time."""
    monkeypatch.setattr("judge.service.archive.FRESH", 0.0)


@pytest.mark.usefixtures("fresh")
def test_a_game_taken_off_the_list_is_gone_at_once(tmp_path: Path) -> None:
    config = shelf.fill(tmp_path, (shelf.tatry,))
    site = build_archive(config)
    paths = [path for path in site.paths(("en",)) if "tatry" in path]
    assert site.find("en/games/tatry.1/index.html") is not None
    shelf.change(config, "tatry", lambda game: replace(game, settings=replace(game.settings, listed=False)))
    assert [path for path in paths if site.find(path) is not None] == []
    assert "tatry" not in every_page(site)
    assert "Ed Hale" not in every_page(site)


@pytest.mark.usefixtures("fresh")
def test_a_gunboat_game_tells_its_players_and_messages_when_it_is_over(tmp_path: Path) -> None:
    config = shelf.fill(tmp_path, (shelf.morava,))
    site = build_archive(config)
    assert shelf.HIDDEN_NAMES[0] not in every_page(site)
    ending = Ending(EndKind.WON, ("FRANCE",), NOW)
    shelf.change(config, "morava", lambda game: replace(game, status=Status.FINISHED, ending=ending, deadline=None, orders={}))
    told = every_page(site)
    assert shelf.HIDDEN_NAMES[0] in told
    assert "secret plan" in told


def test_a_broken_variant_does_not_take_the_others_along(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from judge.errors import OperatorError
    from judge.service.packs import Packs

    config = shelf.fill(tmp_path, (shelf.tatry, shelf.azeroth))
    whole = Packs.of

    def broken(self: Packs, game: Game, tx: Transaction) -> object:
        if game.variant == "warcraft":
            raise OperatorError("the folder is gone")
        return whole(self, game, tx)

    monkeypatch.setattr(Packs, "of", broken)
    site = build_archive(config)
    assert "tatry" in every_page(site)
    assert "azeroth" not in every_page(site)


def test_an_empty_judge_has_pages_too(tmp_path: Path) -> None:
    site = build_archive(shelf.fill(tmp_path, ()))
    assert "There are no games yet." in page(site, "en/index.html")
    assert "At the moment every seat is taken." in page(site, "en/open.html")
    for path in site.paths():
        assert site.find(path) is not None, path


def test_names_for_two_games_one_after_the_other(tmp_path: Path) -> None:
    """A name is free again once a game is put away; its pages stay, under its number."""
    config = shelf.fill(tmp_path, (shelf.danube,))
    store = open_store(config.database_url)
    with store.transaction() as tx:
        tx.games.archive(1, NOW)
        game, turns, press = shelf.tatry()
        shelf.keep(tx, replace(game, name="danube"), turns, press)
    store.close()
    site = build_archive(config)
    assert "won by England" in page(site, "en/games/danube.1/index.html")
    assert "won by England" not in page(site, "en/games/danube.2/index.html")
    assert site.game_named("danube", "en") == "en/games/danube.2/index.html"


def test_many_games_that_are_over_go_on_several_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judge.report.pages.PAGE_OF_FINISHED", 2)
    monkeypatch.setattr("judge.report.pages.LATEST", 1)
    site = build_archive(shelf.fill(tmp_path, tuple(partial(over_game, number) for number in range(5))))
    assert "finished.html" in page(site, "en/index.html")
    shown = [page(site, path) for path in ("en/finished.html", "en/finished-2.html", "en/finished-3.html")]
    assert [re.findall(r">(over\d)<", text) for text in shown] == [["over4", "over3"], ["over2", "over1"], ["over0"]]
    assert "Page 2 of 3" in shown[1]


def over_game(number: int) -> shelf.Made:
    game, turns, press = shelf.silent()
    at = NOW + timedelta(days=number)
    return replace(game, name=f"over{number}", ending=Ending(EndKind.DRAWN, ("FRANCE",), at)), turns, press


def test_every_view_of_pages_is_documented() -> None:
    import ast

    from judge.report import pageviews

    told = (Path(__file__).parents[2] / "docs" / "templates.md").read_text("utf-8")
    classes = [node for node in ast.parse(Path(pageviews.__file__).read_text("utf-8")).body if isinstance(node, ast.ClassDef)]
    missing = []
    for each in classes:
        section = told.partition(f"### {each.name}\n")[2].partition("\n### ")[0]
        fields = [node.target.id for node in each.body if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)]
        missing += [f"{each.name}.{field}" for field in fields if f"| `{field}` |" not in section]
    assert missing == []


def test_every_template_of_pages_can_be_filled(site: Site) -> None:
    assert dict(site._archive.pages.faults()) == {}
