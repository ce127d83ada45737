"""Mails are kept once, claimed one at a time in order of their lanes, tried three times, and finished once."""

from datetime import UTC, datetime, timedelta

import pytest

from judge.mail import Arrival
from judge.store import Conflict, Duplicate, InboxMail, InboxState, NewMail, SqlStore, game_lane, open_store, sender_lane

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
DANUBE, RHINE = game_lane(1), game_lane(2)
STRANGER = sender_lane("anna@example.org")


def mail(lane: str = DANUBE, minutes: float = 0, key: str | None = None, raw: bytes = b"raw") -> NewMail:
    return NewMail(raw, NOON + minutes * MINUTE, lane, "door", key)


def add(store: SqlStore, *mails: NewMail) -> list[int]:
    with store.transaction() as tx:
        return tx.inbox.add(mails)


def claim(store: SqlStore, minutes: float = 60) -> InboxMail | None:
    with store.transaction() as tx:
        return tx.inbox.claim(NOON + minutes * MINUTE)


def claimed_number(store: SqlStore, minutes: float = 60) -> int | None:
    found = claim(store, minutes)
    return found.number if found else None


def finish(store: SqlStore, number: int, digest: str) -> None:
    with store.transaction() as tx:
        tx.inbox.finish(number, digest, NOON)


def test_a_mail_comes_back_as_it_was(store: SqlStore) -> None:
    raw = bytes(range(256)) * 400 + b"\r\n\0"
    arrival = Arrival(raw, NOON + timedelta(microseconds=1), "imap:1:7", "anna\0@\udcff.org", ("judge+danube.k7@example.org", "x@y"))
    (number,) = add(store, NewMail.of(arrival, "imap", STRANGER))
    kept = claim(store)
    assert kept == InboxMail(
        number=number,
        raw=raw,
        arrived_at=NOON + timedelta(microseconds=1),
        lane=STRANGER,
        source="imap",
        source_key="imap:1:7",
        envelope_from="anna\N{REPLACEMENT CHARACTER}@?.org",  # what no database holds is replaced
        envelope_to=("judge+danube.k7@example.org", "x@y"),
        state=InboxState.CLAIMED,
        tries=1,
    )
    assert not kept.set_aside


@pytest.mark.parametrize("sender", [None, "", "anna@example.org"])
def test_an_unknown_return_path_is_not_the_null_one(store: SqlStore, sender: str | None) -> None:
    add(store, NewMail(b"", NOON, DANUBE, "door", envelope_from=sender))
    kept = claim(store)
    assert kept is not None
    assert (kept.envelope_from, kept.raw) == (sender, b"")


def test_a_known_source_key_is_skipped(store: SqlStore) -> None:
    first = add(store, mail(key="a"), mail(key="b"), mail(key="a"))
    assert len(first) == 2
    again = add(store, mail(key="b"), mail(key="c"), mail(), mail())
    assert len(again) == 3
    assert not set(first) & set(again)
    with store.reading() as tx:
        assert tx.inbox.unfinished() == 5


def test_the_mail_that_arrived_first_is_claimed_first(store: SqlStore) -> None:
    late, early, same = add(store, mail(DANUBE, 5), mail(RHINE, 1), mail(STRANGER, 5))
    assert [claimed_number(store) for _ in range(4)] == [early, late, same, None]


def test_a_lane_goes_one_by_one_in_order_of_arrival(store: SqlStore) -> None:
    second, first, third, other = add(store, mail(minutes=2), mail(minutes=1), mail(minutes=2), mail(RHINE, 9))
    assert [claimed_number(store) for _ in range(3)] == [first, other, None]
    finish(store, first, "d1")
    assert claimed_number(store) == second
    with store.transaction() as tx:
        tx.inbox.mark(second, InboxState.SILENT, NOON, "out of office")
    assert claimed_number(store) == third


def test_the_clock_of_the_border_may_run_ahead(store: SqlStore) -> None:
    (number,) = add(store, mail(minutes=600))
    assert claimed_number(store, 0) == number


def test_finished_once_with_its_digest(store: SqlStore) -> None:
    (number,) = add(store, mail())
    claim(store)
    with store.transaction() as tx:
        tx.inbox.finish(number, "digest", NOON, "ok", InboxState.SILENT)
    with store.reading() as tx:
        kept = tx.inbox.by_digest("digest")
        assert kept is not None
        assert (kept.number, kept.state, kept.note) == (number, InboxState.SILENT, "ok")
        assert tx.inbox.by_digest("other") is None
    with pytest.raises(Conflict), store.transaction() as tx:
        tx.inbox.finish(number, "another", NOON)


def test_a_duplicate_undoes_its_transaction(store: SqlStore) -> None:
    one, two = add(store, mail(DANUBE), mail(RHINE))
    assert claim(store)
    assert claim(store)
    finish(store, one, "same")
    with pytest.raises(Duplicate) as fault:
        _have_effect_twice(store, two)
    assert (fault.value.number, fault.value.digest) == (two, "same")
    with store.transaction() as tx:
        assert tx.marks.get("effect") is None
        tx.inbox.mark(two, InboxState.DUPLICATE, NOON)
        assert tx.inbox.counts() == dict.fromkeys(InboxState, 0) | {InboxState.DONE: 1, InboxState.DUPLICATE: 1}
    assert claim(store) is None


def _have_effect_twice(store: SqlStore, number: int) -> None:
    with store.transaction() as tx:
        tx.marks.set("effect", "x")
        tx.inbox.finish(number, "same", NOON)


