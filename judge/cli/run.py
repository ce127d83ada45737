"""`judge run` and `judge receive`: the server, and one mail on standard input."""

import sys
from contextlib import ExitStack, suppress
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

import click
import structlog

from judge.cli.ending import when_told_to_end
from judge.config import Config, read_config
from judge.errors import OperatorError, TryLater
from judge.log import set_up_logging
from judge.mail import Arrival

if TYPE_CHECKING:
    from judge.service.context import Services

TEMPORARY_FAILURE = 75
"""What a mail server takes as "try again later" (sysexits.h, EX_TEMPFAIL)."""

config_option = click.option(
    "--config", "file", type=click.Path(path_type=Path), default=Path("judge.toml"), show_default=True, help="The configuration."
)


@click.command("run")
@config_option
@click.option(
    "--only",
    default="",
    help="What this process does, of several: receive,handle,close,deliver,poll. On SQLite one delivers and one does the rest.",
)
def run_command(file: Path, only: str) -> None:
    """Serve: take mail in, close phases, send letters."""
    try:
        serve(read_config(file), tuple(filter(None, (role.strip() for role in only.split(",")))))
    except (OperatorError, TryLater) as fault:
        raise click.ClickException(str(fault)) from fault


def serve(config: Config, only: tuple[str, ...] = ()) -> None:
    """Run until SIGTERM or SIGINT; what was begun is finished first.  `only` are the roles of this process, all if empty."""
    from judge.service.daemon import ROLES, run, settle_memory
    from judge.wiring import build, open_door

    if wrong := set(only) - set(ROLES):
        raise OperatorError(f"--only: no such role: {', '.join(sorted(wrong))}. Known: {', '.join(ROLES)}")
    set_up_logging(config)
    stop = Event()
    with ExitStack() as stack:
        services = build(config)
        stack.callback(services.store.close)
        stack.callback(services.pictures.close)
        stack.callback(services.closers.end)
        roles = set(only or ROLES)
        stack.enter_context(services.store.claim_daemon(delivers="deliver" in roles, rest=roles != {"deliver"}))

        def end() -> None:
            for event in (stop, services.wake, services.letters):
                event.set()

        when_told_to_end(end)
        if config.mail_in.door is not None and "receive" in (only or ROLES):
            stack.enter_context(open_door(services))
        if config.web.enabled and not only:
            serve_archive(config, stack)
        if config.watch.enabled:
            serve_watch(services, stack)
        settle_memory()
        run(services, stop, only or ROLES)


def serve_archive(config: Config, stack: ExitStack) -> None:
    """The archive beside the judge, until the stack is left; mail goes on without it."""
    from judge.wiring import open_archive

    log = structlog.get_logger()
    try:
        log.info("archive served", at=stack.enter_context(open_archive(config)))
    except OperatorError as fault:
        log.warning("archive not served", why=str(fault))


def serve_watch(services: "Services", stack: ExitStack) -> None:
    """Health and figures, until the stack is left; the judge goes on without them."""
    from judge.wiring import open_watch

    log = structlog.get_logger()
    try:
        log.info("health and figures served", at=stack.enter_context(open_watch(services)))
    except OperatorError as fault:
        log.warning("health and figures not served", why=str(fault))


@click.command("receive")
@config_option
@click.argument("recipients", nargs=-1)
@click.option("--sender", default=None, help="The envelope sender, as the mail server knows it.")
def receive_command(file: Path, recipients: tuple[str, ...], sender: str | None) -> None:
    """Take one mail on standard input (for pipes in mail servers); exit status 75 means: try again later."""
    from judge.mail.received import received_time
    from judge.service.receive import accept
    from judge.service.workers import MAIL
    from judge.store.bell import ring_once
    from judge.wiring import build

    raw = sys.stdin.buffer.read()
    try:
        services = build(read_config(file))
        now = services.clock.now()
        border = services.reading.border
        seen = received_time(raw, border) if border.received_by else None
        accept(services, [Arrival(raw, min(seen or now, now), None, sender, recipients)])
        with suppress(TryLater):  # the mail is kept, and others look now and then anyway
            ring_once(services.store, MAIL)
        services.store.close()
    except (OperatorError, TryLater) as fault:
        click.echo(f"judge receive: {fault}", err=True)
        sys.exit(TEMPORARY_FAILURE)
    except Exception:
        structlog.get_logger().exception("receive failed")
        sys.exit(TEMPORARY_FAILURE)
