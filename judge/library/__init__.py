"""The data folders `maps/` and `templates/`, shipped and overridden, read into values.  Rules, words and drawing live below.

What needs only the rules of a board (`read_variant`) is imported at once; the rest, which draws in the languages and the pictures, when
it is first asked for, so that `judge adjudicate` starts quickly.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from judge.library.findings import BadData, BadMap, BadTongue, Finding
from judge.library.folders import search_path, shipped_folder
from judge.library.ruleset import dump_variant, load_variant, rules_hash, variant_hash
from judge.library.variants import map_folder, read_variant, read_variant_folder

if TYPE_CHECKING:
    from judge.library.about import About
    from judge.library.catalogue import Library
    from judge.library.check import check_map
    from judge.library.checklanguage import Coverage, check_language, coverage_of
    from judge.library.languages import Tongue, read_tongue
    from judge.library.maps import read_pack
    from judge.library.pack import Pack

LATER = {
    "About": "about",
    "Coverage": "checklanguage",
    "Library": "catalogue",
    "Pack": "pack",
    "Tongue": "languages",
    "check_language": "checklanguage",
    "check_map": "check",
    "coverage_of": "checklanguage",
    "read_pack": "maps",
    "read_tongue": "languages",
}
"""Name to the module that is imported when the name is first wanted."""


def __getattr__(name: str) -> object:
    if name not in LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"judge.library.{LATER[name]}"), name)


__all__ = [
    "About",
    "BadData",
    "BadMap",
    "BadTongue",
    "Coverage",
    "Finding",
    "Library",
    "Pack",
    "Tongue",
    "check_language",
    "check_map",
    "coverage_of",
    "dump_variant",
    "load_variant",
    "map_folder",
    "read_pack",
    "read_tongue",
    "read_variant",
    "read_variant_folder",
    "rules_hash",
    "search_path",
    "shipped_folder",
    "variant_hash",
]
