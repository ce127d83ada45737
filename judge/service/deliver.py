"""Outbox rows to the mail sink: claimed together, composed, handed over, marked together."""

import random
import time
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from threading import Event, Lock, Thread

import structlog

from judge.errors import TryLater
from judge.mail import Deferred, Delivered, Letter, MailSink, MailThrottled, Outcome, Rejected, compose
from judge.service.bounced import count_failure
from judge.service.context import Services
from judge.service.failpoints import failpoint
from judge.store import Transaction, WaitingLetter

log = structlog.get_logger()

AT_ONCE = 64
"""Letters claimed together by a single carrier."""
SHARE = 24
"""Letters claimed together where several carriers work."""
BREATH = 0.05
"""Seconds after a claim that found no full share, for more letters to come: those of a phase are written together."""
MARKS_AT_ONCE = 12
MARKS_AFTER = 0.15
"""Sent letters are marked when there are so many, or so many seconds after the first: what a crash may send once more."""
FIRST_PAUSE = timedelta(seconds=30)
LONGEST_PAUSE = timedelta(hours=4)
LONGEST_AT_FIRST = timedelta(minutes=30)
"""The longest pause between two tries of one letter, on its first day and before."""
PROBE_PAUSE = timedelta(minutes=5)
"""The longest pause of a letter of which the relay said nothing: it is not the letter's fault."""
GIVE_UP = timedelta(days=5)
"""A letter that no relay takes for so long is given up; the same as mail servers do."""
CARRIERS_TO_DOMAIN = 4
HOLD_AGAIN = timedelta(minutes=1)
"""A letter that was claimed so long ago is asked for again before it is sent: its claim may have run out."""
_RATE_WORDS = ("rate", "too many", "too much", "throttl", "4.7.", "slow down", "limit exceeded", "try again later, closing")


@dataclass
class Bag:
    """Letters one carrier has claimed; what is still in it may be taken over by another while a slow one is handed over."""

    letters: deque[WaitingLetter]
    claimed_at: datetime
    now_sending: WaitingLetter | None = None
    since: float = 0.0
    lock: Lock = field(default_factory=Lock)

    def next(self, at: float) -> WaitingLetter | None:
        """The next letter to be sent; None if none is left."""
        with self.lock:
            self.now_sending = self.letters.popleft() if self.letters else None
            self.since = at
            return self.now_sending

    def give_up_waiting(self, at: float, patience: float) -> list[WaitingLetter]:
        """The letters to other domains that wait behind one that takes longer than `patience` seconds."""
        with self.lock:
            if self.now_sending is None or at - self.since < patience:
                return []
            slow = domain_of(self.now_sending)
            taken = [each for each in self.letters if domain_of(each) != slow]
            self.letters = deque(each for each in self.letters if domain_of(each) == slow)
            return taken

    def empty(self) -> list[WaitingLetter]:
        """The letters that are left; after this there are none."""
        with self.lock:
            left, self.letters, self.now_sending = list(self.letters), deque(), None
            return left

    def domains(self) -> set[str]:
        """Where its letters go."""
        with self.lock:
            return {domain_of(each) for each in (*self.letters, *([self.now_sending] if self.now_sending else []))}


@dataclass
class Marks:
    """What became of letters, until it is written."""

    sent: list[WaitingLetter] = field(default_factory=list)
    later: list[tuple[WaitingLetter, str, datetime]] = field(default_factory=list)
    dead: list[tuple[WaitingLetter, str, bool]] = field(default_factory=list)
    """A letter that is given up, why, and whether its address is to blame."""
    back: list[tuple[WaitingLetter, datetime]] = field(default_factory=list)
    woken: set[str] = field(default_factory=set)
    """Domains that take letters again."""
    since: float = 0.0

    def is_due(self, at: float) -> bool:
        """Whether it is time to write them."""
        return len(self.sent) >= MARKS_AT_ONCE or (bool(self.sent or self.dead or self.later) and at - self.since >= MARKS_AFTER)

    def write(self, s: Services) -> None:
        """Write them all in one transaction."""
        if not (self.sent or self.later or self.dead or self.back or self.woken):
            return
        now = s.clock.now()
        with s.store.transaction() as tx:
            tx.outbox.all_sent([each.message_id for each in self.sent], now)
            for letter, why, when in self.later:
                tx.outbox.failed(letter.message_id, why[:500], when)
            for letter, why, blamed in self.dead:
                tx.outbox.dead(letter.message_id, why[:500], now)
                if blamed:
                    count_failure(s, tx, letter, why, now)
            for letter, when in self.back:
                tx.outbox.give_back([letter.message_id], when)
            for domain in self.woken:
                tx.outbox.wake(now, domain)
            failpoint("outbox_before_marks_commit")
        failpoint("outbox_after_marks")
        if self.sent:
            games = sorted({each.game for each in self.sent if each.game is not None})
            log.info("letters sent", games=games, message_ids=[each.message_id for each in self.sent])
        for kept in (self.sent, self.later, self.dead, self.back):
            kept.clear()
        self.woken.clear()


