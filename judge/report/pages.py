"""Pages of the archive: facts that the public may know, to HTML and feeds, in one language each."""

import posixpath
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from urllib.parse import quote

from babel import Locale

from judge.board import Power
from judge.game import PUBLIC, Person, PersonId, Status, Turn, shown_sender, summarise
from judge.language import Notation, Pen
from judge.library import Library
from judge.report import pageviews as pv
from judge.report import samples, views
from judge.report.charts import lay_charts
from judge.report.chronicle import view_chronicle
from judge.report.exhibits import Card, GameFile, PlayedPart, played_parts, public_name
from judge.report.filters import Voice, finish, one_line, speaking
from judge.report.printing import Printer
from judge.report.samplepages import sample_pages
from judge.report.sitemap import (
    BOARD,
    door_path,
    drawing_path,
    finished_path,
    game_path,
    link,
    phase_path,
    picture_path,
    player_path,
    press_path,
)
from judge.report.viewing import Viewer
from judge.rules import Variant

PAGE_OF_FINISHED = 200
"""Games that are over on one page."""
LATEST = 20
"""Games that are over on the first page of all."""
LONGEST_FEED = 40

People = Mapping[PersonId, Person]
_ORDER = {Status.RUNNING: 0, Status.PAUSED: 1, Status.FORMING: 2, Status.FINISHED: 3}


