"""Strokes inked on an image look as a rasteriser of SVG draws the same strokes."""

from math import pi

import pytest
from PIL import Image, ImageChops, ImageStat

from judge.picture import Stroke, dashes
from judge.picture.strokes import arc, haloed, write_strokes
from judge.service.inking import ink
from judge.service.raster import rastered

SIZE = (120, 90)
CURVE = ((10.0, 10.0), (40.0, 18.0), (70.0, 32.0), (95.0, 55.0), (110.0, 80.0))
HEAD = ((100.0, 70.0), (88.0, 66.0), (91.0, 61.0), (96.0, 58.0))
STROKES = {
    "whole": (Stroke(CURVE, "#2b3a80", 3.1),),
    "faint": (Stroke(CURVE, "#2b3a80", 6.0, opacity=0.45),),
    "dashed": (Stroke(CURVE, "#8f3026", 3.1, dash=(7, 4.5), blunt=True),),
    "dots": (Stroke(CURVE, "#347131", 2.8, dash=(0.1, 5)),),
    "haloed": haloed(Stroke(CURVE, "#176694", 1.9, dash=(4.5, 3), blunt=True), 4.4),
    "head": (Stroke(HEAD, "#176694", 1.2, fill="#fff"),),
    "full head": (Stroke(HEAD, "#176694", 1.2, fill="#176694"),),
    "arc": (Stroke(arc((60.0, 45.0), 17.0, -pi / 4, pi / 4), "#956608", 2.1),),
}


@pytest.mark.parametrize("scale", [1.0, 0.9])
@pytest.mark.parametrize("name", STROKES)
def test_ink_equals_svg(name: str, scale: float) -> None:
    """Over a coloured ground no px differs by much, and all together by a small part of what the stroke changes at all."""
    size = (round(SIZE[0] * scale), round(SIZE[1] * scale))
    ground = Image.new("RGB", size, "#f2d795")
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size[0]}" height="{size[1]}" viewBox="0 0 {SIZE[0]} {SIZE[1]}">'
        f"{write_strokes(STROKES[name])}</svg>"
    )
    meant = ground.copy()
    drawn = rastered(svg)
    meant.paste(drawn, (0, 0), drawn)
    inked = ground.copy()
    ink(inked, STROKES[name], scale)
    changed, wrong = (ImageStat.Stat(ImageChops.difference(meant, other).convert("L")).sum[0] for other in (ground, inked))
    assert 0 < wrong < changed / 5
    assert max(level for level, count in enumerate(ImageChops.difference(meant, inked).convert("L").histogram()) if count) < 96  # of 255


def test_dashes_follow_the_bends() -> None:
    """5 drawn, 5 left out, along a line of two legs of 12: what is drawn begins at 0, 10 and 20, the second round the corner."""
    stroke = Stroke(((0.0, 0.0), (12.0, 0.0), (12.0, 12.0)), "#000", 1.0, dash=(5, 5))
    assert dashes(stroke) == (
        ((0.0, 0.0), (5.0, 0.0)),
        ((10.0, 0.0), (12.0, 0.0), (12.0, 3.0)),
        ((12.0, 8.0), (12.0, 12.0)),
    )


def test_a_line_of_no_length_is_drawn_all_the_same() -> None:
    """Two units on one spot make no fault."""
    image = Image.new("RGB", (20, 20), "#fff")
    ink(image, (Stroke(((9.0, 9.0), (9.0, 9.0)), "#000", 4.0, dash=(3, 2)),), 1.0)
    assert image.getpixel((9, 9)) == (0, 0, 0)
