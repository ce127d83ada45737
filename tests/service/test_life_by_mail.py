"""The life of a long game with real mails: every command answered, in the player's language."""

import re
from datetime import timedelta
from pathlib import Path

import pytest

from tests.support.circle import MASTER, POWERS, Circle, address_of, copy_of, gather
from tests.support.table import read_letter


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> tuple[Circle, Path]:
    folder = tmp_path_factory.mktemp("life")
    circle = gather(folder, "draws listed misses 0")
    return circle, folder


@pytest.fixture
def circle(begun: tuple[Circle, Path], tmp_path: Path) -> Circle:
    return copy_of(*begun, tmp_path / "copy")


def test_check_reads_and_answers_and_files_nothing(circle: Circle) -> None:
    letter = circle.answer("FRANCE", "CHECK\nA Par - Bur\nF Bre - Par\nSET WAIT\nRESIGN")
    assert "would be filed" in letter.text
    assert "NOT FILED" in letter.text
    assert "A Par  no order" in letter.text
    assert len(circle.write("FRANCE", "CHECK\nPRESS TO GERMANY\nhi\nENDPRESS")) == 1
    assert "receipt" not in circle.answer("FRANCE", "RECEIPTS").text


def test_preview_shows_my_orders_against_guesses_and_nothing_of_others(circle: Circle) -> None:
    circle.write("GERMANY", "A Mun - Bur")
    circle.write("FRANCE", "A Par - Bur")
    alone = circle.answer("FRANCE", "PREVIEW").text
    assert "A Par - Bur  moved" in alone
    assert "A Mun - Bur" not in alone
    guessed = circle.answer("FRANCE", "PREVIEW\nA Mun - Bur\nA Mar S A Par - Bur").text
    assert "A Mun - Bur" in guessed
    assert "2 against 1" in guessed
    assert "A Mar  no order" in circle.answer("FRANCE", "STATUS").text


def test_a_receipt_is_printed_and_shown_again(circle: Circle) -> None:
    letter = circle.answer("FRANCE", "A Par - Bur\nA Par - Pic\nA Mar H")
    (receipt,) = re.findall(r"receipt (\d+-[0-9A-Z]{5})", letter.text)
    circle.write("FRANCE", "F Bre H")
    shown = circle.answer("FRANCE", "RECEIPTS").text
    assert shown.count("receipt") == 3  # the two mails, and what is in force
    assert receipt in shown
    assert "A Par - Pic" in shown
    assert "A Par - Bur" not in shown
    assert receipt not in circle.answer("GERMANY", "RECEIPTS\nHISTORY\nLOG").text


def test_what_waits_stands_at_the_head_of_each_answer_to_the_master(circle: Circle) -> None:
    circle.write("MASTER", "SET GRACE 12h")
    circle.write("ITALY", "ABSENCE 1.2. TO 28.2.")
    letter = circle.answer("MASTER", "STATUS")
    assert letter.text.startswith("WAITING FOR YOU")
    assert "SET GRACE 12h" in letter.text
    assert "ALLOW ABSENCE 1" in letter.text
    assert "WAITING" not in circle.answer("ITALY", "STATUS").text


def test_orders_ahead_with_conditions(circle: Circle) -> None:
    text = "A Par - Bur\nPHASE F1901M\nIF A BUR\nA Bur - Bel\nELSE\nA Par - Pic\nENDIF\nA Mar - Spa\n"
    letter = circle.answer("FRANCE", text)
    assert "kept for Fall 1901: A Bur - Bel" in letter.text
    assert "Par - Bur" in circle.answer("FRANCE", "STATUS").text
    circle.table.wait(timedelta(days=3))
    (read,) = [each for each in circle.table.new() if "taken up" in each.subject]
    assert read.to == address_of("FRANCE")
    status = circle.answer("FRANCE", "STATUS").text
    assert "A Bur - Bel" in status
    assert "A Mar - Spa" in status
    assert "A Par - Pic" not in status


def test_an_unreadable_condition_and_a_stray_else_are_told(circle: Circle) -> None:
    letter = circle.answer("FRANCE", "ELSE\nPHASE F1901M\nIF A XYZ\nPHASE S1900M\nA Par H")
    assert letter.text.count("NOT DONE") == 4


def test_rollback_by_mail(circle: Circle) -> None:
    circle.write("FRANCE", "A Par - Bur")
    circle.table.wait(timedelta(days=3))
    circle.table.new()
    letters = circle.command("ROLLBACK S1901M")
    told = {letter.to for letter in letters}
    assert {address_of(power) for power in POWERS} <= told
    assert "A Par  no order" in circle.answer("FRANCE", "STATUS").text
    circle.command("ROLLFORWARD")
    assert "A Bur" in circle.answer("FRANCE", "STATUS").text
    log = circle.answer("FRANCE", "LOG").text
    assert "Spring 1901" in log or "S1901M" in log


