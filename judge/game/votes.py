"""Votes of the survivors: draws, concessions, an agreed order of places, a new master; counted whenever one is cast."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta

from judge.board import Power
from judge.game.commands import CastVote, word_of
from judge.game.endings import finish
from judge.game.faults import NotAlive, NothingToDo, NotLargest, NotRunning, VoteNotAllowed
from judge.game.model import DrawRule, Ending, EndKind, Game, Status, Vote, VoteKind
from judge.game.notices import EVERYBODY, Audience, Event, News, Told, Transition
from judge.rules import Variant

MASTER_SILENT = timedelta(days=14)
"""Only after so long without a mail can the players vote a master out."""


def cast_vote(game: Game, command: CastVote, voter: Power, variant: Variant, at: datetime) -> Transition:
    """Take a vote, or take it back; what all have voted happens at once.

    Raises `NotRunning`, `NotAlive`, `VoteNotAllowed`, `NotLargest`, `NothingToDo` (no such vote to take back).
    """
    if game.status not in (Status.RUNNING, Status.PAUSED):
        raise NotRunning(game.status)
    if voter not in game.survivors:
        raise NotAlive(voter)
    kept = tuple(vote for vote in game.votes if (vote.voter, vote.kind) != (voter, command.kind))
    if not command.yes:
        if len(kept) == len(game.votes):
            raise NothingToDo(word_of(command))
        return Transition(replace(game, votes=kept), (Told("vote_back"),), events=(Event(at, voter, "vote_back", {"kind": command.kind}),))
    _check(game, command, voter, variant, at)
    vote = Vote(voter, command.kind, command.powers)
    event = Event(at, voter, "vote", {"kind": command.kind, "powers": " ".join(command.powers)})
    answer = Told(f"vote_{command.kind}" if command.powers else "vote_draw_all", {"powers": command.powers})
    if command.kind is VoteKind.MASTER:
        answer = Told("vote_master")
    done = Transition(replace(game, votes=(*kept, vote)), (answer,), events=(event,))
    if not game.settings.secret_votes:
        code = "vote_master" if command.kind is VoteKind.MASTER else f"vote_{command.kind}" if command.powers else "vote_draw_all"
        others = Audience(players=True, masters=True, observers=True, but=(voter,))
        done = replace(done, notices=(News(code, others, {"power": voter, "powers": command.powers}),))
    return settle(done, at)


def _check(game: Game, command: CastVote, voter: Power, variant: Variant, at: datetime) -> None:
    """Raise what speaks against a vote."""
    for power in command.powers:
        if power not in game.survivors:
            raise NotAlive(power)
    rule = game.settings.draws
    match command.kind:
        case VoteKind.DRAW:
            if rule is DrawRule.NONE:
                raise VoteNotAllowed("none")
            if rule is DrawRule.ALL and command.powers and set(command.powers) != set(game.survivors):
                raise VoteNotAllowed("all")
            if rule is DrawRule.LISTED and not command.powers:
                raise VoteNotAllowed("listed")
        case VoteKind.CONCEDE:
            if not game.settings.concessions or len(command.powers) != 1:
                raise VoteNotAllowed("concede")
            if not is_largest(game, command.powers[0]):
                raise NotLargest(command.powers[0])
        case VoteKind.RANK:
            if not has_ranking(variant) or set(command.powers) != set(game.survivors):
                raise VoteNotAllowed("rank")
        case VoteKind.MASTER:
            seen = game.master_seen_at or game.created_at
            if not game.masters or at - seen < MASTER_SILENT:
                raise VoteNotAllowed("master")


def has_ranking(variant: Variant) -> bool:
    """Whether games of the variant may end in an agreed order of places."""
    return variant.rulebook.agreed_ranking


def is_largest(game: Game, power: Power) -> bool:
    """Whether a power alone has the most centres."""
    counts = {key: sum(owner == key for owner in game.position.owners.values()) for key in game.survivors}
    return all(counts[key] < counts.get(power, 0) for key in counts if key != power)


def settle(done: Transition, at: datetime) -> Transition:
    """What the votes as they stand bring about, if anything."""
    game = done.game
    if game.status not in (Status.RUNNING, Status.PAUSED):
        return done
    ending = decided(game, at)
    if ending is not None:
        return finish(replace(game, status=Status.RUNNING), ending, done)
    for_new_master = [vote.voter for vote in game.votes if vote.kind is VoteKind.MASTER]
    players = [seat for seat in game.seats if seat.plays and seat.key in game.survivors]
    if game.masters and len(for_new_master) * 2 > len(players):
        return _dismiss_masters(done, at)
    return done


def _dismiss_masters(done: Transition, at: datetime) -> Transition:
    """The players have voted a silent master out; an observer may take the seat."""
    game = done.game
    gone = tuple(seat.person for seat in game.masters if seat.person is not None)
    after = replace(game, masters=(), votes=tuple(vote for vote in game.votes if vote.kind is not VoteKind.MASTER))
    told = (News("master_dismissed", Audience(people=gone)), News("master_wanted", EVERYBODY))
    events = (Event(at, "", "master_dismissed", {}),)
    return replace(done, game=after, notices=(*done.notices, *told), events=(*done.events, *events))


def decided(game: Game, at: datetime) -> Ending | None:
    """The end that all survivors have agreed on, if they have.

    A concession needs all others; an agreed order needs all, with the same list.  In a draw a vote without a list is for all survivors.
    """
    alive = game.survivors
    by_kind = {kind: {vote.voter: vote.powers for vote in game.votes if vote.kind is kind} for kind in VoteKind}
    for power in alive:
        conceding = [voter for voter, powers in by_kind[VoteKind.CONCEDE].items() if powers == (power,)]
        if len(alive) > 1 and set(alive) - {power} <= set(conceding) and is_largest(game, power):
            return Ending(EndKind.CONCEDED, (power,), at)
    ranks = by_kind[VoteKind.RANK]
    if alive and set(alive) <= set(ranks) and len({ranks[power] for power in alive}) == 1:
        return Ending(EndKind.RANKED, ranks[alive[0]], at)
    draws = by_kind[VoteKind.DRAW]
    if not alive or not set(alive) <= set(draws):
        return None
    shared = agreed_draw(alive, {power: draws[power] or alive for power in alive})
    if not shared:
        return None
    return Ending(EndKind.DRAWN, shared, at) if len(shared) > 1 else Ending(EndKind.CONCEDED, shared, at)


def agreed_draw(alive: Iterable[Power], lists: dict[Power, tuple[Power, ...]]) -> tuple[Power, ...]:
    """The largest draw that every survivor's list approves, () if there is none.

    Who names itself approves every part of its list that still has it; who does not name itself approves every part of its list with
    or without itself.  Source: the nJudge help on draws (research A8).

    >>> agreed_draw("ABC", {"A": ("A", "B", "C"), "B": ("A", "B"), "C": ("A", "B")})
    ('A', 'B')
    >>> agreed_draw("AB", {"A": ("A",), "B": ("B",)})
    ()
    """
    survivors = tuple(alive)
    shared = set(survivors)
    for voter in survivors:
        shared &= {*lists[voter], voter}
    if any(voter in lists[voter] and voter not in shared for voter in survivors):
        return ()
    return tuple(power for power in survivors if power in shared)
