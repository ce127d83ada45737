"""Times, spans, lists and folded lines, in four languages."""

from datetime import UTC, datetime, timedelta

import pytest

from judge.report import filters
from judge.report.calendar import deadline_event
from tests.support.golden_game import library

AT = datetime(2026, 3, 12, 17, 0, tzinfo=UTC)


def voice(language: str, zone: str = "Europe/Prague", now: datetime = AT - timedelta(days=2)) -> filters.Voice:
    return filters.Voice(library().tongue(language).phrases, zone, now)


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "Thu 12 Mar 18:00 (Prague)"),
        ("cs", "čt 12. 3. 18:00 (Praha)"),
        ("hu", "márc. 12. csütörtök 18:00 (Prága)"),
        ("ru", "чт 12 мар. 18:00 (Прага)"),
    ],
)
def test_local_time(language: str, expected: str) -> None:
    with filters.speaking(voice(language)):
        assert filters.local_time(AT).replace("\xa0", " ") == expected


@pytest.mark.parametrize(
    ("zone", "local", "utc"),
    [
        ("Europe/Prague", "Thu 12 Mar 18:00 (Prague)", "17:00 UTC"),
        ("UTC", "Thu 12 Mar 17:00 (UTC)", ""),
        ("Asia/Tokyo", "Fri 13 Mar 02:00 (Tokyo)", "Thu 12 Mar 17:00 UTC"),
        ("America/New_York", "Thu 12 Mar 13:00 (New York)", "17:00 UTC"),
    ],
)
def test_zones(zone: str, local: str, utc: str) -> None:
    with filters.speaking(voice("en", zone)):
        assert (filters.local_time(AT), filters.utc_time(AT)) == (local, utc)


@pytest.mark.parametrize(
    ("gap", "language", "expected"),
    [
        (timedelta(days=2), "en", "in 2 days"),
        (timedelta(hours=47), "en", "in 47 hours"),
        (timedelta(hours=6), "cs", "za 6 hodin"),
        (timedelta(hours=3), "cs", "za 3 hodiny"),
        (timedelta(minutes=50), "hu", "50 perc múlva"),
        (timedelta(days=5), "ru", "через 5 дней"),
        (timedelta(days=2), "ru", "через 2 дня"),
        (timedelta(hours=-3), "en", "3 hours ago"),
        (timedelta(seconds=20), "en", "in 1 minute"),
    ],
)
def test_until(gap: timedelta, language: str, expected: str) -> None:
    with filters.speaking(voice(language, now=AT - gap)):
        assert filters.until(AT) == expected


@pytest.mark.parametrize(
    ("language", "both", "choice"),
    [
        ("en", "Bur, Kie and Ruh", "Bur, Kie or Ruh"),
        ("cs", "Bur, Kie a Ruh", "Bur, Kie nebo Ruh"),
        ("hu", "Bur, Kie és Ruh", "Bur, Kie vagy Ruh"),
        ("ru", "Bur, Kie и Ruh", "Bur, Kie или Ruh"),
    ],
)
def test_lists(language: str, both: str, choice: str) -> None:
    with filters.speaking(voice(language)):
        assert filters.listed(["Bur", "Kie", "Ruh"]).replace("\xa0", " ") == both
        assert filters.listed(["Bur", "Kie", "Ruh"], "or") == choice
        assert filters.listed([]) == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("> quoted", " > quoted\n"),
        (">", " >\n"),
        ("From me", " From me\n"),
        ("-- \nAnna", " --\nAnna\n"),
        ("a\n\n\n\nb", "a\n\nb\n"),
        ("\n\na   ", "a\n"),
        ("x" * 100, "x" * 100 + "\n"),
        ("word " * 20, ("word " * 14).strip() + "\n" + ("word " * 6).strip() + "\n"),
    ],
)
def test_finish(text: str, expected: str) -> None:
    assert filters.finish(text) == expected


def test_folding_keeps_orders_together() -> None:
    line = "  France  A Bel - Hol          FAILED: the long reason is told here by A Mun - Ber and more"
    folded = filters.fold_line(line)
    assert all(len(part) <= filters.WIDTH for part in folded)
    assert all(part.startswith(" " * 31) for part in folded[1:])
    assert any("A Mun - Ber" in part for part in folded)


def test_deadlines_as_calendar_entries() -> None:
    since = AT - timedelta(days=10)
    first = deadline_event("deadline-1@chancery.example", "danube: orders due, Fall 1903; Žluťoučký kůň úpěl, " * 2, AT, AT, since)
    later = deadline_event("deadline-1@chancery.example", "x", AT + timedelta(days=1), AT + timedelta(minutes=1), since)
    from icalendar import Calendar

    events = [Calendar.from_ical(text).walk("VEVENT")[0] for text in (first, later)]
    assert events[0]["UID"] == events[1]["UID"]
    assert int(str(events[0]["SEQUENCE"])) < int(str(events[1]["SEQUENCE"]))
    assert events[0].decoded("DTSTART") == AT
    assert str(events[0]["SUMMARY"]).startswith("danube: orders due, Fall 1903; Žlu")
    assert all(len(line.encode()) <= 75 for line in first.split("\r\n"))