def test_become_acts_for_a_power_and_tells_its_player(circle: Circle) -> None:
    letters = circle.write("MASTER", "BECOME FRANCE\nA Par - Bur\nDRAW FRANCE ITALY\nNEW ADDRESS")
    own = next(letter for letter in letters if letter.to == MASTER)
    assert own.text.count("NOT DONE") == 2
    assert any(letter.to == address_of("FRANCE") for letter in letters)
    assert "A Par - Bur" in circle.answer("FRANCE", "STATUS").text


def test_several_commands_in_one_mail_are_confirmed_together(circle: Circle) -> None:
    letters = circle.write("MASTER", "SET GRACE 12h\nEJECT ITALY because silent\nPAUSE")
    (asked,) = [letter for letter in letters if "Confirm" in letter.subject]
    assert all(line in asked.text for line in ("SET GRACE 12h", "EJECT ITALY because silent", "PAUSE"))
    circle.confirm(letters, "MASTER")
    settings = circle.answer("FRANCE", "SETTINGS\nSTATUS").text
    assert "grace 12h" in settings
    assert "paused" in settings
    assert "Italy     open" in settings or "Italy    open" in settings


def test_a_draw_is_voted_and_everybody_gets_the_end_with_the_whole_game(circle: Circle) -> None:
    circle.table.wait(timedelta(days=3))
    circle.table.new()
    letters = []
    for power in POWERS:
        letters = circle.write(power, "SET DRAW FRANCE TURKEY")
    ended = [letter for letter in letters if "ends in a draw" in letter.subject]
    assert {letter.to for letter in ended} == {*map(address_of, POWERS), MASTER}
    assert "Shared by: France and Turkey" in ended[0].text
    assert "CENTRES BY YEAR" in ended[0].text
    assert "22 Jan" in circle.answer("FRANCE", "STATEMENT\nA fine game.\nThank you.\nENDPRESS").text
    circle.table.wait(timedelta(days=15))
    words = [letter for letter in circle.table.new() if "A fine game." in letter.text]
    assert {letter.to for letter in words} == {*map(address_of, POWERS), MASTER}


def test_an_open_seat_is_offered_by_mail(circle: Circle) -> None:
    circle.join("nora@spare.example", "STANDBY danube")
    letters = circle.confirm(circle.write("ITALY", "RESIGN"), "ITALY")
    (offer,) = [letter for letter in letters if letter.to == "nora@spare.example"]
    assert "Italy" in offer.text
    taken = circle.write("nora@spare.example", "SIGNON danube ITALY")
    assert any("Italy" in letter.text and letter.to == "nora@spare.example" for letter in taken)
    assert "A Rom" in circle.answer("nora@spare.example", "STATUS").text


def test_a_second_seat_for_the_same_mailbox_is_refused(circle: Circle) -> None:
    circle.confirm(circle.write("ITALY", "RESIGN"), "ITALY")
    letters = circle.join("france+italy@players.example", "SIGNON danube ITALY")
    assert any("NOT DONE" in letter.text for letter in letters)
    assert all("A Rom" not in letter.text for letter in letters)


def test_the_keeper_bars_an_address_and_appoints_a_master(circle: Circle) -> None:
    keeper = "keeper@judge.example"
    circle.join(keeper, "KEEPER BAN evil.example")
    refused = circle.write("eve@mail.evil.example", "CREATE elbe")
    assert "NOT DONE" in refused[0].text
    assert "NOT DONE" in circle.write("FRANCE", "KEEPER BAN players.example")[0].text
    circle.join("olga@spare.example", "OBSERVE danube")
    letters = circle.join(keeper, "KEEPER MASTER danube olga@spare.example")
    assert any(letter.to == "olga@spare.example" for letter in letters)
    assert any(letter.to == MASTER for letter in letters)


def test_a_new_address_is_proven_before_it_counts(circle: Circle) -> None:
    letters = circle.write("FRANCE", "SET ADDRESS marie@elsewhere.example")
    (code,) = [letter for letter in letters if letter.to == "marie@elsewhere.example"]
    circle.confirm([code], "marie@elsewhere.example")
    circle.table.wait(timedelta(days=3))
    told = {letter.to for letter in circle.table.new()}
    assert "marie@elsewhere.example" in told
    assert address_of("FRANCE") not in told


