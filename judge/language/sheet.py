"""The lines of one letter in their order: headings, remarks, quotations, greetings and orders."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from judge.board import Power
from judge.language.boardwords import BoardWords
from judge.language.clues import (
    doubt_in,
    is_comment,
    without_bullets,
)
from judge.language.commandwords import CommandWords
from judge.language.complaints import (
    BadLine,
    Doubtful,
    Incomplete,
    Misspelt,
    NotAnOrder,
    Quoted,
    RestUnclear,
    Shortened,
    TooLong,
    Unreadable,
    WrongSeason,
)
from judge.language.folding import clean, fold
from judge.language.headings import Heading
from judge.language.hosts import VERBS, Host, ordered
from judge.language.leaning import Leaning
from judge.language.linereading import ENGLISH, LineKind, LineReading, Outcome
from judge.language.scene import ON_BOARD
from judge.language.tokens import Item, items_of, note_of, tokenize
from judge.language.vocabulary import WORD, Vocabulary
from judge.rules import Disband, Hold, Move, Phase, Position, Retreat, Step, SupportHold, SupportMove, Waive, write_order

MOST_CHARACTERS = 4000
"""Longer lines are not read: no order is so long."""
MOST_KNOWN = 1000
"""So many lines of a letter are remembered, in case they come again."""
_SEASON = re.compile(r"((?:[^\W\d_]+\.?\s+)?\d{4}\.?(?:\s+[^\W\d_]{3,})?),?\s+(\S.*)")
"""A season with its year in front of what may be an order, in either order of the two."""
_GREETED = re.compile(r"([^,!.:;]{2,40})[,!.:;]\s*(\S.*)")
"""What may be a greeting, and the line behind it."""
_OF_ORDERS = re.compile(r"[(~>–—→]|-(?!\w)")
"""Signs that orders have, and lines about orders have not."""
_CLAUSE = re.compile(r"[.,;!?]\s")
MOST_OF_LEAD = 5
"""So many words has a line that takes back those below it."""
MOST_BEFORE_DOUBT = 5
"""So many words of a line below orders are looked at for a condition on them."""


@dataclass
class Lead:
    """A line that says of those below it that they are not wanted, or not surely ("Please cancel:", "Or"); `text` "" for none.

    It reaches to the first blank line or other prose behind an order (`met`).
    """

    text: str = ""
    met: bool = False


class Sheet(Leaning):
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
        self.lead = Lead()
        self.below_orders = self.has_orders = False
        """Whether the line above, or any line above, gives orders."""
        self._known: dict[tuple[Power, str], Outcome] = {}
        self._hosts: dict[int, tuple[Host, Power, Heading | None]] = {}
        """Lines that speak of many units at once, by number, with the power and the wrong season that headings above them name."""

    def read(self, texts: Sequence[str], prefer: tuple[str, ...]) -> tuple[tuple[LineReading, ...], str]:
        """All lines, and the language that most of them plainly speak ("" if none does)."""
        self.power, self.wrong, self.repairs, self.greeted, self.lead = "", None, 0, False, Lead()
        self.below_orders = self.has_orders = False
        self._known.clear()
        self._hosts.clear()
        known = [language for language in dict.fromkeys((*prefer, ENGLISH, *self.reader.tongues)) if language in self.reader.tongues]
        self.languages, self.likely = known, frozenset({*prefer, ENGLISH})
        readings, spoken = [], Counter[str]()
        for n, text in enumerate(texts, 1):
            outcome = self._below_its_lead(self._line(n, text, known))
            readings.append(outcome.reading)
            if len(readings) > 1 and not outcome.reading.orders and (both := self._leaning(*readings[-2:])):
                readings[-2:] = both
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
            return self._as_comment(blank, cleaned)
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
        if found.kind is LineKind.UNKNOWN and bare.endswith(":") and self._is_bare_heading(bare):
            return replace(outcome, reading=replace(found, kind=LineKind.COMMENT, error=None))
        if cleaned.startswith("(") and cleaned.endswith(")") and found.kind is not LineKind.HEADING:
            return self._as_remark(outcome, bare)
        if found.kind is LineKind.HEADING:
            self._note_heading(found)
        elif found.kind is LineKind.UNKNOWN and self.commands is not None and (match := self.commands.match(bare)):
            return Outcome(match.language, replace(found, kind=LineKind.COMMAND, error=None, suggestions=(), lang=match.language))
        elif found.kind is LineKind.ORDER and self.wrong is not None and self.phase is not None:
            error = WrongSeason(str(self.wrong), self.phase)
            asked = tuple(write_order(order) for order in found.orders)
            return replace(outcome, reading=replace(found, orders=(), powers=(), error=error, warnings=(), suggestions=asked))
        return outcome

    def _leaning(self, above: LineReading, below: LineReading) -> tuple[LineReading, LineReading] | None:
        """Two lines that only mean something together; None if they do not."""
        if below.kind is not LineKind.UNKNOWN or above.kind is LineKind.BLANK or self.lead.text:
            return None
        blank = LineReading(below.n, below.line, LineKind.UNKNOWN, lang=below.lang)
        if above.orders and (back := self._pointing_back(blank, without_bullets(clean(below.line)), above.orders[-1])):
            return above, back.reading
        begun = isinstance(above.error, Incomplete) and isinstance(below.error, NotAnOrder)
        return self._wrapped(above, below) if begun or (above.orders and isinstance(above.orders[-1], SupportHold)) else None

    def _wrapped(self, above: LineReading, below: LineReading) -> tuple[LineReading, LineReading] | None:
        """A unit, or a support, and the line below it that says where the unit goes, as one order; None if that is not what they are."""
        blank = LineReading(above.n, above.line, LineKind.UNKNOWN, lang=above.lang)
        whole = self._read(blank, f"{without_bullets(clean(above.line))} {below.line.strip()}").reading
        *before, last = whole.orders or (None,)
        guessed = any(isinstance(warning, Misspelt | Shortened) for warning in whole.warnings)
        if whole.error or guessed or tuple(before) != above.orders[:-1]:
            return None
        held = (SupportHold(last.unit, last.of),) if isinstance(last, SupportMove) else ()
        fits = held == above.orders[-1:] if above.orders else isinstance(last, Move | Retreat)
        return (whole, replace(below, kind=LineKind.COMMENT, error=None, suggestions=())) if fits else None

    def _below_its_lead(self, outcome: Outcome) -> Outcome:
        """What a line says where the line above may say that it is not meant; that is noted from line to line."""
        found, lead = outcome.reading, self.lead
        if found.orders or found.n in self._hosts:
            lead.met = self.below_orders = self.has_orders = True
            if not lead.text:
                return outcome
            self._hosts.pop(found.n, None)
            asked = tuple(dict.fromkeys(write_order(order) for order in found.orders))
            blank = LineReading(found.n, found.line, LineKind.UNKNOWN, error=Doubtful(lead.text), lang=found.lang)
            return replace(outcome, evidence=0, reading=replace(blank, suggestions=(*asked, *found.suggestions)))
        if found.kind is LineKind.BLANK:
            self.lead = Lead() if lead.met else lead
            self.below_orders = False
        elif not found.suggestions:
            below, self.below_orders = self.below_orders, False
            is_heading = found.kind is LineKind.HEADING
            self.lead = Lead("" if is_heading else self._leading(without_bullets(clean(found.line))))
            if below and not self.lead.text and isinstance(found.error, NotAnOrder) and (doubt := self._condition(found.line)):
                return replace(outcome, evidence=0, reading=replace(found, error=Doubtful(doubt)))
        return outcome

    def _condition(self, text: str) -> str:
        """The word that puts a condition on the orders above a line, if it names somebody ("only if Germany agrees"); "" if none does."""
        for items in self._in_nearest(text):
            if any(item.sense and (item.sense.places or item.sense.powers or item.sense.adjectives) for item in items):
                return doubt_in([item for item in items[:MOST_BEFORE_DOUBT] if _is_of(item, "conditions")])
        return ""

    def _leading(self, text: str) -> str:
        """The line, if it takes back what stands below it: nothing but one word that does ("Old:", "Or") and others that say nothing.

        Whatever else a line says, it is talk, or heads orders that are meant ("These replace my old orders:").
        """
        if len(text.split(maxsplit=MOST_OF_LEAD)) > MOST_OF_LEAD or _OF_ORDERS.search(text):
            return ""
        for items in self._in_nearest(text):
            words = [item for item in items if item.kind == "word" and not (len(item.text) == 1 or item.text.isdecimal())]
            leads = [item for item in words if self._takes_back(item, text)]
            if len(leads) == 1 and all(item is leads[0] or _says_nothing(item) for item in words):
                return text
        return ""

    def _takes_back(self, item: Item, text: str) -> bool:
        """Whether a word may take back the orders below it."""
        if _is_of(item, "later"):
            return self.has_orders
        in_movement = self.phase is not None and self.phase.step is Step.MOVEMENT
        return _is_of(item, "leads") or (text.endswith(":") and in_movement and _only_disbands(item))

    def _in_nearest(self, text: str) -> Iterator[tuple[Item, ...]]:
        """A text in each of the languages that know most of its words."""
        words, tokens = WORD.findall(text), tokenize(text)
        strangers = {language: self.reader.vocabulary(language).strangers(words) for language in self.languages}
        fewest = min(strangers.values())
        for language, unknown in strangers.items():
            if unknown == fewest:
                yield items_of(tokens, self.reader.vocabulary(language), self.reader.waterways)

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
                known = self._together(blank, text) or known
            if known.reading.error is not None:
                known = self._before_thanks(blank, text) or known
            if known.reading.orders and (note := note_of(text)):
                known = self._beside_note(blank, known, note)
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
        if self._is_bare_heading(head):
            return self._in_languages(blank, rest.strip(), self.languages)
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

    def _is_bare_heading(self, head: str) -> bool:
        """Whether a text is made of the words of headings alone, and says neither whose orders follow nor when ("My new orders")."""
        words = WORD.findall(head)
        vocabularies = [self.reader.vocabulary(language) for language in self.languages]
        return bool(words) and len(words[-1]) > 1 and any(_are_of_headings(words, vocabulary) for vocabulary in vocabularies)

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

    def _before_thanks(self, blank: LineReading, text: str) -> Outcome | None:
        """Orders with thanks or a closing behind them on the same line ("A Par - Bur. Thanks, John"); None if there are none."""
        ends = (end for end in _CLAUSE.finditer(text) if self.reader.courtesies.is_courtesy(text[end.end() :]))
        found = next((self._read(blank, text[: end.start()]) for end in ends), None)
        return found if found and found.reading.orders and found.reading.error is None else None

    def _as_quoted(self, outcome: Outcome) -> Outcome:
        found = outcome.reading
        asked = tuple(write_order(order) for order in found.orders) or found.suggestions
        error: BadLine = Quoted(found.line) if asked else NotAnOrder(found.line)
        return replace(
            outcome, evidence=0, reading=LineReading(found.n, found.line, LineKind.UNKNOWN, error=error, suggestions=asked, lang=found.lang)
        )

    def _as_comment(self, blank: LineReading, text: str) -> Outcome:
        """A line that begins as a note does; one that reads as an order is asked back, but for those of a form ("# A Par B")."""
        shown = "" if text.startswith("#") else text.strip("*/<-–— ")
        if shown and (orders := self._read(blank, shown).reading.orders):
            asked = tuple(write_order(order) for order in orders)
            blank = replace(blank, kind=LineKind.UNKNOWN, error=Doubtful(text[:2]), suggestions=asked)
            return Outcome(blank.lang, blank)
        return Outcome(blank.lang, replace(blank, kind=LineKind.COMMENT))

    def _as_remark(self, outcome: Outcome, text: str) -> Outcome:
        """A whole line in brackets is a remark; if it reads as an order or puts a condition, whoever wrote it is asked."""
        found = outcome.reading
        asked = tuple(write_order(order) for order in found.orders) or found.suggestions
        blank = LineReading(found.n, found.line, LineKind.COMMENT, lang=found.lang)
        doubt = self._doubt(text) or ("( )" if asked else "")
        if doubt:
            blank = replace(blank, kind=LineKind.UNKNOWN, error=Doubtful(doubt), suggestions=asked)
        return replace(outcome, evidence=0, reading=blank)

    def _doubt(self, text: str) -> str:
        """The word of doubt in a remark; "" if there is none."""
        return next((doubt for doubt in map(doubt_in, self._in_nearest(text)) if doubt), "")

    def _doubt_beside(self, note: str) -> str:
        """The word of a note that takes back the order beside it: a condition, or a doubt at its beginning before a place ("not Pic")."""
        for items in self._in_nearest(note):
            words = [item for item in items if item.kind == "word"]
            begun = words[:1] if any(item.sense and item.sense.places for item in words) else []
            if doubt := doubt_in([item for item in words if _is_of(item, "conditions")]) or doubt_in(begun):
                return doubt
        return ""

    def _beside_note(self, blank: LineReading, known: Outcome, note: str) -> Outcome:
        """Orders with a note behind them ("A Par - Bur // ..."): asked back if it puts a condition, and so are orders in it."""
        found = known.reading
        if doubt := self._doubt_beside(note):
            asked = tuple(write_order(order) for order in found.orders)
            return replace(known, reading=replace(blank, error=Doubtful(doubt), suggestions=asked, lang=found.lang))
        more = self._read(blank, note).reading
        if not more.orders:
            return known
        asked = tuple(write_order(order) for order in more.orders)
        error = found.error or Unreadable(note)
        return replace(known, reading=replace(found, error=error, suggestions=(*found.suggestions, *asked)))

    def _note_heading(self, found: LineReading) -> None:
        if found.power:
            self.power = found.power
        if found.season is not None:
            self.wrong = found.season if self.phase is not None and not found.season.fits(self.phase) else None


def _says_nothing(item: Item) -> bool:
    """Whether a word is one of those beside which others count: an article, a polite word, "my", "orders", "this"."""
    small = item.sense.small if item.sense and not item.sense.is_meaty else frozenset()
    return "greetings" not in small and bool(small & {"articles", "filler", "headings", "of"})


def _is_of(item: Item, small: str) -> bool:
    """Whether a word is in one of the lists of small words."""
    return bool(item.sense and small in item.sense.small)


def _only_disbands(item: Item) -> bool:
    """Whether a word can be no other verb than one for disbanding, which cancels where no unit can be disbanded."""
    return bool(item.sense and item.sense.verbs == {"disband"} and len(item.text) > 1 and not item.sense.places)


def _are_of_headings(words: Sequence[str], vocabulary: Vocabulary) -> bool:
    """Whether all of these words may stand in headings, and one of them says that orders follow."""
    senses = [vocabulary.look_up(word) for word in words]
    kinds = [sense.small if sense else frozenset() for sense in senses]
    return all(kind & {"headings", "articles", "filler", "of"} for kind in kinds) and any(
        "headings" in kind and len(word) > 3 for kind, word in zip(kinds, words, strict=True)
    )
