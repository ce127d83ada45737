"""Letters of ours that came back: known by their return path, noted, told to the master once."""

from datetime import timedelta

import structlog

from judge.mail import Message
from judge.mail.bounces import Bounce
from judge.service.context import Services
from judge.store import Duplicate, InboxMail, InboxState

log = structlog.get_logger()
ONCE = timedelta(days=1)


def record_bounce(s: Services, waiting: InboxMail, message: Message, bounce: Bounce) -> None:
    """Note a delivery failure at the address it is about; a read receipt or a delay changes nothing."""
    now = s.clock.now()
    try:
        with s.store.transaction() as tx:
            tx.inbox.finish(waiting.number, message.digest, now, f"bounce {bounce.recipient} {bounce.status}", InboxState.SILENT)
    except Duplicate:
        with s.store.transaction() as tx:
            tx.inbox.mark(waiting.number, InboxState.DUPLICATE, now)
