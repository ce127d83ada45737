"""Words of commands in four languages and of older judges: one table, no clash with the words of orders."""

from datetime import datetime, time, timedelta
from pathlib import Path

import pytest

from judge.errors import PlayerError
from judge.game import (
    AskAbsence,
    BadMoment,
    CastVote,
    ClearOrders,
    Command,
    CreateGame,
    DropAbsence,
    Eject,
    Mute,
    OldWord,
    RollBack,
    SetDeadline,
    SetGrace,
    SetSetting,
    Settings,
    SetWish,
    VoteKind,
    When,
    change_setting,
)
from judge.language import fold
from judge.language.commands import OPENERS, CommandReader
from judge.language.commandwords import OLD
from judge.language.moments import read_when
from judge.language.powerindex import PowerIndex, index_powers
from judge.language.requests import ALONE, Line, read_request
from judge.library import Library

LIBRARY = Library()
WORDS = LIBRARY.command_words
PACK = LIBRARY.pack("standard")
READER = CommandReader(WORDS, index_powers(PACK.variant.powers, PACK.gazetteers.values()))
OUTSIDE = CommandReader(WORDS, PowerIndex({}, ()))
ALSO_IN_ORDERS = frozenset({"create", "list", "help", "here", "phase", "withdraw", "set", "zde", "faze", "fazis", "фаза"})
"""Single words that headings or orders hold too, and that the cutter of mails or the desk tells apart."""


def read(text: str) -> Command:
    match = WORDS.match(text)
    assert match is not None, text
    return READER.read(Line(1, text, match.name, match.rest, match.language))


@pytest.mark.parametrize("language", ["cs", "hu", "ru"])
def test_every_command_has_a_word_in_every_language(language: str) -> None:
    own = LIBRARY.tongue(language).commands["commands"]
    english = LIBRARY.tongue("en").commands["commands"]
    assert set(own) == set(english)


def test_no_spelling_means_two_commands() -> None:
    meant: dict[tuple[str, ...], str] = {}
    for language in LIBRARY.tongues():
        for name, forms in LIBRARY.tongue(language).commands.get("commands", {}).items():
            for form in forms:
                key = tuple(fold(part) for part in form.split())
                assert meant.setdefault(key, name) == name, (language, form)


def test_no_command_is_a_word_of_orders() -> None:
    for language in LIBRARY.tongues():
        lexicon = LIBRARY.tongue(language).lexicon
        words = {fold(word) for verb in lexicon.verbs.values() for word in (*verb.words, *verb.letters)}
        words |= {fold(word) for unit in lexicon.units.values() for word in (*unit.letters, *unit.subject, *unit.object, *unit.other)}
        for spelling, (name, _) in WORDS.spellings.items():
            assert " ".join(spelling) in ALSO_IN_ORDERS or " ".join(spelling) not in words, (language, spelling, name)


@pytest.mark.parametrize("word", sorted({name for name, _ in WORDS.spellings.values() if name.startswith(OLD)}))
def test_old_words_say_what_to_use_instead(word: str) -> None:
    spelling = next(" ".join(key) for key, (name, _) in WORDS.spellings.items() if name == word)
    with pytest.raises(OldWord):
        read(spelling)
    for language in ("en", "cs", "hu", "ru"):
        assert LIBRARY.tongue(language).phrases.knows(f"old.{word.removeprefix(OLD)}")


OLD_LINES = (Path(__file__).parent / "cases" / "old-words.txt").read_text("utf-8").splitlines()


