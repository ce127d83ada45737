"""Everything one mail or one deadline did, written into the store in the transaction of its caller."""

import json
from datetime import datetime

from judge.library import dump_variant
from judge.service.standby import LOOK, QUEUE, note_offers
from judge.service.work import Held, NewCode, Work
from judge.store import Conflict, PendingCode, Transaction
from judge.store.tidying import remember_erased


def write_down(tx: Transaction, work: Work, now: datetime) -> None:
    """Write games, turns, press, submissions, events, people and codes.  Raises `Conflict` if a game changed since it was read."""
    for held in sorted((h for h in work.held.values() if h.changed), key=lambda h: h.before.name):
        _write_game(tx, held, now)
    for person in work.changed_people.values():
        tx.people.put(person)
    for code in work.codes:
        tx.codes.add(PendingCode(code.code, code.address, code.line, now, code.until, _facts(code)))
    for used in work.codes_used:
        if tx.codes.take(used, now) is None:
            raise Conflict(f"code {used} was used meanwhile")
    for name, value in work.marks.items():
        tx.marks.set(name, value)
    if any(name.startswith(QUEUE) for name in work.marks):
        tx.marks.count_up(LOOK)
    for number in work.erased:
        remember_erased(tx.marks, number, [each.address for each in tx.people.addresses(number)], now)
        tx.people.erase(number)


def _facts(code: NewCode) -> dict[str, str]:
    """What is kept beside a code."""
    return {"name": code.name} | ({"person": str(code.person)} if code.person else {})


def _write_game(tx: Transaction, held: Held, now: datetime) -> None:
    """One game with all that has come of it."""
    number = held.game.id
    if held.version == 0:
        tx.variants.put(held.game.ruleset, json.dumps(dump_variant(held.pack.variant)))
    tx.games.put(held.game, held.version, held.before if held.version else None)
    tx.turns.withdraw(number, held.withdrawn, now)
    tx.turns.restore(number, held.restored)
    for turn in held.turns:
        tx.turns.add(number, turn)
    tx.press.add(number, held.press)
    tx.submissions.add(number, held.submissions)
    tx.events.add(number, held.events)
    note_offers(tx, held)
    tx.people.tally((tally.person, tally.what) for tally in held.tallies)
