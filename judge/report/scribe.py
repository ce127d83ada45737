"""Notices and answers to letters: one letter for each reader, written out of what that reader may know."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TypeVar, assert_never
from urllib.parse import quote

from jinja2 import Template, TemplateError, TemplateNotFound
from markupsafe import Markup

from judge.errors import PlayerError
from judge.game import (
    ConfirmPlease,
    DeadlineMoved,
    Game,
    GameBegan,
    GameEnded,
    GameOpened,
    GamePaused,
    GameResumed,
    GamesListed,
    GameView,
    HelpGiven,
    Item,
    Nmr,
    NothingFound,
    Notice,
    OrdersMissing,
    Person,
    PersonId,
    PressArrived,
    PressSent,
    Reader,
    ReaderKind,
    ReminderDue,
    SeatGiven,
    SeatLeft,
    SettingChanged,
    Status,
    StatusAsked,
    TurnClosed,
    reader_at,
    readers_of,
    view_for,
)
from judge.language import Notation, Pen
from judge.library import Library
from judge.mail import Attachment, Letter
from judge.report import samples, views
from judge.report.calendar import deadline_event
from judge.report.environment import SHIPPED, make_environments
from judge.report.filters import Voice, as_html, finish, speaking
from judge.report.postage import Occasion, Postage, Question, Stamp
from judge.report.viewing import MOST_LINES, Viewer, one_line
from judge.rules import Variant

_T = TypeVar("_T")

LONGEST_LINK = 1900
"""Octets of a mailto: link that every mail program takes."""


HELP_PAGES = {
    **dict.fromkeys(("orders", "order", "clear", "convoy", "retreat", "builds"), "orders"),
    **dict.fromkeys(("press", "broadcast", "endpress"), "press"),
    **dict.fromkeys(("signon", "observe", "confirm", "list", "resign", "address"), "signon"),
    **dict.fromkeys(("wait", "nowait", "deadlines"), "deadlines"),
    **dict.fromkeys(("set", "name", "language", "zone", "notation", "pictures"), "set"),
    **dict.fromkeys(("create", "master", "start", "extend", "deadline", "process", "pause", "resume", "end", "become"), "master"),
    **dict.fromkeys(("help", "status", "game", "signoff", "index"), "index"),
}
"""Command or topic to the help page that speaks of it."""


@dataclass(frozen=True, slots=True)
class Part:
    """What one mail did in one game (None: before the judge itself), from which seat; in the order of its lines."""

    game: Game | None
    seat: str
    variant: Variant | None
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Written:
    """A letter's inside."""

    subject: str
    text: str
    html: str


@dataclass
class _Desk:
    """What is the same for all letters of one notice: who may be named, the time, and pieces written once for all readers."""

    game: Game
    variant: Variant
    people: Mapping[PersonId, Person]
    now: datetime
    picture: str
    pieces: dict[tuple[str, str], tuple[views.CommonResult, str, Markup]] = field(default_factory=dict)


@dataclass
class _Copy:
    """One reader's letter while it is written."""

    desk: _Desk
    reader: Reader
    person: Person
    view: GameView
    viewer: Viewer
    voice: Voice
    stamp: Stamp
    head: views.GameHead
    addressee: views.ReaderHead


