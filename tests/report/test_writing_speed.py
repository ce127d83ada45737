"""What letters cost: the results of a phase for a whole game, and the answer to an order mail."""

import time
from collections.abc import Callable

import pytest

from judge.game import Item, submit_orders
from judge.report import Part
from judge.rules import read_order
from tests.support.golden_game import NOW, QUESTION, autumn_game, closed, fresh_game, people, scribe, variant

pytestmark = pytest.mark.bench


def best(work: Callable[[], object], rounds: int = 30) -> float:
    """Milliseconds of the quickest of some rounds."""
    times = []
    for _ in range(rounds):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return min(times) * 1000


@pytest.mark.parametrize("languages", [("en",), ("en", "cs", "hu", "ru")])
def test_results_of_a_phase(languages: tuple[str, ...]) -> None:
    after, notice = closed(autumn_game())
    readers = {number: people(languages[number % len(languages)])[number] for number in people()}
    taken = best(lambda: scribe().letters(after, notice, readers, variant(), NOW))
    print(f"{len(readers)} result letters in {len(languages)} languages: {taken:.1f} ms")
    assert taken < 40


def test_answer_to_an_order_mail() -> None:
    orders = [read_order(text) for text in ("A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO")]
    transition, outcomes = submit_orders(fresh_game(), "FRANCE", orders, variant(), NOW, 17)
    part = Part(transition.game, "FRANCE", variant(), tuple(Item("A Par - Bur", (outcome,)) for outcome in outcomes))
    taken = best(lambda: scribe().answer(people()[3], [part], people(), NOW, QUESTION))
    print(f"answer to an order mail: {taken:.2f} ms")
    assert taken < 3
