"""Facts to views: what one reader may see, spelled in that reader's language and notation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial

from judge.board import Location, Power
from judge.game import (
    Ending,
    GameRow,
    GameView,
    Person,
    PersonId,
    ReaderKind,
    Settings,
    Status,
    Turn,
)
from judge.language import FAILURES, Pen
from judge.report import views
from judge.report.filters import day_or_time, local_time, one_line
from judge.rules import (
    Build,
    Disband,
    Dislodgement,
    Duty,
    Hold,
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
    read_unit,
)


@dataclass(frozen=True, slots=True)
class Viewer:
    """Makes views with one pen, for a board, with the names of the people that may be shown."""

    pen: Pen
    variant: Variant
    people: Mapping[PersonId, Person]
    title: str
    """Title of the variant."""
    commands: Mapping[str, str] = field(default_factory=dict)
    """What the judge writes for each command, by its name in capitals."""

    # ---- heads

    def head(self, view: GameView, page: str = "") -> views.GameHead:
        """The game, as it stands; `page` is its address on the web."""
        running = view.status is Status.RUNNING and view.deadline is not None
        phrases = self.pen.phrases
        codes = (f"deadline.{code}" for code in view.deadline.moved) if running and view.deadline else ()
        return views.GameHead(
            name=view.name,
            title=one_line(view.settings.title),
            variant=self.title,
            phase=self.pen.phase(view.position.phase),
            code=str(view.position.phase),
            status=view.status,
            deadline=view.deadline.at if running and view.deadline else None,
            moved=tuple(phrases.say(code) for code in codes if phrases.knows(code)),
            page=page,
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
            units = [self.pen.unit(unit) for unit in after.units.get(power, ())]
            fallen = [self.pen.unit(each.unit) for each in after.dislodged if each.power == power]
            units += [self.pen.phrases.say("board.dislodged", unit=unit) for unit in fallen]
            rows.append(
                views.Holdings(
                    power=self.pen.power(power),
                    units=tuple(units),
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
                self.pen.power(seat.power),
                seat.taken,
                self.name(seat.person),
                bool(view.power) and seat.power == view.power,
                seat.state,
                seat.standing,
            )
            for seat in view.seats
        )

    def name(self, person: PersonId | None) -> str:
        """The name of a person, "" where it is not to be known."""
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
            masters=tuple(name for master in view.masters if (name := self.name(master))),
            free=sum(not seat.taken for seat in view.seats),
            board=self.holdings(view.position) if with_board else (),
            receipt=view.receipt,
            pending=self._pending(view),
            overdue=view.overdue,
            closes=view.closes,
        )

    def _pending(self, view: GameView) -> tuple[str, ...]:
        """What waits for the reader as a master: codes to send back, players to approve, long absences."""
        if view.reader.kind is not ReaderKind.MASTER:
            return ()
        say, power = partial(self.pen.phrases.say, **self.commands), self.pen.power
        codes = (say("pending.code", line=one_line(each.line), until=local_time(each.until)) for each in view.pending)
        players = (say("pending.approve", seat=power(seat)) for seat in view.to_approve)
        away = (
            say(
                "pending.absence",
                number=each.number,
                seat=power(each.seat),
                first=day_or_time(each.first),
                last=day_or_time(each.last - timedelta(minutes=1)),
            )
            for each in view.long_absences
        )
        return (*codes, *players, *away)

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
