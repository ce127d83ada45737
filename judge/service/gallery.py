"""Pictures that letters name: drawn when they are sent, each once."""

from functools import lru_cache

from judge.service.pictures import PictureFacts, Pictures, PositionPicture, turn_picture
from judge.store import SqlStore


def picture_key(game: int, turn: int) -> str:
    """The name of the picture after a turn of a game; turn 0 is the start.

    >>> picture_key(12, 3)
    'game:12:3'
    """
    return f"game:{game}:{turn}"


class Gallery:
    """Finds and draws the pictures named by `picture_key`; the last ones are kept at hand, for a phase's letters name the same one."""

    def __init__(self, store: SqlStore, pictures: Pictures) -> None:
        self._store = store
        self._pictures = pictures
        self.fetch = lru_cache(maxsize=16)(self._draw)

    def _draw(self, key: str) -> bytes:
        """The PNG of a picture."""
        return self._pictures.picture(self._facts(key))

    def _facts(self, key: str) -> PictureFacts:
        """What a picture shows."""
        _, number, turn = key.split(":")
        with self._store.reading() as tx:
            kept = tx.games.get(int(number))
            assert kept is not None, key
            if turn == "0":
                return PositionPicture(kept.game.variant, self._pictures.library.variant(kept.game.variant).start)
            found = tx.turns.of(int(number), after=int(turn) - 1, limit=1, withdrawn=True)
        return turn_picture(kept.game.variant, found[0])
