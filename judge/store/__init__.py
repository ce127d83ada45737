"""Keeping things: mails that came in, games, people, letters that go out; on SQLite or PostgreSQL.

What they mean is `game`; in which order things are done, and when again, is `service`.  What looks after a whole database is
imported from its module, so that nobody pays for what he does not use: `moving`, `backup`, `checking`, `tidying`.
"""

from judge.store.base import (
    MOST_TRIES,
    AddressState,
    Conflict,
    Duplicate,
    InboxMail,
    InboxState,
    KeptGame,
    LetterKind,
    LetterState,
    NameInUse,
    NewMail,
    OutboxCounts,
    OutboxLetter,
    PendingCode,
    PersonAddress,
    StoreBusy,
    WaitingLetter,
    game_lane,
    is_game_lane,
    is_stranger_lane,
    sender_lane,
    stranger_lane,
)
from judge.store.engines import safe_url
from judge.store.lock import DaemonLock
from judge.store.migrations import migrate, pending
from judge.store.opening import open_store
from judge.store.site import settle
from judge.store.sql import LEASE, SqlStore, Transaction

__all__ = [
    "LEASE",
    "MOST_TRIES",
    "AddressState",
    "Conflict",
    "DaemonLock",
    "Duplicate",
    "InboxMail",
    "InboxState",
    "KeptGame",
    "LetterKind",
    "LetterState",
    "NameInUse",
    "NewMail",
    "OutboxCounts",
    "OutboxLetter",
    "PendingCode",
    "PersonAddress",
    "SqlStore",
    "StoreBusy",
    "Transaction",
    "WaitingLetter",
    "game_lane",
    "is_game_lane",
    "is_stranger_lane",
    "migrate",
    "open_store",
    "pending",
    "safe_url",
    "sender_lane",
    "settle",
    "stranger_lane",
]
