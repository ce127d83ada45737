"""Where `maps/` and `templates/` are found, and in which order they are searched."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import judge


def shipped_folder(name: str) -> Path:
    """The `maps` or `templates` folder that came with this judge, installed or in a checkout.

    An editable install puts a snapshot of `_shipped` into site-packages as well; asking the package's own file passes it by.
    """
    package = Path(judge.__file__).parent
    inside = package / "_shipped" / name
    return inside if inside.is_dir() else package.parent / name


def search_path(name: str, extra: Sequence[Path] = ()) -> tuple[Path, ...]:
    """The operator's folders in their order, then the shipped one: the first that has something wins."""
    return (*extra, shipped_folder(name))


def find_folder(wanted: str, search: Sequence[Path], mark: str) -> Path | None:
    """The first subfolder called `wanted` that holds the file `mark`; None if there is none, or if the name is no plain name."""
    if not wanted or wanted.startswith(".") or Path(wanted).name != wanted:
        return None
    return next((folder / wanted for folder in search if (folder / wanted / mark).is_file()), None)


def folders_with(search: Sequence[Path], mark: str) -> Iterator[Path]:
    """Every subfolder that holds the file `mark`, by name; of several with one name only the first found."""
    found: dict[str, Path] = {}
    for folder in search:
        if folder.is_dir():
            for inside in folder.iterdir():
                if (inside / mark).is_file():
                    found.setdefault(inside.name, inside)
    return iter(found[name] for name in sorted(found))
