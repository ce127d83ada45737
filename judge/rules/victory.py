"""Has anyone won?"""

from collections.abc import Mapping

from judge.board.powers import Power
from judge.rules.variant import Variant


def winner(counts: Mapping[Power, int], variant: Variant) -> Power | None:
    """The power that owns enough centres, and more than any other; None while nobody does.

    `counts` are the centres each power owns.  To be asked when centres have just been counted.  Source: rulebook "Object of the game".
    """
    most = max(counts.values()) if counts else 0
    if most < variant.victory:
        return None
    leaders = [power for power, count in counts.items() if count == most]
    return leaders[0] if len(leaders) == 1 else None
