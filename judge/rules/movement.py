"""The movement step: decides every move, support and convoy; breaks circles and paradoxes.

First all that follows from what is already known is decided, again and again.  What then stays open hangs on itself.  It is taken
apart into cores (groups that depend on each other and on nothing else open).  A core without convoys is a circle of moves, which
all succeed.  A core with convoys is a paradox unless exactly one resolution of it is consistent; in a paradox the convoying fleets
of the core count as holding, all at once (Szykman's rule, DATC 4.A.2).
"""

from collections.abc import Iterable

from judge.rules.strengths import NO, OPEN, YES, Contest
from judge.rules.tables import bits

MOVES, SUPPORTS, ROUTES = range(3)
"""Kinds of decision; a decision is its kind and the province of the unit it is about."""

Decision = tuple[int, int]

FEW = 10
"""Up to so many open decisions that one reads, it is tried out which of them matter; above, all are taken to."""


def resolve_movement(contest: Contest, moves: list[int], supports: list[int], routes: list[int]) -> None:
    """Decide all: `moves` and `supports` (matched and attacked ones) by province, `routes` of the moves that go by convoy."""
    while moves or supports or routes:
        moves, supports, routes = _settle(contest, moves, supports, routes)
        if moves or supports or routes:
            core = _core(contest, [(MOVES, n) for n in moves] + [(SUPPORTS, n) for n in supports] + [(ROUTES, n) for n in routes])
            _resolve_core(contest, core)


def _settle(contest: Contest, moves: list[int], supports: list[int], routes: list[int]) -> tuple[list[int], list[int], list[int]]:
    """Decide what follows from what is known, until nothing more does; gives what stays open."""
    given, route = contest.given, contest.route
    while True:
        open_routes = []
        for here in routes:
            verdict = route[here] = contest.decide_route(here)
            if verdict == OPEN:
                open_routes.append(here)
        open_supports = []
        for here in supports:
            verdict = given[here] = contest.decide_support(here)
            if verdict == OPEN:
                open_supports.append(here)
        open_moves = _settle_moves(contest, moves)
        if not (open_moves or open_supports or open_routes) or (
            len(open_moves) == len(moves) and len(open_supports) == len(supports) and len(open_routes) == len(routes)
        ):
            return open_moves, open_supports, open_routes
        moves, supports, routes = open_moves, open_supports, open_routes


def _settle_moves(contest: Contest, moves: list[int]) -> list[int]:
    """Decide moves until no more follow; gives those that stay open.

    Most moves have no support, and something about them is sure at once.  Nothing is said here of those that `Contest.decide_move`
    would not find too; it is quicker to say so.
    """
    at, to, success, route = contest.at, contest.to, contest.success, contest.route
    clashes, backers, attack, defence = contest.clashes, contest.backers, contest.attack, contest.defence
    floor = contest.rules.failed_attacker_defends
    decide_move = contest.decide_move
    while True:
        waiting = []
        for here in moves:
            there = to[here]
            if there in clashes:
                verdict = decide_move(here) if backers[here] else _beaten_to(contest, here, there)
            elif (occupant := at[there]) < 0:  # nobody there, nobody else coming
                verdict = route[here]
            elif (onward := to[there]) < 0:  # alone against a unit that stays
                verdict = NO if not backers[here] and attack[at[here]] <= defence[occupant] else decide_move(here)
            elif onward == here:
                verdict = decide_move(here)
            elif (left := success[there]) == YES:  # after a unit that left
                verdict = route[here]
            elif not backers[here] and attack[at[here]] <= floor:  # no match for a unit that failed to leave
                verdict = left if route[here] != NO else NO
            else:
                verdict = decide_move(here)
            if verdict == OPEN:
                waiting.append(here)
            else:
                success[here] = verdict
        if not waiting or len(waiting) == len(moves):
            return waiting
        moves = waiting


def _beaten_to(contest: Contest, here: int, there: int) -> int:
    """`Contest.decide_move` for a move without support to a place that others come to."""
    at, route, attack, head_on = contest.at, contest.route, contest.attack, contest.to[there]
    strength = attack[at[here]]
    for rival in contest.comers[there]:
        # One no weaker comes too; support can only make it stronger.  Only one that comes head on may be kept from coming.
        if rival != here and route[rival] == YES and rival != head_on and attack[at[rival]] >= strength:
            return NO
    return contest.decide_move(here)


def _decide(contest: Contest, decision: Decision) -> int:
    kind, here = decision
    if kind == MOVES:
        return contest.decide_move(here)
    return contest.decide_support(here) if kind == SUPPORTS else contest.decide_route(here)


def _known(contest: Contest, decision: Decision) -> int:
    kind, here = decision
    return (contest.success, contest.given, contest.route)[kind][here]


