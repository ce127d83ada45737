"""What is wrong with a data file: where, what, and what to do about it."""

from dataclasses import dataclass
from pathlib import Path

from judge.errors import OperatorError


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One fault of a map or language folder; `line` counts from 1, 0 means the file as a whole."""

    file: str
    line: int
    text: str
    remedy: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}: {self.text}. {self.remedy}" if self.remedy else f"{place}: {self.text}."


class BadData(OperatorError):
    """A data folder that cannot be used; `findings` says why, the first of them in the message."""

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        super().__init__(str(findings[0]))
        self.findings = findings


class BadMap(BadData):
    """A folder of `maps/` that cannot be used."""


class BadTongue(BadData):
    """A folder of `templates/languages/` that cannot be used."""


class Faults:
    """Collects findings while files are read, so that one reading reports them all."""

    def __init__(self) -> None:
        self.found: list[Finding] = []

    def add(self, file: Path, line: int, text: str, remedy: str = "") -> None:
        """Note one fault."""
        finding = Finding(str(file), line, text, remedy)
        if finding not in self.found:
            self.found.append(finding)

    def __bool__(self) -> bool:
        return bool(self.found)
