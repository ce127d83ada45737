"""Games to files and back: our own JSON into another installation, the package `diplomacy`, one text, letters of other judges."""

import gzip
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from judge.cli import main
from judge.config import Config
from judge.errors import OperatorError
from judge.game import Absence, EndKind, Event, Game, PressRule, Settings, Status, Submission, Timing, Turn, close_phase, resume
from judge.game.record import agree
from judge.game.savedgame import NoSuchForm, from_saved_game, to_saved_game
from judge.library import Library
from judge.mail.letterfiles import texts_in
from judge.rules import read_order, read_phase, write_order, write_unit
from judge.service.context import Services
from judge.service.deadlines import write_transition
from judge.service.exporting import BadExport, export_game, import_game
from judge.service.gamefiles import export_saved_game, export_text, import_files, read_company
from judge.store import NameInUse, Transaction
from judge.wiring import build, build_pages
from tests.support import shelf
from tests.support.golden_game import NOW

TESTS = Path(__file__).parents[1]
LETTERS = TESTS / "judgemails"


class Standing:
    """A clock that stands."""

    def now(self) -> datetime:
        return NOW


@contextmanager
def installation(folder: Path, *games: Any) -> Iterator[Services]:
    """An installation in a folder of its own, at the time of the shelf."""
    folder.mkdir()
    services = replace(build(shelf.fill(folder, games)), clock=Standing())
    try:
        yield services
    finally:
        services.pictures.close()
        services.store.close()


def game_of(s: Services, name: str) -> Game:
    with s.store.reading() as tx:
        kept = tx.games.get(name)
    assert kept is not None, name
    return kept.game


def all_of(s: Services, game: Game) -> dict[str, object]:
    """Everything that is kept of a game, people by their addresses."""

    def address(tx: Transaction, person: int | None) -> str:
        return tx.people.get(person).address if person is not None else ""

    with s.store.reading() as tx:
        return {
            "turns": tx.turns.of(game.id, withdrawn=True),
            "verdicts": [turn.adjudication.outcomes for turn in tx.turns.of(game.id, withdrawn=True)],
            "press": tx.press.of(game.id),
            "events": [event for event in tx.events.of(game.id) if event.what != "imported"],
            "filed": [replace(each, mail=0) for each in tx.submissions.of(game.id)],
            "seats": [(seat.key, address(tx, seat.person), seat.state, seat.missed, seat.muted) for seat in game.all_seats],
            "stints": [replace(stint, person=0) for stint in game.stints],
            "stint people": [address(tx, stint.person) for stint in game.stints],
            "orders": {power: [(f.order, f.at) for f in filed] for power, filed in game.orders.items()},
            "game": replace(
                game, id=0, seats=(), masters=(), observers=(), stints=(), orders={}, status=Status.RUNNING, deadline=None, paused_left=None
            ),
        }


def running() -> shelf.Made:
    """A game under way with everything a game can have."""
    game, turns, press = shelf.tatry()
    timing = Timing(movement=timedelta(hours=48), grace=timedelta(hours=6), days=frozenset({0, 2}))
    settings = Settings(title="Čtvrteční partie", zone="Europe/Prague", press=PressRule.GREY, timing=timing, invitation="hawthorn")
    absences = (Absence(1, "FRANCE", NOW, NOW + timedelta(days=9)),)
    note = shelf.message(3, "FRANCE", (), "a note", kind="diary")
    game = replace(game, settings=settings, absences=absences, absences_made=1, comment="Slow.", waits=frozenset({"ITALY"}))
    return game, turns, (*press, note)


def forming() -> shelf.Made:
    """A game that waits for players, its master known here."""
    game, turns, press = shelf.vltava()
    return replace(game, masters=(replace(game.masters[0], person=shelf.MASTER),)), turns, press


def fill_up(s: Services, game: Game) -> None:
    """Orders as they were filed, and a line of the log."""
    with s.store.transaction() as tx:
        tx.submissions.add(game.id, [Submission(game.phase, "FRANCE", 77, NOW, (read_order("A PAR H"),))])
        tx.events.add(game.id, [Event(NOW, "MASTER", "setting", {"title": "Čtvrteční partie"})])


# ---- our own form


