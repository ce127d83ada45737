"""Octets to text: labels that are right, wrong, missing and hostile."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.mail.charsets import decode

CS = "Příliš žluťoučký kůň: A Paříž - Burgundsko, Lamanšský průliv"
HU = "Árvíztűrő tükörfúrógép: H Bécs - Galícia"
RU = "Приказы на осень: А Москва - Украина, Ф Севастополь - Чёрное море"
DE = "Grüße aus Köln an alle Österreicher"
FR = "Marché conclu, à bientôt, ça dépend"
DA = "Bjørn går på æblejagt"
SITE = ("cs", "hu", "ru")


@pytest.mark.parametrize(
    ("text", "written", "label", "note"),
    [
        (CS, "windows-1250", "windows-1250", ""),
        (CS, "iso-8859-2", "ISO-8859-2", ""),
        (HU, "iso-8859-2", '"iso-8859-2"', ""),
        (RU, "koi8-r", "KOI8-R", ""),
        (RU, "cp1251", "windows-1251", ""),
        (RU, "cp866", "ibm866", ""),
        (RU, "iso-8859-5", "iso-8859-5", ""),
        (DE, "iso-8859-1", "iso-8859-1", ""),
        (DE, "iso-8859-15", "iso-8859-15", ""),
        (FR, "cp1252", "windows-1252", ""),
        (DA, "iso-8859-1", "iso-8859-1", ""),
        ("„Wien“ – 5 €", "cp1252", "iso-8859-1", ""),
        ("„Wien“ – 5 €", "cp1252", "us-ascii", "guessed"),
        (CS, "utf-8", "iso-8859-1", "mislabelled"),
        (RU, "utf-8", "koi8-r", "mislabelled"),
        (CS, "cp1250", "iso-8859-1", "mislabelled"),
        (CS, "iso-8859-2", "windows-1252", "mislabelled"),
        (RU, "koi8-r", "windows-1251", "mislabelled"),
        (RU, "cp1251", "koi8-r", "mislabelled"),
        (RU, "cp1251", "iso-8859-1", "mislabelled"),
        (RU, "cp1251", "utf-8", "guessed"),
        (CS, "cp1250", "", "guessed"),
        (CS, "iso-8859-2", "", "guessed"),
        (HU, "cp1250", "", "guessed"),
        (RU, "cp1251", "", "guessed"),
        (RU, "koi8-r", "unknown-8bit", "guessed"),
        (RU, "cp866", "", "guessed"),
        (RU.upper(), "koi8-r", "", "guessed"),
        (RU.upper(), "cp1251", "", "guessed"),
        (RU.upper(), "koi8-r", "koi8-r", ""),
        (RU.upper(), "cp1251", "windows-1251", ""),
        (DE, "cp1252", "", "guessed"),
        (FR, "cp1252", "x-user-defined", "unknown_charset"),
        (CS, "utf-16", "utf-16", ""),
        ("中文 F LON - NTH", "gb18030", "gb2312", ""),
        ("日本 F LON - NTH", "iso-2022-jp", "iso-2022-jp", ""),
    ],
)
def test_decode(text: str, written: str, label: str, note: str) -> None:
    found = decode(text.encode(written), label, SITE)
    assert found.text == text
    assert found.note == note


@pytest.mark.parametrize("label", ["utf-7", "UTF7", "unicode-1-1-utf-7"])
def test_utf7_is_never_decoded(label: str) -> None:
    assert decode(b"+AEE- VEN - TYR", label).text == ""


@pytest.mark.parametrize(
    "label",
    ["rot13", "unicode_escape", "idna", "punycode", "hex", "zip", "base64", "raw_unicode_escape", "undefined", "mbcs", "\x00", "x" * 999],
)
def test_a_label_is_no_codec_name(label: str) -> None:
    assert decode(b"A VEN H \\x41 xn--", label).text == "A VEN H \\x41 xn--"


@given(
    st.binary(max_size=200),
    st.sampled_from(["", "utf-8", "utf-16", "koi8-r", "iso-2022-jp", "gb2312", "euc-kr", "big5", "macintosh", "what"]),
)
def test_never_raises(octets: bytes, label: str) -> None:
    decode(octets, label, SITE).text.encode("utf-8", "surrogatepass")
