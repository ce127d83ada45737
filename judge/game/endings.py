"""The end of a game, and the two weeks of last words after it."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from judge.game.faults import NothingToDo
from judge.game.model import Ending, Game, Status
from judge.game.notices import EVERYBODY, Event, GameEnded, LastWords, Notice, Told, Transition
from judge.game.standby import withdraw_offers

STATEMENTS_LAST = timedelta(days=14)
LONGEST_STATEMENT = 20_000


def finish(game: Game, ending: Ending, before: Transition) -> Transition:
    """The transition `before` with the game ended after it; last words are collected for two weeks."""
    told: tuple[Notice, ...] = ()
    for power in {offer.power: None for offer in game.offers}:
        game, gone = withdraw_offers(game, power, "offer_over")
        # Who watches the game is told by its result.
        told = (*told, *(news for news in gone if news.audience.people))
    over = replace(
        game,
        status=Status.FINISHED,
        ending=ending,
        deadline=None,
        orders={},
        waits=frozenset(),
        all_in_since=None,
        ahead={},
        pending=(),
        postal=(),
        statements_until=ending.at + STATEMENTS_LAST if game.turns else None,
    )
    facts = {"how": ending.kind, "powers": " ".join(ending.powers), "votes": votes_in_words(game)}
    return replace(
        before,
        game=over,
        notices=(*before.notices, *told, GameEnded(ending)),
        events=(*before.events, Event(ending.at, "", "ended", {key: value for key, value in facts.items() if value})),
    )


def votes_in_words(game: Game) -> str:
    """Who voted for what, as the log keeps it."""
    return "; ".join(f"{vote.voter}: {vote.kind} {' '.join(vote.powers)}".strip() for vote in game.votes)


def make_statement(game: Game, key: str, text: str, at: datetime) -> Transition:
    """Keep a player's last words; a later one takes the place of an earlier one.  Raises `NothingToDo`."""
    if game.statements_until is None or at >= game.statements_until:
        raise NothingToDo("statement")
    kept: Mapping[str, str] = {**game.statements, key: text[:LONGEST_STATEMENT]}
    answer = Told("statement", {"until": game.statements_until})
    return Transition(replace(game, statements=kept), (answer,), events=(Event(at, key, "statement", {}),))


def publish_statements(game: Game, at: datetime) -> Transition:
    """The time for last words is over: they go to everybody."""
    after = replace(game, statements_until=None)
    told = (LastWords(game.statements, EVERYBODY),) if game.statements else ()
    return Transition(after, notices=told, events=(Event(at, "", "statements", {"count": str(len(game.statements))}),))
