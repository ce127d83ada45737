"""Order lines: read, filed, and answered one by one."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from judge.errors import PlayerError
from judge.game import (
    Answer,
    Filed,
    FileOrders,
    Guest,
    Item,
    NoOrdersHere,
    NoProof,
    NotFiled,
    Player,
    TooLate,
    UnknownCommand,
    WhichGame,
)
from judge.game.faults import OutsideGames
from judge.language.complaints import BadLine, NearCommand, NotAlone, NotAnOrder
from judge.language.linereading import LineKind, LineReading
from judge.language.requests import ALONE, Line, Request
from judge.language.vocabulary import WORD
from judge.language.warnings import warnings_for
from judge.rules import Order, Phase
from judge.service.counter import Where
from judge.service.doing import Doing
from judge.service.plans import stage_of
from judge.service.work import Part

MOST_ITEMS = 400
"""Lines of one mail that are answered one by one."""

TOLD_AT_THE_LINE = frozenset({"impossible", "coast_needed"})
"""Remarks that say no more than the refusal of the same order."""

MOST_NEAR = 3
"""Lines of more words are no misspelt commands."""

SHOWN_BELOW = frozenset({"no_order", "unused_builds", "removals_missing"})
"""Warnings that the state below the transcript shows anyway."""

_UNSAID = frozenset({LineKind.BLANK, LineKind.COMMENT})
_PASSED = _UNSAID | {LineKind.HEADING}
"""Lines in which no orders are looked for."""


def warn_of_the_whole(part: Part) -> None:
    """Remarks on orders that do not go together with the others on file, each at the line of its order."""
    held = part.held
    filed = [n for n, item in enumerate(part.items) if any(isinstance(outcome, Filed) for outcome in item.outcomes)]
    if held is None or part.seat not in held.game.orders or not filed:
        return
    orders = tuple(each.order for each in held.game.orders[part.seat])
    for warning in warnings_for(orders, part.seat, held.game.position, held.pack.variant):
        if warning.code in SHOWN_BELOW | TOLD_AT_THE_LINE:
            continue
        about = (getattr(warning, "order", None), *getattr(warning, "orders", ()))
        own = [n for n in filed if any(isinstance(o, Filed) and o.order in about for o in part.items[n].outcomes)]
        where = (own or filed)[-1]
        part.items[where] = replace(part.items[where], remarks=(*part.items[where].remarks, warning))


class Filing(Doing):
    """Files orders."""

    def _too_late(self, request: Request, where: Where) -> TooLate | None:
        """A fault if the mail answers a letter of a phase of this game that is closed."""
        if where.held is None or not request.tag_phase or request.tag_game != where.held.game.name:
            return None
        now = where.held.game.phase
        return TooLate(request.tag_phase, now) if request.tag_phase != str(now) else None

    def _orders(self, lines: list[Line], where: Where, late: TooLate | None) -> None:
        """A run of lines without command words: orders, headings, comments."""
        if where.held is None or isinstance(where.actor, Guest):
            self._stray(lines, where)
            return
        self._file(lines, where, late)

    def _stray(self, lines: list[Line], where: Where) -> None:
        """Lines that would be orders, from somebody who cannot give any here."""
        fault: PlayerError
        courtesies = self._s.words.courtesies
        greeted = False
        for line in lines[:MOST_ITEMS]:
            signed = greeted and courtesies.is_signature(line.text)
            greeted = courtesies.is_courtesy(line.text)
            if greeted or signed:
                continue
            if where.held is not None:
                fault = NoProof("orders")
            elif self._sender.proven is not None and self._own_games():
                fault = WhichGame(self._own_games())
            else:
                fault = OutsideGames(line.text)
            where.part.items.append(Item(line.text[:500], (fault,)))

    def _file(self, lines: list[Line], where: Where, late: TooLate | None) -> None:
        """Order lines of somebody with a seat, each with what became of it."""
        assert where.held is not None
        heading = ""
        readings = list(self._readings(lines, where))
        outcomes = self._filed_together(readings, where) if late is None else {}
        for number, reading in enumerate(readings):
            if reading.kind in _UNSAID:
                continue
            if reading.kind is LineKind.HEADING:
                heading = reading.power or heading
                if reading.error is not None:
                    where.part.items.append(Item(reading.line, (reading.error,)))
                continue
            if reading.orders and any(len(word) > 3 for word in WORD.findall(reading.line)):  # codes alone speak no language
                self.languages.append(reading.lang)
                self.worded.add(reading.lang)
            where.part.items.append(self._order_item(reading, where, heading, late, outcomes.get(number)))

    def _as_command(self, error: BadLine) -> BadLine:
        """A line that is no order, told as a command misspelt or with too much behind it where it comes near one's word."""
        if not isinstance(error, NotAnOrder):
            return error
        match = self._s.words.match(error.text)
        if match is not None and match.name in ALONE:
            return NotAlone(error.text, match.name)
        near = "" if match is not None or len(error.text.split()) > MOST_NEAR else self._s.words.near(error.text)
        return NearCommand(error.text, near) if near else error

    def _filed_together(self, readings: Sequence[LineReading], where: Where) -> dict[int, Sequence[Answer | PlayerError]]:
        """A player's lines filed at once, which costs as much as one of them: what became of the orders of each line, by its number.

        Nothing for a master, whose lines may be for different powers.
        """
        if not isinstance(where.actor, Player):
            return {}
        ordering = {n: each.orders for n, each in enumerate(readings) if each.orders and each.kind not in _PASSED}
        orders = tuple(order for line in ordering.values() for order in line)
        if not orders:
            return {}
        try:
            left = iter(self._apply(FileOrders(orders, where.actor.power), where))
        except PlayerError as fault:
            return dict.fromkeys(ordering, (fault,))
        return {number: tuple(islice(left, len(line))) for number, line in ordering.items()}

    def _order_item(
        self, reading: LineReading, where: Where, heading: str, late: TooLate | None, filed: Sequence[Answer | PlayerError] | None
    ) -> Item:
        """One line: its orders filed, unless they are `filed`, or why not."""
        remarks = tuple(reading.warnings)
        if reading.error is not None and not reading.orders:
            return Item(reading.line[:500], (self._as_command(reading.error),), remarks)
        if not reading.orders:
            return Item(reading.line[:500], (UnknownCommand(reading.line[:200]),), remarks)
        if late is not None:
            return Item(reading.line[:500], (late,), remarks)
        outcomes = list(filed) if filed is not None else self._filed_for(self._by_power(reading, heading), reading, where)
        if any(isinstance(outcome, NotFiled) for outcome in outcomes):
            remarks = tuple(remark for remark in remarks if remark.code not in TOLD_AT_THE_LINE)
        extra = (reading.error,) if reading.error is not None else ()
        return Item(reading.line[:500], (*outcomes, *extra), remarks)

    def _filed_for(self, orders_of: Iterable[tuple[str, Order]], reading: LineReading, where: Where) -> list[Answer | PlayerError]:
        """Orders filed one by one, each for its power."""
        outcomes: list[Answer | PlayerError] = []
        for power, order in orders_of:
            try:
                if not power:
                    raise NoOrdersHere(reading.line[:200])
                outcomes.extend(self._apply(FileOrders((order,), power), where))
            except PlayerError as fault:
                outcomes.append(fault)
        return outcomes

    def _by_power(self, reading: LineReading, heading: str) -> Iterator[tuple[str, Order]]:
        """The orders of a master's line, and whose they are: as the line or its heading says."""
        powers = reading.powers or ("",) * len(reading.orders)
        for power, order in zip(powers, reading.orders, strict=True):
            yield power or reading.power or heading, order

    def _readings(self, lines: list[Line], where: Where, *, phase: Phase | None = None, anybody: bool = False) -> Iterator[LineReading]:
        """The lines read by the order language, with the help of the position and of what the sender wrote before.

        For another `phase` the board counts as it stands; with `anybody` the orders may be of every power's units.
        """
        assert where.held is not None
        game, pack = where.held.game, where.held.pack
        power = where.actor.power if isinstance(where.actor, Player) and not anybody else None
        person = self._person(getattr(where.actor, "person", None))
        own = [each for each in (person.language, person.spoken) if each] if person else []
        prefer = own or [game.settings.language]
        position = stage_of(game.position, phase or game.phase)
        # Whose units "the rest" are is known only if these lines are all that the mail orders, and of the open phase.
        before = any(filed.mail == self._number for filed in game.orders.get(power or "", ()))
        parted = self.parted or before or phase is not None
        yield from self._s.orders.read([line.text for line in lines], pack, position, power, prefer, parted=parted)
