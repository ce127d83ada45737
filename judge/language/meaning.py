"""What drafts mean on the board and in the position: orders, each with how sure it is and what had to be repaired."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from judge.board import Board, Location, Power
from judge.language.complaints import (
    AmbiguousOrder,
    AmbiguousPlace,
    Assumed,
    BadLine,
    CoastCorrected,
    CoastIgnored,
    Custom,
    Decided,
    Ignored,
    Incomplete,
    LookAlike,
    Misspelt,
    NoUnitThere,
    OwnerDiffers,
    Shortened,
    UnitFilled,
    UnknownCoast,
    Unreadable,
    Warned,
    WhichUnit,
    WrongKind,
    WrongPhase,
)
from judge.language.grammar import Draft, PlacePhrase, UnitPhrase
from judge.language.vocabulary import EXACT, MISSPELT, SHORTENED, PlaceSense
from judge.rules import (
    BadNotation,
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Phase,
    Position,
    Retreat,
    Step,
    SupportHold,
    SupportMove,
    Unit,
    UnitOrder,
    Variant,
    Waive,
    read_order,
    why_illegal,
    write_order,
)

VERBS_OF = {
    Step.MOVEMENT: frozenset({"hold", "move", "support", "convoy"}),
    Step.RETREAT: frozenset({"move", "retreat", "disband"}),
    Step.ADJUSTMENT: frozenset({"build", "disband", "waive"}),
}
"""What can be ordered in each step."""

IMPOSSIBLE, ON_BOARD, STANDS, OWN = 0, 1, 2, 3
"""How well an order fits: not on this board; on the board; the units stand there; and the unit is the player's own."""


@dataclass(frozen=True)
class Scene:
    """Where orders are read: the variant, and if known the position, whose orders they are, and the phase."""

    variant: Variant
    position: Position | None = None
    power: Power = ""
    phase: Phase | None = None

    @property
    def board(self) -> Board:
        """The board of the variant."""
        return self.variant.board

    @property
    def step(self) -> Step | None:
        """The step of the phase, if known."""
        return self.phase.step if self.phase else None

    @cached_property
    def standing(self) -> dict[str, tuple[Power, Unit]]:
        """Who stands in each province."""
        units = self.position.units if self.position else {}
        return {unit.at.province: (power, unit) for power, listed in units.items() for unit in listed}

    @cached_property
    def acting(self) -> dict[str, tuple[Power, Unit]]:
        """Units that may be ordered in this phase, by province: the dislodged in a retreat phase."""
        if self.position is None or self.step is not Step.RETREAT:
            return self.standing
        return {fallen.unit.at.province: (fallen.power, fallen.unit) for fallen in self.position.dislodged}

    @cached_property
    def kinds_at(self) -> dict[str, tuple[str, ...]]:
        """Letters of the kinds of unit that can stand in each province."""
        reach: dict[str, list[str]] = {}
        for letter, table in self.board.passages.items():
            for at in table:
                if letter not in reach.setdefault(at.province, []):
                    reach[at.province].append(letter)
        return {province: tuple(kinds) for province, kinds in reach.items()}

    @cached_property
    def coastal_kinds(self) -> frozenset[tuple[str, str]]:
        """(kind, province) where that kind stands on a coast, not in the province as a whole."""
        return frozenset((letter, at.province) for letter, table in self.board.passages.items() for at in table if at.coast)

    def stops(self, kind: str, province: str) -> tuple[Location, ...]:
        """Where a unit of that kind can stand in a province."""
        if (kind, province) in self.coastal_kinds:
            return tuple(Location(f"{province}/{coast}") for coast in self.board.provinces[province].coasts)
        return (Location(province),) if kind in self.kinds_at.get(province, ()) else ()


@dataclass(frozen=True, slots=True)
class Pick:
    """How one name was settled: its text, the place taken, all it can mean, and how the rest is settled ("", ambiguous, custom)."""

    text: str
    taken: str
    all: tuple[str, ...]
    shared: str
    found: int
    repaired: str
    weak: bool


