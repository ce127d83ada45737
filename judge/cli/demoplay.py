"""The people of the demonstration: seven players and a master who know only what their letters say."""

import email
import email.utils
import itertools
import re
import smtplib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email import policy
from email.message import EmailMessage
from pathlib import Path

from judge.cli.wording import STYLES, Style
from judge.language import Gazetteer
from judge.rules import read_order

_CODE = re.compile(r"CONFIRM ([a-z0-9]{5}-[a-z0-9]{5})", re.IGNORECASE)
_TAG = re.compile(r"\[([a-z][a-z0-9]+) ([A-Z]\d+[A-Z])\]")
_DEADLINE = re.compile(r"^:: Deadline: (\S+) (.+)$", re.MULTILINE)
_MACHINE_DATE = "%a %b %d %Y %H:%M:%S %z"


@dataclass(frozen=True, slots=True)
class ReadLetter:
    """A letter as its reader sees it."""

    file: Path
    to: str
    subject: str
    reply_to: str
    message_id: str
    text: str

    @property
    def phase(self) -> str:
        """The phase in the subject's tag, "" if there is none."""
        found = _TAG.search(self.subject)
        return found[2] if found else ""

    @property
    def deadline(self) -> datetime | None:
        """The deadline of the machine-readable line at the foot."""
        found = _DEADLINE.search(self.text)
        return datetime.strptime(found[2].strip(), _MACHINE_DATE).astimezone(UTC) if found else None


def read_file(file: Path) -> ReadLetter:
    """A letter out of the Maildir that the judge sends into."""
    message = email.message_from_bytes(file.read_bytes(), policy=policy.default)
    assert isinstance(message, EmailMessage)
    body = message.get_body(("plain",))
    return ReadLetter(
        file,
        str(message["Delivered-To"] or email.utils.parseaddr(str(message["To"]))[1]),
        str(message["Subject"]),
        email.utils.parseaddr(str(message["Reply-To"] or message["From"]))[1],
        str(message["Message-ID"]),
        body.get_content() if body is not None else "",
    )


class PostOffice:
    """Carries mails to the judge's door, and hands out the letters the judge has sent since the last look."""

    def __init__(self, port: int, folder: Path) -> None:
        self.port = port
        self._smtp = smtplib.SMTP("127.0.0.1", port, timeout=30)
        self._folder = folder
        self._seen: set[str] = set()
        self._numbers = itertools.count(1)
        self.mails = 0
        self.letters: list[ReadLetter] = []

    def send(self, sender: str, name: str, to: str, subject: str, text: str, answers: str = "") -> None:
        """Send a mail, as a mail program would."""
        message = EmailMessage()
        message["From"] = f"{name} <{sender}>"
        message["To"] = to
        message["Subject"] = subject
        message["Message-ID"] = f"<demo-{next(self._numbers)}@{sender.partition('@')[2]}>"
        if answers:
            message["In-Reply-To"] = answers
        message.set_content(text)
        self._smtp.send_message(message, sender, [to])
        self.mails += 1

    def fetch(self) -> list[ReadLetter]:
        """New letters."""
        fresh = sorted(name for name in (p.name for p in (self._folder / "new").glob("*")) if name not in self._seen)
        self._seen.update(fresh)
        letters = [read_file(self._folder / "new" / name) for name in fresh]
        self.letters.extend(letters)
        return letters

    def close(self) -> None:
        """Say goodbye."""
        self._smtp.quit()


@dataclass
class Somebody:
    """A person with a mailbox."""

    name: str
    address: str
    box: list[ReadLetter] = field(default_factory=list)

    def write(self, post: PostOffice, to: str, subject: str, text: str, answers: str = "") -> None:
        """Send a mail."""
        post.send(self.address, self.name, to, subject, text, answers)

    def reply(self, post: PostOffice, letter: ReadLetter, text: str) -> None:
        """Answer a letter, as a mail program does: to its Reply-To, with the old text quoted below."""
        quoted = "\n".join(f"> {line}" for line in letter.text.splitlines()[:12])
        subject = letter.subject if letter.subject.startswith("Re: ") else f"Re: {letter.subject}"
        self.write(post, letter.reply_to, subject, f"{text}\n\nOn Monday the judge wrote:\n{quoted}\n", letter.message_id)

    def confirm(self, post: PostOffice, letter: ReadLetter) -> bool:
        """Send back the code of a letter that has one."""
        found = _CODE.search(letter.text)
        if found is not None:
            self.reply(post, letter, f"CONFIRM {found[1]}")
        return found is not None


@dataclass
class PlayerOf(Somebody):
    """A player, who orders what the record says, in a wording of his own."""

    power: str = ""
    styles: Iterator[Style] = field(default_factory=lambda: itertools.cycle(STYLES))
    ordered: set[str] = field(default_factory=set)

    def play(self, post: PostOffice, letter: ReadLetter, recorded: Mapping[str, Iterable[str]], names: Gazetteer) -> bool:
        """Send the recorded orders of the phase a letter is about, once; False if there are none to send."""
        phase = letter.phase
        orders = tuple(recorded.get(phase, ()))
        if phase in self.ordered or not orders:
            return False
        self.ordered.add(phase)
        style = next(self.styles)
        lines = [style(read_order(order), names) for order in orders]
        if len(phase) % 2 == 0 and len(lines) > 2:
            lines[0] = f"1. {lines[0]}"
        self.reply(post, letter, "\n".join(lines))
        return True
