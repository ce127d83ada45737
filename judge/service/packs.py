"""The variant of a game, with the rules it began with and the names and pictures of today; and what reads its orders."""

import json
from dataclasses import replace
from threading import Lock

from judge.game import Game
from judge.library import Library, Pack, load_variant, variant_hash
from judge.store import Transaction


class Packs:
    """Packs by the hash of their rules, each read once."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._packs: dict[str, Pack] = {}
        self._hashes: dict[str, str] = {}
        self._lock = Lock()

    def ruleset(self, variant: str) -> str:
        """The hash of a variant's rules as they are today.  Raises `BadMap`."""
        if variant not in self._hashes:
            self._hashes[variant] = variant_hash(self._library.variant(variant))
        return self._hashes[variant]

    def of(self, game: Game, tx: Transaction) -> Pack:
        """The pack a game is played with: today's if the rules are the same, else the kept rules with today's names."""
        with self._lock:
            if game.ruleset not in self._packs:
                pack = self._library.pack(game.variant)
                if self.ruleset(game.variant) != game.ruleset:
                    kept = tx.variants.get(game.ruleset)
                    assert kept is not None, game.ruleset
                    pack = replace(pack, variant=load_variant(json.loads(kept)))
                self._packs[game.ruleset] = pack
            return self._packs[game.ruleset]
