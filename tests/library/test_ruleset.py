"""The rule part of a variant kept as JSON: the same after a round trip, under a hash that only the rules change."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from judge.errors import OperatorError
from judge.library import Library, dump_variant, load_variant, read_variant, read_variant_folder, variant_hash
from tests.support.boards import change, write_isles

NAMES = Library().variants()


@pytest.mark.parametrize("name", NAMES)
def test_the_round_trip_on_every_board(name: str) -> None:
    variant = read_variant(name)
    kept = json.loads(json.dumps(dump_variant(variant)))
    assert load_variant(kept) == variant
    assert variant_hash(load_variant(kept)) == variant_hash(variant)


def test_a_database_may_put_the_keys_in_any_order() -> None:
    variant = read_variant("hundred")
    shuffled = json.loads(json.dumps(dump_variant(variant), sort_keys=True))
    assert load_variant(shuffled) == variant
    assert tuple(load_variant(shuffled).board.kinds) == tuple(variant.board.kinds)
    assert tuple(load_variant(shuffled).start.units) == variant.powers


def test_every_board_has_a_hash_of_its_own() -> None:
    assert len({variant_hash(read_variant(name)) for name in NAMES}) == len(NAMES)


def test_names_titles_and_pictures_do_not_change_the_hash_but_every_rule_does(tmp_path: Path) -> None:
    folder = write_isles(tmp_path)
    before = variant_hash(read_variant_folder(folder))
    change(folder / "variant.toml", 'title = "Isles"', 'title = "The Isles"')
    change(folder / "provinces.csv", "Warm Sea;SS", "Hot Sea;SS")
    change(folder / "provinces.csv", "id,name,kind", "# a remark\nid,name,kind")
    assert variant_hash(read_variant_folder(folder)) == before
    change(folder / "borders.csv", "NSE,SSE,F,,", "NSE,SSE,F,one-way,a stream")
    assert variant_hash(read_variant_folder(folder)) != before


def test_each_switch_counts() -> None:
    variant = read_variant("standard")
    changed = replace(variant, rulebook=replace(variant.rulebook, swap_allowed=True))
    assert variant_hash(changed) != variant_hash(variant)
    assert load_variant(dump_variant(changed)) == changed


def test_a_format_of_the_future_is_refused() -> None:
    with pytest.raises(OperatorError, match="format 99"):
        load_variant(dump_variant(read_variant("pure")) | {"format": 99})
