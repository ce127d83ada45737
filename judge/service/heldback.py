"""What waits for the daily letter of those who wish one, and who they are."""

import json
from collections.abc import Mapping
from datetime import datetime

from judge.game import News, Notice, Person, PressArrived, SettingChanged

DIGESTS = "digests"
"""The mark that holds who wishes one letter a day, and up to when each has been told: JSON, person to moment."""


def is_for_digest(notice: Notice) -> bool:
    """Whether a notice can wait for the daily letter: messages (no official ones), changed settings, news that asks for nothing."""
    match notice:
        case PressArrived(kind=kind):
            return kind != "official"
        case News(state=state):
            return not state
        case SettingChanged():
            return True
        case _:
            return False


def told_now(notice: Notice, people: Mapping[int, Person]) -> Mapping[int, Person]:
    """The people who get a notice at once."""
    if not is_for_digest(notice):
        return people
    return {number: person for number, person in people.items() if not person.digest}


def note_wish(kept: str | None, person: Person, now: datetime) -> str:
    """The mark with a person put in or taken out, as the wish says; who is in stays told up to then.

    >>> from datetime import UTC
    >>> note_wish(None, Person(7, "", "", digest=True), datetime(2026, 1, 5, tzinfo=UTC))
    '{"7": "2026-01-05T00:00:00+00:00"}'
    >>> note_wish('{"7": "2026-01-05T00:00:00+00:00"}', Person(7, "", ""), datetime(2026, 1, 6, tzinfo=UTC))
    '{}'
    """
    told = dict(json.loads(kept or "{}"))
    if person.digest:
        told.setdefault(str(person.id), now.isoformat())
    else:
        told.pop(str(person.id), None)
    return json.dumps(told)
