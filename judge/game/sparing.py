"""Nobody is written to too often: at most three letters in one phase that a reader did not ask for.

What a reader is not written about is told with the next result, and `LOG` and every answer show it at once.  Answers to one's own
mails, codes and messages of players do not count, nor do masters' letters.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from judge.game.deadlines import reminder_spans, tells_lateness
from judge.game.model import Bulletin, Game, Untold
from judge.game.notices import (
    AheadRead,
    ConfirmPlease,
    DeadlineMoved,
    DigestMade,
    Event,
    GameBegan,
    GameEnded,
    GameOpened,
    GamePaused,
    GameResumed,
    LastWords,
    News,
    Notice,
    OrdersMissing,
    PressArrived,
    ReminderDue,
    SeatGiven,
    Transition,
    TurnClosed,
)
from judge.game.visibility import readers_of

MOST_LETTERS = 3
"""Letters in one phase, with the one that opens it, that nobody is sent more of."""
KEPT_FREE = 1
"""Letters that are kept for what cannot wait."""
MOST_UNTOLD = 12

_NEVER_SPARED = (GameBegan, TurnClosed, GameEnded, LastWords, GameResumed)
_NOT_COUNTED = (PressArrived, ConfirmPlease, GameOpened, AheadRead, DigestMade)
_OPENING_NEWS = frozenset({"rolled_back", "rolled_forward"})
_FOLDED = frozenset({"civil_you", "abandoned_you", "eliminated"})
"""News to one player that stand in that player's result where a phase closes at the same instant."""
_CANNOT_WAIT = frozenset(
    {
        "civil_you",
        "abandoned_you",
        "offer",
        "offer_gone",
        "offer_eliminated",
        "approved",
        "roll_call",
        "master_ordered",
        "become",
        "nobody_plays",
    }
    | {"start_set", "phase_held", "grace_set", "grace_set_because"}
)
_ALWAYS = frozenset({"edited", "unstarted", "master_now"}) | _OPENING_NEWS


def spare(before: Game, done: Transition, by: str = "") -> Transition:
    """The transition with nobody told too often; `by` is the seat that asked for it, which is answered and so never spared.

    Counts the letters of the open phase at each seat (`Game.letters`) and keeps what a seat was not written about (`Game.untold`).
    """
    notices = _with_own_words(done.notices, before)
    stayed = _stayed(before, done.game)
    counts = {key: count for key, count in before.letters.items() if key in stayed}
    untold = {key: kept for key, kept in before.untold.items() if key in stayed}
    paused = set(before.told_pause)
    kept: list[Notice] = []
    for notice in notices:
        if _opens(notice):
            counts, untold = {}, {}
        spared = {
            reader.seat
            for reader in readers_of(done.game, notice.audience)
            if reader.seat not in ("", by)
            and not reader.seat.startswith("MASTER")
            and not _count(notice, reader.seat, counts, paused, notices, done.game)
        }
        for seat in sorted(spared):
            untold[seat] = (*untold.get(seat, ()), *map(_untold, done.events))[-MOST_UNTOLD:]
        kept.append(_without(notice, spared))
    if not notices and counts == before.letters:
        return done  # a game that only was looked at stays the same value
    game = replace(done.game, letters=counts, untold=untold, told_pause=frozenset(paused))
    return replace(done, game=game, notices=tuple(kept))


def may_write(game: Game, seat: str) -> bool:
    """Whether one more letter that cannot wait may go to a seat in the open phase."""
    return game.letters.get(seat, 0) < MOST_LETTERS


