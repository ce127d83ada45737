"""Octets to text: a label is believed only if it is on the list, and only if the octets do not say better."""

from collections.abc import Iterable
from dataclasses import dataclass

_UTF7 = frozenset({"utf-7", "utf7", "unicode-1-1-utf-7", "csunicode11utf7", "x-unicode-2-0-utf-7", "utf-7-imap"})
_NAMES = (
    "utf-8 us-ascii iso-8859-1 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-7 iso-8859-9 iso-8859-10 iso-8859-13 iso-8859-14 "
    "iso-8859-15 iso-8859-16 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1257 koi8-r koi8-u "
    "ibm437 ibm850 ibm852 ibm866 macintosh gb2312 gbk gb18030 big5 euc-kr ks_c_5601-1987 shift_jis iso-2022-jp euc-jp"
)
_CODECS = {name: name for name in _NAMES.split()} | {
    # A label of ISO 8859-1 or ASCII over octets from 0x80 to 0x9f means Windows' smart quotes (WHATWG Encoding).
    "iso-8859-1": "cp1252", "windows-1250": "cp1250", "windows-1251": "cp1251", "windows-1252": "cp1252", "windows-1253": "cp1253",
    "windows-1254": "cp1254", "windows-1257": "cp1257", "ibm437": "cp437", "ibm850": "cp850", "ibm852": "cp852", "ibm866": "cp866",
    "macintosh": "mac_roman", "gb2312": "gb18030", "gbk": "gb18030", "ks_c_5601-1987": "cp949", "euc-kr": "cp949", "us-ascii": "ascii",
    "utf8": "utf-8", "unicode-1-1-utf-8": "utf-8", "ascii": "ascii", "ansi_x3.4-1968": "ascii", "latin1": "cp1252", "latin-1": "cp1252",
    "iso8859-1": "cp1252", "iso_8859-1": "cp1252", "iso-8859-8-i": "iso-8859-8", "latin2": "iso-8859-2", "iso8859-2": "iso-8859-2",
    "iso_8859-2": "iso-8859-2", "x-cp1250": "cp1250", "cp1250": "cp1250", "cp-1250": "cp1250", "cp1251": "cp1251", "cp-1251": "cp1251",
    "x-cp1251": "cp1251", "win-1251": "cp1251", "cp1252": "cp1252", "x-cp1252": "cp1252", "cp852": "cp852", "cp866": "cp866",
    "koi8r": "koi8-r", "koi8": "koi8-r", "cskoi8r": "koi8-r", "sjis": "shift_jis", "x-sjis": "shift_jis", "x-mac-roman": "mac_roman",
    "x-mac-ce": "mac_latin2", "x-mac-cyrillic": "mac_cyrillic",
}  # fmt: skip
_DOS = ("cp852", "cp866")  # rare, so they must fit better than others
_SEVEN_BIT = frozenset({"iso-2022-jp"})

_CYRILLIC = "абвгдежзийклмнопрстуфхцчшщъыьэюя"
_ALPHABETS: dict[str, tuple[str, tuple[str, ...]]] = {
    "cs": ("áčďéěíňóřšťúůýžľĺŕôä", ("cp1250", "iso-8859-2", "cp852")),
    "hu": ("áéíóöőúüű", ("cp1250", "iso-8859-2", "cp852")),
    "pl": ("ąćęłńóśźż", ("iso-8859-2", "cp1250")),
    "ru": (_CYRILLIC + "ё", ("cp1251", "koi8-r", "iso-8859-5", "cp866")),
    "uk": (_CYRILLIC + "ґєії", ("cp1251", "koi8-u")),
    "de": ("äöüß", ("cp1252",)),
    "fr": ("àâçéèêëîïôùûüÿœæ", ("cp1252",)),
    "es": ("áéíñóúü", ("cp1252",)),
    "it": ("àèéìîòóù", ("cp1252",)),
    "pt": ("àáâãçéêíóôõúü", ("cp1252",)),
    "nordic": ("æøåäöéðþýúíóá", ("cp1252",)),
}
_WEIGHTS = dict.fromkeys("бгдзмпуыья", 0.8) | dict.fromkeys("ёжйфхцчшщъэюґєії", 0.4)
"""How frequent a letter of Russian is; by this capitals in one charset are told from small letters in another."""

