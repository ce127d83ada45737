"""The one place that chooses implementations and joins them."""

import os
import ssl
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias, cast

from judge.clock import Clock, SteppedClock, SystemClock
from judge.config import Config, ImapConfig, SmtpConfig, read_secret
from judge.errors import OperatorError
from judge.language.requests import TEXTS
from judge.library import Library, shipped_folder
from judge.log import set_up_logging
from judge.mail import Border, Fence, Limits, MailSink, MailSource, OwnAddresses, Reading, dns_txt
from judge.report import Scribe, SecretPostage
from judge.service.closers import Close, Closers
from judge.service.context import Services
from judge.service.gallery import Gallery, drawing_pool
from judge.service.keys import SiteKeys
from judge.service.orderreaders import OrderReaders
from judge.service.pace import Pacer
from judge.service.packs import Packs
from judge.service.pictures import Pictures
from judge.store import SqlStore, open_store, settle

if TYPE_CHECKING:
    from judge.mail.door import Door
    from judge.mail.imap import ImapSource
    from judge.mail.smtp import SmtpSink
    from judge.report.pages import Pages
    from judge.web.site import Site

CLOCK_FILE = "clock"
PORT_FILE, WEB_PORT_FILE, WATCH_PORT_FILE = "door.port", "web.port", "watch.port"
Security: TypeAlias = Literal["tls", "starttls", "none"]
Mechanism: TypeAlias = Literal["login", "xoauth2"]


def build(config: Config) -> Services:
    """Everything `judge run` works with.  Raises `OperatorError` where the configuration or the data folders are wrong."""
    config.spool.mkdir(parents=True, exist_ok=True)
    library = Library([config.path(p) for p in config.judge.maps], [config.path(p) for p in config.judge.templates])
    store = open_store(config.database_url)
    installation = settle(store, config.spool)
    key = installation.key
    clock = build_clock(config)
    own = own_addresses(config)
    return Services(
        config=config,
        clock=clock,
        store=store,
        library=library,
        words=library.command_words,
        scribe=build_scribe(config, library, own, key),
        own=own,
        reading=build_reading(config, own, library),
        keys=SiteKeys(key, config.border.strict),
        sources=build_sources(config, clock, installation.name, store),
        sink=build_sink(config),
        open_sink=lambda: build_sink(config),
        pacer=Pacer(config.mail_out.letters_per_minute, config.mail_out.letters_per_minute_to_domain),
        packs=Packs(library),
        orders=OrderReaders(library),
        pictures=build_gallery(config, store, library),
        closers=Closers(partial(_open_closers, config), closers_at_once()),
    )


def closers_at_once() -> int:
    """How many processes close games beside the daemon: one for each processor we may use, three at most, for each takes 100 MB."""
    return min(3, len(os.sched_getaffinity(0)))


def _open_closers(config: Config) -> tuple[ProcessPoolExecutor, Close]:
    """The processes, started afresh (not forked), so that no connection or lock of the daemon is shared; and what they do."""
    from judge.service.closer import close_here, start_closer

    return ProcessPoolExecutor(closers_at_once(), get_context("spawn"), start_closer, (partial(_build_closer, config),)), close_here


def _build_closer(config: Config) -> Services:
    """What one of them works with: its pictures are drawn by the daemon."""
    from judge.service.daemon import settle_memory

    set_up_logging(config)
    s = build(config)
    s.scribe.warm_up()
    settle_memory()
    return replace(s, closers=Closers(), pictures=Gallery(s.store, Pictures(config.spool / "pictures", s.library)))


def build_gallery(config: Config, store: SqlStore, library: Library) -> Gallery:
    """What draws the pictures of letters, in processes of its own when there are many."""
    folder = config.spool / "pictures"
    pool = drawing_pool(folder, [config.path(p) for p in config.judge.maps])
    return Gallery(store, Pictures(folder, library), pool)


def build_pages(config: Config, library: Library, *, drawings: bool = True) -> "Pages":
    """What writes the pages of the archive."""
    from judge.report.pages import Pages

    return Pages(
        library,
        shipped_folder("templates"),
        [config.path(p) for p in config.judge.templates],
        judge_name=config.judge.name,
        address=config.judge.address,
        zone=config.judge.zone,
        base=config.judge.archive,
        drawings=drawings,
    )


