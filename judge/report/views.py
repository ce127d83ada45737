"""What a template is given: frozen values, spelled out in the reader's language and notation, nothing secret in them.

The field names are a promise to operators (docs/templates.md); times are aware datetimes, to be written with the filters.
"""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TypeAlias

from markupsafe import Markup


@dataclass(frozen=True, slots=True)
class GameHead:
    """The game a letter is about, as it stands when the letter is written."""

    name: str
    title: str
    variant: str
    """Title of the variant, in English, as mappers know it."""
    phase: str
    """The open phase in words: "Fall 1903, retreats"."""
    code: str
    """The open phase as players tag it: "F1903R"."""
    status: str
    """"forming", "running", "paused" or "finished"."""
    deadline: datetime | None
    """When the open phase ends; None while the clock stands or nothing runs."""
    moved: tuple[str, ...] = ()
    """Why the deadline lies later than the rule alone has it, as sentences."""
    page: str = ""
    """Address of the game's page on the web, in the reader's language; "" where there is none for everybody to see."""


@dataclass(frozen=True, slots=True)
class ReaderHead:
    """Whom the letter goes to."""

    kind: str
    """"player", "master", "observer", "public" or "keeper"."""
    power: str = ""
    """Title of the reader's power, "" if none."""
    name: str = ""
    zone: str = "UTC"


@dataclass(frozen=True, slots=True)
class Retreating:
    """A dislodged unit that must be ordered."""

    unit: str
    by: str
    """The unit that drove it out."""
    by_power: str
    helpers: tuple[str, ...]
    """The units whose support counted."""
    places: tuple[str, ...]
    """Where it may go."""
    lines: tuple[str, ...]
    """Every order it can be given, disbanding last."""


@dataclass(frozen=True, slots=True)
class Duty:
    """What the reader has to do in the open phase."""

    kind: str
    """"movement", "retreats", "builds", "removals", or "none"."""
    count: int = 0
    """Units to order, builds allowed or removals due."""
    units: tuple[str, ...] = ()
    """The units to be ordered, or from which to remove."""
    sites: tuple[str, ...] = ()
    """Free home centres where something may be built."""
    retreating: tuple[Retreating, ...] = ()
    form: tuple[str, ...] = ()
    """Order lines ready to be changed and sent back; lines that begin with # are suggestions."""
    link: str = ""
    """A mailto: link that opens a letter with the form in it, "" where there is none."""


@dataclass(frozen=True, slots=True)
class OrderLine:
    """One order and what became of it."""

    order: str
    outcome: str
    """One or two words: "moved", "cut", "bounced"."""
    reasons: tuple[str, ...]
    """Sentences that say why; often empty."""
    failed: bool
    dislodged: bool
    given: bool
    """False where nobody ordered the unit and a rule did."""


@dataclass(frozen=True, slots=True)
class PowerOrders:
    """One power's orders in one phase."""

    power: str
    orders: tuple[OrderLine, ...]


@dataclass(frozen=True, slots=True)
class Dislodged:
    """A unit driven out, with its choices; no places means it was destroyed."""

    power: str
    unit: str
    by: str
    by_power: str
    places: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OwnerChange:
    """A centre that changed hands; "" stands for nobody."""

    place: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Holdings:
    """What one power has: units on the board, centres, how that changed."""

    power: str
    units: tuple[str, ...]
    centres: tuple[str, ...]
    count: int
    change: int
    """Centres won or lost in the phase just closed."""
    due: int
    """Builds (above 0) or removals (below 0) that follow from it."""


@dataclass(frozen=True, slots=True)
class ClosedPhase:
    """A phase that was resolved, the same for all readers of a language and notation."""

    phase: str
    code: str
    step: str
    """"M", "R" or "A"."""
    powers: tuple[PowerOrders, ...]
    dislodged: tuple[Dislodged, ...]
    destroyed: tuple[str, ...]
    """Units that were destroyed, with their power: "F Nth (England)"."""
    changes: tuple[OwnerChange, ...]
    counted: bool
    """Whether centres were counted after this phase."""
    refused: tuple[str, ...] = ()
    """Orders from which nothing came because no unit could take them."""


