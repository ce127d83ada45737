"""One mail's blocks carried out: lines to commands, commands to what they do.  Reads the store, writes nothing."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import TypeAlias

from judge.errors import PlayerError
from judge.game import (
    CODE_LIVES,
    COMMANDS,
    MASTERS,
    SETTINGS,
    Actor,
    Answer,
    Assignment,
    BadCode,
    BadSetting,
    Banned,
    ClearAhead,
    ClearOrders,
    CodeSent,
    Command,
    CommandIncomplete,
    Confirm,
    Confirmed,
    CreateGame,
    DataShown,
    DryRun,
    Eject,
    EraseData,
    ExportData,
    FileAhead,
    Filed,
    FileOrders,
    Game,
    GameRow,
    GamesListed,
    Guest,
    HandOver,
    Help,
    HelpGiven,
    Item,
    Keep,
    ListGames,
    Master,
    Moment,
    NameTaken,
    News,
    NoOrdersHere,
    NoProof,
    NoSeatFree,
    NoSuchSeat,
    NotAllowed,
    NotFiled,
    NotHere,
    NotRunning,
    Observe,
    Observer,
    OtherPhase,
    OwnGamesShown,
    Past,
    Person,
    Player,
    PressNotClosed,
    ProcessNow,
    Promote,
    Proof,
    SamePerson,
    SeatTaken,
    SetAddress,
    SetDeadline,
    SettingSet,
    SetWait,
    SetWish,
    ShowAhead,
    ShowOwnGames,
    ShowStatus,
    SignOn,
    Status,
    StatusAsked,
    Told,
    TooLate,
    TooUnreliable,
    Transition,
    UnknownCommand,
    UnknownGame,
    UnknownPower,
    UnknownVariant,
    WhichGame,
    WrongInvitation,
    actor_at,
    apply,
    appoint,
    ask_confirmation,
    become,
    check_ahead,
    check_allowed,
    check_name,
    check_sight,
    dry_run,
    is_due,
    leave,
    needs_round_trip,
    open_game,
    read_options,
    seat_key,
)
from judge.language.commands import CommandReader, PowerIndex
from judge.language.complaints import Ignored, NotAnOrder
from judge.language.reader import LineKind, LineReading
from judge.language.requests import Block, Line, PressText, Request, read_request
from judge.language.scripts import guess_language
from judge.language.vocabulary import WORD
from judge.language.warnings import warnings_for
from judge.mail import Message, same_code
from judge.rules import Order, Phase
from judge.service.codes import fresh_code
from judge.service.context import Services
from judge.service.identity import Route, Sender, actor_in, read_sender, routes_of, seat_by_token
from judge.service.keeping import BANS, is_banned, near_matches, read_bans, reliability, same_person
from judge.service.own import data_of, own_games
from judge.service.plans import BRANCHING, Guesses, Plan, guessed_orders, outside, stage_of
from judge.service.wishes import change_wish
from judge.service.work import Held, NewCode, Part, Work
from judge.store import PendingCode
from judge.store import Transaction as StoreTransaction

PROSE_SHOWN = 60
"""Characters shown of a line that was passed over."""
MOST_PASSWORDS = 2
"""Words of one line that are tried as passwords."""
SHORTEST_NAME = 4
"""Shorter names are not looked for in messages of games with hidden players: they would be found in any text."""
MOST_ITEMS = 400
"""Lines of one mail that are answered one by one."""


@dataclass(frozen=True, slots=True)
class Where:
    """In which game, and as whom, the lines of a block are meant."""

    held: Held | None
    actor: Actor
    proof: str
    part: Part
    deputy: bool = False
    """Whether a master acts for a power here."""


@dataclass
class Mode:
    """How the following lines of a block are meant: for a later phase, or as guesses; else they are done at once."""

    plan: Plan | None = None
    guesses: Guesses | None = None


Newcomer: TypeAlias = CreateGame | SignOn | Observe
"""What somebody unknown may ask for."""
KEEPER_NUMBER = -1
"""Stands for the keeper, who is no person of the judge, beside a code."""
MODES = BRANCHING | {"phase", "preview", "become", "clear", "wait"}
"""Commands that change how the lines below them are meant, or mean something else there."""
ALSO_ORDERS = frozenset({"create"})
"""Commands whose word begins orders too."""
LOOKS = frozenset({"summary", "history", "who", "status", "settings", "log"})
"""Commands that may name the game they look at."""
DEPUTIES = (FileOrders, ClearOrders, SetWait, FileAhead, ClearAhead, ShowAhead, ShowStatus)
"""What a master may do for a power."""


def _is_order_line(entry: Line | PressText) -> bool:
    return isinstance(entry, Line) and not entry.command


def _as_checked(item: Item) -> Item:
    """A line of a mail that was only checked: what would have been done."""
    return replace(item, outcomes=tuple(_would(outcome) for outcome in item.outcomes))


def _would(outcome: Answer | PlayerError) -> Answer | PlayerError:
    """An outcome in a mail that was only checked."""
    if isinstance(outcome, Filed):
        return Told("would_file", {"order": outcome.order})
    looks = (HelpGiven, StatusAsked, GamesListed, DryRun)
    return outcome if isinstance(outcome, (PlayerError, Told, *looks)) else Told("would_do")


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


def pass_over_prose(part: Part) -> None:
    """Greetings and other prose in a mail of which something came are passed over, which is told, but are no failures."""
    for number, item in enumerate(part.items):
        if item.outcomes and all(isinstance(outcome, NotAnOrder) for outcome in item.outcomes):
            part.items[number] = Item(item.line, (), (Ignored(item.line[:PROSE_SHOWN]),))


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
        self.worded: set[str] = set()
        """Languages of order lines."""
        self.speakers: set[int] = set()
        self.proof = "none"
        self.checking = False
        """Whether the lines are only checked, so that nothing may be begun."""

    @property
    def spoken(self) -> str:
        """The language most lines were written in, else the one the letters of the whole mail show; "" unknown."""
        ours = self._s.config.judge.languages
        spoken = [language for language in self.languages if language in ours]
        if spoken:
            return max(sorted(set(spoken)), key=spoken.count)
        guess = guess_language(self._message.text)
        return guess if guess in ours else ""

    @property
    def is_habit(self) -> bool:
        """Whether the mail shows which language its writer speaks: everybody uses the English words of commands."""
        return self.spoken != "en" or "en" in self.worded

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
            if self.work.has_answers:
                pass_over_prose(part)
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
        if block.opening is not None and block.opening.command == "signon" and self._wants_seat(block, where):
            self._signon(block, where)
            if not entries:
                return
            where = self._again(where)
        self._run(entries, where, self._too_late(request, where))

    def _run(self, entries: Sequence[Line | PressText], where: Where, late: TooLate | None) -> None:
        """The entries of a block one after another; CHECK in front means that nothing of it is done."""
        if entries and isinstance(entries[0], Line) and entries[0].command == "check":
            self._check(entries, where, late)
            return
        mode = Mode()
        for is_order, run in groupby([self._as_meant(entry, where) for entry in entries], key=_is_order_line):
            if is_order:
                self._order_lines([e for e in run if isinstance(e, Line)], where, late, mode)
            else:
                for entry in run:
                    where = self._entry_in(entry, where, mode)
        if mode.guesses is not None:
            self._show_preview(mode.guesses, where)

    def _as_meant(self, entry: Line | PressText, where: Where) -> Line | PressText:
        """A line that begins with a command's word but is an order: "create army Paris" where units are built."""
        if isinstance(entry, Line) and entry.command in ALSO_ORDERS and isinstance(where.actor, Player):
            reading = next(iter(self._readings([entry], where)), None)
            if reading is not None and reading.orders:
                return replace(entry, command="", rest="")
        return entry

    def _order_lines(self, lines: list[Line], where: Where, late: TooLate | None, mode: Mode) -> None:
        """A run of lines without command words, done or kept as the lines before them say."""
        if mode.plan is not None and isinstance(where.actor, Player):
            self._plan(lines, where, mode.plan)
        elif mode.guesses is not None and where.held is not None:
            mode.guesses.readings.extend(self._readings(lines, where, anybody=True))
        else:
            self._orders(lines, where, late)

    def _entry_in(self, entry: Line | PressText, where: Where, mode: Mode) -> Where:
        """One entry that is no order, which may change how the following lines are meant."""
        command = entry.command
        if not isinstance(entry, Line) or command not in MODES:
            return self._entry(entry, where)
        outcomes: Sequence[Answer | PlayerError] = ()
        try:
            if command == "become":
                return self._become(entry, where)
            if command == "preview":
                mode.guesses = self._begin_preview(entry, where)
                return where
            outcomes = self._plan_line(entry, where, mode)
        except PlayerError as fault:
            outcomes = (fault,)
        if outcomes:
            where.part.items.append(Item(self._shown(entry), tuple(outcomes)))
        return where

    # ---- lines that are not done at once

    def _check(self, entries: Sequence[Line | PressText], where: Where, late: TooLate | None) -> None:
        """Everything read and answered, nothing done: what the lines did to the game is forgotten again."""
        before = {name: held.snapshot() for name, held in self.work.held.items()}
        kept = (len(self.work.codes), dict(self.work.changed_people), dict(self.work.people), len(where.part.items))
        where.part.items.append(Item(self._shown(entries[0]), (Told("checking"),)))
        self.checking = True
        self._run(entries[1:], where, late)
        self.checking = False
        for name, held in self.work.held.items():
            held.restore(before.get(name))
        del self.work.codes[kept[0] :]
        self.work.changed_people, self.work.people = kept[1], kept[2]
        for part in self.work.parts:
            part.items[:] = [_as_checked(item) for item in part.items]

    def _plan_line(self, line: Line, where: Where, mode: Mode) -> Sequence[Answer | PlayerError]:
        """PHASE, IF, ELSE, ENDIF, and the few commands that have a meaning below them.  Raises `PlayerError`."""
        if line.command == "phase":
            return self._begin_plan(line, where, mode)
        if mode.plan is None or where.held is None:
            if line.command in BRANCHING:
                raise outside(line)
            self._entry(line, where)
            return ()
        if line.command in BRANCHING:
            mode.plan.branch(line, self._s.orders.conditions(where.held.pack, self._s.words))
            return ()
        if line.command == "clear":
            return self._in_game(ClearAhead(mode.plan.phase), line, where)
        if line.command == "wait":
            return self._in_game(FileAhead((mode.plan.wait(line.text, self._at, self._number),)), line, where)
        raise NotHere(line.text[:200])

    def _begin_plan(self, line: Line, where: Where, mode: Mode) -> Sequence[Answer | PlayerError]:
        """``PHASE F1902M``: what follows is for that phase; for the open one, as if the line were not there."""
        mode.plan = None
        phase = self._reader(where).phase(line.rest)
        if phase is None:
            raise CommandIncomplete("phase")
        if where.held is None:
            raise WhichGame(self._own_games())
        if phase != where.held.game.phase or where.held.game.status is Status.FORMING:
            mode.plan = Plan(phase)
            check_ahead(where.held.game, phase, where.held.pack.variant)
        return ()

    def _plan(self, lines: list[Line], where: Where, plan: Plan) -> None:
        """Order lines for a later phase."""
        for reading in self._readings(lines, where, phase=plan.phase):
            if reading.kind in (LineKind.BLANK, LineKind.COMMENT, LineKind.HEADING):
                continue
            outcomes: Sequence[Answer | PlayerError] = (reading.error or UnknownCommand(reading.line[:200]),)
            try:
                if reading.orders:
                    ahead = plan.orders(reading.orders, reading.line[:200], self._at, self._number)
                    outcomes = self._apply(FileAhead(ahead), where)
            except PlayerError as fault:
                outcomes = (fault,)
            where.part.items.append(Item(reading.line[:500], tuple(outcomes)))

    def _begin_preview(self, line: Line, where: Where) -> Guesses:
        """``PREVIEW``: what follows are guesses.  Raises `WhichGame`, `NoProof`, `NotRunning`."""
        if where.held is None:
            raise WhichGame(self._own_games())
        if isinstance(where.actor, Guest):
            raise NoProof("preview")
        if where.held.game.status not in (Status.RUNNING, Status.PAUSED):
            raise NotRunning(where.held.game.status)
        where.part.items.append(Item(self._shown(line), (Told("preview"),)))
        return Guesses()

    def _show_preview(self, guesses: Guesses, where: Where) -> None:
        """The asker's orders with the guesses, adjudicated; units of which nothing was said hold."""
        assert where.held is not None
        held, own = where.held, where.actor.power if isinstance(where.actor, Player) else ""
        bad = [Item(r.line[:500], (r.error,)) for r in guesses.readings if r.error is not None and not r.orders]
        orders = guessed_orders(held.game, own, guesses.readings, held.pack.variant)
        turn = dry_run(held.game, held.pack.variant, self._at, orders)
        where.part.items.extend((*bad, Item("", (DryRun(turn, guesses=bool(guesses.readings)),))))

    def _become(self, line: Line, where: Where) -> Where:
        """``BECOME FRANCE``: a master acts for that power from here on; the player is told.  Raises `PlayerError`."""
        if where.held is None:
            raise WhichGame(self._own_games())
        if not isinstance(where.actor, Master):
            raise NotAllowed("become", "master")
        check_sight(where.held.game, where.actor)
        power = self._reader(where).one_power(line.rest, "become")
        done = become(where.held.game, power, where.actor.key, self._at)
        where.held.take(done)
        where.part.items.append(Item(self._shown(line), done.answers))
        return replace(where, actor=Player(power, where.actor.person), deputy=True)

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
        """One command or message; returns where the following lines are meant."""
        before = where
        shown = self._shown(entry)
        self.languages.append(entry.language)
        try:
            where, entry = self._elsewhere(entry, where)
            if isinstance(entry, PressText):
                command: Command = self._reader(where).read_text(entry)
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
        return before

    def _elsewhere(self, entry: Line | PressText, where: Where) -> tuple[Where, Line | PressText]:
        """A look at another game than the one the lines are about: ``SUMMARY danube``.  Raises `UnknownGame`."""
        if not isinstance(entry, Line) or entry.command not in LOOKS or not entry.rest:
            return where, entry
        name = entry.rest.split()[0].lower()
        if where.held is not None and name == where.held.game.name:
            return where, replace(entry, rest=entry.rest.partition(" ")[2])
        if not self._is_game(name):
            return where, entry
        found = self._settle(Block(name, (), entry, ()), Request("", "", ()))
        assert found.held is not None
        if isinstance(found.actor, Guest) and not found.held.game.settings.listed:
            raise UnknownGame(name)
        return found, replace(entry, rest=entry.rest.partition(" ")[2])

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
            case ShowOwnGames() | ExportData() | EraseData() | SetAddress() | Keep():
                return self._own_matters(command, entry.text if isinstance(entry, Line) else "", where)
            case _:
                return self._in_game(command, entry, where)

    def _in_game(self, command: Command, entry: Line | PressText, where: Where) -> Sequence[Answer | PlayerError]:
        """A command inside a game."""
        if where.held is None:
            raise WhichGame(self._own_games())
        if isinstance(where.actor, Guest) and COMMANDS[type(command)].proof is not Proof.NONE:
            raise NoProof(COMMANDS[type(command)].word)
        check_allowed(command, where.actor)
        if where.deputy and not isinstance(command, DEPUTIES):
            raise NotAllowed(COMMANDS[type(command)].word, "player")
        game = where.held.game
        if needs_round_trip(command) and not self.checking:
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
        if isinstance(command, Eject | Promote | HandOver):
            command = replace(command, who=self._seat_meant(command.who, where.held))
        moment = replace(self._moment(where.actor), past=self._past(command, where.held), hidden_words=self._hidden(where.held))
        transition, outcomes = apply(where.held.game, command, where.actor, where.held.pack.variant, moment)
        where.held.take(transition)
        return outcomes

    def _moment(self, actor: Actor | None = None) -> Moment:
        """Time, mail, chance, a code and the asker's zone for the core."""
        person = self._person(getattr(actor, "person", None))
        zone = (person.zone if person else "") or self._s.config.judge.zone
        return Moment(self._at, self._number, self._s.draw, fresh_code(), zone=zone)

    def _past(self, command: Command, held: Held) -> Past:
        """What the table of commands says that a command needs to know of the past, and what this mail has added to it."""
        needs, game = COMMANDS[type(command)].needs, held.game.id
        if not needs or held.version == 0:
            return Past()
        turns = self._tx.turns.of(game, withdrawn="withdrawn" in needs) if "turns" in needs else ()
        press = (*self._tx.press.of(game), *held.press) if "press" in needs else ()
        events = (*self._tx.events.of(game), *held.events) if "events" in needs else ()
        submissions = (*self._tx.submissions.of(game), *held.submissions) if "submissions" in needs else ()
        gone = set(held.withdrawn)
        return Past((*(turn for turn in turns if turn.number not in gone), *held.turns), press, events, submissions)

    def _hidden(self, held: Held) -> tuple[str, ...]:
        """Names and addresses that must stay hidden in a game where players do not know each other."""
        if not held.game.settings.gunboat:
            return ()
        people = [self._person(seat.person) for seat in held.game.seats if seat.person is not None]
        words = [word for person in people if person for word in (person.address, person.name)]
        return tuple(word for word in words if len(word) >= SHORTEST_NAME)

    def _seat_meant(self, who: str, held: Held) -> str:
        """The seat of somebody named by seat or by address.  Raises `NoSuchSeat`."""
        if held.game.seat(who) is not None:
            return who
        for seat in held.game.all_seats:
            person = self._person(seat.person)
            if person is not None and person.address.lower() == who.lower():
                return seat.key
        raise NoSuchSeat(who)

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
        for number, person in self._tx.people.many(game.everybody).items():
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
                self.worded.add(reading.lang)
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

    def _readings(self, lines: list[Line], where: Where, *, phase: Phase | None = None, anybody: bool = False) -> Iterator[LineReading]:
        """The lines read by the order language, with the help of the position and of what the sender wrote before.

        For another `phase` the board counts as it stands; with `anybody` the orders may be of every power's units.
        """
        assert where.held is not None
        game, pack = where.held.game, where.held.pack
        power = where.actor.power if isinstance(where.actor, Player) and not anybody else None
        person = self._person(getattr(where.actor, "person", None))
        own = [each for each in (person.language, person.spoken) if each] if person else []
        prefer = own or [game.settings.language]
        position = stage_of(game.position, phase or game.phase)
        yield from self._s.orders.read([line.text for line in lines], pack, position, power, prefer)

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
        return SignOn(game.name, power, reader.wishes(wishes) if wishes else (), word)

    def _newcomer(self, command: CreateGame | SignOn | Observe, line: str, where: Where) -> Sequence[Answer | PlayerError]:
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

    def _person_at(self, where: Where) -> Person | None:
        """The person of a mail that came with a secret of another game from the registered address."""
        for route in self._routes:
            held = self._held(route.game) if route.token else None
            seat = seat_by_token(self._s.keys, held.game, route.token) if held else None
            person = self._person(seat.person) if seat else None
            if person is not None and person.address.lower() == self._sender.address.lower():
                return person
        return None

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
            raise BadSetting(left[0], "", tuple(SETTINGS))
        return replace(command, variant=variant, words=())

    def _check_newcomer(self, command: CreateGame | SignOn | Observe) -> None:
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

    def _admit(self, command: CreateGame | SignOn | Observe, person: Person) -> Sequence[Answer | PlayerError]:
        """Carry out a newcomer's command for a person whose address is proven."""
        self.work.people[person.id] = person
        if isinstance(command, CreateGame):
            return self._create(command, person).answers
        held = self._held(command.game)
        assert held is not None
        if isinstance(command, SignOn):
            self._check_person(held.game, person)
        transition, outcomes = apply(held.game, command, Guest(person.id), held.pack.variant, self._moment(Guest(person.id)))
        held.take(transition)
        self._remember(Guest(), held.game)
        if isinstance(command, SignOn):
            near = near_matches(held.game, person, self._others(held.game, person))
            told = tuple(News("near_match", MASTERS, {"seat": seat.key, "name": person.name}) for seat in near)
            held.take(Transition(held.game, notices=told))
        return outcomes

    def _others(self, game: Game, person: Person) -> list[Person]:
        """The other people who sit in a game."""
        numbers = [seat.person for seat in game.all_seats if seat.person not in (None, person.id)]
        return [found for number in numbers if (found := self._person(number)) is not None]

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
        if kept.facts.get("person"):
            return (Confirmed(kept.line), *self._confirm_own(kept))
        person = self._tx.people.by_address(kept.address) or self._register(kept.address, kept.facts.get("name", ""))
        command = self._reparse(kept.line, person)
        return (Confirmed(kept.line), *self._admit(command, person))

    # ---- a person's own matters, and the keeper's

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
