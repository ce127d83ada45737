"""Each kind of picture of a tiny board as it is meant to look: open tests/golden/pictures/*.svg in a browser to review a change."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from judge.board import Location
from judge.picture import Caption, draw_orders, draw_position, draw_turn
from judge.picture.diagram import diagram
from judge.rules import Dislodgement, read_order, read_unit
from tests.support import islets

GOLDEN = Path(__file__).parents[1] / "golden" / "pictures"
START = islets.position("S1M", {"REDS": ["A WST", "F NOR"], "BLUES": ["F MID/SC"]})
RETREATING = replace(
    islets.position("S1R", {"REDS": ["A MID"], "BLUES": []}),
    dislodged=(Dislodgement("BLUES", read_unit("F MID/SC"), "WST", "A WST", (Location("SOU"),)),),
)
CAPTION = Caption(
    "Jaro 1 · Весна", "Ostrůvky", (("REDS", "Červení", 1), ("BLUES", "Синие", 1)), (("A", "armáda"), ("F", "флот"), ("move", "přesun"))
)


def movement() -> str:
    told = {"REDS": ["A WST - MID: moves", "F NOR S A WST - MID: cut"], "BLUES": ["F MID/SC - SOU: bounces"]}
    after = replace(RETREATING, owners={"WST": "REDS", "MID": "REDS"})
    return draw_turn(islets.drawing(), islets.board(), START, islets.outcomes(told, ("F MID",)), after)


def convoy() -> str:
    before = islets.position("S1M", {"REDS": ["A WST", "F SOU", "F NOR"], "BLUES": ["A MID"]})
    told = {
        "REDS": ["A WST - MID VIA: no_convoy", "F SOU C A WST - MID: disrupted", "F NOR C A MID - WST: no_effect"],
        "BLUES": ["A MID H: holds"],
    }
    return draw_turn(islets.drawing(), islets.board(), before, islets.outcomes(told), before)


def retreats() -> str:
    after = islets.position("F1M", {})
    return draw_turn(islets.drawing(), islets.board(), RETREATING, islets.outcomes({"BLUES": ["F MID/SC R SOU: retreats"]}), after)


def adjustments() -> str:
    before = islets.position("W1A", {"REDS": ["F NOR"], "BLUES": ["F SOU"]})
    told = {"REDS": ["A WST B: builds"], "BLUES": ["F SOU D: removes"]}
    return draw_turn(islets.drawing(), islets.board(), before, islets.outcomes(told), before)


def planned() -> str:
    orders = {"REDS": (read_order("A WST - MID"), read_order("F NOR S A WST"))}
    return draw_orders(islets.drawing(), islets.board(), START, orders)


PICTURES: dict[str, Callable[[], str]] = {
    "start": lambda: draw_position(islets.drawing(), islets.board(), START),
    "titled": lambda: draw_position(islets.drawing(), islets.board(), START, CAPTION),
    "movement": movement,
    "convoy": convoy,
    "retreat-choices": lambda: draw_position(islets.drawing(), islets.board(), RETREATING),
    "retreats": retreats,
    "adjustments": adjustments,
    "planned": planned,
    "diagram": lambda: draw_position(diagram(islets.board(), islets.drawing().lettering), islets.board(), START),
}


@pytest.mark.parametrize("name", PICTURES)
def test_picture_is_as_agreed(name: str, renew: bool) -> None:
    """The picture equals the golden one."""
    path, drawn = GOLDEN / f"{name}.svg", PICTURES[name]().replace("><", ">\n<") + "\n"
    if renew:
        path.write_text(drawn, encoding="utf-8")
    assert drawn == path.read_text(encoding="utf-8")
