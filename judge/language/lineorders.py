"""The items of a line in one language, to orders: its drafts settled on the board and in the position."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from judge.board import Power
from judge.language.boardwords import BoardWords
from judge.language.clues import (
    is_filler,
    is_whole,
    looks_like_order,
    repair_of,
    stretches_of,
    text_of,
)
from judge.language.complaints import (
    AmbiguousOrder,
    Doubtful,
    Ignored,
    NotAnOrder,
    Unreadable,
    Warned,
)
from judge.language.drafts import Draft
from judge.language.grammar import Grammar
from judge.language.linereading import LineKind, LineReading
from judge.language.meaning import Reading, Settled, settle, wrong_kinds
from judge.language.orderlists import Ways, paths
from judge.language.scene import Scene
from judge.language.tokens import Item
from judge.language.warnings import order_warnings
from judge.rules import Order, Phase, Position, write_order


class LineOrders:
    """Reads orders out of items.

    `position` and `phase` if they are known; `writer` who writes ("" a master); `power` whose orders follow, as a heading says.
    """

    def __init__(self, reader: BoardWords, position: Position | None, power: Power, phase: Phase | None) -> None:
        self.reader = reader
        self.position = position
        self.writer = power
        self.phase = phase
        self.power: Power = ""
        self._last: list[Reading] = []
        self._scenes: dict[Power, Scene] = {}

    def scene(self, power: Power) -> Scene:
        """The scene as one power's orders are read."""
        found = self._scenes.get(power)
        if found is None:
            found = self._scenes[power] = Scene(self.reader.variant, self.position, power, self.phase)
        return found

    def _orders(self, blank: LineReading, grammar: Grammar, text: str, ways: Ways | None = None) -> LineReading:
        """All orders of a line; if the line does not read as a whole, its stretches between semicolons and commas one by one."""
        self._last = []
        if ways is None:
            ways = paths(grammar)
        if ways and not any(ways):  # nothing but small words
            return replace(blank, error=NotAnOrder(blank.line))
        if not ways:
            stretches = stretches_of(grammar.items)
            if len(stretches) > 1 and all(is_whole(part) for part in stretches):
                return self._in_stretches(blank, grammar, stretches, text)
            return self._unread(blank, grammar)
        return self._meant(blank, ways, grammar.items)

    def _meant(self, blank: LineReading, ways: Ways, items: Iterable[Item]) -> LineReading:
        """The orders that a line means here, out of all ways to read it."""
        self._last = []
        settled = [self._settle_all(way) for way in ways]
        good = [each for each in settled if all(one.reading for one in each)]
        if not good:
            return self._asked(blank, settled[0])
        if len({tuple(write_order(one.reading.order) for one in each if one.reading) for each in good}) > 1:
            level = [min(one.reading.level for one in each if one.reading) for each in good]
            good = [each for each, fits in zip(good, level, strict=True) if fits == max(level)]
        spellings = {tuple(write_order(one.reading.order) for one in each if one.reading) for each in good}
        if len(spellings) > 1:
            asked = tuple(dict.fromkeys(spelling for each in sorted(spellings) for spelling in each))
            orders = tuple(dict.fromkeys(one.reading.order for each in good for one in each if one.reading))
            return replace(blank, error=AmbiguousOrder(orders), suggestions=asked)
        return self._taken(blank, [one.reading for one in good[0] if one.reading], items)

    def _settle_all(self, way: Sequence[Iterable[Draft]]) -> list[Settled]:
        settled: list[Settled] = []
        owner = self.power or self.writer
        carried = ""
        for drafts in way:
            group = list(drafts)
            if carried and all(draft.verb == "unit" for draft in group):
                group = [replace(draft, verb=carried) for draft in group]
            else:
                carried = next((draft.verb for draft in group if draft.leads and draft.verb in ("build", "disband", "hold")), "")
            said = next((draft.power for draft in group if draft.power), "")
            if said and not self.writer:
                owner = said
            settled.append(settle(group, self.scene(owner if not self.writer else self.writer)))
        return settled

    def _taken(self, blank: LineReading, readings: list[Reading], items: Iterable[Item]) -> LineReading:
        self._last = readings
        orders: list[Order] = []
        powers: list[Power] = []
        warnings: list[Warned] = []
        said: Power = ""
        owner = self.power
        for reading in readings:
            owner = reading.power or owner
            said = said or reading.power
            orders += [reading.order] * reading.count
            powers += [owner] * reading.count
            scene = self.scene(self.writer or owner)
            warnings += [note for note in reading.notes if note not in warnings]
            warnings += wrong_kinds(reading.order, scene)
            warnings += order_warnings(reading.order, scene.power, self.position, self.reader.variant)
        warnings += [Ignored(item.text) for item in items if is_filler(item)]
        named = {pick.text for reading in readings for pick in reading.picks}
        warnings += [repair_of(item.text, item.sense) for item in items if item.sense and item.sense.repaired and item.text not in named]
        return replace(
            blank,
            kind=LineKind.ORDER,
            orders=tuple(orders),
            powers=tuple(powers),
            power=said or self.power or None,
            warnings=tuple(warnings),
        )

    def _asked(self, blank: LineReading, settled: list[Settled]) -> LineReading:
        error = next((one.error for one in settled if one.error), None) or Unreadable(blank.line)
        asked = tuple(dict.fromkeys(write_order(order) for one in settled for order in one.suggestions))
        return replace(blank, error=error, suggestions=asked)

    def _in_stretches(self, blank: LineReading, grammar: Grammar, stretches: list[tuple[Item, ...]], text: str) -> LineReading:
        """A line whose parts stand between semicolons or commas, some of them bad."""
        whole, others = blank, ""
        last: list[Reading] = []
        for part in stretches:
            for index, item in enumerate(part):
                item.index = index
            found = self._orders(blank, grammar.over(part), text)
            if not found.orders and self._is_of_others(part):
                others = text_of(part)
            last += self._last
            kind = LineKind.ORDER if found.orders else whole.kind
            whole = replace(
                whole,
                kind=kind,
                orders=whole.orders + found.orders,
                powers=whole.powers + found.powers,
                power=whole.power or found.power,
                error=whole.error or found.error,
                warnings=whole.warnings + found.warnings,
                suggestions=whole.suggestions + found.suggestions,
            )
        self._last = last
        return self._under_condition(blank, whole, others)

    def _is_of_others(self, part: Iterable[Item]) -> bool:
        """Whether a stretch names units of others and none of the writer's: "Munich moves off, A Par - Bur" may put a condition."""
        owner = self.writer or self.power
        senses = [item.sense for item in part if item.kind == "word" and item.sense]
        places = [
            *(each.place for sense in senses for each in (*sense.places, *sense.adjectives)),
            *(p for sense in senses for p in sense.powers),
        ]
        owners = {self.scene(owner).acting.get(place, (place if place in self.reader.variant.powers else "",))[0] for place in places}
        return bool(owner) and owner not in owners and bool(owners - {""})

    def _under_condition(self, blank: LineReading, whole: LineReading, others: str) -> LineReading:
        """The orders of a line, asked back if another part of it (`others`) says what somebody else does."""
        if not (others and whole.orders):
            return whole
        asked = tuple(dict.fromkeys(write_order(order) for order in whole.orders))
        return replace(blank, error=Doubtful(others), suggestions=(*asked, *whole.suggestions))

    def _unread(self, blank: LineReading, grammar: Grammar) -> LineReading:
        """All words are known, and yet they make no order."""
        if not looks_like_order(grammar.items):
            return replace(blank, error=NotAnOrder(blank.line))
        begun = [(draft, end) for draft, end in grammar.orders(0) if draft.unit] if grammar.items else []
        if begun:
            draft, end = max(begun, key=lambda each: each[1])
            rest = grammar.items[end:]
            if rest and draft.verb != "unit":
                settled = settle([draft], self.scene(self.power or self.writer))
                asked = (write_order(settled.reading.order),) if settled.reading else ()
                return replace(blank, error=Unreadable(text_of(rest)), suggestions=asked)
            settled = settle([draft], self.scene(self.power or self.writer))
            if settled.error:
                return replace(blank, error=settled.error)
        return replace(blank, error=Unreadable(blank.line))
