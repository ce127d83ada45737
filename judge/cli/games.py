"""`judge game`, `judge process` and `judge status`: the games of an installation, for its operator."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from judge.cli.run import config_option
from judge.config import read_config
from judge.errors import OperatorError, TryLater
from judge.game import Game, Status, close_phase
from judge.log import set_up_logging
from judge.rules import BadNotation, read_phase, write_unit
from judge.service.context import Services
from judge.service.housekeeping import TIDIED
from judge.service.watching import checks, look
from judge.wiring import build


@contextmanager
def opened(file: Path) -> Iterator[Services]:
    """The installation a configuration describes; faults in plain words."""
    try:
        config = read_config(file)
        set_up_logging(config)  # what is done is told on standard error, apart from what the command prints
        services = build(config)
    except OperatorError as fault:
        raise click.ClickException(str(fault)) from fault
    try:
        yield services
    except TryLater as fault:
        raise click.ClickException(f"{fault}; try again") from fault
    finally:
        services.store.close()


def local(moment: datetime | None) -> str:
    """A moment for a table."""
    return moment.strftime("%Y-%m-%d %H:%M UTC") if moment else "-"


def find_game(services: Services, name: str) -> Game:
    """The game of that name."""
    with services.store.reading() as tx:
        kept = tx.games.get(name)
    if kept is None:
        raise click.ClickException(f"no game {name!r}; `judge game list` shows them")
    return kept.game


@click.group("game")
def game_command() -> None:
    """Look at games, write them to files, take them in."""


@game_command.command("list")
@config_option
def list_games(file: Path) -> None:
    """All games that are not archived."""
    with opened(file) as services, services.store.reading() as tx:
        rows = tx.games.listed(tuple(Status), unlisted=True)
    table = Table("game", "variant", "status", "phase", "deadline", "open seats")
    for row in rows:
        table.add_row(row.name, row.variant, row.status, str(row.phase), local(row.deadline), f"{row.free} of {row.powers}")
    Console().print(table)


@game_command.command("show")
@config_option
@click.argument("name")
def show_game(file: Path, name: str) -> None:
    """One game: seats, position, who has ordered; no orders."""
    with opened(file) as services:
        game = find_game(services, name)
    console = Console()
    console.print(
        f"{game.name} ({game.variant}): {game.status}, {game.phase}, deadline {local(game.deadline.at if game.deadline else None)}"
    )
    table = Table("power", "seat", "orders on file", "centres", "units")
    for seat in game.seats:
        units = game.position.units.get(seat.key, ())
        centres = sum(owner == seat.key for owner in game.position.owners.values())
        table.add_row(
            seat.key,
            "open" if seat.person is None else f"person {seat.person}",
            str(len(game.orders.get(seat.key, ()))),
            str(centres),
            ", ".join(write_unit(unit) for unit in units),
        )
    console.print(table)


@click.command("process")
@config_option
@click.argument("name")
@click.argument("phase", required=False)
def process_command(file: Path, name: str, phase: str | None) -> None:
    """Close the open phase of a game now (PHASE guards against closing another one)."""
    from judge.service.deadlines import write_transition

    with opened(file) as services:
        game = find_game(services, name)
        try:
            wanted = read_phase(phase.upper()) if phase else game.phase
        except BadNotation as bad:
            raise click.UsageError(f"{phase} is no phase; write it like S1901M") from bad
        if game.status is not Status.RUNNING:
            raise click.ClickException(f"{name} is not running: {game.status}")
        if wanted != game.phase:
            raise click.ClickException(f"{name} is in {game.phase}, not in {wanted}")
        done = write_transition(services, game.id, lambda held, now: close_phase(held.game, held.pack.variant, now, "master"))
    if not done:
        raise click.ClickException("the game changed meanwhile; look again")
    click.echo(f"{name}: {wanted} closed; the letters wait to be sent by `judge run`")


@click.command("status")
@config_option
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def status_command(file: Path, as_json: bool) -> None:
    """Queues, due games, when mail was last read."""
    with opened(file) as services:
        facts = read_status(services)
    if as_json:
        click.echo(json.dumps(facts, default=str))
        return
    table = Table(show_header=False)
    for key, value in facts.items():
        table.add_row(key.replace("_", " "), str(value))
    Console().print(table)
    sys.exit(0)


def read_status(services: Services) -> dict[str, object]:
    """What an operator wants to know at a glance."""
    seen = look(services)
    with services.store.reading() as tx:
        wake = tx.games.next_wake()
        given_up = tx.outbox.counts().dead
        tidied = tx.marks.get(TIDIED)
        read = {name: tx.marks.get(f"read:{name}") for name in services.mailboxes}
    return {
        "time": seen.at,
        "games": {status: count for status, count in seen.games.items() if count},
        "games_due": seen.store.due,
        "due_since": seen.store.due_since,
        "next_wake": wake,
        "mails_unfinished": seen.store.mails,
        "oldest_unfinished_mail": seen.store.oldest_mail,
        "letters_waiting": seen.store.letters,
        "letters_tried_before": seen.store.deferred,
        "letters_given_up": given_up,
        "oldest_waiting_letter": seen.store.oldest_letter,
        "last_round": seen.last_round,
        "read_until": read,
        "workers": seen.workers,
        "database_octets": seen.store.octets,
        "free_octets": seen.room,
        "tidied": tidied,
        "wrong": [f"{check.name}: {check.says}" for check in checks(services) if not check.well],
    }
