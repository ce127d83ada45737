"""What became of each order, and why, as facts.

A `Why` is a code and the facts that belong to it; sentences are made of it elsewhere.  The codes, by what they explain
(``by`` are the orders that decided it, each with its power; facts not named are empty):

An order that was carried out or stood:

- ``unopposed`` moves: nobody stood or came there.
- ``followed`` moves: `by` is the move of the unit that left the place.
- ``stronger`` moves: with `attack` against `by` (the unit standing there, the unit coming the other way, others coming to the
  same place), the best of which had `hold`, `defend` or `prevent`.
- ``circle`` moves: part of a ring of moves that all succeed together; `by` are the other moves of the ring.
- ``swapped`` moves: two units changed places; `by` is the other one.
- ``as_ordered`` holds, disbands, builds, removes, waives; for a unit that held, `by` are the attacks it met, `attack` the
  strongest of them and `hold` its own strength (only if it was attacked).
- ``no_order`` holds, disbands, waives: nothing was ordered; `by`, `attack`, `hold` as above.
- ``given`` supports: `by` is the supported unit's order.
- ``carries`` convoys: `by` is the move of the army (which may fail all the same).
- ``army_by_land`` convoys: offered, but the army (order `by`) goes by land.
- ``civil_disorder`` removes: chosen by rule; `distance` steps to the nearest of `places`.
- ``retreated`` retreats: to a free place.

An order that failed although it was possible:

- ``bounced_by`` bounces: `attack` was not more than `prevent` of `by`, who went to the same place.
- ``held_off`` bounces: `attack` was not more than `hold` of the unit there; `by` is that unit's order.
- ``head_on`` bounces: `attack` was not more than `defend` of `by`, who came the other way.
- ``own_unit`` bounces: the place is held by the power's own unit, whose order is `by`.
- ``no_convoy_ordered`` no_convoy: no complete chain of fleets had the order; `needs` is the convoy order wanted of the fleets at
  `places` (the fleets that could have carried it).
- ``convoy_broken`` no_convoy: the fleets at `places` were dislodged by `by`.
- ``convoy_paradox`` no_convoy, disrupted: the convoy by the fleets at `places` would decide its own success (DATC 4.A.2, Szykman).
- ``cut_by`` cut: attacked by `by`.
- ``supporter_dislodged`` cut: dislodged by `by` with `attack` against `hold`.
- ``fleet_dislodged`` disrupted: dislodged by `by` with `attack` against `hold`.
- ``unmatched`` no_effect: a support or convoy; the unit did `by`, the order would have needed `needs`.
- ``nobody_there`` no_effect: a support or convoy for a place where no unit stands (`places`).
- ``retreat_clash`` bounces: `by` are other retreats to the same place.

A dislodgement (`Outcome.fall`): ``dislodged_by``: `by` with `attack` against `hold` (or `defend`).

An order that is impossible whatever others do (also what `why_illegal` gives):

- ``wrong_phase``: the order belongs to another step; `needs` is empty.
- ``unknown_place``: the order names a place that this board does not have.
- ``no_unit``: no unit at `places`.
- ``not_yours``: the unit at `places` is `power`'s.
- ``same_place``: a move, support or convoy to where the unit itself stands.
- ``wrong_terrain``: a unit of this kind cannot stand at `places` (a fleet inland, an army at sea).
- ``not_adjacent``: `places` are those the unit could go to in one step.
- ``coast_missing``: the place has several coasts; `places` are those that can be meant.
- ``coast_unreachable``: the coast named cannot be reached; `places` are the coasts that can.
- ``no_route``: too far to walk, and no chain of fleets on the board could carry it; `places` are those in one step.
- ``support_unreachable``: the supporter could not itself go where its support acts; `places` are where it could.
- ``supported_cannot``: the supported unit could not do what is supported; `places` are where it could go.
- ``cannot_convoy``: this unit cannot convoy from where it stands (only fleets at sea).
- ``not_convoyable``: a unit of that kind cannot be carried (only armies).
- ``not_on_route``: the fleet is on no route from there to there that needs it.
- ``not_dislodged``: a retreat by a unit that need not retreat.
- ``retreat_barred``: `places` are the retreats open to it (none: it is destroyed).
- ``not_due``: no build (removal) is due; ``not_home``: no home centre of the power; ``not_owned``: the centre is not owned;
  ``occupied``: a unit stands there; `places` are the building sites.

`Refused.code` (orders that reach no unit of the power, and adjustments that cannot be granted): ``unreadable``, ``not_yours``,
``no_unit``, ``wrong_phase``, ``replaced``, ``too_many``, ``twice``, ``not_home``, ``not_owned``, ``occupied``, ``coast_missing``,
``wrong_terrain``, ``not_due``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from judge.board.places import Location
from judge.board.powers import Power
from judge.rules.notation import write_order
from judge.rules.orders import Order


class Verdict(StrEnum):
    """What became of one order, in the words every interface uses."""

    MOVES = "moves"
    BOUNCES = "bounces"
    HOLDS = "holds"
    SUPPORTS = "supports"
    CUT = "cut"
    NO_EFFECT = "no_effect"
    CONVOYS = "convoys"
    DISRUPTED = "disrupted"
    NO_CONVOY = "no_convoy"
    ILLEGAL = "illegal"
    RETREATS = "retreats"
    DISBANDS = "disbands"
    BUILDS = "builds"
    REMOVES = "removes"
    WAIVES = "waives"


@dataclass(frozen=True, slots=True)
class OrderOf:
    """An order together with the power whose unit it is for."""

    power: Power
    order: Order


JsonFacts: TypeAlias = Mapping[str, str | int | list[str]]
"""A `Why` as JSON: ``{"code": "bounced_by", "by": ["A WAR - SIL"], "attack": 1, "prevent": 1}``."""


@dataclass(frozen=True, slots=True)
class Why:
    """A reason: its code and the facts of it, which the module's docstring lists code by code.

    `by`: orders that decided it, with their powers; `attack`, `hold`, `defend`, `prevent`: strengths (-1: not told);
    `places`: locations; `power`: another power concerned; `needs`: the order that would have been needed;
    `distance`: steps counted for a removal (-1: not told); `route`: provinces of the convoying fleets of a move that came by sea.
    """

    code: str
    by: tuple[OrderOf, ...] = ()
    attack: int = -1
    hold: int = -1
    defend: int = -1
    prevent: int = -1
    places: tuple[Location, ...] = ()
    power: Power = ""
    needs: Order | None = None
    distance: int = -1
    route: tuple[Location, ...] = ()

    def as_json(self) -> JsonFacts:
        """The same as plain JSON values; empty facts are left out.

        >>> Why("held_off", attack=1, hold=2).as_json()
        {'code': 'held_off', 'attack': 1, 'hold': 2}
        """
        facts: dict[str, str | int | list[str]] = {"code": self.code}
        if self.by:
            facts["by"] = [write_order(each.order) for each in self.by]
        for name in ("attack", "hold", "defend", "prevent", "distance"):
            value: int = getattr(self, name)
            if value >= 0:
                facts[name] = value
        if self.places:
            facts["places"] = [str(place) for place in self.places]
        if self.power:
            facts["power"] = self.power
        if self.needs is not None:
            facts["needs"] = write_order(self.needs)
        if self.route:
            facts["route"] = [str(place) for place in self.route]
        return facts


Illegal: TypeAlias = Why
"""Why an order is impossible whatever others do: one of the codes of the last list above."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one unit's order.

    `order` is the order that stood for the unit (in full: actual unit, coast filled in), `given` whether somebody gave it;
    `dislodged` and `fall` (by whom, with what strength) stand apart from the order's own verdict.
    """

    power: Power
    order: Order
    given: bool
    verdict: Verdict
    dislodged: bool
    why: Why
    fall: Why | None = None


@dataclass(frozen=True, slots=True)
class Refused:
    """An order, or a text that is none, that reaches no unit of that power; `why` tells more where there is more to tell."""

    power: Power
    order: Order | str
    code: str
    why: Why | None = None

    @property
    def text(self) -> str:
        """The order as text."""
        return self.order if isinstance(self.order, str) else write_order(self.order)
