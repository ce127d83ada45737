"""Options and fixtures for all tests."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--renew", action="store_true", help="write golden files anew instead of comparing")
    parser.addoption("--seed", type=int, default=1, help="seed of the long proofs")


@pytest.fixture
def renew(request: pytest.FixtureRequest) -> bool:
    """Whether golden files are to be written anew."""
    return bool(request.config.getoption("--renew"))


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> int:
    """The seed of a long proof."""
    return int(request.config.getoption("--seed"))
