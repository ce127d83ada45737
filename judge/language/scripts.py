"""A first guess of the language of a whole text, by its letters, or else by its commonest words."""

import re
from collections import Counter

_MARKS = {"cs": "ěřůťďňýšžčŘĚŮŤĎŇÝŠŽČ", "hu": "őűŐŰ", "pl": "ąęłśżźćńŁŚŻŹĆ", "de": "ßẞ"}
_COMMON = {
    "cs": "jsem jsme jsi neni nebo chci nechci bych prosim dik diky ahoj muj moje moji mam prvni rozkaz plati neplati hru hre "
    "kdyz jak jaky kdo kdy jen uz jeste souhlasim nesouhlasim kolo tahy rozkazy vsechny vsechno zbytek drzi ostatni jinak "
    "proti nejde misto krome pokud",
    "hu": "nem hogy vagy kerem kerlek kerek szia sziasztok udv mindenki minden marad kiveve mikor csak egy az ezt meg majd nekem "
    "szeretnek egyetertek jatek jatszma parancs parancsaim osszes tobbi tobbiek helyett koszi koszonom",
    "en": "the and is are my to please not you for this that have will would want with of can but i it hold all",
}
_ACCENTS = str.maketrans("áéíóúýěůčďňřšťžöüőű", "aeiouyeucdnrstzouou")
_WORD = re.compile(r"[^\W\d_]+")


def guess_language(text: str) -> str:
    """The language whose letters a text shows, or whose commonest words; "" where they tell nothing.

    >>> guess_language("Армия Париж"), guess_language("Paříž – Burgundsko"), guess_language("A PAR - BUR")
    ('ru', 'cs', '')
    >>> guess_language("chci hrat, prosim"), guess_language("a tobbi marad"), guess_language("is it the end?")
    ('cs', 'hu', '')
    """
    counts = Counter({language: sum(text.count(letter) for letter in letters) for language, letters in _MARKS.items()})
    cyrillic = sum("\u0400" <= letter <= "\u04ff" for letter in text)
    counts["ru"] = cyrillic
    language, count = counts.most_common(1)[0]
    return language if count > (language == "ru") else _by_words(text)


def _by_words(text: str) -> str:
    """The one language that has more of its commonest words in a text than any other; "" for English, which is told by its orders."""
    words = [word.lower().translate(_ACCENTS) for word in _WORD.findall(text)]
    counts = {language: sum(word in common.split() for word in words) for language, common in _COMMON.items()}
    most = max(counts.values())
    found = [language for language, count in counts.items() if count == most]
    return found[0] if most and len(found) == 1 and found[0] != "en" else ""
