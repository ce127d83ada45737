"""A movement order fitted to the units that stand where it says: numbers for the resolver, or why it is impossible.

What depends on the board alone is worked out once for an order and the units it names (`Fitting.fit`); what depends on the fleets
afloat is asked each time (`why_no_route`).
"""

from collections.abc import Callable
from typing import TypeAlias

from judge.rules.convoys import has_route, is_needed
from judge.rules.notation import BadNotation, read_order, write_order
from judge.rules.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, SupportHold, SupportMove, Waive
from judge.rules.rulebook import Rulebook
from judge.rules.tables import Tables
from judge.rules.verdicts import Illegal

MOVE, HOLD, SUPPORT_HOLD, SUPPORT_MOVE, CONVOY = range(5)
"""First number of a fitted order."""

SEA_MOVE, COAST_SUPPORT, SEA_SUPPORT, SEA_CONVOY = -1, 5, 6, 7
"""More shapes of `Plain` orders: a move that may go by convoy, support that names a coast where that matters, support for a move that
needs a convoy, part in a convoy of several fleets.

So the supports and convoys are all those above `HOLD`; those above `COAST_SUPPORT` hang on the fleets afloat."""

BY_LAND, EITHER_WAY, BY_SEA = range(3)
"""How a move could go, as far as the board goes."""

Fitted: TypeAlias = tuple[int, ...]
"""An order in numbers: `(HOLD,)`, `(MOVE, to, unit there, way, via)`, `(SUPPORT_HOLD, of)`, `(SUPPORT_MOVE, of, to, unit there or
-1, way)`, `(CONVOY, of, to)`; provinces and units by number."""

Fit: TypeAlias = tuple[Fitted, bool, Illegal | None]
"""The order in numbers, whether it asks for fleets afloat, and why it is impossible (it is a `HOLD` then)."""

NOBODY = -1

STRANGE = -3
"""In place of a unit in a `Plain` order: it must be looked at closely, for it is impossible or needs several fleets."""

ANY = -1
"""The set of all fleets."""

MEMO_LIMIT = 50_000
"""So many different orders are kept for a board; then the memory begins anew."""

Reader: TypeAlias = Callable[[str], Order | None]
"""Reads an order that is not in canonical notation; None if it cannot."""


Standing: TypeAlias = tuple[Order, Fitted, Illegal | None]
"""The order that stands for a unit: as it was read, in numbers, and why it is impossible (the unit holds then)."""

Plain: TypeAlias = tuple[object, int, int, int, int, int, int, "Known"]
"""An order met before, as it fits if the units it names are those that stand there.

The mark of the `Fitting` that met it; where its unit stands; the unit, or `STRANGE`; the shape; for a move where to and the unit it is
there, for supports and convoys the province that is helped and where to (-1: to stay); the other unit that it names (its own if none);
what else is known of it."""


class Known:
    """An order met before.

    `here` and `there`: where its unit and the other unit it names stand (`there` is `here` if it names none; -1: an order of another
    step); `plain`: the order as it fits the units it names, `standing`: how it stands then; `fleets`: any one of these, or all of one of
    the `pairs`, is then enough to make a `SEA_MOVE`, `SEA_SUPPORT` or `SEA_CONVOY` possible; `fits`: how it fitted others, by their
    numbers.
    """

    __slots__ = ("fits", "fleets", "here", "order", "pairs", "plain", "standing", "there")

    def __init__(self, mark: object, here: int, there: int, standing: Standing) -> None:
        """An order that stands so, if the units it names do, and must be looked at closely as long as nothing else is said."""
        self.here = here
        self.there = there
        self.order = standing[0]
        self.plain: Plain = (mark, here, STRANGE, HOLD, NOBODY, NOBODY, NOBODY, self)
        self.standing = standing
        self.fleets = 0
        self.pairs: tuple[int, ...] = ()
        self.fits: dict[tuple[int, int], Fit] = {}

    def is_carried(self, afloat: int) -> bool:
        """Whether one of the fleets `afloat` makes it possible, or two; should more be needed, it must be looked at closely."""
        if afloat & self.fleets:
            return True
        return any(afloat & pair == pair for pair in self.pairs)


