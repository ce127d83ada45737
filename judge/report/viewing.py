"""Facts to views: what one reader may see, spelled in that reader's language and notation."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from judge.board import Location, Power
from judge.errors import PlayerError
from judge.game import (
    Answer,
    Cleared,
    Ending,
    Filed,
    GameRow,
    GameView,
    Item,
    NotAllowed,
    NotFiled,
    NotRunning,
    Person,
    PersonId,
    PressNotAllowed,
    PressSent,
    Seated,
    Settings,
    SettingSet,
    Status,
    TooMany,
    Turn,
    WaitSet,
    WhichGame,
)
from judge.language import FAILURES, Pen, fold
from judge.report import views
from judge.report.filters import local_time, span
from judge.rules import (
    Build,
    Disband,
    Dislodgement,
    Duty,
    Hold,
    Order,
    Outcome,
    Phase,
    Position,
    Retreat,
    Step,
    SupportMove,
    Unit,
    Variant,
    Verdict,
    Waive,
    Why,
    read_unit,
)

LONGEST_LINE = 100
"""Characters of a player's line that are quoted back."""

MOST_LINES = 60
"""Lines of a mail that a transcript shows; further good ones are counted in the state, further bad ones are counted."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")


def one_line(text: str, most: int = LONGEST_LINE) -> str:
    """A player's line fit to be quoted: no control signs, one space for several, cut if it is long.

    >>> one_line("A Par -\\tBur\\r\\n")
    'A Par - Bur'
    """
    clean = " ".join(_CONTROL.sub(" ", text).split())
    return clean if len(clean) <= most else clean[: most - 1].rstrip() + "…"


@dataclass(frozen=True, slots=True)
class Viewer:
    """Makes views with one pen, for a board, with the names of the people that may be shown."""

    pen: Pen
    variant: Variant
    people: Mapping[PersonId, Person]
    title: str
    """Title of the variant."""

    # ---- heads

    def head(self, view: GameView) -> views.GameHead:
        """The game, as it stands."""
        running = view.status is Status.RUNNING and view.deadline is not None
        return views.GameHead(
            name=view.name,
            title=one_line(view.settings.title),
            variant=self.title,
            phase=self.pen.phase(view.position.phase),
            code=str(view.position.phase),
            status=view.status,
            deadline=view.deadline.at if running and view.deadline else None,
        )

    def reader(self, view: GameView, person: Person | None, zone: str) -> views.ReaderHead:
        """Whom the letter goes to."""
        name = one_line(person.name) if person else ""
        return views.ReaderHead(view.reader.kind, self.pen.power(view.power) if view.power else "", name, zone)

    # ---- what has to be done

    def duty(self, view: GameView, turn: Turn | None = None, link: str = "") -> views.Duty:
        """What the reader must order in the open phase; `turn` tells who helped to dislodge."""
        duty = view.duty
        if duty is None or view.status is not Status.RUNNING:
            return views.Duty("none")
        step = view.position.phase.step
        if step is Step.MOVEMENT:
            return self._movement_duty(duty, view, link)
        if step is Step.RETREAT:
            return self._retreat_duty(view, turn, link)
        return self._adjustment_duty(duty, link)

    def _movement_duty(self, duty: Duty, view: GameView, link: str) -> views.Duty:
        """The form holds what is on file, and for the other units that they hold."""
        units = tuple(self.pen.unit(unit) for unit in duty.units)
        filed = {each.order.unit: each.order for each in view.own_orders if not isinstance(each.order, Waive)}
        form = tuple(self.pen.order(filed.get(unit, Hold(unit))) for unit in duty.units)
        return views.Duty("movement", len(units), units, form=form, link=link)

    def _retreat_duty(self, view: GameView, turn: Turn | None, link: str) -> views.Duty:
        fallen = tuple(
            self._retreating(each, view.position, turn) for each in view.position.dislodged if each.power == view.power and each.retreats
        )
        form = tuple(f"# {line}" for each in fallen for line in each.lines)
        return views.Duty("retreats", len(fallen), tuple(each.unit for each in fallen), retreating=fallen, form=form, link=link)

    def _retreating(self, fallen: Dislodgement, position: Position, turn: Turn | None) -> views.Retreating:
        by, by_power = self._attacker(fallen, position)
        places = tuple(self.pen.place(place) for place in fallen.retreats)
        lines = (*(self.pen.order(Retreat(fallen.unit, place)) for place in fallen.retreats), self.pen.order(Disband(fallen.unit)))
        return views.Retreating(self.pen.unit(fallen.unit), by, by_power, self._helpers(fallen, turn), places, lines)

    def _attacker(self, fallen: Dislodgement, position: Position) -> tuple[str, str]:
        """The unit that drove `fallen` out, as it stood before, and its power: it stands in the place now."""
        by = self.pen.unit(read_unit(fallen.dislodged_by)) if fallen.dislodged_by else "?"
        province = fallen.unit.at.province
        owner = next((power for power, units in position.units.items() if any(unit.at.province == province for unit in units)), "")
        return by, self.pen.power(owner) if owner else ""

    def _helpers(self, fallen: Dislodgement, turn: Turn | None) -> tuple[str, ...]:
        """The units whose support of the attack counted."""
        if turn is None:
            return ()
        return tuple(
            self.pen.unit(outcome.order.unit)
            for outcome in turn.adjudication.outcomes
            if isinstance(outcome.order, SupportMove)
            and outcome.verdict is Verdict.SUPPORTS
            and outcome.order.to.province == fallen.unit.at.province
            and str(outcome.order.of) == fallen.dislodged_by
        )

    def _adjustment_duty(self, duty: Duty, link: str) -> views.Duty:
        if duty.builds:
            kinds = self.variant.board.kinds.values()
            orders = tuple(
                self.pen.order(Build(Unit(kind.letter, site)))
                for site in duty.sites
                for kind in kinds
                if self._may_stand(kind.letter, site)
            )
            sites = tuple(dict.fromkeys(self.pen.place(Location(site.province)) for site in duty.sites))
            return views.Duty("builds", duty.builds, sites=sites, form=tuple(f"# {order}" for order in orders), link=link)
        units = tuple(self.pen.unit(unit) for unit in duty.units)
        form = tuple(f"# {self.pen.order(Disband(unit))}" for unit in duty.units)
        return views.Duty("removals", duty.removals, units, form=form, link=link)

    def _may_stand(self, kind: str, site: Location) -> bool:
        return site in self.variant.board.passages[kind]

    # ---- a closed phase

    def closed(self, turn: Turn) -> views.ClosedPhase:
        """A phase that was resolved, for all readers alike."""
        done = turn.adjudication
        by_power: dict[Power, list[views.OrderLine]] = {}
        for outcome in done.outcomes:
            by_power.setdefault(outcome.power, []).append(self.order_line(outcome))
        counted = done.after.owners != turn.before.owners
        return views.ClosedPhase(
            phase=self.pen.phase(turn.phase),
            code=str(turn.phase),
            step=turn.phase.step,
            powers=tuple(views.PowerOrders(self.pen.power(power), tuple(lines)) for power, lines in by_power.items()),
            dislodged=tuple(self._dislodged(each, done.after) for each in done.dislodged),
            destroyed=tuple(f"{self.pen.unit(unit)} ({self.pen.power(power)})" for power, unit in done.destroyed),
            changes=self._changes(turn.before.owners, done.after.owners),
            counted=counted or self._counts_after(turn.phase, done.after.phase),
            refused=tuple(
                f"{refused.text if isinstance(refused.order, str) else self.pen.order(refused.order)} ({self.pen.power(refused.power)}): "
                f"{self.pen.phrases.say(f'refused.{refused.code}')}"
                for refused in done.refused
            ),
        )

    def _counts_after(self, phase: Phase, following: Phase) -> bool:
        """Whether centres were counted between a phase and the one that followed it."""
        counted_in = self.variant.calendar.counts_after
        at = phase
        for _ in range(len(self.variant.calendar.round)):
            if (at.season, at.step) == counted_in:
                return True
            at = self.variant.calendar.next(at)
            if at == following:
                return False
        return False

    def order_line(self, outcome: Outcome, own: Power = "") -> views.OrderLine:
        """One order with its fate; `own` names the reader's power, so that others are told by name."""
        return views.OrderLine(
            order=self.pen.order(outcome.order),
            outcome=self.pen.verdict(outcome.verdict),
            reasons=self.pen.reasons(outcome, own),
            failed=outcome.verdict in FAILURES,
            dislodged=outcome.dislodged,
            given=outcome.given or outcome.why.code == "civil_disorder",
        )

    def _dislodged(self, fallen: Dislodgement, after: Position) -> views.Dislodged:
        by, by_power = self._attacker(fallen, after)
        places = tuple(self.pen.place(place) for place in fallen.retreats)
        return views.Dislodged(self.pen.power(fallen.power), self.pen.unit(fallen.unit), by, by_power, places)

    def _changes(self, before: Mapping[str, Power], after: Mapping[str, Power]) -> tuple[views.OwnerChange, ...]:
        return tuple(
            views.OwnerChange(self.pen.place(Location(centre)), self._owner(before.get(centre, "")), self._owner(after.get(centre, "")))
            for centre in sorted({*before, *after})
            if before.get(centre, "") != after.get(centre, "")
        )

    def _owner(self, power: Power) -> str:
        return self.pen.power(power) if power else ""

    def holdings(self, after: Position, before: Mapping[str, Power] | None = None) -> tuple[views.Holdings, ...]:
        """Every power's units and centres; changes against the owners `before`."""
        rows = []
        for power in self.variant.powers:
            centres = sorted(centre for centre, owner in after.owners.items() if owner == power)
            was = len(centres) if before is None else sum(owner == power for owner in before.values())
            units = (*after.units.get(power, ()), *(each.unit for each in after.dislodged if each.power == power))
            rows.append(
                views.Holdings(
                    power=self.pen.power(power),
                    units=tuple(self.pen.unit(unit) for unit in units),
                    centres=tuple(self.pen.place(Location(centre)) for centre in centres),
                    count=len(centres),
                    change=len(centres) - was,
                    due=len(centres) - len(units),
                )
            )
        return tuple(rows)

    def common(self, turns: Sequence[Turn]) -> views.CommonResult:
        """The part of a result that all readers of one language and notation share."""
        after = turns[-1].adjudication.after
        return views.CommonResult(
            tuple(self.closed(turn) for turn in turns), self.holdings(after, turns[0].before.owners), self.variant.victory
        )

    def own_lines(self, turns: Sequence[Turn], power: Power) -> tuple[views.OrderLine, ...]:
        """What became of the reader's own orders."""
        if not power:
            return ()
        return tuple(self.order_line(each, power) for turn in turns for each in turn.adjudication.outcomes if each.power == power)

    def lost(self, turns: Sequence[Turn], power: Power) -> tuple[views.Dislodged, ...]:
        """The reader's units that were driven out and had no place to go."""
        return tuple(
            self._dislodged(each, turn.adjudication.after)
            for turn in turns
            for each in turn.adjudication.dislodged
            if power and each.power == power and not each.retreats
        )

    # ---- the state of a game

    def seats(self, view: GameView) -> tuple[views.SeatRow, ...]:
        """The seats as the reader may know them."""
        return tuple(
            views.SeatRow(
                self.pen.power(seat.power), seat.taken, self._name(seat.person), bool(view.power) and seat.power == view.power, seat.state
            )
            for seat in view.seats
        )

    def _name(self, person: PersonId | None) -> str:
        known = self.people.get(person) if person is not None else None
        return one_line(known.name) if known else ""

    def state(self, view: GameView, person: Person | None, zone: str, link: str = "", with_board: bool = False) -> views.GameState:
        """Where the game stands, with the reader's own orders in full."""
        return views.GameState(
            game=self.head(view),
            reader=self.reader(view, person, zone),
            duty=self.duty(view, link=link),
            in_force=tuple(self.pen.order(filed.order) for filed in view.own_orders),
            missing=tuple(self.pen.unit(unit) for unit in view.missing),
            filed_at=max((filed.at for filed in view.own_orders), default=None),
            state=view.own_state,
            waits=view.waits,
            early=view.settings.early,
            seats=self.seats(view),
            masters=tuple(name for master in view.masters if (name := self._name(master))),
            free=sum(not seat.taken for seat in view.seats),
            board=self.holdings(view.position) if with_board else (),
        )

    def rules(self, settings: Settings) -> views.RulesOfGame:
        """What was agreed for a game."""
        timing = settings.timing
        return views.RulesOfGame(
            timing.movement,
            timing.retreat,
            timing.adjustment,
            settings.press,
            settings.nmr,
            settings.early,
            settings.gunboat,
            settings.assignment == "lot",
            settings.zone,
        )

    def ending(self, ending: Ending) -> views.EndingView:
        """How the game ended."""
        return views.EndingView(ending.kind, tuple(self.pen.power(power) for power in ending.powers), ending.at)

    def listed_game(self, row: GameRow, title: str) -> views.ListedGame:
        """One game of the list."""
        return views.ListedGame(
            row.name,
            one_line(row.title),
            title,
            row.status,
            self.pen.phase(row.phase),
            row.deadline if row.status == Status.RUNNING else None,
            row.free,
            row.powers,
        )

    # ---- transcripts

    def transcript(self, item: Item) -> views.TranscriptLine:
        """One line of a mail with what became of it."""
        alone = len(item.outcomes) == 1
        outcomes = tuple(self.outcome(each, item.line if alone else "") for each in item.outcomes)
        remarks = tuple(self.remark(each) for each in item.remarks)
        return views.TranscriptLine(one_line(item.line), outcomes, remarks)

    def outcome(self, outcome: Answer | PlayerError, line: str = "") -> views.Outcome:
        """What became of one line, as a sentence; `line` is what the person wrote, "" where it held several orders."""
        if isinstance(outcome, PlayerError):
            return self._refusal(outcome)
        return self._answer(outcome, line)

    def _answer(self, answer: Answer, line: str) -> views.Outcome:
        say = self.pen.phrases.say
        if isinstance(answer, Filed):
            spelled = self.pen.order(answer.order)
            text = say("answer.filed") if fold(spelled) == fold(line) else say("answer.filed_as", order=spelled)
            replaced = answer.replaced is not None and answer.replaced != answer.order
            more = (say("answer.replaced", order=self.pen.order(answer.replaced)),) if replaced and answer.replaced else ()
            return views.Outcome("done", text, more)
        code, facts = f"answer.{answer.code}", self.facts(answer)
        match answer:
            case Cleared(count):
                facts["n"] = count
            case WaitSet(wait):
                code = "answer.wait_set" if wait else "answer.wait_unset"
            case PressSent(to):
                code = "answer.press_sent" if to else "answer.press_sent_all"
            case SettingSet(key):
                facts["key"] = self.setting(key)
            case Seated(_, seat):
                facts["seat"] = self.pen.power(seat)
            case _:
                pass
        return views.Outcome("told", say(code, **facts))

    def _refusal(self, error: PlayerError) -> views.Outcome:
        say = self.pen.phrases.say
        if isinstance(error, NotFiled):
            kept = (say("answer.kept", order=self.pen.order(error.kept)),) if error.kept is not None else ()
            text = say("error.not_filed", why=self.pen.why(error.illegal, error.order))
            return views.Outcome("refused", f"{say('label.not_filed')}: {text}", kept)
        return views.Outcome("refused", f"{say('label.not_done')}: {self.error(error)}")

    def error(self, error: PlayerError) -> str:
        """The sentence of an error in the reader's language."""
        code, facts = f"error.{error.code}", self.facts(error)
        match error:
            case WhichGame(games):
                code = code if games else f"{code}_none"
            case NotAllowed(command, who):
                code, facts["command"] = f"{code}_{who}", command.upper()
            case NotRunning(status):
                code = f"{code}_{status}"
            case TooMany(_, due):
                facts["n"] = due
            case PressNotAllowed(rule):
                code = f"{code}_{rule}"
            case _:
                code = self._special(error, code)
        known = self.pen.phrases.knows
        code = code if known(code) else f"error.{error.code}_other" if known(f"error.{error.code}_other") else f"error.{error.code}"
        return self.pen.phrases.say(code if known(code) else "error.error", **facts)

    def _special(self, error: PlayerError, code: str) -> str:
        """The variant of a sentence that goes with the facts: "_none" where a list in it is empty."""
        empty = any(value == () for value in vars(error).values())
        return f"{code}_none" if empty and self.pen.phrases.knows(f"{code}_none") else code

    def remark(self, remark: object) -> str:
        """A sentence on what was repaired or should be looked at."""
        code, say = f"remark.{getattr(remark, 'code', '')}", self.pen.phrases.say
        if getattr(remark, "does", ...) is None:
            code = f"{code}_none"
        label = "label.warning" if code.removesuffix("_none") in _WARNINGS else "label.note"
        return f"{say(label)}: {say(code, **self.facts(remark))}"

    def setting(self, key: str) -> str:
        """A setting in words; its own name where the catalogue has none."""
        code = f"setting.{key.lower()}"
        return self.pen.phrases.say(code) if self.pen.phrases.knows(code) else one_line(key)

    def facts(self, value: object) -> dict[str, object]:
        """The fields of an answer or error as words, by name."""
        names = getattr(value, "__dataclass_fields__", {})
        facts = {name: self.words(getattr(value, name), name) for name in names}
        if isinstance(getattr(value, "count", None), int):
            facts["n"] = facts["count"]
        if isinstance(why := getattr(value, "why", None), Why):
            facts["why"] = self.pen.why(why, getattr(value, "order", None))
        return facts

    def _name_in(self, text: str, name: str) -> str:
        """A text fact: a power by its title, a place by its full name and its code, anything else as it stands, on one line."""
        if name in _POWERS and text:
            return self.pen.power(text)
        place = Location(text)
        if name in _PLACES and place.province in self.variant.board.provinces:
            return f"{self.pen.full_place(place)} ({self.pen.place(place)})" if self.pen.notation != "long" else self.pen.full_place(place)
        return one_line(text)

    def words(self, value: object, name: str = "") -> object:
        """One fact in words: orders, units, places, phases, moments, lists of them; text as it stands, on one line."""
        match value:
            case bool() | int() | None:
                return value
            case Location():
                return self.pen.place(value)
            case str():
                return self._name_in(value, name)
            case Phase():
                return self.pen.phase(value)
            case Unit():
                return self.pen.unit(value)
            case Why():
                return self.pen.why(value)
            case datetime():
                return local_time(value)
            case timedelta():
                return span(value)
            case tuple() | frozenset() | list():
                parts = sorted(value) if isinstance(value, frozenset) else value
                style = "or" if name in _CHOICES else "standard"
                return self.pen.listed((str(self.words(each, name)) for each in parts if each != ""), style)
            case _:
                return self.pen.order(value) if isinstance(value, Order) else str(value)


_WARNINGS = frozenset(
    f"remark.{code}"
    for code in (
        "press_not_closed",
        "wrong_kind",
        "owner_differs",
        "impossible",
        "coast_needed",
        "support_unmatched",
        "convoy_unmatched",
        "convoy_missing",
        "same_target",
        "own_target",
        "no_order",
        "unused_builds",
        "removals_missing",
        "ordered_twice",
    )
)
"""Remarks that warn; the others only tell how a line was read."""

_PLACES = frozenset({"place", "near", "candidates", "taken", "others", "coasts"})
"""Fields that hold places in canonical spelling, where the board has them."""

_POWERS = frozenset({"power", "powers", "free", "seat", "seats", "to", "owner", "said"})
"""Fields that hold powers or seats."""

_CHOICES = frozenset({"candidates", "choices", "coasts", "kinds", "near", "readings"})
"""Fields of which one is to be chosen."""