@pytest.mark.parametrize("text", OLD_LINES)
def test_every_word_of_the_older_judges_is_understood_or_told_what_to_write(text: str) -> None:
    match = WORDS.match(text)
    assert match is not None
    if match.name in OPENERS:
        return
    if match.name in ALONE and match.rest:
        (block,) = read_request(text, "", WORDS, lambda _name: False).blocks
        assert block.entries == (Line(1, text),)  # no command: told that the word counts alone
        return
    if match.name.startswith(OLD):
        assert LIBRARY.tongue("en").phrases.knows(f"old.{match.name.removeprefix(OLD)}")
        return
    command = READER.read(Line(1, text, match.name, match.rest, match.language))
    if isinstance(command, SetSetting):
        change_setting(Settings(), command.key, command.value)


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("Tue 20:00", When(weekday=1, at=time(20))),
        ("next Tuesday 20:00", When(weekday=1, at=time(20))),
        ("úterý 20:00", When(weekday=1, at=time(20))),
        ("út 20.00", When(weekday=1, at=time(20))),
        ("csütörtök 8:30", When(weekday=3, at=time(8, 30))),
        ("во вторник 20:00", When(weekday=1, at=time(20))),
        ("Fri 6pm", When(weekday=4, at=time(18))),
        ("Friday 12 am", When(weekday=4, at=time(0))),
        ("Friday at 18h", When(weekday=4, at=time(18))),
        ("příští pátek v 18 hodin", When(weekday=4, at=time(18))),
        ("v pátek do 18.00 hodin", When(weekday=4, at=time(18))),
        ("jövő péntek 18 órakor", When(weekday=4, at=time(18))),
        ("в следующую пятницу в 18 часов", When(weekday=4, at=time(18))),
        ("20:00 Europe/Prague", When(at=time(20), zone="Europe/Prague")),
    ],
)
def test_moments_without_a_date(text: str, when: When) -> None:
    assert read_when(text, WORDS) == when


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-12-24 18:00", "2026-12-24"),
        ("24.12.2026 18:00", "2026-12-24"),
        ("24. 12. 2026", "2026-12-24"),
        ("24.12.", "0001-12-24"),
        ("Dec 24", "0001-12-24"),
        ("24 Dec 2026", "2026-12-24"),
        ("24. prosince", "0001-12-24"),
        ("december 24", "0001-12-24"),
        ("24 декабря", "0001-12-24"),
        ("29 Feb", "0004-02-29"),
    ],
)
def test_days_as_people_write_them(text: str, day: str) -> None:
    found = read_when(text, WORDS)
    assert found.day is not None
    assert found.day.date().isoformat() == day


@pytest.mark.parametrize("text", ["", "soon", "31.2.2026", "25:00", "2026-13-01", "14pm"])
def test_moments_that_are_none(text: str) -> None:
    with pytest.raises(BadMoment):
        read_when(text, WORDS)


