"""A deadline as a calendar entry that moves when the deadline moves."""

from datetime import UTC, datetime, timedelta
from functools import lru_cache

REMIND = timedelta(hours=12)


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,").replace("\n", "\\n")


def _fold(line: str) -> str:
    """A content line in pieces of at most 75 octets (RFC 5545 3.1), never within a letter."""
    if len(line) <= 73 and line.isascii():
        return line
    pieces: list[str] = []
    piece, size = "", 0
    for letter in line:
        octets = len(letter.encode())
        if size + octets > 73:
            pieces.append(piece)
            piece, size = "", 0
        piece += letter
        size += octets
    return "\r\n ".join([*pieces, piece])


@lru_cache(maxsize=256)
def deadline_event(uid: str, title: str, at: datetime, now: datetime, since: datetime) -> str:
    """The .ics of one game's next deadline.

    The UID stays the same for the whole game and SEQUENCE rises with the time since its creation (`since`), so that a calendar
    moves its entry instead of adding one (RFC 5545 3.8.7.4).  METHOD is PUBLISH: nobody is invited, nobody has to answer.
    """
    stamp = "%Y%m%dT%H%M%SZ"
    lines = (
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Chancery//judge//EN",
        "METHOD:PUBLISH",
        "BEGIN:VEVENT",
        f"UID:{uid}",
        f"SEQUENCE:{int((now - since).total_seconds()) // 60}",
        f"DTSTAMP:{now.astimezone(UTC):{stamp}}",
        f"DTSTART:{at.astimezone(UTC):{stamp}}",
        "DURATION:PT0S",
        f"SUMMARY:{_escape(title)}",
        "TRANSP:TRANSPARENT",
        "BEGIN:VALARM",
        "ACTION:DISPLAY",
        f"DESCRIPTION:{_escape(title)}",
        f"TRIGGER:-PT{int(REMIND.total_seconds()) // 3600}H",
        "END:VALARM",
        "END:VEVENT",
        "END:VCALENDAR",
    )
    return "".join(f"{_fold(line)}\r\n" for line in lines)
