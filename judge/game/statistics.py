"""A whole game in numbers: centres by year, what each power's units did, who played from when to when."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from judge.board import Power
from judge.game.model import Game, Turn
from judge.game.notices import PowerRecord, Summary, YearRow
from judge.rules import Position, Variant, Verdict

_COUNTED: Mapping[Verdict, str] = {
    Verdict.MOVES: "moved",
    Verdict.SUPPORTS: "supports",
    Verdict.CONVOYS: "convoys",
    Verdict.BUILDS: "built",
    Verdict.REMOVES: "removed",
    Verdict.BOUNCES: "failed",
    Verdict.CUT: "failed",
    Verdict.NO_EFFECT: "failed",
    Verdict.DISRUPTED: "failed",
    Verdict.NO_CONVOY: "failed",
    Verdict.ILLEGAL: "failed",
}


def summarise(game: Game, turns: Iterable[Turn], variant: Variant) -> Summary:
    """The game by years, from its closed phases in their order."""
    rows: dict[int, YearRow] = {}
    records = {power: PowerRecord(power) for power in variant.powers}
    start: Position | None = None
    for turn in turns:
        if turn.withdrawn:
            continue
        start = start or turn.before
        rows[turn.phase.year] = _row(turn.phase.year, turn.adjudication.after, variant)
        for outcome in turn.adjudication.outcomes:
            records[outcome.power] = _counted(records[outcome.power], outcome.verdict, outcome.given, outcome.dislodged)
    begun = start or game.position
    first = _row(begun.phase.year - variant.calendar.year_step, begun, variant)
    table = (first, *rows.values())
    squares = sum(count * count for row in table for count in row.counts.values())
    return Summary(table, tuple(records.values()), game.stints, squares // max(1, len(variant.powers)))


def _row(year: int, position: Position, variant: Variant) -> YearRow:
    """One year's line of the grid."""
    counted = Counter(position.owners.values())
    return YearRow(year, position.owners, {power: counted[power] for power in variant.powers})


def _counted(record: PowerRecord, verdict: Verdict, given: bool, dislodged: bool) -> PowerRecord:
    """A power's record with one more order in it."""
    after = replace(
        record,
        ordered=record.ordered + given,
        unordered=record.unordered + (not given),
        dislodged=record.dislodged + dislodged,
    )
    name = _COUNTED.get(verdict)
    return replace(after, **{name: getattr(after, name) + 1}) if name else after


def holders(summary: Summary, power: Power) -> tuple[int, ...]:
    """Who played a power, in order."""
    return tuple(stint.person for stint in summary.stints if stint.power == power)
