"""What is known of a movement phase while it is being decided: successes, cuts and routes, and the strengths that follow.

Each decision is YES, NO or still OPEN, so each strength is a range: the least and the most it can still be.  Source: rulebook
"Conflicts" as put into decisions by DATC chapter 5.B.
"""

from collections.abc import Sequence

from judge.rules.convoys import has_route
from judge.rules.rulebook import Rulebook
from judge.rules.tables import Tables, bits

YES, OPEN, NO = 1, 0, -1

ABSENT = -1
"""Strength of what is not there: a place that is empty or left, an attack that never arrives.  A wing's 0 is more (A7)."""


class Contest:
    """One movement phase in numbers; every list has one entry for each province.

    `at` the unit there, `own` its power (-1: none); `to` where it is ordered to move (-1: nowhere), `becomes` the unit it is then,
    `by_sea` those that go by convoy only; `comers` who moves to a place, `clashes` the places that several move to; `aim` the province
    that each matched support acts in, `backers` the supports matched by the unit's order; `carriers` the fleets (bit mask) with a convoy
    order for the unit, `links` what each of those touches.  `success` of moves, `given` of supports (open only where attacked) and
    `route` of moves are decided as the contest goes on; `failed` are fleets whose convoy fails by the paradox rule.
    """

    __slots__ = (
        "aim", "at", "attack", "backers", "becomes", "by_sea", "carriers", "clashes", "comers", "defence", "failed", "given", "links",
        "own", "route", "rules", "success", "to",
    )  # fmt: skip

    def __init__(self, tables: Tables, rules: Rulebook, at: list[int], own: list[int]) -> None:
        """A contest between units that hold so far."""
        size = len(at)
        self.rules = rules
        self.attack: Sequence[int] = tables.attack
        self.defence: Sequence[int] = tables.defence
        self.at = at
        self.own = own
        self.to = [-1] * size
        self.becomes = at[:]
        self.by_sea: set[int] = set()
        self.comers: list[tuple[int, ...]] = [()] * size
        self.clashes: set[int] = set()
        self.aim: dict[int, int] = {}
        self.backers: list[tuple[int, ...]] = [()] * size
        self.carriers: dict[int, int] = {}
        self.links: dict[int, int] = {}
        self.success = [OPEN] * size
        self.given = [YES] * size
        self.route = [YES] * size
        self.failed = 0

    def head_on(self, here: int) -> bool:
        """Whether the move from `here` meets one from its target over land (DATC 5.B.1: a convoyed unit meets nobody)."""
        there = self.to[here]
        return self.to[there] == here and here not in self.by_sea and there not in self.by_sea and not self.rules.swap_allowed

    def backing(self, here: int, against: int) -> tuple[int, int]:
        """How many supports the unit at `here` has, at least and at most, those of the power `against` not counted."""
        least = most = 0
        own, given = self.own, self.given
        for backer in self.backers[here]:
            if own[backer] != against:
                verdict = given[backer]
                if verdict >= OPEN:
                    most += 1
                    least += verdict
        return least, most

    def attack_strength(self, here: int, against: int) -> tuple[int, int]:
        """Strength of the move from `here`: alone and with its supports, except against units of the supporters' own power."""
        alone = self.attack[self.at[here]]
        if not self.backers[here]:
            return alone, alone
        least, most = self.backing(here, against)
        return alone + least, alone + most

    def hold_strength(self, here: int) -> tuple[int, int]:
        """Strength of the unit at `here` that has no order to move."""
        alone = self.defence[self.at[here]]
        if not self.backers[here]:
            return alone, alone
        least, most = self.backing(here, NOBODY)
        return alone + least, alone + most

    def defend_strength(self, here: int) -> tuple[int, int]:
        """Strength of the move from `here` against one that comes head on; never less than that of a unit that failed to leave (A4)."""
        least, most = self.attack_strength(here, NOBODY)
        floor = self.rules.failed_attacker_defends
        return max(least, floor), max(most, floor)

    def prevent_strength(self, here: int) -> tuple[int, int]:
        """Strength with which the move from `here` keeps others out of its target.

        None if it never arrives.  A unit dislodged from there by a head-on move has no effect on its dislodger's province
        (rulebook "Standoffs"; DATC 5.B.7), unless the rulebook says otherwise (A6).
        """
        arrives = self.route[here]
        if arrives == NO:
            return ABSENT, ABSENT
        there = self.to[here]
        if self.to[there] == here and not self.rules.beaten_attack_ties_everywhere and self.head_on(here):
            beaten = self.success[there]
            if beaten == YES:
                return ABSENT, ABSENT
            if beaten == OPEN:
                arrives = OPEN
        least, most = self.attack_strength(here, NOBODY)
        return least if arrives == YES else ABSENT, most

    def strengths_at_target(self, here: int) -> tuple[int, int, int, int]:
        """The attack from `here` and what stands against it in its target: attack at least, at most, resistance at least, at most.

        An attack on a unit of its own power that stays has no strength, and supports by that power count nothing (rulebook
        "Self-dislodgement"; DATC 5.B.5), unless own attacks count as any other (A5).
        """
        there = self.to[here]
        if self.at[there] < 0:
            least, most = self.attack_strength(here, NOBODY)
            return least, most, ABSENT, ABSENT
        victim = NOBODY if self.rules.own_attack_counts else self.own[there]
        onward = self.to[there]
        if onward < 0:
            held_least, held_most = self.hold_strength(there)
        elif onward == here and self.head_on(here):
            held_least, held_most = self.defend_strength(there)
        else:
            left = self.success[there]
            held_least = held_most = self.rules.failed_attacker_defends
            if left >= OPEN:
                least, most = self.attack_strength(here, NOBODY)
                if left == YES:
                    return least, most, ABSENT, ABSENT
                return ABSENT if victim == self.own[here] else self.attack_strength(here, victim)[0], most, ABSENT, held_most
        if victim == self.own[here]:
            return ABSENT, ABSENT, held_least, held_most
        least, most = self.attack_strength(here, victim)
        return least, most, held_least, held_most

    def decide_move(self, here: int) -> int:
        """Whether the move from `here` succeeds: stronger than what stands in its target and than any other who comes there."""
        route = self.route[here]
        if route == NO:
            return NO
        there = self.to[here]
        least, most, held_least, held_most = self.strengths_at_target(here)
        if most <= held_least:
            return NO
        is_sure = least > held_most and route == YES
        if there in self.clashes:
            for other in self.comers[there]:
                if other != here:
                    other_least, other_most = self.prevent_strength(other)
                    if most <= other_least:
                        return NO
                    is_sure = is_sure and least > other_most
        return YES if is_sure else OPEN

    def decide_support(self, here: int) -> int:
        """Whether the support from `here` is given: not cut by an attack, not ended by dislodgement.

        An attack from the province the support is aimed at cuts only by dislodging (rulebook "Cutting support"; DATC 5.B.4), unless
        the rulebook knows no exception; an attack by the own power does not cut (DATC 6.D.20), unless it counts as any other.
        """
        verdict = YES
        rules = self.rules
        for comer in self.comers[here]:
            success = self.success[comer]
            if rules.cut_exception and comer == self.aim[here]:
                cuts = success
            elif self.own[comer] == self.own[here] and not rules.own_attack_counts:
                cuts = NO
            else:
                cuts = self.route[comer]
            if cuts == YES or success == YES:
                return NO
            if cuts == OPEN:
                verdict = OPEN
        return verdict

    def decide_route(self, here: int) -> int:
        """Whether a chain of fleets carries the army from `here`: each fleet of it must not be dislodged (DATC 5.B.2)."""
        sure = maybe = 0
        for fleet in bits(self.carriers.get(here, 0) & ~self.failed):
            sinks = self.is_dislodged(fleet)
            if sinks <= OPEN:
                maybe |= 1 << fleet
                if sinks == NO:
                    sure |= 1 << fleet
        if not has_route(self.links, maybe, here, self.to[here]):
            return NO
        return YES if sure == maybe or has_route(self.links, sure, here, self.to[here]) else OPEN

    def is_dislodged(self, here: int) -> int:
        """Whether the unit at `here`, which has no order to move, is dislodged."""
        verdict = NO
        for comer in self.comers[here]:
            success = self.success[comer]
            if success == YES:
                return YES
            if success == OPEN:
                verdict = OPEN
        return verdict


NOBODY = -2
"""A power that no unit has."""