@dataclass(frozen=True, slots=True)
class Reading:
    """One order a draft can be: how it fits (`level`), what was repaired (`notes`), how its names were settled (`picks`)."""

    order: Order
    power: Power
    level: int
    notes: tuple[Warned, ...]
    picks: tuple[Pick, ...]
    filled: bool = False
    owner: Power = ""
    """Whose the ordered unit is, as far as the position tells."""
    far: bool = False
    """Whether it can only be done over the sea."""
    count: int = 1
    """How often it is given: "waive 2"."""

    @property
    def tier(self) -> int:
        """The least sure way in which one of its names was found."""
        return max((pick.found for pick in self.picks), default=EXACT)

    @property
    def weak(self) -> tuple[Pick, ...]:
        """Names that are short forms of one language only."""
        return tuple(pick for pick in self.picks if pick.weak)


@dataclass(frozen=True, slots=True)
class Settled:
    """What became of one order of a line: its reading, or why there is none; other orders it may have meant."""

    reading: Reading | None = None
    error: BadLine | None = None
    suggestions: tuple[Order, ...] = ()


# --- the judge's own notation ----------------------------------------------------------------------------------------------

_PLACE = r"[A-Z0-9]+(?:-[0-9]+)?(?:/[A-Z]{2})?"
_CANONICAL = re.compile(rf"[A-Z] {_PLACE}(?: [HD]| (?:-|R) {_PLACE}(?: VIA)?| [SC] [A-Z] {_PLACE}(?: - {_PLACE})?)")


def plain_order(text: str, scene: Scene) -> UnitOrder | None:
    """An order in canonical notation, if nothing about it wants a second look: the right step, units that stand there, known coasts.

    Everything else is left to the grammar, which knows what to say about it; so is what no code of the board is.
    """
    if not _CANONICAL.fullmatch(text):
        return None
    try:
        order = read_order(text, scene.board)
    except BadNotation:
        return None
    match order:
        case Hold(unit):
            return _in_step(Hold(_there(unit, scene.acting, scene)), scene)
        case Disband(unit):
            return _in_step(Disband(_there(unit, scene.acting, scene)), scene)
        case Move(unit, to, via) if not via or scene.board.kinds[unit.kind].convoyed:
            actor = _there(unit, scene.acting, scene)
            return _in_step(Retreat(actor, to) if scene.step is Step.RETREAT else Move(actor, to, via), scene)
        case Retreat(unit, to):
            return _in_step(Retreat(_there(unit, scene.acting, scene), to), scene)
        case SupportHold(unit, of):
            return _in_step(SupportHold(_there(unit, scene.acting, scene), _there(of, scene.standing, scene)), scene)
        case SupportMove(unit, of, to):
            return _in_step(SupportMove(_there(unit, scene.acting, scene), _there(of, scene.standing, scene), to), scene)
        case Convoy(unit, of, to):
            return _in_step(Convoy(_there(unit, scene.acting, scene), _there(of, scene.standing, scene), to), scene)
    return None


NOBODY = Unit("", Location(""))
"""Stands for a unit that wants a second look."""


def _there(unit: Unit, there: Mapping[str, tuple[Power, Unit]], scene: Scene) -> Unit:
    """The unit as it stands in the position; `NOBODY` if it does not stand there so."""
    coastal = (unit.kind, unit.at.province) in scene.coastal_kinds
    if scene.position is None:
        return unit if coastal or not unit.at.coast else NOBODY
    _, standing = there.get(unit.at.province, ("", NOBODY))
    return standing if standing.kind == unit.kind and unit.at.coast in ("", standing.at.coast) else NOBODY


def _in_step(order: UnitOrder, scene: Scene) -> UnitOrder | None:
    """The order, if its units stand, its target's coast means something, and it belongs to the phase."""
    mover = order.of if isinstance(order, SupportHold | SupportMove | Convoy) else order.unit
    if NOBODY in (order.unit, mover):
        return None
    to = getattr(order, "to", None)
    if to is not None and to.coast and (mover.kind, to.province) not in scene.coastal_kinds:
        return None
    verb = _VERB[type(order)]
    return order if scene.step is None or verb in VERBS_OF[scene.step] else None


_VERB = {
    Hold: "hold",
    Move: "move",
    SupportHold: "support",
    SupportMove: "support",
    Convoy: "convoy",
    Retreat: "retreat",
    Disband: "disband",
}


# --- drafts to readings ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _UnitAt:
    unit: Unit
    pick: Pick
    notes: tuple[Warned, ...]
    filled: bool
    owner: Power
    stands: bool


@dataclass
class _Trouble:
    """Why a draft gave no reading; the first that fits is told."""

    errors: list[BadLine] = field(default_factory=list)

    def add(self, error: BadLine) -> None:
        self.errors.append(error)


