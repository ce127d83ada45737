"""The strips above and below a picture that stands alone: title, counts, key of symbols, in words that are handed in."""

from collections.abc import Mapping
from dataclasses import dataclass

from judge.board import Board, Power
from judge.picture.drawing import Drawing
from judge.picture.geometry import Box, Point, number
from judge.picture.ground import ON_GROUND, ground_sample
from judge.picture.lettering import Hand
from judge.picture.pieces import Piece, lettered
from judge.picture.style import FAILURE, SECOND_TEXT, TEXT, Look
from judge.picture.symbols import build_ring, burst, centre_dot, cross, fallen_ring, token

HEAD, FOOT = 54, 36
_TITLE, _SUBTITLE, _POWER, _COUNT, _KEY = Hand("title", 26), Hand("sea", 17), Hand("text", 14), Hand("bold", 14), Hand("text", 13.5)
_PLAIN = Look("#CFC9BC", "#4B4946", "")


@dataclass(frozen=True, slots=True)
class Caption:
    """Words beside a map: title and subtitle, each power's name and count in order, and the key: symbol name to word.

    Symbols of the key: kinds of unit by letter, ``centre``, ``move``, ``failed``, ``support``, ``cut``, ``guard``, ``convoy``,
    ``dislodged``, ``build``, ``removed``; and what is on the ground, shown only where the board has it: borders (``open``,
    ``barred``) and links (``bridge``, ``strait``, ``waterway``, and in diagrams ``army``, ``fleet``, ``both``).
    """

    title: str
    subtitle: str = ""
    powers: tuple[tuple[Power, str, int], ...] = ()
    key: tuple[tuple[str, str], ...] = ()


def head_strip(drawing: Drawing, looks: Mapping[Power, Look], caption: Caption) -> tuple[list[Piece], int]:
    """The head and its height; powers that do not fit beside the title get rows of their own."""
    width = float(drawing.size[0])
    out, at = [], 20.0
    for text, hand, colour in ((caption.title, _TITLE, TEXT), (caption.subtitle, _SUBTITLE, SECOND_TEXT)):
        if text:
            wide = drawing.lettering.width(text, hand)
            out.append(_line(drawing, text, hand, (at + wide / 2, HEAD / 2), colour))
            at += wide + 15
    entries = [(power, name, str(count), _entry_width(drawing, name, str(count))) for power, name, count in caption.powers]
    rows = _broken(entries, width - 40, width - 20 - at)
    for number_, row in enumerate(rows):
        right = width - 20 - sum(entry[3] for entry in row)
        middle = HEAD / 2 + 26 * number_
        for power, name, count, wide in row:
            out += _entry(drawing, looks[power], name, count, (right, middle))
            right += wide
    return out, HEAD + 26 * max(len(rows) - 1, 0)


def _broken(entries: list[tuple[Power, str, str, float]], full: float, first: float) -> list[list[tuple[Power, str, str, float]]]:
    """Entries in rows; the first row has less room."""
    rows: list[list[tuple[Power, str, str, float]]] = [[]]
    room = first
    for entry in entries:
        if entry[3] > room:
            rows.append([])
            room = full
        rows[-1].append(entry)
        room -= entry[3]
    return rows


def _entry_width(drawing: Drawing, name: str, count: str) -> float:
    return 24 + drawing.lettering.width(name, _POWER) + 6 + drawing.lettering.width(count, _COUNT) + 14


def _entry(drawing: Drawing, look: Look, name: str, count: str, at: Point) -> list[Piece]:
    x, y = at
    corner = f'x="{number(x)}" y="{number(y - 8)}"'
    swatch = f'<rect {corner} width="16" height="16" rx="4" fill="{look.tint}" stroke="{look.strong}" stroke-width="2"/>'
    initial, wanted = lettered(drawing, look.initial, Hand("bold", 10.5 if len(look.initial) == 1 else 7.5), (x + 8, y), look.line)
    wide = drawing.lettering.width(name, _POWER)
    counted = drawing.lettering.width(count, _COUNT)
    return [
        Piece(swatch + initial, (x - 2, y - 10, x + 18, y + 10), uses=wanted),
        _line(drawing, name, _POWER, (x + 23 + wide / 2, y), TEXT),
        _line(drawing, count, _COUNT, (x + 23 + wide + 6 + counted / 2, y), TEXT),
    ]


