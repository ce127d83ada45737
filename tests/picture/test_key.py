"""The key of symbols under a picture that stands alone: what the board has, and nothing else."""

import pytest

from judge.language import Notation, Pen
from judge.picture import Caption, diagram, write_svg
from judge.picture.geometry import box_at
from judge.picture.ground import ON_GROUND
from judge.service.captions import KEY, caption_of
from judge.service.pictures import PositionPicture, lay
from tests.support.golden_game import library, variant


def caption(board: str, language: str) -> Caption:
    """The caption of a board's start."""
    tongue = library().tongue(language)
    pen = Pen(tongue.phrases, library().pack(board).gazetteer(language), tongue.lexicon, Notation.SHORT)
    return caption_of(pen, variant(board).board, variant(board).start, "danube")


@pytest.mark.parametrize("language", ["en", "cs", "hu", "ru"])
def test_every_symbol_has_a_word_and_the_title_a_capital(language: str) -> None:
    made = caption("warcraft", language)
    words = dict(made.key)
    assert set(KEY) - {"convoy"} <= set(words)
    assert len(set(words.values())) == len(words)
    assert not made.title[0].islower()


@pytest.mark.parametrize(
    ("board", "shown"),
    [
        ("standard", frozenset()),
        ("warcraft", frozenset({"open", "barred", "bridge", "strait", "waterway"})),
    ],
)
def test_borders_and_links_are_explained_where_there_are_any(board: str, shown: frozenset[str]) -> None:
    drawing = library().pack(board).drawing
    assert drawing.passages == shown
    assert shown <= ON_GROUND
    facts = PositionPicture(board, variant(board).start)
    made = caption(board, "en")
    bare = Caption(made.title, made.subtitle, made.powers, tuple(each for each in made.key if each[0] not in ON_GROUND))
    with_ground, without = (write_svg(lay(drawing, variant(board).board, facts, each)) for each in (made, bare))
    assert (with_ground == without) == (not shown)


def test_a_diagram_tells_ways_by_land_from_ways_by_water() -> None:
    board = variant("standard").board
    drawn = diagram(board, library().pack("standard").drawing.lettering)
    assert drawn.passages == {"army", "fleet", "both"}


def test_units_on_waterways_stand_on_the_water() -> None:
    """A station under the land would be drawn over, and so would its unit's line."""
    drawing = library().pack("warcraft").drawing
    ways = {link.place for link in drawing.links if link.kind == "waterway"}
    dry = {
        name
        for name in ways
        for area in drawing.areas
        if area.kind == "land" and area.id in drawing.insides and drawing.insides[area.id].holds(box_at(drawing.anchors[name].unit, 4, 4))
    }
    assert len(ways) == 41
    assert dry == set()