def domain_of(waiting: WaitingLetter) -> str:
    """The domain a letter goes to."""
    return waiting.letter.to.rpartition("@")[2].lower()


def deliver_waiting(s: Services) -> int:
    """Hand over letters whose time has come, by one connection; returns how many were claimed."""
    bag = claim(s, AT_ONCE, s.pacer.resting())
    count = len(bag.letters)
    if count:
        carry(s, bag, s.sink)
    return count


def claim(s: Services, most: int, resting: Sequence[str]) -> Bag:
    """Claim letters, at most as many as may leave now; those to addresses that take none any more are given up at once."""
    now = s.clock.now()
    room = s.pacer.room(most)
    if not room:
        return Bag(deque(), now)
    with s.store.transaction() as tx:
        claimed = tx.outbox.claim(now, room, resting)
        wanted = list(_without_retired(tx, claimed, now))
        failpoint("outbox_claim_before_commit")
    if wanted:
        failpoint("outbox_after_claim")
    ready = sorted(wanted, key=lambda each: not s.pictures.is_ready(each.letter.picture))  # those whose picture is drawn leave first
    return Bag(deque(ready), now)


def _without_retired(tx: Transaction, claimed: Sequence[WaitingLetter], now: datetime) -> Iterable[WaitingLetter]:
    """The letters to addresses that still take some."""
    retired = tx.people.retired(each.letter.to for each in claimed)
    for each in claimed:
        if each.letter.to.strip().lower() in retired:
            tx.outbox.dead(each.message_id, "the address takes no letters any more", now)
        else:
            yield each


def carry(s: Services, bag: Bag, sink: MailSink, marks: Marks | None = None, stop: Event | None = None) -> None:
    """Hand over what is in a bag, one letter after another, and write down what became of each."""
    marks = Marks() if marks is None else marks
    try:
        while (waiting := bag.next(time.monotonic())) is not None:
            if stop is not None and stop.is_set():
                marks.back.append((waiting, s.clock.now()))
                continue
            if not s.pacer.take(domain_of(waiting)):
                marks.back.append((waiting, s.clock.now()))
                continue
            if not _is_ours(s, bag, waiting):
                continue
            if not (marks.sent or marks.later or marks.dead):
                marks.since = time.monotonic()
            _hand_over(s, waiting, sink, marks)
            if marks.is_due(time.monotonic()):
                marks.write(s)
    finally:
        marks.back.extend((left, s.clock.now()) for left in bag.empty())
        marks.write(s)


def _is_ours(s: Services, bag: Bag, waiting: WaitingLetter) -> bool:
    """Whether the letter may still be sent by us: a claim that is old is made to last, if nobody else has it."""
    now = s.clock.now()
    if timedelta(0) <= now - bag.claimed_at < HOLD_AGAIN:
        return True
    with s.store.transaction() as tx:
        return tx.outbox.keep(waiting.message_id, now)


def _hand_over(s: Services, waiting: WaitingLetter, sink: MailSink, marks: Marks) -> None:
    """One letter, and what became of it."""
    letter, domain, begun = waiting.letter, domain_of(waiting), time.monotonic()
    try:
        raw = compose(letter, picture=_picture(s, letter))
    except ValueError as broken:  # nothing that is tried again would help
        log.exception("letter cannot be written", message_id=waiting.message_id)
        marks.dead.append((waiting, f"cannot be written: {broken}", False))
        return
    failpoint("outbox_before_send")
    try:
        outcomes: Sequence[Outcome] = sink.send(letter.envelope_from, (letter.to,), raw)
    except MailThrottled as fault:
        pause = s.pacer.rest(domain, fault.pause)
        log.warning("domain asks for patience", domain=domain, fault=str(fault), pause=round(pause.total_seconds()))
        marks.back.append((waiting, s.clock.now() + pause))
        return
    except TryLater as fault:
        log.warning("relay not reached", domain=domain, fault=str(fault))
        s.pacer.unreachable(domain, random.random())  # noqa: S311 - jitter, no secret
        if time.monotonic() - begun > 1:
            s.pacer.rest(domain)
        marks.later.append((waiting, str(fault), s.clock.now() + min(pause_after(waiting.tries), PROBE_PAUSE)))
        return
    failpoint("outbox_after_send")
    for outcome in outcomes:
        _note(s, waiting, outcome, time.monotonic() - begun, marks)


def _note(s: Services, waiting: WaitingLetter, outcome: Outcome, seconds: float, marks: Marks) -> None:
    """What the relay said of one letter."""
    domain = domain_of(waiting)
    match outcome:
        case Delivered():
            marks.sent.append(waiting)
            if s.pacer.went(domain, seconds):
                marks.woken.add(domain)
        case Rejected(_, code, text):
            s.pacer.went(domain, seconds)
            log.warning("letter refused", letter=waiting.number, game=waiting.game, message_id=waiting.message_id, code=code)
            marks.dead.append((waiting, f"{code} {text}", True))
        case Deferred(_, code, text):
            why = f"{code} {text}"
            if any(word in why.lower() for word in _RATE_WORDS):
                pause = s.pacer.rest(domain)
                log.warning("domain asks for patience", domain=domain, pause=round(pause.total_seconds()))
                marks.back.append((waiting, s.clock.now() + pause))
                return
            _later(s, waiting, why, marks)


