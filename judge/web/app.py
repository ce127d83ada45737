"""The site over HTTP: GET and HEAD, nothing that changes anything (Starlette)."""

import gzip
import posixpath
import re
from functools import lru_cache
from hashlib import sha256

import structlog
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from judge.errors import TryLater
from judge.web.site import Content, Site

log = structlog.get_logger()

POLICY = (
    "default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""What a page may load: files of this site only; no script or style inside a page, no frame, no form."""
DRAWING_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
"""A drawing by itself loads nothing at all; its own style attributes count."""
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
RETRY = "5"
"""Seconds after which to ask again while the database is busy."""
WORTH_PACKING = 1024


def make_app(site: Site) -> ASGIApp:
    """The application; every address but those of pages is answered with a page that says so."""

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            raise RuntimeError(f"no {scope['type']} here")  # what servers expect of an application that does not know it (ASGI)
        request = Request(scope)
        if request.method not in ("GET", "HEAD"):
            await Response(status_code=405, headers={"Allow": "GET, HEAD", **HEADERS})(scope, receive, send)
            return
        try:
            answer = await run_in_threadpool(respond, site, request)
        except TryLater as fault:
            log.warning("archive waits", fault=str(fault))
            answer = Response(status_code=503, headers={"Retry-After": RETRY, "Cache-Control": "no-store", **HEADERS})
        await answer(scope, receive, send)

    return application


def respond(site: Site, request: Request) -> Response:
    """The answer to one request."""
    path = request.scope["path"].removeprefix(request.scope.get("root_path", "")).lstrip("/")
    wanted = best_language(request.headers.get("accept-language", ""), site.languages, site.language)
    if not path:
        return _sent_on(f"{wanted}/index.html")
    short = re.fullmatch(r"game/([A-Za-z0-9]{1,40})(/?)", path)
    if short is not None and (found := site.game_named(short[1].lower(), wanted)):
        return _sent_on(f"../../{found}" if short[2] else f"../{found}")
    if path in site.languages or re.fullmatch(r"[a-z-]+/games/[a-z0-9]+\.\d+", path):
        return _sent_on(f"{posixpath.basename(path)}/index.html")
    content = site.find(f"{path}index.html" if path.endswith("/") else path)
    if content is None:
        return _written(request, site.missing(path, wanted), 404)
    return _written(request, content)


def _sent_on(where: str) -> Response:
    """On to another page; the way is a relative one, so a proxy may put the site into any folder."""
    return RedirectResponse(where, 302, headers={"Vary": "Accept-Language", "Cache-Control": "no-cache", **HEADERS})


def _written(request: Request, content: Content, status: int = 200) -> Response:
    """A file of the site with its headers; only the headers if the browser has it already."""
    mark = f'W/"{sha256(content.body).hexdigest()[:24]}"'
    headers = {
        **HEADERS,
        "Content-Security-Policy": DRAWING_POLICY if content.kind.startswith("image/svg") else POLICY,
        "ETag": mark,
        "Vary": "Accept-Encoding",
        "Cache-Control": f"public, max-age={content.keep}" if content.keep and status == 200 else "no-cache",
    }
    known = {each.strip() for each in request.headers.get("if-none-match", "").split(",")}
    if status == 200 and (mark in known or "*" in known):
        return Response(status_code=304, headers=headers)
    body = content.body
    if len(body) >= WORTH_PACKING and content.kind != "image/png" and takes_gzip(request.headers.get("accept-encoding", "")):
        body = packed(body)
        headers["Content-Encoding"] = "gzip"
    return Response(body, status, headers, media_type=content.kind)


@lru_cache(maxsize=64)
def packed(body: bytes) -> bytes:
    """A body made smaller."""
    return gzip.compress(body, 6, mtime=0)


def takes_gzip(accepted: str) -> bool:
    """Whether a browser takes packed bodies.

    >>> takes_gzip("gzip, br"), takes_gzip("br, gzip;q=0"), takes_gzip("")
    (True, False, False)
    """
    return any(name == "gzip" and weight > 0 for name, weight in weighed(accepted))


def best_language(accepted: str, ours: tuple[str, ...], otherwise: str) -> str:
    """The language of ours that a browser wants most (RFC 9110, section 12.5.4).

    >>> best_language("sk,cs;q=0.9,en;q=0.5", ("en", "cs"), "en"), best_language("de", ("en", "cs"), "cs")
    ('cs', 'cs')
    """
    wanted = [(weight, name.partition("-")[0]) for name, weight in weighed(accepted)]
    fitting = [(weight, -place, name) for place, (weight, name) in enumerate(wanted) if name in ours and weight > 0]
    return max(fitting)[2] if fitting else otherwise


def weighed(accepted: str) -> list[tuple[str, float]]:
    """The values of an Accept header with their weights; what cannot be read weighs nothing.

    >>> weighed("cs, en-GB;q=0.7, x;q=much")
    [('cs', 1.0), ('en-gb', 0.7), ('x', 0.0)]
    """
    found = []
    for part in accepted.lower().split(",")[:40]:
        name, _, rest = part.partition(";")
        weight = re.fullmatch(r"\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*", rest)
        if name.strip():
            found.append((name.strip(), 1.0 if not rest.strip() else float(weight[1]) if weight else 0.0))
    return found