_TYPOGRAPHY = frozenset("„“”‚‘’»«–—…•→€§°·\u00a0\u00ad×№¿¡")
_SAMPLE = 20_000


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text, the charset it was read by, and a code where that is not what the label said ("" where it is)."""

    text: str
    charset: str
    note: str = ""


def decode(octets: bytes, label: str, languages: Iterable[str] = ()) -> Decoded:
    """Octets as text; never raises, and knows no codec but those of the list.

    Octets that are UTF-8 with multi-byte sequences are UTF-8 whatever the label; then the label counts; then the
    guess, in the order of `languages`.  UTF-7 gives no text at all: it hides letters from every filter.

    >>> decode("Grüße".encode(), "iso-8859-1")
    Decoded(text='Grüße', charset='utf-8', note='mislabelled')
    >>> decode(b"A VEN H +AEE-", "utf-7")
    Decoded(text='', charset='utf-7', note='utf7')
    >>> decode(b"A VEN H", "rot13").text
    'A VEN H'
    """
    name = label.strip().strip("\"'").lower()
    if name in _UTF7:
        return Decoded("", "utf-7", "utf7")
    if octets[:2] in (b"\xff\xfe", b"\xfe\xff") and (not name or name.startswith("utf-16")):
        return Decoded(octets.decode("utf-16", "replace"), "utf-16")
    codec = _CODECS.get(name, "")
    unknown = "unknown_charset" if name and not codec and name not in ("utf-16", "unknown-8bit", "x-unknown") else ""
    if codec in _SEVEN_BIT:
        return Decoded(octets.decode(codec, "replace"), codec)
    if octets.isascii():
        return Decoded(octets.decode("ascii"), "ascii", unknown)
    try:
        return Decoded(octets.decode("utf-8"), "utf-8", "mislabelled" if codec not in ("", "utf-8") else unknown)
    except UnicodeDecodeError:
        pass
    charset, likelihood = _guess(octets[:_SAMPLE], languages)
    if codec and codec not in ("ascii", "utf-8"):
        if codec != charset and likelihood > 0.7 and _as_labelled(octets[:_SAMPLE], codec) < likelihood - 0.4:
            return Decoded(octets.decode(charset, "replace"), charset, "mislabelled")
        return Decoded(octets.decode(codec, "replace"), codec)
    if codec == "utf-8" and octets.count(b"\xef\xbf\xbd") + _utf8_share(octets) > 0:
        return Decoded(octets.decode("utf-8", "replace"), "utf-8", "broken")
    return Decoded(octets.decode(charset, "replace"), charset, unknown or "guessed")


def _utf8_share(octets: bytes) -> int:
    """How many well-formed multi-byte characters there are, less the octets that fit none."""
    text = octets.decode("utf-8", "replace")
    good = sum(char > "\x7f" and char != "\ufffd" for char in text)
    return good - text.count("\ufffd")


def _guess(octets: bytes, languages: Iterable[str]) -> tuple[str, float]:
    """The most likely 8-bit charset and how well it fits: whose letters look like words of a language, ours first."""
    order = [*languages, *(language for language in _ALPHABETS if language not in languages)]
    best, chosen = -1.0, "cp1252"
    for language in order:
        letters, codecs = _ALPHABETS.get(language, ("", ()))
        for codec in codecs:
            score = _likelihood(octets.decode(codec, "replace"), frozenset(letters)) - (0.3 if codec in _DOS else 0)
            if score > best:
                best, chosen = score, codec
    return chosen, best


def _as_labelled(octets: bytes, codec: str) -> float:
    """How well a text fits its label, in whatever language that the label can write."""
    text = octets.decode(codec, "replace")
    fits = [_likelihood(text, frozenset(letters)) for letters, codecs in _ALPHABETS.values() if codec in codecs]
    return max(fits, default=1.0)


def _likelihood(text: str, letters: frozenset[str]) -> float:
    """How well the foreign characters fit, 1 at best: letters of the language, small ones inside words, frequent ones.

    A Cyrillic letter beside a Latin one in a word, and a capital after a small letter, speak against it.
    """
    score = 0.0
    count = 0
    before, mixed = " ", False
    for char in text:
        mixed = char.isalpha() and (mixed or (before.islower() and char.isupper()))
        if char > "\x7f":
            count += 1
            small = char.lower()
            if small not in letters:
                score += 0.4 if char in _TYPOGRAPHY else -2
            elif small in _CYRILLIC and before.isascii() and before.isalpha():
                score -= 2
            elif char != small and mixed:
                score -= 1
            else:
                score += _WEIGHTS.get(small, 1.0)
        elif before in _CYRILLIC and char.isalpha():
            score -= 2
        before = char
    return score / count if count else 0.0
