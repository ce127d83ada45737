"""Made-up views to try every page of the archive."""

from collections.abc import Mapping
from dataclasses import replace

from judge.report import pageviews as pv
from judge.report import samples, views

ANNA = pv.NamedLink("Anna Novak", "players/7.html")
CARD = pv.GameCard(
    "danube", "A game on the river", "Standard", "running", "Fall 1903", samples.DEADLINE, (), 7, (ANNA,), None, "games/danube.1/index.html"
)
FORMING = replace(CARD, title="", status="forming", deadline=None, free=("Austria", "Italy"), masters=())
OVER = replace(CARD, status="finished", deadline=None, ending=samples.ENDING)
PICTURE = pv.PictureLink("3.png", 1400, 1150, "Map", "3.svg")
LINKS = (
    pv.PhaseLink("Spring 1903", "S1903M", 1903, "2.html", "2.png", "2.svg", False),
    pv.PhaseLink("Fall 1903", "F1903M", 1903, "3.html", "3.png", "3.svg", True),
)
SEATS = (
    pv.PlayerSeat("Austria", "A", "#AE3B2E", True, ANNA, (replace(ANNA, name="Ivo"),), 5, ("A Mun", "A Boh")),
    pv.PlayerSeat("France", "F", "#1C7CB4", True, None, (), 0, ()),
    pv.PlayerSeat("Italy", "I", "#3F8A3C", False, None, (), 1, ("F Nap",)),
)
CHART = pv.ChartView(
    720,
    320,
    34,
    586,
    (pv.ChartLine("Austria", "A", "#AE3B2E", "34,200 586,100", 586, 100, 100, 5),),
    (pv.ChartMark(34, "1900"), pv.ChartMark(586, "1901")),
    (pv.ChartMark(286, "0"), pv.ChartMark(14, "5")),
)
GAME = pv.GamePage(
    samples.GAME,
    None,
    samples.RULES,
    SEATS,
    (ANNA,),
    18,
    PICTURE,
    LINKS,
    LINKS[:1],
    (CHART, replace(CHART, is_narrow=True)),
    (pv.YearRow("1900", (3, 3, 3)), pv.YearRow("1901", (5, 4, 3))),
    "press.html",
    3,
)
PHASE = pv.PhasePage(
    samples.GAME,
    "index.html",
    samples.PHASE,
    samples.NOW,
    False,
    samples.HOLDINGS,
    18,
    PICTURE,
    LINKS,
    LINKS[0],
    None,
    2,
)
ROW = pv.PlayerRow(ANNA, 1, 3, 1, 1)
PARTS = (
    pv.Part(pv.NamedLink("danube", "x.html"), "Standard", "Austria", "Spring 1901", "", "running", ""),
    pv.Part(pv.NamedLink("tatry", "x.html"), "Standard", "Italy", "Spring 1901", "Fall 1903", "finished", ""),
    *(
        pv.Part(pv.NamedLink("morava", "x.html"), "Standard", "Italy", "Spring 1901", "", "finished", each)
        for each in ("won", "drawn", "other")
    ),
    pv.Part(pv.NamedLink("vltava", "x.html"), "Standard", "", "", "", "finished", ""),
)


def sample_pages() -> Mapping[str, tuple[object, ...]]:
    """Views for every template of ``web/``, by its name without endings."""
    bare = replace(
        GAME, game=replace(samples.GAME, status="forming", deadline=None), phases=(), withdrawn=(), charts=(), counts=(), press=""
    )
    entry = views.PastEntry(samples.NOW, "press", "Germany to France", "Shall we?\n\n> no quote")
    feed = pv.FeedEntry("tag:x,2026:1", "danube: Fall 1903", "3.html", samples.NOW, "Austria 5 (+1)")
    return {
        "root": (None,),
        "missing": (pv.MissingPage("en/games/nowhere.html"),),
        "games": (pv.GamesPage((CARD, FORMING), (OVER,), "finished.html"), pv.GamesPage((), (), "")),
        "finished": (pv.FinishedPage((OVER,), 2, 3, "finished.html", "finished-3.html"), pv.FinishedPage((), 1, 1, "", "")),
        "open": (pv.OpenPage((pv.OpenGame(FORMING, samples.RULES, "SIGNON danube", "mailto:judge@example.org"),)), pv.OpenPage(())),
        "players": (pv.PlayersPage((ROW,)), pv.PlayersPage(())),
        "player": (pv.PlayerPage("Anna Novak", ROW, PARTS),),
        "game": (GAME, bare, replace(GAME, ending=samples.ENDING)),
        "phase": (PHASE, replace(PHASE, withdrawn=True, phases=(), before=None, number=0)),
        "press": (pv.PressPage(samples.GAME, "index.html", (entry,)),),
        "feed": (pv.FeedView("tag:x,2026:feed", "https://example.org/en/feed.xml", "index.html", "Chancery", samples.NOW, (feed,)),),
    }
