"""Mail from an IMAP account: polled and IDLEd with IMAPClient, marked only after it is kept (research, section 3)."""

import json
import logging
import random
import ssl
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from threading import Event
from typing import Any, Literal, NoReturn, Protocol, TypeAlias

from imapclient import IMAPClient, SocketTimeout
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError, IMAPClientReadOnlyError, LoginError

from judge.mail.backoff import Allowance, Backoff
from judge.mail.claim import ImapClaim
from judge.mail.headers import cut_to_header
from judge.mail.postbox import Arrival, Batch, MailLoginRefused, MailThrottled, MailUnreachable

_LOG = logging.getLogger(__name__)
_FAULTS = (IMAPClientError, OSError, ssl.SSLError, ValueError, KeyError, IndexError, TypeError, AssertionError)
"""What IMAPClient and imaplib raise on cut lines, wrong answers and dead sockets; all of them mean: connect anew."""

_BUSY_WORDS = ("throttl", "not connected", "[limit]", "[inuse]", "too many", "overquota", "exceeded")
"""A refused login that says so is no wrong password, but asks for patience (research 3.1 row 18)."""
_AILING_WORDS = ("unavailable", "temporar", "try again", "[serverbug]", "internal error")
"""A refused login that says so is a fault of the server: it may be over in a moment, as when it has just started."""
_LOGINS = Allowance(burst=5, every=30.0)
"""Logins: a few at once when the line breaks again and again, then two a minute, or they look like an attack (research 3.1 row 20)."""
_IDLE_SLICE = 1.0
_TRIES_ALONE = 3
_MANY = 500
_BLOCK_OCTETS = 8_000_000


@dataclass(frozen=True, slots=True)
class ImapAccount:
    """A mailbox folder and how to reach it.

    `secret` gives the password, or with `mechanism` ``xoauth2`` a fresh access token, at each login.  `move_to` names a
    folder that kept mails are moved to, where the server can do that safely.  `context` replaces the usual
    certificate checks (tests bring their own authority).
    """

    host: str
    user: str
    secret: Callable[[], str]
    port: int = 993
    security: Literal["tls", "starttls", "none"] = "tls"
    mechanism: Literal["login", "xoauth2"] = "login"
    folder: str = "INBOX"
    move_to: str = ""
    batch: int = 50
    largest: int = 1_048_576
    connect_timeout: float = 15.0
    timeout: float = 30.0
    idle_limit: float = 540.0
    context: ssl.SSLContext | None = None


@dataclass(frozen=True, slots=True)
class Cursor:
    """Up to which UID a folder has been read; UIDs mean something only together with their UIDVALIDITY (RFC 3501)."""

    validity: int = 0
    uid: int = 0

    @classmethod
    def read(cls, text: str) -> "Cursor":
        """A cursor from its text; anything else starts from the beginning.

        >>> Cursor.read('{"validity": 7, "uid": 41}'), Cursor.read("")
        (Cursor(validity=7, uid=41), Cursor(validity=0, uid=0))
        """
        try:
            known = json.loads(text)
            return cls(int(known["validity"]), int(known["uid"]))
        except (ValueError, TypeError, KeyError):
            return cls()

    def write(self) -> str:
        """The cursor as text, to be stored with the mails it covers."""
        return json.dumps({"validity": self.validity, "uid": self.uid})


_About: TypeAlias = Mapping[int, Mapping[bytes, Any]]


class _Client(Protocol):
    """The part of IMAPClient that is used, with types (it brings none)."""

    normalise_times: bool

    def login(self, user: str, password: str) -> Any: ...
    def oauth2_login(self, user: str, token: str) -> Any: ...
    def starttls(self, context: ssl.SSLContext) -> Any: ...
    def has_capability(self, name: str) -> bool: ...
    def folder_exists(self, folder: str) -> bool: ...
    def namespace(self) -> Any: ...
    def list_folders(self, directory: str = "", pattern: str = "*") -> Sequence[Any]: ...
    def rename_folder(self, old: str, new: str) -> Any: ...
    def delete_folder(self, folder: str) -> Any: ...
    def create_folder(self, folder: str) -> Any: ...
    def select_folder(self, folder: str) -> Mapping[bytes, Any]: ...
    def search(self, criteria: Sequence[Any]) -> Sequence[int]: ...
    def fetch(self, uids: Sequence[int], items: Sequence[str]) -> Mapping[int, Mapping[bytes, Any]]: ...
    def add_flags(self, uids: Sequence[int], flags: Sequence[bytes], silent: bool = False) -> Any: ...
    def move(self, uids: Sequence[int], folder: str) -> Any: ...
    def copy(self, uids: Sequence[int], folder: str) -> Any: ...
    def uid_expunge(self, uids: Sequence[int]) -> Any: ...
    def idle(self) -> Any: ...
    def idle_check(self, timeout: float | None = None) -> Sequence[Any]: ...
    def idle_done(self) -> Any: ...
    def noop(self) -> Any: ...
    def logout(self) -> Any: ...
    def shutdown(self) -> None: ...


