"""A first guess of the language of a whole text, by its letters and its commonest words."""

from collections import Counter
from collections.abc import Collection, Mapping

from judge.language.folding import fold
from judge.language.vocabulary import WORD

_MARKS = {"cs": "ěřůťďňŘĚŮŤĎŇ", "hu": "őűŐŰ", "pl": "ąęłśżźćńŁŚŻŹĆ", "de": "ßẞ"}


def guess_language(text: str, common: Mapping[str, Collection[str]]) -> str:
    """The language whose letters and commonest words a text shows more often than any other's; "" where they tell nothing.

    `common` are the folded words by language.

    >>> guess_language("Армия Париж", {}), guess_language("Paříž – Burgundsko", {}), guess_language("A PAR - BUR", {})
    ('ru', 'cs', '')
    >>> guess_language("chci hrat, Jiří", {"cs": {"chci"}, "en": {"the"}}), guess_language("the end, Jiří", {"en": {"the", "end"}})
    ('cs', 'en')
    """
    words = [fold(word) for word in WORD.findall(text)]
    counts = Counter({language: sum(word in known for word in words) for language, known in common.items()})
    counts.update({language: sum(text.count(letter) for letter in letters) for language, letters in _MARKS.items()})
    counts["ru"] = sum("\u0400" <= letter <= "\u04ff" for letter in text)
    (language, count), (_, other) = counts.most_common(2)
    return language if count > max(other, language == "ru") else ""
