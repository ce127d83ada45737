"""`judge adjudicate`, `judge options` and `judge replay`: the rules for other programs, JSON Lines in and out."""

import gzip
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias

import click

from judge.board import Power
from judge.cli.replaying import recorded_phases, replayed
from judge.library import BadMap, read_variant
from judge.rules import (
    CHOICES,
    BadNotation,
    ImpossiblePosition,
    Order,
    Position,
    Rulebook,
    Variant,
    adjudicate,
    legal_orders,
    read_case,
    read_order,
    read_position,
    write_order,
    write_result,
)

if TYPE_CHECKING:
    from judge.cli.orders import Desk
    from judge.language import Pen
    from judge.library import Library

Value: TypeAlias = bool | int | str


Switches: TypeAlias = tuple[tuple[str, Value], ...]
"""Switches of the rulebook with their values."""


def read_switches(ctx: click.Context, param: click.Parameter, texts: tuple[str, ...]) -> Switches:
    """The rulebook switches named on the command line (``via_without_convoy=land``), each of the type its default has."""
    return tuple(read_switch(text) for text in texts)


def read_switch(text: str) -> tuple[str, Value]:
    """One switch and its value.  Raises `click.BadParameter`."""
    name, _, value = text.partition("=")
    default = getattr(Rulebook(), name, None)
    if default is None:
        raise click.BadParameter(f"there is no switch {name!r}")
    if isinstance(default, bool):
        if value not in ("true", "false"):
            raise click.BadParameter(f"{name} is true or false")
        return name, value == "true"
    if isinstance(default, int):
        if not value.isdigit():
            raise click.BadParameter(f"{name} is a number")
        return name, int(value)
    if value not in CHOICES[name]:
        raise click.BadParameter(f"{name} is one of {', '.join(CHOICES[name])}")
    return name, value


@cache
def variant_with(name: str, switches: Switches) -> Variant:
    """The variant called `name` with some switches set otherwise.  Raises `BadMap`."""
    variant = read_variant(name)
    if not switches:
        return variant
    return replace(variant, rulebook=replace(variant.rulebook, **dict(switches)))  # type: ignore[arg-type]  # values checked above


def opened(file: str) -> BinaryIO | gzip.GzipFile:
    """The input: a file, unpacked if its name ends in .gz, or standard input for ``-``."""
    if file == "-":
        return sys.stdin.buffer
    return gzip.open(file) if file.endswith(".gz") else Path(file).open("rb")


def lines_of(file: str) -> Iterator[tuple[int, bytes]]:
    """The lines of a file that hold anything, numbered from 1; progress is shown on a terminal."""
    with opened(file) as stream:
        numbered: Iterable[tuple[int, bytes]] = enumerate(stream, 1)
        if file != "-" and sys.stderr.isatty():  # pragma: no cover - only on a terminal
            from rich.progress import track

            numbered = track(numbered, description=Path(file).name, total=None, transient=True)
        for number, line in numbered:
            if line.strip():
                yield number, line


