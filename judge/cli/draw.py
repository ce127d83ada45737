"""`judge map draw`: a board, a position or a turn as SVG or PNG."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from judge.board import Power
from judge.language import Pen
from judge.library import Library, map_folder, search_path
from judge.picture import Caption, write_svg
from judge.rules import BadNotation, Order, Position, Variant, Waive, adjudicate, read_case, read_order, read_position
from judge.service.captions import caption_of
from judge.service.pictures import OrdersPicture, PictureFacts, PositionPicture, TurnPicture, drawing_of, lay
from judge.service.raster import print_once


def draw_map(
    board: str,
    folders: Sequence[Path],
    out: Path,
    position: str = "",
    orders: str = "",
    lang: str = "en",
    *,
    planned: bool = False,
    bare: bool = False,
) -> None:
    """Draw a board, by name or folder, into the file `out`, an SVG or PNG by its ending.

    `position` is a case as JSON (its orders count too), `orders` order lines or a JSON object of them by power; without a position the
    start is drawn.  With orders the turn is shown as it goes, or as `planned`; a `bare` picture has no title and key, as in letters.
    """
    if out.suffix not in (".svg", ".png"):
        raise click.UsageError(f"{out.name} must end in .svg or .png")
    folder = map_folder(board, search_path("maps", folders)).resolve()
    library, name = Library((folder.parent, *folders)), folder.name
    variant = library.variant(name)
    case = json.loads(position) if position.strip() else {}
    stands = read_position(case, variant) if case else variant.start
    given: Mapping[Power, Sequence[str]] = read_case(case, variant)[1] if case.get("orders") else {}
    if orders.strip():
        given = order_texts(orders, variant, stands)
    facts = facts_of(variant, stands, given, planned)
    caption = None if bare else title_of(library, name, lang, stands, facts)
    sheet = lay(drawing_of(library, name), variant.board, facts, caption)
    out.write_bytes(write_svg(sheet).encode() if out.suffix == ".svg" else print_once(sheet))


def facts_of(variant: Variant, stands: Position, given: Mapping[Power, Sequence[str]], planned: bool) -> PictureFacts:
    """What the picture shall show."""
    if planned:
        read = {power: tuple(order for text in texts if (order := read_or_none(text)) is not None) for power, texts in given.items()}
        return OrdersPicture(variant.name, stands, read)
    if given:
        done = adjudicate(stands, given, variant)
        return TurnPicture(variant.name, stands, done.outcomes, done.after)
    return PositionPicture(variant.name, stands)


def title_of(library: Library, name: str, lang: str, stands: Position, facts: PictureFacts) -> Caption:
    """Title, counts and key in the language asked for, with the owners as the picture shows them."""
    tongue = library.tongue(lang)
    pen = Pen(tongue.phrases, library.pack(name).gazetteer(lang), tongue.lexicon)
    shown = Position(stands.phase, stands.units, facts.after.owners) if isinstance(facts, TurnPicture) else stands
    return caption_of(pen, library.variant(name).board, shown, library.title(name))


def order_texts(text: str, variant: Variant, stands: Position) -> dict[Power, list[str]]:
    """Order texts by power: a JSON object, or canonical lines, each given to the power whose unit it is for.

    A line that ends in a colon, or is a power's id, heads the lines of that power; builds want one.
    """
    if text.lstrip().startswith("{"):
        data = json.loads(text)
        table = data.get("orders", data)
        return {str(power): [str(order) for order in texts] for power, texts in table.items()}
    owner = {unit: power for power, units in stands.units.items() for unit in units}
    owner |= {fallen.unit: fallen.power for fallen in stands.dislodged}
    out: dict[Power, list[str]] = {}
    heading = ""
    for line in filter(None, (line.strip() for line in text.splitlines())):
        if line.rstrip(":").upper() in variant.board.powers:
            heading = line.rstrip(":").upper()
            continue
        order = read_or_none(line)
        power = heading or (owner.get(order.unit, "") if order is not None and not isinstance(order, Waive) else "")
        if not power:
            raise click.UsageError(f"cannot tell whose order this is: {line}")
        out.setdefault(power, []).append(line)
    return out


def read_or_none(text: str) -> Order | None:
    """A canonical order, or None."""
    try:
        return read_order(text)
    except BadNotation:
        return None
