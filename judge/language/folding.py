"""One spelling for matching: case, accents, dashes, look-alike letters, and characters nobody sees."""

import re
import unicodedata
from functools import lru_cache

DASHES = "-‐‑‒–—―−﹘﹣－⁃"
"""Everything that looks like a hyphen or a dash."""

_SEPARATORS = re.compile(rf"\s|(?<!\d)[{re.escape(DASHES)}]|[{re.escape(DASHES)}](?!\d)")
_LATIN_LOOKS = str.maketrans("авекмнортсухіјѕ", "abekmhoptcyxijs")
_CYRILLIC_LOOKS = str.maketrans("abekmhoptcyx", "авекмнортсух")
_LETTERS = str.maketrans({"ß": "ss", "ł": "l", "ø": "o", "đ": "d", "ð": "d", "æ": "ae", "œ": "oe", "ı": "i", "þ": "th", "ё": "е"})
_INVISIBLE = re.compile(
    r"[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffd]"
)
_MISLABELLED = re.compile(r"[\uf020-\uf0ff]")  # symbol fonts of word processors live in this private area
_SYMBOL_FONT = {0xF0E0: "→", 0xF0E8: "→", 0xF0F0: "→", 0xF0D8: "→", 0xF0DF: "←", 0xF0AE: "→"}


def clean(text: str) -> str:
    """The line without characters nobody sees, arrows of symbol fonts as arrows, every space plain.

    >>> clean("F K\\u200bIE\\u00a0\\uf0e0 D\\u00adEN")
    'F KIE → DEN'
    """
    if text.isascii() and text.isprintable():
        return text.strip()
    text = unicodedata.normalize("NFC", text)
    text = _MISLABELLED.sub(lambda found: _SYMBOL_FONT.get(ord(found.group()), "•"), text)
    return re.sub(r"\s", " ", _INVISIBLE.sub("", text)).strip()


@lru_cache(maxsize=65536)
def marked(word: str) -> str:
    """A word in lower case with its accents, but without apostrophes, dots and ampersands.

    >>> marked("Szt."), marked("d'Irlande"), marked("РИМ")
    ('szt', 'dirlande', 'рим')
    """
    return re.sub(r"['’‘`´.&]", "", unicodedata.normalize("NFC", word).casefold())


def without_joints(text: str) -> str:
    """The text without spaces and dashes, save those between figures.

    >>> without_joints("mid-atlantic ocean"), without_joints("w5-7")
    ('midatlanticocean', 'w5-7')
    """
    return _SEPARATORS.sub("", text)


@lru_cache(maxsize=65536)
def fold(word: str) -> str:
    """A word as it is compared: lower case, no accents, no apostrophes, dots or hyphens.  Russian й stays a letter of its own.

    >>> fold("Łódź"), fold("Жёлтый"), fold("Mid-Atlantic"), fold("Preußen")
    ('lodz', 'желтый', 'midatlantic', 'preussen')
    """
    word = without_joints(marked(word)).translate(_LETTERS)
    if word.isascii():
        return word
    parts = (part if part in "йЙ" else unicodedata.normalize("NFD", part) for part in word)
    return "".join(letter for letter in "".join(parts) if not unicodedata.combining(letter))


def is_cyrillic(word: str) -> bool:
    """Whether any letter is Cyrillic."""
    return any("\u0400" <= letter <= "\u04ff" for letter in word)


def is_latin(word: str) -> bool:
    """Whether any letter is Latin."""
    return any("a" <= letter <= "z" for letter in word)


@lru_cache(maxsize=65536)
def look_alikes(key: str) -> tuple[str, ...]:
    """Other readings of a folded word some of whose letters look like those of another script.

    >>> look_alikes("sеv"), look_alikes("вот"), look_alikes("beha"), look_alikes("lon")
    (('sev',), ('bot',), ('вена',), ())
    """
    found = []
    if is_cyrillic(key):
        latin = key.translate(_LATIN_LOOKS)
        if not is_cyrillic(latin):
            found.append(latin)
    if is_latin(key):
        cyrillic = key.translate(_CYRILLIC_LOOKS)
        if not is_latin(cyrillic):
            found.append(cyrillic)
    return tuple(found)
