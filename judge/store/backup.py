"""Copies of a whole installation: one file with the database, whatever kind it was, site key included; made while the judge runs."""

import json
import os
import secrets
import shutil
import sqlite3
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from typing import Any

from sqlalchemy import text

import judge
from judge.errors import OperatorError
from judge.store.base import StoreBusy
from judge.store.engines import database_file, read_url, told_plainly
from judge.store.migrations import migrate
from judge.store.moving import Progress, copy_all, silent
from judge.store.opening import REVISIONS, open_store
from judge.store.site import NEW_ADDRESSES, Installation, new_installation, put_installation, read_installation, read_key_file
from judge.store.sql import SqlStore

SUFFIX = ".judge.tar.gz"
_ABOUT, _DATABASE, _KEY = "about.json", "judge.db", "site.key"
FORMAT = 1
_KEY_IN_A_FILE = "0001"
"""The schema of the first release, whose backups hold the site's key in a file beside the database."""


@dataclass(frozen=True, slots=True)
class About:
    """What a backup says of itself."""

    format: int
    judge: str
    schema: str
    made_at: str
    database: str
    sha256: str
    site_key: bool


class KeyFate(StrEnum):
    """Which site key is in force after a restore, and so whether the reply addresses that players have are still good."""

    OF_BACKUP = "of_backup"
    OF_HERE = "of_here"
    """The backup had none: the one that was here stays."""
    NEW = "new"
    """The backup had none, and here was none either: all reply addresses change."""


@dataclass(frozen=True, slots=True)
class Restored:
    """What was put back: the rows of each table, the installation it is now, and whose key it has."""

    about: About
    rows: dict[str, int]
    installation: Installation
    key: KeyFate


def back_up(store: SqlStore, folder: Path, now: datetime, progress: Progress = silent) -> Path:
    """A backup file in `folder`, named after the moment; the judge may go on working meanwhile.

    It holds the site's key, and is as secret as that: only its owner may read it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".making-") as place:
        copy = Path(place) / _DATABASE
        _copy_database(store, copy, progress)
        holds_key = read_installation(store) is not None
        about = About(FORMAT, judge.__version__, REVISIONS[-1], now.isoformat(), store.engine.dialect.name, _digest(copy), holds_key)
        (Path(place) / _ABOUT).write_text(json.dumps(asdict(about), indent=1) + "\n", "utf-8")
        packed = Path(place) / "packed"
        with os.fdopen(os.open(packed, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
            with tarfile.open(fileobj=out, mode="w:gz", compresslevel=3) as tar:
                for name in (_ABOUT, _DATABASE):
                    tar.add(Path(place) / name, name)
            out.flush()
            os.fsync(out.fileno())
        return _into_place(packed, folder / f"judge-{now:%Y%m%d-%H%M%S}{SUFFIX}")


def read_about(file: Path) -> About:
    """What a backup says of itself.  Raises `OperatorError` for a file that is none, or from a newer judge."""
    with _unpacked(file) as place:
        return _about(place, file)


def restore(
    file: Path, url: str, *, replace: bool = False, key_here: bytes | None = None, spool_of: str = "", progress: Progress = silent
) -> Restored:
    """Put a backup back into the database at `url`, its site key with it.

    Unless `replace`, the database must be empty, and the spool nobody's or the same installation's (`spool_of` names whose it is).
    Where the backup holds no key, that of the database to be replaced stays in force, or `key_here`; where there is none, a new one is
    made and the mark `NEW_ADDRESSES` set: all players must be told.  Nothing is changed if anything is wrong with the backup.  A backup
    of an older judge is brought up to date first.  No daemon may work with the database.
    """
    with _unpacked(file) as place:
        about = _about(place, file)
        copy = place / _DATABASE
        if _digest(copy) != about.sha256:
            raise OperatorError(f"{file} is damaged: its database is not the one that was packed")
        migrate(f"sqlite:///{copy}")
        source, target = open_store(f"sqlite:///{copy}"), open_store(url)
        try:
            with target.claim_daemon():
                here = read_installation(target)
                if not replace:
                    _mind_spool(spool_of, read_installation(source))
                installation, fate = _whose_key(source, read_key_file(place / _KEY), here.key if here else key_here)
                rows = copy_all(source, target, replace=replace, progress=progress)
        finally:
            source.close()
            target.close()
        return Restored(about, rows, installation, fate)


def _mind_spool(spool_of: str, backed_up: Installation | None) -> None:
    if spool_of and backed_up is not None and backed_up.name != spool_of:
        raise OperatorError(
            f"the spool folder belongs to the installation {spool_of}, the backup is of {backed_up.name}: choose another `spool` in "
            "judge.toml, or say --replace if that installation is to be given up"
        )


def _whose_key(source: SqlStore, packed: bytes | None, here: bytes | None) -> tuple[Installation, KeyFate]:
    """The installation of an unpacked database, which is given a key if it has none: one packed beside it, the one here, or a new one."""
    kept = read_installation(source)
    if kept is not None:
        return kept, KeyFate.OF_BACKUP
    fresh = new_installation(packed or here)
    with source.writing() as connection:
        put_installation(connection, fresh)
    if packed:
        return fresh, KeyFate.OF_BACKUP
    if here:
        return fresh, KeyFate.OF_HERE
    with source.transaction() as tx:
        tx.marks.set(NEW_ADDRESSES, fresh.name)
    return fresh, KeyFate.NEW


def old_backups(folder: Path, keep: int) -> tuple[Path, ...]:
    """The backups in a folder beyond the newest `keep`, oldest first."""
    found = sorted(folder.glob(f"judge-*{SUFFIX}"))
    return tuple(found[: max(len(found) - keep, 0)])


def _copy_database(store: SqlStore, copy: Path, progress: Progress) -> None:
    """The database at one moment as an SQLite file: by SQLite itself, or row by row out of PostgreSQL."""
    file = database_file(store.engine.url)
    if file is not None:
        _vacuum_into(file, copy)
        return
    target = open_store(f"sqlite:///{copy}")
    try:
        copy_all(store, target, progress=progress)
        with told_plainly(), target.engine.connect() as connection:
            connection.execute(text("PRAGMA wal_checkpoint(TRUNCATE)"))
    finally:
        target.close()


def copy_aside(url: str, wanted: Path) -> Path | None:
    """A plain copy of an SQLite database of any schema, for before an upgrade; None for other databases."""
    file = database_file(read_url(url))
    if file is None:
        return None
    wanted.parent.mkdir(parents=True, exist_ok=True)
    _vacuum_into(file, wanted)
    return wanted


def _vacuum_into(file: Path, copy: Path) -> None:
    """SQLite's own copy: of one moment, compact, without holding up those who write."""
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)) as connection:
            connection.execute("VACUUM INTO ?", (str(copy),))
    except sqlite3.Error as fault:
        raise StoreBusy(f"{file} could not be copied to {copy}: {fault}") from fault
    copy.chmod(0o600)