def build_archive(config: Config, *, drawings: bool = True) -> "Site":
    """The site of the archive, with a store and a library of its own, which it only reads.  Raises `OperatorError`."""
    from judge.service.archive import Archive
    from judge.web.origin import origin_of
    from judge.web.site import Site

    library = Library([config.path(p) for p in config.judge.maps], [config.path(p) for p in config.judge.templates])
    pages = build_pages(config, library, drawings=drawings)
    store = open_store(config.database_url, readonly=True)
    archive = Archive(store, Packs(library), Pictures(config.spool / "pictures", library), pages)
    # The program lies in the same folder for every installation; what an operator adds comes from the library.
    made_by = origin_of((Path(__file__).parent, *library.map_folders, *library.template_folders), (config.judge, drawings))
    return Site(archive, library, build_clock(config).now, config.judge.language, made_by)


def build_clock(config: Config) -> Clock:
    """The machine's clock, or the stepped one of demonstrations."""
    return SystemClock() if config.judge.clock == "system" else SteppedClock(config.spool / CLOCK_FILE)


def own_addresses(config: Config) -> OwnAddresses:
    """The judge's addresses."""
    delimiter = "-" if config.judge.delimiter == "-" else "+"
    return OwnAddresses(config.judge.address, config.bounces, delimiter, plus=config.judge.plus)  # type: ignore[arg-type]  # one of two literals


def build_scribe(config: Config, library: Library, own: OwnAddresses, key: bytes) -> Scribe:
    """What writes letters."""
    return Scribe(
        library,
        SecretPostage(own, key),
        shipped_folder("templates"),
        [config.path(p) for p in config.judge.templates],
        judge_name=config.judge.name,
        address=config.judge.address,
        language=config.judge.language,
        zone=config.judge.zone,
        archive=config.judge.archive,
    )


def build_reading(config: Config, own: OwnAddresses, library: Library) -> Reading:
    """What the reader of mails is told about this site; messages inside mails are passed on as typed."""
    words = library.command_words
    opening = [" ".join(key) for key, (name, _) in words.spellings.items() if name in TEXTS]
    closing = [" ".join(key) for key, (name, _) in words.spellings.items() if name == "endpress"]
    return Reading(
        own=own,
        border=border_of(config),
        limits=_reading_limits(config),
        loop_value=own.host,
        languages=tuple(lang for lang in config.judge.languages if lang != "en"),
        fences=tuple(Fence(o, c) for o in opening for c in closing),
        resolver=dns_txt if config.border.dkim and not config.border.authserv_id else None,
    )


def _reading_limits(config: Config) -> Limits:
    """Where the reading of one mail ends."""
    most = config.limits
    return Limits(size=most.size, lines=most.lines, line=most.line, text=most.text, parts=most.parts, nesting=most.nesting)


def build_sources(config: Config, clock: Clock, name: str, store: SqlStore) -> tuple[MailSource, ...]:
    """The mailboxes that are polled, each claimed for the installation of that name; a door is opened by `judge run` itself."""
    sources: list[MailSource] = []
    if config.mail_in.imap is not None:
        sources.append(imap_source(config, config.mail_in.imap, clock, name, store))
    if config.mail_in.maildir:
        from judge.mail.claim import FolderClaim
        from judge.mail.maildir import MaildirSource

        folder = config.path(config.mail_in.maildir)
        claim = FolderClaim(name, folder)
        sources.append(MaildirSource(folder, clock.now, claim=claim, border=border_of(config), largest=config.limits.size))
    return tuple(sources)


def imap_source(config: Config, imap: ImapConfig, clock: Clock, name: str | None, store: SqlStore | None = None) -> "ImapSource":
    """The poller of an IMAP account, which minds claims of other installations than that, and of copies of that database."""
    from judge.mail.claim import SPAN, ImapClaim
    from judge.mail.imap import ImapAccount, ImapSource
    from judge.store.claims import ClaimLedger

    account = ImapAccount(
        host=imap.host,
        user=imap.user,
        secret=lambda: read_secret(config, "mail_in.imap.secret", imap.secret),
        port=imap.port,
        security=cast(Security, imap.security),
        mechanism=cast(Mechanism, imap.mechanism),
        folder=imap.folder,
        move_to=imap.move_to,
        largest=config.limits.size,
        context=_trusting(config, imap.ca),
    )
    span = max(SPAN, 3 * timedelta(seconds=config.judge.tick))  # it is renewed when the mailbox is looked at
    mailbox = f"{imap.user} {imap.folder}"
    ledger = None if store is None else ClaimLedger(store, mailbox)
    claim = None if name is None else ImapClaim(name, mailbox, clock.now, span, ledger)
    return ImapSource(account, clock.now, claim=claim)


