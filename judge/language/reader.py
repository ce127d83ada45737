"""Lines as people write them, to orders: each line is read right, or asked back; what was repaired is told."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from judge.board import Power
from judge.language.clues import (
    doubt_in,
    evidence_of,
    is_coast_letter,
    is_comment,
    is_filler,
    is_whole,
    looks_like_order,
    repair_of,
    stretches_of,
    text_of,
    without_brackets,
    without_bullets,
)
from judge.language.commandwords import CommandWords
from judge.language.complaints import (
    AmbiguousOrder,
    BadLine,
    Complaint,
    Doubtful,
    ForeignName,
    Ignored,
    Incomplete,
    NotAnOrder,
    Quoted,
    TooLong,
    Unreadable,
    Warned,
    WrongSeason,
)
from judge.language.courtesies import Courtesies
from judge.language.drafts import Draft
from judge.language.folding import clean, fold, is_cyrillic
from judge.language.grammar import Grammar
from judge.language.headings import Heading, heading_of
from judge.language.meaning import Reading, Settled, settle, wrong_kinds
from judge.language.orderlists import paths
from judge.language.plain import plain_order
from judge.language.scene import ON_BOARD, Scene
from judge.language.slips import mended, nearest
from judge.language.tokens import Item, Token, items_of, tokenize
from judge.language.vocabulary import Tongue, Vocabulary
from judge.language.warnings import order_warnings
from judge.rules import Order, Phase, Position, Step, Variant, write_order

MOST_CHARACTERS = 4000
"""Longer lines are not read: no order is so long."""
MOST_PROSE = 60
"""A stretch of more words than this, none of them a separator, is prose."""
MOST_KNOWN = 1000
"""So many lines of a letter are remembered, in case they come again."""
MOST_SLIPS = 3
"""A line with more unknown words than this is not repaired."""
_SEASON = re.compile(r"((?:[^\W\d_]+\.?\s+)?\d{4}\.?(?:\s+[^\W\d_]{3,})?),?\s+(\S.*)")
"""A season with its year in front of what may be an order, in either order of the two."""
_GREETED = re.compile(r"([^,!.:;]{2,40})[,!.:;]\s*(\S.*)")
"""What may be a greeting, and the line behind it."""
MOST_REPAIRS = 300
"""So many lines of a letter are looked at for slips; a letter with more is no list of orders."""
ENGLISH = "en"


class LineKind(StrEnum):
    """What a line is."""

    ORDER = "order"
    HEADING = "heading"
    COMMAND = "command"
    COMMENT = "comment"
    BLANK = "blank"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class LineReading:
    """What one line says.

    `orders` those that can be filed, and `powers` whose each of them is ("" if neither the line nor a heading says it); `power` the one
    named by a heading or a nationality word; `season` the phase a heading names, as far as it does; `error` why the line (or the rest
    of it, if there are `orders`) is asked back; `warnings` repairs and impossibilities; `suggestions` canonical orders it may have meant.
    """

    n: int
    line: str
    kind: LineKind
    orders: tuple[Order, ...] = ()
    powers: tuple[Power, ...] = ()
    power: Power | None = None
    season: Heading | None = None
    error: BadLine | None = None
    warnings: tuple[Warned, ...] = ()
    suggestions: tuple[str, ...] = ()
    lang: str = ENGLISH

    @property
    def complaints(self) -> tuple[Complaint, ...]:
        """The error, if any, and the warnings."""
        return ((self.error,) if self.error else ()) + self.warnings


@dataclass(frozen=True, slots=True)
class _Outcome:
    """A line in one language: what it gave, and how surely it is that language."""

    language: str
    reading: LineReading
    level: int = 0
    evidence: int = 0
    weak: tuple[ForeignName, ...] = ()


@dataclass(frozen=True, slots=True)
class _Tried:
    """A language that does not know all words of a line: how many at least, and the items, if they were made."""

    unknown: int
    rank: int
    language: str
    items: tuple[Item, ...] = ()


class Reader:
    """Reads order lines of one variant in all its languages.

    `tongues` by language code; each is asked for only when a line needs it.  A reader remembers its indexes: keep it.
    """

    def __init__(self, variant: Variant, tongues: Mapping[str, Tongue]) -> None:
        self.variant = variant
        self.tongues = tongues
        self._vocabularies: dict[str, Vocabulary] = {}
        self._courtesies: Courtesies | None = None
        self.waterways = {frozenset(ports): way for way, ports in variant.board.ports.items()}

    def vocabulary(self, language: str) -> Vocabulary:
        """The words of a language on this board."""
        found = self._vocabularies.get(language)
        if found is None:
            tongue = self.tongues[language]
            english = None if language == ENGLISH or ENGLISH not in self.tongues else self.vocabulary(ENGLISH)
            found = Vocabulary(tongue.lexicon, tongue.gazetteer, self.variant.board, english)
            self._vocabularies[language] = found
        return found

    @property
    def courtesies(self) -> Courtesies:
        """The greetings of all languages."""
        if self._courtesies is None:
            self._courtesies = Courtesies(tongue.lexicon for tongue in self.tongues.values())
        return self._courtesies

    def read_lines(
        self,
        lines: Iterable[str],
        *,
        position: Position | None = None,
        power: Power | None = None,
        phase: Phase | None = None,
        prefer: Sequence[str] = (),
        commands: CommandWords | None = None,
    ) -> tuple[LineReading, ...]:
        """Every line read; headings govern the lines below them.

        `power` is who writes ("" or None: a master, whose headings say whose orders follow); `prefer` the languages to try first.
        A letter in which some line plainly speaks another language is read once more with that language first.
        """
        texts = list(lines)
        sheet = _Sheet(self, position, power or "", phase or (position.phase if position else None), commands)
        first = tuple(prefer)
        readings, spoken = sheet.read(texts, first)
        if spoken and spoken != sheet.languages[0]:
            readings, _ = sheet.read(texts, (spoken, *(language for language in first if language != spoken)))
        return readings


def read_lines(
    lines: Iterable[str],
    tongues: Mapping[str, Tongue],
    *,
    variant: Variant,
    position: Position | None = None,
    power: Power | None = None,
    phase: Phase | None = None,
    prefer: Sequence[str] = (),
) -> tuple[LineReading, ...]:
    """The same as `Reader.read_lines`, for callers who read once."""
    return Reader(variant, tongues).read_lines(lines, position=position, power=power, phase=phase, prefer=prefer)


class _Sheet:
    """One letter being read: the scene, and what headings have said so far."""

    def __init__(self, reader: Reader, position: Position | None, power: Power, phase: Phase | None, commands: CommandWords | None) -> None:
        self.reader = reader
        self.position = position
        self.writer = power
        self.phase = phase
        self.commands = commands
        self.power: Power = ""
        self.wrong: Heading | None = None
        self.languages: list[str] = []
        self.likely: set[str] = set()
        self._known: dict[tuple[Power, str], _Outcome] = {}
        self.repairs = 0
        self.greeted = False
        """Whether the last line that was not blank was a mere courtesy: a name may stand below it."""
        self._last: list[Reading] = []
        self._scenes: dict[Power, Scene] = {}

    def scene(self, power: Power) -> Scene:
        """The scene as one power's orders are read."""
        found = self._scenes.get(power)
        if found is None:
            found = self._scenes[power] = Scene(self.reader.variant, self.position, power, self.phase)
        return found

    def read(self, texts: Sequence[str], prefer: tuple[str, ...]) -> tuple[tuple[LineReading, ...], str]:
        """All lines, and the language that most of them plainly speak ("" if none does)."""
        self.power, self.wrong, self.repairs, self.greeted = "", None, 0, False
        self._known.clear()
        known = [language for language in dict.fromkeys((*prefer, ENGLISH, *self.reader.tongues)) if language in self.reader.tongues]
        self.languages, self.likely = known, {*prefer, ENGLISH}
        readings, spoken = [], Counter[str]()
        for n, text in enumerate(texts, 1):
            outcome = self._line(n, text, known)
            readings.append(outcome.reading)
            if outcome.evidence and not outcome.weak and outcome.reading.kind in (LineKind.ORDER, LineKind.HEADING):
                spoken[outcome.language] += 1
        most = max(spoken.items(), key=lambda item: (item[1], -known.index(item[0])))[0] if spoken else ""
        return tuple(readings), most

    def _line(self, n: int, text: str, languages: list[str]) -> _Outcome:
        line = text.rstrip("\r\n")
        blank = LineReading(n, line, LineKind.BLANK, lang=languages[0])
        if len(line) > MOST_CHARACTERS:
            too_long = TooLong(len(line), MOST_CHARACTERS)
            return _Outcome(languages[0], replace(blank, kind=LineKind.UNKNOWN, error=too_long))
        cleaned = clean(line)
        if not cleaned:
            return _Outcome(languages[0], blank)
        if is_comment(cleaned):
            return _Outcome(languages[0], replace(blank, kind=LineKind.COMMENT))
        quoted = cleaned.startswith((">", "|"))
        bare = without_bullets(cleaned.lstrip(">| ") if quoted else cleaned)
        if cleaned.startswith("(") and cleaned.endswith(")"):
            bare = without_bullets(cleaned[1:-1])
        if cleaned.startswith("+") and not bare.startswith("+") and self.phase is not None and self.phase.step is Step.ADJUSTMENT:
            bare = f"+{bare}"  # "+ A Par" is a build, not a bullet
        if not bare:
            return _Outcome(languages[0], replace(blank, kind=LineKind.UNKNOWN, error=NotAnOrder(line)))
        outcome = self._read(replace(blank, kind=LineKind.UNKNOWN), bare)
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
            return _Outcome(match.language, replace(found, kind=LineKind.COMMAND, error=None, suggestions=(), lang=match.language))
        elif found.kind is LineKind.ORDER and self.wrong is not None and self.phase is not None:
            error = WrongSeason(str(self.wrong), self.phase)
            asked = tuple(write_order(order) for order in found.orders)
            return replace(outcome, reading=replace(found, orders=(), powers=(), error=error, warnings=(), suggestions=asked))
        return outcome

    def _is_courtesy(self, text: str) -> bool:
        """Whether a line that is no order only greets, or is a name below such a line."""
        known, begun, is_command = self.reader.courtesies, self.greeted, self.commands is not None and self.commands.match(text)
        self.greeted = known.greets(text) if is_command else known.is_courtesy(text)
        return self.greeted or (begun and not is_command and known.is_signature(text))

    def _read(self, blank: LineReading, text: str) -> _Outcome:
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
            if len(self._known) < MOST_KNOWN:
                self._known[key] = known
        return replace(known, reading=replace(known.reading, n=blank.n, line=blank.line))

    def _below_its_heading(self, blank: LineReading, head: str, rest: str) -> _Outcome | None:
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

    def _of_power(self, blank: LineReading, power: Power, text: str) -> _Outcome | None:
        """An order behind the abbreviation of a power; None if it is none."""
        before, self.power = self.power, power
        found = self._canonical(blank, text) or self._in_languages(blank, text, self.languages)
        self.power = before
        return found if found.reading.orders else None

    def _behind_a_greeting(self, blank: LineReading, text: str) -> _Outcome | None:
        """Orders behind a greeting on the same line ("Ahoj Petře, A Par - Bur"); None if the line does not begin with one."""
        found = _GREETED.match(text)
        if found is None or not self.reader.courtesies.is_courtesy(found[1]):
            return None
        rest = self._in_languages(blank, found[2], self.languages)
        return rest if rest.reading.orders or rest.reading.suggestions else None

    def _canonical(self, blank: LineReading, text: str) -> _Outcome | None:
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
        return _Outcome(self.languages[0], reading, ON_BOARD)

    def _as_quoted(self, outcome: _Outcome) -> _Outcome:
        found = outcome.reading
        asked = tuple(write_order(order) for order in found.orders) or found.suggestions
        error: BadLine = Quoted(found.line) if asked else NotAnOrder(found.line)
        return replace(
            outcome, evidence=0, reading=LineReading(found.n, found.line, LineKind.UNKNOWN, error=error, suggestions=asked, lang=found.lang)
        )

    def _as_remark(self, outcome: _Outcome) -> _Outcome:
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

    # --- languages --------------------------------------------------------------------------------------------------

    def _in_languages(self, blank: LineReading, text: str, languages: list[str]) -> _Outcome:
        """The line in the language that knows all its words; the preferred first, then English, then the others."""
        tokens = tokenize(text)
        words = [token.text for token in tokens if token.kind == "word" and not token.text.isdigit() and not is_coast_letter(token, tokens)]
        if not any(token.kind == "word" for token in tokens) or len(words) > MOST_PROSE * 4:
            return _Outcome(languages[0], replace(blank, error=NotAnOrder(blank.line)))
        whole: list[_Outcome] = []
        tried: list[_Tried] = []
        is_english = ENGLISH in languages and not self.reader.vocabulary(ENGLISH).strangers(words)
        for rank, language in enumerate(languages):
            if is_english and rank and language not in self.likely:
                continue
            vocabulary = self.reader.vocabulary(language)
            strangers = vocabulary.strangers(words)
            if strangers:
                tried.append(_Tried(strangers, rank, language))
                continue
            items = items_of(tokens, vocabulary, self.reader.waterways)
            unknown = sum(1 for item in items if item.kind == "word" and item.sense is None and not is_coast_letter(item, items))
            if unknown:
                tried.append(_Tried(unknown, rank, language, items))
                continue
            outcome = self._in_one(blank, text, language, items)
            first = rank == 0 and language != ENGLISH
            if not tried and not whole and (outcome.reading.error is None or first):
                return outcome
            whole.append(outcome)
        good = [outcome for outcome in whole if outcome.reading.error is None]
        asked = [outcome for outcome in whole if outcome.reading.suggestions]
        if asked and not any(outcome.evidence for outcome in good):
            return asked[0]
        if good:
            return self._agreed(blank, good, languages)
        if whole:
            return max(whole, key=lambda outcome: outcome.evidence)
        return self._with_slips(blank, text, tokens, sorted(tried, key=lambda each: (each.unknown, each.rank)), len(words))

    def _agreed(self, blank: LineReading, good: list[_Outcome], languages: list[str]) -> _Outcome:
        """What several languages read in a line: the same, or what the position makes possible, else it is asked back."""
        strong = [outcome for outcome in good if outcome.evidence]
        pool = strong or good
        best = max(outcome.level for outcome in pool)
        pool = [outcome for outcome in pool if outcome.level == best]
        first = pool[0]
        if all(outcome.reading.orders == first.reading.orders for outcome in pool):
            if first.weak and first.language not in self.likely:
                return replace(first, reading=replace(first.reading, warnings=(*first.reading.warnings, *first.weak)))
            return first
        asked = tuple(dict.fromkeys(write_order(order) for outcome in pool for order in outcome.reading.orders))
        error = AmbiguousOrder(tuple(dict.fromkeys(order for outcome in pool for order in outcome.reading.orders)))
        return _Outcome(first.language, replace(blank, error=error, suggestions=asked, lang=first.language))

    def _in_one(self, blank: LineReading, text: str, language: str, items: tuple[Item, ...]) -> _Outcome:
        """The line in one language that knows all its words."""
        vocabulary = self.reader.vocabulary(language)
        blank = replace(blank, lang=language)
        heading = heading_of(items, text)
        evidence = evidence_of(items, language)
        if heading is not None:
            return self._as_heading(blank, heading, evidence)
        kept, dropped, doubt = without_brackets(items, vocabulary)
        for index, item in enumerate(kept):
            item.index = index
        doubt = doubt or doubt_in(kept)
        grammar = self._grammar(kept, vocabulary)
        found = self._orders(blank, grammar, text)
        if doubt and (found.orders or found.suggestions or looks_like_order(kept)):
            asked = tuple(write_order(order) for order in found.orders) or found.suggestions
            found = replace(blank, error=Doubtful(doubt), suggestions=asked)
        if found.orders and dropped:
            found = replace(found, warnings=(*found.warnings, *(Ignored(each) for each in dropped)))
        level = min((reading.level for reading in self._last), default=0) if found.orders else 0
        weak = tuple(
            ForeignName(pick.text, pick.taken, language) for reading in self._last for pick in reading.weak if not is_cyrillic(pick.text)
        )
        return _Outcome(language, found, level, evidence, weak)

    def _as_heading(self, blank: LineReading, heading: Heading, evidence: int) -> _Outcome:
        season = heading if heading.names_season else None
        found = replace(blank, kind=LineKind.HEADING, power=heading.power or None, season=season, error=None)
        return _Outcome(blank.lang, found, ON_BOARD, evidence)

    def _grammar(self, items: tuple[Item, ...], vocabulary: Vocabulary) -> Grammar:
        letters = frozenset(word for word in vocabulary.lexicon.small.get("articles", ()) if len(word) == 1)
        after = "illative" in vocabulary.gazetteer.cases
        return Grammar(items, self.reader.variant.board, letters, after)

    # --- orders -----------------------------------------------------------------------------------------------------

    def _orders(self, blank: LineReading, grammar: Grammar, text: str) -> LineReading:
        """All orders of a line; if the line does not read as a whole, its stretches between semicolons and commas one by one."""
        self._last = []
        ways = paths(grammar)
        if ways and not any(ways):  # nothing but small words
            return replace(blank, error=NotAnOrder(blank.line))
        if not ways:
            stretches = stretches_of(grammar.items)
            if len(stretches) > 1 and all(is_whole(part) for part in stretches):
                return self._in_stretches(blank, grammar, stretches, text)
            return self._unread(blank, grammar)
        settled = [self._settle_all(way) for way in ways]
        good = [each for each in settled if all(one.reading for one in each)]
        if not good:
            return self._asked(blank, settled[0])
        if len({tuple(write_order(one.reading.order) for one in each if one.reading) for each in good}) > 1:
            level = [min(one.reading.level for one in each if one.reading) for each in good]
            good = [each for each, fits in zip(good, level, strict=True) if fits == max(level)]
        spellings = {tuple(write_order(one.reading.order) for one in each if one.reading) for each in good}
        if len(spellings) > 1:
            asked = tuple(dict.fromkeys(spelling for each in sorted(spellings) for spelling in each))
            orders = tuple(dict.fromkeys(one.reading.order for each in good for one in each if one.reading))
            return replace(blank, error=AmbiguousOrder(orders), suggestions=asked)
        return self._taken(blank, [one.reading for one in good[0] if one.reading], grammar)

    def _settle_all(self, way: Sequence[Iterable[Draft]]) -> list[Settled]:
        settled: list[Settled] = []
        owner = self.power or self.writer
        carried = ""
        for drafts in way:
            group = list(drafts)
            if carried and all(draft.verb == "unit" for draft in group):
                group = [replace(draft, verb=carried) for draft in group]
            else:
                carried = next((draft.verb for draft in group if draft.leads and draft.verb in ("build", "disband")), "")
            said = next((draft.power for draft in group if draft.power), "")
            if said and not self.writer:
                owner = said
            settled.append(settle(group, self.scene(owner if not self.writer else self.writer)))
        return settled

    def _taken(self, blank: LineReading, readings: list[Reading], grammar: Grammar) -> LineReading:
        self._last = readings
        orders: list[Order] = []
        powers: list[Power] = []
        warnings: list[Warned] = []
        said: Power = ""
        owner = self.power
        for reading in readings:
            owner = reading.power or owner
            said = said or reading.power
            orders += [reading.order] * reading.count
            powers += [owner] * reading.count
            scene = self.scene(self.writer or owner)
            warnings += [note for note in reading.notes if note not in warnings]
            warnings += wrong_kinds(reading.order, scene)
            warnings += order_warnings(reading.order, scene.power, self.position, self.reader.variant)
        warnings += [Ignored(item.text) for item in grammar.items if is_filler(item)]
        named = {pick.text for reading in readings for pick in reading.picks}
        warnings += [
            repair_of(item.text, item.sense) for item in grammar.items if item.sense and item.sense.repaired and item.text not in named
        ]
        return replace(
            blank,
            kind=LineKind.ORDER,
            orders=tuple(orders),
            powers=tuple(powers),
            power=said or self.power or None,
            warnings=tuple(warnings),
        )

    def _asked(self, blank: LineReading, settled: list[Settled]) -> LineReading:
        error = next((one.error for one in settled if one.error), None) or Unreadable(blank.line)
        asked = tuple(dict.fromkeys(write_order(order) for one in settled for order in one.suggestions))
        return replace(blank, error=error, suggestions=asked)

    def _in_stretches(self, blank: LineReading, grammar: Grammar, stretches: list[tuple[Item, ...]], text: str) -> LineReading:
        """A line whose parts stand between semicolons or commas, some of them bad."""
        whole = blank
        last: list[Reading] = []
        for part in stretches:
            for index, item in enumerate(part):
                item.index = index
            found = self._orders(blank, grammar.over(part), text)
            last += self._last
            kind = LineKind.ORDER if found.orders else whole.kind
            whole = replace(
                whole,
                kind=kind,
                orders=whole.orders + found.orders,
                powers=whole.powers + found.powers,
                power=whole.power or found.power,
                error=whole.error or found.error,
                warnings=whole.warnings + found.warnings,
                suggestions=whole.suggestions + found.suggestions,
            )
        self._last = last
        return whole

    def _unread(self, blank: LineReading, grammar: Grammar) -> LineReading:
        """All words are known, and yet they make no order."""
        if not looks_like_order(grammar.items):
            return replace(blank, error=NotAnOrder(blank.line))
        begun = [(draft, end) for draft, end in grammar.orders(0) if draft.unit] if grammar.items else []
        if begun:
            draft, end = max(begun, key=lambda each: each[1])
            rest = grammar.items[end:]
            if rest and draft.verb != "unit":
                settled = settle([draft], self.scene(self.power or self.writer))
                asked = (write_order(settled.reading.order),) if settled.reading else ()
                return replace(blank, error=Unreadable(text_of(rest)), suggestions=asked)
            settled = settle([draft], self.scene(self.power or self.writer))
            if settled.error:
                return replace(blank, error=settled.error)
        return replace(blank, error=Unreadable(blank.line))

    # --- slips ------------------------------------------------------------------------------------------------------

    def _with_slips(self, blank: LineReading, text: str, tokens: tuple[Token, ...], tried: list[_Tried], words: int) -> _Outcome:
        """A line with words that no language knows: near names are taken only where exactly one makes a possible order."""
        fewest = tried[0].unknown
        if fewest > MOST_SLIPS or fewest * 2 > words + 1:
            return _Outcome(blank.lang, replace(blank, error=NotAnOrder(blank.line)))
        self.repairs += 1
        if self.repairs > MOST_REPAIRS:
            return _Outcome(blank.lang, replace(blank, error=Unreadable(blank.line)))
        nearest_languages = [
            (each.language, each.items or items_of(tokens, self.reader.vocabulary(each.language), self.reader.waterways))
            for each in [each for each in tried if each.unknown == fewest][:3]
        ]
        language, items = nearest_languages[0]
        heading = heading_of(items, text) if fewest == 1 else None
        if heading is not None:
            return self._as_heading(replace(blank, lang=language), heading, evidence_of(items, language))
        stretches = stretches_of(items)
        if len(stretches) > 1 and all(is_whole(part) for part in stretches):
            return self._part_by_part(blank, text, stretches)
        outcomes = [self._slip(blank, text, language, items) for language, items in nearest_languages]
        good = [each for each in outcomes if each.reading.error is None and (each.evidence or each.language in self.likely)]
        if good:
            spellings = {tuple(write_order(order) for order in outcome.reading.orders) for outcome in good}
            if len(spellings) == 1:
                return good[0]
            asked = tuple(spelling for each in sorted(spellings) for spelling in each)
            return _Outcome(good[0].language, replace(blank, error=Unreadable(text), suggestions=asked, lang=good[0].language))
        likely = [outcome for outcome in outcomes if not isinstance(outcome.reading.error, NotAnOrder)]
        return (likely or outcomes)[0]

    def _part_by_part(self, blank: LineReading, text: str, stretches: list[tuple[Item, ...]]) -> _Outcome:
        """Orders of one line, some of which hold unknown words: each is read for itself, and the good ones count."""
        whole = blank
        last: list[Reading] = []
        outcome = _Outcome(blank.lang, blank)
        for part in stretches:
            outcome = self._in_languages(blank, text[part[0].at : part[-1].end], self.languages)
            found = outcome.reading
            last += self._last if found.orders else []
            whole = replace(
                whole,
                kind=LineKind.ORDER if found.orders else whole.kind,
                orders=whole.orders + found.orders,
                powers=whole.powers + found.powers,
                power=whole.power or found.power,
                error=whole.error or found.error,
                warnings=whole.warnings + found.warnings,
                suggestions=whole.suggestions + found.suggestions,
                lang=found.lang,
            )
        self._last = last
        return replace(outcome, reading=whole)

    def _slip(self, blank: LineReading, text: str, language: str, items: tuple[Item, ...]) -> _Outcome:
        vocabulary = self.reader.vocabulary(language)
        blank = replace(blank, lang=language)
        evidence = evidence_of(items, language)
        kept, _, doubt = without_brackets(items, vocabulary)
        unknown = [item for item in kept if item.kind == "word" and item.sense is None]
        if not unknown:  # only in brackets
            return self._in_one(blank, text, language, items)
        word = doubt or doubt_in(kept)
        if word:
            error: BadLine = Doubtful(word) if looks_like_order(kept) else NotAnOrder(blank.line)
            return _Outcome(language, replace(blank, error=error), 0, evidence)
        if not looks_like_order(kept):
            return _Outcome(language, replace(blank, error=NotAnOrder(blank.line)), 0, evidence)
        for repaired in mended(kept, vocabulary, self.position is not None):
            for index, item in enumerate(repaired):
                item.index = index
            found = self._orders(blank, self._grammar(repaired, vocabulary), text)
            if found.orders:
                return _Outcome(language, found, min((reading.level for reading in self._last), default=0), evidence)
            if found.suggestions or not isinstance(found.error, Unreadable | NotAnOrder | Incomplete):
                return _Outcome(language, replace(found, error=nearest(kept, kept.index(unknown[0]), vocabulary)), 0, evidence)
        return _Outcome(language, replace(blank, error=nearest(kept, kept.index(unknown[0]), vocabulary)), 0, evidence)
