"""The data folders `maps/` and `templates/`, shipped and overridden, read into values.  Rules, words and drawing live below."""

from judge.library.findings import BadMap, Finding
from judge.library.folders import search_path, shipped_folder
from judge.library.variants import read_variant, read_variant_folder

__all__ = ["BadMap", "Finding", "read_variant", "read_variant_folder", "search_path", "shipped_folder"]
