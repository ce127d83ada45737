"""Whom a message is for: lists of names, initials, "and", the master, in four languages."""

import pytest

from judge.game.commands import SendPress
from judge.language.commands import CommandReader
from judge.language.powerindex import index_powers
from judge.language.requests import PressText, read_request
from tests.support.readers import LIBRARY

PACK = LIBRARY.pack("standard")
READER = CommandReader(
    LIBRARY.command_words, index_powers(PACK.variant.powers, [PACK.gazetteer(language) for language in LIBRARY.tongues()])
)
OTHERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA")


def sent(text: str) -> SendPress:
    (block,) = read_request(text, "", LIBRARY.command_words, lambda _: False).blocks
    (entry,) = block.entries
    command = READER.read_text(entry) if isinstance(entry, PressText) else READER.read(entry)
    assert isinstance(command, SendPress)
    return command


@pytest.mark.parametrize(
    ("opening", "to"),
    [
        ("PRESS TO FRANCE", ("FRANCE",)),
        ("PRESS TO FRANCE AND ITALY", ("FRANCE", "ITALY")),
        ("PRESS TO FRANCE A", ("FRANCE", "AUSTRIA")),
        ("PRESS TO FA", ("FRANCE", "AUSTRIA")),
        ("press to e, a", ("ENGLAND", "AUSTRIA")),
        ("press to a", ("AUSTRIA",)),
        ("zpráva pro Francii a Anglii", ("FRANCE", "ENGLAND")),
        ("ZPRÁVA PRO FRANCII A ITÁLII", ("FRANCE", "ITALY")),
        ("ZPRÁVA PRO VEDOUCÍHO", ("MASTER",)),
        ("ZPRÁVA PRO: VEDOUCÍ", ("MASTER",)),
        ("ZPRÁVA VŠEM KROMĚ TURECKA", OTHERS),
        ("ÜZENET FRANCIAORSZÁGNAK ÉS OLASZORSZÁGNAK", ("FRANCE", "ITALY")),
        ("ÜZENET: JÁTÉKVEZETŐ", ("MASTER",)),
        ("ÜZENET JÁTÉKVEZETŐNEK", ("MASTER",)),
        ("ÜZENET MINDENKINEK KIVÉVE TÖRÖKORSZÁGOT", OTHERS),
        ("СООБЩЕНИЕ ДЛЯ ФРАНЦИИ И ИТАЛИИ", ("FRANCE", "ITALY")),
        ("СООБЩЕНИЕ ДЛЯ ВЕДУЩЕГО", ("MASTER",)),
        ("СООБЩЕНИЕ ДЛЯ: ВЕДУЩИЙ", ("MASTER",)),
        ("СООБЩЕНИЕ ВСЕМ КРОМЕ ТУРЦИИ", OTHERS),
    ],
)
def test_addressees(opening: str, to: tuple[str, ...]) -> None:
    assert sent(f"{opening}\nHello") == SendPress(to, "Hello")


def test_a_message_may_begin_on_its_opening_line() -> None:
    assert sent("PRESS TO FRANCE: Shall we?\nI hope so.\n\nAnna") == SendPress(("FRANCE",), "Shall we?\nI hope so.\n\nAnna")
    assert sent("zpráva pro Francii: Půjdeme?") == SendPress(("FRANCE",), "Půjdeme?")
