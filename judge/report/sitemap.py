"""Where the pages of the archive lie: paths from the top of the site, and the links between them."""

import posixpath

STYLE, SCRIPT, ICON = "archive.css", "archive.js", "icon.svg"
BOARD = "board"
"""The picture of the board as it stands; those of closed phases have their numbers for names."""
ASSETS = (STYLE, SCRIPT, ICON)
"""Files of ``templates/web/`` that stand at the top of the site as they are."""


def link(here: str, there: str) -> str:
    """The way from one page to another, so that the site works in any folder, and without a server.

    >>> link("en/games/danube.1/3.html", "en/players/7.html")
    '../../players/7.html'
    """
    return posixpath.relpath(there, posixpath.dirname(here) or ".")


def game_folder(number: int, name: str) -> str:
    """The folder of a game: its name, for people, and its number, for a name is free again once a game is put away."""
    return f"{name}.{number}"


def door_path(name: str) -> str:
    """The short address of the newest game of a name, to be told and typed.

    >>> door_path("danube")
    'game/danube/index.html'
    """
    return f"game/{name}/index.html"


def game_path(lang: str, folder: str) -> str:
    """The page of a game."""
    return f"{lang}/games/{folder}/index.html"


def game_address(base: str, lang: str, folder: str) -> str:
    """The whole address of a game's page, for letters: `base` is that of the site.

    >>> game_address("https://games.example.org", "cs", "danube.1")
    'https://games.example.org/cs/games/danube.1/'
    """
    return f"{base.rstrip('/')}/{posixpath.dirname(game_path(lang, folder))}/"


def phase_path(lang: str, folder: str, turn: int) -> str:
    """The page of a closed phase."""
    return f"{lang}/games/{folder}/{turn}.html"


def press_path(lang: str, folder: str) -> str:
    """The page of a game's messages."""
    return f"{lang}/games/{folder}/press.html"


def player_path(lang: str, person: int) -> str:
    """The page of a player."""
    return f"{lang}/players/{person}.html"


def finished_path(lang: str, number: int) -> str:
    """A page of the games that are over.

    >>> finished_path("en", 1), finished_path("en", 2)
    ('en/finished.html', 'en/finished-2.html')
    """
    return f"{lang}/finished.html" if number == 1 else f"{lang}/finished-{number}.html"


def picture_path(folder: str, name: str) -> str:
    """A picture, the same in all languages."""
    return f"pictures/{folder}/{name}.png"


def drawing_path(lang: str, folder: str, name: str) -> str:
    """The same picture as a drawing, large, with title and key in a language."""
    return f"{lang}/games/{folder}/{name}.svg"
