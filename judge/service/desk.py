"""One mail's blocks carried out: lines to commands, commands to what they do.  Reads the store, writes nothing."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby

from judge.errors import PlayerError
from judge.game import (
    Answer,
    BadSetting,
    ClearAhead,
    ClearOrders,
    Command,
    CommandIncomplete,
    Confirm,
    CreateGame,
    DryRun,
    EraseData,
    ExportData,
    FileAhead,
    Filed,
    GamesListed,
    Guest,
    Help,
    HelpGiven,
    Item,
    Keep,
    ListGames,
    Master,
    NoProof,
    NotAllowed,
    NotHere,
    NotRunning,
    Observe,
    Player,
    PressNotClosed,
    SetAddress,
    SetSetting,
    SetWish,
    ShowOwnGames,
    SignOn,
    StandBy,
    Status,
    StatusAsked,
    Told,
    TooLate,
    UnknownCommand,
    UnknownGame,
    WhichGame,
    become,
    check_ahead,
    check_sight,
    dry_run,
)
from judge.language.complaints import Ignored, NotAnOrder
from judge.language.linereading import LineKind
from judge.language.requests import Block, Line, PressText, Request, read_request
from judge.mail import Message
from judge.service.context import Services
from judge.service.counter import Where
from judge.service.filing import MOST_ITEMS, Filing, warn_of_the_whole
from judge.service.identity import read_sender, routes_of
from judge.service.newcomers import Newcomers
from judge.service.plans import BRANCHING, Guesses, Plan, guessed_orders, outside
from judge.service.work import Part
from judge.store import Transaction as StoreTransaction

PROSE_SHOWN = 60
"""Characters shown of a line that was passed over."""


@dataclass
class Mode:
    """How the following lines of a block are meant: for a later phase, or as guesses; else they are done at once."""

    plan: Plan | None = None
    guesses: Guesses | None = None


MODES = BRANCHING | {"phase", "preview", "become", "clear", "wait"}
"""Commands that change how the lines below them are meant, or mean something else there."""

ALSO_ORDERS = frozenset({"create"})
"""Commands whose word begins orders too."""

LOOKS = frozenset({"summary", "history", "who", "status", "settings", "log"})
"""Commands that may name the game they look at."""


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


def pass_over_prose(part: Part) -> None:
    """Greetings and other prose in a mail of which something came are passed over, which is told, but are no failures."""
    for number, item in enumerate(part.items):
        if item.outcomes and all(isinstance(outcome, NotAnOrder) for outcome in item.outcomes):
            part.items[number] = Item(item.line, (), (Ignored(item.line[:PROSE_SHOWN]),))


class Desk(Filing, Newcomers):
    """Works out what one mail does."""

    in_subject = False
    """Whether the text is the mail's subject."""

    def carry_out(self, text: str, *, in_subject: bool = False) -> Request:
        """Every block of one text of the mail, in order; a game that a subject only names opens nothing there."""
        self.in_subject = in_subject
        meant = {} if in_subject else {"meant": self._game_meant}
        request = read_request(text, self._message.subject, self._s.words, self._is_game, **meant)
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
            unread = (entry for entry in block.entries[:MOST_ITEMS] if not self._s.words.courtesies.is_courtesy(self._shown(entry)))
            self.work.part(None, "").items.extend(Item(self._shown(entry), (fault,)) for entry in (block.opening, *unread))
            return
        entries = list(block.entries)
        if block.opening is not None and not isinstance(where.actor, Guest) and not self._wants_seat(block, where) and not self.in_subject:
            self._greet_seated(block, where)
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
        runs = [(is_order, list(run)) for is_order, run in groupby((self._as_meant(entry, where) for entry in entries), key=_is_order_line)]
        self.parted = sum(is_order for is_order, _ in runs) > 1
        for is_order, run in runs:
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
        phase = self._reader(where).options.phase(line.rest)
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
        power = self._reader(where).options.one_power(line.rest, "become")
        done = become(where.held.game, power, where.actor.key, self._at)
        where.held.take(done)
        where.part.items.append(Item(self._shown(line), done.answers))
        return replace(where, actor=Player(power, where.actor.person), deputy=True)

    def _entry(self, entry: Line | PressText, where: Where) -> Where:
        """One command or message; returns where the following lines are meant."""
        before = where
        shown = self._shown(entry)
        self.languages.append(entry.language)
        remarks: tuple[object, ...] = ()
        try:
            where, entry = self._elsewhere(entry, where)
            if isinstance(entry, PressText):
                command: Command = self._reader(where).read_text(entry)
            else:
                command = self._reader(where).read(entry)
            outcomes = self._command(command, entry, where)
            if isinstance(entry, Line) and (behind := self._reader(where).passed_over(entry)):
                remarks = (Ignored(behind[:PROSE_SHOWN]),)
            if any(isinstance(outcome, Answer) for outcome in outcomes):
                self.work.commands.append((where.part, command))
        except PlayerError as fault:
            outcomes = (fault,)
        open_end = isinstance(entry, PressText) and not entry.closed and not any(isinstance(o, PlayerError) for o in outcomes)
        remarks = (PressNotClosed(),) if open_end else remarks
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

    def _check_language(self, command: Command) -> None:
        """Raise `BadSetting` where a game shall get a language that this site does not write."""
        settings = command.options if isinstance(command, CreateGame) else ()
        wanted = (*settings, (command.key, command.value)) if isinstance(command, SetSetting) else settings
        languages = self._s.config.judge.languages
        for key, value in wanted:
            if key == "language" and value.strip().lower() not in languages:
                raise BadSetting(key, value, languages)

    def _command(self, command: Command, entry: Line | PressText, where: Where) -> Sequence[Answer | PlayerError]:
        """One command carried out, or its confirmation asked.  Raises `PlayerError`."""
        self._check_language(command)
        match command:
            case CreateGame() | Observe() | SignOn() | StandBy():
                return self._newcomer(command, entry.text if isinstance(entry, Line) else "", where)
            case Confirm(code):
                return self._confirm(code, where)
            case ListGames(name):
                return (GamesListed(tuple(self._rows(name))),)
            case Help(topic):
                return (HelpGiven(topic),)
            case SetWish():
                return (self._wish(command, where),)
            case ClearOrders(places) if places and where.held is not None:
                named = self._s.orders.place_lists(where.held.pack, self._s.words).read(" ".join(places))
                return self._in_game(replace(command, places=named), entry, where)
            case ShowOwnGames() | ExportData() | EraseData() | SetAddress() | Keep():
                return self._own_matters(command, entry.text if isinstance(entry, Line) else "", where)
            case _:
                return self._in_game(command, entry, where)


def work_out(
    services: Services, tx: StoreTransaction, message: Message, number: int, at: datetime, *, only_reading: bool = False
) -> "Desk":
    """The first text of a mail of which something comes, worked out; its first text where nothing comes of any.

    Orders are looked for in the plain text, then in the page, in text attachments, and last in the subject.
    """
    known = tx.people.known(message.from_.address) if message.from_ else None
    sender = read_sender(message, known[0] if known else None, ailing=known is not None and known[1].is_ailing)
    first: Desk | None = None
    typed = [typed.text for typed in message.texts if typed.source != "subject" and typed.text.strip()] or [""]
    subject = [typed.text for typed in message.texts if typed.source == "subject"]
    for text, in_subject in [*((each, False) for each in typed), *((each, True) for each in subject)]:
        desk = Desk(services, tx, message, sender, routes_of(message), number, at, only_reading=only_reading)
        desk.carry_out(text, in_subject=in_subject)
        if desk.work.has_answers:
            return desk
        first = first or desk
    assert first is not None
    return first
