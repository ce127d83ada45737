"""Mutated mails through the whole judge: nothing raises, and no order is taken that no line of the mail says."""

import random
import re
import resource
import time
import unicodedata
from base64 import b64decode
from binascii import a2b_qp
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from html import unescape
from multiprocessing import get_context

import pytest

from judge.cli.world import Json, read_world, services_in
from judge.game import Filed
from judge.mail import Message, read_bounce, read_message, why_reluctant, why_silent
from judge.service.context import Services
from judge.service.desk import work_out
from judge.service.work import Part
from tests.support.mutations import MAILS, NOON, check, mutated

WORLD = read_world(MAILS / "manifest.json")
MANY = 100_000
AT_ONCE = 2_500
CHARSETS = ["utf-8", "cp1252", "cp1250", "iso-8859-2", "cp852", "cp1251", "koi8-r", "koi8-u", "iso-8859-5", "cp866", "mac_cyrillic"]
BREAKS = re.compile(r"</?(?:br|p|div|li|tr|h\d|html|body|blockquote|hr|table|ul|ol|pre|title|style)\b", re.IGNORECASE)


@dataclass
class Seen:
    """What came of many mutated mails: the slowest to read (seconds of CPU), the most memory (kB), and the orders taken.

    `guessed` are those with a misspelt word, which the answer shows with what it was taken for.
    """

    slowest: float = 0.0
    memory: int = 0
    mails: int = 0
    with_orders: int = 0
    orders: int = 0
    guessed: int = 0
    wrong: tuple[str, ...] = ()

    def add(self, other: "Seen") -> None:
        """Both together."""
        self.slowest, self.memory = max(self.slowest, other.slowest), max(self.memory, other.memory)
        self.mails, self.with_orders, self.orders = (
            self.mails + other.mails,
            self.with_orders + other.with_orders,
            self.orders + other.orders,
        )
        self.wrong += other.wrong


def fuzz(seed: int, count: int) -> Seen:
    """So many mutated mails read and worked out, and every order that was taken looked for in its mail."""
    dice, seen = random.Random(seed), Seen()
    with services_in(WORLD) as services:
        for number in range(count):
            raw = mutated(dice)
            try:
                begun = time.process_time()
                message = read_message(raw, services.reading, NOON)
                seen.slowest = max(seen.slowest, time.process_time() - begun)
                check(message)
                silent = why_silent(message, services.reading) or read_bounce(raw, message, services.reading)
                why_reluctant(message)
                parts = [] if silent else worked_out(services, message)
            except Exception as error:
                raise AssertionError(f"seed {seed}, mail {number}: {raw!r}") from error
            seen.mails += 1
            taken = sum(len(filed(part)) for part in parts)
            seen.orders += taken
            seen.guessed += sum(
                getattr(remark, "code", "") == "misspelt" for part in parts for item in part.items for remark in item.remarks
            )
            seen.with_orders += bool(taken)
            if taken:
                seen.wrong += tuple(f"seed {seed}, mail {number}: {fault}" for fault in faults(raw, message, parts))
    seen.memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return seen


def worked_out(services: Services, message: Message) -> list[Part]:
    """What a mail does, nothing of it written."""
    with services.store.reading() as tx:
        return work_out(services, tx, message, 1, NOON).work.parts


def filed(part: Part) -> list[tuple[str, str]]:
    """The orders a part of a mail put on file: the line, and the power it was put on file for."""
    return [(item.line, part.seat) for item in part.items for outcome in item.outcomes if isinstance(outcome, Filed)]


# --- what the octets say, found in another way than the judge finds it ---


def faults(raw: bytes, message: Message, parts: list[Part]) -> Iterator[str]:
    """Orders that no whole line of the mail says, or that nobody proved to be entitled to."""
    lines = said(raw, message)
    proofs = raw.lower() + b"\n".join(each.lower() for each in unpacked(raw))
    for part in parts:
        for line, seat in filed(part):
            if bare(line) not in lines:
                yield f"no line says {line!r}"
            if part.held is not None and not may_order(part.held.game.name, seat, proofs):
                yield f"{line!r} is taken from somebody who is not {seat}"


def may_order(game: str, seat: str, octets: bytes) -> bool:
    """Whether a mail holds something only that player has: the secret, the password, or the address (which the border vouched for)."""
    player: Json = WORLD["gm"] if seat == "MASTER" else WORLD["players"][game].get(seat, {})
    return any(str(player[key]).lower().encode() in octets for key in ("token", "password", "address") if player.get(key))


