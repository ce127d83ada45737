"""One reader's copy of a letter while it is written: who reads, in which voice, what may be seen, how it is addressed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from urllib.parse import quote

from markupsafe import Markup

from judge.board import Power
from judge.game import Game, GameView, Person, PersonId, Reader, view_for
from judge.game.visibility import duties_in
from judge.language import Notation, Pen
from judge.library import Library
from judge.report import views
from judge.report.filters import Voice
from judge.report.postage import Postage, Stamp
from judge.report.sitemap import game_address, game_folder
from judge.report.viewing import Viewer
from judge.report.wording import Wording
from judge.rules import Duty, Variant

LONGEST_LINK = 1900
"""Octets of a mailto: link that every mail program takes."""


@dataclass
class Desk:
    """What is the same for all letters of one notice: who may be named, the time, and pieces written once for all readers."""

    game: Game
    variant: Variant
    people: Mapping[PersonId, Person]
    now: datetime
    picture: str
    pieces: dict[tuple[str, str], tuple[views.CommonResult, str, Markup]] = field(default_factory=dict)

    @cached_property
    def due(self) -> Mapping[Power, Duty]:
        """What each power owes in the open phase."""
        return duties_in(self.game, self.variant)


@dataclass
class Copy:
    """One reader's letter while it is written."""

    desk: Desk
    reader: Reader
    person: Person
    view: GameView
    viewer: Viewer
    voice: Voice
    stamp: Stamp
    head: views.GameHead
    addressee: views.ReaderHead
    commands: Mapping[str, str]

    @property
    def words(self) -> Wording:
        """Sentences for this reader."""
        return Wording(self.viewer.pen, self.viewer.variant, self.commands)


class Copyist:
    """Makes copies: finds the voice, the pen and the view for each reader."""

    def __init__(self, library: Library, postage: Postage, language: str, zone: str, archive: str = "") -> None:
        self.library = library
        self._archive = archive
        self.postage = postage
        self.zone = zone
        self.languages = tuple(lang for lang in library.tongues() if library.tongue(lang).writes)
        """The languages letters can be written in."""
        self._language = language
        self._pens: dict[tuple[str, str, str], Pen] = {}
        self._commands: dict[str, Mapping[str, str]] = {}
        self._unit_words: dict[str, tuple[str, ...]] = {}

    def commands(self, language: str) -> Mapping[str, str]:
        """How commands are written in a language, by their names in capitals."""
        if language not in self._commands:
            words = self.library.command_words
            self._commands[language] = {name.upper(): words.spell(name, language) for _, name in words.written}
        return self._commands[language]

    def copy(self, desk: Desk, reader: Reader, person: Person, stamp: Stamp) -> Copy:
        """The copy for one reader, under the stamp of the letter it goes into."""
        voice = self.voice(person, desk.game, desk.now)
        pen = self.pen(desk.game.variant, voice.phrases.lang, person.notation)
        viewer = Viewer(pen, desk.variant, desk.people, self.library.title(desk.game.variant), self.commands(voice.phrases.lang))
        view = view_for(desk.game, reader, desk.variant, desk.due)
        return Copy(
            desk,
            reader,
            person,
            view,
            viewer,
            voice,
            stamp,
            viewer.head(view, self._page(desk.game, voice.phrases.lang)),
            viewer.reader(view, person, voice.zone),
            self.commands(voice.phrases.lang),
        )

    def _page(self, game: Game, language: str) -> str:
        """Where the game is on the web: its plain address, the same for every reader, and none for a game that is not listed."""
        if not self._archive or not game.settings.listed:
            return ""
        return game_address(self._archive, language, game_folder(game.id, game.name))

    def pen(self, variant: str, language: str, notation: str) -> Pen:
        """The pen for a board, a language and a notation."""
        key = (variant, language, notation)
        if key not in self._pens:
            tongue = self.library.tongue(language)
            wanted = Notation(notation) if notation in tuple(Notation) else Notation.SHORT
            self._pens[key] = Pen(tongue.phrases, self.library.pack(variant).gazetteer(language), tongue.lexicon, wanted)
        return self._pens[key]

    def voice(self, person: Person, game: Game | None, now: datetime) -> Voice:
        """How a person is spoken to: in the language chosen, else that of the person's mails, else the game's, else the judge's."""
        wanted = (person.language, person.spoken, game.settings.language if game else "", self._language)
        language = next((each for each in wanted if each in self.languages), "en")
        phrases = self.library.tongue(language).phrases
        return Voice(phrases, person.zone or (game.settings.zone if game else self.zone), now, self._units(language))

    def _units(self, language: str) -> tuple[str, ...]:
        """The words for units in a language, as they stand before a place."""
        if language not in self._unit_words:
            units = self.library.tongue(language).lexicon.units.values()
            self._unit_words[language] = tuple(word.casefold() for unit in units for word in (*unit.subject[:1], *unit.object[:1]))
        return self._unit_words[language]

    def state(self, copy: Copy, with_board: bool = False) -> views.GameState:
        """Where the game stands for the reader, with a link to write orders."""
        state = copy.viewer.state(copy.view, copy.person, copy.voice.zone, with_board=with_board)
        return replace(state, duty=self.linked(copy, state.duty))

    def linked(self, copy: Copy, duty: views.Duty) -> views.Duty:
        """The duty with a link that opens a letter with the order form in it; canonical orders where those are shorter."""
        if not duty.form or not copy.stamp.order_to:
            return duty
        subject = f"[{copy.view.name} {copy.view.position.phase}]"
        link = order_link(copy.stamp.order_to, subject, duty.form)
        if len(link) > LONGEST_LINK:
            pen = self.pen(copy.desk.game.variant, copy.voice.phrases.lang, Notation.CANONICAL)
            short = Viewer(pen, copy.desk.variant, {}, "").duty(copy.view)
            link = order_link(copy.stamp.order_to, subject, short.form)
        return replace(duty, link=link if len(link) <= LONGEST_LINK else "")


def order_link(address: str, subject: str, form: Sequence[str]) -> str:
    """A mailto: link that opens a letter with the order form in it (RFC 6068).

    >>> order_link("judge+danube.x1@example.org", "[danube S1901M]", ["A Par H"])
    'mailto:judge%2Bdanube.x1@example.org?subject=%5Bdanube%20S1901M%5D&body=A%20Par%20H%0D%0A'
    """
    body = "".join(f"{line}\r\n" for line in form)
    return f"mailto:{quote(address, safe='@')}?subject={quote(subject, safe='')}&body={quote(body, safe='')}"
