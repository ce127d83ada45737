"""What makes an installation itself: its name, and the key of all secret addresses; kept in the database, one for all machines."""

import os
import secrets
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, delete, select, text
from sqlalchemy.dialects import postgresql, sqlite

from judge.errors import OperatorError
from judge.store.engines import told_plainly
from judge.store.marks import Marks
from judge.store.sql import SqlStore
from judge.store.tables import site

KEY, NAME = "key", "name"
KEY_FILE = "site.key"
"""In the spool of a judge of the first release: its key, as hexadecimal digits."""
NAME_FILE = "installation"
"""In the spool: which installation it belongs to, so that a wrong database is noticed."""
NAME_LENGTH = 10
NEW_ADDRESSES = "new-addresses"
"""The mark that says that the key is another one, and that players have not all been told their new addresses yet."""


@dataclass(frozen=True, slots=True)
class Installation:
    """An installation: its name, which is no secret, and its key, which is."""

    name: str
    key: bytes


@cache
def _add(dialect: str) -> Any:
    """A value that stays as it is if it is there."""
    return (postgresql.insert if dialect == "postgresql" else sqlite.insert)(site).on_conflict_do_nothing()


def settle(store: SqlStore, spool: Path) -> Installation:
    """Who this installation is, made up at its first start; its name is left in the spool.

    A key that lies in the spool, as in the first release, is taken into the database.  Raises `OperatorError` where the spool belongs
    to another installation than the database: the database setting is wrong then, or something was put back half.
    """
    found = read_installation(store)
    name_file, key_file = spool / NAME_FILE, spool / KEY_FILE
    known = owner_of(spool)
    if known and (found is None or found.name != known):
        held = f"holds the installation {found.name}" if found is not None else "is empty"
        raise OperatorError(
            f"the database {held}, but {spool} belongs to the installation {known}: correct `database` in judge.toml, "
            f"put a backup back with `judge restore`, or delete {name_file} to begin with this database"
        )
    old_key = read_key_file(key_file)
    if found is None:
        found = _found(store, old_key)
    if old_key is not None and old_key != found.key:
        raise OperatorError(
            f"the key in {key_file} is not the key of the database: correct `database` in judge.toml, or move the file away if that key "
            "is no longer used"
        )
    if known != found.name:
        point_to(spool, found.name)
    return found


def read_installation(store: SqlStore) -> Installation | None:
    """Who the installation in this database is; None before its first start."""
    with told_plainly(), store.snapshot() as connection:
        values = _values(connection)
    return Installation(values[NAME], bytes.fromhex(values[KEY])) if {NAME, KEY} <= values.keys() else None


def new_installation(key: bytes | None = None) -> Installation:
    """An installation with a name of its own, and with that key or a new one."""
    letters = "abcdefghjkmnpqrstuvwxyz23456789"
    return Installation("".join(secrets.choice(letters) for _ in range(NAME_LENGTH)), key or secrets.token_bytes(32))


def _found(store: SqlStore, key: bytes | None) -> Installation:
    """A new installation, unless another process was quicker."""
    fresh = new_installation(key)
    with told_plainly(), store.writing() as connection:
        rows = [{"name": NAME, "value": fresh.name}, {"name": KEY, "value": fresh.key.hex()}]
        for row in rows:
            connection.execute(_add(connection.dialect.name), row)
        values = _values(connection)
    return Installation(values[NAME], bytes.fromhex(values[KEY]))


def renew_key(store: SqlStore) -> Installation:
    """Give the installation a new key, and note that its players must be told.  Raises `OperatorError` where there is none yet."""
    found = read_installation(store)
    if found is None:
        raise OperatorError("this installation has no key yet: it was never started")
    fresh = Installation(found.name, secrets.token_bytes(32))
    with told_plainly(), store.writing() as connection:
        put_installation(connection, fresh)
        Marks(connection).set(NEW_ADDRESSES, fresh.key[:4].hex())
    return fresh


def put_installation(connection: Connection, installation: Installation) -> None:
    """Make the installation of a database another one."""
    connection.execute(delete(site))
    connection.execute(site.insert(), [{"name": NAME, "value": installation.name}, {"name": KEY, "value": installation.key.hex()}])


def _values(connection: Connection) -> dict[str, str]:
    """Everything in the table."""
    return dict(connection.execute(select(site.c.name, site.c.value)).all())


def read_key_file(file: Path) -> bytes | None:
    """The key in a file; None if there is no such file.  Raises `OperatorError` for a file that holds something else."""
    try:
        key = bytes.fromhex(file.read_text("ascii").strip())
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as bad:
        raise OperatorError(f"{file} cannot be read as a site key: {bad}") from bad
    if len(key) < 16:
        raise OperatorError(f"{file} holds no site key: it is too short")
    return key


def owner_of(spool: Path) -> str:
    """Which installation a spool belongs to; "" for a new one."""
    file = spool / NAME_FILE
    return file.read_text("utf-8").strip() if file.exists() else ""


def point_to(spool: Path, name: str) -> None:
    """Note in the spool which installation it belongs to, in one step that no reader sees half done."""
    fresh = spool / f"{NAME_FILE}.{secrets.token_hex(4)}"
    fresh.write_text(name + "\n", "utf-8")
    os.replace(fresh, spool / NAME_FILE)


def keep_from_readers(connection: Connection) -> None:
    """On PostgreSQL: take the key's table away from roles that only read, which defaults may have given it to."""
    if connection.dialect.name != "postgresql":
        return
    connection.execute(text("REVOKE ALL ON TABLE site FROM PUBLIC"))
    grants = text(
        "SELECT DISTINCT grantee FROM information_schema.role_table_grants "
        "WHERE table_schema = current_schema() AND table_name = 'site' AND grantee NOT IN ('PUBLIC', current_user)"
    )
    for role in connection.execute(grants).scalars().all():
        connection.execute(text(f"REVOKE ALL ON TABLE site FROM {connection.dialect.identifier_preparer.quote(role)}"))
