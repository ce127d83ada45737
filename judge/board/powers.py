"""The contending powers, named by their ids."""

from typing import TypeAlias

Power: TypeAlias = str
"""Id of a contending country in capitals, e.g. ``AUSTRIA``; titles in each language stand in the gazetteer."""
