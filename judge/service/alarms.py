"""What the keeper must hear of before players do: little room on the disk, letters that do not leave, games that stand still."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from judge.service.context import Services
from judge.service.letters import operator_note
from judge.service.limits import is_first_today, was_told
from judge.store import Transaction
from judge.store.figures import StoreFigures, read_figures

LEAST_ROOM = 200_000_000
"""Octets that must be free in the spool."""
LETTERS_LATE = timedelta(hours=1)
"""How long a letter may wait before its first or next try brings it out."""
GAMES_LATE = timedelta(hours=1)
"""How long a game may be due without being closed."""


@dataclass(frozen=True, slots=True)
class Alarm:
    """One thing that is wrong: a word that names it, the subject of the letter, what it says."""

    code: str
    subject: str
    lines: tuple[str, ...]


def raise_alarms(s: Services) -> int:
    """Tell the keeper what is wrong now, each thing once a day; how many letters were written."""
    now = s.clock.now()
    figures = read_figures(s.store, now)
    with s.store.reading() as tx:
        found = [alarm for alarm in alarms(s, tx, figures, now) if not was_told(tx, f"alarm {alarm.code}", now)]
    if not found:
        return 0
    with s.store.transaction() as tx:
        for alarm in found:
            if is_first_today(tx, f"alarm {alarm.code}", now):
                tx.outbox.add(operator_note(s, alarm.subject, alarm.lines, f"{alarm.code}{now:%y%m%d}", now), now)
    s.letters.set()
    return len(found)


def alarms(s: Services, tx: Transaction, figures: StoreFigures, now: datetime) -> Iterator[Alarm]:
    """What is wrong at this moment."""
    free = shutil.disk_usage(s.config.spool).free
    if free < LEAST_ROOM:
        yield Alarm(
            "disk", "Little room on the disk", (f"{free // 1_000_000} MB are free in {s.config.spool}.", "no mail is taken without room")
        )
    if figures.oldest_letter is not None and now - figures.oldest_letter > LETTERS_LATE:
        lines = (
            f"{figures.letters} letters wait, the oldest since {figures.oldest_letter:%Y-%m-%d %H:%M} UTC.",
            "what the relay answers stands in the log",
        )
        yield Alarm("outbox", "Letters do not leave", lines)
    if figures.due_since is not None and now - figures.due_since > GAMES_LATE:
        late = tx.games.due(now - GAMES_LATE, 100)
        yield Alarm("overdue", "Games are overdue", (f"due for an hour and not closed: {', '.join(map(str, late))}",))
