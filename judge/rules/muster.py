"""The orders of a movement phase brought together: one for each unit, fitted to the board, supports and convoys matched."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from judge.board.powers import Power
from judge.rules.convoys import has_route
from judge.rules.fitting import (
    BY_SEA,
    COAST_SUPPORT,
    CONVOY,
    HOLD,
    MOVE,
    NOBODY,
    SEA_CONVOY,
    SEA_MOVE,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    Known,
    Plain,
    Reader,
    Standing,
    why_no_route,
)
from judge.rules.orders import Order
from judge.rules.placement import Placement, place_units
from judge.rules.position import Position
from judge.rules.strengths import NO, OPEN, Contest
from judge.rules.variant import Variant
from judge.rules.verdicts import Refused, Verdict, Why


class Muster:
    """A movement phase ready to be resolved.

    `contest` with all matched orders; `free` by province the unit that has no order yet, or its order that stands as it was met before,
    `odd` by province how the others stand, `refused` what reached no unit; `helpers` the possible supports and convoys; `seagoing` the
    provinces of moves that may go by convoy, with the ways they could go, `meant` those of armies that a fleet of their own power
    carries; `moves`, `supports` (matched and attacked ones), `routes` what is to be decided.  `verdicts` by province, of holds and of
    what is sure as soon as the orders are matched; the others and `winners`, by province where the unit came from that moved in, are
    put down when all is decided.
    """

    __slots__ = (
        "contest", "free", "helpers", "meant", "moves", "odd", "placement", "refused", "routes", "seagoing", "supports", "variant",
        "verdicts", "winners",
    )  # fmt: skip

    def __init__(self, placement: Placement, variant: Variant) -> None:
        """The units of a position, all holding."""
        self.placement = placement
        self.variant = variant
        self.free: list[int | Plain] = list(placement.at)
        self.odd: dict[int, Standing] = {}
        self.refused: list[Refused] = []
        self.helpers: list[Plain] = []
        self.seagoing: list[tuple[int, int]] = []
        self.meant: set[int] = set()
        self.moves: list[int] = []
        self.supports: list[int] = []
        self.routes: list[int] = []
        self.verdicts: dict[str, Verdict] = placement.holding.copy()
        self.winners: dict[int, int] = {}
        self.contest = Contest(variant.tables, variant.rulebook, placement.at, placement.own)

    def standings(self) -> dict[int, Standing]:
        """By province how the order stands of each unit that was given one."""
        return {here: plain[-1].standing for here, plain in enumerate(self.free) if isinstance(plain, tuple)} | self.odd


Given: TypeAlias = tuple[int, Power, Order | str]
"""An order as it came: the power by its place in the variant's list, and by name."""

SUPPORTS, CONVOYS, NO_EFFECT = Verdict.SUPPORTS, Verdict.CONVOYS, Verdict.NO_EFFECT

CONVOYING = (CONVOY, SEA_CONVOY)

TAKEN = -2
"""In place of a unit: it has its order."""


def muster(position: Position, orders: Mapping[Power, Sequence[Order | str]], variant: Variant, read: Reader | None) -> Muster:
    """Take the orders of a movement phase; of several for one unit the last possible one counts."""
    placement = place_units(position, variant)
    mustered = Muster(placement, variant)
    odd = _take_plain(mustered, orders)
    if odd and not _take_odd(mustered, odd, read):
        mustered = Muster(placement, variant)
        _take_all(mustered, orders, read)
    _match_helpers(mustered)
    if mustered.seagoing or mustered.meant:
        _choose_ways(mustered)
    return mustered


