"""What a letter must not say: orders of others, who plays what in gunboat, secret addresses, who is late."""

import re
from dataclasses import replace

import pytest

from judge.game import Audience, GameBegan, OrdersMissing, PressArrived, ReminderDue, Status
from judge.mail import Letter
from judge.report import SecretPostage, phase_pass
from tests.support.golden_game import (
    NOW,
    OWN,
    autumn_game,
    closed,
    fresh_game,
    golden_letters,
    on_file,
    people,
    scribe,
    variant,
)

SECRET = re.compile(r"judge\+danube\.[a-z0-9]{6,24}@")


def whole(letter: Letter) -> str:
    return "\n".join([letter.subject, letter.text, letter.html or "", *(each.text for each in letter.attachments)])


def test_the_secret_reply_address_stands_in_reply_to_and_nowhere_else() -> None:
    for reader, letter in enumerate(scribe().letters(fresh_game(), GameBegan(), people(), variant(), NOW), 1):
        assert SECRET.search(letter.reply_to), reader
        assert letter.reply_to not in whole(letter).replace("%2B", "+")
        assert letter.from_address == "judge+danube@chancery.example"


def test_every_seat_has_a_reply_address_of_its_own() -> None:
    letters = scribe().letters(fresh_game(), GameBegan(), people(), variant(), NOW)
    assert len({letter.reply_to for letter in letters}) == 8
    assert len({letter.message_id for letter in letters}) == 8
    assert len({letter.envelope_from for letter in letters}) == 8


def test_a_new_epoch_gives_a_new_reply_address() -> None:
    game = fresh_game()
    again = replace(game, seats=tuple(replace(seat, epoch=2) for seat in game.seats))
    first, second = (scribe().letters(each, GameBegan(), people(), variant(), NOW)[0].reply_to for each in (game, again))
    assert first != second


def test_the_order_sheet_link_carries_a_pass_of_the_phase() -> None:
    after, notice = closed(fresh_game())
    letter = scribe().letters(after, notice, people(), variant(), NOW)[2]
    links = re.findall(r'href="(mailto:[^"]+)"', letter.html or "")
    assert len(links) == 1
    assert phase_pass(b"key", after, "FRANCE") in links[0]
    assert phase_pass(b"key", after, "FRANCE") != phase_pass(b"key", fresh_game(), "FRANCE") != phase_pass(b"key", fresh_game(), "ITALY")
    assert len(links[0]) < 1900
    assert "%5Bdanube%20F1901M%5D" in links[0]


def test_orders_on_file_are_seen_only_by_their_power() -> None:
    game = replace(fresh_game(), orders=on_file({"GERMANY": ("A MUN - RUH",), "FRANCE": ("A PAR - PIC",)}))
    for notice in (GameBegan(), OrdersMissing(("ITALY",)), PressArrived(Audience(players=True), "ITALY", (), "Hi", 1)):
        for letter in scribe().letters(game, notice, people(), variant(), NOW):
            if letter.to != "player4@example.org":
                assert "Ruh" not in whole(letter)
            if letter.to != "player3@example.org":
                assert "A Par - Pic" not in whole(letter)


def test_gunboat_names_nobody() -> None:
    game = fresh_game(settings=replace(fresh_game().settings, gunboat=True))
    names = {number: person.name for number, person in people().items()}
    for letter in scribe().letters(game, GameBegan(), people(), variant(), NOW):
        reader = next(number for number, person in people().items() if person.address == letter.to)
        seen = {number for number, name in names.items() if name in letter.text}
        assert seen <= ({reader, 90} if reader != 90 else set(names))


def test_who_is_late_is_told_to_masters_and_to_the_late_alone() -> None:
    letters = scribe().letters(fresh_game(), OrdersMissing(("ITALY",)), people(), variant(), NOW)
    for letter in letters:
        told = "Italy" in letter.text or "ITALY" in letter.text
        assert told == (letter.to in ("gm@example.org", "player5@example.org")), letter.to


def test_reminders_go_to_those_who_owe_orders() -> None:
    notice = ReminderDue(Audience(seats=("RUSSIA", "ITALY")), fresh_game().deadline.at - NOW)  # type: ignore[union-attr]
    assert [letter.to for letter in scribe().letters(autumn_game(), notice, people(), variant(), NOW)] == [
        "player6@example.org",
        "player5@example.org",
    ]


def test_people_without_an_address_get_no_letter() -> None:
    known = people()
    known[2] = replace(known[2], address="")
    assert len(scribe().letters(fresh_game(), GameBegan(), known, variant(), NOW)) == 7


def test_a_hidden_sender_leaves_no_trace() -> None:
    letter = golden_letters()["press-hidden"]("en")
    assert "Germany" not in whole(letter)
    assert "player4" not in str(letter.to_dict())


@pytest.mark.parametrize("plus", [True, False])
def test_without_plus_addresses_the_secret_travels_in_the_message_id(plus: bool) -> None:
    from judge.report import Occasion

    stamp = SecretPostage(replace(OWN, plus=plus), b"key").stamp(Occasion(fresh_game(), "FRANCE", "t1"))
    assert bool(SECRET.search(stamp.reply_to)) is plus
    assert (stamp.message_id.count(".") > 4) is not plus
    assert stamp.references == ("danube.0.FRANCE.start@chancery.example",)


def test_no_tag_of_a_phase_before_and_after_the_game() -> None:
    for status in (Status.FORMING, Status.FINISHED):
        game = fresh_game(status=status, deadline=None)
        notice = PressArrived(Audience(seats=("FRANCE",)), "ITALY", (), "Hi", 1)
        assert scribe().letters(game, notice, people(), variant(), NOW)[0].subject.startswith("[danube] ")