def _count(notice: Notice, seat: str, counts: dict[str, int], paused: set[str], beside: Iterable[Notice], game: Game) -> bool:
    """Whether a seat is sent this notice, counted if it is."""
    if isinstance(notice, _NOT_COUNTED) or (isinstance(notice, SeatGiven) and notice.seat == seat):
        return True
    sent = counts.get(seat, 0)
    if isinstance(notice, GameResumed):
        told = seat in paused
        paused.discard(seat)
        return told  # counted when the pause was told; who heard of no pause needs to hear of no end
    if isinstance(notice, GamePaused) and sent + 2 <= MOST_LETTERS:
        counts[seat] = sent + 2
        paused.add(seat)
        return True
    if isinstance(notice, DeadlineMoved) and _is_said_beside(seat, beside):
        return False
    room = MOST_LETTERS if _cannot_wait(notice, seat, game) else MOST_LETTERS - KEPT_FREE
    if isinstance(notice, GamePaused) or not (_goes_always(notice) or sent < room):
        return False
    counts[seat] = sent + 1
    return True


def _opens(notice: Notice) -> bool:
    """Whether a notice opens a phase for everybody, or closes the last one."""
    return isinstance(notice, GameBegan | TurnClosed | GameEnded) or (isinstance(notice, News) and notice.code in _OPENING_NEWS)


def _goes_always(notice: Notice) -> bool:
    """Whether a reader would be harmed by not being told now: a result, a deadline brought forward, another board."""
    match notice:
        case DeadlineMoved(before, at):
            return before is not None and at < before
        case News(code):
            return code in _ALWAYS
        case _:
            return isinstance(notice, _NEVER_SPARED)


def _cannot_wait(notice: Notice, seat: str, game: Game) -> bool:
    """Whether a notice asks its reader for something that is lost if it is told later."""
    match notice:
        case OrdersMissing(powers):
            return seat in powers
        case ReminderDue():
            return not tells_lateness(game) and game.reminded >= len(reminder_spans(game))
        case News(code):
            return code in _CANNOT_WAIT
        case _:
            return False


def _is_said_beside(seat: str, beside: Iterable[Notice]) -> bool:
    """Whether another letter of the same instant shows the reader where the game stands, and with it the new deadline."""
    return any(
        (isinstance(notice, News) and notice.state and notice.audience.seats == (seat,))
        or (isinstance(notice, SeatGiven) and notice.seat == seat)
        for notice in beside
    )


def _with_own_words(notices: tuple[Notice, ...], game: Game) -> tuple[Notice, ...]:
    """The result with what one reader alone is told at the same instant, or could not be told before; else the notices as they are."""
    closed = next((notice for notice in notices if isinstance(notice, TurnClosed)), None)
    if closed is None:
        return notices
    own: dict[str, tuple[Bulletin, ...]] = {}
    for notice in notices:
        if _is_folded(notice):
            assert isinstance(notice, News)
            (seat,) = notice.audience.seats
            own[seat] = (*own.get(seat, ()), Bulletin(notice.code, (seat,)))
    full = replace(closed, own=own, untold=_untold_events(game.untold))
    return tuple(full if notice is closed else notice for notice in notices if not _is_folded(notice))


def _is_folded(notice: Notice) -> bool:
    """Whether news can stand in its reader's result."""
    return isinstance(notice, News) and notice.code in _FOLDED and len(notice.audience.seats) == 1 and not notice.audience.masters


def _untold_events(untold: Mapping[str, tuple[Untold, ...]]) -> dict[str, tuple[Event, ...]]:
    """What was not told, as lines of the log."""
    return {seat: tuple(Event(each.at, each.who, each.what, each.facts) for each in kept) for seat, kept in untold.items()}


def _untold(event: Event) -> Untold:
    return Untold(event.at, event.who, event.what, event.facts)


def _without(notice: Notice, spared: Iterable[str]) -> Notice:
    """The notice without these readers."""
    audience = replace(notice.audience, but=(*notice.audience.but, *sorted(spared)))
    return replace(notice, audience=audience) if audience.but != notice.audience.but else notice


def _stayed(before: Game, after: Game) -> set[str]:
    """The seats that still have whom they had: who comes new has been told nothing."""
    had = {seat.key: seat.person for seat in before.all_seats}
    return {seat.key for seat in after.all_seats if seat.key in had and had[seat.key] == seat.person}