class Fitting:
    """Fits movement orders to the units that really stand where they say, by the board and the rulebook of a variant."""

    def __init__(self, tables: Tables, rulebook: Rulebook) -> None:
        """Fit orders on the board of `tables` by `rulebook`."""
        self.tables = tables
        self.land_instead = rulebook.via_without_convoy == "land"
        self.mark = object()
        """Tells apart what different boards and rulebooks made of one order."""
        self.known: dict[str, Known] = {}
        self.plain: dict[object, Plain] = {}
        """By text the orders met before, and how each fits the units it names."""

    def know(self, item: Order | str, read: Reader | None = None) -> Known | None:
        """The order, remembered from now on; None if `item` is a text that nobody can read, or names places of another board."""
        text = item if isinstance(item, str) else write_order(item)
        known = self.known.get(text)
        if known is not None:
            if item is not text:
                _remember(item, known)
            return known
        if isinstance(item, str):
            try:
                order = read_order(item, self.tables.board)
            except BadNotation:
                found = read(item) if read else None
                return None if found is None else self.know(found)
        else:
            order = item
        known = self._locate(order)
        if known is not None:
            if len(self.known) >= MEMO_LIMIT:
                self.known.clear()
                self.plain.clear()
            self.known[text] = known
            self.plain[text] = known.plain
            _remember(order, known)
        return known

    def _locate(self, order: Order) -> Known | None:
        if isinstance(order, Retreat | Disband | Build | Waive):
            return Known(self.mark, NOBODY, NOBODY, (order, (HOLD,), None))
        number, units = self.tables.number, self.tables.unit_number
        places = [order.unit.at.province]
        if isinstance(order, SupportHold | SupportMove | Convoy):
            places.append(order.of.at.province)
        if isinstance(order, Move | SupportMove | Convoy):
            places.append(order.to.province)
        if not all(place in number for place in places):
            return None
        here = there = number[places[0]]
        unit = other = units.get(order.unit, NOBODY)
        if isinstance(order, SupportHold | SupportMove | Convoy):
            there, other = number[places[1]], units.get(order.of, NOBODY)
        fitted, asks, illegal = ((HOLD,), False, None) if NOBODY in (unit, other) else self.fit(order, unit, other)
        found = None if illegal or NOBODY in (unit, other) else self._plain(fitted, asks, unit)
        known = Known(self.mark, here, there, (order, (HOLD,) if found is None else fitted, None))
        if found is not None:
            shape, of, into, known.fleets = found
            if shape in (SEA_MOVE, SEA_SUPPORT) and known.fleets != ANY:
                start, end = (here, of) if shape == SEA_MOVE else (of, into)
                known.pairs = tuple([pair for pair in self.tables.pairs(start, end) if not pair >> here & 1])
            known.plain = (self.mark, here, unit, shape, of, into, other, known)
        return known

    def _plain(self, fitted: Fitted, asks: bool, unit: int) -> tuple[int, int, int, int] | None:
        """Shape, the two provinces of a `Plain` order, and its `fleets`; None if it must be looked at closely each time."""
        here = self.tables.province_of[unit]
        match fitted:
            case (shape,):
                return shape, NOBODY, NOBODY, 0
            case (shape, to, becomes, _, 0) if shape == MOVE and not asks:
                return shape, to, becomes, 0
            case (shape, to, becomes, _, _) if shape == MOVE:
                return SEA_MOVE, to, becomes, self.tables.ferries(here, to) if asks else ANY
            case (shape, of) if shape == SUPPORT_HOLD:
                return shape, of, NOBODY, 0
            case (shape, of, to, -1, _) if shape == SUPPORT_MOVE and not asks:
                return shape, of, to, 0
            case (shape, of, to, -1, _) if shape == SUPPORT_MOVE:
                return SEA_SUPPORT, of, to, self.tables.ferries(of, to) & ~(1 << here)
            case (shape, of, to, _, _) if not asks:
                return COAST_SUPPORT, of, to, 0
            case (shape, of, to) if not asks:
                return shape, of, to, 0
            case (_, of, to):
                return SEA_CONVOY, of, to, self.tables.mates(unit, of, to)
        return None

    def fit_others(self, known: Known, unit: int, other: int) -> Fit:
        """How a known order fits the units that really stand there."""
        fit = known.fits.get((unit, other))
        if fit is None:
            fit = known.fits[unit, other] = self.fit(known.order, unit, other)
        return fit

    def fit(self, order: Order, unit: int, other: int) -> Fit:
        """The order in numbers, for the `unit` that stands at its place and the `other` one it names (`NOBODY` where none stands)."""
        found = self._fit(order, unit, other)
        if isinstance(found, Illegal):
            return (HOLD,), False, found
        return found, self._asks_for_fleets(found, unit), None

    def _asks_for_fleets(self, fitted: Fitted, unit: int) -> bool:
        """Whether a fitted order is possible only with fleets afloat."""
        match fitted:
            case (shape, _, _, way, via) if shape == MOVE:
                return way == BY_SEA or bool(via and way == EITHER_WAY and not self.land_instead)
            case (shape, _, _, _, way) if shape == SUPPORT_MOVE:
                return way == BY_SEA
            case (shape, of, to) if shape == CONVOY:
                # A fleet that can carry the army all by itself needs no other.
                return not (self.tables.reach[unit] >> of & self.tables.reach[unit] >> to & 1)
        return False

    def _fit(self, order: Order, unit: int, other: int) -> Fitted | Illegal:
        match order:
            case Hold():
                return (HOLD,)
            case Move(_, to, via):
                return self._fit_move(unit, to.province, to.coast, via)
            case SupportHold(_, of):
                return self._fit_support(unit, self.tables.number[of.at.province], other, None)
            case SupportMove(_, of, to):
                return self._fit_support(unit, self.tables.number[of.at.province], other, (to.province, to.coast))
            case Convoy(_, of, to):
                return self._fit_convoy(unit, self.tables.number[of.at.province], other, self.tables.number[to.province])
        return Illegal("wrong_phase")

    def _fit_move(self, unit: int, province: str, coast: str, via: bool) -> Fitted | Illegal:
        tables = self.tables
        here, to = tables.province_of[unit], tables.number[province]
        if here == to:
            return Illegal("same_place")
        kind = tables.units[unit].kind
        landings = tables.standing.get((kind, to), ())
        if not landings:
            return Illegal("wrong_terrain", places=tables.named(1 << to))
        by_sea = tables.is_carried[unit] and bool(tables.sea_reach[here] >> to & 1)
        steps = tables.goes[unit].get(to, ())
        if via and not by_sea and not (steps and self.land_instead):
            return Illegal("no_route" if tables.is_carried[unit] else "not_convoyable", places=tables.steps_of(unit))
        if steps:
            named = self._coasts(steps, coast)
            if len(named) > 1:  # DATC 4.B.1: two coasts possible and none named
                return Illegal("coast_missing", places=tables.places(steps))
            if not named:  # DATC 4.B.3: a wrong coast makes the order impossible
                return Illegal("coast_unreachable", places=tables.places(steps))
            return (MOVE, to, named[0], EITHER_WAY if by_sea else BY_LAND, int(via))
        if by_sea:
            return (MOVE, to, landings[0], BY_SEA, int(via))
        return Illegal("no_route" if tables.is_carried[unit] else "not_adjacent", places=tables.steps_of(unit))

    def _coasts(self, choices: tuple[int, ...], coast: str) -> tuple[int, ...]:
        """Those of `choices` that fit the coast named; a coast has no meaning for a unit that stands on none (DATC 4.B.6)."""
        on_coasts = [n for n in choices if self.tables.units[n].at.coast]
        if not coast or not on_coasts:
            return choices
        return tuple(n for n in on_coasts if self.tables.units[n].at.coast == coast)

    def _fit_support(self, unit: int, of: int, other: int, aim: tuple[str, str] | None) -> Fitted | Illegal:
        """A support acts where the supporter could itself go, whichever coast (rulebook "Support"; DATC 6.D.34, 6.B.4)."""
        tables = self.tables
        here = tables.province_of[unit]
        to = of if aim is None else tables.number[aim[0]]
        if here in (of, to):
            return Illegal("same_place")
        if not tables.reach[unit] >> to & 1:
            return Illegal("support_unreachable", places=tables.steps_of(unit))
        if aim is None:
            return (SUPPORT_HOLD, of)
        if other == NOBODY:
            return (SUPPORT_MOVE, of, to, NOBODY, BY_LAND)
        steps = tables.goes[other].get(to, ())
        by_sea = tables.is_carried[other] and bool(tables.sea_reach[of] >> to & 1)
        named = self._coasts(steps, aim[1])
        if of == to or not (named or (by_sea and not steps)):
            return Illegal("supported_cannot", places=tables.steps_of(other))
        # DATC 4.B.4: a coast that is named must match; without one the support is good for every coast.
        coast = named[0] if aim[1] and named and tables.units[named[0]].at.coast else NOBODY
        return (SUPPORT_MOVE, of, to, coast, BY_LAND if steps else BY_SEA)

    def _fit_convoy(self, unit: int, of: int, other: int, to: int) -> Fitted | Illegal:
        tables = self.tables
        here = tables.province_of[unit]
        if not tables.can_carry[unit]:
            return Illegal("cannot_convoy")
        if of == to or here in (of, to):
            return Illegal("same_place")
        if other != NOBODY and not tables.is_carried[other]:
            return Illegal("not_convoyable", places=tables.named(1 << of))
        if not tables.sea_reach[of] >> to & 1:
            return Illegal("not_on_route")
        return (CONVOY, of, to)


def _remember(order: Order | str, known: Known) -> None:
    object.__setattr__(order, "met", known.plain)  # frozen, but this is no part of its value


def why_no_route(fitted: Fitted, here: int, afloat: int, links: dict[int, int], tables: Tables, unit: int) -> Illegal | None:
    """Why a fitted order at `here` fails for want of fleets that could carry (DATC 6.D.32, 6.D.31, 6.G.7); None if it does not."""
    if fitted[0] == MOVE:
        if not has_route(links, afloat, here, fitted[1]):
            return Illegal("no_route", places=tables.steps_of(unit))
    elif fitted[0] == SUPPORT_MOVE:
        if not has_route(links, afloat & ~(1 << here), fitted[1], fitted[2]):
            return Illegal("supported_cannot")
    elif not is_needed(links, afloat, here, fitted[1], fitted[2]):
        return Illegal("not_on_route")
    return None