class ImapSource:
    """One folder of one account over one connection that is kept; used from one thread.

    Every fault of the server or the line closes the connection and is a `MailUnreachable`; the next call connects
    anew, not before the back-off allows it.  `now` is the judge's clock; `monotonic` and `dice` serve the back-off.
    """

    def __init__(
        self,
        account: ImapAccount,
        now: Callable[[], datetime],
        *,
        claim: ImapClaim | None = None,
        monotonic: Callable[[], float] = time.monotonic,
        dice: Callable[[], float] = random.random,
    ) -> None:
        self.account = account
        self.name = f"imap:{account.user}@{account.host}:{account.folder}"
        self._now = now
        self._claim = claim
        self._monotonic = monotonic
        self._dice = dice
        self._client: _Client | None = None
        self._validity = 0
        self._backoff = Backoff()
        self._logins = _LOGINS
        self._read_until: datetime | None = None
        self._stubborn: dict[int, int] = {}  # UIDs whose text did not come, and how often

    # --- the round ---

    def fetch(self, cursor: str) -> Iterator[Batch]:
        """Mails above the cursor, in blocks; the folder counts as read once all of them are taken."""
        started = self._now()
        client = self._connected()
        with _Guard(self):
            self._hold(client)
            self._select(client)
            known = Cursor.read(cursor)
            last = known.uid if known.validity == self._validity else 0
            # RFC 3501 6.4.8: "n:*" names the last mail even where its UID is below n.
            uids = sorted(uid for uid in client.search(["UID", f"{last + 1}:*"]) if uid > last)
        for block, about in self._blocks(client, uids):
            batch = self._batch_of(client, block, about)
            if batch is None:
                return  # a mail whose text did not come: the next round tries again from there
            yield batch
        self._read_until = started
        self._backoff = self._backoff.succeeded()

    def sweep(self, cursor: str, since: date) -> Iterator[Batch]:
        """Once more all mails since a day, below the cursor too; for what a round may have missed.

        The caller's unique `source_key` drops what it has.  The cursor stays where it is.
        """
        client = self._connected()
        with _Guard(self):
            self._select(client)
            uids = sorted(client.search(["SINCE", since]))
        for block, about in self._blocks(client, uids):
            batch = self._batch_of(client, block, about)
            if batch is not None:
                yield Batch(batch.arrivals, cursor, batch.marks)

    def _hold(self, client: _Client) -> None:
        """Keep other installations off this mailbox; where the server makes no folders, nothing can be said there."""
        if self._claim is None:
            return
        try:
            self._claim.hold(client)
        except IMAPClientError as error:
            if isinstance(error, (IMAPClientAbortError, IMAPClientReadOnlyError)):
                raise
            _LOG.warning("%s: no claim can be left in this mailbox, so no other judge would notice: %s", self.name, _reason(error))
            self._claim = None

    def _select(self, client: _Client) -> None:
        chosen = client.select_folder(self.account.folder)
        self._validity = int(chosen[b"UIDVALIDITY"])

    def _blocks(self, client: _Client, uids: list[int]) -> Iterator[tuple[list[int], _About]]:
        """The mails in blocks that are kept together, bounded in number and in octets; sizes are asked for many at once."""
        most = self.account.batch if len(uids) <= _MANY else self.account.batch * 4  # a long queue: fewer, larger steps
        for start in range(0, len(uids), _MANY):
            chunk = uids[start : start + _MANY]
            with _Guard(self):
                about = client.fetch(chunk, ["RFC822.SIZE", "INTERNALDATE"])
            block: list[int] = []
            octets = 0
            for uid in chunk:
                size = min(self._size(uid, about), self.account.largest)
                if block and (octets + size > _BLOCK_OCTETS or len(block) >= most):
                    yield block, about
                    block, octets = [], 0
                block.append(uid)
                octets += size
            yield block, about

    def _batch_of(self, client: _Client, uids: list[int], about: _About) -> Batch | None:
        """One block as a batch: vanished mails left out, cut short before a mail whose text does not come."""
        with _Guard(self):
            texts = self._texts(client, uids, about)
            arrivals: list[Arrival] = []
            marks: list[str] = []
            for uid in uids:
                raw = texts.get(uid) or self._alone(client, uid)
                if raw is None and not client.search(["UID", str(uid)]):
                    continue  # expunged by somebody else: absence is normal
                if raw is None:
                    self._stubborn[uid] = self._stubborn.get(uid, 0) + 1
                    if self._stubborn[uid] < _TRIES_ALONE:
                        return self._batch(arrivals, uid - 1, marks) if arrivals else None
                    _LOG.error("mail %s of %s cannot be fetched and is left out", uid, self.name)
                    continue
                self._stubborn.pop(uid, None)
                arrivals.append(self._arrival(uid, raw, about.get(uid, {})))
                marks.append(f"{self._validity}:{uid}")
            return self._batch(arrivals, uids[-1], marks)

    def _batch(self, arrivals: list[Arrival], uid: int, marks: list[str]) -> Batch:
        return Batch(tuple(arrivals), Cursor(self._validity, uid).write(), tuple(marks))

    @staticmethod
    def _size(uid: int, about: _About) -> int:
        size = about.get(uid, {}).get(b"RFC822.SIZE", 0)
        return size if isinstance(size, int) else 0

    def _texts(self, client: _Client, uids: list[int], about: _About) -> dict[int, bytes]:
        """The octets of each mail; of a large one its header only.  Answers about other mails are not believed."""
        small = [uid for uid in uids if uid in about and self._size(uid, about) <= self.account.largest]
        large = [uid for uid in uids if uid in about and uid not in small]
        texts: dict[int, bytes] = {}
        for wanted, item in ((small, "BODY[]"), (large, "BODY[HEADER]")):
            if not wanted:
                continue
            answer = client.fetch(wanted, [item.replace("[", ".PEEK[", 1)])
            for uid in wanted:
                octets = answer.get(uid, {}).get(item.encode())
                if isinstance(octets, bytes):
                    texts[uid] = octets if item == "BODY[]" else cut_to_header(octets, self._size(uid, about))
        return texts

    def _alone(self, client: _Client, uid: int) -> bytes | None:
        """One mail whose text did not come with the others, asked for by itself (research 3.1 rows 9 and 17)."""
        octets = client.fetch([uid], ["BODY.PEEK[]"]).get(uid, {}).get(b"BODY[]")
        return octets if isinstance(octets, bytes) else None

    def _arrival(self, uid: int, raw: bytes, about: Mapping[bytes, Any]) -> Arrival:
        taken = about.get(b"INTERNALDATE")
        at = taken.astimezone(UTC) if isinstance(taken, datetime) else self._now()
        return Arrival(raw, at, f"{self.name}:{self._validity}:{uid}")

    # --- after the commit ---

    def ack(self, batch: Batch) -> None:
        """Flag the batch's mails as seen and move them, if they are still what they were.

        What fails here is only logged: whether a mail was taken stands in the caller's table, not in the mailbox.
        """
        uids = [int(uid) for validity, uid in (mark.split(":") for mark in batch.marks) if int(validity) == self._validity]
        if not uids or self._client is None:
            return
        try:
            if not self.account.move_to or not self._move(self._client, uids):
                self._client.add_flags(uids, [b"\\Seen"], silent=True)
        except _FAULTS as error:
            _LOG.warning("%s: mails kept, but not marked: %s", self.name, _reason(error))
            self._drop()

    def _move(self, client: _Client, uids: list[int]) -> bool:
        """MOVE, else COPY and UID EXPUNGE, else nothing (False): a plain EXPUNGE deletes other people's mails (research 3.1 row 11)."""
        folder = self.account.move_to
        if client.has_capability("MOVE"):
            client.move(uids, folder)
            return True
        if client.has_capability("UIDPLUS"):
            client.copy(uids, folder)  # raises where the copy fails: then nothing is deleted
            client.add_flags(uids, [b"\\Deleted"], silent=True)
            client.uid_expunge(uids)
            return True
        return False

    def read_until(self) -> datetime | None:
        """When the last complete round began."""
        return self._read_until

    # --- waiting ---

    def wait(self, timeout: float, wake: Event) -> bool:
        """IDLE where the server can, at most nine minutes; else, and while it is away, just sleep."""
        client = self._client
        if client is None or wake.is_set():
            wake.wait(min(timeout, max(self._backoff.pause(self._monotonic()), _IDLE_SLICE)))
            return False
        try:
            if not client.has_capability("IDLE"):
                wake.wait(timeout)
                return False
            return self._idle(client, min(timeout, self.account.idle_limit), wake)
        except _FAULTS as error:
            _LOG.info("%s: connection lost while waiting: %s", self.name, _reason(error))
            self._drop()
            return True

    def _idle(self, client: _Client, timeout: float, wake: Event) -> bool:
        client.idle()
        end = self._monotonic() + timeout
        found = False
        while not found and not wake.is_set():
            begun = self._monotonic()
            left = end - begun
            if left <= 0:
                break
            patience = min(_IDLE_SLICE, left)
            said = client.idle_check(timeout=patience)
            if not said and self._monotonic() - begun < patience / 2:
                raise OSError("the line is dead")  # idle_check gives [] at once, for ever, on a closed socket
            if any(isinstance(one, tuple) and one[:1] == (b"BYE",) for one in said):
                raise OSError("the server said BYE")
            found = any(isinstance(one, tuple) and len(one) > 1 and one[1] in (b"EXISTS", b"RECENT") for one in said)
        client.idle_done()
        return found

    # --- the connection ---

    def _connected(self) -> _Client:
        if self._client is not None:
            try:
                self._client.noop()
            except _FAULTS as error:
                _LOG.info("%s: connection lost: %s", self.name, _reason(error))
                self._drop()
            else:
                return self._client
        at = self._monotonic()
        pause = max(self._backoff.pause(at), self._logins.pause(at))
        if pause > 0:
            raise MailThrottled(f"{self.name}: next try in {pause:.0f} s", timedelta(seconds=pause))
        try:
            self._client = self._connect()
        except LoginError as error:
            self._refused(error)
        except _FAULTS as error:
            self._failed(error)
        assert self._client is not None
        return self._client

    def _connect(self) -> _Client:
        account = self.account
        context = None if account.security == "none" else account.context or ssl.create_default_context()  # which takes time to make
        client: _Client = IMAPClient(
            account.host,
            account.port,
            ssl=account.security == "tls",
            ssl_context=context if account.security == "tls" else None,
            timeout=SocketTimeout(connect=account.connect_timeout, read=account.timeout),
        )
        client.normalise_times = False  # else INTERNALDATE comes as local time, doubtful for an hour each autumn
        try:
            if context is not None and account.security == "starttls":
                client.starttls(context)
            self._logins = self._logins.spent(self._monotonic())
            if account.mechanism == "xoauth2":
                client.oauth2_login(account.user, account.secret())
            else:
                client.login(account.user, account.secret())
            if account.move_to and not client.folder_exists(account.move_to):
                client.create_folder(account.move_to)
        except BaseException:
            with suppress(*_FAULTS):
                client.shutdown()
            raise
        return client

    def _refused(self, error: LoginError) -> NoReturn:
        """A login that failed: throttling and an ailing server say so in words, anything else is for the operator."""
        text = f"{self.name}: {_reason(error)}"
        busy = any(word in text.lower() for word in _BUSY_WORDS)
        if not busy and any(word in text.lower() for word in _AILING_WORDS):
            self._failed(error)
        self._backoff = self._backoff.failed(self._monotonic(), self._dice(), 60.0 if busy else 300.0)
        if busy:
            raise MailThrottled(text, timedelta(seconds=self._backoff.pause(self._monotonic()))) from error
        raise MailLoginRefused(text) from error

    def _failed(self, error: BaseException) -> NoReturn:
        self._drop()
        self._backoff = self._backoff.failed(self._monotonic(), self._dice())
        raise MailUnreachable(f"{self.name}: {_reason(error)}") from error

    def _drop(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            with suppress(*_FAULTS):
                client.shutdown()

    def check(self) -> None:
        """Connect, log in and select the folder, for `judge check`; raises as `fetch` does."""
        client = self._connected()
        with _Guard(self):
            if self._claim is not None:
                self._claim.look(client)
            self._select(client)
        self.close()

    def close(self) -> None:
        """Log out where the server still listens."""
        client = self._client
        if client is not None:
            with suppress(MailUnreachable, *_FAULTS):
                if self._claim is not None:
                    self._claim.let_go(client)
            with suppress(*_FAULTS):
                client.logout()
            self._drop()


class _Guard:
    """Turns every fault inside into a dropped connection and a `MailUnreachable`."""

    def __init__(self, source: ImapSource) -> None:
        self._source = source

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, _FAULTS):
            self._source._failed(error)


def _reason(error: BaseException) -> str:
    said = "".join(char if char.isprintable() else " " for char in str(error))[:300].strip()
    return said or type(error).__name__