def _take_plain(mustered: Muster, orders: Mapping[Power, Sequence[Order | str]]) -> list[Given]:
    """Take the orders that fit the units they name as they were met before; gives the others."""
    free, moves, helpers, contest, placement = mustered.free, mustered.moves, mustered.helpers, mustered.contest, mustered.placement
    to, becomes, comers, clashes = contest.to, contest.becomes, contest.comers, contest.clashes
    at, own, afloat, alone = placement.at, placement.own, placement.afloat, placement.tables.alone
    plain, mark = mustered.variant.fitting.plain, mustered.variant.fitting.mark
    odd: list[Given] = []
    for power, name in enumerate(mustered.variant.powers):
        items = orders.get(name)
        if not items:
            continue
        are_texts = isinstance(items[0], str)
        for item in items:
            try:
                # A mixture of texts and orders is found out when one of the others is looked up.
                known = plain[item] if are_texts else item.met  # type: ignore[union-attr]
            except (KeyError, AttributeError):  # never met before, or it cannot be read
                odd.append((power, name, item))
                continue
            its, here, unit, shape, of, into, other, more = known
            if its is not mark or free[here] != unit or own[here] != power:  # another board met it last, or no such unit is free
                odd.append((power, name, item))
                continue
            if not shape:  # `MOVE`, most orders
                to[here] = of
                becomes[here] = into
                if comers[of]:
                    comers[of] += alone[here]
                    clashes.add(of)
                else:
                    comers[of] = alone[here]
                moves.append(here)
            elif shape > HOLD:
                if at[of] != other or (shape > COAST_SUPPORT and not more.is_carried(afloat)):
                    odd.append((power, name, item))
                    continue
                helpers.append(known)
            elif shape == SEA_MOVE:
                if not more.is_carried(afloat):
                    odd.append((power, name, item))
                    continue
                _set_out(mustered, here, of, into)
                mustered.seagoing.append((here, more.standing[1][3]))
            free[here] = known
    return odd


def _take_odd(mustered: Muster, odd: list[Given], read: Reader | None) -> bool:
    """Take orders one by one; False if one of them is for a unit that has an order already."""
    for given in odd:
        found = _fit_closely(mustered, given, read)
        if found is not None:
            here, standing = found
            if mustered.free[here] != mustered.placement.at[here]:
                return False
            mustered.free[here] = TAKEN
            _enter(mustered, here, standing)
    return True


def _take_all(mustered: Muster, orders: Mapping[Power, Sequence[Order | str]], read: Reader | None) -> None:
    """Take all orders in the order they came; the last possible one for a unit counts."""
    standings: dict[int, Standing] = {}
    for power, name in enumerate(mustered.variant.powers):
        for item in orders.get(name, ()):
            found = _fit_closely(mustered, (power, name, item), read)
            if found is None:
                continue
            here, standing = found
            if here in standings:
                before, _, was_illegal = standings[here]
                illegal = standing[2]
                if illegal is not None and was_illegal is None:
                    mustered.refused.append(Refused(name, item, "replaced", illegal))
                    continue
                mustered.refused.append(Refused(name, before, "replaced", was_illegal))
            standings[here] = standing
    for here, standing in standings.items():
        _enter(mustered, here, standing)


def _fit_closely(mustered: Muster, given: Given, read: Reader | None) -> tuple[int, Standing] | None:
    """Where the unit stands that an order is for, and how the order stands; None if it reaches no unit and is refused."""
    power, name, item = given
    placement, fitting = mustered.placement, mustered.variant.fitting
    at, own = placement.at, placement.own
    known = fitting.know(item, read)
    if known is None:
        mustered.refused.append(Refused(name, item, "unreadable"))
        return None
    here = known.here
    if here < 0 or own[here] != power:
        mustered.refused.append(_reaches_nobody(name, item, here, mustered))
        return None
    fitted, asks, illegal = fitting.fit_others(known, at[here], at[known.there])
    if asks:
        illegal = why_no_route(fitted, here, placement.afloat, placement.links, placement.tables, at[here])
    return here, (known.order, fitted, illegal)


def _reaches_nobody(power: Power, item: Order | str, here: int, mustered: Muster) -> Refused:
    if here < 0:
        return Refused(power, item, "wrong_phase", Why("wrong_phase"))
    place = mustered.variant.tables.named(1 << here)
    owner = mustered.placement.own[here]
    if owner < 0:
        return Refused(power, item, "no_unit", Why("no_unit", places=place))
    return Refused(power, item, "not_yours", Why("not_yours", places=place, power=mustered.variant.powers[owner]))