@pytest.mark.parametrize("made", [running, shelf.danube, forming, shelf.paused, shelf.azeroth], ids=lambda made: made.__name__)
def test_a_game_moves_to_another_installation_with_everything(tmp_path: Path, made: Any) -> None:
    with installation(tmp_path / "old", made) as old, installation(tmp_path / "new") as new:
        name = made()[0].name
        fill_up(old, game_of(old, name))
        game = game_of(old, name)
        data = json.loads(json.dumps(export_game(old, game)))
        assert data["format"] == 2
        moved = import_game(new, data)
        kept = game_of(new, name)
        assert kept == moved
        assert all_of(new, kept) == all_of(old, game)
        if game.status is Status.RUNNING:
            assert game.deadline is not None
            assert (kept.status, kept.paused_left, kept.deadline) == (Status.PAUSED, game.deadline.at - NOW, None)
            again = resume(kept, "MASTER", Library().variant(kept.variant), NOW).game
            assert again.deadline is not None
            assert again.deadline.at == game.deadline.at
        else:
            assert (kept.status, kept.paused_left, kept.ending) == (game.status, game.paused_left, game.ending)


def test_codes_passwords_and_deleted_notes_stay_behind(tmp_path: Path) -> None:
    with installation(tmp_path / "old", running) as old:
        game = game_of(old, "tatry")
        seats = tuple(replace(seat, password="hash-of-it") for seat in game.seats)
        text = json.dumps(export_game(old, replace(game, seats=seats, forgotten=frozenset({3}))))
        assert "hash-of-it" not in text
        assert "a note" not in text


def test_what_is_published_holds_no_secret(tmp_path: Path) -> None:
    with installation(tmp_path / "old", *shelf.GAMES) as old:
        for name in ("danube", "morava", "tatry", "silent", "odra"):
            data = export_game(old, game_of(old, name), public=True)
            text = json.dumps(data, ensure_ascii=False)
            assert shelf.CANARY not in text.replace(f"{shelf.CANARY}word", shelf.CANARY)
            assert "@" not in text
            assert data["people"] == {}
        shown = export_game(old, game_of(old, "danube"), public=True)
        assert [item["text"] for item in shown["press"]] == [shelf.HOSTILE, "Good luck to all.", "Nobody knows."]


def test_the_phases_are_those_that_replay_reads(tmp_path: Path) -> None:
    with installation(tmp_path / "old", shelf.danube) as old:
        data = export_game(old, game_of(old, "danube"), public=True)
    file = tmp_path / "danube.json"
    file.write_text(json.dumps({key: data[key] for key in ("id", "map", "phases")}) + "\n", "utf-8")
    done = subprocess.run([sys.executable, "-m", "judge", "replay", str(file)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"format": 3}, "format 3; this judge reads 2"),
        ({"game": None}, "no JSON of a judge"),
        ({"rules": {}}, "rules in it are not"),
        ({"turns": [{"withdrawn": False}]}, "a turn in the database"),
        ({"people": None}, "out of place"),
    ],
)
def test_a_broken_export_changes_nothing(tmp_path: Path, change: dict[str, Any], says: str) -> None:
    with installation(tmp_path / "old", running) as old, installation(tmp_path / "new") as new:
        data = export_game(old, game_of(old, "tatry")) | change
        with pytest.raises((BadExport, OperatorError), match=says):
            import_game(new, data)
        with new.store.reading() as tx:
            assert tx.games.get("tatry") is None


def test_a_name_in_use_wants_another(tmp_path: Path) -> None:
    with installation(tmp_path / "old", running) as old:
        data = json.dumps(export_game(old, game_of(old, "tatry"))).encode()
        with pytest.raises(NameInUse):
            import_files(old, [data], "", "", read_company(old, "", ()))
        assert import_files(old, [data], "tatry2", "", read_company(old, "", ())).game.name == "tatry2"
        assert all_of(old, game_of(old, "tatry2"))["seats"] == all_of(old, game_of(old, "tatry"))["seats"]


# ---- the package