class Scribe:
    """Writes letters.  Templates and catalogues are read once; a Scribe may be used by several threads.

    `judge_name` and `address` are what the letters call the judge and where anybody writes; `language` and `zone` count for people
    of whom nothing is known; `own_templates` are the operator's folders, first found wins.
    """

    def __init__(
        self,
        library: Library,
        postage: Postage,
        shipped: Path,
        own_templates: Sequence[Path] = (),
        *,
        judge_name: str,
        address: str,
        language: str = "en",
        zone: str = "UTC",
    ) -> None:
        self.library = library
        self.postage = postage
        self.judge_name = judge_name
        self.address = address
        self.language = language
        self.zone = zone
        self.broken: dict[str, str] = {}
        """Templates of the operator that could not be filled, with the reason; the shipped ones were used instead."""
        self._own = bool(own_templates)
        self._environments = make_environments(shipped, own_templates, {"judge_name": judge_name, "judge_address": address})
        self._pens: dict[tuple[str, str, str], Pen] = {}
        self._templates: dict[str, Template | None] = {}
        self._languages = tuple(lang for lang in library.tongues() if library.tongue(lang).writes)

    # ---- what readers are told without asking

    def letters(
        self, game: Game, notice: Notice, people: Mapping[PersonId, Person], variant: Variant, now: datetime, picture: str = ""
    ) -> list[Letter]:
        """One letter for each person the notice is for.

        `game` is the game after what happened, `people` everybody who has a seat in it; `picture` the key of the picture that goes
        with it, "" for none.
        """
        desk = _Desk(game, variant, people, now, picture)
        letters = []
        for reader in readers_of(game, notice.audience):
            person = people.get(reader.person) if reader.person is not None else None
            if person is None or not person.address:
                continue
            letters.append(self._letter_for(desk, reader, person, notice))
        return letters

    def _letter_for(self, desk: _Desk, reader: Reader, person: Person, notice: Notice) -> Letter:
        copy = self._copy(desk, reader, person, occasion_code(notice, desk.game, desk.now))
        with speaking(copy.voice):
            kind, view = self._view(copy, notice)
            written = self.write(kind, view)
            with_picture = bool(desk.picture) and getattr(view, "picture", False)
            alt = copy.voice.phrases.say("picture.alt", phase=copy.head.phase) if with_picture else ""
            attachments = self._attachments(copy, notice)
        letter = self._post(written, copy.stamp, person, desk.now, desk.game, self._tag(desk.game))
        return replace(letter, attachments=attachments, picture=desk.picture if with_picture else None, picture_alt=alt)

    def _copy(self, desk: _Desk, reader: Reader, person: Person, code: str) -> _Copy:
        voice = self._voice(person, desk.game, desk.now)
        pen = self.pen(desk.game.variant, voice.phrases.lang, person.notation)
        viewer = Viewer(pen, desk.variant, desk.people, self.library.title(desk.game.variant))
        view = view_for(desk.game, reader, desk.variant)
        stamp = self.postage.stamp(Occasion(desk.game, reader.seat, code))
        return _Copy(desk, reader, person, view, viewer, voice, stamp, viewer.head(view), viewer.reader(view, person, voice.zone))

    def _view(self, copy: _Copy, notice: Notice) -> tuple[str, views.LetterView]:
        """The template's name and its View."""
        match notice:
            case TurnClosed():
                return "turn", self._turn(copy, notice)
            case PressArrived():
                return "press", self._press(copy, notice)
            case GameBegan():
                return "started", self._started(copy)
            case GameEnded(ending):
                return "ended", self._final(copy, copy.viewer.ending(ending))
            case ReminderDue(_, left):
                waits = copy.view.settings.nmr is Nmr.WAIT
                return "reminder", views.ReminderView(copy.head, copy.addressee, left, self._state(copy), waits)
            case ConfirmPlease(_, code, line, until):
                return "code", views.CodeView(copy.head, copy.addressee, code, one_line(line), until)
            case GameOpened():
                return "opened", self._seat(copy, copy.reader.seat)
            case SeatGiven(_, seat):
                return ("welcome" if seat == copy.reader.seat else "seat-taken"), self._seat(copy, seat)
            case SeatLeft(_, seat):
                return "seat-open", self._seat(copy, seat)
            case OrdersMissing() | DeadlineMoved() | GamePaused() | GameResumed() | SettingChanged():
                return self._news(copy, notice)
            case _:
                assert_never(notice)

    def _turn(self, copy: _Copy, notice: TurnClosed) -> views.TurnView:
        common, text, html = self._common(copy, notice)
        view, viewer = copy.view, copy.viewer
        duty = viewer.duty(view, notice.turns[-1])
        return views.TurnView(
            game=copy.head,
            reader=copy.addressee,
            resolved=viewer.pen.phase(notice.turns[0].phase),
            closed_by=notice.reason,
            duty=self._linked(copy, duty),
            own=viewer.own_lines(notice.turns, view.power),
            lost=viewer.lost(notice.turns, view.power),
            common=common,
            common_text=text,
            common_html=html,
            ending=viewer.ending(view.ending) if view.ending else None,
            picture=bool(copy.desk.picture),
        )

    def _common(self, copy: _Copy, notice: TurnClosed) -> tuple[views.CommonResult, str, Markup]:
        """The part of a result that is the same for all readers of one language and notation, written once."""
        key = (copy.voice.phrases.lang, copy.viewer.pen.notation)
        if key not in copy.desk.pieces:
            common = copy.viewer.common(notice.turns)
            text = self._fill("shared/result.txt.j2", {"common": common})
            html = Markup(self._fill("shared/result.html.j2", {"common": common}))  # noqa: S704 - filled by the escaping environment
            copy.desk.pieces[key] = (common, finish(text), html)
        return copy.desk.pieces[key]

    def _press(self, copy: _Copy, notice: PressArrived) -> views.PressView:
        pen, seat = copy.viewer.pen, copy.reader.seat
        others = tuple(key for key in dict.fromkeys((notice.sender, *notice.to)) if key and key != seat)
        all_known = bool(notice.sender) or not notice.to
        words = self.library.command_words
        lang = copy.voice.phrases.lang
        command = words.spell("press", lang) if notice.to else words.spell("broadcast", lang)
        names = ("MASTER" if key.startswith("MASTER") else pen.power(key) for key in others)
        line = f"{command}: {', '.join(names)}" if notice.to else command
        return views.PressView(
            game=copy.head,
            reader=copy.addressee,
            sender=pen.power(notice.sender) if notice.sender else "",
            from_master=notice.sender.startswith("MASTER"),
            to=tuple(pen.power(key) for key in notice.to),
            others=tuple(pen.power(key) for key in others),
            text=notice.text,
            reply_line=line if all_known else "",
        )

    def _started(self, copy: _Copy) -> views.StartView:
        view, viewer = copy.view, copy.viewer
        state = self._state(copy)
        return views.StartView(
            copy.head,
            copy.addressee,
            self._linked(copy, viewer.duty(view)),
            state.seats,
            state.masters,
            viewer.holdings(view.position),
            viewer.rules(view.settings),
            copy.desk.variant.victory,
            bool(copy.desk.picture),
        )

    def _final(self, copy: _Copy, ending: views.EndingView) -> views.FinalView:
        view, viewer = copy.view, copy.viewer
        won = bool(view.power) and view.ending is not None and view.power in view.ending.powers
        return views.FinalView(copy.head, copy.addressee, ending, viewer.holdings(view.position), viewer.seats(view), won)

    def _seat(self, copy: _Copy, seat: str) -> views.SeatView:
        view, viewer = copy.view, copy.viewer
        free = tuple(viewer.pen.power(row.power) for row in view.seats if not row.taken)
        signon = self.library.command_words.spell("signon", copy.voice.phrases.lang)
        power = f" {viewer.pen.power(seat)}" if seat in copy.desk.variant.powers else ""
        return views.SeatView(
            game=copy.head,
            reader=copy.addressee,
            seat=viewer.pen.power(seat),
            free=free,
            powers=len(view.seats),
            rules=viewer.rules(view.settings),
            address=self.address,
            invite=f"{signon} {view.name}{power}",
        )

    def _news(
        self, copy: _Copy, notice: OrdersMissing | DeadlineMoved | GamePaused | GameResumed | SettingChanged
    ) -> tuple[str, views.NewsView]:
        pen = copy.viewer.pen
        news = views.NewsView(copy.head, copy.addressee, self._state(copy), "")
        match notice:
            case OrdersMissing(powers):
                knows = copy.reader.kind is ReaderKind.MASTER
                timing = copy.view.settings.timing
                latest = copy.view.deadline.at + timing.grace if copy.view.deadline and copy.view.settings.nmr is not Nmr.WAIT else None
                late = copy.view.power in powers
                return "late", replace(news, powers=tuple(map(pen.power, powers)) if knows else (), is_late=late, at=latest)
            case DeadlineMoved(before, at, by, why):
                reason = f"deadline.{why}"
                told = pen.phrases.say(reason) if pen.phrases.knows(reason) else ""
                return "deadline", replace(news, by=pen.power(by) if by else "", before=before, at=at, why=told)
            case GamePaused(by):
                return "paused", replace(news, by=pen.power(by), left=copy.desk.game.paused_left)
            case GameResumed(by, at):
                return "resumed", replace(news, by=pen.power(by), at=at)
            case SettingChanged(key, value, by):
                return "setting", replace(news, by=pen.power(by), key=key, value=one_line(value))
            case _:
                assert_never(notice)

    def _state(self, copy: _Copy, with_board: bool = False) -> views.GameState:
        state = copy.viewer.state(copy.view, copy.person, copy.voice.zone, with_board=with_board)
        return replace(state, duty=self._linked(copy, state.duty))

    def _linked(self, copy: _Copy, duty: views.Duty) -> views.Duty:
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

    def _attachments(self, copy: _Copy, notice: Notice) -> tuple[Attachment, ...]:
        """The deadline as a calendar entry, where it is new."""
        if not isinstance(notice, TurnClosed | GameBegan | DeadlineMoved | GameResumed) or copy.head.deadline is None:
            return ()
        game, say = copy.desk.game, copy.voice.phrases.say
        title = say("calendar.title", name=game.name, phase=copy.head.phase)
        host = self.address.rpartition("@")[2]
        text = deadline_event(f"deadline-{game.id}@{host}", title, copy.head.deadline, copy.desk.now, game.created_at)
        return (Attachment(f"{game.name}-{game.phase}.ics", "text/calendar", text),)

    # ---- answers to mails

    def answer(self, person: Person, parts: Sequence[Part], people: Mapping[PersonId, Person], now: datetime, question: Question) -> Letter:
        """The answer to a mail: a transcript of its lines, then the state of each game it was about.

        The letter comes from, and is answered to, the first part's game and seat.
        """
        main = next((part for part in parts if part.game is not None and part.seat), parts[0])
        outcomes = [outcome for part in parts for item in part.items for outcome in item.outcomes]
        if outcomes and all(isinstance(outcome, NothingFound) for outcome in outcomes):
            return self.refusal(person, str(getattr(outcomes[0], "why", "")), now, question, main, people)
        voice = self._voice(person, main.game, now)
        stamp = self.postage.stamp(Occasion(main.game, main.seat, f"a{question.number}"))
        with speaking(voice):
            copies = [(part, self._part_copy(part, person, people, now, stamp)) for part in parts]
            view = self._answer_view(person, copies, voice, main)
            written = self.write("answer", view)
        return self._post(written, stamp, person, now, main.game, self._tag(main.game), question)

    def _part_copy(self, part: Part, person: Person, people: Mapping[PersonId, Person], now: datetime, stamp: Stamp) -> _Copy | None:
        if part.game is None or part.variant is None:
            return None
        desk = _Desk(part.game, part.variant, people, now, "")
        copy = self._copy(desk, reader_at(part.game, part.seat), person, "x")
        copy.stamp = stamp
        return copy

    def _answer_view(self, person: Person, copies: Sequence[tuple[Part, _Copy | None]], voice: Voice, main: Part) -> views.AnswerView:
        lines: list[views.TranscriptLine] = []
        states: list[views.GameState] = []
        press: list[views.PressCopy] = []
        games: list[views.ListedGame] = []
        topics: list[str] = []
        listed = False
        refused = leftover = 0
        for part, copy in copies:
            viewer = copy.viewer if copy else self._plain_viewer(person, voice)
            for item in part.items:
                bad = sum(isinstance(outcome, PlayerError) for outcome in item.outcomes)
                refused += bad
                if len(lines) < MOST_LINES:
                    lines.append(viewer.transcript(item))
                else:
                    leftover += bad
                for outcome in item.outcomes:
                    match outcome:
                        case PressSent(to, text):
                            press.append(views.PressCopy(tuple(viewer.pen.power(key) for key in to), text))
                        case GamesListed(rows):
                            listed = True
                            games.extend(viewer.listed_game(row, self.library.title(row.variant)) for row in rows)
                        case HelpGiven(topic):
                            topics.append(topic)
                        case _:
                            pass
            if copy is not None and part.seat:
                asked = any(isinstance(outcome, StatusAsked) for item in part.items for outcome in item.outcomes)
                states.append(self._state(copy, with_board=asked))
        main_copy = next((copy for part, copy in copies if part is main), None)
        return views.AnswerView(
            game=main_copy.head if main_copy else None,
            reader=main_copy.addressee if main_copy else views.ReaderHead("public", name=one_line(person.name), zone=voice.zone),
            lines=tuple(lines),
            states=tuple(states),
            games=tuple(games),
            listed=listed,
            help=tuple(self.help_page(topic, voice) for topic in dict.fromkeys(topics)),
            refused=refused,
            press=tuple(press),
            leftover=leftover,
        )

    def _plain_viewer(self, person: Person, voice: Voice) -> Viewer:
        """A viewer for what concerns no game; its board is the standard one."""
        pack = self.library.pack("standard")
        return Viewer(self.pen("standard", voice.phrases.lang, person.notation), pack.variant, {}, self.library.title("standard"))

    def help_page(self, topic: str, voice: Voice) -> views.HelpPage:
        """A help page in the reader's language; in English where that has none, the index where there is no such topic."""
        found = self.library.command_words.match(topic)
        wanted = HELP_PAGES.get(found.name if found else topic.strip().lower(), topic.strip().lower())
        for name in dict.fromkeys((wanted, "index")):
            for lang in dict.fromkeys((voice.phrases.lang, "en")):
                path = f"help/{lang}/{name}.txt.j2"
                if name.isalnum() and self._template(path) is not None:
                    return views.HelpPage(name, finish(self._fill(path, {"topic": wanted})))
        return views.HelpPage("index", "")

    def code(
        self,
        person: Person,
        code: str,
        line: str,
        until: datetime,
        now: datetime,
        question: Question,
        welcome: bool = True,
    ) -> Letter:
        """The first letter to somebody who asked for a game or a seat: the code that must come back."""
        voice = self._voice(person, None, now)
        stamp = self.postage.stamp(Occasion(None, "", f"c{question.number}"))
        reader = views.ReaderHead("public", name=one_line(person.name), zone=voice.zone)
        with speaking(voice):
            written = self.write("code", views.CodeView(None, reader, code, one_line(line), until, welcome))
        return self._post(written, stamp, person, now, None, "", question)

    def refusal(
        self,
        person: Person,
        why: str,
        now: datetime,
        question: Question,
        part: Part | None = None,
        people: Mapping[PersonId, Person] | None = None,
    ) -> Letter:
        """The answer to a mail that could not be used; `why` is the code of what the judge saw in it."""
        part = part or Part(None, "", None, ())
        voice = self._voice(person, part.game, now)
        stamp = self.postage.stamp(Occasion(part.game, part.seat, f"n{question.number}"))
        with speaking(voice):
            copy = self._part_copy(part, person, people or {}, now, stamp)
            say = voice.phrases.say
            saw = say(f"saw.{why}" if voice.phrases.knows(f"saw.{why}") else "saw.unknown")
            state = self._state(copy) if copy and part.seat else None
            reader = copy.addressee if copy else views.ReaderHead("public", name=one_line(person.name), zone=voice.zone)
            example = example_line(state) or self.library.command_words.spell("help", voice.phrases.lang)
            written = self.write("refusal", views.RefusalView(copy.head if copy else None, reader, saw, state, example))
        return self._post(written, stamp, person, now, part.game, self._tag(part.game), question)

    def operator(self, address: str, subject: str, lines: Sequence[str], now: datetime, code: str) -> Letter:
        """A letter to the keeper of the judge; `code` tells it from other letters."""
        keeper = Person(0, "", address, "en", self.zone)
        stamp = self.postage.stamp(Occasion(None, "", code))
        with speaking(self._voice(keeper, None, now)):
            written = self.write("operator", views.OperatorView(one_line(subject, 200), tuple(lines)))
        return self._post(written, stamp, keeper, now, None, "")

    # ---- trying templates

    def faults(self) -> Mapping[str, str]:
        """Every template filled with made-up views, in every language; what went wrong, by the template's name.

        A broken template of the operator is also noted in `broken`, and the shipped one is used from then on.
        """
        found: dict[str, str] = {}
        for language in self.languages:
            with speaking(Voice(self.library.tongue(language).phrases, self.zone, samples.NOW)):
                for kind, sample_views in samples.sample_letters().items():
                    for view in sample_views:
                        self._try(f"mail/{kind}", partial(self.write, kind, view), found)
                for name in ("shared/result.txt.j2", "shared/result.html.j2"):
                    self._try(name, partial(self._fill, name, {"common": samples.COMMON}), found)
        return {**found, **self.broken}

    def _try(self, name: str, fill: Callable[[], object], found: dict[str, str]) -> None:
        try:
            fill()
        except Exception as fault:  # whatever is wrong with a template, the next ones are tried too
            found.setdefault(name, f"{type(fault).__name__}: {fault}")

    # ---- writing and posting

    def write(self, kind: str, view: views.LetterView) -> Written:
        """Fill the templates of one kind of letter, within `speaking`.

        A letter without an HTML template of its own gets its text in simple HTML.
        """
        has_twin = self._template(f"mail/{kind}.html.j2") is not None
        subject, text, body = self._fill_letter(f"mail/{kind}.txt.j2", {"view": view}, with_body=not has_twin)
        if has_twin:
            html = self._fill(f"mail/{kind}.html.j2", {"view": view, "subject": subject})
        else:
            html = self._fill("shared/plain.html.j2", {"view": view, "subject": subject, "body": as_html(finish(body))})
        return Written(subject, finish(text), html)

    def _fill(self, name: str, values: Mapping[str, object]) -> str:
        return self._safely(name, lambda template: template.render(values))

    def _fill_letter(self, name: str, values: Mapping[str, object], with_body: bool) -> tuple[str, str, str]:
        """Subject and whole text of a letter, and its body alone ("" unless asked for)."""

        def fill(template: Template) -> tuple[str, str, str]:
            context = template.new_context(dict(values))
            text = "".join(template.root_render_func(context))
            subject = " ".join("".join(context.blocks["subject"][0](context)).split())
            return subject, text, "".join(context.blocks["body"][0](context)) if with_body else ""

        return self._safely(name, fill)

    def _safely(self, name: str, fill: Callable[[Template], _T]) -> _T:
        """Fill a template; if the operator's own one fails, note that and fill the shipped one: it must not stop a deadline."""
        template = self._template(name)
        if template is None:
            raise TemplateNotFound(name)
        if not self._own:
            return fill(template)
        try:
            return fill(template)
        except Exception as fault:  # whatever an operator's template can do wrong
            original = self._template(SHIPPED + name)
            if original is None or original.filename == template.filename:
                raise
            self.broken[name] = f"{type(fault).__name__}: {fault}"
            return fill(original)

    def _template(self, name: str) -> Template | None:
        """The template of that name; None if there is none.  One that cannot be compiled is replaced by the shipped one."""
        if name not in self._templates:
            self._templates[name] = self._load(name)
        return self._templates[name]

    def _load(self, name: str) -> Template | None:
        environment = self._environments.of(name)
        try:
            return environment.get_template(name)
        except TemplateNotFound as missing:
            if missing.name != name:
                raise
            return None
        except TemplateError as fault:
            if not self._own or name.startswith(SHIPPED):
                raise
            self.broken[name] = f"{type(fault).__name__}: {fault}"
            return environment.get_template(SHIPPED + name)

    def pen(self, variant: str, language: str, notation: str) -> Pen:
        """The pen for a board, a language and a notation."""
        key = (variant, language, notation)
        if key not in self._pens:
            tongue = self.library.tongue(language)
            wanted = Notation(notation) if notation in tuple(Notation) else Notation.SHORT
            self._pens[key] = Pen(tongue.phrases, self.library.pack(variant).gazetteer(language), tongue.lexicon, wanted)
        return self._pens[key]

    def _voice(self, person: Person, game: Game | None, now: datetime) -> Voice:
        """How a person is spoken to: language and zone of their own choice, else the game's, else the judge's."""
        wanted = (person.language, game.settings.language if game else "", self.language)
        language = next((each for each in wanted if each in self.languages), "en")
        return Voice(self.library.tongue(language).phrases, person.zone or (game.settings.zone if game else self.zone), now)

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages letters can be written in."""
        return self._languages

    def _tag(self, game: Game | None) -> str:
        return str(game.phase) if game is not None and game.status in (Status.RUNNING, Status.PAUSED) else ""

    def _post(
        self, written: Written, stamp: Stamp, person: Person, now: datetime, game: Game | None, tag: str, question: Question | None = None
    ) -> Letter:
        """A written letter in its envelope."""
        label = f"[{game.name} {tag}] ".replace(" ]", "]") if game is not None else ""
        asked = question.message_id if question else ""
        thread = (*stamp.references, *(question.references[-5:] if question else ()), asked)
        return Letter(
            message_id=stamp.message_id,
            envelope_from=stamp.envelope_from,
            to=person.address,
            to_name=one_line(person.name),
            from_address=stamp.from_address,
            from_name=f"{self.judge_name} ({game.name})" if game is not None else self.judge_name,
            subject=label + written.subject,
            text=written.text,
            html=written.html,
            date=now,
            reply_to=stamp.reply_to,
            in_reply_to=asked or (stamp.references[0] if stamp.references else ""),
            references=tuple(dict.fromkeys(each for each in thread if each)),
            list_id=stamp.list_id,
            list_name=game.name if game is not None else "",
            auto_submitted="auto-replied" if question else "auto-generated",
        )


def order_link(address: str, subject: str, form: Sequence[str]) -> str:
    """A mailto: link that opens a letter with the order form in it (RFC 6068).

    >>> order_link("judge+danube.x1@example.org", "[danube S1901M]", ["A Par H"])
    'mailto:judge%2Bdanube.x1@example.org?subject=%5Bdanube%20S1901M%5D&body=A%20Par%20H%0D%0A'
    """
    body = "".join(f"{line}\r\n" for line in form)
    return f"mailto:{quote(address, safe='@')}?subject={quote(subject, safe='')}&body={quote(body, safe='')}"


def example_line(state: views.GameState | None) -> str:
    """A line that would have been of use to this reader now, "" if there is none."""
    if state is None or not state.duty.form:
        return ""
    return state.duty.form[0].removeprefix("# ")


def occasion_code(notice: Notice, game: Game, now: datetime) -> str:
    """A code that tells the letters of one notice from all others of the game; the same notice always gets the same."""
    match notice:
        case TurnClosed(turns):
            return f"t{turns[-1].number}"
        case PressArrived():
            return f"p{notice.number}"
        case ConfirmPlease():
            return f"c{int(notice.until.timestamp())}"
        case _:
            return f"{type(notice).__name__[:6].lower()}{int(now.timestamp())}"
