"""Two installations and one mailbox: the second one touches nothing of it, until the first has gone."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from socket import AF_UNIX, socket
from typing import Any

import pytest

from judge.mail import MailboxTaken, OwnAddresses
from judge.mail.claim import SPAN, FolderClaim, ImapClaim
from judge.mail.door import Door, DoorSettings
from judge.mail.imap import ImapAccount, ImapSource
from judge.mail.maildir import MaildirSource
from tests.support.dovecot import PASSWORD, Dovecot
from tests.support.places import open_folder, wait_until
from tests.support.table import NOON, FixedClock

MAIL = b"From: a@example.com\r\nTo: judge@example.org\r\n\r\nHELP\r\n"


@dataclass
class Account:
    """The folders of an account, as IMAPClient shows them."""

    prefix: str = ""
    folders: list[str] = field(default_factory=list)
    made: int = 0

    def has_capability(self, name: str) -> bool:
        return name == "NAMESPACE" and bool(self.prefix)

    def namespace(self) -> Any:
        return (((self.prefix, "."),), None, None)

    def list_folders(self, directory: str = "", pattern: str = "*") -> Sequence[Any]:
        return [((), b".", name) for name in self.folders if name.startswith(pattern.rstrip("*"))]

    def create_folder(self, folder: str) -> None:
        self.made += 1
        self.folders.append(folder)

    def rename_folder(self, old: str, new: str) -> None:
        self.made += 1
        self.folders[self.folders.index(old)] = new

    def delete_folder(self, folder: str) -> None:
        self.folders.remove(folder)


@pytest.fixture(params=["", "INBOX."])
def account(request: pytest.FixtureRequest) -> Account:
    return Account(request.param)


def claim(name: str, clock: FixedClock, mailbox: str = "judge INBOX") -> ImapClaim:
    return ImapClaim(name, mailbox, clock.now)


def test_the_second_one_is_kept_out_until_the_first_has_gone(account: Account) -> None:
    clock = FixedClock()
    first, second = claim("bbb", clock), claim("aaa", clock)
    first.hold(account)
    assert [name.startswith(f"{account.prefix}chancery-") for name in account.folders] == [True]
    for _ in range(3):
        with pytest.raises(MailboxTaken, match="installation bbb: stop one of the two"):
            second.hold(account)
    with pytest.raises(MailboxTaken):
        second.look(account)
    first.hold(account)
    first.let_go(account)
    assert account.folders == []
    second.hold(account)
    with pytest.raises(MailboxTaken):
        claim("ccc", clock).hold(account)


def test_renewed_in_time_and_not_more_often(account: Account) -> None:
    clock = FixedClock()
    first, second = claim("aaa", clock), claim("bbb", clock)
    for _ in range(60):
        first.hold(account)
        clock.at += timedelta(seconds=15)
        with pytest.raises(MailboxTaken):
            second.hold(account)
    assert account.made <= 60 * 15 / (SPAN.total_seconds() / 3) + 1
    assert len(account.folders) == 1


def test_taken_over_from_one_that_died(account: Account) -> None:
    clock = FixedClock()
    claim("aaa", clock).hold(account)
    again = claim("aaa", clock)  # the same one started anew
    clock.at += timedelta(seconds=5)
    again.hold(account)
    assert len(account.folders) == 1
    clock.at += SPAN + timedelta(seconds=1)
    other = claim("bbb", clock)
    other.hold(account)
    assert ["-bbb-" in name for name in account.folders] == [True]
    with pytest.raises(MailboxTaken, match="installation bbb"):
        claim("aaa", clock).look(account)


class Remembered(set[int]):
    """What one database remembers of its claims."""

    def read(self) -> frozenset[int]:
        return frozenset(self)


def test_a_copy_of_the_database_is_kept_out(account: Account) -> None:
    """It has the name of the first, and none of the claims that were made since it was copied."""
    clock = FixedClock()
    ledger = Remembered()
    first = ImapClaim("aaa", "judge INBOX", clock.now, ledger=ledger)
    first.hold(account)
    copied = Remembered(ledger)
    clock.at += SPAN / 2
    first.hold(account)
    copy = ImapClaim("aaa", "judge INBOX", clock.now, ledger=copied)
    for _ in range(2):
        with pytest.raises(MailboxTaken, match="another copy of this database; stop one of the two"):
            copy.hold(account)
    again = ImapClaim("aaa", "judge INBOX", clock.now, ledger=ledger)  # the first one started anew, or a second process of it
    again.hold(account)
    clock.at += SPAN + timedelta(seconds=1)
    copy.hold(account)
    with pytest.raises(MailboxTaken, match="another copy"):
        first.hold(account)
    assert len(account.folders) == 1


def test_a_claim_that_could_not_be_renewed_is_still_known(account: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    """The database remembers before the mailbox is told: what stands there after a failure is an older claim of one's own."""
    clock = FixedClock()
    ledger = Remembered()
    ImapClaim("aaa", "judge INBOX", clock.now, ledger=ledger).hold(account)
    clock.at += SPAN / 2
    with monkeypatch.context() as broken:
        broken.setattr(account, "rename_folder", lambda old, new: (_ for _ in ()).throw(OSError("gone")))
        with pytest.raises(OSError, match="gone"):
            ImapClaim("aaa", "judge INBOX", clock.now, ledger=ledger).hold(account)
    ImapClaim("aaa", "judge INBOX", clock.now, ledger=ledger).hold(account)
    assert len(account.folders) == 1


