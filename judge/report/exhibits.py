"""What pages of the archive are made from: games and people as far as the public may know them, in no language yet."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from judge.board import Power
from judge.game import PUBLIC, Ending, EndKind, Game, GameView, Person, PersonId, PressItem, Settings, Status, Stint, Turn, view_for
from judge.game.history import may_read
from judge.game.visibility import may_know_people
from judge.picture import Look
from judge.report.filters import one_line
from judge.report.sitemap import game_folder
from judge.rules import Phase, Variant


@dataclass(frozen=True, slots=True)
class Card:
    """One game as lists and players' pages show it."""

    id: int
    name: str
    variant: str
    settings: Settings
    status: Status
    phase: Phase
    deadline: datetime | None
    free: tuple[Power, ...]
    powers: int
    masters: tuple[PersonId, ...]
    stints: tuple[Stint, ...]
    """Who played what from when to when, as far as that may be known."""
    ending: Ending | None
    turns: int
    moved_at: datetime
    """When something last happened that everybody saw: a result, the end, the opening."""

    @property
    def folder(self) -> str:
        """The name of its folder on the site."""
        return game_folder(self.id, self.name)


def card_of(game: Game, variant: Variant) -> Card:
    """The card of a game."""
    view = view_for(game, PUBLIC, variant)
    return Card(
        id=view.id,
        name=view.name,
        variant=view.variant,
        settings=view.settings,
        status=view.status,
        phase=view.position.phase,
        deadline=view.deadline.at if view.deadline is not None and view.status is Status.RUNNING else None,
        free=open_powers(view),
        powers=len(view.seats),
        masters=view.masters,
        stints=known_stints(game),
        ending=view.ending,
        turns=game.turns,
        moved_at=view.ending.at if view.ending is not None else game.phase_began or game.created_at,
    )


def open_powers(view: GameView) -> tuple[Power, ...]:
    """The powers that anybody may take."""
    if view.status is Status.FINISHED:
        return ()
    return tuple(seat.power for seat in view.seats if not seat.taken or seat.standing in ("abandoned", "civil"))


def known_stints(game: Game) -> tuple[Stint, ...]:
    """Who played what from when to when, as far as the public may know; before the first phase simply who sits where."""
    if not may_know_people(game, PUBLIC):
        return ()
    if game.stints:
        return game.stints
    return tuple(Stint(seat.key, seat.person, game.phase) for seat in game.seats if seat.person is not None)


def public_name(person: Person | None) -> str:
    """The name under which somebody is shown to everybody, "" for none.

    Whoever wrote without a name is called by the first half of the address; that is nobody else's business.

    >>> public_name(Person(1, "Anna", "anna@example.org")), public_name(Person(2, "anna.n", "anna.n@example.org"))
    ('Anna', '')
    """
    if person is None:
        return ""
    name = one_line(person.name)
    return "" if "@" in name or person.name == person.address.partition("@")[0] else name


@dataclass(frozen=True, slots=True)
class PlayedPart:
    """What one person played in one game; `power` is "" for its master, `until` the phase in which somebody else took over."""

    card: Card
    power: Power
    since: Phase | None = None
    until: Phase | None = None

    @property
    def result(self) -> str:
        """ "won", "drawn" or "other" for somebody who played to the end of a game, else ""."""
        ending = self.card.ending
        if not self.power or ending is None or self.until is not None or ending.kind is EndKind.STOPPED:
            return ""
        if ending.kind is EndKind.DRAWN:
            return "drawn" if self.power in ending.powers else "other"
        return "won" if ending.powers[:1] == (self.power,) else "other"


def played_parts(cards: Iterable[Card]) -> dict[PersonId, tuple[PlayedPart, ...]]:
    """What everybody played, as far as that may be known, the newest game first."""
    found: dict[PersonId, list[PlayedPart]] = {}
    for card in sorted(cards, key=lambda card: card.moved_at, reverse=True):
        for stint in card.stints:
            found.setdefault(stint.person, []).append(PlayedPart(card, stint.power, stint.since, stint.until))
        for person in card.masters:
            found.setdefault(person, []).append(PlayedPart(card, ""))
    return {person: tuple(parts) for person, parts in found.items()}


@dataclass(frozen=True, slots=True)
class GameFile:
    """Everything of one game that its pages are made from.  What of it may be shown is decided here, and nowhere else."""

    game: Game
    variant: Variant
    turns: tuple[Turn, ...]
    """Every closed phase in order, the withdrawn ones too."""
    messages: tuple[PressItem, ...]
    looks: Mapping[Power, Look]
    size: tuple[int, int]
    """px of its pictures."""

    @property
    def view(self) -> GameView:
        """The game as the public may see it."""
        return view_for(self.game, PUBLIC, self.variant)

    @property
    def folder(self) -> str:
        """The name of its folder on the site."""
        return game_folder(self.game.id, self.game.name)

    @property
    def stints(self) -> tuple[Stint, ...]:
        """Who played what from when to when, as far as that may be known."""
        return known_stints(self.game)

    @property
    def standing(self) -> tuple[Turn, ...]:
        """The closed phases that count."""
        return tuple(turn for turn in self.turns if not turn.withdrawn)

    @property
    def press(self) -> tuple[PressItem, ...]:
        """The messages that everybody may read; notes to oneself stay with their writers."""
        return tuple(item for item in self.messages if item.kind != "diary" and may_read(self.game, PUBLIC, item))

    def turn(self, number: int) -> Turn | None:
        """The closed phase of that number."""
        return next((turn for turn in self.turns if turn.number == number), None)