def test_own_data_can_be_seen_and_erased(circle: Circle) -> None:
    data = circle.answer("FRANCE", "EXPORT MY DATA\nMY GAMES").text
    assert address_of("FRANCE") in data
    assert "danube" in data
    circle.confirm(circle.write("FRANCE", "ERASE ME"), "FRANCE")
    circle.table.wait(timedelta(days=3))
    letters = circle.table.new()
    assert address_of("FRANCE") not in {letter.to for letter in letters}
    assert not any(address_of("FRANCE") in letter.text for letter in letters)


def test_looking_without_a_seat(circle: Circle) -> None:
    letter = circle.table.mail("curious@world.example", "judge@judge.example", "SUMMARY danube\nWHO danube\nLIST")[0]
    assert "CENTRES BY YEAR" in letter.text
    assert "@players.example" not in letter.text
    refused = circle.table.mail("curious@world.example", "judge@judge.example", "HISTORY danube")[0]
    assert "NOT DONE" in refused.text


OLD_HABITS = [
    ("SIGNON Fdanube secret", "A Par"),
    ("SIGNON f@danube secret\nSIGNOFF", "A Par"),
    ("SET WAIT\nSIGNOFF", "waits for its deadline"),
    ("SET NOWAIT", "may close early"),
    ("BROADCAST\nhello\nENDBROADCAST", "sent to everybody"),
    ("PRESS GREY TO G\nhello\nENDPRESS", "NOT DONE"),
    ("PRESS TO ALL BUT G\nhello\nENDPRESS", "sent to"),
    ("SET NO DRAW", "NOT DONE"),
    ("SET ABSENCE Dec 24 TO Jan 2", "Thu 24 Dec"),
    ("WHO GAME danube", "Italy"),
    ("GET DEADLINES", ""),
    ("MAP danube", "NOT DONE"),
    ("WHOIS bob", "NOT DONE"),
    ("SET PASSWORD abc", "NOT DONE"),
    ("I AM ALSO other@mail.example", "code"),
]


@pytest.mark.parametrize(("text", "found"), OLD_HABITS, ids=[text.split("\n")[0] for text, _ in OLD_HABITS])
def test_old_habits_are_understood_or_told_what_to_use(circle: Circle, text: str, found: str) -> None:
    letter = circle.answer("FRANCE", text)
    assert found in letter.text
    assert "neither an order nor a command" not in letter.text


