"""What every part of the desk uses: the games a mail is about, who wrote it, and what it does, collected."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from difflib import get_close_matches
from functools import cached_property

from judge.game import (
    Actor,
    CommandIncomplete,
    Game,
    Guest,
    Moment,
    Observer,
    Past,
    Person,
    Status,
    UnknownGame,
    actor_at,
    is_due,
    seat_key,
)
from judge.language.commands import CommandReader
from judge.language.folding import fold
from judge.language.powerindex import PowerIndex
from judge.language.requests import Block, Line, PressText, Request
from judge.language.scripts import guess_language
from judge.mail import Message
from judge.service.codes import fresh_code
from judge.service.context import Services
from judge.service.identity import Route, Sender, actor_in, seat_by_token
from judge.service.work import Held, Part, Work
from judge.store import Transaction as StoreTransaction

MOST_PASSWORDS = 2
"""Words of one line that are tried as passwords."""


@dataclass(frozen=True, slots=True)
class Where:
    """In which game, and as whom, the lines of a block are meant."""

    held: Held | None
    actor: Actor
    proof: str
    part: Part
    deputy: bool = False
    """Whether a master acts for a power here."""


class GameIsDue(Exception):
    """A game the mail is about was due before the mail arrived: close it, then work the mail out anew."""

    def __init__(self, game: int) -> None:
        super().__init__(f"game {game} is due")
        self.game = game


class Counter:
    """Knows the mail that is worked out.  `tx` is a snapshot of the store; everything to be written is left in `work`."""

    def __init__(
        self,
        services: Services,
        tx: StoreTransaction,
        message: Message,
        sender: Sender,
        routes: Sequence[Route],
        number: int,
        at: datetime,
        *,
        only_reading: bool = False,
    ) -> None:
        self._s = services
        self._tx = tx
        self._message = message
        self._sender = self.sender = sender
        self._routes = routes
        self._number = number
        self._at = at
        self._only_reading = only_reading
        self.work = Work()
        self.languages: list[str] = []
        self.worded: set[str] = set()
        """Languages of order lines."""
        self.speakers: set[int] = set()
        self.proof = "none"
        self.tried: dict[str, Game] = {}
        """Games as they would be once everything that waits for this mail's code is done."""
        self.checking = False
        self.parted = False
        """Whether the order lines of the block stand in several places, with commands between them."""
        """Whether the lines are only checked, so that nothing may be begun."""

    @cached_property
    def code(self) -> str:
        """The code with which everything that this mail asks of one game is confirmed together."""
        return fresh_code()

    @property
    def spoken(self) -> str:
        """The language most lines were written in, else the one the letters of the whole mail show; "" unknown.

        Everybody uses the English words of commands: they count only where nothing else speaks.
        """
        ours = self._s.config.judge.languages
        spoken = [language for language in self.languages if language in ours]
        own = [language for language in spoken if language != "en" or "en" in self.worded]
        if own:
            return max(sorted(set(own)), key=own.count)
        guess = self._guess
        return guess if guess in ours else "".join(spoken[:1])

    @cached_property
    def _guess(self) -> str:
        """The language that the letters and the words of the mail show, "" none."""
        tongues = {language: self._s.library.tongue(language) for language in self._s.config.judge.languages}
        common = {language: frozenset(map(fold, tongue.lexicon.small.get("common", ()))) for language, tongue in tongues.items()}
        return guess_language(self._message.text, common)

    @property
    def is_habit(self) -> bool:
        """Whether the mail shows which language its writer speaks."""
        return self.spoken != "en" or "en" in self.worded

    def _settle(self, block: Block, request: Request) -> Where:
        """The game a block is about, and who acts in it.  Raises `UnknownGame`."""
        name, words = self._name_and_words(block)
        if not name:
            name = self._usual_game(request) if block.opening is None else self._game_replied_to(words)
        if not name:
            if block.opening is not None and not words:
                raise CommandIncomplete("signon")
            if block.opening is not None:
                raise UnknownGame(" ".join(words[:1]))
            return Where(None, Guest(self._person_id()), self._sender.proof, self.work.part(None, ""))
        held = self._held(name)
        if held is None:
            raise UnknownGame(name)
        route = next((r for r in self._routes if r.game == name), None)
        secrets, named = self._passwords(words, held)
        actor, proof = actor_in(held.game, route, self._sender, self._s.keys, secrets, named)
        self._remember(actor, held.game)
        if proof != "none":
            self.proof = proof
        return Where(held, actor, proof, self.work.part(held, seat_key(actor)))

    def _game_replied_to(self, words: Sequence[str]) -> str:
        """The game of an opening line that names none, in a reply to a letter of that game: ``SIGNON``, ``SIGNON ITALY``."""
        for route in self._routes:
            held = self._held(route.game) if route.token else None
            if held is not None and all(self._s.orders.powers(held.pack).find(word) for word in words):
                return route.game
        return ""

    def _passwords(self, words: Sequence[str], held: Held) -> tuple[tuple[str, ...], str]:
        """What may be a password among the words of a SIGNON line, where the site allows them, and the power it names."""
        if not self._s.config.border.passwords:
            return (), ""
        powers = self._s.orders.powers(held.pack)
        named = next((power for word in words if (power := powers.find(word)) is not None), "")
        secrets = (word for word in words if powers.find(word) is None and not self._s.words.means(word, "any"))
        return tuple(secrets)[:MOST_PASSWORDS], named

    def _again(self, where: Where) -> Where:
        """The same game, after the sender may have taken a seat."""
        if where.held is None or not isinstance(where.actor, Guest | Observer) or where.actor.person is None:
            return where
        seat = next((s for s in where.held.game.all_seats if s.person == where.actor.person), None) if where.actor.person else None
        if seat is None:
            return where
        return replace(where, actor=actor_at(where.held.game, seat.key), part=self.work.part(where.held, seat.key))

    def _name_and_words(self, block: Block) -> tuple[str, tuple[str, ...]]:
        """Game and other words of an opening line: ``danube FRANCE word``, ``FRANCE danube``, ``Fdanube word``, ``? danube``."""
        if block.game or block.opening is None:
            return block.game, block.claim
        words = block.claim
        for index, word in enumerate(words[:3]):
            if self._held(word.lower()) is not None:
                return word.lower(), words[:index] + words[index + 1 :]
        glued = words[0][1:].lower() if words else ""
        if glued and self._held(glued) is not None:
            return glued, (words[0][0], *words[1:])
        return "", words

    def _usual_game(self, request: Request) -> str:
        """The game of lines that name none: the address's, the subject's, else the only one the proven sender plays in."""
        for route in self._routes:
            if route.token and self._held(route.game) is not None:
                return route.game
        for name in (*(route.game for route in self._routes), request.tag_game):
            if name and self._held(name) is not None:
                return name
        if self._sender.proven is not None:
            games = [kept.game for kept in self._tx.games.of_person(self._sender.proven.id)]
            running = [game.name for game in games if game.status is not Status.FINISHED]
            named = [name for name in running if name in self._message.subject.lower().split()]
            if len(named or running) == 1:
                return (named or running)[0]
        return ""

    def _is_game(self, name: str) -> bool:
        """Whether a word is the name of a game."""
        return bool(name) and self._tx.games.id_of(name) is not None

    @cached_property
    def _played(self) -> tuple[str, ...]:
        """The games of those who may have written: of the address the mail comes from, and of the seats whose letters it answers."""
        people = [self._sender.person.id] if self._sender.person is not None else []
        for route in self._routes:
            held = self._held(route.game) if route.token else None
            seat = seat_by_token(self._s.keys, held.game, route.token) if held else None
            people.extend((seat.person,) if seat is not None and seat.person is not None else ())
        return tuple(dict.fromkeys(kept.game.name for number in dict.fromkeys(people) for kept in self._tx.games.of_person(number)))

    def _game_meant(self, word: str) -> str:
        """What a word in a heading means: a game that the sender plays; the word itself where it is nearest to the name of another game
        than the one that is answered, so that it is asked back; else ""."""
        if word in self._played:
            return word
        near = get_close_matches(word, self._played, 2, 0.75)
        answered = {route.game for route in self._routes}
        return "" if not near else near[0] if near[0] in answered else word

    def _held(self, name: str) -> Held | None:
        """The game of that name, read once for the whole mail."""
        if name not in self.work.held:
            kept = self._tx.games.get(name)
            if kept is None:
                return None
            if is_due(kept.game, self._at) and not self._only_reading:
                raise GameIsDue(kept.game.id)
            self.work.held[name] = Held(kept.game, kept.version, self._s.packs.of(kept.game, self._tx), kept.game)
        return self.work.held[name]

    def _shown(self, entry: Line | PressText) -> str:
        """A line as the transcript may show it: without what could be a password."""
        text = entry.text if isinstance(entry, Line) else entry.opening
        if isinstance(entry, Line) and entry.command == "signon":
            return " ".join(text.split()[:3])
        return text[:500]

    def _reader(self, where: Where) -> CommandReader:
        """What reads commands here: all words, and the powers of the game."""
        if where.held is None:
            return CommandReader(self._s.words, PowerIndex({}, ()))
        pack = where.held.pack
        return CommandReader(self._s.words, self._s.orders.powers(pack), where.held.game.name)

    def _moment(
        self,
        actor: Actor | None = None,
        home: str = "",
        past: Past = Past(),  # noqa: B008 - frozen
        hidden: tuple[str, ...] = (),
    ) -> Moment:
        """Time, mail, chance, the code and the asker's zone for the core: their own, the game's (`home`), or the judge's.

        `past` is what the command needs to know of the game's past, `hidden` the words that nobody may read in a message.
        """
        person = self._person(getattr(actor, "person", None))
        zone = (person.zone if person else "") or home or self._s.config.judge.zone
        return Moment(self._at, self._number, self._s.draw, self.code, hidden, zone, past)

    def _registered(self, actor: Actor) -> str:
        """The address registered for an actor."""
        person = self._person(getattr(actor, "person", None))
        return person.address if person else ""

    def _person(self, number: int | None) -> Person | None:
        """A person by number."""
        if number is None:
            return None
        if number not in self.work.people:
            self.work.people.update(self._tx.people.many([number]))
        return self.work.people.get(number)

    def _person_at(self, where: Where) -> Person | None:
        """The person of a mail that came with a secret of another game from the registered address."""
        for route in self._routes:
            held = self._held(route.game) if route.token else None
            seat = seat_by_token(self._s.keys, held.game, route.token) if held else None
            person = self._person(seat.person) if seat else None
            if person is not None and person.address.lower() == self._sender.address.lower():
                return person
        return None

    def _person_id(self) -> int | None:
        return self._sender.proven.id if self._sender.proven else None

    def _remember(self, actor: Actor, game: Game) -> None:
        """Have everybody of the game at hand, and know who speaks."""
        for number, person in self._tx.people.many(game.everybody).items():
            self.work.people.setdefault(number, person)
        if not isinstance(actor, Guest):
            self.speakers.add(actor.person)

    def _own_games(self) -> tuple[str, ...]:
        """The games the proven sender plays in; nothing for others."""
        if self._sender.proven is None:
            return ()
        return tuple(kept.game.name for kept in self._tx.games.of_person(self._sender.proven.id))

    def _others(self, game: Game, person: Person) -> list[Person]:
        """The other people who sit in a game."""
        numbers = [seat.person for seat in game.all_seats if seat.person not in (None, person.id)]
        return [found for number in numbers if (found := self._person(number)) is not None]

    def _language(self) -> str:
        return self._s.config.judge.language
