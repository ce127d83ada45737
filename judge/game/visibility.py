"""Who may know what: every letter and page is made from a view taken here, for one reader."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from judge.board import Power
from judge.game.deadlines import grace_ends
from judge.game.model import (
    Absence,
    AheadOrder,
    Deadline,
    Ending,
    FiledOrder,
    Game,
    Nmr,
    Offer,
    Pending,
    PersonId,
    Seat,
    Settings,
    Sight,
    Status,
    Timing,
    Vote,
)
from judge.game.notices import Audience, PressItem
from judge.game.orderdesk import missing_units, power_state
from judge.game.receipts import newest_receipt
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

    `state` is "none" (nothing due), "due", "part", "in" or "late"; `standing` is "playing", "abandoned", "civil", or "waits" for a
    player whom the master has yet to approve.
    """

    power: Power
    taken: bool
    person: PersonId | None
    state: str
    standing: str = "playing"


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
    absences: tuple[Absence, ...] = ()
    """The reader's own, and others' where they may be known."""
    ahead: tuple[AheadOrder, ...] = ()
    """The reader's own orders for later phases."""
    votes: tuple[Vote, ...] = ()
    """The reader's own; all of them where votes are open, or once the game is over and reveals."""
    offer: Offer | None = None
    pending: tuple[Pending, ...] = ()
    """Commands of the reader that wait for their codes."""
    to_approve: tuple[Power, ...] = ()
    long_absences: tuple[Absence, ...] = ()
    """Absences that wait for a master's word; for masters."""
    late: tuple[Power, ...] = ()
    """Whose orders were missing at the deadline, where the reader may know."""
    comment: str = ""
    seat_kind: str = ""
    """What kind of watching seat the reader has, "" for others."""
    receipt: str = ""
    """The mark of the newest mail among the reader's orders on file."""
    overdue: bool = False
    """Whether the deadline has passed and the phase stays open for missing orders."""
    closes: datetime | None = None
    """When an overdue phase is closed whatever is missing; None: it waits."""

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
    unique = dict.fromkeys(seat.key for seat in seats if seat.person is not None and seat.key not in audience.but)
    without_seat = tuple(Reader(ReaderKind.PUBLIC, "", person) for person in audience.people)
    return (*(reader_at(game, key) for key in unique), *without_seat)


def may_know_people(game: Game, reader: Reader) -> bool:
    """Whether a reader may know who plays what.

    In a gunboat game only masters and the keeper may until it has ended, and nobody else ever where the game does not reveal.
    """
    over = game.status is Status.FINISHED and game.settings.reveal
    return over or not game.settings.gunboat or reader.kind in (ReaderKind.MASTER, ReaderKind.KEEPER)


def duties_in(game: Game, variant: Variant) -> Mapping[Power, Duty]:
    """What each power owes in the open phase; nothing in a game that does not run."""
    return duties(game.position, variant) if game.status in (Status.RUNNING, Status.PAUSED) else {}


def view_for(game: Game, reader: Reader, variant: Variant, due: Mapping[Power, Duty] | None = None) -> GameView:
    """The game as `reader` may see it; `due` is `duties_in` of the game, where it is at hand.

    Who plays what is hidden from everybody but masters and the keeper in a gunboat game until it has ended (and for ever, where the
    game does not reveal); orders on file are seen only by the power they belong to; whose orders are in is seen by masters, unless
    the game keeps it from them, and by the player of that power.
    """
    is_master = reader.kind is ReaderKind.MASTER
    sees_all = reader.kind is ReaderKind.KEEPER or (is_master and game.settings.sight.reaches(Sight.COUNTS))
    over = game.status is Status.FINISHED and game.settings.reveal
    sees_people = sees_all or may_know_people(game, reader)
    power = reader.seat if reader.kind is ReaderKind.PLAYER else ""
    due = duties_in(game, variant) if due is None else due
    return GameView(
        reader=reader,
        id=game.id,
        name=game.name,
        variant=game.variant,
        settings=game.settings if is_master or not game.settings.invitation else replace(game.settings, invitation=""),
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
        absences=_absences_for(game, reader),
        ahead=game.ahead.get(power, ()) if power else (),
        votes=game.votes if over or not game.settings.secret_votes else tuple(vote for vote in game.votes if vote.voter == power),
        offer=next((offer for offer in game.offers if offer.seat == reader.seat), None),
        pending=tuple(pending for pending in game.pending if pending.seat == reader.seat),
        to_approve=tuple(seat.key for seat in game.seats if is_master and seat.person is not None and not seat.approved),
        long_absences=tuple(absence for absence in game.absences if is_master and not absence.approved),
        late=tuple(sorted(game.late)) if sees_all or game.settings.show_late else (),
        comment=game.comment,
        seat_kind=_seat_kind(game, reader),
        receipt=newest_receipt(game.phase, power, game.orders.get(power, ())) if power else "",
        overdue=game.status is Status.RUNNING and game.late_told,
        closes=_closes_anyway(game),
    )


def _closes_anyway(game: Game) -> datetime | None:
    """When the grace of an overdue phase ends and it is closed with what there is; None: it waits for orders or for a master's word."""
    waits = game.settings.nmr is Nmr.WAIT or (game.settings.nmr is Nmr.MASTER and bool(game.masters)) or game.master_asked
    return None if waits or not game.late_told or game.deadline is None else grace_ends(game)


def _absences_for(game: Game, reader: Reader) -> tuple[Absence, ...]:
    """A reader's own absences, and everybody's for masters and where players know each other."""
    knows = reader.kind is ReaderKind.MASTER or (not game.settings.gunboat and reader.kind is not ReaderKind.PUBLIC)
    return tuple(absence for absence in game.absences if knows or absence.seat == reader.seat)


def _seat_kind(game: Game, reader: Reader) -> str:
    """What kind of watching seat the reader has."""
    return next((seat.kind.value for seat in game.observers if seat.key == reader.seat), "")


def _seat_view(game: Game, seat: Seat, due: Mapping[Power, Duty], *, own: bool, sees_all: bool, sees_people: bool) -> SeatView:
    """One seat for one reader; a player always knows its own."""
    state = power_state(game, seat.key, due) if sees_all or own else ""
    is_late = game.late_told and seat.key in game.late and (sees_all or own or game.settings.show_late)
    return SeatView(
        power=seat.key,
        taken=seat.person is not None,
        person=seat.person if sees_people or own else None,
        state="late" if is_late and state != "in" else state,
        standing="waits" if seat.person is not None and not seat.approved else seat.state.value,
    )


def shown_sender(game: Game, item: PressItem, reader: Reader) -> str:
    """The sender of a message as `reader` may know it ("" hidden)."""
    over = game.status is Status.FINISHED and game.settings.reveal
    if over or reader.kind is ReaderKind.KEEPER or reader.seat == item.sender:
        return item.sender
    return "" if item.hidden else item.shown or item.sender
