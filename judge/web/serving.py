"""The site served beside the judge, in a thread of its own (uvicorn)."""

from collections.abc import Iterator
from contextlib import contextmanager
from socket import AF_INET, AF_INET6, SO_REUSEADDR, SOCK_STREAM, SOL_SOCKET, socket
from threading import Thread

import uvicorn

from judge.web.app import make_app
from judge.web.site import Site

AT_ONCE = 100
"""Connections that are served at the same time; more are told to come again."""


def open_socket(host: str, port: int) -> socket:
    """A socket that listens there.  Raises OSError."""
    opened = socket(AF_INET6 if ":" in host else AF_INET, SOCK_STREAM)
    try:
        opened.setsockopt(SOL_SOCKET, SO_REUSEADDR, 1)
        opened.bind((host, port))
        opened.listen(128)
    except OSError:
        opened.close()
        raise
    return opened


def make_server(site: Site) -> uvicorn.Server:
    """A server for the site; it says nothing of itself, keeps no log of visitors, and trusts no header about them."""
    settings = uvicorn.Config(
        make_app(site),
        access_log=False,
        server_header=False,
        proxy_headers=False,
        lifespan="off",
        ws="none",
        log_config=None,
        limit_concurrency=AT_ONCE,
        timeout_keep_alive=5,
        timeout_graceful_shutdown=2,
    )
    return uvicorn.Server(settings)


@contextmanager
def serving(site: Site, listening: socket) -> Iterator[None]:
    """Serve the site at that socket while the context lasts."""
    server = make_server(site)
    thread = Thread(target=server.run, args=([listening],), name="archive", daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.should_exit = True
        thread.join(timeout=10)
        listening.close()
