"""Seats: private games, approval, preference lists, the roll call, standing by, hand-over, one person one seat."""

import itertools
from dataclasses import replace
from datetime import timedelta

import pytest

from judge.game import (
    AlreadySeated,
    AnswerRoll,
    Approve,
    CastVote,
    DeclineOffer,
    Eject,
    GameBegan,
    HandOver,
    HasBegun,
    News,
    NoSeatFree,
    NotApproved,
    Observe,
    Offer,
    Promote,
    ReminderDue,
    Resign,
    Seat,
    SeatKind,
    SignOn,
    StartGame,
    TakeMaster,
    Transition,
    Unstart,
    VoteKind,
    WrongInvitation,
    match_powers,
    reader_at,
    view_for,
)
from judge.game.standby import withdraw_eliminated
from tests.support.life import ALL_POWERS, Life, at, life, watch

P = {power: 101 + n for n, power in enumerate(ALL_POWERS)}


def status(game: Life) -> str:
    return game.game.status.value


def seated(game: Life) -> dict[str, int | None]:
    return {seat.key: seat.person for seat in game.game.seats}


def test_a_private_game_wants_its_word() -> None:
    game = life(begun=False, invitation="Hawthorn")
    with pytest.raises(WrongInvitation):
        game.join(7, SignOn("danube", "FRANCE"))
    game.join(7, SignOn("danube", "FRANCE", word="hawthorn"))
    assert seated(game)["FRANCE"] == 7
    assert view_for(game.game, reader_at(game.game, "FRANCE"), game.variant).settings.invitation == ""
    assert view_for(game.game, reader_at(game.game, "MASTER"), game.variant).settings.invitation == "Hawthorn"


def test_an_approval_game_begins_when_all_are_approved() -> None:
    game = life(begun=False, approval="yes")
    for power, person in P.items():
        game.join(person, SignOn("danube", power))
    assert status(game) == "forming"
    for power in ALL_POWERS[:-1]:
        game.do("MASTER", Approve(power))
    assert status(game) == "forming"
    game.do("MASTER", Approve("TURKEY", False))
    assert seated(game)["TURKEY"] is None
    game.join(77, SignOn("danube", "TURKEY"))
    game.do("MASTER", Approve("TURKEY"))
    assert status(game) == "running"


def test_a_newcomer_without_approval_cannot_order() -> None:
    game = life(approval="yes", begun=False)
    for power, person in P.items():
        game.join(person, SignOn("danube", power))
        game.do("MASTER", Approve(power))
    game.do("ITALY", Resign())
    game.join(77, SignOn("danube", "ITALY"))
    with pytest.raises(NotApproved):
        game.order("ITALY", "A ROM H")
    game.do("MASTER", Approve("ITALY"))
    game.order("ITALY", "A ROM H")


def test_powers_by_preference_make_everybody_together_as_content_as_can_be() -> None:
    powers = ("A", "E", "F")
    wishes = [(("A",), ("E",)), (("A",), ("F",)), (("A", "E", "F"),)]
    best = max(sum(_weight(wishes[n], power) for n, power in enumerate(given)) for given in itertools.permutations(powers))
    given = match_powers(powers, wishes, lambda _n: 0)
    assert sorted(given) == sorted(powers)
    assert sum(_weight(wishes[n], power) for n, power in enumerate(given)) == best


def _weight(groups: tuple[tuple[str, ...], ...], power: str) -> int:
    rank = 0
    for group in groups:
        if power in group:
            return 3 - rank
        rank += len(group)
    return 0


def test_a_preference_game_gives_powers_when_it_begins() -> None:
    game = life(begun=False, assignment="preference")
    wished = dict(zip(range(1, 8), ("TURKEY", "RUSSIA", "ITALY", "GERMANY", "FRANCE", "ENGLAND", "AUSTRIA"), strict=True))
    for person, power in wished.items():
        game.join(person + 10, SignOn("danube", wishes=((power,),)))
    assert seated(game) == {power: person + 10 for person, power in wished.items()}
    assert any(isinstance(n, GameBegan) for n in game.new())


def test_a_changed_power_has_a_new_secret_address() -> None:
    game = life(begun=False, assignment="preference")
    game.join(11, SignOn("danube", wishes=(("TURKEY",),)))
    provisional = game.game.seats[0]
    for person in range(12, 18):
        game.join(person, SignOn("danube"))
    assert provisional.key == "AUSTRIA"
    now = game.game.seat("AUSTRIA")
    assert now is not None
    assert now.epoch != provisional.epoch


def test_the_roll_call_replaces_who_does_not_answer() -> None:
    game = life(begun=False, rollcall="yes")
    for power, person in P.items():
        game.join(person, SignOn("danube", power))
    assert status(game) == "forming"
    assert ("roll_call", ALL_POWERS) in game.news()
    for power in ALL_POWERS[:-1]:
        game.do(power, AnswerRoll())
    game.wait(timedelta(days=3))
    assert status(game) == "forming"
    assert seated(game)["TURKEY"] is None
    assert ("roll_missed", ("107",)) in game.news()
    game.join(77, SignOn("danube", "TURKEY"))
    game.do("TURKEY", AnswerRoll())
    assert status(game) == "running"


