"""`judge orders`: what the judge makes of lines as people write them, one JSON object a line."""

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from judge.language import BadLine, Gazetteer, Lexicon, LineReading, Notation, Pen, Reader, Tongue, Warned
from judge.language.commandwords import CommandWords
from judge.library import BadMap, BadTongue, Library, Pack
from judge.rules import BadNotation, ImpossiblePosition, Phase, Position, read_phase, read_position, write_order

if TYPE_CHECKING:
    from judge.report import Wording


@dataclass(frozen=True)
class Words:
    """A language as the reader needs it."""

    lexicon: Lexicon
    gazetteer: Gazetteer


class Tongues(Mapping[str, Tongue]):
    """The languages of a library with the names of one variant, each read when a line first needs it."""

    def __init__(self, library: Library, pack: Pack) -> None:
        self.library = library
        self.pack = pack

    def __getitem__(self, language: str) -> Words:
        """The words of one language.  Raises `KeyError`."""
        if language not in self.library.tongues():
            raise KeyError(language)
        return Words(self.library.tongue(language).lexicon, self.pack.gazetteer(language))

    def __iter__(self) -> Iterator[str]:
        """Codes of all languages, English first."""
        return iter(self.library.tongues())

    def __len__(self) -> int:
        """How many languages there are."""
        return len(self.library.tongues())


class Desk:
    """Reads order lines of one variant, and words what is said of them."""

    def __init__(self, library: Library, name: str) -> None:
        self.library = library
        self.pack = library.pack(name)
        self.reader = Reader(self.pack.variant, Tongues(library, self.pack))
        self._wordings: dict[str, Wording] = {}

    @cached_property
    def commands(self) -> CommandWords:
        """The words of commands."""
        return self.library.command_words

    def power(self, text: str | None) -> str | None:
        """A power by its id in any case, or None.  Raises `click.BadParameter`."""
        if not text:
            return None
        found = next((power for power in self.pack.variant.powers if power.lower() == text.lower()), None)
        if found is None:
            raise click.BadParameter(f"{self.pack.name} has no power {text!r}; it has {', '.join(self.pack.variant.powers)}")
        return found

    def phase(self, text: str | None) -> Phase | None:
        """A phase of its canonical spelling, or None.  Raises `click.BadParameter`."""
        if not text:
            return None
        try:
            return read_phase(text)
        except BadNotation as bad:
            raise click.BadParameter(f"{text!r} is no phase; one is written S1901M, F1901R, W1901A") from bad

    def language(self, text: str | None) -> tuple[str, ...]:
        """The language to read first.  Raises `click.BadParameter`."""
        if text and text not in self.library.tongues():
            raise click.BadParameter(f"there is no language {text!r}; there are {', '.join(self.library.tongues())}")
        return (text,) if text else ()

    def position(self, case: object) -> Position | None:
        """The position of a case, or None.  Raises `click.BadParameter`."""
        if case is None:
            return None
        if not isinstance(case, Mapping):
            raise click.BadParameter("a position is a JSON object as `judge adjudicate` reads it")
        try:
            return read_position(case, self.pack.variant)
        except ImpossiblePosition as bad:
            raise click.BadParameter(f"impossible position: {bad}") from bad

    def wording(self, language: str) -> "Wording":
        """What words errors and warnings, in a language that has sentences, else in English."""
        if language not in self._wordings:
            from judge.report import Wording  # slow to import, and many lines need no words

            tongue = self.library.tongue(language)
            pen = Pen(tongue.phrases, self.pack.gazetteer(language), tongue.lexicon, Notation.CANONICAL)
            commands = {name.upper(): self.commands.spell(name, language) for _, name in self.commands.written}
            self._wordings[language] = Wording(pen, self.pack.variant, commands)
        return self._wordings[language]

    def said(self, complaint: BadLine | Warned, language: str) -> dict[str, object]:
        """An error or warning as JSON: its code and its sentence."""
        wording = self.wording(language)
        text = wording.error(complaint) if isinstance(complaint, BadLine) else wording.remark(complaint)
        return {"code": complaint.code, "text": text}

    def as_json(self, reading: LineReading, language: str | None) -> dict[str, object]:
        """One line's reading as JSON; sentences in `language`, or in the line's own."""
        words = language or reading.lang
        orders = [write_order(order) for order in reading.orders]
        return {
            "n": reading.n,
            "line": reading.line,
            "kind": reading.kind.value,
            "orders": orders,
            "order": orders[0] if orders else None,
            "power": reading.power,
            "powers": list(reading.powers),
            "phase": str(reading.season) if reading.season else None,
            "error": self.said(reading.error, words) if reading.error else None,
            "warnings": [self.said(warning, words) for warning in reading.warnings],
            "suggestions": list(reading.suggestions),
            "lang": reading.lang,
        }


