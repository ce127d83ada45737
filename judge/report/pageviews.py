"""What a template of ``web/`` is given: frozen values, spelled out in the page's language, nothing in them that the public may not know.

The field names are a promise to operators (docs/templates.md), like those of `views`.
"""

from dataclasses import dataclass
from datetime import datetime

from judge.report.views import (
    ClosedPhase,
    CommonResult,
    EndingView,
    GameHead,
    Holdings,
    PastEntry,
    RulesOfGame,
    SeatRow,
    SummaryView,
)


@dataclass(frozen=True, slots=True)
class LanguageLink:
    """The same page in one of the languages."""

    code: str
    name: str
    """The language in its own words."""
    href: str
    here: bool
    """Whether this page is in it."""


@dataclass(frozen=True, slots=True)
class PageHead:
    """Where a page stands; every link leads from this page, so that the site works in any folder."""

    kind: str
    """"games", "finished", "open", "players", "player", "game", "phase", "press", "missing" or "root"."""
    top: str
    """Way to the top of the site, "" or ``../`` once or more."""
    home: str
    """Link to the list of games."""
    open_seats: str
    players: str
    feed: str
    """Link to the feed of results that goes with the page."""
    languages: tuple[LanguageLink, ...]


@dataclass(frozen=True, slots=True)
class NamedLink:
    """A person or a game by name; `href` "" where there is no page."""

    name: str
    href: str


@dataclass(frozen=True, slots=True)
class GameCard:
    """One game in a list."""

    name: str
    title: str
    variant: str
    status: str
    """"forming", "running", "paused" or "finished"."""
    phase: str
    deadline: datetime | None
    free: tuple[str, ...]
    """Titles of the powers that are open."""
    powers: int
    masters: tuple[NamedLink, ...]
    ending: EndingView | None
    href: str


@dataclass(frozen=True, slots=True)
class GamesPage:
    """web/games: the games that are on or forming, and those that ended last."""

    games: tuple[GameCard, ...]
    finished: tuple[GameCard, ...]
    more: str
    """Link to all games that are over, "" if these are all."""


@dataclass(frozen=True, slots=True)
class FinishedPage:
    """web/finished: games that are over, the last one first."""

    games: tuple[GameCard, ...]
    number: int
    count: int
    """How many such pages there are."""
    before: str
    """Link to the page before, "" on the first."""
    after: str


@dataclass(frozen=True, slots=True)
class OpenGame:
    """A game with seats to be had, and how to take one."""

    game: GameCard
    rules: RulesOfGame
    invite: str
    """The line that takes a seat."""
    link: str
    """A mailto: link that opens a letter with that line."""


@dataclass(frozen=True, slots=True)
class OpenPage:
    """web/open: seats to be had."""

    games: tuple[OpenGame, ...]


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """One player in the list of players."""

    person: NamedLink
    playing: int
    """Seats in games that go on."""
    finished: int
    """Games played to their end."""
    won: int
    drawn: int
    """Draws in which the player's power had a share."""


