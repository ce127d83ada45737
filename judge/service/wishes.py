"""A person's own settings: language, zone, notation, pictures, name."""

from collections.abc import Sequence
from dataclasses import replace
from zoneinfo import ZoneInfo

from judge.game import BadSetting, Person

NOTATIONS = ("canonical", "short", "long")
_YES = {"yes": True, "on": True, "no": False, "off": False}
LONGEST_NAME = 60


def change_wish(person: Person, key: str, value: str, languages: Sequence[str]) -> Person:
    """The person with one wish changed, as written.  Raises `BadSetting`."""
    folded = value.strip().lower()
    if key == "language" and folded in languages:
        return replace(person, language=folded)
    if key == "notation" and folded in NOTATIONS:
        return replace(person, notation=folded)
    if key == "pictures" and folded in _YES:
        return replace(person, pictures=_YES[folded])
    if key == "digest" and folded in _YES:
        return replace(person, digest=_YES[folded])
    if key == "name" and value.strip().isprintable() and "@" not in value:
        return replace(person, name=value.strip()[:LONGEST_NAME])
    if key == "zone":
        try:
            return replace(person, zone=ZoneInfo(value.strip()).key)
        except (KeyError, ValueError, OSError):
            pass
    choices = {
        "language": tuple(languages),
        "notation": NOTATIONS,
        "pictures": ("on", "off"),
        "digest": ("on", "off"),
        "zone": ("Europe/Prague",),
    }
    raise BadSetting(key, value, choices.get(key, ()))
