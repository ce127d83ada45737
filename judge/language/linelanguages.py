"""A line in the language that knows its words, or the one whose names come nearest."""

from collections.abc import Sequence
from dataclasses import replace

from judge.language.boardwords import Understood
from judge.language.clues import (
    Remarks,
    doubt_in,
    evidence_of,
    is_coast_letter,
    is_whole,
    looks_like_order,
    stretches_of,
    without_brackets,
)
from judge.language.complaints import (
    AmbiguousOrder,
    BadLine,
    Doubtful,
    ForeignName,
    Ignored,
    Incomplete,
    NotAnOrder,
    Unreadable,
    WrongSeason,
)
from judge.language.folding import is_cyrillic
from judge.language.grammar import Grammar
from judge.language.headings import Heading, heading_of
from judge.language.lineorders import LineOrders
from judge.language.linereading import ENGLISH, LineKind, LineReading, Outcome, Tried
from judge.language.meaning import Reading
from judge.language.orderlists import paths
from judge.language.scene import ON_BOARD
from judge.language.slips import mended, nearest
from judge.language.tokens import Item, Token, items_of, tokenize
from judge.language.vocabulary import Vocabulary
from judge.rules import write_order

MOST_PROSE = 60
"""A stretch of more words than this, none of them a separator, is prose."""
MOST_SLIPS = 3
"""A line with more unknown words than this is not repaired."""
MOST_REPAIRS = 300
"""So many lines of a letter are looked at for slips; a letter with more is no list of orders."""


