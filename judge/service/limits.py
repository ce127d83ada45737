"""How many answers one address may get, and mails one sender may send: headers lie, so no loop and no stranger rules the judge."""

from datetime import datetime

from judge.service.context import Services
from judge.service.identity import Sender
from judge.store import Transaction


def hour_of(now: datetime) -> datetime:
    """The hour a moment lies in."""
    return now.replace(minute=0, second=0, microsecond=0)


def day_of(now: datetime) -> datetime:
    """The day (UTC) a moment lies in."""
    return hour_of(now).replace(hour=0)


def why_no_answer(s: Services, tx: Transaction, sender: Sender, now: datetime, *, known: bool) -> str:
    """Count one answer to this sender; "" if it may be sent, else the cap that is reached.

    `known` people are capped by hour and day; strangers lower, and all of them together.
    """
    limits = s.config.limits
    hour, day, key = hour_of(now), day_of(now), sender.address.lower()
    if known:
        counts = {
            "answers_per_hour": tx.limits.add(f"answers/hour:{key}", hour) <= limits.answers_per_hour,
            "answers_per_day": tx.limits.add(f"answers/day:{key}", day) <= limits.answers_per_day,
        }
    else:
        counts = {"strangers_per_day": tx.limits.add(f"stranger/day:{key}", day) <= limits.strangers_per_day}
        if counts["strangers_per_day"]:  # one stranger alone must not use up what is for all
            counts["strangers_total_per_hour"] = tx.limits.add("strangers/hour", hour) <= limits.strangers_total_per_hour
    return next((name for name, may in counts.items() if not may), "")


def mails_this_hour(tx: Transaction, sender: Sender, proof: str, now: datetime) -> int:
    """Count one more mail that is read; how many came from that address in this hour, those that prove themselves by themselves.

    A flood in somebody's name cannot use up what that person may send.
    """
    group = "proven" if proof != "none" else "unproven"
    return tx.limits.add(f"mails/hour:{group}:{sender.address.lower()}", hour_of(now))


def is_first_today(tx: Transaction, what: str, now: datetime) -> bool:
    """Note that something is told; True if it was not told today."""
    return tx.limits.add(f"told:{what}", day_of(now)) == 1


def was_told(tx: Transaction, what: str, at: datetime) -> bool:
    """Whether `is_first_today` was asked for this on the day of that moment."""
    return tx.limits.count(f"told:{what}", day_of(at)) > 0
