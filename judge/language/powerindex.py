"""Powers by every way to spell them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from judge.board import Power
from judge.language.folding import fold
from judge.language.gazetteer import Gazetteer


@dataclass(frozen=True, slots=True)
class PowerIndex:
    """Every spelling of a power in every language at hand, folded; unique beginnings of three letters or more are understood too."""

    spellings: Mapping[str, Power]
    powers: tuple[Power, ...]

    def find(self, word: str) -> Power | None:
        """The power a word means, if it can mean only one."""
        folded = fold(word)
        exact = self.spellings.get(folded)
        if exact is not None or len(folded) < 3:
            return exact
        near = {power for spelling, power in self.spellings.items() if spelling.startswith(folded)}
        return near.pop() if len(near) == 1 else None


def index_powers(powers: Iterable[Power], gazetteers: Iterable[Gazetteer]) -> PowerIndex:
    """All spellings of a variant's powers: ids, names in every case, adjectives, and single initials that fit one power only."""
    powers = tuple(powers)
    spellings: dict[str, set[Power]] = {}

    def add(text: str, power: Power) -> None:
        spellings.setdefault(fold(text), set()).add(power)

    for power in powers:
        add(power, power)
        add(power[0], power)
    for gazetteer in gazetteers:
        for power, names in gazetteer.powers.items():
            for form in (form for name in names.names + names.adjectives for form in name.forms if form):
                add(form, power)
            for short in names.short:
                add(short, power)
    return PowerIndex({spelling: next(iter(found)) for spelling, found in spellings.items() if len(found) == 1}, powers)
