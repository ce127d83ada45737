"""The `judge` command; each subcommand lives in a module of its own that is imported only when it is called."""

from importlib import import_module

import click

import judge

COMMANDS = {
    "adjudicate": "judge.cli.rules",
    "options": "judge.cli.rules",
    "replay": "judge.cli.rules",
    "map": "judge.cli.maps",
    "orders": "judge.cli.orders",
    "read": "judge.cli.read",
    "run": "judge.cli.run",
    "receive": "judge.cli.run",
    "check": "judge.cli.check",
    "demo": "judge.cli.demo",
    "process": "judge.cli.games",
    "game": "judge.cli.gamefiles",
    "status": "judge.cli.games",
    "web": "judge.cli.archive",
    "export": "judge.cli.archive",
    "backup": "judge.cli.upkeep",
    "restore": "judge.cli.upkeep",
    "db": "judge.cli.upkeep",
}
"""Subcommand to module; the function in the module has the same name with `_command` behind it."""


class LazyGroup(click.Group):
    """A group that imports a subcommand's module only when it is needed, so that `judge adjudicate` starts quickly."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All subcommands, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The subcommand of that name, imported now."""
        if cmd_name not in COMMANDS:
            return None
        command = getattr(import_module(COMMANDS[cmd_name]), f"{cmd_name}_command")
        assert isinstance(command, click.Command)
        return command


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(judge.__version__, prog_name="judge")
def main() -> None:
    """Chancery, a judge for Diplomacy games played by e-mail."""
