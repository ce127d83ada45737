"""Whole communities for years: random players, a clock in memory; nothing gets stuck, nobody is called late for nothing.

The short form runs with every test; `make soak` plays 200 games for 20 game years (`--seed` chooses them).
"""

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

import pytest

from judge.errors import PlayerError
from judge.game import (
    AskAbsence,
    CastVote,
    FileOrders,
    GameBegan,
    GameEnded,
    MakeStatement,
    News,
    Notice,
    OrdersMissing,
    Pause,
    PressArrived,
    ProcessNow,
    ReminderDue,
    Resign,
    Resume,
    RollBack,
    SeatGiven,
    SeatKind,
    SendPress,
    SetDeadline,
    SetWait,
    SignOn,
    Status,
    TurnClosed,
    VoteKind,
    When,
    due_at,
    next_reminder,
    owing,
    readers_of,
    remind,
    tick,
)
from judge.rules import Build, Disband, Order, Unit, duties, legal_orders
from tests.support.life import ALL_POWERS, Life, life, watch

MOST_LETTERS = 3
"""Letters in one phase that a reader did not ask for: all but answers to own mails, and press."""
SETTINGS: tuple[dict[str, str], ...] = (
    {"nmr": "hold", "grace": "0h"},
    {"nmr": "hold", "grace": "24h", "clock": "18:00"},
    {"nmr": "civil", "days": "mon-fri", "clock": "20:00", "zone": "Europe/Prague"},
    {"nmr": "wait", "grace": "48h"},
    {"nmr": "master", "grace": "12h"},
    {"nmr": "hold", "gunboat": "yes", "press": "grey", "delay": "30m", "minimum": "6h"},
    {"nmr": "civil", "draws": "listed", "votes": "open", "firstturn": "extend", "zone": "America/New_York", "clock": "2:30"},
)


@dataclass
class Players:
    """Seven random people, some of them unreliable, and a master who looks in now and then."""

    game: Life
    chance: random.Random
    diligence: dict[str, float]
    people: int = 1000
    meddled: int = -1
    """After how many phases the master did something last: once a phase is enough."""
    known: tuple[tuple[int, str], Mapping[str, Mapping[str, tuple[Order, ...]]]] = ((-1, ""), {})
    """Legal orders of the open phase, known by its name and the number of phases closed before it."""

    def act(self) -> None:
        """What happens on one day."""
        game = self.game
        for seat in list(game.game.seats):
            if seat.person is None:
                if self.chance.random() < 0.3:
                    self._try(lambda key=seat.key: game.join(self._somebody(), SignOn("danube", key)))
                continue
            if self.chance.random() < self.diligence.get(seat.key, 0.9):
                self._order(seat.key)
            self._whim(seat.key)
        if game.game.master_asked:
            self._try(lambda: game.do("MASTER", ProcessNow()))
        elif self.chance.random() < 0.1 and (game.game.status is Status.PAUSED or self.meddled < len(game.turns)):
            self.meddled = len(game.turns)
            self._master()

    def _somebody(self) -> int:
        self.people += 1
        return self.people

    def _order(self, power: str) -> None:
        """Random orders for everything that is due, now and then not all of them."""
        game = self.game
        duty = duties(game.game.position, game.variant).get(power)
        if duty is None:
            return
        orders: list[Order] = []
        if duty.builds:
            kinds = game.variant.board.passages
            for site in self.chance.sample(duty.sites, k=min(duty.builds, len(duty.sites))):
                kind = next(letter for letter in kinds if site in kinds[letter])
                orders.append(Build(Unit(kind, site)))
        elif duty.removals:
            orders = [Disband(unit) for unit in self.chance.sample(duty.units, k=duty.removals)]
        else:
            if self.known[0] != (game.game.turns, str(game.game.phase)):
                self.known = ((game.game.turns, str(game.game.phase)), legal_orders(game.game.position, game.variant))
            choices = self.known[1].get(power, {})
            orders = [self.chance.choice(choices[str(unit)]) for unit in duty.units if choices.get(str(unit))]
        if orders:
            self._try(lambda: game.do(power, FileOrders(tuple(orders))))

    def _whim(self, power: str) -> None:
        """What people do beside ordering."""
        game, dice = self.game, self.chance.random()
        if dice < 0.02:
            self._try(lambda: game.do(power, AskAbsence(When(span=timedelta(days=1)), When(span=timedelta(days=4)))))
        elif dice < 0.03:
            self._try(lambda: game.do(power, Resign()))
        elif dice < 0.05:
            self._try(lambda: game.do(power, SetWait(True)))
        elif dice < 0.06:
            self._try(lambda: game.do(power, CastVote(VoteKind.DRAW)))
        elif dice < 0.10:
            self._try(lambda: game.do(power, SendPress((), "hello")))

    def _master(self) -> None:
        """A master moves deadlines, pauses and goes on, rarely goes back."""
        game, dice = self.game, self.chance.random()
        if game.game.status is Status.PAUSED:
            self._try(lambda: game.do("MASTER", Resume()))
        elif dice < 0.1:
            self._try(lambda: game.do("MASTER", SetDeadline(When(span=timedelta(hours=24)))))
        elif dice < 0.15:
            self._try(lambda: game.do("MASTER", Pause()))
        elif dice < 0.18:
            self._try(lambda: game.do("MASTER", RollBack(count=1)))

    def _try(self, deed: object) -> None:
        """People try what is not allowed, too."""
        assert callable(deed)
        try:
            deed()
        except PlayerError:
            return


