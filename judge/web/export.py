"""The site written to a folder, for any web server or none."""

import json
import posixpath
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path

from judge.errors import OperatorError
from judge.service.raster import write_whole
from judge.web.site import Site, SitePart

LEDGER = ".archive.json"
"""What the last export wrote: what is no longer part of the site is taken away, nothing else is touched."""


@dataclass(frozen=True, slots=True)
class Exported:
    """What an export did, in files; `made` is how many had to be made to see whether they have changed."""

    written: int
    kept: int
    removed: int
    made: int


@dataclass(frozen=True, slots=True)
class Ledger:
    """What an export wrote, and by what it was made: each file with a hash of its bytes, each part of the site with its mark and files."""

    made_by: str = ""
    files: dict[str, str] = field(default_factory=dict)
    parts: dict[str, tuple[str, list[str]]] = field(default_factory=dict)


def export_site(
    site: Site,
    folder: Path,
    languages: tuple[str, ...] = (),
    *,
    tell: Callable[[Iterable[SitePart]], Iterable[SitePart]] = iter,
) -> Exported:
    """Write the site to a folder: only what has changed is made anew, and only what came out differently is written.

    `tell` is handed all parts and gives them back one by one, to show how far it is.  A game that is no longer listed leaves
    nothing behind.  Raises `OperatorError` for a folder with other things in it.
    """
    work = _Work(site, folder, _read_ledger(folder), Ledger(site.made_by))
    for part in tell(list(site.parts(languages))):
        work.put(part)
    gone = [path for path in work.before.files if path not in work.now.files]
    for path in gone:
        _remove(folder, path)
    write_whole(folder / LEDGER, json.dumps(asdict(work.now), indent=0, sort_keys=True).encode())
    return Exported(work.written, len(work.now.files) - work.written, len(gone), work.made)


@dataclass
class _Work:
    """One export under way: what the last one wrote, what this one has, and how much it did."""

    site: Site
    folder: Path
    before: Ledger
    now: Ledger
    written: int = 0
    made: int = 0

    def put(self, part: SitePart) -> None:
        """See to the files of a part of the site."""
        mark, paths = self.before.parts.get(part.name, ("", []))
        if not mark or mark != part.mark or not all(self._is_there(path) for path in paths):
            paths = [path for path in part.paths() if self._lies_ready(path) or self._make(path)]
        self.now.files.update((path, self.before.files[path]) for path in paths if path not in self.now.files)
        self.now.parts[part.name] = (part.mark, paths)

    def _is_there(self, path: str) -> bool:
        """Whether a file of the last export is still there."""
        return path in self.before.files and (self.folder / path).is_file()

    def _lies_ready(self, path: str) -> bool:
        """Whether a file need not be made again, although other things of its part have changed."""
        return self.before.made_by == self.now.made_by and _lasts(path) and self._is_there(path)

    def _make(self, path: str) -> bool:
        """Make a file and write it if it came out otherwise; False if it is gone while the others were written."""
        content = self.site.find(path)
        if content is None:
            return False
        self.made += 1
        self.now.files[path] = sha256(content.body).hexdigest()
        if self.now.files[path] != self.before.files.get(path) or not self._is_there(path):
            write_whole(self.folder / path, content.body)
            (self.folder / path).chmod(0o644)
            self.written += 1
        return True


def _lasts(path: str) -> bool:
    """Whether a file stays as it is for as long as the program does: the picture of a closed phase."""
    return posixpath.splitext(path)[1] in (".png", ".svg") and posixpath.splitext(posixpath.basename(path))[0].isdecimal()


def _read_ledger(folder: Path) -> Ledger:
    """What the last export wrote into the folder.  Raises `OperatorError`."""
    try:
        found = json.loads((folder / LEDGER).read_text("utf-8"))
        made_by = str(found["made_by"])
        files = {str(path): str(mark) for path, mark in found["files"].items()}
        parts = {str(name): (str(mark), [path for path in paths if path in files]) for name, (mark, paths) in found["parts"].items()}
    except FileNotFoundError:
        if folder.is_dir() and any(folder.iterdir()):
            raise OperatorError(f"{folder} holds other things: name an empty folder, or one that was exported to before") from None
        return Ledger()
    except (ValueError, KeyError, TypeError, AttributeError) as torn:
        raise OperatorError(f"{folder / LEDGER} cannot be read: empty the folder and export again") from torn
    return Ledger(made_by, files, parts)


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
