"""The account of a movement phase: what became of each order, and why."""

from dataclasses import replace

from judge.board.places import Location
from judge.rules.convoys import has_route, is_needed
from judge.rules.fitting import Standing
from judge.rules.muster import Muster
from judge.rules.orders import Convoy, Hold, Move, Order, SupportHold, SupportMove, Unit
from judge.rules.strengths import YES, Contest
from judge.rules.tables import Tables, bits
from judge.rules.verdicts import OrderOf, Outcome, Verdict, Why


class MovementAccount:
    """Tells the outcomes of a resolved movement phase when asked; called without arguments, as `Adjudication` does."""

    __slots__ = ("muster", "standings")
    standings: dict[int, Standing]
    """By province how the order stands of each unit that was given one; there once outcomes are told."""

    def __init__(self, muster: Muster) -> None:
        """For a resolved `muster`."""
        self.muster = muster

    @property
    def contest(self) -> Contest:
        """All that was decided."""
        return self.muster.contest

    @property
    def tables(self) -> Tables:
        """The board."""
        return self.muster.variant.tables

    @property
    def winners(self) -> dict[int, int]:
        """By province where the unit came from that moved in."""
        return self.muster.winners

    def __call__(self) -> tuple[Outcome, ...]:
        """One outcome for each unit, powers in board order, units sorted."""
        self.standings = self.muster.standings()
        at, own = self.contest.at, self.contest.own
        units = sorted((own[here], at[here], here) for here in range(len(at)) if at[here] >= 0)
        return tuple(self._outcome(here) for _, _, here in units)

    def attacked(self) -> frozenset[str]:
        """Provinces that somebody was ordered to move to, whether he arrived or not."""
        provinces = self.tables.provinces
        return frozenset([provinces[there] for there, comers in enumerate(self.contest.comers) if comers])

    def standoffs(self) -> frozenset[str]:
        """Provinces left empty by a standoff."""
        provinces = self.tables.provinces
        return frozenset([provinces[there] for there in self.left_empty()])

    def left_empty(self) -> set[int]:
        """Provinces that nobody won because two or more came with equal strength (rulebook "Standoffs").

        One that was beaten head on has no effect on its dislodger's province, so it makes no standoff there either.
        """
        contest, winners = self.contest, self.winners
        at, success, route, comers = contest.at, contest.success, contest.route, contest.comers
        found = set()
        for there in contest.clashes:
            if there not in winners:
                if at[there] < 0:
                    came = [route[rival] == YES for rival in comers[there]]
                elif success[there] == YES:
                    came = [contest.prevent_strength(rival)[0] >= 0 for rival in comers[there]]
                else:
                    continue  # somebody stands there
                if sum(came) > 1:
                    found.add(there)
        return found

    def _unit(self, here: int) -> Unit:
        return self.tables.units[self.contest.at[here]]

    def _place(self, here: int) -> Location:
        return Location(self.tables.provinces[here])

    def _order(self, here: int) -> Order:
        """The order that stood for the unit at `here`, in full: actual units, coasts filled in or left out as the board has them."""
        unit = self._unit(here)
        standing = self.standings.get(here)
        if standing is None:
            return Hold(unit)
        order, _, illegal = standing
        if isinstance(order, Move):
            return replace(order, unit=unit, to=order.to if illegal else self.tables.units[self.contest.becomes[here]].at)
        if isinstance(order, SupportHold):
            return replace(order, unit=unit, of=self._named(order.of))
        if isinstance(order, SupportMove | Convoy):
            of = self._named(order.of)
            landings = self.tables.standing.get((of.kind, self.tables.number[order.to.province]), ())
            bare = len(landings) == 1 and not self.tables.units[landings[0]].at.coast
            return replace(order, unit=unit, of=of, to=Location(order.to.province) if bare else order.to)
        return Hold(unit)

    def _named(self, unit: Unit) -> Unit:
        """The unit that stands where `unit` was said to stand."""
        here = self.tables.number[unit.at.province]
        return unit if self.contest.at[here] < 0 else self._unit(here)

    def _of(self, here: int) -> OrderOf:
        return OrderOf(self.muster.variant.powers[self.contest.own[here]], self._order(here))

    def _all(self, heres: list[int]) -> tuple[OrderOf, ...]:
        return tuple(self._of(here) for here in sorted(heres, key=lambda here: self.contest.at[here]))

    def _outcome(self, here: int) -> Outcome:
        standing = self.standings.get(here)
        verdict = self.muster.verdicts[self.tables.provinces[here]]
        order = self._order(here)
        illegal = standing[2] if standing is not None else None
        why = illegal or self._why(here, order, verdict, is_given=standing is not None)
        is_out = here in self.winners and self.contest.success[here] != YES
        power = self.muster.variant.powers[self.contest.own[here]]
        return Outcome(power, order, standing is not None, verdict, is_out, why, self._fall(here) if is_out else None)

    def _why(self, here: int, order: Order, verdict: Verdict, is_given: bool) -> Why:
        match verdict:
            case Verdict.MOVES:
                return self._arrival(here)
            case Verdict.BOUNCES:
                return self._bounce(here)
            case Verdict.NO_CONVOY:
                return self._no_convoy(here)
            case Verdict.CUT:
                return self._cut(here)
            case Verdict.NO_EFFECT:
                return self._unmatched(order)
            case Verdict.DISRUPTED:
                return self._disrupted(here, order)
            case Verdict.SUPPORTS:
                return Why("given", by=(self._of(self._helped(order)),))
            case Verdict.CONVOYS:
                of = self._helped(order)
                return Why("carries" if of in self.contest.by_sea else "army_by_land", by=(self._of(of),))
        return self._hold("as_ordered" if is_given else "no_order", here)

    def _helped(self, order: Order) -> int:
        """Where the unit stands that a support or convoy is for."""
        assert isinstance(order, SupportHold | SupportMove | Convoy)
        return self.tables.number[order.of.at.province]

    def _hold(self, code: str, here: int) -> Why:
        comers = [comer for comer in self.contest.comers[here] if self.contest.route[comer] == YES]
        if not comers:
            return Why(code)
        against = self._victim(here)
        attack = max(self.contest.attack_strength(comer, against)[0] for comer in comers)
        return Why(code, by=self._all(comers), attack=attack, hold=self.contest.hold_strength(here)[0])

    def _victim(self, here: int) -> int:
        return -2 if self.contest.rules.own_attack_counts else self.contest.own[here]

    def _fall(self, here: int) -> Why:
        """Why the unit at `here` is dislodged."""
        contest, comer = self.contest, self.winners[here]
        attack = contest.attack_strength(comer, self._victim(here))[0]
        if contest.to[here] < 0:
            return Why("dislodged_by", by=(self._of(comer),), attack=attack, hold=contest.hold_strength(here)[0])
        if contest.head_on(here):
            return Why("dislodged_by", by=(self._of(comer),), attack=attack, defend=contest.defend_strength(here)[0])
        return Why("dislodged_by", by=(self._of(comer),), attack=attack, hold=contest.rules.failed_attacker_defends)

    def _rivals(self, here: int) -> list[int]:
        """Others who came to the same place with any effect there."""
        contest = self.contest
        return [x for x in contest.comers[contest.to[here]] if x != here and contest.prevent_strength(x)[0] >= 0]

    def _arrival(self, here: int) -> Why:
        """Why a move succeeded, and over which fleets."""
        contest = self.contest
        if here not in contest.by_sea:
            return self._entry(here)
        fleets = contest.carriers[here] & ~contest.failed
        route = self.tables.named(sum(1 << fleet for fleet in bits(fleets) if fleet not in self.winners))
        return replace(self._entry(here), route=route)

    def _entry(self, here: int) -> Why:
        contest = self.contest
        there = contest.to[here]
        attack = contest.strengths_at_target(here)[0]
        rivals = self._rivals(here)
        prevent = max((contest.prevent_strength(rival)[0] for rival in rivals), default=-1)
        if contest.at[there] >= 0 and contest.success[there] != YES:
            resisted = contest.strengths_at_target(here)[2]
            by = (self._of(there), *self._all(rivals))
            if contest.head_on(here):
                return Why("stronger", by=by, attack=attack, defend=resisted, prevent=prevent)
            return Why("stronger", by=by, attack=attack, hold=resisted, prevent=prevent)
        if rivals:
            return Why("stronger", by=self._all(rivals), attack=attack, prevent=prevent)
        if contest.at[there] < 0:
            return Why("unopposed")
        ring = self._ring(here)
        if ring:
            return Why("swapped" if len(ring) == 1 else "circle", by=tuple(self._of(member) for member in ring))
        return Why("followed", by=(self._of(there),))

    def _ring(self, here: int) -> list[int]:
        """The other moves of the ring that the successful move from `here` is part of; none if it is part of no ring."""
        members: list[int] = []
        there = self.contest.to[here]
        while there != here:
            if there in members or self.contest.success[there] != YES:
                return []
            members.append(there)
            there = self.contest.to[there]
        return members

    def _bounce(self, here: int) -> Why:
        contest = self.contest
        there = contest.to[here]
        attack, _, resisted, _ = contest.strengths_at_target(here)
        if attack < 0:
            return Why("own_unit", by=(self._of(there),))
        if resisted >= attack:
            if contest.head_on(here):
                return Why("head_on", by=(self._of(there),), attack=attack, defend=resisted)
            return Why("held_off", by=(self._of(there),), attack=attack, hold=resisted)
        strengths = {rival: contest.prevent_strength(rival)[0] for rival in self._rivals(here)}
        blockers = [rival for rival, strength in strengths.items() if strength >= attack]
        return Why("bounced_by", by=self._all(blockers), attack=attack, prevent=max(strengths[b] for b in blockers))

    def _no_convoy(self, here: int) -> Why:
        contest, tables = self.contest, self.tables
        fleets, there = contest.carriers.get(here, 0), contest.to[here]
        if not has_route(contest.links, fleets, here, there):
            afloat, links = self.muster.placement.afloat, self.muster.placement.links
            wanted = [f for f in bits(afloat & ~fleets) if is_needed(links, afloat, f, here, there)]
            needs = Convoy(self._unit(wanted[0]), self._unit(here), self._place(there)) if wanted else None
            return Why("no_convoy_ordered", places=tuple(map(self._place, wanted)), needs=needs)
        if fleets & contest.failed:
            return Why("convoy_paradox", places=tables.named(fleets & contest.failed))
        sunk = [fleet for fleet in bits(fleets) if fleet in self.winners]
        return Why("convoy_broken", by=self._all([self.winners[f] for f in sunk]), places=tuple(map(self._place, sunk)))

    def _cut(self, here: int) -> Why:
        contest = self.contest
        cutters = [
            comer
            for comer in contest.comers[here]
            if contest.route[comer] == YES
            and not (contest.rules.cut_exception and comer == contest.aim.get(here))
            and (contest.own[comer] != contest.own[here] or contest.rules.own_attack_counts)
        ]
        if cutters:
            return Why("cut_by", by=self._all(cutters))
        return replace(self._fall(here), code="supporter_dislodged")

    def _unmatched(self, order: Order) -> Why:
        of = self._helped(order)
        assert isinstance(order, SupportHold | SupportMove | Convoy)
        needs = Hold(order.of) if isinstance(order, SupportHold) else Move(order.of, order.to)
        if self.contest.at[of] < 0:
            return Why("nobody_there", places=(self._place(of),), needs=needs)
        return Why("unmatched", by=(self._of(of),), needs=needs)

    def _disrupted(self, here: int, order: Order) -> Why:
        if here in self.winners:
            return replace(self._fall(here), code="fleet_dislodged")
        return Why("convoy_paradox", by=(self._of(self._helped(order)),), places=(self._place(here),))
