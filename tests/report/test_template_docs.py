"""docs/templates.md names every letter, filter, View and field."""

from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

from judge.report import views
from judge.report.filters import FILTERS
from judge.report.samples import sample_letters

DOCS = (Path(__file__).parents[2] / "docs" / "templates.md").read_text("utf-8")
VIEWS = [each for each in vars(views).values() if isinstance(each, type) and is_dataclass(each) and each.__module__ == views.__name__]


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.__name__)
def test_every_field_is_documented(view: type) -> None:
    section = DOCS.partition(f"### {view.__name__}\n")[2].partition("\n### ")[0]
    assert section
    assert not [field.name for field in fields(view) if f"| `{field.name}` |" not in section]


def test_every_filter_and_letter_is_named() -> None:
    assert not [name for name in (*FILTERS, *sample_letters()) if f"`{name}`" not in DOCS]
