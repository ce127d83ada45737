"""Due games closed and reminders sent: one game, one transaction, and nothing before all mail that came in time has been read."""

import zlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import structlog

from judge.errors import TryLater
from judge.game import MASTERS, News, Person, Standby, Transition, due_at, is_due, next_reminder, remind, seats_to_offer, tick
from judge.service.closers import AHEAD, MANY
from judge.service.context import Services
from judge.service.failpoints import failpoint
from judge.service.letters import notice_letters, operator_note
from judge.service.limits import is_first_today, was_told
from judge.service.outages import move_for_outage
from judge.service.standby import LOOK, games_with_seats, note_looked, offer_open_seats, read_queue, settle_ended
from judge.service.work import Held, Work
from judge.service.writing_down import write_down
from judge.store import Conflict, Transaction, game_lane
from judge.store.mails import packed

log = structlog.get_logger()

AT_ONCE = 50
"""Games closed before the loop looks at new mail again."""
LOOKED_AT = 20_000
"""Due games looked at in one round: those that wait for mail must not hide the others."""
TOLD_AFTER = timedelta(minutes=10)
"""How long a due game waits for its mailbox before its masters and the keeper hear of it."""


def close_due(s: Services, go_on: Callable[[], bool] = lambda: True) -> int:
    """Close what is due, and tell lateness where grace is given; returns how many games were closed.

    `go_on` is asked after each game.  Several workers begin at different places, so that each game is mostly done by one.
    """
    now = s.clock.now()
    with s.store.reading() as tx:
        due = tx.games.due(now, LOOKED_AT)
    start = zlib.crc32(s.store.worker.encode()) % len(due) if due and s.pacer.share > 1 else 0
    due = (*due[start:], *due[:start])
    return _close_beside(s, due, go_on) if len(due) > AT_ONCE and s.closers.ready else close_games(s, due, go_on, AT_ONCE)


def close_games(s: Services, numbers: Sequence[int], go_on: Callable[[], bool] = lambda: True, most: int = LOOKED_AT) -> int:
    """Close what is due of these games, `most` of them at most; returns how many were closed."""
    closed = 0
    for number in numbers:
        closed += _guarded(s, number)
        if closed >= most or not go_on():
            break
    return closed


def _close_beside(s: Services, numbers: Sequence[int], go_on: Callable[[], bool]) -> int:
    """The same in several processes; letters leave from this one meanwhile."""
    closed = 0
    for done in s.closers.close(numbers, AT_ONCE * s.closers.count, go_on):
        closed += done.games
        for key, facts in done.pictures:
            s.pictures.begin(key, facts)
        if done.games:
            s.letters.set()
    return closed


def expect_due(s: Services) -> None:
    """Have processes started where many games fall due soon."""
    with s.store.reading() as tx:
        soon = len(tx.games.due(s.clock.now() + AHEAD, MANY))
    s.closers.expect(soon)


def call_standby(s: Services) -> int:
    """Offer open seats to those who stand by for any game; returns how many were asked.  Looks only when something has changed."""
    now = s.clock.now()
    with s.store.reading() as tx:
        seen = tx.marks.get(LOOK)
    if seen is None:
        return 0
    with s.store.transaction() as tx:
        settle_ended(tx, now)
    with s.store.reading() as tx:
        queue = read_queue(tx)
        games = tuple(games_with_seats(tx)) if queue else ()
    asked = [_call_standby(s, number, queue, now) for number in games]
    if None not in asked:
        with s.store.transaction() as tx:
            note_looked(tx, seen)
    return sum(each or 0 for each in asked)


def _call_standby(s: Services, number: int, queue: Sequence[Standby], now: datetime) -> int | None:
    """One game's seats offered: how many people were asked; None for a game that must be looked at again."""
    with s.store.reading() as tx:
        kept = tx.games.get(number)
        if kept is None or not seats_to_offer(kept.game):
            return 0
        if is_due(kept.game, now):
            return None
        held = Held(kept.game, kept.version, s.packs.of(kept.game, tx), kept.game)
        people = tx.people.many(kept.game.everybody)
        asked = offer_open_seats(held, tx, people, queue, now)
    if not asked:
        return 0
    return len(asked) if _write(s, held, people, now) else None


