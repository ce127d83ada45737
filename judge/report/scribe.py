"""Notices and answers to letters: one letter for each reader, written out of what that reader may know."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from zlib import crc32

from judge.game import (
    ConfirmPlease,
    DeadlineMoved,
    Game,
    GameBegan,
    GameResumed,
    NothingFound,
    Notice,
    Person,
    PersonId,
    PressArrived,
    Reader,
    Status,
    TurnClosed,
    readers_of,
)
from judge.language import Pen
from judge.library import Library
from judge.library.drawings import STANDARD
from judge.mail import Attachment, Letter
from judge.report import samples, views
from judge.report.answering import Answerer, Part, example_line
from judge.report.calendar import deadline_event
from judge.report.copies import Copy, Copyist, Desk
from judge.report.filters import Voice, one_line, speaking
from judge.report.postage import Occasion, Postage, Question, Stamp
from judge.report.printing import Printer, Written, command_speller
from judge.report.telling import Teller
from judge.rules import Variant


class Scribe:
    """Writes letters.  Templates and catalogues are read once; a Scribe may be used by several threads.

    `judge_name` and `address` are what the letters call the judge and where anybody writes; `language` and `zone` count for people
    of whom nothing is known; `archive` is the address of the site on the web, "" for none;
    `own_templates` are the operator's folders, first found wins.
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
        archive: str = "",
    ) -> None:
        self.library = library
        self.judge_name = judge_name
        self.zone = zone
        self._address = address
        self.postage = postage
        constants = {"judge_name": judge_name, "judge_address": address, "command": command_speller(library.command_words)}
        self._printer = Printer(shipped, own_templates, constants)
        self._copyist = Copyist(library, postage, language, zone, archive)
        self._teller = Teller(self._copyist, self._printer, address)
        self._answerer = Answerer(self._copyist, self._printer)

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages letters can be written in."""
        return self._copyist.languages

    @property
    def broken(self) -> Mapping[str, str]:
        """Templates of the operator that could not be filled, with the reason; the shipped ones were used instead."""
        return self._printer.broken

    def pen(self, variant: str, language: str, notation: str) -> Pen:
        """The pen for a board, a language and a notation."""
        return self._copyist.pen(variant, language, notation)

    def faults(self) -> Mapping[str, str]:
        """Every template filled with made-up views, in every language; what went wrong, by the template's name."""
        return self._printer.faults([Voice(self.library.tongue(lang).phrases, self.zone, samples.NOW) for lang in self.languages])

    def warm_up(self) -> None:
        """Have at hand what the first results and answers need, so that they need not wait for it."""
        with speaking(Voice(self.library.tongue("en").phrases, self.zone, samples.NOW)):
            self._printer.warm_up(("turn", "answer"))
        self.library.pack(STANDARD)

    # ---- what readers are told without asking

    def letters(
        self, game: Game, notice: Notice, people: Mapping[PersonId, Person], variant: Variant, now: datetime, picture: str = ""
    ) -> list[Letter]:
        """One letter for each person the notice is for.

        `game` is the game after what happened, `people` everybody who has a seat in it; `picture` the key of the picture that goes
        with it, "" for none.
        """
        desk = Desk(game, variant, people, now, picture)
        letters = []
        for reader in readers_of(game, notice.audience):
            person = people.get(reader.person) if reader.person is not None else None
            if person is None or not person.address:
                continue
            letters.append(self._letter_for(desk, reader, person, notice))
        return letters

    def _letter_for(self, desk: Desk, reader: Reader, person: Person, notice: Notice) -> Letter:
        stamp = self.postage.stamp(Occasion(desk.game, reader.seat, occasion_code(notice, desk.game, desk.now)))
        copy = self._copyist.copy(desk, reader, person, stamp)
        with speaking(copy.voice):
            kind, view = self._teller.view(copy, notice)
            written = self._printer.write(kind, view)
            with_picture = bool(desk.picture) and getattr(view, "picture", False)
            alt = copy.voice.phrases.say("picture.alt", phase=copy.head.phase) if with_picture else ""
            attachments = self._attachments(copy, notice)
        extras = _Extras(attachments, desk.picture if with_picture else None, alt)
        return self._post(written, copy.stamp, person, desk.now, desk.game, self._tag(desk.game), extras=extras)

    def _attachments(self, copy: Copy, notice: Notice) -> tuple[Attachment, ...]:
        """The deadline as a calendar entry, where it is new."""
        if not isinstance(notice, TurnClosed | GameBegan | DeadlineMoved | GameResumed) or copy.head.deadline is None:
            return ()
        game, say = copy.desk.game, copy.voice.phrases.say
        title = say("calendar.title", name=game.name, phase=copy.head.phase)
        host = self._address.rpartition("@")[2]
        text = deadline_event(f"deadline-{game.id}@{host}", title, copy.head.deadline, copy.desk.now, game.created_at)
        return (Attachment(f"{game.name}-{game.phase}.ics", "text/calendar; method=PUBLISH", text),)

    # ---- answers to mails

    def answer(
        self,
        person: Person,
        parts: Sequence[Part],
        people: Mapping[PersonId, Person],
        now: datetime,
        question: Question,
        picture: str = "",
    ) -> Letter:
        """The answer to a mail: a transcript of its lines, then the state of each game it was about.

        The letter comes from, and is answered to, the first part's game and seat; `picture` is the key of a picture of the orders in
        it, "" for none.
        """
        main = next((part for part in parts if part.game is not None and part.seat), parts[0])
        outcomes = [outcome for part in parts for item in part.items for outcome in item.outcomes]
        if outcomes and all(isinstance(outcome, NothingFound) for outcome in outcomes):
            return self.refusal(person, str(getattr(outcomes[0], "why", "")), now, question, main, people)
        voice = self._copyist.voice(person, next((part.game for part in (main, *parts) if part.game is not None), None), now)
        person = replace(person, language=voice.phrases.lang)  # one letter, one language, whatever the games speak
        stamp = self.postage.stamp(Occasion(main.game, main.seat, f"a{question.number}"))
        with speaking(voice):
            copies = [(part, self._answerer.copy_for(part, person, people, now, stamp)) for part in parts]
            view = self._answerer.view(person, copies, voice, main, with_picture=bool(picture))
            written = self._printer.write("answer", view)
            alt = voice.phrases.say("picture.orders") if picture else ""
        extras = _Extras(picture=picture or None, picture_alt=alt)
        return self._post(written, stamp, person, now, main.game, self._tag(main.game), question, extras)

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
        voice = self._copyist.voice(person, None, now)
        stamp = self.postage.stamp(Occasion(None, "", f"c{question.number}"))
        reader = views.ReaderHead("public", name=one_line(person.name), zone=voice.zone)
        with speaking(voice):
            written = self._printer.write("code", views.CodeView(None, reader, code, one_line(line), until, welcome))
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
        voice = self._copyist.voice(person, part.game, now)
        stamp = self.postage.stamp(Occasion(part.game, part.seat, f"n{question.number}"))
        with speaking(voice):
            copy = self._answerer.copy_for(part, person, people or {}, now, stamp)
            say = voice.phrases.say
            saw = say(f"saw.{why}" if voice.phrases.knows(f"saw.{why}") else "saw.unknown")
            state = self._copyist.state(copy) if copy and part.seat else None
            reader = copy.addressee if copy else views.ReaderHead("public", name=one_line(person.name), zone=voice.zone)
            example = example_line(state) or self.library.command_words.spell("help", voice.phrases.lang)
            written = self._printer.write("refusal", views.RefusalView(copy.head if copy else None, reader, saw, state, example))
        return self._post(written, stamp, person, now, part.game, self._tag(part.game), question)

    def operator(self, address: str, subject: str, lines: Sequence[str], now: datetime, code: str) -> Letter:
        """A letter to the keeper of the judge; `code` tells it from other letters."""
        keeper = Person(0, "", address, "en", self.zone)
        stamp = self.postage.stamp(Occasion(None, "", code))
        with speaking(self._copyist.voice(keeper, None, now)):
            written = self._printer.write("operator", views.OperatorView(one_line(subject, 200), tuple(lines)))
        return self._post(written, stamp, keeper, now, None, "")

    # ---- posting

    def _tag(self, game: Game | None) -> str:
        return str(game.phase) if game is not None and game.status in (Status.RUNNING, Status.PAUSED) else ""

    def _post(
        self,
        written: Written,
        stamp: Stamp,
        person: Person,
        now: datetime,
        game: Game | None,
        tag: str,
        question: Question | None = None,
        extras: "_Extras | None" = None,
    ) -> Letter:
        """A written letter in its envelope."""
        label = f"[{game.name} {tag}] ".replace(" ]", "]") if game is not None else ""
        asked = question.message_id if question else ""
        extras = extras or _Extras()
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
            attachments=extras.attachments,
            picture=extras.picture,
            picture_alt=extras.picture_alt,
        )


@dataclass(frozen=True, slots=True)
class _Extras:
    """What goes with a letter: attachments, the key of its picture."""

    attachments: tuple[Attachment, ...] = ()
    picture: str | None = None
    picture_alt: str = ""


def occasion_code(notice: Notice, game: Game, now: datetime) -> str:
    """A code that tells the letters of one notice from all others of the game; the same notice always gets the same."""
    match notice:
        case TurnClosed(turns):
            return f"t{turns[-1].number}"
        case PressArrived():
            return f"p{notice.number}"
        case ConfirmPlease():
            return f"c{int(notice.until.timestamp()):x}{crc32(notice.line.encode()):08x}"
        case _:
            return f"{type(notice).__name__[:6].lower()}{int(now.timestamp()):x}{crc32(repr(notice).encode()):08x}"
