"""The archive over HTTP: languages, headers, caches, what is refused; and beside a running judge."""

import gzip
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from judge.config import BadConfig, Config, read_config
from judge.errors import TryLater
from judge.web import Site
from judge.web.serving import open_socket, serving
from judge.wiring import build_archive
from tests.support import shelf
from tests.support.places import free_port, wait_until

TYPES = {".html": "text/html", ".xml": "application/atom+xml", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes


@contextmanager
def served(site: Site) -> Iterator[int]:
    listening = open_socket("127.0.0.1", 0)
    with serving(site, listening):
        yield listening.getsockname()[1]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    return build_archive(shelf.fill(tmp_path_factory.mktemp("server"), (shelf.danube, shelf.tatry)))


@pytest.fixture(scope="module")
def port(site: Site) -> Iterator[int]:
    with served(site) as port:
        yield port


def ask(port: int, path: str, method: str = "GET", **headers: str) -> Answer:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=20)) as connection:
        connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        response = connection.getresponse()
        return Answer(response.status, {name.lower(): value for name, value in response.getheaders()}, response.read())


def test_every_kind_of_file_is_what_it_says(port: int) -> None:
    for path in ("en/index.html", "en/feed.xml", "archive.css", "archive.js", "icon.svg", "en/games/danube.1/1.svg"):
        answer = ask(port, f"/{path}")
        assert answer.status == 200, path
        assert answer.headers["content-type"].startswith(TYPES[path[path.rindex(".") :]])
        assert answer.headers["x-content-type-options"] == "nosniff"


def test_the_policy_allows_files_of_the_site_and_nothing_else(port: int) -> None:
    policy = ask(port, "/en/index.html").headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'")
    assert "unsafe" not in policy
    assert "script" not in ask(port, "/en/games/danube.1/1.svg").headers["content-security-policy"]


@pytest.mark.parametrize(
    ("wanted", "lang"),
    [("cs,en;q=0.5", "cs"), ("hu-HU", "hu"), ("de, ru;q=0.1", "ru"), ("", "en"), ("zz;q=x", "en"), ("en;q=0, cs;q=0.2", "cs")],
)
def test_the_door_leads_to_the_language_of_the_browser(port: int, wanted: str, lang: str) -> None:
    answer = ask(port, "/", Accept_Language=wanted)
    assert (answer.status, answer.headers["location"]) == (302, f"{lang}/index.html")
    assert answer.headers["vary"] == "Accept-Language"


def test_short_addresses_lead_on(port: int) -> None:
    assert ask(port, "/game/danube").headers["location"] == "../en/games/danube.1/index.html"
    assert ask(port, "/game/Danube", Accept_Language="ru").headers["location"] == "../ru/games/danube.1/index.html"
    assert ask(port, "/game/danube/", Accept_Language="cs").headers["location"] == "../../cs/games/danube.1/index.html"
    assert b"../../cs/games/danube.1/index.html" in ask(port, "/game/danube/index.html").body
    assert ask(port, "/en").headers["location"] == "en/index.html"
    assert ask(port, "/en/games/danube.1").headers["location"] == "danube.1/index.html"
    assert ask(port, "/en/games/danube.1/").body == ask(port, "/en/games/danube.1/index.html").body
    assert ask(port, "/game/nowhere").status == 404


def test_what_the_browser_has_is_not_sent_again(port: int) -> None:
    first = ask(port, "/en/games/danube.1/index.html")
    again = ask(port, "/en/games/danube.1/index.html", If_None_Match=first.headers["etag"])
    assert (again.status, again.body) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]
    assert first.headers["cache-control"] == "no-cache"
    assert ask(port, "/pictures/danube.1/1.png").headers["cache-control"] == "public, max-age=86400"
    assert ask(port, "/pictures/danube.1/board.png").headers["cache-control"] == "no-cache"


def test_bodies_are_packed_for_those_who_take_it(port: int) -> None:
    plain, packed = ask(port, "/en/games/danube.1/1.svg"), ask(port, "/en/games/danube.1/1.svg", Accept_Encoding="gzip")
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(packed.body) == plain.body
    assert len(packed.body) < len(plain.body) / 3
    assert "content-encoding" not in ask(port, "/pictures/danube.1/1.png", Accept_Encoding="gzip").headers


def test_only_reading_is_possible(port: int) -> None:
    for method in ("POST", "PUT", "DELETE", "PATCH"):
        assert ask(port, "/en/index.html", method).status == 405
    head = ask(port, "/en/index.html", "HEAD")
    assert (head.status, head.body) == (200, b"")
    assert int(head.headers["content-length"]) > 1000