class Pages:
    """Writes pages, each from the top of the site.  A Pages may be used by several threads.

    `address` is where people write to the judge; `base` the address of the site on the web, "" where it is not known.
    """

    def __init__(
        self,
        library: Library,
        shipped: Path,
        own_templates: Sequence[Path] = (),
        *,
        judge_name: str,
        address: str,
        zone: str = "UTC",
        base: str = "",
        drawings: bool = True,
    ) -> None:
        self._library = library
        self._zone = zone
        self._address = address
        self._base = f"{base.rstrip('/')}/" if base else ""
        self._name = judge_name
        self.drawings = drawings
        """Whether there are large drawings; without them links lead to the pictures themselves."""
        self._printer = Printer(shipped, own_templates, {"judge_name": judge_name, "judge_address": address})
        self._pens: dict[tuple[str, str], Pen] = {}
        self.languages = tuple(lang for lang in library.tongues() if library.tongue(lang).writes)
        """The languages pages are written in."""

    # ---- the whole site

    def root(self, language: str, now: datetime) -> str:
        """The page at the top, for those whom nothing has sent to their language."""
        return self._fill("root", "index.html", language, now, None)

    def door(self, language: str, card: Card, now: datetime) -> str:
        """The short address of a game, likewise: its page in each language."""
        return self._fill("root", door_path(card.name), language, now, None, inside=f"games/{card.folder}/index.html")

    def missing(self, lang: str, path: str, now: datetime) -> str:
        """What is said at a path where no page is."""
        return self._fill("missing", path, lang, now, pv.MissingPage(one_line(path)))

    def games(self, lang: str, cards: Iterable[Card], people: People, now: datetime) -> str:
        """The list of games."""
        path = f"{lang}/index.html"
        cards = tuple(cards)
        going = sorted((card for card in cards if card.status is not Status.FINISHED), key=lambda card: (_ORDER[card.status], card.name))
        over = newest_ended(cards)
        view = pv.GamesPage(
            tuple(self._card(lang, path, people, card) for card in going),
            tuple(self._card(lang, path, people, card) for card in over[:LATEST]),
            link(path, finished_path(lang, 1)) if len(over) > LATEST else "",
        )
        return self._fill("games", path, lang, now, view)

    def finished(self, lang: str, cards: Iterable[Card], people: People, number: int, now: datetime) -> str:
        """One page of the games that are over."""
        over, path = newest_ended(cards), finished_path(lang, number)
        count = finished_pages(len(over))
        view = pv.FinishedPage(
            tuple(self._card(lang, path, people, card) for card in over[(number - 1) * PAGE_OF_FINISHED : number * PAGE_OF_FINISHED]),
            number,
            count,
            link(path, finished_path(lang, number - 1)) if number > 1 else "",
            link(path, finished_path(lang, number + 1)) if number < count else "",
        )
        return self._fill("finished", path, lang, now, view)

    def open_seats(self, lang: str, cards: Iterable[Card], people: People, now: datetime) -> str:
        """Seats to be had."""
        path = f"{lang}/open.html"
        free = sorted((card for card in cards if card.free), key=lambda card: (-_ORDER[card.status], card.name))
        return self._fill("open", path, lang, now, pv.OpenPage(tuple(self._open(lang, path, people, card) for card in free)))

    def _open(self, lang: str, path: str, people: People, card: Card) -> pv.OpenGame:
        body = f"{self._library.command_words.spell('signon', lang)} {card.name}"
        mail = f"mailto:{quote(self._address, safe='@')}?subject={quote(card.name)}&body={quote(body, safe='')}%0D%0A"
        return pv.OpenGame(self._card(lang, path, people, card), self._viewer(lang, card.variant).rules(card.settings), body, mail)

    def players(self, lang: str, cards: Iterable[Card], people: People, now: datetime) -> str:
        """Everybody of whom it may be known that they play."""
        path = f"{lang}/players.html"
        parts = played_parts(cards)
        rows = (self._player_row(lang, path, people[each], parts[each]) for each in sorted(parts) if public_name(people.get(each)))
        return self._fill("players", path, lang, now, pv.PlayersPage(tuple(sorted(rows, key=lambda row: row.person.name.casefold()))))

    def player(self, lang: str, person: Person, parts: Sequence[PlayedPart], now: datetime) -> str:
        """One person's games."""
        path = player_path(lang, person.id)
        row = self._player_row(lang, path, person, parts)
        view = pv.PlayerPage(public_name(person), row, tuple(self._part(lang, path, part) for part in parts))
        return self._fill("player", path, lang, now, view)

    def _player_row(self, lang: str, path: str, person: Person, parts: Sequence[PlayedPart]) -> pv.PlayerRow:
        results = [part.result for part in parts]
        going = [part for part in parts if part.power and part.until is None and part.card.status in (Status.RUNNING, Status.PAUSED)]
        return pv.PlayerRow(
            person=pv.NamedLink(public_name(person), link(path, player_path(lang, person.id))),
            playing=len(going),
            finished=sum(map(bool, results)),
            won=results.count("won"),
            drawn=results.count("drawn"),
        )

    def _part(self, lang: str, path: str, part: PlayedPart) -> pv.Part:
        card, pen = part.card, self.pen(part.card.variant, lang)
        return pv.Part(
            game=pv.NamedLink(card.name, link(path, game_path(lang, card.folder))),
            variant=self._library.title(card.variant),
            power=pen.power(part.power) if part.power else "",
            since=pen.phase(part.since) if part.since else "",
            until=pen.phase(part.until) if part.until else "",
            status=card.status,
            result=part.result,
        )

    # ---- feeds

    def feed(self, lang: str, results: Iterable[tuple[Card, Sequence[Turn]]], now: datetime, game: str = "") -> str:
        """The newest results for feed readers; with `game`, its folder, those of one game."""
        folder = f"{lang}/games/{game}" if game else lang
        path = f"{folder}/feed.xml"
        results = tuple(results)
        with speaking(self._voice(lang, self._zone, now)):
            found = [entry for card, turns in results for entry in self._entries(lang, path, card, turns)]
            entries = sorted(found, key=lambda entry: entry.at, reverse=True)[:LONGEST_FEED]
            view = pv.FeedView(
                id=self._tag(path),
                href=self._base and f"{self._base}{path}",
                home=self._whole(path, f"{folder}/index.html"),
                title=f"{self._name}: {game.rpartition('.')[0]}" if game else self._name,
                at=max((entry.at for entry in entries), default=max((card.moved_at for card, _ in results), default=now)),
                entries=tuple(entries),
            )
            return self._printer.fill("web/feed.xml.j2", {"view": view})

    def _entries(self, lang: str, path: str, card: Card, turns: Sequence[Turn]) -> Iterable[pv.FeedEntry]:
        viewer = self._viewer(lang, card.variant)
        for turn in turns:
            rows = viewer.holdings(turn.adjudication.after, turn.before.owners)
            counts = (f"{row.power} {row.count}" + (f" ({row.change:+d})" if row.change else "") for row in rows if row.count or row.units)
            yield pv.FeedEntry(
                id=self._tag(f"{card.folder}/{turn.number}"),
                title=f"{card.name}: {viewer.pen.phase(turn.phase)}",
                href=self._whole(path, phase_path(lang, card.folder, turn.number)),
                at=turn.closed_at,
                text=", ".join(counts),
            )
        if card.ending is not None:
            sentence = self._printer.fill("shared/ending.txt.j2", {"view": self._card(lang, path, {}, card)}).strip()
            yield pv.FeedEntry(
                id=self._tag(f"{card.folder}/end"),
                title=f"{card.name}: {sentence}",
                href=self._whole(path, game_path(lang, card.folder)),
                at=card.ending.at,
                text=sentence,
            )

    def _tag(self, what: str) -> str:
        """A name for ever (RFC 4151), by the judge's own mail address."""
        return f"tag:{self._address},2026:{what}"

    def _whole(self, here: str, there: str) -> str:
        """A link of a feed: whole where the site knows its address."""
        return f"{self._base}{there}" if self._base else link(here, there)

    # ---- one game

    def game(self, lang: str, file: GameFile, people: People, now: datetime) -> str:
        """One game as it stands."""
        view, standing = file.view, file.standing
        path = game_path(lang, file.folder)
        viewer = self._viewer(lang, view.variant, file.variant)
        summary = summarise(file.game, file.turns, file.variant)
        seats = tuple(self._seat(lang, path, file, viewer, people, power) for power in file.variant.powers)
        years = [row.year for row in summary.rows]
        counts = [tuple(row.counts.get(power, 0) for power in file.variant.powers) for row in summary.rows]
        names = [(seat.power, seat.initial, seat.colour) for seat in seats]
        page = pv.GamePage(
            game=_public_head(viewer.head(view)),
            ending=viewer.ending(view.ending) if view.ending else None,
            rules=viewer.rules(view.settings),
            seats=seats,
            masters=self._people(lang, path, people, view.masters),
            victory=file.variant.victory,
            picture=self._picture(lang, path, file, viewer, BOARD, viewer.pen.phase(view.position.phase)),
            phases=self._phases(lang, path, file, viewer, standing),
            withdrawn=self._phases(lang, path, file, viewer, [turn for turn in file.turns if turn.withdrawn]),
            charts=lay_charts(names, years, counts) if standing else (),
            counts=tuple(pv.YearRow(str(year), row) for year, row in zip(years, counts, strict=True)) if standing else (),
            press=link(path, press_path(lang, file.folder)) if file.press else "",
            messages=len(file.press),
        )
        return self._fill("game", path, lang, now, page, view.settings.zone)

    def _seat(self, lang: str, path: str, file: GameFile, viewer: Viewer, people: People, power: Power) -> pv.PlayerSeat:
        view, look = file.view, file.looks[power]
        seat = next(each for each in view.seats if each.power == power)
        earlier = [stint.person for stint in file.stints if stint.power == power and stint.person != seat.person]
        fallen = [each.unit for each in view.position.dislodged if each.power == power]
        return pv.PlayerSeat(
            power=viewer.pen.power(power),
            initial=look.initial,
            colour=look.strong,
            taken=seat.taken,
            person=next(iter(self._people(lang, path, people, [seat.person])), None) if seat.person is not None else None,
            before=self._people(lang, path, people, dict.fromkeys(earlier)),
            count=sum(owner == power for owner in view.position.owners.values()),
            units=tuple(map(viewer.pen.unit, (*view.position.units.get(power, ()), *fallen))),
        )

    def _people(self, lang: str, path: str, people: People, wanted: Iterable[PersonId]) -> tuple[pv.NamedLink, ...]:
        """Those who have a public name, with the ways to their pages."""
        named = ((each, public_name(people.get(each))) for each in wanted)
        return tuple(pv.NamedLink(name, link(path, player_path(lang, each))) for each, name in named if name)

    def phase(self, lang: str, file: GameFile, turn: Turn, now: datetime) -> str:
        """One resolved phase."""
        view = file.view
        path = phase_path(lang, file.folder, turn.number)
        viewer = self._viewer(lang, view.variant, file.variant)
        row = self._phases(lang, path, file, viewer, file.standing, turn.number)
        place = next((n for n, each in enumerate(row, 1) if each.here), 0)
        closed = viewer.closed(turn)
        page = pv.PhasePage(
            game=_public_head(viewer.head(view)),
            home=link(path, game_path(lang, file.folder)),
            closed=closed,
            at=turn.closed_at,
            withdrawn=turn.withdrawn,
            holdings=viewer.holdings(turn.adjudication.after, turn.before.owners),
            victory=file.variant.victory,
            picture=self._picture(lang, path, file, viewer, str(turn.number), closed.phase),
            phases=row,
            before=row[place - 2] if place > 1 else None,
            after=row[place] if 0 < place < len(row) else None,
            number=place,
        )
        return self._fill("phase", path, lang, now, page, view.settings.zone)

    def _phases(
        self, lang: str, path: str, file: GameFile, viewer: Viewer, turns: Iterable[Turn], here: int = 0
    ) -> tuple[pv.PhaseLink, ...]:
        return tuple(
            pv.PhaseLink(
                phase=viewer.pen.phase(turn.phase),
                code=str(turn.phase),
                year=turn.phase.year,
                href=link(path, phase_path(lang, file.folder, turn.number)),
                picture=link(path, picture_path(file.folder, str(turn.number))),
                full=self._full(lang, path, file, str(turn.number)),
                here=turn.number == here,
            )
            for turn in turns
        )

    def _picture(self, lang: str, path: str, file: GameFile, viewer: Viewer, name: str, phase: str) -> pv.PictureLink:
        alt = viewer.pen.phrases.say("picture.alt", phase=phase)
        return pv.PictureLink(link(path, picture_path(file.folder, name)), *file.size, alt, self._full(lang, path, file, name))

    def _full(self, lang: str, path: str, file: GameFile, name: str) -> str:
        return link(path, drawing_path(lang, file.folder, name) if self.drawings else picture_path(file.folder, name))

    def press(self, lang: str, file: GameFile, now: datetime) -> str:
        """The messages of a game that everybody may read."""
        view = file.view
        path = press_path(lang, file.folder)
        viewer = self._viewer(lang, view.variant, file.variant)
        say, pen = viewer.pen.phrases.say, viewer.pen
        messages = []
        for item in file.press:
            sender = shown_sender(file.game, item, PUBLIC)
            to = pen.listed(map(pen.power, item.to)) if item.to else say("everybody")
            head = say("press_head", sender=pen.power(sender) if sender else say("hidden"), to=to)
            messages.append(views.PastEntry(item.at, "press", head, item.text))
        page = pv.PressPage(_public_head(viewer.head(view)), link(path, game_path(lang, file.folder)), tuple(messages))
        return self._fill("press", path, lang, now, page, view.settings.zone)

    def chronicle(self, lang: str, file: GameFile, people: People, now: datetime) -> str:
        """The whole game as one text, for a reader or a drawer."""
        view = file.view
        viewer = self._viewer(lang, view.variant, file.variant)
        with speaking(self._voice(lang, view.settings.zone, now)):
            return finish(self._printer.fill("web/game.txt.j2", {"view": view_chronicle(viewer, file, people)}))

    # ---- pieces

    def _card(self, lang: str, path: str, people: People, card: Card) -> pv.GameCard:
        viewer = self._viewer(lang, card.variant)
        return pv.GameCard(
            name=card.name,
            title=one_line(card.settings.title),
            variant=self._library.title(card.variant),
            status=card.status,
            phase=viewer.pen.phase(card.phase),
            deadline=card.deadline,
            free=tuple(map(viewer.pen.power, card.free)),
            powers=card.powers,
            masters=self._people(lang, path, people, card.masters),
            ending=viewer.ending(card.ending) if card.ending else None,
            href=link(path, game_path(lang, card.folder)),
        )

    def pen(self, variant: str, lang: str) -> Pen:
        """The pen for a board in a language, as pages spell it."""
        if (variant, lang) not in self._pens:
            tongue = self._library.tongue(lang)
            self._pens[variant, lang] = Pen(tongue.phrases, self._library.pack(variant).gazetteer(lang), tongue.lexicon, Notation.SHORT)
        return self._pens[variant, lang]

    def _viewer(self, lang: str, name: str, variant: Variant | None = None) -> Viewer:
        return Viewer(self.pen(name, lang), variant or self._library.variant(name), {}, self._library.title(name))

    def _voice(self, lang: str, zone: str, now: datetime) -> Voice:
        return Voice(self._library.tongue(lang).phrases, zone, now)

    def _fill(self, kind: str, path: str, lang: str, now: datetime, view: object, zone: str = "", inside: str = "") -> str:
        with speaking(self._voice(lang, zone or self._zone, now)):
            return self._printer.fill(f"web/{kind}.html.j2", {"page": self._head(kind, path, lang, inside), "view": view})

    def _head(self, kind: str, path: str, lang: str, inside: str) -> pv.PageHead:
        """`inside` is the same page within the folder of any language, where the path does not say so."""
        inside = inside or ("index.html" if kind == "missing" else path.removeprefix(f"{lang}/"))
        folder = posixpath.dirname(path) if kind in ("game", "phase", "press") else lang
        return pv.PageHead(
            kind=kind,
            top="../" * path.count("/"),
            home=link(path, f"{lang}/index.html"),
            open_seats=link(path, f"{lang}/open.html"),
            players=link(path, f"{lang}/players.html"),
            feed=link(path, f"{folder}/feed.xml"),
            languages=tuple(
                pv.LanguageLink(each, language_name(each), link(path, f"{each}/{inside}"), each == lang and kind != "root")
                for each in self.languages
            ),
        )

    def faults(self) -> Mapping[str, str]:
        """Every page filled with made-up views, in every language; what went wrong, by the template's name."""
        found: dict[str, str] = {}
        for lang in self.languages:
            for kind, made_up in sample_pages().items():
                for view in made_up:
                    try:
                        self._try(kind, lang, view)
                    except Exception as fault:  # whatever is wrong with a template, the next ones are tried too
                        found.setdefault(f"web/{kind}", f"{type(fault).__name__}: {fault}")
        return {**found, **self._printer.broken}

    def _try(self, kind: str, lang: str, view: object) -> None:
        if kind != "feed":
            self._fill(kind, f"{lang}/index.html", lang, samples.NOW, view)
            return
        with speaking(self._voice(lang, self._zone, samples.NOW)):
            self._printer.fill("web/feed.xml.j2", {"view": view})


def newest_ended(cards: Iterable[Card]) -> list[Card]:
    """Games that are over, the last one first."""
    return sorted((card for card in cards if card.status is Status.FINISHED), key=lambda card: (card.moved_at, card.id), reverse=True)


def finished_pages(games: int) -> int:
    """How many pages so many games that are over take, one at least."""
    return max(1, -(-games // PAGE_OF_FINISHED))


def language_name(lang: str) -> str:
    """A language in its own words.

    >>> language_name("cs"), language_name("en")
    ('čeština', 'English')
    """
    return Locale.parse(lang).get_language_name(lang) or lang


def _public_head(head: views.GameHead) -> views.GameHead:
    """The head without the reasons why a deadline was moved: that somebody is away is for those who play."""
    return replace(head, moved=())
