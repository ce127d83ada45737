"""Pages of the archive: facts that the public may know, to HTML and feeds, in one language each."""

import posixpath
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from urllib.parse import quote

from babel import Locale

from judge.board import Power
from judge.game import Person, PersonId, Status, Turn, shown_sender, summarise
from judge.game.visibility import PUBLIC
from judge.language import Notation, Pen
from judge.library import Library
from judge.report import pageviews as pv
from judge.report import samples, views
from judge.report.charts import lay_chart
from judge.report.exhibits import Card, GameFile, public_name
from judge.report.filters import Voice, one_line, speaking
from judge.report.printing import Printer
from judge.report.samplepages import sample_pages
from judge.report.viewing import Viewer

PAGE_OF_FINISHED = 200
"""Games that are over on one page."""
LATEST = 20
"""Games that are over on the first page of all."""
LONGEST_FEED = 40

People = Mapping[PersonId, Person]


class Pages:
    """Writes pages.  Paths are those of the site, from its top; a Pages may be used by several threads.

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
    ) -> None:
        self._library = library
        self._zone = zone
        self._address = address
        self._base = base.rstrip("/") + "/" if base else ""
        self._printer = Printer(shipped, own_templates, {"judge_name": judge_name, "judge_address": address})
        self._name = judge_name
        self._pens: dict[tuple[str, str], Pen] = {}
        self.languages = tuple(lang for lang in library.tongues() if library.tongue(lang).writes)
        """The languages pages are written in."""

    # ---- the whole site

    def root(self, now: datetime, language: str) -> str:
        """The page at the top, for those whose browser was not sent to its language."""
        return self._fill("root", "index.html", language, now, None)

    def games(self, lang: str, cards: Sequence[Card], people: People, now: datetime) -> str:
        """The list of games."""
        path = f"{lang}/index.html"
        going = sorted((card for card in cards if card.status is not Status.FINISHED), key=lambda card: (_ORDER[card.status], card.name))
        over = newest_ended(cards)
        card = partial(self._card, lang, path, people)
        more = _to(path, f"{lang}/finished.html") if len(over) > LATEST else ""
        view = pv.GamesPage(tuple(map(card, going)), tuple(map(card, over[:LATEST])), more)
        return self._fill("games", path, lang, now, view)

    def finished(self, lang: str, cards: Sequence[Card], people: People, number: int, now: datetime) -> str:
        """One page of the games that are over."""
        over, path = newest_ended(cards), finished_path(lang, number)
        count = finished_pages(cards)
        shown = over[(number - 1) * PAGE_OF_FINISHED : number * PAGE_OF_FINISHED]
        view = pv.FinishedPage(
            tuple(self._card(lang, path, people, card) for card in shown),
            number,
            count,
            _to(path, finished_path(lang, number - 1)) if number > 1 else "",
            _to(path, finished_path(lang, number + 1)) if number < count else "",
        )
        return self._fill("finished", path, lang, now, view)

    def open_seats(self, lang: str, cards: Sequence[Card], people: People, now: datetime) -> str:
        """Seats to be had."""
        path = f"{lang}/open.html"
        free = sorted((card for card in cards if card.free), key=lambda card: (_ORDER[card.status], card.name))
        return self._fill("open", path, lang, now, pv.OpenPage(tuple(self._open(lang, path, people, card) for card in free)))

    def _open(self, lang: str, path: str, people: People, card: Card) -> pv.OpenGame:
        signon = self._library.command_words.spell("signon", lang)
        body = f"{signon} {card.name}"
        link = f"mailto:{quote(self._address, safe='@')}?subject={quote(card.name)}&body={quote(body, safe='')}%0D%0A"
        return pv.OpenGame(self._card(lang, path, people, card), self._viewer(lang, card.variant, {}).rules(card.settings), body, link)

    def players(self, lang: str, cards: Sequence[Card], people: People, now: datetime) -> str:
        """Everybody of whom it may be known that they play."""
        path = f"{lang}/players.html"
        rows = (self._player_row(path, lang, person, parts) for person, parts in parts_by_person(cards, people))
        return self._fill("players", path, lang, now, pv.PlayersPage(tuple(sorted(rows, key=lambda row: row.person.name.casefold()))))

    def player(self, lang: str, person: Person, cards: Sequence[Card], people: People, now: datetime) -> str:
        """One person's games."""
        path = player_path(lang, person.id)
        mine = next(parts for each, parts in parts_by_person(cards, {person.id: person}) if each.id == person.id)
        row = self._player_row(path, lang, person, mine)
        parts = tuple(self._part(lang, path, card, power, since, until) for card, power, since, until in mine)
        return self._fill("player", path, lang, now, pv.PlayerPage(public_name(person), row, parts))

    def _player_row(self, path: str, lang: str, person: Person, parts: "Sequence[PlayedPart]") -> pv.PlayerRow:
        played = [part for part in parts if part[1]]
        results = [result_of(card, power, until) for card, power, _, until in played]
        return pv.PlayerRow(
            pv.NamedLink(public_name(person), _to(path, player_path(lang, person.id))),
            playing=sum(card.status is not Status.FINISHED and not until for card, _, _, until in played),
            finished=sum(bool(result) for result in results),
            won=results.count("won"),
            drawn=results.count("drawn"),
        )

    def _part(self, lang: str, path: str, card: Card, power: Power, since: str, until: str) -> pv.Part:
        pen = self._pen(card.variant, lang)
        return pv.Part(
            pv.NamedLink(card.name, _to(path, game_path(lang, card))),
            self._library.title(card.variant),
            pen.power(power) if power else "",
            since and pen.phase(_phase(card, power, since)),
            until and pen.phase(_phase(card, power, since, until)),
            card.status,
            result_of(card, power, until) if power else "",
        )

    def feed(self, lang: str, cards: Sequence[Card], turns: Sequence[tuple[Card, Turn, GameFile]], now: datetime, name: str = "") -> str:
        """The newest results for feed readers; with `name` those of one game."""
        folder = f"{lang}/games/{name}" if name else lang
        path = f"{folder}/feed.xml"
        with speaking(self._voice(lang, self._zone, now)):
            entries = tuple(self._entry(lang, path, *each) for each in turns)
            at = max((entry.at for entry in entries), default=max((card.moved_at for card in cards), default=now))
            view = pv.FeedView(
                id=self._tag(path),
                href=self._base and f"{self._base}{path}",
                home=self._link(path, f"{folder}/index.html"),
                title=f"{self._name}: {cards[0].name}" if name else self._name,
                at=at,
                entries=entries,
            )
            return self._printer.fill("web/feed.xml.j2", {"view": view})

    def _entry(self, lang: str, path: str, card: Card, turn: Turn, file: GameFile) -> pv.FeedEntry:
        viewer = self._viewer(lang, card.variant, {})
        after = turn.adjudication.after
        text = ", ".join(
            f"{row.power} {row.count}" + (f" ({row.change:+d})" if row.change else "")
            for row in viewer.holdings(after, turn.before.owners)
            if row.count or row.units
        )
        last = card.ending is not None and turn is file.standing[-1]
        if last and card.ending is not None:
            ending = replace(samples.FINAL, ending=viewer.ending(card.ending))
            text = f"{self._printer.fill('shared/ending.txt.j2', {'view': ending}).strip()} {text}"
        title = f"{card.name}: {viewer.pen.phase(turn.phase)}"
        href = self._link(path, phase_path(lang, card, turn.number))
        return pv.FeedEntry(self._tag(f"{game_folder(card)}/{turn.number}"), title, href, turn.closed_at, text)

    def _tag(self, what: str) -> str:
        """A name for ever (RFC 4151), by the judge's own mail address."""
        return f"tag:{self._address},2026:{what}"

    def _link(self, here: str, there: str) -> str:
        """A link from a feed: whole where the site knows its address."""
        return f"{self._base}{there}" if self._base else _to(here, there)

    # ---- one game

    def game(self, lang: str, file: GameFile, people: People, now: datetime) -> str:
        """One game as it stands."""
        view, standing = file.view, file.standing
        card = _Named(view.id, view.name)
        path = game_path(lang, card)
        viewer = self._viewer(lang, view.variant, people)
        last = standing[-1].number if standing else 0
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
            masters=tuple(link for person in view.masters if (link := self._person(lang, path, people.get(person)))),
            victory=file.variant.victory,
            picture=self._board(lang, path, file, viewer, last),
            phases=self._phases(lang, path, file, viewer, standing),
            withdrawn=self._phases(lang, path, file, viewer, [turn for turn in file.turns if turn.withdrawn]),
            chart=lay_chart(names, years, counts) if standing else None,
            counts=tuple(pv.YearRow(str(year), row) for year, row in zip(years, counts, strict=True)),
            press=_to(path, press_path(lang, card)) if file.press else "",
            messages=len(file.press),
        )
        return self._fill("game", path, lang, now, page, view.settings.zone)

    def _seat(self, lang: str, path: str, file: GameFile, viewer: Viewer, people: People, power: Power) -> pv.PlayerSeat:
        view = file.view
        seat = next(each for each in view.seats if each.power == power)
        look = file.looks[power]
        known = [stint.person for stint in file.known_stints if stint.power == power and stint.person != seat.person]
        return pv.PlayerSeat(
            power=viewer.pen.power(power),
            initial=look.initial,
            colour=look.strong,
            taken=seat.taken,
            person=self._person(lang, path, people.get(seat.person)) if seat.person is not None else None,
            before=tuple(link for each in dict.fromkeys(known) if (link := self._person(lang, path, people.get(each)))),
            count=sum(owner == power for owner in view.position.owners.values()),
            units=tuple(
                viewer.pen.unit(unit)
                for unit in (*view.position.units.get(power, ()), *(d.unit for d in view.position.dislodged if d.power == power))
            ),
        )

    def _person(self, lang: str, path: str, person: Person | None) -> pv.NamedLink | None:
        """A person by name, with the way to the person's page; None for somebody without a public name."""
        name = public_name(person)
        return pv.NamedLink(name, _to(path, player_path(lang, person.id))) if person is not None and name else None

    def phase(self, lang: str, file: GameFile, turn: Turn, now: datetime) -> str:
        """One resolved phase."""
        view, standing = file.view, file.standing
        card = _Named(view.id, view.name)
        path = phase_path(lang, card, turn.number)
        viewer = self._viewer(lang, view.variant, {})
        row = self._phases(lang, path, file, viewer, standing, turn.number)
        place = next((n for n, each in enumerate(standing) if each.number == turn.number), None)
        src = picture_path(card, turn.number)
        closed = viewer.closed(turn)
        page = pv.PhasePage(
            game=_public_head(viewer.head(view)),
            home=_to(path, game_path(lang, card)),
            closed=closed,
            at=turn.closed_at,
            withdrawn=turn.withdrawn,
            holdings=viewer.holdings(turn.adjudication.after, turn.before.owners),
            victory=file.variant.victory,
            picture=self._picture(lang, path, file, viewer, src, closed.phase),
            phases=row,
            before=row[place - 1] if place else None,
            after=row[place + 1] if place is not None and place + 1 < len(row) else None,
            number=place + 1 if place is not None else 0,
        )
        return self._fill("phase", path, lang, now, page, view.settings.zone)

    def _phases(
        self, lang: str, path: str, file: GameFile, viewer: Viewer, turns: Sequence[Turn], here: int = 0
    ) -> tuple[pv.PhaseLink, ...]:
        card = _Named(file.game.id, file.game.name)
        return tuple(
            pv.PhaseLink(
                viewer.pen.phase(turn.phase),
                str(turn.phase),
                turn.phase.year,
                _to(path, phase_path(lang, card, turn.number)),
                _to(path, picture_path(card, turn.number)),
                turn.number == here,
            )
            for turn in turns
        )

    def _board(self, lang: str, path: str, file: GameFile, viewer: Viewer, after: int) -> pv.PictureLink:
        """The board as it stands."""
        src = board_path(_Named(file.game.id, file.game.name), after)
        return self._picture(lang, path, file, viewer, src, viewer.pen.phase(file.view.position.phase))

    def _picture(self, lang: str, path: str, file: GameFile, viewer: Viewer, src: str, phase: str) -> pv.PictureLink:
        alt = viewer.pen.phrases.say("picture.alt", phase=phase)
        return pv.PictureLink(_to(path, src), *file.size, alt, _to(path, drawing_path(lang, src)))

    def press(self, lang: str, file: GameFile, now: datetime) -> str:
        """The messages of a game that everybody may read."""
        view = file.view
        card = _Named(view.id, view.name)
        path = press_path(lang, card)
        viewer = self._viewer(lang, view.variant, {})
        say, pen = viewer.pen.phrases.say, viewer.pen
        entries = []
        for item in file.press:
            sender = shown_sender(file.game, item, PUBLIC)
            to = pen.listed(pen.power(key) for key in item.to) if item.to else say("everybody")
            head = say("press_head", sender=pen.power(sender) if sender else say("hidden"), to=to)
            entries.append(views.PastEntry(item.at, "press", head, item.text))
        page = pv.PressPage(_public_head(viewer.head(view)), _to(path, game_path(lang, card)), tuple(entries))
        return self._fill("press", path, lang, now, page, view.settings.zone)

    # ---- pieces

    def _card(self, lang: str, path: str, people: People, card: Card) -> pv.GameCard:
        viewer = self._viewer(lang, card.variant, people)
        return pv.GameCard(
            name=card.name,
            title=one_line(card.settings.title),
            variant=self._library.title(card.variant),
            status=card.status,
            phase=viewer.pen.phase(card.phase),
            deadline=card.deadline,
            free=tuple(map(viewer.pen.power, card.free)),
            powers=card.powers,
            masters=tuple(link for each in card.masters if (link := self._person(lang, path, people.get(each)))),
            ending=viewer.ending(card.ending) if card.ending else None,
            href=_to(path, game_path(lang, card)),
        )

    def pen(self, variant: str, lang: str) -> Pen:
        """The pen for a board in a language, as pages spell it."""
        return self._pen(variant, lang)

    def _pen(self, variant: str, lang: str) -> Pen:
        if (variant, lang) not in self._pens:
            tongue = self._library.tongue(lang)
            gazetteer = self._library.pack(variant).gazetteer(lang)
            self._pens[variant, lang] = Pen(tongue.phrases, gazetteer, tongue.lexicon, Notation.SHORT)
        return self._pens[variant, lang]

    def _viewer(self, lang: str, variant: str, people: People) -> Viewer:
        return Viewer(self._pen(variant, lang), self._library.variant(variant), people, self._library.title(variant))

    def _voice(self, lang: str, zone: str, now: datetime) -> Voice:
        return Voice(self._library.tongue(lang).phrases, zone, now)

    def _fill(self, kind: str, path: str, lang: str, now: datetime, view: object, zone: str = "") -> str:
        with speaking(self._voice(lang, zone or self._zone, now)):
            return self._printer.fill(f"web/{kind}.html.j2", {"page": self._head(kind, path, lang), "view": view})

    def _head(self, kind: str, path: str, lang: str) -> pv.PageHead:
        inside = path.removeprefix(f"{lang}/")
        folder = posixpath.dirname(path) if kind in ("game", "phase", "press") else lang
        return pv.PageHead(
            kind=kind,
            top="../" * path.count("/"),
            home=_to(path, f"{lang}/index.html"),
            open_seats=_to(path, f"{lang}/open.html"),
            players=_to(path, f"{lang}/players.html"),
            feed=_to(path, f"{folder}/feed.xml"),
            languages=tuple(
                pv.LanguageLink(
                    each,
                    language_name(each),
                    _to(path, f"{each}/{inside}"),
                    each == lang and kind != "root",
                )
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
        if kind == "feed":
            with speaking(self._voice(lang, self._zone, samples.NOW)):
                self._printer.fill("web/feed.xml.j2", {"view": view})
        else:
            self._fill(kind, f"{lang}/index.html", lang, samples.NOW, view)