def _pick(phrase: PlacePhrase, sense: PlaceSense) -> Pick:
    everything = tuple(each.place for each in phrase.senses)
    return Pick(phrase.text, sense.place, everything, sense.shared, sense.found, phrase.sense.repaired, sense.weak)


def _units_at(phrase: UnitPhrase, scene: Scene, acting: bool, trouble: _Trouble) -> Iterator[_UnitAt]:
    """Every unit a phrase can mean; `acting` if it is the one that is ordered."""
    there = scene.acting if acting else scene.standing
    for sense in phrase.place.senses:
        province = sense.place
        owner, standing = there.get(province, ("", None))
        if phrase.kind:
            kinds: tuple[str, ...] = (phrase.kind,)
        elif standing is not None:
            kinds = (standing.kind,)
        elif scene.position is not None:
            trouble.add(NoUnitThere(province))
            continue
        else:
            kinds = scene.kinds_at.get(province, ())
        for kind in kinds:
            yield _unit_at(phrase, scene, sense, kind, standing if standing and standing.kind == kind else None, owner)


def _unit_at(phrase: UnitPhrase, scene: Scene, sense: PlaceSense, kind: str, standing: Unit | None, owner: Power) -> _UnitAt:
    coast = phrase.place.coast
    found: list[Warned] = []
    if standing is not None:
        unit = standing
        if coast and standing.at.coast and standing.at.coast != coast:
            found.append(CoastCorrected(standing))
        elif coast and not standing.at.coast:
            found.append(CoastIgnored(sense.place, coast))
    elif coast and (kind, sense.place) in scene.coastal_kinds:
        unit = Unit(kind, Location(f"{sense.place}/{coast}"))
    else:
        unit = Unit(kind, Location(sense.place))
        if coast:
            found.append(CoastIgnored(sense.place, coast))
    if not phrase.kind:
        found.append(UnitFilled(unit))
    if phrase.power and standing is not None and owner and phrase.power != owner:
        found.append(OwnerDiffers(unit, phrase.power, owner))
    return _UnitAt(unit, _pick(phrase.place, sense), tuple(found), not phrase.kind, owner, standing is not None)


def _target(phrase: PlacePhrase, sense: PlaceSense, kind: str, scene: Scene) -> tuple[Location, tuple[Warned, ...]]:
    if not phrase.coast:
        return Location(sense.place), ()
    if (kind, sense.place) in scene.coastal_kinds:
        return Location(f"{sense.place}/{phrase.coast}"), ()
    return Location(sense.place), (CoastIgnored(sense.place, phrase.coast),)


def readings_of(draft: Draft, scene: Scene) -> tuple[list[Reading], list[BadLine]]:
    """Every order a draft can be in this scene; and, if there is none, why."""
    trouble = _Trouble()
    for phrase in (draft.unit and draft.unit.place, draft.of and draft.of.place, *draft.targets):
        if phrase and phrase.coast and not any(phrase.coast in scene.board.provinces[each.place].coasts for each in phrase.senses):
            named = scene.board.provinces[phrase.senses[0].place]
            if scene.board.provinces[named.id].coasts:
                trouble.add(UnknownCoast(named.id, phrase.coast, named.coasts))
                return [], trouble.errors
    if draft.verb == "waive":
        return [Reading(Waive(), draft.power, OWN, (), (), count=draft.count)], []
    assert draft.unit is not None
    found: list[Reading] = []
    if draft.verb == "build":
        found = list(_builds(draft, scene))
    elif draft.verb == "unit":
        found = list(_bare(draft, scene, trouble))
    else:
        for actor in _units_at(draft.unit, scene, True, trouble):
            found += _readings(draft, actor, scene, trouble)
    return found, trouble.errors


def _reading(
    draft: Draft, actor: _UnitAt, order: Order, scene: Scene, rest: Iterable[_UnitAt | tuple[Pick, tuple[Warned, ...]]] = ()
) -> Reading:
    notes, picks, filled, fits = list(actor.notes), [actor.pick], actor.filled, actor.stands
    for each in rest:
        if isinstance(each, _UnitAt):
            notes += each.notes
            picks.append(each.pick)
            filled = filled or each.filled
            fits = fits and each.stands
        else:
            picks.append(each[0])
            notes += each[1]
    if not is_possible(order, scene):
        level = IMPOSSIBLE
    elif scene.position is None or not actor.stands:
        level = ON_BOARD
    elif not fits or (scene.power and actor.owner != scene.power):
        level = STANDS
    else:
        level = OWN
    far = isinstance(order, Move) and not order.via and not _can_go(order.unit, order.to, scene, by_sea=False)
    return Reading(order, draft.power, level, tuple(notes), tuple(picks), filled, actor.owner, far)


