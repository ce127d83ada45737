"""`judge backup`, `judge restore` and `judge db`: looking after the database."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

import click

from judge.cli.bars import bars
from judge.config import read_config
from judge.errors import OperatorError, TryLater

_T = TypeVar("_T")
CONFIG = click.option(
    "--config", "file", type=click.Path(path_type=Path), default=Path("judge.toml"), show_default=True, help="The configuration."
)


def _told(do: Callable[[], _T]) -> _T:
    """The result, or the operator's fault as one line on standard error."""
    try:
        return do()
    except (OperatorError, TryLater) as fault:
        raise click.ClickException(str(fault)) from fault


def _place(database: str | None, file: Path) -> str:
    """The database that is meant: named, or that of the configuration."""
    return database or read_config(file).database_url


DATABASE = click.option("--database", help="A database URL, instead of the one in the configuration.")


@click.command("backup")
@CONFIG
@click.option("--to", "folder", type=click.Path(path_type=Path, file_okay=False), help="Where to; default: backup/ in the spool.")
@click.option("--keep", type=click.IntRange(min=1), help="Remove older backups there beyond so many.")
def backup_command(file: Path, folder: Path | None, keep: int | None) -> None:
    """Copy the database, site key included, into one file, while the judge goes on working."""
    from judge.store import open_store, settle
    from judge.store.backup import back_up, old_backups
    from judge.store.site import read_installation

    config = _told(lambda: read_config(file))
    place = folder or config.spool / "backup"

    def make() -> Path:
        store = open_store(config.database_url, readonly=True)
        try:
            if read_installation(store) is None:  # not started since its upgrade: the key still lies in the spool
                settle(open_store(config.database_url), config.spool)
            with bars() as show:
                return back_up(store, place, datetime.now(UTC), show)
        finally:
            store.close()

    made = _told(make)
    click.echo(f"{made} ({made.stat().st_size / 1e6:.1f} MB). It holds the secret site key: keep it as safe as a password.")
    for old in old_backups(place, keep) if keep else ():
        old.unlink()
        click.echo(f"removed {old.name}")


@click.command("restore")
@CONFIG
@click.option("--replace", is_flag=True, help="Empty the database first; a backup of it is made before.")
@click.argument("backup", type=click.Path(path_type=Path, dir_okay=False))
def restore_command(file: Path, replace: bool, backup: Path) -> None:
    """Put a backup back: into an empty database, or with --replace into the one in use."""
    from judge.store import open_store
    from judge.store.backup import KeyFate, Restored, back_up, read_about, restore
    from judge.store.site import KEY_FILE, owner_of, point_to, read_key_file

    config = _told(lambda: read_config(file))
    before = owner_of(config.spool)

    def put_back() -> Restored:
        about = read_about(backup)
        click.echo(f"backup of {about.made_at}, judge {about.judge}, {about.database}")
        config.spool.mkdir(parents=True, exist_ok=True)
        if replace:
            store = open_store(config.database_url)
            made = back_up(store, config.spool / "backup", datetime.now(UTC))
            store.close()
            click.echo(f"what is there now was kept in {made}")
        key_here = read_key_file(config.spool / KEY_FILE)
        with bars() as show:
            return restore(backup, config.database_url, replace=replace, key_here=key_here, spool_of=before, progress=show)

    done = _told(put_back)
    click.echo(", ".join(f"{count} {name}" for name, count in done.rows.items() if count) or "the backup was empty")
    old_key = config.spool / KEY_FILE
    if old_key.exists() and read_key_file(old_key) != done.installation.key:
        aside = old_key.rename(old_key.with_name(f"{KEY_FILE}.before-restore-{datetime.now(UTC):%Y%m%d-%H%M%S}"))
        click.echo(f"The site key is that of the backup again; the other one lies in {aside}.")
    if before not in ("", done.installation.name):
        click.echo(f"{config.spool} belonged to the installation {before}; it belongs to {done.installation.name} now.")
    point_to(config.spool, done.installation.name)
    match done.key:
        case KeyFate.OF_HERE:
            click.echo(
                "The backup holds no site key; the one that was here stays in force. If these games were played with another one, "
                "run `judge db new-key`: it sends every player a new reply address.",
                err=True,
            )
        case KeyFate.NEW:
            click.echo(
                "The backup holds no site key: all secret reply addresses change, and those that players have no longer work.", err=True
            )
            _send_new_addresses(file)
    click.echo("Mails that came after the backup are read again from the mailbox, as far as they are still there, when the judge starts.")


