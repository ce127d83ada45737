"""The archive in a browser (headless Chromium): clicks and keys, nothing on the console, axe-core without a violation, nothing too wide."""

import gzip
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from judge.web import export_site
from judge.web.serving import open_socket, serving
from judge.wiring import build_archive
from tests.support import shelf
from tests.support.places import wait_until

AXE = gzip.decompress((Path(__file__).parent / "axe" / "axe.min.js.gz").read_bytes()).decode()
PAGES = (
    "index.html",
    "game/danube/index.html",
    "en/index.html",
    "en/open.html",
    "en/players.html",
    "en/players/1.html",
    "en/finished.html",
    "en/games/danube.1/index.html",
    "cs/games/danube.1/3.html",
    "hu/games/danube.1/press.html",
    "ru/games/morava.2/index.html",
    "en/games/tatry.3/4.html",
    "en/games/vltava.4/index.html",
    "en/games/azeroth.7/1.html",
    "en/nowhere.html",
)
WIDTHS = (320, 360, 720, 1200)
SCHEMES = ("light", "dark")


def stop_without(reason: str) -> None:
    (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(reason)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    sync = pytest.importorskip("playwright.sync_api")
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        stop_without("chromium is missing (apt install chromium)")
    with sync.sync_playwright() as play:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        launched = play.chromium.launch(executable_path=program, args=flags)
        yield launched
        launched.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("browser")


@pytest.fixture(scope="module")
def base(folder: Path) -> Iterator[str]:
    listening = open_socket("127.0.0.1", 0)
    with serving(build_archive(shelf.fill(folder)), listening):
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/"


@contextmanager
def tab(browser: Any, **settings: Any) -> Iterator[Any]:
    """A page in a context of its own; whatever goes wrong in it is collected and must be nothing."""
    context = browser.new_context(**settings)
    page = context.new_page()
    wrong: list[str] = []
    page.on("console", lambda message: wrong.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: wrong.append(f"error: {error}"))
    page.on("requestfailed", lambda request: wrong.append(f"failed: {request.url} {request.failure}"))
    try:
        yield page
    finally:
        context.close()
    expected = ("nowhere.html", "404 (Not Found)", "ERR_ABORTED")  # the page that is not there, and walking on before all is loaded
    assert [each for each in wrong if not any(word in each for word in expected)] == []


def violations(page: Any) -> list[str]:
    """What axe-core finds, all its rules and the best practices."""
    page.evaluate(AXE)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [f"{each['id']}: {node['html'][:120]}" for each in found["violations"] for node in each["nodes"]]


def test_axe_finds_nothing_in_light_and_dark(browser: Any, base: str) -> None:
    found = {}
    with tab(browser, viewport={"width": 720, "height": 900}, bypass_csp=True) as page:
        for path in PAGES:
            page.goto(base + path)
            for scheme in SCHEMES:
                page.emulate_media(color_scheme=scheme)
                assert page.evaluate(f"matchMedia('(prefers-color-scheme: {scheme})').matches")
                found[path, scheme] = violations(page)
    assert {where: each for where, each in found.items() if each} == {}


def test_nothing_is_wider_than_the_window(browser: Any, base: str) -> None:
    wide = []
    with tab(browser) as page:
        for path in PAGES:
            page.goto(base + path)
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": 800})
                assert page.evaluate("innerWidth") == width
                if page.evaluate("document.documentElement.scrollWidth") > width:
                    wide.append(f"{path} at {width}")
    assert wide == []


def test_one_walks_from_the_list_to_a_phase_and_through_it(browser: Any, base: str) -> None:
    with tab(browser, viewport={"width": 1000, "height": 900}) as page:
        page.goto(base + "en/index.html")
        page.click("text=danube")
        assert page.inner_text("h1").startswith("danube")
        page.click("text=First: Spring 1901")
        assert page.inner_text("h1") == "Spring 1901"
        page.click("a[rel=next] >> nth=0")
        assert page.inner_text("h1") == "Fall 1901"
        page.keyboard.press("ArrowRight")
        page.wait_for_url("**/3.html#board")
        page.keyboard.press("ArrowLeft")
        page.wait_for_url("**/2.html#board")
        page.click("text=čeština")
        assert page.inner_text("h1") == "Podzim 1901"
        assert page.url == base + "cs/games/danube.1/2.html"


def test_the_slider_leafs_through_the_pictures_and_stays_where_it_is_left(browser: Any, base: str) -> None:
    with tab(browser, viewport={"width": 1000, "height": 900}) as page:
        page.goto(base + "en/games/danube.1/1.html")
        image = page.locator("#board img")
        page.focus("#phase-range")
        page.evaluate("const r = document.querySelector('#phase-range'); r.value = '3'; r.dispatchEvent(new Event('input'))")
        assert str(image.get_attribute("src")).endswith("/3.png")
        assert "1901" in page.inner_text("#slider output")
        assert page.locator("#phase-range").get_attribute("aria-valuetext") == page.inner_text("#slider output")
        assert str(page.locator("#board a").first.get_attribute("href")).endswith("3.svg")
        page.evaluate("document.querySelector('#phase-range').dispatchEvent(new Event('change'))")
        page.wait_for_url("**/3.html#board")


def test_the_button_plays_to_the_end(browser: Any, base: str) -> None:
    with tab(browser, viewport={"width": 1000, "height": 900}, bypass_csp=True) as page:  # the test makes the clock run faster
        page.goto(base + "en/games/danube.1/index.html")
        page.evaluate("const s = window.setInterval; window.setInterval = (f, t) => s(f, 30)")
        pressed = page.evaluate("(button => (button.click(), button.innerText))(document.querySelector('#slider button'))")
        assert pressed == "Stop"  # asked in one breath: it plays fast
        page.wait_for_selector("#slider button:text-is('Play')")
        last = page.locator(".years a").last
        assert page.inner_text("#slider output") == last.inner_text()
        assert page.locator("#board img").get_attribute("src") == last.get_attribute("data-picture")


def test_everything_works_without_scripts(browser: Any, base: str) -> None:
    with tab(browser, viewport={"width": 700, "height": 900}, java_script_enabled=False) as page:
        page.goto(base + "en/games/danube.1/index.html")
        assert not page.locator("#slider").is_visible()
        page.click("text=Last:")
        page.click("a[rel=prev] >> nth=0")
        assert page.locator("#board img").is_visible()
        page.click("summary")
        page.click(".years a >> nth=0")
        assert page.inner_text("h1") == "Spring 1901"


def test_pictures_are_seen_and_drawings_open(browser: Any, base: str) -> None:
    with tab(browser, viewport={"width": 1000, "height": 900}) as page:
        for path in ("en/games/danube.1/2.html", "en/games/azeroth.7/1.html"):
            page.goto(base + path)
            wait_until(lambda: bool(page.evaluate("document.querySelector('#board img').complete")))
            drawn, told = page.evaluate(
                "(i => [i.naturalWidth / i.naturalHeight, i.getAttribute('width') / i.getAttribute('height')])"
                "(document.querySelector('#board img'))"
            )
            assert abs(drawn - told) < 0.01
            page.click("#board figcaption a")
            assert page.locator("svg").count() >= 1


def test_the_files_need_no_server(browser: Any, tmp_path: Path) -> None:
    out = tmp_path / "site"
    export_site(build_archive(shelf.fill(tmp_path, (shelf.tatry,)), drawings=False), out, ("en", "cs"))
    with tab(browser, viewport={"width": 700, "height": 900}) as page:
        page.goto((out / "index.html").as_uri())
        page.click("text=English")
        page.click("text=tatry")
        page.click("text=First:")
        wait_until(lambda: bool(page.evaluate("document.querySelector('#board img').complete")))
        assert page.evaluate("document.querySelector('#board img').naturalWidth") > 1000
        assert page.evaluate("getComputedStyle(document.querySelector('.board img')).display") == "block"
        assert page.locator("#slider").is_visible()


def test_the_skip_link_and_focus_are_seen(browser: Any, base: str) -> None:
    with tab(browser, viewport={"width": 700, "height": 900}) as page:
        page.goto(base + "en/index.html")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"
        assert page.evaluate("document.activeElement.getBoundingClientRect().left") >= 0
        page.keyboard.press("Enter")
        assert page.url.endswith("#main")
