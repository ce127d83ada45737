"""Every stored turn adjudicated again: would this program decide it as it was decided?"""

from collections.abc import Iterator

from judge.rules import adjudicate
from judge.service.context import Services


def differences(s: Services) -> Iterator[str]:
    """One text for each stored turn: "" where the new result is the old one, else what differs."""
    after = 0
    while True:
        with s.store.reading() as tx:
            ids = tx.games.ids(after, 100)
            if not ids:
                return
            for number in ids:
                kept = tx.games.get(number)
                assert kept is not None
                variant = s.packs.of(kept.game, tx).variant
                for turn in tx.turns.of(number):
                    again = adjudicate(turn.before, turn.given, variant)
                    same = again.after == turn.adjudication.after and again.winner == turn.adjudication.winner
                    yield "" if same else f"{kept.game.name} {turn.phase}: another position comes out now"
        after = ids[-1]
