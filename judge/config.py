"""judge.toml and the environment read into frozen values; every fault with its file, line, key and remedy."""

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any, get_args, get_type_hints
from zoneinfo import ZoneInfo

from judge.errors import OperatorError


@dataclass(eq=False)
class BadConfig(OperatorError):
    """One fault in the configuration: where it is, what is wrong, what to write instead."""

    file: str
    line: int
    key: str
    fault: str
    remedy: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}: {self.key}: {self.fault}. {self.remedy}"


@dataclass(frozen=True, slots=True)
class ImapConfig:
    """A mailbox to poll.  `secret` names where the password or the OAUTH2 token is found: ``env:NAME`` or ``file:PATH``."""

    host: str = ""
    port: int = 993
    security: str = "tls"
    user: str = ""
    secret: str = ""
    mechanism: str = "login"
    """"login", or "xoauth2" where the secret is an access token."""
    folder: str = "INBOX"
    move_to: str = ""
    """A folder that kept mails are moved to, "" to leave them where they are."""
    ca: str = ""
    """A file with the certificate authority to trust, "" for the system's."""


@dataclass(frozen=True, slots=True)
class DoorConfig:
    """A door for SMTP or LMTP; `port` 0 takes a free one and writes it to ``<spool>/door.port``."""

    protocol: str = "smtp"
    host: str = "127.0.0.1"
    port: int = 2525
    socket: str = ""
    retry_gap: int = 70
    """Minutes: the longest pause our border makes between two tries to hand a mail over."""


@dataclass(frozen=True, slots=True)
class SmtpConfig:
    """A smarthost that takes our letters: `security` is "starttls", "tls" or "none"."""

    host: str = ""
    port: int = 587
    security: str = "starttls"
    user: str = ""
    secret: str = ""
    mechanism: str = "login"
    ca: str = ""


@dataclass(frozen=True, slots=True)
class MailInConfig:
    """Where mails come from: any of the three, at least one."""

    imap: ImapConfig | None = None
    door: DoorConfig | None = None
    maildir: str = ""


@dataclass(frozen=True, slots=True)
class MailOutConfig:
    """Where letters go: a smarthost, or a Maildir."""

    smtp: SmtpConfig | None = None
    maildir: str = ""
    connections: int = 6
    """Letters that are handed over to the smarthost at the same time."""
    letters_per_minute: int = 0
    """The most letters that leave in a minute; 0 for no limit."""
    letters_per_minute_to_domain: int = 0
    """The most letters to one domain in a minute; 0 for no limit."""


@dataclass(frozen=True, slots=True)
class BorderConfig:
    """Our own mail border: the name in its Authentication-Results, and the names in its Received fields."""

    authserv_id: str = ""
    received_by: tuple[str, ...] = ()
    dkim: bool = False
    """Check DKIM signatures ourselves, for mailboxes whose border says nothing usable."""
    passwords: bool = False
    """Whether SIGNON with a password proves who wrote."""
    strict: bool = False
    """Whether a secret address counts only together with a proven From."""


@dataclass(frozen=True, slots=True)
class LimitsConfig:
    """Where reading and answering end."""

    size: int = 1_048_576
    lines: int = 10_000
    line: int = 20_000
    """Characters of one line that are read."""
    text: int = 200_000
    """Characters of one text that are read."""
    parts: int = 200
    """Parts of one mail that are looked at."""
    nesting: int = 20
    """How deep parts may lie in parts."""
    answers_per_hour: int = 60
    answers_per_day: int = 300
    strangers_per_day: int = 5
    strangers_total_per_hour: int = 200
    mails_per_hour: int = 100
    """Mails of one sender that are read in an hour."""
    resend_hours: int = 72
    """How long a mail that comes once more is answered (once)."""
    bounces: int = 5
    """Letters that came back, on as many days, until no more are sent to an address."""
    pictures_per_hour: int = 20
    """Pictures of their own orders that one player gets in an hour (SET PICTURES ON)."""
    outage_minutes: int = 60
    """An outage so long before a deadline moves the deadline; 0 never."""


