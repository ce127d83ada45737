"""Hints between processes on one PostgreSQL database, so that nobody sleeps while something waits (LISTEN and NOTIFY)."""

import logging
import time
from collections.abc import Callable, Mapping
from threading import Event, Lock, Thread
from typing import Any

from sqlalchemy import text

from judge.store.engines import told_plainly
from judge.store.sql import SqlStore

_LOG = logging.getLogger(__name__)

CHANNEL = "judge"
_NOTIFY = text(f"SELECT pg_notify('{CHANNEL}', :said)")
PAUSE = 0.02
"""Seconds between two rings of one process: a burst of mails is one hint."""
LISTENED = 1.0
"""Seconds after which a listener looks whether it is to stop."""
ALIVE = 60.0
"""Seconds after which a silent connection is tried, for a dead line says nothing either."""
FIRST_REST, LONGEST_REST = 1.0, 30.0


def ring_once(store: SqlStore, name: str) -> None:
    """Tell everybody at once, from a process that keeps no bell; nothing on SQLite.  Raises `TryLater`."""
    if store.engine.dialect.name == "postgresql":
        _notify(store, [name])


def _notify(store: SqlStore, names: list[str]) -> None:
    """One hint for each name, each with the worker that gave it."""
    # outside any transaction that keeps something: a commit with a notification waits for all others of its kind
    with told_plainly(), store.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        for name in names:
            connection.execute(_NOTIFY, {"said": f"{name} {store.worker}"})


class Bell:
    """Rings for others and hears them, in threads of its own.  Hints may be lost: everybody looks now and then anyway.

    `hears` says what to do at each hint of another process; all of it is done where hints may have been missed.
    """

    def __init__(self, store: SqlStore, hears: Mapping[str, Callable[[], None]]) -> None:
        self._store = store
        self._hears = hears
        self._names: set[str] = set()
        self._lock = Lock()
        self._wanted = Event()
        self._stop = Event()
        self._threads = [Thread(target=run, name=f"bell {run.__name__.strip('_')}", daemon=True) for run in (self._speak, self._listen)]

    def start(self) -> None:
        """Begin."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Fall silent."""
        self._stop.set()
        self._wanted.set()
        for thread in self._threads:
            thread.join(2 * LISTENED)

    def ring(self, name: str) -> None:
        """Tell the others soon; returns at once."""
        with self._lock:
            self._names.add(name)
        self._wanted.set()

    def _speak(self) -> None:
        while not self._stop.is_set():
            self._wanted.wait()
            self._wanted.clear()
            with self._lock:
                names, self._names = sorted(self._names), set()
            try:
                if names and not self._stop.is_set():
                    _notify(self._store, names)
            except Exception as fault:  # a hint that is not given costs others one look
                _LOG.info("hint not given: %s", fault)
            self._stop.wait(PAUSE)

    def _listen(self) -> None:
        rest = FIRST_REST
        while not self._stop.is_set():
            try:
                with self._store.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as pooled:
                    driver = pooled.connection.driver_connection
                    assert driver is not None
                    pooled.detach()  # it is kept for as long as the process lives
                    self._hear_all(driver)
                rest = FIRST_REST
            except Exception as fault:
                _LOG.info("hints are not heard: %s %s", type(fault).__name__, fault)
                self._stop.wait(rest)
                rest = min(rest * 2, LONGEST_REST)

    def _hear_all(self, driver: Any) -> None:
        """Hear hints until told to stop."""
        driver.execute(f"LISTEN {CHANNEL}")
        for act in self._hears.values():
            act()
        heard_at = time.monotonic()
        while not self._stop.is_set():
            for note in driver.notifies(timeout=LISTENED):
                name, _, worker = note.payload.partition(" ")
                if worker != self._store.worker and name in self._hears:
                    self._hears[name]()
                heard_at = time.monotonic()
            if time.monotonic() - heard_at >= ALIVE:
                driver.execute("SELECT 1")
                heard_at = time.monotonic()
