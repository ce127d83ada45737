"""The secrets of seats: of the site's key, or given outright for trying."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from judge.game import Game, Seat
from judge.mail import make_token
from judge.report import phase_pass


class SeatKeys(Protocol):
    """Knows the secret of each seat's reply address, and its pass for the open phase.

    With `strict` a secret counts only together with a proven From of its holder.
    """

    @property
    def strict(self) -> bool:
        """Whether secrets alone prove nothing."""

    def token(self, game: Game, seat: Seat) -> str:
        """The secret of a seat's reply address, "" if it has none."""

    def phase_pass(self, game: Game, seat: Seat) -> str:
        """The code in the links of order sheets, "" if there is none."""


@dataclass(frozen=True, slots=True)
class SiteKeys:
    """Secrets made of the site's key (research, 2.4)."""

    key: bytes
    strict: bool = False

    def token(self, game: Game, seat: Seat) -> str:
        """The secret of a seat's reply address."""
        return make_token(self.key, str(game.id), seat.key, seat.epoch)

    def phase_pass(self, game: Game, seat: Seat) -> str:
        """The code in the links of order sheets."""
        return phase_pass(self.key, game, seat.key)


@dataclass(frozen=True, slots=True)
class GivenKeys:
    """Secrets given by (game, seat)."""

    tokens: Mapping[tuple[str, str], str]
    strict: bool = False

    def token(self, game: Game, seat: Seat) -> str:
        """The secret of a seat's reply address."""
        return self.tokens.get((game.name, seat.key), "")

    def phase_pass(self, game: Game, seat: Seat) -> str:
        """None."""
        return ""