def _guarded(s: Services, number: int) -> bool:
    """One game; a fault in one must not keep the others waiting."""
    try:
        return close_game(s, number)
    except TryLater as fault:
        log.warning("game waits", game=number, fault=str(fault))
    except Exception as bug:
        log.exception("game failed to close", game=number)
        _wake_keeper(s, number, bug)
    return False


def _wake_keeper(s: Services, number: int, bug: Exception) -> None:
    """A game that cannot be closed stands still until somebody looks: the keeper hears of it once a day."""
    now = s.clock.now()
    lines = (f"Game number {number} is due and cannot be closed: {type(bug).__name__}.", "The log says where. The game waits.")
    with s.store.transaction() as tx:
        if is_first_today(tx, f"stuck {number}", now):
            tx.outbox.add(operator_note(s, "A game cannot be closed", lines, f"stuck{number}d{now:%y%m%d}", now), now)


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
            by_deadline = kept.game.all_in_since is None
            read = read_until(s, tx)
            is_unread = by_deadline and (read is None or read < moment)  # mail that came in time may not be kept yet
            is_held = is_unread or tx.inbox.holds(game_lane(number), moment, now)
            pack = s.packs.of(kept.game, tx)
            held = Held(kept.game, kept.version, pack, kept.game)
            people = tx.people.many(kept.game.everybody)
            told = is_held and was_told(tx, f"waits {number}", moment)
            moved = move_for_outage(s, tx, kept.game, now) if by_deadline and not is_held else None
        if is_held:
            if is_unread and now - moment >= TOLD_AFTER and not told:
                _tell_of_waiting(s, held, people, read, moment)
            return False
        failpoint("closing_after_snapshot")
        held.take(moved or tick(held.game, pack.variant, now, s.draw))
        failpoint("closing_after_adjudication")
        return _write(s, held, people, now)


def _tell_of_waiting(s: Services, held: Held, people: dict[int, Person], read: datetime | None, moment: datetime) -> None:
    """The masters and the keeper hear, once a day, that a game waits because its mailbox cannot be read."""
    now = s.clock.now()
    since = read or held.game.created_at
    told = replace(held, notices=[News("mailbox_away", MASTERS, {"at": since})])
    letters = notice_letters(s, told, people, now, "w")
    lines = (
        f"The mailbox has been read only until {since:%Y-%m-%d %H:%M} UTC.",
        f"Game {held.game.name} is due and waits for it; so do all others that fall due.",
    )
    alarm = operator_note(s, "A mailbox is out of reach, games wait", lines, f"away{int(since.timestamp())}", now)
    with s.store.transaction() as tx:
        is_first_today(tx, f"waits {held.game.id}", moment)
        tx.outbox.add([*letters, *alarm], now)
    s.letters.set()


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


def remind_due(s: Services, go_on: Callable[[], bool] = lambda: True) -> int:
    """Send the reminders whose time has come; returns how many games were looked at."""
    now = s.clock.now()
    with s.store.reading() as tx:
        due = tx.games.waking(now, AT_ONCE)
    return sum(_remind(s, number, now) for number in due if go_on())


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
    letters = packed(notice_letters(s, held, people, now))
    try:
        with s.store.transaction() as tx:
            write_down(tx, work, now)
            tx.outbox.add(letters, now)
            failpoint("closing_before_commit" if held.turns else "reminding_before_commit")
        failpoint("closing_after_commit")
    except Conflict:
        return False
    phases = [str(turn.phase) for turn in held.turns]
    log.info("phase closed" if phases else "game told", game=held.game.id, name=held.game.name, phases=phases, letters=len(letters))
    s.letters.set()
    return True