def _later(s: Services, waiting: WaitingLetter, why: str, marks: Marks) -> None:
    """Try a letter again after a pause that doubles; give it up after days."""
    now = s.clock.now()
    age = now - waiting.added_at
    if age > GIVE_UP:
        marks.dead.append((waiting, why, True))
    else:
        pause = pause_after(waiting.tries)
        marks.later.append((waiting, why, now + (pause if age > timedelta(days=1) else min(pause, LONGEST_AT_FIRST))))


def pause_after(tries: int) -> timedelta:
    """How long to wait after so many tries.

    >>> pause_after(1), pause_after(3), pause_after(30)
    (datetime.timedelta(seconds=30), datetime.timedelta(seconds=120), datetime.timedelta(seconds=14400))
    """
    return min(FIRST_PAUSE * (1 << min(max(tries, 1) - 1, 12)), LONGEST_PAUSE)


def _picture(s: Services, letter: Letter) -> bytes | None:
    """The picture a letter names, drawn now; a letter leaves without it rather than not at all."""
    if letter.picture is None:
        return None
    try:
        return s.pictures.fetch(letter.picture)
    except Exception:
        log.exception("picture failed", key=letter.picture)
        return None


class Postman:
    """Several carriers, each with a connection of its own, so that no slow domain and no dead recipient holds up the others."""

    def __init__(self, s: Services, sinks: Sequence[MailSink]) -> None:
        self._s = s
        self._sinks = sinks
        self._claiming = Lock()
        self._looks_at = 0.0
        self._bags: list[Bag | None] = [None] * len(sinks)
        self._stop = Event()
        self._threads = [Thread(target=self._work, args=(number,), name=f"carrier {number}", daemon=True) for number in range(len(sinks))]

    def start(self) -> None:
        """Begin to carry."""
        for thread in self._threads:
            thread.start()

    def stop(self, patience: float) -> None:
        """End: letters being handed over are finished and marked, for so many seconds; claims of the others are given back."""
        self._stop.set()
        self._s.letters.set()
        end = time.monotonic() + patience
        for thread in self._threads:
            thread.join(max(0.0, end - time.monotonic()))

    def _work(self, number: int) -> None:
        sink = self._sinks[number]
        marks = Marks()  # kept while the database cannot take them: what was sent must not be forgotten
        while not self._stop.is_set():
            try:
                marks.write(self._s)
                self._carry_some(number, sink, marks)
            except TryLater as fault:
                log.warning("letters later", fault=str(fault))
                self._stop.wait(1.0)
            except Exception:
                log.exception("carrier failed")
                self._stop.wait(5.0)
        sink.close()

    def _carry_some(self, number: int, sink: MailSink, marks: Marks) -> None:
        """The next bag carried.  One carrier looks out for letters, and the others wait behind it: a look that finds none costs too."""
        with self._claiming:
            bag = self._look_out()
            if bag is None:
                return
            self._bags[number] = bag
        try:
            carry(self._s, bag, sink, marks, self._stop)
        finally:
            self._bags[number] = None
            Event.set(self._s.letters)  # here alone: what waited for this carrier can be claimed now

    def _look_out(self) -> Bag | None:
        """Wait for letters and claim them; None when told to end."""
        while not self._stop.wait(self._looks_at - time.monotonic()):
            self._s.letters.clear()  # before looking: what is added from now on sets it again
            bag = self._take_over() or claim(self._s, SHARE, self._resting())
            self._looks_at = time.monotonic() + (0.0 if len(bag.letters) >= SHARE else BREATH)
            if bag.letters:
                return bag
            self._wait()
        return None

    def _take_over(self) -> Bag | None:
        """Letters that wait behind a slow one in another carrier's bag."""
        for bag in self._bags:
            if bag is not None and (taken := bag.give_up_waiting(time.monotonic(), 1.0)):
                return Bag(deque(taken), bag.claimed_at)
        return None

    def _resting(self) -> list[str]:
        """Domains to which no further carrier may go: they rest, are slow and being served, or have enough carriers."""
        pacer = self._s.pacer
        carried = [domain for bag in self._bags if bag is not None for domain in bag.domains()]
        busy = {domain for domain in set(carried) if carried.count(domain) >= (1 if pacer.is_slow(domain) else CARRIERS_TO_DOMAIN)}
        return [*pacer.resting(), *sorted(busy)]

    def _wait(self) -> None:
        """Sleep until letters come, or something that rests or hangs may go on."""
        waiting_behind = any(bag is not None for bag in self._bags)
        self._s.letters.wait(0.5 if waiting_behind else min(self._s.config.judge.tick, self._s.pacer.pause()))


def undelivered_since(s: Services) -> datetime | None:
    """When the oldest letter that still waits was added."""
    with s.store.reading() as tx:
        return tx.outbox.counts().oldest