def test_only_a_claimed_mail_is_finished(store: SqlStore) -> None:
    (number,) = add(store, mail())
    with pytest.raises(Conflict), store.transaction() as tx:
        tx.inbox.finish(number, "d", NOON)


def test_three_tries_that_raise_then_set_aside_and_the_lane_goes_on(store: SqlStore) -> None:
    bad, good = add(store, mail(minutes=0), mail(minutes=1))
    for _ in range(3):
        kept = claim(store)
        assert kept is not None
        assert (kept.number, kept.set_aside) == (bad, False)
        with store.transaction() as tx:
            tx.inbox.release(bad, NOON)
    kept = claim(store)
    assert kept is not None
    assert (kept.number, kept.set_aside, kept.raw) == (bad, True, b"raw")
    assert claimed_number(store) == good


@pytest.mark.parametrize("burial", ["all", "others"])
def test_a_mail_under_which_processes_die_waits_longer_and_longer_and_is_set_aside_in_the_end(store: SqlStore, burial: str) -> None:
    (bad,) = add(store, mail())
    minutes = 10.0
    for wait in (0, 0, 1, 2, 5, 10, 30, 60, 60):
        kept = claim(store, minutes)
        assert kept is not None
        assert (kept.number, kept.set_aside) == (bad, False)
        with store.transaction() as tx:
            assert (tx.inbox.release_all() if burial == "all" else tx.inbox.release_others(["somebody"])) == 1
        minutes += wait / 60
        if wait:
            assert claim(store, minutes - 0.5 / 60) is None
    kept = claim(store, minutes)
    assert kept is not None
    assert kept.set_aside


def test_others_go_on_while_a_mail_waits_under_which_processes_died(store: SqlStore) -> None:
    bad, good = add(store, mail(DANUBE), mail(RHINE, minutes=1))
    for _ in range(3):
        assert claimed_number(store, 10) == bad
        with store.transaction() as tx:
            tx.inbox.release_all()
    assert claimed_number(store, 10) == good
    assert claimed_number(store, 11) == bad


def test_a_claim_runs_out(store: SqlStore) -> None:
    """A worker that is heard of no more holds its mail for the lease (five minutes), and cannot finish it afterwards."""
    (number,) = add(store, mail())
    other = open_store(str(store.engine.url)) if store.engine.url.database else None
    assert claimed_number(store, 60) == number
    assert claim(store, 64.9) is None
    if other is None:  # in memory there is one worker only
        assert claimed_number(store, 65) == number
        return
    again = claim(other, 65)
    assert again is not None
    assert (again.number, again.tries) == (number, 2)
    with pytest.raises(Conflict), store.transaction() as tx:
        tx.inbox.finish(number, "d", NOON)
    with store.transaction() as tx:
        tx.inbox.release(number, NOON)  # not ours: nothing happens
    finish(other, number, "d")
    other.close()


def test_released_to_wait_without_counting(store: SqlStore) -> None:
    """A mail after a deadline that is not closed yet waits, and its lane with it."""
    first, second = add(store, mail(minutes=1), mail(minutes=2))
    for minutes in (10, 20, 30, 40, 50):
        kept = claim(store, minutes)
        assert kept is not None
        assert (kept.number, kept.tries) == (first, 1)
        with store.transaction() as tx:
            tx.inbox.release(first, NOON, until=NOON + (minutes + 10) * MINUTE, counted=False)
        assert claim(store, minutes + 9) is None
    assert claimed_number(store, 60) == first
    finish(store, first, "d")
    assert claimed_number(store, 60) == second


def test_all_claims_given_back_at_a_new_start(store: SqlStore) -> None:
    add(store, mail(DANUBE), mail(RHINE))
    assert claim(store)
    assert claim(store)
    with store.transaction() as tx:
        assert tx.inbox.release_all() == 2
    kept = claim(store)
    assert kept is not None
    assert kept.tries == 2  # it may have been the mail that killed us


HOLDING = [
    # lane, arrived (minutes before the deadline), asked (minutes after it), holds
    (DANUBE, 1, 0, True),
    (DANUBE, 10_000, 10_000, True),  # however old: it is this game's
    (DANUBE, 0, 0, False),  # at the deadline is not before it
    (DANUBE, -1, 5, False),
    (RHINE, 1, 0, False),
    (STRANGER, 1, 0, True),
    (STRANGER, 1, 8, True),
    (STRANGER, 1, 9, False),  # ten minutes old
    (STRANGER, -1, 0, False),
]


@pytest.mark.parametrize(("lane", "before", "asked", "holds"), HOLDING)
def test_what_holds_a_deadline(store: SqlStore, lane: str, before: float, asked: float, holds: bool) -> None:
    (number,) = add(store, mail(lane, -before))
    asked_at = NOON + asked * MINUTE
    with store.reading() as tx:
        assert tx.inbox.holds(DANUBE, NOON, asked_at) is holds
    claim(store)
    with store.reading() as tx:
        assert tx.inbox.holds(DANUBE, NOON, asked_at) is holds  # also while somebody works on it
    with store.transaction() as tx:
        tx.inbox.mark(number, InboxState.BAD, NOON)
        assert not tx.inbox.holds(DANUBE, NOON, asked_at)  # set aside


def test_looked_up(store: SqlStore) -> None:
    numbers = add(store, mail(minutes=3), mail(RHINE, 2), mail(minutes=1))
    with store.reading() as tx:
        assert [each.number for each in tx.inbox.of_lane(DANUBE)] == [numbers[0], numbers[2]]
        assert tx.inbox.oldest() == NOON + MINUTE
        assert tx.inbox.get(max(numbers) + 1) is None
