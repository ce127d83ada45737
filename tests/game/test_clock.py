"""The clock: what moves a deadline and why, absences, early closing, starts; the schedules of `cases/life.jsonl`."""

import json
from collections.abc import Mapping
from datetime import datetime, time, timedelta
from pathlib import Path
from typing import Any

import pytest

from judge.game import (
    Absence,
    AbsenceRefused,
    AskAbsence,
    DeadlineMoved,
    DropAbsence,
    JudgeAbsence,
    News,
    ProcessNow,
    SetDeadline,
    SetGrace,
    SetSetting,
    SetStart,
    Settings,
    SetWait,
    When,
    change_setting,
    due_at,
    grace_ends,
    local_instant,
    next_deadline,
    read_days,
    tick,
)
from judge.game.deadlines import Bars
from judge.game.faults import FarMoment, GraceBefore
from judge.rules import Step
from tests.support.life import ALL_POWERS, at, life

CASES = [json.loads(line) for line in (Path(__file__).parent / "cases" / "life.jsonl").read_text("utf-8").splitlines()]
SCHEDULES = [case for case in CASES if case["type"] == "schedule"]
RULES = {
    "48 hours after processing": {"movement": "48h"},
    "every day at 20:00": {"movement": "24h", "clock": "20:00"},
    "every day at 02:30": {"movement": "24h", "clock": "2:30"},
    "every 7 days at 16:00": {"movement": "7d", "clock": "16:00"},
    "Monday to Friday at 20:00, 24 hours after processing at the earliest": {"movement": "24h", "clock": "20:00", "days": "mon-fri"},
    "days -mtwtf- clock 20:00 move 24 hours": {"movement": "24h", "clock": "20:00", "days": "-mtwtf-"},
}


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def rule_of(given: Mapping[str, Any]) -> Settings:
    settings = change_setting(Settings(), "zone", given["timezone"])
    for key, value in RULES[given.get("rule") or given["rule_text"]].items():
        settings = change_setting(settings, key, value)
    return settings


@pytest.mark.parametrize("case", SCHEDULES, ids=[case["id"] for case in SCHEDULES])
def test_schedules_of_reports(case: dict[str, Any]) -> None:
    given, expected = case["given"], [moment(text) for text in case["expect_deadlines_utc"]]
    settings = rule_of(given)
    zone = settings.zone
    absences = tuple(
        Absence(
            n,
            absence["power"],
            local_instant(datetime.fromisoformat(absence["first"]), zone),
            local_instant(datetime.fromisoformat(absence["last"]) + timedelta(days=1), zone),
        )
        for n, absence in enumerate(given.get("absences", ()))
    )
    if "first_deadline" in given:
        found = [moment(given["first_deadline"])]
        while len(found) < len(expected):
            found.append(next_deadline(settings.timing, zone, Step.MOVEMENT, found[-1]).at)
    else:
        began = moment(given["last_processed"])
        found = [next_deadline(settings.timing, zone, Step.MOVEMENT, began, Bars(absences)).at for _ in expected]
    assert found == expected


def test_half_days_allow_the_afternoon_only() -> None:
    settings = change_setting(change_setting(Settings(), "days", "-mTWTF-"), "movement", "24h")
    # Sunday 4 January 2026, 09:00: Monday is allowed from noon on
    assert next_deadline(settings.timing, "UTC", Step.MOVEMENT, at("2026-01-04 09:00")).at == at("2026-01-05 12:00")
    assert next_deadline(settings.timing, "UTC", Step.MOVEMENT, at("2026-01-04 15:00")).at == at("2026-01-05 15:00")
    # with a time of day before noon Monday is no day at all
    morning = change_setting(settings, "clock", "9:00")
    assert next_deadline(morning.timing, "UTC", Step.MOVEMENT, at("2026-01-04 09:00")).at == at("2026-01-06 09:00")


