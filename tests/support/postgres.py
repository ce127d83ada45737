"""A PostgreSQL server of the tests' own: Debian's programs, a cluster in a temporary folder, reached by a UNIX socket."""

import atexit
import ctypes
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from functools import cache
from itertools import count
from pathlib import Path

import pytest

PROGRAMS = Path("/usr/lib/postgresql")
REMEDY = "apt-get update && apt-get install -y postgresql"
_numbers = count(1)


def find_programs() -> Path | None:
    """The folder with `initdb` and `postgres`, the newest version; None if there is none."""
    versions = sorted(PROGRAMS.glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if versions:
        return versions[-1].parent
    on_path = shutil.which("initdb")
    return Path(on_path).parent if on_path else None


class PostgresServer:
    """A running server; it never listens on a network, and trusts whoever reaches its socket."""

    def __init__(self, programs: Path) -> None:
        self._programs = programs
        self._folder = Path(tempfile.mkdtemp(prefix="judge-pg-"))
        self._owner = self._take_owner()
        self._run("initdb", "-D", self._data, "-U", "judge", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        self.start()

    @property
    def _data(self) -> str:
        return str(self._folder / "data")

    def start(self) -> None:
        """Start the server and wait until it answers.  It ends with the process that started it, however that ends."""
        settings = {"listen_addresses": "", "unix_socket_directories": str(self._folder), "fsync": "off", "max_connections": "60"}
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        with (self._folder / "log").open("ab") as log:
            self._server = subprocess.Popen(
                [str(self._programs / "postgres"), "-D", self._data, *options],
                user=self._owner,
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                preexec_fn=_end_with_parent,
            )
        until = time.monotonic() + 60
        while self._call("pg_isready", "-q", "-h", str(self._folder), "-U", "judge")[0] != 0:
            assert self._server.poll() is None, (self._folder / "log").read_text(errors="replace")
            assert time.monotonic() < until, "PostgreSQL does not answer"
            time.sleep(0.05)

    def halt(self) -> None:
        """Stop the server as if the power had failed; `start` brings it back."""
        self._server.send_signal(signal.SIGQUIT)
        self._server.wait(60)

    def url(self, database: str) -> str:
        """The URL of a database on this server."""
        return f"postgresql+psycopg://judge@/{database}?host={self._folder}"

    def fresh_database(self) -> str:
        """The URL of a new, empty database."""
        name = f"judge{next(_numbers)}"
        self._run("createdb", "-h", str(self._folder), "-U", "judge", name)
        return self.url(name)

    def drop(self, url: str) -> None:
        """Take a database away, whoever is connected."""
        name = url.partition("@/")[2].partition("?")[0]
        self._run("dropdb", "--force", "-h", str(self._folder), "-U", "judge", name)

    def close(self) -> None:
        """Stop the server and remove its folder."""
        self.halt()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _take_owner(self) -> int | None:
        """PostgreSQL refuses to run as root: the user it runs as then, who is given the folder; None for ourselves."""
        if os.geteuid() != 0:
            return None
        names = {entry.pw_name: entry.pw_uid for entry in pwd.getpwall()}
        owner = names.get("postgres", names.get("nobody", 65534))
        os.chown(self._folder, owner, -1)
        return owner

    def _run(self, program: str, *arguments: str) -> None:
        """Run one of PostgreSQL's programs; what it says is told if it fails."""
        status, said = self._call(program, *arguments)
        assert status == 0, f"{program}: {said}"

    def _call(self, program: str, *arguments: str) -> tuple[int, str]:
        """The exit status of one of PostgreSQL's programs, and what it says."""
        command = [str(self._programs / program), *arguments]
        done = subprocess.run(command, user=self._owner, cwd="/", capture_output=True, check=False, timeout=60)
        return done.returncode, (done.stdout + done.stderr).decode(errors="replace")


def _end_with_parent() -> None:
    """Ask Linux to stop this process at once when the one that started it ends, even by a kill."""
    libc = ctypes.CDLL(None)
    if hasattr(libc, "prctl"):
        libc.prctl(1, signal.SIGQUIT)  # PR_SET_PDEATHSIG; SIGQUIT is PostgreSQL's immediate shutdown


@cache
def _server() -> PostgresServer | None:
    """The one server of this test run."""
    programs = find_programs()
    if programs is None:
        return None
    server = PostgresServer(programs)
    atexit.register(server.close)
    return server


def shared_server() -> PostgresServer:
    """The one server of this test run, started when first asked for.  Without PostgreSQL the test is skipped, or fails where CI=true."""
    server = _server()
    if server is None:
        reason = f"PostgreSQL is not installed ({REMEDY})"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return server
