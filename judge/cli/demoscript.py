"""`judge demo --script`: a written game played against the running judge, and the transcript of who wrote and got what, when."""

import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import assert_never

from judge.cli.demofile import Confirmation, Expectation, Mail, Moment, Script, Step
from judge.cli.demoplay import PostOffice, ReadLetter, Somebody
from judge.clock import write_stepped_clock
from judge.game import Status
from judge.store import SqlStore

JUDGE = "judge@chancery.example"
_CODE = re.compile(r"\b[a-z0-9]{5}-[a-z0-9]{5}\b")
_CODE_LINE = re.compile(rf"\S+ {_CODE.pattern}")
SHOWN = 60
"""Characters of a mail's first line that the transcript shows."""


class Missing(Exception):
    """A step of the script could not be carried out, or what was expected did not come."""


@dataclass
class Stage:
    """The people of a script with their mailboxes, the clock, and the transcript while it grows."""

    script: Script
    folder: Path
    port: int
    store: SqlStore
    now: datetime
    lines: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.post = PostOffice(self.port, self.folder / "spool" / "out")
        self.people = {name: Somebody(name, address) for name, address in self.script.people.items()}
        self._by_address = {person.address: person for person in self.people.values()}
        self._fresh: dict[str, int] = dict.fromkeys(self.people, 0)
        """How many letters each person had when the clock moved last."""
        self._unanswered: set[str] = set()

    def is_quiet(self) -> bool:
        """Whether the judge has nothing to do before the clock moves on: no mail to read, no letter to send, nothing due."""
        with self.store.reading() as tx:
            waits = tx.inbox.unfinished() or tx.outbox.counts().waiting
            return not (waits or tx.games.due(self.now, 1) or tx.games.waking(self.now, 1) or tx.marks.named("standby-look"))

    def collect(self) -> None:
        """New letters, put into their readers' boxes and into the transcript, in an order that does not hang on the judge's threads."""
        letters = self.post.fetch()
        for letter in sorted(letters, key=lambda each: (self._name(each.to), each.subject)):
            self._write("judge", self._name(letter.to), letter.subject)
        for letter in letters:
            if letter.to in self._by_address:
                self._by_address[letter.to].box.append(letter)
        self._unanswered.clear()

    def _name(self, address: str) -> str:
        """A person's name, or an address that the script does not know."""
        person = self._by_address.get(address)
        return person.name if person else address

    def must_wait(self, step: Step) -> bool:
        """Whether the judge must have finished before a step: all but mails of people who have not written since."""
        return not isinstance(step, Mail) or step.who in self._unanswered

    def act(self, step: Step) -> None:
        """One step.  Raises `Missing`."""
        match step:
            case Moment():
                self._move(step)
            case Mail():
                self._send(step)
            case Confirmation(_, who):
                self._confirm(self.people[who])
            case Expectation():
                self._expect(step)
            case _:
                assert_never(step)

    def _move(self, step: Moment) -> None:
        """Move the clock, never back."""
        to = step.at or (self.now + step.span if step.span else self._deadline() + timedelta(seconds=1))
        if to < self.now:
            raise Missing(f"the clock cannot go back to {to:%Y-%m-%d %H:%M}")
        self._fresh = {name: len(person.box) for name, person in self.people.items()}
        self.now = to
        write_stepped_clock(self.folder / "spool" / "clock", to)

    def _deadline(self) -> datetime:
        """The nearest deadline of a running game.  Raises `Missing`."""
        with self.store.reading() as tx:
            moments = [row.deadline for row in tx.games.listed((Status.RUNNING,), unlisted=True) if row.deadline is not None]
        if not moments:
            raise Missing("no game has a deadline")
        return max(self.now, min(moments))

    def _send(self, mail: Mail) -> None:
        """Send a mail, new or as a reply."""
        person = self.people[mail.who]
        if mail.reply:
            person.reply(self.post, self._letter(person, mail.to), mail.text)
        else:
            person.write(self.post, JUDGE, "to the judge", mail.text)
        self._note(mail.who, next(line.strip() for line in mail.text.splitlines() if line.strip()))

    def _confirm(self, person: Somebody) -> None:
        """Send the line with the newest code back, in the language of its letter.  Raises `Missing`."""
        for letter in reversed(person.box):
            line = next((line.strip() for line in letter.text.splitlines() if _CODE_LINE.fullmatch(line.strip())), "")
            if line:
                person.reply(self.post, letter, line)
                self._note(person.name, line)
                return
        raise Missing(f"{person.name} has no letter with a code")

    def _letter(self, person: Somebody, words: str) -> ReadLetter:
        """The newest letter of a game that somebody has, or the newest that holds some words.  Raises `Missing`."""
        for letter in reversed(person.box):
            if (words in letter.subject or words in letter.text) if words else letter.subject.startswith("["):
                return letter
        raise Missing(f"{person.name} has no letter to reply to")

    def _note(self, who: str, text: str) -> None:
        """A mail in the transcript."""
        self._unanswered.add(who)
        self._write(who, "judge", text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…")

    def _write(self, who: str, to: str, text: str) -> None:
        """One line of the transcript; codes are left out, for they are others each time."""
        self.lines.append(f"{self.now:%Y-%m-%d %H:%M}  {who:>8} -> {to:<8}  {_CODE.sub('<code>', text)}")

    def _expect(self, step: Expectation) -> None:
        """Look for the words in what somebody got since the clock moved last.  Raises `Missing`."""
        person = self.people[step.who]
        fresh = person.box[self._fresh[step.who] :]
        found = any(step.words in letter.subject or step.words in " ".join(letter.text.split()) for letter in fresh)
        if found is not step.yes:
            raise Missing(f"{step.who} got {'no' if step.yes else 'a'} letter with {step.words!r}")
