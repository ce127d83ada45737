"""Times in which people are away: no deadline is set inside them, as long as they keep within bounds."""

from dataclasses import replace
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from judge.game.commands import AskAbsence, When
from judge.game.deadlines import full_day, local_instant
from judge.game.faults import AbsenceRefused, BadMoment
from judge.game.model import Absence, Game
from judge.game.notices import MASTERS, Audience, Event, Fact, News, Told, Transition

MOST_ABSENCES = 3
"""Absences that one person may have ahead at once."""
FARTHEST = timedelta(days=366)


def ask_absence(game: Game, command: AskAbsence, key: str, zone: str, at: datetime) -> Transition:
    """Keep an absence, in whole days of the asker's `zone` unless hours were named; one that is too long waits for a master.

    Raises `AbsenceRefused`, `BadMoment`.
    """
    first = _from(command.first, zone, at)
    last = _until(command.last or command.first, zone, first)
    own = [absence for absence in game.absences if absence.seat == key]
    if last <= at or last <= first:
        raise AbsenceRefused("past")
    if first > at + FARTHEST:
        raise BadMoment(first.isoformat())
    if any(absence.first < last and first < absence.last for absence in own):
        raise AbsenceRefused("overlap")
    if len(own) >= MOST_ABSENCES:
        raise AbsenceRefused("many")
    number = game.absences_made + 1
    fits = last - first <= timedelta(days=game.settings.absence_days)
    absence = Absence(number, key, first, last, approved=fits)
    after = replace(game, absences=(*game.absences, absence), absences_made=number)
    facts: dict[str, Fact] = {"first": first, "last": last - timedelta(minutes=1), "number": number}
    told = (News("absence" if fits else "absence_long", MASTERS, {**facts, "seat": key}),)
    event = Event(at, key, "absence", {"number": str(number), "first": first.isoformat(), "last": last.isoformat()})
    return Transition(after, (Told("absence" if fits else "absence_asked", facts),), told, events=(event,))


def _from(when: When, zone: str, at: datetime) -> datetime:
    """The beginning of an absence: a day from midnight on, if no hour is named."""
    return local_instant(datetime.combine(_day(when, zone, at), when.at or time(0)), when.zone or zone)


def _until(when: When, zone: str, first: datetime) -> datetime:
    """The end of an absence (exclusive): a day up to its end, if no hour is named; a weekday is the next one from the beginning on."""
    day = _day(when, zone, first)
    if when.at is not None:
        return local_instant(datetime.combine(day, when.at), when.zone or zone)
    return local_instant(datetime.combine(day + timedelta(days=1), time(0)), when.zone or zone)


def _day(when: When, zone: str, at: datetime) -> datetime:
    """The day somebody means, from `at` on."""
    local = at.astimezone(ZoneInfo(when.zone or zone)).replace(tzinfo=None)
    if when.day is not None:
        return full_day(when.day, at, when.zone or zone)
    if when.span is not None:
        return local + when.span
    days = 0 if when.weekday is None else (when.weekday - local.weekday()) % 7
    return datetime.combine(local.date() + timedelta(days=days), time(0))


def drop_absence(game: Game, number: int, key: str, at: datetime) -> Transition:
    """Take back one's own absence, or all of them.  Raises `AbsenceRefused`."""
    gone = tuple(absence for absence in game.absences if absence.seat == key and number in (0, absence.number))
    if not gone:
        raise AbsenceRefused("none")
    after = replace(game, absences=tuple(absence for absence in game.absences if absence not in gone))
    told = (News("absence_back", MASTERS, {"seat": key}),)
    return Transition(after, (Told("absence_back"),), told, events=(Event(at, key, "absence_back", {"number": str(number)}),))


def judge_absence(game: Game, number: int, yes: bool, by: str, at: datetime) -> Transition:
    """A master approves a long absence, or strikes one out; whoever asked is told.  Raises `AbsenceRefused`."""
    absence = next((each for each in game.absences if each.number == number), None)
    if absence is None:
        raise AbsenceRefused("none")
    others = tuple(each for each in game.absences if each.number != number)
    after = replace(game, absences=(*others, replace(absence, approved=True)) if yes else others)
    code = "absence_granted" if yes else "absence_struck"
    facts: dict[str, Fact] = {"first": absence.first, "last": absence.last - timedelta(minutes=1)}
    told = (News(code, Audience(seats=(absence.seat,)), facts),)
    event = Event(at, by, code, {"number": str(number), "seat": absence.seat})
    return Transition(after, (Told(code, facts),), told, events=(event,))
