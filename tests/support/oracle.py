"""A second adjudicator of the movement phase, for small positions, written as equations and solved by trying everything.

It shares no code with `judge.rules` but the shapes of orders and boards.  Whether each move succeeds determines all the rest, so a
resolution is a set of successful moves that, put into the rules, gives itself.  If there is just one, that is the outcome.  If not,
the smallest groups of moves that hang on nothing else are solved one after the other; a group without convoys is a ring and goes
round; in a group with convoys that has no resolution, or several, the convoying fleets in it count as holding (Szykman's rule).
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import product

from judge.board import Board, Power
from judge.rules import Convoy, Hold, Move, Order, Rulebook, SupportHold, SupportMove, Unit

Province = str
Successes = frozenset[Province]


@dataclass
class Stage:
    """Units and their legal orders; a unit without one holds."""

    board: Board
    rules: Rulebook
    power: dict[Province, Power]
    unit: dict[Province, Unit]
    order: dict[Province, Order]
    failed: set[Province] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.target = {p: o.to.province for p, o in self.order.items() if isinstance(o, Move)}
        self.attackers: dict[Province, list[Province]] = {}
        for start, end in self.target.items():
            self.attackers.setdefault(end, []).append(start)
        self.helpers = {p: o for p, o in self.order.items() if isinstance(o, SupportHold | SupportMove) and self.matches(o)}
        self.ferries = {p: o for p, o in self.order.items() if isinstance(o, Convoy) and self.matches(o)}
        self.at_sea = {p for p in self.target if self.goes_by_sea(p)}
        self.attack = {p: board_kind.attack for p in self.unit for board_kind in [self.board.kinds[self.unit[p].kind]]}

    def matches(self, help_order: Order) -> bool:
        match help_order:
            case SupportHold(_, of):
                return of.at.province in self.unit and of.at.province not in self.target
            case SupportMove(_, of, to):
                move = self.order.get(of.at.province)
                if not isinstance(move, Move) or move.to.province != to.province:
                    return False
                return not to.coast or not move.to.coast or to.coast == move.to.coast
            case Convoy(_, of, to):
                return self.target.get(of.at.province) == to.province
        raise AssertionError(help_order)

    def near(self, a: Province, b: Province) -> bool:
        return self.board.touches(self.unit[a].kind, self.unit[a].at, b)

    def goes_by_sea(self, start: Province) -> bool:
        move = self.order[start]
        assert isinstance(move, Move)
        if not self.near(start, move.to.province):
            return True
        mine = [f for f, o in self.ferries.items() if o.of.at.province == start]
        if move.via:
            return self.rules.via_without_convoy == "fails" or self.chain(start, move.to.province, set(mine))
        return any(self.power[f] == self.power[start] for f in mine)

    def chain(self, start: Province, end: Province, fleets: set[Province]) -> bool:
        """Whether some path of fleets joins two provinces, looked for one fleet at a time."""

        def from_(fleet: Province, left: frozenset[Province]) -> bool:
            return self.near(fleet, end) or any(self.near(fleet, onward) and from_(onward, left - {onward}) for onward in left)

        return any(self.near(fleet, start) and from_(fleet, frozenset(fleets) - {fleet}) for fleet in fleets)

    # What follows from a set of successful moves.

    def dislodged(self, place: Province, won: Successes) -> bool:
        return place in self.unit and place not in won and any(start in won for start in self.attackers.get(place, ()))

    def arrives(self, start: Province, won: Successes) -> bool:
        """Whether a move has a way at all."""
        if start not in self.at_sea:
            return True
        fleets = {f for f, o in self.ferries.items() if o.of.at.province == start and f not in self.failed and not self.dislodged(f, won)}
        return self.chain(start, self.target[start], fleets)

    def stands(self, helper: Province, won: Successes) -> bool:
        """Whether a support is neither cut nor lost."""
        if self.dislodged(helper, won):
            return False
        order = self.helpers[helper]
        into = order.of.at.province if isinstance(order, SupportHold) else order.to.province
        for attacker in self.attackers.get(helper, ()):
            if self.rules.cut_exception and attacker == into:
                continue
            if self.power[attacker] == self.power[helper] and not self.rules.own_attack_counts:
                continue
            if self.arrives(attacker, won):
                return False
        return True

    def help_for(self, place: Province, won: Successes, except_power: Power | None = None) -> int:
        return sum(
            order.of.at.province == place and self.power[helper] != except_power and self.stands(helper, won)
            for helper, order in self.helpers.items()
        )

    def face_to_face(self, a: Province) -> bool:
        b = self.target[a]
        return self.target.get(b) == a and not {a, b} & self.at_sea and not self.rules.swap_allowed

    def succeeds(self, start: Province, won: Successes) -> bool:
        """Whether the move would succeed by the rules if `won` were the successful moves."""
        if not self.arrives(start, won):
            return False
        end = self.target[start]
        stays = end in self.unit and (end not in won or self.face_to_face(start))
        victim = self.power[end] if stays and not self.rules.own_attack_counts else None
        if victim == self.power[start]:
            return False
        strength = self.attack[start] + self.help_for(start, won, victim)
        if stays and strength <= self.resistance(start, end, won):
            return False
        return all(strength > self.hindrance(other, won) for other in self.attackers[end] if other != start)

    def resistance(self, start: Province, end: Province, won: Successes) -> int:
        if self.face_to_face(start):
            return max(self.attack[end] + self.help_for(end, won), self.rules.failed_attacker_defends)
        if end in self.target:
            return self.rules.failed_attacker_defends
        return self.board.kinds[self.unit[end].kind].defence + self.help_for(end, won)

    def hindrance(self, start: Province, won: Successes) -> int:
        """Strength with which a move keeps others from its target, -1 if it has no effect there."""
        if not self.arrives(start, won):
            return -1
        beaten = self.face_to_face(start) and self.target[start] in won
        if beaten and not self.rules.beaten_attack_ties_everywhere:
            return -1
        return self.attack[start] + self.help_for(start, won)


def resolve(stage: Stage) -> Successes:
    """The successful moves."""
    free = [
        start
        for start, end in sorted(stage.target.items())
        if start not in stage.at_sea and end not in stage.unit and len(stage.attackers[end]) == 1
    ]
    doubtful = [start for start in sorted(stage.target) if start not in free]
    sure = frozenset(free)
    consistent = [won for won in subsets(doubtful, sure) if all(stage.succeeds(m, won) == (m in won) for m in doubtful)]
    if len(consistent) == 1:
        return consistent[0]
    known = dict.fromkeys(free, True)
    while len(known) < len(stage.target):
        left = [start for start in doubtful if start not in known]
        _resolve_group(stage, _smallest_group(stage, left, known), known)
    return frozenset(start for start, success in known.items() if success)


def subsets(moves: list[Province], always: Successes = frozenset()) -> Iterable[Successes]:
    for choice in product((True, False), repeat=len(moves)):
        yield always | {move for move, chosen in zip(moves, choice, strict=True) if chosen}


def _sure(known: dict[Province, bool]) -> Successes:
    return frozenset(start for start, success in known.items() if success)


def _smallest_group(stage: Stage, left: list[Province], known: dict[Province, bool]) -> list[Province]:
    """A smallest set of undecided moves whose outcomes hang on no other undecided one."""
    worlds = list(subsets(left, _sure(known)))
    hangs_on = {
        move: {other for other in left if any(stage.succeeds(move, w) != stage.succeeds(move, w ^ {other}) for w in worlds)}
        for move in left
    }
    groups = []
    for move in left:
        group = {move}
        while not all(hangs_on[member] <= group for member in group):
            group |= {other for member in group for other in hangs_on[member]}
        groups.append(sorted(group))
    return min(groups, key=lambda group: (len(group), group))


def _turns(stage: Stage, move: Province, other: Province, worlds: list[Successes]) -> bool:
    """Whether the success of one move can hang on that of another."""
    return any(stage.succeeds(move, won) != stage.succeeds(move, won ^ {other}) for won in worlds)


def _resolve_group(stage: Stage, group: list[Province], known: dict[Province, bool]) -> None:
    worlds = list(subsets(group, _sure(known)))
    ferries = [f for f in sorted(stage.ferries) if f not in stage.failed and set(stage.attackers.get(f, ())) & set(group)]
    ferries = [f for f in ferries if _matters(stage, f, group, worlds)]
    found: dict[tuple[bool, ...], Successes] = {}
    for won in worlds:
        if all(stage.succeeds(m, won) == (m in won) for m in group):
            ways = tuple(stage.arrives(m, won) for m in sorted(stage.at_sea))
            found[ways] = max(found.get(ways, won), won, key=len)
    if len(found) == 1:
        (won,) = found.values()
        known.update({m: m in won for m in group})
    else:
        assert ferries, (group, found)
        stage.failed |= set(ferries)


def _matters(stage: Stage, ferry: Province, group: list[Province], worlds: list[Successes]) -> bool:
    """Whether a convoy that fails could turn a move of the group."""
    before = [[stage.succeeds(m, won) for m in group] for won in worlds]
    stage.failed.add(ferry)
    after = [[stage.succeeds(m, won) for m in group] for won in worlds]
    stage.failed.discard(ferry)
    return before != after


def verdicts(stage: Stage, won: Successes) -> dict[Province, str]:
    """What became of each legal order, by province, in the judge's words."""
    found = {}
    for place in stage.unit:
        order = stage.order.get(place)
        match order:
            case None | Hold():
                found[place] = "holds"
            case Move():
                found[place] = "moves" if place in won else "bounces" if stage.arrives(place, won) else "no_convoy"
            case SupportHold() | SupportMove():
                if place not in stage.helpers:
                    found[place] = "no_effect"
                else:
                    found[place] = "supports" if stage.stands(place, won) else "cut"
            case Convoy():
                if place not in stage.ferries:
                    found[place] = "no_effect"
                else:
                    found[place] = "disrupted" if place in stage.failed or stage.dislodged(place, won) else "convoys"
    return found
