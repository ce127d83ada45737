"""Letters are kept once, sent in order of their urgency, tried again, and found by what comes back."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

import pytest

from judge.mail import Attachment, Letter
from judge.store import LetterKind, LetterState, OutboxCounts, OutboxLetter, SqlStore, WaitingLetter, open_store
from judge.store.mails import packed

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def letter(name: str, kind: LetterKind = LetterKind.RESULT, text: str = "hello") -> OutboxLetter:
    sent = Letter(
        message_id=f"{name}@example.org",
        envelope_from=f"judge-bounces+danube.FRANCE.{name}@example.org",
        to="anna@example.org",
        to_name="Anna",
        from_address="judge@example.org",
        from_name="Judge",
        subject="[danube S1901M]",
        text=text,
        date=NOON,
    )
    return OutboxLetter(sent, kind, 7, "FRANCE")


def add(store: SqlStore, *letters: OutboxLetter) -> None:
    with store.transaction() as tx:
        tx.outbox.add(letters, NOON)


def claim(store: SqlStore, minutes: float = 0, limit: int = 50) -> list[str]:
    with store.transaction() as tx:
        return [each.message_id.partition("@")[0] for each in tx.outbox.claim(NOON + minutes * MINUTE, limit)]


@pytest.mark.parametrize("ready", [list, packed])
def test_a_letter_comes_back_as_it_was(store: SqlStore, ready: Callable[[Sequence[OutboxLetter]], list[OutboxLetter]]) -> None:
    whole = Letter(
        message_id="danube.S1901M.FRANCE.r@example.org",
        envelope_from="judge-bounces+danube.FRANCE.R1@example.org",
        to="anna@example.org",
        to_name="Анна Šimková\udc80\0",
        from_address="judge@example.org",
        from_name="Judge",
        subject="Весна 1901",
        text="řádek\n" * 50,
        date=NOON,
        html="<p>\N{SNOWMAN}</p>",
        references=("a@b", "c@d"),
        attachments=(Attachment("deadline.ics", "text/calendar", "BEGIN:VCALENDAR"),),
        picture="sha256:1",
        headers=(("X-Judge", "1"),),
    )
    add(store, *ready([OutboxLetter(whole, LetterKind.ALARM)]))
    with store.reading() as tx:
        kept = tx.outbox.get(whole.message_id)
    assert kept == WaitingLetter(1, whole, LetterKind.ALARM, None, "", LetterState.WAITING, 0, NOON)


def test_the_same_message_id_is_kept_once(store: SqlStore) -> None:
    add(store, letter("a", text="first"))
    add(store, letter("b"), letter("a", text="second"))
    add(store)
    with store.reading() as tx:
        kept = tx.outbox.get("a@example.org")
        assert kept is not None
        assert kept.letter.text == "first"
    assert claim(store) == ["a", "b"]
    with store.transaction() as tx:
        tx.outbox.sent("a@example.org", NOON)
    add(store, letter("a"))
    assert claim(store, 60) == ["b"]


def test_results_before_reminders_before_press_before_digests(store: SqlStore) -> None:
    order = ["digest", "press", "reminder", "notice", "answer", "result", "alarm"]
    add(store, *(letter(name, LetterKind[name.upper()]) for name in order), letter("result2"))
    assert claim(store, limit=3) == ["alarm", "result", "result2"]
    assert claim(store) == ["answer", "notice", "reminder", "press", "digest"]
    assert claim(store) == []


def test_a_claim_runs_out_and_a_failure_waits(store: SqlStore) -> None:
    add(store, letter("a"), letter("b"))
    assert claim(store) == ["a", "b"]
    with store.transaction() as tx:
        tx.outbox.failed("a@example.org", "451 greylisted", NOON + 20 * MINUTE)
        assert tx.outbox.counts() == OutboxCounts(waiting=2, deferred=1, sent=0, dead=0, oldest=NOON)
    assert claim(store, 4.9) == []
    assert claim(store, 5) == ["b"]
    with store.transaction() as tx:
        tx.outbox.sent("b@example.org", NOON + 5 * MINUTE)
        assert tx.outbox.next_try() == NOON + 20 * MINUTE
    (again,) = _claimed(store, 20)
    assert (again.tries, again.why) == (2, "451 greylisted")
    with store.transaction() as tx:
        tx.outbox.dead("a@example.org", "550 no such user", NOON)
        assert tx.outbox.counts() == OutboxCounts(waiting=0, deferred=0, sent=1, dead=1, oldest=None)
        assert tx.outbox.next_try() is None
    with store.reading() as tx:
        sent, dead = tx.outbox.get("b@example.org"), tx.outbox.get("a@example.org")
        assert sent is not None
        assert dead is not None
        assert (sent.state, sent.sent_at) == (LetterState.SENT, NOON + 5 * MINUTE)
        assert (dead.state, dead.sent_at, dead.why) == (LetterState.DEAD, None, "550 no such user")


def _claimed(store: SqlStore, minutes: float) -> tuple[WaitingLetter, ...]:
    with store.transaction() as tx:
        return tx.outbox.claim(NOON + minutes * MINUTE)


def test_all_claims_given_back_at_a_new_start(store: SqlStore) -> None:
    add(store, letter("a"), letter("b"))
    assert claim(store, limit=1) == ["a"]
    with store.transaction() as tx:
        assert tx.outbox.release_all() == 1
    assert claim(store) == ["a", "b"]


def test_found_by_its_return_path_in_any_case(store: SqlStore) -> None:
    add(store, letter("r1"), letter("r2"))
    with store.reading() as tx:
        found = tx.outbox.by_return_path("JUDGE-bounces+danube.france.R1@example.org")
        assert found is not None
        assert found.message_id == "r1@example.org"
        assert tx.outbox.by_return_path("judge-bounces+danube.france.r3@example.org") is None
        assert [each.message_id for each in tx.outbox.of_game(7)] == ["r2@example.org", "r1@example.org"]


def test_two_stores_claim_different_letters(url: str) -> None:
    one, two = open_store(url), open_store(url)
    add(one, *(letter(f"l{n}") for n in range(6)))
    assert claim(one, limit=2) == ["l0", "l1"]
    assert claim(two, limit=2) == ["l2", "l3"]
    assert claim(one) == ["l4", "l5"]
    with one.transaction() as tx:
        assert tx.outbox.keep("l0@example.org", NOON + 4 * MINUTE)
        assert not tx.outbox.keep("l2@example.org", NOON)
        tx.outbox.failed("l2@example.org", "not ours", NOON + 60 * MINUTE)
    assert claim(two, 5) == ["l1", "l2", "l3", "l4", "l5"]
    assert claim(two, 9) == ["l0"]
    one.close()
    two.close()
