"""What a mail did to the View of its answer: a transcript, what was asked for, and the state of each game."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from markupsafe import Markup

from judge.errors import PlayerError
from judge.game import (
    Answer,
    Game,
    GamesListed,
    HelpGiven,
    Item,
    Person,
    PersonId,
    PressSent,
    ReaderKind,
    StatusAsked,
    reader_at,
)
from judge.game.notices import (
    AheadShown,
    DataShown,
    DiaryShown,
    DryRun,
    HistoryShown,
    LogShown,
    OwnGamesShown,
    SeatsShown,
    SettingsShown,
    SubmissionsShown,
    SummaryShown,
)
from judge.report import views
from judge.report.agreed import write_settings
from judge.report.copies import Copy, Copyist, Desk
from judge.report.filters import Voice, one_line
from judge.report.postage import Stamp
from judge.report.printing import Printer
from judge.report.retrospect import view_data, view_own_game, view_past, view_submission, view_summary
from judge.report.viewing import Viewer
from judge.report.wording import Wording
from judge.rules import Variant

MOST_LINES = 60
"""Lines of a mail that a transcript shows; further good ones are counted in the state, further bad ones are counted."""


@dataclass(frozen=True, slots=True)
class Part:
    """What one mail did in one game (None: before the judge itself), from which seat; in the order of its lines."""

    game: Game | None
    seat: str
    variant: Variant | None
    items: tuple[Item, ...]


class Answerer:
    """Makes the View of an answer."""

    def __init__(self, copyist: Copyist, printer: Printer) -> None:
        self._copyist = copyist
        self._printer = printer

    def _wording(self, viewer: Viewer) -> Wording:
        return Wording(viewer.pen, viewer.variant, self._copyist.commands(viewer.pen.phrases.lang))

    def copy_for(self, part: Part, person: Person, people: Mapping[PersonId, Person], now: datetime, stamp: Stamp) -> Copy | None:
        """The copy for one part of a mail, under the stamp of the whole letter; None for what is outside any game."""
        if part.game is None or part.variant is None:
            return None
        desk = Desk(part.game, part.variant, people, now, "")
        return self._copyist.copy(desk, reader_at(part.game, part.seat), person, stamp)

    def view(
        self, person: Person, copies: Sequence[tuple[Part, Copy | None]], voice: Voice, main: Part, *, with_picture: bool = False
    ) -> views.AnswerView:
        """The answer's View; `main` is the part whose game and seat the letter comes from, `with_picture` whether it shows its orders."""
        lines: list[views.TranscriptLine] = []
        states: list[views.GameState] = []
        press: list[views.PressCopy] = []
        games: list[views.ListedGame] = []
        topics: list[str] = []
        sections: list[views.Section] = []
        listed = False
        refused = leftover = 0
        for part, copy in copies:
            viewer = copy.viewer if copy else self._plain_viewer(person, voice)
            words = self._wording(viewer)
            for item in part.items:
                bad = sum(isinstance(outcome, PlayerError) for outcome in item.outcomes)
                refused += bad
                if len(lines) < MOST_LINES:
                    lines.append(words.transcript(item))
                else:
                    leftover += bad
                for outcome in item.outcomes:
                    match outcome:
                        case PressSent(to, text):
                            press.append(views.PressCopy(tuple(viewer.pen.power(key) for key in to), text))
                        case GamesListed(rows):
                            listed = True
                            games.extend(viewer.listed_game(row, self._copyist.library.title(row.variant)) for row in rows)
                        case HelpGiven(topic):
                            topics.append(topic)
                        case Answer() if (section := self._shown(copy, viewer, outcome)) is not None:
                            sections.append(section)
                        case _:
                            pass
            if copy is not None and part.seat:
                asked = any(isinstance(outcome, StatusAsked) for item in part.items for outcome in item.outcomes)
                states.append(self._copyist.state(copy, with_board=asked))
        if with_picture:
            shown = Markup(self._printer.fill("shared/orders-picture.html.j2", {}))  # noqa: S704 - filled by the escaping environment
            sections.append(views.Section("picture", voice.phrases.say("picture.orders_come"), shown))
        main_copy = next((copy for part, copy in copies if part is main), None)
        return views.AnswerView(
            game=main_copy.head if main_copy else None,
            reader=main_copy.addressee if main_copy else views.ReaderHead("public", name=one_line(person.name), zone=voice.zone),
            lines=tuple(lines),
            states=tuple(states),
            games=tuple(games),
            listed=listed,
            help=tuple(
                self._printer.help_page(topic, voice.phrases.lang, self._copyist.library.command_words) for topic in dict.fromkeys(topics)
            ),
            refused=refused,
            press=tuple(press),
            leftover=leftover,
            sections=tuple(sections),
        )

    def _plain_viewer(self, person: Person, voice: Voice) -> Viewer:
        """A viewer for what concerns no game; its board is the standard one."""
        pack = self._copyist.library.pack("standard")
        return Viewer(
            self._copyist.pen("standard", voice.phrases.lang, person.notation), pack.variant, {}, self._copyist.library.title("standard")
        )

    def _shown(self, copy: Copy | None, viewer: Viewer, answer: Answer) -> views.Section | None:
        """The part of the letter in which something that was asked for is shown."""
        say, words = viewer.pen.phrases.say, self._wording(viewer)
        match answer:
            case DryRun(turn):
                _, text, html = self._printer.result(viewer, (turn,))
                return views.Section("dry_run", text, html)
            case SummaryShown(summary) if copy is not None:
                return self._printer.section("summary", "summary", view_summary(viewer, summary, copy.view))
            case HistoryShown(entries, left):
                return self._printer.section(
                    "history",
                    "past",
                    views.ListView(say("title.history"), tuple(view_past(viewer, words, entry) for entry in entries), left),
                )
            case LogShown(events):
                return self._printer.section("log", "past", views.ListView(say("title.log"), tuple(map(words.event, events))))
            case SubmissionsShown(sent):
                return self._printer.section(
                    "submissions", "past", views.ListView(say("title.submissions"), tuple(view_submission(viewer, each) for each in sent))
                )
            case DiaryShown(notes):
                written = tuple(views.PastEntry(note.at, "press", say("note", number=note.number), note.text) for note in notes)
                return self._printer.section("diary", "past", views.ListView(say("title.diary"), written))
            case SeatsShown() if copy is not None:
                rows = tuple((seat.power, _who(seat, say)) for seat in viewer.seats(copy.view))
                return self._printer.section("seats", "rows", views.ListView(say("title.seats"), rows=rows))
            case SettingsShown() if copy is not None:
                is_master = copy.reader.kind is ReaderKind.MASTER
                settings = tuple(
                    (f"{key} {value}", words.setting(key)) for key, value in write_settings(copy.view.settings, is_master).items()
                )
                return self._printer.section("settings", "rows", views.ListView(say("title.settings"), rows=settings))
            case OwnGamesShown(games):
                return self._printer.section(
                    "own_games", "rows", views.ListView(say("title.own_games"), rows=tuple(view_own_game(viewer, game) for game in games))
                )
            case DataShown(rows):
                shown = tuple(view_data(viewer, words, name, value) for name, value in rows)
                return self._printer.section("data", "rows", views.ListView(say("title.data"), rows=shown))
            case AheadShown(orders):
                filed = tuple((str(order.phase), one_line(order.line)) for order in orders)
                return self._printer.section("ahead", "rows", views.ListView(say("title.ahead"), rows=filed))
            case _:
                return None


def example_line(state: views.GameState | None) -> str:
    """A line that would have been of use to this reader now, "" if there is none."""
    if state is None or not state.duty.form:
        return ""
    return state.duty.form[0].removeprefix("# ")


def _who(seat: views.SeatRow, say: Callable[[str], str]) -> str:
    """Who sits on a seat, and what is to be known of it."""
    name = seat.person or say("seat_taken" if seat.taken else "seat_free")
    return f"{name}, {say(f'standing.{seat.standing}')}" if seat.taken and seat.standing != "playing" else name
