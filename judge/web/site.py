"""The site of the archive: which pages there are, and what each holds; the same for a server and for files."""

import posixpath
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache, partial
from hashlib import sha256

from judge.library import Library
from judge.report.exhibits import Card
from judge.report.pages import finished_pages
from judge.report.sitemap import (
    ASSETS,
    BOARD,
    door_path,
    drawing_path,
    finished_path,
    game_path,
    phase_path,
    picture_path,
    player_path,
    press_path,
)
from judge.service.archive import Archive

KINDS = {
    ".html": "text/html; charset=utf-8",
    ".xml": "application/atom+xml; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml; charset=utf-8",
    ".png": "image/png",
}
MOMENTS, HOUR = 0, 3600
DAY = 24 * HOUR
PAGES_KEPT = 256

_FOLDER = r"[a-z][a-z0-9]{0,39}\.(\d{1,9})"
_Answer = bytes | str | None


@dataclass(frozen=True, slots=True)
class Content:
    """One file of the site: its kind, its bytes, and for how many seconds it may be believed unasked."""

    kind: str
    body: bytes
    keep: int


@dataclass(frozen=True, slots=True)
class SitePart:
    """Files of the site that change together: those of a game, of a player, or the lists (`name` "").

    While `mark` stays the same, so do the files; "" says nothing about them.  `paths` gives them, which may take reading the game.
    """

    name: str
    mark: str
    paths: Callable[[], Iterator[str]]