@pytest.mark.parametrize(
    "text",
    [
        "tomorrow 20:00",
        "zítra 20:00",
        "holnap 20:00",
        "завтра 20:00",
        "Friday noon",
        "Friday 18",
        "v pátek v 6 večer",
        "24 Dec at 18",
        "24. 12. v 18",
        "18:00 CET",
        "Fri 18:00 or 20:00",
        "Friday next week",
    ],
)
def test_a_moment_of_which_a_part_is_not_understood_is_asked_back(text: str) -> None:
    with pytest.raises(BadMoment):
        read_when(text, WORDS)


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("SET MOVE CLOCK 1410 NEXT 71", SetSetting("movement", "CLOCK 1410 NEXT 71")),
        ("SET NODIAS", SetSetting("draws", "listed")),
        ("SET GUNBOAT", SetSetting("gunboat", "yes")),
        ("SET NO REVEAL", SetSetting("reveal", "no")),
        ("SET TIME ZONE Europe/Prague", SetWish("zone", "Europe/Prague")),
        ("nastav časové pásmo Europe/Prague", SetWish("zone", "Europe/Prague")),
        ("nastav naslepo ano", SetSetting("gunboat", "yes")),
        ("установить инкогнито да", SetSetting("gunboat", "yes")),
        ("állítsd képek be", SetWish("pictures", "yes")),
        ("CREATE danube gunboat movement=48h", CreateGame("danube", options=(("gunboat", "yes"), ("movement", "48h")))),
        ("CREATE ?danube secret standard", CreateGame("danube", words=("standard",))),
        ("založ hru danube tahy 48h", CreateGame("danube", options=(("movement", "48h"),))),
        ("SET GAME ZONE Europe/Prague", SetSetting("zone", "Europe/Prague")),
        ("SET MAY BE FAKED", SetSetting("fake", "yes")),
        ("SET GRACE PRESS", SetSetting("latepress", "yes")),
        ("SET GRACE 24h", SetSetting("grace", "24h")),
        ("SET GRACE 24", SetSetting("grace", "24")),
        ("SET GRACE Sun 20:00", SetGrace(When(weekday=6, at=time(20)))),
        ("SET GRACE +24h because of the fair", SetGrace(When(span=timedelta(hours=24)), "the fair")),
        ("SET odklad ne 20:00", SetGrace(When(weekday=6, at=time(20)))),
        ("SET GRACE soon", SetSetting("grace", "soon")),
        ("SET NEXT 71", SetSetting("movement", "next 71")),
        ("SET MOVEMENT 2 days", SetSetting("movement", "2d")),
        ("SET RETREAT 36 hours", SetSetting("retreat", "36h")),
        ("SET MOVEMENT 48 days mon-fri", SetSetting("movement", "48 days mon-fri")),
        ("SET REMINDERS 1 day, 6 hours", SetSetting("reminders", "1d, 6h")),
        ("SET TITLE 5 days in May", SetSetting("title", "5 days in May")),
        ("nastav tahy 3 dny", SetSetting("movement", "3d")),
        ("állítsd mozgás 48 óra", SetSetting("movement", "48h")),
        ("установить ходы 2 суток", SetSetting("movement", "2d")),
        (
            "CREATE danube movement 2 days retreat 36 hours gunboat",
            CreateGame("danube", options=(("movement", "2d"), ("retreat", "36h"), ("gunboat", "yes"))),
        ),
        ("CREATE danube movement 48 days mon-fri", CreateGame("danube", options=(("movement", "48"), ("days", "mon-fri")))),
        ("SET DEADLINE +2 days", SetDeadline(When(span=timedelta(days=2)))),
        ("SET DEADLINE +90 minutes", SetDeadline(When(span=timedelta(minutes=90)))),
        ("EXTEND 90min", SetDeadline(When(span=timedelta(minutes=90)))),
        ("EXTEND 24", SetDeadline(When(span=timedelta(hours=24)))),
        ("EXTEND by 2 days because of the fair", SetDeadline(When(span=timedelta(days=2)), "the fair")),
        ("EXTEND for 2d", SetDeadline(When(span=timedelta(days=2)))),
        ("EXTEND until Friday", SetDeadline(When(weekday=4))),
        ("EXTEND deadline to next Fri 20:00", SetDeadline(When(weekday=4, at=time(20)))),
        ("EXTEND Friday 8pm because of the fair", SetDeadline(When(weekday=4, at=time(20)), "the fair")),
        ("EXTEND till 20:00", SetDeadline(When(at=time(20)))),
        ("EXTEND until 2026-12-24 18:00", SetDeadline(When(day=datetime(2026, 12, 24), at=time(18)))),  # noqa: DTZ001
        ("prodluž o 2 dny", SetDeadline(When(span=timedelta(days=2)))),
        ("prodluž do pátku 20:00", SetDeadline(When(weekday=4, at=time(20)))),
        ("prodloužit termín do 24. 12.", SetDeadline(When(day=datetime(1, 12, 24)))),  # noqa: DTZ001
        ("hosszabbítás 2 nap", SetDeadline(When(span=timedelta(days=2)))),
        ("hosszabbítás 2 nappal", SetDeadline(When(span=timedelta(days=2)))),
        ("hosszabbítás péntekig", SetDeadline(When(weekday=4))),
        ("hosszabbítás péntek 20:00-ig", SetDeadline(When(weekday=4, at=time(20)))),
        ("продлить на 2 дня", SetDeadline(When(span=timedelta(days=2)))),
        ("продлить срок до пятницы 20:00", SetDeadline(When(weekday=4, at=time(20)))),
        ("продлите на 2 дня", SetDeadline(When(span=timedelta(days=2)))),
        ("SET DEADLINE to Friday 20:00 please", SetDeadline(When(weekday=4, at=time(20)))),
        ("prodlužte o 2 dny prosím", SetDeadline(When(span=timedelta(days=2)))),
        ("rollback please", RollBack(None)),
        ("eject FRANCE, silent for weeks", Eject("FRANCE", "silent for weeks")),
        ("MUTE Germany and Italy", Mute(("GERMANY", "ITALY"), True)),
        ("MUTE grey, Germany", Mute(("GERMANY", "GREY"), True)),
        ("DRAW with Germany and Italy", CastVote(VoteKind.DRAW, ("GERMANY", "ITALY"))),
        ("remíza s Německem", CastVote(VoteKind.DRAW, ("GERMANY",))),
        ("NO DRAW please", CastVote(VoteKind.DRAW, (), False)),
        ("away until Friday", AskAbsence(When(span=timedelta()), When(weekday=4))),
        ("nebudu do pátku", AskAbsence(When(span=timedelta()), When(weekday=4))),
        ("NO ABSENCE", DropAbsence(0)),
        ("NO ABSENCE #2", DropAbsence(2)),
        ("CLEAR all my orders", ClearOrders(())),
        ("smaž všechny moje rozkazy", ClearOrders(())),
        ("CLEAR Den", ClearOrders(("Den",))),
        ("CLEAR A", ClearOrders(("A",))),
        ("CLEAR please", ClearOrders(())),
        ("CLEAR all except Par", ClearOrders(("all", "except", "Par"))),
    ],
)
def test_commands_as_they_are_written(text: str, command: Command) -> None:
    assert read(text) == command


