"""What the result letters of nJudge and DPjudge say, line by line: headers, orders with their marks, retreats, owners, the next phase.

Both judges print the same forms in English: ``Austria: Army Trieste -> Albania. (*bounce*)`` under a title such as ``Movement results
for Fall of 1903. (meadow.011)``, and ``::`` lines for programs.  What the letters mean for a game is `service.foreigngames`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

from judge.board import Board, Power
from judge.language.folding import clean, fold
from judge.language.gazetteer import Gazetteer
from judge.rules import Phase, Step, Unit, read_phase, read_unit, write_unit

KINDS = {"army": "A", "fleet": "F"}
_STEPS = {
    "movement": Step.MOVEMENT,
    "moves": Step.MOVEMENT,
    "retreat": Step.RETREAT,
    "retreats": Step.RETREAT,
    "adjustment": Step.ADJUSTMENT,
    "adjustments": Step.ADJUSTMENT,
    "build": Step.ADJUSTMENT,
    "builds": Step.ADJUSTMENT,
}
_COASTS = {"north": "NC", "south": "SC", "east": "EC", "west": "WC", "nc": "NC", "sc": "SC", "ec": "EC", "wc": "WC"}
_PHASE = r"(?P<season>Spring|Summer|Fall|Autumn|Winter)\s+(?:of\s+)?(?P<year>\d{1,4})"
_TITLE = re.compile(rf"(?P<step>\w+)\s+(?:results|orders|order results)\s+for\s+{_PHASE}", re.IGNORECASE)
_LISTING = re.compile(rf"(?:status of the\s+(?P<step>\w+)\s+phase|position)\s+for\s+{_PHASE}", re.IGNORECASE)
_NEXT = re.compile(rf"next phase of .*?will be\s+(?P<step>\w+)\s+for\s+{_PHASE}", re.IGNORECASE)
_DEADLINE = re.compile(r"deadline for orders will be\s+(?P<when>.+?\d{4})\s*\.?$", re.IGNORECASE)
_DATE = re.compile(
    r"(?P<month>[A-Z][a-z]{2})\s+(?P<day>\d{1,2})\s+(?P<year>\d{4})\s+(?P<time>\d{2}:\d{2})(?::\d{2})?\s+(?P<zone>[-+]\d{4})"
)
_MARKS = re.compile(r"\(\*\s*(?P<marks>[^*]+?)\s*\*\)")
_UNIT = re.compile(r"(?P<kind>army|fleet)\s+(?:in\s+)?(?P<place>.+)", re.IGNORECASE)
_RETREAT = re.compile(
    r"the\s+(?P<whose>\w+)\s+(?P<kind>army|fleet)\s+in\s+(?P<place>.+?)\s+"
    r"(?:can retreat to\s+(?P<to>.+?)|with no valid retreats\s+(?:was|were)\s+(?:destroyed|disbanded))\s*\.?$",
    re.IGNORECASE,
)
_CHANGE = re.compile(r"(?P<what>builds|removes)\s+(?:an?|the)?\s*(?P<kind>army|fleet)\s+in\s+(?P<place>.+)", re.IGNORECASE)
_HEAD = re.compile(r"::\s*Judge:\s*(?P<judge>\S+)\s+Game:\s*(?P<game>\S+)\s+Variant:\s*(?P<variant>.+)", re.IGNORECASE)
_MACHINE = re.compile(r"::\s*Deadline:\s*(?P<phase>[SUFW]\d{1,4}[MRBA])\b\s*(?P<when>.*)", re.IGNORECASE)
_COUNTS = re.compile(r"^\d+ supply cent", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class OrderLine:
    """One unit's line: `order` in canonical notation ("" where none was processed), and the judge's marks (``bounce``, ``dislodged``)."""

    power: Power
    unit: Unit
    order: str
    marks: frozenset[str] = frozenset()

    @property
    def target(self) -> str:
        """Where the unit was to go, "" if nowhere."""
        words = self.order.split(" ")
        return words[3] if len(words) > 3 and words[2] in ("-", "R") else ""


@dataclass(frozen=True, slots=True)
class Driven:
    """A unit driven out and where it may go; nowhere: it was destroyed."""

    power: Power
    unit: Unit
    retreats: tuple[str, ...]


@dataclass
class ResultMail:
    """What one letter says; empty where it says nothing.  `phase` is the phase reported, `following` the one that is open now."""

    judge: str = ""
    game: str = ""
    variant: str = ""
    phase: Phase | None = None
    is_result: bool = False
    """Whether it tells what became of orders, or only where everything stands."""
    following: Phase | None = None
    deadline: datetime | None = None
    orders: list[OrderLine] = field(default_factory=list)
    driven: list[Driven] = field(default_factory=list)
    owners: dict[str, Power] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)
    """Lines about a power that could not be read."""


class ResultReader:
    """Reads result letters about one board, with its English names."""

    def __init__(self, board: Board, english: Gazetteer) -> None:
        self._board = board
        self._places = {fold(place): place for place in board.provinces}
        self._powers = {fold(power): power for power in board.powers}
        for place, names in english.places.items():
            self._places |= {fold(form): place for name in names.names for form in name.forms}
        self._places |= {fold(title): place for place, title in english.titles.items()}
        for power, called in english.powers.items():
            self._powers |= {fold(form): power for name in (*called.names, *called.adjectives) for form in name.forms}

    def read(self, text: str) -> ResultMail:
        """What a letter says."""
        mail, in_owners = ResultMail(), False
        for line in _whole_lines(text):
            if re.match(r"ownership of supply cent", line, re.IGNORECASE):
                in_owners = True
            elif not self._heading(mail, line):
                in_owners = self._about_power(mail, line, in_owners)
        return mail

    # ---- lines by kind

    def _heading(self, mail: ResultMail, line: str) -> bool:
        """Take up a line that is about the whole game; whether it is one."""
        if found := _HEAD.match(line):
            mail.judge, mail.game, mail.variant = found["judge"], found["game"], found["variant"].strip()
        elif found := _MACHINE.match(line):
            mail.phase = mail.phase or self._code(found["phase"])
            mail.deadline = read_date(found["when"]) or mail.deadline
        elif found := _NEXT.search(line):
            mail.following = self._phase(found)
        elif found := _DEADLINE.search(line):
            mail.deadline = read_date(found["when"] + line[found.end("when") :]) or read_date(line) or mail.deadline
        elif found := _TITLE.search(line):
            mail.phase, mail.is_result = self._phase(found) or mail.phase, True
            mail.deadline = None  # the header's is that of the phase just closed
        elif found := _LISTING.search(line):
            mail.phase = self._phase(found) or mail.phase
        elif found := _RETREAT.match(line):
            power, unit = self._powers.get(fold(found["whose"])), self._unit(f"{found['kind']} {found['place']}")
            if power is None or unit is None:
                mail.unread.append(line)
            else:
                places = re.split(r",\s*|\s+or\s+", found["to"] or "")
                mail.driven.append(Driven(power, unit, tuple(place for text in places if text and (place := self._place(text)))))
        else:
            return False
        return True

    def _about_power(self, mail: ResultMail, line: str, in_owners: bool) -> bool:
        """Take up a line that begins with a power; whether centres are still being listed."""
        name, colon, rest = line.partition(":")
        power = self._powers.get(fold(name))
        if not colon or power is None:
            return in_owners and (fold(name) == "unowned" or not line)
        rest = rest.strip()
        if _COUNTS.match(rest):
            return False
        if in_owners and (places := [self._places.get(fold(part)) for part in rest.rstrip(".").split(",")]) and None not in places:
            mail.owners.update((place, power) for place in places if place)
            return True
        order = self._order_line(power, rest)
        if order is not None:
            mail.orders.append(order)
        elif not re.search(r"waive|unusable|unused|no supply", rest, re.IGNORECASE):
            mail.unread.append(line)
        return False

    def _order_line(self, power: Power, text: str) -> OrderLine | None:
        """A unit's order with its marks; None if it cannot be read."""
        marks = frozenset(mark.strip().lower() for found in _MARKS.finditer(text) for mark in re.split(r"[,;]", found["marks"]))
        bare = _MARKS.sub("", text).strip().rstrip(".").strip()
        if found := _CHANGE.fullmatch(bare):
            unit = self._unit(f"{found['kind']} {found['place']}")
            letter = "B" if found["what"].lower() == "builds" else "D"
            return None if unit is None else OrderLine(power, unit, f"{write_unit(unit)} {letter}", marks)
        bare = re.sub(r",?\s*no order processed$", "", bare, flags=re.IGNORECASE)
        verb = re.search(r"\s+(->|SUPPORTS?|CONVOYS?|HOLDS?|DISBANDS?|DISBANDED)(?:\s+|$)", bare)
        unit = self._unit(bare[: verb.start()] if verb else bare)
        if unit is None:
            return None
        order = self._order(unit, verb[1], bare[verb.end() :]) if verb else ""
        return None if order is None else OrderLine(power, unit, order, marks)

    def _order(self, unit: Unit, verb: str, rest: str) -> str | None:
        """An order of its verb and what follows, in canonical notation."""
        own = write_unit(unit)
        match verb[0]:
            case "-":
                steps = [self._place(step) for step in rest.split("->")]
                via = " VIA" if len(steps) > 1 else ""
                return f"{own} - {steps[-1]}{via}" if all(steps) else None
            case "S" | "C":
                helped, arrow, to = re.sub(r"\s+HOLDS?$", "", rest).partition("->")
                other, place = self._helped(helped), self._place(to.split("->")[-1]) if arrow else ""
                if other is None or (arrow and not place):
                    return None
                return f"{own} {verb[0]} {write_unit(other)}" + (f" - {place}" if place else "")
            case "H":
                return f"{own} H"
            case _:
                return f"{own} D"

    def _helped(self, text: str) -> Unit | None:
        """The unit that is supported or convoyed, with or without whose it is."""
        first, _, rest = text.strip().partition(" ")
        return self._unit(rest if fold(first) in self._powers else text)

    # ---- words

    def _unit(self, text: str) -> Unit | None:
        found = _UNIT.fullmatch(text.strip())
        place = self._place(found["place"]) if found else ""
        return read_unit(f"{KINDS[found['kind'].lower()]} {place}", self._board) if found and place else None

    def _place(self, text: str) -> str:
        """A place by its name, with a coast in brackets; "" if it is none."""
        found = re.fullmatch(r"(?P<name>.+?)\s*(?:[(/]\s*(?P<coast>\w+)(?:\s+coast)?\s*\)?)?", text.strip().rstrip("."))
        place = self._places.get(fold(found["name"]), "") if found else ""
        coast = _COASTS.get((found["coast"] or "").lower(), "") if found else ""
        return f"{place}/{coast}" if place and coast in self._board.provinces[place].coasts and coast else place

    def _phase(self, found: "re.Match[str]") -> Phase | None:
        step = _STEPS.get((found["step"] or "movement").lower())
        season = {"a": "F"}.get(found["season"][0].lower(), found["season"][0].upper())
        return Phase(int(found["year"]), season, step) if step is not None else None

    def _code(self, code: str) -> Phase:
        return read_phase(code.upper().replace("B", "A"))


def _whole_lines(text: str) -> Iterator[str]:
    """The lines of a letter; one that goes on set in is put together again, quoted or not."""
    line = ""
    for raw in text.splitlines():
        bare = clean(re.sub(r"^(?:>\s?)+", "", raw))
        goes_on = raw[:1] in " \t" and bool(bare) and ":" in line and not line.startswith("::") and ":" not in bare
        if goes_on:
            line = f"{line} {bare}"
            continue
        yield line
        line = bare
    yield line


def read_date(text: str) -> datetime | None:
    """A deadline as the judges write it; None if there is none.

    >>> read_date("Thu Mar 06 2031 23:30:00 +0000"), read_date("soon")
    (datetime.datetime(2031, 3, 6, 23, 30, tzinfo=datetime.timezone.utc), None)
    """
    found = _DATE.search(text)
    if found is None:
        return None
    stamp = f"{found['month']} {found['day']} {found['year']} {found['time']} {found['zone']}"
    try:
        return datetime.strptime(stamp, "%b %d %Y %H:%M %z").astimezone(UTC)
    except ValueError:
        return None