def _set(contest: Contest, decision: Decision, verdict: int) -> None:
    kind, here = decision
    (contest.success, contest.given, contest.route)[kind][here] = verdict


def _core(contest: Contest, decisions: list[Decision]) -> list[Decision]:
    """The first group of open decisions that depend on each other and on nothing else that is open."""
    open_now = set(decisions)
    needs = {decision: _matters(contest, decision, open_now) for decision in decisions}
    reached = {decision: _closure(decision, needs) for decision in decisions}
    # What a decision of a core reaches is the core; whatever reaches least lies in one.
    least = min(decisions, key=lambda decision: (len(reached[decision]), decision))
    return sorted(reached[least] | {least})


def _closure(decision: Decision, needs: dict[Decision, list[Decision]]) -> set[Decision]:
    reached: set[Decision] = set()
    waiting = [decision]
    while waiting:
        for needed in needs[waiting.pop()]:
            if needed not in reached:
                reached.add(needed)
                waiting.append(needed)
    return reached


def _matters(contest: Contest, decision: Decision, open_now: set[Decision]) -> list[Decision]:
    """The open decisions that can turn this one."""
    read = sorted(set(_reads(contest, decision)) & open_now - {decision})
    if len(read) > FEW:
        return read
    verdicts = []
    for trial in range(1 << len(read)):
        for n, other in enumerate(read):
            _set(contest, other, YES if trial >> n & 1 else NO)
        verdicts.append(_decide(contest, decision))
    for other in read:
        _set(contest, other, OPEN)
    return [other for n, other in enumerate(read) if any(verdict != verdicts[trial ^ 1 << n] for trial, verdict in enumerate(verdicts))]


def _reads(contest: Contest, decision: Decision) -> Iterable[Decision]:
    """The decisions looked at to make this one."""
    kind, here = decision
    if kind == ROUTES:
        for fleet in bits(contest.carriers[here]):
            yield from ((MOVES, comer) for comer in contest.comers[fleet])
        return
    if kind == SUPPORTS:
        for comer in contest.comers[here]:
            yield (MOVES, comer)
            yield (ROUTES, comer)
        return
    there = contest.to[here]
    yield (MOVES, there)
    yield from ((SUPPORTS, backer) for backer in contest.backers[there])
    for comer in contest.comers[there]:
        yield (ROUTES, comer)
        yield from ((SUPPORTS, backer) for backer in contest.backers[comer])


def _resolve_core(contest: Contest, core: list[Decision]) -> None:
    routes = [decision for decision in core if decision[0] == ROUTES]
    found = _resolutions(contest, core, routes)
    if len(found) == 1:
        for decision, verdict in zip(core, found[0], strict=True):
            _set(contest, decision, verdict)
        return
    failed = contest.failed
    for _, here in routes:
        for fleet in bits(contest.carriers[here]):
            if any((MOVES, comer) in core for comer in contest.comers[fleet]):
                contest.failed |= 1 << fleet
    if contest.failed == failed:  # pragma: no cover - see below
        # No rulebook known leads here; should a new switch make a core that has no resolution and no convoy, its moves fail.
        for decision in core:
            if decision[0] == MOVES:
                _set(contest, decision, NO)


def _resolutions(contest: Contest, core: list[Decision], routes: list[Decision]) -> list[list[int]]:
    """The consistent resolutions of a core, at most two of them: one for each consistent choice of the routes that hold.

    A ring of moves that is open although all routes are chosen succeeds (rulebook "Rotation"; DATC 6.C.1).
    """
    found: list[list[int]] = []
    waiting: list[tuple[int, ...]] = [()]
    while waiting and len(found) < 2:
        chosen = waiting.pop()
        for decision, verdict in zip(routes, chosen, strict=False):
            _set(contest, decision, verdict)
        _follow(contest, core, routes)
        is_complete = len(chosen) == len(routes)
        if is_complete:
            for decision in core:
                if decision[0] == MOVES and _known(contest, decision) == OPEN:
                    _set(contest, decision, YES)
            _follow(contest, core, routes)
        if all(_decide(contest, decision) in (OPEN, verdict) for decision, verdict in zip(routes, chosen, strict=False)):
            if not is_complete:
                waiting += [(*chosen, NO), (*chosen, YES)]
            elif all(_decide(contest, decision) == _known(contest, decision) != OPEN for decision in core):
                found.append([_known(contest, decision) for decision in core])
        for decision in core:
            _set(contest, decision, OPEN)
    return found


def _follow(contest: Contest, core: list[Decision], routes: list[Decision]) -> None:
    """Decide the moves and supports of a core that follow from what is known."""
    progress = True
    while progress:
        progress = False
        for decision in core:
            if decision[0] != ROUTES and _known(contest, decision) == OPEN:
                verdict = _decide(contest, decision)
                if verdict != OPEN:
                    _set(contest, decision, verdict)
                    progress = True
