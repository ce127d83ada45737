"""One kept mail handled: read, identified, carried out, answered; everything it does is written in one transaction."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import structlog

from judge.errors import PlayerError, TryLater
from judge.game import Answer, CodeSent, Confirmed, Created, Item, NothingFound, Seated
from judge.mail import Message, read_message
from judge.mail.bounces import read_bounce
from judge.mail.loops import why_silent
from judge.service.bounced import record_bounce
from judge.service.context import Services
from judge.service.deadlines import close_game
from judge.service.desk import Desk, GameIsDue, work_out
from judge.service.identity import Sender
from judge.service.letters import answer_letters, code_letters, notice_letters, operator_note
from judge.service.limits import may_answer
from judge.service.work import Work
from judge.service.writing_down import write_down
from judge.store import Conflict, Duplicate, InboxMail, InboxState, OutboxLetter

log = structlog.get_logger()

CONFLICTS = 10
"""How often a mail is worked out anew because its game changed meanwhile, before it is left for later."""

TOLD_ELSEWHERE = (CodeSent, Confirmed, Created, Seated)
"""Outcomes of which a letter of their own tells; a mail of nothing else gets no transcript beside it."""

LATER = timedelta(seconds=15)
"""How long a mail waits that came after a deadline which cannot be closed yet."""


def handle_next(s: Services) -> bool:
    """Handle the mail that has waited longest in a free lane; False when none waits.

    A mail that makes the program raise is left claimed and counted; claimed a fourth time it is set aside and the operator told.
    """
    with s.store.transaction() as tx:
        waiting = tx.inbox.claim(s.clock.now())
        if waiting is not None and waiting.set_aside:
            lines = (f"Mail {waiting.number} was tried three times and set aside: spool/bad/{waiting.number}.eml", waiting.note)
            tx.outbox.add(operator_note(s, "A mail was set aside", lines, f"bad{waiting.number}", s.clock.now()), s.clock.now())
    if waiting is None:
        return False
    if waiting.set_aside:
        keep_bad(s, waiting)
        return True
    with structlog.contextvars.bound_contextvars(mail=waiting.number):
        try:
            handle(s, waiting)
        except TryLater as fault:
            log.warning("mail waits", fault=str(fault))
            with s.store.transaction() as tx:
                now = s.clock.now()
                tx.inbox.release(waiting.number, now, until=now + LATER, counted=False)
        except Exception:
            log.exception("mail failed", tries=waiting.tries)
            with s.store.transaction() as tx:
                tx.inbox.release(waiting.number, s.clock.now())
    return True


def keep_bad(s: Services, mail: InboxMail) -> None:
    """A copy of a mail that failed three times, for a person to look at."""
    folder = s.config.spool / "bad"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{mail.number}.eml").write_bytes(mail.raw)
    (folder / f"{mail.number}.txt").write_text(f"mail {mail.number}, arrived {mail.arrived_at.isoformat()}\n{mail.note}\n", "utf-8")


def handle(s: Services, waiting: InboxMail) -> None:
    """Read one mail and do what it says."""
    message = read_message(waiting.raw, s.reading, waiting.arrived_at, envelope_from=waiting.envelope_from, envelope_to=waiting.envelope_to)
    silent = why_silent(message, s.reading)
    bounce = read_bounce(waiting.raw, message, s.reading)
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
            set_duplicate(s, waiting)
            return
    raise TryLater("the game keeps changing")


def finish(s: Services, waiting: InboxMail, digest: str, state: InboxState, note: str) -> None:
    """End a mail that does nothing."""
    now = s.clock.now()
    try:
        with s.store.transaction() as tx:
            tx.inbox.finish(waiting.number, digest, now, note, state)
    except Duplicate:
        set_duplicate(s, waiting)


def set_duplicate(s: Services, waiting: InboxMail) -> None:
    """End a mail that was handled before."""
    with s.store.transaction() as tx:
        tx.inbox.mark(waiting.number, InboxState.DUPLICATE, s.clock.now())


def carry_out(s: Services, waiting: InboxMail, message: Message) -> None:
    """Work a mail out on a snapshot and write what it does.  Raises `Conflict`, `Duplicate`, `GameIsDue`."""
    with s.store.reading() as tx:
        desk = work_out(s, tx, message, waiting.number, waiting.arrived_at)
    work, sender = desk.work, desk.sender
    add_nothing_found(work, message)
    learn_language(work, desk)
    now = s.clock.now()
    told = [letter for held in work.held.values() for letter in notice_letters(s, held, work.people, now)]
    codes = code_letters(s, work, message, waiting.number, now)
    answered = answers(s, waiting, message, sender, work, now)
    known = any(part.seat for part in work.parts) or sender.proven is not None
    with s.store.transaction() as tx:
        tx.inbox.finish(waiting.number, message.digest, now, " ".join(work.notes))
        write_down(tx, work, now)
        tx.outbox.add(told, now)
        if (answered or codes) and may_answer(s, tx, sender, now, known=known):
            tx.outbox.add([*codes, *answered], now)


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
    why = message.problems[0] if message.problems else ("only_quotes" if message.quoted_removed else "no_text")
    part = work.parts[0] if work.parts else work.part(None, "")
    part.items.append(Item("", (NothingFound(why),)))


def learn_language(work: Work, desk: Desk) -> None:
    """Remember the language most lines of a mail were written in, for a person who has chosen none."""
    usual = desk.spoken
    if not usual:
        return
    for number, person in list(work.people.items()):
        if not person.language and number in desk.speakers:
            work.change(replace(person, language=usual))
