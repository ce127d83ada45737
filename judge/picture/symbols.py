"""Units, centre dots and marks: what stands on a map, each about its own middle."""

from functools import lru_cache

from judge.picture.drawing import Drawing
from judge.picture.geometry import Point
from judge.picture.lettering import Hand
from judge.picture.pieces import Piece, lettered
from judge.picture.style import FAILURE, GAIN, TEXT, UNOWNED, Look

TOKEN_RADIUS = 12.5
"""px from a unit's middle that lines keep clear of."""

_DISC = "M-11.2 0A11.2 11.2 0 1 1 11.2 0A11.2 11.2 0 1 1 -11.2 0Z"
_HULL = "M-13.6 -7.2Q-13.6 -8.6 -12.2 -8.6H12.2Q13.6 -8.6 13.6 -7.2C13.6 2.6 8.6 9.6 0 9.6S-13.6 2.6 -13.6 -7.2Z"
_SHIELD = "M-10.6 -9.6Q0 -12.6 10.6 -9.6V0C10.6 6.4 5.6 9.8 0 12.2C-5.6 9.8 -10.6 6.4 -10.6 0Z"
_KITE = "M0 -11.4L14 -1.2Q14.4 1.6 11.8 2.8L0 11.2L-11.8 2.8Q-14.4 1.6 -14 -1.2Z"
_CANNON = (
    '<g fill="none" stroke="#fff"><path d="M-7.2 6.1L-2.2 2.2" stroke-width="1.9"/><path d="M-3.4 1.6L6.2 -4.6" stroke-width="3.3"/>'
    '<path d="M5.4 -6L7.4 -2.9" stroke-width="1.6"/><circle cx="-.6" cy="2.6" r="3.9" fill="{ink}" stroke-width="1.5"/>'
    '<path d="M-.6 -1.3V6.5M-4.5 2.6H3.3" stroke-width=".9"/></g>'
)
_SHIP = (
    '<path fill="#fff" d="M-8.2 1.2H8.2C7.2 4.4 5 5.9 2.4 5.9H-3.2C-5.6 5.9 -7.4 4.2 -8.2 1.2ZM.5 -7.2C3.4 -5.2 5.6 -2.8 6.4 0H.5Z'
    'M-.7 -5.6V0H-5.6C-4.4 -2.4 -2.8 -4.2 -.7 -5.6Z"/>'
)
_SWORD = (
    '<g fill="none" stroke="#fff" stroke-linecap="round"><path d="M-4.6 5L4.4 -6" stroke-width="2.3"/>'
    '<path d="M-5.6 .6L-.6 4.8" stroke-width="1.7"/><path d="M-4.2 4.4L-6 6.6" stroke-width="2.2"/></g>'
)
_WING = (
    '<path fill="#fff" d="M-9 -1.4C-4.6 -4.6 -1.8 -4 0 -1.2C1.8 -4 4.6 -4.6 9 -1.4C6.2 -1 4.4 .2 3.2 2.2C1.8 1.4 .9 1.8 0 3.8'
    'C-.9 1.8 -1.8 1.4 -3.2 2.2C-4.4 .2 -6.2 -1 -9 -1.4Z"/>'
)
_TOKENS = {"cannon": (_DISC, _CANNON), "ship": (_HULL, _SHIP), "sword": (_SHIELD, _SWORD), "wing": (_KITE, _WING)}
_BADGES = {"cannon": (9.4, 8.2), "ship": (11.4, 6), "sword": (9.4, 8), "wing": (10, 8)}
_DEFAULTS = {"A": "cannon", "F": "ship", "P": "sword", "L": "wing"}

_INITIAL = Hand("bold", 10.4)
_LETTER = Hand("bold", 14.0)


@lru_cache(maxsize=1024)
def token(drawing: Drawing, kind: str, look: Look, faded: bool = False) -> Piece:
    """A unit: its kind by shape and emblem, its power by colour and initial."""
    symbol = drawing.style.symbols.get(kind, _DEFAULTS.get(kind, ""))
    outline, emblem = _TOKENS.get(symbol, (_DISC, ""))
    wanted: tuple[str, ...] = ()
    if not emblem:
        emblem, wanted = lettered(drawing, kind, _LETTER, (0.0, 0.0), "#FFFFFF")
    badge, letters = _badge(drawing, look, _BADGES.get(symbol, (9.4, 8.2)))
    body = (
        f'<path d="{outline}" transform="translate(.8 1.4)" fill="#2A2620" fill-opacity=".22" stroke="#2A2620" stroke-opacity=".12"/>'
        f'<path d="{outline}" fill="{look.strong}" stroke="#fff" stroke-width="1.5"/>{emblem.replace("{ink}", look.strong)}{badge}'
    )
    if faded:
        body = f'<g opacity=".6">{body}</g>'
    return Piece(body, (-17.0, -14.0, 21.0, 17.0), uses=tuple(sorted({*wanted, *letters})))


