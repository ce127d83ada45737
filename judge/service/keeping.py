"""What the keeper of the installation may do by mail, and who may come in at all."""

from collections.abc import Sequence

from judge.game import Game, Person, Seat

BANS = "keeper:bans"
"""The mark that holds barred addresses and domains, one a line."""

LEAST_PHASES = 5
"""Phases somebody must have played before a record says anything."""

_DOTLESS = frozenset({"gmail.com", "googlemail.com"})
_LEAST_ALIKE = 5


def read_bans(text: str | None) -> tuple[str, ...]:
    """Barred addresses and domains."""
    return tuple(line for line in (text or "").splitlines() if line)


def is_banned(address: str, bans: Sequence[str]) -> bool:
    """Whether an address is barred, by itself or by its domain.

    >>> is_banned("Eve@Bad.example", ("bad.example",)), is_banned("eve@notbad.example", ("bad.example",))
    (True, False)
    """
    folded = address.lower()
    domain = folded.rpartition("@")[2]
    return folded in bans or any(domain == ban or domain.endswith(f".{ban}") for ban in bans if "@" not in ban)


def canonical(address: str) -> str:
    """An address without what its owner may vary freely: case, a plus tag, dots where the provider ignores them.

    >>> canonical("Jo.Doe+dip@gmail.com"), canonical("jo.doe+x@post.example")
    ('jodoe@gmail.com', 'jo.doe@post.example')
    """
    local, _, domain = address.lower().rpartition("@")
    local = local.partition("+")[0]
    return f"{local.replace('.', '') if domain in _DOTLESS else local}@{domain}"


def same_person(one: Person, addresses: Sequence[str], others: Sequence[Person]) -> bool:
    """Whether another person of a game has one of these addresses, but for what can be varied freely."""
    mine = {canonical(address) for address in (one.address, *addresses) if address}
    return any(other.id != one.id and canonical(other.address) in mine for other in others)


def near_matches(game: Game, person: Person, people: Sequence[Person]) -> tuple[Seat, ...]:
    """Seats of people who look like this one: the same name, or the same name before the @ at another provider."""
    local = person.address.lower().partition("@")[0].partition("+")[0]
    alike = {
        other.id
        for other in people
        if other.id != person.id
        and (
            (len(person.name) >= _LEAST_ALIKE and other.name.casefold() == person.name.casefold())
            or (len(local) >= _LEAST_ALIKE and other.address.lower().partition("@")[0].partition("+")[0] == local)
        )
    }
    return tuple(seat for seat in game.seats if seat.person in alike)


def reliability(record: dict[str, int]) -> int:
    """The share of phases in percent that somebody ordered in time; 100 for those of whom too little is known.

    >>> reliability({"in": 18, "missed": 2}), reliability({"missed": 1})
    (90, 100)
    """
    counted = {what: record.get(what, 0) for what in ("in", "late", "missed")}
    total = sum(counted.values())
    return 100 if total < LEAST_PHASES else 100 * counted["in"] // total
