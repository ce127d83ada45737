"""`judge read`: what the judge makes of mails, without acting on them."""

import base64
import json
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import click

from judge.cli.run import config_option
from judge.cli.world import Json, read_world, services_in
from judge.config import read_config
from judge.errors import OperatorError
from judge.mail.received import received_time
from judge.service.context import Services
from judge.service.examine import Examiner
from judge.wiring import build


@dataclass(frozen=True)
class Mail:
    """A mail to look at: how it is called in the answer, its bytes, and when it arrived if that was said."""

    label: dict[str, object]
    raw: bytes
    at: datetime | None


@click.command("read")
@config_option
@click.option(
    "--world", "world_file", type=click.Path(path_type=Path, exists=True, dir_okay=False), help="A JSON file with a world to read in."
)
@click.option("--alone", is_flag=True, help="Judge each mail against a fresh world.")
@click.option("--at", "moment", default=None, help="When the mails arrived (ISO); default: their topmost Received field.")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path, exists=True))
def read_command(file: Path, world_file: Path | None, alone: bool, moment: str | None, paths: tuple[Path, ...]) -> None:
    """Say what the judge makes of MAILS (files or folders; JSON Lines with raw_base64 on standard input): one JSON object each."""
    try:
        at = datetime.fromisoformat(moment).astimezone(UTC) if moment else None
        world = read_world(world_file) if world_file else None
    except ValueError as bad:
        raise click.UsageError(str(bad)) from bad
    faulty = False
    try:
        with opened(world, file) as services:
            examiner = Examiner(services)
            for mail in mails_of(paths, at):
                if isinstance(mail, dict):
                    faulty = True
                    click.echo(json.dumps(mail, ensure_ascii=False))
                    continue
                if alone:
                    examiner = Examiner(services)
                arrived = mail.at or received_time(mail.raw, services.reading.border) or datetime.now(UTC)
                click.echo(json.dumps(mail.label | dict(examiner.examine(mail.raw, arrived)), ensure_ascii=False, default=str))
                sys.stdout.flush()
    except OperatorError as fault:
        raise click.ClickException(str(fault)) from fault
    sys.exit(1 if faulty else 0)


@contextmanager
def installation(file: Path) -> Iterator[Services]:
    """The running installation, only read."""
    services = build(read_config(file))
    try:
        yield services
    finally:
        services.store.close()


def opened(world: Json | None, file: Path) -> AbstractContextManager[Services]:
    """What the mails are read against."""
    return services_in(world) if world is not None else installation(file)


def mails_of(paths: tuple[Path, ...], at: datetime | None) -> Iterator[Mail | dict[str, object]]:
    """The mails of files and folders, or of standard input; an object with an error for a line that is none."""
    if not paths or paths == (Path("-"),):
        for number, line in enumerate(sys.stdin, 1):
            if line.strip():
                yield _from_json(line, number, at)
        return
    for path in paths:
        for file in sorted(path.glob("*.eml")) if path.is_dir() else [path]:
            yield Mail({"file": file.name}, file.read_bytes(), at)


def _from_json(line: str, number: int, at: datetime | None) -> Mail | dict[str, object]:
    """One line of standard input."""
    try:
        data = json.loads(line)
        raw = base64.b64decode(data["raw_base64"], validate=True)
        told = datetime.fromisoformat(data["at"]).astimezone(UTC) if data.get("at") else at
        return Mail({"id": data.get("id")}, raw, told)
    except (ValueError, KeyError, TypeError, AttributeError) as bad:
        return {"id": None, "line": number, "error": {"code": "not_a_mail", "text": f"{type(bad).__name__}: {bad}"}}
