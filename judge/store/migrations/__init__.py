"""Bringing a database to this program's schema, step by step; Alembic is loaded only when that is asked for."""

from pathlib import Path
from typing import TYPE_CHECKING

from judge.store.engines import make_engine, read_url, told_plainly, writing
from judge.store.opening import behind, current_revision

if TYPE_CHECKING:
    from alembic.config import Config

FOLDER = Path(__file__).parent


def pending(url: str) -> tuple[str, ...]:
    """The migrations that the database at that URL still needs.  Raises `OperatorError` if it is from a newer judge."""
    engine = make_engine(read_url(url))
    try:
        return behind(current_revision(engine))
    finally:
        engine.dispose()


def migrate(url: str) -> tuple[str, ...]:
    """Bring the database at that URL up to this program's schema, all in one transaction; the migrations that were done."""
    from alembic import command  # a fifth of a second that only an upgrade should cost

    engine = make_engine(read_url(url))
    try:
        needed = behind(current_revision(engine))
        with told_plainly(), writing(engine) as connection:
            config = settings()
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
        return needed
    finally:
        engine.dispose()


def settings() -> "Config":
    """Alembic's settings: where the steps are."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    return config
