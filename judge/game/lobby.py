"""What is asked of the judge itself, outside any game: opening a game."""

import re
from datetime import datetime

from judge.game.faults import BadName
from judge.game.model import Game, PersonId, Seat, Settings
from judge.game.notices import Audience, Created, Event, GameOpened, Transition
from judge.game.settings import change_setting
from judge.rules import Variant

_NAME = re.compile(r"[a-z][a-z0-9]{1,15}")
MASTER_SEAT = "MASTER"


def check_name(name: str) -> str:
    """A game's name in lower case.  Raises `BadName` unless it is 2 to 16 letters and digits, a letter first."""
    folded = name.lower()
    if not _NAME.fullmatch(folded):
        raise BadName(name)
    return folded


def read_options(options: tuple[tuple[str, str], ...], language: str, zone: str) -> Settings:
    """The settings of a new game from its options.  Raises `BadSetting`."""
    settings = Settings(language=language, zone=zone)
    for key, value in options:
        settings = change_setting(settings, key, value)
    return settings


def open_game(number: int, name: str, settings: Settings, variant: Variant, ruleset: str, master: PersonId, at: datetime) -> Transition:
    """A new game with every power free and `master` as its master; `number` is its id, `ruleset` the hash of its rules."""
    game = Game(
        id=number,
        name=check_name(name),
        variant=variant.name,
        ruleset=ruleset,
        settings=settings,
        created_at=at,
        seats=tuple(Seat(power) for power in variant.powers),
        masters=(Seat(MASTER_SEAT, master, since=at),),
        position=variant.start,
        master_seen_at=at,
    )
    told = (GameOpened(Audience(seats=(MASTER_SEAT,))),)
    return Transition(game, (Created(game.name),), told, events=(Event(at, MASTER_SEAT, "created", {"variant": variant.name}),))