@pytest.mark.parametrize(
    "path",
    [
        "/nowhere",
        "/en/games/tatry.2/press.html",
        "/en/games/danube.1/999999.html",
        "/en/players/4294967295.html",
        "/..%2fjudge.toml",
        "/%2e%2e/judge.toml",
        "/en/%00.html",
        "/en/games/danube.1/1.html%0d%0aX-Bad:1",
        "/" + "a/" * 500,
    ],
)
def test_what_is_not_there_is_said_with_a_page(port: int, path: str) -> None:
    answer = ask(port, path)
    assert answer.status == 404
    assert b"There is no such page." in answer.body
    assert "content-security-policy" in answer.headers
    assert "x-bad" not in answer.headers


def test_a_missing_page_finds_its_style_and_speaks_its_language(port: int) -> None:
    text = ask(port, "/cs/games/nowhere.html").body.decode()
    assert "Taková stránka tu není." in text
    assert 'href="../../archive.css"' in text


def test_a_busy_database_asks_for_patience(site: Site, port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(*_: object) -> None:
        raise TryLater("busy")

    monkeypatch.setattr(site, "find", busy)
    answer = ask(port, "/en/index.html")
    assert (answer.status, answer.headers["retry-after"], answer.headers["cache-control"]) == (503, "5", "no-store")


def test_many_visitors_at_once(port: int) -> None:
    from concurrent.futures import ThreadPoolExecutor

    paths = ["/en/games/danube.1/index.html", "/cs/games/tatry.2/2.html", "/en/players.html", "/hu/games/danube.1/3.svg", "/ru/feed.xml"]
    with ThreadPoolExecutor(8) as pool:
        assert {answer.status for answer in pool.map(lambda path: ask(port, path), paths * 8)} == {200}


def test_the_server_says_nothing_of_itself(port: int) -> None:
    assert "server" not in ask(port, "/en/index.html").headers


# ---- settings, and beside the judge


def test_the_port_of_the_setting_must_be_one(tmp_path: Path) -> None:
    file = tmp_path / "judge.toml"
    file.write_text(f"{shelf.CONFIG}[web]\nport = 70000\n", "utf-8")
    with pytest.raises(BadConfig, match=r"web.port: 70000 is no port"):
        read_config(file)
    file.write_text(f"{shelf.CONFIG}[web]\nenabled = false\nhost = '::1'\n", "utf-8")
    assert not read_config(file).web.enabled


def run_judge(config: Config, *arguments: str) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "judge", *arguments, "--config", str(config.file)]
    return subprocess.Popen(command, stderr=(config.file.parent / "log").open("wb"), env={**os.environ, "JUDGE_CONFIG": str(config.file)})


@contextmanager
def running(config: Config, *arguments: str) -> Iterator[Path]:
    """A command that runs until it is told to stop, and stops then."""
    process = run_judge(config, *arguments)
    try:
        yield config.file.parent / "log"
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0


def with_port(config: Config, port: int) -> Config:
    config.file.write_text(f"{config.file.read_text('utf-8')}[web]\nport = {port}\n", "utf-8")
    return read_config(config.file)


def test_judge_run_serves_the_archive_on_the_loopback(tmp_path: Path) -> None:
    config = with_port(shelf.fill(tmp_path, (shelf.danube,)), 0)
    port_file = config.spool / "web.port"
    with running(config, "run"):
        wait_until(lambda: port_file.exists() and bool(port_file.read_text("ascii").strip()), 30)
        assert b"danube" in ask(int(port_file.read_text("ascii")), "/en/index.html").body


def test_judge_run_goes_on_without_the_archive_and_says_so_once(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        config = with_port(shelf.fill(tmp_path, ()), taken.getsockname()[1])
        with running(config, "run") as log:
            wait_until(lambda: "judge runs" in log.read_text("utf-8"), 30)
        told = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
        assert len([line for line in told if line["event"] == "archive not served"]) == 1


def test_judge_web_serves_alone_and_only_reads(tmp_path: Path) -> None:
    config = shelf.fill(tmp_path, (shelf.danube,))
    before = sorted(path.name for path in config.spool.iterdir())
    port = free_port()
    with running(config, "web", "--port", str(port)) as log:
        wait_until(lambda: "the archive: http://127.0.0.1" in log.read_text("utf-8"), 30)
        assert re.search(rb"<h1>danube", ask(port, "/en/games/danube.1/index.html").body)
    left = sorted(path.name for path in config.spool.iterdir())
    assert set(left) - set(before) <= {"web.port", "judge.db-shm", "judge.db-wal", "pictures"}


def test_the_asgi_application_is_made_of_the_configuration_named(tmp_path: Path) -> None:
    config = shelf.fill(tmp_path, ())
    code = "import judge.asgi; print(judge.asgi.application.__module__)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, env={**os.environ, "JUDGE_CONFIG": str(config.file)}
    )
    assert done.stdout.strip() == "judge.web.app", done.stderr
