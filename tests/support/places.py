"""Free ports, waiting for things, and programs that may be missing."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest


def free_port() -> int:
    """A TCP port of the loopback nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until(what: Callable[[], bool], seconds: float = 15.0, pause: float = 0.02) -> None:
    """Wait until something holds; fail after some seconds."""
    end = time.monotonic() + seconds
    while not what():
        if time.monotonic() > end:
            raise TimeoutError(f"still not: {what}")
        time.sleep(pause)


def listens(port: int) -> bool:
    """Whether somebody accepts connections on a loopback port."""
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def program(name: str, package: str) -> str:
    """The path of a program of a Debian package; the test is skipped without it, but not in CI."""
    path = shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin:/usr/local/sbin")
    if path is None:
        reason = f"{name} is missing (apt install {package})"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return path


def open_folder(name: str) -> Path:
    """A new folder under /tmp that other users can enter: pytest closes its own to them."""
    folder = Path(tempfile.mkdtemp(prefix=f"judge-{name}-", dir="/tmp"))
    folder.chmod(0o755)
    return folder


def make_certificate(folder: Path) -> None:
    """A key and a certificate of our own for localhost: ``key.pem``, ``cert.pem``."""
    openssl = program("openssl", "openssl")
    subprocess.run(
        [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
         "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem")],
        check=True, capture_output=True,
    )  # fmt: skip