def test_an_open_seat_is_offered_to_those_who_stand_by_in_their_order() -> None:
    game = life()
    one, two = watch(game, 50, SeatKind.STANDBY), watch(game, 51, SeatKind.STANDBY)
    game.new()
    game.do("ITALY", Resign())
    assert ("offer", (one,)) in game.news()
    with pytest.raises(NoSeatFree):
        game.join(60, SignOn("danube", "ITALY"))
    game.wait(timedelta(hours=24))
    assert dict(game.news())["offer"] == (two,)
    game.join(51, SignOn("danube"))
    assert seated(game)["ITALY"] == 51
    assert not game.game.offers
    assert [seat.key for seat in game.game.observers] == [one]


def test_an_offer_declined_goes_on_at_once() -> None:
    game = life()
    one, two = watch(game, 50, SeatKind.STANDBY), watch(game, 51, SeatKind.STANDBY)
    game.do("ITALY", Resign())
    game.do(one, DeclineOffer())
    assert [offer.seat for offer in game.game.offers] == [two]


def test_an_offer_let_go_by_is_not_made_again_and_the_seat_is_free_for_all() -> None:
    game = life(misses="0")
    one = watch(game, 50, SeatKind.STANDBY)
    game.do("ITALY", Resign())
    game.wait(timedelta(days=9))
    assert not game.game.offers
    assert [event.who for event in game.events if event.what == "offered"] == [one]
    game.join(60, SignOn("danube", "ITALY"))
    game.do("ITALY", Resign())
    assert [offer.seat for offer in game.game.offers] == [one]


def test_one_person_one_seat() -> None:
    game = life()
    with pytest.raises(AlreadySeated):
        game.join(P["FRANCE"], Observe("danube"))
    game.do("ITALY", Resign())
    with pytest.raises(AlreadySeated):
        game.join(P["FRANCE"], SignOn("danube", "ITALY"))
    with pytest.raises(AlreadySeated):
        game.join(1, SignOn("danube", "ITALY"))


def test_a_newcomer_has_time_and_all_learn_it() -> None:
    game = life(movement="48h", misses="0")
    game.wait(timedelta(hours=40))
    game.do("ITALY", Resign())
    game.join(77, SignOn("danube", "ITALY"))
    assert game.game.deadline is not None
    assert (game.game.deadline.at, game.game.deadline.why) == (at("2026-01-08 04:00"), "newcomer")


def test_ejecting_drops_the_orders_and_tells_the_person() -> None:
    game = life()
    game.order("FRANCE", "A PAR - BUR")
    game.do("MASTER", Eject("FRANCE", "silent for weeks"))
    assert "FRANCE" not in game.game.orders
    assert ("ejected", ("103",)) in game.news()
    assert [(s.power, s.person, s.why) for s in game.game.stints if s.until is not None] == [("FRANCE", 103, "ejected")]


def test_several_masters_hand_over_and_take_over() -> None:
    game = life()
    seat = watch(game, 50)
    game.do("MASTER", Promote(seat))
    assert [s.key for s in game.game.masters] == ["MASTER", "MASTER-2"]
    other = watch(game, 51)
    game.do("MASTER", HandOver(other))
    assert sorted(s.person for s in game.game.masters if s.person) == [50, 51]
    lone = life(misses="0")
    lone.wait(timedelta(days=15))
    watcher = watch(lone, 60)
    for power in ALL_POWERS[:4]:
        lone.do(power, CastVote(VoteKind.MASTER))
    lone.do(watcher, TakeMaster())
    assert [s.person for s in lone.game.masters] == [60]


def test_unstart_and_forced_start() -> None:
    game = life()
    game.do("MASTER", Unstart())
    assert status(game) == "forming"
    game.do("ITALY", Resign())
    game.do("MASTER", StartGame())
    assert status(game) == "running"
    game.wait(timedelta(days=3))
    with pytest.raises(HasBegun):
        game.do("MASTER", Unstart())


def test_a_game_may_begin_only_on_the_masters_word() -> None:
    game = life(begun=False, start="manual")
    for power, person in P.items():
        game.join(person, SignOn("danube", power))
    assert status(game) == "forming"
    game.do("MASTER", StartGame())
    assert status(game) == "running"


def test_who_takes_over_is_not_reminded_at_once() -> None:
    game = life(newcomer="24h")
    game.wait(timedelta(hours=71))
    game.do("ITALY", Resign())
    game.new()
    game.join(900, SignOn("danube", "ITALY"))
    game.wait(timedelta(hours=1))
    assert not [each for each in game.new() if isinstance(each, ReminderDue)]
    game.wait(timedelta(hours=18))
    assert [each for each in game.new() if isinstance(each, ReminderDue)]


def test_a_seat_of_an_eliminated_power_is_offered_no_longer() -> None:
    game = life()
    seat = Seat("OBSERVER-1", 50, kind=SeatKind.STANDBY, called=True)
    gone = replace(
        game.game.position,
        units={power: units for power, units in game.game.position.units.items() if power != "ITALY"},
        owners={place: power for place, power in game.game.position.owners.items() if power != "ITALY"},
    )
    offered = replace(game.game, observers=(seat,), offers=(Offer("ITALY", seat.key, game.now + timedelta(days=1)),))
    assert withdraw_eliminated(Transition(offered)).game is offered
    done = withdraw_eliminated(Transition(replace(offered, position=gone)))
    assert (done.game.offers, done.game.observers) == ((), ())
    (news,) = done.notices
    assert isinstance(news, News)
    assert (news.code, news.audience.people) == ("offer_eliminated", (50,))
