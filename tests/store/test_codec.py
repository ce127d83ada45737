"""Games, turns and people come back from their text exactly as they were, in every field."""

import json
import random
from collections.abc import Mapping
from dataclasses import fields, replace
from datetime import UTC, datetime, time, timedelta
from typing import Any, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.board import Location
from judge.errors import OperatorError
from judge.game import Event, FiledOrder, Game, Person, PressItem, Settings, Submission, Turn, open_game
from judge.library import read_variant
from judge.rules import (
    Adjudication,
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Outcome,
    Phase,
    Position,
    Refused,
    Retreat,
    Step,
    SupportHold,
    SupportMove,
    Unit,
    Verdict,
    Waive,
    Why,
    adjudicate,
    legal_orders,
)
from judge.store import codec
from judge.store.codec import (
    dump_event,
    dump_game,
    dump_press,
    dump_submission,
    dump_turn,
    dump_wishes,
    load_event,
    load_game,
    load_person,
    load_press,
    load_submission,
    load_turn,
)

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
LOCATIONS = st.sampled_from(["PAR", "STP/SC", "STP", "60", "W5-46", "BUR"]).map(Location)
UNITS = st.builds(Unit, st.sampled_from("AFPL"), LOCATIONS)
PHASES = st.builds(Phase, st.integers(1, 3000), st.sampled_from("SFW"), st.sampled_from(Step))
MOVES = st.builds(Move, UNITS, LOCATIONS, st.booleans())
SHAPES = [st.builds(kind, UNITS) for kind in (Hold, Disband, Build)] + [
    st.builds(Retreat, UNITS, LOCATIONS),
    st.builds(SupportHold, UNITS, UNITS),
]
ORDERS = st.one_of(MOVES, *SHAPES, *(st.builds(kind, UNITS, UNITS, LOCATIONS) for kind in (SupportMove, Convoy)), st.just(Waive()))
KNOWN: dict[Any, st.SearchStrategy[Any]] = {
    str: st.text(max_size=8),
    int: st.integers(-(2**40), 2**40),
    datetime: st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001 (hypothesis wants it naive)
    time: st.times(),
    timedelta: st.timedeltas(timedelta(0), timedelta(days=1000)),
    Location: LOCATIONS,
    Unit: UNITS,
    Phase: PHASES,
    Order: ORDERS,
    Order | str: ORDERS | st.text(max_size=8),
}
"""Strategies for what `from_type` cannot guess; values of classes are built with every field, not only those without defaults."""


def anything(hint: Any) -> st.SearchStrategy[Any]:
    """Values of a type as the fields of the model declare it."""
    if hint in KNOWN:
        return KNOWN[hint]
    name: Any = get_origin(hint)
    inner: tuple[Any, ...] = get_args(hint)
    if name is tuple:
        return st.lists(anything(inner[0]), max_size=3).map(tuple) if inner[-1] is ... else st.tuples(*map(anything, inner))
    if name is frozenset:
        return st.frozensets(anything(inner[0]), max_size=3)
    if name is Mapping:
        return st.dictionaries(anything(inner[0]), anything(inner[1]), max_size=3)
    if type(None) in inner:
        (rest,) = (part for part in inner if part is not type(None)) if len(inner) == 2 else (Order,)
        return st.none() | anything(rest)
    return whole(hint) if hasattr(hint, "__dataclass_fields__") else st.from_type(hint)


