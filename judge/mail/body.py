"""The text a person typed: charset, format=flowed, quotes, signature; or a page read like a text."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from judge.mail.charsets import decode
from judge.mail.page import page_text
from judge.mail.parts import Part
from judge.mail.quotes import Cut, mark_depths, typed_lines, unflow
from judge.mail.settings import Reading

_LINE_END = re.compile("\r\n|\r|\n|\u2028|\u2029")
_NOTHING = re.compile("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x84\\x86-\\x9f\ufffe\uffff]+")


@dataclass(frozen=True, slots=True)
class Typed:
    """A text as typed; the whole text it was cut from; codes of notes on its charset and of problems."""

    text: str
    whole: str
    quoted: bool = False
    notes: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


def typed_text(part: Part, reading: Reading) -> Typed:
    """What a person typed into one text or page part; never raises, whatever the octets are."""
    decoded = decode(part.octets(), part.parameters.get("charset"), reading.languages)
    notes = (decoded.note,) if decoded.note else ()
    if decoded.note == "utf7":
        return Typed("", "", problems=("utf7",))
    text, problems = decoded.text.removeprefix("\ufeff"), []
    if part.kind == "text/html":
        if len(text) > reading.limits.html:
            text = text[: reading.limits.html]
            problems.append("text_cut")
        text = page_text(text)
    lines, cut_codes = _lines(text, reading)
    cut = _cut(part, lines, reading)
    problems += [*cut_codes, *(["encrypted"] if cut.encrypted else [])]
    return Typed("\n".join(cut.lines), "\n".join(lines), cut.quoted, notes, tuple(dict.fromkeys(problems)))


def _lines(text: str, reading: Reading) -> tuple[list[str], list[str]]:
    """The text in lines without NUL and control characters, cut to the limits; and codes of what was cut."""
    codes = []
    limits = reading.limits
    if len(text) > limits.text:
        text = text[: limits.text]
        codes.append("text_cut")
    lines = _LINE_END.split(_NOTHING.sub("", text))
    if len(lines) > limits.lines:
        lines = lines[: limits.lines]
        codes.append("text_cut")
    if max(map(len, lines)) > limits.line:
        lines = [line[: limits.line] for line in lines]
        codes.append("lines_cut")
    return lines, codes


def _cut(part: Part, lines: Sequence[str], reading: Reading) -> Cut:
    flowed = part.kind == "text/plain" and part.parameters.get("format").lower() == "flowed"
    marked = unflow(lines, part.parameters.get("delsp").lower() == "yes") if flowed else mark_depths(lines)
    tidy = [(depth, text if text == "-- " else text.rstrip()) for depth, text in marked]
    return typed_lines(tidy, (reading.own.judge, *reading.own.aliases), reading.fences)
