"""What people write to the judge, and how the judge spells things back: words, names, order lines, sentences; no files, no mails."""

from judge.language.complaints import ERRORS, WARNINGS, BadLine, Complaint, Warned
from judge.language.folding import fold
from judge.language.gazetteer import BadNames, Gazetteer, Name, PlaceNames, parse_gazetteer
from judge.language.headings import Heading
from judge.language.lexicon import BadWords, Lexicon, parse_lexicon
from judge.language.linereading import LineKind, LineReading
from judge.language.phrases import BadPhrases, Phrase, Phrases
from judge.language.reader import Reader, read_lines
from judge.language.vocabulary import Tongue
from judge.language.warnings import order_warnings, warnings_for
from judge.language.writing import FAILURES, LOCALES, Notation, Pen

__all__ = [
    "ERRORS",
    "FAILURES",
    "LOCALES",
    "WARNINGS",
    "BadLine",
    "BadNames",
    "BadPhrases",
    "BadWords",
    "Complaint",
    "Gazetteer",
    "Heading",
    "Lexicon",
    "LineKind",
    "LineReading",
    "Name",
    "Notation",
    "Pen",
    "Phrase",
    "Phrases",
    "PlaceNames",
    "Reader",
    "Tongue",
    "Warned",
    "fold",
    "order_warnings",
    "parse_gazetteer",
    "parse_lexicon",
    "read_lines",
    "warnings_for",
]
