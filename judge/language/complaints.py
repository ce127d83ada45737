"""What can be wrong with a line, and what was repaired in it: codes with their facts; the sentences are made elsewhere.

Errors (the line is asked back, nothing of it is filed, except where `LineReading.orders` says so):

====================  ==============================================================================================
code                  facts
====================  ==============================================================================================
``unknown_place``     `text` as written; `near` names that come close (canonical places)
``unknown_word``      `text` as written; `near` words that come close
``ambiguous_place``   `text` as written; `candidates` the places it can mean
``ambiguous_order``   `readings` the orders the line can mean
``which_unit``        `place`; `kinds` the letters of the kinds that can stand there
``no_unit_there``     `place` where the position has no unit
``incomplete``        `unit` as written; nothing says what it shall do, or where to
``unreadable``        `text` the part that fits nowhere
``not_an_order``      `text`; nothing in the line looks like an order
``not_alone``         `text`; the same, but it begins with a `command` that counts only alone on its line
``near_command``      `text`; the same, but it comes near the word of a `command`
``doubtful``          `word` a condition or a denial ("if", "not", "or"): orders are carried out as they stand
``quoted``            `text`; the line carries the mark of a quotation
``wrong_season``      `found` the season of the heading above; `phase` the game's
``wrong_phase``       `order` cannot be given in `phase`
``unknown_coast``     `place`, `coast` it does not have, `coasts` it has
``too_long``          `length` of the line, `most` characters that are read
====================  ==============================================================================================

Warnings about how a line was read (repairs are always told):

====================  ==============================================================================================
``misspelt``          `text` was taken for `taken`, the only near name that makes a possible order
``shortened``         `text` was taken for `taken`, the only name that begins so
``look_alike``        `text` held letters of another script; read as `taken`
``foreign_name``      `text` was read as `taken` by an abbreviation of `language`, which nothing else in the line speaks
``decided``           `text` fits several places (`others` too); the position leaves only `taken`
``custom``            `text` fits several places (`others` too); by custom it means `taken`
``unit_filled``       the kind of `unit` was not written
``wrong_kind``        the line says `unit`, but `there` stands
``coast_ignored``     `place` needs no coast for that unit; `coast` was dropped
``coast_corrected``   the unit stands on another coast than written: `unit`
``owner_differs``     the line says that `unit` is `said`'s; it is `owner`'s
``assumed``           the line names only a unit; read as `order`
``ignored``           `text` was passed over
====================  ==============================================================================================

Warnings about what the orders will do (`warnings_for`, and for single orders in `LineReading.warnings`):

====================  ==============================================================================================
``impossible``        `order` is impossible whatever others do; `why` as in `judge.rules` (its own code and places)
``coast_needed``      `order` must name one of `coasts`
``support_unmatched`` `order` supports what no order of this power does; `does` the supported unit's order, if there is one
``convoy_unmatched``  `order` convoys an army that has no such order; `does` that army's order, if there is one
``convoy_missing``    `order` needs a convoy, and no fleet of this power has one to give
``same_target``       `orders` go to the same province
``own_target``        `order` goes where the own `unit` stays
``no_order``          `unit` has no order
``unused_builds``     `count` builds are not used
``removals_missing``  `count` units must still be removed
``ordered_twice``     `order` replaces the earlier `replaced`
====================  ==============================================================================================
"""

from dataclasses import dataclass, fields
from typing import ClassVar, TypeAlias

from judge.board import Location, Power
from judge.errors import PlayerError
from judge.rules import Illegal, Order, Phase, Unit, UnitOrder


class Facts:
    """Facts by name, for the sentence that is made of them."""

    code: ClassVar[str]

    def facts(self) -> dict[str, object]:
        """The fields of this complaint.

        >>> WhichUnit("TRI", ("A", "F")).facts()
        {'place': 'TRI', 'kinds': ('A', 'F')}
        """
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]  # each is a dataclass


@dataclass(eq=False)
class BadLine(Facts, PlayerError):
    """A line that is asked back."""


@dataclass(eq=False)
class UnknownPlace(BadLine):
    """A name that no place has."""

    code: ClassVar[str] = "unknown_place"
    text: str
    near: tuple[str, ...] = ()


@dataclass(eq=False)
class UnknownWord(BadLine):
    """A word that no order has."""

    code: ClassVar[str] = "unknown_word"
    text: str
    near: tuple[str, ...] = ()


