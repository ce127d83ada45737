"""How long to leave a mail server alone after a fault: values only, the clock and the dice come from outside."""

from dataclasses import dataclass, replace
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Backoff:
    """What is known of the last tries; times are seconds of a monotonic clock.

    A short fault is over at once, so the first pauses are short; a server that is away longer is found again within
    half a minute of its return, and never asked in a loop.
    """

    PAUSES: ClassVar[tuple[float, ...]] = (1.0, 2.0, 5.0, 10.0, 30.0)

    failures: int = 0
    not_before: float = 0.0

    def failed(self, at: float, jitter: float, pause: float = 0.0) -> "Backoff":
        """After another failure at `at`; `jitter` is drawn from 0 to 1, `pause` the least the server asked for.

        >>> b = Backoff()
        >>> [round((b := b.failed(0.0, 1.0)).not_before) for _ in range(7)]
        [1, 2, 5, 10, 30, 30, 30]
        """
        wait = self.PAUSES[min(self.failures, len(self.PAUSES) - 1)] * (0.5 + jitter / 2)
        return replace(self, failures=self.failures + 1, not_before=at + max(wait, pause))

    def succeeded(self) -> "Backoff":
        """After anything that worked."""
        return replace(self, failures=0, not_before=0.0)

    def pause(self, at: float) -> float:
        """Seconds until the next try is allowed, 0 for now."""
        return max(0.0, self.not_before - at)


@dataclass(frozen=True, slots=True)
class Allowance:
    """What may be done `burst` times at once, and over a long time once in `every` seconds.

    >>> a = Allowance(burst=2, every=30.0)
    >>> [(a := a.spent(0.0)).pause(0.0) for _ in range(3)], a.pause(20.0), a.pause(90.0)
    ([0.0, 30.0, 60.0], 40.0, 0.0)
    """

    burst: int
    every: float
    full_at: float = float("-inf")
    """When everything that was spent is earned back."""

    def spent(self, at: float) -> "Allowance":
        """After doing it once."""
        return replace(self, full_at=max(self.full_at, at) + self.every)

    def pause(self, at: float) -> float:
        """Seconds until it may be done again, 0 for now."""
        return max(0.0, self.full_at - at - (self.burst - 1) * self.every)
