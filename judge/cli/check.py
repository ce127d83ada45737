"""`judge check`: everything in the configuration tried, and what is wrong said in plain words."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import click

from judge.cli.run import config_option
from judge.config import Config, read_config
from judge.errors import JudgeError, OperatorError
from judge.library import Library


@dataclass(frozen=True, slots=True)
class Trial:
    """One thing that was tried: what, and what came of it ("" well); `remedy` says what to change."""

    what: str
    fault: str = ""
    remedy: str = ""


@click.group("check", invoke_without_command=True)
@config_option
@click.option("--send", "address", default="", help="Send one letter to this address.")
@click.pass_context
def check_command(context: click.Context, file: Path, address: str) -> None:
    """Try everything in the configuration: data, database, templates, mail accounts."""
    context.obj = file
    if context.invoked_subcommand is not None:
        return
    try:
        config = read_config(file)
    except OperatorError as fault:
        raise click.ClickException(str(fault)) from fault
    trials = list(try_all(config))
    if address:
        trials.append(attempt(f"a letter to {address}", lambda: send_one(config, address), "See the fault above it, and the relay's log."))
    sys.exit(tell(trials))


def tell(trials: list[Trial]) -> int:
    """Print what was tried; 1 if anything failed."""
    for trial in trials:
        click.echo(f"ok    {trial.what}" if not trial.fault else f"FAIL  {trial.what}: {trial.fault}")
        if trial.fault and trial.remedy:
            click.echo(f"      {trial.remedy}")
    failed = sum(bool(trial.fault) for trial in trials)
    click.echo(f"{len(trials)} things tried, {failed} failed" if failed else f"{len(trials)} things tried, all well")
    return 1 if failed else 0


def attempt(what: str, work: Callable[[], object], remedy: str) -> Trial:
    """Try one thing."""
    try:
        work()
    except (JudgeError, OSError) as fault:
        return Trial(what, str(fault), remedy)
    return Trial(what)


def try_all(config: Config) -> Iterator[Trial]:
    """Everything the configuration names, one after another."""
    from judge.store import open_store, safe_url
    from judge.wiring import build_clock, imap_source, smtp_sink

    yield Trial(f"configuration {config.file}")
    yield attempt(f"spool folder {config.spool}", lambda: try_spool(config), "Make the folder writable for the judge.")
    yield from try_data(config)
    yield attempt(
        f"database {safe_url(config.database_url)}",
        lambda: open_store(config.database_url).close(),
        "Correct database in judge.toml, or run `judge db upgrade`.",
    )
    imap, smtp, door = config.mail_in.imap, config.mail_out.smtp, config.mail_in.door
    if imap is not None:
        yield attempt(
            f"IMAP {imap.user} at {imap.host}:{imap.port}, folder {imap.folder}",
            lambda: imap_source(config, imap, build_clock(config), installation_name(config)).check(),
            "Check host, port, security, user and secret under [mail_in.imap].",
        )
    if door is not None:
        yield attempt(
            f"door at {door.socket or f'{door.host}:{door.port}'}",
            lambda: try_door(config),
            "Another program holds it (a running judge too): stop that, or choose another port under [mail_in.door].",
        )
    if config.mail_in.maildir:
        yield attempt(f"Maildir {config.mail_in.maildir}", lambda: try_folder(config.path(config.mail_in.maildir)), "Make it writable.")
    if smtp is not None:
        yield attempt(
            f"SMTP {smtp.user or 'without login'} at {smtp.host}:{smtp.port}",
            lambda: smtp_sink(config, smtp).check(),
            "Check host, port, security, user and secret under [mail_out.smtp].",
        )
    if config.mail_out.maildir:
        yield attempt(f"Maildir {config.mail_out.maildir}", lambda: try_folder(config.path(config.mail_out.maildir)), "Make it writable.")


def installation_name(config: Config) -> str | None:
    """Who this installation is, "" before its first start; None where the database cannot say."""
    from judge.store import open_store
    from judge.store.site import read_installation

    try:
        store = open_store(config.database_url)
        found = read_installation(store)
        store.close()
    except (JudgeError, OSError):
        return None
    return found.name if found is not None else ""


def try_data(config: Config) -> Iterator[Trial]:
    """Boards, languages and templates, the operator's own over the shipped ones."""
    from judge.wiring import build_pages, build_scribe, own_addresses

    library = Library([config.path(p) for p in config.judge.maps], [config.path(p) for p in config.judge.templates])
    yield attempt("the standard board", lambda: library.pack("standard"), "`judge map check standard` says more.")
    for folder in config.judge.maps:
        for board in sorted(p.parent for p in config.path(folder).glob("*/variant.toml")):
            yield attempt(f"board {board.name}", partial(library.pack, board.name), f"`judge map check {board.name}` says more.")
    for language in config.judge.languages:
        yield attempt(f"language {language}", partial(library.tongue, language), f"`judge check language {language}` says more.")
    try:
        letters = build_scribe(config, library, own_addresses(config), b"\0" * 32).faults()
        broken = {**letters, **build_pages(config, library).faults()}
    except JudgeError as fault:
        yield Trial("templates", str(fault))
        return
    for name, reason in sorted(broken.items()):
        yield Trial(f"template {name}", reason, "Correct it; until then the shipped one is used.")
    if not broken:
        yield Trial("templates, each filled with sample values")