def said(raw: bytes, message: Message) -> set[str]:
    """Every whole line that somebody could see in a mail, under every reading of its octets; quote marks stay at their lines."""
    found = {bare(message.subject), bare(message.subject.partition(":")[2])}
    for octets in unpacked(raw):
        texts = [octets.decode(charset, "replace") for charset in CHARSETS]
        texts += [octets[begin.start() :].decode("utf-16", "replace") for begin in re.finditer(rb"\xff\xfe|\xfe\xff", octets)]
        for text in texts:
            found.update(map(bare, lines_of(text)))
            found.update(map(bare, lines_of(re.sub("<[^<>]*>", "", text))))
            found.update(map(bare, (line for page in pages(text) for line in shown(page))))
    return found


def pages(text: str) -> Iterator[str]:
    """The text, what lies between its blank lines, and all that comes after each: any of it may be what a part of HTML holds."""
    yield text
    yield from re.split(r"\r?\n\r?\n|\n--", text)
    yield from (text[blank.end() :] for blank in re.finditer(r"\r?\n\r?\n", text))


def shown(page: str) -> Iterator[str]:
    """The lines of a page, whatever counts as a tag where tags are broken."""
    page = re.sub("[\r\n]+", " ", page)
    quoting_values = r"""<[a-zA-Z/!?](?:=\s*"[^"]*"|=\s*'[^']*'|=|[^>=])*+(?:>|$)"""
    quoting = r"""<(?:"[^"]*"|'[^']*'|[^"'>])*(?:>|$)"""
    for tag in ("<[a-zA-Z/!?][^<>]*(?:>|$)", "<[^<>]*(?:>|$)", "<[^>]*(?:>|$)", quoting, quoting_values):
        yield from lines_of(unescape(re.sub(tag, lambda found: "\n" if BREAKS.match(found[0]) else "", page)))


def unpacked(raw: bytes) -> Iterator[bytes]:
    """The octets as they are, and what stands in them as quoted-printable and base64."""
    yield raw
    yield a2b_qp(raw)
    runs = [*re.finditer(rb"(?:^[A-Za-z0-9+/]+={0,2}[ \t\r]*$\n?)+", raw, re.MULTILINE)]
    blocks = re.split(rb"\r?\n\r?\n", raw)
    noisy = (block.partition(b"=")[0] for block in [*blocks, *(raw[run.start() :] for run in runs)])
    for coded in [*(run[0] for run in runs), *noisy]:  # whole lines, and blocks with noise
        clean = re.sub(rb"[^A-Za-z0-9+/]", b"", coded)
        yield b64decode(clean[: len(clean) - (len(clean) % 4 == 1)] + b"==")


def lines_of(text: str) -> Iterator[str]:
    """The lines of a text, and those that format=flowed makes one of."""
    lines = re.split("\r\n|\r|\n|\u2028|\u2029", text)
    yield from lines
    yield from (line.rpartition("\x00")[2] for line in lines if "\x00" in line)  # the first one of a winmail.dat stands behind its length
    for number, line in enumerate(lines):
        joined = line
        for further in lines[number + 1 : number + 4]:
            if not joined.endswith(" "):
                break
            joined += further
            yield joined


def bare(line: str) -> str:
    """A line without anything that is not seen, and without the marks of lists; Wingdings' arrow is a letter."""
    seen = "".join(char for char in unicodedata.normalize("NFKC", line) if unicodedata.category(char)[0] not in "CZ")
    return re.sub(r"^(?:\d+[.)]|[*•·-])+", "", seen.casefold().replace("→", "à"))


def test_mutated_mails_order_nothing_that_they_do_not_say() -> None:
    seen = fuzz(20261129, 300)
    assert seen.with_orders > 20
    assert not seen.wrong


@pytest.mark.torture
def test_a_hundred_thousand_mutated_mails(seed: int, tell: Callable[[str], None]) -> None:
    seen = Seen()
    with ProcessPoolExecutor(2, get_context("fork")) as pool:
        for part in pool.map(fuzz, [seed * 1_000_000 + number for number in range(MANY // AT_ONCE)], [AT_ONCE] * (MANY // AT_ONCE)):
            seen.add(part)
    tell(
        f"{seen.mails} mutated mails: 0 exceptions, slowest {seen.slowest * 1000:.0f} ms, peak {seen.memory / 1000:.0f} MB; "
        f"{seen.orders} orders taken from {seen.with_orders} mails, {len(seen.wrong)} of them in no line of theirs, "
        f"{seen.guessed} with a word that was misspelt"
    )
    assert seen.slowest < 0.2
    assert seen.memory < 400_000
    assert not seen.wrong, seen.wrong[:10]
