"""Picture data that is wrong is refused with every place named; picture data that is right fits its board."""

from copy import deepcopy
from typing import Any

import pytest

from judge.library import Library
from judge.picture import BadDrawing, draw_position, parse_drawing, why_unfit
from tests.support import islets

LIBRARY = Library()


def broken(part: str, change: Any) -> tuple[str, ...]:
    """The faults found when one part of the tiny board's data is changed."""
    parts = {"geometry": islets.geometry(), "anchors": islets.anchors(), "glyphs": islets.glyphs(), "style": islets.style()}
    data = deepcopy(parts[part])
    change(data)
    with pytest.raises(BadDrawing) as caught:
        parse_drawing(**{**parts, part: data})
    return caught.value.faults


CASES = [
    ("geometry", lambda d: d.pop("objects"), "geometry: objects.provinces.geometries is missing or empty"),
    ("geometry", lambda d: d.pop("x_size"), "geometry: x_size (width and height in px) is missing"),
    ("geometry", lambda d: d["x_arc_sides"].pop(), "geometry: 11 arcs but x_arc_sides for 10"),
    ("geometry", lambda d: d["x_arc_sides"][0].__setitem__(0, "XYZ"), "geometry: arc 0 lies beside XYZ, which is no area"),
    (
        "geometry",
        lambda d: d["objects"]["provinces"]["geometries"][0]["arcs"][0][0].append(99),
        "geometry: WST names an arc that does not exist",
    ),
    ("geometry", lambda d: d["objects"]["provinces"]["geometries"][0]["properties"].update(kind="swamp"), "geometry: WST has kind 'swamp'"),
    ("geometry", lambda d: d.update(x_links=[{"kind": "bridge", "points": [[1, 1]]}]), "geometry: x_links 0 needs a kind"),
    ("anchors", lambda d: d["provinces"]["NOR"].pop("unit"), "anchors: NOR lacks unit"),
    ("glyphs", lambda d: d["faces"].pop("sea"), "glyphs: face 'sea' is missing"),
    ("style", lambda d: d["powers"]["REDS"].update(tint="red"), "style: REDS needs tint and strong as #RRGGBB"),
    ("style", lambda d: d["symbols"].update(A="horse"), "style: no symbol is called 'horse'"),
]


@pytest.mark.parametrize(("part", "change", "fault"), CASES, ids=[case[2][:40] for case in CASES])
def test_fault_is_named(part: str, change: Any, fault: str) -> None:
    """The first words of one of the faults are as expected."""
    assert any(found.startswith(fault) for found in broken(part, change))


def test_all_faults_are_found_at_once() -> None:
    """A map maker sees everything that is wrong in one go."""
    data = islets.anchors()
    del data["provinces"]["NOR"]["unit"], data["provinces"]["SOU"]["label"]
    with pytest.raises(BadDrawing) as caught:
        parse_drawing(islets.geometry(), data, islets.glyphs(), islets.style())
    assert caught.value.faults == ("anchors: NOR lacks unit", "anchors: SOU lacks label")


@pytest.mark.parametrize("name", ["standard", "warcraft", "chaos", "brazilian", "caucasia", "northseawars"])
def test_shipped_board_can_be_drawn(name: str) -> None:
    """Maps, boards based on a map, and boards without one all show every unit of their start."""
    pack = LIBRARY.pack(name)
    assert why_unfit(pack.drawing, pack.variant.board) == ()
    svg = draw_position(pack.drawing, pack.variant.board, pack.variant.start)
    for units in pack.variant.start.units.values():
        assert all(str(unit) in svg for unit in units)


def test_missing_places_are_named() -> None:
    """A drawing that does not fit its board says what it lacks."""
    assert why_unfit(islets.drawing(), LIBRARY.variant("northseawars").board)[0].startswith("anchors: ")


def test_geometry_covers_the_frame() -> None:
    """The standard map's areas leave no gap and overlap nowhere: their sizes add up to the frame."""
    drawing = LIBRARY.pack("standard").drawing

    def size(ring: tuple[tuple[float, float], ...]) -> float:
        return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(ring, (*ring[1:], ring[0]), strict=True)) / 2

    total = sum(abs(sum(size(ring) for ring in area.rings)) for area in drawing.areas)
    assert total == pytest.approx(1200 * 1032, rel=1e-4)


@pytest.mark.parametrize("name", ["standard", "warcraft"])
def test_every_passage_is_drawn(name: str) -> None:
    """What units may cross, touches in the picture or is joined by a link or waterway."""
    pack = LIBRARY.pack(name)
    drawing, board = pack.drawing, pack.variant.board
    linked = {tuple(sorted(map(str, ports))) for ports in board.ports.values()} | {
        ("1", "2"),
        ("24", "45"),
        ("32", "34"),
        ("71", "74"),
        ("72", "75"),
        ("94", "96"),
    }
    for table in board.passages.values():
        for start, ends in table.items():
            for end in ends:
                a, b = start.province, end.province
                if a == b or a in board.ports or b in board.ports:
                    continue
                assert b in drawing.touching.get(a, ()) or tuple(sorted((a, b))) in linked, f"{a} {b}"
