"""What one mail, or one deadline, does: collected while it is worked out, written in one transaction afterwards."""

from dataclasses import dataclass, field, replace
from datetime import datetime

from judge.game import Answer, Command, Event, Game, Item, Notice, Person, PressItem, Submission, Tally, Transition, Turn
from judge.game.orderdesk import place_of
from judge.library import Pack

_LISTS = ("notices", "turns", "press", "submissions", "events", "withdrawn", "restored", "tallies")


@dataclass
class Held:
    """A game while it is worked on: as it was read (with its version), as it is now, and what has come of it."""

    before: Game
    version: int
    pack: Pack
    game: Game
    notices: list[Notice] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    press: list[PressItem] = field(default_factory=list)
    submissions: list[Submission] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    withdrawn: list[int] = field(default_factory=list)
    restored: list[int] = field(default_factory=list)
    tallies: list[Tally] = field(default_factory=list)

    def snapshot(self) -> "Held":
        """The same, to come back to."""
        kept = replace(self)
        for name in _LISTS:
            setattr(kept, name, list(getattr(self, name)))
        return kept

    def restore(self, kept: "Held | None") -> None:
        """Back to a snapshot, or to the game as it was read."""
        self.game = kept.game if kept else self.before
        for name in _LISTS:
            setattr(self, name, getattr(kept, name) if kept else [])

    def take(self, transition: Transition) -> None:
        """Go on from what a command or a deadline did."""
        self.game = transition.game
        self.notices.extend(transition.notices)
        self.turns.extend(transition.turns)
        self.press.extend(transition.press)
        for filed in transition.submissions:
            self._keep(filed)
        self.events.extend(transition.events)
        self.withdrawn.extend(transition.withdrawn)
        self.restored.extend(transition.restored)
        self.tallies.extend(transition.tallies)

    def _keep(self, filed: Submission) -> None:
        """Keep what was filed; the lines of one mail are one submission, in which the last order for a unit counts."""
        last = self.submissions[-1] if self.submissions else None
        if last is not None and (last.mail, last.power, last.phase) == (filed.mail, filed.power, filed.phase):
            filed = replace(filed, orders=(*last.orders, *filed.orders))
            self.submissions.pop()
        last_at = {place: number for number, order in enumerate(filed.orders) if (place := place_of(order))}
        orders = tuple(order for number, order in enumerate(filed.orders) if last_at.get(place_of(order), number) == number)
        self.submissions.append(replace(filed, orders=orders))

    @property
    def changed(self) -> bool:
        """Whether there is anything to write."""
        return self.game is not self.before or bool(self.events or self.press)


@dataclass(frozen=True, slots=True)
class NewCode:
    """A code for somebody unknown: the line that takes effect when it comes back, and who asked."""

    code: str
    address: str
    name: str
    line: str
    until: datetime
    person: int = 0
    """The known person whose own command it is; 0 for newcomers."""


@dataclass
class Part:
    """A section of the answer while it grows: the game it is about (None outside any), the seat of the sender, the lines."""

    held: Held | None
    seat: str
    items: list[Item] = field(default_factory=list)


@dataclass
class Work:
    """Everything one mail does."""

    held: dict[str, Held] = field(default_factory=dict)
    parts: list[Part] = field(default_factory=list)
    codes: list[NewCode] = field(default_factory=list)
    people: dict[int, Person] = field(default_factory=dict)
    commands: list[tuple[Part, Command]] = field(default_factory=list)
    """Commands that were carried out, or wait for their code."""
    codes_used: list[str] = field(default_factory=list)
    changed_people: dict[int, Person] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    marks: dict[str, str] = field(default_factory=dict)
    erased: list[int] = field(default_factory=list)
    spoken: str = ""
    """The language of the mail, "" unknown: people of whom nothing else is known are answered in it."""

    @property
    def has_answers(self) -> bool:
        """Whether something came of at least one line."""
        return any(isinstance(outcome, Answer) for part in self.parts for item in part.items for outcome in item.outcomes)

    def change(self, person: Person) -> None:
        """A person's wishes have changed."""
        self.people[person.id] = person
        self.changed_people[person.id] = person

    def part(self, held: Held | None, seat: str) -> Part:
        """The section for this game and seat, a new one if there is none yet."""
        for part in self.parts:
            if part.held is held and part.seat == seat:
                return part
        self.parts.append(Part(held, seat))
        return self.parts[-1]
