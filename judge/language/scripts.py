"""A first guess of the language of a whole text, by its letters."""

from collections import Counter

_MARKS = {"cs": "ěřůťďňŘĚŮŤĎŇ", "hu": "őűŐŰ", "pl": "ąęłśżźćńŁŚŻŹĆ", "de": "ßẞ"}


def guess_language(text: str) -> str:
    """The language whose letters a text shows, "" where they tell nothing.

    >>> guess_language("Армия Париж"), guess_language("Paříž – Burgundsko"), guess_language("A PAR - BUR")
    ('ru', 'cs', '')
    """
    counts = Counter({language: sum(text.count(letter) for letter in letters) for language, letters in _MARKS.items()})
    cyrillic = sum("\u0400" <= letter <= "\u04ff" for letter in text)
    counts["ru"] = cyrillic
    language, count = counts.most_common(1)[0]
    return language if count > (language == "ru") else ""
