"""What the judge makes of a mail, without acting on it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from judge.errors import PlayerError
from judge.game import COMMANDS, Answer, FileOrders, Master, NothingFound, Player, PressSent, SendPress, actor_at
from judge.mail import Bounce, Message, read_bounce, read_message, why_silent
from judge.report import Wording
from judge.rules import write_order
from judge.service.context import Services
from judge.service.desk import work_out
from judge.service.identity import Sender
from judge.service.letters import recipients_of
from judge.service.work import Part, Work
from judge.store import Transaction

Json = Mapping[str, Any]
UNREADABLE = ("winmail_dat_only", "opaque_smime", "encrypted", "utf7", "too_large", "too_deep", "too_many_parts", "only_picture", "no_text")
"""Problems that leave nothing to read, with an answer that says so."""


@dataclass
class Examiner:
    """Looks at mails one after another; `seen` are the digests so far, so that duplicates show."""

    s: Services
    seen: set[str] = field(default_factory=set)
    number: int = 0

    def examine(self, raw: bytes, arrived_at: datetime) -> Json:
        """One mail, as `judge read` prints it (design: interfaces)."""
        self.number += 1
        message = read_message(raw, self.s.reading, arrived_at)
        bounce = read_bounce(raw, message, self.s.reading)
        if bounce is not None:
            return self._plain(message, "bounce", "bounce", bounce=_bounce(bounce))
        silent = why_silent(message, self.s.reading)
        if silent is not None:
            return self._plain(message, "ignore", silent)
        with self.s.store.reading() as tx:
            seen = self._read(tx, message, arrived_at)
        if message.digest in self.seen:
            return {**self._plain(message, "duplicate", "duplicate"), "identity": seen["identity"], "lang": seen["lang"]}
        self.seen.add(message.digest)
        return seen

    def _read(self, tx: Transaction, message: Message, at: datetime) -> Json:
        """A mail of a person."""
        desk = work_out(self.s, tx, message, self.number, at, only_reading=True)
        work, sender = desk.work, desk.sender
        action, why = self._action(message, sender, work, at)
        reply = not (action == "refuse" and sender.failed and not any(part.seat for part in work.parts))
        seated = [part for part in work.parts if part.seat]
        told = [p.address for p in recipients_of(sender, seated or work.parts, work)] if reply else []
        words = self._words()
        return {
            "action": action,
            "reply": reply and bool(told),
            "why": {"code": why, "text": self._say(why)} if why else None,
            "from": message.from_.address if message.from_ else None,
            "reply_to": told,
            "identity": desk.proof,
            "lang": desk.spoken or (sender.person.language if sender.person else "") or self.s.config.judge.language,
            "text": message.text,
            "blocks": [block for part in seated for block in self._blocks(part, work)] if action != "refuse" else [],
            "errors": [error for part in work.parts for error in _errors(part, words)],
            "warnings": [*self._mail_warnings(message, desk.proof), *(w for part in work.parts for w in self._warnings(part, words))],
            "notify": self._notify(sender, work),
            "bounce": None,
        }

    def _action(self, message: Message, sender: Sender, work: Work, at: datetime) -> tuple[str, str]:
        """What would be done, and the code of why not."""
        seated = [part for part in work.parts if part.seat]
        filed = any(self._orders(part) for part in seated)
        if filed:
            late = any(part.held.game.deadline and part.held.game.deadline.at <= at for part in seated if part.held)
            return ("late", "too_late") if late else ("orders", "")
        unreadable = next((problem for problem in message.problems if problem in UNREADABLE), "")
        done = [o for part in work.parts for item in part.items for o in item.outcomes if isinstance(o, Answer)]
        if done:
            return "commands", ""
        if unreadable and not any(part.items for part in seated):
            return "refuse", unreadable
        if sender.failed and not seated:
            return "refuse", "forged"
        faults = [o for part in work.parts for item in part.items for o in item.outcomes if isinstance(o, PlayerError)]
        first = faults[0].code if faults else NothingFound.code
        return ("none", first) if seated else ("refuse", first if faults else "no_proof")

    def _orders(self, part: Part) -> dict[str, list[str]]:
        """The orders of this mail that are on file, by power."""
        if part.held is None:
            return {}
        found: dict[str, list[str]] = {}
        for power, filed in part.held.game.orders.items():
            mine = [write_order(f.order) for f in filed if f.mail == self.number]
            if mine:
                found[power] = mine
        return found

    def _blocks(self, part: Part, work: Work) -> Iterator[Json]:
        """What a part of the mail does: orders by power, commands, messages."""
        assert part.held is not None
        actor = actor_at(part.held.game, part.seat)
        orders = self._orders(part)
        commands = [c for where, c in work.commands if where is part and not isinstance(c, FileOrders | SendPress)]
        press: list[Json] = [{"to": list(o.to), "text": o.text} for item in part.items for o in item.outcomes if isinstance(o, PressSent)]
        named: list[Json] = [{"name": COMMANDS[type(c)].word.upper()} for c in commands]
        if isinstance(actor, Player):
            yield _block(part, actor.power, orders.get(actor.power, []), named, press)
        elif isinstance(actor, Master):
            yield _block(part, "MASTER", [], named, press)
            for power, lines in orders.items():
                yield _block(part, power, lines, [], [])

    def _mail_warnings(self, message: Message, proof: str) -> Iterator[Json]:
        """Remarks on the mail as a whole."""
        if message.twins_differ:
            yield {"code": "html_differs", "text": self._say("html_differs")}
        others = [a for a in (*message.to, *message.cc) if not self.s.own.is_own(a.address)]
        if proof == "password" and others:
            yield {"code": "password_shared", "text": self._say("password_shared")}

    def _warnings(self, part: Part, words: Wording) -> Iterator[Json]:
        """Remarks on lines, and orders that took the place of another of the same mail."""
        for item in part.items:
            for remark in item.remarks:
                yield {"code": getattr(remark, "code", ""), "text": words.remark(remark), "line": item.line}
            for outcome in item.outcomes:
                if getattr(outcome, "replaced", None) is not None:
                    yield {"code": "replaced", "text": words.outcome(outcome, item.line).text, "line": item.line}

    def _notify(self, sender: Sender, work: Work) -> list[Json]:
        """Who else would be told."""
        notes: list[Json] = []
        if sender.failed and sender.person is not None and not any(part.seat for part in work.parts):
            notes.append({"to": sender.person.address, "code": "forged"})
        notes.extend(
            {"to": "MASTER", "code": o.code}
            for part in work.parts
            for item in part.items
            for o in item.outcomes
            if isinstance(o, PlayerError) and o.code == "not_allowed" and part.seat
        )
        return notes

    def _plain(self, message: Message, action: str, why: str, bounce: Json | None = None) -> Json:
        """A mail that is neither read for orders nor answered."""
        return {
            "action": action,
            "reply": False,
            "why": {"code": why, "text": self._say(why)},
            "from": message.from_.address if message.from_ else None,
            "reply_to": [],
            "identity": "none",
            "lang": self.s.config.judge.language,
            "text": message.text,
            "blocks": [],
            "errors": [],
            "warnings": [],
            "notify": [],
            "bounce": bounce,
        }

    def _words(self) -> Wording:
        """Spells outcomes in English."""
        pack = self.s.library.pack("standard")
        commands = {name.upper(): self.s.words.spell(name, "en") for _, name in self.s.words.written}
        return Wording(self.s.scribe.pen("standard", "en", "canonical"), pack.variant, commands)

    def _say(self, code: str) -> str:
        """A sentence for a code about a whole mail; the code itself where there is none."""
        phrases = self.s.library.tongue("en").phrases
        for context in (f"saw.{code}", f"error.{code}", f"fault.{code}"):
            if phrases.knows(context):
                try:
                    return phrases.say(context)
                except KeyError:  # a sentence that needs facts
                    continue
        return code.replace("_", " ")


def _block(part: Part, power: str, orders: list[str], commands: list[Json], press: list[Json]) -> Json:
    assert part.held is not None
    return {"game": part.held.game.name, "power": power, "orders": orders, "commands": commands, "press": press}


def _errors(part: Part, words: Wording) -> Iterator[Json]:
    """The lines that were refused, with what could be meant."""
    for item in part.items:
        for outcome in item.outcomes:
            if isinstance(outcome, PlayerError):
                yield {
                    "line": item.line,
                    "code": outcome.code,
                    "text": words.outcome(outcome, item.line).text,
                    "suggestions": [str(value) for value in _suggestions(outcome)],
                }


def _suggestions(fault: PlayerError) -> Iterator[object]:
    """What a refused line may have meant."""
    for name in ("near", "candidates", "coasts"):
        yield from getattr(fault, name, ())
    yield from (write_order(order) for order in getattr(fault, "readings", ()))
    illegal = getattr(fault, "illegal", None)
    if illegal is not None:
        yield from illegal.places


def _bounce(bounce: Bounce) -> Json:
    return {
        "game": bounce.game,
        "power": bounce.seat,
        "recipient": bounce.recipient,
        "status": bounce.status,
        "permanent": bounce.permanent,
        "message": bounce.message_id,
    }
