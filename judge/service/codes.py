"""Codes that people send back: easy to type, hard to guess."""

from secrets import randbelow

_LETTERS = "23456789abcdefghjkmnpqrstvwxyz"
"""No letters or digits that are mistaken for others."""


def fresh_code() -> str:
    """A new code of 48 bits, e.g. ``k7qm2-x9d3f``."""
    number, letters = randbelow(len(_LETTERS) ** 10), ""  # one draw: each costs a call of the system
    for _ in range(10):
        number, last = divmod(number, len(_LETTERS))
        letters += _LETTERS[last]
    return f"{letters[:5]}-{letters[5:]}"
