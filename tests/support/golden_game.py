"""One made-up game from which every kind of letter can be written: the golden letters and the tests of the report house use it."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache

from judge.game import (
    MASTERS,
    Audience,
    Bulletin,
    ConfirmPlease,
    Deadline,
    DeadlineMoved,
    Ending,
    EndKind,
    FiledOrder,
    Game,
    GameBegan,
    GameEnded,
    GameOpened,
    GamePaused,
    GameResumed,
    GameRow,
    GamesListed,
    HelpGiven,
    Item,
    News,
    NotAllowed,
    Notice,
    Offer,
    OrdersMissing,
    Person,
    PressArrived,
    PressRule,
    PressSent,
    ReminderDue,
    Seat,
    SeatGiven,
    SeatKind,
    SeatLeft,
    SettingChanged,
    Settings,
    Status,
    StatusAsked,
    Timing,
    TurnClosed,
    UnknownCommand,
    close_phase,
    submit_orders,
)
from judge.game.notices import Fact
from judge.library import Library, shipped_folder
from judge.mail import Letter, OwnAddresses
from judge.report import Part, Question, Scribe, SecretPostage
from judge.rules import Variant, read_order, read_phase, read_unit

NOW = datetime(2026, 3, 10, 9, 14, tzinfo=UTC)
OWN = OwnAddresses("judge@chancery.example", "judge-bounces@chancery.example")
QUESTION = Question("q1@mail.example", ("root@mail.example",), 17)
PEOPLE_NAMES = ("Anna Nováková", "Ed Hale", "Marie Dubois", "Jörg Klein", "Luca Rossi", "Ольга Иванова", "Kemal Kaya", "Nagy Béla")
MASTER_ID = 90
SPARE = 91


@cache
def library() -> Library:
    return Library()


@cache
def scribe() -> Scribe:
    return Scribe(
        library(), SecretPostage(OWN, b"key"), shipped_folder("templates"), judge_name="Chancery", address="judge@chancery.example"
    )


def variant(name: str = "standard") -> Variant:
    return library().variant(name)


def people(language: str = "", notation: str = "short", count: int = 7) -> dict[int, Person]:
    """A person for each power and the master, all of one language, every second one with a time zone of its own."""
    players = {
        number: Person(
            number, PEOPLE_NAMES[number - 1], f"player{number}@example.org", language, "Europe/Prague" if number % 2 else "", notation
        )
        for number in range(1, count + 1)
    }
    master = Person(MASTER_ID, "Margit Sándor", "gm@example.org", language, "Europe/Budapest", notation)
    return {**players, MASTER_ID: master, SPARE: Person(SPARE, "Nora Lind", "nora@example.org", language, "Europe/Prague", notation)}


def fresh_game(name: str = "standard", **changes: object) -> Game:
    """A running game at its first phase."""
    board = variant(name)
    seats = tuple(Seat(power, number) for number, power in enumerate(board.powers, 1))
    game = Game(
        id=1,
        name="danube",
        variant=name,
        ruleset="",
        settings=Settings(zone="Europe/Prague"),
        created_at=NOW - timedelta(days=30),
        status=Status.RUNNING,
        seats=seats,
        masters=(Seat("MASTER", MASTER_ID),),
        position=board.start,
        deadline=Deadline(NOW + timedelta(days=2, hours=8, minutes=46)),
        phase_began=NOW,
    )
    return replace(game, **changes)  # type: ignore[arg-type]  # fields of Game by name


def on_file(orders: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[FiledOrder, ...]]:
    return {power: tuple(FiledOrder(read_order(text), NOW, 1) for text in texts) for power, texts in orders.items()}


def autumn_game() -> Game:
    """Autumn 1902 with failures of every kind on file; France loses Munich's army."""
    units = {
        "AUSTRIA": ("A BOH", "A TYR", "F ADR"),
        "ENGLAND": ("A LON", "F IRI", "F NTH"),
        "FRANCE": ("A BEL", "A BUR", "A MUN", "F ENG"),
        "GERMANY": ("A PRU", "F KIE"),
        "ITALY": ("A ROM", "A VEN", "F NAP"),
        "RUSSIA": ("A MOS", "A WAR", "F SEV", "F STP/SC"),
        "TURKEY": ("A CON", "A SMY", "F ANK"),
    }
    board = variant()
    position = replace(
        board.start,
        phase=read_phase("F1902M"),
        units={power: tuple(sorted(map(read_unit, texts))) for power, texts in units.items()},
        owners={**board.start.owners, "BEL": "FRANCE"},
    )
    return fresh_game(
        position=position,
        turns=6,
        orders=on_file(
            {
                "AUSTRIA": ("A TYR - MUN", "A BOH S A TYR - MUN", "F ADR - VEN"),
                "ENGLAND": ("A LON - BRE VIA", "F NTH - HOL"),
                "FRANCE": ("A MUN - BER", "A BEL - HOL", "A BUR S A MUN", "F ENG C A LON - BRE"),
                "GERMANY": ("A PRU - BER",),
                "RUSSIA": ("A WAR - GAL", "A MOS - WAR", "F SEV S A WAR - RUM"),
            }
        ),
    )


