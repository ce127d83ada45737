"""The judge's own SMTP and LMTP door (aiosmtpd): 250 is said only after the mail is kept.

It stands behind a mail border or on the loopback, never on the open net (research, section 4).
"""

import asyncio
import errno
import logging
import os
import socket
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import Any, Literal

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

from judge.errors import TryLater
from judge.mail.postbox import Arrival, push_read_until
from judge.mail.received import received_time
from judge.mail.settings import Border

_LOG = logging.getLogger(__name__)
KEPT = "250 2.0.0 kept"
_LATER = "451 4.3.0 try again later"
_FULL = "452 4.3.1 no room now, try again later"
_UNKNOWN = "550 5.1.1 no such address here"
_TOO_MANY = "452 4.5.3 too many recipients"
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_LONGEST_LINE = 100_000  # whole lines of press come in one piece; shorter limits refuse the whole mail

Accept = Callable[[Sequence[Arrival]], None]
"""Keeps arrivals durably, all or none, before it returns; raises `TryLater` where it cannot now."""


@dataclass(frozen=True, slots=True)
class DoorSettings:
    """Where the door stands: `host` and `port` (0 takes a free one), or a UNIX socket at `path` with `mode`."""

    protocol: Literal["smtp", "lmtp"] = "smtp"
    host: str = "127.0.0.1"
    port: int = 0
    path: Path | None = None
    mode: int = 0o660
    largest: int = 1_048_576
    most_recipients: int = 50
    most_connections: int = 200
    batch: int = 50
    timeout: float = 60.0
    border: Border = field(default_factory=Border)
    retry_gap: timedelta = timedelta(minutes=70)


_USUAL = DoorSettings()


class Door:
    """Takes mails in a thread of its own; mails that come together are kept in one transaction.

    `accept` is called in a committer thread; `is_known` says at RCPT which addresses are ours, so that nothing has
    to be bounced later; `alive_before` is when the judge was last known to listen, before this start.
    """

    def __init__(
        self,
        accept: Accept,
        now: Callable[[], datetime],
        settings: DoorSettings = DoorSettings(),
        *,
        is_known: Callable[[str], bool] | None = None,
        alive_before: datetime | None = None,
    ) -> None:
        self._committer = _Committer(accept, settings.batch)
        self._now = now
        self._settings = settings
        self._is_known = is_known
        self._alive_before = alive_before
        self._up_since: datetime | None = None
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="door", daemon=True)
        self._server: asyncio.AbstractServer | None = None
        self._connections = 0

    def start(self) -> None:
        """Open the door; returns when it listens.  Raises OSError where the place is taken."""
        self._committer.start()
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._open(), self._loop).result(30)
        self._up_since = self._now()

    async def _open(self) -> None:
        place = self._settings
        if place.path is None:
            self._server = await self._loop.create_server(self._protocol, place.host, place.port)
            return
        with suppress(FileNotFoundError):
            if place.path.is_socket():
                _refuse_used(place.path)
                place.path.unlink()
        self._server = await self._loop.create_unix_server(self._protocol, place.path)
        os.chmod(place.path, place.mode)

    def _protocol(self) -> asyncio.BaseProtocol:
        kind = _Lmtp if self._settings.protocol == "lmtp" else _Smtp
        return kind(
            _Handler(self),
            data_size_limit=self._settings.largest,
            enable_SMTPUTF8=True,
            hostname="judge",
            ident="judge",
            timeout=self._settings.timeout,
            loop=self._loop,
        )

    @property
    def address(self) -> tuple[str, int]:
        """Host and port the door listens on; ("", 0) for a UNIX socket."""
        sockets = self._server.sockets if isinstance(self._server, asyncio.Server) else ()
        for one in sockets:
            if one.family in (socket.AF_INET, socket.AF_INET6):
                host, port = one.getsockname()[:2]
                return str(host), int(port)
        return "", 0

    def read_until(self) -> datetime | None:
        """Up to which time everything that was sent here has come in; None while the door is closed."""
        if self._up_since is None:
            return None
        return push_read_until(self._now(), self._up_since, self._alive_before, self._settings.retry_gap)

    def stop(self) -> None:
        """Close the door: no new mail, those being kept are kept and answered."""
        if self._up_since is None:
            return
        self._up_since = None
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result(30)
        self._committer.stop()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()
        if self._settings.path is not None:
            self._settings.path.unlink(missing_ok=True)

    async def _close(self) -> None:
        assert self._server is not None
        self._server.close()
        while self._committer.busy:
            await asyncio.sleep(0.01)
        tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # --- called by the protocol, in the loop's thread ---

    def enter(self) -> bool:
        """Whether one more connection may come in."""
        self._connections += 1
        return self._connections <= self._settings.most_connections

    def leave(self) -> None:
        """A connection is over."""
        self._connections -= 1

    def why_not_to(self, address: str, already: int) -> str | None:
        """The reply that refuses a recipient, or None."""
        if already >= self._settings.most_recipients:
            return _TOO_MANY
        return None if self._is_known is None or self._is_known(address) else _UNKNOWN

    async def keep(self, envelope: Envelope) -> str:
        """Keep one mail; the reply for it, after the commit."""
        raw = envelope.original_content or b""
        now = self._now()
        stamped = received_time(raw, self._settings.border) if self._settings.border.received_by else None
        sender = (envelope.mail_from or "").removeprefix("<").removesuffix(">")  # aiosmtpd writes the null path "<>"
        arrival = Arrival(raw, min(stamped or now, now), None, sender, tuple(envelope.rcpt_tos))
        return await asyncio.wrap_future(self._committer.put(arrival))


