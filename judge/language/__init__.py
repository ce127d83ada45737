"""What people write to the judge, and how the judge spells things back: words, names, order lines, sentences; no files, no mails."""

from judge.language.folding import fold
from judge.language.gazetteer import BadNames, Gazetteer, Name, PlaceNames, parse_gazetteer
from judge.language.lexicon import BadWords, Lexicon, parse_lexicon
from judge.language.phrases import BadPhrases, Phrase, Phrases
from judge.language.writing import FAILURES, LOCALES, Notation, Pen

__all__ = [
    "FAILURES",
    "LOCALES",
    "BadNames",
    "BadPhrases",
    "BadWords",
    "Gazetteer",
    "Lexicon",
    "Name",
    "Notation",
    "Pen",
    "Phrase",
    "Phrases",
    "PlaceNames",
    "fold",
    "parse_gazetteer",
    "parse_lexicon",
]
