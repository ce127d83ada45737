"""Map folders for tests: a small one written out, and copies of the shipped ones to be spoilt."""

import re
import shutil
from pathlib import Path

from judge.library import shipped_folder

GUIDE = Path(__file__).parent.parent.parent / "docs" / "maps.md"
FILE = re.compile(r"^`(isles/[^`]+)`\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def write_isles(into: Path) -> Path:
    """The example of docs/maps.md, its files copied out of the page."""
    for name, text in FILE.findall(GUIDE.read_text(encoding="utf-8")):
        path = into / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return into / "isles"


def copy_map(name: str, into: Path) -> Path:
    """A copy of a shipped map folder."""
    return Path(shutil.copytree(shipped_folder("maps") / name, into / name))


def change(path: Path, old: str, new: str) -> int:
    """Replace one text in a file; the line on which it stood."""
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, (old, text.count(old))
    path.write_text(text.replace(old, new), encoding="utf-8")
    return text[: text.index(old)].count("\n") + 1
