"""Colours, symbols and initials: how one variant's pictures look."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from judge.picture.faults import BadDrawing

PAPER = "#FBF9F3"
SEA = "#DFEAEE"
GLOW = "#B5D2DE"
SEA_BORDER = "#86AABB"
SHORE = "#5B7786"
LAKE = "#D3E3EA"
NOBODY = "#F3EEE1"
CLOSED = "#E4DFD3"
HATCH = "#B9B1A0"
THIN = "#6F6656"
FRONTIER = "#4A4339"
TEXT = "#33302B"
SECOND_TEXT = "#4F483E"
SEA_TEXT = "#3F6478"
UNOWNED = "#8C8371"
FAILURE = "#C8102E"
GAIN = "#2E7D3A"
PASSAGE = "#8A5BA6"
BRIDGE = "#4E9A3D"
WATERWAY = "#3F86A8"

SPARE: tuple[tuple[str, str], ...] = (
    ("#E9B7AB", "#AE3B2E"),
    ("#B3BCE2", "#34479C"),
    ("#F3DB97", "#B67C0A"),
    ("#BBD9A9", "#3F8A3C"),
    ("#E6CBE1", "#8A3D86"),
    ("#A9D2E8", "#1C7CB4"),
    ("#C5C1BB", "#4B4946"),
    ("#F2C49B", "#C2570C"),
    ("#A6D8CE", "#14796B"),
    ("#D9C7A8", "#7A5524"),
    ("#F0BFD0", "#B32A63"),
    ("#D5DF9E", "#6C7F10"),
    ("#C9BDEB", "#5B3FA6"),
    ("#B9CCD6", "#33596B"),
)
"""Tint and strong colour of powers for which a variant names none, in this order, then again a little darker."""


@dataclass(frozen=True, slots=True)
class Look:
    """One power's tint for land, strong colour for units and orders, and the initial that tells it without colour."""

    tint: str
    strong: str
    initial: str

    @property
    def line(self) -> str:
        """The strong colour darkened by 18 %, for order lines."""
        return mixed(self.strong, "#000000", 0.18)


@dataclass(frozen=True, slots=True)
class Style:
    """What a variant says of its looks.

    `powers` colours by power (tint, strong); `initials` where the first letter will not do; `symbols` the token of each kind of unit;
    `goes_with` for a land without a centre the province whose owner it is coloured for; `label` "code" (code above name)
    or "name" (name lines only, the code being a number).
    """

    powers: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    initials: Mapping[str, str] = field(default_factory=dict)
    symbols: Mapping[str, str] = field(default_factory=dict)
    goes_with: Mapping[str, str] = field(default_factory=dict)

    def looks(self, powers: Iterable[str]) -> dict[str, Look]:
        """The look of each power of a board, no two with the same initial."""
        ids = tuple(powers)
        initials = {**distinct_initials(power for power in ids if power not in self.initials), **self.initials}
        spare = [colours for colours in SPARE if colours not in self.powers.values()] or list(SPARE)
        unnamed = [power for power in ids if power not in self.powers]
        out = {}
        for power in ids:
            tint, strong = self.powers.get(power) or _spare(spare, unnamed.index(power))
            out[power] = Look(tint, strong, initials[power])
        return out


def flat_colours(looks: Iterable[Look]) -> tuple[str, ...]:
    """Every colour that covers an area by itself, which a picture of few colours must keep exactly."""
    board = (PAPER, SEA, GLOW, SEA_BORDER, SHORE, LAKE, NOBODY, CLOSED, THIN, FRONTIER, TEXT, SECOND_TEXT, SEA_TEXT, UNOWNED, FAILURE, GAIN)
    powers = [colour for look in looks for colour in (look.tint, look.strong, look.line)]
    return tuple(dict.fromkeys(("#FFFFFF", *board, PASSAGE, BRIDGE, WATERWAY, *powers)))


def _spare(spare: list[tuple[str, str]], index: int) -> tuple[str, str]:
    tint, strong = spare[index % len(spare)]
    darker = 0.16 * (index // len(spare))
    return mixed(tint, "#000000", darker), mixed(strong, "#000000", darker)


def mixed(colour: str, other: str, share: float) -> str:
    """A colour with a share of another mixed in.

    >>> mixed("#FFFFFF", "#000000", 0.5)
    '#808080'
    """
    pairs = zip(channels(colour), channels(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * min(share, 1)):02X}" for a, b in pairs)


def channels(colour: str) -> tuple[int, int, int]:
    """Red, green and blue of ``#RRGGBB``."""
    return (int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16))


def distinct_initials(powers: Iterable[str]) -> dict[str, str]:
    """The shortest beginning of each power's id that no other power has, three letters at most, then a number.

    >>> distinct_initials(["AUSTRIA", "EGYPT", "ENGLAND"])
    {'AUSTRIA': 'A', 'EGYPT': 'Eg', 'ENGLAND': 'En'}
    """
    ids = tuple(powers)
    out: dict[str, str] = {}
    for power in ids:
        others = [other for other in ids if other != power]
        bare = power.replace("_", "")
        for size in (1, 2, 3):
            start = bare[:size]
            if not any(other.replace("_", "").startswith(start) for other in others):
                break
        else:
            start = bare[:1] + str(sum(other.startswith(bare[:1]) for other in ids[: ids.index(power)]) + 1)
        out[power] = start[:1] + start[1:].lower()
    return out


def parse_style(data: Mapping[str, Any]) -> Style:
    """A variant's ``style.toml``, already read; raises `BadDrawing` for anything that is no colour or no text."""
    wrong: list[str] = []
    powers = {}
    for power, look in dict(data.get("powers", {})).items():
        colours = (str(look.get("tint", "")), str(look.get("strong", "")))
        if all(_is_colour(colour) for colour in colours):
            powers[str(power)] = colours
        else:
            wrong.append(f"style: {power} needs tint and strong as #RRGGBB")
    symbols = {str(kind): str(symbol) for kind, symbol in dict(data.get("symbols", {})).items()}
    wrong += [f"style: no symbol is called {symbol!r}" for symbol in symbols.values() if symbol not in SYMBOL_NAMES]
    if wrong:
        raise BadDrawing(tuple(wrong))
    initials = {str(power): str(look["initial"]) for power, look in dict(data.get("powers", {})).items() if "initial" in look}
    goes_with = {str(land): str(centre) for land, centre in dict(data.get("goes_with", {})).items()}
    return Style(powers, initials, symbols, goes_with)


SYMBOL_NAMES = ("cannon", "ship", "sword", "wing")
"""Tokens that can be drawn; a kind of unit without one shows its letter."""


def _is_colour(text: str) -> bool:
    return len(text) == 7 and text[0] == "#" and all(letter in "0123456789abcdefABCDEF" for letter in text[1:])