def test_a_few_seconds_never_make_a_deadline_slip_by_a_day() -> None:
    game = life(movement="72h", clock="18:00", misses="0")
    assert game.game.deadline is not None
    assert game.game.deadline.at == at("2026-01-08 18:00")
    game.take(tick(game.game, game.variant, at("2026-01-08 18:00") + timedelta(seconds=40), lambda _n: 0))
    assert game.game.deadline.at == at("2026-01-11 18:00")
    # after a real outage the players have their full time
    game.take(tick(game.game, game.variant, at("2026-01-12 09:00"), lambda _n: 0))
    assert game.game.deadline.at == at("2026-01-15 18:00")


@pytest.mark.parametrize("bad", ["-------", "mtwtfss", "xyz", "mon/3"])
def test_days_that_are_none(bad: str) -> None:
    with pytest.raises(ValueError):
        read_days(bad)


def test_a_kind_of_phase_may_have_its_own_clock() -> None:
    settings = change_setting(Settings(), "clock", "18:00")
    settings = change_setting(settings, "retreat", "NEXT 24 CLOCK 1200 DAYS -MTWTF- GRACE 2")
    timing = settings.timing
    assert timing.retreat == timedelta(hours=24)
    assert next_deadline(timing, "UTC", Step.RETREAT, at("2026-01-09 21:00")).at == at("2026-01-12 20:00")
    assert timing.at_step(Step.RETREAT).grace == timedelta(hours=2)
    assert next_deadline(timing, "UTC", Step.ADJUSTMENT, at("2026-01-09 12:00")).at == at("2026-01-10 18:00")


@pytest.mark.parametrize(
    ("key", "value", "began", "moved"),
    [
        ("clock", "18:00", "2026-01-05 12:00", ("clock",)),
        ("days", "mon-fri", "2026-01-07 12:00", ("day",)),
        ("first", "48h", "2026-01-05 12:00", ()),
    ],
)
def test_a_moved_deadline_says_why(key: str, value: str, began: str, moved: tuple[str, ...]) -> None:
    settings = change_setting(Settings(), key, value)
    assert next_deadline(settings.timing, "UTC", Step.MOVEMENT, at(began)).moved == moved


def test_the_first_phase_may_be_longer() -> None:
    game = life(first="48h")
    assert game.game.deadline is not None
    assert (game.game.deadline.at, game.game.deadline.moved) == (at("2026-01-10 12:00"), ("first",))
    game.wait(timedelta(days=5))
    assert game.game.deadline is not None
    assert game.game.deadline.at == at("2026-01-13 12:00")


def test_no_phase_ends_before_the_deadline_of_the_one_before_it() -> None:
    game = life(retreat="1h", adjustment="1h", movement="48h", misses="0")
    game.now += timedelta(hours=1)
    game.order_all(*ALL_POWERS)
    game.wait(timedelta(0))
    assert game.turns[0].closed_at == at("2026-01-05 13:00")
    assert game.game.deadline is not None
    assert game.game.deadline.at == at("2026-01-07 13:00")
    free = life(movement="48h", lateronly="no")
    free.do("MASTER", SetSetting("movement", "2h"))
    free.order_all(*ALL_POWERS)
    free.wait(timedelta(0))
    assert free.game.deadline is not None
    assert free.game.deadline.at == at("2026-01-05 14:00")


def test_a_long_extension_of_the_master_is_not_handed_on() -> None:
    game = life(movement="24h")
    game.do("MASTER", SetDeadline(When(span=timedelta(days=14))))
    game.order_all(*ALL_POWERS)
    game.wait(timedelta(0))
    assert game.game.deadline is not None
    assert (game.game.deadline.at, game.game.deadline.moved) == (at("2026-01-06 12:00"), ())


def test_a_shorter_rule_keeps_the_announced_deadline() -> None:
    game = life(movement="48h")
    game.do("MASTER", SetSetting("movement", "2h"))
    game.order_all(*ALL_POWERS)
    game.wait(timedelta(0))
    assert game.game.deadline is not None
    assert (game.game.deadline.at, game.game.deadline.moved) == (at("2026-01-07 12:00"), ("earlier",))