@dataclass(frozen=True, slots=True)
class CommonResult:
    """The part of a result that all readers share."""

    phases: tuple[ClosedPhase, ...]
    """The phases closed, oldest first; several where nobody had anything to do in the later ones."""
    holdings: tuple[Holdings, ...]
    """Every power after them, in the board's order."""
    victory: int
    """Centres that win the game."""


@dataclass(frozen=True, slots=True)
class TurnView:
    """mail/turn: the result of a phase, for one reader."""

    game: GameHead
    reader: ReaderHead
    resolved: str
    """The closed phase in words (the first, where several were closed)."""
    closed_by: str
    """"deadline", "all_in" or "master"."""
    duty: Duty
    own: tuple[OrderLine, ...]
    lost: tuple[Dislodged, ...]
    """The reader's units that were destroyed for want of a retreat."""
    common: CommonResult
    common_text: str
    """shared/result.txt.j2, filled once for all readers of a language."""
    common_html: Markup
    """shared/result.html.j2, filled likewise."""
    ending: "EndingView | None" = None
    picture: bool = False
    """Whether a picture of the board comes with the letter."""
    also: tuple[str, ...] = ()
    """What else has happened since the last result, a sentence each: what concerns the reader alone, seats left, taken, abandoned, and
    what was not worth a letter of its own."""
    alert: str = ""
    """What the subject begins with, where the reader must hear it before all else: civil disorder, an abandoned seat."""


@dataclass(frozen=True, slots=True)
class EndingView:
    """How a game ended."""

    kind: str
    """"won", "conceded", "drawn", "ranked" or "stopped"."""
    powers: tuple[str, ...]
    at: datetime


@dataclass(frozen=True, slots=True)
class SeatRow:
    """One seat of a game as the reader may know it."""

    power: str
    taken: bool
    person: str
    """Name of the person, "" if the seat is open or the name is hidden."""
    own: bool
    state: str
    """"none", "due", "part", "in", "late"; "" if not to be known."""
    standing: str = "playing"
    """"playing", "abandoned", "civil" (civil disorder) or "waits" (for the master's approval)."""


@dataclass(frozen=True, slots=True)
class GameState:
    """Where a game stands, with the reader's own orders."""

    game: GameHead
    reader: ReaderHead
    duty: Duty
    in_force: tuple[str, ...]
    """The reader's orders on file, spelled in full."""
    missing: tuple[str, ...]
    """Units of the reader without an order."""
    filed_at: datetime | None
    """When the newest of them arrived."""
    state: str
    """"none", "due", "part" or "in"."""
    waits: bool
    early: bool
    """Whether the phase closes early once all orders are in."""
    seats: tuple[SeatRow, ...]
    masters: tuple[str, ...]
    free: int
    """Seats still open."""
    board: tuple[Holdings, ...] = ()
    """The board, given where the status was asked for."""
    receipt: str = ""
    """The mark of the newest mail among the orders on file."""
    pending: tuple[str, ...] = ()
    """What waits for a master, a sentence each."""
    overdue: bool = False
    """Whether the deadline has passed and the phase stays open for missing orders."""
    closes: datetime | None = None
    """When an overdue phase is closed whatever is missing; None: it waits."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one line."""

    kind: str
    """"done", "refused" or "told"."""
    text: str
    """The sentence."""
    more: tuple[str, ...] = ()
    """Further sentences: what to write instead, what stays in force."""


@dataclass(frozen=True, slots=True)
class TranscriptLine:
    """One line of the mail, quoted, with what became of it."""

    line: str
    outcomes: tuple[Outcome, ...]
    remarks: tuple[str, ...] = ()
    """What was repaired, and warnings."""


@dataclass(frozen=True, slots=True)
class ListedGame:
    """One game in the list of games."""

    name: str
    title: str
    variant: str
    status: str
    phase: str
    deadline: datetime | None
    free: int
    powers: int


@dataclass(frozen=True, slots=True)
class HelpPage:
    """A help page, ready written."""

    topic: str
    text: str


@dataclass(frozen=True, slots=True)
class CodeView:
    """mail/code: a code that must come back before something is done."""

    game: GameHead | None
    reader: ReaderHead
    code: str
    line: str
    """The command that waits, as it was written."""
    until: datetime
    welcome: bool = False
    """Whether the reader is new here."""
    asked: bool = True
    """False where a mail of the address owner may not have asked for it (nobody proved who wrote)."""
    more: tuple[str, ...] = ()
    """Further commands of the same mail that wait for the same code."""


