"""What people ask about themselves, and what the keeper may do."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from judge.errors import PlayerError
from judge.game import (
    CODE_LIVES,
    COMMANDS,
    Answer,
    CodeSent,
    Command,
    CommandIncomplete,
    DataShown,
    ExportData,
    GameRow,
    Guest,
    Keep,
    NoProof,
    NoSuchSeat,
    NotAllowed,
    OwnGamesShown,
    Person,
    SamePerson,
    SetAddress,
    SettingSet,
    SetWish,
    ShowOwnGames,
    Told,
    UnknownGame,
    appoint,
    leave,
)
from judge.language.commands import CommandReader
from judge.language.powerindex import PowerIndex
from judge.language.requests import Line
from judge.service.codes import fresh_code
from judge.service.counter import Where
from judge.service.doing import Doing
from judge.service.heldback import DIGESTS, note_wish
from judge.service.keeping import BANS, read_bans
from judge.service.own import data_of, own_games
from judge.service.standby import queue_mark
from judge.service.wishes import change_wish
from judge.service.work import NewCode
from judge.store import PendingCode

KEEPER_NUMBER = -1
"""Stands for the keeper, who is no person of the judge, beside a code."""


class OwnMatters(Doing):
    """Answers people about themselves, and obeys the keeper."""

    def _own_matters(self, command: Command, line: str, where: Where) -> Sequence[Answer | PlayerError]:
        """What somebody asks about herself, at any place in a mail.  Raises `NoProof`, `NotAllowed`."""
        if isinstance(command, Keep):
            return self._ask_keeper(line)
        person = self._person(getattr(where.actor, "person", None)) or self._sender.proven or self._person_at(where)
        if person is None:
            raise NoProof(COMMANDS[type(command)].word)
        if isinstance(command, ShowOwnGames):
            return (OwnGamesShown(tuple(own_games(self._tx, self._s.packs, person))),)
        if isinstance(command, ExportData):
            return (DataShown(tuple(data_of(self._tx, person))),)
        if self.checking:
            return (Told("would_do"),)
        address = command.address if isinstance(command, SetAddress) else person.address
        owner = self._tx.people.by_address(address)
        if owner is not None and owner.id != person.id:
            raise SamePerson
        until = self._at + CODE_LIVES
        self.work.codes.append(NewCode(fresh_code(), address, person.name, line, until, person.id))
        return (CodeSent(line, address, until),)

    def _ask_keeper(self, line: str) -> Sequence[Answer | PlayerError]:
        """A command of the keeper, to whom a code goes.  Raises `NotAllowed` for anybody else."""
        operator = self._s.config.judge.operator
        if not operator or self._sender.address.lower() != operator.lower():
            raise NotAllowed("keeper", "keeper")
        until = self._at + CODE_LIVES
        self.work.codes.append(NewCode(fresh_code(), operator, self._sender.name, line, until, KEEPER_NUMBER))
        return (CodeSent(line, operator, until),)

    def _confirm_own(self, kept: PendingCode) -> Sequence[Answer | PlayerError]:
        """An address change, an erasure or a keeper's command whose code came back."""
        match = self._s.words.match(kept.line)
        assert match is not None, kept.line
        command = CommandReader(self._s.words, PowerIndex({}, ())).read(Line(0, kept.line, match.name, match.rest, match.language))
        number = int(kept.facts["person"])
        if isinstance(command, Keep):
            return self._keep(command)
        person = self._tx.people.get(number)
        if isinstance(command, SetAddress):
            self.work.change(replace(person, address=command.address))
            return (Told("new_address", {"address": command.address}),)
        return self._erase(person)

    def _erase(self, person: Person) -> Sequence[Answer | PlayerError]:
        """Everything of a person forgotten: seats are left first, a master's too."""
        for kept in self._tx.games.of_person(person.id):
            held = self._held(kept.game.name)
            if held is None:
                continue
            for seat in [seat for seat in held.game.all_seats if seat.person == person.id]:
                self._remember(Guest(), held.game)
                held.take(leave(held.game, seat.key, held.pack.variant, self._at))
        self.work.erased.append(person.id)
        self.work.marks[queue_mark(person.id)] = ""
        return (Told("erased"),)

    def _keep(self, command: Keep) -> Sequence[Answer | PlayerError]:
        """A confirmed command of the keeper.  Raises `CommandIncomplete`, `UnknownGame`, `NoSuchSeat`."""
        bans = read_bans(self.work.marks.get(BANS) or self._tx.marks.get(BANS))
        words = tuple(word.lower() for word in command.words)
        if command.what == "bans":
            return (DataShown(tuple(("ban", ban) for ban in bans)),)
        if command.what == "master":
            return self._appoint(words)
        if not words:
            raise CommandIncomplete("keeper")
        kept = tuple(ban for ban in bans if ban not in words)
        self.work.marks[BANS] = "\n".join((*kept, *words) if command.what == "ban" else kept)
        return (Told(f"keeper_{command.what}", {"names": words}),)

    def _appoint(self, words: Sequence[str]) -> Sequence[Answer | PlayerError]:
        """Another master for a game whose own one is silent."""
        held = self._held(words[0]) if len(words) == 2 else None
        if held is None:
            raise UnknownGame(" ".join(words[:1]))
        person = self._tx.people.by_address(words[1])
        if person is None:
            raise NoSuchSeat(words[1])
        self._remember(Guest(), held.game)
        self.work.people[person.id] = person
        done = appoint(held.game, person.id, self._at)
        held.take(done)
        return done.answers

    def _wish(self, command: SetWish, where: Where) -> Answer:
        """A person's own setting.  Raises `NoProof`, `BadSetting`."""
        person = self._person(getattr(where.actor, "person", None)) or self._sender.proven
        if person is None:
            raise NoProof("set")
        changed = change_wish(person, command.key, command.value, self._s.config.judge.languages)
        self.work.change(changed)
        if command.key == "digest":
            kept = self.work.marks.get(DIGESTS) or self._tx.marks.get(DIGESTS)
            self.work.marks[DIGESTS] = note_wish(kept, changed, self._at)
        return SettingSet(command.key, command.value)

    def _rows(self, name: str) -> Iterator[GameRow]:
        """Listed games, or one of them by name."""
        return (row for row in self._tx.games.listed(limit=200) if name in ("", row.name))
