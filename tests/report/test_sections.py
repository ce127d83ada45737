"""What can be asked for and is shown in an answer, and the letters of the later life of a game; in every language."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from judge.game import Audience, Event, Item, PressItem, Submission
from judge.game.model import AheadOrder, Ending, EndKind, Stint
from judge.game.notices import (
    AheadRead,
    AheadShown,
    Answer,
    DataShown,
    DiaryShown,
    DigestMade,
    DryRun,
    GameEnded,
    HistoryEntry,
    HistoryShown,
    LastWords,
    LogShown,
    MasterAsked,
    News,
    Notice,
    OwnGame,
    OwnGamesShown,
    PowerRecord,
    SeatsShown,
    SettingsShown,
    SubmissionsShown,
    Summary,
    SummaryShown,
    Told,
    YearRow,
)
from judge.library import shipped_folder
from judge.mail import Letter
from judge.report import Part
from judge.rules import read_order, read_phase
from tests.support.golden_game import (
    FRANCE,
    MASTER_ID,
    NOW,
    QUESTION,
    autumn_game,
    closed,
    finished_game,
    fresh_game,
    people,
    scribe,
    told,
    variant,
)

GOLDEN = Path(__file__).parents[1] / "golden" / "letters"
LANGUAGES = ("en", "cs", "hu", "ru")
TURN = closed(autumn_game())[1].turns[0]
OWNERS = dict(fresh_game().position.owners)
SUMMARY = Summary(
    rows=(
        YearRow(1900, OWNERS, {power: 4 if power == "RUSSIA" else 3 for power in variant().powers}),
        YearRow(1901, {**OWNERS, "BEL": "FRANCE", "WAR": "GERMANY"}, {power: 4 if power == "FRANCE" else 3 for power in variant().powers}),
    ),
    records=(PowerRecord("FRANCE", 9, 5, 2, 1, 1, 0, 1, 0, 1),),
    stints=(
        Stint("FRANCE", 3, read_phase("S1901M"), read_phase("F1901M"), "resigned"),
        Stint("FRANCE", 2, read_phase("F1901M")),
    ),
    index=11,
)
AWAY, BACK = datetime(2026, 3, 19, 23, tzinfo=UTC), datetime(2026, 3, 22, 22, 59, tzinfo=UTC)
"""The first and the last moment of three whole days in Prague."""
CHANGES = "+ FRANCE A BUR; - GERMANY A MUN; BEL: FRANCE; HOL: -"
PRESS = PressItem(4, "GERMANY", ("FRANCE",), "Shall we?\n> no quote", NOW)
MOVED = Event(NOW, "MASTER", "deadline", {"from": NOW.isoformat(), "to": (NOW + timedelta(days=1)).isoformat(), "why": "master"})

SHOWN: dict[str, Answer] = {
    "dry-run": DryRun(TURN, False),
    "summary": SummaryShown(SUMMARY),
    "history": HistoryShown(
        (HistoryEntry(NOW, press=PRESS, sender="GERMANY"), HistoryEntry(NOW, turn=TURN), HistoryEntry(NOW, event=MOVED)), 3
    ),
    "log": LogShown(
        (
            MOVED,
            Event(NOW, "ITALY", "absence", {"number": "1", "first": AWAY.isoformat(), "last": (BACK + timedelta(minutes=1)).isoformat()}),
            Event(NOW, "MASTER", "absence_granted", {"number": "1", "seat": "ITALY"}),
            Event(NOW, "MASTER", "setting", {"early": "no"}),
            Event(NOW, "MASTER", "edited", {"changes": CHANGES, "why": "a mail was lost"}),
            Event(NOW, "", "opened", {"phase": "F1901M", "to": NOW.isoformat(), "why": "earlier absence"}),
            Event(NOW, "", "unheard_of", {"powers": "FRANCE ITALY", "phase": "S1901M"}),
        )
    ),
    "seats": SeatsShown(),
    "settings": SettingsShown(),
    "submissions": SubmissionsShown((Submission(read_phase("S1901M"), "FRANCE", 17, NOW, (read_order("A PAR - BUR"),)),)),
    "diary": DiaryShown((PressItem(1, "FRANCE", ("FRANCE",), "Never trust Italy.", NOW, kind="diary"),)),
    "own-games": OwnGamesShown((OwnGame("danube", "FRANCE", "running", read_phase("S1901M"), NOW + timedelta(days=1), "due"),)),
    "data": DataShown(
        (
            ("name", "Marie Dubois"),
            ("address", "player3@example.org (good)"),
            ("address", "old3@example.org (bouncing) (earlier)"),
            ("language", "cs"),
            ("zone", ""),
            ("pictures", "True"),
            ("record: in", "21"),
            ("seat", "danube: FRANCE"),
        )
    ),
    "ahead": AheadShown((AheadOrder(read_phase("F1901M"), read_order("A PAR - BUR"), (), "A Par - Bur", NOW, 17),)),
    "vote": Told("vote_draw", {"powers": ("FRANCE", "ITALY")}),
    "unworded": Told("something_new", {}),
}

NOTICES: dict[str, tuple[Notice, int]] = {
    "note": (News("abandoned_you", Audience(seats=("FRANCE",)), {"power": "FRANCE"}, state=True), FRANCE),
    "note-edited": (News("edited", Audience(seats=("FRANCE",)), {"changes": CHANGES, "why": "a mail was lost", "seat": "MASTER"}), FRANCE),
    "note-absence": (News("absence", Audience(seats=("FRANCE",)), {"first": AWAY, "last": BACK, "number": 1, "seat": "ITALY"}), FRANCE),
    "note-unworded": (News("something_new", Audience(seats=("FRANCE",)), {}), FRANCE),
    "decision": (MasterAsked(TURN, ("ITALY", "TURKEY")), MASTER_ID),
    "ahead": (AheadRead(Audience(seats=("FRANCE",)), (Item("A Par - Bur", (Told("ahead_not_now", {}),)),)), FRANCE),
    "digest": (
        DigestMade(Audience(seats=("FRANCE",)), (HistoryEntry(NOW, press=PRESS, sender="GERMANY"), HistoryEntry(NOW, event=MOVED))),
        FRANCE,
    ),
    "words": (LastWords({"FRANCE": "Well played.\n> all of you", "ITALY": "Next time."}), FRANCE),
}


def shown(name: str, language: str) -> Letter:
    part = Part(autumn_game(), "FRANCE", variant(), (Item(name.upper(), (SHOWN[name],)),))
    return scribe().answer(people(language)[3], [part], people(language), NOW, QUESTION)


def noticed(name: str, language: str) -> Letter:
    notice, reader = NOTICES[name]
    return told(autumn_game(), notice, reader)(language)


def ended(_: str, language: str) -> Letter:
    ending = Ending(EndKind.CONCEDED, ("FRANCE",), NOW)
    return told(finished_game(EndKind.CONCEDED, ("FRANCE",)), GameEnded(ending, summary=SUMMARY), FRANCE)(language)


LETTERS: dict[str, Callable[[str, str], Letter]] = {
    **{f"shown-{name}": shown for name in SHOWN},
    **{f"told-{name}": noticed for name in NOTICES},
    "told-ended-summary": ended,
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", LETTERS)
def test_golden_text(kind: str, language: str, renew: bool) -> None:
    letter = LETTERS[kind](kind.partition("-")[2], language)
    text = f"Subject: {letter.subject}\n\n{letter.text}"
    path = GOLDEN / language / f"{kind}.txt"
    if renew:
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")
    assert max(map(len, letter.text.splitlines())) < 72
    assert "{" not in text
    assert not [line for line in letter.text.splitlines() if line.startswith((">", "From "))]
    assert len((letter.html or "").encode()) < 90_000


def test_every_kind_of_letter_has_its_golden_ones() -> None:
    kinds = {path.name.partition(".")[0] for path in (shipped_folder("templates") / "mail").glob("*.txt.j2")}
    for language in LANGUAGES:
        names = {path.stem.removeprefix("told-") for path in (GOLDEN / language).glob("*.txt")}
        assert not {kind for kind in kinds if not any(name == kind or name.startswith(f"{kind}-") for name in names)}


def test_an_invitation_is_shown_to_masters_alone() -> None:
    from dataclasses import replace

    game = fresh_game(settings=replace(fresh_game().settings, invitation="hawthorn"))
    for seat, sees in (("FRANCE", False), ("MASTER", True)):
        part = Part(game, seat, variant(), (Item("SETTINGS", (SettingsShown(),)),))
        letter = scribe().answer(people()[3], [part], people(), NOW, QUESTION)
        assert ("hawthorn" in letter.text) is sees


def test_a_summary_of_a_gunboat_game_names_nobody() -> None:
    from dataclasses import replace

    game = fresh_game(settings=replace(fresh_game().settings, gunboat=True))
    part = Part(game, "ITALY", variant(), (Item("SUMMARY", (SummaryShown(SUMMARY),)),))
    text = scribe().answer(people()[5], [part], people(), NOW, QUESTION).text
    assert "Marie Dubois" not in text
    assert "Ed Hale" not in text
