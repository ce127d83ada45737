"""People and their addresses, codes, marks, leases and counts."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from judge.game import Person
from judge.store import AddressState, Conflict, PendingCode, PersonAddress, SqlStore, open_store

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def new_person(store: SqlStore, name: str = "Anna", address: str = "Anna@Example.org") -> Person:
    with store.transaction() as tx:
        return tx.people.new(name, address, "cs", "Europe/Prague")


def test_a_person_comes_back(store: SqlStore) -> None:
    anna = new_person(store)
    assert anna == Person(anna.id, "Anna", "Anna@Example.org", "cs", "Europe/Prague")
    boris = new_person(store, "Борис\0", "b@x.org")
    with store.reading() as tx:
        assert tx.people.get(anna.id) == anna
        assert tx.people.by_address(" anna@EXAMPLE.org ") == anna
        assert tx.people.by_address("nobody@example.org") is None
        assert tx.people.many([boris.id, anna.id, anna.id, 999]) == {anna.id: anna, boris.id: boris}
        assert tx.people.many([]) == {}
        assert boris.name == "Борис\N{REPLACEMENT CHARACTER}"
        with pytest.raises(LookupError):
            tx.people.get(999)


def test_wishes_are_kept(store: SqlStore) -> None:
    changed = replace(new_person(store), name="Anička", language="en", zone="UTC", notation="long", pictures=True)
    with store.transaction() as tx:
        tx.people.put(changed)
    with store.reading() as tx:
        assert tx.people.get(changed.id) == changed


def test_an_address_belongs_to_one_person(store: SqlStore) -> None:
    new_person(store)
    boris = new_person(store, "Boris", "b@x.org")
    with pytest.raises(Conflict):
        new_person(store, "Anna again", "anna@example.ORG")
    with pytest.raises(Conflict), store.transaction() as tx:
        tx.people.put(replace(boris, address="anna@example.org"))


def test_an_older_address_still_leads_to_its_person(store: SqlStore) -> None:
    anna = new_person(store)
    for address in ("anna@new.org", "ANNA@example.org"):  # there, and back in another spelling
        with store.transaction() as tx:
            tx.people.put(replace(anna, address=address))
        with store.reading() as tx:
            assert tx.people.get(anna.id).address == address
            for known in ("anna@example.org", address):
                found = tx.people.by_address(known)
                assert found is not None
                assert found.id == anna.id
    with store.reading() as tx:
        assert [(each.address, each.current) for each in tx.people.addresses(anna.id)] == [
            ("ANNA@example.org", True),
            ("anna@new.org", False),
        ]


def test_bounces_of_an_address(store: SqlStore) -> None:
    anna = new_person(store)
    with store.transaction() as tx:
        known = tx.people.address("anna@example.org")
        assert known == PersonAddress("Anna@Example.org", anna.id)
        tx.people.put_address(replace(known, state=AddressState.BOUNCING, bounces=2, bounced_at=NOON))
        assert tx.people.address("anna@example.org") == PersonAddress("Anna@Example.org", anna.id, True, AddressState.BOUNCING, 2, NOON)
        assert tx.people.address("x@y") is None
        assert tx.people.get(anna.id) == anna


def test_what_persons_did_is_counted(store: SqlStore) -> None:
    anna, boris = new_person(store), new_person(store, "Boris", "b@x.org")
    with store.transaction() as tx:
        tx.people.tally([(anna.id, "in"), (boris.id, "missed"), (anna.id, "in")])
        tx.people.tally([(anna.id, "in"), (anna.id, "late")])
        tx.people.tally([])
        assert tx.people.record(anna.id) == {"in": 3, "late": 1}
        assert tx.people.record(boris.id) == {"missed": 1}
        assert tx.people.record(999) == {}


def code(name: str, minutes: int = 0) -> PendingCode:
    return PendingCode(name, "anna@example.org", "SIGNON danube FRANCE", NOON + minutes * MINUTE, NOON + 60 * MINUTE, {"game": "danube"})


def test_a_code_is_taken_once_and_in_time(store: SqlStore) -> None:
    with store.transaction() as tx:
        tx.codes.add(code("K7Q2"))
        tx.codes.add(code("LATE"))
    with store.transaction() as tx:
        assert tx.codes.take("K7Q2", NOON + MINUTE) == replace(code("K7Q2"), taken_at=NOON + MINUTE)
        assert tx.codes.take("K7Q2", NOON + MINUTE) is None
        assert tx.codes.take("LATE", NOON + 60 * MINUTE) is None
        assert tx.codes.take("NONE", NOON) is None
        assert tx.codes.get("LATE") == code("LATE")
        assert tx.codes.get("NONE") is None


def test_a_code_taken_in_a_transaction_that_fails_is_not_taken(store: SqlStore) -> None:
    with store.transaction() as tx:
        tx.codes.add(code("K7Q2"))
    with pytest.raises(ZeroDivisionError):
        _take_and_fail(store)
    with store.transaction() as tx:
        assert tx.codes.take("K7Q2", NOON)


def _take_and_fail(store: SqlStore) -> None:
    with store.transaction() as tx:
        assert tx.codes.take("K7Q2", NOON)
        raise ZeroDivisionError


def test_codes_of_an_address_are_counted_and_unique(store: SqlStore) -> None:
    with store.transaction() as tx:
        for minutes, name in enumerate("abcd"):
            tx.codes.add(code(name, minutes))
        assert tx.codes.recent("Anna@example.org", NOON + 2 * MINUTE) == 2
        assert tx.codes.recent("boris@example.org", NOON) == 0
    with pytest.raises(Conflict), store.transaction() as tx:
        tx.codes.add(code("a"))


def test_marks(store: SqlStore) -> None:
    with store.transaction() as tx:
        assert tx.marks.get("cursor:imap") is None
        tx.marks.set("cursor:imap", "1")
        tx.marks.set("cursor:imap", '{"uid": 7}')
        tx.marks.set("cursor:door", "x")
        tx.marks.set("cursor_other", "y")
        assert tx.marks.get("cursor:imap") == '{"uid": 7}'
        assert tx.marks.named("cursor:") == {"cursor:door": "x", "cursor:imap": '{"uid": 7}'}
        assert set(tx.marks.named("cursor_")) == {"cursor_other"}
        tx.marks.drop("cursor:door")
        assert set(tx.marks.named("cursor")) == {"cursor:imap", "cursor_other"}


def test_one_worker_holds_a_lease_at_a_time(url: str) -> None:
    one, two = open_store(url), open_store(url)

    def take(store: SqlStore, minutes: int) -> bool:
        with store.transaction() as tx:
            return tx.marks.lease("poll", NOON + minutes * MINUTE, 2 * MINUTE)

    assert take(one, 0)
    assert not take(two, 1)
    assert take(one, 1)
    assert not take(two, 2)
    assert take(two, 3)
    assert not take(one, 4)
    with one.transaction() as tx:
        tx.marks.end_lease("poll")  # not ours
    assert not take(one, 4)
    with two.transaction() as tx:
        tx.marks.end_lease("poll")
    assert take(one, 4)
    one.close()
    two.close()


def test_counts_by_stretch_of_time(store: SqlStore) -> None:
    with store.transaction() as tx:
        assert tx.limits.count("answers:a@b", NOON) == 0
        assert [tx.limits.add("answers:a@b", NOON) for _ in range(3)] == [1, 2, 3]
        assert tx.limits.add("answers:a@b", NOON, 5) == 8
        assert tx.limits.add("answers:a@b", NOON + 60 * MINUTE) == 1
        assert tx.limits.count("answers:a@b", NOON) == 8


def test_what_no_database_can_hold_is_looked_up_in_vain(store: SqlStore) -> None:
    """Names and addresses come from mails, and may hold anything."""
    wild = "x\0\udc80\U0001f642@y"
    with store.transaction() as tx:
        assert tx.games.get(wild) is None
        assert tx.people.by_address(wild) is None
        assert tx.people.address(wild) is None
        assert tx.games.id_of(wild) is None
        assert tx.codes.take(wild, NOON) is None
        assert tx.codes.recent(wild, NOON) == 0
        assert tx.outbox.get(wild) is tx.outbox.by_return_path(wild) is None
        assert tx.inbox.by_digest(wild) is None
        assert not tx.inbox.holds(wild, NOON, NOON)
        assert tx.marks.get(wild) is tx.variants.get(wild) is None
        assert tx.limits.add(wild, NOON) == 1


def test_what_is_known_of_an_address_comes_with_its_person(store: SqlStore) -> None:
    anna = new_person(store)
    with store.transaction() as tx:
        tx.people.put(replace(anna, address="anna@new.org"))
        tx.people.put_address(replace(PersonAddress("anna@example.org", anna.id), bounces=1))
    with store.reading() as tx:
        known = tx.people.known("ANNA@example.org")
        assert known == (replace(anna, address="anna@new.org"), PersonAddress("Anna@Example.org", anna.id, current=False, bounces=1))
        assert known[1].is_ailing
        assert tx.people.known("nobody@example.org") is None
        fresh = tx.people.known("anna@new.org")
        assert fresh is not None
        assert not fresh[1].is_ailing


def test_more_people_than_one_statement_asks_for(store: SqlStore) -> None:
    numbers = [new_person(store, f"P{n}", f"p{n}@x.org").id for n in range(37)]
    with store.reading() as tx:
        for some in (numbers, numbers[:16], numbers[:17]):
            assert list(tx.people.many(reversed(some))) == some


def test_addresses_that_take_no_letters_any_more(store: SqlStore) -> None:
    people = [new_person(store, f"P{n}", f"P{n}@x.org") for n in range(20)]
    asked = [each.address for each in people]
    with store.transaction() as tx:
        for each, state in zip(people, [AddressState.DEAD, AddressState.BOUNCING, AddressState.GOOD, AddressState.DEAD], strict=False):
            tx.people.put_address(PersonAddress(each.address, each.id, state=state))
        assert tx.people.retired([*asked, "nobody@x.org"]) == {"p0@x.org", "p3@x.org"}
        assert tx.people.retired([]) == frozenset()
