"""One set of tests for every kind of database."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from sqlalchemy import text

from judge.store import SqlStore, open_store
from judge.store.tables import metadata
from tests.support.postgres import shared_server


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A database that several processes can open; empty, without tables."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/judge.db"
        return
    url = shared_server().fresh_database()
    yield url
    shared_server().drop(url)


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SqlStore]:
    """An empty store of every kind."""
    if request.param == "postgres":
        store = _postgres_store()
        with store.engine.begin() as connection:
            names = ", ".join(f'"{name}"' for name in metadata.tables)
            connection.execute(text(f"TRUNCATE {names} RESTART IDENTITY"))
        yield store
        return
    store = open_store("sqlite://" if request.param == "memory" else f"sqlite:///{tmp_path}/judge.db")
    yield store
    store.close()


@cache
def _postgres_store() -> SqlStore:
    """One database for many tests: emptying it is quicker than making another."""
    return open_store(shared_server().fresh_database())
