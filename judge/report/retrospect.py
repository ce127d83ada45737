"""The past as views: a game by years, messages and results, orders as they were sent, a person's games."""

from collections.abc import Sequence

from judge.board import Location
from judge.game import GameView, Status, Submission, receipt_of
from judge.game.notices import HistoryEntry, OwnGame, Summary
from judge.report import views
from judge.report.filters import local_time, one_line
from judge.report.viewing import Viewer
from judge.report.wording import Wording

LONGEST_VALUE = 1000
"""Characters of one thing kept about a person that are shown."""


def view_summary(viewer: Viewer, summary: Summary, view: GameView) -> views.SummaryView:
    """A game by years; who played what only as far as the reader may know it."""
    titles = tuple(viewer.pen.power(power) for power in viewer.variant.powers)
    marks = _marks(titles)
    mark = dict(zip(viewer.variant.powers, marks, strict=True))
    seen = {seat.power: seat.person for seat in view.seats}
    told = view.status is Status.FINISHED and view.settings.reveal
    return views.SummaryView(
        powers=titles,
        years=tuple(views.YearCounts(row.year, tuple(row.counts.get(power, 0) for power in viewer.variant.powers)) for row in summary.rows),
        owners=tuple(
            views.CentreOwners(viewer.pen.place(Location(centre)), tuple(mark.get(row.owners.get(centre, ""), ".") for row in summary.rows))
            for centre in sorted(viewer.variant.board.centres)
        ),
        played=tuple(
            views.PlayedBy(
                viewer.pen.power(each.power),
                viewer.name(each.person),
                viewer.pen.phase(each.since),
                viewer.pen.phase(each.until) if each.until else "",
            )
            for each in summary.stints
            if told or seen.get(each.power) is not None
        ),
        deeds=tuple(
            views.PowerDeeds(
                viewer.pen.power(each.power),
                each.ordered,
                each.moved,
                each.failed,
                each.supports,
                each.convoys,
                each.dislodged,
                each.built,
                each.removed,
                each.unordered,
            )
            for each in summary.records
        ),
        index=summary.index,
    )


def view_past(viewer: Viewer, words: Wording, entry: HistoryEntry) -> views.PastEntry:
    """One thing of the past, as its reader may see it."""
    if entry.press is not None:
        return views.PastEntry(entry.at, "press", _press_head(viewer, entry.sender, entry.press.to), entry.press.text)
    if entry.turn is not None:
        orders = (
            f"{viewer.pen.power(outcome.power)}: {viewer.pen.order(outcome.order)}: {viewer.pen.verdict(outcome.verdict)}"
            for outcome in entry.turn.adjudication.outcomes
        )
        return views.PastEntry(entry.at, "turn", viewer.pen.phase(entry.turn.phase), "\n".join(orders))
    return words.event(entry.event) if entry.event is not None else views.PastEntry(entry.at, "event", "")


def _press_head(viewer: Viewer, sender: str, to: tuple[str, ...]) -> str:
    say = viewer.pen.phrases.say
    return say(
        "press_head",
        sender=viewer.pen.power(sender) if sender else say("hidden"),
        to=viewer.pen.listed(viewer.pen.power(key) for key in to) if to else say("everybody"),
    )


def view_own_game(viewer: Viewer, game: OwnGame) -> tuple[str, str]:
    """One of a person's games in a line."""
    say = viewer.pen.phrases.say
    parts = [viewer.pen.power(game.seat), say(f"status.{game.status}"), viewer.pen.phase(game.phase)]
    if game.deadline is not None and game.status == Status.RUNNING:
        parts.append(local_time(game.deadline))
    if game.state in ("in", "part", "due"):
        parts.append(say(f"state.{game.state}"))
    return game.name, ", ".join(parts)


def view_submission(viewer: Viewer, sent: Submission) -> views.PastEntry:
    """Orders as one mail sent them."""
    head = viewer.pen.phrases.say(
        "receipt", phase=viewer.pen.phase(sent.phase), number=receipt_of(sent.phase, sent.power, sent.mail, sent.orders)
    )
    return views.PastEntry(sent.at, "event", head, "\n".join(viewer.pen.order(order) for order in sent.orders))


def _marks(titles: Sequence[str]) -> tuple[str, ...]:
    """The shortest beginnings that tell titles apart, one letter at least.

    >>> _marks(["Austria", "England", "Estonia"])
    ('A', 'En', 'Es')
    """
    return tuple(_mark(title, titles) for title in titles)


def _mark(title: str, titles: Sequence[str]) -> str:
    beginnings = (title[:size] for size in range(1, len(title)))
    return next((each for each in beginnings if sum(other.startswith(each) for other in titles) == 1), title)


def view_data(viewer: Viewer, words: Wording, name: str, value: str) -> tuple[str, str]:
    """One thing kept about the reader, in words where the catalogue has some; a row of `judge.service.own.data_of`."""
    say, knows = viewer.pen.phrases.say, viewer.pen.phrases.knows
    kind, _, counted = name.partition(": ")
    label = say(f"data.{kind}") if knows(f"data.{kind}") else one_line(name)
    shown = one_line(value, LONGEST_VALUE)
    match kind:
        case "record" if knows(f"data.record.{counted}"):
            shown = f"{say(f'data.record.{counted}')}: {shown}"
        case "seat":
            game, _, seat = shown.partition(": ")
            shown = f"{game}: {viewer.pen.power(seat)}"
        case "address":
            plain, *notes = shown.split(" (")
            told = (say(code) for note in notes if knows(code := f"data.address.{note.rstrip(')')}"))
            shown = ", ".join((plain, *told))
        case "language" | "notation":
            shown = words.setting_value(kind, shown)
        case "pictures":
            shown = say("value.yes" if value == "True" else "value.no")
        case _:
            pass
    return label, shown or "–"