@dataclass(frozen=True, slots=True)
class WebConfig:
    """The archive on the web, served by `judge run` where the packages for it are installed, and by `judge web`."""

    enabled: bool = True
    """Whether `judge run` serves it."""
    host: str = "127.0.0.1"
    port: int = 8025
    """0 takes a free one and writes it to ``<spool>/web.port``."""


@dataclass(frozen=True, slots=True)
class WatchConfig:
    """What `judge run` tells programs that watch it: health, and figures in the format of Prometheus."""

    enabled: bool = True
    host: str = "127.0.0.1"
    port: int = 8026
    """0 takes a free one and writes it to ``<spool>/watch.port``."""


@dataclass(frozen=True, slots=True)
class KeepConfig:
    """How many days things are kept that need not be kept for ever."""

    mail_days: int = 90
    """The text of a mail, after its game has ended, or after it was handled where it belongs to no game; copies in ``bad`` too."""
    letter_days: int = 30
    """The text of a letter, after it was sent or given up."""
    trace_days: int = 400
    """What is left of both, by which a mail is known that comes once more; older mails are not read."""
    picture_days: int = 30
    """Drawn maps in the spool; they are drawn again when somebody asks."""
    erased_days: int = 30
    """Mails and letters of somebody who had everything about him erased."""


@dataclass(frozen=True, slots=True)
class JudgeConfig:
    """The judge itself."""

    address: str = ""
    """Where players write."""
    name: str = "Chancery"
    """The name that stands beside the address."""
    bounces: str = ""
    """The base of return paths; default: the judge's address with ``-bounces`` behind its local part."""
    delimiter: str = "+"
    plus: bool = True
    """Whether the mailbox takes ``judge+anything@host``."""
    zone: str = "UTC"
    language: str = "en"
    languages: tuple[str, ...] = ("en", "cs", "hu", "ru")
    operator: str = ""
    """Where alarms go."""
    spool: str = "spool"
    maps: tuple[str, ...] = ()
    templates: tuple[str, ...] = ()
    clock: str = "system"
    """"system" or "stepped" (demonstrations; refused with real mail accounts)."""
    tick: float = 15.0
    """Seconds between looks at what is due."""
    pictures: bool = True
    archive: str = ""
    """Address of the archive on the web as it stands in letters, "" none."""


@dataclass(frozen=True, slots=True)
class Config:
    """The whole configuration; `file` is where it was read from, relative paths count from its folder."""

    file: Path
    judge: JudgeConfig
    mail_in: MailInConfig
    mail_out: MailOutConfig
    border: BorderConfig = field(default_factory=BorderConfig)
    limits: LimitsConfig = field(default_factory=LimitsConfig)
    web: WebConfig = field(default_factory=WebConfig)
    watch: WatchConfig = field(default_factory=WatchConfig)
    keep: KeepConfig = field(default_factory=KeepConfig)
    database: str = ""

    @property
    def spool(self) -> Path:
        """The folder of run-time files."""
        return self.path(self.judge.spool)

    @property
    def database_url(self) -> str:
        """Where games are kept; by default a SQLite file in the spool."""
        return self.database or f"sqlite:///{self.spool / 'judge.db'}"

    @property
    def bounces(self) -> str:
        """The base of return paths."""
        local, _, host = self.judge.address.rpartition("@")
        return self.judge.bounces or f"{local}-bounces@{host}"

    def path(self, text: str) -> Path:
        """A path of the configuration; relative ones count from the folder of judge.toml."""
        return (self.file.parent / text).resolve()


_SECTIONS: Mapping[str, type] = {
    "judge": JudgeConfig,
    "mail_in": MailInConfig,
    "mail_out": MailOutConfig,
    "border": BorderConfig,
    "limits": LimitsConfig,
    "web": WebConfig,
    "watch": WatchConfig,
    "keep": KeepConfig,
}
_LEAST_DAYS = {"mail_days": 1, "letter_days": 10, "trace_days": 60, "picture_days": 1, "erased_days": 0}
"""Less would lose letters that may still come back, and mails that must be known again."""