def test_an_absence_moves_the_next_deadline_not_this_one() -> None:
    game = life(movement="24h", clock="18:00", days="mon-fri", misses="0")
    game.do("FRANCE", AskAbsence(When(day=datetime(2026, 1, 8)), When(day=datetime(2026, 1, 10))))  # noqa: DTZ001 - wall-clock days
    assert game.game.deadline is not None
    assert game.game.deadline.at == at("2026-01-06 18:00")
    game.wait(timedelta(days=2))
    assert game.game.deadline.at == at("2026-01-07 18:00")
    game.wait(timedelta(days=1))
    # Thursday to Saturday away, Sunday barred: Monday
    assert (game.game.deadline.at, game.game.deadline.moved) == (at("2026-01-12 18:00"), ("absence", "day"))


def test_an_absence_of_a_power_with_nothing_to_order_moves_nothing() -> None:
    game = life(movement="24h")
    absence = Absence(1, "FRANCE", at("2026-01-05 00:00"), at("2026-01-20 00:00"))
    bars = Bars((absence,))
    assert next_deadline(game.game.timing, "UTC", Step.RETREAT, game.now, bars).at == at("2026-01-20 00:00")
    from dataclasses import replace

    from judge.game.deadlines import open_phase

    opened = open_phase(replace(game.game, absences=(absence,), deadline=None), game.now, {"ITALY"}.__contains__)
    assert opened.deadline is not None
    assert opened.deadline.at == at("2026-01-06 12:00")


def test_absences_have_bounds() -> None:
    game = life()
    long = AskAbsence(When(day=datetime(2026, 2, 1)), When(day=datetime(2026, 2, 20)))  # noqa: DTZ001 - wall-clock days
    game.do("ITALY", long)
    assert [(a.seat, a.approved) for a in game.game.absences] == [("ITALY", False)]
    assert game.news() == [("absence_long", ("MASTER",))]
    game.do("MASTER", JudgeAbsence(1))
    assert game.game.absences[0].approved
    assert game.news() == [("absence_granted", ("ITALY",))]
    with pytest.raises(AbsenceRefused) as refused:
        game.do("ITALY", AskAbsence(When(day=datetime(2026, 2, 5))))  # noqa: DTZ001 - wall-clock days
    assert refused.value.why == "overlap"
    with pytest.raises(AbsenceRefused) as refused:
        game.do("ITALY", AskAbsence(When(day=datetime(2026, 1, 1))))  # noqa: DTZ001 - wall-clock days
    assert refused.value.why == "past"
    game.do("ITALY", DropAbsence())
    assert not game.game.absences


def test_a_day_without_a_year_is_the_next_one() -> None:
    game = life()
    game.do("ITALY", AskAbsence(When(day=datetime(1, 12, 24)), When(day=datetime(1, 1, 2))))  # noqa: DTZ001 - wall-clock days
    (absence,) = game.game.absences
    assert (absence.first, absence.last) == (at("2026-12-24 00:00"), at("2027-01-03 00:00"))


def test_early_closing_waits_for_delay_and_the_least_length() -> None:
    game = life(delay="30m", minimum="12h")
    game.now += timedelta(hours=1)
    game.order_all(*ALL_POWERS)
    assert due_at(game.game) == at("2026-01-06 00:00")
    later = life(delay="30m")
    later.now += timedelta(hours=1)
    later.order_all(*ALL_POWERS)
    assert due_at(later.game) == at("2026-01-05 13:30")


def test_a_wish_to_wait_holds_until_the_deadline() -> None:
    game = life()
    game.do("TURKEY", SetWait(True))
    game.order_all(*ALL_POWERS)
    assert due_at(game.game) == at("2026-01-08 12:00")
    game.do("TURKEY", SetWait(False))
    assert due_at(game.game) == game.now


