"""Times in which the judge could not take mail: kept, and given back to games whose deadline they came before."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from judge.game import Deadline, DeadlineMoved, Event, Game, Transition, spare
from judge.service.context import Services
from judge.store import Transaction

MARK = "outages"
LOOK_BACK = timedelta(days=1)
"""Outages in so long a time before a deadline count; this is also the most a deadline is moved."""
KEPT = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Outage:
    """One time without mail."""

    start: datetime
    end: datetime


def note_outage(s: Services, tx: Transaction, start: datetime, end: datetime) -> bool:
    """Remember an outage if it was long enough to matter; whether it was."""
    least = timedelta(minutes=s.config.limits.outage_minutes)
    if not least or end - start < least or s.config.judge.clock != "system":  # a stepped clock jumps without any outage
        return False
    known = [each for each in outages(tx) if end - each.end < KEPT]
    kept = [[each.start.isoformat(), each.end.isoformat()] for each in merged([*known, Outage(start, end)])]
    tx.marks.set(MARK, json.dumps(kept))
    return True


def outages(tx: Transaction) -> list[Outage]:
    """The outages that are remembered, the oldest first."""
    kept = tx.marks.get(MARK)
    return [Outage(datetime.fromisoformat(start), datetime.fromisoformat(end)) for start, end in json.loads(kept)] if kept else []


def merged(times: Sequence[Outage]) -> list[Outage]:
    """The same times without overlaps.

    >>> from datetime import UTC
    >>> t = lambda hour: datetime(2026, 1, 1, hour, tzinfo=UTC)
    >>> [(each.start.hour, each.end.hour) for each in merged([Outage(t(5), t(7)), Outage(t(1), t(3)), Outage(t(2), t(4))])]
    [(1, 4), (5, 7)]
    """
    found: list[Outage] = []
    for each in sorted(times, key=lambda one: one.start):
        if found and each.start <= found[-1].end:
            found[-1] = replace(found[-1], end=max(found[-1].end, each.end))
        else:
            found.append(each)
    return found


def later_deadline(times: Sequence[Outage], deadline: datetime, least: timedelta, now: datetime) -> datetime | None:
    """Where a deadline goes after outages before it; None if they were too short.

    It moves by as long as the outages lasted, a day at most, and never to less than what was lost of the time before it.

    >>> from datetime import UTC
    >>> t = lambda hour: datetime(2026, 1, 1, hour, tzinfo=UTC)
    >>> hours = timedelta(hours=1)
    >>> later_deadline([Outage(t(8), t(13))], t(12), hours, t(13)).hour
    17
    >>> later_deadline([Outage(t(8), t(20))], t(9), hours, t(22)).hour, later_deadline([Outage(t(13), t(20))], t(12), hours, t(20))
    (23, None)
    """
    near = [each for each in times if each.start < deadline and each.end > deadline - LOOK_BACK]
    lost = sum((min(each.end, deadline) - max(each.start, deadline - LOOK_BACK) for each in near), timedelta(0))
    if not near or lost < least:
        return None
    length = min(sum((each.end - each.start for each in near), timedelta(0)), LOOK_BACK)
    return max(deadline + length, now + lost)


def move_for_outage(s: Services, tx: Transaction, game: Game, now: datetime) -> Transition | None:
    """The game with its deadline moved because the judge was away before it; None if there is no cause, or no more."""
    least = timedelta(minutes=s.config.limits.outage_minutes)
    if game.deadline is None or "outage" in game.deadline.moved or not least:
        return None
    at = later_deadline(outages(tx), game.deadline.at, least, now)
    if at is None:
        return None
    moved = replace(game, deadline=Deadline(at, game.deadline.why, (*game.deadline.moved, "outage")))
    event = Event(now, "", "deadline", {"from": game.deadline.at.isoformat(), "to": at.isoformat(), "why": "outage"})
    return spare(game, Transition(moved, notices=(DeadlineMoved(game.deadline.at, at, "", "outage"),), events=(event,)))
