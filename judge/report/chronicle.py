"""A whole game as one text: who played, every phase with its orders and why, messages as far as everybody may read them."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

from judge.game import PUBLIC, Person, PersonId, PressItem, shown_sender, summarise
from judge.report import pageviews as pv
from judge.report import views
from judge.report.exhibits import GameFile, public_name
from judge.report.retrospect import view_summary
from judge.report.viewing import Viewer


def view_chronicle(viewer: Viewer, file: GameFile, people: Mapping[PersonId, Person]) -> pv.ChronicleView:
    """The game as the public may see it; `people` are named by the names they have for everybody."""
    named = {number: replace(person, name=public_name(person)) for number, person in people.items()}
    viewer = replace(viewer, people=named)
    view, standing = file.view, file.standing
    start = standing[0].before if standing else view.position
    return pv.ChronicleView(
        game=replace(viewer.head(view), moved=()),
        ending=viewer.ending(view.ending) if view.ending else None,
        rules=viewer.rules(view.settings),
        masters=tuple(filter(None, map(viewer.name, view.masters))),
        seats=viewer.seats(view),
        start=viewer.holdings(start),
        opening=viewer.pen.phase(start.phase),
        parts=_parts(viewer, file),
        summary=view_summary(viewer, summarise(file.game, file.turns, file.variant), view),
    )


def _parts(viewer: Viewer, file: GameFile) -> tuple[pv.ChroniclePart, ...]:
    """The phases that count, each with what was written before it was closed; last, what was written since."""
    bounds = [None, *(turn.closed_at for turn in file.standing), None]
    parts = []
    for (since, until), turn in zip(pairwise(bounds), (*file.standing, None), strict=True):
        said = [item for item in file.press if (since is None or item.at > since) and (until is None or item.at <= until)]
        parts.append(
            pv.ChroniclePart(
                viewer.pen.phase(turn.phase) if turn is not None else "",
                turn.closed_at if turn is not None else None,
                tuple(_message(viewer, file, item) for item in said),
                viewer.common([turn]) if turn is not None else None,
            )
        )
    return tuple(parts)


def _message(viewer: Viewer, file: GameFile, item: PressItem) -> views.PastEntry:
    """A message with its sender, as everybody may know it."""
    say, pen = viewer.pen.phrases.say, viewer.pen
    sender = shown_sender(file.game, item, PUBLIC)
    to = pen.listed(map(pen.power, item.to)) if item.to else say("everybody")
    return views.PastEntry(item.at, "press", say("press_head", sender=pen.power(sender) if sender else say("hidden"), to=to), item.text)
