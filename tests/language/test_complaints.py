"""Every error and warning has its own code, is in the table of its module, and is worded in every language that writes."""

from dataclasses import fields

import pytest

import judge.language.complaints as complaints
from judge.language import ERRORS, WARNINGS
from tests.support.readers import LIBRARY

TABLE = complaints.__doc__ or ""


def test_codes_are_different_and_documented() -> None:
    codes = [each.code for each in (*ERRORS, *WARNINGS)]
    assert len(set(codes)) == len(codes)
    for code in codes:
        assert f"``{code}``" in TABLE


def test_facts_are_documented() -> None:
    for each in (*ERRORS, *WARNINGS):
        row = next(line for line in TABLE.splitlines() if line.startswith(f"``{each.code}``"))
        start = TABLE.index(row)
        for name in (field.name for field in fields(each)):  # type: ignore[arg-type]  # each is a dataclass
            assert f"`{name}`" in TABLE[start : start + 400], (each.code, name)


@pytest.mark.parametrize("language", ["en", "cs", "hu", "ru"])
def test_every_code_is_worded(language: str) -> None:
    phrases = LIBRARY.tongue(language).phrases
    assert [each.code for each in ERRORS if not phrases.knows(f"error.{each.code}")] == []
    assert [each.code for each in WARNINGS if not phrases.knows(f"remark.{each.code}")] == []
