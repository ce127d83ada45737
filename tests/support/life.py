"""A game in memory, without any mail: commands and the clock go straight to the core, and what it tells is kept."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from judge.errors import PlayerError
from judge.game import (
    COMMANDS,
    Answer,
    Command,
    Event,
    FileOrders,
    Game,
    Guest,
    Moment,
    News,
    Notice,
    Observe,
    Past,
    PressItem,
    SeatKind,
    Settings,
    SignOn,
    Status,
    Submission,
    Transition,
    Turn,
    TurnClosed,
    actor_at,
    apply,
    change_setting,
    due_at,
    next_reminder,
    open_game,
    readers_of,
    remind,
    tick,
)
from judge.library import read_variant
from judge.rules import Variant, read_order

NOON = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)
MASTER_PERSON = 1


def at(text: str) -> datetime:
    """A moment in UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def first(_below: int) -> int:
    """No chance at all."""
    return 0


@dataclass
class Life:
    """One game and everything that has come of it."""

    variant: Variant
    game: Game
    now: datetime = NOON
    notices: list[Notice] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    press: list[PressItem] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    submissions: list[Submission] = field(default_factory=list)
    tallies: list[tuple[int, str]] = field(default_factory=list)
    mails: int = 0
    draw: object = first

    def take(self, done: Transition) -> None:
        """Go on from there."""
        self.game = done.game
        self.notices.extend(done.notices)
        gone = set(done.withdrawn)
        back = set(done.restored)
        self.turns = [replace(t, withdrawn=(t.withdrawn or t.number in gone) and t.number not in back) for t in self.turns]
        self.turns.extend(done.turns)
        self.press.extend(done.press)
        self.events.extend(done.events)
        self.submissions.extend(done.submissions)
        self.tallies.extend((tally.person, tally.what) for tally in done.tallies)

    def moment(self, command: Command) -> Moment:
        """What the shell would bring to a command."""
        needs = COMMANDS[type(command)].needs
        turns = tuple(t for t in self.turns if "withdrawn" in needs or not t.withdrawn)
        past = Past(turns, tuple(self.press), tuple(self.events), tuple(self.submissions))
        self.mails += 1
        return Moment(self.now, self.mails, first, f"code{self.mails}", past=past)

    def do(self, seat: str, command: Command) -> tuple[Answer | PlayerError, ...]:
        """A command from a seat, carried out."""
        done, outcomes = apply(self.game, command, actor_at(self.game, seat), self.variant, self.moment(command))
        self.take(done)
        return outcomes

    def join(self, person: int, command: SignOn | Observe) -> tuple[Answer | PlayerError, ...]:
        """A command of somebody without a seat."""
        done, outcomes = apply(self.game, command, Guest(person), self.variant, self.moment(command))
        self.take(done)
        return outcomes

    def order(self, power: str, *orders: str) -> tuple[Answer | PlayerError, ...]:
        """Orders in canonical notation."""
        return self.do(power, FileOrders(tuple(read_order(order) for order in orders)))

    def order_all(self, *powers: str) -> None:
        """A hold for every unit (or nothing to build) of these powers."""
        for power in powers:
            units = self.game.position.units.get(power, ())
            self.order(power, *(f"{unit} H" for unit in units))

    def wait(self, span: timedelta) -> None:
        """Let time go by, doing what becomes due at its own moment."""
        until = self.now + span
        for _ in range(500):
            moments = [m for m in (due_at(self.game), next_reminder(self.game)) if m is not None and m <= until]
            if not moments:
                break
            self.now = max(self.now, min(moments))
            if (due := due_at(self.game)) is not None and due <= self.now:
                self.take(tick(self.game, self.variant, self.now, first))
            else:
                self.take(remind(self.game, self.variant, self.now))
        else:
            raise AssertionError("the game runs on by itself")
        self.now = until

    def new(self) -> list[Notice]:
        """What was told since the last call."""
        fresh, self.notices = self.notices, []
        return fresh

    def news(self) -> list[tuple[str, tuple[str, ...]]]:
        """The codes of the news since the last call, each with the seats (or people) that read it, in a letter or in a result."""
        found: list[tuple[str, tuple[str, ...]]] = []
        for notice in self.new():
            if isinstance(notice, TurnClosed):
                found.extend((each.code, (seat,)) for seat, told in notice.own.items() for each in told)
            elif isinstance(notice, News):
                found.append((notice.code, tuple(reader.seat or str(reader.person) for reader in readers_of(self.game, notice.audience))))
        return found


def people_of(variant: Variant) -> dict[str, int]:
    """A person for each power: 101, 102 ..."""
    return {power: 101 + index for index, power in enumerate(variant.powers)}


def life(variant: str = "standard", *, begun: bool = True, powers: Iterable[str] | None = None, **settings: str) -> Life:
    """A game with a master, and with a player for each power where it has begun."""
    board = read_variant(variant)
    agreed = Settings()
    for key, value in settings.items():
        agreed = change_setting(agreed, key, value)
    made = open_game(1, "danube", agreed, board, "x", MASTER_PERSON, NOON)
    game = Life(board, made.game)
    game.take(made)
    if begun:
        for power, person in people_of(board).items():
            if powers is None or power in powers:
                game.join(person, SignOn("danube", power, word=agreed.invitation))
        assert game.game.status is Status.RUNNING or powers is not None
    game.new()
    return game


def watch(game: Life, person: int, kind: SeatKind = SeatKind.FULL) -> str:
    """Somebody watches; the seat."""
    game.join(person, Observe("danube", kind))
    return game.game.observers[-1].key


ALL_POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