@pytest.mark.parametrize("text", ["EXTEND 20:00", "EXTEND soon", "EXTEND until soon", "EXTEND until tomorrow", "EXTEND 2 days Friday"])
def test_no_moment_is_guessed(text: str) -> None:
    with pytest.raises(BadMoment):
        read(text)


@pytest.mark.parametrize(
    "text",
    [
        "NO ABSENCE on 1 Feb",
        "zruš dovolenou od 2. 2.",
        "NO ABSENCE this month",
        "NO DRAW unless Germany is in it",
        "ALLOW ABSENCE 3 July to 5 July",
        "diary delete 1 or 2",
        "MUTE whoever is grey",
    ],
)
def test_what_is_not_understood_behind_a_command_is_asked_back(text: str) -> None:
    with pytest.raises(PlayerError):
        read(text)


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("please wait", "wait"),
        ("wait please", "wait"),
        ("čekat na termín, prosím", "wait"),
        ("hotovo, díky", "nowait"),
        ("Prosím prodluž o 2 dny", "extend"),
        ("пожалуйста, продли на 2 дня", "extend"),
        ("kérlek hosszabbítsd meg 2 nappal", "extend"),
        ("oprava: A Par - Bur", ""),
        ("moje rozkazy:", ""),
        ("my orders", "status"),
        ("edit: + FRANCE A BUR", "edit"),
    ],
)
def test_please_is_no_harm_and_a_colon_says_that_orders_follow(line: str, command: str) -> None:
    (block,) = read_request(line, "", WORDS, lambda _name: False).blocks
    assert [entry.command for entry in block.entries] == [command]


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("If Germany moves:\nA Par - Bur\nelse\nA Par - Pic", ["if", "else"]),
        ("Pokud Německo zaútočí:\n\nA Par - Bur\n\nA Mar - Spa", ["if", ""]),
        ("If Germany moves:\nA Par - Bur\nwait", ["if", "wait"]),
        ("If you like\nA Par - Bur", ["if", ""]),
        ("If it's not too late, here are my orders:\nA Par - Bur", ["if", ""]),
        ("if anything is unclear,\nA Par - Bur", ["if", ""]),
        ("Pokud není pozdě, zde jsou rozkazy:\nA Par - Bur", ["if", ""]),
        ("Если не поздно, вот приказы:\nA Par - Bur", ["if", ""]),
        ("PHASE F1901M\nif A Bur\nA Bur - Mun\nelse\nA Par - Bur", ["phase", "if", "", "else", ""]),
    ],
)
def test_a_condition_outside_a_phase_takes_the_lines_that_it_governs_along(text: str, commands: list[str]) -> None:
    (block,) = read_request(text, "", WORDS, lambda _name: False).blocks
    assert [entry.command for entry in block.entries] == commands


@pytest.mark.parametrize("line", ["here are my orders", "Wait for me", "withdraw A Mun to Bur", "ready or not"])
def test_prose_is_no_command(line: str) -> None:
    (block,) = read_request(line, "", WORDS, lambda _name: False).blocks
    assert [entry.command for entry in block.entries] == [""]
