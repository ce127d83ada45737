"""Orders, units, phases and verdicts spelled in one language, in the notation a reader chose."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import assert_never

from babel import Locale
from babel.lists import format_list

from judge.board import Location, Power
from judge.language.gazetteer import Gazetteer
from judge.language.lexicon import Lexicon
from judge.language.phrases import Phrases
from judge.rules import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    OrderOf,
    Outcome,
    Phase,
    Retreat,
    SupportHold,
    SupportMove,
    Unit,
    Verdict,
    Waive,
    Why,
    write_order,
)


class Notation(StrEnum):
    """How orders are spelled for a reader."""

    CANONICAL = "canonical"  # A BEL - HOL
    SHORT = "short"  # A Bel - Hol
    LONG = "long"  # Army Belgium to Holland


LOCALES = {"en": "en_GB"}
"""Languages whose dates and lists follow a certain country; the others their main one."""

FAILURES = frozenset({Verdict.BOUNCES, Verdict.CUT, Verdict.NO_EFFECT, Verdict.DISRUPTED, Verdict.NO_CONVOY, Verdict.ILLEGAL})
"""Verdicts of orders that came to nothing; these are marked in letters."""

ROUTINE = frozenset({"unopposed", "followed", "as_ordered", "no_order", "given", "carries", "retreated"})
"""Reasons that go without saying in a letter, unless the unit was attacked."""


def _target(order: Hold | Move | SupportHold | SupportMove | Convoy | Retreat | Disband | Build) -> Location:
    """The place an order is about: where it leads, or where the unit stands that is helped to stay."""
    match order:
        case Move(_, to) | SupportMove(_, _, to) | Convoy(_, _, to) | Retreat(_, to):
            return to
        case SupportHold(_, of):
            return of.at
        case _:
            return order.unit.at


def short_name(place: str) -> str:
    """A place as players scribble it; names with figures stay.

    >>> short_name("BEL"), short_name("STP/SC"), short_name("W5-7")
    ('Bel', 'Stp/SC', 'W5-7')
    """
    province, slash, coast = place.partition("/")
    return province.capitalize() + slash + coast if province.isalpha() else place


@dataclass(frozen=True)
class Pen:
    """Spells things for readers of one language and notation, on one board.

    Sentences come from `phrases`, names from `gazetteer`, unit words from `lexicon`, all already read.  Everything is worded so
    that names stay in the nominative.
    """

    phrases: Phrases
    gazetteer: Gazetteer
    lexicon: Lexicon
    notation: Notation = Notation.SHORT
    locale: Locale = field(init=False, repr=False)
    _orders: dict[Order, str] = field(init=False, repr=False, compare=False, default_factory=dict)
    _places: dict[str, str] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "locale", Locale.parse(LOCALES.get(self.phrases.lang, self.phrases.lang)))

    # ---- words

    def place(self, place: Location) -> str:
        """A location in the reader's notation."""
        known = self._places.get(place)
        if known is None:
            known = self._places[place] = self._spell_place(place)
        return known

    def _spell_place(self, place: Location) -> str:
        match self.notation:
            case Notation.CANONICAL:
                return str(place)
            case Notation.SHORT:
                return short_name(place)
            case Notation.LONG:
                return self.full_place(place)
            case _:
                assert_never(self.notation)

    def full_place(self, place: Location) -> str:
        """A location by its full name: "Spain (south coast)"."""
        name = self.gazetteer.name(place.province)
        if not place.coast:
            return name
        coast = f"coast.{place.coast}"
        return f"{name} ({self.phrases.say(coast) if self.phrases.knows(coast) else place.coast})"

    def unit(self, unit: Unit) -> str:
        """A unit in the reader's notation: "A Bel", "army Belgium"."""
        if self.notation is Notation.LONG:
            return self._say_unit("subject", unit)
        return f"{unit.kind} {self.place(unit.at)}"

    def _say_unit(self, form: str, unit: Unit) -> str:
        words = self.lexicon.units.get(unit.kind)
        if words is None or not words.subject:
            return f"{unit.kind} {self.place(unit.at)}"
        word = words.object[0] if form == "object" and words.object else words.subject[0]
        return f"{word} {self.place(unit.at)}"

    def power(self, power: Power) -> str:
        """The title of a power, or of another seat ("Master", "Observer 2")."""
        kind, _, number = power.partition("-")
        if power == "OBSERVERS":
            return self.phrases.say("seat.OBSERVERS")
        if kind in ("MASTER", "OBSERVER"):
            is_numbered = number and (kind == "OBSERVER" or number != "1")
            return self.phrases.say(f"seat.{kind}.numbered", number=number) if is_numbered else self.phrases.say(f"seat.{kind}")
        return self.gazetteer.power_name(power)

    def season(self, letter: str) -> str:
        """A season by its letter; the letter itself where a variant has seasons of its own."""
        return self.phrases.say(f"season.{letter}") if self.phrases.knows(f"season.{letter}") else letter

    def phase(self, phase: Phase) -> str:
        """A phase in words, as within a sentence: "Fall 1903", "podzim 1903, ústupy"."""
        return self.phrases.say(f"phase.{phase.step}", season=self.season(phase.season), year=phase.year)

    def listed(self, items: Iterable[str], style: str = "standard") -> str:
        """Items as a list in words; "or" for choices."""
        texts = list(items)
        return format_list(texts, style=style, locale=self.locale) if texts else ""  # type: ignore[arg-type]

    # ---- orders

    def order(self, order: Order) -> str:
        """An order in the reader's notation."""
        known = self._orders.get(order)
        if known is None:
            if len(self._orders) > 20_000:
                self._orders.clear()
            known = self._orders[order] = self._spell(order)
        return known

    def order_within(self, order: Order) -> str:
        """An order in the middle of a sentence: no capital at its beginning where it is a sentence itself."""
        return self._long_sentence(order) if self.notation is Notation.LONG else self.order(order)

    def _spell(self, order: Order) -> str:
        if self.notation is Notation.CANONICAL:
            return write_order(order)
        return self._spell_short(order) if self.notation is Notation.SHORT else self._spell_long(order)

    def _spell_short(self, order: Order) -> str:
        if isinstance(order, Waive):
            return "Waive"
        unit = self.unit(order.unit)
        match order:
            case Hold():
                return f"{unit} H"
            case Move(_, to, via):
                return f"{unit} - {self.place(to)} VIA" if via else f"{unit} - {self.place(to)}"
            case SupportHold(_, of):
                return f"{unit} S {self.unit(of)}"
            case SupportMove(_, of, to):
                return f"{unit} S {self.unit(of)} - {self.place(to)}"
            case Convoy(_, of, to):
                return f"{unit} C {self.unit(of)} - {self.place(to)}"
            case Retreat(_, to):
                return f"{unit} R {self.place(to)}"
            case Disband():
                return f"{unit} D"
            case Build():
                return f"{unit} B"
            case _:
                assert_never(order)

    def _spell_long(self, order: Order) -> str:
        text = self._long_sentence(order)
        return text[:1].upper() + text[1:]

    def _long_sentence(self, order: Order) -> str:
        if isinstance(order, Waive):
            return self.phrases.say("order.waive")
        unit = self.unit(order.unit)
        match order:
            case Hold():
                return self.phrases.say("order.hold", unit=unit)
            case Move(_, to, via):
                return self.phrases.say("order.move_via" if via else "order.move", unit=unit, to=self.place(to))
            case SupportHold(_, of):
                return self.phrases.say("order.support_hold", unit=unit, of=self._say_unit(self.phrases.say("order.helped"), of))
            case SupportMove(_, of, to):
                return self.phrases.say(
                    "order.support_move", unit=unit, of=self._say_unit(self.phrases.say("order.helped"), of), to=self.place(to)
                )
            case Convoy(_, of, to):
                return self.phrases.say(
                    "order.convoy", unit=unit, of=self._say_unit(self.phrases.say("order.helped"), of), to=self.place(to)
                )
            case Retreat(_, to):
                return self.phrases.say("order.retreat", unit=unit, to=self.place(to))
            case Disband():
                return self.phrases.say("order.disband", unit=unit)
            case Build(built):
                return self.phrases.say("order.build", unit=self._say_unit(self.phrases.say("order.helped"), built))
            case _:
                assert_never(order)

    # ---- verdicts

    def verdict(self, verdict: Verdict) -> str:
        """A verdict in a word or two: "moved", "support cut"."""
        return self.phrases.say(f"verdict.{verdict}")

    def reasons(self, outcome: Outcome, own: Power = "") -> tuple[str, ...]:
        """Why an order fared as it did, as short sentences; none where it goes without saying.

        `own` is the reader's power: of the orders of others the power is named too.
        """
        told: list[str] = []
        fall = outcome.fall
        attacked = outcome.why.by and outcome.why.attack >= 0 and fall is None  # of an attack that drove it out the fall tells
        if outcome.why.code not in ROUTINE or attacked:
            told.append(self.why(outcome.why, outcome.order, own))
        if fall is not None and not (told and outcome.why.code in ("supporter_dislodged", "fleet_dislodged")):
            told.append(self.why(fall, outcome.order, own))
        return tuple(told)

    def sentence(self, outcome: Outcome) -> str:
        """Verdict and reason as one sentence: "bounced: A War - Sil also came, 1 against 1"."""
        why = [] if outcome.fall and outcome.why.code in ROUTINE else [self.why(outcome.why, outcome.order)]
        parts = dict.fromkeys([*why, *([self.why(outcome.fall, outcome.order)] if outcome.fall else [])])
        return self.phrases.say("verdict_and_why", verdict=self.verdict(outcome.verdict), why="; ".join(part for part in parts if part))

    def why(self, why: Why, order: Order | None = None, own: Power = "") -> str:
        """The sentence of one reason."""
        code = f"why.{why.code}"
        if why.by and why.attack >= 0 and self.phrases.knows(f"{code}.attacked"):
            code = f"{code}.attacked"
        said = isinstance(why.needs, Convoy) and all(place.province == why.needs.unit.at.province for place in why.places)
        if (said or not why.places) and self.phrases.knows(f"{code}.nowhere"):  # a place that the order named says already
            code = f"{code}.nowhere"
        return self.phrases.say(code, **self.facts_of(why, order, own))

    def facts_of(self, why: Why, order: Order | None, own: Power = "") -> Mapping[str, object]:
        """The facts of a reason as words, by the names the catalogue uses."""
        said = why.needs.unit.at if isinstance(why.needs, Convoy) else None
        whole = why.code not in ("held_off", "own_unit")  # who stood there is named without what it did
        facts: dict[str, object] = {
            "by": self.listed(self._by(each, own, whole) for each in why.by),
            "attack": why.attack,
            "resist": max(why.hold, why.defend, why.prevent),
            "places": self.listed(self.place(place) for place in why.places if not (said and place.province == said.province)),
            "choices": self.listed((self.place(place) for place in why.places), "or"),
            "power": self.power(why.power) if why.power else "",
            "needs": self.order_within(why.needs) if why.needs is not None else "–",
            "n": max(0, why.distance),
            "route": ", ".join(self.place(place) for place in why.route),
        }
        if order is not None and not isinstance(order, Waive):
            facts["unit"] = self.unit(order.unit)
            facts["at"] = self.place(order.unit.at)
            facts["of"] = self.unit(order.of) if isinstance(order, SupportHold | SupportMove | Convoy) else ""
            facts["to"] = self.place(_target(order))
        return {"unit": "", "at": "", "of": "", "to": "", **facts}

    def _by(self, each: OrderOf, own: Power, whole: bool) -> str:
        order = each.order
        spelled = self.order_within(order) if whole or isinstance(order, Waive) else self.unit(order.unit)
        return f"{spelled} ({self.power(each.power)})" if own and each.power != own else spelled