@dataclass(frozen=True, slots=True)
class AnswerView:
    """mail/answer: the transcript of a mail, then the state of each game it was about."""

    game: GameHead | None
    reader: ReaderHead
    lines: tuple[TranscriptLine, ...]
    states: tuple[GameState, ...] = ()
    games: tuple[ListedGame, ...] = ()
    listed: bool = False
    """Whether the list of games was asked for."""
    help: tuple[HelpPage, ...] = ()
    refused: int = 0
    """How many lines were not carried out."""
    press: tuple["PressCopy", ...] = ()
    leftover: int = 0
    """Further bad lines, not shown."""
    sections: tuple["Section", ...] = ()
    """What was asked for, in order."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of an answer that was asked for: what would happen, the past, one's own notes; ready written."""

    kind: str
    """"dry_run", "summary", "history", "log", "seats", "settings", "submissions", "diary", "own_games", "data" or "ahead"."""
    text: str
    html: Markup


@dataclass(frozen=True, slots=True)
class PressCopy:
    """A message as it was passed on, shown to its sender."""

    to: tuple[str, ...]
    """Titles of the addressees; empty for everybody."""
    text: str


@dataclass(frozen=True, slots=True)
class PressView:
    """mail/press: a message from one player to others."""

    game: GameHead
    reader: ReaderHead
    sender: str
    """Title of the sending power or master, "" where the game hides it."""
    from_master: bool
    to: tuple[str, ...]
    """Titles of the addressees; empty for everybody."""
    others: tuple[str, ...]
    """Everybody a reply goes to: the sender and the other addressees."""
    text: str
    reply_line: str
    """The command that answers only the sender, "" where nobody is known."""
    kind: str = ""
    """"official" for a master's word to all, "postal" for a message kept until the results, else ""."""


@dataclass(frozen=True, slots=True)
class RefusalView:
    """mail/refusal: a mail that could not be used."""

    game: GameHead | None
    reader: ReaderHead
    saw: str
    """What the judge saw, in one sentence."""
    state: GameState | None
    example: str
    """One line that would have worked for this reader now."""


@dataclass(frozen=True, slots=True)
class SeatView:
    """mail/opened, mail/welcome, mail/seat-taken, mail/seat-open: somebody has, gave or left a seat."""

    game: GameHead
    reader: ReaderHead
    seat: str
    """Title of the seat."""
    free: tuple[str, ...]
    """Titles of the powers that are still open."""
    powers: int
    rules: "RulesOfGame"
    address: str
    """The public address to which people write to sign on."""
    invite: str
    """A line with which somebody takes a seat."""


@dataclass(frozen=True, slots=True)
class RulesOfGame:
    """What was agreed for a game."""

    movement: timedelta
    retreat: timedelta
    adjustment: timedelta
    press: str
    """"white", "grey", "public" or "none"."""
    nmr: str
    """"hold" or "wait"."""
    early: bool
    gunboat: bool
    by_lot: bool
    zone: str


@dataclass(frozen=True, slots=True)
class StartView:
    """mail/started: the first phase is open."""

    game: GameHead
    reader: ReaderHead
    duty: Duty
    seats: tuple[SeatRow, ...]
    masters: tuple[str, ...]
    board: tuple[Holdings, ...]
    rules: RulesOfGame
    victory: int
    picture: bool = False


@dataclass(frozen=True, slots=True)
class ReminderView:
    """mail/reminder: orders are missing and the deadline comes near."""

    game: GameHead
    reader: ReaderHead
    left: timedelta
    state: GameState
    waits_for_orders: bool
    """Whether the game would wait for missing orders after the deadline."""


@dataclass(frozen=True, slots=True)
class NewsView:
    """mail/late, mail/deadline, mail/paused, mail/resumed, mail/setting: something about the game changed."""

    game: GameHead
    reader: ReaderHead
    state: GameState
    by: str
    """Title of the one who changed it, "" for the judge itself."""
    before: datetime | None = None
    at: datetime | None = None
    why: str = ""
    """Sentence with the reason, often ""."""
    powers: tuple[str, ...] = ()
    """Powers whose orders are missing, where the reader may know them."""
    is_late: bool = False
    """Whether the reader is one of them."""
    opens: datetime | None = None
    """From when on others may take the seats of those whose orders are missing, where the game waits for them."""
    key: str = ""
    value: str = ""
    more: tuple[tuple[str, str], ...] = ()
    """Other settings that were changed with it, with their values."""
    left: timedelta | None = None