def foot_strip(drawing: Drawing, board: Board, caption: Caption, down: float) -> tuple[list[Piece], int]:
    """The key of symbols and its height; no key, no strip."""
    if not caption.key:
        return [], 0
    out: list[Piece] = []
    rows, at = 0, 20.0
    for symbol, word in caption.key:
        if symbol in ON_GROUND and symbol not in drawing.passages:
            continue
        drawn, wide = _sample(drawing, board, symbol)
        full = wide + 8 + drawing.lettering.width(word, _KEY) + 24
        if at + full > drawing.size[0] and at > 20:
            rows, at = rows + 1, 20.0
        middle = down + FOOT / 2 + rows * 32
        out += [Piece(piece.svg, piece.box, (piece.at[0] + at, piece.at[1] + middle), piece.uses) for piece in drawn]
        word_width = drawing.lettering.width(word, _KEY)
        out.append(_line(drawing, word, _KEY, (at + wide + 8 + word_width / 2, middle), TEXT))
        at += full
    return out, FOOT + rows * 32


def _sample(drawing: Drawing, board: Board, symbol: str) -> tuple[list[Piece], float]:
    """A symbol drawn small for the key, and its width."""
    if symbol in board.kinds:
        piece = token(drawing, symbol, _PLAIN)
        return [Piece(piece.svg, piece.box, (13.0, 0.0), piece.uses)], 27
    ink, box = _PLAIN.line, (0.0, -10.0, 60.0, 10.0)
    dashed = f'<path d="M0 0H{{}}" stroke="{ink}" stroke-width="1.9" stroke-dasharray="4.5 3"/>'
    ring = f'<circle cx="{{}}" cy="0" r="3.9" fill="#fff" stroke="{ink}" stroke-width="1.7"/>'
    match symbol:
        case "centre":
            return [Piece(centre_dot(drawing, None).svg, (-6.0, -6.0, 6.0, 6.0), (6.0, 0.0))], 12
        case "move":
            return [
                _drawn(
                    f'<path d="M0 0H32" stroke="{ink}" stroke-width="3.1"/><path d="M40 0L29.5 -5.2L31.7 0L29.5 5.2Z" fill="{ink}"/>', box
                )
            ], 40
        case "failed":
            shaft = f'<path d="M0 0H37" stroke="{ink}" stroke-width="3.1" stroke-dasharray="7 4.5"/>'
            head = f'<path d="M46 0L35.5 -5.2L37.7 0L35.5 5.2Z" fill="#fff" stroke="{ink}" stroke-width="1.2"/>'
            return [_drawn(shaft + head, box), burst((21.0, 0.0))], 46
        case "support":
            return [_drawn(dashed.format(30) + ring.format(34), box)], 38
        case "cut":
            mark = f'<path d="M13 -4L21 4M13 4L21 -4" stroke="{FAILURE}" stroke-width="2.4"/>'
            return [_drawn(f'<g opacity=".5">{dashed.format(34)}</g>{mark}', box)], 34
        case "guard":
            return [_drawn(dashed.format(28) + f'<path d="M36 -9Q26 0 36 9" fill="none" stroke="{ink}" stroke-width="2.1"/>', box)], 38
        case "convoy":
            dots = f'<path d="M1 0H30" stroke="{ink}" stroke-width="2.8" stroke-dasharray=".1 5" stroke-linecap="round"/>'
            return [_drawn(dots + f'<path d="M30 0L35 -5L40 0L35 5Z" fill="#fff" stroke="{ink}" stroke-width="1.7"/>', box)], 40
        case "dislodged":
            return _ringed(drawing, board, fallen_ring((17.0, 0.0))), 34
        case "build":
            return _ringed(drawing, board, build_ring((17.0, 0.0))), 34
        case "removed":
            unit = token(drawing, min(board.kinds), _PLAIN, faded=True)
            return [Piece(unit.svg, unit.box, (13.0, 0.0), unit.uses), cross((13.0, 0.0), 9)], 27
        case _:
            return [_drawn(ground_sample(symbol, 36), box)], 36


def _ringed(drawing: Drawing, board: Board, ring: Piece) -> list[Piece]:
    unit = token(drawing, min(board.kinds), _PLAIN)
    return [Piece(unit.svg, unit.box, ring.at, unit.uses), ring]


def _drawn(svg: str, box: Box) -> Piece:
    return Piece(svg, box)


def _line(drawing: Drawing, text: str, hand: Hand, middle: Point, colour: str) -> Piece:
    svg, wanted = lettered(drawing, text, hand, (0.0, 0.0), colour)
    half = drawing.lettering.width(text, hand) / 2
    return Piece(svg, (-half - 2, -hand.size, half + 2, hand.size), middle, wanted)
