"""The three kinds of failure: answer the player, tell the operator, try again later."""

from typing import ClassVar


class JudgeError(Exception):
    """Whatever the judge foresees; anything else that is raised is a bug."""


class PlayerError(JudgeError):
    """Something a mail asked for cannot be done; it is answered by mail.

    A subclass is a non-frozen dataclass of facts; `code` names the sentence that `report/` makes of it.
    """

    code: ClassVar[str] = "error"


class OperatorError(JudgeError):
    """Configuration, maps or templates are wrong; the operator is told at once, with place and remedy."""


class TryLater(JudgeError):
    """A mail server or the database does not answer; the same step is tried again later."""