def read_config(file: Path) -> Config:
    """Read and check judge.toml.  Raises `BadConfig` with the first fault found."""
    try:
        text = file.read_text("utf-8")
    except OSError as missing:
        raise BadConfig(
            str(file), 0, "file", missing.strerror or "cannot be read", "Copy deploy/judge.example.toml and edit it"
        ) from missing
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as bad:
        line = re.search(r"line (\d+)", str(bad))
        raise BadConfig(str(file), int(line[1]) if line else 0, "syntax", str(bad), "See https://toml.io for how TOML is written") from bad
    reader = _Reader(file, text)
    reader.unknown("", data, {*_SECTIONS, "database"})
    sections = {name: reader.section(kind, data.get(name, {}), name) for name, kind in _SECTIONS.items()}
    database = reader.value("database", data.get("database", ""), str)
    config = Config(file=file.resolve(), database=database, **sections)
    _check(config, reader)
    return config


@dataclass(frozen=True, slots=True)
class _Reader:
    """The file while it is read, to say where a fault is."""

    file: Path
    text: str

    def fault(self, key: str, fault: str, remedy: str) -> BadConfig:
        """A fault at a key, with the line of the key's last part inside its section."""
        return BadConfig(str(self.file), self._line(key), key, fault, remedy)

    def _line(self, key: str) -> int:
        """The line a dotted key stands on; the line of its section where it is missing; 0 for neither."""
        section, _, name = key.rpartition(".")
        inside = not section
        at = 0
        for number, line in enumerate(self.text.splitlines(), 1):
            bare = line.strip()
            if bare.startswith("["):
                inside = bare.strip("[] ") == section
                if bare.strip("[] ") in (section, key):
                    at = at or number
            elif inside and re.match(rf"{re.escape(name)}\s*=", bare):
                return number
        return at

    def unknown(self, prefix: str, table: Mapping[str, Any], known: set[str]) -> None:
        """Stop at a key that means nothing."""
        for key in table:
            if key not in known:
                raise self.fault(f"{prefix}{key}", "no such setting", f"Known here: {', '.join(sorted(known))}")

    def section(self, kind: type, table: object, prefix: str) -> Any:
        """One table of the file as a value of its class."""
        if not isinstance(table, dict):
            raise self.fault(prefix, "must be a table", f"Write [{prefix}]")
        hints = get_type_hints(kind)
        names = {f.name for f in fields(kind)}
        self.unknown(f"{prefix}.", table, names)
        values: dict[str, Any] = {}
        for name in table:
            wanted = next((k for k in (*get_args(hints[name]), hints[name]) if is_dataclass(k)), None)
            key = f"{prefix}.{name}"
            if isinstance(wanted, type):
                values[name] = self.section(wanted, table[name], key)
            else:
                values[name] = self.value(key, table[name], hints[name])
        return kind(**values)

    def value(self, key: str, value: Any, wanted: Any) -> Any:
        """One value, checked against its type."""
        if get_args(wanted):  # tuple of texts
            if isinstance(value, list) and all(isinstance(item, str) for item in value):
                return tuple(value)
            raise self.fault(key, "must be a list of texts", f'Write {key.rpartition(".")[2]} = ["..."]')
        if wanted is float and isinstance(value, int) and not isinstance(value, bool):
            return float(value)
        if type(value) is not wanted:
            words = {str: "a text in quotes", int: "a whole number", bool: "true or false", float: "a number"}
            raise self.fault(key, f"must be {words[wanted]}, not {value!r}", f"Write {key.rpartition('.')[2]} = {_EXAMPLES[wanted]}")
        return value


_EXAMPLES = {str: '"..."', int: "10", bool: "true", float: "1.5"}


