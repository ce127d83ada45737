"""An SMTP server that keeps what it is sent, and answers as a test wishes."""

import asyncio
import base64
import ssl
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from tests.support.places import free_port


@dataclass(frozen=True)
class Taken:
    """One letter as it was handed over."""

    sender: str
    recipients: tuple[str, ...]
    raw: bytes


@dataclass
class SmtpServer:
    """`replies` gives the answer to an address at RCPT (none: 250), `after_data` the one to the letter."""

    replies: dict[str, str] = field(default_factory=dict)
    after_data: str = "250 OK"
    taken: list[Taken] = field(default_factory=list)
    sessions: int = 0
    hang: float = 0.0
    password: str = ""
    token: str = ""
    tls: ssl.SSLContext | None = None
    on_mail: Callable[[str], str] | None = None
    pipelining: bool = False
    """Whether it says that it takes several commands in one go (it always does)."""

    def __post_init__(self) -> None:
        self.port = free_port()
        self._controller: Controller | None = None

    def start(self) -> "SmtpServer":
        options: dict[str, Any] = {"timeout": 300}
        if self.tls is not None:
            options |= {"tls_context": self.tls, "require_starttls": True}
        if self.password or self.token:
            options |= {"authenticator": self._login, "auth_required": True, "auth_require_tls": False}
        self._controller = Controller(self, hostname="127.0.0.1", port=self.port, **options)
        self._controller.start()
        return self

    def _login(self, _server: SMTP, _session: Session, _envelope: Envelope, mechanism: str, data: object) -> AuthResult:
        good = isinstance(data, LoginPassword) and data.password == self.password.encode()
        return AuthResult(success=good, handled=False)

    async def auth_XOAUTH2(self, _server: SMTP, args: list[str]) -> AuthResult:  # noqa: N802
        said = base64.b64decode(args[1]).decode()
        return AuthResult(success=bool(self.token) and f"auth=Bearer {self.token}\x01" in said, handled=False)

    def stop(self) -> None:
        if self._controller is not None:
            self._controller.stop()
            self._controller = None

    async def handle_EHLO(self, _server: SMTP, session: Session, _envelope: Envelope, hostname: str, responses: list[str]) -> list[str]:  # noqa: N802
        self.sessions += 1
        session.host_name = hostname
        return [*responses[:-1], *(["250-PIPELINING"] if self.pipelining else []), *responses[-1:]]

    async def handle_MAIL(self, _server: SMTP, _session: Session, envelope: Envelope, address: str, options: list[str]) -> str:  # noqa: N802
        reply = self.on_mail(address) if self.on_mail else "250 OK"
        if reply.startswith("250"):
            envelope.mail_from = address
            envelope.mail_options.extend(options)
        return reply

    async def handle_RCPT(self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]) -> str:  # noqa: N802
        reply = self.replies.get(address, "250 OK")
        if reply.startswith("250"):
            envelope.rcpt_tos.append(address)
        return reply

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        if self.hang:
            await asyncio.sleep(self.hang)
        if self.after_data.startswith("250"):
            self.taken.append(Taken((envelope.mail_from or "").strip("<>"), tuple(envelope.rcpt_tos), envelope.original_content or b""))
        return self.after_data
