"""Commands inside a game: what they need fetched, the confirmation asked, the core called."""

from collections.abc import Sequence
from dataclasses import replace

from judge.errors import PlayerError
from judge.game import (
    COMMANDS,
    Answer,
    ClearAhead,
    ClearOrders,
    Command,
    ConfirmPlease,
    Eject,
    FileAhead,
    FileOrders,
    Game,
    Guest,
    HandOver,
    NoProof,
    NoSuchSeat,
    NotAllowed,
    Past,
    ProcessNow,
    Promote,
    Proof,
    SettingChanged,
    SetWait,
    ShowAhead,
    ShowStatus,
    Transition,
    WhichGame,
    apply,
    ask_confirmation,
    check_allowed,
    needs_round_trip,
)
from judge.game.commands import word_of
from judge.language.requests import Line, PressText
from judge.service.counter import Counter, Where
from judge.service.work import Held

SHORTEST_NAME = 4
"""Shorter names are not looked for in messages of games with hidden players: they would be found in any text."""

DEPUTIES = (FileOrders, ClearOrders, SetWait, FileAhead, ClearAhead, ShowAhead, ShowStatus)
"""What a master may do for a power."""


def _ask_together(held: Held, code: str) -> None:
    """One letter for everything that waits for the same code, the lines one below the other."""
    same = [notice for notice in held.notices if isinstance(notice, ConfirmPlease) and notice.code == code]
    if len(same) > 1:
        others = [notice for notice in held.notices if notice not in same]
        held.notices[:] = [*others, replace(same[0], line="\n".join(notice.line for notice in same))]


def tell_together(held: Held) -> None:
    """One letter for all settings that one mail has changed."""
    same = [notice for notice in held.notices if isinstance(notice, SettingChanged) and notice.audience.players]
    if len(same) > 1:
        first, *others = same
        joined = replace(first, more=tuple((notice.key, notice.value) for notice in others))
        held.notices[:] = [joined if notice is first else notice for notice in held.notices if notice not in others]


class Doing(Counter):
    """Carries out commands of people who have a seat."""

    def _in_game(self, command: Command, entry: Line | PressText, where: Where) -> Sequence[Answer | PlayerError]:
        """A command inside a game."""
        if where.held is None:
            raise WhichGame(self._own_games())
        if isinstance(where.actor, Guest) and COMMANDS[type(command)].proof is not Proof.NONE:
            raise NoProof(COMMANDS[type(command)].word)
        check_allowed(command, where.actor)
        if where.deputy and not isinstance(command, DEPUTIES):
            raise NotAllowed(word_of(command), "player")
        game = where.held.game
        if needs_round_trip(command) and not self.checking:
            line = entry.text if isinstance(entry, Line) else ""
            if isinstance(command, ProcessNow) and command.phase is None:
                line = f"{line} {game.phase}"
            self._try(command, where)
            transition = ask_confirmation(game, line, where.actor, self._registered(where.actor), self._moment())
            where.held.take(transition)
            _ask_together(where.held, self.code)
            return transition.answers
        return self._apply(command, where)

    def _try(self, command: Command, where: Where) -> None:
        """Try a command that needs a code on a copy of the game, so that what cannot be done is refused at once.  Raises `PlayerError`.

        The commands of one mail are tried one after another: each may need what the one before it does.
        """
        assert where.held is not None
        transition, _ = self._applied(command, where, self.tried.get(where.held.game.name, where.held.game))
        self.tried[where.held.game.name] = transition.game

    def _apply(self, command: Command, where: Where) -> Sequence[Answer | PlayerError]:
        """A command that takes effect now."""
        assert where.held is not None
        transition, outcomes = self._applied(command, where, where.held.game)
        where.held.take(transition)
        return outcomes

    def _applied(self, command: Command, where: Where, game: Game) -> tuple[Transition, Sequence[Answer | PlayerError]]:
        """What a command does to the game it is about, as that is now."""
        assert where.held is not None
        held = where.held
        if isinstance(command, Eject | Promote | HandOver):
            command = replace(command, who=self._seat_meant(command.who, held))
        moment = self._moment(where.actor, held.game.settings.zone, self._past(command, held), self._hidden(held))
        return apply(game, command, where.actor, held.pack.variant, moment)

    def _past(self, command: Command, held: Held) -> Past:
        """What the table of commands says that a command needs to know of the past, and what this mail has added to it."""
        needs, game = COMMANDS[type(command)].needs, held.game.id
        if not needs or held.version == 0:
            return Past()
        turns = self._tx.turns.of(game, withdrawn="withdrawn" in needs) if "turns" in needs else ()
        press = (*self._tx.press.of(game), *held.press) if "press" in needs else ()
        events = (*self._tx.events.of(game), *held.events) if "events" in needs else ()
        submissions = (*self._tx.submissions.of(game), *held.submissions) if "submissions" in needs else ()
        gone = set(held.withdrawn)
        return Past((*(turn for turn in turns if turn.number not in gone), *held.turns), press, events, submissions)

    def _hidden(self, held: Held) -> tuple[str, ...]:
        """Names and addresses that must stay hidden in a game where players do not know each other."""
        if not held.game.settings.gunboat:
            return ()
        people = [self._person(seat.person) for seat in held.game.seats if seat.person is not None]
        words = [word for person in people if person for word in (person.address, person.name)]
        return tuple(word for word in words if len(word) >= SHORTEST_NAME)

    def _seat_meant(self, who: str, held: Held) -> str:
        """The seat of somebody named by seat or by address.  Raises `NoSuchSeat`."""
        if held.game.seat(who) is not None:
            return who
        for seat in held.game.all_seats:
            person = self._person(seat.person)
            if person is not None and person.address.lower() == who.lower():
                return seat.key
        raise NoSuchSeat(who)