def recorded() -> list[Any]:
    """Saved games that the package wrote."""
    with gzip.open(TESTS / "savedgames" / "recorded.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def bare(saved: Any) -> Any:
    """A saved game without what each program makes for itself: times, hashes, the sequence in lists, results of orders."""
    return [
        (
            phase["name"],
            {power: sorted(units) for power, units in phase["state"]["units"].items()},
            {power: sorted(centres) for power, centres in phase["state"]["centers"].items()},
            {power: {unit: sorted(to) for unit, to in units.items()} for power, units in phase["state"]["retreats"].items()},
            {power: each["count"] for power, each in phase["state"]["builds"].items() if phase["name"] != "COMPLETED"},
            {power: orders or [] for power, orders in phase["orders"].items()},
            [(m["sender"], m["recipient"], m["message"], m["phase"]) for m in phase["messages"]],
        )
        for phase in saved["phases"]
    ]


@pytest.mark.parametrize("number", range(4))
def test_a_game_of_the_package_comes_in_and_goes_out_the_same(tmp_path: Path, number: int) -> None:
    saved = recorded()[number]
    with installation(tmp_path / "new") as new:
        done = import_files(new, [json.dumps(saved).encode()], "taken", "", read_company(new, "", ()))
        told = json.loads(export_saved_game(new, game_of(new, "taken")))
    assert bare(told) == bare(saved)
    assert (told["map"], told["rules"]) == (saved["map"], saved["rules"])
    over = saved["phases"][-1]["name"] == "COMPLETED"
    assert (done.game.status is Status.FINISHED) == over
    if over:
        notes = [sorted(each["phases"][-1]["state"]["note"].replace(",", "").split()) for each in (told, saved)]
        assert notes[0] == notes[1]


def test_results_in_the_packages_words_where_both_decide_alike() -> None:
    saved = recorded()[1]
    variant = Library().variant("standard")
    record = from_saved_game(saved, variant, NOW)
    game = replace(shelf.made("x"), position=record.position)
    told = to_saved_game(game, variant, record.turns, record.press)
    for ours, theirs in zip(told["phases"][:-1], saved["phases"][:-1], strict=True):
        for unit, words in theirs["results"].items():
            mine = ours["results"].get(unit, [])
            assert ("dislodged" in mine, "bounce" in mine) == ("dislodged" in words, "bounce" in words), (ours["name"], unit, mine, words)


@pytest.mark.parametrize("made", [shelf.danube, shelf.morava, shelf.paused], ids=lambda made: made.__name__)
def test_our_games_in_the_packages_form_come_back(made: Any) -> None:
    game, turns, press = made()
    game = replace(game, turns=len(turns))
    variant = Library().variant("standard")
    saved = json.loads(json.dumps(to_saved_game(game, variant, turns, press)))
    record = from_saved_game(saved, variant, NOW)
    standing: list[Turn] = [turn for turn in turns if not turn.withdrawn]
    assert [turn.phase for turn in record.turns] == [turn.phase for turn in standing]
    assert [turn.given for turn in record.turns] == [{p: turn.given.get(p, ()) for p in variant.powers} for turn in standing]
    assert record.remarks == ()
    assert game.ending is not None or agree(record.position, game.position)
    told = [(item.sender, item.to, item.text) for item in press if item.kind != "diary"]
    assert [(item.sender, item.to, item.text) for item in record.press] == told


def test_one_message_to_many_stays_one() -> None:
    saved = recorded()[1]
    record = from_saved_game(saved, Library().variant("standard"), NOW)
    assert ("ENGLAND", ("AUSTRIA", "GERMANY")) in {(item.sender, item.to) for item in record.press}
    assert len(record.press) == 15


def test_where_the_package_decides_otherwise_its_position_is_taken_and_said() -> None:
    saved = recorded()[0]
    record = from_saved_game(saved, Library().variant("standard"), NOW)
    assert record.remarks == ("S1907M: recorded otherwise than this judge decides; the record's position was taken",)
    assert record.ending is not None
    assert (record.ending.kind, record.ending.powers) == (EndKind.WON, ("AUSTRIA",))


@pytest.mark.parametrize(
    "change",
    [
        {"phases": []},
        {"phases": [{}]},
        {"phases": [{"name": "S1901M", "state": {"name": "S1901M", "units": {"FRANCE": ["A XYZ"]}, "centers": {}}, "orders": {}}]},
    ],
)
def test_what_is_no_saved_game_is_refused(change: Any) -> None:
    with pytest.raises(NoSuchForm):
        from_saved_game({"map": "standard"} | change, Library().variant("standard"), NOW)


def test_boards_the_package_does_not_have(tmp_path: Path) -> None:
    with installation(tmp_path / "old", shelf.azeroth) as old:
        with pytest.raises(OperatorError, match="the package has no board warcraft"):
            export_saved_game(old, game_of(old, "azeroth"))
        with pytest.raises(OperatorError, match="'colonial' is not known"):
            import_files(old, [b'{"map": "colonial", "phases": [1]}'], "x1", "", read_company(old, "", ()))


# ---- as text


def test_the_text_of_a_running_game_tells_no_secret(tmp_path: Path) -> None:
    with installation(tmp_path / "old", *shelf.GAMES) as old:
        pages = build_pages(old.config, old.library)
        for name in ("morava", "tatry", "vltava", "silent", "azeroth", "odra"):
            text = export_text(old, game_of(old, name), pages, "en")
            assert shelf.CANARY not in text
            assert "@" not in text
            assert max(map(len, text.splitlines())) <= 72


# ---- letters of other judges


def letters(*names: str) -> list[bytes]:
    return [(LETTERS / name).read_bytes() for name in names]


NJUDGE = tuple(f"njudge-{phase}.eml" for phase in ("S1901M", "F1901M", "W1901A", "S1902M", "S1902R"))


def test_a_running_game_comes_out_of_its_letters(tmp_path: Path) -> None:
    with installation(tmp_path / "new") as new:
        company = read_company(new, "gm@example.org", ("FRANCE=marie@example.org", "italy=luca@example.org"))
        done = import_files(new, letters(*reversed(NJUDGE)), "", "", company)
        game = game_of(new, "meadow")
        with new.store.reading() as tx:
            turns = tx.turns.of(game.id)
            people = tx.people.many(game.everybody)
            waiting = tx.outbox.counts().waiting
    assert (game.status, game.phase, game.turns) == (Status.PAUSED, read_phase("F1902M"), 5)
    assert game.paused_left == datetime(2031, 3, 18, 23, 30, tzinfo=UTC) - NOW
    assert [str(turn.phase) for turn in turns] == ["S1901M", "F1901M", "W1901A", "S1902M", "S1902R"]
    assert {power: sorted(map(write_unit, units)) for power, units in game.position.units.items()}["ITALY"] == [
        "A ALB",
        "A TUN",
        "F AEG",
        "F ION",
    ]
    assert game.position.owners["GRE"] == "AUSTRIA"
    assert game.position.owners["TRI"] == "ITALY"
    assert "SWE" not in game.position.owners
    assert turns[1].given["ENGLAND"][0] == read_order("A YOR - NWY VIA")
    assert write_order(turns[4].given["ITALY"][0]) == "A TRI R ALB"
    assert {seat.key: people[seat.person].address for seat in game.all_seats if seat.person} == {
        "FRANCE": "marie@example.org",
        "ITALY": "luca@example.org",
        "MASTER": "gm@example.org",
    }
    assert waiting == 1  # to the master
    assert len(done.remarks) == 1
    assert "to be set by the master" in done.remarks[0]


def test_a_game_taken_over_goes_on(tmp_path: Path) -> None:
    """Its master lets it go on, a phase closes, and everybody gets letters with addresses of this judge."""
    with installation(tmp_path / "new") as new:
        company = read_company(new, "gm@example.org", ("FRANCE=marie@example.org", "ITALY=luca@example.org"))
        number = import_files(new, letters(*NJUDGE[:4]), "", "", company).game.id
        assert write_transition(new, number, lambda held, now: resume(held.game, "MASTER", held.pack.variant, now))
        assert write_transition(new, number, lambda held, now: close_phase(held.game, held.pack.variant, now, "master"))
        with new.store.transaction() as tx:
            kept = tx.games.get(number)
            sent = [each.letter for each in tx.outbox.claim(NOW, 50)]
    assert kept is not None
    assert (kept.game.phase, kept.game.turns, kept.game.status) == (read_phase("F1902M"), 5, Status.RUNNING)
    assert {letter.to for letter in sent} == {"gm@example.org", "marie@example.org", "luca@example.org"}
    assert all(letter.reply_to and "+meadow." in letter.reply_to for letter in sent)
    assert any("A Tri D" in letter.text for letter in sent if letter.to == "luca@example.org")


def test_both_judges_write_alike(tmp_path: Path) -> None:
    dpjudge = ("njudge-W1901A.eml", "dpjudge-S1902M.eml", "dpjudge-S1902R.eml")
    with installation(tmp_path / "one") as one, installation(tmp_path / "two") as two:
        company = read_company(one, "", ())
        whole = import_files(one, letters(*NJUDGE), "", "", company).game
        late = import_files(two, letters(*dpjudge), "", "", company)
    assert whole.position.units == late.game.position.units
    assert "W1901A: left out, for no letter tells where the units stood before" in late.remarks
    assert "owners of centres are not told: set them before the game goes on" in late.remarks


def test_one_letter_is_enough_for_a_position_and_a_mailbox_is_read_whole(tmp_path: Path) -> None:
    mbox = b"".join(b"From judge@judge.example Mon Mar  3 23:36:00 2031\n" + mail + b"\n" for mail in letters(*NJUDGE))
    assert len(texts_in(mbox)) == len(NJUDGE)
    with installation(tmp_path / "new") as new:
        company = read_company(new, "", ())
        one = import_files(new, letters("njudge-F1901M.eml"), "", "", company).game
        assert (one.phase, one.turns) == (read_phase("W1901A"), 1)
        assert one.position.owners["NWY"] == "ENGLAND"
        whole = import_files(new, [mbox], "meadow2", "", company).game
        assert (whole.phase, whole.turns) == (read_phase("F1902M"), 5)


def test_a_listing_tells_where_everything_stands_and_what_was_not_understood_is_said(tmp_path: Path) -> None:
    with installation(tmp_path / "new") as new:
        done = import_files(new, letters("njudge-listing.txt"), "", "", read_company(new, "", ()))
    game = done.game
    assert (game.name, game.settings.gunboat, game.turns) == ("pasture", True, 0)
    assert game.position.phase == read_phase("S1904M")
    assert list(map(write_unit, game.position.units["FRANCE"])) == ["A MUN", "F SPA/NC"]
    assert game.position.owners["SPA"] == "FRANCE"
    assert game.paused_left == datetime(2031, 3, 21, 4, 30, tzinfo=UTC) - NOW
    assert "not understood: Austria: please remember your absence." in done.remarks


def test_letters_that_another_rule_decided_are_believed(tmp_path: Path) -> None:
    """Where the letter's marks and this judge differ, the letter counts, and the master is told."""
    changed = [mail.replace(b"Fleet Denmark -> Sweden.  (*bounce*)", b"Fleet Denmark -> Sweden.") for mail in letters(*NJUDGE[:2])]
    with installation(tmp_path / "new") as new:
        done = import_files(new, changed, "", "", read_company(new, "", ()))
    assert "F SWE" in map(write_unit, done.game.position.units["GERMANY"])
    assert "F1901M: this judge decides otherwise; what the letter says was taken" in done.remarks


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ([b"Hello, how are you?"], "no letter lists the units"),
        ([b":: Judge: DEMO  Game: one  Variant: Nowhere\n"], "not known here: name one with --map"),
        ([b":: Judge: D  Game: one  Variant: Standard\n", b":: Judge: D  Game: two  Variant: Standard\n"], "letters about 2 games"),
    ],
)
def test_letters_from_which_nothing_comes(tmp_path: Path, files: list[bytes], says: str) -> None:
    with installation(tmp_path / "new") as new, pytest.raises(OperatorError, match=says):
        import_files(new, files, "x1", "", read_company(new, "", ()))


