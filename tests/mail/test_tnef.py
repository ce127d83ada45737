"""Texts out of a winmail.dat, made by hand after MS-OXTNEF."""

import random
import struct
from base64 import encodebytes

import pytest

from judge.mail import Message, OwnAddresses, Reading, read_message
from judge.mail.rtf import rtf_text, unpacked
from judge.mail.tnef import TnefText, tnef_text
from tests.support.mutations import NOON

READING = Reading(OwnAddresses("judge@example.org", "judge-bounces@example.org"))
ORDERS = "A PAR - BUR\r\nF BRE - MAO\r\n"


def attribute(number: int, value: bytes, level: int = 1) -> bytes:
    return struct.pack("<BII", level, number, len(value)) + value + struct.pack("<H", sum(value) % 65536)


def winmail(*attributes: bytes, codepage: int = 1252) -> bytes:
    """A stream with its version and code page in front."""
    head = attribute(0x00089006, b"\x00\x00\x01\x00") + attribute(0x00069007, struct.pack("<II", codepage, 0))
    return struct.pack("<IH", 0x223E9F78, 1) + head + b"".join(attributes)


def body(text: bytes) -> bytes:
    return attribute(0x0002800C, text + b"\x00")


def long_value(octets: bytes) -> bytes:
    return struct.pack("<I", len(octets)) + octets + b"\x00" * (-len(octets) % 4)


def properties(*each: bytes) -> bytes:
    return attribute(0x00069003, struct.pack("<I", len(each)) + b"".join(each))


def prop(kind: int, tag: int, octets: bytes) -> bytes:
    """One property of variable length."""
    return struct.pack("<HHI", kind, tag, 1) + long_value(octets)


NAMED = (
    struct.pack("<HH", 0x001F, 0x8001) + b"G" * 16 + struct.pack("<I", 1) + long_value("Stück".encode("utf-16-le"))
    + struct.pack("<I", 1) + long_value("x".encode("utf-16-le"))
)  # fmt: skip
NUMBERED = struct.pack("<HH", 0x0003, 0x8005) + b"G" * 16 + struct.pack("<III", 0, 7, 99)
OTHERS = (
    struct.pack("<HHI", 0x0003, 0x0E07, 1), struct.pack("<HHQ", 0x0040, 0x0039, 5), struct.pack("<HHI", 0x000B, 0x0E1B, 1),
    struct.pack("<HHI", 0x101F, 0x3001, 2) + long_value(b"a\x00") + long_value(b"bc\x00\x00"), NAMED, NUMBERED,
)  # fmt: skip


def test_the_body_attribute() -> None:
    assert tnef_text(winmail(body(ORDERS.encode()))) == TnefText(ORDERS.encode(), "windows-1252")
    assert tnef_text(winmail(body("Tyršovo".encode("cp1250")), codepage=1250)) == TnefText("Tyršovo".encode("cp1250"), "windows-1250")


def test_the_body_among_the_properties() -> None:
    text = "Привет\r\nA MOS - UKR\r\n"
    octets = winmail(properties(*OTHERS, prop(0x001F, 0x1000, (text + "\x00").encode("utf-16-le"))))
    assert tnef_text(octets) == TnefText(text.encode(), "utf-8")


def test_a_page_where_there_is_no_plain_text() -> None:
    page = prop(0x0102, 0x1013, b"<p>A PAR - BUR")
    codepage = struct.pack("<HHI", 0x0003, 0x3FDE, 65001)
    assert tnef_text(winmail(properties(codepage, page))) == TnefText(b"<p>A PAR - BUR", "utf-8", is_page=True)
    plain = prop(0x001E, 0x1000, b"A PAR H\x00")
    assert tnef_text(winmail(properties(page, plain))) == TnefText(b"A PAR H", "windows-1252")


# The example of MS-OXRTFCP 4.1.1, and what it says.
COMPRESSED = bytes.fromhex("2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0")
RICH = b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"


