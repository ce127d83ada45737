"""What the pages are made by: the program, its maps and templates, and the settings that stand on pages, as one hash."""

from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path


def origin_of(folders: Iterable[Path], settings: object) -> str:
    """A hash that changes whenever a file in these folders does (by its name, size or time), or the settings.

    A file that was only touched changes it too: then pages are made anew and found to be the same, which costs a minute and no more.
    """
    digest = sha256(repr(settings).encode())
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.suffix not in (".pyc", ".pyo"):
                told = path.stat()
                digest.update(f"\n{path} {told.st_size} {told.st_mtime_ns}".encode())
    return digest.hexdigest()
