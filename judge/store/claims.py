"""What this database remembers of the claims that were made on mailboxes in its name, so that a copy of it is noticed."""

from hashlib import sha256

from judge.store.sql import SqlStore

KEPT = 4
"""The latest claims: one that could not be put at the mailbox leaves an older one standing there."""


class ClaimLedger:
    """The claims on one mailbox: until when each was to count, in seconds since 1970."""

    def __init__(self, store: SqlStore, mailbox: str) -> None:
        self._store = store
        self._mark = f"claim:{sha256(mailbox.encode()).hexdigest()[:16]}"

    def read(self) -> frozenset[int]:
        """The latest claims; empty before the first."""
        with self._store.reading() as tx:
            return frozenset(_numbers(tx.marks.get(self._mark)))

    def add(self, until: int) -> None:
        """Remember a claim that is about to be made."""
        with self._store.transaction() as tx:
            kept = [each for each in _numbers(tx.marks.get(self._mark)) if each != until]
            tx.marks.set(self._mark, " ".join(map(str, [*kept, until][-KEPT:])))


def _numbers(text: str | None) -> list[int]:
    return [int(each) for each in (text or "").split()]
