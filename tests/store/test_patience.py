"""Strangers' mail behind players', domains that rest, and what a dead worker leaves behind."""

from datetime import UTC, datetime, timedelta

from judge.mail import Letter
from judge.store import LetterKind, NewMail, OutboxLetter, SqlStore, game_lane, is_stranger_lane, sender_lane, stranger_lane

NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)


def letter(number: int, to: str, kind: LetterKind = LetterKind.NOTICE) -> OutboxLetter:
    """A letter to somebody."""
    return OutboxLetter(Letter(f"j.0.GUEST.n{number}@judge.example", "", to, "", "judge@judge.example", "", "s", "t", NOON), kind)


def test_strangers_wait_behind_players_and_hold_nothing(store: SqlStore) -> None:
    lanes = [stranger_lane("eve@junk.example"), stranger_lane("adam@junk.example"), sender_lane("anna@club.example"), game_lane(1)]
    with store.transaction() as tx:
        tx.inbox.add([NewMail(b"raw", NOON + number * SECOND, lane, "door") for number, lane in enumerate(lanes)])
    with store.transaction() as tx:
        claimed = [tx.inbox.claim(NOON) for _ in range(5)]
        assert [mail.lane if mail else None for mail in claimed] == [lanes[2], lanes[3], lanes[0], lanes[1], None]
        assert tx.inbox.holds(game_lane(2), NOON + 9 * SECOND, NOON)  # because of anna
        assert not tx.inbox.holds(game_lane(2), NOON + 2 * SECOND, NOON)
    assert [is_stranger_lane(lane) for lane in lanes] == [True, True, False, False]


def test_domains_that_rest_are_passed_over(store: SqlStore) -> None:
    with store.transaction() as tx:
        tx.outbox.add([letter(n, f"p{n}@{'Busy' if n % 2 else 'free'}.example") for n in range(6)], NOON)
        assert [each.number for each in tx.outbox.claim(NOON, 9, ["busy.example"])] == [1, 3, 5]
        assert [each.number for each in tx.outbox.claim(NOON, 9, ["free.example"])] == [2, 4, 6]
        assert tx.outbox.claim(NOON, 9) == ()


def test_a_letter_that_was_not_tried_is_given_back_as_it_was(store: SqlStore) -> None:
    with store.transaction() as tx:
        tx.outbox.add([letter(1, "p@a.example")], NOON)
        (claimed,) = tx.outbox.claim(NOON)
        tx.outbox.give_back([claimed.message_id], NOON + 60 * SECOND)
        assert tx.outbox.claim(NOON) == ()
        assert tx.outbox.wake(NOON, "b.example") == 0
        assert tx.outbox.wake(NOON, "a.example") == 1
        (again,) = tx.outbox.claim(NOON)
        assert (claimed.tries, again.tries) == (1, 1)
        tx.outbox.all_sent([again.message_id], NOON)
        assert tx.outbox.counts().sent == 1


def test_what_a_dead_worker_had_claimed_is_free_again(store: SqlStore) -> None:
    with store.transaction() as tx:
        tx.inbox.add([NewMail(b"raw", NOON, game_lane(1), "door")])
        tx.outbox.add([letter(1, "p@a.example")], NOON)
        assert tx.marks.lease("worker:one", NOON, 30 * SECOND)
        assert tx.inbox.claim(NOON) is not None
        assert len(tx.outbox.claim(NOON)) == 1
    with store.transaction() as tx:
        assert tx.marks.holders("worker:", NOON + 29 * SECOND) == (store.worker,)
        assert tx.marks.holders("worker:", NOON + 30 * SECOND) == ()
        assert (tx.inbox.release_others([store.worker]), tx.outbox.release_others([store.worker])) == (0, 0)
        tx.marks.end_other_leases("worker:", [store.worker])
        assert tx.marks.holders("worker:", NOON) == (store.worker,)
        assert tx.inbox.claim(NOON) is None
        assert (tx.inbox.release_others(["somebody"]), tx.outbox.release_others([])) == (1, 1)
        tx.marks.end_other_leases("worker:", [])
        assert tx.marks.holders("worker:", NOON) == ()
        assert tx.inbox.claim(NOON) is not None
        assert len(tx.outbox.claim(NOON)) == 1


def test_a_letter_that_rests_goes_on_resting_when_the_last_worker_ends(store: SqlStore) -> None:
    with store.transaction() as tx:
        tx.outbox.add([letter(1, "p@a.example")], NOON)
        (claimed,) = tx.outbox.claim(NOON)
        tx.outbox.failed(claimed.message_id, "451 later", NOON + 60 * SECOND)
        assert tx.outbox.release_others([]) == 0
        assert tx.outbox.claim(NOON + SECOND) == ()


def test_a_mail_that_waits_can_be_woken(store: SqlStore) -> None:
    with store.transaction() as tx:
        tx.inbox.add([NewMail(b"raw", NOON, game_lane(1), "door")])
        claimed = tx.inbox.claim(NOON)
        assert claimed is not None
        tx.inbox.release(claimed.number, NOON, until=NOON + 3600 * SECOND, counted=False)
        assert tx.inbox.claim(NOON) is None
        assert tx.inbox.wake(NOON) == 1
        assert tx.inbox.claim(NOON) is not None