def test_rich_text_is_unpacked() -> None:
    assert unpacked(COMPRESSED) == RICH
    assert unpacked(struct.pack("<IIII", len(RICH) + 12, len(RICH), 0x414C454D, 0) + RICH) == RICH
    assert rtf_text(RICH) == "hello world"


def test_rich_text_alone_as_outlook_sends_it() -> None:
    rich = (
        rb"{\rtf1\ansi\ansicpg1250\fromhtml1 {\fonttbl{\f0 Arial;}}{\*\htmltag64 <p>}A PAR \'96 BUR\par" + b"\r\n" + rb"F BRE - MAO\par }"
    )
    packed = struct.pack("<IIII", len(rich) + 12, len(rich), 0x414C454D, 0) + rich
    found = tnef_text(winmail(properties(*OTHERS, prop(0x0102, 0x1009, packed))))
    assert found == TnefText("A PAR – BUR\nF BRE - MAO\n".encode(), "utf-8")


@pytest.mark.parametrize("damage", range(10))
def test_damaged_rich_text_does_no_harm(damage: int) -> None:
    dice = random.Random(damage)
    for _ in range(100):
        octets = bytearray(COMPRESSED + RICH * 3)
        for _ in range(dice.randint(1, 8)):
            octets[dice.randrange(len(octets))] = dice.randrange(256)
        tnef_text(winmail(properties(prop(0x0102, 0x1009, bytes(octets[: dice.randint(1, len(octets))])))))
        rtf_text(b"{\\rtf" + bytes(octets[16:]))


def test_attachments_inside_are_not_read() -> None:
    assert tnef_text(winmail(attribute(0x00069002, b"x", level=2), body(b"A PAR H"))) is None


@pytest.mark.parametrize("octets", [b"", b"x", b"x\x9f>\x22\x01\x00", winmail(), winmail(body(b"")), winmail(body(b" \r\n"))])
def test_nothing_in_it(octets: bytes) -> None:
    assert tnef_text(octets) is None


def test_damage_does_no_harm() -> None:
    dice = random.Random(7)
    whole = winmail(properties(*OTHERS, prop(0x001F, 0x1000, ORDERS.encode("utf-16-le"))), body(ORDERS.encode()))
    for _ in range(3_000):
        octets = bytearray(whole[: dice.randrange(len(whole))] if dice.random() < 0.3 else whole)
        for _ in range(dice.randint(0, 6)):
            if octets:
                octets[dice.randrange(len(octets))] = dice.choice((0, 1, 0xFF, dice.randrange(256)))
        tnef_text(bytes(octets))
    huge = struct.pack("<I", 0xFFFFFFFF)
    assert tnef_text(winmail(attribute(0x00069003, huge + struct.pack("<HH", 0x1003, 0x3001) + huge + b"\x00" * 100_000))) is None


# --- in a mail ---


def read(parts: str, octets: bytes) -> Message:
    head = "From: greta@example.com\r\nTo: judge@example.org\r\nMessage-ID: <t@example.com>\r\nMIME-Version: 1.0\r\n"
    coded = (
        'Content-Type: application/ms-tnef; name="winmail.dat"\r\nContent-Transfer-Encoding: base64\r\n\r\n' + encodebytes(octets).decode()
    )
    raw = (
        f"{head}{coded}"
        if not parts
        else f'{head}Content-Type: multipart/mixed; boundary="b"\r\n\r\n{parts}\r\n--b\r\n{coded}\r\n--b--\r\n'
    )
    return read_message(raw.encode(), READING, NOON)


def test_a_mail_that_is_only_a_winmail_dat() -> None:
    message = read("", winmail(body(ORDERS.encode())))
    assert (message.text, message.problems) == ("A PAR - BUR\nF BRE - MAO", ())


def test_the_text_beside_it_comes_first() -> None:
    message = read("--b\r\nContent-Type: text/plain\r\n\r\nA PAR H", winmail(body(ORDERS.encode())))
    assert [one.text for one in message.texts] == ["A PAR H", "A PAR - BUR\nF BRE - MAO"]


def test_a_winmail_dat_without_text_is_told() -> None:
    assert read("", winmail()).problems == ("winmail_dat_only",)
