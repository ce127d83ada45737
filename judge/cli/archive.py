"""`judge web` and `judge export`: the archive served, and written as files."""

from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.progress import Progress

from judge.cli.ending import when_told_to_end
from judge.cli.run import config_option
from judge.config import read_config
from judge.errors import OperatorError, TryLater
from judge.log import set_up_logging

if TYPE_CHECKING:
    from judge.web import SitePart


@click.command("web")
@config_option
@click.option("--host", default=None, help="Where to listen, in place of the setting.")
@click.option("--port", type=click.IntRange(0, 65535), default=None, help="The port, in place of the setting; 0 takes a free one.")
def web_command(file: Path, host: str | None, port: int | None) -> None:
    """Serve the archive alone: for a machine of its own, or while `judge run` does not."""
    from judge.wiring import open_archive

    stop = Event()
    try:
        config = read_config(file)
        set_up_logging(config)
        web = replace(config.web, host=host or config.web.host, port=config.web.port if port is None else port)
        with open_archive(replace(config, web=web)) as address:
            when_told_to_end(stop.set)
            click.echo(f"the archive: {address}", err=True)
            stop.wait()
    except (OperatorError, TryLater) as fault:
        raise click.ClickException(str(fault)) from fault


@click.command("export")
@config_option
@click.argument("folder", required=False, type=click.Path(path_type=Path, file_okay=False))
@click.option("--language", "languages", multiple=True, help="A language to write pages in; all if none is named.")
@click.option(
    "--drawings/--no-drawings", default=False, help="Also each picture as a large drawing with title and key (about 0.4 MB each)."
)
def export_command(file: Path, folder: Path | None, languages: tuple[str, ...], drawings: bool) -> None:
    """Write the archive as files, into FOLDER or the site folder of the spool; what changed since the last time is written anew."""
    from judge.web import export_site
    from judge.wiring import build_archive

    try:
        config = read_config(file)
        set_up_logging(config)
        target = folder or config.spool / "site"
        with closing(build_archive(config, drawings=drawings)) as site, progress() as tell:
            if unknown := set(languages) - set(site.languages):
                raise click.BadParameter(f"no pages in {', '.join(sorted(unknown))}; there are {', '.join(site.languages)}")
            done = export_site(site, target, languages, tell=tell)
    except (OperatorError, TryLater) as fault:
        raise click.ClickException(str(fault)) from fault
    click.echo(f"{target}: {done.written} files written, {done.kept} unchanged, {done.removed} removed; {done.made} made anew")


@contextmanager
def progress() -> Iterator["_Bar"]:
    """Shows how far it is, on a terminal."""
    console = Console(stderr=True)
    with Progress(console=console, disable=not console.is_terminal, transient=True) as bar:
        yield _Bar(bar)


class _Bar:
    """Parts of the site handed on one by one, counted on the way."""

    def __init__(self, bar: Progress) -> None:
        self._bar = bar

    def __call__(self, parts: Iterable["SitePart"]) -> Iterable["SitePart"]:
        return self._bar.track(list(parts), description="games and players")