def _send_new_addresses(file: Path) -> None:
    """Write the letters that tell everybody a new address."""
    from judge.service.renewing import tell_new_addresses
    from judge.wiring import build

    def write() -> int:
        services = build(read_config(file))
        try:
            return tell_new_addresses(services)
        finally:
            services.pictures.close()
            services.store.close()

    letters = _told(write)
    click.echo(f"{letters} letters with new addresses wait to be sent; they leave when the judge starts.")


@click.group("db")
def db_command() -> None:
    """Upgrade, move or check the database."""


@db_command.command("upgrade")
@CONFIG
@DATABASE
def upgrade_command(file: Path, database: str | None) -> None:
    """Bring the database up to this judge; an SQLite file is copied aside first.  Stop the judge before."""
    from judge.store import migrate, open_store, pending, settle
    from judge.store.backup import copy_aside
    from judge.store.engines import database_file, read_url
    from judge.store.lock import DaemonLock
    from judge.store.opening import REVISIONS

    def upgrade() -> None:
        url = _place(database, file)
        needed = pending(url)
        if not needed:
            click.echo("The database is up to date.")
            return
        place = database_file(read_url(url))
        with DaemonLock(place):
            if place is not None and needed != REVISIONS:  # there is something in it
                kept = copy_aside(url, place.parent / "backup" / f"before-{needed[-1]}-{datetime.now(UTC):%Y%m%d-%H%M%S}.db")
                click.echo(f"copied to {kept}")
            click.echo(f"upgraded: {', '.join(migrate(url))}")
            if not database:  # a key that lies in the spool goes into the database, and so into the next backup
                store = open_store(url)
                settle(store, read_config(file).spool)
                store.close()

    _told(upgrade)


@db_command.command("move")
@click.argument("source")
@click.argument("target")
def move_command(source: str, target: str) -> None:
    """Carry everything from one database URL to another, empty one, on SQLite or PostgreSQL.  Stop the judge before."""
    from judge.store import open_store
    from judge.store.moving import copy_all

    def move() -> dict[str, int]:
        old = open_store(source, readonly=True)
        new = open_store(target)
        try:
            with old.lock_daemon(), new.claim_daemon(), bars() as show:
                return copy_all(old, new, progress=show)
        finally:
            old.close()
            new.close()

    done = _told(move)
    click.echo(", ".join(f"{count} {name}" for name, count in done.items() if count) or "there was nothing to move")
    click.echo(f'Now write database = "{target}" into judge.toml, and start no judge with the old database again.')


@db_command.command("new-key")
@CONFIG
def new_key_command(file: Path) -> None:
    """Make a new site key, for when somebody may have seen the old one: every player gets a new reply address.  Stop the judge before."""
    from judge.store import open_store
    from judge.store.site import renew_key

    def renew() -> None:
        store = open_store(_place(None, file))
        try:
            with store.claim_daemon():
                renew_key(store)
        finally:
            store.close()

    _told(renew)
    click.echo("The site key is a new one: all secret reply addresses change, and those that players have no longer work.")
    _send_new_addresses(file)
    click.echo("Old backups hold the old key. Other processes of this installation must be started anew.")


@db_command.command("check")
@CONFIG
@DATABASE
def check_command(file: Path, database: str | None) -> None:
    """Read everything in the database once, and say what is wrong with it."""
    from judge.store import open_store
    from judge.store.checking import check_store

    def check() -> tuple[str, ...]:
        store = open_store(_place(database, file), readonly=True)
        try:
            with bars() as show:
                return check_store(store, show)
        finally:
            store.close()

    faults = _told(check)
    for fault in faults:
        click.echo(fault)
    if faults:
        raise click.exceptions.Exit(1)
    click.echo("The database is sound.")