def say(value: object) -> None:
    """One JSON object as a line, flushed."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, separators=(", ", ": ")) + "\n")
    sys.stdout.flush()


class Failures:
    """Counts the lines that were no valid input."""

    def __init__(self) -> None:
        self.count = 0

    def tell(self, code: str, text: str, **known: object) -> None:
        """Write an error line."""
        self.count += 1
        say({**known, "error": {"code": code, "text": text}})


def cases_of(file: str, map_name: str, switches: Switches, failures: Failures) -> Iterator[tuple[dict[str, Any], Variant]]:
    """Each case of a file with its variant; what is no case gives its error line."""
    for number, line in lines_of(file):
        try:
            case = json.loads(line)
        except ValueError as problem:
            failures.tell("not_json", str(problem), id=None, line=number)
            continue
        if not isinstance(case, dict):
            failures.tell("not_a_case", "a case is a JSON object", id=None, line=number)
            continue
        name = str(case.get("map") or map_name)
        try:
            variant = variant_with(name, switches)
        except BadMap as problem:
            failures.tell("unknown_map", str(problem), id=case.get("id"))
            continue
        yield case, variant


map_option = click.option("--map", "map_name", default="standard", show_default=True, metavar="NAME", help="Board of cases that name none.")
switch_option = click.option(
    "--switch",
    "switches",
    multiple=True,
    callback=read_switches,
    metavar="NAME=VALUE",
    help="Set a switch of the rulebook; may be repeated.",
)
file_argument = click.argument("file", default="-", type=click.Path(exists=True, dir_okay=False, allow_dash=True))


@click.command("adjudicate")
@map_option
@switch_option
@click.option("--lang", metavar="LANG", help="Language of orders that are not in canonical notation.")
@click.option("--explain", metavar="LANG", help="Add a sentence in this language to each order.")
@file_argument
def adjudicate_command(map_name: str, switches: Switches, lang: str | None, explain: str | None, file: str) -> None:
    """Adjudicate cases: JSON Lines in, one result a line out."""
    for language in (lang, explain):
        if language is not None and language not in library().tongues():
            raise click.BadParameter(f"there is no language {language!r}; there are {', '.join(library().tongues())}")
    failures = Failures()
    for case, variant in cases_of(file, map_name, switches, failures):
        try:
            position, texts = read_case(case, variant)
            orders, written = understood(texts, position, variant, lang)
            result = adjudicate(position, orders, variant)
        except ImpossiblePosition as problem:
            failures.tell(problem.fault, str(problem), id=case.get("id"))
            continue
        told = write_result(result)
        for entry, refused in zip(told["refused"], result.refused, strict=True):
            entry["text"] = written.get((refused.power, refused.text), refused.text)
        if explain is not None:
            pen = pen_for(variant.name, explain)
            for entry, outcome in zip(told["orders"], result.outcomes, strict=True):
                entry["sentence"] = pen.sentence(outcome)
        say({"id": case.get("id"), **told})
    sys.exit(1 if failures.count else 0)


@cache
def library() -> "Library":
    """The shipped maps and languages; imported only when a language is needed."""
    from judge.library import Library

    return Library()


@cache
def desk(name: str) -> "Desk":
    """What reads the orders of one variant as people write them."""
    from judge.cli.orders import Desk

    return Desk(library(), name)


@cache
def pen_for(name: str, language: str) -> "Pen":
    """What words outcomes in one language."""
    from judge.language import Pen

    tongue = library().tongue(language)
    return Pen(tongue.phrases, library().pack(name).gazetteer(language), tongue.lexicon)


def understood(
    texts: Mapping[Power, list[str]], position: Position, variant: Variant, lang: str | None
) -> tuple[dict[Power, list[Order | str]], dict[tuple[Power, str], str]]:
    """Orders that are not in canonical notation read by the language, and what was written for each of them.

    Without `lang` English is tried, and only what needs no repair is taken.
    """
    orders: dict[Power, list[Order | str]] = {}
    written: dict[tuple[Power, str], str] = {}
    for power, lines in texts.items():
        orders[power] = []
        for line in lines:
            found = read_line(line, power, position, variant, lang)
            orders[power].append(found)
            if not isinstance(found, str):
                written[power, write_order(found)] = line
    return orders, written


def read_line(line: str, power: Power, position: Position, variant: Variant, lang: str | None) -> Order | str:
    """The order a line says, or the line itself where it is canonical or cannot be read."""
    try:
        read_order(line, variant.board)
    except BadNotation:
        (reading,) = desk(variant.name).reader.read_lines([line], position=position, power=power, prefer=(lang or "en",))
        is_plain = reading.error is None and len(reading.orders) == 1 and (lang is not None or not reading.warnings)
        if is_plain:
            return reading.orders[0]
    return line


@click.command("options")
@map_option
@switch_option
@file_argument
def options_command(map_name: str, switches: Switches, file: str) -> None:
    """List every legal order of every unit that must act: cases in, JSON Lines out."""
    failures = Failures()
    for case, variant in cases_of(file, map_name, switches, failures):
        try:
            found = legal_orders(read_position(case, variant), variant)
        except ImpossiblePosition as problem:
            failures.tell(problem.fault, str(problem), id=case.get("id"))
            continue
        options = {
            power: {unit: [write_order(order) for order in orders] for unit, orders in units.items()} for power, units in found.items()
        }
        say({"id": case.get("id"), "options": options})
    sys.exit(1 if failures.count else 0)


@click.command("replay")
@map_option
@switch_option
@click.argument("files", nargs=-1, type=click.Path(exists=True, dir_okay=False, allow_dash=True), metavar="FILE...")
def replay_command(map_name: str, switches: Switches, files: tuple[str, ...]) -> None:
    """Judge recorded games anew: a line for each phase that comes out otherwise, then their number."""
    failures = Failures()
    phases = differences = 0
    for file in files or ("-",):
        for game in recorded_phases(values_of(file, failures)):
            if not game:
                continue
            variant = variant_with(str(game[0].case.get("map") or map_name), switches)
            for difference in replayed(game, variant):
                phases += 1
                if difference is not None:
                    differences += 1
                    click.echo(str(difference))
    click.echo(f"phases {phases}, differences {differences}")
    sys.exit(1 if failures.count else 0)


def values_of(file: str, failures: Failures) -> Iterator[dict[str, Any]]:
    """The JSON objects of a file, one a line, or all of it one object (an export)."""
    for number, line in lines_of(file):
        try:
            value = json.loads(line)
        except ValueError as problem:
            failures.tell("not_json", str(problem), id=None, line=number)
            continue
        if isinstance(value, dict):
            yield value
