"""One daemon a SQLite store, or one that delivers and one for the rest: locks on files, which the system lets go when a holder dies."""

import fcntl
import os
from pathlib import Path
from types import TracebackType

from judge.errors import OperatorError


class DaemonLock:
    """The held locks of a database file; None for a database that needs none.  Raises `OperatorError` if another process holds one.

    `delivers` and `rest` are the parts of a daemon's work that nobody else may do meanwhile: handing letters over, and all other.
    """

    def __init__(self, database: Path | None, *, delivers: bool = True, rest: bool = True) -> None:
        self._files: list[int] = []
        if database is None:
            return
        try:
            for name, wanted in (("judge.lock", rest), ("judge.deliver.lock", delivers)):
                if wanted:
                    self._files.append(_take(database.parent / name))
        except OperatorError:
            self.release()
            raise

    def release(self) -> None:
        """Let others have them."""
        while self._files:
            os.close(self._files.pop())

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