def _readings(draft: Draft, actor: _UnitAt, scene: Scene, trouble: _Trouble) -> Iterator[Reading]:
    unit = actor.unit
    if draft.verb == "hold":
        yield _reading(draft, actor, Hold(unit), scene)
    elif draft.verb == "disband":
        yield _reading(draft, actor, Disband(unit), scene)
    elif draft.verb in ("move", "retreat"):
        target = draft.targets[-1]
        route = len(draft.targets) > 1
        if route and not (scene.board.kinds[unit.kind].convoyed and _is_seaway(draft.targets[:-1], scene)):
            trouble.add(Unreadable(" ".join(step.text for step in draft.targets)))
            return
        for sense in target.senses:
            to, notes = _target(target, sense, unit.kind, scene)
            retreats = draft.verb == "retreat" or scene.step is Step.RETREAT
            conveyed = (draft.via or route) and scene.board.kinds[unit.kind].convoyed
            order: Order = Retreat(unit, to) if retreats else Move(unit, to, conveyed)
            if draft.via and not conveyed:
                notes = (*notes, Ignored("VIA"))
            picks = [(_pick(step, each), ()) for step in draft.targets[:-1] for each in step.senses[:1]]
            yield _reading(draft, actor, order, scene, [*picks, (_pick(target, sense), notes)])
    else:
        assert draft.of is not None
        for of in _units_at(draft.of, scene, False, trouble):
            if not draft.targets:
                yield _reading(draft, actor, SupportHold(unit, of.unit), scene, [of])
                continue
            target = draft.targets[-1]
            if len(draft.targets) > 1 and not (scene.board.kinds[of.unit.kind].convoyed and _is_seaway(draft.targets[:-1], scene)):
                trouble.add(Unreadable(" ".join(step.text for step in draft.targets)))
                continue
            for sense in target.senses:
                to, notes = _target(target, sense, of.unit.kind, scene)
                carried: Order = SupportMove(unit, of.unit, to) if draft.verb == "support" else Convoy(unit, of.unit, to)
                yield _reading(draft, actor, carried, scene, [of, (_pick(target, sense), notes)])


def _is_seaway(steps: Iterable[PlacePhrase], scene: Scene) -> bool:
    """Whether a route that is written out leads over places where fleets can convoy."""
    return all(any(_is_afloat(sense.place, scene) for sense in step.senses) for step in steps)


def _is_afloat(province: str, scene: Scene) -> bool:
    return scene.board.provinces[province].terrain == "sea" or province in scene.board.convoy_coasts


def _builds(draft: Draft, scene: Scene) -> Iterator[Reading]:
    assert draft.unit is not None
    for sense in draft.unit.place.senses:
        for kind in (draft.unit.kind,) if draft.unit.kind else scene.kinds_at.get(sense.place, ()):
            actor = _unit_at(draft.unit, scene, sense, kind, None, "")
            reading = _reading(draft, actor, Build(actor.unit), scene)
            home = scene.board.provinces[sense.place].is_centre and sense.place not in scene.standing
            yield replace(reading, level=OWN if home and reading.level else reading.level)


def _bare(draft: Draft, scene: Scene, trouble: _Trouble) -> Iterator[Reading]:
    """A unit and nothing else: in an adjustment phase whose position tells what is due, a build or a removal."""
    assert draft.unit is not None
    if scene.step is not Step.ADJUSTMENT or scene.position is None or not scene.power:
        trouble.add(Incomplete(draft.unit.place.text))
        return
    owned = sum(1 for owner in scene.position.owners.values() if owner == scene.power)
    due = owned - len(scene.position.units.get(scene.power, ()))
    if due > 0:
        for reading in _builds(draft, scene):
            yield replace(reading, notes=(*reading.notes, Assumed(reading.order)))
    elif due < 0:
        for actor in _units_at(draft.unit, scene, True, trouble):
            reading = _reading(draft, actor, Disband(actor.unit), scene)
            yield replace(reading, notes=(*reading.notes, Assumed(reading.order)))
    else:
        trouble.add(Incomplete(draft.unit.place.text))


# --- is it possible? -------------------------------------------------------------------------------------------------------


