"""Games of other programs taken over: a record becomes a game here, over or paused, with open seats or with the people named."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from judge.board import Power
from judge.errors import OperatorError
from judge.game import MASTER_SEAT, Audience, Event, Game, News, PersonId, Seat, Settings, Status, Stint, Transition, check_name
from judge.game.record import Record
from judge.library import dump_variant
from judge.service.context import Services
from judge.service.deadlines import write_transition
from judge.store import Transaction


@dataclass(frozen=True, slots=True)
class Company:
    """Who sits where in a game that is taken over, by mail address; `master` "" leaves it to the keeper to name one."""

    master: str = ""
    players: Mapping[Power, str] = field(default_factory=dict)


def adopt(s: Services, record: Record, board: str, name: str, company: Company, source: str) -> Game:
    """A game out of a record, with everything the record has closed; `source` says in its log where it came from.

    It is paused, with the time left that the record tells or the whole length of its phase, unless it is over: the master looks at
    it, sets what no record tells, and lets it go on.  The master named is written to at once.

    Raises `OperatorError` for a power that the board does not have.
    """
    variant, ruleset, now = s.library.variant(board), s.packs.ruleset(board), s.clock.now()
    if unknown := set(company.players) - set(variant.powers):
        raise OperatorError(f"{board} has no {', '.join(sorted(unknown))}; it has {', '.join(variant.powers)}")
    settings = Settings(zone=s.config.judge.zone, language=s.config.judge.language, press=record.press_rule, gunboat=record.gunboat)
    with s.store.transaction() as tx:
        seated = {power: _person(tx, address) for power, address in company.players.items()}
        master = _person(tx, company.master) if company.master else None
        game = Game(
            id=tx.games.new_id(),
            name=check_name(name),
            variant=board,
            ruleset=ruleset,
            settings=settings,
            created_at=record.turns[0].closed_at if record.turns else now,
            seats=tuple(_seat(power, seated.get(power), now) for power in variant.powers),
            position=record.position,
            phase_began=now,
            turns=len(record.turns),
            presses=len(record.press),
            stints=tuple(Stint(power, person, record.position.phase) for power, person in seated.items()),
        )
        game = _over_or_paused(game, record, now)
        if master is not None:
            game = replace(game, masters=(Seat(MASTER_SEAT, master, since=now),), master_seen_at=now)
        tx.variants.put(ruleset, json.dumps(dump_variant(variant)))
        tx.games.put(game, 0)
        for turn in record.turns:
            tx.turns.add(game.id, turn)
        tx.press.add(game.id, record.press)
        tx.events.add(game.id, [Event(now, "", "imported", {"source": source})])
    if master is not None and game.status is not Status.FINISHED:
        told = News("master_now", Audience(seats=(MASTER_SEAT,)), {"seat": MASTER_SEAT}, state=True)
        write_transition(s, game.id, lambda held, _: Transition(held.game, (), (told,)))
    return game


def _person(tx: Transaction, address: str) -> PersonId:
    """Whoever has that address, or somebody new."""
    known = tx.people.by_address(address)
    return known.id if known is not None else tx.people.new("", address).id


def _seat(power: Power, person: PersonId | None, now: datetime) -> Seat:
    return Seat(power, person, since=now if person is not None else None)


def _over_or_paused(game: Game, record: Record, now: datetime) -> Game:
    """The game in its state: over, or with its clock standing."""
    if record.ending is not None:
        return replace(game, status=Status.FINISHED, ending=record.ending)
    left = game.timing.length(game.phase.step)
    if record.deadline is not None and record.deadline > now:
        left = record.deadline - now
    return replace(game, status=Status.PAUSED, paused_left=left)
