"""A mailbox is read by one installation: who reads it says so at the mailbox itself, where every other one sees it before reading."""

import fcntl
import os
import re
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol

from judge.mail.postbox import MailUnreachable

SPAN = timedelta(minutes=3)
"""How long a claim counts that nobody renews; after so long a mailbox can be taken over from an installation that died."""
LOCK_FILE = "chancery.lock"


class MailboxTaken(MailUnreachable):
    """Another installation reads this mailbox: nothing of it may be touched."""

    def __init__(self, mailbox: str, other: str, remedy: str) -> None:
        super().__init__(f"{mailbox} is read by another judge, the installation {other}: {remedy}")


class _Folders(Protocol):
    """The part of IMAPClient that keeps folders."""

    def has_capability(self, name: str) -> bool: ...
    def namespace(self) -> Any: ...
    def list_folders(self, directory: str = "", pattern: str = "*") -> Sequence[Any]: ...
    def create_folder(self, folder: str) -> Any: ...
    def rename_folder(self, old: str, new: str) -> Any: ...
    def delete_folder(self, folder: str) -> Any: ...


class Ledger(Protocol):
    """What an installation's database remembers of its claim on one mailbox: the latest moments (seconds since 1970) it was made for."""

    def read(self) -> frozenset[int]:
        """All that is remembered; empty before the first claim."""

    def add(self, until: int) -> None:
        """Remember a claim that is about to be made."""


class ImapClaim:
    """A claim on one folder of an account: an empty folder beside it, whose name says who reads until when.

    Every IMAP server keeps folders, which cannot be said of keywords, annotations or flags; and an installation that has seen nothing
    yet is kept out too.  `name` is the installation's, `mailbox` what is claimed, `span` how long a claim counts (renewed after a third).
    A copied database has the name of the first; by its `ledger` it sees that somebody else made the claim.  Clocks must agree to a
    minute or so.
    """

    def __init__(self, name: str, mailbox: str, now: Callable[[], datetime], span: timedelta = SPAN, ledger: Ledger | None = None) -> None:
        self._name = name
        self._ledger = ledger
        self._mailbox = mailbox
        self._now = now
        self._span = span
        self._until: datetime | None = None
        self._stem = f"chancery-{sha256(mailbox.encode()).hexdigest()[:6]}"

    def hold(self, client: _Folders) -> None:
        """Take the claim, or renew it in good time.  Raises `MailboxTaken`, and what the client raises."""
        now = self._now()
        if self._until is not None and timedelta(0) < self._until - now and self._until - now > self._span * 2 / 3:
            return
        prefix = _prefix(client)
        mine = self.look(client, prefix)
        self._mind_copies(client, prefix)
        until = now + self._span
        if self._ledger is not None:
            self._ledger.add(int(until.timestamp()))  # first here, so that a claim that stands there is always known here
        wanted = f"{prefix}{self._stem}-{self._name}-{int(until.timestamp())}"
        if not mine:
            client.create_folder(wanted)
        elif mine[0] != wanted:
            client.rename_folder(mine[0], wanted)
        run_out = [folder for name, ends, folder in self._claims(client, prefix) if name != self._name and ends <= now.timestamp()]
        for surplus in (*mine[1:], *run_out):
            client.delete_folder(surplus)
        try:
            self.look(client, prefix)  # two may have begun at the same moment
        except MailboxTaken:
            client.delete_folder(wanted)
            self._until = None
            raise
        self._until = until

    def _mind_copies(self, client: _Folders, prefix: str) -> None:
        """Raise `MailboxTaken` where a claim of this name counts that is not from this database: a copy of it works elsewhere."""
        known = self._ledger.read() if self._ledger is not None else frozenset()
        for name, until, folder in self._claims(client, prefix) if known else ():
            if name == self._name and until > self._now().timestamp() and until not in known:
                self._until = None
                remedy = (
                    f"it works with another copy of this database; stop one of the two; if that one is gone, wait three minutes or "
                    f"delete the folder {folder}"
                )
                raise MailboxTaken(self._mailbox, name, remedy)

    def look(self, client: _Folders, prefix: str | None = None) -> list[str]:
        """The folders of one's own claim.  Raises `MailboxTaken` where another's still counts and goes before it."""
        found = self._claims(client, _prefix(client) if prefix is None else prefix)
        mine = [folder for name, _, folder in found if name == self._name]
        now = self._now().timestamp()
        for name, until, folder in found:
            if name != self._name and until > now and (not mine or name < self._name):
                remedy = f"stop one of the two; if that one is gone, wait three minutes or delete the folder {folder}"
                raise MailboxTaken(self._mailbox, name, remedy)
        return mine

    def _claims(self, client: _Folders, prefix: str) -> list[tuple[str, int, str]]:
        """All claims on this mailbox: who, until when (seconds since 1970), the folder that says so."""
        form = re.compile(re.escape(f"{prefix}{self._stem}-") + r"([a-z0-9]{1,20})-(\d{1,12})")
        names = [str(each[2]) for each in client.list_folders("", f"{prefix}{self._stem}-*")]
        return sorted((match[1], int(match[2]), match[0]) for name in names if (match := form.fullmatch(name)))

    def let_go(self, client: _Folders) -> None:
        """Give the claim up, if it is held."""
        if self._until is not None:
            self._until = None
            for folder in self.look(client):
                client.delete_folder(folder)


def _prefix(client: _Folders) -> str:
    """What the names of personal folders begin with: "" mostly, "INBOX." with some servers (RFC 2342)."""
    if not client.has_capability("NAMESPACE"):
        return ""
    personal = client.namespace()[0]
    return str(personal[0][0] or "") if personal else ""


class FolderClaim:
    """A claim on a folder of this machine: a locked file in it, which the system lets go when its holder ends."""

    def __init__(self, name: str, folder: Path) -> None:
        self._name = name
        self._folder = folder
        self._file: int | None = None

    def hold(self) -> None:
        """Take the claim; other processes of the same installation may hold it too.  Raises `MailboxTaken`, OSError."""
        if self._file is not None:
            return
        file = os.open(self._folder / LOCK_FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(file, 40).decode("ascii", "replace").strip()
            os.close(file)
            if holder != self._name:
                raise MailboxTaken(f"the Maildir {self._folder}", holder or "?", "give each a folder of its own") from None
            return
        os.ftruncate(file, 0)
        os.write(file, f"{self._name}\n".encode())
        self._file = file

    def let_go(self) -> None:
        """Give the claim up, if it is held."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