def is_possible(order: Order, scene: Scene) -> bool:
    """Whether the board allows an order, whatever stands where; a fleet may leave its coast, or the target's, unnamed."""
    match order:
        case Waive():
            return True
        case Hold(unit) | Disband(unit) | Build(unit):
            return _can_stand(unit, scene)
        case Move(unit, to, _):
            return _can_go(unit, to, scene, by_sea=True)
        case Retreat(unit, to):
            return _can_go(unit, to, scene, by_sea=False) and _is_open(unit, to, scene)
        case SupportHold(unit, of):
            return _can_stand(of, scene) and _touches(unit, of.at.province, scene)
        case SupportMove(unit, of, to):
            return of.at.province != unit.at.province and _touches(unit, to.province, scene) and _can_go(of, to, scene, by_sea=True)
        case Convoy(unit, of, to):
            return _carries(unit, scene) and _by_sea(of, to, scene)


def _froms(unit: Unit, scene: Scene) -> tuple[Location, ...]:
    return (unit.at,) if unit.at.coast else scene.stops(unit.kind, unit.at.province)


def _can_stand(unit: Unit, scene: Scene) -> bool:
    return unit.at.province in scene.board.provinces and bool(_froms(unit, scene))


def _touches(unit: Unit, province: str, scene: Scene) -> bool:
    return unit.at.province != province and any(scene.board.touches(unit.kind, at, province) for at in _froms(unit, scene))


def _can_go(unit: Unit, to: Location, scene: Scene, by_sea: bool) -> bool:
    if to.coast and scene.stops(unit.kind, to.province):
        near = any(to in scene.board.neighbours(unit.kind, at) for at in _froms(unit, scene))
    else:
        near = _touches(unit, to.province, scene)
    return near or (by_sea and _by_sea(unit, to, scene))


def _by_sea(unit: Unit, to: Location, scene: Scene) -> bool:
    """Whether a unit could be carried, some fleets given: both ends must lie at the sea."""
    if not scene.board.kinds[unit.kind].convoyed or unit.at.province == to.province:
        return False
    carriers = [letter for letter, kind in scene.board.kinds.items() if kind.convoys]
    ends = (unit.at.province, to.province)
    return all(
        unit.kind in scene.kinds_at.get(province, ()) and any(letter in scene.kinds_at.get(province, ()) for letter in carriers)
        for province in ends
    )


def _carries(unit: Unit, scene: Scene) -> bool:
    return scene.board.kinds[unit.kind].convoys and _is_afloat(unit.at.province, scene)


def _is_open(unit: Unit, to: Location, scene: Scene) -> bool:
    if scene.position is None:
        return True
    fallen = next((each for each in scene.position.dislodged if each.unit == unit), None)
    return fallen is None or any(place.province == to.province for place in fallen.retreats)


# --- which of them? --------------------------------------------------------------------------------------------------------


def settle(drafts: Iterable[Draft], scene: Scene) -> Settled:
    """The one order that drafts mean, or why none can be taken."""
    drafts = list(drafts)
    step = scene.step
    bare = [draft for draft in drafts if draft.verb == "unit"]
    whole = [draft for draft in drafts if draft.verb != "unit"]
    fitting = [draft for draft in whole if step is None or draft.verb in VERBS_OF[step]]
    readings, errors = _all_readings(fitting or whole or bare, scene)
    if not readings:
        return Settled(error=errors[0] if errors else Incomplete(drafts[0].unit.place.text if drafts and drafts[0].unit else ""))
    settled = _choose(readings, scene)
    if settled.reading is not None and not fitting and whole and scene.phase is not None:
        return Settled(error=WrongPhase(settled.reading.order, scene.phase), suggestions=_in_this_step(settled.reading.order, scene))
    return settled


def _all_readings(drafts: Iterable[Draft], scene: Scene) -> tuple[list[Reading], list[BadLine]]:
    readings: list[Reading] = []
    errors: list[BadLine] = []
    for draft in drafts:
        found, wrong = readings_of(draft, scene)
        readings += found
        errors += wrong
    return readings, errors


def _in_this_step(order: Order, scene: Scene) -> tuple[Order, ...]:
    match order, scene.step:
        case (Retreat(unit, to), Step.MOVEMENT):
            return (Move(unit, to),)
        case _:
            return ()