def _into_place(packed: Path, wanted: Path) -> Path:
    """The finished file under its name, on the disk for good."""
    if wanted.exists():
        wanted = wanted.with_name(wanted.name.removesuffix(SUFFIX) + f"-{secrets.token_hex(2)}{SUFFIX}")
    packed.rename(wanted)
    folder = os.open(wanted.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
    return wanted


@contextmanager
def _unpacked(file: Path) -> Iterator[Path]:
    """A temporary folder with the parts of a backup; nothing else that an archive might hold is written anywhere."""
    with tempfile.TemporaryDirectory(prefix="judge-restore-") as place:
        try:
            with tarfile.open(file, "r:gz") as tar:
                for member in tar:
                    if member.isreg() and member.name in (_ABOUT, _DATABASE, _KEY):
                        part = tar.extractfile(member)
                        assert part is not None
                        with part, (Path(place) / member.name).open("wb") as out:
                            shutil.copyfileobj(part, out)
        except (OSError, EOFError, tarfile.TarError) as bad:
            raise OperatorError(f"{file} cannot be read as a backup: {bad}") from bad
        yield Path(place)


def _about(place: Path, file: Path) -> About:
    """What an unpacked backup says of itself, checked."""
    try:
        plain: dict[str, Any] = json.loads((place / _ABOUT).read_text("utf-8"))
        about = About(**plain)
    except (OSError, ValueError, TypeError) as bad:
        raise OperatorError(f"{file} is no backup of a judge, or one of a newer judge") from bad
    beside = about.site_key and about.schema == _KEY_IN_A_FILE
    missing = [name for name, wanted in ((_DATABASE, True), (_KEY, beside)) if wanted and not (place / name).exists()]
    if about.format != FORMAT or about.schema not in REVISIONS or missing:
        raise OperatorError(f"{file} is a backup of a newer judge ({about.judge}), or incomplete")
    return about


def _digest(file: Path) -> str:
    """The SHA-256 of a file."""
    digest = sha256()
    with file.open("rb") as read:
        while part := read.read(1 << 20):
            digest.update(part)
    return digest.hexdigest()