def _enter(mustered: Muster, here: int, standing: Standing) -> None:
    """Enter an odd order: a move into the contest, a support or convoy among the helpers."""
    contest = mustered.contest
    _, fitted, illegal = mustered.odd[here] = standing
    shape = fitted[0]
    if illegal is not None:
        mustered.verdicts[mustered.placement.tables.provinces[here]] = Verdict.ILLEGAL
    elif shape == MOVE:
        _, there, into, way, via = fitted
        _set_out(mustered, here, there, into)
        if via or way == BY_SEA:
            mustered.seagoing.append((here, way))
    elif shape != HOLD:
        of, into = fitted[1], NOBODY if shape == SUPPORT_HOLD else fitted[2]
        shape = COAST_SUPPORT if shape == SUPPORT_MOVE else shape
        if contest.at[of] < 0:
            mustered.verdicts[mustered.placement.tables.provinces[here]] = Verdict.NO_EFFECT  # nobody there to be helped
        else:
            mustered.helpers.append((None, here, NOBODY, shape, of, into, NOBODY, Known(None, here, of, standing)))


def _set_out(mustered: Muster, here: int, there: int, into: int) -> None:
    """Let the unit at `here` set out for `there`, to become `into`."""
    contest = mustered.contest
    contest.to[here] = there
    contest.becomes[here] = into
    if contest.comers[there]:
        contest.clashes.add(there)
    contest.comers[there] += (here,)
    mustered.moves.append(here)


def _is_meant(becomes: int, support: Known) -> bool:
    """Whether a support is good for what the moving unit becomes (DATC 4.B.4: a coast that is named must match)."""
    return support.standing[1][3] in (NOBODY, becomes)


def _match_helpers(mustered: Muster) -> None:
    """Let the supports and convoys count that fit an order given; the supports that are attacked are to be decided."""
    contest, supports, verdicts, tables = mustered.contest, mustered.supports, mustered.verdicts, mustered.placement.tables
    to, comers, backers, alone, provinces = contest.to, contest.comers, contest.backers, tables.alone, tables.provinces
    for known in mustered.helpers:
        _, here, _, shape, of, into, _, more = known
        # A unit that was ordered to move cannot be supported in place (rulebook "Support"; DATC 6.D.7): `into` is -1 then.
        if to[of] != into:
            verdicts[provinces[here]] = NO_EFFECT
        elif shape in CONVOYING:
            verdicts[provinces[here]] = CONVOYS
            _join_convoy(mustered, here, of)
        elif shape == COAST_SUPPORT and not _is_meant(contest.becomes[of], more):
            verdicts[provinces[here]] = NO_EFFECT
        else:
            verdicts[provinces[here]] = SUPPORTS
            backers[of] = backers[of] + alone[here] if backers[of] else alone[here]
            if comers[here]:
                contest.aim[here] = of if into < 0 else into
                contest.given[here] = OPEN
                supports.append(here)


def _join_convoy(mustered: Muster, fleet: int, of: int) -> None:
    """Let a fleet take part in the convoy of the army at `of`."""
    contest = mustered.contest
    contest.carriers[of] = contest.carriers.get(of, 0) | 1 << fleet
    contest.links[fleet] = mustered.placement.tables.reach[contest.at[fleet]]
    if contest.own[fleet] == contest.own[of]:
        mustered.meant.add(of)


def _choose_ways(mustered: Muster) -> None:
    """Decide which armies go by convoy: those that can go no other way, and those that mean to (DATC 4.A.3 d).

    A move to a neighbour is meant so if it says VIA, or if a fleet of its own power has a legal convoy order for it.
    """
    contest, meant = mustered.contest, mustered.meant
    land_instead = mustered.variant.rulebook.via_without_convoy == "land"
    for here, way in mustered.seagoing:
        if way == BY_SEA or not land_instead or has_route(contest.links, contest.carriers.get(here, 0), here, contest.to[here]):
            meant.add(here)
        else:
            meant.discard(here)
    for here in meant:
        contest.by_sea.add(here)
        if here in contest.carriers:
            contest.route[here] = OPEN
            mustered.routes.append(here)
        else:
            contest.route[here] = NO
