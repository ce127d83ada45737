"""Has anyone won?"""

from collections import Counter
from collections.abc import Mapping

from judge.board.powers import Power
from judge.rules.variant import Variant


def winner(owners: Mapping[str, Power], variant: Variant) -> Power | None:
    """The power that owns enough centres, and more than any other; None while nobody does.

    To be asked when centres have just been counted.  Source: rulebook "Object of the game".
    """
    counted = Counter(owners.values()).most_common(2)
    if not counted or counted[0][1] < variant.victory:
        return None
    if len(counted) == 2 and counted[1][1] == counted[0][1]:
        return None
    return counted[0][0]
