"""Messages between the people of a game, under its press rule."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from judge.game.faults import PressEmpty, PressNotAllowed, PressReveals, UnknownAddressee
from judge.game.model import Game, PressRule, Status
from judge.game.notices import Audience, PressArrived, PressItem, PressSent, Transition

MASTER = "MASTER"
"""The addressee every press rule allows."""


def send_press(game: Game, sender: str, to: tuple[str, ...], text: str, at: datetime, hidden_words: Iterable[str] = ()) -> Transition:
    """Pass a message on; `to` holds seat keys and is empty for everybody.

    Masters can always be written to and may always write.  `hidden_words` are names and addresses that must not appear where
    players are hidden from each other.  Raises `PressEmpty`, `PressNotAllowed`, `PressReveals`, `UnknownAddressee`.
    """
    if not text.strip():
        raise PressEmpty
    powers = tuple(seat.key for seat in game.seats)
    for name in to:
        if name != MASTER and name not in powers:
            raise UnknownAddressee(name, powers)
    from_master = any(seat.key == sender for seat in game.masters)
    if not from_master:
        _check_rule(game, to)
        _check_secrets(game, text, hidden_words)
    hidden = not from_master and game.settings.press is PressRule.GREY and to != (MASTER,)
    number = game.presses + 1
    item = PressItem(number, sender, to, text, at, hidden)
    told = PressArrived(_audience(game, sender, to), "" if hidden else sender, to, text, number)
    return Transition(replace(game, presses=number), (PressSent(to, text),), (told,), press=(item,))


def _audience(game: Game, sender: str, to: tuple[str, ...]) -> Audience:
    """Everybody the message is for, without its sender, who sees it in the answer."""
    if to:
        return Audience(seats=tuple(key for key in to if key not in (MASTER, sender)), masters=MASTER in to)
    others = tuple(seat.key for seat in game.all_seats if seat.key != sender)
    return Audience(seats=others)


def _check_rule(game: Game, to: tuple[str, ...]) -> None:
    """Raise `PressNotAllowed` unless the game's rule lets this message through."""
    rule = game.settings.press
    if to == (MASTER,) or game.status is Status.FINISHED:
        return
    if rule is PressRule.NONE or (rule is PressRule.PUBLIC and to):
        raise PressNotAllowed(rule)


def _check_secrets(game: Game, text: str, hidden_words: Iterable[str]) -> None:
    """Raise `PressReveals` if a message in a game with hidden players names one of them."""
    if not game.settings.gunboat or game.status is Status.FINISHED:
        return
    folded = text.casefold()
    found = next((word for word in hidden_words if word and word.casefold() in folded), None)
    if found is not None:
        raise PressReveals(found)
