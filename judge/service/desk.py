"""One mail's blocks carried out: lines to commands, commands to what they do.  Reads the store, writes nothing."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby

from judge.errors import PlayerError
from judge.game import (
    COMMANDS,
    Actor,
    Answer,
    BadCode,
    CodeSent,
    Command,
    Confirm,
    Confirmed,
    CreateGame,
    Filed,
    FileOrders,
    Game,
    GameRow,
    GamesListed,
    Guest,
    Help,
    HelpGiven,
    Item,
    ListGames,
    Moment,
    NameTaken,
    NoOrdersHere,
    NoProof,
    NoSeatFree,
    NotFiled,
    NotRunning,
    Observe,
    OtherPhase,
    Person,
    Player,
    PressNotClosed,
    ProcessNow,
    Proof,
    SeatTaken,
    SetDeadline,
    SettingSet,
    SetWish,
    SignOn,
    Status,
    TooLate,
    Transition,
    UnknownCommand,
    UnknownGame,
    UnknownPower,
    UnknownVariant,
    WhichGame,
    actor_at,
    apply,
    ask_confirmation,
    check_allowed,
    check_name,
    is_due,
    needs_round_trip,
    open_game,
    read_options,
    seat_key,
)
from judge.game.play import CODE_LIVES
from judge.language.commands import CommandReader, PowerIndex
from judge.language.reader import LineKind, LineReading
from judge.language.requests import Block, Line, PressText, Request, read_request
from judge.language.scripts import guess_language
from judge.language.vocabulary import WORD
from judge.language.warnings import warnings_for
from judge.mail import Message, same_code
from judge.rules import Order
from judge.service.codes import fresh_code
from judge.service.context import Services
from judge.service.identity import Route, Sender, actor_in, read_sender, routes_of, seat_by_token
from judge.service.wishes import change_wish
from judge.service.work import Held, NewCode, Part, Work
from judge.store import Transaction as StoreTransaction

MOST_PASSWORDS = 2
"""Words of one line that are tried as passwords."""
MOST_ITEMS = 400
"""Lines of one mail that are answered one by one."""


@dataclass(frozen=True, slots=True)
class Where:
    """In which game, and as whom, the lines of a block are meant."""

    held: Held | None
    actor: Actor
    proof: str
    part: Part


class GameIsDue(Exception):
    """A game the mail is about was due before the mail arrived: close it, then work the mail out anew."""

    def __init__(self, game: int) -> None:
        super().__init__(f"game {game} is due")
        self.game = game


def work_out(
    services: Services, tx: StoreTransaction, message: Message, number: int, at: datetime, *, only_reading: bool = False
) -> "Desk":
    """The first text of a mail of which something comes, worked out; its first text where nothing comes of any.

    Orders are looked for in the plain text, then in the page, in text attachments, and last in the subject.
    """
    person = tx.people.by_address(message.from_.address) if message.from_ else None
    sender = read_sender(message, person)
    first: Desk | None = None
    typed = [typed.text for typed in message.texts if typed.source != "subject" and typed.text.strip()] or [""]
    subject = [typed.text for typed in message.texts if typed.source == "subject"]
    for text in [*typed, *subject]:
        desk = Desk(services, tx, message, sender, routes_of(message), number, at, only_reading=only_reading)
        desk.carry_out(text)
        if desk.work.has_answers:
            return desk
        first = first or desk
    assert first is not None
    return first


TOLD_AT_THE_LINE = frozenset({"impossible", "coast_needed"})
"""Remarks that say no more than the refusal of the same order."""
SHOWN_BELOW = frozenset({"no_order", "unused_builds", "removals_missing"})
"""Warnings that the state below the transcript shows anyway."""


def warn_of_the_whole(part: Part) -> None:
    """Remarks on orders that do not go together with the others on file, each at the line of its order."""
    held = part.held
    filed = [n for n, item in enumerate(part.items) if any(isinstance(outcome, Filed) for outcome in item.outcomes)]
    if held is None or part.seat not in held.game.orders or not filed:
        return
    orders = tuple(each.order for each in held.game.orders[part.seat])
    for warning in warnings_for(orders, part.seat, held.game.position, held.pack.variant):
        if warning.code in SHOWN_BELOW | TOLD_AT_THE_LINE:
            continue
        about = (getattr(warning, "order", None), *getattr(warning, "orders", ()))
        own = [n for n in filed if any(isinstance(o, Filed) and o.order in about for o in part.items[n].outcomes)]
        where = (own or filed)[-1]
        part.items[where] = replace(part.items[where], remarks=(*part.items[where].remarks, warning))


class Desk:
    """Works out what one mail does.  `tx` is a snapshot of the store; everything to be written is left in `work`."""

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
        self.speakers: set[int] = set()
        self.proof = "none"

    @property
    def spoken(self) -> str:
        """The language most lines were written in, else the one the letters of the whole mail show; "" unknown."""
        ours = self._s.config.judge.languages
        spoken = [language for language in self.languages if language in ours]
        if spoken:
            return max(sorted(set(spoken)), key=spoken.count)
        guess = guess_language(self._message.text)
        return guess if guess in ours else ""

    # ---- the whole mail

    def carry_out(self, text: str) -> Request:
        """Every block of one text of the mail, in order."""
        request = read_request(text, self._message.subject, self._s.words, self._is_game)
        for block in request.blocks:
            self._block(block, request)
        if not request.blocks:
            self._settle(Block("", (), None, ()), request)
        for part in self.work.parts:
            warn_of_the_whole(part)
        return request

    def _block(self, block: Block, request: Request) -> None:
        """One block: settle game and actor, then its entries."""
        try:
            where = self._settle(block, request)
        except PlayerError as fault:
            assert block.opening is not None
            self.work.part(None, "").items.append(Item(self._shown(block.opening), (fault,)))
            return
        entries = list(block.entries)
        if block.opening is not None and block.opening.command == "signon" and isinstance(where.actor, Guest):
            self._signon(block, where)
            if not entries:
                return
            where = self._again(where)
        late = self._too_late(request, where)
        for is_order, run in groupby(entries, key=lambda e: isinstance(e, Line) and not e.command):
            if is_order:
                self._orders([e for e in run if isinstance(e, Line)], where, late)
            else:
                for entry in run:
                    where = self._entry(entry, where)

    def _settle(self, block: Block, request: Request) -> Where:
        """The game a block is about, and who acts in it.  Raises `UnknownGame`."""
        name, words = self._name_and_words(block)
        if not name and block.opening is None:
            name = self._usual_game(request)
        if not name:
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
        if where.held is None or not isinstance(where.actor, Guest) or where.actor.person is None:
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

    # ---- entries

    def _entry(self, entry: Line | PressText, where: Where) -> Where:
        """One command or message; returns where the following lines are meant (a sign-on may have changed it)."""
        shown = self._shown(entry)
        self.languages.append(entry.language)
        try:
            if isinstance(entry, PressText):
                command: Command = self._reader(where).read_press(entry)
            else:
                command = self._reader(where).read(entry)
            outcomes = self._command(command, entry, where)
            if any(isinstance(outcome, Answer) for outcome in outcomes):
                self.work.commands.append((where.part, command))
        except PlayerError as fault:
            outcomes = (fault,)
        open_end = isinstance(entry, PressText) and not entry.closed and not any(isinstance(o, PlayerError) for o in outcomes)
        remarks = (PressNotClosed(),) if open_end else ()
        where.part.items.append(Item(shown, tuple(outcomes), remarks))
        return where

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
        return CommandReader(self._s.words, self._s.orders.powers(pack))

    def _command(self, command: Command, entry: Line | PressText, where: Where) -> Sequence[Answer | PlayerError]:
        """One command carried out, or its confirmation asked.  Raises `PlayerError`."""
        match command:
            case CreateGame() | Observe() | SignOn():
                return self._newcomer(command, entry.text if isinstance(entry, Line) else "", where)
            case Confirm(code):
                return self._confirm(code, where)
            case ListGames(name):
                return (GamesListed(tuple(self._rows(name))),)
            case Help(topic):
                return (HelpGiven(topic),)
            case SetWish():
                return (self._wish(command, where),)
            case _:
                return self._in_game(command, entry, where)

    def _in_game(self, command: Command, entry: Line | PressText, where: Where) -> Sequence[Answer | PlayerError]:
        """A command inside a game."""
        if where.held is None:
            raise WhichGame(self._own_games())
        if isinstance(where.actor, Guest) and COMMANDS[type(command)].proof is not Proof.NONE:
            raise NoProof(COMMANDS[type(command)].word)
        check_allowed(command, where.actor)
        game = where.held.game
        if needs_round_trip(command):
            line = entry.text if isinstance(entry, Line) else ""
            if isinstance(command, ProcessNow) and command.phase is None:
                line = f"{line} {game.phase}"
            transition = ask_confirmation(game, line, where.actor, self._registered(where.actor), self._moment())
            where.held.take(transition)
            return transition.answers
        return self._apply(command, where)

    def _apply(self, command: Command, where: Where) -> Sequence[Answer | PlayerError]:
        """A command that takes effect now."""
        assert where.held is not None
        transition, outcomes = apply(where.held.game, command, where.actor, where.held.pack.variant, self._moment())
        where.held.take(transition)
        return outcomes

    def _moment(self) -> Moment:
        """Time, mail, chance and a code for the core."""
        return Moment(self._at, self._number, self._s.draw, fresh_code())

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

    def _person_id(self) -> int | None:
        return self._sender.proven.id if self._sender.proven else None

    def _remember(self, actor: Actor, game: Game) -> None:
        """Have everybody of the game at hand, and know who speaks."""
        numbers = [seat.person for seat in game.all_seats if seat.person is not None]
        for number, person in self._tx.people.many(numbers).items():
            self.work.people.setdefault(number, person)
        if not isinstance(actor, Guest):
            self.speakers.add(actor.person)

    def _own_games(self) -> tuple[str, ...]:
        """The games the proven sender plays in; nothing for others."""
        if self._sender.proven is None:
            return ()
        return tuple(kept.game.name for kept in self._tx.games.of_person(self._sender.proven.id))

    # ---- orders

    def _too_late(self, request: Request, where: Where) -> TooLate | None:
        """A fault if the mail answers a letter of a phase of this game that is closed."""
        if where.held is None or not request.tag_phase or request.tag_game != where.held.game.name:
            return None
        now = where.held.game.phase
        return TooLate(request.tag_phase, now) if request.tag_phase != str(now) else None

    def _orders(self, lines: list[Line], where: Where, late: TooLate | None) -> None:
        """A run of lines without command words: orders, headings, comments."""
        if where.held is None or isinstance(where.actor, Guest):
            self._stray(lines, where)
            return
        self._file(lines, where, late)

    def _stray(self, lines: list[Line], where: Where) -> None:
        """Lines that would be orders, from somebody who cannot give any here."""
        fault: PlayerError
        for line in lines[:MOST_ITEMS]:
            if where.held is not None:
                fault = NoProof("orders")
            elif self._sender.proven is not None and self._own_games():
                fault = WhichGame(self._own_games())
            else:
                fault = UnknownCommand(line.text)
            where.part.items.append(Item(line.text[:500], (fault,)))

    def _file(self, lines: list[Line], where: Where, late: TooLate | None) -> None:
        """Order lines of somebody with a seat, each with what became of it."""
        assert where.held is not None
        heading = ""
        for reading in self._readings(lines, where):
            if reading.kind in (LineKind.BLANK, LineKind.COMMENT):
                continue
            if reading.kind is LineKind.HEADING:
                heading = reading.power or heading
                if reading.error is not None:
                    where.part.items.append(Item(reading.line, (reading.error,)))
                continue
            if reading.orders and any(len(word) > 3 for word in WORD.findall(reading.line)):  # codes alone speak no language
                self.languages.append(reading.lang)
            where.part.items.append(self._order_item(reading, where, heading, late))

    def _order_item(self, reading: LineReading, where: Where, heading: str, late: TooLate | None) -> Item:
        """One line: its orders filed, or why not."""
        remarks = tuple(reading.warnings)
        if reading.error is not None and not reading.orders:
            return Item(reading.line[:500], (reading.error,), remarks)
        if not reading.orders:
            return Item(reading.line[:500], (UnknownCommand(reading.line[:200]),), remarks)
        if late is not None:
            return Item(reading.line[:500], (late,), remarks)
        outcomes: list[Answer | PlayerError] = []
        for power, orders in self._by_power(reading, where, heading):
            try:
                if not power:
                    raise NoOrdersHere(reading.line[:200])
                outcomes.extend(self._apply(FileOrders(orders, power), where))
            except PlayerError as fault:
                outcomes.append(fault)
        if any(isinstance(outcome, NotFiled) for outcome in outcomes):
            remarks = tuple(remark for remark in remarks if remark.code not in TOLD_AT_THE_LINE)
        extra = (reading.error,) if reading.error is not None else ()
        return Item(reading.line[:500], (*outcomes, *extra), remarks)

    def _by_power(self, reading: LineReading, where: Where, heading: str) -> Iterator[tuple[str, tuple[Order, ...]]]:
        """The orders of a line and whose they are: the player's own, or those a master's line or heading says."""
        if isinstance(where.actor, Player):
            yield where.actor.power, reading.orders
            return
        powers = reading.powers or ("",) * len(reading.orders)
        for power, order in zip(powers, reading.orders, strict=True):
            yield power or reading.power or heading, (order,)

    def _readings(self, lines: list[Line], where: Where) -> Iterator[LineReading]:
        """The lines read by the order language, with the help of the position and of what the sender wrote before."""
        assert where.held is not None
        game, pack = where.held.game, where.held.pack
        power = where.actor.power if isinstance(where.actor, Player) else None
        person = self._person(getattr(where.actor, "person", None))
        prefer = [person.language] if person and person.language else [game.settings.language]
        yield from self._s.orders.read([line.text for line in lines], pack, game.position, power, prefer)

    # ---- newcomers, codes, wishes

    def _signon(self, block: Block, where: Where) -> None:
        """A SIGNON line of somebody who has no seat in that game yet."""
        assert block.opening is not None
        try:
            outcomes = self._newcomer(self._signon_command(block, where), block.opening.text, where)
        except PlayerError as fault:
            outcomes = (fault,)
        where.part.items.append(Item(self._shown(block.opening), tuple(outcomes)))

    def _signon_command(self, block: Block, where: Where) -> SignOn:
        """The seat a SIGNON line asks for.  Raises `UnknownPower`."""
        assert where.held is not None
        _, words = self._name_and_words(block)
        powers = self._reader(where).powers
        for word in words[:2]:
            if self._s.words.means(word, "any"):
                return SignOn(where.held.game.name)
            power = powers.find(word)
            if power is not None:
                return SignOn(where.held.game.name, power)
        if words and len(words[0]) > 1 and where.held.game.open_seats and not self._s.config.border.passwords:
            raise UnknownPower(words[0], powers.powers)
        return SignOn(where.held.game.name)

    def _newcomer(self, command: CreateGame | SignOn | Observe, line: str, where: Where) -> Sequence[Answer | PlayerError]:
        """CREATE, SIGNON and OBSERVE: at once for a proven person, else after a code has come back from the address."""
        self._check_newcomer(command)
        proven = self._sender.proven or self._person_at(where)
        if proven is not None:
            return self._admit(command, proven)
        if not self._sender.address:
            raise NoProof(COMMANDS[type(command)].word)
        until = self._at + CODE_LIVES
        self.work.codes.append(NewCode(fresh_code(), self._sender.address, self._sender.name, line, until))
        return (CodeSent(line, self._sender.address, until),)

    def _person_at(self, where: Where) -> Person | None:
        """The person of a mail that came with a secret of another game from the registered address."""
        for route in self._routes:
            held = self._held(route.game) if route.token else None
            seat = seat_by_token(self._s.keys, held.game, route.token) if held else None
            person = self._person(seat.person) if seat else None
            if person is not None and person.address.lower() == self._sender.address.lower():
                return person
        return None

    def _check_newcomer(self, command: CreateGame | SignOn | Observe) -> None:
        """What can be refused before a code is sent."""
        if isinstance(command, CreateGame):
            name = check_name(command.name)
            if self._held(name) is not None:
                raise NameTaken(name)
            if self._s.library.find_variant(command.variant) is None:
                raise UnknownVariant(command.variant, tuple(self._s.library.variants()))
            read_options(command.options, self._language(), self._s.config.judge.zone)
            return
        held = self._held(command.game)
        if held is None:
            raise UnknownGame(command.game)
        free = tuple(seat.key for seat in held.game.open_seats)
        if isinstance(command, Observe):
            return
        if held.game.status is Status.FINISHED:
            raise NotRunning(held.game.status)
        if not free:
            raise NoSeatFree(command.game)
        if command.power and command.power not in free:
            raise SeatTaken(command.power, free)

    def _admit(self, command: CreateGame | SignOn | Observe, person: Person) -> Sequence[Answer | PlayerError]:
        """Carry out a newcomer's command for a person whose address is proven."""
        self.work.people[person.id] = person
        if isinstance(command, CreateGame):
            return self._create(command, person).answers
        held = self._held(command.game)
        assert held is not None
        transition, outcomes = apply(held.game, command, Guest(person.id), held.pack.variant, self._moment())
        held.take(transition)
        return outcomes

    def _create(self, command: CreateGame, person: Person) -> Transition:
        """Open a game; a number whose mail is not written after all is never used again."""
        pack = self._s.library.pack(self._s.library.find_variant(command.variant) or command.variant)
        settings = read_options(command.options, person.language or self._language(), person.zone or self._s.config.judge.zone)
        with self._s.store.transaction() as tx:
            number = tx.games.new_id()
        made = open_game(number, command.name, settings, pack.variant, self._s.packs.ruleset(pack.name), person.id, self._at)
        held = Held(made.game, 0, pack, made.game)
        held.take(made)
        self.work.held[made.game.name] = held
        return made

    def _language(self) -> str:
        return self._s.config.judge.language

    def _confirm(self, code: str, where: Where) -> Sequence[Answer | PlayerError]:
        """A code that came back: for a command of a seat in this game, or for somebody unknown.  Raises `BadCode`."""
        if where.held is not None and not isinstance(where.actor, Guest):
            done = self._confirm_pending(code, where)
            if done is not None:
                return done
        kept = self._tx.codes.get(code.lower())
        if kept is None or kept.taken_at is not None or kept.until < self._at:
            raise BadCode(code[:40])
        self.work.codes_used.append(kept.code)
        person = self._tx.people.by_address(kept.address) or self._register(kept.address, kept.facts.get("name", ""))
        command = self._reparse(kept.line, person)
        return (Confirmed(kept.line), *self._admit(command, person))

    def _confirm_pending(self, code: str, where: Where) -> Sequence[Answer | PlayerError] | None:
        """A waiting command of the actor's own seat; None if the code is none of its codes."""
        assert where.held is not None
        game = where.held.game
        pending = next(
            (p for p in game.pending if p.seat == seat_key(where.actor) and same_code(p.code, code) and p.until >= self._at), None
        )
        if pending is None:
            return None
        where.held.take(Transition(replace(game, pending=tuple(p for p in game.pending if p is not pending))))
        match = self._s.words.match(pending.line)
        assert match is not None, pending.line
        command = self._reader(where).read(Line(0, pending.line, match.name, match.rest, match.language))
        if isinstance(command, ProcessNow | SetDeadline) and pending.phase != game.phase:
            raise OtherPhase(pending.phase, game.phase)
        return (Confirmed(pending.line), *self._apply(command, where))

    def _reparse(self, line: str, person: Person) -> CreateGame | SignOn | Observe:
        """The command of a line that waited for its code; checked again, for the world has moved on."""
        request = read_request(line, "", self._s.words, self._is_game)
        block = request.blocks[0]
        if block.opening is not None:
            where = self._settle(block, request)
            command: Command = self._signon_command(block, where)
        else:
            entry = block.entries[0]
            assert isinstance(entry, Line)
            command = CommandReader(self._s.words, PowerIndex({}, ())).read(entry)
        assert isinstance(command, CreateGame | SignOn | Observe)
        self._check_newcomer(command)
        return command

    def _register(self, address: str, name: str) -> Person:
        """A new person for an address that has just proven itself."""
        with self._s.store.transaction() as tx:
            person = tx.people.new(name or address.partition("@")[0], address)
        self.work.people[person.id] = person
        return person

    def _wish(self, command: SetWish, where: Where) -> Answer:
        """A person's own setting.  Raises `NoProof`, `BadSetting`."""
        person = self._person(getattr(where.actor, "person", None)) or self._sender.proven
        if person is None:
            raise NoProof("set")
        self.work.change(change_wish(person, command.key, command.value, self._s.config.judge.languages))
        return SettingSet(command.key, command.value)

    def _rows(self, name: str) -> Iterator[GameRow]:
        """Listed games, or one of them by name."""
        return (row for row in self._tx.games.listed(limit=200) if name in ("", row.name))
