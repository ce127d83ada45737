"""When phases end: rules, zones, nights when the clock is put on or back, and moments as people write them."""

from dataclasses import replace
from datetime import UTC, datetime, time, timedelta

import pytest

from judge.game import (
    BadMoment,
    BadSetting,
    Deadline,
    Game,
    Nmr,
    Settings,
    Status,
    Timing,
    When,
    change_setting,
    due_at,
    next_deadline,
    next_reminder,
    resolve_when,
)
from judge.library import read_variant
from judge.rules import Step

START = read_variant("standard").start


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def game(**changes: object) -> Game:
    began = at("2026-01-05 12:00")
    base = Game(
        id=1,
        name="danube",
        variant="standard",
        ruleset="x",
        settings=Settings(zone="Europe/Prague"),
        created_at=began,
        status=Status.RUNNING,
        position=START,
        deadline=Deadline(began + timedelta(hours=72)),
        phase_began=began,
    )
    return replace(base, **changes)  # type: ignore[arg-type]  # tests change one field at a time


@pytest.mark.parametrize(
    ("timing", "zone", "began", "expected"),
    [
        # plain length
        (Timing(), "UTC", "2026-01-05 12:00", "2026-01-08 12:00"),
        # moved on to the wished time of day, Prague is UTC+1 in winter
        (Timing(at=time(18)), "Europe/Prague", "2026-01-05 12:00", "2026-01-08 17:00"),
        # just past the hour: the next day's
        (Timing(at=time(18)), "Europe/Prague", "2026-01-05 17:01", "2026-01-09 17:00"),
        # Saturday and Sunday barred: Thursday + 72 h is Sunday, so Monday
        (Timing(at=time(18), days=frozenset(range(5))), "Europe/Prague", "2026-01-08 12:00", "2026-01-12 17:00"),
        # barred day without a time of day: the first moment of the next allowed day
        (Timing(days=frozenset(range(5))), "Europe/Prague", "2026-01-07 12:00", "2026-01-11 23:00"),
        # across the night the clock is put on (29 March 2026): 18:00 is now UTC+2
        (Timing(at=time(18)), "Europe/Prague", "2026-03-27 16:00", "2026-03-30 16:00"),
        # 02:30 does not exist on 29 March: the later instant, 03:30 summer time
        (Timing(movement=timedelta(hours=24), at=time(2, 30)), "Europe/Prague", "2026-03-28 00:00", "2026-03-29 01:30"),
        # 02:30 is twice on 25 October: the first of the two
        (Timing(movement=timedelta(hours=24), at=time(2, 30)), "Europe/Prague", "2026-10-24 00:00", "2026-10-25 00:30"),
    ],
)
def test_next_deadline(timing: Timing, zone: str, began: str, expected: str) -> None:
    assert next_deadline(timing, zone, Step.MOVEMENT, at(began)).at == at(expected)


@pytest.mark.parametrize(
    ("when", "now", "expected"),
    [
        (When(span=timedelta(hours=48)), "2026-01-06 00:00", "2026-01-10 12:00"),  # from the present deadline on
        (When(weekday=1, at=time(20)), "2026-01-06 12:00", "2026-01-06 19:00"),  # this Tuesday evening
        (When(weekday=1, at=time(20)), "2026-01-06 19:30", "2026-01-13 19:00"),  # it is over: the next one
        (When(day=datetime(2026, 12, 24), at=time(18)), "2026-01-06 12:00", "2026-12-24 17:00"),  # noqa: DTZ001 - a wall-clock day
        (When(day=datetime(2026, 7, 1), at=time(18), zone="America/New_York"), "2026-01-06 12:00", "2026-07-01 22:00"),  # noqa: DTZ001 - a wall-clock day
    ],
)
def test_moments_as_written(when: When, now: str, expected: str) -> None:
    assert resolve_when(when, game(), at(now)) == at(expected)


def test_a_moment_in_the_past_or_years_ahead_is_refused() -> None:
    for day in (datetime(2026, 1, 1), datetime(2028, 1, 1)):  # noqa: DTZ001 - wall-clock days
        with pytest.raises(BadMoment):
            resolve_when(When(day=day), game(), at("2026-01-06 12:00"))


def test_when_a_game_is_due() -> None:
    deadline = at("2026-01-08 12:00")
    assert due_at(game()) == deadline
    assert due_at(game(status=Status.PAUSED)) is None
    early = game(all_in_since=at("2026-01-06 09:00"))
    assert due_at(early) == at("2026-01-06 09:00")
    delayed = replace(early, settings=replace(early.settings, timing=Timing(delay=timedelta(minutes=30))))
    assert due_at(delayed) == at("2026-01-06 09:30")
    on_time = replace(early, settings=replace(early.settings, early=False))
    assert due_at(on_time) == deadline
    waiting = game(settings=Settings(nmr=Nmr.WAIT), late_told=True)
    assert due_at(waiting) is None
    assert due_at(replace(waiting, all_in_since=at("2026-01-09 08:00"))) == at("2026-01-09 08:00")
    grace = game(settings=Settings(timing=Timing(grace=timedelta(hours=12))))
    assert due_at(grace) == deadline
    assert due_at(replace(grace, late_told=True)) == deadline + timedelta(hours=12)


def test_reminders_come_once_each_and_not_before_the_phase() -> None:
    assert next_reminder(game()) == at("2026-01-07 12:00")
    assert next_reminder(game(reminded=1)) == at("2026-01-08 06:00")
    assert next_reminder(game(reminded=2)) is None
    short = game(phase_began=at("2026-01-08 00:00"))
    assert next_reminder(short) == at("2026-01-08 06:00")


@pytest.mark.parametrize(
    ("key", "value", "check"),
    [
        ("movement", "3d", lambda s: s.timing.movement == timedelta(days=3)),
        ("days", "mon-fri", lambda s: s.timing.days == frozenset(range(5))),
        ("days", "sat-mon", lambda s: s.timing.days == frozenset({5, 6, 0})),
        ("clock", "18:30", lambda s: s.timing.at == time(18, 30)),
        ("reminders", "24h,6h", lambda s: s.timing.reminders == (timedelta(hours=24), timedelta(hours=6))),
        ("zone", "Europe/Budapest", lambda s: s.zone == "Europe/Budapest"),
        ("PRESS", "None", lambda s: s.press == "none"),
    ],
)
def test_settings_as_written(key: str, value: str, check: object) -> None:
    assert callable(check)
    assert check(change_setting(Settings(), key, value))


@pytest.mark.parametrize(
    ("key", "value"),
    [("colour", "red"), ("movement", "soon"), ("movement", "0h"), ("zone", "Prague/Europe"), ("clock", "25:00"), ("days", "xyz")],
)
def test_bad_settings_say_what_they_take(key: str, value: str) -> None:
    with pytest.raises(BadSetting) as bad:
        change_setting(Settings(), key, value)
    assert bad.value.key == key