def play(seed: int, years: int) -> Counter[str]:
    """One game; what was counted.  Raises AssertionError where something goes wrong."""
    chance = random.Random(seed)
    settings = {"movement": "48h", **chance.choice(SETTINGS)}
    game = life(**settings)  # type: ignore[arg-type]  # settings are texts
    for _ in range(2):
        watch(game, 900 + len(game.game.observers), SeatKind.STANDBY)
    players = Players(game, chance, {power: chance.choice((0.5, 0.8, 0.95, 1.0)) for power in ALL_POWERS})
    game.new()
    counts: Counter[str] = Counter()
    letters: Counter[str] = Counter()
    last_turn = game.now
    turns = 0
    limit = 1901 + years
    while game.game.status is not Status.FINISHED and game.game.phase.year < limit:
        if chance.random() < 0.97:
            players.act()
        _count(game, letters, counts)
        _day(game, letters, counts)
        if len(game.turns) > turns:
            turns, last_turn = len(game.turns), game.now
        if game.game.status is Status.PAUSED:
            last_turn = game.now
            if not any(seat.person for seat in game.game.seats):
                break
        assert game.now - last_turn < timedelta(days=150), f"stuck in {game.game.phase} with {settings}"
    if game.game.status is Status.FINISHED and game.game.statements_until is not None:
        game.do("FRANCE", MakeStatement("gg")) if game.game.seat("FRANCE") and game.game.seat("FRANCE").person else None  # type: ignore[union-attr]  # asked before
        game.wait(timedelta(days=15))
    counts["turns"] += len(game.turns)
    counts["games"] += 1
    return counts


def _day(game: Life, letters: Counter[str], counts: Counter[str]) -> None:
    """One day of the clock; lateness is checked the moment it is told."""
    until = game.now + timedelta(hours=24)
    for _ in range(300):
        moments = [m for m in (due_at(game.game), next_reminder(game.game)) if m is not None and m <= until]
        if not moments:
            break
        game.now = max(game.now, min(moments))
        due = due_at(game.game)
        before = game.game
        owed = set(owing(before, game.variant)) if before.status is Status.RUNNING else set()
        if due is not None and due <= game.now:
            game.take(tick(before, game.variant, game.now, game_draw))
        else:
            game.take(remind(before, game.variant, game.now))
        for notice in game.notices:
            if isinstance(notice, OrdersMissing):
                assert set(notice.powers) <= owed, f"late mark on {notice.powers}, owing {owed}"
            if isinstance(notice, ReminderDue):
                assert set(notice.audience.seats) <= owed
        _count(game, letters, counts)
    else:
        raise AssertionError(f"runs on by itself in {game.game.phase}")
    game.now = until


def _count(game: Life, letters: Counter[str], counts: Counter[str]) -> None:
    """Letters that their readers did not ask for: all but messages, and the welcome of somebody who has just signed on.

    A phase begins with the letter that opens it: its beginning, a result, a step back or forward; the letter of the end comes after all.
    """
    for notice in game.new():
        readers = [reader for reader in readers_of(game.game, notice.audience) if not reader.seat.startswith("MASTER")]
        if _opens_a_phase(notice):
            letters.clear()
        if isinstance(notice, PressArrived):
            continue
        for reader in readers:
            if isinstance(notice, SeatGiven) and notice.seat == reader.seat:
                continue
            whom = f"{reader.seat} {reader.person}"
            letters[whom] += 1
            counts["letters"] += 1
            counts["most"] = max(counts["most"], letters[whom])
            counts[f"{letters[whom]} in a phase"] += 1


def _opens_a_phase(notice: Notice) -> bool:
    """Whether a new phase begins for everybody with this letter, or the last one is over."""
    back = isinstance(notice, News) and notice.code in ("rolled_back", "rolled_forward")
    return back or isinstance(notice, TurnClosed | GameBegan | GameEnded)


def game_draw(below: int) -> int:
    """Chance for what the clock brings: the first."""
    return 0 % below


@pytest.mark.parametrize("seed", range(4))
def test_a_few_games_for_some_years(seed: int) -> None:
    counts = play(seed, 4)
    assert counts["turns"] > 3
    assert counts["most"] <= MOST_LETTERS


@pytest.mark.soak
def test_two_hundred_games_for_twenty_years(request: pytest.FixtureRequest) -> None:
    seed = int(request.config.getoption("--seed", default=1))
    total: Counter[str] = Counter()
    for number in range(200):
        counts = play(seed * 1000 + number, 20)
        assert counts["most"] <= MOST_LETTERS, f"seed {seed * 1000 + number}: {counts}"
        total.update({key: value for key, value in counts.items() if key != "most"})
    print(dict(total))
    assert total["games"] == 200
