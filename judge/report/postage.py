"""What stands on the outside of a letter: addresses, ids, thread; the secret reply address goes into Reply-To and nowhere else."""

from dataclasses import dataclass
from typing import Protocol

from judge.game import Game
from judge.mail import LetterId, OwnAddresses, make_letter_id, make_token, short_code

GENERAL = "j"
"""Stands for the game in ids of letters that are about none; no game can have so short a name."""


@dataclass(frozen=True, slots=True)
class Occasion:
    """What a letter is written for: the game and seat (None, "" if none), and a code that no other letter of theirs has."""

    game: Game | None
    seat: str
    code: str


@dataclass(frozen=True, slots=True)
class Question:
    """The mail that is answered: its Message-ID and References, without angle brackets, and its number in the inbox."""

    message_id: str = ""
    references: tuple[str, ...] = ()
    number: int = 0


@dataclass(frozen=True, slots=True)
class Stamp:
    """The outside of one letter; `order_to` is where the link with the order sheet writes to."""

    message_id: str
    envelope_from: str
    from_address: str
    reply_to: str
    order_to: str = ""
    list_id: str = ""
    references: tuple[str, ...] = ()


class Postage(Protocol):
    """Gives letters their outside."""

    def stamp(self, occasion: Occasion) -> Stamp:
        """The outside of the letter for this occasion; the same occasion always gives the same."""

    def return_path(self, game: str, seat: str, code: str) -> str:
        """The envelope sender of a letter about a game ("judge" for none) to a seat."""

    def mark(self, game: str, seat: str, code: str) -> str:
        """What stands for the code of an occasion in a Message-ID: always the same, and nobody can read anything out of it."""


def phase_pass(key: bytes, game: Game, seat: str) -> str:
    """A code that is good for orders of this seat in the open phase only, and only from the registered address.

    It goes into the links of order sheets, which get forwarded together with results.
    """
    held = game.seat(seat)
    return "x" + short_code(key, "pass", str(game.id), seat, str(held.epoch if held else 0), str(game.phase), length=9)


@dataclass(frozen=True, slots=True)
class SecretPostage:
    """The usual postage: plus-addresses with the seat's secret, or (where the mailbox has none) the secret in the Message-ID."""

    own: OwnAddresses
    key: bytes

    def return_path(self, game: str, seat: str, code: str) -> str:
        """The envelope sender of a letter: nobody else can make one up, so nobody else can report that it bounced."""
        return self.own.return_path(game, seat, short_code(self.key, "bounce", game, seat, code, length=10))

    def mark(self, game: str, seat: str, code: str) -> str:
        """What stands for the code of an occasion: numbers of messages and mails would tell how much the others write."""
        return short_code(self.key, "letter", game, seat, code, length=12)

    def stamp(self, occasion: Occasion) -> Stamp:
        """The outside of the letter for this occasion."""
        game, seat = occasion.game, occasion.seat
        if game is None:
            letter_id = make_letter_id(self.own.host, LetterId(GENERAL, "0", "GUEST", self.mark(GENERAL, "GUEST", occasion.code)))
            return Stamp(letter_id, self.return_path(GENERAL, "GUEST", occasion.code), self.own.judge, self.own.judge)
        tag, key = str(game.phase), seat or "GUEST"
        held = game.seat(seat)
        token = make_token(self.key, str(game.id), seat, held.epoch) if held is not None else ""
        first = make_letter_id(self.own.host, LetterId(game.name, "0", key, "start"))
        code = self.mark(game.name, key, occasion.code)
        letter_id = make_letter_id(self.own.host, LetterId(game.name, tag, key, code, "" if self.own.plus else token))
        public = self.own.game_address(game.name)
        return Stamp(
            message_id=letter_id,
            envelope_from=self.return_path(game.name, key, occasion.code),
            from_address=public,
            reply_to=self.own.secret_address(game.name, token) if token else public,
            order_to=self.own.secret_address(game.name, phase_pass(self.key, game, seat)) if token and self.own.plus else public,
            list_id=f"{game.name}.{self.own.host}",
            references=(first,),
        )
