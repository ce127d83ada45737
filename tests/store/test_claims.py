"""What a database remembers of the claims it made on mailboxes: enough to know its own, and each mailbox apart."""

from judge.store import SqlStore
from judge.store.claims import ClaimLedger


def test_the_latest_claims_are_remembered(store: SqlStore) -> None:
    """By every process that works with this database; of other mailboxes nothing."""
    ledger = ClaimLedger(store, "judge INBOX")
    assert ledger.read() == frozenset()
    for until in (100, 160, 160, 220):
        ledger.add(until)
    assert ClaimLedger(store, "judge INBOX").read() == {100, 160, 220}
    for until in range(300, 900, 60):
        ledger.add(until)
    assert 840 in ledger.read()
    assert 780 in ledger.read()
    assert len(ledger.read()) < 6
    assert ClaimLedger(store, "judge Games").read() == frozenset()