def test_a_start_moves_the_deadline_and_says_so() -> None:
    game = life()
    game.do("MASTER", SetStart(When(day=datetime(2026, 1, 20))))  # noqa: DTZ001 - a wall-clock day
    assert game.game.deadline is not None
    assert game.game.deadline.at == at("2026-01-20 20:00")
    assert [n.why for n in game.new() if isinstance(n, DeadlineMoved)] == ["start"]
    game.order_all(*ALL_POWERS)
    assert due_at(game.game) == at("2026-01-20 20:00")


def test_a_phase_that_is_held_says_so_where_its_deadline_stays() -> None:
    game = life()
    game.do("MASTER", SetStart(When(day=datetime(2026, 1, 7))))  # noqa: DTZ001 - a wall-clock day
    assert [n.code for n in game.new() if isinstance(n, News)] == ["phase_held"]


def test_a_grace_for_once_holds_for_the_open_phase_only() -> None:
    game = life(movement="72h", misses="0", days="mon-fri")  # Monday noon to Thursday noon
    game.do("MASTER", SetGrace(When(weekday=5, at=time(18)), "a holiday"))
    assert [(n.code, n.facts["moment"]) for n in game.new() if isinstance(n, News)] == [("grace_set_because", at("2026-01-10 18:00"))]
    game.take(tick(game.game, game.variant, at("2026-01-08 12:00"), lambda _n: 0))
    assert [type(n).__name__ for n in game.new()] == ["OrdersMissing"]
    assert due_at(game.game) == at("2026-01-10 18:00")
    game.take(tick(game.game, game.variant, at("2026-01-10 18:00"), lambda _n: 0))
    assert str(game.game.phase) == "F1901M"
    game.take(tick(game.game, game.variant, game.game.deadline.at, lambda _n: 0))  # type: ignore[union-attr]  # a running game has one
    assert str(game.game.phase) == "S1902M"


def test_a_grace_for_once_keeps_its_end_when_the_deadline_moves() -> None:
    game = life(movement="72h")
    game.do("MASTER", SetGrace(When(span=timedelta(hours=48))))
    game.do("MASTER", SetDeadline(When(span=timedelta(hours=24))))
    assert grace_ends(game.game) == at("2026-01-10 12:00")
    game.do("MASTER", SetDeadline(When(day=datetime(2026, 1, 11))))  # noqa: DTZ001 - a wall-clock day
    assert grace_ends(game.game) == game.game.deadline.at  # type: ignore[union-attr]  # a running game has one


def test_a_grace_before_the_deadline_is_refused() -> None:
    game = life(movement="72h")
    with pytest.raises(GraceBefore):
        game.do("MASTER", SetGrace(When(day=datetime(1, 1, 7))))  # noqa: DTZ001 - a wall-clock day
    with pytest.raises(GraceBefore):
        game.do("MASTER", SetGrace(When(day=datetime(2026, 1, 8), at=time(12))))  # noqa: DTZ001 - a wall-clock day


def test_a_day_without_a_year_that_has_just_gone_by_is_asked_back() -> None:
    game = life(movement="72h")
    with pytest.raises(FarMoment):
        game.do("MASTER", SetDeadline(When(day=datetime(1, 1, 4))))  # noqa: DTZ001 - a wall-clock day
    game.do("MASTER", SetDeadline(When(day=datetime(2026, 12, 4))))  # noqa: DTZ001 - a wall-clock day
    assert game.game.deadline is not None
    assert game.game.deadline.at == at("2026-12-04 20:00")


def test_a_guard_keeps_a_late_mail_from_running_the_next_phase() -> None:
    from judge.game import OtherPhase
    from judge.rules import read_phase

    game = life()
    game.do("MASTER", ProcessNow(read_phase("S1901M")))
    with pytest.raises(OtherPhase):
        game.do("MASTER", ProcessNow(read_phase("S1901M")))
    assert str(game.game.phase) == "F1901M"
