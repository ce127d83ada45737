"""What is shipped is read and compiled once in a test process, not once for each of the many judges that tests set up in it.

The first reading is the real one, and what it gives is immutable.  Folders of an operator, which tests write, are read each time.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from types import CodeType
from typing import Any, TypeVar

import pytest
from jinja2 import BaseLoader, BytecodeCache, Environment
from jinja2.bccache import Bucket

from judge.language import boardwords
from judge.language.commandwords import CommandWords
from judge.language.vocabulary import Vocabulary
from judge.library import catalogue, read_pack, read_tongue, read_variant_folder, search_path
from judge.library.about import read_about
from judge.library.languages import Tongue, read_command_words
from judge.report import environment

_T = TypeVar("_T")
MOST_VOCABULARIES = 50


def read_once(patch: pytest.MonkeyPatch) -> None:
    """Let the libraries of this process share what they read from the shipped folders, and the printers the templates they compile."""
    maps, templates = search_path("maps"), search_path("templates")
    patch.setattr(catalogue, "read_pack", _once(read_pack, maps))
    patch.setattr(catalogue, "read_variant_folder", _once(read_variant_folder, maps))
    patch.setattr(catalogue, "read_about", _once(read_about, maps))
    patch.setattr(catalogue, "read_tongue", _once(read_tongue, templates))
    patch.setattr(catalogue, "read_command_words", _once_for_tongues(read_command_words))
    patch.setattr(boardwords, "Vocabulary", _once_for_parts(Vocabulary))
    patch.setattr(environment, "_environment", _with_memory(environment._environment))


def _once(read: Callable[..., _T], shipped: Sequence[Path]) -> Callable[..., _T]:
    """A reader that remembers what it has read along that search path."""
    known: dict[object, _T] = {}

    def reading(what: object, search: Sequence[Path], *rest: Any) -> _T:
        if tuple(search) != shipped:
            return read(what, search, *rest)
        if what not in known:
            known[what] = read(what, search, *rest)
        return known[what]

    return reading


def _once_for_tongues(read: Callable[[Sequence[Tongue]], CommandWords]) -> Callable[[Sequence[Tongue]], CommandWords]:
    """The same for the words of commands; the tongues are kept too, so that no other one gets their identity."""
    known: dict[tuple[int, ...], tuple[Sequence[Tongue], CommandWords]] = {}

    def reading(tongues: Sequence[Tongue]) -> CommandWords:
        key = tuple(id(tongue) for tongue in tongues)
        if key not in known:
            known[key] = tongues, read(tongues)
        return known[key][1]

    return reading


def _once_for_parts(make: Callable[..., Vocabulary]) -> Callable[..., Vocabulary]:
    """The same for the indexes of a language on a board, which know what they are made of; the latest few are kept."""
    known: dict[tuple[int, ...], Vocabulary] = {}

    def making(*parts: object) -> Vocabulary:
        key = tuple(id(part) for part in parts)
        if key not in known:
            if len(known) >= MOST_VOCABULARIES:
                known.clear()
            known[key] = make(*parts)
        return known[key]

    return making


class _Memory(BytecodeCache):
    """Compiled templates; a template whose text is another one is compiled."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._known.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        assert bucket.code is not None
        self._known[bucket.key, bucket.checksum] = bucket.code


def _with_memory(make: Callable[[BaseLoader, bool], Environment]) -> Callable[[BaseLoader, bool], Environment]:
    """Environments for text share one memory, those for HTML, whose code escapes, another."""
    memories = {False: _Memory(), True: _Memory()}

    def making(loader: BaseLoader, is_html: bool) -> Environment:
        made = make(loader, is_html)
        made.bytecode_cache = memories[is_html]
        return made

    return making