def test_of_two_that_begin_at_once_one_goes_on(account: Account) -> None:
    clock = FixedClock()
    one, other = claim("aaa", clock), claim("bbb", clock)
    real = account.create_folder

    def at_once(folder: str) -> None:
        account.create_folder = real  # type: ignore[method-assign]
        one.hold(account)
        real(folder)

    account.create_folder = at_once  # type: ignore[method-assign]
    with pytest.raises(MailboxTaken, match="installation aaa"):
        other.hold(account)
    one.hold(account)
    assert len(account.folders) == 1


def test_other_folders_and_accounts_are_no_matter(account: Account) -> None:
    clock = FixedClock()
    claim("aaa", clock).hold(account)
    claim("bbb", clock, "judge Other").hold(account)
    account.folders += [f"{account.prefix}chancery", "chancery-x", f"{account.prefix}Sent"]
    claim("aaa", clock).hold(account)


def test_a_maildir_is_read_by_one(tmp_path: Path) -> None:
    clock = FixedClock()
    first, second, same = (MaildirSource(tmp_path, clock.now, claim=FolderClaim(name, tmp_path)) for name in ("aaa", "bbb", "aaa"))
    (tmp_path / "new" / "1").write_bytes(MAIL)
    assert [len(batch.arrivals) for batch in first.fetch("")] == [1]
    with pytest.raises(MailboxTaken, match="installation aaa"):
        list(second.fetch(""))
    assert [len(batch.arrivals) for batch in same.fetch("")] == [1]  # another process of the same; the database says who may
    first.close()
    assert [len(batch.arrivals) for batch in second.fetch("")] == [1]


def test_a_socket_somebody_listens_at_is_not_taken() -> None:
    folder = open_folder("sockets")
    settings = DoorSettings(protocol="lmtp", path=folder / "lmtp.sock")
    own = OwnAddresses("judge@example.org", "judge-bounces@example.org")
    doors = [Door(lambda arrivals: None, lambda: NOON, settings, is_known=own.is_own) for _ in range(2)]
    doors[0].start()
    with pytest.raises(OSError, match="in use"):
        doors[1].start()
    doors[0].stop()
    with socket(AF_UNIX) as left_behind:
        left_behind.bind(str(folder / "lmtp.sock"))
    again = Door(lambda arrivals: None, lambda: NOON, settings, is_known=own.is_own)
    again.start()
    again.stop()


# ---- a real server


@pytest.fixture(scope="module")
def dovecot() -> Iterator[Dovecot]:
    with Dovecot() as server:
        yield server


def source(dovecot: Dovecot, name: str, user: str = "claimed") -> ImapSource:
    account = ImapAccount("127.0.0.1", user, lambda: PASSWORD, port=dovecot.imap, security="none")

    def now() -> datetime:
        return datetime.now(UTC)

    return ImapSource(account, now, claim=ImapClaim(name, user, now))


def test_on_a_real_server(dovecot: Dovecot) -> None:
    dovecot.deliver(MAIL, to="claimed@example.org")
    first, second = source(dovecot, "aaa"), source(dovecot, "bbb")
    assert [len(batch.arrivals) for batch in first.fetch("")] == [1]
    for _ in range(2):
        with pytest.raises(MailboxTaken, match="installation aaa"):
            list(second.fetch(""))
    with pytest.raises(MailboxTaken):
        source(dovecot, "").check()
    source(dovecot, "aaa").check()
    with pytest.raises(MailboxTaken):
        list(second.fetch(""))
    first.close()
    begun = time.monotonic()
    assert [len(batch.arrivals) for batch in second.fetch("")] == [1]
    assert time.monotonic() - begun < 5
    second.close()
    wait_until(lambda: not list((dovecot.folder / "mail" / "claimed").glob("*chancery-*")))
