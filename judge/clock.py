"""Where the time comes from: the machine, or a file that a demonstration moves on."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from judge.errors import TryLater


class Clock(Protocol):
    """Asked for the time by everything that needs it."""

    def now(self) -> datetime:
        """The present moment, aware, in UTC."""


class SystemClock:
    """The machine's own clock."""

    def now(self) -> datetime:
        """The present moment, aware, in UTC."""
        return datetime.now(UTC)


class SteppedClock:
    """A clock that stands where a file says (one ISO instant), for demonstrations and tests; it never goes by itself.

    Whoever moves it writes a new file and renames it over the old one.
    """

    def __init__(self, file: Path) -> None:
        self._file = file

    def now(self) -> datetime:
        """The instant in the file.  Raises `TryLater` while the file cannot be read."""
        try:
            return datetime.fromisoformat(self._file.read_text("ascii").strip()).astimezone(UTC)
        except (OSError, ValueError) as broken:
            raise TryLater(f"stepped clock {self._file}: {broken}") from broken


def write_stepped_clock(file: Path, at: datetime) -> None:
    """Move a stepped clock to `at`, in one step that no reader sees half done."""
    fresh = file.with_suffix(".new")
    fresh.write_text(at.astimezone(UTC).isoformat(), "ascii")
    fresh.replace(file)
