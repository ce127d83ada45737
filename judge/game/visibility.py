"""Who may know what: every letter and page is made from a view taken here, for one reader."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from judge.board import Power
from judge.game.model import Deadline, Ending, FiledOrder, Game, PersonId, Seat, Settings, Status, Timing
from judge.game.notices import Audience
from judge.game.orderdesk import missing_units, power_state
from judge.rules import Duty, Position, Unit, Variant, duties


class ReaderKind(StrEnum):
    """The kinds of reader a letter or page can have."""

    PLAYER = "player"
    MASTER = "master"
    OBSERVER = "observer"
    PUBLIC = "public"
    KEEPER = "keeper"


@dataclass(frozen=True, slots=True)
class Reader:
    """One reader: the seat it reads from ("" for the public and the keeper) and who sits there."""

    kind: ReaderKind
    seat: str = ""
    person: PersonId | None = None


PUBLIC = Reader(ReaderKind.PUBLIC)
KEEPER = Reader(ReaderKind.KEEPER)


@dataclass(frozen=True, slots=True)
class SeatView:
    """One power as this reader may see it: who plays it (None: open, or not to be known), and the state of its orders ("" unknown).

    `state` is "none" (nothing due), "due", "part" or "in".
    """

    power: Power
    taken: bool
    person: PersonId | None
    state: str


@dataclass(frozen=True, slots=True)
class GameView:
    """A game as one reader may see it; nothing in here needs to be hidden from that reader."""

    reader: Reader
    id: int
    name: str
    variant: str
    settings: Settings
    status: Status
    position: Position
    deadline: Deadline | None
    seats: tuple[SeatView, ...]
    masters: tuple[PersonId, ...]
    power: Power
    """The reader's own power, "" if none."""
    duty: Duty | None
    own_orders: tuple[FiledOrder, ...]
    missing: tuple[Unit, ...]
    own_state: str
    waits: bool
    ending: Ending | None

    @property
    def timing(self) -> Timing:
        """The game's clock."""
        return self.settings.timing


def reader_at(game: Game, key: str) -> Reader:
    """The reader who sits at the seat `key`; the public if there is no such seat."""
    seat = game.seat(key)
    if seat is None:
        return PUBLIC
    if seat in game.seats:
        return Reader(ReaderKind.PLAYER, key, seat.person)
    kind = ReaderKind.MASTER if seat in game.masters else ReaderKind.OBSERVER
    return Reader(kind, key, seat.person)


def readers_of(game: Game, audience: Audience) -> tuple[Reader, ...]:
    """The people meant by an audience: the only place where seats become people.  Open seats get nothing."""
    seats: list[Seat] = [seat for key in audience.seats if (seat := game.seat(key)) is not None]
    for group, wanted in (
        (game.seats, audience.players),
        (game.masters, audience.masters),
        (game.observers, audience.observers),
    ):
        if wanted:
            seats.extend(group)
    unique = dict.fromkeys(seat.key for seat in seats if seat.person is not None)
    return tuple(reader_at(game, key) for key in unique)


def view_for(game: Game, reader: Reader, variant: Variant) -> GameView:
    """The game as `reader` may see it.

    Who plays what is hidden from everybody but masters and the keeper in a gunboat game until it has ended; orders on file
    are seen only by the power they belong to; whose orders are in is seen by masters, and by the player of that power.
    """
    sees_all = reader.kind in (ReaderKind.MASTER, ReaderKind.KEEPER)
    sees_people = (sees_all or not game.settings.gunboat or game.status is Status.FINISHED) and reader.kind is not ReaderKind.PUBLIC
    power = reader.seat if reader.kind is ReaderKind.PLAYER else ""
    running = game.status in (Status.RUNNING, Status.PAUSED)
    due = duties(game.position, variant) if running else {}
    return GameView(
        reader=reader,
        id=game.id,
        name=game.name,
        variant=game.variant,
        settings=game.settings,
        status=game.status,
        position=game.position,
        deadline=game.deadline,
        seats=tuple(_seat_view(game, seat, due, own=seat.key == power, sees_all=sees_all, sees_people=sees_people) for seat in game.seats),
        masters=tuple(seat.person for seat in game.masters if seat.person is not None),
        power=power,
        duty=due.get(power),
        own_orders=game.orders.get(power, ()) if power else (),
        missing=missing_units(game, power, due) if power else (),
        own_state=power_state(game, power, due) if power else "none",
        waits=power in game.waits,
        ending=game.ending,
    )


def _seat_view(game: Game, seat: Seat, due: Mapping[Power, Duty], *, own: bool, sees_all: bool, sees_people: bool) -> SeatView:
    """One seat for one reader; a player always knows its own."""
    return SeatView(
        power=seat.key,
        taken=seat.person is not None,
        person=seat.person if sees_people or own else None,
        state=power_state(game, seat.key, due) if sees_all or own else "",
    )


def shown_sender(game: Game, sender: str, hidden: bool, reader: Reader) -> str:
    """The sender of a message as `reader` may know it ("" hidden)."""
    if not hidden or reader.kind is ReaderKind.KEEPER or game.status is Status.FINISHED:
        return sender
    return sender if reader.seat == sender else ""
