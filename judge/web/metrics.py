"""Figures in the text format that Prometheus reads (version 0.0.4)."""

import os
import resource
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import judge
from judge.service.watching import Seen

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Metric:
    """One figure: its name, what it says, and its values, each with its labels."""

    name: str
    says: str
    values: tuple[tuple[Mapping[str, str], float], ...]
    kind: str = "gauge"

    @classmethod
    def of(cls, name: str, says: str, value: float, kind: str = "gauge") -> "Metric":
        """A figure without labels."""
        return cls(name, says, (({}, value),), kind)


def write_metrics(seen: Seen) -> str:
    """Everything that is seen, one figure after another.  Labels have few values, known beforehand: states, kinds of mailboxes."""
    return "".join(map(write_metric, (*_of_installation(seen), *_of_process())))


def write_metric(metric: Metric) -> str:
    r"""One figure as lines.

    >>> print(write_metric(Metric("judge_games", "Games", (({"status": "running"}, 3.0),))), end="")
    # HELP judge_games Games
    # TYPE judge_games gauge
    judge_games{status="running"} 3
    """
    lines = [f"# HELP {metric.name} {metric.says}", f"# TYPE {metric.name} {metric.kind}"]
    for labels, value in metric.values:
        inside = ",".join(f'{name}="{_quoted(text)}"' for name, text in labels.items())
        lines.append(f"{metric.name}{f'{{{inside}}}' if inside else ''} {value:.15g}")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


def _of_installation(seen: Seen) -> Iterator[Metric]:
    """What is the same whichever process is asked."""
    store = seen.store
    yield Metric("judge_info", "The program", (({"version": judge.__version__}, 1.0),))
    yield Metric(
        "judge_games", "Games that are not archived", tuple(({"status": name}, float(n)) for name, n in sorted(seen.games.items()))
    )
    yield Metric.of("judge_games_due", "Games whose phase is due and not closed", store.due)
    yield Metric.of("judge_games_due_seconds", "How long the first of them has been due", _age(store.due_since, seen.at))
    yield Metric.of("judge_mails_unfinished", "Mails that wait or are being handled", store.mails)
    yield Metric.of("judge_mails_unfinished_seconds", "How long ago the oldest of them arrived", _age(store.oldest_mail, seen.at))
    yield Metric.of("judge_mails_received_total", "Mails ever kept", store.mails_ever, "counter")
    yield Metric.of("judge_letters_waiting", "Letters that wait to be sent", store.letters)
    yield Metric.of("judge_letters_deferred", "Letters among them that were tried before", store.deferred)
    yield Metric.of("judge_letters_waiting_seconds", "How long the oldest of them has waited", _age(store.oldest_letter, seen.at))
    yield Metric.of("judge_letters_written_total", "Letters ever written", store.letters_ever, "counter")
    read = tuple(({"mailbox": kind}, _age(until, seen.at)) for kind, until in sorted(seen.read_until.items()) if until is not None)
    yield Metric("judge_mailbox_unread_seconds", "How far behind now the mailbox has been read", read)
    yield Metric.of("judge_last_round_seconds", "How long ago a process last noted that it lives", _age(seen.last_round, seen.at))
    yield Metric.of("judge_workers", "Processes that share the work", seen.workers)
    yield Metric.of("judge_database_bytes", "What the database takes", store.octets)
    yield Metric.of("judge_spool_free_bytes", "What is free where the spool lies", seen.room)
    yield Metric.of("judge_pulse_seconds", "How long ago the loop of this process went round", seen.pulse)


def _age(since: datetime | None, now: datetime) -> float:
    """Seconds since then; 0 where there is nothing."""
    return max(0.0, (now - since).total_seconds()) if since is not None else 0.0


def _of_process() -> Iterator[Metric]:
    """What Prometheus' own clients tell of their process, under the usual names."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    yield Metric.of("process_cpu_seconds_total", "Processor time", used.ru_utime + used.ru_stime, "counter")
    statm = Path("/proc/self/statm")  # Linux: pages of the whole and of the resident set
    if statm.exists():
        pages = statm.read_text("ascii").split()
        yield Metric.of("process_resident_memory_bytes", "Resident memory", int(pages[1]) * os.sysconf("SC_PAGE_SIZE"))
    files = Path("/proc/self/fd")
    if files.exists():
        yield Metric.of("process_open_fds", "Open files", sum(1 for _ in files.iterdir()))