def _choose(readings: list[Reading], scene: Scene) -> Settled:
    """One reading out of several: the surest names first, then what fits the position best; a tie is asked back."""
    sure = min(reading.tier for reading in readings)
    surest = _distinct([reading for reading in readings if reading.tier == sure])
    level = max(reading.level for reading in surest)
    best = [reading for reading in surest if reading.level == level]
    others = tuple(reading.order for reading in best)
    if len(best) > 1:
        best = _by_custom(_legal(best, scene))
    if len(best) > 1:
        return Settled(error=_tie(best), suggestions=others)
    if sure == MISSPELT and level < ON_BOARD:
        return Settled(error=None, suggestions=others)
    chosen = best[0]
    return Settled(replace(chosen, notes=(*chosen.notes, *_told(chosen, surest))))


def _distinct(readings: list[Reading]) -> list[Reading]:
    """One reading for each order: the one with the fewest repairs, and of those the best fitting."""
    best: dict[str, Reading] = {}
    for reading in readings:
        key = write_order(reading.order)
        old = best.get(key)
        if old is None or (-reading.level, len(reading.notes)) < (-old.level, len(old.notes)):
            best[key] = reading
    return list(best.values())


def _legal(readings: list[Reading], scene: Scene) -> list[Reading]:
    """Readings that the rules allow in the position (an army goes over sea only where fleets could carry it); all if none is."""
    if scene.position is None or scene.phase is None or scene.position.phase.step is not scene.phase.step:
        return readings
    kept = []
    for reading in readings:
        owner = scene.power or reading.owner
        if owner and not isinstance(reading.order, Waive) and why_illegal(reading.order, owner, scene.position, scene.variant) is None:
            kept.append(reading)
    return kept or readings


def _by_custom(readings: list[Reading]) -> list[Reading]:
    """Readings whose names mean what custom says; all of them where custom says nothing, or what only another's neighbour could do."""
    kept = [reading for reading in readings if all(pick.shared != "custom" or pick.taken == pick.all[0] for pick in reading.picks)]
    if all(reading.far for reading in kept) and any(not reading.far for reading in readings):
        return readings
    return kept


def _tie(readings: list[Reading]) -> BadLine:
    """What to ask: which unit, which place, or which order."""
    if all(reading.filled for reading in readings):
        units = [note.unit for reading in readings for note in reading.notes if isinstance(note, UnitFilled)]
        if len({unit.at.province for unit in units}) == 1:
            return WhichUnit(units[0].at.province, tuple(dict.fromkeys(unit.kind for unit in units)))
    for index in range(min(len(reading.picks) for reading in readings)):
        taken = tuple(dict.fromkeys(reading.picks[index].taken for reading in readings))
        if len(taken) > 1 and len({reading.picks[index].text for reading in readings}) == 1:
            return AmbiguousPlace(readings[0].picks[index].text, taken)
    units = [unit for reading in readings if (unit := getattr(reading.order, "unit", None)) is not None]
    if len({(unit.at.province) for unit in units}) == 1 and len({unit.kind for unit in units}) > 1:
        return WhichUnit(units[0].at.province, tuple(dict.fromkeys(unit.kind for unit in units)))
    return AmbiguousOrder(tuple(reading.order for reading in readings))


def _told(reading: Reading, rivals: list[Reading]) -> Iterator[Warned]:
    """What a player must be told about how the names were settled."""
    for pick in dict.fromkeys(reading.picks):
        others = tuple(place for place in dict.fromkeys(pick.all) if place != pick.taken)
        if pick.found == MISSPELT:
            yield Misspelt(pick.text, pick.taken)
        elif pick.repaired:
            yield LookAlike(pick.text, pick.taken)
        elif pick.found == SHORTENED and not others:
            yield Shortened(pick.text, pick.taken)
        if others and pick.found != MISSPELT:
            clear = pick.shared == "custom" and any(r.level == reading.level and r is not reading for r in rivals)
            yield Custom(pick.text, pick.taken, others) if clear else Decided(pick.text, pick.taken, others)


def wrong_kinds(order: Order, scene: Scene) -> Iterator[WrongKind]:
    """Units an order names that stand there as another kind."""
    if scene.position is None or isinstance(order, Waive | Build):
        return
    named = [(order.unit, scene.acting)]
    if isinstance(order, SupportHold | SupportMove | Convoy):
        named.append((order.of, scene.standing))
    for unit, there in named:
        _, standing = there.get(unit.at.province, ("", None))
        if standing is not None and standing.kind != unit.kind:
            yield WrongKind(unit, standing)