class Site:
    """Every page of the archive by its path.

    `language` is that of the page at the top; `made_by` changes whenever the program, its files or its settings do, and with them
    perhaps all pages.
    """

    def __init__(self, archive: Archive, library: Library, now: Callable[[], datetime], language: str = "en", made_by: str = "") -> None:
        self._archive = archive
        self._library = library
        self._now = now
        self.made_by = made_by
        self._page = lru_cache(maxsize=PAGES_KEPT)(self._page_made)
        self.languages = archive.pages.languages
        self.language = language if language in self.languages else self.languages[0]
        lang = f"({'|'.join(map(re.escape, self.languages))})"
        self._routes: tuple[tuple[re.Pattern[str], int, Callable[..., _Answer]], ...] = tuple(
            (re.compile(pattern), keep, make)
            for pattern, keep, make in (
                (r"index\.html", MOMENTS, self._root),
                (r"game/([a-z][a-z0-9]{0,39})/index\.html", MOMENTS, self._door),
                (rf"{lang}/index\.html", MOMENTS, self._games),
                (rf"{lang}/finished\.html", MOMENTS, self._finished),
                (rf"{lang}/finished-(\d{{1,6}})\.html", MOMENTS, self._finished),
                (rf"{lang}/open\.html", MOMENTS, self._open),
                (rf"{lang}/players\.html", MOMENTS, self._players),
                (rf"{lang}/players/(\d{{1,9}})\.html", MOMENTS, self._player),
                (rf"{lang}/feed\.xml", MOMENTS, self._feed),
                (rf"{lang}/games/{_FOLDER}/index\.html", MOMENTS, self._game),
                (rf"{lang}/games/{_FOLDER}/press\.html", MOMENTS, self._press),
                (rf"{lang}/games/{_FOLDER}/feed\.xml", MOMENTS, self._feed),
                (rf"{lang}/games/{_FOLDER}/(\d{{1,6}})\.html", MOMENTS, self._phase),
                (rf"{lang}/games/{_FOLDER}/({BOARD})\.svg", MOMENTS, self._svg),
                (rf"{lang}/games/{_FOLDER}/(\d{{1,6}})\.svg", DAY, self._svg),
                (rf"pictures/{_FOLDER}/({BOARD})\.png", MOMENTS, self._png),
                (rf"pictures/{_FOLDER}/(\d{{1,6}})\.png", DAY, self._png),
                (rf"({'|'.join(map(re.escape, ASSETS))})", HOUR, self._asset),
            )
        )

    def close(self) -> None:
        """Let go of what the pages are made from."""
        self._archive.close()

    def find(self, path: str) -> Content | None:
        """The file at a path from the top of the site; None if there is none (or it is nobody's business)."""
        if path.endswith((".html", ".xml")):
            return self._page(path, self._archive.generation)
        return self._made(path)

    def _page_made(self, path: str, _generation: int) -> Content | None:
        """A page, kept until anything changes."""
        return self._made(path)

    def _made(self, path: str) -> Content | None:
        for pattern, keep, make in self._routes:
            match = pattern.fullmatch(path)
            if match is not None:
                body = make(*match.groups())
                kind = KINDS[posixpath.splitext(path)[1]]
                return None if body is None else Content(kind, body.encode() if isinstance(body, str) else body, keep)
        return None

    def missing(self, path: str, lang: str) -> Content:
        """What is said at a path where nothing is, in the language of the path or `lang`."""
        first = path.partition("/")[0]
        page = self._archive.pages.missing(first if first in self.languages else lang, path, self._now())
        return Content(KINDS[".html"], page.encode(), MOMENTS)

    def game_named(self, name: str, lang: str) -> str:
        """The page of the newest listed game of that name, "" if there is none."""
        card = self._newest(name)
        return game_path(lang, card.folder) if card is not None else ""

    def _newest(self, name: str) -> Card | None:
        """The newest listed game of a name."""
        return next((card for card in reversed(self._archive.cards) if card.name == name), None)

    def paths(self, languages: tuple[str, ...] = ()) -> Iterator[str]:
        """Every path of the site, in these languages (all if none is named)."""
        for part in self.parts(languages):
            yield from part.paths()

    def parts(self, languages: tuple[str, ...] = ()) -> Iterator["SitePart"]:
        """The site in pieces that change for themselves: what lists everything, then each player, then each game."""
        languages = languages or self.languages
        yield SitePart("", "", lambda: self._paths_of_lists(languages))
        for person in self._archive.named:
            mark = self._mark(self._archive.person_basis(person), languages)
            yield SitePart(f"players/{person}", mark, partial(_paths_of_person, person, languages))
        for card in self._archive.cards:
            mark = self._mark(self._archive.basis(card.id), languages)
            yield SitePart(f"games/{card.folder}", mark, partial(self._paths_of, card.id, languages))

    def _mark(self, basis: str, languages: tuple[str, ...]) -> str:
        """A hash of what decides the pages of a part."""
        return sha256(repr((self.made_by, basis, languages)).encode()).hexdigest()

    def _paths_of_lists(self, languages: tuple[str, ...]) -> Iterator[str]:
        """Every path that belongs to no single game or player."""
        yield from ASSETS
        yield "index.html"
        yield from (door_path(name) for name in sorted({card.name for card in self._archive.cards}))
        over = len(self._archive.newest_ended())
        for lang in languages:
            yield from (f"{lang}/{name}" for name in ("index.html", "open.html", "players.html", "feed.xml"))
            yield from (finished_path(lang, number) for number in range(1, finished_pages(over) + 1))

    def _paths_of(self, number: int, languages: tuple[str, ...]) -> Iterator[str]:
        """Every path of one game."""
        file = self._archive.file(number)
        if file is None:
            return
        names = [BOARD, *(str(turn.number) for turn in file.turns)]
        yield from (picture_path(file.folder, name) for name in names)
        for lang in languages:
            yield game_path(lang, file.folder)
            yield f"{posixpath.dirname(game_path(lang, file.folder))}/feed.xml"
            yield from (phase_path(lang, file.folder, turn.number) for turn in file.turns)
            if file.press:
                yield press_path(lang, file.folder)
            if self._archive.pages.drawings:
                yield from (drawing_path(lang, file.folder, name) for name in names)

    # ---- what each holds

    def _root(self) -> _Answer:
        return self._archive.pages.root(self.language, self._now())

    def _door(self, name: str) -> _Answer:
        card = self._newest(name)
        return None if card is None else self._archive.pages.door(self.language, card, self._now())

    def _games(self, lang: str) -> _Answer:
        return self._archive.pages.games(lang, self._archive.cards, self._archive.people, self._now())

    def _finished(self, lang: str, number: str = "1") -> _Answer:
        if not 1 <= int(number) <= finished_pages(len(self._archive.newest_ended())):
            return None
        return self._archive.pages.finished(lang, self._archive.cards, self._archive.people, int(number), self._now())

    def _open(self, lang: str) -> _Answer:
        return self._archive.pages.open_seats(lang, self._archive.cards, self._archive.people, self._now())

    def _players(self, lang: str) -> _Answer:
        return self._archive.pages.players(lang, self._archive.cards, self._archive.people, self._now())

    def _player(self, lang: str, number: str) -> _Answer:
        person = self._archive.named.get(int(number))
        return None if person is None else self._archive.pages.player(lang, person, self._archive.parts[person.id], self._now())

    def _feed(self, lang: str, number: str = "0") -> _Answer:
        results = self._archive.results(int(number))
        if number == "0":
            return self._archive.pages.feed(lang, results, self._now())
        return self._archive.pages.feed(lang, results, self._now(), results[0][0].folder) if results else None

    def _game(self, lang: str, number: str) -> _Answer:
        file = self._archive.file(int(number))
        return None if file is None else self._archive.pages.game(lang, file, self._archive.people, self._now())

    def _press(self, lang: str, number: str) -> _Answer:
        file = self._archive.file(int(number))
        return None if file is None or not file.press else self._archive.pages.press(lang, file, self._now())

    def _phase(self, lang: str, number: str, turn: str) -> _Answer:
        file = self._archive.file(int(number))
        closed = file.turn(int(turn)) if file is not None else None
        return None if file is None or closed is None else self._archive.pages.phase(lang, file, closed, self._now())

    def _svg(self, lang: str, number: str, name: str) -> _Answer:
        return self._archive.svg(lang, int(number), name)

    def _png(self, number: str, name: str) -> _Answer:
        return self._archive.png(int(number), name)

    def _asset(self, name: str) -> _Answer:
        folder = next(folder for folder in self._library.template_folders if (folder / "web" / name).is_file())
        return (folder / "web" / name).read_bytes()


def _paths_of_person(person: int, languages: tuple[str, ...]) -> Iterator[str]:
    """Every path of one player."""
    yield from (player_path(lang, person) for lang in languages)
