"""The lines of one letter in their order: headings, remarks, quotations, greetings and orders."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from judge.board import Power
from judge.language.boardwords import BoardWords
from judge.language.clues import (
    is_comment,
    without_bullets,
)
from judge.language.commandwords import CommandWords
from judge.language.complaints import (
    BadLine,
    Doubtful,
    Incomplete,
    NotAnOrder,
    Quoted,
    RestUnclear,
    TooLong,
    WrongSeason,
)
from judge.language.folding import clean, fold
from judge.language.headings import Heading
from judge.language.hosts import VERBS, Host, ordered
from judge.language.linelanguages import LineLanguages
from judge.language.linereading import ENGLISH, LineKind, LineReading, Outcome
from judge.language.plain import plain_order
from judge.language.scene import ON_BOARD
from judge.language.warnings import order_warnings
from judge.rules import Disband, Hold, Phase, Position, Step, Waive, write_order

MOST_CHARACTERS = 4000
"""Longer lines are not read: no order is so long."""
MOST_TOGETHER = 12
"""So many units may stand before one verb."""
MOST_KNOWN = 1000
"""So many lines of a letter are remembered, in case they come again."""
_SEASON = re.compile(r"((?:[^\W\d_]+\.?\s+)?\d{4}\.?(?:\s+[^\W\d_]{3,})?),?\s+(\S.*)")
"""A season with its year in front of what may be an order, in either order of the two."""
_GREETED = re.compile(r"([^,!.:;]{2,40})[,!.:;]\s*(\S.*)")
"""What may be a greeting, and the line behind it."""


class Sheet(LineLanguages):
    """One letter being read: the scene, and what headings have said so far."""

    def __init__(
        self,
        reader: BoardWords,
        position: Position | None,
        power: Power,
        phase: Phase | None,
        commands: CommandWords | None,
        parted: bool = False,
    ) -> None:
        super().__init__(reader, position, power, phase)
        self.commands = commands
        self.parted = parted
        """Whether other lines of the letter give orders, too."""
        self.wrong: Heading | None = None
        self.greeted = False
        """Whether the last line that was not blank was a mere courtesy: a name may stand below it."""
        self._known: dict[tuple[Power, str], Outcome] = {}
        self._hosts: dict[int, tuple[Host, Power, Heading | None]] = {}
        """Lines that speak of many units at once, by number, with the power and the wrong season that headings above them name."""

    def read(self, texts: Sequence[str], prefer: tuple[str, ...]) -> tuple[tuple[LineReading, ...], str]:
        """All lines, and the language that most of them plainly speak ("" if none does)."""
        self.power, self.wrong, self.repairs, self.greeted = "", None, 0, False
        self._known.clear()
        self._hosts.clear()
        known = [language for language in dict.fromkeys((*prefer, ENGLISH, *self.reader.tongues)) if language in self.reader.tongues]
        self.languages, self.likely = known, frozenset({*prefer, ENGLISH})
        readings, spoken = [], Counter[str]()
        for n, text in enumerate(texts, 1):
            outcome = self._line(n, text, known)
            readings.append(outcome.reading)
            if outcome.evidence and not outcome.weak and outcome.reading.kind in (LineKind.ORDER, LineKind.HEADING):
                spoken[outcome.language] += 1
        most = max(spoken.items(), key=lambda item: (item[1], -known.index(item[0])))[0] if spoken else ""
        return tuple(self._with_hosts(readings)), most

    def _line(self, n: int, text: str, languages: Sequence[str]) -> Outcome:
        line = text.rstrip("\r\n")
        blank = LineReading(n, line, LineKind.BLANK, lang=languages[0])
        if len(line) > MOST_CHARACTERS:
            too_long = TooLong(len(line), MOST_CHARACTERS)
            return Outcome(languages[0], replace(blank, kind=LineKind.UNKNOWN, error=too_long))
        cleaned = clean(line)
        if not cleaned:
            return Outcome(languages[0], blank)
        if is_comment(cleaned):
            return Outcome(languages[0], replace(blank, kind=LineKind.COMMENT))
        quoted = cleaned.startswith((">", "|"))
        bare = without_bullets(cleaned.lstrip(">| ") if quoted else cleaned)
        if cleaned.startswith("(") and cleaned.endswith(")"):
            bare = without_bullets(cleaned[1:-1])
        if cleaned.startswith("+") and not bare.startswith("+") and self.phase is not None and self.phase.step is Step.ADJUSTMENT:
            bare = f"+{bare}"  # "+ A Par" is a build, not a bullet
        if not bare:
            return Outcome(languages[0], replace(blank, kind=LineKind.UNKNOWN, error=NotAnOrder(line)))
        unread = LineReading(n, line, LineKind.UNKNOWN, lang=languages[0])
        outcome = (None if quoted or cleaned.startswith("(") else self._of_many(unread, bare)) or self._read(unread, bare)
        if quoted:
            return self._as_quoted(outcome)
        found = outcome.reading
        if isinstance(found.error, NotAnOrder | Incomplete) and self._is_courtesy(bare):
            return replace(outcome, reading=replace(found, kind=LineKind.COMMENT, error=None))
        self.greeted = False
        if cleaned.startswith("(") and cleaned.endswith(")") and found.kind is not LineKind.HEADING:
            return self._as_remark(outcome)
        if found.kind is LineKind.HEADING:
            self._note_heading(found)
        elif found.kind is LineKind.UNKNOWN and self.commands is not None and (match := self.commands.match(bare)):
            return Outcome(match.language, replace(found, kind=LineKind.COMMAND, error=None, suggestions=(), lang=match.language))
        elif found.kind is LineKind.ORDER and self.wrong is not None and self.phase is not None:
            error = WrongSeason(str(self.wrong), self.phase)
            asked = tuple(write_order(order) for order in found.orders)
            return replace(outcome, reading=replace(found, orders=(), powers=(), error=error, warnings=(), suggestions=asked))
        return outcome

    def _of_many(self, blank: LineReading, text: str) -> Outcome | None:
        """A line that speaks, at least at its end, of many units; whom it means is settled when all lines are read."""
        if not (self.writer or self.power) or self.position is None or self.phase is None or self.phase.step not in VERBS:
            return None
        if not self.reader.hosts.hints(text):
            return None
        head, host = "", self.reader.hosts.find(text)
        if host is None and (cut := self.reader.hosts.cut(text)):
            head, host = cut
        if host is None or host.verb != VERBS[self.phase.step]:
            return None
        self._hosts[blank.n] = host, self.power, self.wrong
        if head and not self.reader.courtesies.is_courtesy(head):
            return self._read(blank, head)
        return Outcome(host.language, replace(blank, kind=LineKind.ORDER, lang=host.language), ON_BOARD, evidence=1)

    def _with_hosts(self, readings: list[LineReading]) -> Iterator[LineReading]:
        """The lines, those that speak of many units with the orders they mean: of units that no other line of the letter names.

        A unit whose line is asked back must not hold meanwhile, or the phase might close on it.
        """
        named = {order.unit.at.province for reading in readings for order in reading.orders if not isinstance(order, Waive)}
        begun = bool(named)
        asked = [reading for reading in readings if reading.error is not None and not isinstance(reading.error, NotAnOrder)]
        named |= {suggestion.split()[1].partition("/")[0] for reading in asked for suggestion in reading.suggestions if " " in suggestion}
        is_clear = all(reading.suggestions for reading in asked) and not self.parted
        for reading in readings:
            if reading.n not in self._hosts:
                yield reading
                continue
            host, power, wrong = self._hosts[reading.n]
            if not is_clear or (host.rest and not begun):
                yield replace(reading, kind=LineKind.UNKNOWN, error=reading.error or RestUnclear(reading.line))
                continue
            orders = ordered(host, self.scene(power), self.writer or power, named)
            named |= {order.unit.at.province for order in orders}
            yield self._of_host(reading, orders, power, wrong)

    def _of_host(self, reading: LineReading, orders: tuple[Hold | Disband, ...], power: Power, wrong: Heading | None) -> LineReading:
        """A line that speaks of many units with the orders it means for them."""
        if wrong is not None and self.phase is not None:
            asked = tuple(write_order(order) for order in (*reading.orders, *orders))
            return replace(reading, orders=(), powers=(), error=WrongSeason(str(wrong), self.phase), suggestions=asked)
        return replace(
            reading,
            kind=LineKind.ORDER if orders or reading.orders or reading.error else LineKind.COMMENT,
            orders=(*reading.orders, *orders),
            powers=(*reading.powers, *[power] * len(orders)),
        )

    def _is_courtesy(self, text: str) -> bool:
        """Whether a line that is no order only greets, or is a name below such a line."""
        known, begun, is_command = self.reader.courtesies, self.greeted, self.commands is not None and self.commands.match(text)
        self.greeted = known.greets(text) if is_command else known.is_courtesy(text)
        return self.greeted or (begun and not is_command and known.is_signature(text))

    def _read(self, blank: LineReading, text: str) -> Outcome:
        """The line without bullets and tails; one that was read before is remembered."""
        key = (self.power, text)
        known = self._known.get(key)
        if known is None:
            known = self._canonical(blank, text) or self._in_languages(blank, text, self.languages)
            if known.reading.error is not None and ":" in text:
                known = self._below_its_heading(blank, *text.split(":", 1)) or known
            if known.reading.error is not None and not known.reading.orders and (season := _SEASON.match(text)):
                known = self._below_its_heading(blank, season[1], season[2]) or known
            if known.reading.error is not None and not known.reading.orders:
                known = self._behind_a_greeting(blank, text) or known
            if known.reading.error is not None:
                known = self._holding_together(blank, text) or known
            if len(self._known) < MOST_KNOWN:
                self._known[key] = known
        if (known.reading.n, known.reading.line) == (blank.n, blank.line):
            return known
        return replace(known, reading=replace(known.reading, n=blank.n, line=blank.line))

    def _below_its_heading(self, blank: LineReading, head: str, rest: str) -> Outcome | None:
        """An order with a season in front of it ("Spring 1901: A Par - Bur"); None if that is not what the line is."""
        if not rest.strip() or len(head) > 40:
            return None
        if (power := self._power_begun(head)) and not self.writer:
            return self._of_power(blank, power, rest.strip())
        heading = self._in_languages(blank, head, self.languages).reading
        if power and heading.kind is not LineKind.HEADING:
            return self._of_power(blank, power, rest.strip())
        if heading.kind is not LineKind.HEADING or heading.season is None:
            return None
        found = self._canonical(blank, rest.strip()) or self._in_languages(blank, rest.strip(), self.languages)
        if self.phase is None or heading.season.fits(self.phase) or not found.reading.orders:
            return found
        asked = tuple(write_order(order) for order in found.reading.orders)
        error = WrongSeason(str(heading.season), self.phase)
        return replace(found, reading=replace(found.reading, orders=(), powers=(), error=error, warnings=(), suggestions=asked))

    def _power_begun(self, head: str) -> Power:
        """The one power whose name begins so ("ENG", "Нем"), "" for none: only in front of a colon, for some are codes of places too."""
        key = fold(head)
        if len(key) < 3:
            return ""
        gazetteers = [self.reader.tongues[language].gazetteer for language in self.languages]
        found = {
            power
            for gazetteer in gazetteers
            for power in self.reader.variant.powers
            for name in (power, gazetteer.power_name(power))
            if fold(name).startswith(key)
        }
        return found.pop() if len(found) == 1 else ""

    def _of_power(self, blank: LineReading, power: Power, text: str) -> Outcome | None:
        """An order behind the abbreviation of a power; None if it is none."""
        before, self.power = self.power, power
        found = self._canonical(blank, text) or self._in_languages(blank, text, self.languages)
        self.power = before
        return found if found.reading.orders else None

    def _behind_a_greeting(self, blank: LineReading, text: str) -> Outcome | None:
        """Orders behind a greeting on the same line ("Ahoj Petře, A Par - Bur"); None if the line does not begin with one."""
        found = _GREETED.match(text)
        if found is None or not self.reader.courtesies.is_courtesy(found[1]):
            return None
        rest = self._in_languages(blank, found[2], self.languages)
        return rest if rest.reading.orders or rest.reading.suggestions else None

    def _holding_together(self, blank: LineReading, text: str) -> Outcome | None:
        """Several units that hold by one verb ("A Par, A Mar and F Bre hold"); None if it is not sure that all of them do."""
        *before, last = (part.strip() for part in self.reader.joints.split(text))
        words = last.split()
        cut = next((cut for cut in range(1, len(words)) if self.reader.hosts.verb(" ".join(words[cut:])) == "hold"), 0)
        if not (cut and before and all(before)) or len(before) > MOST_TOGETHER:
            return None
        found = [self._one(blank, f"{' '.join(words[:cut])} H")]
        while before and (held := self._one(blank, f"{before[-1]} H")):  # not with a verb of its own
            found.insert(0, held)
            before.pop()
        found = [*(self._one(blank, part) for part in before), *found]
        return _joined([outcome for outcome in found if outcome]) if None not in found and len(found) > len(before) + 1 else None

    def _one(self, blank: LineReading, text: str) -> Outcome | None:
        """A text that is one order and nothing else; None for any other."""
        found = self._canonical(blank, text) or self._in_languages(blank, text, self.languages)
        return found if len(found.reading.orders) == 1 and found.reading.error is None else None

    def _canonical(self, blank: LineReading, text: str) -> Outcome | None:
        """An order in the judge's own notation that fits the position as it stands, read without looking at languages."""
        order = plain_order(text, self.scene(self.writer or self.power))
        if order is None:
            return None
        warnings = order_warnings(order, self.writer or self.power, self.position, self.reader.variant)
        reading = replace(
            blank,
            kind=LineKind.ORDER,
            orders=(order,),
            powers=(self.power,),
            power=self.power or None,
            warnings=warnings,
            lang=self.languages[0],
        )
        return Outcome(self.languages[0], reading, ON_BOARD)

    def _as_quoted(self, outcome: Outcome) -> Outcome:
        found = outcome.reading
        asked = tuple(write_order(order) for order in found.orders) or found.suggestions
        error: BadLine = Quoted(found.line) if asked else NotAnOrder(found.line)
        return replace(
            outcome, evidence=0, reading=LineReading(found.n, found.line, LineKind.UNKNOWN, error=error, suggestions=asked, lang=found.lang)
        )

    def _as_remark(self, outcome: Outcome) -> Outcome:
        """A whole line in brackets is a remark; if it reads as an order, whoever wrote it is asked."""
        found = outcome.reading
        asked = tuple(write_order(order) for order in found.orders) or found.suggestions
        blank = LineReading(found.n, found.line, LineKind.COMMENT, lang=found.lang)
        if asked:
            blank = replace(blank, kind=LineKind.UNKNOWN, error=Doubtful("( )"), suggestions=asked)
        return replace(outcome, evidence=0, reading=blank)

    def _note_heading(self, found: LineReading) -> None:
        if found.power:
            self.power = found.power
        if found.season is not None:
            self.wrong = found.season if self.phase is not None and not found.season.fits(self.phase) else None


def _joined(found: list[Outcome]) -> Outcome:
    """Several readings of one line as one."""
    first = found[0].reading
    return replace(
        found[0],
        reading=replace(
            first,
            orders=tuple(order for outcome in found for order in outcome.reading.orders),
            powers=tuple(power for outcome in found for power in outcome.reading.powers),
            warnings=tuple(dict.fromkeys(warning for outcome in found for warning in outcome.reading.warnings)),
        ),
    )
