"""What a command can be refused for: facts and a code; the sentence is chosen in `report/`."""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from judge.board import Power
from judge.errors import PlayerError
from judge.rules import Illegal, Order, Phase


@dataclass(eq=False)
class UnknownGame(PlayerError):
    """No game of that name (or none that the asker may know of)."""

    code: ClassVar[str] = "unknown_game"
    name: str


@dataclass(eq=False)
class WhichGame(PlayerError):
    """The mail does not say which game it means; `games` are those the sender plays in."""

    code: ClassVar[str] = "which_game"
    games: tuple[str, ...]


@dataclass(eq=False)
class BadName(PlayerError):
    """A game's name must be 2 to 16 letters and digits, a letter first."""

    code: ClassVar[str] = "bad_name"
    name: str


@dataclass(eq=False)
class NameTaken(PlayerError):
    """Another game has that name."""

    code: ClassVar[str] = "name_taken"
    name: str


@dataclass(eq=False)
class UnknownVariant(PlayerError):
    """No such variant is installed."""

    code: ClassVar[str] = "unknown_variant"
    name: str
    known: tuple[str, ...]


@dataclass(eq=False)
class UnknownPower(PlayerError):
    """The variant has no such power."""

    code: ClassVar[str] = "unknown_power"
    name: str
    powers: tuple[Power, ...]


@dataclass(eq=False)
class SeatTaken(PlayerError):
    """Somebody else plays that power; `free` are the open ones."""

    code: ClassVar[str] = "seat_taken"
    power: Power
    free: tuple[Power, ...]


@dataclass(eq=False)
class NoSeatFree(PlayerError):
    """Every power is taken."""

    code: ClassVar[str] = "no_seat_free"
    name: str


@dataclass(eq=False)
class AlreadySeated(PlayerError):
    """The person has a seat in that game already: one person, one seat."""

    code: ClassVar[str] = "already_seated"
    seat: str


@dataclass(eq=False)
class NotAllowed(PlayerError):
    """The command is for others (`who` is "player", "master" or "seated")."""

    code: ClassVar[str] = "not_allowed"
    command: str
    who: str


@dataclass(eq=False)
class NoProof(PlayerError):
    """The mail does not prove who wrote it; reply to a letter of the game."""

    code: ClassVar[str] = "no_proof"
    command: str


@dataclass(eq=False)
class NotRunning(PlayerError):
    """The game has not begun, is paused or has ended; `status` says which."""

    code: ClassVar[str] = "not_running"
    status: str


@dataclass(eq=False)
class HasBegun(PlayerError):
    """This can only be done before the game begins."""

    code: ClassVar[str] = "has_begun"
    name: str


@dataclass(eq=False)
class NothingDue(PlayerError):
    """The power has nothing to order in this phase."""

    code: ClassVar[str] = "nothing_due"
    phase: Phase


@dataclass(eq=False)
class NotFiled(PlayerError):
    """A readable order that is impossible; `kept` is the older order of that unit, which stays in force."""

    code: ClassVar[str] = "not_filed"
    order: Order
    illegal: Illegal
    kept: Order | None = None


@dataclass(eq=False)
class OlderMail(PlayerError):
    """A mail that arrived before the one whose order is on file; the newer order stays."""

    code: ClassVar[str] = "older_mail"
    order: Order
    filed_at: datetime


@dataclass(eq=False)
class TooMany(PlayerError):
    """More builds or removals than are due."""

    code: ClassVar[str] = "too_many"
    order: Order
    due: int


@dataclass(eq=False)
class TooLate(PlayerError):
    """The mail answers a letter of a phase that is closed."""

    code: ClassVar[str] = "too_late"
    phase: str
    now: Phase


@dataclass(eq=False)
class OtherPhase(PlayerError):
    """A guard names a phase that is not the open one."""

    code: ClassVar[str] = "other_phase"
    asked: Phase
    now: Phase


@dataclass(eq=False)
class PressNotAllowed(PlayerError):
    """The game's press rule forbids it; `rule` names it."""

    code: ClassVar[str] = "press_not_allowed"
    rule: str


@dataclass(eq=False)
class PressEmpty(PlayerError):
    """A message without text."""

    code: ClassVar[str] = "press_empty"


@dataclass(eq=False)
class PressReveals(PlayerError):
    """The text holds an address or a name that must stay hidden in this game."""

    code: ClassVar[str] = "press_reveals"
    found: str


@dataclass(eq=False)
class UnknownAddressee(PlayerError):
    """The message names somebody who is not in the game."""

    code: ClassVar[str] = "unknown_addressee"
    name: str
    powers: tuple[Power, ...]


@dataclass(eq=False)
class BadCode(PlayerError):
    """No such code waits, or not for this sender, or its time is over."""

    code: ClassVar[str] = "bad_code"
    given: str


@dataclass(eq=False)
class BadMoment(PlayerError):
    """A moment that cannot be read or lies in the past."""

    code: ClassVar[str] = "bad_moment"
    text: str


@dataclass(eq=False)
class FarMoment(BadMoment):
    """A day without its year of which the next is far away: more likely one that has just gone by."""

    code: ClassVar[str] = "far_moment"


@dataclass(eq=False)
class GraceBefore(PlayerError):
    """An end of grace that does not lie after the deadline."""

    code: ClassVar[str] = "grace_before"
    deadline: datetime


@dataclass(eq=False)
class UnknownPhase(BadMoment):
    """A phase that cannot be read."""

    code: ClassVar[str] = "unknown_phase"


@dataclass(eq=False)
class BadSetting(PlayerError):
    """No such setting, or a value it cannot take; `choices` are what it takes ("" entries mean free text)."""

    code: ClassVar[str] = "bad_setting"
    key: str
    value: str
    choices: tuple[str, ...]


