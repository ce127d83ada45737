"""One daemon a SQLite store: a lock on a file beside the database, which the system lets go when its holder dies."""

import fcntl
import os
from pathlib import Path
from types import TracebackType

from judge.errors import OperatorError


class DaemonLock:
    """A held lock; `path` None is a lock that nobody needs.  Raises `OperatorError` if another process holds it."""

    def __init__(self, path: Path | None) -> None:
        self._file: int | None = None if path is None else _take(path)

    def release(self) -> None:
        """Let others have it."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def __enter__(self) -> "DaemonLock":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.release()


def _take(path: Path) -> int:
    """The lock file, open, locked, and holding our process id for whoever looks."""
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as held:
        holder = os.read(file, 20).decode("ascii", "replace").strip() or "?"
        os.close(file)
        raise OperatorError(
            f"another judge (process {holder}) works with this database: {path} is locked. Stop it first, or use PostgreSQL."
        ) from held
    os.ftruncate(file, 0)
    os.write(file, f"{os.getpid()}\n".encode())
    return file
