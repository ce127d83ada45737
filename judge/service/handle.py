"""One kept mail handled: read, identified, carried out, answered; everything it does is written in one transaction."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import structlog

from judge.errors import PlayerError, TryLater
from judge.game import Answer, CodeSent, Confirmed, Created, Item, NothingFound, Person, Seated, Told
from judge.mail import Letter, Message, make_letter_id, read_bounce, read_letter_id, read_message, why_silent
from judge.report import Question
from judge.service.bounced import good_sign, record_bounce
from judge.service.context import Services, Unhandled
from judge.service.counter import GameIsDue
from judge.service.deadlines import close_game
from judge.service.desk import Desk, work_out
from judge.service.failpoints import failpoint
from judge.service.identity import Sender
from judge.service.letters import answer_letters, code_letters, count_pictures, notice_letters, operator_note, question_of
from judge.service.limits import day_of, is_first_today, mails_this_hour, why_no_answer
from judge.service.work import Work
from judge.service.writing_down import write_down
from judge.store import Conflict, Duplicate, InboxMail, InboxState, LetterKind, OutboxLetter, Transaction, is_stranger_lane

log = structlog.get_logger()

CONFLICTS = 10
"""How often a mail is worked out anew because its game changed meanwhile, before it is left for later."""

TOLD_ELSEWHERE = (CodeSent, Confirmed, Created, Seated)
"""Outcomes of which a letter of their own tells; a mail of nothing else gets no transcript beside it."""

MOST_BAD = 20
"""Mails that are set aside in a day and of which the keeper hears one by one."""

LATER = timedelta(seconds=15)
"""How long a mail waits that came after a deadline which cannot be closed yet."""


def handle_next(s: Services) -> bool:
    """Handle the mail that has waited longest in a free lane; False when none waits.

    A mail that makes the program raise is given back and counted; after three such tries, or more under which the process died, it is
    set aside and the operator told.
    """
    if s.trouble.is_resting():
        return False
    failpoint("worker_before_claim")
    with s.store.transaction() as tx:
        now = s.clock.now()
        _give_back(s, tx, now)
        waiting = tx.inbox.claim(now)
        if waiting is not None and waiting.set_aside:
            _tell_of_bad(s, tx, waiting, now)
        failpoint("worker_claim_before_commit")
    if waiting is None:
        return False
    failpoint("worker_after_claim")
    if waiting.set_aside:
        keep_bad(s, waiting)
        return True
    with structlog.contextvars.bound_contextvars(mail=waiting.number):
        try:
            handle(s, waiting)
            s.trouble.failed.clear()
        except TryLater as fault:
            log.warning("mail waits", fault=str(fault))
            _release(s, Unhandled(waiting.number, counted=False))
        except Exception:
            log.exception("mail failed", tries=waiting.tries)
            if not is_stranger_lane(waiting.lane) and s.trouble.note(waiting.number):
                log.error("mails of players keep failing, handling rests")
            _release(s, Unhandled(waiting.number, counted=True))
    return True


def _tell_of_bad(s: Services, tx: Transaction, waiting: InboxMail, now: datetime) -> None:
    """The keeper hears of a mail that was set aside; of the first ones of a day, and that there are more."""
    count = tx.limits.add("told:bad", day_of(now))
    if count > MOST_BAD:
        return
    more = ("there may be more today, see judge status",) if count == MOST_BAD else ()
    lines = (f"Mail {waiting.number} was tried again and again: spool/bad/{waiting.number}.eml", waiting.note, *more)
    tx.outbox.add(operator_note(s, "A mail was set aside", lines, f"bad{waiting.number}", now), now)


def _release(s: Services, unhandled: Unhandled) -> None:
    """Let a mail be claimed again; where the database takes nothing now, remember to do that."""
    s.unhandled.append(unhandled)
    try:
        with s.store.transaction() as tx:
            _give_back(s, tx, s.clock.now())
    except TryLater as fault:
        log.warning("claim not given back yet", fault=str(fault))


def _give_back(s: Services, tx: Transaction, now: datetime) -> None:
    """Give back all claims of mails that were not handled."""
    while s.unhandled:
        one = s.unhandled[-1]
        tx.inbox.release(one.number, now, until=None if one.counted else now + LATER, counted=one.counted)
        s.unhandled.pop()


def keep_bad(s: Services, mail: InboxMail) -> None:
    """A copy of a mail that failed too often, for a person to look at; it stays in the database too."""
    folder = s.config.spool / "bad"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{mail.number}.eml").write_bytes(mail.raw)
        (folder / f"{mail.number}.txt").write_text(f"mail {mail.number}, arrived {mail.arrived_at.isoformat()}\n{mail.note}\n", "utf-8")
    except OSError:
        log.exception("no copy of a bad mail", mail=mail.number)


def handle(s: Services, waiting: InboxMail) -> None:
    """Read one mail and do what it says."""
    message = read_message(waiting.raw, s.reading, waiting.arrived_at, envelope_from=waiting.envelope_from, envelope_to=waiting.envelope_to)
    silent = why_silent(message, s.reading) or ("too_old" if is_too_old(s, waiting) else None)
    bounce = read_bounce(waiting.raw, message, s.reading)
    failpoint("worker_after_reading")
    if bounce is not None:
        record_bounce(s, waiting, message, bounce)
        return
    if silent is not None:
        finish(s, waiting, message.digest, InboxState.SILENT, silent)
        return
    for _ in range(CONFLICTS):
        try:
            carry_out(s, waiting, message)
            return
        except Conflict:
            continue
        except GameIsDue as due:
            if not close_game(s, due.game):
                raise TryLater(f"game {due.game} is to be closed first") from due
        except Duplicate:
            set_duplicate(s, waiting, message)
            return
    raise TryLater("the game keeps changing")


def is_too_old(s: Services, waiting: InboxMail) -> bool:
    """Whether the mail may have been handled so long ago that nothing is known of it any more, as when a mailbox is read anew."""
    return s.clock.now() - waiting.arrived_at > timedelta(days=s.config.keep.trace_days)


def finish(s: Services, waiting: InboxMail, digest: str, state: InboxState, note: str) -> None:
    """End a mail that does nothing."""
    now = s.clock.now()
    try:
        with s.store.transaction() as tx:
            tx.inbox.finish(waiting.number, digest, now, note, state)
    except Duplicate:
        state, note = InboxState.DUPLICATE, "known"
        with s.store.transaction() as tx:
            tx.inbox.mark(waiting.number, state, now)
    log.info("mail passed over", state=state.value, why=note)


def set_duplicate(s: Services, waiting: InboxMail, message: Message) -> None:
    """End a mail that was handled before; its sender hears that once, if it was sent again within a set time."""
    now = s.clock.now()
    letters = already_have(s, waiting, message, now)
    with s.store.transaction() as tx:
        tx.inbox.mark(waiting.number, InboxState.DUPLICATE, now)
        tx.outbox.add(letters, now)
        failpoint("duplicate_before_commit")
    log.info("mail passed over", state=InboxState.DUPLICATE.value, why="known")


def already_have(s: Services, waiting: InboxMail, message: Message, now: datetime) -> list[OutboxLetter]:
    """The answer to a mail that came once more: what is in force; the same letter for every further copy, so it leaves once."""
    with s.store.reading() as tx:
        first = tx.inbox.by_digest(message.digest)
        if first is None or abs(waiting.arrived_at - first.arrived_at) > timedelta(hours=s.config.limits.resend_hours):
            return []
        desk = work_out(s, tx, message, waiting.number, waiting.arrived_at, only_reading=True)
    seated = [part for part in desk.work.parts if part.held and part.seat]
    if not seated:
        return []
    said = Told("already_have", {"at": first.arrived_at})
    for part in seated:
        assert part.held is not None
        part.held.game = part.held.before
        part.items[:] = [Item(message.subject[:200], (said,))]
    desk.work.parts[:] = seated
    answered = answer_letters(s, waiting, message, desk.sender, desk.work, now)
    return [replace(each, letter=_with_code(s, each.letter, f"a{first.number}again{n}")) for n, each in enumerate(answered)]


def _with_code(s: Services, letter: Letter, code: str) -> Letter:
    """The letter under another code of ours."""
    letter_id = read_letter_id(s.own.host, letter.message_id)
    assert letter_id is not None, letter.message_id
    mark = s.scribe.postage.mark(letter_id.game, letter_id.seat, code)
    return replace(letter, message_id=make_letter_id(s.own.host, replace(letter_id, code=mark)))


def carry_out(s: Services, waiting: InboxMail, message: Message) -> None:
    """Work a mail out on a snapshot and write what it does.  Raises `Conflict`, `Duplicate`, `GameIsDue`."""
    with s.store.reading() as tx:
        desk = work_out(s, tx, message, waiting.number, waiting.arrived_at)
    work, sender = desk.work, desk.sender
    add_nothing_found(work, message)
    learn_language(work, desk)
    now = s.clock.now()
    told = [letter for held in work.held.values() for letter in notice_letters(s, held, work.people, now, f"m{waiting.number}")]
    codes = code_letters(s, work, message, waiting.number, now)
    answered = answers(s, waiting, message, sender, work, now)
    known = any(part.seat for part in work.parts) or sender.proven is not None
    failpoint("worker_after_working_out")
    with s.store.transaction() as tx:
        tx.inbox.finish(waiting.number, message.digest, now, " ".join(work.notes))
        failpoint("worker_after_finish")
        count = mails_this_hour(tx, sender, desk.proof, now)
        if count > (most := s.config.limits.mails_per_hour):
            answered, codes = ([_too_many(s, message, sender, waiting, now)] if count == most + 1 and sender.address else []), []
        else:
            write_down(tx, work, now)
            tx.outbox.add(told, now)
            if known and sender.ailing:
                good_sign(tx, sender.address)
        _answer(s, tx, sender, [*codes, *answered], now, known=known)
        _warn_of_forgery(s, tx, message, desk, waiting, now)
        failpoint("worker_before_commit")
    failpoint("worker_after_commit")
    log.info("mail handled", games=sorted(work.held), changed=sorted(name for name, held in work.held.items() if held.changed))


def _answer(s: Services, tx: Transaction, sender: Sender, letters: Sequence[OutboxLetter], now: datetime, *, known: bool) -> None:
    """Send an answer if the caps allow it; strangers get theirs without a return path, so that nothing can come back of it."""
    if not letters:
        return
    cap = why_no_answer(s, tx, sender, now, known=known)
    if not cap:
        count_pictures(tx, letters, now)
        tx.outbox.add(letters if known else [replace(each, letter=replace(each.letter, envelope_from="")) for each in letters], now)
    elif cap != "strangers_per_day" and is_first_today(tx, f"cap {cap}", now):
        lines = (f"The limit {cap} was reached; further mails are carried out, but not answered for now.", f"Last sender: {sender.address}")
        tx.outbox.add(operator_note(s, "A limit of answers was reached", lines, f"cap{now:%y%m%d}{cap.replace('_', '')[:14]}", now), now)


def _too_many(s: Services, message: Message, sender: Sender, waiting: InboxMail, now: datetime) -> OutboxLetter:
    """The one answer to mails beyond what is read in an hour."""
    person = sender.person or Person(0, sender.name, sender.address)
    letter = s.scribe.refusal(replace(person, address=sender.address), "too_many_mails", now, question_of(message, waiting.number))
    return OutboxLetter(letter, LetterKind.ANSWER)


def _warn_of_forgery(s: Services, tx: Transaction, message: Message, desk: Desk, waiting: InboxMail, now: datetime) -> None:
    """Tell a person, once a day at most, that somebody else seems to write in that name; no word of the mail goes along."""
    sender = desk.sender
    if not sender.failed or sender.person is None or any(part.seat for part in desk.work.parts):
        return
    if is_first_today(tx, f"forged {sender.person.id}", now):
        letter = s.scribe.refusal(sender.person, "forged", now, Question(number=waiting.number))
        tx.outbox.add([OutboxLetter(letter, LetterKind.NOTICE)], now)


def answers(s: Services, waiting: InboxMail, message: Message, sender: Sender, work: Work, now: datetime) -> list[OutboxLetter]:
    """The answer to a mail; none to somebody our border has found to be a forger, or where a code letter says all."""
    parts = [part for part in work.parts if part.items]
    if not parts or (sender.failed and not any(part.seat for part in parts)):
        return []
    outcomes = [outcome for part in parts for item in part.items for outcome in item.outcomes]
    if outcomes and all(isinstance(outcome, TOLD_ELSEWHERE) for outcome in outcomes) and not is_elsewhere(outcomes, sender):
        return []
    return answer_letters(s, waiting, message, sender, work, now)


def is_elsewhere(outcomes: Sequence[Answer | PlayerError], sender: Sender) -> bool:
    """Whether a code went to another address than the one written from."""
    return any(isinstance(outcome, CodeSent) and outcome.address.lower() != sender.address.lower() for outcome in outcomes)


def add_nothing_found(work: Work, message: Message) -> None:
    """A mail in which nothing was found is answered too."""
    if any(part.items for part in work.parts):
        return
    seen = "only_quotes" if message.quoted_removed else "nothing" if message.text.strip() else "no_text"
    why = message.problems[0] if message.problems else seen
    part = work.parts[0] if work.parts else work.part(None, "")
    part.items.append(Item("", (NothingFound(why),)))


def learn_language(work: Work, desk: Desk) -> None:
    """Remember the language most lines of a mail were written in: for its answer, and for whoever writes to the judge so."""
    usual = work.spoken = desk.spoken
    if not usual:
        return
    for number, person in list(work.people.items()):
        if number in desk.speakers and usual != person.spoken and (desk.is_habit or not person.spoken):
            work.change(replace(person, spoken=usual))
