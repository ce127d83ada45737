"""The orders of a movement phase brought together: one for each unit, fitted to the board, supports and convoys matched."""

from collections.abc import Mapping, Sequence
from operator import attrgetter
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
    SEA_MOVE,
    SEA_SUPPORT,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    Plain,
    Reader,
    Standing,
    why_no_route,
)
from judge.rules.orders import Order
from judge.rules.placement import Placement, place_units
from judge.rules.position import Position
from judge.rules.strengths import NO, OPEN, Contest
from judge.rules.tables import bits
from judge.rules.variant import Variant
from judge.rules.verdicts import Refused, Why


class Muster:
    """A movement phase ready to be resolved.

    `contest` with all matched orders; `stands` by province the order of each unit that was given one, `impossible` the provinces of
    those whose order is; `refused` what reached no unit; `helpers` the possible supports and convoys, `seagoing` the moves that may go
    by convoy; `moves`, `supports` (matched and attacked ones), `routes` what is to be decided.
    """

    __slots__ = ("contest", "helpers", "impossible", "moves", "placement", "refused", "routes", "seagoing", "stands", "supports", "variant")

    def __init__(self, placement: Placement, variant: Variant) -> None:
        """The units of a position, all holding."""
        self.placement = placement
        self.variant = variant
        self.stands: dict[int, Plain] = {}
        self.refused: list[Refused] = []
        self.helpers: list[Plain] = []
        self.impossible: list[int] = []
        self.seagoing: list[int] = []
        self.moves: list[int] = []
        self.supports: list[int] = []
        self.routes: list[int] = []
        self.contest = Contest(variant.tables, variant.rulebook, placement.at, placement.own)

    def standing(self, here: int) -> Standing | None:
        """How the order given to the unit at `here` stands; None if none was given."""
        known = self.stands.get(here)
        return None if known is None else known[-1]

    def is_matched(self, here: int) -> bool:
        """Whether the support or convoy order of the unit at `here` fits an order given."""
        return here in self.contest.aim or here in self.contest.links


SPELLING_OF = attrgetter("spelling")
"""What an order read or written before is found by."""

Given: TypeAlias = tuple[int, Power, Order | str]
"""An order as it came: the power by its place in the variant's list, and by name."""


def muster(position: Position, orders: Mapping[Power, Sequence[Order | str]], variant: Variant, read: Reader | None) -> Muster:
    """Take the orders of a movement phase; of several for one unit the last possible one counts."""
    placement = place_units(position, variant)
    mustered = Muster(placement, variant)
    odd, count = _take_plain(mustered, orders)
    if odd:
        _take_odd(mustered, odd, read, is_all=False)
    if len(mustered.stands) + len(mustered.refused) != count:  # some unit has several orders
        mustered = Muster(placement, variant)
        everything = [(power, name, item) for power, name in enumerate(variant.powers) for item in orders.get(name, ())]
        _take_odd(mustered, everything, read, is_all=True)
    _match_helpers(mustered)
    if mustered.seagoing or mustered.contest.carriers:
        _choose_ways(mustered)
    return mustered


def _take_plain(mustered: Muster, orders: Mapping[Power, Sequence[Order | str]]) -> tuple[list[Given], int]:
    """Take the orders that fit the units they name as they were met before; gives the others, and the number of all."""
    stands, moves, helpers = mustered.stands, mustered.moves, mustered.helpers
    contest, placement = mustered.contest, mustered.placement
    to, becomes, comers = contest.to, contest.becomes, contest.comers
    at, own, afloat, alone = placement.at, placement.own, placement.afloat, placement.tables.alone
    plain = mustered.variant.fitting.plain.__getitem__
    odd: list[Given] = []
    count = 0
    for power, name in enumerate(mustered.variant.powers):
        items = orders.get(name)
        if not items:
            continue
        count += len(items)
        try:
            # A mixture of texts and orders is found out when one of the others is looked up.
            texts = items if isinstance(items[0], str) else map(SPELLING_OF, items)
            found = [*map(plain, texts)]
        except (KeyError, AttributeError):  # some of them were never met before, or cannot be read
            odd += [(power, name, item) for item in items]
            continue
        strange = []
        for known in found:
            # Taken apart only as far as is looked at: thousands of these are kept, few of them in the processor's cache.
            here, shape = known[0], known[2]
            if at[here] != known[1] or own[here] != power:
                strange.append(known)
            elif shape == MOVE:
                stands[here] = known
                there = to[here] = known[3]
                becomes[here] = known[4]
                comers[there] += alone[here]
                moves.append(here)
            elif shape == HOLD:
                stands[here] = known
            elif shape == SEA_MOVE:
                if afloat & known[6]:
                    stands[here] = known
                    there = to[here] = known[3]
                    becomes[here] = known[4]
                    comers[there] += alone[here]
                    moves.append(here)
                    mustered.seagoing.append(here)
                else:
                    strange.append(known)
            elif at[known[3]] != known[5] or (shape == SEA_SUPPORT and not afloat & known[6]):
                strange.append(known)
            else:
                stands[here] = known
                helpers.append(known)
        if strange:
            odd += [(power, name, items[found.index(known)]) for known in strange]
    return odd, count