def whole(kind: Any, **given_fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Values of a class with something in every field."""
    hints = get_type_hints(kind)
    return st.builds(kind, **{f.name: given_fields[f.name] if f.name in given_fields else anything(hints[f.name]) for f in fields(kind)})


OUTCOMES = st.lists(whole(Outcome), max_size=3).map(tuple)


@st.composite
def turns(draw: st.DrawFn) -> Turn:
    """Turns whose adjudication began where they say."""
    before = draw(whole(Position))
    outcomes = draw(OUTCOMES)
    done = draw(whole(Adjudication, before=st.just(before), account=st.just(lambda: outcomes)))
    return draw(whole(Turn, before=st.just(before), adjudication=st.just(done)))  # type: ignore[no-any-return]


@settings(max_examples=60, deadline=None)
@given(whole(Game))
def test_any_game(game: Game) -> None:
    assert load_game(dump_game(game)) == game


@settings(max_examples=50, deadline=None)
@given(turns())
def test_any_turn(turn: Turn) -> None:
    again = load_turn(dump_turn(turn), withdrawn=turn.withdrawn)
    assert again == turn
    assert again.adjudication.outcomes == turn.adjudication.outcomes


@settings(deadline=None)
@given(whole(PressItem), whole(Submission), whole(Event))
def test_any_press_submission_and_event(item: PressItem, filed: Submission, event: Event) -> None:
    assert load_press(dump_press(item)) == item
    assert load_submission(dump_submission(filed)) == filed
    assert load_event(dump_event(event)) == event


@given(whole(Person))
def test_any_person(person: Person) -> None:
    columns = {name: getattr(person, name) for name in ("id", "name", "address", "language", "zone")}
    assert load_person(dump_wishes(person), **columns) == person


@pytest.mark.parametrize("name", ["standard", "warcraft"])
def test_games_as_they_are_played(name: str) -> None:
    """Every turn of a game of random legal orders, with retreats and adjustments."""
    variant = read_variant(name)
    dice = random.Random(1901)
    opened = open_game(1, "danube", Settings(), variant, "abc", 1, NOON).game
    position, steps = opened.position, set()
    for number in range(100):
        choices = legal_orders(position, variant)
        given_orders = {power: tuple(dice.choice(sorted(c, key=str)) for c in units.values() if c) for power, units in choices.items()}
        done = adjudicate(position, given_orders, variant)
        turn = Turn(number, position.phase, position, given_orders, done, NOON)
        again = load_turn(dump_turn(turn))
        assert again == turn
        assert again.adjudication.outcomes == done.outcomes
        filed = {power: tuple(FiledOrder(order, NOON, 1) for order in orders) for power, orders in given_orders.items()}
        game = replace(opened, position=position, orders=filed)
        assert load_game(dump_game(game)) == game
        steps.add(position.phase.step)
        if done.winner:
            break
        position = done.after
    assert steps == set(Step)


def test_orders_and_units_are_kept_in_canonical_notation() -> None:
    outcome = Outcome("FRANCE", Move(Unit("A", Location("PAR")), Location("BUR")), True, Verdict.MOVES, False, Why("unopposed"))
    start = Position(Phase(1901, "S", Step.MOVEMENT), {"FRANCE": (Unit("A", Location("PAR")),)}, {"PAR": "FRANCE"})
    refused = (Refused("FRANCE", "A PAR - MOON", "unreadable"), Refused("FRANCE", Hold(Unit("F", Location("STP/SC"))), "no_unit"))
    done = Adjudication(start, start, refused, account=lambda: (outcome,))
    kept = json.loads(dump_turn(Turn(1, start.phase, start, {"FRANCE": (outcome.order,)}, done, NOON)))
    assert kept["v"] == 1
    assert (kept["phase"], kept["closed_at"], kept["given"]) == ("S1901M", "2026-03-01T12:00:00+00:00", {"FRANCE": ["A PAR - BUR"]})
    assert kept["before"]["units"] == {"FRANCE": ["A PAR"]}
    assert [each["order"] for each in kept["adjudication"]["refused"]] == [{"text": "A PAR - MOON"}, "F STP/SC H"]
    assert kept["adjudication"]["outcomes"] == [
        {
            "power": "FRANCE",
            "order": "A PAR - BUR",
            "given": True,
            "verdict": "moves",
            "dislodged": False,
            "why": {"code": "unopposed"},
        }
    ]


def game_text(**changed: object) -> str:
    opened = open_game(1, "danube", Settings(), read_variant("standard"), "abc", 1, NOON).game
    return json.dumps(json.loads(dump_game(opened)) | changed)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (game_text(v=99), "version 99"),
        (game_text(v=0), "version 0"),
        (game_text(status="asleep"), "asleep"),
        (game_text(created_at="yesterday"), "yesterday"),
        (game_text(position={"phase": "X"}), "game"),
        ("[]", "no JSON"),
        ("{", "no JSON"),
        ("{}", "no JSON"),
        ('{"v":1}', "missing"),
    ],
)
def test_what_cannot_be_read_is_the_operators_business(text: str, says: str) -> None:
    with pytest.raises(OperatorError, match=says):
        load_game(text)


def test_a_field_that_an_older_text_does_not_have_takes_its_default() -> None:
    plain = json.loads(game_text())
    del plain["observers_made"], plain["settings"]["listed"]
    game = load_game(json.dumps(plain))
    assert (game.observers_made, game.settings.listed) == (0, True)


def test_older_versions_go_through_their_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    def renamed(plain: dict[str, Any]) -> dict[str, Any]:
        plain["name"] = plain.pop("called")
        return plain

    def again(plain: dict[str, Any]) -> dict[str, Any]:
        return plain | {"name": plain["name"] + "2"}

    monkeypatch.setattr(codec, "VERSIONS", {"game": 3})
    monkeypatch.setitem(codec.STEPS, ("game", 1), renamed)
    monkeypatch.setitem(codec.STEPS, ("game", 2), again)
    plain = json.loads(game_text(v=1))
    plain["called"] = plain.pop("name")
    assert load_game(json.dumps(plain)).name == "danube2"
    assert json.loads(dump_game(load_game(game_text(v=3))))["v"] == 3


def test_a_naive_time_is_a_bug() -> None:
    opened = open_game(1, "danube", Settings(), read_variant("standard"), "abc", 1, NOON).game
    with pytest.raises(TypeError):
        dump_game(replace(opened, created_at=datetime(2026, 1, 1)))  # noqa: DTZ001 (the fault that is looked for)
