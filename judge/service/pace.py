"""How fast letters leave: so many a minute to everybody and to one domain, and patience with whoever asks for it."""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from threading import Lock

from judge.mail.backoff import Backoff

MINUTE = 60.0
FIRST_REST, LONGEST_REST = 30.0, 3600.0
"""Seconds a domain is left alone that asked for patience; doubled each time it asks again, until a letter is taken."""
SLOW = 2.0
"""Seconds after which a letter counts as slow, and its domain gets no more than one connection."""
RELAY = ""
"""The name under which the way out itself is paced."""


@dataclass
class _Stretch:
    """What is known of the relay or of one domain; times are seconds of the monotonic clock."""

    left_at: deque[float] = field(default_factory=deque)
    rests_until: float = 0.0
    rests: int = 0
    slow: bool = False

    def room(self, at: float, most: int) -> int:
        """How many letters may leave now so that no minute has seen more than `most`."""
        while self.left_at and self.left_at[0] <= at - MINUTE:
            self.left_at.popleft()
        return max(0, most - len(self.left_at))


class Pacer:
    """Knows who may be written to now; may be used by several threads.

    `a_minute` and `to_domain` are the most letters in any minute to all and to one domain, 0 for no limit.
    """

    def __init__(self, a_minute: int = 0, to_domain: int = 0, clock: Callable[[], float] = time.monotonic) -> None:
        self.a_minute = a_minute
        self.to_domain = to_domain
        self.clock = clock
        self.share = 1
        """Among how many processes the pace is divided."""
        self._lock = Lock()
        self._domains: dict[str, _Stretch] = {}
        self._relay = _Stretch()
        self._backoff = Backoff()
        self._failing: set[str] = set()

    def room(self, most: int) -> int:
        """How many letters may be claimed now: `most`, one where the relay was out of reach the last times, none while it rests."""
        with self._lock:
            at = self.clock()
            if self._backoff.pause(at) > 0:
                return 0
            if self._backoff.failures:
                return 1
            return min(most, self._relay.room(at, self._allowed(self.a_minute))) if self.a_minute else most

    def resting(self) -> list[str]:
        """Domains to which nothing may be sent now."""
        with self._lock:
            at = self.clock()
            return [name for name, stretch in self._domains.items() if not self._open(stretch, at)]

    def take(self, domain: str) -> bool:
        """Count one letter to that domain; False, and not counted, if it may not leave now."""
        with self._lock:
            at = self.clock()
            stretch = self._domains.setdefault(domain, _Stretch())
            if not self._open(stretch, at) or (self.a_minute and not self._relay.room(at, self._allowed(self.a_minute))):
                return False
            if self.to_domain:
                stretch.left_at.append(at)
            if self.a_minute:
                self._relay.left_at.append(at)
            return True

    def went(self, domain: str, seconds: float) -> bool:
        """A letter to that domain was answered for after so long; True if it is the first one after trouble."""
        with self._lock:
            stretch = self._domains.setdefault(domain, _Stretch())
            again = bool(stretch.rests or self._backoff.failures)
            stretch.rests = 0
            stretch.slow = seconds > SLOW
            self._backoff = self._backoff.succeeded()
            self._failing.clear()
            return again

    def rest(self, domain: str, at_least: timedelta = timedelta(0)) -> timedelta:
        """That domain asked for patience, or hangs: how long it is left alone now."""
        with self._lock:
            stretch = self._domains.setdefault(domain, _Stretch())
            wait = max(min(FIRST_REST * 2.0 ** min(stretch.rests, 10), LONGEST_REST), at_least.total_seconds())
            stretch.rests += 1
            stretch.slow = True
            stretch.rests_until = self.clock() + wait
            return timedelta(seconds=wait)

    def unreachable(self, domain: str, dice: float) -> None:
        """Nothing is known of a letter to that domain; from the second domain in a row on it is the relay that is to blame."""
        with self._lock:
            self._failing.add(domain)
            if len(self._failing) > 1 or self._backoff.failures:
                self._backoff = self._backoff.failed(self.clock(), dice)

    def no_connection(self, dice: float) -> None:
        """The relay itself cannot be reached."""
        with self._lock:
            self._backoff = self._backoff.failed(self.clock(), dice)

    def is_slow(self, domain: str) -> bool:
        """Whether the last letter there took long, or was not taken."""
        with self._lock:
            return domain in self._domains and self._domains[domain].slow

    def pause(self) -> float:
        """Seconds until something that rests now may go on; a minute at most."""
        with self._lock:
            at = self.clock()
            ends = [stretch.rests_until - at for stretch in self._domains.values() if stretch.rests_until > at]
            full = [s for s in (self._relay, *self._domains.values()) if s.left_at]
            ends += [stretch.left_at[0] + MINUTE - at for stretch in full]
            ends.append(self._backoff.pause(at) or MINUTE)
            return max(0.05, min(ends))

    def _open(self, stretch: _Stretch, at: float) -> bool:
        return stretch.rests_until <= at and (not self.to_domain or stretch.room(at, self._allowed(self.to_domain)) > 0)

    def _allowed(self, most: int) -> int:
        return max(1, most // max(1, self.share))
