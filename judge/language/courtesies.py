"""Greetings, thanks and closings: lines that ask nothing and are passed over without a word."""

from collections.abc import Sequence

from judge.language.folding import DASHES, fold
from judge.language.lexicon import Lexicon
from judge.language.vocabulary import WORD

MOST_NAMES = 3
"""So many words of no meaning may stand beside a greeting: whom it greets, who greets."""
MOST_WORDS = 10
"""A longer line is no mere greeting."""


class Courtesies:
    """The greetings of several languages, and the words that orders are made of, which no mere greeting holds."""

    def __init__(self, lexicons: Sequence[Lexicon]) -> None:
        self._phrases: set[tuple[str, ...]] = set()
        self._busy: set[str] = set()
        for lexicon in lexicons:
            self._phrases |= {_words(text) for text in lexicon.small.get("greetings", ())}
            verbs = (text for verb in lexicon.verbs.values() for text in (*verb.letters, *verb.words))
            units = (text for kind in lexicon.units.values() for text in (*kind.letters, *kind.subject, *kind.object, *kind.other))
            doubts = lexicon.small.get("doubt", ())
            self._busy |= {"".join(_words(text)) for text in (*verbs, *units, *doubts)}
        self._longest = max((len(phrase) for phrase in self._phrases), default=0)
        small = (text for lexicon in lexicons for key in ("greetings", "filler", "articles", "of") for text in lexicon.small.get(key, ()))
        self._idle = {_words(text) for text in small}

    def is_courtesy(self, line: str) -> bool:
        """Whether a line says nothing but a greeting, thanks or a closing, and to whom or from whom."""
        words = _words(line)
        if not words or len(words) > MOST_WORDS or _is_busy(line):
            return False
        begins, ends, others = self._cut(words)
        return (begins or ends) and len(others) <= MOST_NAMES and not any(word in self._busy for word in others)

    def greets(self, line: str) -> bool:
        """Whether a line that begins with a command's word is a greeting all the same: "Заранее спасибо", "Thanks a lot"."""
        return self.is_courtesy(line) and self._cut(_words(line))[0]

    def means_nothing(self, text: str) -> bool:
        """Whether a text behind a command's word only fills the line: "please", "now, thanks"."""
        words, at = _words(text), 0
        while at < len(words):
            size = next((size for size in range(len(words) - at, 0, -1) if words[at : at + size] in self._idle), 0)
            if not size:
                return False
            at += size
        return not _is_busy(text)

    def is_signature(self, line: str) -> bool:
        """Whether a line could be the name below a closing: a few words with capitals."""
        written = WORD.findall(line)
        capitals = all(word[0].isupper() for word in written) and not (len(written) == 1 and len(written[0]) > 2 and written[0].isupper())
        return 0 < len(written) <= MOST_NAMES and capitals and not _is_busy(line) and not any(word in self._busy for word in _words(line))

    def _cut(self, words: tuple[str, ...]) -> tuple[bool, bool, list[str]]:
        """Whether the line begins and whether it ends with a greeting, and the words that belong to none."""
        others: list[str] = []
        begins = ends = False
        at = 0
        while at < len(words):
            most = min(self._longest, len(words) - at)
            size = next((size for size in range(most, 0, -1) if words[at : at + size] in self._phrases), 0)
            begins, ends = begins or (at == 0 and size > 0), size > 0
            if not size:
                others.append(words[at])
            at += size or 1
        return begins, ends, others


NO_COURTESIES = Courtesies(())
"""Knows none."""


def _words(text: str) -> tuple[str, ...]:
    return tuple(fold(word) for word in WORD.findall(text.replace("'", "").replace("’", "")))


def _is_busy(line: str) -> bool:
    """Whether a line holds what no greeting has: figures, arrows, slashes, a dash inside."""
    inside = line.strip(" \t,.:!?" + DASHES)
    return any(letter.isdigit() or letter in "<>→/=:@" or letter in DASHES for letter in inside)
