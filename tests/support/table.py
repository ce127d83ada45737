"""A whole judge in a folder, to which a test sends mails and from which it reads letters; the clock stands until it is moved."""

import email
import itertools
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from email import policy
from email.message import Message as RawMessage
from pathlib import Path

from sqlalchemy import event

from judge.config import Config, DoorConfig, JudgeConfig, MailInConfig, MailOutConfig
from judge.log import set_up_logging
from judge.mail import Arrival, Delivered, Outcome
from judge.service.context import Services
from judge.service.daemon import one_round
from judge.service.deliver import deliver_waiting
from judge.service.receive import accept
from judge.store import SqlStore
from judge.wiring import build

set_up_logging()

NOON = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)


class FixedClock:
    """Stands at a moment until it is moved."""

    def __init__(self, at: datetime = NOON) -> None:
        self.at = at

    def now(self) -> datetime:
        return self.at


@dataclass
class SinkBox:
    """Keeps what was sent."""

    sent: list[tuple[str, str, bytes]] = field(default_factory=list)

    def send(self, envelope_from: str, recipients: object, raw: bytes) -> tuple[Outcome, ...]:
        assert isinstance(recipients, tuple)
        for recipient in recipients:
            self.sent.append((envelope_from, recipient, raw))
        return tuple(Delivered(recipient) for recipient in recipients)

    def close(self) -> None:
        return


@dataclass(frozen=True)
class Read:
    """A letter as its reader has it: decoded."""

    to: str
    subject: str
    text: str
    html: str
    reply_to: str
    headers: RawMessage
    raw: bytes


def read_letter(to: str, raw: bytes) -> Read:
    """Decode a letter with the standard library."""
    message = email.message_from_bytes(raw, policy=policy.default)
    plain = message.get_body(("plain",))
    rich = message.get_body(("html",))
    assert plain is not None
    return Read(
        to,
        str(message["Subject"]),
        plain.get_content(),
        rich.get_content() if rich is not None else "",
        str(message["Reply-To"] or ""),
        message,
        raw,
    )


def wait_for_no_disk(store: SqlStore) -> None:
    """Leave it to the system when commits reach the disk: here no power is cut."""
    if store.engine.dialect.name != "sqlite":
        return

    @event.listens_for(store.engine, "connect")
    def prepare(connection: sqlite3.Connection, _: object) -> None:
        connection.execute("PRAGMA synchronous = OFF")

    store.engine.dispose()  # the next connection is made so


class Table:
    """A judge in memory and in one folder; `judge` are settings of that section, `sections` the other ones."""

    def __init__(self, folder: Path, *, sections: Mapping[str, object] | None = None, **judge: object) -> None:
        values = {"address": "judge@judge.example", "operator": "keeper@judge.example", "pictures": False, **judge}
        config = Config(
            file=folder / "judge.toml",
            judge=JudgeConfig(**values),  # type: ignore[arg-type]
            mail_in=MailInConfig(door=DoorConfig(retry_gap=0)),
            mail_out=MailOutConfig(maildir="out"),
        )
        config = replace(config, **(sections or {}))  # type: ignore[arg-type]
        self.clock = FixedClock()
        self.sink = SinkBox()
        built = build(config)
        wait_for_no_disk(built.store)
        self.s = Services(**{**{f: getattr(built, f) for f in built.__dataclass_fields__}, "clock": self.clock, "sink": self.sink})
        self._numbers = itertools.count(1)
        self._read = 0

    def wait(self, span: timedelta) -> None:
        """Let time go by, and do what has become due."""
        self.clock.at += span
        self.run()

    def run(self) -> None:
        """Everything that can be done now."""
        with self.s.store.transaction() as tx:
            tx.marks.set("read:door", self.clock.at.isoformat())
        for _ in range(200):
            if not one_round(self.s):
                break
        while deliver_waiting(self.s):
            pass

    def mail(self, sender: str, to: str, text: str, subject: str = "orders", headers: str = "", run: bool = True) -> list[Read]:
        """Send a mail to the judge; the letters that come of it."""
        number = next(self._numbers)
        name = sender.partition("@")[0].title()
        raw = (
            f"From: {name} <{sender}>\r\nTo: {to}\r\nSubject: {subject}\r\nMessage-ID: <m{number}@{sender.partition('@')[2]}>\r\n"
            f"Date: Mon, 05 Jan 2026 12:00:00 +0000\r\nContent-Type: text/plain; charset=utf-8\r\n{headers}\r\n"
        ).encode() + text.replace("\n", "\r\n").encode()
        self.last_raw = Arrival(raw, self.clock.at, None, sender, (to,))
        return self.again(self.last_raw, run=run)

    def again(self, arrival: Arrival, *, run: bool = True) -> list[Read]:
        """The same mail comes (again)."""
        accept(self.s, [arrival])
        if run:
            self.run()
        return self.new()

    def new(self) -> list[Read]:
        """Letters sent since the last call."""
        fresh = self.sink.sent[self._read :]
        self._read = len(self.sink.sent)
        return [read_letter(to, raw) for _, to, raw in fresh]