def closed(game: Game, reason: str = "deadline") -> tuple[Game, TurnClosed]:
    """The game with its phase closed and a deadline a day and a bit ahead, and what everybody is told."""
    transition = close_phase(game, variant(game.variant), NOW, reason)
    notice = next(notice for notice in transition.notices if isinstance(notice, TurnClosed))
    deadline = Deadline(NOW + timedelta(hours=32, minutes=46)) if transition.game.deadline else None
    return replace(transition.game, deadline=deadline), notice


def retreat_game() -> Game:
    """The retreats after `autumn_game`, France's on file."""
    return replace(closed(autumn_game())[0], orders=on_file({"FRANCE": ("A MUN R RUH",)}))


def winter_game() -> Game:
    """Winter 1902: England may build two, Austria must remove one, Italy nothing."""
    board = variant()
    units = {**board.start.units, "ENGLAND": (read_unit("F NTH"),), "AUSTRIA": (*board.start.units["AUSTRIA"], read_unit("A GAL"))}
    return fresh_game(position=replace(board.start, phase=read_phase("W1902A"), units=units), turns=8)


def waiting_game() -> Game:
    """A game that still waits for Italy."""
    seats = tuple(replace(seat, person=None) if seat.key == "ITALY" else seat for seat in fresh_game().seats)
    return fresh_game(status=Status.FORMING, seats=seats, deadline=None)


def finished_game(kind: EndKind = EndKind.DRAWN, powers: tuple[str, ...] = ("FRANCE", "ITALY")) -> Game:
    """A game that is over."""
    return fresh_game(status=Status.FINISHED, deadline=None, ending=Ending(kind, powers, NOW))


def offered_game() -> Game:
    """A game in which Italy's seat is offered to somebody of the judge's queue."""
    seats = tuple(replace(seat, person=None) if seat.key == "ITALY" else seat for seat in fresh_game().seats)
    spare = Seat("OBSERVER-1", SPARE, kind=SeatKind.STANDBY, called=True)
    return fresh_game(seats=seats, observers=(spare,), offers=(Offer("ITALY", "OBSERVER-1", NOW + timedelta(days=1)),))


def alerted() -> tuple[Game, TurnClosed]:
    """A closed phase in which France has fallen into civil disorder, and is told so before all else."""
    after, notice = closed(autumn_game())
    return after, replace(notice, own={"FRANCE": (Bulletin("civil_you", ("FRANCE",)),)})


def answered(language: str, notation: str = "short") -> Letter:
    """The answer to a mail with good and bad lines, a message, and questions."""
    lines = ("A Par - Bur", "F Brest - Mid Atlantic", "A Marseille->Gas", "A Mar - Munich", "A Ber hold")
    orders = ("A PAR - BUR", "F BRE - MAO", "A MAR - GAS", "A MAR - MUN", "A BER H")
    transition, outcomes = submit_orders(fresh_game(), "FRANCE", map(read_order, orders), variant(), NOW, 17)
    items = (
        *(Item(line, (outcome,)) for line, outcome in zip(lines, outcomes, strict=True)),
        Item("PRESS TO GERMANY: Shall we?", (PressSent(("GERMANY",), "Shall we?\n> no quote\nFrom here on"),)),
        Item("hocus pocus", (UnknownCommand("hocus pocus"),)),
        Item("PROCESS", (NotAllowed("process", "master"),)),
    )
    part = Part(transition.game, "FRANCE", variant(), items)
    return scribe().answer(people(language, notation)[3], [part], people(language), NOW, QUESTION)