LANGUAGES: dict[str, list[str]] = {
    "cs": ["Stav", "Přehled", "Kdo hraje", "Moje hry", "Dovolená 24.12. až 2.1.", "Remíza Francie Turecko", "Náhled"],
    "hu": ["Állapot", "Áttekintés", "Ki játszik", "Játszmáim", "Szabadság dec 24 ig jan 2", "Döntetlen Franciaország", "Előnézet"],
    "ru": ["Состояние", "Сводка", "Кто играет", "Мои партии", "Отпуск 24.12. по 2.1.", "Ничья Франция Турция", "Просмотр"],
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_commands_in_the_players_own_language(circle: Circle, language: str) -> None:
    circle.write("FRANCE", "SET LANGUAGE " + language)
    letter = circle.answer("FRANCE", "\n".join(LANGUAGES[language]))
    refused = {"cs": "NEPROVEDENO", "hu": "NEM TÖRTÉNT MEG", "ru": "НЕ ВЫПОЛНЕНО"}[language]
    assert refused not in letter.text
    assert "NOT DONE" not in letter.text
    assert "see below" not in letter.text


@pytest.mark.parametrize(
    "line",
    [
        "SET DEADLINE Tue 20:00",
        "SET DEADLINE +48h",
        "SET DEADLINE 2026-12-24 18:00 Europe/Prague",
        "SET DEADLINE 24.2. 18:00",
        "EXTEND 24",
    ],
)
def test_deadlines_as_words_people_use(circle: Circle, line: str) -> None:
    letters = circle.command(line)
    assert len([letter for letter in letters if letter.to == address_of("FRANCE")]) == 1


def test_a_grace_for_once_is_told_to_all_and_stands_in_the_letter_about_lateness(circle: Circle) -> None:
    letters = circle.command("SET GRACE Sat 18:00 because of the fair")
    (told,) = [letter for letter in letters if letter.to == address_of("FRANCE")]
    assert "until Sat 10 Jan 18:00 (UTC). Reason: the fair" in " ".join(told.text.split())
    circle.table.wait(timedelta(days=3))
    late = next(letter for letter in circle.table.new() if letter.to == address_of("FRANCE"))
    assert "Sat 10 Jan 18:00" in late.text
    status = " ".join(circle.answer("FRANCE", "STATUS").text.split())
    assert "Spring 1901: the deadline has passed; the phase closes by Sat 10 Jan 18:00 (UTC)." in status
    refused = circle.answer("MASTER", "SET GRACE Jan 7\nSET DEADLINE 4.1.")
    assert refused.text.count("NOT DONE") == 2
    assert "2027" in refused.text


def test_the_master_sees_who_is_due_incomplete_in_late_and_gone(circle: Circle) -> None:
    circle.command("SET NMR wait")
    circle.command("SET GRACE 12h")
    circle.write("FRANCE", "A Par - Bur")
    circle.write("ITALY", "A Rom H\nA Ven H\nF Nap H")
    rows = circle.answer("MASTER", "STATUS").text
    assert [word in rows for word in ("France  orders incomplete", "Italy  orders in", "Turkey  NO ORDERS")] == [True] * 3
    circle.table.wait(timedelta(days=3))
    circle.learn(circle.table.new())
    rows = circle.answer("MASTER", "STATUS").text
    assert [word in rows for word in ("France  LATE", "Italy  orders in", "Turkey  LATE")] == [True] * 3
    assert "LATE" not in circle.answer("ITALY", "STATUS").text
    circle.table.wait(timedelta(hours=13))
    circle.learn(circle.table.new())
    assert "Turkey, abandoned, can be taken over" in " ".join(circle.answer("ITALY", "WHO").text.split())
    assert "Turkey  LATE  abandoned" in circle.answer("MASTER", "STATUS").text
    circle.command("CIVIL DISORDER TURKEY")
    assert "civil disorder" in circle.answer("ITALY", "STATUS").text


def test_a_game_that_waits_for_orders_says_so_in_answers(circle: Circle) -> None:
    circle.command("SET NMR wait")
    circle.table.wait(timedelta(days=3))
    circle.learn(circle.table.new())
    status = " ".join(circle.answer("FRANCE", "STATUS").text.split())
    assert "Spring 1901: the deadline passed Thu 8 Jan 12:00 (UTC); the game waits." in status


@pytest.mark.parametrize("text", ["SIGNON", "SIGNON danube", "GAME danube", "danube:"])
def test_a_game_named_and_nothing_asked_is_answered_with_the_seat(circle: Circle, text: str) -> None:
    letter = circle.answer("FRANCE", text)
    assert "you have a seat here already: France" in " ".join(letter.text.split())
    assert "A Mar  no order" in letter.text


def test_a_second_seat_asked_for_is_refused_and_the_orders_below_it_still_count(circle: Circle) -> None:
    letter = circle.answer("FRANCE", "SIGNON danube GERMANY\nA Par - Bur")
    assert "NOT DONE: you have a seat in this game already" in " ".join(letter.text.split())
    assert "A Par - Bur filed" in " ".join(letter.text.split())


def test_a_pause_tells_its_reason(circle: Circle) -> None:
    letters = circle.command("PAUSE because of the fair")
    assert "Reason: the fair" in next(letter.text for letter in letters if letter.to == address_of("FRANCE"))
    assert "the fair" in circle.answer("FRANCE", "LOG").text


def test_a_setting_is_answered_by_who_may_set_it(circle: Circle) -> None:
    told = " ".join(circle.answer("FRANCE", "SET foo bar\nSET langage cs\nSET NMR wait\nSET GRACE Sun 20:00").text.split())
    assert "no setting called “foo”. What you can set: language" in told
    assert "Did you mean language?" in told
    assert told.count("only the master of this game sets this") == 2


def test_gunboat_letters_name_nobody(tmp_path: Path) -> None:
    """Not by names, addresses, languages, ids of threads, votes or errors, in anything a player or an observer gets."""
    circle = gather(tmp_path, "gunboat press grey nmr wait votes open")
    circle.join("nora@spare.example", "STANDBY danube")
    names = {power: f"Zorro{power.title()}son" for power in POWERS}
    for power, name in names.items():
        circle.write(power, f"SET NAME {name}\nSET LANGUAGE {'cs' if power == 'ITALY' else 'en'}")
    circle.write("FRANCE", "BROADCAST\nwho am I\nENDBROADCAST\nABSENCE 24 Dec\nDRAW\nDIARY RECORD\nstab them\nENDNOTE")
    told = circle.answer("FRANCE", f"PRESS TO ITALY\nI am {names['FRANCE']}\nENDPRESS")
    assert "NOT DONE" in told.text
    for power in ("ITALY", "GERMANY"):
        circle.write(power, "SUMMARY\nHISTORY\nLOG\nWHO\nSTATUS\nSETTINGS\nRECEIPTS\nEJECT FRANCE\nPRESS TO NOBODY\nx")
    circle.write("nora@spare.example", "SUMMARY\nHISTORY\nLOG\nWHO\nSTATUS")
    circle.confirm(circle.write("TURKEY", "RESIGN"), "TURKEY")
    circle.write("nora@spare.example", "SIGNON danube TURKEY")
    circle.table.wait(timedelta(days=4))
    for _, to, raw in circle.table.sink.sent:
        if to == MASTER:
            continue
        letter = read_letter(to, raw)
        said = f"{letter.text}{letter.html}{letter.subject}{raw.decode('utf-8', 'replace')}"
        for power in POWERS:
            if address_of(power) != to:
                assert address_of(power) not in said, (to, power, letter.subject)
                assert names[power] not in said, (to, power, letter.subject)
        assert to == "nora@spare.example" or "nora@" not in said
        if to != address_of("FRANCE"):
            assert "stab them" not in said


def test_every_command_of_the_table_can_be_written(circle: Circle) -> None:
    """The parser, the table of commands and the words files are one table."""
    from judge.game import COMMANDS
    from judge.language.commands import OPENERS, READERS
    from judge.language.commandwords import OLD

    words = {name for name, _ in circle.table.s.words.spellings.values() if not name.startswith(OLD)}
    assert words == set(READERS) | OPENERS
    known = words | {"orders", "vote", "setting"}
    assert {rule.word for rule in COMMANDS.values()} <= known


def test_every_handler_stands_for_a_command() -> None:
    from judge.game import COMMANDS, FileOrders
    from judge.game.play import HANDLERS

    inside = {kind for kind, rule in COMMANDS.items() if rule.in_game} | {kind for kind in HANDLERS if not COMMANDS[kind].in_game}
    assert inside == set(HANDLERS) | {FileOrders}


def test_one_letter_a_day_for_those_who_wish_it(circle: Circle) -> None:
    circle.write("GERMANY", "SET DIGEST ON")
    assert not [each for each in circle.write("FRANCE", "PRESS TO GERMANY\nhello there\nENDPRESS") if each.to == address_of("GERMANY")]
    assert [each for each in circle.write("FRANCE", "PRESS TO ITALY\nhello you\nENDPRESS") if each.to == address_of("ITALY")]
    circle.command("SET GRACE 12h")
    circle.table.wait(timedelta(hours=25))
    (letter,) = [each for each in circle.table.new() if each.to == address_of("GERMANY") and "Today" in each.subject]
    assert "hello there" in letter.text
    assert "hello you" not in letter.text
    assert "12h" in letter.text
    circle.table.wait(timedelta(hours=25))
    assert not [each for each in circle.table.new() if "Today" in each.subject]
    circle.write("GERMANY", "SET DIGEST OFF")
    assert [each for each in circle.write("FRANCE", "PRESS TO GERMANY\nagain\nENDPRESS") if each.to == address_of("GERMANY")]


def test_who_falls_into_civil_disorder_is_told_before_all_others(circle: Circle) -> None:
    circle.command("SET NMR civil")
    for power in POWERS[1:]:
        circle.write(power, "CHECK")
    circle.table.wait(timedelta(days=3))
    subjects = [letter.subject for letter in circle.table.new()]
    assert all("civil disorder" in subject for subject in subjects[:7])
    assert "resolved" in subjects[7]


def test_a_moved_deadline_tells_the_masters_reason(circle: Circle) -> None:
    letters = circle.command("EXTEND 48 because of the holidays")
    (letter,) = [each for each in letters if each.to == address_of("FRANCE")]
    assert "Reason: the holidays" in letter.text
    assert ", the holidays)" in circle.answer("FRANCE", "LOG").text


def test_what_cannot_be_done_is_refused_before_a_code_is_sent(circle: Circle) -> None:
    letters = circle.write("MASTER", "SET GRACE Jan 6\nEJECT nobody@players.example\nROLLBACK F1905M\nRESUME\nPROCESS F1902M")
    (letter,) = letters
    assert letter.text.count("NOT DONE") == 5
    assert "code" not in letter.subject


def test_commands_of_one_mail_may_need_each_other(circle: Circle) -> None:
    letters = circle.write("MASTER", "UNSTART\nSET GUNBOAT yes\nSTART GAME\nPAUSE\nRESUME")
    assert not any("NOT DONE" in letter.text for letter in letters)
    circle.confirm(letters, "MASTER")
    assert "gunboat yes" in " ".join(circle.answer("FRANCE", "SETTINGS").text.lower().split())
