"""Facts to text through templates: letters, help pages, pages of the archive.

What may be told to whom is decided in `game` (`view_for`); sending and MIME are `mail`.
"""

from judge.report.answering import Part
from judge.report.postage import Occasion, Postage, Question, SecretPostage, Stamp, phase_pass
from judge.report.printing import Written
from judge.report.scribe import Scribe
from judge.report.wording import Wording

__all__ = [
    "Occasion",
    "Part",
    "Postage",
    "Question",
    "Scribe",
    "SecretPostage",
    "Stamp",
    "Wording",
    "Written",
    "phase_pass",
]