def test_players_must_be_of_the_board(tmp_path: Path) -> None:
    with installation(tmp_path / "new") as new:
        with pytest.raises(OperatorError, match="standard has no NARNIA"):
            import_files(new, letters("njudge-listing.txt"), "", "", read_company(new, "", ("NARNIA=x@example.org",)))
        with pytest.raises(OperatorError, match="write a player as"):
            read_company(new, "", ("FRANCE",))


# ---- the commands


def run(config: Config, *words: str) -> Result:
    return CliRunner().invoke(main, ["game", words[0], "--config", str(config.file), *words[1:]])


def run_alone(config: Config, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "judge", "game", words[0], "--config", str(config.file), *words[1:]]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_commands_in_processes_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / "new").mkdir()
    old, new = shelf.fill(tmp_path / "old", (shelf.danube,)), shelf.fill(tmp_path / "new", ())
    file = tmp_path / "danube.json"
    done = run_alone(old, "export", "danube", "--as", "json", "-o", str(file))
    assert done.returncode == 0, done.stderr
    done = run_alone(new, "import", str(file))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("danube: ")
    again = run_alone(new, "import", str(file))
    assert again.returncode == 1
    assert "danube" in again.stderr


def test_the_commands(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / "new").mkdir()
    old, new = shelf.fill(tmp_path / "old", (shelf.danube, shelf.tatry)), shelf.fill(tmp_path / "new", ())
    for name, form in (("danube", "json"), ("tatry", "saved-game")):
        file = tmp_path / f"{name}.json"
        done = run(old, "export", name, "--as", form, "-o", str(file))
        assert done.exit_code == 0, done.stderr
        done = run(new, "import", str(file))
        assert done.exit_code == 0, done.stderr
        assert done.stdout.startswith(f"{name}: ")
    text = run(old, "export", "danube", "--as", "text", "--language", "cs")
    assert text.stdout.startswith("DANUBE: A game on the <river>")
    assert run(old, "export", "danube", "--as", "text", "--language", "xx").exit_code == 1
    done = run(new, "import", "--master", "gm@example.org", *(str(LETTERS / name) for name in NJUDGE))
    assert done.exit_code == 0, done.stderr
    assert done.stdout.startswith("meadow: 5 phases, 0 messages, now F1902M, paused\n")
    again = run(new, "import", str(tmp_path / "danube.json"))
    assert again.exit_code == 1
    assert "danube" in again.stderr
