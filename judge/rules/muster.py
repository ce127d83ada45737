"""The orders of a movement phase brought together: one for each unit, fitted to the board, supports and convoys matched."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from judge.board.powers import Power
from judge.rules.convoys import has_route
from judge.rules.fitting import (
    BY_SEA,
    CONVOY,
    HOLD,
    MOVE,
    SUPPORT_HOLD,
    Fitted,
    Reader,
    fleets_afloat,
    why_no_route,
)
from judge.rules.orders import Order
from judge.rules.position import ImpossiblePosition, Position
from judge.rules.strengths import NO, OPEN, Contest
from judge.rules.tables import bits
from judge.rules.variant import Variant
from judge.rules.verdicts import Illegal, Refused, Why

Standing: TypeAlias = tuple[Order, Fitted, Illegal | None]
"""The order that stands for a unit: as it was read, in numbers, and why it is impossible (the unit holds then)."""


class Muster:
    """A movement phase ready to be resolved.

    `roster`: the provinces of each power's units, in their order; `contest` with all matched orders; `stands` by province for each
    unit that was given an order; `refused` what reached no unit; `matched` provinces of units whose support or convoy fits an order
    given; `moves`, `supports`, `routes` what is to be decided.
    """

    __slots__ = ("contest", "matched", "moves", "position", "refused", "roster", "routes", "stands", "supports", "variant")

    def __init__(self, position: Position, variant: Variant) -> None:
        """The units of `position`, all holding."""
        self.position = position
        self.variant = variant
        self.stands: dict[int, Standing] = {}
        self.refused: list[Refused] = []
        self.matched: set[int] = set()
        self.moves: list[int] = []
        self.supports: list[int] = []
        self.routes: list[int] = []
        at, own, self.roster = place_units(position, variant)
        self.contest = Contest(variant.tables, variant.rulebook, at, own)


Roster: TypeAlias = list[tuple[Power, list[int]]]


def place_units(position: Position, variant: Variant) -> tuple[list[int], list[int], Roster]:
    """The unit (by number) and its power (by place in the variant's list) in each province, -1 where there is none; and the roster.

    Raises `ImpossiblePosition`.
    """
    tables = variant.tables
    placing = tables.placing
    at = [-1] * len(tables.provinces)
    own = at[:]
    roster: Roster = []
    strangers = len(position.units)
    for power, name in enumerate(variant.powers):
        units = position.units.get(name)
        if units is None:
            continue
        strangers -= 1
        places = []
        for unit in units:
            try:
                number, here = placing[unit.kind][unit.at]
            except KeyError as problem:
                raise ImpossiblePosition("unknown_unit", str(unit)) from problem
            if at[here] >= 0:
                raise ImpossiblePosition("two_units", tables.provinces[here])
            at[here] = number
            own[here] = power
            places.append(here)
        roster.append((name, places))
    if strangers:
        raise ImpossiblePosition("unknown_power", ", ".join(sorted(set(position.units) - set(variant.powers))))
    return at, own, roster


def muster(position: Position, orders: Mapping[Power, Sequence[Order | str]], variant: Variant, read: Reader | None) -> Muster:
    """Take the orders of a movement phase; of several for one unit the last possible one counts."""
    mustered = Muster(position, variant)
    _take_orders(mustered, orders, read)
    _match_orders(mustered)
    return mustered


def _take_orders(mustered: Muster, orders: Mapping[Power, Sequence[Order | str]], read: Reader | None) -> None:
    variant, stands = mustered.variant, mustered.stands
    tables, fitting = variant.tables, variant.fitting
    memo = fitting.memo
    at, own = mustered.contest.at, mustered.contest.own
    afloat: tuple[int, dict[int, int]] | None = None
    for power, name in enumerate(variant.powers):
        for item in orders.get(name, ()):
            try:
                known = memo[item if isinstance(item, str) else item.spelling]
            except (KeyError, AttributeError):
                found = fitting.know(item, read)
                if found is None:
                    mustered.refused.append(Refused(name, item, "unreadable"))
                    continue
                known = found
            here, unit, there, other, fit, order, _ = known
            if own[here] != power or here < 0:
                mustered.refused.append(_reaches_nobody(name, item, here, mustered))
                continue
            if at[here] != unit or at[there] != other:
                fit = fitting.fit_others(known, at[here], at[there])
            fitted, asks, illegal = fit
            if asks:
                afloat = afloat or fleets_afloat(tables, at)
                illegal = why_no_route(fitted, here, *afloat, tables, at[here])
            if here in stands:
                before, _, was_illegal = stands[here]
                if illegal is not None and was_illegal is None:
                    mustered.refused.append(Refused(name, item, "replaced", illegal))
                    continue
                mustered.refused.append(Refused(name, before, "replaced", was_illegal))
            stands[here] = (order, fitted, illegal)


def _reaches_nobody(power: Power, item: Order | str, here: int, mustered: Muster) -> Refused:
    if here < 0:
        return Refused(power, item, "wrong_phase", Why("wrong_phase"))
    place = mustered.variant.tables.named(1 << here)
    owner = mustered.contest.own[here]
    if owner < 0:
        return Refused(power, item, "no_unit", Why("no_unit", places=place))
    return Refused(power, item, "not_yours", Why("not_yours", places=place, power=mustered.variant.powers[owner]))


def _match_orders(mustered: Muster) -> None:
    """Put the moves into the contest, then the supports and convoys that fit them."""
    contest, moves = mustered.contest, mustered.moves
    at, to, comers = contest.at, contest.to, contest.comers
    becomes = contest.becomes = at[:]
    helpers: list[tuple[int, Fitted]] = []
    doubtful: list[tuple[int, Fitted]] = []
    for here, (_, fitted, illegal) in mustered.stands.items():
        shape = fitted[0]
        if shape == HOLD or illegal is not None:
            continue
        if shape == MOVE:
            there = to[here] = fitted[1]
            becomes[here] = fitted[2]
            moves.append(here)
            if there in comers:
                comers[there].append(here)
            else:
                comers[there] = [here]
            if fitted[3]:
                doubtful.append((here, fitted))
        else:
            helpers.append((here, fitted))
    backers, aim, supports = contest.backers, contest.aim, mustered.supports
    for here, fitted in helpers:
        shape, of = fitted[0], fitted[1]
        if shape == SUPPORT_HOLD:
            # A unit that was ordered to move cannot be supported in place (rulebook "Support"; DATC 6.D.7).
            if to[of] >= 0 or at[of] < 0:
                continue
            aim[here] = of
        elif to[of] != fitted[2]:
            continue
        elif shape == CONVOY:
            contest.carriers[of] = contest.carriers.get(of, 0) | 1 << here
            contest.links[here] = mustered.variant.tables.reach[at[here]]
            mustered.matched.add(here)
            continue
        else:
            if fitted[3] >= 0 and becomes[of] != fitted[3]:
                continue  # DATC 4.B.4: the support named another coast
            aim[here] = fitted[2]
        if of in backers:
            backers[of].append(here)
        else:
            backers[of] = [here]
        supports.append(here)
    mustered.matched.update(supports)
    for here, fitted in doubtful:
        if _goes_by_sea(mustered, here, fitted):
            contest.by_sea[here] = True
            if here in contest.carriers:
                contest.route[here] = OPEN
                mustered.routes.append(here)
            else:
                contest.route[here] = NO


def _goes_by_sea(mustered: Muster, here: int, fitted: Fitted) -> bool:
    """Whether a move goes by convoy: the only way, or meant so (DATC 4.A.3 d).

    It is meant so if it says VIA, or if a fleet of its own power has a legal convoy order for it.
    """
    contest = mustered.contest
    _, there, _, way, via = fitted
    if way == BY_SEA:
        return True
    fleets = contest.carriers.get(here, 0)
    if via:
        return mustered.variant.rulebook.via_without_convoy != "land" or has_route(contest.links, fleets, here, there)
    return bool(fleets) and any(contest.own[fleet] == contest.own[here] for fleet in bits(fleets))
