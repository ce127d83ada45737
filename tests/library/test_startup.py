"""Reading the rules of a board draws in nothing that only letters, pictures or the store need: `judge adjudicate` starts quickly."""

import subprocess
import sys

import pytest

from judge import library

HEAVY = {"babel", "jinja2", "PIL", "sqlalchemy", "rapidfuzz", "judge.language", "judge.picture"}
SCRIPT = "import sys; from judge.library import read_variant; read_variant('standard'); print(*sys.modules)"


def test_the_rules_of_a_board_come_alone() -> None:
    loaded = set(subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True).stdout.split())
    assert "judge.library.variants" in loaded
    assert loaded & HEAVY == set()


@pytest.mark.parametrize("name", library.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(library, name) is not None


def test_other_names_are_not() -> None:
    with pytest.raises(AttributeError, match="no attribute 'atlas'"):
        _ = library.atlas
