"""Letters handed to an SMTP relay: one connection kept open, an outcome for each recipient."""

import smtplib
import ssl
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal, TypeAlias

from judge.mail.addresses import is_address
from judge.mail.postbox import Deferred, Delivered, MailLoginRefused, MailThrottled, MailUnreachable, Outcome, Rejected

_TAKEN, _GO_ON, _BUSY = 250, 354, 421
_ACCEPTED = (250, 251, 252)
_END = b".\r\n"
_Reply: TypeAlias = tuple[int, bytes]
_NOT_ASKED: _Reply = (0, b"")
_PAUSE = timedelta(seconds=30)


@dataclass(frozen=True, slots=True)
class Relay:
    """An SMTP relay and how to log in to it.

    `secret` gives the password, or with `mechanism` ``xoauth2`` a fresh access token, each time it is asked.
    `context` replaces the usual certificate checks (tests bring their own authority).
    """

    host: str
    port: int
    security: Literal["none", "starttls", "tls"] = "none"
    user: str = ""
    secret: Callable[[], str] = str
    mechanism: Literal["login", "xoauth2"] = "login"
    connect_timeout: float = 15.0
    timeout: float = 60.0
    keep_for: float = 60.0
    letters_a_connection: int = 100
    context: ssl.SSLContext | None = None
    hello: str | None = None


