"""Notices to views: what each reader is told of something that happened."""

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from markupsafe import Markup

from judge.errors import PlayerError
from judge.game import (
    ConfirmPlease,
    DeadlineMoved,
    GameBegan,
    GameEnded,
    GameOpened,
    GamePaused,
    GameResumed,
    Item,
    News,
    Nmr,
    Notice,
    OrdersMissing,
    PressArrived,
    ReaderKind,
    ReminderDue,
    SeatGiven,
    SeatLeft,
    SettingChanged,
    TurnClosed,
    grace_ends,
    grace_of,
    may_see_event,
)
from judge.game.notices import AheadRead, DigestMade, LastWords, MasterAsked, Summary
from judge.report import views
from judge.report.copies import Copy, Copyist
from judge.report.filters import one_line
from judge.report.printing import Printer
from judge.report.retrospect import view_past, view_summary


class Teller:
    """Makes the View of a notice for one copy, and says which template it is for."""

    def __init__(self, copyist: Copyist, printer: Printer, address: str) -> None:
        self._copyist = copyist
        self._printer = printer
        self._address = address
        self._words = copyist.library.command_words

    def view(self, copy: Copy, notice: Notice) -> tuple[str, views.LetterView]:
        """The template's name and its View."""
        match notice:
            case TurnClosed():
                return "turn", self._turn(copy, notice)
            case PressArrived():
                return "press", self._press(copy, notice)
            case GameBegan():
                return "started", self._started(copy)
            case GameEnded(ending):
                return "ended", self._final(copy, copy.viewer.ending(ending), notice.summary)
            case ReminderDue(_, left):
                waits = copy.view.settings.nmr is Nmr.WAIT
                return "reminder", views.ReminderView(copy.head, copy.addressee, left, self._copyist.state(copy), waits)
            case ConfirmPlease(_, code, line, until):
                first, *more = line.split("\n")
                others = tuple(map(one_line, more))
                return "code", views.CodeView(copy.head, copy.addressee, code, one_line(first), until, more=others)
            case GameOpened():
                return "opened", self._seat(copy, copy.reader.seat)
            case SeatGiven(_, seat):
                return ("welcome" if seat == copy.reader.seat else "seat-taken"), self._seat(copy, seat)
            case SeatLeft(_, seat):
                return "seat-open", self._seat(copy, seat)
            case News(code, _, facts, with_state):
                subject, text = copy.words.news(code, facts)
                state = self._copyist.state(copy) if with_state else None
                return "note", views.NoteView(copy.head, copy.addressee, code, subject, text, state)
            case MasterAsked(turn, powers):
                common = self._printer.result(copy.viewer, (turn,))
                titles = tuple(map(copy.viewer.pen.power, powers))
                return "decision", views.DecisionView(copy.head, copy.addressee, titles, common[1], common[2])
            case AheadRead(_, items):
                return "ahead", self._ahead(copy, items)
            case DigestMade(_, entries):
                past = tuple(view_past(copy.viewer, copy.words, entry) for entry in entries)
                title = copy.voice.phrases.say("title.digest")
                text = self._printer.section("history", "past", views.ListView(title, past)).text
                return "digest", views.DigestView(copy.head, copy.addressee, past, text)
            case LastWords(statements):
                said = tuple((copy.viewer.pen.power(key), text) for key, text in statements.items())
                return "words", views.WordsView(copy.head, copy.addressee, said)
            case OrdersMissing() | DeadlineMoved() | GamePaused() | GameResumed() | SettingChanged():
                return self._news(copy, notice)
            case _:
                assert_never(notice)

    def _turn(self, copy: Copy, notice: TurnClosed) -> views.TurnView:
        common, text, html = self._common(copy, notice)
        view, viewer = copy.view, copy.viewer
        duty = viewer.duty(view, notice.turns[-1])
        own = [copy.words.news(each.code, {"power": view.power, "powers": each.powers}) for each in notice.own.get(copy.reader.seat, ())]
        untold = [each for each in notice.untold.get(copy.reader.seat, ()) if may_see_event(copy.desk.game, copy.reader, each)]
        return views.TurnView(
            game=copy.head,
            reader=copy.addressee,
            resolved=viewer.pen.phase(notice.turns[0].phase),
            closed_by=notice.reason,
            duty=self._copyist.linked(copy, duty),
            own=viewer.own_lines(notice.turns, view.power),
            lost=viewer.lost(notice.turns, view.power),
            common=common,
            common_text=text,
            common_html=html,
            ending=viewer.ending(view.ending) if view.ending else None,
            picture=bool(copy.desk.picture),
            also=(
                *(text for _, text in own),
                *(copy.words.news(b.code, {"powers": b.powers})[1] for b in notice.also),
                *(copy.words.event(each).head for each in untold),
            ),
            alert=own[0][0] if own else "",
        )

    def _common(self, copy: Copy, notice: TurnClosed) -> tuple[views.CommonResult, str, Markup]:
        """The part of a result that is the same for all readers of one language and notation, written once."""
        key = (copy.voice.phrases.lang, copy.viewer.pen.notation)
        if key not in copy.desk.pieces:
            copy.desk.pieces[key] = self._printer.result(copy.viewer, notice.turns)
        return copy.desk.pieces[key]

    def _ahead(self, copy: Copy, items: Sequence[Item]) -> views.AnswerView:
        """What became of orders that were filed ahead, as a transcript."""
        lines = tuple(copy.words.transcript(item) for item in items)
        refused = sum(isinstance(outcome, PlayerError) for item in items for outcome in item.outcomes)
        return views.AnswerView(copy.head, copy.addressee, lines, (self._copyist.state(copy),), refused=refused)

    def _press(self, copy: Copy, notice: PressArrived) -> views.PressView:
        pen, seat = copy.viewer.pen, copy.reader.seat
        others = tuple(key for key in dict.fromkeys((notice.sender, *notice.to)) if key and key != seat)
        all_known = bool(notice.sender) or not notice.to
        words = self._words
        lang = copy.voice.phrases.lang
        command = words.spell("press", lang) if notice.to else words.spell("broadcast", lang)
        names = (words.spell("master", lang) if key.startswith("MASTER") else pen.power(key) for key in others)
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
            kind=notice.kind,
        )

    def _started(self, copy: Copy) -> views.StartView:
        view, viewer = copy.view, copy.viewer
        state = self._copyist.state(copy)
        return views.StartView(
            copy.head,
            copy.addressee,
            self._copyist.linked(copy, viewer.duty(view)),
            state.seats,
            state.masters,
            viewer.holdings(view.position),
            viewer.rules(view.settings),
            copy.desk.variant.victory,
            bool(copy.desk.picture),
        )

    def _final(self, copy: Copy, ending: views.EndingView, summary: Summary | None) -> views.FinalView:
        view, viewer = copy.view, copy.viewer
        won = bool(view.power) and view.ending is not None and view.power in view.ending.powers
        by_years = self._printer.section("summary", "summary", view_summary(viewer, summary, view)).text if summary is not None else ""
        return views.FinalView(copy.head, copy.addressee, ending, viewer.holdings(view.position), viewer.seats(view), won, by_years)

    def _seat(self, copy: Copy, seat: str) -> views.SeatView:
        view, viewer = copy.view, copy.viewer
        free = tuple(viewer.pen.power(row.power) for row in view.seats if not row.taken)
        signon = self._words.spell("signon", copy.voice.phrases.lang)
        power = f" {viewer.pen.power(seat)}" if seat in copy.desk.variant.powers else ""
        return views.SeatView(
            game=copy.head,
            reader=copy.addressee,
            seat=viewer.pen.power(seat),
            free=free,
            powers=len(view.seats),
            rules=viewer.rules(view.settings),
            address=self._address,
            invite=f"{signon} {view.name}{power} {view.settings.invitation}".rstrip(),
        )

    def _news(
        self, copy: Copy, notice: OrdersMissing | DeadlineMoved | GamePaused | GameResumed | SettingChanged
    ) -> tuple[str, views.NewsView]:
        pen = copy.viewer.pen
        news = views.NewsView(copy.head, copy.addressee, self._copyist.state(copy), "")
        match notice:
            case OrdersMissing(powers):
                knows = copy.reader.kind is ReaderKind.MASTER
                ends = grace_ends(copy.desk.game) if copy.desk.game.deadline else None
                waits = copy.view.settings.nmr is Nmr.WAIT
                late = copy.view.power in powers
                opens = ends if waits and grace_of(copy.desk.game) else None
                named = tuple(map(pen.power, powers)) if knows else ()
                return "late", replace(news, powers=named, is_late=late, at=None if waits else ends, opens=opens)
            case DeadlineMoved(before, at, by, why):
                code = f"deadline.{why}"
                reason = one_line(notice.reason, 300) or (pen.phrases.say(code) if pen.phrases.knows(code) else "")
                told = pen.phrases.say("deadline.reason", reason=reason) if reason else ""
                return "deadline", replace(news, by=pen.power(by) if by else "", before=before, at=at, why=told)
            case GamePaused(by):
                told = pen.phrases.say("deadline.reason", reason=one_line(notice.reason, 300)) if notice.reason else ""
                return "paused", replace(news, by=pen.power(by), left=copy.desk.game.paused_left, why=told)
            case GameResumed(by, at):
                return "resumed", replace(news, by=pen.power(by), at=at)
            case SettingChanged(key, value, by):
                changed = ((key, value), *notice.more)
                (name, told), *more = ((copy.words.setting(each), copy.words.setting_value(each, text)) for each, text in changed)
                return "setting", replace(news, by=pen.power(by), key=name, value=told, more=tuple(more))
            case _:
                assert_never(notice)