def asked(language: str) -> Letter:
    """The answer to STATUS, LIST and HELP."""
    rows = (
        GameRow("danube", "standard", "running", fresh_game().phase, NOW + timedelta(days=2), 0, 7),
        GameRow("rhine", "warcraft", "forming", variant("warcraft").start.phase, None, 3, 8, "A slow game"),
    )
    items = (Item("STATUS", (StatusAsked(),)), Item("LIST", (GamesListed(rows),)), Item("HELP PRESS", (HelpGiven("press"),)))
    part = Part(autumn_game(), "FRANCE", variant(), items)
    return scribe().answer(people(language)[3], [part], people(language), NOW, QUESTION)


def told(game: Game, notice: Notice, reader: int, notation: str = "short") -> Callable[[str], Letter]:
    """How to write the letter of a notice that goes to one person."""

    def write(language: str) -> Letter:
        known = people(language, notation, len(game.seats))
        letters = scribe().letters(game, notice, known, variant(game.variant), NOW)
        return next(letter for letter in letters if letter.to == known[reader].address)

    return write


def _turn(game: Game, reader: int, notation: str = "short") -> Callable[[str], Letter]:
    after, notice = closed(game)
    return told(after, notice, reader, notation)


FRANCE, ENGLAND, AUSTRIA = 3, 2, 1


@cache
def golden(kind: str, language: str) -> Letter:
    """One kind of letter in one language."""
    return golden_letters()[kind](language)


