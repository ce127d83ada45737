"""Named places at which a test may kill the process, to show that nothing is lost or done twice there."""

import os
import signal
from collections.abc import Mapping

VARIABLE = "JUDGE_FAILPOINT"
"""``name`` or ``name:3``: the process kills itself when it passes that place (for the third time)."""

POINTS: Mapping[str, str] = {
    "intake_before_write": "mails are read from the mailbox or the door, nothing is written",
    "intake_before_commit": "mails are written, not committed",
    "intake_after_commit": "mails are kept, not acknowledged (no 250, no IMAP flag)",
    "intake_after_ack": "mails are kept and acknowledged",
    "worker_before_claim": "about to claim a mail",
    "worker_claim_before_commit": "a mail is claimed, the claim is not committed",
    "worker_after_claim": "a mail is claimed and counted",
    "worker_after_reading": "the mail is read, nothing of it is done",
    "worker_after_working_out": "everything the mail does is worked out, nothing is written",
    "worker_after_finish": "the mail is marked as done inside the transaction that writes what it does",
    "worker_before_commit": "everything the mail does is written, not committed",
    "worker_after_commit": "everything the mail does is committed",
    "bounce_before_commit": "a delivery report is noted, not committed",
    "duplicate_before_commit": "a mail was found to be a duplicate, not committed",
    "closing_after_snapshot": "a due game is read",
    "closing_after_adjudication": "the phase is adjudicated, nothing is written",
    "closing_before_commit": "result and letters are written, not committed",
    "closing_after_commit": "result and letters are committed",
    "reminding_before_commit": "a reminder is written, not committed",
    "outbox_claim_before_commit": "letters are claimed, the claim is not committed",
    "outbox_after_claim": "letters are claimed, none is sent",
    "outbox_before_send": "a letter is composed, not handed over",
    "outbox_after_send": "a letter is handed over, not marked: the one place from which it leaves twice",
    "outbox_before_marks_commit": "letters are marked as sent, not committed: as the place before",
    "outbox_after_marks": "letters are marked as sent",
    "alive_before_commit": "the note that the judge is alive is written, not committed",
    "shutdown_begun": "the judge was told to stop",
    "shutdown_threads_done": "pollers and sender have ended",
    "shutdown_end": "the judge is about to end",
}
"""Every place, with what is true there."""

TWICE = frozenset({"outbox_after_send", "outbox_before_marks_commit"})
"""Killed here, a letter that was handed over leaves once more, with the same Message-ID (RFC 1047)."""


class _Armed:
    """The place at which to die, read from the environment once; `left` passes are survived."""

    def __init__(self, text: str) -> None:
        self.name, _, count = text.partition(":")
        self.left = int(count or 1) - 1
        if self.name and self.name not in POINTS:
            raise ValueError(f"no failpoint {self.name!r}")


_armed = _Armed(os.environ.get(VARIABLE, ""))


def arm(text: str) -> None:
    """Arm a failpoint in this process (``""`` none), as the environment does at its start; for tests that fork."""
    global _armed
    _armed = _Armed(text)


def failpoint(name: str) -> None:
    """Nothing; but if this place is armed, the process ends here at once, as if the power had failed.

    >>> failpoint("worker_after_claim")
    """
    if _armed.name != name:
        return
    if _armed.left:
        _armed.left -= 1
        return
    os.kill(os.getpid(), signal.SIGKILL)
    signal.pause()  # the signal is on its way
