"""What was done, as letters for the outbox: notices, answers, codes, notes to the operator."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from judge.game import (
    Cleared,
    Filed,
    GameBegan,
    GameEnded,
    NothingFound,
    Notice,
    Person,
    PressArrived,
    ReminderDue,
    TurnClosed,
    summarise,
)
from judge.game.notices import DryRun
from judge.mail import Letter, Message, make_letter_id, read_letter_id
from judge.report import Part as LetterPart
from judge.report import Question
from judge.service.context import Services
from judge.service.gallery import is_of_orders, orders_key, picture_key
from judge.service.heldback import told_now
from judge.service.identity import Sender
from judge.service.limits import hour_of
from judge.service.pictures import turn_picture
from judge.service.work import Held, Part, Work
from judge.store import InboxMail, LetterKind, OutboxLetter, Transaction

KINDS: Mapping[type, LetterKind] = {
    TurnClosed: LetterKind.RESULT,
    GameBegan: LetterKind.RESULT,
    GameEnded: LetterKind.RESULT,
    PressArrived: LetterKind.PRESS,
    ReminderDue: LetterKind.REMINDER,
}
"""What goes out before what; everything else is a `LetterKind.NOTICE`."""


def notice_letters(s: Services, held: Held, people: Mapping[int, Person], now: datetime, occasion: str = "") -> list[OutboxLetter]:
    """The letters of everything a game has to tell, to each reader one for each notice.

    The same notices of the same version of a game always get the same Message-IDs; `occasion` tells apart what changes no version.
    """
    letters: list[OutboxLetter] = []
    for index, notice in enumerate(map(partial(_with_summary, s, held), held.notices)):
        kind = KINDS.get(type(notice), LetterKind.NOTICE)
        picture = _picture(s, held, notice)
        written: list[OutboxLetter] = []
        for letter in s.scribe.letters(held.game, notice, told_now(notice, people), held.pack.variant, now, picture):
            if not isinstance(notice, TurnClosed | PressArrived):  # those have numbers of their own
                letter = _with_code(s, letter, f"{type(notice).__name__[:4].lower()}{held.version}{occasion}-{index}")
            letter_id = read_letter_id(s.own.host, letter.message_id)
            seat = letter_id.seat if letter_id else ""
            written.append(OutboxLetter(_for_observers(held, letter, seat), kind, held.game.id, seat))
        first = notice.own if isinstance(notice, TurnClosed) else ()
        letters.extend(sorted(written, key=lambda each: each.seat not in first))  # who is hit hears of it before all others
    return letters


def _with_code(s: Services, letter: Letter, code: str) -> Letter:
    """The letter with a Message-ID and a return path that no other notice has: two of a kind may come in one second."""
    letter_id = read_letter_id(s.own.host, letter.message_id)
    if letter_id is None:
        return letter
    postage = s.scribe.postage
    path = postage.return_path(letter_id.game, letter_id.seat, code)
    own = replace(letter_id, code=postage.mark(letter_id.game, letter_id.seat, code))
    return replace(letter, message_id=make_letter_id(s.own.host, own), envelope_from=path)


def _for_observers(held: Held, letter: Letter, seat: str) -> Letter:
    """Who only watches can leave by the button many mail programs show (RFC 2369)."""
    watching = {each.key.replace("-", "_") for each in held.game.observers}  # as Message-IDs spell them
    if seat not in watching or not letter.reply_to:
        return letter
    return replace(letter, list_unsubscribe=f"{letter.reply_to}?subject=RESIGN&body=RESIGN")


def _with_summary(s: Services, held: Held, notice: Notice) -> Notice:
    """The end of a game with the whole game by years."""
    if not isinstance(notice, GameEnded):
        return notice
    with s.store.reading() as tx:
        before = tx.turns.of(held.game.id)
    gone = set(held.withdrawn)
    turns = (*(turn for turn in before if turn.number not in gone), *held.turns)
    return replace(notice, summary=summarise(held.game, turns, held.pack.variant))


def _picture(s: Services, held: Held, notice: Notice) -> str:
    """The key of the picture that goes with a notice, "" for none."""
    if not s.config.judge.pictures:
        return ""
    if isinstance(notice, TurnClosed):
        last = notice.turns[-1]
        key = picture_key(held.game.id, last.number)
        s.pictures.begin(key, turn_picture(held.game.variant, last))
        return key
    return picture_key(held.game.id, 0) if isinstance(notice, GameBegan) else ""


def question_of(message: Message, number: int) -> Question:
    """The mail an answer is for."""
    return Question(message.message_id, message.references, number)


def answer_letters(s: Services, waiting: InboxMail, message: Message, sender: Sender, work: Work, now: datetime) -> list[OutboxLetter]:
    """The answer to a mail, to whoever wrote it; to the registered address too where a seat was used from another one.

    Nobody but the sender gets an answer: recipients of copies are left alone, and Reply-To of the mail is not believed.
    """
    parts = [part for part in work.parts if part.items]
    question = question_of(message, waiting.number)
    letters: list[OutboxLetter] = []
    for to in recipients_of(sender, parts, work):
        main = next((part for part in parts if part.held and part.seat), parts[0])
        game = main.held.game.id if main.held else None
        fault = _only_fault(parts)
        if fault is not None:
            part = _letter_part(main) if main.held is not None and main.seat else None
            letter = s.scribe.refusal(to, fault.why, now, question, part, work.people)
        else:
            picture = _orders_picture(s, main, to, now)
            letter = s.scribe.answer(to, [_letter_part(part) for part in parts], work.people, now, question, picture)
        if letters:
            letter = replace(letter, message_id=_second_id(s, letter.message_id))
        letters.append(OutboxLetter(letter, LetterKind.ANSWER, game, main.seat))
    return letters


def _orders_picture(s: Services, part: Part, to: Person, now: datetime) -> str:
    """The key of a picture of the orders that were sent, or asked about, for somebody who has wished for it; "" for none."""
    if not (s.config.judge.pictures and to.pictures) or part.held is None or not part.seat:
        return ""
    with s.store.reading() as tx:
        if tx.limits.count(pictures_of(to.address), hour_of(now)) >= s.config.limits.pictures_per_hour:
            return ""
    game = part.held.game
    outcomes = [outcome for item in part.items for outcome in item.outcomes]
    asked = next((outcome.turn for outcome in outcomes if isinstance(outcome, DryRun)), None)
    if asked is not None:
        return orders_key(game.id, asked.phase, asked.given)
    filed = game.orders.get(part.seat, ())
    if not filed or not any(isinstance(outcome, Filed | Cleared) for outcome in outcomes):
        return ""
    return orders_key(game.id, game.phase, {part.seat: tuple(each.order for each in filed)})


def count_pictures(tx: Transaction, letters: Sequence[OutboxLetter], now: datetime) -> None:
    """Count the pictures of orders that go out, for the cap by person and hour."""
    for each in letters:
        if is_of_orders(each.letter.picture):
            tx.limits.add(pictures_of(each.letter.to), hour_of(now))


def pictures_of(address: str) -> str:
    """Under which name pictures of orders are counted."""
    return f"pictures/hour:{address.lower()}"


def _second_id(s: Services, message_id: str) -> str:
    """The Message-ID of the same answer to the other address."""
    letter_id = read_letter_id(s.own.host, message_id)
    assert letter_id is not None, message_id
    return make_letter_id(s.own.host, replace(letter_id, code=f"{letter_id.code}b"))


def _only_fault(parts: Sequence[Part]) -> NothingFound | None:
    """The fault of a mail in which nothing was found at all."""
    outcomes = [outcome for part in parts for item in part.items for outcome in item.outcomes]
    first = outcomes[0] if len(outcomes) == 1 else None
    return first if isinstance(first, NothingFound) else None


def recipients_of(sender: Sender, parts: Sequence[Part], work: Work) -> list[Person]:
    """Who gets the answer: the person in the seat at its registered address, and the address written from, each once."""
    seated = [seat.person for part in parts if part.held and part.seat and (seat := part.held.game.seat(part.seat))]
    person = next((work.people[number] for number in seated if number in work.people), None) or sender.person
    if not sender.address:
        return [person] if person is not None and seated else []
    language, zone = (person.language or person.spoken, person.zone) if person and seated else ("", "")
    stranger = Person(0, sender.name, sender.address, language, zone, spoken=work.spoken)
    if person is None or person.address.lower() == sender.address.lower():
        return [person or stranger]
    return [stranger, person] if seated else [stranger]


def _letter_part(part: Part) -> LetterPart:
    """A part of the answer as the scribe wants it."""
    if part.held is None:
        return LetterPart(None, "", None, tuple(part.items))
    return LetterPart(part.held.game, part.seat, part.held.pack.variant, tuple(part.items))


def code_letters(s: Services, work: Work, message: Message, number: int, now: datetime) -> list[OutboxLetter]:
    """The codes that newcomers must send back."""
    letters: list[OutboxLetter] = []
    for index, code in enumerate(work.codes):
        known = work.people.get(code.person)
        language, zone = (known.language or known.spoken, known.zone) if known else ("", "")
        person = Person(0, code.name, code.address, language, zone, spoken=work.spoken)
        question = Question(message.message_id, message.references, number * 100 + index)
        letter = s.scribe.code(person, code.code, code.line, code.until, now, question)
        letters.append(OutboxLetter(letter, LetterKind.ANSWER))
    return letters


def operator_note(s: Services, subject: str, lines: Sequence[str], code: str, now: datetime) -> list[OutboxLetter]:
    """A letter to the operator, if the configuration names one."""
    if not s.config.judge.operator:
        return []
    return [OutboxLetter(s.scribe.operator(s.config.judge.operator, subject, lines, now, code), LetterKind.ALARM)]
