"""CREATE, SIGNON and OBSERVE, and the codes that come back."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from judge.errors import PlayerError
from judge.game import (
    CODE_LIVES,
    COMMANDS,
    MASTERS,
    SETTINGS,
    AlreadySeated,
    Answer,
    Assignment,
    BadCode,
    BadSetting,
    Banned,
    CodeSent,
    Command,
    CommandIncomplete,
    Confirmed,
    CreateGame,
    Game,
    Guest,
    Item,
    NameTaken,
    News,
    NoProof,
    NoSeatFree,
    NotRunning,
    Observe,
    Observer,
    OtherPhase,
    Pending,
    Person,
    ProcessNow,
    SamePerson,
    SeatTaken,
    SetDeadline,
    SetGrace,
    Settings,
    SignOn,
    StandBy,
    Standby,
    Status,
    Told,
    TooUnreliable,
    Transition,
    UnknownGame,
    UnknownPower,
    UnknownVariant,
    WrongInvitation,
    apply,
    change_setting,
    check_name,
    open_game,
    read_options,
    seat_key,
)
from judge.game.faults import UnknownSetting
from judge.language.commands import CommandReader
from judge.language.powerindex import PowerIndex
from judge.language.requests import Block, Line, read_request
from judge.mail import same_code
from judge.service.codes import fresh_code
from judge.service.counter import Where
from judge.service.doing import tell_together
from judge.service.identity import hash_password
from judge.service.keeping import BANS, is_banned, near_matches, read_bans, reliability, same_person
from judge.service.ownmatters import OwnMatters
from judge.service.standby import limits_in_words, queue_mark, stand_by, write_standby
from judge.service.work import Held, NewCode

Newcomer: TypeAlias = CreateGame | SignOn | Observe | StandBy
"""What somebody unknown may ask for."""


class Newcomers(OwnMatters):
    """Lets people in."""

    def _wants_seat(self, block: Block, where: Where) -> bool:
        """Whether a SIGNON line asks for a seat: from somebody without one, or from an observer who names a power or has an offer."""
        if isinstance(where.actor, Guest):
            return True
        if not isinstance(where.actor, Observer) or where.held is None:
            return False
        _, words = self._name_and_words(block)
        powers = self._reader(where).powers
        offered = any(offer.seat == where.actor.key for offer in where.held.game.offers)
        return offered or any(len(word) > 1 and powers.find(word) is not None for word in words)

    def _greet_seated(self, block: Block, where: Where) -> None:
        """A line that names the game, from somebody with a seat: refused if it asks for another power, answered if it stands alone."""
        assert block.opening is not None
        if where.held is None or isinstance(where.actor, Guest):
            return
        seat, powers = seat_key(where.actor), self._reader(where).powers
        _, words = self._name_and_words(block) if block.opening.command == "signon" else ("", ())
        asked = next((found for word in words if len(word) > 1 and (found := powers.find(word)) is not None), seat)
        if asked != seat and not isinstance(where.actor, Observer):
            where.part.items.append(Item(self._shown(block.opening), (AlreadySeated(seat),)))
        elif not block.entries:
            where.part.items.append(Item(self._shown(block.opening), (Told("seated_already", {"seat": seat}),)))

    def _signon(self, block: Block, where: Where) -> None:
        """A SIGNON line of somebody who has no seat in that game yet."""
        assert block.opening is not None
        self.languages.append(block.opening.language)
        try:
            outcomes = self._newcomer(self._signon_command(block, where), block.opening.text, where)
        except PlayerError as fault:
            outcomes = (fault,)
        where.part.items.append(Item(self._shown(block.opening), tuple(outcomes)))

    def _signon_command(self, block: Block, where: Where) -> SignOn:
        """The seat a SIGNON line asks for: a power or any, a preference list, the word of an invitation.  Raises `UnknownPower`."""
        assert where.held is not None
        game = where.held.game
        _, words = self._name_and_words(block)
        reader = self._reader(where)
        by_wish = game.settings.assignment is Assignment.PREFERENCE and game.status is Status.FORMING
        power, wishes, left = "", "", []
        for word in words:
            found = reader.powers.find(word)
            if by_wish and (found is not None or "[" in word or all(map(reader.powers.find, word)) or word == "*"):
                wishes = f"{wishes} {word}"
            elif found is not None and not power:
                power = found
            elif not self._s.words.means(word, "any") and not self._s.words.means(word, "word"):
                left.append(word)
        known = game.settings.invitation or self._s.config.border.passwords
        if left and len(left[0]) > 1 and not power and not known and game.open_seats:
            raise UnknownPower(left[0], reader.powers.powers)
        word = next((each for each in left if each.casefold() == game.settings.invitation.casefold()), "".join(left[:1]))
        return SignOn(game.name, power, reader.options.wishes(wishes) if wishes else (), word)

    def _newcomer(self, command: Newcomer, line: str, where: Where) -> Sequence[Answer | PlayerError]:
        """CREATE, SIGNON and OBSERVE: at once for a proven person, else after a code has come back from the address."""
        command = self._variant_meant(command)
        self._check_newcomer(command)
        if self.checking:
            return (Told("would_do"),)
        watching = self._person(where.actor.person) if isinstance(where.actor, Observer) else None
        proven = self._sender.proven or watching or self._person_at(where)
        if proven is not None:
            return self._admit(command, proven)
        if not self._sender.address:
            raise NoProof(COMMANDS[type(command)].word)
        until = self._at + CODE_LIVES
        self.work.codes.append(NewCode(fresh_code(), self._sender.address, self._sender.name, line, until))
        return (CodeSent(line, self._sender.address, until),)

    def _variant_meant(self, command: Newcomer) -> Newcomer:
        """A CREATE with the variant named by a bare word; what else stands there is refused, but for an old judge's password."""
        if not isinstance(command, CreateGame) or not command.words:
            return command
        variant, left = command.variant, []
        for word in command.words:
            found = self._s.library.find_variant(word)
            if found is not None:
                variant = found
            else:
                left.append(word)
        if left and not (len(left) == 1 and left[0] == command.words[0] and self._s.config.border.passwords):
            raise UnknownSetting(left[0], "", tuple(SETTINGS))
        return replace(command, variant=variant, words=())

    def _check_newcomer(self, command: Newcomer) -> None:
        """What can be refused before a code is sent."""
        if is_banned(self._sender.address, read_bans(self._tx.marks.get(BANS))):
            raise Banned
        if isinstance(command, CreateGame):
            name = check_name(command.name)
            if self._held(name) is not None:
                raise NameTaken(name)
            if self._s.library.find_variant(command.variant) is None:
                raise UnknownVariant(command.variant, tuple(self._s.library.variants()))
            read_options(command.options, self._language(), self._s.config.judge.zone)
            return
        if isinstance(command, StandBy):
            self._limits(command)
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
        settings = held.game.settings
        if settings.invitation and command.word.casefold() != settings.invitation.casefold() and not self._is_offered(held.game):
            raise WrongInvitation(command.game)
        if command.power and command.power not in free:
            raise SeatTaken(command.power, free)

    def _admit(self, command: Newcomer, person: Person) -> Sequence[Answer | PlayerError]:
        """Carry out a newcomer's command for a person whose address is proven."""
        self.work.people[person.id] = person
        if isinstance(command, CreateGame):
            return self._create(command, person).answers
        if isinstance(command, StandBy):
            return (self._stand_by(command, person),)
        held = self._held(command.game)
        assert held is not None
        if isinstance(command, SignOn):
            self._check_person(held.game, person)
            if self._s.config.border.passwords and command.word and command.word != held.game.settings.invitation:
                command = replace(command, password=hash_password(command.word))
        transition, outcomes = apply(held.game, command, Guest(person.id), held.pack.variant, self._moment(Guest(person.id)))
        held.take(transition)
        self._remember(Guest(), held.game)
        if isinstance(command, SignOn):
            near = near_matches(held.game, person, self._others(held.game, person))
            told = tuple(News("near_match", MASTERS, {"seat": seat.key, "name": person.name}) for seat in near)
            held.take(Transition(held.game, notices=told))
        return outcomes

    def _stand_by(self, command: StandBy, person: Person) -> Answer:
        """Put somebody into the queue of all games, change the limits, or take her off."""
        mark = queue_mark(person.id)
        if not command.yes:
            self.work.marks[mark] = ""
            return Told("standing_by_no_more")
        kept = self.work.marks[mark] if mark in self.work.marks else self._tx.marks.get(mark)
        who = stand_by(kept, replace(self._limits(command), person=person.id))
        self.work.marks[mark] = write_standby(who)
        limits = limits_in_words(who)
        return Told("standing_by_within", {"limits": limits}) if limits else Told("standing_by")

    def _limits(self, command: StandBy) -> Standby:
        """The limits of a STANDBY line, in our own words.  Raises `UnknownVariant`, `BadSetting`."""
        library, languages = self._s.library, self._s.config.judge.languages
        variants = {name: library.find_variant(name) for name in command.variants}
        for name, found in variants.items():
            if found is None:
                raise UnknownVariant(name, tuple(library.variants()))
        for language in command.languages:
            if language not in languages:
                raise BadSetting("language", language, tuple(languages))
        press = frozenset(change_setting(Settings(), "press", word).press.value for word in command.press)
        known = frozenset(found for found in variants.values() if found)
        return Standby(0, self._at, known, frozenset(command.languages), press, command.games)

    def _check_person(self, game: Game, person: Person) -> None:
        """Raise `SamePerson` for somebody who sits in the game under another address, `TooUnreliable` for a record that is too bad."""
        reply_to = [address.address for address in self._message.reply_to]
        if same_person(person, [self._sender.address, *reply_to], self._others(game, person)):
            raise SamePerson
        wanted = game.settings.reliability
        own = reliability(self._tx.people.record(person.id)) if wanted else 100
        if own < wanted:
            raise TooUnreliable(wanted, own)

    def _is_offered(self, game: Game) -> bool:
        """Whether the sender has been offered a seat of the game."""
        seats = {offer.seat for offer in game.offers}
        person = self._sender.proven or self._sender.person
        return person is not None and any(seat.key in seats and seat.person == person.id for seat in game.observers)

    def _create(self, command: CreateGame, person: Person) -> Transition:
        """Open a game; a number whose mail is not written after all is never used again."""
        pack = self._s.library.pack(self._s.library.find_variant(command.variant) or command.variant)
        language = person.language or person.spoken or (self.spoken if self.is_habit else "") or self._language()
        settings = read_options(command.options, language, person.zone or self._s.config.judge.zone)
        with self._s.store.transaction() as tx:
            number = tx.games.new_id()
        made = open_game(number, command.name, settings, pack.variant, self._s.packs.ruleset(pack.name), person.id, self._at)
        held = Held(made.game, 0, pack, made.game)
        held.take(made)
        self.work.held[made.game.name] = held
        return made

    def _confirm(self, code: str, where: Where) -> Sequence[Answer | PlayerError]:
        """A code that came back: for a command of a seat in this game, or for somebody unknown.  Raises `BadCode`, `CommandIncomplete`."""
        if where.held is not None and not isinstance(where.actor, Guest):
            done = self._confirm_pending(code, where)
            if done is not None:
                return done
        if not code:
            raise CommandIncomplete("confirm")
        kept = self._tx.codes.get(code.lower())
        if kept is None or kept.taken_at is not None or kept.until < self._at:
            raise BadCode(code[:40])
        self.work.codes_used.append(kept.code)
        if kept.facts.get("person"):
            return (Confirmed(kept.line), *self._confirm_own(kept))
        person = self._tx.people.by_address(kept.address) or self._register(kept.address, kept.facts.get("name", ""))
        self.speakers.add(person.id)
        command = self._reparse(kept.line, person)
        return (Confirmed(kept.line), *self._admit(command, person))

    def _confirm_pending(self, code: str, where: Where) -> Sequence[Answer | PlayerError] | None:
        """The waiting commands of the actor's own seat with that code, each with what became of it; None if there are none."""
        assert where.held is not None
        game, key = where.held.game, seat_key(where.actor)
        waiting = [p for p in game.pending if p.seat == key and same_code(p.code, code) and p.until >= self._at]
        if not waiting:
            return None
        where.held.take(Transition(replace(game, pending=tuple(p for p in game.pending if p not in waiting))))
        outcomes: list[Answer | PlayerError] = []
        for pending in waiting:
            try:
                outcomes.extend((Confirmed(pending.line), *self._do_pending(pending, where)))
            except PlayerError as fault:
                if len(waiting) == 1:
                    raise
                outcomes.append(fault)
        tell_together(where.held)
        return outcomes

    def _do_pending(self, pending: Pending, where: Where) -> Sequence[Answer | PlayerError]:
        """One confirmed command, read again.  Raises `OtherPhase` for one that was meant for a phase that is closed."""
        assert where.held is not None
        match = self._s.words.match(pending.line)
        assert match is not None, pending.line
        command = self._reader(where).read(Line(0, pending.line, match.name, match.rest, match.language))
        if isinstance(command, ProcessNow | SetDeadline | SetGrace) and pending.phase != where.held.game.phase:
            raise OtherPhase(pending.phase, where.held.game.phase)
        return self._apply(command, where)

    def _reparse(self, line: str, person: Person) -> Newcomer:
        """The command of a line that waited for its code; checked again, for the world has moved on."""
        request = read_request(line, "", self._s.words, self._is_game)
        block = request.blocks[0]
        if block.opening is not None:
            self.languages.append(block.opening.language)
            where = self._settle(block, request)
            command: Command = self._signon_command(block, where)
        else:
            entry = block.entries[0]
            assert isinstance(entry, Line)
            self.languages.append(entry.language)
            command = CommandReader(self._s.words, PowerIndex({}, ())).read(entry)
        assert isinstance(command, Newcomer)
        self._check_newcomer(command)
        return command

    def _register(self, address: str, name: str) -> Person:
        """A new person for an address that has just proven itself."""
        with self._s.store.transaction() as tx:
            person = tx.people.new(name or address.partition("@")[0], address)
        self.work.people[person.id] = person
        return person