@cache
def golden_letters() -> dict[str, Callable[[str], Letter]]:
    """Every kind of letter by name; each is written in the language it is asked for."""
    late = ("FRANCE", "ITALY")
    gunboat = fresh_game(settings=replace(fresh_game().settings, gunboat=True, press=PressRule.GREY))
    grace = fresh_game(settings=replace(fresh_game().settings, timing=Timing(grace=timedelta(hours=24))))
    won = replace(closed(retreat_game())[0], status=Status.FINISHED, ending=Ending(EndKind.WON, ("FRANCE",), NOW), deadline=None)
    graced = fresh_game(grace=timedelta(days=3, hours=2), deadline=Deadline(NOW - timedelta(hours=2)), late_told=True)
    offered = offered_game()
    called: dict[str, Fact] = {"power": "ITALY", "until": NOW + timedelta(days=1), "name": "danube"}
    several = SettingChanged("movement", "48h", "MASTER", more=(("press", "grey"), ("early", "no")))
    press = "Shall we keep Burgundy empty?\n\n> this is no quote\nFrom here on\n-- \nMarie"
    return {
        "turn-movement": _turn(autumn_game(), ENGLAND),
        "turn-dislodged": _turn(autumn_game(), FRANCE),
        "turn-long": _turn(autumn_game(), FRANCE, "long"),
        "turn-master": _turn(autumn_game(), MASTER_ID),
        "turn-retreats": _turn(retreat_game(), FRANCE),
        "turn-builds": _turn(winter_game(), ENGLAND),
        "turn-won": told(won, closed(retreat_game())[1], FRANCE),
        "turn-warcraft": _turn(fresh_game("warcraft", orders=on_file({"UNDEAD": ("P 65 - 64",)})), 6),
        "started": told(fresh_game(), GameBegan(), FRANCE),
        "started-gunboat": told(gunboat, GameBegan(), FRANCE),
        "started-master": told(fresh_game(), GameBegan(), MASTER_ID),
        "started-winter": told(winter_game(), GameBegan(), AUSTRIA),
        "answer": answered,
        "answer-asked": asked,
        "answer-long": lambda lang: answered(lang, "long"),
        "refusal": lambda lang: scribe().refusal(
            people(lang)[3], "only_picture", NOW, QUESTION, Part(autumn_game(), "FRANCE", variant(), ()), people(lang)
        ),
        "refusal-stranger": lambda lang: scribe().refusal(Person(0, "X", "x@example.org", lang), "no_text", NOW, QUESTION),
        "code": lambda lang: scribe().code(
            Person(0, "X", "x@example.org", lang), "k7qm2-x9d3f", "SIGNON danube", NOW + timedelta(days=2), NOW, QUESTION
        ),
        "confirm": told(fresh_game(), ConfirmPlease(Audience(seats=("MASTER",)), "k7qm2", "PROCESS", NOW + timedelta(days=2)), MASTER_ID),
        "opened": told(waiting_game(), GameOpened(Audience(seats=("MASTER",))), MASTER_ID),
        "welcome": told(waiting_game(), SeatGiven(Audience(seats=("FRANCE",)), "FRANCE", 1), FRANCE),
        "seat-taken": told(waiting_game(), SeatGiven(MASTERS, "FRANCE", 1), MASTER_ID),
        "seat-open": told(waiting_game(), SeatLeft(MASTERS, "ITALY"), MASTER_ID),
        "press": told(fresh_game(), PressArrived(Audience(seats=("FRANCE",)), "GERMANY", ("FRANCE", "ITALY"), press, 1), FRANCE),
        "press-all": told(fresh_game(), PressArrived(Audience(seats=("FRANCE",)), "GERMANY", (), press, 2), FRANCE),
        "press-hidden": told(gunboat, PressArrived(Audience(seats=("FRANCE",)), "", ("FRANCE",), press, 3), FRANCE),
        "reminder": told(autumn_game(), ReminderDue(Audience(seats=("RUSSIA",)), timedelta(hours=6)), 6),
        "reminder-retreat": told(
            replace(retreat_game(), orders={}), ReminderDue(Audience(seats=("FRANCE",)), timedelta(minutes=50)), FRANCE
        ),
        "late": told(grace, OrdersMissing(late), FRANCE),
        "late-others": told(grace, OrdersMissing(late), ENGLAND),
        "late-master": told(grace, OrdersMissing(late), MASTER_ID),
        "deadline": told(fresh_game(), DeadlineMoved(NOW, fresh_game().deadline.at, "MASTER", "master"), FRANCE),  # type: ignore[union-attr]
        "paused": told(fresh_game(status=Status.PAUSED, paused_left=timedelta(hours=20)), GamePaused("MASTER"), FRANCE),
        "resumed": told(fresh_game(), GameResumed("MASTER", NOW + timedelta(days=2)), FRANCE),
        "setting": told(fresh_game(), SettingChanged("movement", "48h", "MASTER"), FRANCE),
        "setting-several": told(fresh_game(), several, FRANCE),
        "grace": told(graced, News("grace_set_because", facts={"moment": NOW + timedelta(days=3), "why": "the fair"}, state=True), FRANCE),
        "turn-alert": told(*alerted(), FRANCE),
        "called": told(offered, News("called", Audience(seats=("OBSERVER-1",)), called, state=True), SPARE),
        "called-last": told(offered, News("called_last", Audience(seats=("OBSERVER-1",)), called, state=True), SPARE),
        "offer": told(offered, News("offer", Audience(seats=("OBSERVER-1",)), called), SPARE),
        "offer-gone": told(fresh_game(), News("offer_gone", Audience(people=(SPARE,)), called), SPARE),
        "offer-eliminated": told(fresh_game(), News("offer_eliminated", Audience(people=(SPARE,)), called), SPARE),
        "offer-over": told(finished_game(), News("offer_over", Audience(people=(SPARE,)), called), SPARE),
        "ended-drawn": told(finished_game(), GameEnded(Ending(EndKind.DRAWN, ("FRANCE", "ITALY"), NOW)), FRANCE),
        "ended-stopped": told(finished_game(EndKind.STOPPED, ()), GameEnded(Ending(EndKind.STOPPED, (), NOW)), ENGLAND),
        "operator": lambda lang: scribe().operator("keeper@example.org", "Mail 17 was set aside", ["It failed three times."], NOW, "op17"),
    }