def _check(config: Config, reader: _Reader) -> None:
    """What a single value cannot show."""
    judge = config.judge
    if not re.fullmatch(r"[A-Za-z0-9._-]+@[A-Za-z0-9.-]+", judge.address):
        raise reader.fault("judge.address", f"{judge.address!r} is no mail address", 'Write address = "judge@your.domain"')
    try:
        ZoneInfo(judge.zone)
    except (KeyError, ValueError, OSError) as bad:
        raise reader.fault("judge.zone", f"no time zone {judge.zone!r}", 'Write zone = "Europe/Prague" or another IANA name') from bad
    if judge.clock not in ("system", "stepped"):
        raise reader.fault("judge.clock", f"{judge.clock!r} is no clock", 'Write clock = "system"')
    if judge.delimiter not in ("+", "-"):
        raise reader.fault("judge.delimiter", f"{judge.delimiter!r} cannot be used", 'Write delimiter = "+" or "-"')
    if not (config.mail_in.imap or config.mail_in.door or config.mail_in.maildir):
        raise reader.fault("mail_in", "no way in", 'Add [mail_in.imap], [mail_in.door], or maildir = "in" under [mail_in]')
    if bool(config.mail_out.smtp) == bool(config.mail_out.maildir):
        raise reader.fault("mail_out", "exactly one way out is needed", 'Add [mail_out.smtp], or maildir = "out" under [mail_out]')
    if judge.clock == "stepped" and (config.mail_in.imap or config.mail_out.smtp):
        raise reader.fault("judge.clock", "a stepped clock cannot run with real mail accounts", 'Write clock = "system"')
    for key, host in (("mail_in.imap.host", config.mail_in.imap), ("mail_out.smtp.host", config.mail_out.smtp)):
        if host is not None and not host.host:
            raise reader.fault(key, "missing", 'Write host = "mail.your.domain"')
    for key, account in (("mail_in.imap", config.mail_in.imap), ("mail_out.smtp", config.mail_out.smtp)):
        if account is not None and account.security not in ("starttls", "tls", "none"):
            raise reader.fault(f"{key}.security", f"{account.security!r} is unknown", 'Write "starttls", "tls" or "none"')
        if account is not None and account.mechanism not in ("login", "xoauth2"):
            raise reader.fault(f"{key}.mechanism", f"{account.mechanism!r} is unknown", 'Write "login" or "xoauth2"')
    for key, number in (
        *((f"limits.{each.name}", getattr(config.limits, each.name)) for each in fields(config.limits)),
        ("mail_out.letters_per_minute", config.mail_out.letters_per_minute),
        ("mail_out.letters_per_minute_to_domain", config.mail_out.letters_per_minute_to_domain),
    ):
        if number < 0:
            raise reader.fault(key, f"{number} is below zero", f"Write {key.rpartition('.')[2]} = 0 or more")
    if not 1 <= config.mail_out.connections <= 16:
        raise reader.fault("mail_out.connections", f"{config.mail_out.connections} is out of range", "Write a number from 1 to 16")
    for key, port, usual in (("web.port", config.web.port, 8025), ("watch.port", config.watch.port, 8026)):
        if not 0 <= port <= 65535:
            raise reader.fault(key, f"{port} is no port", f"Write port = {usual}, or 0 for a free one")
    for name, least in _LEAST_DAYS.items():
        if getattr(config.keep, name) < least:
            raise reader.fault(f"keep.{name}", f"{getattr(config.keep, name)} days are too few", f"Write {name} = {least} or more")
    if config.mail_in.door and config.mail_in.door.protocol not in ("smtp", "lmtp"):
        raise reader.fault("mail_in.door.protocol", f"{config.mail_in.door.protocol!r} is unknown", 'Write "smtp" or "lmtp"')


def read_secret(config: Config, key: str, where: str) -> str:
    """The secret that `where` names: ``env:NAME``, ``file:PATH``, or "" for none.  Raises `BadConfig`."""
    kind, _, name = where.partition(":")
    if not where:
        return ""
    if kind == "env":
        if name in os.environ:
            return os.environ[name]
        raise BadConfig(str(config.file), 0, key, f"the environment has no {name}", f"Set {name}, or use file:PATH")
    if kind == "file":
        try:
            return config.path(name).read_text("utf-8").strip()
        except OSError as missing:
            raise BadConfig(str(config.file), 0, key, f"{name}: {missing.strerror}", "Write the secret into that file") from missing
    raise BadConfig(str(config.file), 0, key, "secrets do not stand in judge.toml", "Write env:NAME or file:PATH")
