"""Routes over fleets: whether a chain of them joins two coasts, and which fleets a route needs.

Fleets are a set of provinces (bit mask); `links` gives for each of those provinces the set of provinces its fleet touches.
"""

from collections.abc import Mapping

from judge.rules.tables import bits

PATIENCE = 20_000
"""Steps after which the search for a route that needs a fleet gives up and lets the fleet convoy."""


def touching(links: Mapping[int, int], fleets: int, province: int) -> int:
    """Those of `fleets` that touch `province`."""
    found = 0
    for fleet in bits(fleets):
        if links[fleet] >> province & 1:
            found |= 1 << fleet
    return found


def has_route(links: Mapping[int, int], fleets: int, start: int, end: int) -> bool:
    """Whether `fleets` hold a chain from `start` to `end`.  Source: rulebook "Convoys"; one that holds is enough (DATC 4.A.1)."""
    fleets &= ~(1 << start | 1 << end)
    reached = 0
    for fleet, touched in links.items():
        if fleets >> fleet & 1 and touched >> start & 1:
            if touched >> end & 1:
                return True  # one fleet does it
            reached |= 1 << fleet
    grown = reached
    while grown:
        touched = 0
        for fleet in bits(grown):
            touched |= links[fleet]
        if touched >> end & 1:
            return True
        grown = touched & fleets & ~reached
        reached |= grown
    return False


def is_needed(links: Mapping[int, int], fleets: int, fleet: int, start: int, end: int) -> bool:
    """Whether some route over `fleets` from `start` to `end` runs through `fleet` and has no fleet to spare.

    A fleet that could only lengthen a route has no legal convoy order, so it shows no intent either (DATC 6.F.12, 6.G.7, 6.G.19).
    A route without a fleet to spare is one where only neighbours in the chain touch, and only its ends touch the two coasts.
    """
    fleets &= ~(1 << start | 1 << end)
    if not fleets >> fleet & 1:
        return False
    if links[fleet] >> start & links[fleet] >> end & 1:
        return True
    first, last = touching(links, fleets, start), touching(links, fleets, end)
    # Each entry: the last fleet of a route begun at `start`, the fleets that may not follow, and whether ours is in it.
    waiting = [(here, first | 1 << here, here == fleet) for here in bits(first)]
    for _ in range(PATIENCE):
        if not waiting:
            return False
        here, closed, ours = waiting.pop()
        if last >> here & 1:
            if ours:
                return True
            continue
        onward = links[here] & fleets
        closed_then = closed | onward
        waiting += [(to, closed_then, ours or to == fleet) for to in bits(onward & ~closed)]
    return True
