"""Health and figures over HTTP, for programs that watch the judge on this machine; needs no package beyond Python itself."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import AF_INET6
from threading import Thread
from typing import TypeAlias

import structlog

from judge.errors import OperatorError, TryLater
from judge.service.context import Services
from judge.service.watching import NEEDED, Check, checks, is_live, look
from judge.web.metrics import CONTENT_TYPE, write_metrics

log = structlog.get_logger()

JSON, TEXT = "application/json", "text/plain; charset=utf-8"
Answer: TypeAlias = tuple[int, str, str]
"""Status, kind of content, content."""
SLOW = 5.0
"""Seconds in which a request must have come."""


def health(s: Services) -> Answer:
    """Everything that must be so; 503 where something is not."""
    return _told(list(checks(s)))


def ready(s: Services) -> Answer:
    """Whether this process is of use: its loop goes round, the database answers, mailboxes are read."""
    return _told([check for check in checks(s) if check.name.partition(" ")[0] in NEEDED])


def live(s: Services) -> Answer:
    """Whether the loop of this process goes round; the database is not asked, for a new start would not mend it."""
    return _told([is_live(s)])


def metrics(s: Services) -> Answer:
    """Figures for Prometheus; 503 while the database does not answer."""
    try:
        return 200, CONTENT_TYPE, write_metrics(look(s))
    except (TryLater, OperatorError) as fault:
        log.warning("no figures", fault=str(fault))
        return 503, TEXT, "the database does not answer\n"


PAGES: Mapping[str, Callable[[Services], Answer]] = {
    "/health": health,
    "/health/ready": ready,
    "/health/live": live,
    "/metrics": metrics,
}


def _told(found: list[Check]) -> Answer:
    """Checks as JSON."""
    well = all(check.well for check in found)
    plain = {"status": "ok" if well else "failing", "checks": {each.name: {"ok": each.well, "says": each.says} for each in found}}
    return 200 if well else 503, JSON, json.dumps(plain) + "\n"


class _Server(ThreadingHTTPServer):
    """The server; it knows the judge it tells of."""

    daemon_threads = True

    def __init__(self, s: Services, place: tuple[str, int]) -> None:
        if ":" in place[0]:
            self.address_family = AF_INET6
        self.services = s
        super().__init__(place, _Handler)


class _Handler(BaseHTTPRequestHandler):
    """Answers GET and HEAD for the known pages."""

    timeout = SLOW
    server_version, sys_version = "judge", ""

    def do_GET(self) -> None:
        """Answer with head and content."""
        self._answer(body=True)

    def do_HEAD(self) -> None:
        """Answer with the head alone."""
        self._answer(body=False)

    def _answer(self, *, body: bool) -> None:
        page = PAGES.get(self.path.partition("?")[0])
        assert isinstance(self.server, _Server)
        try:
            status, kind, text = page(self.server.services) if page else (404, TEXT, "known: " + " ".join(PAGES) + "\n")
        except Exception:
            log.exception("watch failed")
            status, kind, text = 500, TEXT, "failed\n"
        content = text.encode()
        self.send_response(status)
        for name, value in (("Content-Type", kind), ("Content-Length", str(len(content))), ("Cache-Control", "no-store")):
            self.send_header(name, value)
        self.end_headers()
        if body:
            self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """No log of who looks."""


@contextmanager
def watching(s: Services, host: str, port: int) -> Iterator[int]:
    """Health and figures served while the context lasts; gives the port.  Raises OSError where nothing can listen there."""
    server = _Server(s, (host, port))
    thread = Thread(target=server.serve_forever, args=(0.2,), name="watch", daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()
        thread.join(2.0)
