"""Script files of `judge demo --script`: who sends which mail when, and what must come of it, read into steps."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeAlias

from judge.errors import OperatorError


@dataclass(frozen=True, slots=True)
class Moment:
    """The clock moves: to `at`, on by `span`, or to the nearest deadline (both None)."""

    line: int
    at: datetime | None = None
    span: timedelta | None = None


@dataclass(frozen=True, slots=True)
class Mail:
    """Somebody sends a mail: a new one to the judge, or a reply to the newest letter of the game (or the newest that holds `to`)."""

    line: int
    who: str
    text: str
    reply: bool
    to: str = ""


@dataclass(frozen=True, slots=True)
class Confirmation:
    """Somebody sends the code of the newest letter that has one back."""

    line: int
    who: str


@dataclass(frozen=True, slots=True)
class Expectation:
    """Some letter that somebody got since the clock moved last holds these words, or (`yes` False) none does."""

    line: int
    who: str
    words: str
    yes: bool = True


Step: TypeAlias = Moment | Mail | Confirmation | Expectation


@dataclass(frozen=True, slots=True)
class Script:
    """Addresses by name, and the steps; the first one sets the clock."""

    people: dict[str, str]
    steps: tuple[Step, ...]


_UNITS = {"minute": 1, "hour": 60, "day": 1440}
_ON = re.compile(r"on (\d{4}-\d\d-\d\d \d\d:\d\d)")
_AFTER = re.compile(r"after (\d+) (minute|hour|day)s?")
_PERSON = re.compile(r"(\w+)\s+(\S+@\S+)")
_MAIL = re.compile(r'(\w+) (?:(to the judge)|replies(?: to "([^"]+)")?)(?::\s*(.+))?')
_CONFIRMS = re.compile(r"(\w+) confirms")
_GETS = re.compile(r'(\w+) gets (no )?"([^"]+)"')


def read_script(file: Path) -> Script:
    """The script of a file.  Raises `OperatorError` with file and line."""
    lines = [line.rstrip() for line in file.read_text("utf-8").splitlines()]
    people: dict[str, str] = {}
    steps: list[Step] = []
    number = 0
    while number < len(lines):
        number += 1
        text = lines[number - 1]
        if not text.strip() or text.startswith("#"):
            continue
        body = _indented(lines, number)
        if text == "people":
            people.update(_people(file, number, body))
        elif not steps and not _ON.fullmatch(text):
            raise OperatorError(f"{file}:{number}: the first step sets the clock, for example: on 2026-10-19 09:00")
        else:
            steps.append(_step(file, number, text, body, people))
        number += len(body)
    if not steps:
        raise OperatorError(f"{file}: a script without steps; the first one sets the clock, for example: on 2026-10-19 09:00")
    return Script(people, tuple(steps))


def _indented(lines: Sequence[str], number: int) -> list[str]:
    """The indented lines below a line, blank ones among them but not behind them."""
    body: list[str] = []
    for line in lines[number:]:
        if line and not line.startswith(" "):
            break
        body.append(line)
    while body and not body[-1]:
        body.pop()
    return body


def _people(file: Path, number: int, body: Sequence[str]) -> dict[str, str]:
    """Names and addresses, one a line."""
    people: dict[str, str] = {}
    for index, line in enumerate(body, number + 1):
        found = _PERSON.fullmatch(line.strip())
        if found is None and line.strip():
            raise OperatorError(f"{file}:{index}: a name and an address are wanted, for example: Anna anna@players.example")
        if found is not None:
            people[found[1]] = found[2]
    return people


def _step(file: Path, number: int, text: str, body: Sequence[str], people: dict[str, str]) -> Step:
    """One step of a script.  Raises `OperatorError`."""
    if found := _ON.fullmatch(text):
        return Moment(number, at=datetime.fromisoformat(found[1]).replace(tzinfo=UTC))
    if found := _AFTER.fullmatch(text):
        return Moment(number, span=timedelta(minutes=int(found[1]) * _UNITS[found[2]]))
    if text == "at the deadline":
        return Moment(number)
    found = _MAIL.fullmatch(text) or _CONFIRMS.fullmatch(text) or _GETS.fullmatch(text)
    if found is None:
        raise OperatorError(f"{file}:{number}: {text!r} is no step of a script")
    if found[1] not in people:
        raise OperatorError(f"{file}:{number}: {found[1]} is not among the people")
    if found.re is _CONFIRMS:
        return Confirmation(number, found[1])
    if found.re is _GETS:
        return Expectation(number, found[1], found[3], yes=not found[2])
    written = found[4] or "\n".join(line.removeprefix("  ") for line in body)
    if not written:
        raise OperatorError(f"{file}:{number}: a mail without text; put it behind a colon, or indented below")
    return Mail(number, found[1], written, reply=not found[2], to=found[3] or "")
