"""Options and fixtures for all tests."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from functools import partial

import pytest

from tests.support import shelf
from tests.support.readonce import read_once

FIGURE = "figure"

collect_ignore = ["savedgames/with_package.py"]  # a script for a Python that has the package


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--renew", action="store_true", help="write golden files anew instead of comparing")
    parser.addoption("--seed", type=int, default=1, help="seed of the long proofs")


def pytest_configure(config: pytest.Config) -> None:
    """One folder of pictures for all processes of a test run, which the first one makes: rastering an empty board takes seconds."""
    if shelf.PICTURES not in os.environ:
        folder = tempfile.mkdtemp(prefix="judge-pictures-")
        os.environ[shelf.PICTURES] = folder
        config.add_cleanup(partial(shutil.rmtree, folder, ignore_errors=True))


@pytest.fixture(scope="session", autouse=True)
def shipped_once() -> Iterator[None]:
    """What is shipped is read once."""
    with pytest.MonkeyPatch.context() as patch:
        read_once(patch)
        yield


@pytest.fixture
def renew(request: pytest.FixtureRequest) -> bool:
    """Whether golden files are to be written anew."""
    return bool(request.config.getoption("--renew"))


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> int:
    """The seed of a long proof."""
    return int(request.config.getoption("--seed"))


@pytest.fixture
def tell(record_property: Callable[[str, object], None]) -> Callable[[str], None]:
    """Says what a long test has counted or measured; it is printed at the end, whichever process ran the test."""
    return lambda text: record_property(FIGURE, text)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What the long tests told."""
    reports = [each for kind in ("passed", "failed") for each in terminalreporter.getreports(kind) if each.when == "call"]
    told = sorted((each.nodeid, text) for each in reports for name, text in each.user_properties if name == FIGURE)
    if told:
        terminalreporter.section("figures")
        for nodeid, text in told:
            terminalreporter.write_line(f"{nodeid.rpartition('::')[2]}: {text}")