@dataclass(frozen=True, slots=True)
class NoteView:
    """mail/note: something happened that a sentence says."""

    game: GameHead
    reader: ReaderHead
    code: str
    """What happened: the part of the catalogue's code behind ``news.``."""
    subject: str
    text: str
    state: GameState | None = None


@dataclass(frozen=True, slots=True)
class DecisionView:
    """mail/decision: orders are missing, and the master is to decide."""

    game: GameHead
    reader: ReaderHead
    powers: tuple[str, ...]
    """Powers whose orders are missing."""
    common_text: str
    """What would become of the phase as it stands."""
    common_html: Markup


@dataclass(frozen=True, slots=True)
class WordsView:
    """mail/words: what the players say when all is over."""

    game: GameHead
    reader: ReaderHead
    statements: tuple[tuple[str, str], ...]
    """Title of the power, and its words."""


@dataclass(frozen=True, slots=True)
class DigestView:
    """mail/digest: messages and small news of a day in one letter."""

    game: GameHead
    reader: ReaderHead
    entries: tuple["PastEntry", ...]
    text: str
    """shared/past.txt.j2, filled."""


@dataclass(frozen=True, slots=True)
class YearCounts:
    """Centres of every power at the end of a year, in the order of `SummaryView.powers`."""

    year: int
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CentreOwners:
    """Who owned one centre year by year: the beginnings of the powers' titles, "." for nobody."""

    centre: str
    owners: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlayedBy:
    """Who played a power from when to when."""

    power: str
    person: str
    since: str
    until: str
    """"" where it goes on."""


@dataclass(frozen=True, slots=True)
class PowerDeeds:
    """What a power's units did in the whole game."""

    power: str
    ordered: int
    moved: int
    failed: int
    supports: int
    convoys: int
    dislodged: int
    built: int
    removed: int
    unordered: int


@dataclass(frozen=True, slots=True)
class SummaryView:
    """shared/summary.txt.j2: a game by years."""

    powers: tuple[str, ...]
    years: tuple[YearCounts, ...]
    owners: tuple[CentreOwners, ...]
    played: tuple[PlayedBy, ...]
    deeds: tuple[PowerDeeds, ...]
    index: int


@dataclass(frozen=True, slots=True)
class PastEntry:
    """One thing of the past: a message, a resolved phase, or a line of the log."""

    at: datetime
    kind: str
    """"press", "turn" or "event"."""
    head: str
    """Who wrote to whom; the phase; what was done by whom."""
    text: str = ""
    """The message, or the orders of the phase."""


@dataclass(frozen=True, slots=True)
class ListView:
    """shared/past.txt.j2 and shared/rows.txt.j2: entries or rows under a heading."""

    title: str
    entries: tuple[PastEntry, ...] = ()
    left: int = 0
    """Older entries that were left off."""
    rows: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class FinalView:
    """mail/ended: the game is over."""

    game: GameHead
    reader: ReaderHead
    ending: EndingView
    board: tuple[Holdings, ...]
    seats: tuple[SeatRow, ...]
    """Who played what: no longer a secret."""
    won: bool
    """Whether the reader is among the winners."""
    summary_text: str = ""
    """The game by years, ready written; "" where it is not at hand."""


@dataclass(frozen=True, slots=True)
class OperatorView:
    """mail/operator: something the keeper of the judge must know."""

    subject: str
    lines: tuple[str, ...]
    game: GameHead | None = None
    reader: ReaderHead = field(default_factory=lambda: ReaderHead("keeper"))


LetterView: TypeAlias = (
    TurnView
    | AnswerView
    | CodeView
    | PressView
    | RefusalView
    | SeatView
    | StartView
    | ReminderView
    | NewsView
    | FinalView
    | OperatorView
    | NoteView
    | DecisionView
    | WordsView
    | DigestView
)
"""What a template of ``mail/`` is given."""
