"""What drafts mean on the board and in the position: orders, each with how sure it is and what had to be repaired."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from judge.board import Location, Power
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
from judge.language.drafts import Draft, PlacePhrase, UnitPhrase
from judge.language.scene import IMPOSSIBLE, ON_BOARD, OWN, STANDS, VERBS_OF, Scene, can_go, is_afloat, is_possible
from judge.language.vocabulary import EXACT, MISSPELT, SHORTENED, PlaceSense
from judge.rules import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    Step,
    SupportHold,
    SupportMove,
    Unit,
    Waive,
    why_illegal,
    write_order,
)


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
    far = isinstance(order, Move) and not order.via and not can_go(order.unit, order.to, scene, by_sea=False)
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
    return all(any(is_afloat(sense.place, scene) for sense in step.senses) for step in steps)


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
    told = tuple(_told(chosen, surest))
    return Settled(replace(chosen, notes=(*chosen.notes, *told)) if told else chosen)


def _distinct(readings: list[Reading]) -> list[Reading]:
    """One reading for each order: the one with the fewest repairs, and of those the best fitting."""
    if len(readings) < 2:
        return readings
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