def _take_odd(mustered: Muster, given: list[Given], read: Reader | None, is_all: bool) -> None:
    """Take orders one by one; the last possible one for a unit counts, if these are all orders there are."""
    variant, stands, refused = mustered.variant, mustered.stands, mustered.refused
    tables, fitting = variant.tables, variant.fitting
    at, own = mustered.placement.at, mustered.placement.own
    taken: dict[int, None] = {}
    for power, name, item in given:
        known = fitting.know(item, read)
        if known is None:
            refused.append(Refused(name, item, "unreadable"))
            continue
        here = known.here
        if here < 0 or own[here] != power:
            refused.append(_reaches_nobody(name, item, here, mustered))
            continue
        fitted, asks, illegal = fitting.fit_others(known, at[here], at[known.there])
        if asks:
            illegal = why_no_route(fitted, here, mustered.placement.afloat, mustered.placement.links, tables, at[here])
        if here in stands:
            if not is_all:
                return  # to be taken again, all in the order they came
            before, _, was_illegal = stands[here][-1]
            if illegal is not None and was_illegal is None:
                refused.append(Refused(name, item, "replaced", illegal))
                continue
            refused.append(Refused(name, before, "replaced", was_illegal))
        stands[here] = (here, NOBODY, HOLD, 0, 0, NOBODY, 0, (known.order, fitted, illegal))
        taken[here] = None
    for here in taken:
        _enter(mustered, here, stands[here][-1])


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
    _, fitted, illegal = standing
    if illegal is not None:
        mustered.impossible.append(here)
        return
    contest, shape = mustered.contest, fitted[0]
    if shape == MOVE:
        _, there, becoming, way, via = fitted
        contest.to[here] = there
        contest.becomes[here] = becoming
        contest.comers[there] += (here,)
        mustered.moves.append(here)
        if via or way == BY_SEA:
            mustered.seagoing.append(here)
    elif shape != HOLD:
        into = NOBODY if shape == SUPPORT_HOLD else fitted[2]
        kind = COAST_SUPPORT if shape == SUPPORT_MOVE else shape
        mustered.helpers.append((here, NOBODY, kind, fitted[1], into, NOBODY, 0, standing))


def _match_helpers(mustered: Muster) -> None:
    """Let the supports and convoys count that fit an order given; the supports that are attacked are to be decided."""
    contest, supports = mustered.contest, mustered.supports
    at, to, comers, given = contest.at, contest.to, contest.comers, contest.given
    backers, aim = contest.backers, contest.aim
    alone = mustered.variant.tables.alone
    for known in mustered.helpers:
        here, shape, of, into = known[0], known[2], known[3], known[4]
        # A unit that was ordered to move cannot be supported in place (rulebook "Support"; DATC 6.D.7): `into` is -1 then.
        if to[of] != into or at[of] < 0:
            continue
        if shape == CONVOY:
            contest.carriers[of] = contest.carriers.get(of, 0) | 1 << here
            contest.links[here] = mustered.variant.tables.reach[at[here]]
            continue
        if shape == COAST_SUPPORT and contest.becomes[of] != known[-1][1][3] >= 0:
            continue  # DATC 4.B.4: the support named another coast
        aim[here] = of if into < 0 else into
        backers[of] += alone[here]
        if comers[here]:
            given[here] = OPEN
            supports.append(here)


def _choose_ways(mustered: Muster) -> None:
    """Decide which armies go by convoy: those that can go no other way, and those that mean to (DATC 4.A.3 d).

    A move to a neighbour is meant so if it says VIA, or if a fleet of its own power has a legal convoy order for it.
    """
    contest = mustered.contest
    land_instead = mustered.variant.rulebook.via_without_convoy == "land"
    at_sea = []
    for here in mustered.seagoing:
        way = mustered.stands[here][-1][1][3]
        if way == BY_SEA or not land_instead or has_route(contest.links, contest.carriers.get(here, 0), here, contest.to[here]):
            at_sea.append(here)
    for here, fleets in contest.carriers.items():
        if here not in mustered.seagoing and any(contest.own[fleet] == contest.own[here] for fleet in bits(fleets)):
            at_sea.append(here)
    for here in at_sea:
        contest.by_sea.add(here)
        if here in contest.carriers:
            contest.route[here] = OPEN
            mustered.routes.append(here)
        else:
            contest.route[here] = NO
