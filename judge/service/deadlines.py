"""Due games closed and reminders sent: one game, one transaction, and nothing before all mail that came in time has been read."""

from collections.abc import Callable
from datetime import datetime

import structlog

from judge.errors import TryLater
from judge.game import Person, Transition, due_at, is_due, next_reminder, remind, tick
from judge.service.context import Services
from judge.service.letters import notice_letters
from judge.service.work import Held, Work
from judge.service.writing_down import write_down
from judge.store import Conflict, Transaction, game_lane

log = structlog.get_logger()

AT_ONCE = 50
"""Games closed before the loop looks at new mail again."""


def close_due(s: Services) -> int:
    """Close what is due, and tell lateness where grace is given; returns how many games were closed."""
    now = s.clock.now()
    with s.store.reading() as tx:
        due = tx.games.due(now, AT_ONCE)
    return sum(_guarded(s, number) for number in due)


def _guarded(s: Services, number: int) -> bool:
    """One game; a fault in one must not keep the others waiting."""
    try:
        return close_game(s, number)
    except TryLater as fault:
        log.warning("game waits", game=number, fault=str(fault))
    except Exception:
        log.exception("game failed to close", game=number)
    return False


def close_game(s: Services, number: int) -> bool:
    """Close one game if it is due and nothing holds it; False if something does, or if it is not due.

    Held by mail that arrived before the moment it became due and is not handled, and by mailboxes not read so far (design: "what
    holds a deadline").
    """
    with structlog.contextvars.bound_contextvars(game=number):
        now = s.clock.now()
        with s.store.reading() as tx:
            kept = tx.games.get(number)
            if kept is None or not is_due(kept.game, now):
                return False
            moment = due_at(kept.game)
            assert moment is not None
            if _is_held(s, tx, kept.game.id, moment, now, by_deadline=kept.game.all_in_since is None):
                return False
            pack = s.packs.of(kept.game, tx)
            held = Held(kept.game, kept.version, pack, kept.game)
            people = tx.people.many(kept.game.everybody)
        held.take(tick(held.game, pack.variant, now, s.draw))
        return _write(s, held, people, now)


def _is_held(s: Services, tx: Transaction, game: int, moment: datetime, now: datetime, *, by_deadline: bool) -> bool:
    """Whether mail that may have come in time is still to be read or handled."""
    if tx.inbox.holds(game_lane(game), moment, now):
        return True
    if not by_deadline:
        return False
    read = read_until(s, tx)
    return read is None or read < moment


def read_until(s: Services, tx: Transaction) -> datetime | None:
    """Up to when all mailboxes have been read; None while one of them never was."""
    times = [tx.marks.get(f"read:{name}") for name in s.mailboxes]
    if not all(times):
        return None
    return min(datetime.fromisoformat(time) for time in times if time)


def write_transition(s: Services, number: int, work: Callable[[Held, datetime], Transition]) -> bool:
    """Do something to a game outside any mail (the operator's commands); False if it changed meanwhile."""
    now = s.clock.now()
    with s.store.reading() as tx:
        kept = tx.games.get(number)
        if kept is None:
            return False
        held = Held(kept.game, kept.version, s.packs.of(kept.game, tx), kept.game)
        people = tx.people.many(kept.game.everybody)
    held.take(work(held, now))
    return _write(s, held, people, now)


def remind_due(s: Services) -> int:
    """Send the reminders whose time has come; returns how many games were looked at."""
    now = s.clock.now()
    with s.store.reading() as tx:
        due = tx.games.waking(now, AT_ONCE)
    return sum(_remind(s, number, now) for number in due)


def _remind(s: Services, number: int, now: datetime) -> bool:
    """One game's reminder."""
    with s.store.reading() as tx:
        kept = tx.games.get(number)
        if kept is None or (at := next_reminder(kept.game)) is None or at > now:
            return False
        pack = s.packs.of(kept.game, tx)
        held = Held(kept.game, kept.version, pack, kept.game)
        people = tx.people.many(kept.game.everybody)
    held.take(remind(held.game, pack.variant, now))
    return _write(s, held, people, now)


def _write(s: Services, held: Held, people: dict[int, Person], now: datetime) -> bool:
    """Write what became of one game, with its letters."""
    work = Work(held={held.game.name: held}, people=people)
    letters = notice_letters(s, held, people, now)
    try:
        with s.store.transaction() as tx:
            write_down(tx, work, now)
            tx.outbox.add(letters, now)
    except Conflict:
        return False
    s.letters.set()
    return True
