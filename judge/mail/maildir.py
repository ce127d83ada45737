"""Both ends of the mail as folders: a Maildir that is read, a Maildir that is written."""

import os
import socket
import stat
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from threading import Event

from judge.mail.claim import FolderClaim
from judge.mail.headers import cut_to_header
from judge.mail.postbox import Arrival, Batch, Delivered, MailUnreachable, Outcome
from judge.mail.received import received_time
from judge.mail.settings import Border

_FOLDERS = ("tmp", "new", "cur")
_COUNTER = count()
_NO_BORDER = Border()


def _make_folders(folder: Path) -> None:
    for name in _FOLDERS:
        (folder / name).mkdir(parents=True, exist_ok=True)


def _sync_folder(folder: Path) -> None:
    """Make a rename durable: without this a crash can undo it (research 1.2)."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


class MaildirSource:
    """Mails that a mail system, or a hand, puts into ``new``; what is kept moves to ``cur``.

    `now` gives the time as the judge sees it; the arrival is what the border's Received field says, else the
    file's own time.
    """

    def __init__(
        self,
        folder: Path,
        now: Callable[[], datetime],
        *,
        claim: FolderClaim | None = None,
        border: Border = _NO_BORDER,
        largest: int = 1_048_576,
        batch: int = 20,
    ) -> None:
        self.folder = folder
        self.name = f"maildir:{folder.name}"
        self._now = now
        self._claim = claim
        self._border = border
        self._largest = largest
        self._batch = batch
        self._read_until: datetime | None = None
        _make_folders(folder)

    def fetch(self, cursor: str) -> Iterator[Batch]:
        """The mails in ``new``, the oldest file first; the cursor is not needed and stays as it is."""
        started = self._now()
        try:
            if self._claim is not None:
                self._claim.hold()
            found = sorted((entry.stat(follow_symlinks=False).st_mtime_ns, entry.name) for entry in os.scandir(self.folder / "new"))
        except OSError as error:
            raise MailUnreachable(f"cannot read {self.folder}: {error.strerror}") from error
        names = [name for _, name in found if not name.startswith(".")]
        for start in range(0, len(names), self._batch):
            block = names[start : start + self._batch]
            read = [(name, arrival) for name in block if (arrival := self._read(name)) is not None]
            yield Batch(tuple(arrival for _, arrival in read), cursor, tuple(name for name, _ in read))
        self._read_until = started

    def _read(self, name: str) -> Arrival | None:
        """One mail; None for what is no file, or gone."""
        try:
            handle = os.open(self.folder / "new" / name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError:
            return None
        with open(handle, "rb") as file:
            status = os.fstat(handle)
            if not stat.S_ISREG(status.st_mode):
                return None
            raw = file.read(self._largest + 1)
        if len(raw) > self._largest:
            raw = cut_to_header(raw[:100_000], status.st_size)
        written = datetime.fromtimestamp(status.st_mtime, UTC)
        arrived = received_time(raw, self._border) if self._border.received_by else None
        return Arrival(raw, min(arrived or written, self._now()), f"{self.name}:{name.partition(':')[0]}")

    def ack(self, batch: Batch) -> None:
        """Move what is kept to ``cur``, marked as seen."""
        for name in batch.marks:
            try:
                os.rename(self.folder / "new" / name, self.folder / "cur" / f"{name.partition(':')[0]}:2,S")
            except OSError:
                continue  # it is kept; the same file is known again by its name

    def read_until(self) -> datetime | None:
        """When the last complete look into the folder began."""
        return self._read_until

    def wait(self, timeout: float, wake: Event) -> bool:
        """Look into ``new`` twice a second."""
        end = time.monotonic() + timeout
        while not wake.is_set():
            if any(not name.startswith(".") for name in os.listdir(self.folder / "new")):
                return True
            left = end - time.monotonic()
            if left <= 0:
                break
            wake.wait(min(0.5, left))
        return False

    def close(self) -> None:
        """Others may read it now."""
        if self._claim is not None:
            self._claim.let_go()


class MaildirSink:
    """Letters as files: what would have been sent, or what another program sends on."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        _make_folders(folder)

    def send(self, envelope_from: str, recipients: Sequence[str], raw: bytes) -> tuple[Outcome, ...]:
        """One file a recipient, its envelope on top; durable when this returns."""
        try:
            for recipient in recipients:
                self._write(f"Return-Path: <{_one_line(envelope_from)}>\r\nDelivered-To: {_one_line(recipient)}\r\n".encode() + raw)
            _sync_folder(self.folder / "new")
        except OSError as error:
            raise MailUnreachable(f"cannot write to {self.folder}: {error.strerror}") from error
        return tuple(Delivered(recipient) for recipient in recipients)

    def _write(self, octets: bytes) -> None:
        second, nanos = divmod(time.time_ns(), 1_000_000_000)
        host = socket.gethostname().replace("/", "_").replace(":", "_")[:60]
        name = f"{second}.M{nanos // 1000:06}P{os.getpid()}Q{next(_COUNTER)}.{host}"
        waiting = self.folder / "tmp" / name
        try:
            with open(waiting, "xb") as file:
                file.write(octets)
                file.flush()
                os.fsync(file.fileno())
            os.rename(waiting, self.folder / "new" / name)
        except OSError:
            waiting.unlink(missing_ok=True)
            raise

    def close(self) -> None:
        """Nothing is held open."""


def _one_line(text: str) -> str:
    return "".join(char for char in text if " " < char < "\x7f")
