"""Looking back, as far as a reader may, and going back."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from judge.game.deadlines import open_phase
from judge.game.faults import NoSuchTurn
from judge.game.model import Game, SeatKind, Sight, Status, Turn
from judge.game.notices import Event, HistoryEntry, PressItem
from judge.game.visibility import Reader, ReaderKind, shown_sender
from judge.rules import Phase, Position, Variant, duties

PRIVATE_EVENTS = frozenset(
    {
        "vote",
        "vote_back",
        "preference",
        "muted",
        "unmuted",
        "address_rotated",
        "orders_cleared",
        "ahead",
        "ahead_cleared",
        "confirmation_asked",
        "offered",
        "declined",
        "offer_expired",
        "statement",
        "answered",
    }
)
"""Lines of the log that only the one who did it may read before the end of the game."""


def may_read(game: Game, reader: Reader, item: PressItem) -> bool:
    """Whether a reader may read a message: its sender, its addressees, everybody for a message to all.

    A note is its writer's alone; a master reads the messages of others only where the game says so.  Once a game is over, all may read
    all, if the game reveals.  Somebody who took a seat over reads the messages of the seat, but not the notes.
    """
    if item.number in game.forgotten:
        return False
    seat = game.seat(reader.seat) if reader.seat else None
    if item.kind == "diary" and seat is not None and item.sender == seat.key and item.at >= (seat.since or game.created_at):
        return True
    if game.status is Status.FINISHED and game.settings.reveal:
        return True
    if item.kind == "diary" or seat is None:
        return False
    if reader.kind is ReaderKind.MASTER and game.settings.sight.reaches(Sight.PRESS):
        return True
    if seat in game.observers and seat.kind is not SeatKind.FULL and item.sender != seat.key:
        return False
    own = {seat.key, "MASTER"} if seat in game.masters else {seat.key, "OBSERVERS"} if seat in game.observers else {seat.key}
    return not item.to or bool(own & {item.sender, *item.to})


def may_see_event(game: Game, reader: Reader, event: Event) -> bool:
    """Whether a reader may read a line of the log."""
    over = game.status is Status.FINISHED and game.settings.reveal
    if event.who == reader.seat and reader.seat:
        return True
    if event.what in PRIVATE_EVENTS:
        return over
    if event.what == "absence" and game.settings.gunboat:
        return over or reader.kind is ReaderKind.MASTER
    if event.what == "late":
        return over or reader.kind is ReaderKind.MASTER or game.settings.show_late
    if event.what == "setting" and "invitation" in event.facts:
        return reader.kind is ReaderKind.MASTER
    return True


def entries_for(
    game: Game, reader: Reader, press: Iterable[PressItem], turns: Iterable[Turn], events: Iterable[Event]
) -> tuple[HistoryEntry, ...]:
    """Everything a reader may see of the past, in order."""
    entries = [HistoryEntry(item.at, press=item, sender=shown_sender(game, item, reader)) for item in press if may_read(game, reader, item)]
    entries.extend(HistoryEntry(turn.closed_at, turn=turn) for turn in turns)
    entries.extend(HistoryEntry(event.at, event=event) for event in events if may_see_event(game, reader, event) and event.what != "closed")
    return tuple(sorted(entries, key=lambda entry: entry.at))


def find_turn(turns: Sequence[Turn], phase: Phase | None, count: int) -> Turn:
    """The closed phase of that name, or the one so many phases back.  Raises `NoSuchTurn`."""
    standing = [turn for turn in turns if not turn.withdrawn]
    if not standing:
        raise NoSuchTurn(str(phase or count), "none")
    if phase is not None:
        found = next((turn for turn in standing if turn.phase == phase), None)
        if found is None:
            raise NoSuchTurn(str(phase))
        return found
    if not 1 <= count <= len(standing):
        raise NoSuchTurn(str(count), "few")
    return standing[-count]


def rewind(game: Game, position: Position, variant: Variant, at: datetime) -> Game:
    """The game at another position, its phase open anew: orders, votes and pending commands are gone."""
    status = Status.RUNNING if game.status is Status.FINISHED else game.status
    back = replace(
        game, position=position, status=status, deadline=None, ending=None, pending=(), votes=(), postal=(), statements_until=None
    )
    opened = open_phase(back, at, duties(position, variant).__contains__)
    if status is not Status.PAUSED:
        return opened
    assert opened.deadline is not None
    return replace(opened, deadline=None, paused_left=opened.deadline.at - at)