@dataclass(eq=False)
class AmbiguousPlace(BadLine):
    """A name that fits several places: "Nor" (Norway? North Sea?)."""

    code: ClassVar[str] = "ambiguous_place"
    text: str
    candidates: tuple[str, ...]


@dataclass(eq=False)
class AmbiguousOrder(BadLine):
    """A line that can be read as different orders."""

    code: ClassVar[str] = "ambiguous_order"
    readings: tuple[Order, ...]


@dataclass(eq=False)
class WhichUnit(BadLine):
    """A unit without its kind, where several kinds can stand."""

    code: ClassVar[str] = "which_unit"
    place: str
    kinds: tuple[str, ...]


@dataclass(eq=False)
class NoUnitThere(BadLine):
    """A unit without its kind, where no unit stands."""

    code: ClassVar[str] = "no_unit_there"
    place: str


@dataclass(eq=False)
class Incomplete(BadLine):
    """A unit, and nothing that says what it shall do."""

    code: ClassVar[str] = "incomplete"
    unit: str


@dataclass(eq=False)
class Unreadable(BadLine):
    """An order that cannot be read."""

    code: ClassVar[str] = "unreadable"
    text: str


@dataclass(eq=False)
class NotAnOrder(BadLine):
    """A line that does not look like an order at all."""

    code: ClassVar[str] = "not_an_order"
    text: str


@dataclass(eq=False)
class NotAlone(NotAnOrder):
    """A line that begins with the word of a command that counts only with nothing behind it ("wait for me")."""

    code: ClassVar[str] = "not_alone"
    command: str


@dataclass(eq=False)
class NearCommand(BadLine):
    """A short line that is no order and comes near the word of a command ("staus")."""

    code: ClassVar[str] = "near_command"
    text: str
    command: str


@dataclass(eq=False)
class Doubtful(BadLine):
    """An order with a condition or a denial."""

    code: ClassVar[str] = "doubtful"
    word: str


@dataclass(eq=False)
class RestUnclear(BadLine):
    """What is left of a power's units is to do something, but a line about others could not be read, or there is none."""

    code: ClassVar[str] = "rest_unclear"
    text: str


@dataclass(eq=False)
class Quoted(BadLine):
    """A line with the mark of a quotation."""

    code: ClassVar[str] = "quoted"
    text: str


@dataclass(eq=False)
class WrongSeason(BadLine):
    """An order below a heading of another season."""

    code: ClassVar[str] = "wrong_season"
    found: str
    phase: Phase


@dataclass(eq=False)
class WrongPhase(BadLine):
    """An order that belongs to another step."""

    code: ClassVar[str] = "wrong_phase"
    order: Order
    phase: Phase


@dataclass(eq=False)
class UnknownCoast(BadLine):
    """A coast that a place does not have."""

    code: ClassVar[str] = "unknown_coast"
    place: str
    coast: str
    coasts: tuple[str, ...]


@dataclass(eq=False)
class TooLong(BadLine):
    """A line that is not read for its length."""

    code: ClassVar[str] = "too_long"
    length: int
    most: int


ERRORS: tuple[type[BadLine], ...] = (
    UnknownPlace,
    UnknownWord,
    AmbiguousPlace,
    AmbiguousOrder,
    WhichUnit,
    NoUnitThere,
    Incomplete,
    Unreadable,
    NotAnOrder,
    Doubtful,
    Quoted,
    WrongSeason,
    WrongPhase,
    UnknownCoast,
    TooLong,
)
"""Every error of this house that a line may get."""


@dataclass(frozen=True)
class Warned(Facts):
    """Something a player should know about a line or an order that was taken."""


@dataclass(frozen=True)
class Misspelt(Warned):
    """A misspelling that was repaired."""

    code: ClassVar[str] = "misspelt"
    text: str
    taken: str


@dataclass(frozen=True)
class Shortened(Warned):
    """The beginning of a name, taken for the whole."""

    code: ClassVar[str] = "shortened"
    text: str
    taken: str


@dataclass(frozen=True)
class LookAlike(Warned):
    """Letters of another script."""

    code: ClassVar[str] = "look_alike"
    text: str
    taken: str


@dataclass(frozen=True)
class ForeignName(Warned):
    """An abbreviation of a language that the line does not speak otherwise."""

    code: ClassVar[str] = "foreign_name"
    text: str
    taken: str
    language: str


@dataclass(frozen=True)
class Decided(Warned):
    """An ambiguous name decided by the position."""

    code: ClassVar[str] = "decided"
    text: str
    taken: str
    others: tuple[str, ...]