def say(value: Mapping[str, object]) -> None:
    """One JSON object as a line, flushed."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def read_text(file: str) -> str:
    """A whole file, or standard input for ``-``; bytes that are no UTF-8 become question marks."""
    data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    return data.decode("utf-8", "replace")


def lines_of(text: str) -> list[str]:
    """The lines of a text, of whatever line ends; other separators that Unicode knows end no line."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return lines[:-1] if lines and not lines[-1] else lines


class Desks:
    """Desks by map, made when first asked for."""

    def __init__(self) -> None:
        self.library = Library()
        self._desks: dict[str, Desk] = {}

    def desk(self, name: str) -> Desk:
        """The desk of a map.  Raises `click.BadParameter`."""
        if name not in self._desks:
            try:
                self._desks[name] = Desk(self.library, name)
            except (BadMap, BadTongue) as bad:
                raise click.BadParameter(str(bad)) from bad
        return self._desks[name]


@click.command("orders")
@click.option("--map", "map_name", default="standard", show_default=True, metavar="NAME", help="Board of the orders.")
@click.option("--lang", metavar="LANG", help="Language of the lines, and of the answers; else it is found by itself.")
@click.option("--power", metavar="POWER", help="Whose orders they are.")
@click.option("--phase", metavar="PHASE", help="The phase they are for, e.g. S1901M.")
@click.option("--position", "position_file", type=click.Path(exists=True, dir_okay=False), help="A case (JSON): where the units stand.")
@click.option("--jsonl", is_flag=True, help='Input is JSON Lines: {"id", "text", "map", "lang", "power", "phase", "position"}.')
@click.argument("file", default="-", type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@click.pass_context
def orders_command(
    ctx: click.Context,
    map_name: str,
    lang: str | None,
    power: str | None,
    phase: str | None,
    position_file: str | None,
    jsonl: bool,
    file: str,
) -> None:
    """Read order lines as people write them; one JSON object for each line."""
    desks = Desks()
    defaults: dict[str, Any] = {"map": map_name, "lang": lang, "power": power, "phase": phase, "position": None}
    if position_file:
        try:
            defaults["position"] = json.loads(Path(position_file).read_text("utf-8"))
        except ValueError as bad:
            raise click.BadParameter(f"{position_file} is no JSON: {bad}") from bad
    if not jsonl:
        for reading in _read(desks, read_text(file), defaults):
            say(reading)
        return
    with sys.stdin if file == "-" else Path(file).open(encoding="utf-8", errors="replace") as stream:
        if _read_jsonl(desks, stream, defaults):
            ctx.exit(1)


def _read_jsonl(desks: Desks, stream: TextIO, defaults: Mapping[str, Any]) -> int:
    """Answer each JSON line; how many were no valid input."""
    failures = 0
    for number, line in enumerate(stream, 1):
        if not line.strip():
            continue
        try:
            asked = json.loads(line)
            if not isinstance(asked, dict) or not isinstance(asked.get("text"), str):
                raise click.BadParameter('each line is a JSON object with "text"')
            given = {**defaults, **{key: value for key, value in asked.items() if key in defaults and value is not None}}
            for reading in _read(desks, asked["text"], given):
                say({"id": asked.get("id"), **reading})
        except (ValueError, click.BadParameter) as bad:
            failures += 1
            known = asked.get("id") if isinstance(bad, click.BadParameter) and isinstance(asked, dict) else None
            text = bad.message if isinstance(bad, click.BadParameter) else str(bad)
            say({"id": known, "line": number, "error": {"code": "bad_input", "text": text}})
    return failures


def _read(desks: Desks, text: str, given: Mapping[str, Any]) -> Iterator[dict[str, object]]:
    desk = desks.desk(str(given["map"]))
    position = desk.position(given["position"])
    readings = desk.reader.read_lines(
        lines_of(text),
        position=position,
        power=desk.power(given["power"]),
        phase=desk.phase(given["phase"]),
        prefer=desk.language(given["lang"]),
        commands=desk.commands,
    )
    for reading in readings:
        yield desk.as_json(reading, given["lang"])