def _refuse_used(path: Path) -> None:
    """Raises OSError where another program listens at a socket; one that was left behind is in nobody's way."""
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(2.0)
        with suppress(ConnectionRefusedError, FileNotFoundError):
            probe.connect(str(path))
            raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE), str(path))


class _Committer:
    """A thread that keeps arrivals in batches: all that came while the last batch was being written."""

    def __init__(self, accept: Accept, batch: int) -> None:
        self._accept = accept
        self._batch = batch
        self._queue: SimpleQueue[tuple[Arrival, Future[str]] | None] = SimpleQueue()
        self._thread = Thread(target=self._run, name="door-committer", daemon=True)
        self._busy = Event()

    @property
    def busy(self) -> bool:
        """Whether a mail waits or is being written."""
        return self._busy.is_set() or not self._queue.empty()

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._queue.put(None)
        self._thread.join(60)

    def put(self, arrival: Arrival) -> "Future[str]":
        future: Future[str] = Future()
        self._queue.put((arrival, future))
        return future

    def _run(self) -> None:
        while True:
            first = self._queue.get()
            if first is None:
                return
            self._busy.set()
            waiting = [first]
            stopped = False
            while len(waiting) < self._batch:
                try:
                    another = self._queue.get_nowait()
                except Empty:
                    break
                if another is None:
                    stopped = True
                    break
                waiting.append(another)
            self._keep(waiting)
            self._busy.clear()
            if stopped:
                return

    def _keep(self, waiting: list[tuple[Arrival, "Future[str]"]]) -> None:
        reply = self._try([arrival for arrival, _ in waiting])
        replies = [reply] * len(waiting)
        if reply == _LATER and len(waiting) > 1:  # one mail that cannot be kept must not keep out its neighbours
            replies = [self._try([arrival]) for arrival, _ in waiting]
        for (_, future), one in zip(waiting, replies, strict=True):
            with suppress(Exception):  # a sender who hung up has cancelled his future
                future.set_result(one)

    def _try(self, arrivals: list[Arrival]) -> str:
        try:
            self._accept(arrivals)
        except TryLater as error:
            _LOG.warning("mail not kept now: %s", error)
            return _FULL
        except OSError as error:
            _LOG.exception("mail not kept")
            return _FULL if error.errno in _NO_ROOM else _LATER
        except Exception:
            _LOG.exception("mail not kept")
            return _LATER
        return KEPT


class _Handler:
    """aiosmtpd's hooks; every reply is fixed text, so nothing of the inside leaks."""

    def __init__(self, door: Door) -> None:
        self._door = door

    async def handle_RCPT(self, server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]) -> str:  # noqa: N802
        refusal = self._door.why_not_to(address, len(envelope.rcpt_tos))
        if refusal:
            return refusal
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 known"

    async def handle_DATA(self, server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        reply = await self._door.keep(envelope)
        # RFC 2033 section 4.2: one reply for each accepted recipient.
        return "\r\n".join([reply] * len(envelope.rcpt_tos)) if isinstance(server, LMTP) else reply

    async def handle_exception(self, error: Exception) -> str:
        _LOG.error("mail door failed", exc_info=error)
        return _LATER


class _Limits:
    """What both protocols do beside aiosmtpd: bounded connections, longer lines."""

    line_length_limit = _LONGEST_LINE
    event_handler: Any
    _entered = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        door: Door = self.event_handler._door
        self._entered = True
        if not door.enter():
            assert isinstance(transport, asyncio.WriteTransport)
            transport.write(b"421 4.3.2 too many connections\r\n")
            transport.close()
            return
        super().connection_made(transport)  # type: ignore[misc]  # mixed in before SMTP

    def connection_lost(self, error: Exception | None) -> None:
        if self._entered:
            self._entered = False
            self.event_handler._door.leave()
        super().connection_lost(error)  # type: ignore[misc]  # mixed in before SMTP


class _Smtp(_Limits, SMTP):
    pass


class _Lmtp(_Limits, LMTP):
    pass
