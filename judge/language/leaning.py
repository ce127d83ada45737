"""Orders of one line that lean on each other: several units before one verb, an order that points back ("Mar supports it")."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from judge.board import Power
from judge.language.linelanguages import LineLanguages
from judge.language.linereading import LineKind, LineReading, Outcome
from judge.language.plain import plain_order
from judge.language.scene import ON_BOARD
from judge.language.warnings import order_warnings
from judge.rules import Convoy, Disband, Hold, Move, Order, Step, SupportHold, SupportMove, write_order

MOST_TOGETHER = 12
"""So many parts of one line may lean on each other."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a line; `joint` is what stands before it: "and" (a word or sign for it), "," or "." for the end of a sentence."""

    text: str
    joint: str


class Leaning(LineLanguages):
    """Reads lines whose parts do not stand alone."""

    def _together(self, blank: LineReading, text: str) -> Outcome | None:
        """The orders of a line, each part of which is one, is a unit before a shared verb, or points back; None if any is unsure."""
        pieces = list(self._pieces(text))
        if not 1 < len(pieces) <= MOST_TOGETHER:
            return None
        found: list[Outcome] = []
        waiting: list[Outcome] = []
        for piece in pieces:
            if waiting and piece.joint == ".":
                return None
            outcome = self._one(blank, piece.text) or self._many(blank, piece.text)
            if outcome is None and found and not waiting:
                outcome = self._pointing_back(blank, piece.text, found[-1].reading.orders[0])
            if outcome is None:
                bare = self._bare(blank, piece.text)
                if bare is None:
                    return None
                waiting.append(bare)
                continue
            shared = [self._sharing(bare, outcome, piece.joint) for bare in waiting]
            if None in shared:
                return None
            found += [*(each for each in shared if each), outcome]
            waiting = []
        return _joined(found) if len(found) > 1 and not waiting else None

    def _pieces(self, text: str) -> Iterator[Piece]:
        """The parts of a line between its commas, its words for "and" and the ends of its sentences."""
        at, joint = 0, "."
        for cut in self.reader.joints.finditer(text):
            yield Piece(text[at : cut.start()].strip(), joint)
            sign = cut.group().strip()
            joint = "." if sign in (".", ";") else "," if sign == "," else "and"
            at = cut.end()
        yield Piece(text[at:].strip(), joint)

    def _many(self, blank: LineReading, text: str) -> Outcome | None:
        """A unit before a verb in the plural ("F Bre stojí", for all that are named before it)."""
        words = text.split()
        cuts = (cut for cut in range(1, len(words)) if self.reader.hosts.verb(" ".join(words[cut:])))
        return next((self._bare(blank, " ".join(words[:cut])) for cut in cuts), None)

    def _bare(self, blank: LineReading, text: str) -> Outcome | None:
        """A text that is a unit and nothing else, as if it held (or disbanded, where units do)."""
        letter = "H" if self.phase is None or self.phase.step is Step.MOVEMENT else "D"
        found = self._one(blank, f"{text} {letter}") if text and text[-1].isalnum() else None
        return found if found and isinstance(found.reading.orders[0], Hold | Disband) else None

    def _sharing(self, bare: Outcome, outcome: Outcome, joint: str) -> Outcome | None:
        """A unit with the order of the unit behind it, where one verb may be for both; None where it may not.

        Who holds or disbands may be listed with commas; who supports or convoys needs a word for "and".
        """
        held, order = bare.reading.orders[0], outcome.reading.orders[0]
        assert isinstance(held, Hold | Disband)
        if isinstance(order, Hold | Disband):
            return bare if type(held) is type(order) else None
        if joint != "and" or not isinstance(order, SupportHold | SupportMove | Convoy) or order.of.at.province == held.unit.at.province:
            return None
        same = replace(order, unit=held.unit)
        told = order_warnings(same, self.writer or self.power, self.position, self.reader.variant)
        return replace(bare, reading=replace(bare.reading, orders=(same,), warnings=(*bare.reading.warnings, *told)))

    def _pointing_back(self, blank: LineReading, text: str, last: Order) -> Outcome | None:
        """A support or convoy of what the order before it does ("Mar supports it"); None if it is not surely that."""
        meant = _said_again(last)
        if not meant:
            return None
        for bare in self.reader.without_pronoun(text):
            found = self._one(blank, f"{bare} {meant}")
            if found is not None and _said_again(last) == _helped(found.reading.orders[0]):
                return found
        return None

    def _one(self, blank: LineReading, text: str) -> Outcome | None:
        """A text that is one order and nothing else; None for any other."""
        found = self._canonical(blank, text) or self._in_languages(blank, text, self.languages)
        return found if len(found.reading.orders) == 1 and found.reading.error is None else None

    def _canonical(self, blank: LineReading, text: str) -> Outcome | None:
        """An order in the judge's own notation that fits the position as it stands, read without looking at languages."""
        order = plain_order(text, self.scene(self.writer or self.power))
        if order is None:
            return None
        warnings = order_warnings(order, self.writer or self.power, self.position, self.reader.variant)
        reading = replace(
            blank,
            kind=LineKind.ORDER,
            orders=(order,),
            powers=(self.power,),
            power=self.power or None,
            warnings=warnings,
            lang=self.languages[0],
        )
        return Outcome(self.languages[0], reading, ON_BOARD)


def _said_again(order: Order) -> str:
    """What "it" means behind an order: the move, the unit that holds, the move that is convoyed; "" where that is not sure."""
    match order:
        case Move(unit, to):
            return write_order(Move(unit, to))
        case Hold(unit):
            return str(unit)
        case Convoy(_, of, to):
            return write_order(Move(of, to))
        case _:
            return ""


def _helped(order: Order) -> str:
    """What an order supports or convoys."""
    match order:
        case SupportMove(_, of, to) | Convoy(_, of, to):
            return write_order(Move(of, to))
        case SupportHold(_, of):
            return str(of)
        case _:
            return ""


def _carried(powers: list[Power]) -> Iterator[Power]:
    """Whose each order is, where a power named once is meant for the orders behind it, too."""
    last = ""
    for power in powers:
        last = power or last
        yield last


def _joined(found: list[Outcome]) -> Outcome:
    """Several readings of one line as one."""
    first = found[0].reading
    return replace(
        found[0],
        reading=replace(
            first,
            orders=tuple(order for outcome in found for order in outcome.reading.orders),
            powers=tuple(_carried([power for outcome in found for power in outcome.reading.powers])),
            warnings=tuple(dict.fromkeys(warning for outcome in found for warning in outcome.reading.warnings)),
        ),
    )
