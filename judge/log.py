"""Logging: one line an event, with game and mail ids; secrets masked in one place."""

import logging
import re
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog

from judge.config import Config

_SECRET_ADDRESS = re.compile(r"([+-][a-z][a-z0-9]{0,15})\.[a-z0-9]{6,24}(?=@)", re.IGNORECASE)
_SECRET_ID = re.compile(r"\b([a-z][a-z0-9]{0,15}(?:\.[A-Za-z0-9]{1,12})(?:\.[A-Z][A-Z0-9_]{0,23})\.[a-z0-9-]{1,24})\.[a-z0-9]{6,24}(?=@)")
"""Message-IDs carry a seat's secret where the mailbox has no plus-addresses."""
_SECRET_KEYS = frozenset({"password", "secret", "token", "code", "raw", "text"})


def mask(_logger: Any, _name: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Take secrets out of an event: values under telling names, and the secret part of reply addresses and Message-IDs.

    >>> mask(None, "", {"event": "to judge+danube.k7q2m9xd3fab@example.org", "token": "k7"})
    {'event': 'to judge+danube.***@example.org', 'token': '***'}
    >>> mask(None, "", {"message_ids": ["danube.S1901M.ITALY.a7.k7q2m9xd3fab@example.org"]})
    {'message_ids': ['danube.S1901M.ITALY.a7.***@example.org']}
    """
    for key, value in event.items():
        if key in _SECRET_KEYS:
            event[key] = "***"
        elif isinstance(value, str):
            event[key] = _masked(value)
        elif isinstance(value, list):
            event[key] = [_masked(each) if isinstance(each, str) else each for each in value]
    return event


def _masked(text: str) -> str:
    """The text without the secret part of any address or Message-ID in it."""
    return _SECRET_ID.sub(r"\1.***", _SECRET_ADDRESS.sub(r"\1.***", text)) if "@" in text else text


def set_up_logging(config: Config | None = None) -> None:
    """Write events to standard error, one line each: for people on a terminal, as JSON elsewhere."""
    human = sys.stderr.isatty()
    processors = structlog.get_config()["processors"]  # the very list: loggers that are cached already keep it
    processors[:] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        mask,
        structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
        if human
        else structlog.processors.JSONRenderer(sort_keys=True, ensure_ascii=False),
    ]
    structlog.configure(
        processors=processors,
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=True,
    )
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
