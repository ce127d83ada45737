"""Every stored turn adjudicated again: would this program decide it as it was decided?"""

from collections.abc import Iterator
from dataclasses import dataclass

from judge.errors import PlayerError
from judge.game import Turn
from judge.rules import Adjudication, Position, Variant, adjudicate, write_order, write_unit
from judge.service.context import Services

AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class Compared:
    """One stored turn and what comes out of it now: `moved` what would stand elsewhere or belong to another, one text for each thing;
    `reworded` verdicts that differ without moving anything."""

    game: str
    phase: str
    moved: tuple[str, ...] = ()
    reworded: tuple[str, ...] = ()


def compare_all(s: Services) -> Iterator[Compared]:
    """Every stored turn of every game, withdrawn ones too, in order of game and number; each game is read by itself."""
    after = 0
    while True:
        with s.store.reading() as tx:
            ids = tx.games.ids(after, AT_ONCE)
        if not ids:
            return
        for number in ids:
            with s.store.reading() as tx:
                kept = tx.games.get(number)
                assert kept is not None
                variant = s.packs.of(kept.game, tx).variant
                turns = tx.turns.of(number, withdrawn=True)
            for turn in turns:
                yield compare(kept.game.name, turn, variant)
        after = ids[-1]


def compare(game: str, turn: Turn, variant: Variant) -> Compared:
    """One stored turn against what this program makes of the same orders."""
    try:
        now = adjudicate(turn.before, turn.given, variant)
    except PlayerError as fault:
        return Compared(game, str(turn.phase), (f"it cannot be adjudicated any more: {fault}",))
    was = turn.adjudication
    moved = (*_of_positions(was.after, now.after), *_of_winners(was, now))
    return Compared(game, str(turn.phase), moved, tuple(_of_verdicts(was, now)))


def _of_positions(was: Position, now: Position) -> Iterator[str]:
    """What differs between two positions."""
    if was == now:
        return
    if was.phase != now.phase:
        yield f"the next phase was {was.phase}, now {now.phase}"
    for power in sorted({*was.units, *now.units}):
        old, new = set(was.units.get(power, ())), set(now.units.get(power, ()))
        if old != new:
            yield f"{power} had {_listed(map(write_unit, old - new))}, now {_listed(map(write_unit, new - old))}"
    for place in sorted({*was.owners, *now.owners}):
        if was.owners.get(place) != now.owners.get(place):
            yield f"{place} belonged to {was.owners.get(place, 'nobody')}, now to {now.owners.get(place, 'nobody')}"
    fallen = [{f"{each.power} {write_unit(each.unit)}": each for each in position.dislodged} for position in (was, now)]
    for name in sorted({*fallen[0], *fallen[1]}):
        if fallen[0].get(name) != fallen[1].get(name):
            old_retreats, new_retreats = (_listed(map(str, each[name].retreats)) if name in each else "not dislodged" for each in fallen)
            yield f"{name} could retreat: {old_retreats}, now: {new_retreats}"
    for what, old_places, new_places in (("standoffs", was.standoffs, now.standoffs), ("attacked", was.attacked, now.attacked)):
        if old_places != new_places:
            yield f"{what} were {_listed(old_places)}, now {_listed(new_places)}"


def _of_winners(was: Adjudication, now: Adjudication) -> Iterator[str]:
    if was.winner != now.winner:
        yield f"the winner was {was.winner or 'nobody'}, now {now.winner or 'nobody'}"


def _of_verdicts(was: Adjudication, now: Adjudication) -> Iterator[str]:
    """Orders of which something else is said than before."""
    old, new = ({(each.power, write_order(each.order)): each.verdict for each in side.outcomes} for side in (was, now))
    for power, order in sorted({*old, *new}):
        if old.get((power, order)) != new.get((power, order)):
            said = [str(side[(power, order)]) if (power, order) in side else "not given" for side in (old, new)]
            yield f"{power} {order}: was {said[0]}, now {said[1]}"


def _listed(names: Iterator[str] | frozenset[str]) -> str:
    return ", ".join(sorted(names)) or "none"