@dataclass(eq=False)
class UnknownSetting(BadSetting):
    """No such setting; `choices` are those that the asker can set."""

    code: ClassVar[str] = "unknown_setting"


@dataclass(eq=False)
class MastersSetting(PlayerError):
    """A setting of the game, from somebody who is not its master; `choices` are those that everybody has."""

    code: ClassVar[str] = "masters_setting"
    key: str
    choices: tuple[str, ...]


@dataclass(eq=False)
class NothingBehind(PlayerError):
    """A command that does something and takes nothing behind its word, with a text behind it that was not understood."""

    code: ClassVar[str] = "nothing_behind"
    command: str
    text: str


@dataclass(eq=False)
class UnknownCommand(PlayerError):
    """A line that is neither an order nor a command."""

    code: ClassVar[str] = "unknown_command"
    text: str


@dataclass(eq=False)
class OutsideGames(UnknownCommand):
    """A line that is no command, from somebody without a game: an order needs one."""

    code: ClassVar[str] = "outside_games"


@dataclass(eq=False)
class CommandIncomplete(PlayerError):
    """A command without what it needs; `command` names its help page."""

    code: ClassVar[str] = "command_incomplete"
    command: str


@dataclass(eq=False)
class NoOrdersHere(PlayerError):
    """An order line from somebody who plays no power in the game the mail is about."""

    code: ClassVar[str] = "no_orders_here"
    text: str


@dataclass(eq=False)
class NothingFound(PlayerError):
    """A mail in which no order and no command was found; `why` says what it held (``no_text``, ``only_quotes``, ``only_picture``...)."""

    code: ClassVar[str] = "nothing_found"
    why: str


@dataclass(eq=False)
class Locked(PlayerError):
    """The deadline has passed, others are late, and this game locks the orders of those who were in time."""

    code: ClassVar[str] = "locked"


@dataclass(eq=False)
class NotApproved(PlayerError):
    """The master has not approved this player yet."""

    code: ClassVar[str] = "not_approved"


@dataclass(eq=False)
class WrongInvitation(PlayerError):
    """A private game, and the line holds no invitation, or another one."""

    code: ClassVar[str] = "wrong_invitation"
    name: str


@dataclass(eq=False)
class TooUnreliable(PlayerError):
    """The game wants a better record: this share of phases ordered in time, in percent."""

    code: ClassVar[str] = "too_unreliable"
    wanted: int
    own: int


@dataclass(eq=False)
class Banned(PlayerError):
    """The keeper of the judge has barred the address."""

    code: ClassVar[str] = "banned"


@dataclass(eq=False)
class SamePerson(PlayerError):
    """Another seat of the game belongs to the same person, address or reply path."""

    code: ClassVar[str] = "same_person"


@dataclass(eq=False)
class VoteNotAllowed(PlayerError):
    """The game does not have such a vote; `rule` says which it has ("all", "listed", "none", "concede", "rank", "master")."""

    code: ClassVar[str] = "vote_not_allowed"
    rule: str


@dataclass(eq=False)
class NotLargest(PlayerError):
    """A win can be conceded only to the one power that has the most centres."""

    code: ClassVar[str] = "not_largest"
    power: Power


@dataclass(eq=False)
class NotAlive(PlayerError):
    """The power has been eliminated."""

    code: ClassVar[str] = "not_alive"
    power: Power


@dataclass(eq=False)
class AbsenceRefused(PlayerError):
    """An absence that cannot be: `why` is "past", "overlap", "many" or "none" (there is no such one)."""

    code: ClassVar[str] = "absence_refused"
    why: str


@dataclass(eq=False)
class PhaseNotAhead(PlayerError):
    """Orders ahead are for a later phase of at most some years."""

    code: ClassVar[str] = "phase_not_ahead"
    phase: str
    now: Phase


@dataclass(eq=False)
class BadCondition(PlayerError):
    """A condition that cannot be read; `text` is where it stops making sense."""

    code: ClassVar[str] = "bad_condition"
    text: str


@dataclass(eq=False)
class NotHere(PlayerError):
    """A line that cannot stand below PHASE (or IF, ELSE, ENDIF without it)."""

    code: ClassVar[str] = "not_here"
    text: str


@dataclass(eq=False)
class NoSuchTurn(PlayerError):
    """No closed phase of that name or number to go back to; `why` is "none" where no phase has closed, "few" where fewer have."""

    code: ClassVar[str] = "no_such_turn"
    text: str
    why: str = ""


@dataclass(eq=False)
class NoSuchSeat(PlayerError):
    """Nobody of that name or seat is in the game."""

    code: ClassVar[str] = "no_such_seat"
    text: str


@dataclass(eq=False)
class NotSeen(PlayerError):
    """The master's setting of what masters may see does not reach this far."""

    code: ClassVar[str] = "not_seen"
    sight: str


@dataclass(eq=False)
class NothingToDo(PlayerError):
    """The command does nothing now; `command` is its word."""

    code: ClassVar[str] = "nothing_to_do"
    command: str


@dataclass(eq=False)
class ReasonMissing(PlayerError):
    """A change of the board wants a reason, which is told to all."""

    code: ClassVar[str] = "reason_missing"


@dataclass(eq=False)
class BadBoard(PlayerError):
    """A change of the board that cannot be: `text` says where it fails."""

    code: ClassVar[str] = "bad_board"
    text: str


@dataclass(eq=False)
class OldWord(PlayerError):
    """A word of another judge that means nothing here; `word` chooses the sentence that says what to use instead."""

    code: ClassVar[str] = "old_word"
    word: str
