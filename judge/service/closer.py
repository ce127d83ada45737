"""A process that closes games for the daemon beside which it was started, and ends with it."""

from collections.abc import Callable, Sequence

from judge.service.closers import Closed
from judge.service.context import Services
from judge.service.deadlines import close_games
from judge.service.offspring import serve_parent

_OURS: list[Services] = []
"""What this process works with."""


def start_closer(build: Callable[[], Services]) -> None:
    """Be such a process."""
    serve_parent()
    _OURS[:] = [build()]


def close_here(games: Sequence[int]) -> Closed:
    """Close what is due of these games."""
    (s,) = _OURS
    return Closed(close_games(s, games), s.pictures.hand_on())