@dataclass(frozen=True, slots=True)
class PlayersPage:
    """web/players: everybody of whom it may be known that they play."""

    players: tuple[PlayerRow, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """What one person played in one game; `power` is "" for its master."""

    game: NamedLink
    variant: str
    power: str
    since: str
    until: str
    """The phase in which somebody else took over, "" where the person stayed."""
    status: str
    result: str
    """"won", "drawn", "other", or "" while the game goes on."""


@dataclass(frozen=True, slots=True)
class PlayerPage:
    """web/player: one person's games."""

    name: str
    row: PlayerRow
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class PictureLink:
    """A picture of the board."""

    src: str
    width: int
    height: int
    alt: str
    full: str
    """Link to the same picture, large, with title and key."""


@dataclass(frozen=True, slots=True)
class PhaseLink:
    """One phase in the row of all phases."""

    phase: str
    code: str
    year: int
    href: str
    picture: str
    """Address of its picture."""
    full: str
    """Link to the same picture, large, with title and key."""
    here: bool


@dataclass(frozen=True, slots=True)
class ChartMark:
    """A place on a chart and what stands there."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class ChartLine:
    """One power's centres over the years, in px of the chart."""

    power: str
    initial: str
    colour: str
    points: str
    """As SVG's ``polyline`` takes them."""
    x: float
    y: float
    """Where the line ends."""
    label: float
    """Height of its label, clear of the others."""
    count: int


@dataclass(frozen=True, slots=True)
class ChartView:
    """Centres by year as a drawing of lines; the same numbers stand in `GamePage.counts`."""

    width: int
    height: int
    left: float
    right: float
    lines: tuple[ChartLine, ...]
    years: tuple[ChartMark, ...]
    grid: tuple[ChartMark, ...]
    is_narrow: bool = False


@dataclass(frozen=True, slots=True)
class YearRow:
    """Centres of every power at the end of a year, in the order of `GamePage.seats`."""

    year: str
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PlayerSeat:
    """A power, and who plays it as far as that may be known."""

    power: str
    initial: str
    colour: str
    taken: bool
    person: NamedLink | None
    """None for an open seat or a hidden person."""
    before: tuple[NamedLink, ...]
    """Who played it earlier."""
    count: int
    """Its centres."""
    units: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GamePage:
    """web/game: one game as it stands."""

    game: GameHead
    ending: EndingView | None
    rules: RulesOfGame
    seats: tuple[PlayerSeat, ...]
    masters: tuple[NamedLink, ...]
    victory: int
    picture: PictureLink
    phases: tuple[PhaseLink, ...]
    withdrawn: tuple[PhaseLink, ...]
    """Phases that were rolled back."""
    charts: tuple[ChartView, ...]
    """The same lines wide and narrow; none while there is nothing to show."""
    counts: tuple[YearRow, ...]
    press: str
    """Link to the messages, "" where they may not be read."""
    messages: int


@dataclass(frozen=True, slots=True)
class PhasePage:
    """web/phase: one resolved phase."""

    game: GameHead
    home: str
    """Link to the game's own page."""
    closed: ClosedPhase
    at: datetime
    """When it was resolved."""
    withdrawn: bool
    holdings: tuple[Holdings, ...]
    """Every power after it."""
    victory: int
    picture: PictureLink
    phases: tuple[PhaseLink, ...]
    before: PhaseLink | None
    after: PhaseLink | None
    number: int
    """Place in the row of phases, from 1; 0 for one that was rolled back."""


@dataclass(frozen=True, slots=True)
class PressPage:
    """web/press: the messages of a game that is over."""

    game: GameHead
    home: str
    messages: tuple[PastEntry, ...]


@dataclass(frozen=True, slots=True)
class MissingPage:
    """web/missing: there is no such page."""

    path: str


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """A result in the feed."""

    id: str
    title: str
    href: str
    at: datetime
    text: str


@dataclass(frozen=True, slots=True)
class FeedView:
    """web/feed: the newest results, for feed readers (Atom, RFC 4287)."""

    id: str
    href: str
    """Address of the feed itself, "" where the site does not know its own."""
    home: str
    title: str
    at: datetime
    entries: tuple[FeedEntry, ...]


@dataclass(frozen=True, slots=True)
class ChroniclePart:
    """A phase of a whole game told as text, with the messages written before it was closed; the last part has messages only."""

    phase: str
    closed_at: datetime | None
    messages: tuple[PastEntry, ...]
    common: CommonResult | None


@dataclass(frozen=True, slots=True)
class ChronicleView:
    """web/game.txt: a whole game as one text."""

    game: GameHead
    ending: EndingView | None
    rules: RulesOfGame
    masters: tuple[str, ...]
    seats: tuple[SeatRow, ...]
    start: tuple[Holdings, ...]
    """The board as the game began, in the phase `opening`."""
    opening: str
    parts: tuple[ChroniclePart, ...]
    summary: SummaryView
