"""Powers are told apart: by colour for most eyes, by initials for all."""

from itertools import combinations
from math import dist

import pytest

from judge.library import Library
from judge.picture import Look, channels
from judge.picture.style import SPARE, Style, distinct_initials

LIBRARY = Library()

# Machado, Oliveira, Fernandes: A Physiologically-based Model for Simulation of Color Vision Deficiency (2009), severity 1.0.
SIGHTS = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
Colour = tuple[float, float, float]


def linear(colour: str) -> Colour:
    """``#RRGGBB`` as linear light."""
    red, green, blue = (value / 255 / 12.92 if value <= 10 else ((value / 255 + 0.055) / 1.055) ** 2.4 for value in channels(colour))
    return red, green, blue


def seen(colour: str, sight: str) -> Colour:
    """A colour as an eye of that kind sees it, in CIELAB."""
    light = linear(colour)
    if sight in SIGHTS:
        light = tuple(max(0.0, sum(share * value for share, value in zip(row, light, strict=True))) for row in SIGHTS[sight])  # type: ignore[assignment]  # three rows
    red, green, blue = light
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    fx, fy, fz = (value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116 for value in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def difference(one: str, other: str, sight: str) -> float:
    """How far apart two colours look (CIE 1976): about 2.3 is just noticeable."""
    return dist(seen(one, sight), seen(other, sight))


def contrast(one: str, other: str) -> float:
    """WCAG 2 contrast ratio."""
    lights = sorted(0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in (linear(one), linear(other)))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


@pytest.mark.parametrize("sight", ["ordinary", *SIGHTS])
@pytest.mark.parametrize("board", ["standard", "warcraft"])
def test_unit_colours_differ(board: str, sight: str) -> None:
    """The strong colours of any two powers differ by more than is just noticeable, whatever the eye."""
    looks = looks_of(board)
    for one, other in combinations(looks, 2):
        assert difference(looks[one].strong, looks[other].strong, sight) > 5, f"{one} {other}"


@pytest.mark.parametrize("board", ["standard", "warcraft", "chaos"])
def test_initials_tell_powers_without_colour(board: str) -> None:
    """No two powers share an initial, and an initial can be read on its plate and its dot."""
    looks = looks_of(board)
    assert len({look.initial for look in looks.values()}) == len(looks)
    for look in looks.values():
        assert contrast("#FFFFFF", look.strong) >= 3, look
        assert contrast("#FFFFFF", look.line) >= 4, look


@pytest.mark.parametrize("board", ["standard", "warcraft"])
def test_names_are_read_on_every_ground(board: str) -> None:
    """Lettering on every tint keeps the contrast WCAG 2 AA wants of text."""
    for look in looks_of(board).values():
        assert contrast("#33302B", look.tint) >= 4.5
        assert contrast("#4F483E", look.tint) >= 4.5


def looks_of(board: str) -> dict[str, Look]:
    """The looks of a shipped board."""
    pack = LIBRARY.pack(board)
    return pack.drawing.style.looks(pack.variant.board.powers)


def test_powers_without_colours_get_some() -> None:
    """A board that names no colours has them all the same, no two alike."""
    powers = tuple(f"POWER_{number}" for number in range(40))
    looks = Style().looks(powers)
    assert len({look.strong for look in looks.values()}) == 40
    assert looks["POWER_0"].strong == SPARE[0][1]


@pytest.mark.parametrize(
    ("powers", "initials"),
    [
        (["AUSTRIA", "TURKEY"], ["A", "T"]),
        (["ENGLAND", "EGYPT", "FRANCE"], ["En", "Eg", "F"]),
        (["NEW_YORK", "NEW_JERSEY", "NEWARK"], ["N1", "N2", "N3"]),
        (["ROME", "ROMANIA"], ["R1", "R2"]),
    ],
)
def test_initials(powers: list[str], initials: list[str]) -> None:
    """The shortest beginning nobody else has, else a number."""
    assert list(distinct_initials(powers).values()) == initials
