"""What holds for every picture: well-formed, safe, accessible, the same every time, labels clear of arrows."""

import gzip
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from judge.library import Library
from judge.picture import Caption, draw_position, draw_turn, lay_position, lay_turn
from judge.picture.geometry import Box, Point, overlap
from judge.picture.pieces import Piece
from judge.rules import Adjudication, Position, adjudicate, read_phase, read_unit
from tests.support import islets

LIBRARY = Library()
STANDARD = LIBRARY.pack("standard")
GAMES = Path(__file__).parents[1] / "games" / "droidippy.jsonl.gz"
SVG = "{http://www.w3.org/2000/svg}"
ALLOWED = {"svg", "title", "desc", "defs", "g", "path", "use", "rect", "circle", "clipPath", "pattern"}


def turns(wanted: int) -> Iterator[Adjudication]:
    """Movement phases of recorded games, one late phase of each game."""
    with gzip.open(GAMES, "rt", encoding="utf-8") as lines:
        for _, line in zip(range(wanted), lines, strict=False):
            phases = [phase for phase in json.loads(line)["phases"] if phase["phase"].endswith("M")]
            phase = phases[len(phases) * 2 // 3]
            units = {power: tuple(sorted(map(read_unit, texts))) for power, texts in phase["units"].items()}
            owners = {centre: power for power, centres in phase["centers"].items() for centre in centres}
            yield adjudicate(Position(read_phase(phase["phase"]), units, owners), phase["orders"], STANDARD.variant)


TURNS = list(turns(12))


@pytest.mark.parametrize("turn", TURNS, ids=lambda turn: str(turn.before.phase))
def test_document_is_safe_and_well_formed(turn: Adjudication) -> None:
    """Only shapes; every reference stays inside and has its target; nothing defined twice."""
    root = ET.fromstring(draw_turn(STANDARD.drawing, STANDARD.variant.board, turn.before, turn.outcomes, turn.after))
    names = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
    assert len(names) == len(set(names))
    for element in root.iter():
        assert element.tag.removeprefix(SVG) in ALLOWED
        for key, value in element.attrib.items():
            assert not key.startswith("on")
            assert "xlink" not in key
            if key == "href":
                assert value[:1] == "#"
                assert value[1:] in names
            if "url(" in value:
                assert value.startswith("url(#")
                assert value[5:-1] in names


def test_words_handed_in_cannot_break_out() -> None:
    """A title with markup stays a title."""
    caption = Caption('</title><script>alert("1")</script>', "& <b>")
    svg = draw_position(islets.drawing(), islets.board(), islets.position("S1M", {}), caption)
    root = ET.fromstring(svg)
    assert "<script" not in svg
    title = root.find(f"{SVG}title")
    assert title is not None
    assert title.text == '</title><script>alert("1")</script> · & <b>'


def test_screen_readers_are_told() -> None:
    """Title and description name phase, units, orders and verdicts in canonical words."""
    root = ET.fromstring(draw_turn(STANDARD.drawing, STANDARD.variant.board, TURNS[0].before, TURNS[0].outcomes, TURNS[0].after))
    title, told = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert root.attrib["role"] == "img"
    assert title is not None
    assert told is not None
    assert title.text == str(TURNS[0].before.phase)
    assert told.text is not None
    for outcome in TURNS[0].outcomes:
        assert str(outcome.verdict) in told.text


def test_same_facts_same_picture() -> None:
    """The order in which facts come makes no difference."""
    turn = TURNS[0]
    units = dict(reversed(list(turn.before.units.items())))
    shuffled = Position(turn.before.phase, units, dict(reversed(list(turn.before.owners.items()))))
    first = draw_turn(STANDARD.drawing, STANDARD.variant.board, turn.before, turn.outcomes, turn.after)
    assert draw_turn(STANDARD.drawing, STANDARD.variant.board, shuffled, turn.outcomes, turn.after) == first


def test_position_tells_dislodged_units_and_their_choices() -> None:
    """A retreat phase shows who waits, and where they may go."""
    before = next(turn for turn in TURNS if any(each.retreats for each in turn.dislodged))
    svg = draw_position(STANDARD.drawing, STANDARD.variant.board, before.after)
    assert 'stroke-dasharray="4.84 3.22"' in svg
    assert " &gt; " in svg


def label_boxes(pieces: tuple[Piece, ...]) -> list[Box]:
    """Where the letters of the labels of a sheet lie."""
    out = []
    for piece in pieces:
        if piece.uses and not piece.ink and "<circle" not in piece.svg and "<rect" not in piece.svg:
            (left, top, right, bottom), (x, y) = piece.box, piece.at
            out.append((left + x + 4, top + y + 4, right + x - 4, bottom + y - 5))
    return out


def line_points(pieces: tuple[Piece, ...]) -> list[Point]:
    """Points every few px along the lines of orders, read from what is drawn."""
    out: list[Point] = []
    for piece in pieces:
        if piece.uses or piece.at != (0.0, 0.0):
            continue
        for data in re.findall(r'd="(M[^"A-KN-Za-z]*)"', piece.svg):
            line = [tuple(map(float, re.findall(r"-?\d*\.?\d+", point))) for point in re.split("[ML]", data)[1:]]
            for (x, y), (to_x, to_y) in pairwise(line):
                steps = max(1, int(max(abs(to_x - x), abs(to_y - y)) / 4))
                out += [(x + (to_x - x) * step / steps, y + (to_y - y) * step / steps) for step in range(steps)]
    return out


def crossed(boxes: list[Box], points: list[Point]) -> int:
    """How many boxes have a point in them."""
    return sum(any(left < x < right and top < y < bottom for x, y in points) for left, top, right, bottom in boxes)


def test_labels_keep_clear_of_arrows() -> None:
    """Hardly a label has a line through it: under two in a hundred, where many more lie in the way of one before they are moved."""
    moved = total = at_home = 0
    for turn in TURNS:
        sheet = lay_turn(STANDARD.drawing, STANDARD.variant.board, turn.before, turn.outcomes, turn.after)
        empty = lay_position(STANDARD.drawing, STANDARD.variant.board, Position(turn.before.phase, {}, {}))
        points = line_points(sheet.over)
        assert len(points) > 50
        total += len(label_boxes(sheet.over))
        moved += crossed(label_boxes(sheet.over), points)
        at_home += crossed(label_boxes(empty.over), points)
    assert total == 75 * len(TURNS)
    assert moved / total < 0.02
    assert at_home > 3 * moved


def test_labels_do_not_hide_each_other() -> None:
    """No two labels of a busy turn overlap."""
    for turn in TURNS:
        sheet = lay_turn(STANDARD.drawing, STANDARD.variant.board, turn.before, turn.outcomes, turn.after)
        placed = label_boxes(sheet.over)
        pairs = [(a, b) for index, a in enumerate(placed) for b in placed[index + 1 :] if overlap(a, b)]
        assert not pairs
