"""Votes: draws for all, listed draws with their subsets, concessions, an agreed order, a new master; secret, open, lasting."""

from dataclasses import replace
from datetime import timedelta

import pytest

from judge.game import CastVote, EndKind, GameEnded, NotAlive, NotLargest, Status, VoteKind, VoteNotAllowed, agreed_draw
from judge.rules import read_unit
from tests.support.life import ALL_POWERS, Life, life

THREE = ("AUSTRIA", "FRANCE", "TURKEY")


def three(**settings: str) -> Life:
    """Only three powers are left; France is the largest."""
    game = life(begun=True, powers=None, **settings)
    units = {"AUSTRIA": (read_unit("A VIE"),), "FRANCE": (read_unit("A PAR"),), "TURKEY": (read_unit("A CON"),)}
    owners = {"VIE": "AUSTRIA", "PAR": "FRANCE", "MAR": "FRANCE", "CON": "TURKEY"}
    game.game = replace(game.game, position=replace(game.game.position, units=units, owners=owners))
    return game


def vote(game: Life, voter: str, *powers: str, kind: VoteKind = VoteKind.DRAW) -> None:
    game.do(voter, CastVote(kind, powers))


def result(game: Life) -> tuple[EndKind, tuple[str, ...]] | None:
    return (game.game.ending.kind, game.game.ending.powers) if game.game.ending else None


def test_a_draw_of_all_survivors_ends_the_game_at_once() -> None:
    game = three()
    vote(game, "AUSTRIA")
    vote(game, "FRANCE")
    assert result(game) is None
    vote(game, "TURKEY", *THREE)
    assert result(game) == (EndKind.DRAWN, THREE)
    assert any(isinstance(n, GameEnded) for n in game.new())


def test_a_listed_draw_leaves_others_out_if_they_agree() -> None:
    """C009: all survivors vote draw FRANCE TURKEY; the record says: shared by these two."""
    game = three(draws="listed")
    for voter in THREE:
        vote(game, voter, "FRANCE", "TURKEY")
    assert result(game) == (EndKind.DRAWN, ("FRANCE", "TURKEY"))


@pytest.mark.parametrize(
    ("lists", "shared"),
    [
        ({"A": "ABC", "B": "ABC", "C": "ABC"}, "ABC"),
        ({"A": "ABC", "B": "AB", "C": "AB"}, "AB"),  # C does not name itself: with or without it
        ({"A": "AB", "B": "AB", "C": "ABC"}, ""),  # C wants to be in, the others leave it out
        ({"A": "BC", "B": "BC", "C": "ABC"}, "BC"),  # A's own list does not name A
        ({"A": "BC", "B": "ABC", "C": "ABC"}, "ABC"),  # the largest list that all approve
        ({"A": "A", "B": "B", "C": "C"}, ""),
    ],
)
def test_subsets_as_the_old_judge_counts_them(lists: dict[str, str], shared: str) -> None:
    assert agreed_draw("ABC", {voter: tuple(names) for voter, names in lists.items()}) == tuple(shared)


def test_votes_a_game_does_not_have_are_refused() -> None:
    with pytest.raises(VoteNotAllowed):
        vote(three(), "AUSTRIA", "FRANCE", "TURKEY")
    with pytest.raises(VoteNotAllowed):
        vote(three(draws="none"), "AUSTRIA")
    with pytest.raises(VoteNotAllowed):
        vote(three(concessions="no"), "AUSTRIA", "FRANCE", kind=VoteKind.CONCEDE)
    with pytest.raises(NotLargest):
        vote(three(), "AUSTRIA", "TURKEY", kind=VoteKind.CONCEDE)
    with pytest.raises(NotAlive):
        vote(three(), "ITALY")
    with pytest.raises(VoteNotAllowed):
        vote(three(), "AUSTRIA", *THREE, kind=VoteKind.RANK)


def test_all_others_may_concede_to_the_largest() -> None:
    game = three()
    vote(game, "AUSTRIA", "FRANCE", kind=VoteKind.CONCEDE)
    vote(game, "TURKEY", "FRANCE", kind=VoteKind.CONCEDE)
    assert result(game) == (EndKind.CONCEDED, ("FRANCE",))


def test_an_agreed_order_of_places_where_the_variant_knows_one() -> None:
    game = life("warcraft")
    alive = game.game.survivors
    places = tuple(reversed(alive))
    for voter in alive:
        vote(game, voter, *places, kind=VoteKind.RANK)
    assert result(game) == (EndKind.RANKED, places)


def test_a_vote_taken_back_does_not_count() -> None:
    game = three()
    vote(game, "AUSTRIA")
    vote(game, "FRANCE")
    game.do("AUSTRIA", CastVote(VoteKind.DRAW, (), False))
    vote(game, "TURKEY")
    assert result(game) is None


def test_secret_votes_are_told_to_nobody_open_ones_to_all() -> None:
    secret = three()
    vote(secret, "AUSTRIA")
    assert secret.news() == []
    open_game = three(votes="open")
    vote(open_game, "AUSTRIA")
    ((code, readers),) = open_game.news()
    assert code == "vote_draw_all"
    assert "AUSTRIA" not in readers
    assert "FRANCE" in readers


@pytest.mark.parametrize(("lasting", "left"), [("yes", 2), ("no", 0)])
def test_votes_last_over_phases_or_not(lasting: str, left: int) -> None:
    game = life(lastingvotes=lasting, misses="0")
    vote(game, "AUSTRIA")
    vote(game, "FRANCE")
    game.wait(timedelta(days=3))
    assert len(game.game.votes) == left


def test_the_last_one_against_a_draw_is_eliminated_and_the_draw_passes() -> None:
    from judge.rules import Position, read_phase

    game = life()
    position = Position(
        read_phase("F1905M"),
        {"TURKEY": (read_unit("A CON"),), "RUSSIA": (read_unit("F BLA"), read_unit("A BUL")), "ITALY": (read_unit("A SMY"),)},
        {"CON": "TURKEY", "SEV": "RUSSIA", "ROM": "ITALY"},
    )
    game.game = replace(game.game, position=position)
    vote(game, "RUSSIA")
    vote(game, "ITALY")
    game.order("RUSSIA", "A BUL - CON", "F BLA S A BUL - CON")
    game.order("ITALY", "A SMY S A BUL - CON")
    game.order("TURKEY", "A CON H")
    game.wait(timedelta(days=4))
    assert result(game) == (EndKind.DRAWN, ("ITALY", "RUSSIA"))


def test_a_silent_master_is_voted_out_by_more_than_half() -> None:
    game = life(misses="0")
    with pytest.raises(VoteNotAllowed):
        vote(game, "AUSTRIA", kind=VoteKind.MASTER)
    game.wait(timedelta(days=15))
    game.new()
    for voter in ALL_POWERS[:4]:
        assert game.game.masters
        vote(game, voter, kind=VoteKind.MASTER)
    assert not game.game.masters
    assert [code for code, _ in game.news()] == ["master_dismissed", "master_wanted"]


def test_last_words_are_collected_and_published() -> None:
    from judge.game import LastWords, MakeStatement

    game = three()
    game.turns = []
    game.game = replace(game.game, turns=3)
    for voter in THREE:
        vote(game, voter)
    assert game.game.status is Status.FINISHED
    game.do("FRANCE", MakeStatement("It was close."))
    game.new()
    game.wait(timedelta(days=14))
    (words,) = [n for n in game.new() if isinstance(n, LastWords)]
    assert dict(words.statements) == {"FRANCE": "It was close."}
