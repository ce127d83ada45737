"""One variant complete: its rules, names, drawing, and what it says about itself."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from judge.language import Gazetteer
from judge.library.about import About
from judge.library.names import FALLBACK
from judge.picture import Drawing
from judge.rules import Variant


@dataclass(frozen=True)
class Pack:
    """One variant as the judge uses it; `gazetteers` by language, English always among them."""

    variant: Variant
    gazetteers: Mapping[str, Gazetteer]
    about: About
    read_drawing: Callable[[], Drawing] = field(repr=False, compare=False)

    @property
    def name(self) -> str:
        """The folder's name, by which the variant is asked for."""
        return self.variant.name

    def gazetteer(self, language: str) -> Gazetteer:
        """The names in that language, in English where the variant has none."""
        return self.gazetteers.get(language, self.gazetteers[FALLBACK])

    @cached_property
    def drawing(self) -> Drawing:
        """The picture's data, read when it is first wanted.  Raises `BadMap`."""
        return self.read_drawing()