class SmtpSink:
    """Sends letters over a connection that is kept while there are letters; not for several threads at once."""

    def __init__(self, relay: Relay, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._relay = relay
        self._monotonic = monotonic
        self._client: smtplib.SMTP | None = None
        self._used_at = 0.0
        self._letters = 0

    def send(self, envelope_from: str, recipients: Sequence[str], raw: bytes) -> tuple[Outcome, ...]:
        """Hand over one letter; see `MailSink`.

        A kept connection that the relay has closed meanwhile is renewed once, before anything was said about this
        letter, so that no letter goes out twice by that.
        """
        outcomes: dict[str, Outcome] = {one: Rejected(one, 553, "no mail address") for one in recipients if not is_address(one)}
        wanted = [one for one in recipients if one not in outcomes]
        if envelope_from and not is_address(envelope_from):
            raise ValueError(f"no mail address: {envelope_from!r}")
        if wanted:
            try:
                outcomes |= self._deliver(envelope_from, wanted, raw)
            except (smtplib.SMTPException, OSError, ValueError, UnicodeError) as error:
                self._drop()
                raise MailUnreachable(f"{self._relay.host}:{self._relay.port}: {_reason(error)}") from error
            except MailUnreachable:
                self._drop()
                raise
        return tuple(outcomes[one] for one in recipients)

    def _deliver(self, envelope_from: str, recipients: Sequence[str], raw: bytes) -> dict[str, Outcome]:
        client, mail, asked, data = self._begin(envelope_from, recipients)
        replies = dict(zip(recipients, asked, strict=True)) if mail[0] == _TAKEN else dict.fromkeys(recipients, mail)
        accepted = [one for one in recipients if replies[one][0] in _ACCEPTED]
        if data[0] == _GO_ON:  # also where nobody is left: then there must come an end, and nothing before it
            data = self._answer(client, _dotted(raw) if accepted else _END)
        elif accepted and data[0] < 400:
            raise smtplib.SMTPResponseException(*data)  # whatever that is about, it is no answer to DATA
        outcomes = {one: _outcome(one, *reply) for one, reply in {**replies, **dict.fromkeys(accepted, data)}.items()}
        if not any(isinstance(outcome, Delivered) for outcome in outcomes.values()):
            client.rset()
        self._used_at = self._monotonic()
        self._letters += 1
        return outcomes

    def _begin(self, envelope_from: str, recipients: Sequence[str]) -> tuple[smtplib.SMTP, _Reply, list[_Reply], _Reply]:
        """A connection, and what the relay said there to MAIL, to each RCPT and to DATA."""
        lines = [f"MAIL FROM:<{envelope_from}>", *(f"RCPT TO:<{one}>" for one in recipients)]
        kept = self._kept()
        if kept is not None:
            with suppress(smtplib.SMTPServerDisconnected, OSError):
                return kept, *self._ask(kept, lines)
            self._drop()
        client = self._connect()
        return client, *self._ask(client, lines)

    def _ask(self, client: smtplib.SMTP, lines: Sequence[str]) -> tuple[_Reply, list[_Reply], _Reply]:
        """Say MAIL and RCPT, and DATA if there is somebody for it; all in one go where the relay takes that (RFC 2920)."""
        if client.has_extn("pipelining"):
            client.send("".join(f"{line}\r\n" for line in (*lines, "DATA")))
            mail, *asked, data = [self._answer(client) for _ in (*lines, "DATA")]
            return mail, asked, data
        mail, asked = self._answer(client, f"{lines[0]}\r\n"), []
        if mail[0] == _TAKEN:
            asked = [self._answer(client, f"{line}\r\n") for line in lines[1:]]
        goes_on = any(code in _ACCEPTED for code, _ in asked)
        return mail, asked, self._answer(client, "DATA\r\n") if goes_on else _NOT_ASKED

    def _answer(self, client: smtplib.SMTP, said: str | bytes = b"") -> _Reply:
        """Say something, and what the relay answers.

        421 is about the connection, not about the letter: the relay wants to be left alone.
        """
        if said:
            client.send(said)
        code, text = client.getreply()
        if code == _BUSY:
            raise MailThrottled(f"{self._relay.host}: {_one_line(text)}", _PAUSE)
        if code == -1:
            raise smtplib.SMTPServerDisconnected("connection lost")
        return code, text

    def _kept(self) -> smtplib.SMTP | None:
        if self._client is None:
            return None
        if self._monotonic() - self._used_at > self._relay.keep_for or self._letters >= self._relay.letters_a_connection:
            self.close()
        return self._client

    def _connect(self) -> smtplib.SMTP:
        relay = self._relay
        context = relay.context or (ssl.create_default_context() if relay.security != "none" else None)  # which takes time to make
        if relay.security == "tls":
            client: smtplib.SMTP = smtplib.SMTP_SSL(relay.host, relay.port, relay.hello, timeout=relay.connect_timeout, context=context)
        else:
            client = smtplib.SMTP(relay.host, relay.port, relay.hello, timeout=relay.connect_timeout)
        try:
            if client.sock is not None:
                client.sock.settimeout(relay.timeout)
            client.ehlo_or_helo_if_needed()
            if relay.security == "starttls":
                client.starttls(context=context)
                client.ehlo()
            if relay.user:
                self._log_in(client)
        except BaseException:
            client.close()
            raise
        self._client, self._letters = client, 0
        return client

    def _log_in(self, client: smtplib.SMTP) -> None:
        relay = self._relay
        try:
            if relay.mechanism == "xoauth2":
                said = f"user={relay.user}\x01auth=Bearer {relay.secret()}\x01\x01"
                client.auth("XOAUTH2", lambda challenge=None: said if challenge is None else "")
            else:
                client.login(relay.user, relay.secret())
        except smtplib.SMTPAuthenticationError as error:
            text = f"{relay.host}: {error.smtp_code} {_one_line(_octets(error.smtp_error))}"
            raise (MailLoginRefused if error.smtp_code >= 500 else MailUnreachable)(text) from error
        except smtplib.SMTPNotSupportedError as error:
            raise MailLoginRefused(f"{relay.host}: {error}") from error

    def check(self) -> None:
        """Connect and log in, for `judge check`; raises as `send` does."""
        try:
            self._connect().noop()
        except (smtplib.SMTPException, OSError) as error:
            raise MailUnreachable(f"{self._relay.host}:{self._relay.port}: {_reason(error)}") from error
        finally:
            self.close()

    def close(self) -> None:
        """Say QUIT where the relay still listens."""
        client, self._client = self._client, None
        if client is not None:
            if client.sock is not None:
                client.sock.settimeout(5)
            with suppress(smtplib.SMTPException, OSError):
                client.quit()
            client.close()

    def _drop(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            client.close()


def _dotted(raw: bytes) -> bytes:
    """A letter as it stands behind DATA: what begins with a dot gets another, a lone one ends it.

    >>> _dotted(b"Hi\\r\\n.")
    b'Hi\\r\\n..\\r\\n.\\r\\n'
    """
    if raw.startswith(b"."):
        raw = b"." + raw
    if b"\n." in raw:
        raw = raw.replace(b"\n.", b"\n..")
    return raw + (_END if raw.endswith(b"\r\n") else b"\r\n" + _END)


def _outcome(recipient: str, code: int, text: bytes) -> Outcome:
    if 200 <= code < 300:
        return Delivered(recipient)
    return Rejected(recipient, code, _one_line(text)) if code >= 500 else Deferred(recipient, code, _one_line(text))


def _octets(text: bytes | str) -> bytes:
    return text if isinstance(text, bytes) else text.encode()


def _one_line(text: bytes) -> str:
    said = text.decode("utf-8", "replace")
    return "".join(char if char.isprintable() else " " for char in said)[:300].strip()


def _reason(error: Exception) -> str:
    return _one_line(str(error).encode()) or type(error).__name__
