"""Lettering as outlines, so that a picture needs no installed font."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

Glyph: TypeAlias = tuple[float, str]
"""Advance and outline of one letter, 1000 units an em, y up."""


@dataclass(frozen=True, slots=True)
class Hand:
    """How a line is lettered: face of the `Lettering`, size in px, extra space between letters in px."""

    face: str
    size: float
    spacing: float = 0.0


@dataclass(frozen=True)
class Lettering:
    """The outlines of each face (``bold``, ``text``, ``sea``, ``title``), letter by letter."""

    faces: Mapping[str, Mapping[str, Glyph]]

    def spelled(self, text: str, face: str) -> str:
        """The text with letters the face lacks replaced: without accent, or a dot.

        >>> Lettering({"text": {"e": (400, ""), "·": (200, "")}}).spelled("é☃", "text")
        'e·'
        """
        known = self.faces[face]
        return "".join(letter if letter in known else _plain(letter, known) for letter in unicodedata.normalize("NFC", text))

    def width(self, text: str, hand: Hand) -> float:
        """Width of a line in px."""
        known = self.faces[hand.face]
        spelled = self.spelled(text, hand.face)
        return sum(known[letter][0] for letter in spelled) * hand.size / 1000 + hand.spacing * max(len(spelled) - 1, 0)

    def run(self, text: str, hand: Hand) -> tuple[str, tuple[str, ...]]:
        """`<use>` elements for a line in units of the em, and the ids of the outlines they want."""
        known = self.faces[hand.face]
        at, uses, wanted = 0.0, [], []
        for letter in self.spelled(text, hand.face):
            advance, outline = known[letter]
            if outline:
                name = glyph_id(hand.face, letter)
                uses.append(f'<use href="#{name}" x="{at:.0f}"/>' if at else f'<use href="#{name}"/>')
                wanted.append(name)
            at += advance + hand.spacing * 1000 / hand.size
        return "".join(uses), tuple(sorted(set(wanted)))

    def definition(self, name: str) -> str:
        """The `<path>` of one outline by its id."""
        face, _, code = name.rpartition("_")
        return f'<path id="{name}" d="{self.faces[face][chr(int(code, 16))][1]}"/>'


def glyph_id(face: str, letter: str) -> str:
    """Id of an outline: its face and code point.

    >>> glyph_id("bold", "A")
    'bold_41'
    """
    return f"{face}_{ord(letter):x}"


def _plain(letter: str, known: Mapping[str, Glyph]) -> str:
    base = unicodedata.normalize("NFD", letter)[0]
    if base in known:
        return base
    return "·" if "·" in known else min(known)
