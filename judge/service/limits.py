"""How many answers one address may get: headers lie, so no loop and no stranger may make the judge write for ever."""

from datetime import datetime

from judge.service.context import Services
from judge.service.identity import Sender
from judge.store import Transaction


def may_answer(s: Services, tx: Transaction, sender: Sender, now: datetime, *, known: bool) -> bool:
    """Count one answer to this sender; False once a cap is reached.  `known` people are capped by hour and day, strangers lower."""
    limits = s.config.limits
    hour = now.replace(minute=0, second=0, microsecond=0)
    day = hour.replace(hour=0)
    key = sender.address.lower()
    if known:
        return (
            tx.limits.add(f"answers/hour:{key}", hour) <= limits.answers_per_hour
            and tx.limits.add(f"answers/day:{key}", day) <= limits.answers_per_day
        )
    return (
        tx.limits.add("strangers/hour", hour) <= limits.strangers_total_per_hour
        and tx.limits.add(f"stranger/day:{key}", day) <= limits.strangers_per_day
    )