@dataclass(frozen=True)
class Custom(Warned):
    """An ambiguous name taken as custom has it."""

    code: ClassVar[str] = "custom"
    text: str
    taken: str
    others: tuple[str, ...]


@dataclass(frozen=True)
class UnitFilled(Warned):
    """A missing unit letter that was filled in."""

    code: ClassVar[str] = "unit_filled"
    unit: Unit


@dataclass(frozen=True)
class WrongKind(Warned):
    """Another kind of unit stands there."""

    code: ClassVar[str] = "wrong_kind"
    unit: Unit
    there: Unit


@dataclass(frozen=True)
class CoastIgnored(Warned):
    """A coast that means nothing for that unit."""

    code: ClassVar[str] = "coast_ignored"
    place: str
    coast: str


@dataclass(frozen=True)
class CoastCorrected(Warned):
    """The unit stands on another coast than written."""

    code: ClassVar[str] = "coast_corrected"
    unit: Unit


@dataclass(frozen=True)
class OwnerDiffers(Warned):
    """The nationality written is not the unit's."""

    code: ClassVar[str] = "owner_differs"
    unit: Unit
    said: Power
    owner: Power


@dataclass(frozen=True)
class Assumed(Warned):
    """A bare unit, read as a build or a removal."""

    code: ClassVar[str] = "assumed"
    order: Order


@dataclass(frozen=True)
class Ignored(Warned):
    """Words that were passed over."""

    code: ClassVar[str] = "ignored"
    text: str


@dataclass(frozen=True)
class Impossible(Warned):
    """An order that cannot succeed whatever others do."""

    code: ClassVar[str] = "impossible"
    order: UnitOrder
    why: Illegal


@dataclass(frozen=True)
class CoastNeeded(Warned):
    """A fleet's target has several coasts."""

    code: ClassVar[str] = "coast_needed"
    order: UnitOrder
    coasts: tuple[Location, ...]


@dataclass(frozen=True)
class SupportUnmatched(Warned):
    """A support that no order of this power matches; `does` is what its unit does instead."""

    code: ClassVar[str] = "support_unmatched"
    order: UnitOrder
    does: UnitOrder | None


@dataclass(frozen=True)
class ConvoyUnmatched(Warned):
    """A convoy for an own army that does not go there."""

    code: ClassVar[str] = "convoy_unmatched"
    order: UnitOrder
    does: UnitOrder | None


@dataclass(frozen=True)
class ConvoyMissing(Warned):
    """An army that can only go by sea, and no own fleet convoys it."""

    code: ClassVar[str] = "convoy_missing"
    order: UnitOrder


@dataclass(frozen=True)
class SameTarget(Warned):
    """Own units that go to the same province."""

    code: ClassVar[str] = "same_target"
    orders: tuple[UnitOrder, ...]


@dataclass(frozen=True)
class OwnTarget(Warned):
    """A move to where an own unit stays."""

    code: ClassVar[str] = "own_target"
    order: UnitOrder
    unit: Unit


@dataclass(frozen=True)
class NoOrder(Warned):
    """A unit without an order."""

    code: ClassVar[str] = "no_order"
    unit: Unit


@dataclass(frozen=True)
class UnusedBuilds(Warned):
    """Builds that are not used."""

    code: ClassVar[str] = "unused_builds"
    count: int


@dataclass(frozen=True)
class RemovalsMissing(Warned):
    """Units that must still be removed."""

    code: ClassVar[str] = "removals_missing"
    count: int


@dataclass(frozen=True)
class OrderedTwice(Warned):
    """A second order for a unit."""

    code: ClassVar[str] = "ordered_twice"
    order: UnitOrder
    replaced: UnitOrder


WARNINGS: tuple[type[Warned], ...] = (
    Misspelt,
    Shortened,
    LookAlike,
    ForeignName,
    Decided,
    Custom,
    UnitFilled,
    WrongKind,
    CoastIgnored,
    CoastCorrected,
    OwnerDiffers,
    Assumed,
    Ignored,
    Impossible,
    CoastNeeded,
    SupportUnmatched,
    ConvoyUnmatched,
    ConvoyMissing,
    SameTarget,
    OwnTarget,
    NoOrder,
    UnusedBuilds,
    RemovalsMissing,
    OrderedTwice,
)
"""Every warning of this house."""

Complaint: TypeAlias = BadLine | Warned
