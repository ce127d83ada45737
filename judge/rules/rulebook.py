"""The choices on which rule editions differ, each a named switch with its source."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rulebook:
    """Switches of one edition; the defaults are the standard game with DATC 3.x preferences.

    A game keeps the rulebook it began with.  Sources: DATC chapter 4 (numbers in brackets), the source texts' variant (A-numbers).
    """

    via_without_convoy: str = "fails"
    """"fails" or "land": what a VIA move to a neighbour does when no convoy was ordered [4.A.3]."""
    own_attack_counts: bool = False
    """Own attacks cut own supports and may dislodge own units (A5)."""
    cut_exception: bool = True
    """An attack from the province a support is aimed at cuts only by dislodging."""
    beaten_attack_ties_everywhere: bool = False
    """A dislodged unit's attack also counts in the province its dislodger came from (A6)."""
    failed_attacker_defends: int = 1
    """Strength with which a unit that failed to leave defends (A3)."""
    swap_allowed: bool = False
    """Two units may change places without a convoy (A4)."""
    attacked_bars_retreat: bool = False
    """No retreat to any space attacked in the movement before, nor from land onto a waterway (source text, "Ústup")."""
    build_sites: str = "home"
    """"home", "any" (any owned centre), "any_if_home" (any owned while one home is owned), "any_home" (owned, somebody's home)."""
    build_needs_ownership: bool = True
    """A build needs an owned home centre, not only a free one (A8)."""
    removal: str = "owned"
    """Removals by rule: farthest from "owned" centres (2023 rulebook, DATC 4.D.8 c) or from "home" centres (older editions, A16)."""
    removal_distance: str = "any"
    """Steps are counted over "any" border, over those open to the "unit" itself, or over those open to the first kind ("army", A16)."""

    removal_tie: str = "name"
    """Among units equally far: lower removal rank first, then by "name" of the province (2023 rulebook), or the higher "number" (A16)."""

    agreed_ranking: bool = False
    """The players may agree to stop and on an order of places (source text, "Warcraft verze")."""


EDITIONS: dict[str, Rulebook] = {"standard": Rulebook()}
"""Named editions a variant may start from; `maps/<variant>/variant.toml` may change single switches."""

CHOICES: dict[str, tuple[str, ...]] = {
    "via_without_convoy": ("fails", "land"),
    "build_sites": ("home", "any", "any_if_home", "any_home"),
    "removal": ("owned", "home"),
    "removal_distance": ("any", "unit", "army"),
    "removal_tie": ("name", "number"),
}
"""The values of each switch that is a word; `judge map check` refuses others."""
