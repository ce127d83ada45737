"""`judge run` in a process of its own, as an operator starts it."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from tests.support.places import wait_until


class JudgeProcess:
    """One installation in a folder; `settings` is its judge.toml, `only` the roles of this process of several."""

    def __init__(self, folder: Path, settings: str, only: str = "") -> None:
        self.folder = folder
        self.only = only
        self.config = folder / "judge.toml"
        self.config.write_text(settings, "utf-8")
        self.log = folder / f"judge{only.replace(',', '-')}.log"
        self._process: subprocess.Popen[bytes] | None = None
        self._before = 0

    def start(self, *before: str, **environment: str) -> "JudgeProcess":
        """Begin; `before` are the words of a program that watches it."""
        self._before = self.said("judge runs")
        command = [*before, sys.executable, "-m", "judge", "run", "--config", str(self.config), "--only", self.only]
        with open(self.log, "ab") as log:
            self._process = subprocess.Popen(
                command, stdout=log, stderr=log, env={**os.environ, **environment}, cwd=self.folder, start_new_session=True
            )
        return self

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether the process has not ended."""
        return self._process is not None and self._process.poll() is None

    def wait_until_up(self) -> None:
        """Wait for the line in the log that says so; what it says instead is told."""

        def is_up() -> bool:
            assert self.is_alive, self.log.read_text()[-3000:]
            return self.said("judge runs") > self._before

        wait_until(is_up, 60)

    def said(self, event: str) -> int:
        """How often the log has an event."""
        return self.log.read_text().count(f'"event": "{event}"') if self.log.exists() else 0

    def stop(self) -> float:
        """Ask it to end; how many seconds that took."""
        assert self._process is not None
        begun = time.monotonic()
        self._process.send_signal(signal.SIGTERM)
        assert self._process.wait(30) == 0, self.log.read_text()[-3000:]
        self._process = None
        return time.monotonic() - begun

    def kill(self) -> None:
        """End it, and what it runs under or has started, as a power cut would."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(10)
            self._process = None

    def __enter__(self) -> "JudgeProcess":
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.kill()
