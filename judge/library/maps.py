"""A folder of `maps/` to a `Pack`."""

from collections.abc import Sequence
from pathlib import Path

from judge.library.about import about_map
from judge.library.drawings import read_drawing
from judge.library.findings import BadMap, Faults
from judge.library.folders import search_path
from judge.library.names import scan_gazetteers
from judge.library.pack import Pack
from judge.library.variants import VariantReader, open_map


def read_pack(folder: Path, search: Sequence[Path] = ()) -> Pack:
    """Everything in a map folder; its bases are looked for beside it, then along `search`.  Raises `BadMap` with every fault.

    The drawing is read when it is first wanted, so that what needs no picture starts quickly.
    """
    faults = Faults()
    source = open_map(folder, search or search_path("maps"), faults)
    if source is None:
        raise BadMap(tuple(faults.found))
    variant = VariantReader(source, faults).read()
    gazetteers = scan_gazetteers(source, variant.board, faults)
    if faults:
        raise BadMap(tuple(faults.found))
    return Pack(variant, gazetteers, about_map(source), lambda: read_drawing(source, variant.board))