def try_spool(config: Config) -> None:
    """Write something into the spool."""
    try_folder(config.spool)


def try_folder(folder: Path) -> None:
    """Make a folder if there is none, and write something into it."""
    folder.mkdir(parents=True, exist_ok=True)
    probe = folder / ".probe"
    probe.write_bytes(b"")
    probe.unlink()


def try_door(config: Config) -> None:
    """Listen where the door is to be, for a moment."""
    import socket

    door = config.mail_in.door
    assert door is not None
    if door.socket:
        try_folder(config.path(door.socket).parent)
        return
    with socket.create_server((door.host, door.port)):
        return


def send_one(config: Config, address: str) -> None:
    """Send one letter, the way all letters go."""
    from judge.mail import Delivered, compose, is_address
    from judge.store import open_store, settle
    from judge.wiring import build_scribe, build_sink, own_addresses

    if not is_address(address):
        raise OperatorError(f"{address!r} is no mail address")
    library = Library([config.path(p) for p in config.judge.maps], [config.path(p) for p in config.judge.templates])
    config.spool.mkdir(parents=True, exist_ok=True)
    store = open_store(config.database_url)
    scribe = build_scribe(config, library, own_addresses(config), settle(store, config.spool).key)
    store.close()
    now = datetime.now(UTC)
    lines = ("This letter was sent by `judge check --send`.", "If you can read it, mail leaves the judge as it should.")
    letter = scribe.operator(address, "A letter to try the way out", lines, now, f"try{int(now.timestamp())}")
    sink = build_sink(config)
    try:
        outcome = sink.send(letter.envelope_from, (letter.to,), compose(letter))[0]
    finally:
        sink.close()
    if not isinstance(outcome, Delivered):
        raise OperatorError(f"refused: {outcome.code} {outcome.text}")


@check_command.command("templates")
@click.pass_obj
def check_templates(file: Path) -> None:
    """Fill every template with sample values, in every language."""
    try:
        config = read_config(file)
    except OperatorError as fault:
        raise click.ClickException(str(fault)) from fault
    sys.exit(tell(list(try_data(config))))


@check_command.command("language")
@click.argument("language")
@click.pass_obj
def check_one_language(file: Path, language: str) -> None:
    """What a language still lacks, what clashes, and its coverage in per cent.

    The folders that judge.toml names come before the shipped ones; without a judge.toml only what is shipped is looked at.
    """
    from judge.library import BadTongue
    from judge.library.checklanguage import check_language, coverage_of

    templates, maps = own_folders(file)
    findings = check_language(language, templates, maps)
    for finding in findings:
        click.echo(str(finding))
    try:
        coverage = coverage_of(language, templates, maps)
    except BadTongue:  # told above
        sys.exit(1)
    places = ", ".join(f"{board} {share:.0%}" for board, share in sorted(coverage.places.items()) if share)
    click.echo(f"{language}: sentences {coverage.sentences:.0%}, commands {coverage.commands:.0%}; places: {places or 'none'}")
    click.echo(f"{len(findings)} findings" if findings else "nothing is missing, nothing clashes")
    sys.exit(1 if findings else 0)


def own_folders(file: Path) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    """Where templates and boards are looked for: the operator's folders, if there is a judge.toml, then the shipped ones."""
    from judge.library.folders import search_path

    if not file.is_file():
        return search_path("templates"), search_path("maps")
    try:
        config = read_config(file)
    except OperatorError as fault:
        raise click.ClickException(str(fault)) from fault
    own = [[config.path(folder) for folder in folders] for folders in (config.judge.templates, config.judge.maps)]
    return search_path("templates", own[0]), search_path("maps", own[1])


@check_command.command("map")
@click.argument("boards", nargs=-1, required=True, metavar="NAME|FOLDER...")
def check_boards(boards: tuple[str, ...]) -> None:
    """The same as `judge map check`."""
    from judge.cli.maps import report_board

    clean = [report_board(board) for board in boards]
    sys.exit(0 if all(clean) else 1)


@check_command.command("games")
@click.pass_obj
def check_games(file: Path) -> None:
    """Adjudicate every stored turn again with this program; differences mean that an upgrade would change a game."""
    from judge.cli.bars import bars
    from judge.service.regression import compare_all
    from judge.store.figures import count_turns
    from judge.wiring import build

    try:
        services = build(read_config(file))
    except OperatorError as fault:
        raise click.ClickException(str(fault)) from fault
    total = count_turns(services.store)
    turns = moved = reworded = 0
    with bars() as show:
        for turn in compare_all(services):
            turns += 1
            moved += bool(turn.moved)
            reworded += bool(turn.reworded and not turn.moved)
            for text in turn.moved:
                click.echo(f"{turn.game} {turn.phase}: {text}")
            for text in turn.reworded:
                click.echo(f"{turn.game} {turn.phase}: {text}" if turn.moved else f"{turn.game} {turn.phase}: (nothing moves) {text}")
            show("turns", turns, max(total, turns))
    services.store.close()
    click.echo(f"turns {turns}, differences {moved}" + (f", other verdicts alone {reworded}" if reworded else ""))
    sys.exit(1 if moved else 0)
