"""The orders of a movement phase brought together: one for each unit, fitted to the board, supports and convoys matched."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from judge.board.powers import Power
from judge.rules.convoys import has_route
from judge.rules.fitting import BY_SEA, CONVOY, EITHER_WAY, MOVE, SUPPORT_HOLD, Fitted, Known, Reader, fleets_afloat, why_no_route
from judge.rules.orders import Order
from judge.rules.position import ImpossiblePosition, Position
from judge.rules.strengths import NO, OPEN, Contest
from judge.rules.variant import Variant
from judge.rules.verdicts import Illegal, Refused, Why


class Standing(NamedTuple):
    """The order that stands for a unit; `illegal` why it is impossible and the unit holds."""

    known: Known
    fitted: Fitted
    illegal: Illegal | None


class Muster:
    """A movement phase ready to be resolved.

    `contest` with all matched orders; `stands` by province for each unit that was given an order; `refused` what reached no unit;
    `matched` provinces of units whose support or convoy fits an order given; `moves`, `supports`, `routes` what is to be decided.
    """

    __slots__ = ("contest", "matched", "moves", "position", "refused", "routes", "stands", "supports", "variant")

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
        tables = variant.tables
        at, own = place_units(position, variant)
        self.contest = Contest(tables, variant.rulebook, at, own)


def place_units(position: Position, variant: Variant) -> tuple[list[int], list[int]]:
    """The unit (by number) and its power (by place in the variant's list) in each province; -1 where there is none.

    Raises `ImpossiblePosition`.
    """
    tables = variant.tables
    at = [-1] * len(tables.provinces)
    own = at[:]
    placed = 0
    for power, name in enumerate(variant.powers):
        for unit in position.units.get(name, ()):
            number = tables.unit_number.get(unit)
            if number is None:
                raise ImpossiblePosition("unknown_unit", str(unit))
            here = tables.province_of[number]
            if at[here] >= 0:
                raise ImpossiblePosition("two_units", tables.provinces[here])
            at[here] = number
            own[here] = power
        placed += name in position.units
    if placed != len(position.units):
        strangers = sorted(set(position.units) - set(variant.powers))
        raise ImpossiblePosition("unknown_power", ", ".join(strangers))
    return at, own


def muster(position: Position, orders: Mapping[Power, Sequence[Order | str]], variant: Variant, read: Reader | None) -> Muster:
    """Take the orders of a movement phase; the last possible one for a unit counts (as DATC 4.D.4 to 4.D.6 do not bind here)."""
    mustered = Muster(position, variant)
    _take_orders(mustered, orders, read)
    _match_orders(mustered)
    return mustered


def _take_orders(mustered: Muster, orders: Mapping[Power, Sequence[Order | str]], read: Reader | None) -> None:
    variant, stands = mustered.variant, mustered.stands
    tables = variant.tables
    fitting = variant.fitting
    memo = fitting.memo
    at, own = mustered.contest.at, mustered.contest.own
    size = len(tables.units) + 1
    afloat: tuple[int, dict[int, int]] | None = None
    for power, name in enumerate(variant.powers):
        for item in orders.get(name, ()):
            known = memo.get(item) or fitting.know(item, read)
            if known is None:
                mustered.refused.append(Refused(name, item, "unreadable"))
                continue
            here = known.here
            if here < 0:
                mustered.refused.append(Refused(name, item, "wrong_phase", Why("wrong_phase")))
                continue
            if own[here] != power:
                mustered.refused.append(_reaches_nobody(name, item, here, mustered))
                continue
            unit = at[here]
            other = at[known.other] if known.other >= 0 else -1
            fits = known.fits.get(unit * size + other)
            if fits is None:
                fits = known.fits[unit * size + other] = fitting.fit(known.order, unit, other)
            fitted, asks, illegal = fits
            if asks:
                afloat = afloat or fleets_afloat(tables, at)
                illegal = why_no_route(fitted, here, *afloat, tables, unit)
            before = stands.get(here)
            if before is not None:
                if illegal is not None and before.illegal is None:
                    mustered.refused.append(Refused(name, item, "replaced", illegal))
                    continue
                mustered.refused.append(Refused(name, before.known.order, "replaced", before.illegal))
            stands[here] = Standing(known, fitted, illegal)


def _reaches_nobody(power: Power, item: Order | str, here: int, mustered: Muster) -> Refused:
    place = mustered.variant.tables.named(1 << here)
    owner = mustered.contest.own[here]
    if owner < 0:
        return Refused(power, item, "no_unit", Why("no_unit", places=place))
    return Refused(power, item, "not_yours", Why("not_yours", places=place, power=mustered.variant.powers[owner]))


def _match_orders(mustered: Muster) -> None:
    """Put the moves into the contest, then the supports and convoys that fit them."""
    contest, moves = mustered.contest, mustered.moves
    to, comers = contest.to, contest.comers
    helpers: list[tuple[int, Fitted]] = []
    moved: list[tuple[int, Fitted]] = []
    contest.becomes = contest.at[:]
    for here, (_, fitted, illegal) in mustered.stands.items():
        if illegal is not None:
            continue
        if fitted[0] == MOVE:
            there = to[here] = fitted[1]
            contest.becomes[here] = fitted[2]
            moves.append(here)
            if there in comers:
                comers[there].append(here)
            else:
                comers[there] = [here]
            if fitted[3]:
                moved.append((here, fitted))
        elif fitted[0]:
            helpers.append((here, fitted))
    backers, carriers = contest.backers, contest.carriers
    for here, fitted in helpers:
        shape, of = fitted[0], fitted[1]
        if shape == SUPPORT_HOLD:
            # A unit that was ordered to move cannot be supported in place (rulebook "Support"; DATC 6.D.7).
            if contest.at[of] < 0 or to[of] >= 0:
                continue
        elif to[of] != fitted[2]:
            continue
        elif shape == CONVOY:
            carriers[of] = carriers.get(of, 0) | 1 << here
            contest.links[here] = mustered.variant.tables.reach[contest.at[here]]
            mustered.matched.add(here)
            continue
        elif fitted[3] >= 0 and contest.becomes[of] != fitted[3]:
            continue  # DATC 4.B.4: the support named another coast
        backers.setdefault(of, []).append(here)
        contest.aim[here] = of if shape == SUPPORT_HOLD else fitted[2]
        mustered.matched.add(here)
        mustered.supports.append(here)
    for here, fitted in moved:
        if _goes_by_sea(mustered, here, fitted):
            contest.by_sea[here] = True
            contest.route[here] = OPEN if here in carriers else NO
            if here in carriers:
                mustered.routes.append(here)


def _goes_by_sea(mustered: Muster, here: int, fitted: Fitted) -> bool:
    """Whether a move goes by convoy: the only way, or meant so (DATC 4.A.3 d).

    It is meant so if it says VIA, or if a fleet of its own power has a legal convoy order for it.
    """
    contest = mustered.contest
    _, there, _, way, via = fitted
    if way == BY_SEA:
        return True
    assert way == EITHER_WAY
    fleets = contest.carriers.get(here, 0)
    if via:
        return mustered.variant.rulebook.via_without_convoy != "land" or has_route(contest.links, fleets, here, there)
    return any(fleets >> fleet & 1 and contest.own[fleet] == contest.own[here] for fleet in contest.links)
