"""A day under steady load: memory stays where it is, and files grow by what is kept and no more."""

from pathlib import Path

import pytest

from tests.bench.day import HEAD, a_day

WARM = 6
"""Hours after which nothing should grow but what is kept."""


@pytest.mark.soak
def test_a_day_leaves_memory_and_files_flat(tmp_path: Path) -> None:
    print(HEAD)
    hours = []
    for hour in a_day(tmp_path, games=20):
        print(hour, flush=True)
        hours.append(hour)
    warm, last = hours[WARM - 1], hours[-1]
    assert last.mails == 24 * 20 * 3
    assert last.turns > 20 * 8
    assert last.memory < warm.memory * 1.1
    assert last.wal < 20_000_000
    middle = hours[11]
    assert last.database - middle.database < 1.3 * 12 / (12 - WARM) * (middle.database - warm.database)  # by the hour as much as before
    assert (last.database - warm.database) / (last.mails - warm.mails) < 30_000  # octets for a mail and its letters
