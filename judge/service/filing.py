"""Order lines: read, filed, and answered one by one."""

from collections.abc import Iterator
from dataclasses import replace

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
from judge.language.reader import LineKind, LineReading
from judge.language.requests import Line, Request
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

SHOWN_BELOW = frozenset({"no_order", "unused_builds", "removals_missing"})
"""Warnings that the state below the transcript shows anyway."""


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
                fault = UnknownCommand(line.text)
            where.part.items.append(Item(line.text[:500], (fault,)))

    def _file(self, lines: list[Line], where: Where, late: TooLate | None) -> None:
        """Order lines of somebody with a seat, each with what became of it."""
        assert where.held is not None
        heading = ""
        for reading in self._readings(lines, where):
            if reading.kind in (LineKind.BLANK, LineKind.COMMENT):
                continue
            if reading.kind is LineKind.HEADING:
                heading = reading.power or heading
                if reading.error is not None:
                    where.part.items.append(Item(reading.line, (reading.error,)))
                continue
            if reading.orders and any(len(word) > 3 for word in WORD.findall(reading.line)):  # codes alone speak no language
                self.languages.append(reading.lang)
                self.worded.add(reading.lang)
            where.part.items.append(self._order_item(reading, where, heading, late))

    def _order_item(self, reading: LineReading, where: Where, heading: str, late: TooLate | None) -> Item:
        """One line: its orders filed, or why not."""
        remarks = tuple(reading.warnings)
        if reading.error is not None and not reading.orders:
            return Item(reading.line[:500], (reading.error,), remarks)
        if not reading.orders:
            return Item(reading.line[:500], (UnknownCommand(reading.line[:200]),), remarks)
        if late is not None:
            return Item(reading.line[:500], (late,), remarks)
        outcomes: list[Answer | PlayerError] = []
        for power, orders in self._by_power(reading, where, heading):
            try:
                if not power:
                    raise NoOrdersHere(reading.line[:200])
                outcomes.extend(self._apply(FileOrders(orders, power), where))
            except PlayerError as fault:
                outcomes.append(fault)
        if any(isinstance(outcome, NotFiled) for outcome in outcomes):
            remarks = tuple(remark for remark in remarks if remark.code not in TOLD_AT_THE_LINE)
        extra = (reading.error,) if reading.error is not None else ()
        return Item(reading.line[:500], (*outcomes, *extra), remarks)

    def _by_power(self, reading: LineReading, where: Where, heading: str) -> Iterator[tuple[str, tuple[Order, ...]]]:
        """The orders of a line and whose they are: the player's own, or those a master's line or heading says."""
        if isinstance(where.actor, Player):
            yield where.actor.power, reading.orders
            return
        powers = reading.powers or ("",) * len(reading.orders)
        for power, order in zip(powers, reading.orders, strict=True):
            yield power or reading.power or heading, (order,)

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
        yield from self._s.orders.read([line.text for line in lines], pack, position, power, prefer)