class LineLanguages(LineOrders):
    """Finds the language of a line.

    `languages` are tried in their order, `likely` are those the writer uses, `repairs` counts the lines looked at for slips.
    """

    languages: Sequence[str] = ()
    likely: frozenset[str] = frozenset()
    repairs = 0

    def _in_languages(self, blank: LineReading, text: str, languages: Sequence[str]) -> Outcome:
        """The line in the language that knows all its words; the preferred first, then English, then the others."""
        known = self.reader.understood(languages[0], text)
        if known is not None:
            outcome = self._outcome(blank, languages[0], known)
            if outcome.reading.error is None or languages[0] != ENGLISH:
                return outcome
        tokens = tokenize(text)
        words = [token.text for token in tokens if token.kind == "word" and not token.text.isdigit() and not is_coast_letter(token, tokens)]
        if not any(token.kind == "word" for token in tokens) or len(words) > MOST_PROSE * 4:
            return Outcome(languages[0], replace(blank, error=NotAnOrder(blank.line)))
        whole: list[Outcome] = []
        tried: list[Tried] = []
        is_english = ENGLISH in languages and not self.reader.vocabulary(ENGLISH).strangers(words)
        for rank, language in enumerate(languages):
            if is_english and rank and language not in self.likely:
                continue
            vocabulary = self.reader.vocabulary(language)
            strangers = vocabulary.strangers(words)
            if strangers:
                tried.append(Tried(strangers, rank, language))
                continue
            items = items_of(tokens, vocabulary, self.reader.waterways)
            unknown = sum(1 for item in items if item.kind == "word" and item.sense is None and not is_coast_letter(item, items))
            if unknown:
                tried.append(Tried(unknown, rank, language, items))
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

    def _agreed(self, blank: LineReading, good: list[Outcome], languages: Sequence[str]) -> Outcome:
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
        return Outcome(first.language, replace(blank, error=error, suggestions=asked, lang=first.language))

    def _in_one(self, blank: LineReading, text: str, language: str, items: tuple[Item, ...]) -> Outcome:
        """The line in one language that knows all its words."""
        vocabulary = self.reader.vocabulary(language)
        if blank.lang != language:
            blank = replace(blank, lang=language)
        heading = heading_of(items, text)
        evidence = evidence_of(items, language)
        if heading is not None:
            return self._as_heading(blank, heading, evidence)
        kept, remarks = without_brackets(items, vocabulary)
        for index, item in enumerate(kept):
            item.index = index
        doubt = remarks.doubt or doubt_in(kept)
        grammar = self._grammar(kept, vocabulary)
        ways = paths(grammar)
        if any(ways) and not (doubt or remarks.texts or remarks.seasons):
            known = Understood(kept, ways, evidence)
            self.reader.remember(language, text, known)
            return self._outcome(blank, language, known)
        found = self._orders(blank, grammar, text, ways)
        if doubt and (found.orders or found.suggestions or looks_like_order(kept)):
            asked = tuple(write_order(order) for order in found.orders) or found.suggestions
            found = replace(blank, error=Doubtful(doubt), suggestions=asked)
        return self._weighed(self._with_remarks(blank, found, remarks), language, evidence)

    def _outcome(self, blank: LineReading, language: str, line: Understood) -> Outcome:
        """What a line means here of which it is known already how it is to be read."""
        if blank.lang != language:
            blank = replace(blank, lang=language)
        return self._weighed(self._meant(blank, line.ways, line.items), language, line.evidence)

    def _weighed(self, found: LineReading, language: str, evidence: int) -> Outcome:
        """A reading with how surely it is that, and that language."""
        level = min((reading.level for reading in self._last), default=0) if found.orders else 0
        weak = tuple(
            ForeignName(pick.text, pick.taken, language) for reading in self._last for pick in reading.weak if not is_cyrillic(pick.text)
        )
        return Outcome(language, found, level, evidence, weak)

    def _with_remarks(self, blank: LineReading, found: LineReading, remarks: Remarks) -> LineReading:
        """Orders with the remarks that stood beside them told; asked back where a remark names another season than the open one."""
        if not found.orders:
            return found
        phase = self.phase
        other = next((season for season in remarks.seasons if phase is not None and not season.fits(phase)), None)
        if other is not None and phase is not None:
            asked = tuple(write_order(order) for order in found.orders)
            return replace(blank, error=WrongSeason(str(other), phase), suggestions=asked)
        told = tuple(Ignored(each) for each in remarks.texts)
        return replace(found, warnings=(*found.warnings, *told)) if told else found

    def _as_heading(self, blank: LineReading, heading: Heading, evidence: int) -> Outcome:
        season = heading if heading.names_season else None
        found = replace(blank, kind=LineKind.HEADING, power=heading.power or None, season=season, error=None)
        return Outcome(blank.lang, found, ON_BOARD, evidence)

    def _grammar(self, items: tuple[Item, ...], vocabulary: Vocabulary) -> Grammar:
        letters = frozenset(word for word in vocabulary.lexicon.small.get("articles", ()) if len(word) == 1)
        after = "illative" in vocabulary.gazetteer.cases
        return Grammar(items, self.reader.variant.board, letters, after)

    def _with_slips(self, blank: LineReading, text: str, tokens: tuple[Token, ...], tried: list[Tried], words: int) -> Outcome:
        """A line with words that no language knows: near names are taken only where exactly one makes a possible order."""
        fewest = tried[0].unknown
        if fewest > MOST_SLIPS or fewest * 2 > words + 1:
            return Outcome(blank.lang, replace(blank, error=NotAnOrder(blank.line)))
        self.repairs += 1
        if self.repairs > MOST_REPAIRS:
            return Outcome(blank.lang, replace(blank, error=Unreadable(blank.line)))
        nearest_languages = [
            (each.language, each.items or items_of(tokens, self.reader.vocabulary(each.language), self.reader.waterways))
            for each in [each for each in tried if each.unknown == fewest][:3]
        ]
        language, items = nearest_languages[0]
        heading = heading_of(items, text) if fewest == 1 else None
        if heading is not None:
            return self._as_heading(replace(blank, lang=language), heading, evidence_of(items, language))
        stretches = stretches_of(items)
        if len(stretches) > 1 and not doubt_in(items) and all(is_whole(part) for part in stretches):
            return self._part_by_part(blank, text, stretches)
        outcomes = [self._slip(blank, text, language, items) for language, items in nearest_languages]
        good = [each for each in outcomes if each.reading.error is None and (each.evidence or each.language in self.likely)]
        if good:
            spellings = {tuple(write_order(order) for order in outcome.reading.orders) for outcome in good}
            if len(spellings) == 1:
                return good[0]
            asked = tuple(spelling for each in sorted(spellings) for spelling in each)
            return Outcome(good[0].language, replace(blank, error=Unreadable(text), suggestions=asked, lang=good[0].language))
        likely = [outcome for outcome in outcomes if not isinstance(outcome.reading.error, NotAnOrder)]
        return (likely or outcomes)[0]

    def _part_by_part(self, blank: LineReading, text: str, stretches: list[tuple[Item, ...]]) -> Outcome:
        """Orders of one line, some of which hold unknown words: each is read for itself, and the good ones count."""
        whole, others = blank, ""
        last: list[Reading] = []
        outcome = Outcome(blank.lang, blank)
        for part in stretches:
            outcome = self._in_languages(blank, text[part[0].at : part[-1].end], self.languages)
            found = outcome.reading
            last += self._last if found.orders else []
            others = text[part[0].at : part[-1].end] if not found.orders and self._is_of_others(part) else others
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
        return replace(outcome, reading=self._under_condition(blank, whole, others))

    def _slip(self, blank: LineReading, text: str, language: str, items: tuple[Item, ...]) -> Outcome:
        vocabulary = self.reader.vocabulary(language)
        blank = replace(blank, lang=language)
        evidence = evidence_of(items, language)
        kept, remarks = without_brackets(items, vocabulary)
        unknown = [item for item in kept if item.kind == "word" and item.sense is None]
        if not unknown:  # only in brackets
            return self._in_one(blank, text, language, items)
        word = remarks.doubt or doubt_in(kept)
        if word:
            error: BadLine = Doubtful(word) if looks_like_order(kept) else NotAnOrder(blank.line)
            return Outcome(language, replace(blank, error=error), 0, evidence)
        if not looks_like_order(kept):
            return Outcome(language, replace(blank, error=NotAnOrder(blank.line)), 0, evidence)
        for repaired in mended(kept, vocabulary, self.position is not None):
            for index, item in enumerate(repaired):
                item.index = index
            found = self._orders(blank, self._grammar(repaired, vocabulary), text)
            if found.orders:
                found = self._with_remarks(blank, found, remarks)
                return Outcome(language, found, min((reading.level for reading in self._last), default=0), evidence)
            if found.suggestions or not isinstance(found.error, Unreadable | NotAnOrder | Incomplete):
                return Outcome(language, replace(found, error=nearest(kept, kept.index(unknown[0]), vocabulary)), 0, evidence)
        return Outcome(language, replace(blank, error=nearest(kept, kept.index(unknown[0]), vocabulary)), 0, evidence)
