"""How long to leave a mail server alone after a fault: values only, the clock and the dice come from outside."""

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Backoff:
    """What is known of the last tries; times are seconds of a monotonic clock.

    Pauses double from `first` to `most`, with jitter, so that a server is found again within a minute of its
    return and never asked in a loop.
    """

    first: float = 1.0
    most: float = 40.0
    failures: int = 0
    not_before: float = 0.0

    def failed(self, at: float, jitter: float, pause: float = 0.0) -> "Backoff":
        """After another failure at `at`; `jitter` is drawn from 0 to 1, `pause` the least the server asked for.

        >>> b = Backoff()
        >>> [round((b := b.failed(0.0, 1.0)).not_before) for _ in range(8)]
        [1, 2, 4, 8, 16, 32, 40, 40]
        """
        wait = min(self.most, self.first * 2 ** min(self.failures, 16)) * (0.5 + jitter / 2)
        return replace(self, failures=self.failures + 1, not_before=at + max(wait, pause))

    def succeeded(self) -> "Backoff":
        """After anything that worked."""
        return replace(self, failures=0, not_before=0.0)

    def pause(self, at: float) -> float:
        """Seconds until the next try is allowed, 0 for now."""
        return max(0.0, self.not_before - at)
