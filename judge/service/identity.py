"""Who wrote a mail: the proofs it carries, and the part they give somebody in a game."""

from collections.abc import Sequence
from dataclasses import dataclass

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error

from judge.game import Actor, Game, Guest, NoProof, Person, Seat, actor_at
from judge.mail import Message, same_code
from judge.service.keys import SeatKeys

_HASHER = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)
"""What OWASP asks at least: a mail with a password must not cost half a second."""
FORGED = frozenset({"failed", "misplaced", "several_results"})
"""What our border says of an address that somebody else wrote there."""


@dataclass(frozen=True, slots=True)
class Route:
    """Where a mail was sent, as far as its addresses tell: the game named, and the secret that came with it ("" none)."""

    game: str = ""
    token: str = ""


def routes_of(message: Message) -> tuple[Route, ...]:
    """The games and secrets among a mail's recipients, the envelope first; then those of our own letters that it answers.

    The same game is named once, with its secret if any of them had one.
    """
    found: dict[str, str] = {}
    for parts in message.addressed:
        if parts.box == "judge" and parts.game:
            found[parts.game] = found.get(parts.game) or parts.token
    for letter in message.answered:
        found[letter.game] = found.get(letter.game) or letter.token
    return tuple(Route(game, token) for game, token in found.items())


def seat_by_token(keys: SeatKeys, game: Game, token: str) -> Seat | None:
    """The seat whose secret this is; every seat is compared, whichever fits."""
    if not token:
        return None
    fitting = [seat for seat in game.all_seats if same_code(keys.token(game, seat), token)]
    return fitting[0] if fitting and fitting[0].person is not None else None


def seat_by_pass(keys: SeatKeys, game: Game, token: str) -> Seat | None:
    """The seat whose pass for the open phase this is; good only from the registered address, which the caller checks."""
    fitting = [seat for seat in game.all_seats if seat.person is not None and same_code(keys.phase_pass(game, seat), token)]
    return fitting[0] if fitting else None


def seat_of_person(game: Game, person: Person) -> Seat | None:
    """The seat a person has in a game."""
    return next((seat for seat in game.all_seats if seat.person == person.id), None)


def seat_by_password(game: Game, words: Sequence[str], named: str = "") -> Seat | None:
    """The seat one of these words opens: the `named` one, or any that has a password."""
    candidates = [seat for seat in game.all_seats if seat.password and named in ("", seat.key)]
    for word in words:
        for seat in candidates:
            if _fits(seat.password, word):
                return seat
    return None


def hash_password(password: str) -> str:
    """A password as it is kept."""
    return _HASHER.hash(password)


def _fits(kept: str, word: str) -> bool:
    try:
        return _HASHER.verify(kept, word)
    except Argon2Error:
        return False


@dataclass(frozen=True, slots=True)
class Sender:
    """What is known of who wrote: the person the From address is registered for, and whether the mail proves it.

    `proof` is "token", "dmarc", "dkim", "password" or "none"; `failed` says that our border looked and found the address forged,
    `ailing` that letters to this address have come back.
    """

    address: str
    name: str
    person: Person | None
    proof: str = "none"
    failed: bool = False
    ailing: bool = False

    @property
    def proven(self) -> Person | None:
        """The person, where the mail proves that the address is its own."""
        return self.person if self.proof in ("dmarc", "dkim") else None


def read_sender(message: Message, person: Person | None, *, ailing: bool = False) -> Sender:
    """The sender of a mail; a From field with defects gives no identity (research 2.2, 2.3)."""
    if message.from_ is None:
        return Sender("", "", None)
    method = message.proof.method
    proof = method if method in ("dmarc", "dkim") else "none"
    return Sender(message.from_.address, message.from_.name, person, proof, failed=message.proof.why in FORGED, ailing=ailing)


def actor_in(
    game: Game, route: Route | None, sender: Sender, keys: SeatKeys, passwords: Sequence[str] = (), named: str = ""
) -> tuple[Actor, str]:
    """Who acts in this game, and by which proof: the secret address, an old-style password, or the proven From.

    A password that is given must be right, and be that of the `named` seat if one is named: a wrong one does not fall through to the
    sender's own seat.  Where the site is strict, the secret and the proven From of its holder are both needed.  Raises `NoProof`.
    """
    if route is not None and (seat := seat_by_token(keys, game, route.token)) is not None:
        if keys.strict and (sender.proven is None or sender.proven.id != seat.person):
            return Guest(sender.proven.id if sender.proven else None), "none"
        return actor_at(game, seat.key), "token"
    if route is not None and sender.person is not None and not sender.failed:
        passed = seat_by_pass(keys, game, route.token)
        if passed is not None and passed.person == sender.person.id:
            return actor_at(game, passed.key), "token"
    if passwords and any(seat.password for seat in game.all_seats):
        opened = seat_by_password(game, passwords, named)
        if opened is None:
            raise NoProof("signon")
        return actor_at(game, opened.key), "password"
    if not keys.strict and sender.proven is not None and (held := seat_of_person(game, sender.proven)) is not None:
        return actor_at(game, held.key), sender.proof
    return Guest(sender.proven.id if sender.proven else None), "none"