def _badge(drawing: Drawing, look: Look, at: Point) -> tuple[str, tuple[str, ...]]:
    """The initial on a small white plate at the token's lower right."""
    if not look.initial:
        return "", ()
    width = max(drawing.lettering.width(look.initial, _INITIAL) + 4.6, 10.6)
    plate = (
        f'<rect x="{at[0] - width / 2:.1f}" y="{at[1] - 5.3:.1f}" width="{width:.1f}" height="10.6" rx="5" fill="#fff" '
        f'stroke="{look.strong}" stroke-width=".9"/>'
    )
    letter, wanted = lettered(drawing, look.initial, _INITIAL, at, look.line)
    return plate + letter, wanted


@lru_cache(maxsize=512)
def centre_dot(drawing: Drawing, look: Look | None, fresh: bool = False) -> Piece:
    """A supply centre: with the owner's initial, or empty; `fresh` rings one that has just changed hands."""
    if look is None:
        return Piece(
            f'<circle r="4.6" fill="#fff" stroke="{TEXT}" stroke-width=".9"/><circle r="2.6" fill="{UNOWNED}"/>', (-6.0, -6.0, 6.0, 6.0)
        )
    hand = Hand("bold", 8.6 if len(look.initial) == 1 else 6.6)
    letter, wanted = lettered(drawing, look.initial, hand, (0.0, 0.0), "#FFFFFF")
    ring = f'<circle r="8.6" fill="none" stroke="{look.strong}" stroke-width="1.3"/>' if fresh else ""
    disc = f'<circle r="6" fill="{look.strong}" stroke="#fff" stroke-width="1.2"/>'
    return Piece(
        f'<circle r="8.6" fill="#fff" fill-opacity=".6"/>{ring}{disc}{letter}' if fresh else disc + letter,
        (-10.0, -10.0, 10.0, 10.0),
        uses=wanted,
    )


def burst(at: Point) -> Piece:
    """The red eight-pointed star of a move that was thrown back."""
    star = (
        "M0 -8.6L1.61 -3.88L6.08 -6.08L3.88 -1.61L8.6 0L3.88 1.61L6.08 6.08L1.61 3.88L0 8.6"
        "L-1.61 3.88L-6.08 6.08L-3.88 1.61L-8.6 0L-3.88 -1.61L-6.08 -6.08L-1.61 -3.88Z"
    )
    return Piece(
        f'<path d="{star}" fill="{FAILURE}" stroke="#fff" stroke-width="1.5" stroke-linejoin="round"/>', (-10.0, -10.0, 10.0, 10.0), at
    )


def cross(at: Point, size: float = 5.0) -> Piece:
    """A red cross: an order that was cut, disrupted or impossible (small), a unit given up (``size`` 9)."""
    lines = f"M-{size} -{size}L{size} {size}M-{size} {size}L{size} -{size}"
    svg = (
        f'<path d="{lines}" stroke="#fff" stroke-width="5" stroke-linecap="round"/>'
        f'<path d="{lines}" stroke="{FAILURE}" stroke-width="2.6" stroke-linecap="round"/>'
    )
    reach = size + 3
    return Piece(svg, (-reach, -reach, reach, reach), at)


def fallen_ring(at: Point) -> Piece:
    """The broken red ring round a dislodged unit."""
    svg = (
        '<circle r="15.4" fill="none" stroke="#fff" stroke-width="3.8"/>'
        f'<circle r="15.4" fill="none" stroke="{FAILURE}" stroke-width="2.2" stroke-dasharray="4.84 3.22"/>'
    )
    return Piece(svg, (-18.0, -18.0, 18.0, 18.0), at)


def build_ring(at: Point) -> Piece:
    """A green ring with a plus: a unit just built."""
    svg = (
        f'<circle r="15.4" fill="none" stroke="#fff" stroke-width="3.8"/><circle r="15.4" fill="none" stroke="{GAIN}" stroke-width="2.2"/>'
        f'<circle cx="10.8" cy="-10.8" r="5.8" fill="{GAIN}" stroke="#fff" stroke-width="1.2"/>'
        '<path d="M10.8 -14V-7.6M7.6 -10.8H14" stroke="#fff" stroke-width="1.7"/>'
    )
    return Piece(svg, (-18.0, -18.0, 18.0, 18.0), at)
