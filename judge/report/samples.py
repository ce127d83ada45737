"""Made-up views to try every template: long names, empty lists, everything a letter can hold."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from markupsafe import Markup

from judge.report import views

NOW = datetime(2026, 3, 10, 9, 14, tzinfo=UTC)
"""The moment at which the samples are written."""

DEADLINE = datetime(2026, 3, 12, 17, 0, tzinfo=UTC)

GAME = views.GameHead(
    "danube",
    "A game on the river",
    "Standard",
    "Fall 1903",
    "F1903M",
    "running",
    DEADLINE,
    ("somebody is away",),
    "https://games.example.org/en/games/danube.1/",
)
READER = views.ReaderHead("player", "France", "Marie Dubois", "Europe/Prague")
MASTER = views.ReaderHead("master", "", "Margit Sandor", "Europe/Budapest")

FALLEN = views.Retreating(
    "A Mun", "A Tyr", "Austria", ("A Boh",), ("Bur", "Kie", "Ruh"), ("A Mun R Bur", "A Mun R Kie", "A Mun R Ruh", "A Mun D")
)
LINK = "mailto:judge%2Bdanube.x1@example.org?subject=%5Bdanube%20F1903M%5D&body=A%20Bur%20H%0D%0A"
DUTIES = {
    "movement": views.Duty("movement", 2, ("A Bur", "A Mun"), form=("A Bur H", "A Mun H"), link=LINK),
    "retreats": views.Duty("retreats", 1, ("A Mun",), retreating=(FALLEN,), form=("# A Mun R Bur", "# A Mun D"), link=LINK),
    "builds": views.Duty("builds", 2, sites=("Mar", "Par"), form=("# A Par B", "# F Mar B"), link=LINK),
    "removals": views.Duty("removals", 1, ("A Bur", "A Mun"), form=("# A Bur D", "# A Mun D"), link=LINK),
    "none": views.Duty("none"),
}
"""Every kind of duty."""

LINES = (
    views.OrderLine("A Bel - Hol", "moved", (), failed=False, dislodged=False, given=True),
    views.OrderLine("A Mun - Ber", "bounced", ("A Pru - Ber also came: 1 against 1",), failed=True, dislodged=True, given=True),
    views.OrderLine("A Bur H", "held", (), failed=False, dislodged=True, given=False),
    views.OrderLine("A Pic S A Bur", "no effect", (), failed=True, dislodged=False, given=True),
)
FALL = views.Dislodged("France", "A Mun", "A Tyr", "Austria", ("Bur", "Kie"))
HOLDINGS = (
    views.Holdings("Austria", ("A Mun", "A Boh"), ("Vie", "Bud"), 2, 0, 0),
    views.Holdings("France", ("A Bur",), ("Bre", "Hol", "Mar", "Par"), 4, 1, 3),
    views.Holdings("Italy", (), (), 0, -1, 0),
)
PHASE = views.ClosedPhase(
    "Fall 1903",
    "F1903M",
    "M",
    (views.PowerOrders("France", LINES), views.PowerOrders("Austria", LINES[:1])),
    (FALL, replace(FALL, places=())),
    ("A Mun (France)",),
    (views.OwnerChange("Hol", "Germany", "France"), views.OwnerChange("Bel", "", "France")),
    counted=True,
    refused=("A Par - Bur (France): a later order for the same unit counts",),
)
COMMON = views.CommonResult((PHASE, replace(PHASE, powers=(), dislodged=(), changes=(), refused=())), HOLDINGS, 18)
SEATS = (
    views.SeatRow("Austria", taken=True, person="Anna Novak", own=False, state="in"),
    views.SeatRow("France", taken=True, person="Marie Dubois", own=True, state="part"),
    views.SeatRow("Italy", taken=False, person="", own=False, state="due"),
    views.SeatRow("Turkey", taken=True, person="", own=False, state=""),
)
STATE = views.GameState(
    GAME,
    READER,
    DUTIES["movement"],
    ("A Bur H",),
    ("A Mun",),
    NOW,
    "part",
    waits=False,
    early=True,
    seats=SEATS,
    masters=("Margit Sandor",),
    free=1,
)
RULES = views.RulesOfGame(
    timedelta(hours=72), timedelta(hours=24), timedelta(hours=24), "white", "hold", True, False, True, "Europe/Prague"
)
ENDING = views.EndingView("won", ("France",), NOW)
ALSO = ("This seat is open: Italy.",)
TURN = views.TurnView(
    GAME, READER, "Fall 1903", "all_in", DUTIES["movement"], LINES, (FALL,), COMMON, "", Markup(""), picture=True, also=ALSO
)
ANSWER = views.AnswerView(
    GAME,
    READER,
    (
        views.TranscriptLine("A Bur hold", (views.Outcome("done", "filed as  A Bur H", ("in place of A Bur - Mun",)),), ("WARNING: …",)),
        views.TranscriptLine("A Mun - " + "x" * 60, (views.Outcome("refused", "NOT FILED: …"),)),
        views.TranscriptLine("", (views.Outcome("told", "no order and no command was found"),)),
    ),
    (STATE,),
    refused=1,
)
LISTED = views.ListedGame("danube", "A game on the river", "Standard", "running", "Fall 1903", DEADLINE, 1, 7)
PRESS = views.PressView(
    GAME, READER, "Germany", False, ("France", "Italy"), ("Germany", "Italy"), "Shall we?\n> no quote\n-- \nG", "PRESS: Germany, Italy"
)
SEAT = views.SeatView(GAME, READER, "France", ("Italy",), 7, RULES, "judge@example.org", "SIGNON danube France")
NEWS = views.NewsView(
    GAME, READER, STATE, "the master", before=NOW, at=DEADLINE, key="length of movement phases", value="48h", left=timedelta(hours=20)
)


def sample_letters() -> Mapping[str, tuple[views.LetterView, ...]]:
    """Views for each template of ``mail/``, by its name; several where a letter can look quite different."""
    forming = replace(GAME, status="forming", deadline=None)
    return {
        "turn": (
            *(replace(TURN, duty=duty) for duty in DUTIES.values()),
            replace(TURN, reader=MASTER, duty=DUTIES["none"], own=(), lost=(), closed_by="master"),
            *(replace(TURN, ending=ending, duty=DUTIES["none"]) for ending in _endings()),
        ),
        "answer": (
            ANSWER,
            *(replace(ANSWER, states=(state,), refused=0) for state in _states()),
            replace(
                ANSWER,
                game=None,
                reader=views.ReaderHead("public"),
                states=(),
                games=(LISTED, replace(LISTED, status="forming", deadline=None)),
                listed=True,
                help=(views.HelpPage("index", "HELP\n"),),
                press=(views.PressCopy(("Italy",), "Hello"), views.PressCopy((), "Hello all")),
                leftover=3,
            ),
            replace(ANSWER, states=(STATE, replace(STATE, board=HOLDINGS)), listed=True),
            replace(ANSWER, sections=tuple(views.Section(kind, "NOTES\n", Markup("<p>Notes</p>")) for kind in ("dry_run", "diary"))),
        ),
        "code": tuple(
            views.CodeView(game, READER, "k7qm2-x9d3f", "SIGNON danube", DEADLINE, welcome)
            for game, welcome in ((None, True), (GAME, False))
        ),
        "press": (
            PRESS,
            replace(PRESS, to=(), others=()),
            replace(PRESS, sender="", reply_line=""),
            replace(PRESS, sender="", to=(), reply_line="BROADCAST"),
        ),
        "refusal": (
            views.RefusalView(GAME, READER, "Your mail held only a picture.", STATE, "A Bur H"),
            views.RefusalView(None, views.ReaderHead("public"), "Your mail could not be used.", None, ""),
        ),
        "opened": (replace(SEAT, game=forming, reader=MASTER),),
        "welcome": (SEAT, replace(SEAT, game=forming)),
        "seat-taken": (SEAT, replace(SEAT, free=())),
        "seat-open": (SEAT,),
        "started": tuple(
            views.StartView(GAME, READER, duty, SEATS, ("Margit Sandor",), HOLDINGS, replace(RULES, gunboat=True, nmr="wait"), 18, True)
            for duty in (DUTIES["movement"], DUTIES["none"])
        ),
        "reminder": tuple(
            views.ReminderView(GAME, READER, timedelta(hours=6), state, waits) for state in _states()[:4] for waits in (False, True)
        ),
        "late": (replace(NEWS, is_late=True), replace(NEWS, powers=("France", "Italy"), at=None)),
        "deadline": (NEWS, replace(NEWS, by="", before=None, why="The mail server was away.")),
        "paused": (NEWS, replace(NEWS, left=None)),
        "resumed": (NEWS,),
        "setting": (NEWS,),
        "ended": tuple(views.FinalView(GAME, READER, ending, HOLDINGS, SEATS, True) for ending in _endings()),
        "note": (
            views.NoteView(GAME, READER, "abandoned", "Italy is abandoned", "Italy has sent no orders for two phases.", STATE),
            views.NoteView(GAME, MASTER, "offer", "An open power", "Italy is offered to you."),
        ),
        "decision": (views.DecisionView(GAME, MASTER, ("Italy",), "EVERYBODY'S ORDERS", Markup("<p>Orders</p>")),),
        "ahead": (ANSWER,),
        "digest": (views.DigestView(GAME, READER, (views.PastEntry(NOW, "press", "Italy to all", "Hello"),), "Italy to all\n   Hello\n"),),
        "words": (
            views.WordsView(GAME, READER, (("France", "Well played.\n> all"),)),
            views.WordsView(GAME, READER, ()),
        ),
        "operator": (views.OperatorView("Mail 17 was set aside", ("It failed three times.", "A copy: spool/bad/17.eml")),),
    }


def _endings() -> tuple[views.EndingView, ...]:
    return (
        ENDING,
        replace(ENDING, kind="drawn", powers=("France", "Italy")),
        replace(ENDING, kind="stopped", powers=()),
        replace(ENDING, kind="conceded"),
        replace(ENDING, kind="ranked"),
    )


def _states() -> tuple[views.GameState, ...]:
    """A state for every duty and status."""
    return (
        STATE,
        replace(STATE, duty=DUTIES["retreats"], in_force=(), missing=("A Mun",), state="due"),
        replace(STATE, duty=DUTIES["builds"], missing=(), state="part"),
        replace(STATE, duty=DUTIES["removals"], in_force=(), missing=(), state="due"),
        replace(STATE, missing=(), state="in", waits=True),
        replace(STATE, missing=(), state="in"),
        replace(STATE, duty=DUTIES["none"], state="none", in_force=(), missing=()),
        *(replace(STATE, game=replace(GAME, status=status, deadline=None)) for status in ("forming", "paused", "finished")),
        replace(STATE, reader=MASTER, duty=DUTIES["none"], state="none"),
    )
