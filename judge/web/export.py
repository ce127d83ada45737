"""The site written to a folder, for any web server or none."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from judge.errors import OperatorError
from judge.report.sitemap import BOARD
from judge.service.raster import write_whole
from judge.web.site import Site

LEDGER = ".archive.json"
"""What the last export wrote, by path with a hash of each: what is no longer part of the site is taken away, nothing else is touched."""


@dataclass(frozen=True, slots=True)
class Exported:
    """What an export did, in files."""

    written: int
    kept: int
    removed: int


def export_site(
    site: Site,
    folder: Path,
    languages: tuple[str, ...] = (),
    *,
    tell: Callable[[Iterable[str]], Iterable[str]] = iter,
) -> Exported:
    """Write the site to a folder; pictures of closed phases that are there already stay as they are.

    `tell` is handed all paths and gives them back one by one, to show
    how far it is.  A game that is no longer listed leaves nothing behind.  Raises `OperatorError` for a folder with other things in it.
    """
    before = _ledger(folder)
    now: dict[str, str] = {}
    written = 0
    for path in tell(list(site.paths(languages))):
        target = folder / path
        if path in before and _lasts(path) and target.is_file():
            now[path] = before[path]
            continue
        content = site.find(path)
        if content is None:  # gone while the others were written
            continue
        now[path] = sha256(content.body).hexdigest()
        if now[path] != before.get(path) or not target.is_file():
            write_whole(target, content.body)
            target.chmod(0o644)
            written += 1
    gone = [path for path in before if path not in now]
    for path in gone:
        _remove(folder, path)
    write_whole(folder / LEDGER, json.dumps(now, indent=0, sort_keys=True).encode())
    return Exported(written, len(now) - written, len(gone))


def _lasts(path: str) -> bool:
    """Whether a file never changes once it is written: the picture of a closed phase."""
    return path.startswith("pictures/") and not path.endswith(f"/{BOARD}.png")


def _ledger(folder: Path) -> dict[str, str]:
    """What the last export wrote into the folder.  Raises `OperatorError`."""
    try:
        found = json.loads((folder / LEDGER).read_text("utf-8"))
    except FileNotFoundError:
        if folder.is_dir() and any(folder.iterdir()):
            raise OperatorError(f"{folder} holds other things: name an empty folder, or one that was exported to before") from None
        return {}
    except ValueError as torn:
        raise OperatorError(f"{folder / LEDGER} cannot be read: empty the folder and export again") from torn
    return {str(path): str(mark) for path, mark in found.items()}


def _remove(folder: Path, path: str) -> None:
    """Take away a file of the last export, and the folders that are empty then."""
    target = folder / path
    if folder.resolve() not in target.resolve().parents:
        return
    target.unlink(missing_ok=True)
    for above in target.parents:
        if above == folder or any(above.iterdir()):
            break
        above.rmdir()
