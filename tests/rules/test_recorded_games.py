"""Real games judged anew: what was recorded must come out, phase by phase."""

import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from judge.cli.replaying import recorded_phases, replayed
from judge.rules import adjudicate, read_case
from tests.support.judged import board

GAMES = Path(__file__).parents[1] / "games"
NOT_BINDING = {"via_no_convoy", "auto_disband", "excess_orders", "double_order", "record_suspect"}
"""Marks of phases that may come out otherwise, each explained in tests/games/SOURCE.md."""


def games_of(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in gzip.open(GAMES / f"{name}.jsonl.gz")]


ALL = [game for name in ("droidippy", "webdiplomacy", "bots") for game in games_of(name)]


def is_binding(phase: dict[str, Any]) -> bool:
    return phase["positions_after"] is not None and "datc" not in phase and not NOT_BINDING & set(phase.get("tags", ()))


@pytest.mark.parametrize("game", ALL, ids=[game["id"] for game in ALL])
def test_recorded_game(game: dict[str, Any]) -> None:
    (phases,) = [each for each in recorded_phases([game]) if each]
    recorded = [phase for phase in game["phases"] if phase["positions_after"] is not None]
    found = list(replayed(phases, board("standard")))
    assert len(found) == len(recorded)
    for phase, difference in zip(recorded, found, strict=True):
        if is_binding(phase):
            assert difference is None, str(difference)


@pytest.mark.parametrize("game", ALL, ids=[game["id"] for game in ALL])
def test_who_is_dislodged(game: dict[str, Any]) -> None:
    """Who may retreat is who the next recorded phase lists; the retreats are those the server offered, where it told."""
    for phase, following in zip(game["phases"], game["phases"][1:], strict=False):
        if not (is_binding(phase) and phase["phase"].endswith("M")):
            continue
        result = adjudicate(*read_case(phase, board("standard")), board("standard"))
        may_retreat = {str(fallen.unit): list(fallen.retreats) for fallen in result.dislodged}
        lost = {str(unit) for _, unit in result.destroyed}  # listed by one of the servers only
        listed = {unit for units in phase["dislodged"].values() for unit in units}
        assert listed - lost == set(may_retreat) - lost, phase["phase"]
        came_by_sea = {str(fallen.unit) for fallen in result.dislodged if not fallen.attacked_from}
        for unit, places in following.get("retreat_options", {}).items():
            if game["source"].startswith("Cicero") and unit not in came_by_sea:
                assert may_retreat[unit] == sorted(places)


def test_the_sample_holds_what_is_rare() -> None:
    tags = Counter(tag for game in ALL for phase in game["phases"] if is_binding(phase) for tag in phase.get("tags", ()))
    assert tags["paradox"] >= 8
    assert tags["circular"] >= 20
    assert tags["adjacent_convoy"] >= 14


def test_phases_without_a_convoy_come_out_as_recorded_by_the_switch() -> None:
    """The servers let a VIA move without a convoy go by land (DATC before 3.0, 4.A.3)."""
    variant = board("standard", via_without_convoy="land")
    seen = 0
    for game in ALL:
        for phase in game["phases"]:
            tags = set(phase.get("tags", ()))
            if "via_no_convoy" in tags and not tags & (NOT_BINDING - {"via_no_convoy"}) and phase["positions_after"] is not None:
                result = adjudicate(*read_case(phase, variant), variant)
                found = {power: sorted(map(str, units)) for power, units in result.after.units.items()}
                assert found == {power: sorted(units) for power, units in phase["positions_after"].items() if units}
                seen += 1
    assert seen > 5
