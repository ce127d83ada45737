"""Codes that people send back: easy to type, hard to guess."""

from secrets import choice

_LETTERS = "23456789abcdefghjkmnpqrstvwxyz"
"""No letters or digits that are mistaken for others."""


def fresh_code() -> str:
    """A new code of 48 bits, e.g. ``k7qm2-x9d3f``."""
    letters = "".join(choice(_LETTERS) for _ in range(10))
    return f"{letters[:5]}-{letters[5:]}"