def build_sink(config: Config) -> MailSink:
    """Where letters go."""
    if config.mail_out.smtp is not None:
        return smtp_sink(config, config.mail_out.smtp)
    from judge.mail.maildir import MaildirSink

    return MaildirSink(config.path(config.mail_out.maildir))


def smtp_sink(config: Config, smtp: SmtpConfig) -> "SmtpSink":
    """The sender to a smarthost."""
    from judge.mail.smtp import Relay, SmtpSink

    relay = Relay(
        host=smtp.host,
        port=smtp.port,
        security=cast(Security, smtp.security),
        user=smtp.user,
        secret=lambda: read_secret(config, "mail_out.smtp.secret", smtp.secret),
        mechanism=cast(Mechanism, smtp.mechanism),
        context=_trusting(config, smtp.ca),
    )
    return SmtpSink(relay)


def _trusting(config: Config, ca: str) -> ssl.SSLContext | None:
    """A context that trusts one authority only; None for the usual checks."""
    return ssl.create_default_context(cafile=str(config.path(ca))) if ca else None


def border_of(config: Config) -> Border:
    """Our own mail border, as the configuration names it."""
    return Border(config.border.authserv_id, config.border.received_by)


@contextmanager
def open_archive(config: Config) -> Iterator[str]:
    """The archive served while the context lasts; gives its address.  Raises `OperatorError`.

    Its port stands in ``<spool>/web.port``.
    """
    try:
        from judge.web.serving import open_socket, serving
    except ImportError as missing:
        raise OperatorError(f"{missing.name} is not installed: pip install 'chancery-judge[web]'") from missing
    web = config.web
    try:
        listening = open_socket(web.host, web.port)
    except OSError as taken:
        raise OperatorError(f"nothing can listen at {web.host}:{web.port}: {taken.strerror}. Write another port under [web].") from taken
    with listening, closing(build_archive(config)) as site, serving(site, listening):
        port = listening.getsockname()[1]
        (config.spool / WEB_PORT_FILE).write_text(f"{port}\n", "ascii")
        yield f"http://{f'[{web.host}]' if ':' in web.host else web.host}:{port}/"


@contextmanager
def open_watch(s: Services) -> Iterator[str]:
    """Health and figures served while the context lasts; gives their address.  Raises `OperatorError`.

    The port stands in ``<spool>/watch.port``.
    """
    from judge.web.watch import watching

    place = s.config.watch
    with ExitStack() as stack:
        try:
            port = stack.enter_context(watching(s, place.host, place.port))
        except OSError as taken:
            raise OperatorError(
                f"nothing can listen at {place.host}:{place.port}: {taken.strerror}. Write another port under [watch]."
            ) from taken
        (s.config.spool / WATCH_PORT_FILE).write_text(f"{port}\n", "ascii")
        yield f"http://{f'[{place.host}]' if ':' in place.host else place.host}:{port}/"


@contextmanager
def open_door(s: Services) -> Iterator["Door"]:
    """The door, open while the context lasts; its port stands in ``<spool>/door.port``."""
    from judge.mail.door import Door, DoorSettings
    from judge.service.receive import accept

    config = s.config
    place = config.mail_in.door
    assert place is not None
    with s.store.reading() as tx:
        alive = tx.marks.get("alive")
    settings = DoorSettings(
        protocol="lmtp" if place.protocol == "lmtp" else "smtp",
        host=place.host,
        port=place.port,
        path=config.path(place.socket) if place.socket else None,
        largest=config.limits.size,
        border=border_of(config),
        retry_gap=timedelta(minutes=place.retry_gap),
    )
    door = Door(
        lambda arrivals: accept(s, arrivals),
        s.clock.now,
        settings,
        is_known=s.own.is_own,
        alive_before=datetime.fromisoformat(alive) if alive else None,
    )
    try:
        door.start()
    except OSError as taken:
        raise OperatorError(
            f"the door cannot be opened at {place.socket or f'{place.host}:{place.port}'}: {taken.strerror}. "
            "Stop what holds it, or write another port under [mail_in.door]."
        ) from taken
    (config.spool / PORT_FILE).write_text(f"{door.address[1]}\n", "ascii")
    try:
        yield door
    finally:
        door.stop()
