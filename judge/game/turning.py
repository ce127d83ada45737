"""Closing a phase: adjudicate, keep the turn, open the next phase or end the game."""

from dataclasses import replace
from datetime import datetime

from judge.game.deadlines import grace_left, open_phase, reminders_passed
from judge.game.model import Ending, EndKind, Game, Status, Turn
from judge.game.notices import Audience, Event, GameEnded, Notice, OrdersMissing, ReminderDue, Transition, TurnClosed
from judge.game.orderdesk import note_all_in, owing
from judge.rules import Variant, adjudicate


def tick(game: Game, variant: Variant, now: datetime) -> Transition:
    """What the time that has come asks for: the phase closed, or its lateness told where the game gives grace."""
    assert game.deadline is not None
    if game.all_in_since is not None:
        return close_phase(game, variant, now, "all_in")
    late = owing(game, variant)
    if not late:
        return close_phase(game, variant, now, "deadline")
    if grace_left(game, now):
        told = note_all_in(replace(game, late_told=True), variant, now)
        return Transition(told, notices=(OrdersMissing(late),), events=(Event(now, "", "late", {"powers": " ".join(late)}),))
    return close_phase(game, variant, now, "deadline")


def close_phase(game: Game, variant: Variant, at: datetime, reason: str) -> Transition:
    """Adjudicate the open phase with the orders on file and go on; phases in which nobody has anything to order are passed over.

    `at` is the moment of closing, from which the next deadline is counted; `reason` is "deadline", "all_in" or "master".
    """
    given = {power: tuple(filed.order for filed in orders) for power, orders in game.orders.items()}
    adjudication = adjudicate(game.position, given, variant)
    turn = Turn(game.turns + 1, game.phase, game.position, given, adjudication, at)
    after = replace(game, position=adjudication.after, turns=turn.number, pending=())
    event = Event(at, "", "closed", {"phase": str(game.phase), "reason": reason})
    told: tuple[Notice, ...] = (TurnClosed((turn,), reason),)
    if adjudication.winner is None:
        return Transition(note_all_in(open_phase(after, at), variant, at), notices=told, turns=(turn,), events=(event,))
    ending = Ending(EndKind.WON, (adjudication.winner,), at)
    return finish(after, ending, Transition(after, notices=told, turns=(turn,), events=(event,)))


def finish(game: Game, ending: Ending, before: Transition) -> Transition:
    """The transition `before` with the game ended after it."""
    over = replace(game, status=Status.FINISHED, ending=ending, deadline=None, orders={}, waits=frozenset(), all_in_since=None)
    return replace(
        before,
        game=over,
        notices=(*before.notices, GameEnded(ending)),
        events=(*before.events, Event(ending.at, "", "ended", {"how": ending.kind, "powers": " ".join(ending.powers)})),
    )


def remind(game: Game, variant: Variant, now: datetime) -> Transition:
    """One reminder to those who still owe orders; several missed ones (after an outage) become one."""
    assert game.deadline is not None
    after = replace(game, reminded=reminders_passed(game, now))
    late = owing(game, variant)
    told: tuple[Notice, ...] = (ReminderDue(Audience(seats=late), game.deadline.at - now),) if late and now < game.deadline.at else ()
    return Transition(after, notices=told)
