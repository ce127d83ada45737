"""The answer to a mail, as data: line by line what became of it, then where things stand."""

from dataclasses import dataclass

from judge.game.model import Game
from judge.game.notices import Item
from judge.game.visibility import Reader


@dataclass(frozen=True, slots=True)
class Section:
    """The part of an answer that is about one game, or about none (`game` None): the lines and what became of them.

    `game` is the game after everything in the mail was done; `reader` the sender in it.  `warnings` are about all orders now
    on file together (values of `judge.language` with codes)..
    """

    game: Game | None
    reader: Reader
    items: tuple[Item, ...]
    warnings: tuple[object, ...] = ()


@dataclass(frozen=True, slots=True)
class Transcript:
    """The whole answer to one mail: a section for each game it was about, in the order of the mail.

    `receipt` is a short code that names this mail in disputes; `notes` are codes about the mail as a whole
    (``html_only``, ``text_cut``, ``older_mail``, ``other_address``, ``password_shared``, ...).
    """

    sections: tuple[Section, ...]
    receipt: str
    notes: tuple[str, ...] = ()
