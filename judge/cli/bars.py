"""Bars that show how far long work is, on a terminal; nothing where the output is piped."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def bars() -> Iterator[Callable[[str, int, int], None]]:
    """A bar for each name that is told, with how much is done and how much there is."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    console = Console(stderr=True)
    with Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), console=console, disable=not console.is_terminal
    ) as shown:
        tasks = {}

        def show(name: str, done: int, of: int) -> None:
            if name not in tasks:
                tasks[name] = shown.add_task(name, total=of)
            shown.update(tasks[name], completed=done)

        yield show
